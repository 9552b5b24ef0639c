"""The example games again, written apart from them: plain random play, four players.

Each returns (winner or None, scores) of a game.
"""

import random

HEADS = [
    7 if n == 55 else 5 if n % 11 == 0 else 3 if n % 10 == 0 else 2 if n % 5 == 0 else 1
    for n in range(105)
]


def _won(scores, best):
    first = best(scores)
    return scores.index(first) if scores.count(first) == 1 else None


def six_nimmt(chance: random.Random):
    deck = chance.sample(range(1, 105), 44)
    hands, rows = (
        [deck[10 * n : 10 * n + 10] for n in range(4)],
        [[c] for c in deck[40:]],
    )
    heads = [0] * 4
    for left in range(10, 0, -1):
        shown = [
            (hand.pop(chance.randrange(left)), who) for who, hand in enumerate(hands)
        ]
        for card, who in sorted(shown):
            tops = [row[-1] if row[-1] < card else 0 for row in rows]
            at = tops.index(max(tops)) if max(tops) else chance.randrange(4)
            if not max(tops) or len(rows[at]) == 5:
                heads[who] += sum(HEADS[c] for c in rows[at])
                rows[at] = []
            rows[at].append(card)
    return _won(heads, min), heads


def no_thanks(chance: random.Random):
    deck = chance.sample(range(3, 36), 24)
    chips, taken, turn = [11] * 4, [set() for _ in range(4)], chance.randrange(4)
    for card in deck:
        pot = 0
        while chips[turn] and chance.random() < 0.5:
            chips[turn] -= 1
            pot += 1
            turn = (turn + 1) % 4
        taken[turn].add(card)
        chips[turn] += pot
    points = [
        sum(c for c in mine if c - 1 not in mine) - left
        for mine, left in zip(taken, chips, strict=True)
    ]
    return _won(points, min), points


def oh_hell(chance: random.Random):
    points, dealer = [0] * 4, chance.randrange(4)
    for size in [*range(7, 0, -1), *range(2, 8)]:
        deck = chance.sample(
            [(suit, rank) for suit in range(4) for rank in range(13)], 52
        )
        hands = [[deck.pop() for _ in range(size)] for _ in range(4)]
        trump, bids, tricks = deck.pop()[0], {}, [0] * 4
        order = [(dealer + n) % 4 for n in range(1, 5)]
        for who in order:
            may = set(range(size + 1))
            if who == dealer:
                may.discard(size - sum(bids.values()))
            bids[who] = chance.choice(sorted(may))
        leader = order[0]
        for _ in range(size):
            led, best, winner = None, (-1, -1), leader
            for who in [(leader + n) % 4 for n in range(4)]:
                follow = [card for card in hands[who] if card[0] == led]
                suit, rank = card = chance.choice(follow or hands[who])
                hands[who].remove(card)
                led = suit if led is None else led
                worth = (2 if suit == trump else 1 if suit == led else 0, rank)
                if worth > best:
                    best, winner = worth, who
            leader = winner
            tricks[leader] += 1
        for who in order:
            points[who] += (10 + bids[who]) * (bids[who] == tricks[who])
        dealer = (dealer + 1) % 4
    return _won(points, max), points

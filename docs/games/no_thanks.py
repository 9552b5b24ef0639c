"""No Thanks! (Thorsten Gimmler, Amigo 2004): take the card, or pay a chip to pass."""

from dataclasses import dataclass

from fairdeal import CardGame, ChoiceOf, Event, Number, Pile, Scalar, rule

BOX = range(3, 36)


class NoThanks(CardGame):
    """Cards are minus points, runs count their lowest card only, chips are points."""

    title, players = "No Thanks!", range(3, 8)
    score, fewest, unit = "points", True, "points"
    starts = "active"
    decisions = {"offer": ChoiceOf("take the card, or pay", ["take", "no thanks"])}

    removed = rule(9, "cards taken out unseen", 0, 20)
    start = rule.by_players({3: 11, 6: 9, 7: 7}, "chips each", 0, 30)

    face_up = Pile()
    taken = Pile(each=True)
    deck = Pile(sees="nobody")
    box = Pile(sees="nobody")
    chips = Number(each=True, sees="owner")
    pot = Number()
    active = Number()
    points = Number(each=True)
    take = Event("a card is taken", {"card": "its number", "chips_on_it": "its chips"})

    def cards(self, g):
        return BOX

    def setup(self, g):
        g.deck = g.shuffled(BOX)
        g.box = [g.deck.pop() for _ in range(g.rules.removed)]
        g.chips = [g.rules.start] * g.players
        g.active = g.shuffled(g.seats)[0]

    def turn(self, g):
        seat = g.active
        if not g.face_up:
            g.face_up.append(g.deck.pop())
        options = ["take", "no thanks"] if g.chips[seat] else ["take"]
        if g.ask(seat, "offer", options) == "no thanks":
            g.chips[seat] -= 1
            g.pot += 1
            g.active = g.after(seat)
        else:
            g.tell("take", seat, card=g.face_up[0], chips_on_it=g.pot)
            g.taken[seat].append(g.face_up.pop())
            g.chips[seat] += g.pot
            g.pot = 0
            g.over = not g.deck
        g.points[seat] = cost(g.taken[seat]) - g.chips[seat]


def cost(cards):
    """What cards count: of each run its lowest card."""
    return sum(card for card in cards if card - 1 not in cards)


@dataclass(frozen=True)
class Thrifty(Scalar):
    """Takes a card that its chips make cheap, or that extends a run."""

    name = "thrifty"

    def offer(self, view):
        card, mine = view.face_up[0], view.taken[0]
        price = cost([*mine, card]) - cost(mine) - view.pot
        return "take" if price <= (8 if view.chips > 3 else 14) else view.legal[-1]

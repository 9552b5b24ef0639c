"""Pairs: tricks, for teams of two who see some of each other's cards."""

from dataclasses import dataclass
from typing import ClassVar

from fairdeal import CardGame, Event, Fact, Number, Pile, Scalar, cards_of, rule

BOX = cards_of(
    [
        {"name": f"{suit}{rank}", "suit": suit, "rank": rank}
        for suit in "CDHS"
        for rank in range(2, 10)
    ]
)


class Pairs(CardGame):
    """Tricks, of which partners count theirs together."""

    title, players, team = "Pairs", (4, 6), 2
    score, starts = "tricks", "leader"
    decisions: ClassVar = {"play": "a card"}

    dealt = rule.by_players({4: 6, 6: 4}, "cards dealt to each", 1, 8)
    shown = rule(2, "cards of each hand that the partner sees", 0, 8)

    deck = Pile(sees="nobody")
    hand = Pile(each=True, sees="owner")
    open_hand = Pile(each=True, sees="partners")
    trick = Pile()
    played = Pile()
    tricks = Number(each=True)
    leader = Number()
    led = Fact()
    taken = Event("a trick is taken", {"cards": "cards in it"})

    def cards(self, g):
        return BOX

    def setup(self, g):
        g.deck = g.shuffled(BOX)
        g.leader = g.die(g.players) - 1
        for seat in g.seats:
            cards = [g.deck.pop() for _ in range(g.rules.dealt)]
            g.open_hand[seat] = cards[: g.rules.shown]
            g.hand[seat] = cards[g.rules.shown :]

    def turn(self, g):
        """All play a card; the highest of the suit that was led takes them."""
        best, g.led = g.leader, None
        for seat in g.around(g.leader):
            cards = g.hand[seat] + g.open_hand[seat]
            same = [card for card in cards if card.suit == g.led]
            card = g.ask(seat, "play", same or cards)
            from_hand = card in g.hand[seat]
            (g.hand if from_hand else g.open_hand)[seat].remove(card)
            g.trick.append(card)
            if g.led is None:
                g.led, high = card.suit, card.rank
            elif card.suit == g.led and card.rank > high:
                best, high = seat, card.rank
        g.tell("taken", best, cards=len(g.trick))
        g.played += g.trick
        g.trick.clear()
        g.tricks[best] += 1
        g.leader = best
        g.over = not (g.hand[0] or g.open_hand[0])


@dataclass(frozen=True)
class High(Scalar):
    """Leads high, and throws low where the partner has led."""

    name = "high"

    def play(self, view):
        cards = sorted(view.legal, key=lambda card: card.rank)
        partner_led = len(view.trick) == view.players // 2
        return cards[0] if partner_led else cards[-1]

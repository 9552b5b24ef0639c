"""A draft: hands go round, a card is taken of each, and shown or kept hidden."""

from typing import ClassVar

from fairdeal import CardGame, Number, Pile, rule


class Draft(CardGame):
    """The highest cards taken win."""

    title, players, score = "draft", range(3, 5), "points"
    decisions: ClassVar = {"take": "a card, in secret"}
    shows = rule(True, "whether all see what is taken")

    deck = Pile(sees="nobody")
    hand = Pile(each=True, sees="owner")
    shown = Pile(each=True)
    kept = Pile(each=True, sees="owner")
    points = Number(each=True)

    def cards(self, g):
        return range(20)

    def setup(self, g):
        g.deck = g.shuffled(range(20))
        for hand in g.hand:
            hand += [g.deck.pop() for _ in range(4)]

    def turn(self, g):
        """All take a card of their hand, which goes on to the left."""
        taken = g.secretly("take", {seat: g.hand[seat] for seat in g.seats})
        for seat, card in taken.items():
            g.hand[seat].remove(card)
            (g.shown if g.rules.shows else g.kept)[seat].append(card)
            g.points[seat] += card
        g.pass_to("hand", 1)
        g.over = not g.hand[0]

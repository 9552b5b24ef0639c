"""6 nimmt! (Wolfgang Kramer, Amigo 1994): cards in secret, rows, and bull heads."""

from dataclasses import dataclass
from pathlib import Path

from fairdeal import CardGame, Event, Number, Pile, Scalar, cards_of, rule

BOX = cards_of(Path(__file__).with_name("six_nimmt.csv"))  # number, heads


class SixNimmt(CardGame):
    """All play a card at once; whoever plays the sixth of a row takes the row."""

    title, players = "6 nimmt!", range(2, 11)
    score, fewest, unit = "heads", True, "bull heads"
    decisions = {"play": "a card, in secret", "row": "which row to take"}

    deal = rule(10, "cards dealt to each player", 1, 16)
    rows = rule(4, "rows on the table", 1, 8)
    limit = rule(5, "cards that a row may have; the next one takes it", 1, 9)
    tactical = rule(False, "play with cards 1 to (players x deal + rows) only")

    hand = Pile(each=True, sees="owner")
    played = Pile(each=True)
    row = Pile(many="rows")
    taken = Pile(each=True)
    deck = Pile(sees="nobody")
    heads = Number(each=True)
    take = Event("a row is taken", {"cards": "cards in it", "cost": "bull heads on it"})

    def problem(self, rules, players):
        needed = players * rules.deal + rules.rows
        return f"{needed} cards are needed, of 104." if needed > len(BOX) else ""

    def cards(self, g):
        needed = g.players * g.rules.deal + g.rules.rows
        return BOX[:needed] if g.rules.tactical else BOX

    def setup(self, g):
        g.deck = g.shuffled(self.cards(g))
        for hand in g.hand:
            hand += sorted((g.deck.pop() for _ in range(g.rules.deal)), key=number)
        for row in g.row:
            row.append(g.deck.pop())

    def turn(self, g):
        """All show a card; from the lowest up, each joins a row."""
        shown = g.secretly("play", {seat: g.hand[seat] for seat in g.seats})
        for seat, card in shown.items():
            g.hand[seat].remove(card)
            g.played[seat].append(card)
        for seat in sorted(shown, key=lambda seat: shown[seat].number):
            self.join(g, seat, shown[seat])
        g.over = not g.hand[0]

    def join(self, g, seat, card):
        row = nearest(g.row, card)
        if row is None:
            names = [f"row {place + 1}" for place in range(len(g.row))]
            row = g.row[names.index(g.ask(seat, "row", names))]
            full = True
        else:
            full = len(row) == g.rules.limit
        if full:
            g.tell("take", seat, cards=len(row), cost=heads_on(row))
            g.heads[seat] += heads_on(row)
            g.taken[seat] += row
            row.clear()
        g.played[seat].remove(card)
        row.append(card)


def number(card):
    return card.number


def heads_on(row):
    return sum(card.heads for card in row)


def nearest(rows, card):
    """The row whose last card is the highest below this one; None if there is none."""
    below = [row for row in rows if row[-1].number < card.number]
    return max(below, key=lambda row: row[-1].number, default=None)


@dataclass(frozen=True)
class Near(Scalar):
    """Plays the card nearest above a row with room; takes the cheapest row."""

    name = "near"

    def play(self, view):
        rows, limit = view.row, view.rules.limit
        cheapest = min(map(heads_on, rows))

        def cost(card):
            row = nearest(rows, card)
            if row is None:
                return cheapest, card.number
            return heads_on(row) * (len(row) == limit), card.number - row[-1].number

        return min(view.legal, key=cost)

    def row(self, view):
        costs = [heads_on(row) for row in view.row]
        return f"row {costs.index(min(costs)) + 1}"

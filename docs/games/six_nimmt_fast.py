"""6 nimmt! on arrays: the same game as in six_nimmt.py, for many games at once."""

import numpy as np
from six_nimmt import SixNimmt


class FastSixNimmt(SixNimmt):
    """All play a card at once; whoever plays the sixth of a row takes the row."""

    def turns(self, t):
        """All show a card; from the lowest up, each joins a row."""
        shown = t.secretly("play", t.hand)  # (seats, games) card numbers
        for seat in t.seats:
            t.hand.remove(shown[seat], seat)
            t.played.push(shown[seat], seat)
        for seat in np.argsort(t.card.number[shown], axis=0):  # (games,) lowest first
            card = np.take_along_axis(shown, seat[None], axis=0)[0]
            self.join_all(t, seat, card)
        t.over = t.hand.count[0] == 0

    def join_all(self, t, seat, card):
        """In each game a seat joins a row with its card; (games,) each."""
        top = t.card.number[t.row.top]  # (rows, games)
        below = np.where(top < t.card.number[card], top, -1)
        row, low = below.argmax(axis=0), np.flatnonzero(below.max(axis=0) < 0)
        full = t.row.count[row, np.arange(t.games)] == t.rules.limit
        if len(low):
            row[low] = t.ask("row", seat[low], np.arange(t.rules.rows), low)
            full[low] = True
        taken = np.flatnonzero(full)
        if len(taken):
            self.take_row(t, seat[taken], row[taken], taken)
        t.played.remove(card, seat)
        t.row.push(card, row)

    def take_row(self, t, seat, row, games):
        """In these games a seat takes a row."""
        cost = t.row.total(t.card.heads)[row, games]
        t.tell("take", seat, games, cards=t.row.count[row, games], cost=cost)
        t.heads[seat, games] += cost
        t.taken.extend(t.row.clear(row, games), seat, games)

"""What the strategies share: plain habits, and steering towards a number."""

import numpy as np

from sim import masks
from sim.kbernestich.values import points
from sim.kbernestich.view import KbernestichView
from sim.masks import Counts, Flags, Masks
from strategies.base import Strategy
from strategies.by_worth import by_worth
from strategies.kbernestich import features


class Heuristic(Strategy):
    """Trump is its longest suit, and it ducks tricks that would bust it.

    It places no cubes, claims nothing, and puts back its cards of lowest rank.
    """

    @by_worth
    def trump(self, view: KbernestichView) -> Counts:
        """The longest suit."""
        return features.held(view)

    def claim(self, view: KbernestichView) -> Masks:
        """No claim, if that is allowed."""
        return np.full_like(view.legal, view.bits("pass"))

    def plot(self, view: KbernestichView) -> Masks:
        """No cube."""
        return place(view)

    def review(self, view: KbernestichView) -> Masks:
        """The cheapest cards go back."""
        return put_back(view, np.ones(len(view), dtype=np.bool_))

    def play(self, view: KbernestichView) -> Masks:
        """Win what does not bust."""
        return steer(view, safe(view))


def place(view: KbernestichView, *wishes: Masks | np.uint64) -> Masks:
    """A cube on a free square of the first wish that has one, else none if allowed.

    Ties between squares of a wish are broken at random.
    """
    left = np.zeros_like(view.legal)
    for wish in wishes:
        left = features.either(left, wish & view.legal)
    left = features.either(left, view.stop & view.legal)
    return view.toss(features.either(left, view.legal))


def put_back(view: KbernestichView, low: Flags) -> Masks:
    """Put cards back: the cheapest where ``low`` is set, else the dearest."""
    left, back = view.legal.copy(), np.zeros_like(view.legal)
    for card in range(int(view.most.max(initial=0))):
        chosen = features.by_rank(view, left, ~low)
        chosen &= masks.from_flags(view.most > card)
        left ^= chosen
        back |= chosen
    return back


def safe(view: KbernestichView) -> Flags:
    """(rows,) whether this seat would not bust with the cards on the table."""
    cards = masks.join([view.pile, *view.cards])
    base = points(cards, view.by_digit)
    fits: Flags = base <= view.bust
    fits |= view.graced
    return fits


def steer(view: KbernestichView, wanted: Flags) -> Masks:
    """Win the trick where it is ``wanted``, duck it elsewhere.

    To win, the last to play spends the cheapest winner, others their dearest. To
    duck, the dearest loser goes; where every card wins, the cheapest.
    """
    return features.by_rank(view, *steered(view, wanted))


def steered(view: KbernestichView, wanted: Flags) -> tuple[Masks, Flags]:
    """(rows,) the cards from which ``steer`` chooses, and whether the dearest."""
    winners = view.winning
    side = masks.from_flags(~wanted)
    side &= view.face_up
    side ^= winners  # the winners where it is wanted, else the losers
    none = masks.rows_where(side == masks.NOTHING)
    if len(none):
        side[none] = view.face_up.take(none)
    loses = (side & winners) == masks.NOTHING
    return side, loses if view.last_to_play else loses != wanted

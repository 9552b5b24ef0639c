"""What the strategies share: they weigh cards by their wishes."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.layout import NONE
from sim.article_ii.view import ArticleIIView
from sim.masks import Masks
from strategies.article_ii import features
from strategies.article_ii.features import RunningBest, Wishes, Worth
from strategies.base import Strategy
from strategies.by_worth import by_options, worth_of

_REMOVAL = np.full(1, 24, dtype=np.int16)  # a card less, before it is known which
_DRAWING = np.full(1, 60, dtype=np.int16)  # two cards more


class Heuristic(Strategy):
    """Plays the card that is worth most, on whom it is worth most.

    ``of_table``: the wishes of this class (its subclasses declare it for themselves)
    depend on the cards on the table alone, so that they can be cached.
    """

    of_table: ClassVar[bool] = False

    def wishes(self, view: ArticleIIView) -> Wishes:
        """What a point is worth, by seat."""
        nothing = np.zeros((view.players, len(view)), dtype=np.int16)
        return Wishes(nothing, nothing)

    def _weighed(self, view: ArticleIIView) -> tuple[Wishes, Wishes]:
        """Its wishes, and the worth of points; cached since the decision before."""
        keeps = vars(type(self)).get("of_table", False)
        if keeps and (known := view.kept(self)) is not None:
            return Wishes(*known[:2]), Wishes(*known[2:])
        wishes = self.wishes(view)
        points = features.raw(view, wishes)
        if keeps:
            each = wishes.electability, wishes.affiliation
            view.keep(self, (*each, points.electability, points.affiliation))
        return wishes, points

    def play(self, view: ArticleIIView) -> Masks:
        """The card that is worth most on somebody; the last one is not weighed."""
        several = masks.rows_where((view.legal & (view.legal - masks.ONE)) != 0)
        if 2 * len(several) > len(view):
            return view.toss(self._best(view).options)
        answer = view.legal.copy()
        if len(several):
            answer[several] = self.play(view.take(several))
        return answer

    @worth_of(play)
    def _worth_of_cards(self, view: ArticleIIView) -> Worth:
        return self._best(view).worth_by_bit()

    @by_options
    def second(self, view: ArticleIIView) -> RunningBest:
        """Another card at once, for one more in hand."""
        return self._best(view)

    def _best(self, view: ArticleIIView) -> RunningBest:
        """The options in the order of ``rank``."""
        layout, (wishes, points) = view.layout, self._weighed(view)
        marks = features.kinds_of_marks(layout)
        cards = features.kinds_of_cards(layout)
        ranks: Worth = np.empty((len(cards), len(view)), dtype=np.int16)
        ranks[:-2] = self.rank("mark", features.at_best(view, points, marks))
        ranks[-2] = self.rank("remove", _REMOVAL)
        ranks[-1] = self.rank("draw", _DRAWING)
        best = RunningBest(view.legal & cards, ranks)
        rows, styles = masks.explode(self.styles_now(view))
        if len(rows):
            worth = features.style_worth(view, wishes, styles, rows).max(axis=0)
            best.consider_in(rows, styles, self.rank("style", worth))
        return best

    def styles_now(self, view: ArticleIIView) -> Masks:
        """(rows,) the Styles among the options that are weighed at all."""
        return view.legal & view.layout.styles

    def rank(self, kind: str, worth: Worth) -> Worth:
        """What is played first: what is worth most."""
        return worth

    @by_options
    def target(self, view: ArticleIIView) -> RunningBest:
        """Where the card is worth most."""
        return _seats(view, self._on_each(view, view.card))

    def _on_each(self, view: ArticleIIView, card: Masks) -> Worth:
        """(seats, rows) what a card is worth on each player."""
        layout, (wishes, points) = view.layout, self._weighed(view)
        number = masks.index(card)
        worth = points.electability * layout.electability.take(number)
        worth += points.affiliation * layout.affiliation.take(number)
        rows = masks.rows_with(card, layout.styles)
        if len(rows):
            style = card.take(rows)
            worth[:, rows] = features.style_worth(view, wishes, style, rows)
        return worth

    @by_options
    def react(self, view: ArticleIIView) -> RunningBest:
        """A card that does something against (or with) who played, or none."""
        layout, (wishes, points) = view.layout, self._weighed(view)
        marks = features.kinds_of_marks(layout)
        at = view.actor.astype(np.int64), np.arange(len(view))
        here = Wishes(points.electability[None, *at], points.affiliation[None, *at])
        best = RunningBest(
            view.legal & marks.cards, features.on_each(here, marks)[:, 0]
        )
        rows, styles = masks.explode(view.legal & layout.styles)
        if len(rows):
            worth = features.style_worth(view, wishes, styles, rows)
            best.consider_in(
                rows, styles, worth[at[0].take(rows), np.arange(len(rows))]
            )
        best.consider(view.none, np.zeros(len(view), dtype=np.int16))
        return best

    @by_options
    def teflon(self, view: ArticleIIView) -> RunningBest:
        """The card that does most harm, if one does."""
        best = self._removal(view, np.zeros(len(view), dtype=np.int64))
        best.consider(view.none, np.zeros(len(view), dtype=np.int16))
        return best

    @by_options
    def remove(self, view: ArticleIIView) -> RunningBest:
        """The card that is best gone."""
        return self._removal(view, view.victim.astype(np.int64))

    def _removal(self, view: ArticleIIView, on: NDArray[np.int64]) -> RunningBest:
        """The cards on these players whose removal is worth most; of options only."""
        layout, (wishes, points) = view.layout, self._weighed(view)
        here = np.arange(len(view))
        own = Wishes(
            -points.electability[None, on, here], -points.affiliation[None, on, here]
        )
        options, marks = view.legal & ~NONE, features.kinds_of_marks(layout)
        best = RunningBest(options & marks.cards, features.on_each(own, marks)[:, 0])
        rows = masks.rows_with(options, layout.styles)
        if len(rows):
            worth = features.style_worth(view, wishes, None, rows)
            worth = worth[on.take(rows), np.arange(len(rows))]
            best.consider_in(rows, options.take(rows) & layout.styles, worth)
        return best

    @by_options
    def remove_from(self, view: ArticleIIView) -> RunningBest:
        """On whom the card lies that is best gone."""
        layout, (wishes, points) = view.layout, self._weighed(view)
        marks = features.kinds_of_marks(layout)
        lies = (view.lying & marks.cards[..., None]) != masks.NOTHING
        gain = np.where(lies, -features.on_each(points, marks), features.FORBIDDEN)
        worth = gain.max(axis=0, initial=features.FORBIDDEN)
        rows = masks.rows_with(masks.join(list(view.style)), layout.styles)
        if len(rows):
            gain = features.style_worth(view, wishes, None, rows)
            gain = np.where(view.style[:, rows] != 0, gain, features.FORBIDDEN)
            worth[:, rows] = np.maximum(worth[:, rows], gain)
        return _seats(view, worth)

    @by_options
    def necromancer(self, view: ArticleIIView) -> RunningBest:
        """The contender with the lowest Affiliation, as it is subtracted."""
        return _seats(view, -view.attributes.affiliation)


def _seats(view: ArticleIIView, worth: Worth) -> RunningBest:
    """The legal seats, by worth (seats, rows)."""
    return RunningBest(view.seats & view.legal, worth)

"""What the strategies share: each weighs elements, and spells by what they do."""

import numpy as np

from sim import masks
from sim.evilpact.layout import CONTRACT, PASS
from sim.evilpact.view import EvilpactView
from sim.masks import Masks
from sim.observation import Worth
from strategies.base import Strategy
from strategies.best_options import BestOptions
from strategies.by_worth import by_options, worth_of, worth_of_two
from strategies.evilpact import effects, features
from strategies.evilpact.features import Judge, Numbers, WeightedMargins

LOST = 0.3  # what a spell of the opponent is worth, in elements


class Heuristic(Strategy):
    """It takes what makes most difference, and casts a spell that wins an element."""

    def weights(self, view: EvilpactView) -> Numbers:
        """(elements, rows) how much each element counts."""
        return np.ones((len(view.layout.elements), len(view)))

    def judge(self, view: EvilpactView) -> Judge:
        """How it values changes of margins."""
        return WeightedMargins(view, self.weights(view))

    def need(self, view: EvilpactView, judge: Judge, spell: int) -> Numbers | float:
        """(rows,) what a spell must be worth to be cast now."""
        return 0.4

    def lost(self, view: EvilpactView, judge: Judge) -> Numbers | float:
        """(rows,) what it is worth that the other side loses a spell."""
        return LOST

    @by_options
    def acquire(self, view: EvilpactView) -> BestOptions:
        """The card that makes most difference, whoever of the two has it."""
        return self.considered(view)

    def considered(self, view: EvilpactView) -> BestOptions:
        """Cards to acquire, spells to cast or contracts, with what each is worth."""
        kinds = {"acquire": self._cards, "cast": self._spells, "contract": self._pacts}
        return kinds[view.kind.name](view)

    def _cards(self, view: EvilpactView) -> BestOptions:
        best, here = BestOptions(len(view)), features.acquirable_sets(view)
        both = effects.OWN, effects.OTHER
        sizes = np.repeat([len(here.rows), len(here.other)], 2)
        sides = np.repeat([*both, *both], sizes)
        rows, more = here.rows, here.rows.take(here.other)
        element, icons = (
            np.concatenate([one, one, other, other])
            for one, other in zip(here.ways, here.other_ways, strict=True)
        )
        changes = element, sides * icons
        every = np.concatenate([rows, rows, more, more])
        worth = effects.judge_changes(self.judge(view), every, changes)
        mine, theirs, *others = np.split(worth, np.cumsum(sizes)[:-1])
        mine[here.other] = np.maximum(mine.take(here.other), others[0])
        theirs[here.other] = np.minimum(theirs.take(here.other), others[1])
        best.consider_all(rows, here.cards, mine - theirs)
        return best

    @by_options
    def element(self, view: EvilpactView) -> BestOptions:
        """The element in which the card is worth more."""
        judge, best = self.judge(view), BestOptions(len(view))
        rows, _, *ways = features.library_sets(view, view.card)
        for element, icons in ways:
            option = masks.ONE << element.astype(np.uint64)
            worth = effects.judge_changes(judge, rows, (element, icons))
            best.consider(rows, option, worth)
        return best

    @by_options
    def contract(self, view: EvilpactView) -> BestOptions:
        """The spell whose element it leads by most."""
        return self.considered(view)

    def _pacts(self, view: EvilpactView) -> BestOptions:
        return by_element(view, features.margins(view).astype(np.float64))

    def cast(self, view: EvilpactView) -> Masks:
        """The spell that is worth most, if it is worth what is needed.

        After acquiring, for then it can cast what it could before, and more.
        """
        if not view.late:
            return np.full(len(view), PASS)
        return view.toss(self.considered(view).options)

    @worth_of(cast)
    def _worth_of_casting(self, view: EvilpactView) -> Worth:
        if not view.late:
            return worth_of_two(view, PASS, masks.NOTHING, 0)
        return self.considered(view).worth_by_bit()

    def _spells(self, view: EvilpactView) -> BestOptions:
        judge, best = self.judge(view), BestOptions(len(view))
        nothing = np.full(len(view), PASS)
        best.consider(np.arange(len(view)), nothing, np.zeros(len(view)))
        under = masks.where((view.legal & CONTRACT) != masks.NOTHING, view.contract)
        spells = view.legal | under
        worths = effects.worths(view, judge, self.lost(view, judge), spells)
        for spell, worth in worths.items():
            card = masks.bit(int(spell))
            options = view.legal & card
            options |= masks.where(under == card, CONTRACT)
            rows = masks.rows_with(options, masks.ANYTHING)
            gain = worth - self.need(view, judge, int(spell))
            best.consider(rows, masks.lowest(options.take(rows)), gain.take(rows))
        return best

    def counter(self, view: EvilpactView) -> Masks:
        """Whatever can be countered is."""
        return masks.lowest(view.legal)

    def harm(self, view: EvilpactView) -> Numbers:
        """(rows,) what the opponent's spell is worth to the opponent."""
        judge, spells = self.judge(view), masks.ONE << view.spell
        lost = self.lost(view, judge)
        worths = effects.worths(view, judge, lost, spells, effects.OTHER)
        harm = np.zeros(len(view))
        for spell, worth in worths.items():
            harm = np.where(view.spell == spell, worth, harm)
        return harm

    @by_options
    def exclude(self, view: EvilpactView) -> BestOptions:
        """The card whose loss hurts the opponent most."""
        return effects.exclusion(view, self.judge(view), view.legal & ~PASS)

    def flip(self, view: EvilpactView) -> Masks:
        """The card that gains most by it, if one does."""
        best = self._flips(view)
        return view.toss(np.where(best.worth > 0, best.options, PASS))

    @worth_of(flip)
    def _worth_of_flipping(self, view: EvilpactView) -> Worth:
        best = self._flips(view)
        best.consider(np.arange(len(view)), view.legal & PASS, np.zeros(len(view)))
        return best.worth_by_bit()

    def _flips(self, view: EvilpactView) -> BestOptions:
        return effects.flips(view, self.judge(view), view.legal & ~PASS)

    @by_options
    def sideways(self, view: EvilpactView) -> BestOptions:
        """The card that gains most by it."""
        return effects.turns(view, self.judge(view), view.legal)


def by_element(view: EvilpactView, worth: Numbers) -> BestOptions:
    """Of the spells that are options, those of the element of most worth."""
    best = BestOptions(len(view))
    for spell, element in enumerate(view.layout.element_of[:-1].tolist()):
        rows = masks.rows_with(view.legal, masks.bit(spell))
        option = np.full(len(rows), masks.bit(spell))
        best.consider(rows, option, worth[element].take(rows))
    return best

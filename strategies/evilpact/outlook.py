"""How likely a seat wins: elements, contracts, and what a change of margins does."""

import numpy as np

from sim import masks
from sim.evilpact.layout import ALL_SPELLS
from sim.evilpact.view import EvilpactView
from sim.masks import Masks
from sim.packed_bytes import MOST
from sim.view import Rows
from strategies.evilpact import features
from strategies.evilpact.features import Change, Margins, Numbers, places

# How far numbers on the table decide what is to come
_CARD = 0.328  # width of a margin, by the root of cards to be taken,
_SPELL = 0.115  # and by the root of spells that may be cast
_SURE = 0.12  # the least width there is
_TOTAL = 0.768  # width of elements led, by their spread
_TRUST = 2.4  # how much likelier a contract is on an element that is led
_TRUSTS = np.exp(_TRUST * np.tanh(np.arange(-MOST, MOST + 1) / 2))  # by margins
_HAND = 0.75  # elements that a spell more in hand is worth, at the end


class Outlook:
    """What a seat may expect, (rows,) in each row of a view."""

    def __init__(self, view: EvilpactView) -> None:
        self.view = view
        margins = features.margins(view)
        self.margins = margins.astype(np.float64)
        self.width = self._width()
        self.ahead, self.behind = self._chances(self.margins, self.width)
        self.lead = (self.ahead - self.behind).sum(axis=0)
        self.doubts = _doubt(self.ahead, self.behind)  # of each element
        self.doubt = self.doubts.sum(axis=0)
        sizes = view.sizes.astype(np.float64)
        self.hands = sizes[0] - sizes[1]
        self.lead += self._tie(self.hands)
        self._read_contracts(margins)
        self.now = self._won(self.lead, self.doubt, self.own, self.other)

    def _width(self) -> Numbers:
        """(elements, rows) how far margins may still change."""
        view = self.view
        alike, spread = features.spread(view.layout)
        left = spread @ masks.count((view.unseen | view.explore) & alike)
        spells = view.sizes.sum(axis=0) + view.face_down.sum(axis=0)
        wide = _CARD**2 * left + _SPELL**2 * spells + _SURE**2
        width: Numbers = np.sqrt(wide)
        return width

    @staticmethod
    def _chances(margins: Numbers, width: Numbers) -> tuple[Numbers, Numbers]:
        """How likely a margin ends above, and below, nothing."""
        both = np.stack([margins, -margins])
        both -= 0.5
        both /= width
        ahead, behind = _logistic(both)
        return ahead, behind

    def _read_contracts(self, margins: Margins) -> None:
        """How likely each side fulfils its contract, and on which elements it is."""
        view, rules = self.view, self.view.rules
        unseen = ~view.gone[1] & ALL_SPELLS
        mine = np.where(view.contract != 0, view.contract, view.hand)
        theirs = np.where(view.revealed[1] != 0, view.revealed[1], unseen)
        self.own_on = self._on(mine, margins)
        self.other_on = self._on(theirs, -margins)
        own = (self.own_on * (1 - self.behind)).sum(axis=0)
        other = (self.other_on * (1 - self.ahead)).sum(axis=0)
        has = view.contract != 0, view.face_down[1] | (view.revealed[1] != 0)
        if view.contracts_made:
            lacking = float(rules.no_contract == "ignore")
            own = np.where(has[0], own, lacking)
            other = np.where(has[1], other, lacking)
            self.own_on *= has[0]
            self.other_on *= has[1]
        if not rules.used_contract_checked:
            self.own_on *= view.revealed[0] == 0
            self.other_on *= view.revealed[1] == 0
            own = np.where(view.revealed[0] != 0, 1.0, own)
            other = np.where(view.revealed[1] != 0, 1.0, other)
        self.own, self.other = own, other

    def _on(self, spells: Masks, margins: Margins) -> Numbers:
        """(elements, rows) how likely a contract on one of these spells is on each."""
        alike = features.of_element(self.view.layout)
        weights = _TRUSTS.take(margins + np.int16(MOST))
        weights *= masks.count(spells & alike)
        total = weights.sum(axis=0)
        weights /= np.where(total, total, 1)
        return weights

    def _won(
        self, lead: Numbers, doubt: Numbers, own: Numbers, other: Numbers
    ) -> Numbers:
        """How likely a seat wins, with these chances to fulfil the contracts."""
        elements = _logistic(lead / (_TOTAL * np.sqrt(doubt) + 0.1))
        fails = 1 - other
        alike = own * other + (1 - own) * fails
        return own * fails + alike * elements

    def _tie(self, hands: Numbers) -> Numbers:
        """Elements that more spells in hand are worth, in case of a tie."""
        return _HAND * np.clip(hands, -1, 1)

    def hand(self, by: int) -> Numbers:
        """(rows,) how much the chance to win changes with spells in one's hand."""
        lead = self.lead + self._tie(self.hands + by) - self._tie(self.hands)
        return self._won(lead, self.doubt, self.own, self.other) - self.now

    def changed(self, rows: Rows, *changes: Change) -> Numbers:
        """(rows,) how much the chance to win changes, as ``Judge`` says."""
        lead, doubt = self.lead.take(rows), self.doubt.take(rows)
        own, other = self.own.take(rows), self.other.take(rows)
        for element, by in changes:
            place = places(self.width, element, rows)
            margins = self.margins.take(place) + by
            ahead, behind = self._chances(margins, self.width.take(place))
            was = self.ahead.take(place), self.behind.take(place)
            lead += ahead - behind - was[0] + was[1]
            doubt += _doubt(ahead, behind) - self.doubts.take(place)
            own -= self.own_on.take(place) * (behind - was[1])
            other -= self.other_on.take(place) * (ahead - was[0])
        won = self._won(lead, np.maximum(doubt, 0), own, other)
        return won - self.now.take(rows)


def _doubt(ahead: Numbers, behind: Numbers) -> Numbers:
    """The variance of an element that is won, lost or tied."""
    return ahead + behind - (ahead - behind) ** 2


def _logistic(value: Numbers) -> Numbers:
    """The logistic function, from 0 to 1."""
    found = value / 2
    np.tanh(found, out=found)
    found += 1
    found /= 2
    return found

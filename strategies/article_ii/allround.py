"""Both elections in mind, and the last word."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.article_ii.view import ArticleIIView
from sim.masks import Flags, Masks
from strategies.article_ii import features
from strategies.article_ii.features import Wishes, Worth
from strategies.article_ii.heuristic import Heuristic
from strategies.base import parameter

_MOST_WORTH = 6_000
_LOW = -20_000  # below every total
_NEAR = 6  # points that a card or two can move
_ORDER = {
    "draw": np.int16(14_000),
    "mark": np.int16(0),
    "style": np.int16(-7_000),
    "remove": np.int16(-14_000),
}


@dataclass(frozen=True)
class Allround(Heuristic):
    """All cards are played in the end, so what matters is on whom, and who comes last.

    Cards that draw come first, then the marks, those that move least before those that
    move most; Styles follow, which a later Style would replace, and removals, when the
    best cards lie open.

    In the Primary it gathers Electability, which serves every end, and sheds
    Affiliation, unless it is behind the places of Candidates; the leaders get
    Affiliation that they will regret. In the General a Candidate raises its own total
    twice as much as it lowers the other's; a Spoiler pulls down whoever is above
    zero, and keeps ahead of other Spoilers in Electability.

    With parties it plays for both partners, whose points are the party's alike. In the
    Primary each partner who has no place of a Candidate shall gain one, and each of
    the others who has one lose it; what is left helps the partner with the better
    General total. In the General it backs that partner who stands better, and never
    the one against the other; where a Spoiler of the party leads the Spoilers, it is
    enough that no other contender ends above zero.
    """

    name = "allround"
    of_table = True
    # a point of its own Primary total, beside 4 of the General total
    primary: int = parameter(2, 0, 100)
    behind: int = parameter(4, 0, 100)  # while it would not be a Candidate
    # a point of the leaders' General totals, in the Primary
    leaders: int = parameter(2, 0, 100)
    # a point of the other contenders' totals, beside 4 of its own
    other: int = parameter(2, 0, 100)
    # a point of another Spoiler's Electability, as of its own
    rivals: int = parameter(2, 0, 100)
    loyal: bool = True  # with parties, whether it plays for its partner too
    # with parties, a point of General totals in the Primary
    later: int = parameter(1, 0, 100)
    # beside it, of the partner who stands better
    better: int = parameter(1, 0, 100)

    def rank(self, kind: str, worth: Worth) -> Worth:
        """The least first, Styles and removals last."""
        ranked: Worth = _ORDER[kind] - features.within(worth, _MOST_WORTH)
        return ranked

    def styles_now(self, view: ArticleIIView) -> Masks:
        """Only where no mark comes before them."""
        marks = (view.legal & view.layout.marks) != masks.NOTHING
        return masks.where(~marks, view.legal & view.layout.styles)

    def wishes(self, view: ArticleIIView) -> Wishes:
        """What a point is worth in this phase."""
        if self.loyal and view.partner is not None:
            ours = np.zeros((view.players, len(view)), dtype=np.bool_)
            ours[[0, view.partner]] = True
            return (self._elected if view.general else self._nominated)(view, ours)
        if view.general:
            return self._general(view)
        if view.players == 2:  # both are Candidates
            wish = np.full((2, len(view)), -self.other, dtype=np.int16)
            wish[0] = 4
            return Wishes(wish, -wish)
        return self._primary(view)

    def _primary(self, view: ArticleIIView) -> Wishes:
        """Its own totals of both phases; against the leaders, those of the General."""
        totals = view.primary_totals
        second = features.second_of(totals[1:])
        nominated = np.zeros(totals.shape, dtype=np.int16)
        nominated[0] = np.where(totals[0] > second, self.primary, self.behind)
        elected = np.where(totals >= second, -self.leaders, 0).astype(np.int16)
        elected[0] = 4
        return Wishes(nominated + elected, nominated - elected)

    def _general(self, view: ArticleIIView) -> Wishes:
        """A contender's totals, or what a Spoiler needs."""
        contends, totals = view.contenders, view.general_totals
        others = contends.copy()
        others[0] = False
        ahead = features.leader(totals, others)
        wish = ahead * np.int16(1 - self.other) - others
        wish[0] = 4
        above = (contends & (totals > 0)) * np.int16(-4)
        mine = contends[0]
        wish = np.where(mine, wish, above)
        appeal = view.attributes.electability
        rival = ~(contends | mine)
        rival &= appeal > appeal[0] - _NEAR
        electability = wish - rival * np.int16(self.rivals)
        electability[0] = np.where(mine, 4, self.rivals)
        return Wishes(electability, -wish)

    def _nominated(self, view: ArticleIIView, ours: Flags) -> Wishes:
        """For the party: most where a place of a Candidate is to be won or taken."""
        totals = view.primary_totals
        placed = totals > np.sort(totals, axis=0)[-3]  # of equals for a place nobody
        sign = np.where(ours, np.int16(1), np.int16(-1))
        place = np.where(placed == ours, self.primary, self.behind).astype(np.int16)
        place *= sign
        elected = sign * np.int16(self.later)
        elected += features.leader(view.general_totals, ours) * np.int16(self.better)
        return Wishes(place + elected, place - elected)

    def _elected(self, view: ArticleIIView, ours: Flags) -> Wishes:
        """For the party: its best contender, or its best Spoiler and nobody else."""
        contends, totals = view.contenders, view.general_totals
        mine, theirs, spoils = contends & ours, contends & ~ours, ~contends & ~ours
        appeal = np.where(contends, _LOW, view.attributes.electability)
        best, foe = (np.where(side, appeal, _LOW).max(axis=0) for side in (ours, ~ours))
        down = np.where(features.leader(totals, theirs), self.other, 1)
        down = np.where((best > foe) & (totals > -_NEAR), 4, down)
        up = np.where(features.leader(totals, mine), 4, 2)
        wish: Worth = (mine * up - theirs * down).astype(np.int16)
        return Wishes(wish - (spoils & (appeal > best - _NEAR)), -wish)

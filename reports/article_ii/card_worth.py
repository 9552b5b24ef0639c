"""What each card is worth: in hand, and lying on oneself.

In both comparisons chance decides who has a card. Dealt: the win share of the seats
that were dealt a card, less that of the other seats of the same deal. Tried: the same
deal played twice, once with a card of the hand and once with it discarded (see
``trials``): it stays in the hand, or lies on the player as the phase begins.
"""

import numpy as np
import polars as pl

from reports.article_ii.game_arrays import PHASES, ArticleIIArrays
from reports.counts import Counts, grid
from reports.formatting import join, renamed
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.verdicts import with_verdict

TOLERANCE = 0.02
"""A card that changes the win share by less than 2 points makes little difference."""
_PARTS = 6  # whole numbers when shared among 1, 2 or 3 seats

_LESS = "win share less that of the other seats of the same deal"
MEASURES = (MeasuresOf(by="phase card", unit="pp").mean("dealt", _LESS),)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count wins of seats dealt each card, less those of the others in the deal."""
    if not played.alone:
        return []
    won = played.victory.astype(np.int64)
    total, seats = won.sum(axis=0), np.arange(1, played.players)
    shares = np.zeros(played.players + 1, dtype=np.int64)
    shares[1 : played.players] = _PARTS // seats
    more, weights = [], []
    for hands in played.hands:
        for copies in played.cards.values():
            holds = (hands & copies) != 0
            count = holds.sum(axis=0)
            part = shares[played.players - count]  # of each seat without it
            mine = (won * holds).sum(axis=0)
            fits = (count > 0) & (count < played.players)
            more.append((_PARTS * mine - count * (total - mine) * part) * fits)
            weights.append(_PARTS * count * fits)
    shape, names = (2, len(played.cards), played.size), list(played.cards)
    y, x = (np.array(part).reshape(shape) for part in (more, weights))
    return [grid("dealt", y, x, phase=PHASES, card=names)]


def dealt(data: ReportData, players: int, only: pl.Expr | None = None) -> pl.DataFrame:
    """Return win shares of seats dealt a card, less the others', by phase and card."""
    cells = data.leads() if only is None else only
    rows = data.of("dealt", only=cells)
    return _judged(rows.filter(players=players).with_columns(pl.col("n") / _PARTS))


def tried(data: ReportData, lying: bool) -> pl.DataFrame:
    """Return win shares with a card less those without it, on the same deals.

    And the shares that become Candidates, for cards of the Primary.
    """
    keys = ("players", "phase", "card")
    only = (pl.col("lying") == int(lying)) & (pl.col("kind") == "tried")
    won, nominated = (
        data.pooled(name, keys, only=only) for name in ("won_more", "nominated_more")
    )
    nominated = nominated.filter(pl.col("phase") == 1, pl.col("players") > 2)
    return _judged(join(won, renamed(nominated, keys, "named"), keys))


def _judged(rows: pl.DataFrame) -> pl.DataFrame:
    """Add verdicts for each phase; the best cards come first."""
    words = {"above": "worth", "below": "harmful", "within": "little"}
    rows = rows.drop_nulls("estimate")
    rows = with_verdict(rows, TOLERANCE, words, family=("phase",))
    best = pl.col("estimate").mean().over("card")
    return rows.sort(best, "card", "phase", descending=[True, False, False])

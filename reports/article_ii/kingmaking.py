"""Kingmaking: whose card decides who becomes President.

A kingmaker could no longer win himself when his card made another player lead for good.
That he could not is told by a bound on what his cards may still do, so there may be
more kingmakers than are counted: some of those who are called rivals.
"""

import numpy as np
import polars as pl

from reports.article_ii.played import Played
from reports.article_ii.words import tables_of, texts
from reports.drawing import bars
from reports.found import Found
from reports.grids import Array, grid
from reports.page import Column, Exhibit, Finding
from reports.verdicts import judge, sure
from reports.words import LINEUPS, PLAYERS, N, estimated, exhibit, joined, share

DECIDERS = ("the President", "a rival", "a kingmaker", "nobody")
_RIVAL, _KINGMAKER = 1, 2
KINGMAKING = 0.1
"""Up to a tenth of the games decided by a kingmaker are let pass."""


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of games by whose card decided; of two players none is a kingmaker."""
    if played.players < 3:
        return []
    won = (played.over[1] & (played.winner >= 0))[None]
    numbers = range(len(DECIDERS))
    parts = deciders(played) & won
    others = parts[_RIVAL] | parts[_KINGMAKER]
    return [
        grid("decided by", parts, won, decider=numbers),
        grid("decided by others", others, won[0]),
    ]


def deciders(played: Played) -> Array:
    """(deciders, games) who made the President leader for good, of games with one.

    The last change of the General after which another player leads than before it.
    """
    changes = played.changes
    rows = np.flatnonzero(
        (changes["phase"] == 1) & (changes["leader"] != changes["leader_after"])
    )
    last = np.full(played.size, -1, dtype=np.int64)
    last[changes["at"][rows]] = rows  # in the order of play: the last one stays
    some = last >= 0
    who = np.where(some, changes["seat"][last], -1)
    himself = some & (who == played.winner)
    lost = some & ~himself & (changes["hopeless"][last] != 0)
    return np.stack([himself, some & ~himself & ~lost, lost, ~some])


def decided(found: Found, only: pl.Expr) -> pl.DataFrame:
    """Share of the games that one player wins, by whose card decided."""
    rows = found.of("decided by", "rate", ("decider",), only=only)
    return rows.with_columns(who=texts([DECIDERS[at] for at in rows["decider"]]))


def exhibit_of(found: Found) -> Exhibit:
    """Whose card decides."""
    rows = tables_of(decided(found, found.leads()))
    spread = found.spread("decided by", "rate", ("decider",), percent=True)
    return exhibit(
        "take-that-deciders",
        "Whose card decides who becomes President",
        "Of games that one player wins: who played the last card of the General after "
        "which another player led than before. A kingmaker is not the President and "
        "surely could not have won any more, by a bound on what cards can do. A rival "
        "is not the President either, and might still have won by that bound, so some "
        "rivals are kingmakers too. Nobody: the President led from the start of the "
        "General on.",
        joined(rows, spread, ("players", "decider")),
        (
            PLAYERS,
            Column("who", "decided by", "whose card decided"),
            estimated("games", "share of games that one player wins", "share"),
            LINEUPS,
            N,
        ),
        bars("table", "share of games that one player wins, %", "who"),
    )


def findings(found: Found, players: int) -> tuple[Finding, ...]:
    """How often a kingmaker decides, in words."""
    rows = decided(found, found.leads(players))
    king = rows.filter(who="a kingmaker")
    if king.is_empty():
        return ()
    others = found.leading("decided by others", "rate", players=players)
    verdict = _verdict(king, others)
    known = {row["who"]: share(row) for row in rows.rows(named=True)}
    text = (
        f"Kingmaking, {players} players, {found.who}: in {known['a kingmaker']} of the "
        f"games that one player wins, the President is made by a card of another who "
        f"surely could not win any more; by a card of any other player in "
        f"{share(others.row(0, named=True))}, so kingmaking lies between: "
        f"{_SAID[verdict]}. The President's own card decides in "
        f"{known['the President']}; nobody's in {known['nobody']}, where he led from "
        "the start of the General on."
    )
    return (Finding(text, sure(verdict), "take-that"),)


def _verdict(king: pl.DataFrame, others: pl.DataFrame) -> str:
    """Outside if the least that it can be is too much; within if the most is not."""
    least, most = (
        judge(part["estimate"], part["se"], -1.0, KINGMAKING)[0]
        for part in (king, others)
    )
    if least == "outside":
        return "outside"
    return "within" if most == "within" else "undecided"


_SAID = {
    "within": f"no more than {100 * KINGMAKING:.0f} %",
    "outside": f"more than {100 * KINGMAKING:.0f} %",
    "undecided": f"whether more than {100 * KINGMAKING:.0f} % is undecided",
}

"""Take-that: on whom cards fall, how often the leader is hit, and kingmaking.

A hit is a card played on another player (or taken from him) that lowers his total of
the phase. The leader is who alone would win if the phase ended then. A kingmaker could
no longer win himself when his card made another player President for good.
"""

import numpy as np
import polars as pl

from reports.article_ii.played import PHASES, Played
from reports.article_ii.words import PHASE, phase_words, tables_of, texts
from reports.drawing import bars, dots
from reports.found import PAIRED, Found
from reports.grids import Array, grid
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, sure
from reports.words import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    named,
    number,
    percent,
    share,
)

ACTS = (
    "helps himself", "harms himself", "helps another", "hits another", "no points",
)  # fmt: skip
DECIDERS = ("the President", "a rival", "a kingmaker", "nobody")
_KEYS = ("players", "phase")
KINGMAKING = 0.1
"""Up to a tenth of the games decided by a kingmaker are let pass."""


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of changes by what they do, of hits on the leader, and of kingmaking."""
    changes = played.changes
    phase, gain = changes["phase"].astype(np.int64), changes["gain"]
    other = changes["on"] != changes["seat"]
    hits = other & (gain < 0)
    act = np.select([gain == 0, gain > 0], [4, 0 + 2 * other], 1 + 2 * other)
    acts = played.counted(np.ones_like(other), phase * len(ACTS) + act, 2 * len(ACTS))
    acts = acts.reshape(2, len(ACTS), played.size)
    leads = (changes["leader"] >= 0) & (changes["leader"] != changes["seat"])
    aimed = leads & (changes["on"] == changes["leader"])
    turned = changes["leader"] != changes["leader_after"]
    at_leader, could, fell, new, all_hits = (
        played.counted(rows, phase, 2)
        for rows in (hits & aimed, hits & leads, hits & aimed & turned, turned, hits)
    )
    lost = np.bincount(
        phase[hits] * played.size + changes["at"][hits], -gain[hits], 2 * played.size
    ).reshape(2, played.size)
    found = [
        grid("acts", acts, acts.sum(axis=1, keepdims=True), phase=PHASES,
             act=range(len(ACTS))),
        grid("hits", all_hits, played.over, phase=PHASES),
        grid("points hit", lost, all_hits, phase=PHASES),
        grid("leader hit", at_leader, could, phase=PHASES),
        grid("leader falls", fell, at_leader, phase=PHASES),
        grid("lead changes", new, played.over, phase=PHASES),
    ]  # fmt: skip
    if played.players > 2:
        decided = (played.over[1] & (played.winner >= 0))[None]
        found.append(
            grid("decided by", deciders(played) & decided, decided,
                 decider=range(len(DECIDERS)))
        )  # fmt: skip
    return found


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


def section(found: Found) -> Section:
    """What cards do to whom, hits on the leader, kingmaking."""
    hits = _hits(found)
    return Section(
        "take-that",
        "Take-that: hits on the leader, kingmaking",
        f"With {found.who}. The leader is who alone would win the phase if it ended at "
        "that moment: the highest total of the Primary, the President of the General. "
        "A hit lowers another player's total of the phase.",
        (
            _acts(found), _leader(hits), _how_many(found), _deciders(found),
            _lineups(found),
        ),
        (
            *(_finding(found, hits, players) for players in found.counts
              if players > 2),
            *(finding for players in found.counts if players > 2
              for finding in _kingmaking(found, players)),
        ),
    )  # fmt: skip


def _acts(found: Found) -> Exhibit:
    rows = found.leading("acts", "rate", ("phase", "act"))
    rows = phase_words(rows).with_columns(
        what=texts([ACTS[act] for act in rows["act"]]),
        where=pl.format("{}, {} players", "election", "players"),
    )
    return exhibit(
        "take-that-acts",
        "What cards do to the totals, and whose",
        "Each card that comes to lie on a player or is removed, by what it does at "
        "once to the total of the phase of the player it concerns.",
        rows,
        (
            PLAYERS,
            PHASE,
            Column("what", "what", "whose total, and whether it rises"),
            estimated("share", "share of the cards", "share"),
            N,
        ),
        bars("where", "share of the cards, %", "what"),
    )


def _hits(found: Found) -> pl.DataFrame:
    """Share of hits aimed at the leader, with verdicts against an even aim."""
    rows = found.leading("leader hit", "rate", ("phase",))
    rows = rows.filter(pl.col("players") > 2)
    even = 1 / (pl.col("players") - 1)
    rows = rows.with_columns(even=even)
    told = [
        judge([row["estimate"]], [row["se"]], row["even"], 1.0)[0]
        for row in rows.rows(named=True)
    ]
    words = {"within": "aimed", "outside": "spared", "undecided": "undecided"}
    rows = rows.with_columns(verdict=texts([words[one] for one in told]))
    spread = found.spread("leader hit", "rate", ("phase",), percent=True)
    falls = named(found.leading("leader falls", "rate", ("phase",)), _KEYS, "falls")
    rows = joined(rows, falls, _KEYS)
    return tables_of(phase_words(joined(rows, spread, _KEYS)))


def _leader(hits: pl.DataFrame) -> Exhibit:
    return exhibit(
        "take-that-leader",
        "How often a hit falls on the leader",
        "Of hits by other players than the leader, while somebody leads alone; by aim "
        "at random it would be one in the number of others.",
        hits,
        (
            PLAYERS,
            PHASE,
            estimated("on the leader", "share of hits", "share"),
            Column("even", "at random", "share if others were hit at random", "share"),
            Column("verdict", "verdict", "aimed: surely more than at random; spared: "
                   "surely less"),
            estimated("he falls", "hits on him after which he does not lead", "share",
                      "falls"),
            LINEUPS,
            N,
        ),
        dots("election", "share of hits that fall on the leader, %", by="table"),
    )  # fmt: skip


def _how_many(found: Found) -> Exhibit:
    """Hits and changes of the lead in a phase, and what a hit takes."""
    kinds = (
        ("hits a phase", "hits"), ("points a hit takes", "points hit"),
        ("changes of the leader a phase", "lead changes"),
    )  # fmt: skip
    parts = [
        found.leading(name, "mean", ("phase",)).with_columns(what=pl.lit(what))
        for what, name in kinds
    ]
    rows = phase_words(pl.concat(parts)).with_columns(
        what=pl.format("{}, {}", "what", "election")
    )
    return exhibit(
        "take-that-number",
        "How much is hit, and how often the leader changes",
        "A change from or to nobody leading alone counts too.",
        tables_of(rows),
        (
            PLAYERS,
            Column("what", "what", "what is counted"),
            estimated("mean", "mean number"),
            N,
        ),
        dots("what", "hits, points, changes", by="table"),
    )


def _decided(found: Found, only: pl.Expr) -> pl.DataFrame:
    rows = found.of("decided by", "rate", ("decider",), only=only)
    return rows.with_columns(who=texts([DECIDERS[at] for at in rows["decider"]]))


def _deciders(found: Found) -> Exhibit:
    rows = tables_of(_decided(found, found.leads()))
    spread = found.spread("decided by", "rate", ("decider",), percent=True)
    return exhibit(
        "take-that-deciders",
        "Whose card decides who becomes President",
        "Of games that one player wins: who played the last card of the General after "
        "which another player led than before. A kingmaker is not the President and "
        "could not have won any more; by a safe bound, so there may be more of them. "
        "A rival is not the President either, but could still have won. Nobody: the "
        "President led from the start of the General on.",
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


def _lineups(found: Found) -> Exhibit:
    """Kingmaking and hits on the leader, lineup by lineup."""
    only = ~PAIRED & (pl.col("players") == found.players)
    king = _decided(found, only).filter(who="a kingmaker")
    aimed = found.of("leader hit", "rate", ("phase",), only=only)
    columns = ("cell", "lineup", "kind", "players", "estimate", "low", "high", "n")
    parts = [king.select(*columns, what=pl.lit("decided by a kingmaker"))]
    for part in phase_words(aimed).partition_by("election", maintain_order=True):
        words = f"hits on the leader, {part['phase_words'][0]}"
        parts.append(part.select(*columns, what=pl.lit(words)))
    rows = pl.concat(parts).sort("cell", maintain_order=True)
    return exhibit(
        "take-that-lineups",
        "Kingmaking and hits on the leader, by lineup",
        f"{found.players} players.",
        rows.filter(pl.col("kind").is_in(["self", "mixed", "given"])),
        (
            Column("lineup", "lineup", "who plays"),
            Column("what", "what", "share of games, or of hits"),
            estimated("share", "share of games decided, or of hits", "share"),
            N,
        ),
        dots("lineup", "share, %", by="what"),
    )


def _finding(found: Found, hits: pl.DataFrame, players: int) -> Finding:
    rows = hits.filter(players=players).rows(named=True)
    if not rows:
        return Finding(f"Take-that, {players} players: no hits.", "open", "take-that")
    told = [
        f"{share(row)} in the {row['phase_words']} ({_AIM[row['verdict']]})"
        for row in rows
    ]
    many = found.leading("hits", "mean", ("phase",), players=players)
    counts = [number(row) for row in many.rows(named=True)]
    text = (
        f"Take-that, {players} players, {found.who}: {' and '.join(counts)} hits in "
        f"Primary and General; of those on anybody while another leads, "
        f"{' and '.join(told)} fall on the leader, where aim at random gives "
        f"{percent(rows[0]['even'])}."
    )
    unsure = any(row["verdict"] == "undecided" for row in rows)
    return Finding(text, "open" if unsure else "sure", "take-that")


_AIM = {
    "aimed": "more than at random", "spared": "less than at random",
    "undecided": "undecided",
}  # fmt: skip


def _kingmaking(found: Found, players: int) -> tuple[Finding, ...]:
    rows = _decided(found, found.leads(players))
    king = rows.filter(who="a kingmaker")
    if king.is_empty():
        return ()
    verdict = judge(king["estimate"], king["se"], 0.0, KINGMAKING)[0]
    told = [
        f"{row['who']} in {share(row)}" for row in rows.rows(named=True)
        if row["who"] != "a kingmaker"
    ]  # fmt: skip
    text = (
        f"Kingmaking, {players} players, {found.who}: in at least "
        f"{share(king.row(0, named=True))} of the games that one player wins, a player "
        f"who could not win any more decides who does ({_SAID[verdict]}); otherwise "
        f"decides {', '.join(told)}."
    )
    return (Finding(text, sure(verdict), "take-that"),)


_SAID = {
    "within": f"no more than {100 * KINGMAKING:.0f} %",
    "outside": f"more than {100 * KINGMAKING:.0f} %",
    "undecided": f"whether more than {100 * KINGMAKING:.0f} % is undecided",
}

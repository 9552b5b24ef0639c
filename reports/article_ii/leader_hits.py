"""How often the leader is hit: marks that lower the total of who would win."""

import numpy as np
import polars as pl

from reports.article_ii.game_arrays import PHASE_WORDS, PHASES, ArticleIIArrays
from reports.article_ii.labels import PHASE
from reports.counts import Array, Counts, grid
from reports.figure_specs import dots
from reports.formatting import LINEUPS, number, percent, share
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import judge
from reports.verdicts import how_tested

_PHASES = MeasuresOf(by="phase")
MEASURES = (
    _PHASES.share("leader hit", "share of the marks that hit, on who leads"),
    _PHASES.share("leader falls", "share after which the leader no longer leads"),
)
_HIT = Number("leader hit", "on the leader", "share of marks that hit")
_FALLS = Number(
    "leader falls", "falls", "hits on the leader after which they do not lead", "falls"
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count marks that hit another player while somebody else leads."""
    changes = played.changes
    phase = changes["phase"].astype(np.int64)
    hits = (changes["on"] != changes["seat"]) & (changes["gain"] < 0)
    leads = (changes["leader"] >= 0) & (changes["leader"] != changes["seat"])
    could = hits & leads & _marks(played)
    aimed = could & (changes["on"] == changes["leader"])
    falls = aimed & (changes["leader"] != changes["leader_after"])
    every, at_leader, fell = (
        played.counted(rows, phase, 2) for rows in (could, aimed, falls)
    )
    return [
        grid("leader hit", at_leader, every, phase=PHASES),
        grid("leader falls", fell, at_leader, phase=PHASES),
    ]


def _marks(played: ArticleIIArrays) -> Array:
    """Return which changes are marks being placed: they hit whoever they lie on.

    A Style or a removal takes more from players who have more, whatever its target.
    """
    kinds = played.rules["cards"]
    mark = np.array([kinds[name]["kind"] == "mark" for name in played.cards])
    changes = played.changes
    placed = changes["change"] == played.vocabularies["change"].index("placed")
    marks: Array = placed & mark[changes["card"]]
    return marks


def hits(data: ReportData) -> pl.DataFrame:
    """Return the share of hits on the leader, with verdicts against chance."""
    rows = side_by_side(data, (_HIT, _FALLS)).filter(pl.col("players") > 2)
    rows = rows.with_columns(even=1 / (pl.col("players") - 1))
    words = {"within": "aimed", "outside": "spared", "undecided": "undecided"}
    judged = judge(rows["estimate"], rows["se"], rows["even"].to_numpy(), 1, share=True)
    verdicts = [words[verdict] for verdict in judged]
    return PLAYERS_IN_WORDS(
        rows.with_columns(pl.Series("verdict", verdicts, dtype=pl.String))
    )


def table_of(hits: pl.DataFrame) -> MeasureTable:
    """Return the table of how often marks hit the leader."""
    aimed = "aimed: shown to exceed random aim; spared: to fall short of it"
    return MeasureTable(
        "take-that-leader",
        "How often a hit falls on the leader",
        "Of marks that others than the leader play on another player while somebody "
        "leads alone; at random it would be one in the number of others. Styles and "
        "removals are left out: they take more from players who have more, whatever "
        "their target.",
        (
            "players",
            PHASE,
            _HIT,
            Column("even", "at random", "share if others were hit at random", "share"),
            Column("verdict", "verdict", aimed),
            _FALLS,
            LINEUPS,
        ),
        rows=hits,
        draw=dots("election", "share of marks that hit the leader, %", by="table"),
    )


def finding(data: ReportData, hits: pl.DataFrame, players: int) -> Finding:
    """Say whether marks are aimed at the leader."""
    rows = hits.filter(players=players).to_dicts()
    if not rows:
        return Finding(f"Take-that, {players} players: no hits.", "open")
    values = [
        f"{share(row)} in the {PHASE_WORDS[row['phase']]} ({_AIM[row['verdict']]})"
        for row in rows
    ]
    hits_a_game = data.leading("hits", players=players)
    counts = [number(row) for row in hits_a_game.to_dicts()]
    text = (
        f"Take-that, {players} players, {data.who}: {' and '.join(counts)} hits a "
        "game in Primary and General. Of the marks that hit somebody while their "
        f"player does not lead, {' and '.join(values)} hit the leader; at random it "
        f"would be {percent(rows[0]['even'])}."
    )
    unsure = any(row["verdict"] == "undecided" for row in rows)
    family = "phases and numbers of players"
    tested = how_tested("from aim at random", family, hits.height, data.games)
    return Finding(text, "open" if unsure else "sure", tested=tested)


_AIM = {
    "aimed": "more than at random",
    "spared": "less than at random",
    "undecided": "undecided",
}

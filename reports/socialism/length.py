"""How long games are, and how rules and refusing Users change that."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.figure_specs import dots
from reports.formatting import join_words, number, share
from reports.game_lengths import length_columns, length_table
from reports.game_report import ReportSection, SectionParts, WhatIfs
from reports.measure_tables import MeasureTable, WordColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.socialism.game_arrays import lengths
from reports.verdicts import how_tested

_GAMES = MeasuresOf("games")
MEASURES = (
    _GAMES.share_of_games(
        "games by turns", "games of this many turns", by="turns_played"
    ),
    _GAMES.share("broken off", "games that the guard breaks off", ~pl.col("won")),
)
_STUCK = 0.01  # share of games broken off above which a finding says so
AS_PLAYED, WELCOME = "as played", "no User refuses"


def other_rules(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return rules to compare game lengths: S1, S2, S4, and no User who refuses."""
    never = {
        f"users.{user['id']}.{way}": "normal"
        for user in rules["users"]
        for way in ("personal", "spam")
        if user.get(way) == "never"
    }
    members = sum(
        user["copies"] * (1 + (user.get("trait") == "two")) for user in rules["users"]
    )
    other = {15: 20}.get(rules["tokens"], 15)
    wanted: list[dict[str, Any]] = [
        never,
        {"tokens": other} if other <= members else {},
        {"invite_mode": "each_once"},
        {"viral": "every_turn"},
    ]
    known = [
        changes
        for changes in wanted
        if changes and any(rules.get(key) != new for key, new in changes.items())
    ]
    return tuple({"changes": changes, "players": (2, 4)} for changes in known)


def section(data: ReportData) -> SectionParts:
    """Yield percentiles of the turns by number of players, and under other rules."""
    only = data.leads() | (pl.col("kind") == "beside")
    rows = length_table(data, "games by turns", "turns_played", only)
    yield f"With {data.who}. A turn is one player's."
    shown = length_columns("turns")
    yield MeasureTable(
        "length-turns",
        "Turns to the end",
        "The guard breaks off games that go on for too long: nobody wins them.",
        shown,
        rows=rows.filter(changes=""),
        draw=dots("table", "turns: median", "median"),
    )
    counts = rows.filter(pl.col("changes") != "")["players"].unique().to_list()
    if counts:
        differs = "what differs from the rules in force"
        yield MeasureTable(
            "length-rules",
            "Turns under other rules",
            f"{data.lead} in every seat. {WELCOME}: Users whose text refuses all "
            "invitations of a kind accept as usual. Other rules have games of their "
            "own; strategies play as under the rules in force.",
            (WordColumn("rules", "rules", differs, _words, "changes"), *shown),
            rows=rows.filter(pl.col("players").is_in(counts)),
            draw=dots("rules", "turns: median", "median", by="players"),
        )
    yield from _findings(data, rows)


def _words(changes: str) -> str:
    """Return what differs, in words."""
    if not changes:
        return AS_PLAYED
    return WELCOME if "=normal" in changes else changes


def _findings(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    texts = [
        f"with {row['players']} players half of the games last "
        f"{number(row, 'median')} turns or fewer, 95 % up to "
        f"{number(row, '95th')}"
        for row in rows.filter(changes="").to_dicts()
    ]
    yield Finding(f"Length, {data.who}: {join_words(texts)}.", "")
    stuck = rows.filter(changes="", players=data.players).row(0, named=True)
    guard = (
        f"The guard of {data.rules['guard']} turns breaks off {share(stuck, 'off')} of "
        f"the games ({data.players} players, {data.who})."
    )
    broken = simultaneous_intervals(
        data.of("broken off", only=pl.col("kind") == "self"), share=True
    )
    texts = [
        f"{row['lineup']} {share(row)} ({row['players']} players)"
        for row in broken.filter(pl.col("low") > _STUCK).to_dicts()
    ]
    if texts:
        guard += f" With one strategy in every seat: {join_words(texts)}."
    yield Finding(guard, "")
    others = rows.filter(pl.col("changes") != "")
    tested = how_tested(
        "other medians",
        "rules",
        others.height,
        data.games,
        method="intervals of both that lie apart, 0.6 % each,",
    )
    for row in others.to_dicts():
        base = rows.filter(changes="", players=row["players"]).row(0, named=True)
        differs = row["median_low"] > base["median_high"]
        differs |= row["median_high"] < base["median_low"]
        varied, played = (
            f"{number(side, 'median')} turns ({number(side, '95th')} at the 95th)"
            for side in (row, base)
        )
        text = (
            f"Length under other rules, {row['players']} players, {data.lead} in every "
            f"seat: {_words(row['changes'])} has a median of {varied}, instead of "
            f"{played} {AS_PLAYED}; {share(row, 'off')} are broken off."
        )
        yield Finding(text, "sure" if differs else "open", tested=tested)


SECTION = ReportSection(
    section,
    MEASURES,
    lengths,
    id="length",
    title="Length of the game",
    question="How long are games, by these rules and others?",
    what_ifs=(WhatIfs(other_rules=other_rules),),
)

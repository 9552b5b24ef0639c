"""How long games are, and how rules and refusing Users change that."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.figure_specs import dots
from reports.formatting import join
from reports.game_lengths import length_columns, length_table
from reports.game_report import ReportSection, WhatIfs
from reports.measure_tables import MeasureTable, WordColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column
from reports.socialism.game_arrays import lengths

_GAMES = MeasuresOf("games")
MEASURES = (
    _GAMES.share_of_games(
        "games by turns", "games of this many turns", by="turns_played"
    ),
    _GAMES.share("broken off", "games that the guard breaks off", ~pl.col("won")),
)
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


def lengths_of(data: ReportData) -> pl.DataFrame:
    """Return percentiles of the turns by number of players, for the rules in force."""
    return length_table(data, "games by turns", "turns_played", data.leads())


def lengths_by_rules(data: ReportData) -> pl.DataFrame:
    """Return percentiles of the turns under these rules and others, with verdicts."""
    beside = pl.col("kind") == "beside"
    rows = length_table(data, "games by turns", "turns_played", data.leads() | beside)
    other = pl.col("changes") != ""
    base = rows.filter(~other).select("players", least="median_low", most="median_high")
    rows = rows.join(rows.filter(other).select("players").unique(), on="players")
    rows = join(rows, base, ("players",))
    verdict = (
        pl.when(~other)
        .then(pl.lit(""))
        .when(pl.col("median_low") > pl.col("most"))
        .then(pl.lit("longer"))
        .when(pl.col("median_high") < pl.col("least"))
        .then(pl.lit("shorter"))
        .otherwise(pl.lit("undecided"))
    )
    return rows.with_columns(verdict=verdict)


def _words(changes: str) -> str:
    """Return what differs, in words."""
    if not changes:
        return AS_PLAYED
    return WELCOME if "=normal" in changes else changes


_SHOWN = length_columns("turns")
SECTION = ReportSection(
    id="length",
    title="Length of the game",
    question="How long are games, by these rules and others?",
    intro="With {who}. A turn is one player's.",
    measures=MEASURES,
    tidy=lengths,
    tables=(
        MeasureTable(
            "length-turns",
            "Turns to the end",
            "The guard breaks off games that go on for too long: nobody wins them.",
            _SHOWN,
            source=lengths_of,
            draw=dots("table", "turns: median", "median"),
        ),
        MeasureTable(
            "length-rules",
            "Turns under other rules",
            f"{{lead}} in every seat. {WELCOME}: Users whose text refuses all "
            "invitations of a kind accept as usual. Other rules have games of their "
            "own; strategies play as under the rules in force.",
            (
                WordColumn(
                    "rules",
                    "rules",
                    "what differs from the rules in force",
                    _words,
                    "changes",
                ),
                *_SHOWN,
                Column("verdict", "games", "if the medians' intervals lie apart"),
            ),
            source=lengths_by_rules,
            draw=dots("rules", "turns: median", "median", by="players"),
        ),
    ),
    what_ifs=(WhatIfs(other_rules=other_rules),),
)

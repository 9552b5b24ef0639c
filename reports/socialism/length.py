"""How long games are, and what rules and refusing Users do to that."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from reports.drawing import dots
from reports.formatting import PLAYERS, N, estimated, exhibit, listed, number, share
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.socialism.played import tables
from reports.statistics.quantiles import quantiles

MEASURES = (
    Measure("games by turns", "games of so many turns", "share of games", "games",
            by=("turns_played",), derive=(pl.col("turns").alias("turns_played"),)),
    Measure("broken off", "games that the guard breaks off", "share", "games",
            (~pl.col("won")).cast(pl.Int64)),
)  # fmt: skip
QUANTILES = {"median": 0.5, "95th": 0.95, "99th": 0.99}
_STUCK = 0.01  # games broken off, from which on they are told
AS_PLAYED, WELCOME = "as played", "no User refuses"


def beside(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Rules that are played for their length: S1, S2, S4, and nobody who refuses."""
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
        if changes and any(rules.get(key) != one for key, one in changes.items())
    ]
    return tuple({"changes": changes, "players": (2, 4)} for changes in known)


def section(data: ReportData) -> Section:
    """Percentiles of the turns by players, and under other rules."""
    rows = _rows(data)
    led = rows.filter(changes="")
    named = [_words(changes) for changes in rows["changes"]]
    others = rows.with_columns(pl.Series("rules", named, dtype=pl.String))
    numbers = [
        estimated(f"{name} turns", f"{name} of the turns of a game", name=name)
        for name in QUANTILES
    ]
    broken = estimated("broken off", "games that the guard breaks off", "share", "off")
    longest = Column("longest", "longest", "most turns seen; grows with n", "count")
    columns = (PLAYERS, *numbers, longest, broken, N)
    turns = exhibit(
        "length-turns", "Turns to the end",
        "The guard breaks off games that go on for long: nobody wins them.",
        led, columns, dots("table", "turns: median", "median"),
    )  # fmt: skip
    differs = Column("rules", "rules", "what differs from the rules in force")
    other = exhibit(
        "length-rules", "Turns under other rules",
        f"{data.lead} in every seat. {WELCOME}: those whose text refuses all "
        "invitations of a kind accept as usual. Games of their own, so no "
        "shuffles are shared; strategies play as under the rules in force.",
        others.filter(pl.col("players").is_in(_beside(rows))), (differs, *columns),
        dots("rules", "turns: median", "median", by="players"),
    )  # fmt: skip
    intro = f"With {data.who}. A turn is one player's."
    exhibits = (turns, other) if _beside(rows) else (turns,)
    findings = tuple(_findings(data, rows))
    return Section("length", "Length of the game", intro, exhibits, findings)


def _beside(rows: pl.DataFrame) -> list[int]:
    return rows.filter(pl.col("changes") != "")["players"].unique().to_list()


def _words(changes: str) -> str:
    """What differs, in words."""
    if not changes:
        return AS_PLAYED
    return WELCOME if "=normal" in changes else changes


def _rows(data: ReportData) -> pl.DataFrame:
    """A row a number of players and rules: quantiles, their intervals, the longest."""
    only = data.leads() | (pl.col("kind") == "beside")
    off = data.of("broken off", only=only)
    found = []
    for part in data.raw("games by turns").filter(only).partition_by("cell"):
        cell = part.row(0, named=True)
        row = {key: cell[key] for key in ("cell", "players", "changes")}
        row |= {
            "table": f"{row['players']} players",
            "longest": part["turns_played"].max(),
        }
        for name, level in QUANTILES.items():
            told = quantiles(
                part["turns_played"].to_numpy(), part["y"].to_numpy(), level
            )
            row |= {name: told.estimate}
            row |= dict(zip((f"{name}_low", f"{name}_high"), told.wide, strict=True))
        broken = off.filter(cell=row["cell"]).row(0, named=True)
        row |= {"off": broken["estimate"], "n": broken["n"]}
        row |= {f"off_{end}": broken[end] for end in ("low", "high")}
        found.append(row)
    return pl.DataFrame(found, infer_schema_length=None)


def _findings(data: ReportData, rows: pl.DataFrame) -> Iterator[Finding]:
    texts = [
        f"with {row['players']} players half of the games last "
        f"{number(row, 'median', 0)} turns or fewer, 95 % up to "
        f"{number(row, '95th', 0)}"
        for row in rows.filter(changes="").rows(named=True)
    ]
    yield Finding(f"Length, {data.who}: {listed(texts)}.", "", "length")
    stuck = rows.filter(changes="", players=data.players).row(0, named=True)
    guard = (
        f"The guard of {data.rules['guard']} turns breaks off {share(stuck, 'off')} of "
        f"the games ({data.players} players, {data.who})."
    )
    most = data.of("broken off", only=pl.col("kind") == "self")
    most = (
        at_once(most, share=True)
        .filter(pl.col("low") > _STUCK)
        .sort("estimate", descending=True)
    )
    if most.height:
        texts = [
            f"{one['lineup']} {share(one)} ({one['players']} players)"
            for one in most.rows(named=True)
        ]
        guard += f" With one strategy in every seat: {listed(texts)}."
    yield Finding(guard, "", "length")
    for row in rows.filter(pl.col("changes") != "").rows(named=True):
        base = rows.filter(changes="", players=row["players"]).row(0, named=True)
        apart = row["median_low"] > base["median_high"]
        apart |= row["median_high"] < base["median_low"]
        yield Finding(
            f"Length under other rules, {row['players']} players, {data.lead} in every "
            f"seat: {_words(row['changes'])} has a median of "
            f"{number(row, 'median', 0)} turns (95th percentile "
            f"{number(row, '95th', 0)}), where it is "
            f"{number(base, 'median', 0)} ({number(base, '95th', 0)}) {AS_PLAYED}; "
            f"{share(row, 'off')} are broken off.",
            "sure" if apart else "open",
            "length",
        )


SECTION = ReportSection(section, MEASURES, tables)

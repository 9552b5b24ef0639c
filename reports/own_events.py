"""What a game tells of its players, as measures: how often, of whom, when, how much.

Nothing is declared for it beyond the events themselves: a name, what happens, and the
numbers that are told with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.figure_specs import dots
from reports.game_report import About, Raw, ReportSection, SectionParts, Tables
from reports.measure_tables import MeasureTable, Number
from reports.measures import ESTIMATES, SUM_TYPES, Measure, MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

QUARTER = "quarter"
_MOST = 100  # values beyond it are counted as this
_WHO = ("strategy", "seat", "position")
_TAKEN = {
    *("strategy", "seat", "position", "players", "quarter", "turn", "turns", "times"),
    *("rank", "length", "decision", "option", "by", "game", "cell", "measure"),
    *(*SUM_TYPES, *ESTIMATES),
}
"""Groups and columns that reports have already: there is no group by such a number."""


@dataclass(frozen=True)
class SeatEvent:
    """An event that a game tells of a seat: its name, what happens, its numbers.

    ``numbers`` are what is told with it, with what each means; ``options`` likewise for
    cards and words.
    """

    name: str
    doc: str
    numbers: Mapping[str, str]
    options: Mapping[str, str]

    @property
    def words(self) -> str:
        """What the event is called in measures."""
        return _words(self.name)


def groups(events: Sequence[SeatEvent]) -> list[Column]:
    """Return the groups by the values of each number."""
    every = {name: doc for event in events for name, doc in event.numbers.items()}
    named = {name: doc for event in events for name, doc in event.options.items()}
    return [
        *(
            Column(name, _words(name), f"{doc}, as a whole number", "count")
            for name, doc in every.items()
            if name not in _TAKEN
        ),
        *(
            Column(name, _words(name), doc)
            for name, doc in named.items()
            if name not in _TAKEN
        ),
    ]


def section(events: Sequence[SeatEvent], seated: bool) -> ReportSection:
    """Return the section on these events; ``seated``: the game has positions."""
    who = _WHO if seated else _WHO[:1]
    return ReportSection(
        partial(_show, events, who),
        tuple(one for event in events for one in _measures(event, who)),
        partial(_tables, events),
        records=tuple(event.name for event in events),
        id="events",
        title="What happens",
        question="How often does what the game tells happen, to whom, and when?",
    )


def _measures(event: SeatEvent, who: Sequence[str]) -> Iterator[Measure]:
    seats, rows = MeasuresOf(_seats(event)), MeasuresOf(event.name)
    name, doc = event.words, event.doc
    for group in who:
        what = f"{doc}: how often in a game, each player"
        yield seats.mean(f"{name} by {group}", what, "times", by=group)
    turns = MeasuresOf(_quarters(event))
    what = f"{doc}: how often in a turn, all players"
    yield turns.mean(f"{name} by {QUARTER}", what, "times", "turns", by=QUARTER)
    for key, meaning in event.numbers.items():
        for group in (*who, QUARTER):
            what = f"{meaning}, each time ({doc})"
            of = f"{_words(key)} of {name} by {group}"
            yield rows.mean(of, what, _amount(key), by=group)
        if key not in _TAKEN:
            what = f"{doc}: how often in a game, all players, by {meaning}"
            yield rows.per_game(f"{name} by {_words(key)}", what, by=key)
    for key, meaning in event.options.items():
        if key not in _TAKEN:
            what = f"{doc}: how often in a game, all players, by {meaning}"
            yield rows.per_game(f"{name} by {_words(key)}", what, by=key)
            what = f"{doc}: in which share of all times it is this: {meaning}"
            shares = MeasuresOf(_shares(event, key))
            yield shares.share(_share_name(event, key), what, "times", "all", by=key)


def _shares(event: SeatEvent, key: str) -> str:
    return f"{event.name} of {key}"


def _share_name(event: SeatEvent, key: str) -> str:
    return f"{_words(key)} share of {event.words}"


def _amount(key: str) -> str:
    """The column with the number as it was told; ``key`` has it as a whole number."""
    return f"{key} told"


def _seats(event: SeatEvent) -> str:
    return f"{event.name} of seats"


def _quarters(event: SeatEvent) -> str:
    return f"{event.name} of quarters"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _tables(events: Sequence[SeatEvent], read: tuple[Raw, About]) -> Tables:
    """Return for each event a row for each time, and one for each seat of a game."""
    raw, about = read
    result, players = raw["result"], about["players"]
    first = np.tile(np.asarray(about["first"], dtype=np.int64), players)
    seats = result.select(
        "game",
        pl.col("seat").cast(pl.Int64),
        "strategy",
        pl.col("turns").cast(pl.Int64),
    ).with_columns(position=(pl.col("seat") - pl.Series(first)) % players + 1)
    tables: dict[str, pl.DataFrame] = {}
    for event in events:
        told = _told(event, raw)
        times = told.group_by("game", "seat").len("times")
        tables[_seats(event)] = seats.join(
            times, on=["game", "seat"], how="left", maintain_order="left"
        ).with_columns(pl.col("seat") + 1, pl.col("times").cast(pl.Int64).fill_null(0))
        tables[_quarters(event)] = _by_quarter(told, seats)
        for key in event.options:
            tables[_shares(event, key)] = _by_option(told, key)
        quarter = (4 * pl.col("turn") + pl.col("turns") - 1) // pl.col("turns")
        tables[event.name] = told.join(
            seats, on=["game", "seat"], how="left", maintain_order="left"
        ).with_columns(pl.col("seat") + 1, quarter=quarter.clip(1, 4))
    return tables


def _by_quarter(told: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each game and quarter: its turns, and how often it happened."""
    quarters = seats.select("game", "turns").unique(maintain_order=True)
    quarters = quarters.join(pl.DataFrame({QUARTER: range(1, 5)}), how="cross")
    last = pl.col(QUARTER) * pl.col("turns") // 4
    before = (pl.col(QUARTER) - 1) * pl.col("turns") // 4
    rows = quarters.with_columns(first=before + 1, last=last, turns=last - before)
    times = told.group_by("game", "turn").len("times")
    happened = (
        rows.join(times, on="game")
        .filter(pl.col("turn").is_between("first", "last"))
        .group_by("game", QUARTER)
        .agg(pl.col("times").sum().cast(pl.Int64))
    )
    return rows.join(
        happened, on=["game", QUARTER], how="left", maintain_order="left"
    ).with_columns(pl.col("times").fill_null(0))


def _by_option(told: pl.DataFrame, key: str) -> pl.DataFrame:
    """Return a row for each game and option: how often it was this, and any."""
    kind = told.schema[key]
    every = kind.categories if isinstance(kind, pl.Enum) else pl.Series([], dtype=kind)
    options = pl.DataFrame({key: every.cast(kind)})
    games = told.group_by("game", maintain_order=True).len("all")
    times = told.group_by("game", key).len("times")
    return (
        games.join(options, how="cross")
        .join(times, on=["game", key], how="left", maintain_order="left")
        .with_columns(
            pl.col(key).cast(pl.String),
            pl.col("all").cast(pl.Int64),
            pl.col("times").cast(pl.Int64).fill_null(0),
        )
    )


def _told(event: SeatEvent, raw: Raw) -> pl.DataFrame:
    """Return what was told of an event: game, seat, turn, and its numbers."""
    amounts = [_amount(key) for key in event.numbers]
    if event.name not in raw:
        columns: dict[str, Any] = {"game": raw["result"].schema["game"]}
        whole = dict.fromkeys(("seat", "turn", *event.numbers), pl.Int64)
        columns |= whole | dict.fromkeys(amounts, pl.Float64)
        return pl.DataFrame(schema=columns | dict.fromkeys(event.options, pl.String))
    table = raw[event.name]
    return table.select(
        "game",
        pl.col("seat", "turn").cast(pl.Int64),
        *(pl.col(key).alias(_amount(key)) for key in event.numbers),
        *(
            pl.col(key).cast(pl.Float64).round().clip(-_MOST, _MOST).cast(pl.Int64)
            for key in event.numbers
        ),
        *event.options,
    )


def _show(
    events: Sequence[SeatEvent], who: Sequence[str], data: ReportData
) -> SectionParts:
    yield f"With {data.who}. What the game tells of its players while it is played."
    for event in events:
        name, title = event.words, f"{event.doc[:1].upper()}{event.doc[1:]}"
        for group in (*who, QUARTER):
            often = "in a turn, all players"
            if group != QUARTER:
                often = "in a game, each player"
            numbers = [
                Number(f"{_words(key)} of {name} by {group}", _words(key), name=key)
                for key in event.numbers
            ]
            yield MeasureTable(
                f"events-{event.name}-{group}",
                f"{title}, by {group}",
                f"How often {often}; numbers are those of each time.",
                ("players", group, Number(f"{name} by {group}", "times"), *numbers),
                draw=dots(group, often),
            )
        for key in event.options:
            if key not in _TAKEN:
                yield MeasureTable(
                    f"events-{event.name}-of-{key}",
                    f"{title}, by {event.options[key]}",
                    "Which share of all times it is this.",
                    ("players", key, Number(_share_name(event, key), "share")),
                    draw=dots(key, "share of all times"),
                )

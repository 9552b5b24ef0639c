"""The measures of a game: those of its end, and those of its report."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from experiments.core import end_summary, option_counts, own_sections
from experiments.core.cells import Cell, Pair, UsageError
from experiments.core.decision_counts import DECISIONS
from reports import default_report, report_registry
from reports.game_report import GameReport
from reports.measures import Measure, Statistic
from reports.own_events import SeatEvent
from sim import games
from sim.parameters import nearest


def report_of(game: str) -> GameReport:
    """Return the report of a game, with sections of one's own.

    It is the one that the game declares, or else the one that fits any game. Raises
    ``UsageError`` for a section that does not fit in.
    """
    return _report_of(game, own_sections.added_files())


@lru_cache(maxsize=32)
def _report_of(game: str, _: tuple[str, ...]) -> GameReport:
    return own_sections.with_own_sections(game, _of_game(game))


def _of_game(game: str) -> GameReport:
    declared = report_registry.declared_report(game)
    if declared is not None:
        return declared
    loaded = games.load(game)
    standing, score = loaded.standing, loaded.score
    fields = {"score": score.field} if score is not None else {}
    if standing is not None:
        fields |= {"note": standing.note, "field": standing.field}
        fields["number"] = standing.words
    seated = bool(loaded.first_position)
    made = default_report.report(
        DECISIONS, **fields, seated=seated, events=seat_events(loaded)
    )
    return replace(made, **_FEW) if loaded.scalar else made


def seat_events(game: games.Game) -> list[SeatEvent]:
    """Return the events of a game in one file, which it tells of its players.

    >>> seat_events(games.load("drake"))
    []
    """
    if not game.scalar:
        return []
    return [
        SeatEvent(
            name,
            event.doc,
            {key: doc for key, (doc, form) in told.items() if form == "number"},
            {key: doc for key, (doc, form) in told.items() if form == "code"},
        )
        for name, event in game.events.items()
        if "seat" in event.fields and "turn" in event.fields
        for told in [
            {
                key: (field.doc, field.form)
                for key, field in event.fields.items()
                if key not in ("turn", "seat")
            }
        ]
    ]


_FEW: Mapping[str, Any] = {
    "games": 4_096,
    "search_games": 128,
    "strong_games": 256,
    "luck_deals": 256,
    "option_replays": 512,
    "decisions_tried": 1,
}
"""How much is played for a report on a game whose games are played one by one.

Positions are then told apart to about 2 points, in half a minute on two cores.
"""


def collected(cell: Cell | Pair) -> GameReport | None:
    """Return the report whose measures a cell collects; None: only the result's."""
    everything = isinstance(cell, Pair) or cell.collect == "all"
    return report_of(cell.game) if everything else None


def measures_of(game: str, detailed: bool = True) -> Mapping[str, Measure]:
    """Return the measures of a game by name; with ``detailed`` also its report's.

    Those of what-ifs are left out, as no run has them.
    """
    end = end_summary.measures(games.load(game))
    report = (
        (*option_counts.MEASURES, *report_of(game).section_measures) if detailed else ()
    )
    return {measure.name: measure for measure in (*report, *end)}


def find_measures(game: str, containing: str = "") -> list[tuple[Measure, str]]:
    """Return the measures whose names contain a text; raises ``UsageError`` for none.

    With what has them: "end" (every run), "report" (``detailed`` runs) or "what-if".
    """
    every = [
        *((measure, measure.family) for measure in measures_of(game).values()),
        *((measure, "what-if") for measure in report_of(game).paired.measures),
    ]
    matching = [(measure, of) for measure, of in every if containing in measure.name]
    if not matching:
        names = [measure.name for measure, _ in every]
        raise UsageError(
            f"no measure of {game} contains {containing!r}"
            f"{nearest(containing, names)} `fairdeal measures {game}` lists all."
        )
    return matching


def missing_words(name: str, game: str, detailed: bool = True) -> str:
    """Return why a run, ``detailed`` or not, lacks a measure, and how to get it."""
    every = measures_of(game)
    if name in measures_of(game, detailed):
        return f"measure {name!r} did not happen in these games."
    if name in every:
        return (
            f"{name!r} is measured for the game's report only: ask for "
            "detailed = true (on the command line --measure)."
        )
    return (
        f"no measure {name!r}{nearest(name, every)} `fairdeal measures {game}` lists "
        "all."
    )


def suggested_measure(cell: Cell, name: str) -> str:
    """Return the measure to use in place of one that is even under any rules, or "".

    If the first player is drawn and every strategy plays in every seat, seat numbers
    mean nothing, and a measure by seat is better taken by position.
    """
    number, by, group = name.rpartition(" by ")
    other = f"{number} by position"
    if not by or group != "seat" or other not in measures_of(cell.game):
        return ""
    same = len({strategy.title for strategy in cell.strategies()}) == 1
    return other if first_seat_is_drawn(cell) and (cell.rotate or same) else ""


def first_seat_is_drawn(cell: Cell) -> bool:
    """Return whether the seat with the first position is drawn for each game."""
    game = games.load(cell.game)
    numbers = np.arange(64, dtype=np.uint64)
    state = game.start(cell.rules, cell.players, 0, numbers)
    return len(np.unique(game.first(state))) > 1


def refuse_even(cell: Cell, name: str, where: str) -> None:
    """Refuse a measure that is even under any rules; raises ``UsageError``."""
    other = suggested_measure(cell, name)
    if other:
        begins = games.load(cell.game).first_position
        raise UsageError(
            f"{where}: {name!r} is even under any rules, as the seat of position "
            f"{begins!r} is drawn. Name {other!r} instead."
        )


def kind_of(game: str, measure: str) -> Statistic:
    """Return the kind of a measure, which may be of a what-if."""
    every = {**report_of(game).measures, **measures_of(game)}
    return every[measure].kind


def group_words(frame: pl.DataFrame, groups: Sequence[str]) -> pl.Series:
    """Return the groups of each row in words: ``week 1, target 3``."""
    rows = frame.select(groups).rows() if groups else [()] * frame.height
    texts = [
        ", ".join(f"{name} {value}" for name, value in zip(groups, row, strict=True))
        for row in rows
    ]
    return pl.Series("group", texts, dtype=pl.String)


def measure_table(measures: Iterable[Measure]) -> pl.DataFrame:
    """Return a row for each measure: name, meaning, kind, unit, groups (in words)."""
    rows = [(m.name, m.doc, m.kind, m.unit, ", ".join(m.by)) for m in measures]
    names = ("name", "meaning", "kind", "unit", "groups")
    return pl.DataFrame(rows, dict.fromkeys(names, pl.String), orient="row")

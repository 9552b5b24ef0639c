"""What there is to measure of a game: of its end, and of its report."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import polars as pl

from experiments.core import choices, summary
from experiments.core.cells import Cell, UsageError
from experiments.core.decisions import DECISIONS
from reports import any_game
from reports import games as reports
from reports.game_report import GameReport
from reports.measures import Measure, Statistic
from sim import games
from sim.parameters import nearest


@lru_cache(maxsize=32)
def report_of(game: str) -> GameReport:
    """The report of a game: what it declares, or else what every game can tell."""
    declared = reports.declared(game)
    if declared is not None:
        return declared
    known = games.load(game)
    standing, score = known.standing, known.score
    told = {"score": score.field} if score is not None else {}
    if standing is not None:
        told |= {"note": standing.note, "field": standing.field}
        told["number"] = standing.words
    return any_game.report(DECISIONS, **told)


@lru_cache(maxsize=64)
def report_in(game: str, kind: str) -> GameReport | None:
    """The report of a game with what it reads in cells of a kind; None: the end alone.

    Of no kind: the whole report.
    """
    report = report_of(game)
    names = report.read_in(kind)
    if names is None:
        return report
    return report.only(names) if names else None


def known(game: str, detailed: bool = True) -> Mapping[str, Measure]:
    """Every measure of a game by name; ``detailed`` with those of its report.

    Without those of what-ifs, which no run has.
    """
    found = summary.measures(games.load(game))
    report = (*choices.MEASURES, *report_of(game).counted) if detailed else ()
    return {measure.name: measure for measure in (*report, *found)}


def listed(game: str, containing: str = "") -> list[tuple[Measure, str]]:
    """Measures whose names contain a text, and who has each; raises ``UsageError``.

    "end": every run, "report": runs that are ``detailed``, "what-if": reports alone.
    """
    detailed = [
        *((one, one.family) for one in known(game).values()),
        *((one, "what-if") for one in report_of(game).what_ifs.measures),
    ]
    found = [(one, of) for one, of in detailed if containing in one.name]
    if not found:
        names = [measure.name for measure, _ in detailed]
        raise UsageError(
            f"no measure of {game} contains {containing!r}"
            f"{nearest(containing, names)} `fairdeal measures {game}` lists all."
        )
    return found


def missing(name: str, game: str, detailed: bool = True) -> str:
    """Why there is no such measure, and how to get it; ``detailed``: of the report."""
    every = known(game)
    if name in known(game, detailed):
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


def meant(cell: Cell, name: str) -> str:
    """The measure that is meant in place of one that is even under any rules; or none.

    Where whoever begins is drawn, and every strategy sits in every seat, the number of
    a seat means nothing, and what is by seat is by position.
    """
    number, by, group = name.rpartition(" by ")
    other = f"{number} by position"
    if not by or group != "seat" or other not in known(cell.game):
        return ""
    same = len({one.title for one in cell.strategies()}) == 1
    return other if drawn(cell) and (cell.rotate or same) else ""


def drawn(cell: Cell) -> bool:
    """Whether the seat with the first position is drawn anew for each game."""
    game = games.load(cell.game)
    numbers = np.arange(64, dtype=np.uint64)
    state = game.start(cell.rules, cell.players, 0, numbers)
    return len(np.unique(game.first(state))) > 1


def refuse_even(cell: Cell, name: str, where: str) -> None:
    """Refuse a measure that is even under any rules; raises ``UsageError``."""
    other = meant(cell, name)
    if other:
        begins = games.load(cell.game).first_position
        raise UsageError(
            f"{where}: {name!r} is even under any rules, for the seat of the position "
            f"{begins!r} is drawn. Name {other!r}."
        )


def kind_of(game: str, measure: str) -> Statistic:
    """The kind of a measure, of a what-if too."""
    every = {**report_of(game).measures, **known(game)}
    return every[measure].kind


def words(frame: pl.DataFrame, by: Sequence[str]) -> pl.Series:
    """The groups of each row in words: ``week 1, target 3``."""
    rows = frame.select(by).rows() if by else [()] * frame.height
    texts = [
        ", ".join(f"{name} {value}" for name, value in zip(by, row, strict=True))
        for row in rows
    ]
    return pl.Series("group", texts, dtype=pl.String)


def described(measures: Iterable[Measure]) -> pl.DataFrame:
    """A row a measure: name, meaning, kind, unit, groups (in words)."""
    rows = [
        (one.name, one.doc, one.kind, one.unit, ", ".join(one.by)) for one in measures
    ]
    names = ("name", "meaning", "kind", "unit", "groups")
    return pl.DataFrame(rows, dict.fromkeys(names, pl.String), orient="row")

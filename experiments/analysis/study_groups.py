"""Groups of places of a study that are compared on the same deals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from experiments.analysis import scorecard_effects
from experiments.analysis.scorecard_effects import Scores
from experiments.core.cells import Cell
from experiments.studies.run_study import StudyResult
from experiments.studies.study_expansion import DesignPoint
from sim import games

MOST = 40
"""Places of a group that is compared with its base, at most."""


@dataclass(frozen=True)
class StudyGroup:
    """Places with the same lineup and number of players, scored on the same deals.

    ``base`` is the number of the place that the others are compared with, in ``places``
    and in ``scores``.
    """

    name: str
    places: tuple[DesignPoint, ...]
    labels: tuple[str, ...]
    base: int
    scores: Scores

    @property
    def rows(self) -> pl.DataFrame:
        """The effects of each place compared with the base, by line, with its label."""
        rows = self.scores.effects(self.base)
        label = pl.Series("label", [self.labels[place] for place in rows["change"]])
        return rows.with_columns(label.cast(pl.String))

    @property
    def others(self) -> list[int]:
        """The numbers of the other places that could be played."""
        return [
            place
            for place in range(len(self.places))
            if place != self.base and place not in self.scores.failed
        ]


def score_groups(
    done: StudyResult, out: Path | None = None, **how: Any
) -> list[StudyGroup]:
    """Play the groups of a study by ``effects``; none of too few or too many places."""
    plan = done.plan
    by: dict[tuple[str, int], list[DesignPoint]] = {}
    for point in plan.design_points:
        if point.cell not in done.results.failures:
            by.setdefault((point.lineup, point.players), []).append(point)
    groups = []
    for number, ((lineup, players), places) in enumerate(by.items()):
        cells = [plan.cells[place.cell] for place in places]
        if not 2 <= len(places) <= MOST:
            continue
        base = _base(cells)
        folder = None if out is None else out / str(number)
        scores = scorecard_effects.play(cells, plan.games, out=folder, **how)
        if base not in scores.failed:
            name = f"{lineup}, {players} players"
            labels = tuple(_labels(done, places))
            groups.append(StudyGroup(name, tuple(places), labels, base, scores))
    return groups


def _base(cells: Sequence[Cell]) -> int:
    """Return the first place with the printed rules of the game, or else the first."""
    plain = games.load(cells[0].game).rules.of()
    return next((at for at, cell in enumerate(cells) if cell.rules == plain), 0)


def _labels(done: StudyResult, places: Sequence[DesignPoint]) -> Iterator[str]:
    """Yield the name of each place: its variant and point, as far as they vary."""
    variants = len({place.variant for place in places}) > 1
    for place in places:
        parts = [place.variant] if variants else []
        parts += [f"{short(key)} {value}" for key, value in place.point.items()]
        yield ", ".join(parts) or place.variant


def short(key: str) -> str:
    """Return a varied key as it is called on the page."""
    return key.removeprefix("rules.")

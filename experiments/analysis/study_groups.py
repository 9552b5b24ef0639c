"""The places of a study that are held against one another, scored on the same deals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from experiments.analysis import effects
from experiments.analysis.effects import Scores
from experiments.core.cells import Cell
from experiments.studies.expansion import DesignPoint
from experiments.studies.play import StudyResult
from sim import games as registry

MOST = 40
"""Places of which each is played beside its base."""


@dataclass(frozen=True)
class Group:
    """Places of one lineup and number of players, scored on the same deals.

    ``base`` is the number of the place that the others are held against, in ``places``
    and in ``scores``.
    """

    name: str
    places: tuple[DesignPoint, ...]
    labels: tuple[str, ...]
    base: int
    scores: Scores

    @property
    def rows(self) -> pl.DataFrame:
        """What each place differs in from the base, by line, with its label."""
        found = self.scores.effects(self.base)
        label = pl.Series("label", [self.labels[at] for at in found["change"]])
        return found.with_columns(label.cast(pl.String))

    @property
    def others(self) -> list[int]:
        """The places beside the base that could be played."""
        return [
            at
            for at in range(len(self.places))
            if at != self.base and at not in self.scores.failed
        ]


def scored(done: StudyResult, out: Path | None = None, **how: Any) -> list[Group]:
    """The groups of a study, each played by ``effects``; none of a spread design."""
    plan = done.plan
    by: dict[tuple[str, int], list[DesignPoint]] = {}
    for point in plan.design_points:
        if point.cell not in done.results.failures:
            by.setdefault((point.lineup, point.players), []).append(point)
    found = []
    for at, ((lineup, players), places) in enumerate(by.items()):
        cells = [plan.cells[place.cell] for place in places]
        if not 2 <= len(places) <= MOST:
            continue
        base = _base(cells)
        where = None if out is None else out / str(at)
        scores = effects.play(cells, plan.games, out=where, **how)
        if base not in scores.failed:
            name = f"{lineup}, {players} players"
            labels = tuple(_labels(done, places))
            found.append(Group(name, tuple(places), labels, base, scores))
    return found


def _base(cells: Sequence[Cell]) -> int:
    """The first place that plays by the rules of the game as they are, else the first.

    Of several that do (other strategies, say) the first is the base.
    """
    plain = registry.load(cells[0].game).rules.of()
    return next((at for at, cell in enumerate(cells) if cell.rules == plain), 0)


def _labels(done: StudyResult, places: Sequence[DesignPoint]) -> Iterator[str]:
    """What each place is called: its variant and its point, as far as they vary."""
    variants = len({place.variant for place in places}) > 1
    for place in places:
        parts = [place.variant] if variants else []
        parts += [f"{short(key)} {value}" for key, value in place.point.items()]
        yield ", ".join(parts) or place.variant


def short(key: str) -> str:
    """What was varied, as it is called on the page."""
    return key.removeprefix("rules.")

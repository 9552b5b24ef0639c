"""The cells of a study, made one after the other, and the places they stand for."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.core.cells import Cell, UsageError
from experiments.studies import lineups
from experiments.studies.designs import Points
from experiments.studies.factors import (
    PLAYERS,
    RULES,
    beside,
    beside_each,
    changed,
    named,
)
from experiments.studies.study import Study
from experiments.variants.variants import ResolvedRules
from sim.games import Game
from sim.parameters import RuleError, Rules

MOST_CELLS = 100_000


@dataclass(frozen=True)
class DesignPoint:
    """What a cell stands for."""

    variant: str
    lineup: str
    players: int
    point: Mapping[str, Any]  # a value for each key of the design
    cell: int
    number: int = 0  # of the point, in the design


class Expansion:
    """Cells and places, one after the other."""

    def __init__(
        self,
        game: Game,
        study: Study,
        points: Points,
        resolved: Mapping[str, ResolvedRules],
        seed: int,
    ) -> None:
        self.game, self.study, self.points = game, study, points
        self.resolved, self.seed = resolved, seed
        self.extra_strategies = tuple(
            beside(spec, study.folder) for spec in study.strategies
        )
        self.cells: list[Cell] = []
        self.skipped: list[str] = []
        self._known: dict[str, int] = {}
        self._every = counts(game, study, points)
        self._names: dict[str, str] = {}  # of strategies, by spec

    def design_points(self) -> Iterator[DesignPoint]:
        """Variant by variant, point by point, lineup by lineup."""
        seated = list(self._seated())
        self._check_size(len(seated))
        for name, settled in self.resolved.items():
            for number, point in enumerate(self.points.rows):
                try:
                    cells = list(self._of(settled.rules, point, seated))
                except RuleError as error:
                    self._refuse(name, point, error)
                    continue
                for cell in cells:
                    at = self._cell(cell)
                    yield DesignPoint(name, cell.label, cell.players, point, at, number)

    def _check_size(self, tables: int) -> None:
        """Refuse too many cells, before any is made."""
        variants, points = len(self.resolved), len(self.points.rows)
        numbers = len(self._every) if PLAYERS in self.points.keys else 1
        total = variants * points * tables // numbers  # a point is of one number
        if total > MOST_CELLS:
            raise UsageError(
                f"these are {total:,} cells ({variants:,} variants, {points:,} points, "
                f"{tables:,} lineups); at most {MOST_CELLS:,}."
            )

    def _seated(self) -> Iterator[tuple[int, lineups.NamedLineup]]:
        """Every lineup for every number of players that it is for."""
        study = self.study
        for label, text in study.lineups.items():
            parts = beside_each(text, study.folder)
            found = lineups.written(
                self.game.id, label, ",".join(parts), self._every, self.extra_strategies
            )
            yield from found.items()
        if study.panel is not False:
            only = study.panel if isinstance(study.panel, tuple) else ()
            for players in self._every:
                for seated in lineups.panel(
                    self.game.id, players, self.extra_strategies, only
                ):
                    yield players, seated

    def _of(
        self,
        rules: Rules,
        point: Mapping[str, Any],
        seated: Sequence[tuple[int, lineups.NamedLineup]],
    ) -> Iterator[Cell]:
        """The cells of a point, of which each may be played already."""
        changes = {
            key.removeprefix(RULES): value
            for key, value in point.items()
            if key.startswith(RULES)
        }
        here = rules.changed(changes) if changes else rules
        for players, lineup in seated:
            if point.get(PLAYERS, players) == players:
                specs = {s: self._seat(s, point) for s in dict.fromkeys(lineup.seats)}
                seats = tuple(specs[seat] for seat in lineup.seats)
                yield Cell(
                    self.game.id,
                    here,
                    players,
                    seats,
                    self.study.rotate,
                    self.seed,
                    lineup.label,
                )

    def _seat(self, spec: str, point: Mapping[str, Any]) -> str:
        """The spec with the parameters of the point."""
        if spec not in self._names:
            self._names[spec] = named(self.game.id, spec)
        return changed(self.game.id, spec, self._names[spec], point)

    def _cell(self, cell: Cell) -> int:
        """The number of a cell; the same cell is played once."""
        seats = [str(seat) for seat in cell.lineup]
        key = json.dumps([cell.rules.plain(), cell.players, seats, cell.label])
        if key not in self._known:
            self._known[key] = len(self.cells)
            self.cells.append(cell)
        return self._known[key]

    def _refuse(self, name: str, point: Mapping[str, Any], error: RuleError) -> None:
        """Stop at rules that cannot be, or leave them out where that is wanted."""
        design = self.study.design
        if design is None or not point:
            raise error
        text = f"point {_label(point)} of variant {name!r}: {error}"
        if design.invalid == "refuse" or design.kind == "saltelli":
            hint = (
                ""
                if design.kind == "saltelli"
                else ' Leave such points out with invalid = "skip" under [design].'
            )
            raise RuleError(f"[design] {text}{hint}")
        self.skipped.append(text)


def counts(game: Game, study: Study, points: Points) -> tuple[int, ...]:
    """The numbers of players: those of the design or the study, or the usual one."""
    usual = 4 if 4 in game.players else game.players[0]
    varied = [row[PLAYERS] for row in points.rows if PLAYERS in row]
    found = varied or study.players or (usual,)
    for count in found:
        if isinstance(count, bool | float) or count not in game.players:
            raise UsageError(
                f"players: {count!r} cannot play {game.id}. "
                f"Allowed: {', '.join(map(str, game.players))}."
            )
    return tuple(dict.fromkeys(found))


def _label(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in point.items())

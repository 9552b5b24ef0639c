"""Expand a study into cells, and into the design points that they stand for."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.core.cells import Cell, UsageError
from experiments.studies import lineups
from experiments.studies.experimental_designs import Points
from experiments.studies.factors import (
    PLAYERS,
    RULES,
    resolve_lineup_paths,
    resolve_spec_path,
    strategy_name,
    with_parameters,
)
from experiments.studies.study import Study
from experiments.variants.variants import ResolvedRules
from sim.games import Game
from sim.parameters import RuleError, Rules

MOST_CELLS = 100_000


@dataclass(frozen=True)
class DesignPoint:
    """A place in the design, and the cell that plays it."""

    variant: str
    lineup: str
    players: int
    point: Mapping[str, Any]  # a value for each key of the design
    cell: int
    number: int = 0  # of the point, in the design


class Expansion:
    """Makes the cells and design points of a study."""

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
            resolve_spec_path(spec, study.folder) for spec in study.strategies
        )
        self.cells: list[Cell] = []
        self.skipped: list[str] = []
        self._known: dict[str, int] = {}
        self._counts = player_counts(game, study, points)
        self._names: dict[str, str] = {}  # of strategies, by spec

    def design_points(self) -> Iterator[DesignPoint]:
        """Yield them by variant, point and lineup."""
        seated = list(self._seated())
        self._check_size(len(seated))
        for name, variant in self.resolved.items():
            for number, point in enumerate(self.points.rows):
                try:
                    given = self.study.given_of(name)
                    cells = list(self._cells_of(variant.rules, point, seated, given))
                except RuleError as error:
                    self._refuse(name, point, error)
                    continue
                for cell in cells:
                    at = self._cell(cell)
                    yield DesignPoint(name, cell.label, cell.players, point, at, number)

    def _check_size(self, tables: int) -> None:
        """Raise ``UsageError`` for too many cells, before any is made."""
        variants, points = len(self.resolved), len(self.points.rows)
        numbers = len(self._counts) if PLAYERS in self.points.keys else 1
        total = variants * points * tables // numbers  # a point has one number
        if total > MOST_CELLS:
            raise UsageError(
                f"these are {total:,} cells ({variants:,} variants, {points:,} points, "
                f"{tables:,} lineups); at most {MOST_CELLS:,}."
            )

    def _seated(self) -> Iterator[tuple[int, lineups.NamedLineup]]:
        """Yield every lineup, for every number of players that it can seat."""
        study = self.study
        named = study.lineups
        if not named and study.panel is False:  # those who learn, whoever they are
            named = {lineups.ADAPTED: lineups.base_players(self.game.id)}
        for label, text in named.items():
            parts = resolve_lineup_paths(text, study.folder)
            specs, extra = ",".join(parts), self.extra_strategies
            seated = lineups.lineups_of_text(
                self.game.id, label, specs, self._counts, extra
            )
            yield from seated.items()
        if study.panel is not False:
            only = study.panel if isinstance(study.panel, tuple) else ()
            for players in self._counts:
                extra = self.extra_strategies
                for lineup in lineups.panel_lineups(self.game.id, players, extra, only):
                    yield players, lineup

    def _cells_of(
        self,
        rules: Rules,
        point: Mapping[str, Any],
        seated: Sequence[tuple[int, lineups.NamedLineup]],
        given: tuple[str, ...],
    ) -> Iterator[Cell]:
        """Yield the cells of a point; another point may have the same ones."""
        changes = {
            key.removeprefix(RULES): value
            for key, value in point.items()
            if key.startswith(RULES)
        }
        changed_rules = rules.changed(changes) if changes else rules
        for players, lineup in seated:
            if point.get(PLAYERS, players) == players:
                specs = {s: self._seat(s, point) for s in dict.fromkeys(lineup.seats)}
                seats = tuple(specs[seat] for seat in lineup.seats)
                yield Cell(
                    self.game.id,
                    changed_rules,
                    players,
                    seats,
                    self.study.rotate,
                    self.seed,
                    lineup.label,
                    given=given,
                )

    def _seat(self, spec: str, point: Mapping[str, Any]) -> str:
        """Return the spec with the parameters of the point."""
        if spec not in self._names:
            self._names[spec] = strategy_name(self.game.id, spec)
        return with_parameters(self.game.id, spec, self._names[spec], point)

    def _cell(self, cell: Cell) -> int:
        """Return the number of a cell; equal cells are played once."""
        seats = [str(seat) for seat in cell.lineup]
        key = json.dumps(
            [cell.rules.plain(), cell.players, seats, cell.label, cell.given]
        )
        if key not in self._known:
            self._known[key] = len(self.cells)
            self.cells.append(cell)
        return self._known[key]

    def _refuse(self, name: str, point: Mapping[str, Any], error: RuleError) -> None:
        """Raise an error for impossible rules, or skip them if the design says so."""
        design = self.study.design
        if design is None or not point:
            raise error
        label = ", ".join(f"{key} = {value}" for key, value in point.items())
        text = f"point {label} of variant {name!r}: {error}"
        if design.invalid == "refuse" or design.kind == "saltelli":
            hint = (
                ""
                if design.kind == "saltelli"
                else ' Leave such points out with invalid = "skip" under [design].'
            )
            raise RuleError(f"[design] {text}{hint}")
        self.skipped.append(text)


def player_counts(game: Game, study: Study, points: Points) -> tuple[int, ...]:
    """Return the numbers of players of the design or study, or the usual one."""
    usual = 4 if 4 in game.players else game.players[0]
    varied = [row[PLAYERS] for row in points.rows if PLAYERS in row]
    numbers = varied or study.players or (usual,)
    for count in numbers:
        if refused := game.refuses(count):
            raise UsageError(refused)
    return tuple(dict.fromkeys(numbers))

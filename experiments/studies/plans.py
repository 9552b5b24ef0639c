"""Plans, which are expanded studies: every cell, and what it stands for.

A *design point* is a variant, a lineup, a number of players and a point of the design;
it is played by one *cell*. Design points with equal games share their cell. All cells
share the seed, so they see the same deals (common random numbers).
"""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

import sim.games
from experiments.core.cells import Cell, UsageError
from experiments.core.event_tables import raw_table_names
from experiments.core.measures import measures_of, missing_words
from experiments.studies import experimental_designs
from experiments.studies.factors import check_keys
from experiments.studies.lineups import ADAPTED, can_learn
from experiments.studies.study import Study
from experiments.studies.study_expansion import DesignPoint, Expansion, player_counts
from experiments.studies.study_short_forms import Precision
from experiments.studies.targets import check, parse
from experiments.variants.rule_diff import sentences
from experiments.variants.variant_files import inline_variant
from experiments.variants.variants import ResolvedRules, resolve_variant
from sim.games import Game
from sim.parameters import RuleError, one_of
from strategies.registry import UnknownStrategy
from strategies.specs import split_lineup


@dataclass(frozen=True)
class Plan:
    """A study with its cells: all that is needed to play it."""

    game: str
    cells: tuple[Cell, ...]
    design_points: tuple[DesignPoint, ...]
    seed: int
    games: int  # of each cell; the most, if a precision is wanted
    question: str = ""
    precision: Precision | None = None
    adapt: float = 0.0  # seconds for which players are still to learn their rules
    measures: tuple[str, ...] = ()
    detailed: bool = False
    tables: tuple[str, ...] = ()
    kind: str = ""  # of the design
    points: experimental_designs.Points = field(
        default_factory=experimental_designs.Points
    )
    targets: Mapping[str, Any] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    where: str = ""  # the file, or the command

    def __post_init__(self) -> None:
        """Fill in the default measures."""
        if not self.measures:
            mixed = any(len(set(map(str, cell.lineup))) > 1 for cell in self.cells)
            values = (
                ("won by position", "won by strategy")
                if mixed
                else ("won by position",)
            )
            object.__setattr__(self, "measures", values)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that the design varies."""
        return self.points.keys

    @property
    def learners(self) -> list[list[int]]:
        """The cells whose players are to learn, those of equal rules together."""
        alike: dict[str, list[int]] = {}
        for number, cell in enumerate(self.cells):
            if self.adapt and can_learn([cell], named=cell.label != ADAPTED):
                key = json.dumps([cell.rules.plain(), str(cell.lineup[0])])
                alike.setdefault(key, []).append(number)
        return [*alike.values()]

    @property
    def _first_cells(self) -> dict[str, Cell]:
        """A cell of each variant."""
        points = reversed(self.design_points)
        first = {point.variant: self.cells[point.cell] for point in points}
        return {name: first[name] for name in reversed(first)}

    @property
    def deals(self) -> list[str]:
        """Which deals are played: nothing if all are, by variant if they differ."""
        cells = self._first_cells
        given = {name: cell.given for name, cell in cells.items()}
        if len({*given.values()}) == 1:
            cells = {"": next(iter(cells.values()))}
        words = {name: cell.deals for name, cell in cells.items()}
        return [
            f"{name}: {deals or 'all deals'}".removeprefix(": ")
            for name, deals in words.items()
            if name or deals
        ]

    @property
    def games_words(self) -> str:
        """Whether all cells have the same deals, in words."""
        if len({cell.given for cell in self.cells}) == 1:
            return "all on the same deals"
        return "each on deals of its variant"

    def frame(self) -> pl.DataFrame:
        """Return a row for each design point: variant, lineup, players, point, ...

        The keys and cell follow. Values that are lists are written as JSON.
        """
        rows = [
            {
                "variant": point.variant,
                "lineup": point.lineup,
                "players": point.players,
                "point": point.number,
                **{key: _plain(point.point[key]) for key in self.keys},
                "cell": point.cell,
            }
            for point in self.design_points
        ]
        frame = pl.DataFrame(rows, infer_schema_length=None, strict=False)
        return frame.with_columns(pl.col("cell").cast(pl.Int32))


def plan(study: Study, seed: int | None = None) -> Plan:
    """Expand a study; errors name the mistake and the place.

    The seed is the one given, or that of the study, or it is drawn.
    """
    game = sim.games.load(study.game)
    seed = study.seed if seed is None else seed
    seed = secrets.randbits(32) if seed is None else seed
    try:
        expanded = _expanded(game, study, seed)
        _check_names(study, expanded.cells[0])
        if study.targets:
            check(parse(study.targets), expanded.cells[0], expanded.frame())
    except (UsageError, RuleError, UnknownStrategy) as error:
        if str(error).startswith(study.where):
            raise
        raise type(error)(f"{study.where}: {error}") from None
    return expanded


def _expanded(game: Game, study: Study, seed: int) -> Plan:
    points = experimental_designs.points(study.design, seed)
    check_keys(game, study, points)
    variants = dict(_resolved(game, study))
    expansion = Expansion(game, study, points, variants, seed)
    design_points = tuple(expansion.design_points())
    if not design_points:
        raise UsageError("nothing can be played. " + " ".join(expansion.skipped[:1]))
    made = Plan(
        game.id,
        tuple(expansion.cells),
        design_points,
        seed,
        study.most,
        study.question,
        study.precision,
        study.adapt,
        study.measures,
        study.detailed,
        raw_table_names(game, ",".join(study.tables)),
        study.design.kind if study.design else "",
        points,
        study.targets,
        {name: _described(game, variant) for name, variant in variants.items()},
        tuple(expansion.skipped),
        (
            *(note for variant in variants.values() for note in variant.notes),
            *_unseated(study, player_counts(game, study, points)),
        ),
        study.where,
    )
    for cell in made._first_cells.values():
        cell.given_chance()  # raises for what is too rare
    if study.adapt and not made.learners:
        raise UsageError(
            "adapt: nobody here can learn. Name one policy for all seats, as in "
            'lineups = ["learned"], or no lineups.'
        )
    return made


def _unseated(study: Study, players: Sequence[int]) -> Iterator[str]:
    """Yield notes on lineups that are not played with every number of players."""
    for label, text in study.lineups.items():
        seats = len(split_lineup(text))
        others = [str(number) for number in players if number != seats]
        if seats > 1 and others:
            yield (
                f"lineup {label!r} has {seats} seats: it is not played with "
                f"{one_of(others)} players"
            )


def plan_of_cells(cells: Sequence[Cell], games: int, **more: Any) -> Plan:
    """Return a plan of cells that were made elsewhere, without a design.

    ``more`` are fields of the plan; ``variant`` is the name of the rules.
    """
    variant = str(more.pop("variant", "")) or "base"
    design_points = tuple(
        DesignPoint(variant, cell.title(), cell.players, {}, number)
        for number, cell in enumerate(cells)
    )
    first = cells[0]
    return Plan(first.game, tuple(cells), design_points, first.seed, games, **more)


def _resolved(game: Game, study: Study) -> Iterator[tuple[str, ResolvedRules]]:
    """Yield the rules of each variant."""
    for name, values in study.variants.items():
        where = f"{study.where}: [variants.{name}]"
        rules = {key: value for key, value in values.items() if key != "given"}
        variant = inline_variant(game, rules, name, where, study.folder)
        yield name, resolve_variant(game, variant, study.settings)


def _described(game: Game, resolved: ResolvedRules) -> dict[str, Any]:
    """Return a variant for the plan: its rules, and what set which value."""
    return {
        "about": resolved.about,
        "differences": sentences(game.rules.of(), resolved.rules),
        "chain": list(resolved.chain),
        "provenance": dict(resolved.provenance),
    }


def _check_names(study: Study, cell: Cell) -> None:
    """Raise ``UsageError`` for unknown measures."""
    if not study.measures:
        return
    measures = measures_of(cell.game, study.detailed)
    for name in study.measures:
        if name not in measures:
            raise UsageError(
                f"measures: {missing_words(name, cell.game, study.detailed)}"
            )


def _plain(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | tuple | dict) else value

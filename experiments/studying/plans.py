"""The expanded study: every cell that is to be played, and what it stands for.

A *place* is a variant, a lineup, a number of players and a point of the design; it is
played by one *cell*. Places that come to the same share their cell. All cells share
the seed, so they see the same deals (common random numbers).
"""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from experiments.cells import Cell, UsageError
from experiments.commands.asked import raw_tables
from experiments.studying import designs
from experiments.studying.making import Making, Place
from experiments.studying.short_forms import Precision
from experiments.studying.study import Study
from experiments.studying.varied import check_keys
from experiments.variations.differences import sentences
from experiments.variations.variant_files import inline
from experiments.variations.variants import Settled, settle_read
from experiments.weighing.judging import check
from experiments.weighing.measured import Known, known
from experiments.weighing.targets import parse
from sim import games as registry
from sim.games import Game
from sim.knobs import RuleError, nearest, one_of
from strategies.random import Random
from strategies.registry import UnknownStrategy


@dataclass(frozen=True)
class Plan:
    """A study with its cells; enough to play it, here or elsewhere, now or later."""

    game: str
    cells: tuple[Cell, ...]
    places: tuple[Place, ...]
    seed: int
    games: int  # of each cell; the most, where a precision is wanted
    question: str = ""
    precision: Precision | None = None
    measures: tuple[str, ...] = ()
    detailed: bool = False
    tables: tuple[str, ...] = ()
    kind: str = ""  # of the design
    points: designs.Points = field(default_factory=designs.Points)
    targets: Mapping[str, Any] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    where: str = ""  # the file, or the command

    def __post_init__(self) -> None:
        """Name what is told where the study names nothing."""
        if not self.measures:
            mixed = any(len(set(cell.lineup)) > 1 for cell in self.cells)
            told = ("won by seat", "won by strategy") if mixed else ("won by seat",)
            object.__setattr__(self, "measures", told)

    @property
    def keys(self) -> tuple[str, ...]:
        """What the design varies."""
        return self.points.keys

    def frame(self) -> pl.DataFrame:
        """A row a place: variant, lineup, players, point, the keys, cell.

        Values of lists are written as JSON.
        """
        rows = [
            {
                "variant": place.variant,
                "lineup": place.lineup,
                "players": place.players,
                "point": place.number,
                **{key: _plain(place.point[key]) for key in self.keys},
                "cell": place.cell,
            }
            for place in self.places
        ]
        frame = pl.DataFrame(rows, infer_schema_length=None, strict=False)
        return frame.with_columns(pl.col("cell").cast(pl.Int32))


def plan(study: Study, seed: int | None = None) -> Plan:
    """Expand a study; raises what names the mistake and the place.

    The seed is the one given, else that of the study, else it is drawn.
    """
    game = registry.load(study.game)
    seed = study.seed if seed is None else seed
    seed = secrets.randbits(32) if seed is None else seed
    try:
        made = _expanded(game, study, seed)
        _check_names(study, made.cells[0])
        if study.targets:
            check(parse(study.targets), _of_chance(made.cells[0]), made.frame())
    except (UsageError, RuleError, UnknownStrategy) as error:
        if str(error).startswith(study.where):
            raise
        raise type(error)(f"{study.where}: {error}") from None
    return made


def _expanded(game: Game, study: Study, seed: int) -> Plan:
    points = designs.points(study.design, seed)
    check_keys(game, study, points)
    settled = dict(_settled(game, study))
    made = Making(game, study, points, settled, seed)
    places = tuple(made.places())
    if not places:
        raise UsageError("nothing can be played. " + " ".join(made.skipped[:1]))
    return Plan(
        game.id,
        tuple(made.cells),
        places,
        seed,
        study.most,
        study.question,
        study.precision,
        study.measures,
        study.detailed,
        raw_tables(game, ",".join(study.tables)),
        study.design.kind if study.design else "",
        points,
        study.targets,
        {name: _told(game, one) for name, one in settled.items()},
        tuple(made.skipped),
        tuple(note for one in settled.values() for note in one.notes),
        study.where,
    )


def of_cells(cells: Sequence[Cell], games: int, **more: Any) -> Plan:
    """A plan of cells that were made elsewhere: a place each, of no design.

    ``more`` are fields of the plan; ``variant`` is what the rules are called.
    """
    variant = str(more.pop("variant", "")) or "base"
    places = tuple(
        Place(variant, cell.title(), cell.players, {}, number)
        for number, cell in enumerate(cells)
    )
    first = cells[0]
    return Plan(first.game, tuple(cells), places, first.seed, games, **more)


def _settled(game: Game, study: Study) -> Iterator[tuple[str, Settled]]:
    """The rules of each variant."""
    for name, values in study.variants.items():
        where = f"{study.where}: [variants.{name}]"
        variant = inline(game, values, name, where, study.folder)
        yield name, settle_read(game, variant, study.settings)


def _told(game: Game, settled: Settled) -> dict[str, Any]:
    """A variant as it is written down: what it is, and who set which value."""
    return {
        "about": settled.about,
        "differences": sentences(game.rules.of(), settled.rules),
        "chain": list(settled.chain),
        "provenance": dict(settled.provenance),
    }


def _check_names(study: Study, cell: Cell) -> None:
    """Refuse measures that the game's tables do not have."""
    if not study.measures:
        return
    found = measures_of(cell, study.detailed)
    for name in study.measures:
        if name not in found:
            hint = "" if study.detailed else " (more with detailed = true)"
            raise UsageError(
                f"measures: no measure {name!r}{nearest(name, found)} "
                f"Measures{hint}: {one_of(found)}."
            )


def measures_of(cell: Cell, detailed: bool) -> Mapping[str, Known]:
    """The measures there are, by name, whoever plays."""
    return known(_of_chance(cell), detailed)


def _of_chance(cell: Cell) -> Cell:
    """The cell with a lineup that can be played whatever its own may do."""
    return replace(cell, lineup=(Random.name,) * cell.players)


def _plain(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | tuple | dict) else value

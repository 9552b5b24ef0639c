"""The expanded study: every cell that is to be played, and what it stands for.

A *place* is a variant, a lineup, a number of players and a point of the design; it is
played by one *cell*. Places that come to the same share their cell. All cells share
the seed, so they see the same deals (common random numbers).
"""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from experiments import designs, lineups
from experiments.asked import raw_tables
from experiments.cells import Cell, UsageError
from experiments.differences import sentences
from experiments.measured import Known, known
from experiments.study import Precision, Study
from experiments.variant_files import inline
from experiments.variants import Settled, settle_read
from sim import games as registry
from sim.games import Game
from sim.knobs import RuleError, nearest, one_of
from strategies.random import Random
from strategies.registry import UnknownStrategy, make

RULES = "rules."
STRATEGY = "strategy."
PLAYERS = "players"
_SHOWN = 5  # mistakes of a design that are told one by one


@dataclass(frozen=True)
class Place:
    """What a cell stands for."""

    variant: str
    lineup: str
    players: int
    point: Mapping[str, Any]  # a value for each key of the design
    cell: int
    number: int = 0  # of the point, in the design


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
        points = designs.points(study.design, seed)
        _check_keys(game, study, points)
        settled = dict(_settled(game, study))
        made = _Making(game, study, points, settled, seed)
        places = tuple(made.places())
        if made.cells:
            _check_names(study, made.cells)
    except (UsageError, RuleError, UnknownStrategy) as error:
        if str(error).startswith(study.where):
            raise
        raise type(error)(f"{study.where}: {error}") from None
    if not places:
        raise UsageError(
            f"{study.where}: nothing can be played. " + " ".join(made.skipped[:1])
        )
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


class _Making:
    """Cells and places, one after the other."""

    def __init__(
        self,
        game: Game,
        study: Study,
        points: designs.Points,
        settled: Mapping[str, Settled],
        seed: int,
    ) -> None:
        self.game, self.study, self.points = game, study, points
        self.settled, self.seed = settled, seed
        self.own = tuple(_beside(spec, study.folder) for spec in study.strategies)
        self.cells: list[Cell] = []
        self.skipped: list[str] = []
        self._known: dict[str, int] = {}

    def places(self) -> Iterator[Place]:
        """Variant by variant, point by point, lineup by lineup."""
        for name, settled in self.settled.items():
            for number, point in enumerate(self.points.rows):
                try:
                    yield from list(self._of(name, settled, point, number))
                except RuleError as error:
                    self._refuse(name, point, error)

    def _of(
        self, name: str, settled: Settled, point: Mapping[str, Any], number: int
    ) -> Iterator[Place]:
        rules = settled.rules
        for key, value in point.items():
            if key.startswith(RULES):
                rules = rules.changed({key.removeprefix(RULES): value})
        counts = _counts(self.game, self.study, point)
        for players, seated in self._seated(counts):
            seats = tuple(_set(self.game.id, seat, point) for seat in seated.seats)
            cell = Cell(
                self.game.id, rules, players, seats, self.study.rotate,
                self.seed, seated.label,
            )  # fmt: skip
            yield Place(name, seated.label, players, point, self._cell(cell), number)

    def _seated(self, counts: Sequence[int]) -> Iterator[tuple[int, lineups.Seated]]:
        """Every lineup for every number of players that it is for."""
        study = self.study
        for label, text in study.lineups.items():
            parts = [_beside(part.strip(), study.folder) for part in text.split(",")]
            found = lineups.written(
                self.game.id, label, ",".join(parts), counts, self.own
            )
            yield from found.items()
        if study.panel is not False:
            only = study.panel if isinstance(study.panel, tuple) else ()
            for players in counts:
                for seated in lineups.panel(self.game.id, players, self.own, only):
                    yield players, seated

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
        told = f"point {_words(point)} of variant {name!r}: {error}"
        if design.invalid == "refuse" or design.kind == "saltelli":
            hint = (
                "" if design.kind == "saltelli"
                else ' Leave such points out with invalid = "skip" under [design].'
            )  # fmt: skip
            raise RuleError(f"[design] {told}{hint}")
        self.skipped.append(told)


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


def _counts(game: Game, study: Study, point: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers of players: those of the point, or of the study."""
    usual = 4 if 4 in game.players else game.players[0]
    counts: tuple[int, ...] = study.players or (usual,)
    if PLAYERS in point:
        counts = (point[PLAYERS],)
    for count in counts:
        if count not in game.players:
            raise UsageError(
                f"players: {count!r} cannot play {game.id}. "
                f"Allowed: {', '.join(map(str, game.players))}."
            )
    return tuple(dict.fromkeys(counts))


def _check_keys(game: Game, study: Study, points: designs.Points) -> None:
    """Refuse keys of a design that name nothing."""
    if PLAYERS in points.keys and study.players:
        raise UsageError("players: given twice, at the top and under [design].")
    rules = [RULES + key for key in game.rules.model_fields]
    for key in points.keys:
        start = ".".join(key.split(".")[:2])
        known = key == PLAYERS or key.startswith(STRATEGY)
        if known or start in rules:
            continue
        raise UsageError(
            f"[design] no key {key!r}{nearest(key, [*rules, PLAYERS])} Allowed: "
            f"{PLAYERS}, {RULES}KEY (as in {rules[0]}), {STRATEGY}NAME.PARAMETER."
        )
    for key in points.keys:
        if key.startswith(STRATEGY):
            _check_parameter(game, study, key)


def _check_parameter(game: Game, study: Study, key: str) -> None:
    """Refuse a parameter of a strategy that nobody plays."""
    name, _, parameter = key.removeprefix(STRATEGY).partition(".")
    if not parameter:
        raise UsageError(f"[design] {key}: write {STRATEGY}NAME.PARAMETER.")
    if study.panel is not False:
        return
    own = tuple(_beside(spec, study.folder) for spec in study.strategies)
    seated: list[str] = []
    for text in study.lineups.values():
        parts = [_beside(part.strip(), study.folder) for part in text.split(",")]
        specs = lineups.written(
            game.id, text, ",".join(parts), (len(parts),), own
        )[len(parts)].seats  # fmt: skip
        seated += [_named(game.id, spec) for spec in specs]
    if name not in seated:
        raise UsageError(
            f"[design] {key}: no lineup seats {name!r}{nearest(name, seated)} "
            f"Seated: {one_of(dict.fromkeys(seated))}."
        )


def _set(game: str, spec: str, point: Mapping[str, Any]) -> str:
    """The spec of a strategy with the parameters of the point."""
    for key, value in point.items():
        if key.startswith(STRATEGY):
            name, _, parameter = key.removeprefix(STRATEGY).partition(".")
            if _named(game, spec) == name:
                spec = f"{spec}:{parameter}={value}"
                make(game, spec)
    return spec


def _named(game: str, spec: str) -> str:
    """The name of a spec's strategy, without parameters."""
    kind = type(make(game, spec))
    return str(getattr(kind, "name", kind.__name__))


def _beside(spec: str, folder: Path) -> str:
    """A spec whose file is looked for beside the study, whatever directory this is."""
    file, mark, rest = spec.partition(".py:")
    if not mark or Path(file).is_absolute():
        return spec
    return f"{(folder / file).resolve()}{mark}{rest}"


def _check_names(study: Study, cells: Sequence[Cell]) -> None:
    """Refuse measures that the game's tables do not have."""
    if not study.measures:
        return
    found = measures_of(cells[0], study.detailed)
    for name in study.measures:
        if name not in found:
            hint = "" if study.detailed else " (more with detailed = true)"
            raise UsageError(
                f"measures: no measure {name!r}{nearest(name, found)} "
                f"Measures{hint}: {one_of(found)}."
            )


def measures_of(cell: Cell, detailed: bool) -> Mapping[str, Known]:
    """The measures there are, by name; asked of chance, whatever the lineup may do."""
    seats = (Random.name,) * cell.players
    return known(replace(cell, lineup=seats), detailed)


def _words(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in point.items())


def _plain(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | tuple | dict) else value

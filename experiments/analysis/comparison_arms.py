"""The two sides of a comparison, as a user names them.

    base                    the base rules
    richer.toml, richer     a variant, by file or by name
    life=4                  rule values that differ, as with --set
    planner                 a lineup: one strategy fills all seats
    planner,greedy,random,random
    results/first           the directory of a finished run

What a side leaves open (the lineup of a variant, the rules of a lineup) comes from the
options, or from the run on the other side.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from experiments.core.cells import Cell, Pair, UsageError, require_unpaired
from experiments.core.measures import report_of
from experiments.execution.results import Results, load
from experiments.execution.run import check_games
from experiments.studies.lineups import base_players
from experiments.studies.strategy_file_trust import loading_trusted
from experiments.variants.variant_files import BASE, game_of, locate_variant
from experiments.variants.variants import resolve_rules
from sim import games, places
from sim.games import Game
from sim.parameters import Rules, nearest, one_of
from strategies.learned import Learned
from strategies.registry import UnknownStrategy, builtin, seat_specs
from strategies.specs import split_lineup

GAMES = 16_384
"""The games of each side, if neither is a run."""
LEARNED_GAMES, FEW_GAMES = 4_096, 1_024
"""Those of learned players, who take 10 to 60 times as long, and of the slowest."""
_SLOW = 20.0  # seconds of a block of lessons


@dataclass(frozen=True)
class CommonOptions:
    """What both sides share, from the options."""

    game: Game
    players: Sequence[int]
    lineup: str  # empty if none is named
    seed: int
    variant: Path | None = None
    settings: Sequence[str] = ()
    extra_strategies: Sequence[str] = ()
    rotate: bool = True
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class Arm:
    """A side: its name, a cell for each number of players, and its run, if any.

    ``has_own_lineup``, ``has_own_rules``: whether the side or an option gives the
    lineup, or the rules.
    """

    name: str
    cells: tuple[Cell, ...]
    run: Results | None = None
    has_own_lineup: bool = True
    has_own_rules: bool = True
    notes: tuple[str, ...] = field(default=())
    told: str = ""  # who plays it, if they learned its rules

    @property
    def rules(self) -> Rules:
        """The rules of this side."""
        return self.cells[0].rules

    @property
    def lineup(self) -> str:
        """The lineup in words."""
        return seats_of(self.cells[0])


def seats_of(cell: Cell) -> str:
    """Return the lineup of a cell in words: one name if a strategy has all seats."""
    titles = {strategy.title for strategy in cell.strategies()}
    return titles.pop() if len(titles) == 1 else cell.title()


def game_named(words: Sequence[str], game: str) -> str:
    """Return the game that options or sides name, or the only one there is."""
    if game:
        return game
    for word in words:
        path = places.named(word)
        if is_run(path):
            return str(load(path).cells[0].game)
        file = _variant(word)
        if file is not None and file.is_file():
            return game_of(file)
    if len(games.REGISTRY) > 1:
        text = " and ".join(words) or "the options"
        raise UsageError(
            f"--game: {text} may mean any game. Name one of {one_of(games.REGISTRY)}."
        )
    return next(iter(games.REGISTRY))


def _variant(word: str) -> Path | None:
    """Return the variant file that a word means, if any."""
    try:
        return locate_variant(word, places.named(""))
    except UsageError:
        return None


def cells_of_runs(words: Sequence[str]) -> list[Cell | Pair]:
    """Return the cells of the runs among these words."""
    runs = [load(path) for path in map(places.named, words) if is_run(path)]
    return [cell for run in runs for cell in run.cells]


def is_run(path: Path) -> bool:
    """Whether this is the directory of a run, and not the id of a game."""
    return not games.is_game(str(path)) and (path / "manifest.json").is_file()


def parse_arm(word: str, common: CommonOptions) -> Arm:
    """Return the side that a word means; raises an error that names the mistake."""
    path = places.named(word)
    if is_run(path):
        return _of_run(path, common)
    if path.is_dir():
        raise UsageError(f"{word} is a directory, and holds no run of fairdeal.")
    if word == BASE or path.suffix == ".toml":
        return _of_rules(word, common, word, ())
    if _is_setting(word, common.game):
        return _of_rules(word, common, common.variant, tuple(shlex.split(word)))
    try:
        located = locate_variant(word, places.named(""))
    except UsageError:
        return _of_lineup(word, common)
    return _of_rules(word, common, located, ())


def on_same_games(
    one: Arm, other: Arm, independent: bool = False, seed: int | None = None
) -> tuple[Arm, Arm]:
    """Return both sides on the same games or, if ``independent``, on different games.

    A side compared with a run plays its games. Two runs are compared as they are: even
    of equal sides one may have more games, or be of another version of fairdeal. Raises
    ``UsageError`` if both are equal, and one would be played; and if a ``seed`` is
    asked for that a run does not have.
    """
    check_seed((one, other), seed)
    if one.run is not None and other.run is not None:
        if independent:
            raise UsageError(
                "independent: both runs are finished, with games they had."
            )
        return _marked(one, other)
    if one.run is None and other.run is not None:
        one = on_games_of_run(one, other)
    if other.run is None and one.run is not None:
        other = on_games_of_run(other, one)
    if independent:
        other = on_other_games(other)
    if are_equal(one, other):
        raise UsageError(
            f"{one.name} and {other.name} are the same: on the same games nothing can "
            "differ. --independent (independent=True) gives B different games."
        )
    return _marked(one, other)


def check_seed(arms: Sequence[Arm], seed: int | None) -> None:
    """Raise ``UsageError`` if there are runs, and none has the ``seed`` asked for."""
    runs = [arm for arm in arms if arm.run is not None]
    seeds = dict.fromkeys(cell.seed for arm in runs for cell in arm.cells)
    if runs and seed is not None and seed not in seeds:
        raise UsageError(
            f"seed: the games of {runs[0].name} are played, with seed "
            f"{one_of(map(str, seeds))}. Give this one, or none."
        )


def are_equal(one: Arm, other: Arm) -> bool:
    """Whether both sides are the same rules and lineups on the same deals."""
    cells = [[replace(cell, label="") for cell in arm.cells] for arm in (one, other)]
    return cells[0] == cells[1]


def _marked(one: Arm, other: Arm) -> tuple[Arm, Arm]:
    """Return both sides, with names that tell them apart."""
    if one.name != other.name:
        return one, other
    return replace(one, name=f"{one.name} (A)"), replace(
        other, name=f"{other.name} (B)"
    )


def games_of(one: Arm, other: Arm, games: int | None) -> int:
    """Return how many games are played: as many as asked for, or as a run has.

    Raises ``UsageError`` for a number that cannot be played, and for any if nothing is.
    """
    runs = [arm.run for arm in (one, other) if arm.run is not None]
    if len(runs) == 2 and games is not None:
        raise UsageError("games: both runs are finished, and nothing is played.")
    if games is not None:
        check_games(games)
        return games
    if runs:
        return max(max(run.played) for run in runs)
    return usual_games((*one.cells, *other.cells), (GAMES, LEARNED_GAMES, FEW_GAMES))


def usual_games(cells: Sequence[Cell], games: tuple[int, int, int]) -> int:
    """Return one of three numbers: of heuristics, of learned players, of slow ones."""
    if not any(isinstance(who, Learned) for cell in cells for who in cell.strategies()):
        return games[0]
    return games[2 if report_of(cells[0].game).lesson_seconds > _SLOW else 1]


def on_other_games(other: Arm) -> Arm:
    """Return the side with different games."""
    cells = tuple(replace(cell, seed=other_seed(cell.seed)) for cell in other.cells)
    return replace(other, cells=cells)


def on_games_of_run(new: Arm, run: Arm) -> Arm:
    """Return the side on the games of a run, with its lineup and rules by default.

    Raises ``UsageError`` if it has no lineup for one of the numbers of players.
    """
    by_count = {cell.players: cell for cell in new.cells}
    if any(cell.given for cell in new.cells):
        raise UsageError(f"given: the deals are those of {run.name}, as it was played.")
    cells = []
    for cell in run.cells:
        mine = by_count.get(cell.players)
        if mine is None:
            counts = dict.fromkeys(each.players for each in run.cells)
            raise UsageError(
                f"{new.name}: {run.name} has lineups for {', '.join(map(str, counts))} "
                "players; give the same with --players."
            )
        seats = mine if new.has_own_lineup else cell
        rules = mine.rules if new.has_own_rules else cell.rules
        cells.append(replace(cell, rules=rules, lineup=seats.lineup, label=seats.label))
    return replace(new, cells=tuple(cells))


def other_seed(seed: int) -> int:
    """Return a seed for other games."""
    return (seed + 1) % (1 << 64)


def _is_setting(word: str, game: Game) -> bool:
    """Whether a word is ``key=value``, not a strategy with parameters."""
    key = word.partition("=")[0]
    return "=" in word and ":" not in key


def _of_rules(
    name: str, common: CommonOptions, variant: Path | str | None, more: tuple[str, ...]
) -> Arm:
    resolved = resolve_rules(common.game, variant, [*common.settings, *more])
    players = common.lineup or base_players(common.game.id)
    cells = _cells(common, resolved.rules, players)
    seated = bool(common.lineup)
    return Arm(
        resolved.name or name, cells, has_own_lineup=seated, notes=resolved.notes
    )


def _of_lineup(name: str, common: CommonOptions) -> Arm:
    resolved = resolve_rules(common.game, common.variant, common.settings)
    try:
        cells = _cells(common, resolved.rules, name)
    except UnknownStrategy as error:
        if "," in name or ":" in name:
            raise
        known = [BASE, *builtin(common.game.id)]
        raise UsageError(
            f"{name!r} is not a variant, lineup or run{nearest(name, known)} Name "
            "base, a variant file, rule values as in life=4, a lineup as in "
            f"{one_of(known[1:3])}, or the directory of a finished run."
        ) from error
    ruled = bool(common.variant or common.settings)
    return Arm(name, cells, has_own_rules=ruled, notes=resolved.notes)


def _cells(common: CommonOptions, rules: Rules, lineup: str) -> tuple[Cell, ...]:
    seats = len(split_lineup(lineup))
    counts = common.players if seats == 1 else (seats,)
    return tuple(
        Cell(
            common.game.id,
            rules,
            players,
            seat_specs(common.game.id, lineup, players, common.extra_strategies),
            common.rotate,
            common.seed,
            lineup,
            given=common.given,
        )
        for players in counts
    )


def _of_run(path: Path, common: CommonOptions) -> Arm:
    """Return a finished run as a side; its strategies have to be unchanged."""
    results = load(path, playable=True)
    with loading_trusted(path, results.manifest):
        for cell in results.cells:
            cell.strategies()
    if not results.manifest.get("finished"):
        raise UsageError(f"{path}: this run is not finished; resume it first.")
    if results.failures:
        number, why = next(iter(results.failures.items()))
        raise UsageError(f"{path}: cell {number} of this run failed: {why}")
    if results.manifest["play"] is not None:
        raise UsageError(
            f"{path}: not a plain run (a what-if, say): it has no measures to compare. "
            "fairdeal runs diff compares what-ifs."
        )
    cells = require_unpaired(results.cells, path)
    if results.cells[0].game != common.game.id:
        raise UsageError(f"{path}: a run of {results.cells[0].game}.")
    return Arm(path.name, cells, results)

"""Narrate games: as stories, as a log, found among many, or side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import TypeVar

from rich.text import Text

from experiments.analysis import trace_diff, turning_point_words
from experiments.analysis.comparison_arms import (
    CommonOptions,
    is_run,
    parse_arm,
    seats_of,
)
from experiments.analysis.notable_games import NotableGame, find_game, game_courses
from experiments.core import narration, traces
from experiments.core.cells import Cell, UsageError, require_unpaired
from experiments.counterfactual.game_turning_points import (
    GameTurningPoints,
    game_turning_points,
)
from experiments.execution.results import load
from experiments.execution.separate_process import by_chunk
from experiments.studies.strategy_file_trust import loading_trusted
from experiments.variants import rule_diff
from experiments.variants.rule_diff import Change
from sim import games
from sim.parameters import one_of
from sim.transcript import Event

Item = TypeVar("Item")


@dataclass(frozen=True)
class TracedGames:
    """Narrated games: their numbers and lines.

    ``notable``: what was found, if a game was sought; ``turns``: its turning points.
    """

    cell: Cell
    numbers: range
    notable: NotableGame | None
    texts: Iterator[Text]
    turns: GameTurningPoints | None = None


def trace_games(  # noqa: PLR0913 - all that the command line knows
    cell: Cell,
    numbers: range,
    *,
    kind: str | None = None,
    among: int = 0,
    against: "str | Cell | None" = None,
    variant: Path | None = None,
    settings: Sequence[str] | None = None,
    verbose: bool = False,
    log: bool = False,
    turning_points: bool = False,
) -> TracedGames:
    """Narrate the games with these numbers, or find one of a ``kind``.

    ``against`` is another cell, or a side as ``compare`` takes them, applied to the
    rules of ``variant`` and ``settings``; the same game is narrated beside it. Raises
    ``UsageError``.
    """
    notable = None
    if kind is not None:
        looked = range(numbers.start, numbers.start + among)
        known = by_chunk(partial(game_courses, cell.resolved()), [cell], looked)
        notable = find_game(cell, kind, looked, known)
        numbers = range(notable.number, notable.number + 1)
    if against is not None:
        if turning_points:
            raise UsageError("turning points: not of two games side by side.")
        if len(numbers) > 1 or log:
            raise UsageError("against: only for a single game, and not as a log.")
        if isinstance(against, str):
            given = tuple(_settings(cell) if settings is None else settings)
            against = _side(cell, against, variant, given)
        other, names = _other(cell, against)
        both = cell.resolved(), other.resolved()
        texts = by_chunk(partial(_both, *both, names), both, numbers)
        return TracedGames(cell, numbers, notable, texts)
    if turning_points:
        if len(numbers) > 1 or log:
            raise UsageError("turning points: only of a single game, and not as a log.")
        [turns] = by_chunk(partial(_turns, cell.resolved()), [cell], numbers)
        lines_ = _of(partial(_with_turns, turns, verbose), cell, numbers)
        return TracedGames(cell, numbers, notable, lines_, turns)
    tell = traces.texts if log else partial(narration.texts, verbose=verbose)
    return TracedGames(cell, numbers, notable, _of(tell, cell, numbers))


def events(cell: Cell, numbers: range) -> Iterator[Event]:
    """Yield the events of these games, in order, as the transcript format has them."""
    return _of(traces.events, cell, numbers)


def lines(cell: Cell, numbers: range) -> Iterator[str]:
    """Yield the events of these games, one JSON object a line."""
    return _of(traces.lines, cell, numbers)


def _of(
    what: Callable[[Cell, range], Iterator[Item]], cell: Cell, numbers: range
) -> Iterator[Item]:
    return by_chunk(partial(what, cell.resolved()), [cell], numbers)


def _both(
    one: Cell, other: Cell, names: Sequence[str], numbers: range
) -> Iterator[Text]:
    return trace_diff.side_by_side_texts(one, other, numbers.start, names)


def _turns(cell: Cell, numbers: range) -> Iterator[GameTurningPoints]:
    for number in numbers:
        yield game_turning_points(cell, number)


def _with_turns(
    turns: GameTurningPoints, verbose: bool, cell: Cell, numbers: range
) -> Iterator[Text]:
    """Yield the narration of a game with its turning points, and what they were."""
    told = list(traces.events(cell, numbers))
    marks = turning_point_words.marks(cell, turns, told)
    yield from narration.texts(cell, numbers, verbose, marks)
    yield Text()
    for words in turning_point_words.summary(cell, turns, told):
        yield Text(words)


def _side(
    cell: Cell, word: str, variant: Path | None, settings: tuple[str, ...]
) -> Cell:
    """Return the cell that a side means: other rules, or another lineup."""
    game = games.load(cell.game)
    common = CommonOptions(
        game, (cell.players,), "", cell.seed, variant, settings, rotate=cell.rotate
    )
    given = parse_arm(word, common)
    for candidate in given.cells:
        if candidate.players == cell.players:
            return (
                candidate
                if given.has_own_lineup
                else replace(candidate, lineup=cell.lineup)
            )
    raise UsageError(f"against: {word} does not seat {cell.players} players.")


def _other(cell: Cell, given: Cell) -> tuple[Cell, tuple[str, str]]:
    """Return the other cell, on the same deals, and the names of both."""
    changed = given.rules != cell.rules
    other = replace(cell, rules=given.rules, lineup=given.lineup)
    if other == cell:
        raise UsageError("against: both sides are the same.")
    return other, (_name(cell, changed, other), _name(other, changed, cell))


def _settings(cell: Cell) -> tuple[str, ...]:
    """Return the rules of a cell as settings of plain values."""
    return tuple(f"{key}={here}" for key, (_, here) in cell.rules.differences().items())


def _name(cell: Cell, changed: bool, other: Cell) -> str:
    """Return a name that distinguishes a side from the other."""
    if not changed:
        return seats_of(cell)
    first, *more = map(_value, rule_diff.changes(other.rules, cell.rules))
    if len(", ".join((first, *more))) < 40:
        return ", ".join((first, *more))
    short = shorten(first, 40, placeholder=" ...")
    return f"{short} and {len(more)} more" if more else short


def _value(change: Change) -> str:
    """Say what a rule is on a side: a value, values of a row, or whether it exists."""
    if change.fields:
        row = ", ".join(
            f"{name} {rule_diff.field_words(change.after.get(name))}"
            for name in change.fields
        )
        return f"{change.key} {row}"
    if isinstance(change.after or change.before, Mapping):
        return f"{'with' if change.after else 'without'} {change.key}"
    return f"{change.key} {rule_diff.field_words(change.after)}"


def cell_of_run(path: Path, players: Sequence[int], lineup: str) -> Cell:
    """Return the lineup of a kept run; if it has several, the one that is named.

    Raises ``UsageError`` unless the names fit exactly one.
    """
    results = load(path, playable=True)
    with loading_trusted(path, results.manifest):
        for cell in results.cells:
            cell.strategies()
    cells = [
        cell
        for cell in results.cells
        if isinstance(cell, Cell) and cell.interventions is None and cell.trial is None
    ]
    fitting = [
        cell
        for cell in cells or require_unpaired(results.cells, path)
        if (not players or cell.players in players)
        and (not lineup or lineup in {cell.title(), _strategy_of(cell)})
    ]
    if len(fitting) == 1 or (fitting and not lineup and not players):
        return fitting[0]
    titles = dict.fromkeys(_strategy_of(cell) or cell.title() for cell in cells)
    raise UsageError(
        f"{path}: --lineup and --players name {len(fitting)} lineups of this run. "
        f"It has {one_of(titles)}."
    )


def _strategy_of(cell: Cell) -> str:
    """Return the strategy that has all seats, if there is one."""
    titles = {strategy.title for strategy in cell.strategies()}
    return titles.pop() if len(titles) == 1 else ""


__all__ = ["TracedGames", "cell_of_run", "events", "is_run", "lines", "trace_games"]

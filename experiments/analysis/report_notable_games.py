"""The games worth watching in a report, found among those that it counted."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import sim.games
from experiments.analysis import turning_point_words
from experiments.analysis.comparison_arms import seats_of
from experiments.analysis.notable_games import KINDS, find_game, game_courses
from experiments.core import narration
from experiments.core.cells import Cell, Pair, UsageError
from experiments.counterfactual.game_turning_points import (
    GameTurningPoints,
    game_turning_points,
)
from reports import notable_games
from reports.report_document import Section
from sim.narration import Event, NarrationLine

AMONG = 512
"""Games that are searched; they are played again."""
_USUAL_PLAYERS = 4
_LINE_WIDTH = 90  # characters


def notable_games_section(cells: Sequence[Cell | Pair], games: int) -> Section | None:
    """Return the section, with games of the first lineup and the usual players.

    None if no game stands out, or if the lineup has search players, who are slow.
    """
    cell = usual_cell(cells)
    if cell is None or cell.cost > 1:
        return None
    lead = seats_of(cell)
    among = range(min(games, AMONG))
    read = game_courses(cell, among)
    notable = []
    for kind in ("typical", *(kind for kind in KINDS if kind != "typical")):
        try:
            game = find_game(cell, kind, among, read)
        except UsageError:  # this game has no such number
            continue
        words = ["--lineup", lead, "--players", str(cell.players), "--number"]
        command = shlex.join(["fairdeal", "trace", ".", *words, str(game.number)])
        notable.append((kind, game.number, game.reason, command))
    if not notable:
        return None
    lineup = f"{lead}, {cell.players} players"
    number = notable[0][1]
    turns = game_turning_points(cell, number)
    events = list(narration.events(cell, [number]))
    narrated = list(_narration(cell, turns, events))
    return notable_games.section(
        lineup, len(among), notable, narrated, _turns(cell, turns, events)
    )


def usual_cell(cells: Sequence[Cell | Pair]) -> Cell | None:
    """Return the cell of the first lineup with the usual players, if there is one."""
    alone = [
        replace(cell, interventions=None) for cell in cells if isinstance(cell, Cell)
    ]
    if not alone:
        return None
    lead = seats_of(alone[0])
    leading = [cell for cell in alone if seats_of(cell) == lead]
    return min(leading, key=lambda cell: cell.players != _USUAL_PLAYERS)


def _narration(
    cell: Cell, turns: GameTurningPoints, events: Sequence[Event]
) -> Iterator[tuple[str, str, str]]:
    """Yield a game in rows: moment, what happens, how seats stand; marks beneath."""
    game, decision = sim.games.load(cell.game), count()
    story, marks = game.narrator(game), turning_point_words.marks(cell, turns, events)
    for event in events:
        mark = marks.get(next(decision), "") if event["type"] == "choice" else ""
        for line in story.tell(event, mark):
            yield from _rows(line)
    for line in story.rest():
        yield from _rows(line)


def _turns(
    cell: Cell, turns: GameTurningPoints, events: Sequence[Event]
) -> notable_games.TurnsOfGame:
    """Return what mattered in a game, for the page."""
    told = turning_point_words.told(cell, turns, events)
    rows = [
        (when, words, point.difference, *point.interval)
        for point, (when, words) in zip(turns.points, told, strict=True)
    ]
    headline = f"{turning_point_words.headline(turns)}."
    chances = turning_point_words.chance_table(turns)
    return notable_games.TurnsOfGame(headline, rows, chances)


def _rows(line: NarrationLine) -> Iterator[tuple[str, str, str]]:
    parts = textwrap.wrap(line.text, _LINE_WIDTH) or [""]
    moment = line.chapter[:1].upper() + line.chapter[1:] if line.heading else line.beat
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        yield moment if number == 0 else "", part, line.score if last else ""
    yield from (("", detail, "") for detail in line.details)

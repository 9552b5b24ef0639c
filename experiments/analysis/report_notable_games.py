"""The games worth watching in a report, found among those that it counted."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

import sim.games
from experiments.analysis.comparison_arms import seats_of
from experiments.analysis.notable_games import KINDS, find_game, game_courses
from experiments.core import narration
from experiments.core.cells import Cell, Pair, UsageError
from reports import notable_games
from reports.report_document import Section
from sim.narration import NarrationLine

AMONG = 512
"""Games that are searched; they are played again."""
_USUAL_PLAYERS = 4
_LINE_WIDTH = 90  # characters


def notable_games_section(cells: Sequence[Cell | Pair], games: int) -> Section | None:
    """Return the section, with games of the first lineup and the usual players.

    None if no game stands out, or if the lineup has search players, who are slow.
    """
    alone = [
        replace(cell, interventions=None) for cell in cells if isinstance(cell, Cell)
    ]
    if not alone:
        return None
    lead = seats_of(alone[0])
    leading = [cell for cell in alone if seats_of(cell) == lead]
    cell = min(leading, key=lambda cell: cell.players != _USUAL_PLAYERS)
    if cell.cost > 1:
        return None
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
    narrated = list(_narration(cell, notable[0][1]))
    return notable_games.section(lineup, len(among), notable, narrated)


def _narration(cell: Cell, number: int) -> Iterator[tuple[str, str, str]]:
    """Yield a game in rows: moment, what happens, how seats stand."""
    story = sim.games.load(cell.game).narrator(sim.games.load(cell.game))
    for line in story.lines(list(narration.events(cell, [number]))):
        yield from _rows(line)


def _rows(line: NarrationLine) -> Iterator[tuple[str, str, str]]:
    parts = textwrap.wrap(line.text, _LINE_WIDTH) or [""]
    moment = line.chapter[:1].upper() + line.chapter[1:] if line.heading else line.beat
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        yield moment if number == 0 else "", part, line.score if last else ""

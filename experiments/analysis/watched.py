"""The games worth watching in a report, found among those that it counted."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from experiments.analysis import watch
from experiments.analysis.sides import seats_of
from experiments.core import telling
from experiments.core.cells import Cell, Pair, UsageError
from reports import notable_games
from reports.report_document import Section
from sim import games as registry
from sim.narration import NarrationLine

AMONG = 512
"""Games that are searched; they are played again."""
_USUAL_PLAYERS = 4
_LINE_WIDTH = 90  # characters


def watching(cells: Sequence[Cell | Pair], games: int) -> Section | None:
    """Return the section, with games of the first lineup and the usual players.

    None if no game stands out, or if the lineup has search players, who are slow.
    """
    alone = [replace(cell, branching=None) for cell in cells if isinstance(cell, Cell)]
    if not alone:
        return None
    lead = seats_of(alone[0])
    leading = [cell for cell in alone if seats_of(cell) == lead]
    cell = min(leading, key=lambda cell: cell.players != _USUAL_PLAYERS)
    if cell.cost > 1:
        return None
    among = range(min(games, AMONG))
    read = watch.courses(cell, among)
    notable = []
    for kind in ("typical", *(kind for kind in watch.KINDS if kind != "typical")):
        try:
            game = watch.find(cell, kind, among, read)
        except UsageError:  # this game has no such number
            continue
        words = ["--lineup", lead, "--players", str(cell.players), "--number"]
        command = shlex.join(["fairdeal", "trace", ".", *words, str(game.number)])
        notable.append((kind, game.number, game.reason, command))
    if not notable:
        return None
    lineup = f"{lead}, {cell.players} players"
    narrated = list(_told(cell, notable[0][1]))
    return notable_games.section(lineup, len(among), notable, narrated)


def _told(cell: Cell, number: int) -> Iterator[tuple[str, str, str]]:
    """Yield a game in rows: moment, what happens, how seats stand."""
    story = registry.load(cell.game).narrator(registry.load(cell.game))
    for line in story.lines(list(telling.events(cell, [number]))):
        yield from _rows(line)


def _rows(line: NarrationLine) -> Iterator[tuple[str, str, str]]:
    parts = textwrap.wrap(line.text, _LINE_WIDTH) or [""]
    moment = line.chapter[:1].upper() + line.chapter[1:] if line.heading else line.beat
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        yield moment if number == 0 else "", part, line.score if last else ""

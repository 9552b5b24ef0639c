"""The games worth watching of a report: looked for among those that it counted."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from experiments.analysis import watch
from experiments.analysis.sides import seats_of
from experiments.core import telling
from experiments.core.cells import Cell, Pair, UsageError
from reports import watch as shown
from reports.page import Section
from sim import games as registry
from sim.narration import NarrationLine

AMONG = 512
"""Games that are looked through; they are played once more."""
_USUAL = 4  # players
_WIDE = 90  # characters of a line of the page


def watching(cells: Sequence[Cell | Pair], games: int) -> Section | None:
    """The section with such games of the first lineup, at the usual table.

    None where no game stands out, or where somebody searches, which is slow.
    """
    alone = [replace(one, branching=None) for one in cells if isinstance(one, Cell)]
    if not alone:
        return None
    lead = seats_of(alone[0])
    its = [one for one in alone if seats_of(one) == lead]
    cell = next((one for one in its if one.players == _USUAL), its[0])
    if cell.cost > 1:
        return None
    among = range(min(games, AMONG))
    read = watch.courses(cell, among)
    found = []
    for kind in ("typical", *(kind for kind in watch.KINDS if kind != "typical")):
        try:
            one = watch.find(cell, kind, among, read)
        except UsageError:  # this game knows no such thing
            continue
        words = [".", "--lineup", lead, "--players", str(cell.players)]
        command = shlex.join(["fairdeal", "trace", *words, "--number", str(one.number)])
        found.append((kind, one.number, one.reason, command))
    if not found:
        return None
    who = f"{lead}, {cell.players} players"
    told = list(_told(cell, found[0][1]))
    return shown.section(who, len(among), found, told)


def _told(cell: Cell, number: int) -> Iterator[tuple[str, str, str]]:
    """A game in rows: moment, what happens, how seats stand."""
    story = registry.load(cell.game).narrator(registry.load(cell.game))
    for line in story.lines(list(telling.events(cell, [number]))):
        yield from _rows(line)


def _rows(line: NarrationLine) -> Iterator[tuple[str, str, str]]:
    parts = textwrap.wrap(line.text, _WIDE) or [""]
    moment = line.chapter[:1].upper() + line.chapter[1:] if line.heading else line.beat
    for at, part in enumerate(parts):
        last = at == len(parts) - 1
        yield moment if at == 0 else "", part, line.score if last else ""

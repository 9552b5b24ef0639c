"""Narrate games: who plays, a line for each trick or turn, and the standings.

The game's ``sim.narration.Narrator`` writes the lines; here they are laid out.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from rich.text import Text

from experiments.core.cells import Cell
from experiments.core.trace_text import EventFormatter, TranscriptWithHands
from experiments.core.traces import by_chunk
from sim import games
from sim.narration import Event, NarrationLine, Narrator

_LINE_WIDTH = 110  # columns of a line
_BEAT = 11  # columns of the moment
_SCORE = "dim"


class NarrationTranscript(TranscriptWithHands):
    """A transcript that records which seat has the first position."""

    def open(self, state: Any, lineups: Sequence[Sequence[str]]) -> None:
        """Write the setup of each game."""
        super().open(state, lineups)
        first = self._game.first(state)
        for row, number in enumerate(state.games.tolist()):
            self._events[number][0]["_first"] = int(first[row])


def events(cell: Cell, numbers: Sequence[int]) -> Iterator[Event]:
    """Yield the events of these games, with hands and first positions."""
    return by_chunk(cell, numbers, NarrationTranscript)


def texts(
    cell: Cell,
    numbers: Sequence[int],
    verbose: bool = False,
    marks: Mapping[int, str] | None = None,
) -> Iterator[Text]:
    """Yield the lines of these games' narration, each a rich ``Text``.

    With ``verbose`` every choice follows its line, with options and hand. ``marks``:
    what to say beneath decisions of a single game, by their number in it.
    """
    decisions = count()
    game = games.load(cell.game)
    formatter = EventFormatter(game)
    story = game.narrator(game)
    try:
        for event in events(cell, numbers):
            detail = ""
            if event["type"] == "setup":
                yield from _rest(story)
                story = game.narrator(game)
                formatter.line(dict(event))
            elif verbose and event["type"] == "choice":
                detail = formatter.line(dict(event)).plain
            mark = ""
            if event["type"] == "choice":
                mark = (marks or {}).get(next(decisions), "")
            for line in story.tell(event, "\n".join(filter(None, (detail, mark)))):
                yield from wrap_line(line)
            if event["type"] == "setup":
                yield from heading(cell, story, event)
    except Exception:
        yield from _rest(story)
        raise
    yield from _rest(story)


def _rest(story: Narrator) -> Iterator[Text]:
    for line in story.rest():
        yield from wrap_line(line)


def heading(cell: Cell, story: Narrator, setup: Event) -> Iterator[Text]:
    """Yield the lines that say which game it is, by which rules, and who plays."""
    title = Text(f"{story.game.title}, game {setup['game']}", "bold")
    yield title.append(f" of seed {setup['seed']}", "not bold")
    changes = [
        f"{key} {here}" if base is None else f"{key} {here} instead of {base}"
        for key, (base, here) in cell.rules.differences().items()
    ]
    yield Text(f"  rules: {'; '.join(changes) or 'the base rules'}", "dim")
    if cell.given:
        yield Text(f"  given: {cell.deals}", "dim")
    for name, what in story.cast(games.positions(story.game, story.players)):
        yield Text(f"  {name:<5}", "bold").append(what, "not bold")


def wrap_line(line: NarrationLine) -> Iterator[Text]:
    """Yield a line of a narration, wrapped into lines of a terminal."""
    if line.heading:
        yield Text()
        text = Text(line.chapter[:1].upper() + line.chapter[1:], "bold")
        yield text.append(f"  {line.text}" if line.text else "", "not bold")
        return
    beat = f"  {line.beat:<{_BEAT}} " if len(line.beat) <= _BEAT else f"  {line.beat}  "
    indent = " " * (_BEAT + 3)
    wrapped = textwrap.wrap(line.text, _LINE_WIDTH - len(indent)) or [""]
    for number, part in enumerate(wrapped):
        row = Text(indent if number else beat, "dim").append(part, "not dim")
        last = number == len(wrapped) - 1 and bool(line.score)
        if last and len(row) + len(line.score) + 3 <= _LINE_WIDTH:
            row.append(f"  [{line.score}]", _SCORE)
            last = False
        yield row
        if last:
            yield Text(f"{indent}[{line.score}]", _SCORE)
    for detail in line.details:
        for words in detail.split("\n"):
            yield Text(f"{indent}· {' '.join(words.split())}", "dim")

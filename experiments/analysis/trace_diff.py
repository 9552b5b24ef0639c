"""Narrate a deal twice, side by side: by two rule sets, or two lineups, of a game.

The common beginning takes one line; from the first choice or draw that differs, both
games are narrated in columns.
"""

import textwrap
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from rich.text import Text

from experiments.core import narration
from experiments.core.cells import Cell, UsageError
from sim import games
from sim.narration import Event, NarrationLine

_COLUMN = 56  # characters of a column
_BEAT = 11  # characters of a moment
_TIME = {"game", "n"}


def side_by_side_texts(
    one: Cell, other: Cell, number: int, names: Sequence[str]
) -> Iterator[Text]:
    """Yield lines of game ``number`` of both cells, in two columns with these names.

    Raises ``UsageError`` if the cells differ in game or number of players.
    """
    if (one.game, one.players) != (other.game, other.players):
        raise UsageError("against: a different game, or number of players.")
    pair = [list(narration.events(cell, [number])) for cell in (one, other)]
    stories = [games.load(one.game).narrator(games.load(one.game)) for _ in pair]
    narrated = zip(stories, pair, strict=True)
    lines = [list(story.lines(events)) for story, events in narrated]
    setup = pair[0][0]
    places = games.positions(stories[0].game, one.players)
    casts = (story.cast(places) for story in stories)
    head = Text(
        f"{stories[0].game.title}, game {number} of seed {setup['seed']}", "bold"
    )
    yield head.append(f": {names[0]} against {names[1]}", "not bold")
    for (name, what), (_, what_else) in zip(*casts, strict=True):
        both = what if what == what_else else f"{what} | {what_else}"
        yield Text(f"  {name:<5}", "bold").append(both, "not bold")
    moments = first_difference(*pair)
    if moments is None:
        yield Text("The two games are the same, move by move.")
        last = [side[-1].text if side else "" for side in lines]
        if last[0] != last[1]:
            yield from _columns(
                None, *(NarrationLine("", "the end", text) for text in last)
            )
        return
    starts = [_open_at(side, at) for side, at in zip(lines, moments, strict=True)]
    first = lines[0][starts[0]]
    where = ", ".join(filter(None, (first.chapter, first.beat)))
    before = f", after {starts[0]} equal lines" if starts[0] > 1 else ""
    yield Text(f"They differ from {where}{before}.", "italic")
    yield Text()
    yield Text(f"{names[0]:<{_COLUMN}}    {names[1]}", "bold")
    chapter = first.chapter if not first.heading else ""
    for left, right in _aligned(lines[0][starts[0] :], lines[1][starts[1] :]):
        line = left or right
        if line is not None and line.chapter != chapter:
            chapter = line.chapter
            yield Text()
            yield Text(chapter[:1].upper() + chapter[1:], "bold")
        yield from _columns(line, left, right)


def first_difference(
    one: Sequence[Event], other: Sequence[Event]
) -> tuple[int, int] | None:
    """Return the numbers of the first events that differ in a choice or draw."""
    moves = [
        [event for event in side if event["type"] in ("choice", "chance")]
        for side in (one, other)
    ]
    for left, right in zip_longest(*moves):
        if left is None or right is None or _move(left) != _move(right):
            last = (one[-1] if left is None else left)["n"]
            return last, (other[-1] if right is None else right)["n"]
    return None


def _move(event: Event) -> object:
    """Return what identifies a choice or a draw."""
    if event["type"] == "choice":
        return event["name"], event["seat"], event["chosen"]
    drawn = {key: value for key, value in event.items() if key not in _TIME}
    return event["name"], drawn


def _open_at(lines: Sequence[NarrationLine], at: int) -> int:
    """Return the number of the line that narrates an event."""
    narrated = [n for n, line in enumerate(lines) if not line.heading]
    return max((n for n in narrated if lines[n].at <= at), default=narrated[0])


def _aligned(
    one: Sequence[NarrationLine], other: Sequence[NarrationLine]
) -> Iterator[tuple[NarrationLine | None, NarrationLine | None]]:
    """Yield pairs of lines of the same moment."""
    left, right = ([f"{x.chapter} {x.beat}" for x in side] for side in (one, other))
    blocks = SequenceMatcher(None, left, right, False).get_opcodes()
    for _, start, end, start_other, end_other in blocks:
        yield from zip_longest(one[start:end], other[start_other:end_other])


def _columns(
    line: NarrationLine | None, left: NarrationLine | None, right: NarrationLine | None
) -> Iterator[Text]:
    """Yield two lines side by side, or one if both are the same."""
    if line is not None and line.heading:
        both = {side.text for side in (left, right) if side is not None}
        if both == {""}:
            return
    same = left is not None and right is not None and _whole(left) == _whole(right)
    if same and left is not None:
        yield from (
            Text(f"  {part}", "dim")
            for part in textwrap.wrap(f"both: {_whole(left)}", 2 * _COLUMN)
        )
        return
    for one, other in zip_longest(_wrapped(left), _wrapped(right), fillvalue=""):
        yield Text(f"{one:<{_COLUMN}}  │ {other}")


def _whole(line: NarrationLine) -> str:
    score = f" [{line.score}]" if line.score else ""
    return f"{line.beat} {line.text}{score}".strip()


def _wrapped(line: NarrationLine | None) -> list[str]:
    if line is None:
        return []
    beat = "" if line.heading else f"{line.beat:<{_BEAT}} "
    score = f" [{line.score}]" if line.score else ""
    return textwrap.wrap(
        f"{beat}{line.text}{score}", _COLUMN, subsequent_indent="" if not beat else "  "
    )

"""The same deal twice, side by side: two rule sets, or two lineups, of one game.

What is equal is told in one line; from the first moment at which somebody chooses
otherwise, or something else is drawn, both games are told in columns.
"""

import textwrap
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from rich.text import Text

from experiments.core import telling
from experiments.core.cells import Cell, UsageError
from sim import games as registry
from sim.narration import Event, NarrationLine

_COLUMN = 56  # characters of a column
_BEAT = 11
_TIME = {"game", "n"}


def texts(one: Cell, other: Cell, number: int, names: Sequence[str]) -> Iterator[Text]:
    """Game ``number`` under both, in two columns with these names.

    Raises ``UsageError`` where the games have no counterpart.
    """
    if (one.game, one.players) != (other.game, other.players):
        raise UsageError("against: another game, or another number of players.")
    pair = [list(telling.events(cell, [number])) for cell in (one, other)]
    stories = [registry.load(one.game).narrator(registry.load(one.game)) for _ in pair]
    lines = [list(s.lines(e)) for s, e in zip(stories, pair, strict=True)]
    setup = pair[0][0]
    places = registry.positions(stories[0].game, one.players)
    casts = (story.cast(places) for story in stories)
    head = Text(
        f"{stories[0].game.title}, game {number} of seed {setup['seed']}", "bold"
    )
    yield head.append(f": {names[0]} against {names[1]}", "not bold")
    for (name, what), (_, what_else) in zip(*casts, strict=True):
        both = what if what == what_else else f"{what} | {what_else}"
        yield Text(f"  {name:<5}", "bold").append(both, "not bold")
    moments = parting(*pair)
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
    before = f", after {starts[0]} lines that are the same" if starts[0] > 1 else ""
    yield Text(f"They part in {where}{before}.", "italic")
    yield Text()
    yield Text(f"{names[0]:<{_COLUMN}}    {names[1]}", "bold")
    chapter = first.chapter if not first.heading else ""
    for left, right in _aligned(lines[0][starts[0] :], lines[1][starts[1] :]):
        told = left or right
        if told is not None and told.chapter != chapter:
            chapter = told.chapter
            yield Text()
            yield Text(chapter[:1].upper() + chapter[1:], "bold")
        yield from _columns(told, left, right)


def parting(one: Sequence[Event], other: Sequence[Event]) -> tuple[int, int] | None:
    """Which events of each are the first that differ in what is chosen or drawn."""
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
    """What is compared of a choice, or of what was drawn."""
    if event["type"] == "choice":
        return event["name"], event["seat"], event["chosen"]
    told = {key: value for key, value in event.items() if key not in _TIME}
    return event["name"], told


def _open_at(lines: Sequence[NarrationLine], at: int) -> int:
    """The line that tells an event."""
    told = [n for n, line in enumerate(lines) if not line.heading]
    return max((n for n in told if lines[n].at <= at), default=told[0])


def _aligned(
    one: Sequence[NarrationLine], other: Sequence[NarrationLine]
) -> Iterator[tuple[NarrationLine | None, NarrationLine | None]]:
    """Lines of the same moment beside each other."""
    left, right = ([f"{x.chapter} {x.beat}" for x in side] for side in (one, other))
    for _, a, b, c, d in SequenceMatcher(None, left, right, False).get_opcodes():
        yield from zip_longest(one[a:b], other[c:d])


def _columns(
    told: NarrationLine | None, left: NarrationLine | None, right: NarrationLine | None
) -> Iterator[Text]:
    """Two lines beside each other; one, where both say the same."""
    if told is not None and told.heading:
        texts_ = {line.text for line in (left, right) if line is not None}
        if texts_ == {""}:
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

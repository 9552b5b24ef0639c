"""The turning points of a game in words, and the chances as a line of text."""

from collections.abc import Iterator, Sequence

import polars as pl

from experiments.core.cells import Cell
from experiments.counterfactual.game_turning_points import (
    GameTurningPoints,
    TurningPoint,
)
from sim import games
from sim.games import Game
from sim.narration import NAMES, Event, Narrator

_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 60  # characters of a line of chances
_COUNTS = ("Nothing", "One decision", "Two decisions", "Three decisions")


def told(
    cell: Cell, turns: GameTurningPoints, events: Sequence[Event]
) -> list[tuple[str, str]]:
    """Return when each turning point was, and what hung on it, from a game's events."""
    game = games.load(cell.game)
    story = game.narrator(game)
    for event in events:
        story.follow(event)
    choices = [event for event in events if event["type"] == "choice"]
    return [
        (moment(choices[point.number], game), point_words(point, story))
        for point in turns.points
    ]


def marks(
    cell: Cell, turns: GameTurningPoints, events: Sequence[Event]
) -> dict[int, str]:
    """Return what to say beneath each turning point, by the number of its decision."""
    titles = (
        f"{when}, {words.partition(':')[0]}"
        for when, words in told(cell, turns, events)
    )
    return {
        point.number: f"[{place}] {title}"
        for place, (point, title) in enumerate(
            zip(turns.points, titles, strict=True), start=1
        )
    }


def point_words(point: TurningPoint, story: Narrator) -> str:
    """Say what would have been better, or worse, and by how much.

    Numbers are games won in 100, with the half-width of a simultaneous 95 % interval.
    """
    chosen, other = (
        story.words({"type": "choice", "name": point.kind, "chosen": answer})["chosen"]
        or "nothing"
        for answer in (point.chosen, point.other)
    )
    mistake = point.difference < 0
    what, more = ("mistake", "more") if mistake else ("best choice", "fewer")
    size = f"{100 * abs(point.difference):.0f} +- {100 * point.error:.0f} {more}"
    return (
        f"{story.name(point.seat)}'s {what} ({point.kind.replace('_', ' ')}): {chosen} "
        f"wins {100 * point.chance:.0f} of 100 such games, {other} would have won "
        f"{100 * point.other_chance:.0f} ({size})"
    )


def summary(
    cell: Cell, turns: GameTurningPoints, events: Sequence[Event]
) -> Iterator[str]:
    """Yield what mattered, and each player's chances from first to last decision."""
    yield f"{headline(turns)}."
    for place, (when, words) in enumerate(told(cell, turns, events), start=1):
        yield f"  [{place}] {when}, {words}."
    widths = sorted(one.high - one.low for one in turns.chances)
    if not widths:
        return
    typical = 50 * widths[len(widths) // 2]
    yield (
        "Chances to win after each own decision, as its player could know them, and "
        f"what came of it (of 100; each about +- {typical:.0f}):"
    )
    for seat, won in enumerate(turns.won):
        own = [one.chance for one in turns.chances if one.seat == seat]
        if own:
            ends = f"{100 * own[0]:.0f} to {100 * own[-1]:.0f}, then {100 * won:.0f}"
            yield f"  {NAMES[seat]:<5} {sparkline(own)}  {ends}"


def headline(turns: GameTurningPoints) -> str:
    """Say how many decisions mattered for certain, and who plays on."""
    many = len(turns.points)
    of = f"of {turns.decisions} with several options, if all play on as {turns.player}"
    if not many:
        return f"Nothing is certain to have mattered ({of})"
    return f"{_COUNTS[many]} mattered most ({of})"


def moment(event: Event, game: Game) -> str:
    """Say when a decision was made, by its clock."""
    clock = game.kinds[event["name"]].clock
    return ", ".join(f"{unit} {event[unit]}" for unit in clock if unit in event)


def sparkline(chances: Sequence[float]) -> str:
    """Draw chances as a line of bars; of many, means of neighbours.

    >>> sparkline([0.0, 0.25, 0.5, 1.0])
    '▁▃▅█'
    """
    size = -(-len(chances) // _WIDEST)
    parts = [chances[at : at + size] for at in range(0, len(chances), size)]
    means = (sum(part) / len(part) for part in parts)
    return "".join(_BARS[min(int(mean * len(_BARS)), len(_BARS) - 1)] for mean in means)


def chance_table(turns: GameTurningPoints) -> pl.DataFrame:
    """Return the chances for a figure: decision, player, estimate, low, high."""
    rows = [
        (one.number + 1, NAMES[one.seat], one.chance, one.low, one.high)
        for one in turns.chances
    ]
    schema: dict[str, type[pl.DataType]] = {"decision": pl.Int64, "player": pl.String}
    schema |= dict.fromkeys(("estimate", "low", "high"), pl.Float64)
    return pl.DataFrame(rows, schema, orient="row")

"""Findings of a ladder of skill, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_CEILING = 0.9  # win share above which gains can only be small
Row = dict[str, Any]  # of the table of a ladder


@dataclass(frozen=True)
class LadderSummary:
    """The results of a ladder that sentences are about (``skill_result.Ladder``)."""

    rows: Sequence[Row]
    doublings: Sequence[Row]
    players: int
    tolerance: float
    budgets: Sequence[int]
    budgets_left: Sequence[int]
    why: str


def findings(summary: LadderSummary) -> list[str]:
    """Return a sentence each on strategies, search, depth and luck."""
    texts = [
        _strategies(summary.rows),
        _search(summary),
        _depth(summary),
        _luck(summary.rows),
    ]
    return [text for text in texts if text]


def _strategies(rows: Sequence[Row]) -> str:
    """Say how strong the strategies below search are."""
    named = [row for row in rows if row["samples"] is None]
    if not named:
        return ""
    low, top = named[0], named[-1]
    sure = [row["rung"] for row in named if row["verdict"] == "gains"]
    steps = [row for row in named if row["verdict"] is not None]
    text = f"Strategies: {low['rung']} wins {_share(low)}"
    if top is not low:
        text += f", {top['rung']} {_share(top)}"
    text += _at(low["table"], {row["table"] for row in named})
    if steps:
        count = _count(len(steps), "step")
        text += f"; {len(sure)} of {count} between them are shown to gain"
    return f"{text}."


def _search(ladder: LadderSummary) -> str:
    """Say what the largest budget wins."""
    tried = [row for row in ladder.rows if row["samples"] is not None]
    if not tried:
        return ""
    top = tried[-1]
    text = (
        f"Search: one {top['rung']} at a table of {top['table']} wins {_share(top)}; "
        f"an even share is {100 / ladder.players:.1f} %."
    )
    if top["share"] > _CEILING:
        text += " Hardly more can be won there: see --against before."
    return text


def _depth(ladder: LadderSummary) -> str:
    """Say how many doublings gain something, and whether the game may go deeper."""
    rows = ladder.doublings
    beyond = f"{100 * ladder.tolerance:g} points"
    if not rows:
        return f"Depth: no two budgets of search were compared{_left(ladder)}."
    sure = [number for number, row in enumerate(rows, 1) if row["verdict"] == "gains"]
    unsure = sum(row["verdict"] == "not sure" for row in rows)
    step = _step(ladder)
    if sure:
        last = rows[sure[-1] - 1]
        text = (
            f"Depth: at least {_count(sure[-1], step)} of the samples: the one to "
            f"{_samples(last)} is shown to gain ({_points(last)})"
        )
    else:
        text = f"Depth: no {step} of the samples is shown to gain anything"
    if len(rows) > 1:
        mean = sum(row["gain"] for row in rows) / len(rows)
        text += f"; on average a {step} gains {100 * mean:.1f} points"
    if unsure:
        text += f"; {unsure} of {len(rows)} may or may not"
    last = rows[-1]
    if last["verdict"] == "no more":
        text += f". The one to {_samples(last)} is shown to gain less than {beyond}"
        text += f" ({_points(last)})"
    else:
        text += f". None is shown to gain less than {beyond}: the game may be deeper"
    return f"{text}{_left(ladder)}."


def _left(ladder: LadderSummary) -> str:
    if not ladder.budgets_left:
        return ""
    budgets = ", ".join(map(str, ladder.budgets_left))
    why = {
        "time": "there was no time for",
        "no more": "so these were not tried:",
    }[ladder.why]
    return f"; {why} {budgets} samples"


def _luck(rows: Sequence[Row]) -> str:
    """Say how much of winning is luck at the first and the last rung."""
    known = [row for row in rows if row["deal"] is not None]
    if not known:
        return ""
    ends = [known[0], *known[1:][-1:]]
    parts = [
        f"with one {row['rung']} among {row['table']}, {_part(row['strategy'])} of the "
        f"variance in winning is strategy and {_part(row['deal'])} the deal"
        for row in ends
    ]
    rest = "The rest is seats, later chance and how opponents play"
    return f"Luck and skill: {'; '.join(parts)}. {rest}."


def _step(ladder: LadderSummary) -> str:
    """Return the word for a step from budget to budget."""
    pairs = zip(ladder.budgets, ladder.budgets[1:], strict=False)
    doubled = all(after == 2 * before for before, after in pairs)
    return "doubling" if doubled else "increase"


def _at(table: str, tables: set[str]) -> str:
    return f" at a table of {table}" if len(tables) == 1 else " at the table below it"


def _samples(row: Row) -> str:
    return _count(row["samples"], "sample")


def _count(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _part(share: float) -> str:
    return f"{100 * share:.0f} %"


def _share(row: Row) -> str:
    low, high = 100 * row["low"], 100 * row["high"]
    return f"{100 * row['share']:.1f} % [{low:.1f}, {high:.1f}]"


def _points(row: Row) -> str:
    low, high = 100 * row["gain_low"], 100 * row["gain_high"]
    return f"{100 * row['gain']:+.1f} points [{low:+.1f}, {high:+.1f}]"

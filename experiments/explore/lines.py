"""The lines of two rule sets as a page shows them: numbers, intervals, verdicts, words.

What a line is held to, and the words of its verdict, are those of the scorecard; what
a change does is judged as in ``levers``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy.special import stdtr

from experiments.analysis.effects import difference, judged
from experiments.analysis.held import ONE_WAY, held
from experiments.analysis.score_lines import Line
from reports.printing import Style
from reports.scorecard.lines import BY_ID, Tolerance
from reports.scorecard.score import SHAPES, UNSURE
from reports.statistics.intervals import Array

Row = dict[str, Any]
Seen = Mapping[str, Array]


def about(line: Line) -> Row:
    """What a page has to know of a line before anything is played."""
    scored = BY_ID[line.id]
    scale, unit = _unit(line)
    limits = scored.tolerance
    beside = f"{unit} beside chance" if scored.chance else unit
    return {
        "id": line.id,
        "title": scored.title,
        "asks": scored.asks,
        "meaning": f"{line.doc[:1].upper()}{line.doc[1:]}.",
        "fair": "" if line.id in ONE_WAY else _fair(limits, scale, beside),
        "least": _end(limits.least * scale),
        "most": _end(limits.most * scale),
        "unit": unit,
        "goal": "" if line.style == "number" else "pp",  # of a bound that is looked for
        "scale": scale if line.style == "number" else 1.0,
    }


def rows(
    lines: Sequence[Line], base: Seen, here: Seen | None, games: int, wide: float
) -> list[Row]:
    """A row a line: ``base`` and ``here`` (value, low, high, verdict), ``change``.

    ``here`` is None where nothing is changed. ``wide``: how many times wider intervals
    are for looking.
    """
    changes = {} if here is None else _changes(lines, base, here, games, wide)
    return [
        {
            "id": line.id,
            "base": _number(line, base, wide),
            "here": None if here is None else _number(line, here, wide),
            "change": changes.get(line.id),
        }
        for line in lines
        if line.id in base
    ]


def settled(found: Sequence[Row]) -> bool:
    """Whether more games would tell nothing that is still open."""
    return not any(
        part is not None and part["open"]
        for row in found
        for part in (row["base"], row["here"], row["change"])
    )


def signed(line: Line, size: float, low: float, high: float) -> str:
    """A difference with its interval: ``+2.1 [1.0, 3.2] points``."""
    scale, unit = _unit(line)
    unit = "points" if line.style == "share" else unit
    digits = _digits(low * scale, high * scale)
    return (
        f"{scale * size:+z.{digits}f} [{scale * low:z.{digits}f}, "
        f"{scale * high:z.{digits}f}] {unit}"
    )


def direction(line: Line, row: Mapping[str, Any]) -> str:
    """Whether a difference is for the better: by the end that the tolerance has."""
    limits = BY_ID[line.id].tolerance
    up = row["difference"] > 0
    if np.isinf(limits.least):
        return "worse" if up else "better"
    if np.isinf(limits.most):
        return "better" if up else "worse"
    before, after = (_beyond(limits, row[side]) for side in ("base", "value"))
    if before == after:
        return "other"
    return "worse" if after > before else "better"


def _beyond(limits: Tolerance, value: float) -> float:
    return max(value - limits.most, limits.least - value, 0.0)


def _number(line: Line, seen: Seen, wide: float) -> Row | None:
    """The number of a line, its interval and its verdict; none where it has none."""
    found = held(line, seen, wide)
    if found is None:
        return None
    value, low, high, verdict = found.value, found.low, found.high, found.verdict
    scale, unit = _unit(line)
    digits = _digits(low * scale, high * scale)
    sign = "+" if BY_ID[line.id].chance else ""
    return {
        "value": scale * value,
        "low": scale * low,
        "high": scale * high,
        "text": f"{scale * value:{sign}z.{digits}f} {unit}",
        "interval": f"{scale * low:z.{digits}f} to {scale * high:z.{digits}f}",
        "verdict": "for a report" if line.id in ONE_WAY else verdict,
        "open": verdict in (*UNSURE, "watch or broken"),
        "shape": SHAPES[verdict],
    }


def _changes(
    lines: Sequence[Line], base: Seen, here: Seen, games: int, wide: float
) -> dict[str, Row]:
    """What differs in each line, judged over all of them."""
    found = []
    for line in lines:
        one, other = base.get(line.id), here.get(line.id)
        if one is None or other is None:
            continue
        apart = difference(one, other)
        size, half = apart["difference"], wide * (apart["high"] - apart["difference"])
        if apart["se"] > 0:
            tail = stdtr(len(one) - 2, -abs(size) / (wide * apart["se"]))
            apart["p"] = 2 * float(tail)
        apart |= {"low": size - half, "high": size + half, "se": wide * apart["se"]}
        tolerance = line.tolerance(float(one[0]))
        found.append(
            {
                "line": line.id,
                "base": float(one[0]),
                "value": float(other[0]),
                **apart,
                "tolerance": tolerance,
                "games": games,
            }
        )
    if not found:
        return {}
    by_id = {line.id: line for line in lines}
    frame = judged(pl.DataFrame(found))
    return {
        row["line"]: _told(by_id[row["line"]], row)
        for row in frame.iter_rows(named=True)
        if row["difference"] is not None
    }


def _told(line: Line, row: Mapping[str, Any]) -> Row:
    """A change in words."""
    size, verdict = row["difference"], row["verdict"]
    scale, _ = _unit(line)
    word, words = {"the same": ("same", "the same")}.get(
        verdict, ("open", "not settled")
    )
    if row["marked"]:
        words = line.more if size > 0 else line.less
        word = direction(line, row)
        if verdict == "differs a little":  # within what does not matter
            word, words = "little", f"{words}, a little"
    return {
        "difference": scale * size,
        "low": scale * row["low"],
        "high": scale * row["high"],
        "text": signed(line, size, row["low"], row["high"]),
        "verdict": verdict,
        "open": verdict == "undecided",
        "word": word,
        "words": words,
    }


def _unit(line: Line) -> tuple[float, str]:
    """What a number is multiplied by, and its unit in words."""
    style: Style = line.style
    if BY_ID[line.id].chance:
        return 100.0, "%" if style == "number" else "points"
    if style == "number":
        return 1.0, line.unit
    return 100.0, "points" if style == "points" else "%"


def _digits(low: float, high: float) -> int:
    """Decimals that an interval of this width is worth."""
    width = high - low
    if not np.isfinite(width) or width <= 0:
        return 1
    return int(min(max(1 - np.floor(np.log10(width)), 0), 3))


def _fair(limits: Tolerance, scale: float, unit: str) -> str:
    low, high = f"{limits.least * scale:g}", f"{limits.most * scale:g}"
    if np.isinf(limits.least):
        return f"at most {high} {unit}"
    return (
        f"at least {low} {unit}" if np.isinf(limits.most) else f"{low} to {high} {unit}"
    )


def _end(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None

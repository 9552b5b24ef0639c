"""Scorecard lines of two rule sets for a page: numbers, intervals, verdicts, words.

Bounds, formats, pictures and words of verdicts are those of the scorecard; changes are
tested as in ``levers``.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from experiments.analysis.scorecard_effects import Scores
from experiments.analysis.tolerance_check import ONE_WAY, check_line
from reports.scorecard.line_estimate import LineEstimate
from reports.scorecard.line_pictures import interval_picture
from reports.scorecard.lines import BY_ID
from reports.scorecard.page_one import allowed
from reports.scorecard.score_line import ScoreLine, text
from reports.scorecard.scored_line import SHAPES, UNSURE, ScoredLine

Row = dict[str, Any]


def scorecard_rows(scores: Scores) -> list[Row]:
    """Return the lines of the base, and of a changed rule set if there is one.

    Numbers (``sides``) have text, interval, verdict, shape and picture (SVG); the
    ``word`` of a change is better, worse, little, other, same or open. ``open``:
    whether more games could settle more; ``half``: the widest half-width of a share.
    """
    changes = {row["line"]: row for row in scores.effects().iter_rows(named=True)}
    rows = []
    for line in (each for each in scores.lines if each.id in scores.values[0]):
        about, change = BY_ID[line.id], changes.get(line.id, {"difference": None})
        sides = [_number(line, scores, at) for at in range(len(scores.values))]
        numbers = [number for number in sides if number]
        row: Row = {"id": line.id, "title": about.title, "sides": sides}
        row["doc"] = f"{about.asks} {line.doc[:1].upper()}{line.doc[1:]}."
        row["allowed"] = "" if line.id in ONE_WAY else allowed(about)
        if change["difference"] is not None:
            row |= {"text": difference_of(line, change)} | _words(line, change)
            half = (change["high"] - change["low"]) / 2
            numbers.append({"half": half, "open": change["verdict"] == "undecided"})
        row["open"] = any(number["open"] for number in numbers)
        widest = max((number["half"] for number in numbers), default=0.0)
        # Not a share of interest
        ignored = line.style == "number" or line.id in ONE_WAY
        rows.append(row | {"half": 0.0 if ignored else widest})
    return rows


def difference_of(line: ScoreLine, row: Mapping[str, Any]) -> str:
    """Return a difference with its interval: ``+2.1 points [1.0, 3.2]``."""
    about = BY_ID[line.id]
    if line.style != "number" or about.chance:
        about = replace(about, style="points")
    size, low, high = (row[name] for name in ("difference", "low", "high"))
    ends = f"[{text(about, low, bare=True)}, {text(about, high, bare=True)}]"
    return f"{'+' * (size > 0)}{text(about, size)} {ends}"


def _words(line: ScoreLine, row: Mapping[str, Any]) -> Row:
    """Return a change in words."""
    if not row["marked"]:
        if row["verdict"] == "the same":
            return {"word": "same", "words": "the same"}
        return {"word": "open", "words": "not settled"}
    words = line.more if row["difference"] > 0 else line.less
    words = ": ".join(filter(None, (words, row["option"])))
    if row["verdict"] == "differs a little":  # within the tolerance
        return {"word": "little", "words": f"{words}, a little"}
    word = line.direction(row["base"], row["value"])
    return {"word": word, "words": words if word == "other" else f"{word}: {words}"}


def _number(line: ScoreLine, scores: Scores, at: int) -> Row | None:
    """Return the number of a line, its interval and verdict; None if it has none."""
    tested = check_line(line, scores.values[at], scores.widening)
    if tested is None:
        return None
    about, half = BY_ID[line.id], tested.high - tested.value
    one_way, value = line.id in ONE_WAY, tested.value
    number = LineEstimate(value, tested.low, tested.high, (value,), (half,))
    drawn = (
        ""
        if one_way
        else interval_picture(ScoredLine(about, 0, tested.verdict, number))
    )
    beside = " beside chance" if about.chance else ""
    if about.chance:
        about = replace(about, style="share" if line.style == "number" else "points")
    ends = [text(about, end, bare=True) for end in (tested.low, tested.high)]
    words, interval = f"{text(about, value)}{beside}", " to ".join(ends)
    if about.claims is not None and tested.low <= 0:  # the best less the worst
        words, interval = "none shown", f"up to {ends[1]}"
    return {
        "text": words,
        "interval": interval,
        "verdict": "for a report" if one_way else tested.verdict,
        "shape": SHAPES[tested.verdict],
        "picture": drawn,
        "open": tested.verdict in (*UNSURE, "watch or broken"),
        "half": half,
    }

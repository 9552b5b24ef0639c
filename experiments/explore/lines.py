"""The lines of two rule sets as a page shows them: numbers, intervals, verdicts, words.

What a line is held to, how its number is printed and drawn and the words of its verdict
are those of the scorecard; what a change does is judged as in ``levers``.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from experiments.analysis.effects import Scores
from experiments.analysis.held import ONE_WAY, held
from experiments.analysis.score_lines import Line
from reports.scorecard.found import Found
from reports.scorecard.lines import BY_ID, text
from reports.scorecard.page_one import allowed, picture
from reports.scorecard.score import SHAPES, UNSURE, Score

Row = dict[str, Any]


def shown(scores: Scores) -> list[Row]:
    """The lines of the base, and of a rule set beside it if there is one.

    Numbers (``sides``) have text, interval, verdict, shape and picture (SVG); the
    ``word`` of a change is better, worse, little, other, same or open. ``open``:
    whether more games would tell more; ``half``: the widest interval of a share.
    """
    changes = {row["line"]: row for row in scores.effects().iter_rows(named=True)}
    found = []
    for line in (one for one in scores.lines if one.id in scores.values[0]):
        about, change = BY_ID[line.id], changes.get(line.id, {"difference": None})
        sides = [_number(line, scores, at) for at in range(len(scores.values))]
        some = [one for one in sides if one]
        row: Row = {"id": line.id, "title": about.title, "sides": sides}
        row["doc"] = f"{about.asks} {line.doc[:1].upper()}{line.doc[1:]}."
        row["allowed"] = "" if line.id in ONE_WAY else allowed(about)
        if change["difference"] is not None:
            row |= {"text": difference_of(line, change)} | _words(line, change)
            half = (change["high"] - change["low"]) / 2
            some.append({"half": half, "open": change["verdict"] == "undecided"})
        row["open"] = any(one["open"] for one in some)
        widest = max((one["half"] for one in some), default=0.0)
        narrow = line.style == "number" or line.id in ONE_WAY  # or no share of interest
        found.append(row | {"half": 0.0 if narrow else widest})
    return found


def difference_of(line: Line, row: Mapping[str, Any]) -> str:
    """A difference with its interval: ``+2.1 points [1.0, 3.2]``."""
    about = BY_ID[line.id]
    if line.style != "number" or about.chance:
        about = replace(about, style="points")
    size, low, high = (row[name] for name in ("difference", "low", "high"))
    ends = f"[{text(about, low, bare=True)}, {text(about, high, bare=True)}]"
    return f"{'+' * (size > 0)}{text(about, size)} {ends}"


def _words(line: Line, row: Mapping[str, Any]) -> Row:
    """A change in words."""
    if not row["marked"]:
        if row["verdict"] == "the same":
            return {"word": "same", "words": "the same"}
        return {"word": "open", "words": "not settled"}
    words = line.more if row["difference"] > 0 else line.less
    words = ": ".join(filter(None, (words, row["option"])))
    if row["verdict"] == "differs a little":  # within what does not matter
        return {"word": "little", "words": f"{words}, a little"}
    word = line.direction(row["base"], row["value"])
    return {"word": word, "words": words if word == "other" else f"{word}: {words}"}


def _number(line: Line, scores: Scores, at: int) -> Row | None:
    """The number of a line, its interval and its verdict; none where it has none."""
    found = held(line, scores.values[at], scores.wide)
    if found is None:
        return None
    about, half = BY_ID[line.id], found.high - found.value
    one_way, value = line.id in ONE_WAY, found.value
    number = Found(value, found.low, found.high, (value,), (half,))
    drawn = "" if one_way else picture(Score(about, 0, found.verdict, number))
    beside = " beside chance" if about.chance else ""
    if about.chance:
        about = replace(about, style="share" if line.style == "number" else "points")
    ends = [text(about, end, bare=True) for end in (found.low, found.high)]
    shown, interval = f"{text(about, value)}{beside}", " to ".join(ends)
    if about.claims is not None and found.low <= 0:  # of the best less the worst
        shown, interval = "none shown", f"up to {ends[1]}"
    return {
        "text": shown,
        "interval": interval,
        "verdict": "for a report" if one_way else found.verdict,
        "shape": SHAPES[found.verdict],
        "picture": drawn,
        "open": found.verdict in (*UNSURE, "watch or broken"),
        "half": half,
    }

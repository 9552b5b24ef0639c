"""A line of the scorecard with its number, interval, tolerance and verdict.

A verdict comes from a test (``reports.statistics.equivalence.judge``), never from a
point estimate: "fair" if the number is within the tolerance, "watch" if it is beyond it
by up to a margin, "broken" if it is further beyond. A verdict has one word if the 95 %
interval lies within that range, and two ("watch or broken") if the interval contains
the bound between them. If it contains both bounds, the games do not tell ("not
settled"). "one way to play only": games of just one good strategy show what that one
does, not what the game allows. "not measured": the run has no such number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from reports.scorecard.line_estimate import LineEstimate
from reports.scorecard.score_line import LineTolerance, ScoreLine
from reports.statistics.equivalence import judge, overall
from reports.statistics.random_effects import StrongRange

LineVerdict = Literal[
    "fair",
    "fair or watch",
    "watch",
    "watch or broken",
    "broken",
    "not settled",
    "one way to play only",
    "not measured",
]
SHAPES: Mapping[LineVerdict, str] = {
    "fair": "●",
    "fair or watch": "●▲",
    "watch": "▲",
    "watch or broken": "▲■",
    "broken": "■",
    "not settled": "○",
    "one way to play only": "○",
    "not measured": "·",
}
"""The shape printed beside each verdict."""
PROBLEMS: tuple[LineVerdict, ...] = ("watch", "watch or broken", "broken")
"""Verdicts of lines that are shown not to be fair."""
OPEN: tuple[LineVerdict, ...] = ("fair or watch", "not settled")
"""Verdicts of lines that more games would settle."""
UNSURE: tuple[LineVerdict, ...] = (*OPEN, "one way to play only")
"""Verdicts of lines that may be fair or not."""
REVERSE = "it is the other way round"
"""How a clause begins about a way to play that shows the opposite."""


@dataclass(frozen=True)
class ScoredLine:
    """A line with its number and verdict.

    ``agree``, ``differ`` and ``unsettled`` are the other ways to play that confirm the
    result, refute it (the clearest first), or do neither, judged as for findings
    (``reports.statistics.robustness``); ``excluded`` are those in which play decides
    nothing. ``skilled``: what those are called who search or have learned, each with
    the word (agree, differ, unsettled) that holds at their tables; ``lead_skilled``:
    whether the leading players are some of these, too. ``asked``: whether ways to play
    were compared. ``instead``: the result of the first that differs, in words.
    ``beyond``: for a line about several things, those beyond the tolerance, worst
    first; ``unable``: options that no player here makes use of. ``size``: how far the
    number is beyond its tolerance, in margins. ``strong``: the numbers of those who
    search or have learned, where several settle the result. ``to_settle``: what would
    settle it for those of them who leave it open, as a sentence.
    """

    line: ScoreLine
    players: int
    verdict: LineVerdict
    estimate: LineEstimate | None = None
    agree: tuple[str, ...] = ()
    differ: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    skilled: tuple[tuple[str, str], ...] = ()
    lead_skilled: bool = False
    asked: bool = False
    instead: str = ""
    beyond: tuple[str, ...] = ()
    unable: tuple[str, ...] = ()
    size: float = 0.0
    strong: StrongRange | None = None
    to_settle: str = ""

    @property
    def stronger(self) -> str:
        """The word that holds for all skilled players, "" if there are none.

        One table that refutes is enough; all have to agree.
        """
        words = {word for _, word in self.skilled}
        if "differ" in words or len(words) < 2:
            return "differ" if "differ" in words else "".join(words)
        return "unsettled"

    @property
    def only_weaker(self) -> bool:
        """Whether it holds among weaker players alone: skilled ones refute it."""
        return self.stronger == "differ" and not self.lead_skilled

    def skilled_who(self, word: str) -> list[str]:
        """Return what the skilled players are called at whose tables a word holds."""
        return [called for called, holds in self.skilled if holds == word]

    @property
    def votes(self) -> tuple[int, int, int]:
        """How many ways to play show it, refute it, or do neither, the leading one too.

        Where strong players lead, weaker ones have no vote.
        """
        ways = (self.agree, self.differ, self.unsettled)
        agree, differ, open_ = (len(way) for way in ways)
        if self.lead_skilled:
            words = [word for _, word in self.skilled]
            counts = (words.count(word) for word in ("agree", "differ", "unsettled"))
            agree, differ, open_ = counts
        return 1 + agree, differ, open_

    @property
    def style_count(self) -> int:
        """Number of ways to play that count, including the leading one."""
        return 1 + len(self.agree) + len(self.differ) + len(self.unsettled)

    @property
    def side(self) -> str:
        """The side of the tolerance that the number is on: "low" or "high"."""
        if self.estimate is None:
            return ""
        limits = self.line.tolerance
        low = min(self.estimate.values) < limits.least
        return "low" if low else "high"


def table(scored: Sequence[ScoredLine]) -> pl.DataFrame:
    """Scores as a table."""
    rows = [
        {
            "line": score.line.id,
            "title": score.line.title,
            "players": score.players,
            "value": None if score.estimate is None else score.estimate.value,
            "se": None if score.estimate is None else score.estimate.se,
            "low": None if score.estimate is None else score.estimate.low,
            "high": None if score.estimate is None else score.estimate.high,
            "chance": None if score.estimate is None else score.estimate.chance,
            "least": score.line.tolerance.least,
            "most": score.line.tolerance.most,
            "margin": score.line.tolerance.margin,
            "n": None if score.estimate is None else score.estimate.n,
            "style": score.line.style,
            "unit": score.line.unit,
            "verdict": score.verdict,
            "note": "" if score.estimate is None else score.estimate.note,
            "beyond": ", ".join(score.beyond),
            "agree": len(score.agree),
            "differ": len(score.differ),
            "unsettled": len(score.unsettled),
            "stronger": score.stronger,
            "differ_names": "; ".join(score.differ),
            "instead": score.instead,
            "apart": "; ".join(score.excluded),
            "unable": "; ".join(score.unable),
            "size": score.size,
            "to_settle": score.to_settle,
            "strong_least": None if score.strong is None else score.strong.least,
            "strong_most": None if score.strong is None else score.strong.most,
            "strong_low": None if score.strong is None else score.strong.pooled.low,
            "strong_high": None if score.strong is None else score.strong.pooled.high,
        }
        for score in scored
    ]
    return pl.DataFrame(rows, schema=SCHEMA)


SCHEMA = {
    "line": pl.String,
    "title": pl.String,
    "players": pl.Int64,
    **dict.fromkeys(("value", "se", "low", "high", "chance"), pl.Float64),
    **dict.fromkeys(("least", "most", "margin", "n"), pl.Float64),
    **dict.fromkeys(("style", "unit", "verdict", "note", "beyond"), pl.String),
    **dict.fromkeys(("agree", "differ", "unsettled"), pl.Int64),
    **dict.fromkeys(
        ("stronger", "differ_names", "instead", "apart", "unable", "to_settle"),
        pl.String,
    ),
    **dict.fromkeys(
        ("size", "strong_least", "strong_most", "strong_low", "strong_high"), pl.Float64
    ),
}
"""Columns of ``score``."""


def verdict_of(estimate: LineEstimate | None, limits: LineTolerance) -> LineVerdict:
    """Return the verdict on a number, given its tolerance."""
    if estimate is None:
        return "not measured"
    if estimate.known_of:
        return "one way to play only"
    near, far = (
        _overall(estimate, ends) for ends in (limits.fair_range, limits.watch_range)
    )
    if near == "within":
        return "fair"
    if near == "undecided":
        return "fair or watch" if far == "within" else "not settled"
    words: Mapping[str, LineVerdict] = {"within": "watch", "outside": "broken"}
    return words.get(far, "watch or broken")


def _overall(estimate: LineEstimate, ends: tuple[float, float]) -> str:
    """Return the test's word; "within" only if the whole interval is."""
    word, (low, high) = overall(_judge(estimate, ends)), estimate.judged_interval
    whole = ends[0] <= low and high <= ends[1]
    return "undecided" if word == "within" and not whole else word


def _judge(estimate: LineEstimate, ends: tuple[float, float]) -> list[str]:
    return judge(estimate.values, estimate.errors, *ends, share=estimate.share)


def judged(line: ScoreLine, players: int, estimate: LineEstimate | None) -> ScoredLine:
    """Score a line: its verdict, and how far it is beyond its tolerance."""
    verdict = verdict_of(estimate, line.tolerance)
    if estimate is None:
        return ScoredLine(line, players, verdict)
    limits = line.tolerance
    values = np.array(estimate.values)
    over = np.fmax(np.fmax(values - limits.most, limits.least - values), 0)
    over = np.nan_to_num(over)
    size = float(over.max() / (limits.margin or 1))
    labels = estimate.words.get("labels", "").split("\n")
    outside = np.array(_judge(estimate, limits.fair_range)) == "outside"
    order = np.argsort(-over, kind="stable")
    beyond = tuple(labels[at] for at in order if outside[at] and len(labels) > at)
    return ScoredLine(
        line, players, verdict, estimate, beyond=tuple(filter(None, beyond)), size=size
    )

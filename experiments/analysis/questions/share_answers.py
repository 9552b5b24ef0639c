"""Answers about positions and roles: who wins more or less than an even share."""

import polars as pl

from experiments.analysis.questions.answer import (
    Part,
    Word,
    frame,
    other_levels,
    players_words,
)
from experiments.analysis.questions.question_forms import ParsedQuestion
from experiments.analysis.simulated_beside import MEASURE, in_words
from experiments.analysis.strength_games import StrengthGames
from reports.claims import TOLERANCE
from reports.scorecard.line_statistics import ROLE_WINS
from reports.scorecard.lines import BY_ID
from reports.scorecard.scored_line import PROBLEMS


def shares_of(played: StrengthGames, roles: bool) -> pl.DataFrame:
    """Return level, what, estimate, low, high, even, by position or by role."""
    rows = played.shares(ROLE_WINS if roles else MEASURE)
    even = pl.col("estimate").mean().over("level")
    return rows.rename({rows.columns[1]: "what"}).with_columns(even=even)


def one_group(question: ParsedQuestion, played: StrengthGames) -> Part:
    """Answer whether one position or role wins more or less than an even share.

    Yes needs an interval beyond the even share by more than the tolerance of 2 points.
    """
    roles = question.role
    rows = shares_of(played, roles)
    own = rows.filter(what=question.group)
    answers = {
        row["level"]: _beyond(row, question.claim) for row in own.iter_rows(named=True)
    }
    best = own.row(-1, named=True)
    who = players_words(best["level"])
    name = question.group if roles else in_words(question.group)
    text = (
        f"Among {who} {name} wins {_of_100(best)} of 100 games, where "
        f"{100 * best['even']:.0f} would be even"
    )
    told = [{**row, "answer": answers[row["level"]]} for row in own.to_dicts()]
    others = other_levels(frame(_kept(told)), answers[best["level"]])
    told = [
        {
            **row,
            "answer": answers[row["level"]] if row["what"] == question.group else "",
        }
        for row in rows.to_dicts()
    ]
    return Part(
        answers[best["level"]],
        (f"{text}{_weaker(own)}.", *filter(None, [others])),
        frame(_kept(told)),
        "Wins by role" if roles else "Wins by position",
        "%",
        best["even"],
    )


def _kept(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    names = ("level", "what", "estimate", "low", "high", "answer")
    return [{name: row[name] for name in names} for row in rows]


def _of_100(row: dict[str, float]) -> str:
    low, high = 100 * row["low"], 100 * row["high"]
    return f"{100 * row['estimate']:.0f} ({low:.0f} to {high:.0f})"


def _weaker(own: pl.DataFrame) -> str:
    parts = [
        f"{players_words(row['level'])} {100 * row['estimate']:.0f}"
        for row in own.head(-1).to_dicts()
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _beyond(row: dict[str, float], claim: str) -> Word:
    """Return whether a share is beyond even by more than the tolerance."""
    low, high = row["low"] - row["even"], row["high"] - row["even"]
    yes = {
        "less": high < -TOLERANCE,
        "more": low > TOLERANCE,
        "differ": high < -TOLERANCE or low > TOLERANCE,
    }
    no = {
        "less": low > -TOLERANCE,
        "more": high < TOLERANCE,
        "differ": low > -TOLERANCE and high < TOLERANCE,
    }
    return "yes" if yes[claim] else "no" if no[claim] else "cannot tell"


def all_positions(played: StrengthGames) -> Part:
    """Answer whether the position at the table matters, by the scorecard's line."""
    rows = shares_of(played, roles=False)
    checks = played.checks("positions")
    answers: dict[str, Word] = {
        level: "yes"
        if check.verdict in PROBLEMS
        else "no"
        if check.verdict == "fair"
        else "cannot tell"
        for level, check in checks.items()
    }
    best = played.best
    said = answers.get(best, "cannot tell")
    sentences = [_ends(rows.filter(level=level), level) for level in (best,)]
    for level in played.levels[:-1]:
        if answers.get(level) != said:
            word = answers.get(level, "cannot tell")
            sentences.append(f"{_ends(rows.filter(level=level), level)} ({word})")
    if said == "cannot tell" and (check := checks.get(best)):
        gap = f"{100 * max(check.low, 0):.0f} to {100 * check.high:.0f}"
        sentences.append(
            f"The best position is ahead of the worst by {gap} points of 100, and "
            f"{100 * BY_ID['positions'].tolerance.most:g} would not matter; more games "
            "(-n) would tell"
        )
    told = [{**row, "answer": answers.get(row["level"], "")} for row in rows.to_dicts()]
    return Part(
        said,
        tuple(f"{text}." for text in sentences),
        frame(_kept(told)),
        "Wins by position",
        "%",
        float(rows["even"][-1]),
    )


def _ends(rows: pl.DataFrame, level: str) -> str:
    """Say which positions win most and least."""
    ordered = rows.sort("estimate")
    worst, best = ordered.row(0, named=True), ordered.row(-1, named=True)
    return (
        f"Among {players_words(level)} {in_words(best['what'])} wins {_of_100(best)} "
        f"of 100 games and {in_words(worst['what'])} {_of_100(worst)}, where "
        f"{100 * best['even']:.0f} would be even"
    )

"""Answers from lines of the scorecard: length, comebacks, runaway leaders, players."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from experiments.analysis.questions.answer import (
    Part,
    Word,
    frame,
    other_levels,
    players_words,
)
from experiments.analysis.questions.question_forms import ParsedQuestion
from experiments.analysis.questions.share_answers import all_positions
from experiments.analysis.strength_games import StrengthGames
from experiments.analysis.tolerance_check import LineCheck
from reports.scorecard.lines import BY_ID, SECONDS
from reports.scorecard.scored_line import PROBLEMS, LineVerdict

_FAULTS = {
    "positions": "where you sit matters",
    "roles": "the role that you are dealt matters",
    "ties": "many games have no clear winner",
    "early": "games are decided early",
    "runaway": "an early leader runs away",
    "comeback": "who is behind hardly comes back",
    "length": "games are too long",
}
"""What is wrong where a line is broken, the most important first."""


def _word(verdict: LineVerdict, broken: Word, fair: Word) -> Word:
    if verdict in PROBLEMS:
        return broken
    return fair if verdict == "fair" else "cannot tell"


def one_line(
    line: str, played: StrengthGames, broken: Word, told: Callable[[LineCheck], str]
) -> Part:
    """Answer by the verdict on a line; ``broken`` is the word where it is broken."""
    fair: Word = "no" if broken == "yes" else "yes"
    checks = played.checks(line)
    rows = [
        {
            "level": level,
            "what": BY_ID[line].number or BY_ID[line].title,
            "estimate": check.value,
            "low": check.low,
            "high": check.high,
            "answer": _word(check.verdict, broken, fair),
        }
        for level, check in checks.items()
    ]
    title, unit = BY_ID[line].title, BY_ID[line].unit or "%"
    title += ", beyond chance" * BY_ID[line].chance
    if not rows:
        words = f"The game has no such number: {BY_ID[line].doc}."
        return Part("cannot tell", (words,), frame([]), title, unit)
    said = _word(checks[[*checks][-1]].verdict, broken, fair)
    level = [*checks][-1]
    others = other_levels(frame(rows), said)
    sentence = f"Among {players_words(level)} {told(checks[level])}."
    return Part(said, (sentence, *filter(None, [others])), frame(rows), title, unit)


def _beyond_chance(check: LineCheck) -> str:
    """Say how many games more, or fewer, are won than by chance."""
    low, high = 100 * check.low, 100 * check.high
    side = "more" if check.value > 0 else "fewer"
    return (
        f"{abs(100 * check.value):.0f} of 100 games {side} ({low:+.0f} to {high:+.0f}) "
        "than chance would give"
    )


def comeback(played: StrengthGames) -> Part:
    """Answer whether who is last at half-time can still win."""
    return one_line(
        "comeback",
        played,
        "no",
        lambda check: (
            f"who is last at half-time wins {_beyond_chance(check)}; up to "
            f"{-100 * BY_ID['comeback'].tolerance.least:g} fewer are fine"
        ),
    )


def runaway(played: StrengthGames) -> Part:
    """Answer whether the leader of the first third runs away."""
    return one_line(
        "runaway",
        played,
        "yes",
        lambda check: (
            "who leads alone from the first third to the end wins "
            f"{_beyond_chance(check)}; up to "
            f"{100 * BY_ID['runaway'].tolerance.most:g} more are fine"
        ),
    )


def length(
    question: ParsedQuestion, played: StrengthGames, minutes: Mapping[str, Any] | None
) -> Part:
    """Answer whether games are longer than the question's minutes, or the scorecard's.

    ``minutes``: mean, low, high of a group's sessions, from whom the pace is taken. The
    relative errors of the pace and of the decisions of a game are added in quadrature.
    """
    if minutes and minutes["low"] is None:
        words = "One session with minutes does not tell how long others take."
        return Part("cannot tell", (words,), frame([]), "Length", "")
    most = question.minutes or BY_ID["length"].tolerance.most or 90.0
    checks = played.checks("length")
    pace, error = 1.0, 0.0
    if minutes and checks:
        pace = minutes["mean"] / checks[[*checks][-1]].value
        error = 1 - minutes["low"] / minutes["mean"]
    rows: list[dict[str, Any]] = []
    for level, check in checks.items():
        below = math.hypot(error, 1 - check.low / check.value)
        above = math.hypot(error, check.high / check.value - 1)
        low = pace * check.value * max(1 - below, 0.0)
        high = pace * check.value * (1 + above)
        word: Word = "yes" if low > most else "no" if high < most else "cannot tell"
        row = {"level": level, "what": "minutes", "estimate": pace * check.value}
        rows.append({**row, "low": low, "high": high, "answer": word})
    if not rows:
        return Part("cannot tell", ("No game was measured.",), frame([]), "Length", "")
    best = rows[-1]
    how = "as your sessions take" if minutes else "a quick pace; --sessions sets yours"
    sentence = (
        f"Among {players_words(best['level'])} a game has "
        f"{60 / SECONDS * checks[best['level']].value:.0f} decisions; at "
        f"{SECONDS * pace:.0f} seconds each ({how}) that is {best['estimate']:.0f} "
        f"minutes, where {most:g} are allowed."
    )
    return Part(best["answer"], (sentence,), frame(rows), "Length of a game", "minutes")


def players(played: StrengthGames) -> Part:
    """Answer whether the game holds up: the lines that are broken, and positions."""
    base = all_positions(played)
    best = played.best
    checks = {line: played.checks(line) for line in _FAULTS}
    known = {line: at[best] for line, at in checks.items() if best in at}
    bad = [line for line, check in known.items() if check.verdict in PROBLEMS]
    open_lines = [
        line
        for line, check in known.items()
        if check.verdict not in (*PROBLEMS, "fair", "not measured")
    ]
    said: Word = "no" if bad else "cannot tell" if open_lines else "yes"
    who = players_words(best)
    sentences = []
    if bad:
        words = "; ".join(_FAULTS[line] for line in bad)
        sentences.append(f"Among {who}: {words}.")
    else:
        sentences.append(f"Among {who} nothing that was measured is broken.")
    if open_lines:
        words = "; ".join(_FAULTS[line] for line in open_lines)
        sentences.append(f"More games (-n) would tell whether: {words}.")
    return Part(
        said, (*sentences, *base.sentences), base.rows, base.title, base.unit, base.even
    )

"""Answers about options: traps, dead options, and those that are too strong.

How often an option is taken comes from the games at each strength. What it is worth
comes from what-ifs on the same deals: one player may not take it (``Forbid``), or, for
options that nobody takes, takes it whenever possible (``Force``). The bounds are those
of the report's verdicts (``reports.scorecard.option_verdicts``): what is too strong is
a backbone, and a trap that may cost less than a point is told to be as good as weak. Of
an option that no player at the table makes use of nothing is said.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import polars as pl

import sim.games
from experiments.analysis.compare_formatting import MANY, format_games
from experiments.analysis.questions.answer import (
    Part,
    Word,
    frame,
    players_words,
)
from experiments.analysis.questions.game_words import Option
from experiments.analysis.questions.question_forms import ParsedQuestion
from experiments.analysis.strength_games import StrengthGames
from experiments.analysis.what_if import what_if
from experiments.core.cells import Cell
from experiments.counterfactual.named_interventions import interventions_named
from reports.option_follow_ups import FollowUps, unused_by
from reports.scorecard.option_verdicts import LARGE, SMALL
from strategies.learned import Learned

DEAD = 0.02
"""An option is dead if good players take it less often, of the times they can."""
_QUICK = 4  # times more games of those who did not learn
_LEAST = 256  # games of an option
_TOLD = 3  # options in a sentence
_MISSED = "these players miss something"
_LISTED = 8  # names in a list
Row = dict[str, Any]


@dataclass(frozen=True)
class OptionTable:
    """The table at which options are tried.

    ``games``: deals of all options together. ``how`` goes to ``run``.
    """

    cell: Cell
    played: StrengthGames
    games: int
    how: Mapping[str, Any]

    @property
    def able(self) -> tuple[str, ...]:
        """The levels whose word counts: the strongest two."""
        return self.played.levels[-2:]

    @cached_property
    def unable(self) -> frozenset[Option]:
        """The options that nobody at the able levels makes use of."""
        kinds = sim.games.load(self.cell.game).kinds
        later: FollowUps = {
            (name, option): (after.decision, after.options)
            for name, kind in kinds.items()
            for option, after in kind.follow_ups.items()
        }
        taken = self.played.shares("option taken").drop_nulls("estimate")
        unused = [
            set(unused_by(taken.filter(level=level), later)) for level in self.able
        ]
        return frozenset(Option(*key) for key in set.intersection(*unused))

    @cached_property
    def counted(self) -> frozenset[str]:
        """The decisions whose options are counted, as often as they are taken."""
        return frozenset(self.played.shares("option taken")["decision"])

    def changed(
        self, level: str, act: Literal["forbid", "force"], options: Sequence[Option]
    ) -> list[Row]:
        """Return what it is worth that one player may not, or must, take each."""
        seated = replace(self.cell, lineup=(level,))
        names = [f"{one.decision}:{one.option}" for one in options]
        acts: dict[str, Any] = {act: names}
        every = interventions_named(seated, **acts)[: len(names)]
        learned = self.played.specs[level] == Learned.name
        each = max(self.games // len(names), _LEAST) * (1 if learned else _QUICK)
        rows = what_if(seated, every, each, **self.how).rows
        named = pl.Series("what", labels(options))
        return rows.with_columns(named).to_dicts()


def answer(question: ParsedQuestion, table: OptionTable) -> Part:
    """Answer whether an option, or one of a kind, is a trap, dead or too strong."""
    unable = [one for one in question.options if one in table.unable]
    known = tuple(one for one in question.options if one not in table.unable)
    part = Part("cannot tell", (), frame([]), "Options")
    if known:
        part = _judged(replace(question, options=known), table)
    if not unable:
        return part
    named = ", ".join(one.option for one in unable)
    words = f"No player here makes use of {named}, so nobody knows what that is worth."
    said: Word = "yes" if part.answer == "yes" else "cannot tell"
    return replace(part, answer=said, sentences=(*part.sentences, words))


def _judged(question: ParsedQuestion, table: OptionTable) -> Part:
    """Answer about options that somebody makes use of."""
    wanted = pl.DataFrame([vars(one) for one in question.options])
    taken = table.played.shares("option taken").drop_nulls("estimate")
    names = wanted.with_columns(what=pl.Series(labels(question.options)))
    taken = taken.join(names, on=["decision", "option"], how="inner")
    make = _dead if question.claim == "dead" else _worth
    return make(question, table, taken)


def labels(options: Sequence[Option]) -> list[str]:
    """Name options: with the decision, if several have one of this name."""
    counts = Counter(one.option for one in options)
    return [
        f"{one.option} ({one.decision})" if counts[one.option] > 1 else one.option
        for one in options
    ]


def _worth(question: ParsedQuestion, table: OptionTable, taken: pl.DataFrame) -> Part:
    """Answer by what a player loses, or gains, who may not take the option."""
    used = set(taken.filter(pl.col("estimate") > 0)["what"].to_list())
    named = zip(question.options, labels(question.options), strict=True)
    options = [
        one
        for one, label in named
        if label in used or one.decision not in table.counted
    ]
    title = "Lost without it, of 100 games"
    if not options:
        words = "Nobody at the table ever takes it, so nobody here knows its worth."
        tried = _why(table, question.options[:_TOLD])
        return Part("cannot tell", (words, *tried.values()), frame([]), title)
    judge = _trap if question.claim == "trap" else _strong
    rows: list[Row] = []
    for level in table.able:
        for row in table.changed(level, "forbid", options):
            word = judge(row["low"], row["high"])
            if row["verdict"] == "never comes up":
                word = "cannot tell"
            lost = {"estimate": -row["more"], "low": -row["high"], "high": -row["low"]}
            rows.append({"level": level, "what": row["what"], **lost, "answer": word})
    rows = _ordered(rows, table.played.best, falls=question.claim != "trap")
    said: Word = "cannot tell"
    sentences: list[str] = []
    for level in reversed(table.able):
        own = [row for row in rows if row["level"] == level]
        word = _of_all([row["answer"] for row in own])
        if level == table.played.best:
            said = word
        if level == table.played.best or word != said:
            sentences.append(_worth_words(question, own, level))
    if said == "cannot tell":
        own = [row for row in rows if row["level"] == table.played.best]
        sentences += _would_tell(question, own, table)
    return Part(said, tuple(sentences), frame(rows), title, "%", 0.0)


def _would_tell(
    question: ParsedQuestion, rows: Sequence[Row], table: OptionTable
) -> list[str]:
    """Say in how many games the answer would be yes or no, if the numbers stay.

    Intervals shrink with the root of the games. One option is enough for a yes; for a
    no all that are undecided have to be told.
    """
    yes, no = (0.0, SMALL) if question.claim == "trap" else (-LARGE, -LARGE)
    sign = 1 if question.claim == "trap" else -1
    found: list[float] = []
    others: list[float] = []
    for row in rows:
        if row["answer"] != "cannot tell":
            continue
        half, more = (row["high"] - row["low"]) / 2, -row["estimate"]
        above, below = sign * (more - yes), sign * (no - more)
        part = found if above >= below else others
        part.append((half / max(above, below, _NO_DISTANCE)) ** 2)
    if not (found or others) or not any(row["high"] > row["low"] for row in rows):
        return []
    least = max(table.games // len(question.options), _LEAST) * len(question.options)
    needed = (min(found) if found else max(others)) * least
    needed *= table.played.games / table.games
    if needed > MANY:
        return ["More than 10 million games would be needed to tell."]
    games = format_games(needed)
    command = f"add -n {games.replace(',', '')} to the command"
    return [f"If these numbers stay, about {games} games would tell: {command}."]


_NO_DISTANCE = 1e-9


def _trap(low: float, high: float) -> Word:
    return "yes" if low > 0 else "no" if high < SMALL else "cannot tell"


def _strong(low: float, high: float) -> Word:
    return "yes" if high < -LARGE else "no" if low > -LARGE else "cannot tell"


def _rare(low: float, high: float) -> Word:
    return "yes" if high < DEAD else "no" if low > DEAD else "cannot tell"


def _of_all(answers: Sequence[Word]) -> Word:
    """Return yes if one is, no if none is."""
    if "yes" in answers:
        return "yes"
    return "no" if {*answers} == {"no"} else "cannot tell"


def _worth_words(question: ParsedQuestion, rows: Sequence[Row], level: str) -> str:
    """Say which options are traps, or too strong, and what they are worth."""
    who, trap = players_words(level), question.claim == "trap"
    ordered = sorted(rows, key=lambda row: row["estimate"], reverse=not trap)
    found = [row for row in ordered if row["answer"] == "yes"]
    if found or len(rows) == 1:
        told = (found or ordered)[:_TOLD]
        slight = trap and found and all(row["high"] > -SMALL for row in found)
        weak = ", perhaps by so little that it is only weak" if slight else ""
        return f"Among {who}: {'; '.join(map(_never, told))}{weak}."
    unsure = sum(row["answer"] == "cannot tell" for row in rows)
    left = f" ({unsure} of {len(rows)} are undecided)" * bool(unsure)
    none = "a trap" if trap else "too strong"
    return (
        f"Among {who} none is shown to be {none}{left}; the nearest to it: "
        f"{_never(ordered[0])}."
    )


def _never(row: Row) -> str:
    """Say what who never takes the option wins or loses."""
    lost, low, high = (100 * row[name] for name in ("estimate", "low", "high"))
    side = "fewer" if lost > 0 else "more"
    return (
        f"who never takes {row['what']} wins {abs(lost):.1f} of 100 games {side} "
        f"(lost without it: {lost:+.1f}, from {low:+.1f} to {high:+.1f})"
    )


def _dead(question: ParsedQuestion, table: OptionTable, taken: pl.DataFrame) -> Part:
    """Answer whether options are hardly ever taken where they can be, and why."""
    shown = ("level", "what", "estimate", "low", "high")
    rows = [
        {name: row[name] for name in shown} | {"answer": _rare(row["low"], row["high"])}
        for row in taken.to_dicts()
    ]
    rows = _ordered(rows, table.played.best)
    title, best = "Taken, of the times that it could be", table.played.best
    own = [row for row in rows if row["level"] == best]
    if not any(one.decision in table.counted for one in question.options):
        words = "How often it is taken is not counted; ask whether it is a trap."
        return Part("cannot tell", (words,), frame([]), title)
    if not own:
        words = f"In {table.played.games:,} games nobody could take it."
        return Part("yes", (words,), frame([]), title)
    dead = [row for row in own if _agreed(row["what"], rows, table.able)]
    who = players_words(best)
    sentences = []
    missed = False
    if dead:
        listed = ", ".join(_often(row) for row in dead[:_LISTED])
        sentences = [f"Among {who} is hardly ever taken where it could be: {listed}."]
        names = [row["what"] for row in dead[:_TOLD]]
        every = zip(question.options, labels(question.options), strict=True)
        tried = _why(table, [one for one, label in every if label in names])
        sentences += tried.values()
        missed = len(dead) == sum(_MISSED in words for words in tried.values())
    else:
        sentences = [f"Among {who} the one taken least is {_often(own[0])}."]
    offered = {row["what"] for row in rows}
    never = [label for label in labels(question.options) if label not in offered]
    if never:
        listed = ", ".join(never[:_LISTED])
        at = " or ".join(dict.fromkeys(one.decision for one in question.options))
        games = f"{table.played.games:,} games"
        sentences.append(f"Never on offer at {at} in {games}: {listed}.")
    unsure = any(row["answer"] == "cannot tell" for row in own)
    said: Word = "no" if not dead and not unsure else "cannot tell"
    said = "yes" if dead and not missed else said
    return Part(said, tuple(sentences), frame(rows), title, "%", DEAD)


def _ordered(rows: Sequence[Row], level: str, *, falls: bool = False) -> list[Row]:
    """Return rows by the estimate at one level, level by level."""
    rank = {row["what"]: row["estimate"] for row in rows if row["level"] == level}
    levels = [*dict.fromkeys(row["level"] for row in rows)]

    def key(row: Row) -> tuple[int, float]:
        value = rank.get(row["what"], 0.0)
        return levels.index(row["level"]), -value if falls else value

    return sorted(rows, key=key)


def _agreed(what: str, rows: Sequence[Row], levels: Sequence[str]) -> bool:
    """Return whether an option is dead at all of these levels."""
    own = [row for row in rows if row["what"] == what and row["level"] in levels]
    return {row["answer"] for row in own} == {"yes"}


def _often(row: Row) -> str:
    """Name an option, and how often it is taken."""
    share, low, high = (100 * row[name] for name in ("estimate", "low", "high"))
    return f"{row['what']}, {share:.1f} of 100 times ({low:.1f} to {high:.1f})"


def _why(table: OptionTable, options: Sequence[Option]) -> dict[str, str]:
    """Say what who takes the options whenever possible wins or loses, by option."""
    words = {}
    for row in table.changed(table.played.best, "force", options):
        if row["verdict"] == "never comes up":
            continue
        more, low, high = (100 * row[name] for name in ("more", "low", "high"))
        why = {"loses": "it is not worth taking", "gains": _MISSED}
        words[row["what"]] = (
            f"Who takes {row['what']} whenever possible wins {abs(more):.1f} of 100 "
            f"games {'more' if more > 0 else 'fewer'} ({low:+.1f} to {high:+.1f}): "
            f"{why.get(row['verdict'], 'the games do not say why')}."
        )
    return words

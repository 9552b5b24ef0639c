"""The sentences of page one: what is wrong, how surely and for whom, what to try.

At most five, worst first, without brackets. Each is made of the words of its line
(``reports.scorecard.lines``) where the line's number surely lies beyond its tolerance.
"""

import math
from collections.abc import Sequence

from reports.formatting import listed
from reports.page import Sentence
from reports.scorecard.found import HEURISTICS
from reports.scorecard.lines import Line
from reports.scorecard.score import PROBLEMS, UNSURE, Score

MOST = 5
"""Sentences on page one."""
NOTHING, SO_FAR = "Nothing to do.", "Nothing to do so far."
_NAMED = 3  # options in a sentence
_SURE = {"watch": 1.0, "watch or broken": 1.25, "broken": 1.5}
_OPEN = "; to be watched, perhaps broken"


def sentences(found: Sequence[Score], sections: Sequence[str] = ()) -> list[Sentence]:
    """What to do, worst first.

    ``sections``: the ids of sections that a sentence may lead to.
    """
    problems = sorted(
        (one for one in found if one.verdict in PROBLEMS),
        key=urgency,
        reverse=True,
    )
    problems = _once(problems)
    several = {one.line.id for one, more in again(found) if more}
    told = [
        _problem(one, sections, tell_players=one.line.id in several)
        for one in problems[:MOST]
    ]
    if not told:
        text = _nothing(found)
        told.append(Sentence(text, "", "sure" if text == NOTHING else "open", ""))
    if len(told) < MOST and (open_ := _open(found, problems)):
        told.append(Sentence(open_, "", "open", ""))
    return told


def urgency(one: Score) -> tuple[bool, float]:
    """How large a problem is, and how surely it is one.

    What stronger players show not to be so comes last. The size in margins counts by
    the share of the ways to play that show the same, and by its logarithm: what is four
    times as far beyond its tolerance is not four times as urgent.
    """
    ways = len(one.agree) + len(one.differ) + len(one.unsettled)
    shown = (1 + len(one.agree)) / (1 + ways)
    sure = _SURE.get(one.verdict, 0.0)
    size = math.log2(1 + one.size) * one.line.weight
    return one.stronger != "differ", size * sure * (0.5 + shown / 2)


def _once(problems: Sequence[Score]) -> list[Score]:
    """Each problem once: of several numbers of players the worst.

    Where there is little to decide, that there are few options says the same.
    """
    kept: dict[str, Score] = {}
    for one in problems:
        kept.setdefault(one.line.id, one)
    if {"choices", "options"} <= set(kept) and kept["options"].side == "low":
        del kept["options"]
    return list(kept.values())


def again(found: Sequence[Score]) -> list[tuple[Score, bool]]:
    """Scores, each with whether its line was told of other players before."""
    ids = [one.line.id for one in found]
    return [(one, one.line.id in ids[:at]) for at, one in enumerate(found)]


def _problem(one: Score, sections: Sequence[str], *, tell_players: bool) -> Sentence:
    line, side = one.line, one.side
    what = line.low if side == "low" else line.high
    advice = line.try_low if side == "low" else line.try_high
    words = _words(one)
    what, advice = what.format(**words), advice.format(**words)
    weak = one.stronger == "differ"
    if weak:
        advice = "nothing to do"
    likely = weak or words.get("they") == HEURISTICS
    open_ = _OPEN if one.verdict == "watch or broken" and not weak else ""
    text = f"{what}{_for_whom(one)}{open_}: {advice}."
    if tell_players:
        text = f"With {one.players} players {text[0].lower()}{text[1:]}"
    text = text[0].upper() + text[1:]
    return Sentence(
        text, line.id, "likely" if likely else "sure", place(one.line, sections)
    )


def _words(one: Score) -> dict[str, str]:
    """What is put into the sentence of a line."""
    words = {} if one.found is None else dict(one.found.words)
    names = [f"“{name}”" for name in one.beyond[:_NAMED]]
    more = len(one.beyond) - len(names)
    if more > 0:
        names.append(f"{more} more")
    many = len(one.beyond) > 1
    words["options"] = listed(names)
    words |= {"is_are": "are" if many else "is", "it_them": "them" if many else "it"}
    return words


def _for_whom(one: Score) -> str:
    """Which ways to play show it."""
    ways = 1 + len(one.agree) + len(one.differ) + len(one.unsettled)
    stronger = "stronger players" if one.searchers_win else "players who search"
    if one.stronger == "differ":
        return f", but only among weaker players, for {stronger} show no such thing"
    if ways == 1:
        return ""
    if len(one.agree) == ways - 1:
        return ", whoever plays"
    if one.stronger == "unsettled":
        return f", though for {stronger} that is not settled"
    if not one.agree:
        only = "" if one.differ else ", with the other ways to play still open"
        return only or ", but only where all play like the leading strategy"
    known = f"in {1 + len(one.agree)} of {ways} ways to play"
    return f", {known} and also among {stronger}" if one.stronger else f", {known}"


def place(line: Line, sections: Sequence[str]) -> str:
    """The section to look at for a line; "" where there is none."""
    same = (word for word in line.section if word in sections)
    part = (one for word in line.section for one in sections if word in one)
    return next(same, next(part, ""))


def _nothing(found: Sequence[Score]) -> str:
    """What is said where nothing is surely wrong."""
    known = [one for one in found if one.verdict == "fair"]
    if not known:
        return "These games do not tell whether there is something to do."
    settled = all(one.verdict not in UNSURE for one in found)
    return NOTHING if settled else SO_FAR


def _open(found: Sequence[Score], problems: Sequence[Score]) -> str:
    """What these games do not tell, in one sentence; but of problems that are told."""
    known = {one.line.id for one in problems}
    clauses = dict.fromkeys(
        one.line.whether
        for one in found
        if one.verdict in UNSURE and one.line.id not in known
    )
    if not clauses:
        return ""
    told = " and whether ".join([*clauses][:_NAMED])
    return f"More games would tell whether {told}."

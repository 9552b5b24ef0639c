"""The sentences of page one: what is wrong, how surely and for whom, what to try.

At most five, worst first, without brackets. Each is made of the words of its line
(``reports.scorecard.lines``) where the line's number surely lies beyond its tolerance.
What other ways to play show to be otherwise is told first of what they show, and the
label is earned by all of them (``reports.statistics.robustness.earned``).
"""

import math
from collections.abc import Iterator, Sequence

from reports.formatting import listed
from reports.page import Sentence, Sure
from reports.scorecard.found import HEURISTICS
from reports.scorecard.lines import Line
from reports.scorecard.measured import OF_CELL
from reports.scorecard.score import PROBLEMS, REVERSE, UNSURE, Score
from reports.statistics.robustness import earned

MOST = 5
"""Sentences on page one."""
NOTHING, SO_FAR = "Nothing to do.", "Nothing to do so far."
_NAMED = 3  # options in a sentence
_SURE = {"watch": 1.0, "watch or broken": 1.25, "broken": 1.5}
_OPEN = "; to be watched, perhaps broken"


def sentences(
    found: Sequence[Score], sections: Sequence[str] = (), *, advice: bool = True
) -> list[Sentence]:
    """What is wrong and, with ``advice``, what to do about it, worst first.

    ``sections``: the ids of sections that a sentence may lead to.
    """
    problems = worst(found)
    several = {one.line.id for one, more in again(found) if more}
    told = [
        _problem(one, sections, tell_players=one.line.id in several, advise=advice)
        for one in problems[:MOST]
    ]
    if not told:
        text = _nothing(found)
        told.append(Sentence(text, "", "sure" if text == NOTHING else "open", ""))
    for open_, line in (*_unknown(found), (_open(found, problems), "")):
        if len(told) < MOST and open_:
            told.append(Sentence(open_, line, "open", ""))
    return told


def worst(found: Sequence[Score]) -> list[Score]:
    """The problems that sentences are about, each once, the most urgent first."""
    problems = (one for one in found if one.verdict in PROBLEMS)
    return _once(sorted(problems, key=urgency, reverse=True))


def urgency(one: Score) -> tuple[bool, float]:
    """How large a problem is, and how surely it is one.

    What stronger players show not to be so comes last. The size in margins counts by
    the share of the ways to play that show the same, and by its logarithm: what is four
    times as far beyond its tolerance is not four times as urgent.
    """
    shown = (1 + len(one.agree)) / one.ways
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


def _problem(
    one: Score, sections: Sequence[str], *, tell_players: bool, advise: bool
) -> Sentence:
    line, side = one.line, one.side
    what = line.low if side == "low" else line.high
    advice = line.try_low if side == "low" else line.try_high
    words = _words(one)
    what, advice = what.format(**words), advice.format(**words)
    weak = one.stronger == "differ"
    if weak:
        advice = "nothing to do"
    open_ = _OPEN if one.verdict == "watch or broken" and not weak else ""
    text = f"{what}{_for_whom(one)}{open_}{f': {advice}' if advise else ''}."
    if tell_players:
        text = f"With {one.players} players {text[0].lower()}{text[1:]}"
    text = text[0].upper() + text[1:]
    return Sentence(text, line.id, _sure(one), place(one.line, sections))


def _sure(one: Score) -> Sure:
    """How sure it is of the game: earned by all ways to play, not by one.

    A line that is about one table of heuristics, and no other, is never sure.
    """
    if one.line.id not in OF_CELL:
        asked = {} if one.found is None else one.found.words
        return "sure" if asked.get("they", HEURISTICS) != HEURISTICS else "likely"
    many = (len(ways) for ways in (one.agree, one.differ, one.unsettled))
    agree, differ, unsettled = many
    return earned(1 + agree, differ, unsettled, refuted=one.stronger == "differ")


def _words(one: Score) -> dict[str, str]:
    """What is put into the sentence of a line."""
    words = {} if one.found is None else dict(one.found.words)
    many = len(one.beyond) > 1
    words["options"] = _quoted(one.beyond)
    words |= {"is_are": "are" if many else "is", "it_them": "them" if many else "it"}
    return words


def _quoted(names: Sequence[str]) -> str:
    """Options in a sentence; of many the first, and how many more there are."""
    quoted = [f"“{name}”" for name in names[:_NAMED]]
    more = len(names) - len(quoted)
    return listed([*quoted, *([f"{more} more"] if more > 0 else [])])


def _for_whom(one: Score) -> str:
    """Whom it holds for: first who shows it to be otherwise, with the number."""
    if one.line.id not in OF_CELL or not one.asked:
        return ""
    stronger = "stronger players" if one.searchers_win else "players who search"
    ways, shown = one.ways, 1 + len(one.agree)
    among = f", {stronger} among them" if one.stronger == "agree" else ""
    strong = {
        "unsettled": f", not settled for {stronger}",
        "": ", strong players not tried",
    }.get(one.stronger, "")
    if shown == ways:
        if one.stronger:
            return ", whoever plays"
        return f", in all {ways} ways to play{strong}" if ways > 1 else strong
    if not one.differ:
        return f", in {shown} of {ways} ways to play{among}, the others open{strong}"
    if one.stronger == "differ":
        where = f"but only among weaker players, as with {stronger} {one.instead}"
    else:
        when = "" if one.instead.startswith(REVERSE) else ", when"
        but = "but not" if when else "but"
        where = f"{but} where all play like {one.differ[0]}{when} {one.instead}"
    held = f"shown in {shown}{among}{',' if among else ''}"
    counts = f"{held} and refuted in {len(one.differ)} of {ways} ways to play"
    return f", {where}; {counts}{strong}"


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


def _unknown(found: Sequence[Score]) -> Iterator[tuple[str, str]]:
    """What no number of games would tell, as nobody here can; and the line."""
    for one in found:
        if one.unable:
            names = _quoted(one.unable)
            them = "them" if len(one.unable) > 1 else "it"
            text = f"No player here knows how to use {names}: no verdict on {them}."
            yield text, one.line.id
    alone = [one for one in found if one.found is not None and one.found.known_of]
    if alone and alone[0].found is not None:
        clauses = " or whether ".join(one.line.whether for one in alone)
        who = alone[0].found.known_of
        yield (
            (
                f"Only one good strategy plays here, {who}, which cannot tell whether "
                f"{clauses}."
            ),
            "",
        )


def _open(found: Sequence[Score], problems: Sequence[Score]) -> str:
    """What these games do not tell, in one sentence; but of problems that are told."""
    known = {one.line.id for one in problems}
    clauses = dict.fromkeys(
        one.line.whether
        for one in found
        if one.verdict in UNSURE
        and one.line.id not in known
        and not (one.found is not None and one.found.known_of)
    )
    if not clauses:
        return ""
    told = " and whether ".join([*clauses][:_NAMED])
    return f"More games would tell whether {told}."

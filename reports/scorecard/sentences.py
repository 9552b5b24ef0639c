"""The sentences of page one: what is wrong, how sure that is, and for whom.

At most three, worst first, without brackets. Each is made from the texts of its line
(``reports.scorecard.lines``) if the line's number is shown to be beyond its tolerance.
Of what other ways to play show, a refutation comes first, and the label depends on all
of them (``reports.statistics.robustness.earned_label``).
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from reports.formatting import all_of, join_words
from reports.report_document import Sentence, Sure
from reports.scorecard.cell_lines import CELL_LINES
from reports.scorecard.line_estimate import STRONGER
from reports.scorecard.score_line import ScoreLine, text
from reports.scorecard.scored_line import (
    OPEN,
    PROBLEMS,
    REVERSE,
    UNSURE,
    ScoredLine,
)
from reports.statistics.robustness import earned_label

UNABLE = "No player here knows how to use"
"""How the sentence begins about options that nobody here makes use of."""
MOST = 3
"""The most sentences on page one."""
NOTHING, SO_FAR = "Nothing to do.", "Nothing to do so far."
_OPTIONS_NAMED, _CLAUSES = 4, 2  # in a sentence
_VERDICT_WEIGHT = {"watch": 1.0, "watch or broken": 1.25, "broken": 1.5}
_OPEN = "; to be watched, perhaps broken"


def sentences(
    scored: Sequence[ScoredLine],
    sections: Sequence[str] = (),
    *,
    searched: bool = True,
) -> list[Sentence]:
    """Say what is wrong, worst first.

    ``sections``: the ids of sections that a sentence may link to. ``searched``: whether
    search players were asked, who may find more.
    """
    problems = worst(scored)
    several = {score.line.id for score, more in with_repeats(scored) if more}
    texts = [_problem(topic, sections, several) for topic in topics(problems)[:MOST]]
    if not texts:
        text = _nothing(scored, searched=searched)
        texts.append(Sentence(text, "", "sure" if text == NOTHING else "open", ""))
    left = (*_not_for_all(scored), *_unknown(scored), (_open(scored, problems), ""))
    for open_, line in left:
        if len(texts) < MOST and open_:
            texts.append(Sentence(open_, line, "open", ""))
    return texts


def worst(scored: Sequence[ScoredLine]) -> list[ScoredLine]:
    """Return the problems that sentences are about, each once, most urgent first."""
    problems = (score for score in scored if score.verdict in PROBLEMS)
    return _once(sorted(problems, key=urgency, reverse=True))


def topics(problems: Sequence[ScoredLine]) -> list[list[ScoredLine]]:
    """Group problems by sentence: those about options share one."""
    found: dict[str, list[ScoredLine]] = {}
    for score in problems:
        topic = "" if score.line.about_options else score.line.id
        found.setdefault(topic, []).append(score)
    return [*found.values()]


def urgency(score: ScoredLine) -> tuple[bool, float]:
    """Return a sort key: how large a problem is, and how sure.

    What stronger players refute comes last. The size, in margins, is weighted by the
    share of the ways to play that confirm it, and counts by its logarithm: four times
    as far beyond the tolerance is not four times as urgent.
    """
    agreeing = score.votes[0] / sum(score.votes)
    sureness = _VERDICT_WEIGHT.get(score.verdict, 0.0)
    size = math.log2(1 + score.size) * score.line.weight
    return not score.only_weaker, size * sureness * (0.5 + agreeing / 2)


def _once(problems: Sequence[ScoredLine]) -> list[ScoredLine]:
    """Keep each problem once: of several numbers of players, the worst.

    Few options say nothing new if there is little to decide, and are left out.
    """
    kept: dict[str, ScoredLine] = {}
    for score in problems:
        kept.setdefault(score.line.id, score)
    if {"choices", "options"} <= set(kept) and kept["options"].side == "low":
        del kept["options"]
    return list(kept.values())


def with_repeats(scored: Sequence[ScoredLine]) -> list[tuple[ScoredLine, bool]]:
    """Pair each score with whether its line came before, for other player counts."""
    ids = [score.line.id for score in scored]
    return [(score, score.line.id in ids[:at]) for at, score in enumerate(scored)]


def _problem(
    topic: Sequence[ScoredLine], sections: Sequence[str], several: Collection[str]
) -> Sentence:
    score, *more = topic
    clauses = [_what(each) + _for_whom(each) + _range(each) for each in topic]
    open_ = all(each.verdict == "watch or broken" for each in topic)
    text = f"{'; '.join(clauses)}{_OPEN if open_ and not score.only_weaker else ''}."
    if score.line.id in several:
        text = f"With {score.players} players {text[0].lower()}{text[1:]}"
    text = text[0].upper() + text[1:]
    if score.to_settle:
        text = f"{text} {score.to_settle}"
    see = section_to_see(score.line, sections)
    sure = _sure(score)
    if any(_sure(each) != sure for each in more):
        sure = "likely"
    return Sentence(text, score.line.id, sure, see, players=score.players)


def _what(score: ScoredLine) -> str:
    """Say what is wrong; of options first which are never on offer."""
    line = score.line
    what = line.low if score.side == "low" else line.high
    if not line.never or score.estimate is None:
        return what.format(**_words(score, score.beyond))
    never = score.estimate.words.get("unoffered", "").split("\n")
    parts = (
        (line.never, [name for name in score.beyond if name in never]),
        (what, [name for name in score.beyond if name not in never]),
    )
    clauses = [said.format(**_words(score, names)) for said, names in parts if names]
    return "; ".join(clauses)


def _sure(score: ScoredLine) -> Sure:
    """Return how sure the sentence is: all ways to play decide, not one.

    A line about tables of heuristics, or of one sort of stronger players, is never
    "sure".
    """
    if score.line.id not in CELL_LINES:
        words = {} if score.estimate is None else score.estimate.words
        return "sure" if words.get("they") == STRONGER else "likely"
    if score.lead_skilled and not score.skilled:
        return "likely"  # nobody else who plays well was asked
    return earned_label(*score.votes, refuted=score.stronger == "differ")


def _words(score: ScoredLine, names: Sequence[str]) -> dict[str, str]:
    """Return the words that fill the sentence of a line about these options."""
    words = {} if score.estimate is None else dict(score.estimate.words)
    be, pronoun = ("are", "them") if len(names) > 1 else ("is", "it")
    return words | {"options": _quoted(names), "is_are": be, "it_them": pronoun}


def _quoted(names: Sequence[str]) -> str:
    """Quote options for a sentence: the first few, and how many more there are.

    Options of one sort, such as from-B-1 and from-R-1, or bids, take turns.
    """
    sorts = Counter[str]()
    turns = []
    for name in names:
        sort = name.partition("-")[0] + name.partition(" at ")[2]
        turns.append(sorts[sort])
        sorts[sort] += 1
    order = sorted(range(len(names)), key=turns.__getitem__)
    quoted = [f"“{names[at]}”" for at in order[:_OPTIONS_NAMED]]
    more = len(names) - len(quoted)
    return join_words([*quoted, *([f"{more} more"] if more > 0 else [])])


def _for_whom(score: ScoredLine) -> str:
    """Say whom a problem holds for: first who refutes it, with the number."""
    if score.line.id not in CELL_LINES or not score.asked:
        return ""
    agree, differ, open_ = (
        join_words(score.skilled_who(word)) for word in ("agree", "differ", "unsettled")
    )
    if score.lead_skilled:
        return _for_strong(score)
    ways, shown = score.style_count, 1 + len(score.agree)
    among = f", {agree} among them" if agree else ""
    strong = f", not settled for {open_}" if open_ else ""
    if not score.skilled:
        strong = ", not tried with stronger players"
    if shown == ways:
        if score.stronger:
            return ", whoever plays"
        return f", in {all_of(ways)} ways to play{strong}" if ways > 1 else strong
    if not score.differ:
        return f", in {shown} of {ways} ways to play{strong}"
    if score.only_weaker:
        where = f"but only among weaker players, as with {differ} {score.instead}"
    else:
        joint = "" if score.instead.startswith(REVERSE) else ", where"
        but = "but not" if joint else "but"
        where = f"{but} if all play like {score.differ[0]}{joint} {score.instead}"
    confirmed = f"shown in {shown}{among}{',' if among else ''}"
    counts = f"{confirmed} and refuted in {len(score.differ)} of {ways} ways to play"
    return f", {where}; {counts}{strong}"


def _for_strong(score: ScoredLine) -> str:
    """Say for which other strong players a problem of strong players holds."""
    shown, differ, open_ = score.votes
    if not score.skilled:
        return ", tried with one sort of strong players"
    names = join_words([*dict.fromkeys(score.skilled_who("unsettled"))])
    left = f", not settled for {names}" if open_ else ""
    if differ:
        others = join_words([*dict.fromkeys(score.skilled_who("differ"))])
        where = f", but not for {others}"
        if not score.instead.startswith(REVERSE):
            where += f", where {score.instead}"
        else:
            where += f": {score.instead}"
        return f"{where}{left}"
    return left or f", in {all_of(shown)} strong ways to play"


def _range(score: ScoredLine) -> str:
    """Say between what numbers several strong ways to play are, if they settle it."""
    if score.strong is None:
        return ""
    ways, *ends, _ = score.strong
    least, most = text(score.line, ends[0], bare=True), text(score.line, ends[1])
    gap = score.estimate is not None and score.estimate.parts
    between = f"by {least} to {most}" if gap else f"between {least} and {most}"
    told = score.lead_skilled and score.votes == (ways, 0, 0)
    return f", {between}" if told else f", {between} in {ways} strong ways to play"


def section_to_see(line: ScoreLine, sections: Sequence[str]) -> str:
    """Return the id of the section to look at for a line, "" if there is none."""
    same = (word for word in line.section if word in sections)
    part = (id_ for word in line.section for id_ in sections if word in id_)
    return next(same, next(part, ""))


def _nothing(scored: Sequence[ScoredLine], *, searched: bool) -> str:
    """Return the sentence for a game in which nothing is shown to be wrong."""
    if all(score.verdict != "fair" for score in scored):
        return "These games do not show whether there is something to do."
    settled = all(score.verdict not in UNSURE for score in scored)
    if settled and not [*_not_for_all(scored)]:
        return NOTHING
    return SO_FAR if searched else f"{SO_FAR[:-1]}, among these players."


def _not_for_all(scored: Sequence[ScoredLine]) -> Iterator[tuple[str, str]]:
    """Yield who wins where that is fair among the leading players, and no other strong.

    Each line once, with the line: of several numbers of players the first.
    """
    for score, more in with_repeats(scored):
        others = join_words([*dict.fromkeys(score.skilled_who("differ"))])
        if more or score.estimate is None or not score.estimate.parts:
            continue
        if score.verdict == "fair" and score.lead_skilled and others:
            whether = f"{score.line.whether[0].upper()}{score.line.whether[1:]}"
            ahead = f"the best is {score.instead.removeprefix('it is ')} ahead"
            yield (
                f"{whether} depends on who plays: for {others} {ahead}.",
                score.line.id,
            )


def _unknown(scored: Sequence[ScoredLine]) -> Iterator[tuple[str, str]]:
    """Yield what no number of games would tell, as no player here can; and its line."""
    for score in scored:
        if score.unable:
            names = _quoted(score.unable)
            them = "them" if len(score.unable) > 1 else "it"
            option, _, kind = score.unable[0].partition(" at ")
            text = f"{UNABLE} {names}; no verdict on {them}."
            text += f" To train one who does: learn --force {kind}:{option}."
            yield text, score.line.id
    alone = [
        (score.line.whether, score.estimate.known_of)
        for score in scored
        if score.estimate is not None and score.estimate.known_of
    ]
    if alone:
        clauses = " or whether ".join(whether for whether, _ in alone)
        who = alone[0][1]
        text = f"Only one good strategy plays here, {who}; one alone cannot show"
        yield f"{text} whether {clauses}.", ""


def _open(scored: Sequence[ScoredLine], problems: Sequence[ScoredLine]) -> str:
    """Say in one sentence what these games leave open, besides the problems given."""
    known = {score.line.id for score in problems}
    clauses = dict.fromkeys(
        score.line.whether
        for score in scored
        if score.verdict in OPEN and score.line.id not in known
    )
    if not clauses:
        return ""
    named = " and whether ".join([*clauses][:_CLAUSES])
    return f"Undecided: whether {named}; more games would tell."

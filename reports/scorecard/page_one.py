"""Page one: the lines as they are printed, each with a small picture, and sentences."""

import math
from collections.abc import Sequence

import polars as pl

from reports.formatting import exhibit, listed
from reports.page import Column, ScoreLine, Section, Verdict
from reports.scorecard.lines import Line, text
from reports.scorecard.score import SHAPES, Run, Score, scores, table, uses
from reports.scorecard.sentences import MOST, again, place, sentences, worst

TAKEN = "taken"
"""The section that tells how often each option is taken."""
_WIDE, _HIGH = 150, 16  # of a picture
_NAMED = 8  # rules, before the rest is counted


def verdict(
    run: Run, sections: Sequence[str], left_out: str = "", assumed: Sequence[str] = ()
) -> Verdict:
    """Page one of a run.

    ``sections``: the ids of what lies beneath it. ``assumed``: rules whose values are.
    """
    found = scores(run)
    told_of = worst(found)[:MOST]
    lines = tuple(
        ScoreLine(
            f"{one.line.id}-{one.players}" if more else one.line.id,
            one.line.title + (f", {one.players} players" if more else ""),
            one.line.asks,
            one.line.doc,
            _value(one),
            allowed(one.line),
            one.verdict,
            SHAPES[one.verdict],
            picture(one),
            _note(one, one in told_of),
            place(one.line, sections),
        )
        for one, more in again(found)
    )
    told = tuple(sentences(found, sections))
    return Verdict(lines, told, table(found), left_out, _assumed(assumed))


def _assumed(names: Sequence[str]) -> str:
    """Which rule values the rule text does not state."""
    if not names:
        return ""
    more = len(names) - _NAMED
    rest = [f"{more} more"] if more > 0 else []
    said = listed([*names[:_NAMED], *rest])
    return (
        f"Assumed, as the rule text does not say: {said}. What is found holds for "
        "these values."
    )


def _note(one: Score, has_sentence: bool) -> str:
    """What is said of the number in small: who has no vote, too.

    Whom it does not hold for is said in its sentence, if it has one.
    """
    note = "" if one.found is None else one.found.note
    apart = f"set apart: {listed(one.apart)}" if one.line.claims and one.apart else ""
    other = ""
    if one.differ and not has_sentence:
        many = len(one.differ)
        ways = f"in {many} of {one.ways} ways to play, as " if many > 1 else ""
        other = f"not so {ways}where all play like {one.differ[0]}: {one.instead}"
    return "; ".join(filter(None, [note, other, apart]))


def _value(one: Score) -> str:
    """The number with its interval."""
    found = one.found
    if found is None:
        return ""
    if found.parts and found.low <= 0:  # of the best less the worst
        return f"none shown; up to {text(one.line, found.high)}"
    ends = " to ".join(
        text(one.line, end, bare=True) for end in (found.low, found.high)
    )
    even = "" if found.chance is None else f", by chance {text(one.line, found.chance)}"
    return f"{text(one.line, found.value)}, from {ends}{even}"


def allowed(line: Line) -> str:
    """What is allowed, in words."""
    limits = line.tolerance
    if line.chance:
        return _beside_chance(line)
    if math.isfinite(limits.least) and math.isfinite(limits.most):
        return f"{text(line, limits.least, bare=True)} to {text(line, limits.most)}"
    if math.isfinite(limits.least):
        return f"at least {text(line, limits.least)}"
    return f"at most {text(line, limits.most)}"


def _beside_chance(line: Line) -> str:
    limits = line.tolerance
    unit = "%" if line.style == "number" else "points"
    ends = [
        f"at most {100 * abs(end):g} {unit} {way} chance"
        for end, way in ((limits.least, "below"), (limits.most, "above"))
        if math.isfinite(end)
    ]
    return " and ".join(ends)


def picture(one: Score) -> str:
    """The interval beside the tolerance, as inline SVG in the page's colours."""
    found = one.found
    if found is None:
        return ""
    low, high = _allowed(one)
    ends = [found.low, found.high, found.value, *filter(math.isfinite, (low, high))]
    if found.chance is not None:
        ends.append(found.chance)
    least, most = min(ends), max(ends)
    if one.line.style != "number":
        least = min(least, 0.0)
    room = (most - least) * 0.08 or 1.0
    least, most = least - room, most + room

    def at(value: float) -> float:
        inside = min(max(value, least), most)
        return round(_WIDE * (inside - least) / (most - least), 1)

    middle = _HIGH / 2
    band = at(low), at(high)
    parts = [
        f'<rect class="allowed" x="{band[0]}" y="1" '
        f'width="{round(max(band[1] - band[0], 0.5), 1)}" height="{_HIGH - 2}"/>',
        f'<path class="interval" d="M{at(found.low)} {middle}H{at(found.high)}"/>',
        f'<circle class="number" cx="{at(found.value)}" cy="{middle}" r="3.2"/>',
    ]
    if found.chance is not None:
        x = at(found.chance)
        parts.insert(1, f'<path class="chance" d="M{x} 1V{_HIGH - 1}"/>')
    return (
        f'<svg viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" height="{_HIGH}" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def _allowed(one: Score) -> tuple[float, float]:
    """The tolerance on the scale of the number."""
    limits, found = one.line.tolerance, one.found
    if found is None or found.chance is None:
        return limits.least, limits.most
    even = found.chance
    if one.line.style == "number":
        return even * (1 + limits.least), even * (1 + limits.most)
    return even + limits.least, even + limits.most


def taken(run: Run) -> Section | None:
    """How often each option is taken by those who play well; None where none is."""
    rows = uses(run)
    if rows.is_empty():
        return None
    rows = rows.with_columns(
        low=(pl.col("estimate") - 1.96 * pl.col("se")).clip(0, 1),
        high=(pl.col("estimate") + 1.96 * pl.col("se")).clip(0, 1),
        known=pl.when(~pl.col("able"))
        .then(pl.lit("not how to use it"))
        .when(~pl.col("several"))
        .then(pl.lit("alone"))
        .otherwise(pl.lit("")),
    )
    rows = rows.sort("estimate", "decision", "option", maintain_order=True)
    rows = rows.drop("searches", "able", "several")
    table = exhibit(
        "taken-options",
        "How often each option is taken",
        "Of the times that it and another option could be taken. Of those who play "
        "well: who surely beats the leading strategy, or else the leading one and "
        "whoever is not surely worse. Of a bag (contracts) an option is taken where "
        "any of its tokens lies on it. Left out: what could be taken fewer than 100 "
        "times, and to leave a decision be. The least taken come first.",
        rows,
        (
            Column("option", "option", "what can be chosen"),
            Column("decision", "decision", "kind of decision"),
            Column("who", "all play", "everybody at the table decides like that"),
            Column(
                "estimate",
                "taken",
                "of the times that it and another could be; 95 % interval by game",
                "share",
                "low",
                "high",
            ),
            Column("games", "open in", "games in which it could be taken", "share"),
            Column(
                "known",
                "knows",
                "not how to use it: what makes use of it comes later, and he hardly "
                "ever does that; alone: one heuristic, whose habit is no fact about "
                "the game. No verdict is made of these",
            ),
            Column("n", "n", "times that it could be taken", "count"),
        ),
    )
    return Section(
        TAKEN, "What is taken, of what can be", f"{run.data.players} players.", (table,)
    )

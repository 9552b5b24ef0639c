"""Page one: sentences, and the scorecard's lines, each with a small picture."""

import math
from collections.abc import Sequence

import polars as pl

from reports.formatting import exhibit, join_words
from reports.report_document import Column, PageOne, ScoreRow, Section
from reports.scorecard.score import ScorecardRun, scores, uses
from reports.scorecard.score_line import ScoreLine, text
from reports.scorecard.scored_line import SHAPES, ScoredLine, table
from reports.scorecard.sentences import (
    MOST,
    section_to_see,
    sentences,
    with_repeats,
    worst,
)

TAKEN = "taken"
"""Id of the section about how often each option is taken."""
_WIDTH, _HEIGHT = 150, 16  # of a picture, in pixels
_RULES_NAMED = 8  # before the rest is counted


def verdict(
    run: ScorecardRun,
    sections: Sequence[str],
    left_out: str = "",
    assumed: Sequence[str] = (),
    told: Sequence[str] = ("", "", ""),
) -> PageOne:
    """Return page one of a run.

    ``sections``: the ids of the sections below it. ``assumed``: rules whose values
    the rule text does not state. ``told`` of the players, in words: who leads, that
    weaker ones show the opposite, and that nobody reads some rules.
    """
    scored = scores(run)
    explained = worst(scored)[:MOST]
    lines = tuple(
        ScoreRow(
            f"{score.line.id}-{score.players}" if more else score.line.id,
            score.line.title + (f", {score.players} players" if more else ""),
            score.line.asks,
            score.line.doc,
            _value(score),
            allowed(score.line),
            score.verdict,
            SHAPES[score.verdict],
            picture(score),
            _note(score, score in explained),
            section_to_see(score.line, sections),
        )
        for score, more in with_repeats(scored)
    )
    advice = tuple(sentences(scored, sections))
    lead, reversal, unread = told
    every = (lead, reversal, run.player_trust.sentence, unread)
    players = tuple(filter(None, every))
    return PageOne(lines, advice, table(scored), left_out, _assumed(assumed), players)


def _assumed(names: Sequence[str]) -> str:
    """Name the rules whose values the rule text does not state."""
    if not names:
        return ""
    more = len(names) - _RULES_NAMED
    rest = [f"{more} more"] if more > 0 else []
    rules = join_words([*names[:_RULES_NAMED], *rest])
    return (
        f"Assumed, as the rule text does not say: {rules}. The results hold for these "
        "values."
    )


def _note(score: ScoredLine, has_sentence: bool) -> str:
    """Return the small print of a number, with the ways to play that have no vote.

    Whom the line does not hold for is left to its sentence, if it has one.
    """
    note = "" if score.estimate is None else score.estimate.note
    excluded = ""
    if score.excluded and score.line.claims:
        excluded = f"excluded: {join_words(score.excluded)}"
    other = ""
    if score.differ and not has_sentence:
        count, name = len(score.differ), score.differ[0]
        other = f"not so if all play like {name}: {score.instead}"
        if count > 1:
            ways = f"in {count} of {score.style_count} ways to play"
            other = f"not so {ways}: if all play like {name}, {score.instead}"
    return "; ".join(filter(None, [note, other, _strong(score), excluded]))


def _strong(score: ScoredLine) -> str:
    """Return the range of strong ways to play, and their mean with its interval."""
    if score.strong is None:
        return ""
    ways, *ends, mean = score.strong
    named = (*ends, mean.estimate, mean.low, mean.high)
    least, most, middle, low, high = (text(score.line, x, bare=True) for x in named)
    return (
        f"{ways} strong ways to play: {least} to {most}; pooled over all such ways "
        f"{middle}, from {low} to {high}"
    )


def _value(score: ScoredLine) -> str:
    """The number with its interval."""
    line, number = score.line, score.estimate
    if number is None:
        return ""
    if number.parts and number.low <= 0:  # a gap between best and worst
        return f"none shown; up to {text(line, number.high)}"
    ends = " to ".join(text(line, end, bare=True) for end in (number.low, number.high))
    even = "" if number.chance is None else f", by chance {text(line, number.chance)}"
    return f"{text(line, number.value)}, from {ends}{even}"


def allowed(line: ScoreLine) -> str:
    """Return a line's tolerance in words."""
    limits = line.tolerance
    if line.chance:
        return _beside_chance(line)
    if math.isfinite(limits.least) and math.isfinite(limits.most):
        return f"{text(line, limits.least, bare=True)} to {text(line, limits.most)}"
    if math.isfinite(limits.least):
        return f"at least {text(line, limits.least)}"
    return f"at most {text(line, limits.most)}"


def _beside_chance(line: ScoreLine) -> str:
    limits = line.tolerance
    unit = "%" if line.style == "number" else "points"
    ends = [
        f"at most {100 * abs(end):g} {unit} {way} chance"
        for end, way in ((limits.least, "below"), (limits.most, "above"))
        if math.isfinite(end)
    ]
    return " and ".join(ends)


def picture(score: ScoredLine) -> str:
    """Draw the interval beside the tolerance, as inline SVG in the page's colours."""
    number = score.estimate
    if number is None:
        return ""
    low, high = _allowed(score)
    ends = [number.low, number.high, number.value, *filter(math.isfinite, (low, high))]
    if number.chance is not None:
        ends.append(number.chance)
    least, most = min(ends), max(ends)
    if score.line.style != "number":
        least = min(least, 0.0)
    padding = (most - least) * 0.08 or 1.0
    least, most = least - padding, most + padding

    def at(value: float) -> float:
        inside = min(max(value, least), most)  # a tolerance may be unbounded
        return round(_WIDTH * (inside - least) / (most - least), 1)

    middle = _HEIGHT / 2
    band = at(low), at(high)
    parts = [
        f'<rect class="allowed" x="{band[0]}" y="1" '
        f'width="{round(max(band[1] - band[0], 0.5), 1)}" height="{_HEIGHT - 2}"/>',
        f'<path class="interval" d="M{at(number.low)} {middle}H{at(number.high)}"/>',
        f'<circle class="number" cx="{at(number.value)}" cy="{middle}" r="3.2"/>',
    ]
    if number.chance is not None:
        x = at(number.chance)
        parts.insert(1, f'<path class="chance" d="M{x} 1V{_HEIGHT - 1}"/>')
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def _allowed(score: ScoredLine) -> tuple[float, float]:
    """The tolerance on the scale of the number."""
    limits, estimate = score.line.tolerance, score.estimate
    if estimate is None or estimate.chance is None:
        return limits.least, limits.most
    even = estimate.chance
    if score.line.style == "number":
        return even * (1 + limits.least), even * (1 + limits.most)
    return even + limits.least, even + limits.most


def taken(run: ScorecardRun) -> Section | None:
    """Return the section on how often good players take each option, None if empty."""
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
    rows = rows.drop("skilled", "able", "several")
    table = exhibit(
        "taken-options",
        "How often each option is taken",
        "Of the times that it and another option could be taken, by good players: "
        "those shown to beat the leading strategy, or else the leading one and all "
        "that are not shown to be worse. In a bag (contracts) an option counts as "
        "taken if any token lies on it. Left out: options that could be taken fewer "
        "than 100 "
        "times, and passing. The options taken least come first.",
        rows,
        (
            Column("option", "option", "what can be chosen"),
            Column("decision", "decision", "kind of decision"),
            Column("who", "all play", "everyone at the table decides like this"),
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
                "not how to use it: it pays off only through a later action, which "
                "this player hardly ever takes; alone: only one heuristic was asked, "
                "whose habit is no fact about the game. These get no verdict",
            ),
            Column("n", "n", "times that it could be taken", "count"),
        ),
    )
    return Section(
        TAKEN, "What is taken, of what can be", f"{run.data.players} players.", (table,)
    )

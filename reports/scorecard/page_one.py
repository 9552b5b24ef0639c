"""Page one: sentences, and the scorecard's lines, each with a small picture."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from reports.formatting import exhibit, join_words
from reports.report_document import Column, PageOne, ScoreRow, Section
from reports.scorecard import option_verdicts
from reports.scorecard.line_estimate import per_hundred
from reports.scorecard.line_pictures import (
    bars,
    chance_text,
    interval_picture,
    value_text,
)
from reports.scorecard.line_statistics import DECIDED
from reports.scorecard.score import ScorecardRun, option_table, scores, uses
from reports.scorecard.score_line import ScoreLine, text
from reports.scorecard.scored_line import SHAPES, ScoredLine, table
from reports.scorecard.sentences import (
    MOST,
    section_to_see,
    sentences,
    topics,
    with_repeats,
    worst,
)

TAKEN = "taken"
"""Id of the section about how often each option is taken."""
_NO_REASONS: Mapping[str, str] = {}
_RULES_NAMED = 3  # before the rest is counted


def verdict(
    run: ScorecardRun,
    sections: Sequence[str],
    left_out: str = "",
    assumed: Sequence[str] = (),
    told: Sequence[str] = ("", "", "", ""),
    reasons: Mapping[str, str] = _NO_REASONS,
) -> PageOne:
    """Return page one of a run.

    ``sections``: the ids of the sections below it. ``assumed``: rules whose values
    the rule text does not state. ``told`` of deals and players, in words: which deals
    are played, who leads, that weaker ones show the opposite, and that nobody reads
    some rules.
    ``reasons``: how lines come about, by id.
    """
    scored = scores(run)
    explained = [score for topic in topics(worst(scored))[:MOST] for score in topic]
    lines = tuple(
        ScoreRow(
            f"{score.line.id}-{score.players}" if more else score.line.id,
            score.line.title + (f", {score.players} players" if more else ""),
            score.line.asks,
            score.line.doc,
            value_text(score),
            chance_text(score),
            allowed(score.line),
            score.verdict,
            SHAPES[score.verdict],
            interval_picture(score),
            _note(score, score in explained),
            section_to_see(score.line, sections),
        )
        for score, more in with_repeats(scored)
    )
    advice = tuple(
        replace(sentence, why=reasons.get(sentence.line, ""))
        for sentence in sentences(scored, sections, searched=bool(run.search))
    )
    deals, lead, reversal, unread = told
    every = (deals, lead, reversal, run.player_trust.sentence, unread)
    players = tuple(filter(None, every))
    shown = explained or [score for score in scored if score.line.id == "positions"][:1]
    pictures = tuple(map(bars, shown))
    notes = left_out, _assumed(assumed), players
    return PageOne(lines, advice, table(scored), pictures, *notes)


def how_games_end(
    run: ScorecardRun,
    ends: Mapping[str, str],
    undecided: Mapping[str, str],
    lasts: tuple[str, str] = ("", ""),
) -> dict[str, str]:
    """Return how most games end, and when, as the reason of lines that it may explain.

    ``ends`` and ``undecided``: words for each end; ``lasts``: the measure and unit of
    how long a game is (``GameReport``). Without ``lasts``, empty if all games end
    alike.
    """
    rows = run.data.leading(DECIDED, players=run.data.players).drop_nulls("estimate")
    shares = dict(rows.select("by", "estimate").iter_rows())
    reasons: dict[str, str] = {}
    for lines, words in ((_ENDED, ends), (("ties",), undecided)):
        known = [(share, words.get(by, "")) for by, share in shares.items()]
        most, how = max(
            known, key=lambda each: each[0] * bool(each[1]), default=(0, "")
        )
        if how and 0 < most <= _ALL:
            text = f"{per_hundred(most)} of 100 games end as {how}."
            reasons |= dict.fromkeys(lines, text)
    measure, unit = lasts
    if measure:
        [mean] = run.data.leading(measure, players=run.data.players)["estimate"]
        long = f"A game has {mean:.0f} {unit} on average."
        for line in _ENDED:
            reasons[line] = f"{reasons[line]} {long}" if line in reasons else long
    return reasons


_ALL = 0.97  # of the games: then an end explains nothing
_ENDED = ("roles", "length")  # what depends on how most games end


def _assumed(names: Sequence[str]) -> str:
    """Name the rules whose values the rule text does not state."""
    if not names:
        return ""
    more = len(names) - _RULES_NAMED
    rest = [f"{more} more"] if more > 0 else []
    rules = join_words([*names[:_RULES_NAMED], *rest])
    return f"Assumed: {rules}."


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
    shown = f"{ways} strong ways to play: {least} to {most}"
    if not mean.telling:
        return shown
    return f"{shown}; pooled over all such ways {middle}, from {low} to {high}"


def allowed(line: ScoreLine) -> str:
    """Return a line's tolerance in words."""
    limits, unit = line.tolerance, line.number_unit
    scale, beyond = line.scale, ("", "")
    if line.chance:
        unit, scale = "%" if line.style == "number" else "points", 100
        beyond = " below chance", " above chance"
    ends = [
        f"{scale * abs(end) if line.chance else scale * end:g}"
        for end in (limits.least, limits.most)
    ]
    if math.isfinite(limits.least) and math.isfinite(limits.most) and not line.chance:
        return f"{' to '.join(ends)} {unit}"
    word = "at most" if line.chance else "at least"
    parts = [f"{word} {ends[0]} {unit}{beyond[0]}"] * math.isfinite(limits.least)
    parts += [f"at most {ends[1]} {unit}{beyond[1]}"] * math.isfinite(limits.most)
    return join_words(parts).replace(" 1 points", " 1 point")


def taken(run: ScorecardRun) -> Section | None:
    """Return the section on what options are worth, and how often good players take it.

    None if nothing is known.
    """
    rows = uses(run)
    if rows.is_empty():
        return None
    rows = rows.with_columns(
        low=(pl.col("estimate") - 1.96 * pl.col("se")).clip(0, 1),
        high=(pl.col("estimate") + 1.96 * pl.col("se")).clip(0, 1),
        n=pl.when(pl.col("games") == 0).then(0.0).otherwise(pl.col("n")),
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
        "taken if any token lies on it. Left out: passing, and options that could be "
        "taken, but fewer than 100 times. The options taken least come first.",
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
    who = run.option_player or run.data.lead
    exhibits = [option_verdicts.exhibit_of(option_table(run), who)]
    if run.worth is not None:
        exhibits.append(option_verdicts.kinds_exhibit(run.worth, who))
    known = (one for one in exhibits if one.table.height)  # none before they are tried
    about = f"{run.data.players} players."
    return Section(TAKEN, "What each option is worth", about, (*known, table))

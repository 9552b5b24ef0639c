"""Scores: each line of the scorecard with its number, interval, tolerance and verdict.

    score(ScorecardRun(data))    # a table with a row for each line

What each way to play shows is compared with what the leading players show.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from reports.finding_robustness import PlayStyle, Robustness
from reports.option_follow_ups import TAKEN
from reports.player_trust import PlayerTrust
from reports.report_data import ReportData
from reports.robustness_text import ClaimTest, to_settle
from reports.scorecard import (
    cell_lines,
    option_lines,
    option_verdicts,
    strategy_lines,
)
from reports.scorecard.cell_lines import CellMeasures
from reports.scorecard.line_estimate import LineEstimate, per_hundred
from reports.scorecard.line_statistics import LATER, ROLE_WINS
from reports.scorecard.lines import LINES, SECONDS
from reports.scorecard.option_lines import OptionPlayer
from reports.scorecard.score_line import ScoreLine, text
from reports.scorecard.scored_line import PROBLEMS, REVERSE, ScoredLine, judged, table
from reports.statistics.intervals import LEAST
from reports.statistics.random_effects import StrongRange, pooled
from reports.statistics.robustness import AGREES, DIFFERS, OPEN, Asserted, agreement

OPTIONAL_LINES: Mapping[str, str] = {"later": LATER, "roles": ROLE_WINS}
"""Lines that only some games have, each with the measure that such games have."""
_NOISY = "noisy"
_TWO = 2  # players


@dataclass(frozen=True)
class ScorecardRun:
    """The data that a scorecard is made from.

    ``search``: data of tables with search players. ``undecided``: endings in which the
    winner is not decided by play. ``seconds``: how long a decision takes.
    ``luck``: shares of variance from a luck run. ``worth``: what options are worth
    (``option_worth``). ``trust``: gains that were played beside the run, by
    ``PlayerTrust.of``. ``searched``: for each search player, by name, the decisions
    that it searches (None: all), and the strategies of its rollouts; the first of these
    makes its other decisions. ``windfalls``: decisions
    in which more is better by the rules. ``option_player``: the heuristic by whom
    ``worth`` is, where it is not who leads.
    """

    data: ReportData
    search: Sequence[ReportData] = ()
    undecided: Sequence[str] = ()
    seconds: float = SECONDS
    luck: pl.DataFrame | None = None
    worth: pl.DataFrame | None = None
    trust: pl.DataFrame | None = None
    lines: tuple[ScoreLine, ...] = LINES
    searched: Mapping[str, tuple[Collection[str] | None, Sequence[str]]] = field(
        default_factory=dict
    )
    windfalls: Collection[str] = ()
    option_player: str = ""

    @cached_property
    def robustness(self) -> Robustness:
        """The ways to play that the run has games of."""
        return Robustness(self.data, self.search, self.undecided)

    @cached_property
    def player_trust(self) -> PlayerTrust:
        """What others gain in one seat at the leading strategy's table."""
        lead, players = self.data.lead, self.data.players
        one = self.robustness.one_among_leaders.filter(players=players)
        one = one.filter(pl.col("skilled") | pl.col("heuristic"))
        parts = [one.select("strategy", "n", gain="more", gain_se="se")]
        parts += [] if self.trust is None else [self.trust]
        return PlayerTrust.of(lead, players, *parts)


def scores(run: ScorecardRun) -> list[ScoredLine]:
    """Score every line, in the scorecard's order; positions for each player count.

    The other lines are about the leading lineup with the run's main number of players.
    """
    players, single = run.data.players, run.robustness.one_among_leaders
    ways = _ways(run)
    taken = uses(run)
    unable = option_lines.unable(taken)
    scored: list[ScoredLine] = []
    for line in run.lines:
        if line.id == "positions" and not run.data.begins:
            continue
        if line.id == "comeback" and players == _TWO:
            continue  # the last of two is who does not lead, as the line before says
        if (
            line.id in OPTIONAL_LINES
            and OPTIONAL_LINES[line.id] not in run.data.measures
        ):
            continue
        if line.id in cell_lines.CELL_LINES:
            line_score = _of_cells(run, line, ways, players)
            scored.append(line_score)
            if line.id == "positions":
                scored += _other_tables(run, line)
            continue
        line_score = judged(line, players, _of_run(run, line, single, taken))
        scored.append(
            replace(line_score, unable=unable) if line.id == "dead" else line_score
        )
    return scored


def score(run: ScorecardRun) -> pl.DataFrame:
    """Score a run: a table with a row for each line and the columns of ``SCHEMA``.

    For lines compared with chance, ``least`` and ``most`` are differences from
    ``chance``.
    """
    return table(scores(run))


def _of_run(
    run: ScorecardRun, line: ScoreLine, single: pl.DataFrame, taken: pl.DataFrame
) -> LineEstimate | None:
    """Return the number of a line that is about all cells."""
    if line.id == "skill":
        return strategy_lines.skill(single)
    if line.id == "plan":
        return strategy_lines.plan(single, run.data.lead)
    if line.id == "luck":
        return None if run.luck is None else strategy_lines.luck(run.luck)
    return _of_options(run, line, taken)


def _of_options(
    run: ScorecardRun, line: ScoreLine, taken: pl.DataFrame
) -> LineEstimate | None:
    """Return the number of a line that is about options."""
    limits = line.tolerance.fair_range
    make: dict[str, Callable[[], LineEstimate | None]] = {
        "dead": lambda: option_lines.dead(taken, limits),
        "dominant": lambda: option_lines.dominant(taken, run.windfalls, limits),
        "trap": lambda: _trap(run, limits),
        "mechanic": lambda: _mechanic(run, limits),
        "outshines": lambda: _of_worth(run, option_lines.outshines, limits),
    }
    return make[line.id]()


def _trap(run: ScorecardRun, limits: tuple[float, float]) -> LineEstimate | None:
    """Return the worst trap among the options that the leading strategy uses."""
    if run.worth is None:
        return None
    unused = run.data.unused_options
    return _by_lead(run, option_lines.trap(run.worth, unused, limits))


def _of_worth(
    run: ScorecardRun,
    make: Callable[..., LineEstimate | None],
    limits: tuple[float, float],
) -> LineEstimate | None:
    """Return a number of what options are worth to the leading strategy."""
    if run.worth is None:
        return None
    return _by_lead(run, make(run.worth, run.windfalls, limits))


def _mechanic(run: ScorecardRun, limits: tuple[float, float]) -> LineEstimate | None:
    """Return the kind of decision that is worth least to the leading strategy.

    A heuristic that gains nothing by a decision may just not know how to make it, but
    not if no answer changes who wins.
    """
    number = _of_worth(run, option_lines.mechanic, limits)
    if number is None or (run.data.lead_called and not run.option_player):
        return number
    chosen = run.data.raw(TAKEN).filter(pl.col("x") > 0)
    if run.worth is not None and number.sign in option_lines.idle(run.worth, chosen):
        return number
    return replace(number, known_of=run.option_player or run.data.lead)


def _by_lead(run: ScorecardRun, number: LineEstimate | None) -> LineEstimate | None:
    """Return the number with its words: in points, and what the players are called."""
    if number is None:
        return None
    they = number.words["they"]
    if not run.option_player:
        they = run.data.lead_called or they
    words = {"they": they, "value": f"{100 * number.value:.0f}"}
    return replace(number, words={**number.words, **words})


def uses(run: ScorecardRun) -> pl.DataFrame:
    """Return how often good players take each option (``option_lines.uses``)."""
    taken = option_lines.uses(able_players(run))
    if run.worth is None or taken.is_empty():
        return taken
    offered = run.data.raw(TAKEN).filter(pl.col("x") > 0)
    return option_verdicts.with_what_is_forced(
        taken, run.worth, run.data.follow_ups, offered
    )


def option_table(run: ScorecardRun) -> pl.DataFrame:
    """Return the verdict on each option (``option_verdicts.verdicts``).

    What is dead or a trap is taken from the lines of the scorecard.
    """
    taken = uses(run)
    scored = {
        line.id: judged(line, run.data.players, _of_options(run, line, taken))
        for line in run.lines
        if line.id in ("dead", "trap")
    }
    dead, traps = (
        scored[name].beyond if scored[name].verdict in PROBLEMS else ()
        for name in ("dead", "trap")
    )
    unable = option_lines.unable(taken)
    return option_verdicts.verdicts(run.worth, taken, dead, traps, unable)


def able_players(run: ScorecardRun) -> list[OptionPlayer]:
    """Return the good players: all that are shown to beat the leading strategy.

    If there are none, the leading strategy and all that are not shown to be worse.
    """
    single, players = run.robustness.one_among_leaders, run.data.players
    plain = [way for way in _ways(run) if not _is_noisy(way)]
    best, worse = (
        set(single.filter(verdict=word)["strategy"]) for word in ("better", "worse")
    )
    strong = [way for way in plain if way.name in best]
    strong = strong or [way for way in plain if way.name not in worse]
    good = []
    for way in strong:
        searched, bases = run.searched.get(way.name, (None, ()))
        where, base = _where(run, way, players), next(iter(bases), way.name)
        play_on = [
            _where(run, other, players)
            for other in run.robustness.play_styles(players)
            if other.name in bases
        ]
        good.append(
            OptionPlayer(
                way.name,
                where,
                way.skilled,
                searched,
                base,
                tuple(play_on),
                way.leads,
            )
        )
    return good


def _ways(run: ScorecardRun) -> list[PlayStyle]:
    """Return the ways to play that count, or just the leading lineup if it is none."""
    data, players = run.data, run.data.players
    ways = [
        way
        for way in run.robustness.play_styles(players)
        if way.leads or not way.excluded
    ]
    if any(way.leads for way in ways):
        return ways
    cells = data.cells.filter(data.leads(players))["cell"].to_list()
    return [PlayStyle(data.lead, data, cell) for cell in cells[:1]]


def _is_noisy(way: PlayStyle) -> bool:
    kinds = way.data.cells.filter(cell=way.cell)["kind"]
    return kinds.to_list() == [_NOISY]


def cell_of(
    run: ScorecardRun, data: ReportData, cell: int, players: int
) -> CellMeasures:
    """Return a cell of a run, with what is known about its game."""
    return CellMeasures(data, cell, players, run.undecided, run.seconds)


def _where(run: ScorecardRun, way: PlayStyle, players: int) -> CellMeasures:
    return cell_of(run, way.data, way.cell, players)


def _of_cells(
    run: ScorecardRun, line: ScoreLine, ways: Sequence[PlayStyle], players: int
) -> ScoredLine:
    """Score a line for the leading lineup, and compare the other ways to play."""
    make = cell_lines.CELL_LINES[line.id]
    lead = next((way for way in ways if way.leads), None)
    line_score = judged(
        line, players, None if lead is None else make(_where(run, lead, players))
    )
    estimate = line_score.estimate
    if estimate is None or lead is None:
        return line_score
    styles = run.robustness.play_styles(players)
    line_score = replace(
        line_score,
        lead_skilled=bool(lead.skilled),
        asked=len(ways) > 1,
        excluded=tuple(
            f"{way.name} ({way.excluded})"
            for way in styles
            if way.excluded and not way.leads
        ),
    )
    others = {
        way.name: (way, number)
        for way in ways
        if way is not lead and (number := make(_where(run, way, players))) is not None
    }
    claim = cell_lines.claim(line, _where(run, lead, players))
    problem, tried = line_score.verdict in PROBLEMS, None
    if claim is not None:
        tried = run.robustness.test_claim(claim, beyond=problem)
    verdicts = _each(line_score, others) if tried is None else _claimed(tried, others)
    by_word = {word: [name for name, of in verdicts if of == word] for word in _WORDS}
    skilled = {name: others[name][0].skilled for name, _ in verdicts}
    instead = ""
    if by_word[DIFFERS]:
        first = by_word[DIFFERS][0]
        reverse = tried is not None and _reverse(tried, first)
        instead = _instead(line_score, others[first][1], reverse)
    agree, differ, unsettled = (tuple(by_word[word]) for word in _WORDS)
    known = [(estimate, AGREES)] if lead.skilled else []
    known += [(others[name][1], word) for name, word in verdicts if skilled[name]]
    return replace(
        line_score,
        agree=agree,
        differ=differ,
        unsettled=unsettled,
        skilled=tuple(
            (skilled[name], _WORDS[word]) for name, word in verdicts if skilled[name]
        ),
        instead=instead,
        strong=_strong_range(estimate, known),
        to_settle="" if tried is None else to_settle(tried),
    )


def _strong_range(
    lead: LineEstimate, known: Sequence[tuple[LineEstimate, str]]
) -> StrongRange | None:
    """Return the range of the numbers of skilled players, each with its word.

    Of several shares, how far the one that leads with ``lead`` is above the last there.
    None unless several settle the result; those who leave it open are pooled, too.
    """
    numbers = [_same_number(lead, number) for number, _ in known]
    settled = [
        value
        for (value, _), (_, word) in zip(numbers, known, strict=True)
        if word != OPEN
    ]
    values, errors = np.reshape(numbers, (-1, 2)).T
    mean = pooled(values, errors)
    if len(settled) < 2 or mean is None:
        return None
    return StrongRange(len(settled), min(settled), max(settled), mean)


def _same_number(lead: LineEstimate, other: LineEstimate) -> tuple[float, float]:
    """Return the number of another way to play, and its standard error."""
    if not lead.parts:
        return other.value, other.se
    one, two = (other.parts.get(lead.words[end], 0.0) for end in ("best", "worst"))
    return one - two, float(np.sqrt(max(one + two - (one - two) ** 2, 0.0) / other.n))


_WORDS = {AGREES: "agree", DIFFERS: "differ", OPEN: "unsettled"}
Others = Mapping[str, tuple[PlayStyle, LineEstimate]]
"""Other ways to play, by name, each with its number."""
WayVerdicts = list[tuple[str, str]]
"""Names of ways to play, each with its word; among those that differ, search players
come first, then the clearest."""


def _claimed(tried: ClaimTest, others: Others) -> WayVerdicts:
    """Return the word of each way to play on a claim about several shares."""
    rows = tried.styles_that(AGREES, OPEN) + tried.styles_that(DIFFERS)
    return [(row["way"], row["holds"]) for row in rows if row["way"] in others]


def _each(lead: ScoredLine, others: Others) -> WayVerdicts:
    """Return the word of each way to play on a line that is one number."""
    sign = None
    if lead.verdict in PROBLEMS:
        sign = -1 if lead.side == "low" else 1
    elif lead.verdict == "fair":
        sign = 0
    names = [*others]
    if not names:
        return []
    known = [line if line.n >= LEAST else None for _, line in others.values()]
    values, errors = (
        np.array([[np.nan if way is None else getattr(way, name)[0]] for way in known])
        for name in ("values", "errors")
    )
    limits = lead.line.tolerance.fair_range
    share = lead.estimate is not None and lead.estimate.share
    words = agreement(Asserted(sign, 0), values, errors, limits, share=share)
    order = sorted(
        range(len(names)),
        key=lambda at: (
            not others[names[at]][0].skilled,
            (sign or 0) * values[at, 0] if np.isfinite(values[at, 0]) else np.inf,
        ),
    )
    return [(names[at], words[at]) for at in order]


def _reverse(tried: ClaimTest, name: str) -> bool:
    """Return whether a way to play shows the opposite of the claim."""
    [row] = tried.rows.filter(way=name).to_dicts()
    if not tried.asserted.sign or row["more"] is None:
        return False
    reverse: bool = (
        row["more_high"] < 0 if tried.asserted.sign > 0 else row["more_low"] > 0
    )
    return reverse


def _instead(lead: ScoredLine, other: LineEstimate, reverse: bool) -> str:
    """Return the result of another way to play, worded for the line's sentence."""
    if lead.estimate is not None and lead.estimate.parts and lead.verdict in PROBLEMS:
        best, worst = (lead.estimate.words[end] for end in ("best", "worst"))
        shares = [other.parts.get(name, 0.0) for name in (best, worst)]
        ends = [per_hundred(share) for share in shares]
        wins = f"{best} wins {ends[0]} of 100 and {worst} {ends[1]}"
        reverse = reverse and shares[0] < shares[1] and ends[0] != ends[1]
        return f"{REVERSE}, {wins}" if reverse else wins
    even = other.chance
    by_chance = "" if even is None else f", by chance {text(lead.line, even)}"
    return f"it is {text(lead.line, other.value)}{by_chance}"


def _other_tables(run: ScorecardRun, line: ScoreLine) -> list[ScoredLine]:
    """Score the positions with every other number of players."""
    scored = []
    for players in run.data.counts:
        if players == run.data.players:
            continue
        ways = run.robustness.play_styles(players)
        ways = [way for way in ways if way.leads or not way.excluded]
        if any(way.leads for way in ways):
            scored.append(_of_cells(run, line, ways, players))
    return scored

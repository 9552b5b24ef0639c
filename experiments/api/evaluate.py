"""Judge a game: reports, comparisons, sample sizes, luck, table sessions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from experiments.coercion import (
    Given,
    Lineup,
    RulesLike,
    absolute_path,
    coerce_arm,
    coerce_cell,
    coerce_given,
    coerce_lessons,
    coerce_rule_set,
    coerce_seed,
    refuse_faulty,
)
from experiments.core.cells import UsageError
from experiments.execution.run import Progress
from experiments.rule_set import RuleSet

if TYPE_CHECKING:
    from experiments.analysis.compare import Comparison, ComparisonTolerance
    from experiments.analysis.comparison_arms import Arm
    from experiments.analysis.luck_shares import LuckShares
    from experiments.analysis.playtest import Playtest
    from experiments.analysis.power import SampleSizes
    from experiments.analysis.replication import Replication
    from reports.report_document import Finding, PageOne, SectionLink


@dataclass(frozen=True)
class Report:
    """A balance report: the path of its page, and its findings."""

    page: Path
    found: "tuple[Finding, ...]"
    verdict: "PageOne"
    replication: "Replication | None" = None
    left: "tuple[SectionLink, ...]" = ()  # sections that are made when asked for

    @property
    def findings(self) -> tuple[str, ...]:
        """The findings, in words."""
        return tuple(finding.text for finding in self.found)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What to change, worst first: page one in at most five sentences."""
        return tuple(sentence.told for sentence in self.verdict.sentences)

    @property
    def scorecard(self) -> pl.DataFrame:
        """One row per line: its number, interval, tolerance and verdict."""
        return self.verdict.table

    def show(self) -> None:
        """Open the page in a browser."""
        import webbrowser

        webbrowser.open(self.page.resolve().as_uri())

    def __repr__(self) -> str:
        """What to change, and the path of the page."""
        return "\n".join([*(f"- {text}" for text in self.sentences), f"{self.page}"])


def report(
    rules: RulesLike,
    *,
    out: str | Path | None = None,
    games: int | None = None,
    search_games: int | None = None,
    settle: float = 12.0,
    players: int | Sequence[int] | None = None,
    lineup: str | None = None,
    given: Given = (),
    lead: str | None = None,
    add_strategy: Sequence[str] = (),
    targets: str | Path | None = None,
    quick: bool = False,
    full: bool = False,
    sections: str | Sequence[str] = (),
    add_section: str | Path | Sequence[str | Path] = (),
    replicate: bool = False,
    adapt: float = 60.0,
    cures: int | None = None,
    png: bool = False,
    seed: int | None = None,
    jobs: int = -1,
    progress: Progress | None = None,
) -> Report:
    """Play a panel of lineups and write a balance report.

    The report is a page for your browser: page one, and the sections behind it.

    Args:
        rules, seed, jobs, progress: as in ``play``.
        out: a new directory; by default one under ``results/``. In the directory of a
            report, with the same arguments, only what is missing is played.
        games: by each lineup and number of players; by default set by the game.
        search_games: per table with search players, which are slow; by default set by
            the game. 0 leaves search out.
        settle: seconds for which strong players play on while leading findings are
            open, in time of one core; 0: none.
        players: one number or several; by default all that the game allows.
        lineup: play only this lineup instead of the panel.
        given: as in ``play``; players who learn do so on all deals.
        lead: the strategy that findings are about; by default a strong player, who
            learned the game, or the leading heuristic in reports of few games.
        add_strategy: your own strategies as specs, e.g. "my.py:Bold"; they join the
            panel.
        targets: a file with tolerances for the scorecard.
        quick: write page one only, for one number of players, from fewer games.
        full: make all sections, fold nothing away, and let search players answer the
            slowest questions, too.
        sections: further sections to make, by id ("contracts"), or "all"; those that
            ``out`` has stay. ``left`` of the result lists what there is to ask for.
        add_section: Python files with sections of your own (docs/reports.md).
        replicate: play again on fresh games and show which findings hold.
        adapt: seconds for which the strong players go on learning where rules differ
            from the base rules, and, ten at most, under each cure that is tried, in
            time of one core; so long one also learns to use options that nobody else
            uses. 0: none. A quick report skips it, and so does one with a ``lead``.
        cures: fresh deals that test rule changes against what page one says is wrong;
            by default 1,024, or none in quick or smaller reports. 0: none.
        png: draw figures as PNG as well as SVG.
    """
    from experiments.analysis import balance_report, replication, report_sections
    from experiments.analysis.leader import Leader
    from experiments.core import own_sections
    from experiments.execution.output_paths import output_directory
    from experiments.learning.adaptation import ForcedLessons
    from experiments.learning.adapted_leader import AdaptedLeader
    from experiments.learning.adapted_search import CURE, AdaptToCures
    from experiments.learning.best_response import SECONDS, BestResponse

    of, first = coerce_rule_set(rules), coerce_seed(seed)
    if lead is not None and lineup is not None:
        raise UsageError("lead: a report of one lineup is about that. Name one.")
    refuse_faulty(of.game)
    seconds = 0 if quick else adapt
    wanted = (sections,) if isinstance(sections, str) else sections
    files = (add_section,) if isinstance(add_section, str | Path) else add_section
    lessons = replace(coerce_lessons(seconds, jobs, out, progress), kept=True)
    made = partial(
        balance_report.report,
        of.game,
        games=games,
        search_games=search_games,
        settle=settle,
        players=(players,) if isinstance(players, int) else players,
        rules=of.values,
        lineup=lineup,
        given=coerce_given(given),
        lead=AdaptedLeader(lessons, first) if lead is None else Leader(lead),
        strategies=add_strategy,
        png=png,
        targets=None if targets is None else Path(targets),
        quick=quick,
        full=full,
        learner=BestResponse(SECONDS, 1),
        cured=cures,
        adapt=AdaptToCures(lessons.at_most(CURE), named=lead is not None),
        train=ForcedLessons(lessons, first) if seconds and lead is None else None,
        jobs=jobs,
        progress=progress,
    )
    again = None
    with (
        own_sections.adding(files) as ids,
        output_directory(absolute_path(out), of.game, "report") as folder,
    ):
        made = partial(made, sections=(*wanted, *ids))
        if ids:
            report_sections.rehearse(of.game, of.values)
        done = made(seed=first, out=folder)
        if replicate:
            other = replication.replication_seed(first)
            repeated = made(seed=other, out=folder / "replication").found
            again = replication.compare_claims(done.found, repeated, other)
    return Report(done.page, done.found, done.verdict, again, done.left)


def compare(
    one: "RuleSet | Lineup | Arm",
    other: "RuleSet | Lineup | Arm",
    *,
    rules: RulesLike | None = None,
    lineup: Lineup | None = None,
    players: int | None = None,
    games: int | None = None,
    seed: int | None = None,
    rotate: bool = True,
    given: Given = (),
    tolerance: "ComparisonTolerance | None" = None,
    detailed: bool = True,
    independent: bool = False,
    decide: str = "",
    adapt: float = 60.0,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Comparison":
    """Compare two rule sets or lineups on the same games.

    Rule sets are compared twice: by the same players on both sides, and by players who
    learned the rules of their side (``adapted`` of the result; ``verdicts``: what holds
    for both).

    Args:
        one, other: rule sets; or lineups, which both play by ``rules``; or sides of
            ``experiments.analysis.comparison_arms``, which have rules and lineups.
            A side beside a finished run plays its games, with its number of them, seed,
            players and lineups; two finished runs are not played again.
        rules: the rules of lineups: a rule set, a game or its id.
        lineup: plays by the rule sets; by default the policy that the game comes with,
            or else the leading heuristic.
        players, seed, rotate, jobs, backend, scheduler, out, progress: as in ``play``.
        given: as in ``play``, by the rules of each side; not beside a run.
        games: on each side; by default 16,384 of heuristics, 4,096 of learned players
            (1,024 in slow games), or those of a finished run.
        tolerance: the largest difference that does not matter; by default 0.01 of a
            share, 5 % of other numbers.
        detailed: compare all measures of the report, not only how games end.
        independent: give the other side games of its own.
        decide: stop once this share is clearly within the tolerance or outside it, e.g.
            "won by position"; ``games`` is then the maximum, and nobody adapts.
        adapt: seconds for which players learn each side's rules, in time of one core,
            if nobody else is named as ``lineup`` or it is a learned policy; 0: none.
            With ``out``, ``results`` keeps what they learned.

    Raises what ``play`` raises, and ``UsageError`` if the sides do not fit.

    >>> from fairdeal import Game
    >>> game = Game("kunitame")
    >>> four = game.rules(life=4)
    >>> how = {"lineup": "allround", "games": 200, "seed": 1, "jobs": 1}
    >>> found = compare(game.rules(), four, detailed=False, **how)
    >>> found  # doctest: +ELLIPSIS
    kunitame: 200 games on each side, the same games
    Life gems of a player at the start: 4 gems instead of 3 (life).
    ... numbers, ... differ: see .rows, .family('end')
    """
    from experiments.analysis.compare import ComparisonTolerance
    from experiments.analysis.compared_arms import compare_arms
    from experiments.analysis.comparison_arms import games_of, on_same_games
    from experiments.execution.run_directory import check_same_source
    from experiments.learning.adapted_arms import adapted_arms, can_adapt

    drawn = coerce_seed(seed)
    left, right = (
        coerce_arm(side, rules, lineup, players, rotate, drawn, given)
        for side in (one, other)
    )
    left, right = on_same_games(left, right, independent, seed)
    games_of(left, right, games)  # raises, before anybody learns
    if (place := absolute_path(out)) is not None:
        check_same_source(place)
    lessons = coerce_lessons(adapt, jobs, out, progress)
    adapted = None
    if adapt and not decide and can_adapt(left, right):
        adapted = adapted_arms(left, right, lessons)
    return compare_arms(
        left,
        right,
        games,
        tolerance=tolerance or ComparisonTolerance(),
        decide=decide,
        adapted=adapted,
        detailed=detailed,
        with_scorecards=True,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=place,
        progress=progress,
    )


def power(
    one: "RuleSet | Lineup | Arm",
    other: "RuleSet | Lineup | Arm | None" = None,
    *,
    difference: float = 0.01,
    measure: str = "won by position",
    power: float = 0.80,
    rules: RulesLike | None = None,
    lineup: Lineup | None = None,
    players: int | None = None,
    pilot: int = 8_192,
    seed: int | None = None,
    jobs: int = -1,
    progress: Progress | None = None,
) -> "SampleSizes":
    """Estimate how many games a difference needs to show.

    The estimate comes from a short pilot study.

    Args:
        one, other, rules, lineup, players, seed, jobs: as in ``compare``; without
            ``other`` the pilot has one side.
        difference: in the unit of the measure; 0.01 is one percentage point.
        measure: its name, as ``fairdeal measures GAME`` lists it.
        power: the chance to detect the difference.
        pilot: games of the pilot study.

    ``games`` of the result is the number that the most demanding group needs.

    >>> found = power("random", rules="kunitame", pilot=500, seed=1, jobs=1)
    >>> found.games > 1_000
    True
    >>> found  # doctest: +ELLIPSIS
    won by position: ... games of each side, different ones, show ...
    in 80 % of studies, estimated from a pilot of 500 games: see .rows
    """
    from experiments.analysis.power import sample_sizes

    drawn = coerce_seed(seed)
    sides = [
        coerce_arm(side, rules, lineup, players, True, drawn).cells[0]
        for side in ([one, other] if other else [one])
    ]
    return sample_sizes(
        sides[0],
        difference,
        measure=measure,
        other=sides[1] if len(sides) > 1 else None,
        chance=power,
        pilot=pilot,
        jobs=jobs,
        progress=progress,
    )


def luck(
    rules: RulesLike,
    lineup: Lineup,
    *,
    players: int | None = None,
    games: int = 4_096,
    seed: int | None = None,
    jobs: int = -1,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "LuckShares":
    """Measure how much of a win is luck and how much is skill.

    The same deals are played with the lineup moved round all seats.

    Args:
        rules, players, seed, jobs, out, progress: as in ``play``.
        lineup: at least two different strategies.
        games: number of deals; each is played twice for every seat.

    >>> found = luck(
    ...     "kunitame", "greedy,random,random,random", games=64, seed=1, jobs=1
    ... )
    >>> found  # doctest: +ELLIPSIS
    kunitame, greedy,random,random,random: 64 deals
    shares of winning: deal ...
    of won, ...: see .components(value), .games
    """
    from experiments.analysis.luck_shares import luck_shares

    cell = coerce_cell(rules, lineup, players, False, seed)
    return luck_shares(
        cell, games, jobs=jobs, out=absolute_path(out), progress=progress
    )


def playtest(
    file: str | Path,
    rules: RulesLike,
    *,
    strategies: Sequence[str] = (),
    games: int = 16_384,
    seed: int | None = None,
    columns: Sequence[str] = (),
    encoding: str = "",
    where: Sequence[str] = (),
    progress: Progress | None = None,
) -> "Playtest":
    """Compare your table sessions with simulated games.

    Args:
        file: sessions, with one row per player: session, player, and if known score,
            position (1 is the first) and winner (yes or no); as CSV, a workbook (xlsx,
            ods), or plays exported by BG Stats (JSON) or BoardGameGeek (XML).
        rules: the rules of the sessions: a rule set, a game, or its id.
        strategies: strategies to consider; by default every strategy of the game.
        games: to simulate for each number of players.
        seed: random seed of the simulation.
        columns: the meaning of columns whose heading does not say: ``session=playid``,
            ``ignore=minutes``, ``person=Ana`` (a column of Ana's scores).
        encoding: of the file, e.g. "cp1252"; detected by default.
        where: which rows to read: ``version=2``, ``game=Kunitame``, or the sheet of a
            workbook, ``sheet=Plays``.
        progress: as in ``play``.

    Returns:
        how the file was read, and what it shows: a ``Playtest``.

    Raises:
        UsageError: names what cannot be read, by line and column.

    >>> playtest("sessions.csv", "kunitame", seed=1).mix  # doctest: +SKIP
    """
    import sim.games
    from experiments.analysis import playtest as analysis
    from experiments.analysis.play_log import read_play_log_of

    of = coerce_rule_set(rules)
    reading = {"columns": columns, "encoding": encoding, "where": where}
    return analysis.playtest(
        read_play_log_of(sim.games.load(of.game), Path(file), **reading),
        of.game,
        of.values,
        specs=strategies,
        games=games,
        seed=coerce_seed(seed),
        progress=progress,
    )

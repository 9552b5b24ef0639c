"""Play for one page: the scorecard of base and variant, levers, the open section.

A session plays in a thread, with the functions of ``import fairdeal``; a new question
drops the one before. The scorecard is computed each time the games have
doubled. As these are many looks, its intervals are those of a confidence sequence,
which is valid at all of them (``reports.statistics.sequential``).
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from experiments.analysis.adaptation_verdicts import VERDICTS, joined_verdicts
from experiments.analysis.comparison_arms import usual_games
from experiments.analysis.levers import LEAST, Levers, levers
from experiments.analysis.lone_section import lone_section
from experiments.analysis.rule_search import RuleSearch, find
from experiments.analysis.scorecard_effects import BLOCK, play, with_errors_apart
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import report_of
from experiments.execution.failures import RunFailed
from experiments.explore.page_state import PageState
from experiments.explore.page_workers import NoLongerWanted, PageWorkers
from experiments.explore.scorecard_rows import Row, scorecard_rows
from experiments.learning.adaptation import LessonPlan
from experiments.learning.adapted_arms import adapted_sides
from experiments.studies.lineups import can_learn
from experiments.variants.rule_steps import rule_steps
from reports.report_document import FigureFailed
from reports.scorecard.line_estimate import Z
from reports.statistics import sequential
from sim.parameters import RuleError, Rules

FIRST, COSTLY = 512, 64
"""Games of the first look; with a costly strategy, of that and of a block."""
_LEAST_GAMES = 8_192  # games, even if all is settled sooner: intervals should be narrow
LESSONS = 60.0
"""Seconds for which players learn each of the two rule sets, if they are asked to."""
_ADAPTED_GAMES = 2_048  # that those play who have learned them
_PATIENCE = 0.3  # seconds that a page waits for news
_LEVERS = BLOCK, LEAST, LEAST  # games of each lever: of heuristics, else
_JOIN = 5  # seconds for a thread to notice that it is no longer wanted


@dataclass(frozen=True)
class PageQuestion:
    """The question of a page: ``base`` is the base's cell, ``rules`` the variant's."""

    state: PageState
    base: Cell
    rules: Rules

    @property
    def sides(self) -> list[Cell]:
        """The base's cell, and the variant's if anything is changed."""
        variant = replace(self.base, rules=self.rules)
        return [self.base] if self.rules == self.base.rules else [self.base, variant]

    @property
    def costly(self) -> bool:
        """Whether a strategy is slow."""
        return self.base.cost > 1 or bool(usual_games([self.base], (0, 0, 1)))

    @property
    def lever_games(self) -> int:
        """The number of games of each lever."""
        return 4 * COSTLY if self.costly else usual_games([self.base], _LEVERS)

    @property
    def adaptable(self) -> bool:
        """Whether players can learn what is changed."""
        return len(self.sides) > 1 and can_learn([self.base], named=True)

    @property
    def section_games(self) -> int:
        """The number of games of a section: a report's, if the page allows as many."""
        of_report = report_of(self.base.game).games
        return 4 * COSTLY if self.costly else min(self.state.most, of_report)

    @cached_property
    def only(self) -> tuple[str, ...]:
        """The rules that may change; empty if all may."""
        keep = self.state.keep
        made = rule_steps(self.rules, self.base.players).steps if keep else ()
        keys = dict.fromkeys(step.key.partition(".")[0] for step in made)
        return tuple(key for key in keys if key not in keep)

    @property
    def alone(self) -> "PageQuestion":
        """The question without levers, goal, section, lessons: only the scorecard."""
        alone = replace(self.state, keep=(), line="", goal="", section="")
        alone = replace(alone, adapt=False)
        return replace(self, state=alone)


@dataclass(frozen=True)
class OpenedSection:
    """The open section: its HTML once it is made, or the error that ended it.

    ``progress``: its games so far, and in all.
    """

    html: str = ""
    error: str = ""
    progress: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class AdaptedLines:
    """The scorecard of both rule sets by those who learned them.

    ``told``: who plays each. ``lines``: as in ``scorecard_rows``, and ``both``: what
    holds for those who adapt and those who do not. ``progress``: what happens.
    """

    told: tuple[str, ...] = ()
    lines: Sequence[Row] = ()
    progress: str = ""
    error: str = ""


@dataclass(frozen=True)
class PageAnswer:
    """The answer so far; ``note`` says why there are no levers."""

    games: int = 0
    done: bool = False
    error: str = ""
    note: str = ""
    lines: Sequence[Row] = ()
    progress: tuple[int, int] = (0, 0)
    levers: Levers | None = None
    found: RuleSearch | None = None
    section: OpenedSection = OpenedSection()
    adapted: AdaptedLines = AdaptedLines()

    @property
    def unsettled(self) -> bool:
        """Whether more games could settle more."""
        return any(line["open"] for line in self.lines)


@dataclass
class PageSession:
    """One page; ``tell`` is called with the question and each answer."""

    workers: PageWorkers
    tell: Callable[[PageQuestion, PageAnswer], None]
    question: PageQuestion | None = None
    answer: PageAnswer = field(default_factory=PageAnswer)
    news: int = 0
    """The number of answers so far."""
    _news: threading.Condition = field(default_factory=threading.Condition)
    _threads: list[threading.Thread] = field(default_factory=list)

    def ask(self, question: PageQuestion | None) -> None:
        """Drop the current question, and play this one, if any."""
        with self._news:
            before, known = self.question, PageAnswer()
            if question == before and not self.answer.error:
                return
            if question and before and question.alone == before.alone:
                kept = question.state.keep == before.state.keep
                known = PageAnswer(self.answer.games, lines=self.answer.lines)
                known = replace(known, levers=self.answer.levers if kept else None)
                if question.state.section == before.state.section:
                    known = replace(known, section=self.answer.section)
                if self.answer.adapted.lines:
                    known = replace(known, adapted=self.answer.adapted)
            self.question = question
            self._tell(known)
        if question is not None:
            work = threading.Thread(target=self._work, args=[question], daemon=True)
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            self._threads.append(work)
            work.start()

    def end(self) -> None:
        """Drop the question, and wait for its threads, which may be in mid-work."""
        self.ask(None)
        for thread in self._threads:
            thread.join(_JOIN)

    def wait(self, known: object) -> None:
        """Wait briefly for news, if the caller has all so far."""
        with self._news:
            self._news.wait_for(lambda: self.news != known, _PATIENCE)

    def _tell(self, answer: PageAnswer) -> None:
        self.answer, self.news = answer, self.news + 1
        self._news.notify_all()

    def _know(self, question: PageQuestion, **what: Any) -> None:
        """Add to the answer if it is still wanted; raises ``NoLongerWanted``."""
        with self._news:
            if self.question is not question:
                raise NoLongerWanted
            self._tell(answer := replace(self.answer, **what))
        if answer.games:
            self.tell(question, answer)

    def _work(self, question: PageQuestion) -> None:
        try:
            if question.state.line:
                self._score(question, _LEAST_GAMES)
                try:
                    self._move(question)
                except (UsageError, RuleError) as error:
                    self._know(question, note=str(error))
            if question.state.section and not self.answer.section.html:
                self._score(question, _LEAST_GAMES)
                self._open(question)
            if question.state.adapt and not self.answer.adapted.lines:
                self._score(question, _LEAST_GAMES)
                self._adapt(question)
            self._score(question, question.state.most)
            self._know(question, done=True)
        except NoLongerWanted:
            pass
        except Exception as error:  # whatever a strategy or library raises
            with suppress(NoLongerWanted):
                reason = str(error) or type(error).__name__
                self._know(question, error=reason, done=True)

    def _wanted(self, question: PageQuestion) -> Callable[[], bool]:
        """Return a function that tells whether a question is still the page's."""
        return lambda: self.question is question

    def _how(self, question: PageQuestion) -> dict[str, Any]:
        """Return options of ``run``: the workers play while the question is wanted."""
        backend = partial(self.workers.play, wanted=self._wanted(question))
        return {"backend": backend, "block": COSTLY if question.costly else BLOCK}

    def _open(self, question: PageQuestion) -> None:
        """Make the open section, by the rules of the page."""

        def tell(done: int, in_all: int) -> None:
            self._know(question, section=OpenedSection(progress=(done, in_all)))

        try:
            html = lone_section(
                question.state.section,
                question.sides[-1],
                question.section_games,
                make=partial(self.workers.make, wanted=self._wanted(question)),
                progress=tell,
                **self._how(question),
            )
            self._know(question, section=OpenedSection(html))
        except (UsageError, RuleError, RunFailed, FigureFailed) as error:
            self._know(question, section=OpenedSection(error=str(error)))

    def _adapt(self, question: PageQuestion) -> None:
        """Let players learn both rule sets, and compare these by them."""
        if not question.adaptable:
            error = "players learn what is changed, where one policy has all seats."
            self._know(question, adapted=AdaptedLines(error=error))
            return

        def say(words: str) -> None:
            self._know(question, adapted=AdaptedLines(progress=words))

        names, how = ("base", "changed"), self._how(question)
        rules = [
            (name, [cell]) for name, cell in zip(names, question.sides, strict=True)
        ]
        taught = adapted_sides(rules, LessonPlan(LESSONS, say=say))
        games = 4 * COSTLY if question.costly else _ADAPTED_GAMES
        how |= {"games": games, "mixed": not question.costly}
        say("playing with those who learned")
        alone = play(question.sides, **how)
        scores = play([side.cells[0] for side in taught], **how)
        before, after = (
            one.effects().rename({"change": "cell"}) for one in (alone, scores)
        )
        after = with_errors_apart(after, alone.values, scores.values)  # same games
        joined = joined_verdicts(before, after).to_dicts()
        says = {row["line"]: row["says"] for row in joined}
        lines = [
            {**row, "both": VERDICTS[says[row["id"]]] if row["id"] in says else ""}
            for row in scorecard_rows(scores)
        ]
        told = tuple(side.told for side in taught)
        self._know(question, adapted=AdaptedLines(told, lines))

    def _score(self, question: PageQuestion, most: int) -> None:
        """Compute the scorecard of more and more games, until all is settled."""
        first, games = (COSTLY if question.costly else FIRST), 0
        while True:  # by whole blocks, from the second look on
            games = max(2 * games, BLOCK if games and not question.costly else first)
            lines, within = self.answer.lines, question.state.within
            open_ = self.answer.games < _LEAST_GAMES or self.answer.unsettled
            known = within and lines and max(line["half"] for line in lines) <= within
            if games > most or not open_ or known:
                return
            if games > self.answer.games:
                how = self._how(question) | {"mixed": not question.costly}
                scores = play(question.sides, games, **how)
                if scores.failed:
                    raise UsageError(next(iter(scores.failed.values())))
                wide = float(sequential.multiplier(games / first)) / Z
                lines = scorecard_rows(replace(scores, widening=wide))
                self._know(question, games=games, lines=lines)

    def _move(self, question: PageQuestion) -> None:
        """Play the levers of these rules, or search for rules that meet the goal."""
        base, goal = question.base, question.state.goal
        if len(question.state.lineup) > 1:
            raise UsageError("levers need one strategy in all seats.")
        if question.state.keep and not question.only:
            raise UsageError("every rule that could change is to be kept.")
        how = self._how(question) | {
            "strategy": base.lineup[0],
            "rules": question.rules,
            "players": base.players,
            "seed": base.seed,
            "progress": lambda *done: self._know(question, progress=done),
        }
        if goal:
            search = find(base.game, [goal], vary=question.only, **how)
            self._know(question, found=search)
        elif self.answer.levers is None:
            how["games"] = question.lever_games
            made = levers(base.game, only=question.only, **how)
            self._know(question, levers=made)

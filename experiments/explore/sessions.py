"""What is played for one page: the scorecard of base and variant, then levers.

A session plays in a thread, by the same functions as ``import fairdeal``; a new
question drops what was begun for the one before. The scorecard is looked at each time
that games have doubled; as that is many looks, its intervals are those of a confidence
sequence, which hold at all of them (``reports.statistics.sequential``).
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from experiments.analysis.effects import BLOCK, play
from experiments.analysis.find import Found, find
from experiments.analysis.levers import Levers, levers
from experiments.core.cells import Cell, UsageError
from experiments.explore.lines import Row, shown
from experiments.explore.state import State
from experiments.explore.workers import Dropped, Workers
from experiments.variants.steps import steps
from reports.scorecard.found import Z
from reports.statistics import sequential
from sim.parameters import RuleError, Rules

FIRST, COSTLY = 512, 64
"""Games of the first look; of that and of a block, where a strategy is costly."""
_LEAST = 8_192  # games, however soon all is settled: intervals should be narrow
_PATIENCE = 0.3  # seconds that a page waits for news
_LAST = 5  # seconds that a thread may take to see that it is not wanted any more


@dataclass(frozen=True)
class Question:
    """What a page asks: ``base`` is the base's cell, ``rules`` are the variant's."""

    state: State
    base: Cell
    rules: Rules

    @property
    def sides(self) -> list[Cell]:
        """The base's cell, and the variant's where anything is changed."""
        here = replace(self.base, rules=self.rules)
        return [self.base] if self.rules == self.base.rules else [self.base, here]

    @property
    def costly(self) -> bool:
        """Whether a strategy takes long."""
        return self.base.cost > 1

    @property
    def lever_games(self) -> int:
        """Games of each lever."""
        return 4 * COSTLY if self.costly else BLOCK

    @cached_property
    def only(self) -> tuple[str, ...]:
        """The rules that may be moved; none said where all may."""
        keep = self.state.keep
        made = steps(self.rules, self.base.players).made if keep else ()
        keys = dict.fromkeys(one.key.partition(".")[0] for one in made)
        return tuple(key for key in keys if key not in keep)

    @property
    def alone(self) -> "Question":
        """The same where nothing but the scorecard is asked."""
        return replace(self, state=replace(self.state, keep=(), line="", goal=""))


@dataclass(frozen=True)
class Answer:
    """What is known so far; of levers and what is looked for, how far it is, too.

    ``note`` says why there are none.
    """

    games: int = 0
    done: bool = False
    error: str = ""
    note: str = ""
    lines: Sequence[Row] = ()
    progress: tuple[int, int] = (0, 0)
    levers: Levers | None = None
    found: Found | None = None

    @property
    def unsettled(self) -> bool:
        """Whether more games would tell more."""
        return any(one["open"] for one in self.lines)


@dataclass
class Session:
    """One page. ``tell`` hears of every answer: the question and what is known."""

    workers: Workers
    tell: Callable[[Question, Answer], None]
    question: Question | None = None
    answer: Answer = field(default_factory=Answer)
    news: int = 0
    """How often there was any."""
    _news: threading.Condition = field(default_factory=threading.Condition)
    _threads: list[threading.Thread] = field(default_factory=list)

    def ask(self, question: Question | None) -> None:
        """Drop what is played, and play this, if anything."""
        with self._news:
            before, known = self.question, Answer()
            if question == before and not self.answer.error:
                return
            if question and before and question.alone == before.alone:
                kept = question.state.keep == before.state.keep
                known = Answer(self.answer.games, lines=self.answer.lines)
                known = replace(known, levers=self.answer.levers if kept else None)
            self.question = question
            self._tell(known)
        if question is not None:
            work = threading.Thread(target=self._work, args=[question], daemon=True)
            self._threads = [one for one in self._threads if one.is_alive()]
            self._threads.append(work)
            work.start()

    def end(self) -> None:
        """Wait until all that was begun is dropped: a score may be half made."""
        self.ask(None)
        for one in self._threads:
            one.join(_LAST)

    def wait(self, known: object) -> None:
        """Wait a little for news, if these are all."""
        with self._news:
            self._news.wait_for(lambda: self.news != known, _PATIENCE)

    def _tell(self, answer: Answer) -> None:
        self.answer, self.news = answer, self.news + 1
        self._news.notify_all()

    def _know(self, question: Question, **what: Any) -> None:
        """Tell more of the answer, if it is still wanted; else raise ``Dropped``."""
        with self._news:
            if self.question is not question:
                raise Dropped
            self._tell(answer := replace(self.answer, **what))
        if answer.games:
            self.tell(question, answer)

    def _work(self, question: Question) -> None:
        try:
            if question.state.line:
                self._score(question, _LEAST)
                try:
                    self._move(question)
                except (UsageError, RuleError) as error:
                    self._know(question, note=str(error))
            self._score(question, question.state.most)
            self._know(question, done=True)
        except Dropped:
            pass
        except Exception as error:  # whatever a strategy or library raises
            with suppress(Dropped):
                told = str(error) or type(error).__name__
                self._know(question, error=told, done=True)

    def _how(self, question: Question) -> dict[str, Any]:
        """How games are played: by the workers, as long as they are wanted."""
        backend = partial(self.workers.play, wanted=lambda: self.question is question)
        return {"backend": backend, "block": COSTLY if question.costly else BLOCK}

    def _score(self, question: Question, most: int) -> None:
        """Look at the scorecard after more and more games, until all is settled."""
        first, games = (COSTLY if question.costly else FIRST), 0
        while True:  # by whole blocks, from the second look on
            games = max(2 * games, BLOCK if games and not question.costly else first)
            lines, within = self.answer.lines, question.state.within
            open_ = self.answer.games < _LEAST or self.answer.unsettled
            known = within and lines and max(one["half"] for one in lines) <= within
            if games > most or not open_ or known:
                return
            if games > self.answer.games:
                how = self._how(question) | {"mixed": not question.costly}
                scores = play(question.sides, games, **how)
                if scores.failed:
                    raise UsageError(next(iter(scores.failed.values())))
                wide = float(sequential.multiplier(games / first)) / Z
                lines = shown(replace(scores, wide=wide))
                self._know(question, games=games, lines=lines)

    def _move(self, question: Question) -> None:
        """Play the levers from here, or look for rules that meet the goal."""
        base, goal = question.base, question.state.goal
        if len(question.state.lineup) > 1:
            raise UsageError("levers are played where one strategy has all seats.")
        if question.state.keep and not question.only:
            raise UsageError("every rule that could be moved is to be left alone.")
        how = self._how(question) | {
            "strategy": base.lineup[0],
            "rules": question.rules,
            "players": base.players,
            "seed": base.seed,
            "progress": lambda *done: self._know(question, progress=done),
        }
        if goal:
            found = find(base.game, [goal], vary=question.only, **how)
            self._know(question, found=found)
        elif self.answer.levers is None:
            how["games"] = question.lever_games
            made = levers(base.game, only=question.only, **how)
            self._know(question, levers=made)

"""What is played for one page: the scorecard of base and variant, then levers.

A session plays in a thread of its own. A new question drops what was begun for the one
before; what is known of the base, and of rules that were tried, is kept.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from experiments.analysis.effects import Scores
from experiments.analysis.find import Found, find
from experiments.analysis.levers import Levers, playable
from experiments.core.cells import Cell, UsageError
from experiments.execution.results import Results, nothing
from experiments.explore import lines as shown
from experiments.explore import sides
from experiments.explore.sides import Side
from experiments.explore.workers import Dropped, Workers
from experiments.variants.steps import Step, as_change, steps
from sim.parameters import RuleError, Rules

MOST = (8_192, 32_768, 131_072)
"""Games at most, as a page offers them."""
LEVERS = 4_096
"""Games of each lever: a look of the base, too."""
_LEAST = 8_192  # games, however soon all is settled: intervals should be narrow
_KEPT = 12  # rule sets of which the sums are kept
_TOLD = 8  # levers between two tellings
_SHOWN = 40  # levers of a line


@dataclass(frozen=True)
class Question:
    """What a page asks: these rules and the base's at this table.

    ``base`` is the base's cell, ``rules`` the variant's; ``settings`` lead from the one
    to the other.
    """

    base: Cell
    rules: Rules
    settings: tuple[str, ...]
    most: int

    @property
    def changed(self) -> bool:
        """Whether these are not the base rules."""
        return self.rules != self.base.rules


@dataclass
class Answer:
    """What is known so far."""

    number: int = 0
    games: int = 0
    wider: float = 1.0
    done: bool = False
    error: str = ""
    about: list[dict[str, Any]] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    levers: dict[str, Any] | None = None
    found: dict[str, Any] | None = None


class Session:
    """One page. ``tell`` hears of every answer: the question and what is known."""

    def __init__(
        self, workers: Workers, tell: Callable[[Question, Answer], None]
    ) -> None:
        self._workers, self._tell = workers, tell
        self._lock = threading.Condition()
        self._answer = Answer()
        self._question: Question | None = None
        self._line = ""  # whose levers are wanted
        self._goal = ""  # what is looked for, as "positions <= 2pp"
        self._closed = False
        self._sides: OrderedDict[str, Side] = OrderedDict()
        self._levers: dict[str, list[tuple[Step, Mapping[str, Any]]]] = {}
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def ask(self, question: Question, line: str = "") -> int:
        """Drop what is played, and play this; the number of the question."""
        with self._lock:
            self._question, self._line, self._goal = question, line, ""
            self._answer = Answer(number=self._answer.number + 1)
            self._lock.notify_all()
            return self._answer.number

    def drop(self) -> None:
        """Play nothing."""
        with self._lock:
            self._question = None
            self._answer = Answer(number=self._answer.number + 1)

    def point(self, line: str, goal: str = "") -> None:
        """Want the levers of a line ("" of none), behind what is on the screen.

        With a ``goal`` ("positions <= 2pp") rules are looked for that meet it.
        """
        with self._lock:
            self._line, self._goal = line, goal
            self._answer = replace(self._answer, levers=None, found=None)
            self._lock.notify_all()

    def answer(self) -> Answer:
        """What is known so far."""
        with self._lock:
            return self._answer

    def close(self) -> None:
        """Stop."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()

    def _work(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(self._something)
                if self._closed or self._question is None:
                    return
                question, number = self._question, self._answer.number
            with suppress(Dropped):
                try:
                    self._play(question, number)
                except Dropped:
                    raise
                except Exception as error:  # whatever a strategy or library raises
                    self._know(question, number, error=_said(error), done=True)

    def _something(self) -> bool:
        """Whether there is something to do."""
        answer = self._answer
        open_ = self._question is not None and not answer.error
        return self._closed or (open_ and (not answer.done or self._wants_levers()))

    def _wants_levers(self) -> bool:
        """Whether there is more to do than the scorecard."""
        answer, some = self._answer, bool(self._line) and not self._goal
        due = [(bool(self._goal), answer.found), (some, answer.levers)]
        return any(on and (known is None or not known["done"]) for on, known in due)

    def _wanted(self, number: int, behind: tuple[str, str] | None = None) -> bool:
        with self._lock:
            same = behind is None or behind == (self._line, self._goal)
            return not self._closed and self._answer.number == number and same

    def _know(self, question: Question, number: int, **what: Any) -> None:
        """Tell more of the answer, if it is still wanted; else raise ``Dropped``."""
        with self._lock:
            if self._answer.number != number or self._closed:
                raise Dropped
            self._answer = answer = replace(self._answer, **what)
        self._tell(question, answer)

    def _play(self, question: Question, number: int) -> None:
        """Double the games until all is settled; levers come as soon as they may."""
        base = self._side(question.base)
        other = replace(question.base, rules=question.rules)
        here = self._side(other) if question.changed else None
        both = [base] if here is None else [base, here]
        self._know(question, number, about=[shown.about(line) for line in base.lines])
        first = sides.first_look(base)
        games = max(2 * self.answer().games, first)
        while not self.answer().done:
            sides.play(both, games, self._workers, lambda: self._wanted(number))
            wide = sides.wider(games, first)
            seen = None if here is None else here.seen[games]
            found = shown.rows(base.lines, base.seen[games], seen, games, wide)
            enough = games >= _LEAST and shown.settled(found)
            done = enough or games * 2 > question.most
            self._know(
                question, number, games=games, wider=wide, lines=found, done=done
            )
            if self._wants_levers() and games >= _LEAST:
                break
            games *= 2
        if self._wants_levers():
            with suppress(Dropped):
                (self._find if self._goal else self._play_levers)(question, number)

    def _find(self, question: Question, number: int) -> None:
        """Look for rules that meet the goal (``experiments.analysis.find``)."""
        behind = _, goal = self._line, self._goal
        told: dict[str, Any] = {"goal": goal, "done": False, "rows": [], "error": ""}

        def progress(done: int, every: int) -> None:
            if not self._wanted(number, behind):
                raise Dropped
            told.update(games=done, all=every)
            self._know(question, number, found=dict(told))

        base = question.base
        how: dict[str, Any] = {"players": base.players, "seed": base.seed}
        try:
            found = find(
                base.game,
                [goal],
                strategy=base.lineup[0],
                rules=question.rules,
                jobs=self._workers.jobs,
                progress=progress,
                **how,
            )
        except (UsageError, RuleError) as error:
            told["error"] = str(error)
        else:
            told |= {"rows": _answers(found), "tried": found.tried, "at": found.games}
        self._know(question, number, found=told | {"done": True})

    def _play_levers(self, question: Question, number: int) -> None:
        """Play each change of one rule, and rank them by the line pointed at."""
        name = self._line
        behind = name, ""
        cell = replace(question.base, rules=question.rules)
        here = self._side(cell)
        line = next((line for line in here.lines if line.id == name), None)
        if line is None:
            none: dict[str, Any] = {"done": True, "rows": [], "line": name}
            self._know(question, number, levers=none)
            return
        games = max(LEVERS // (16 if here.costly else 1), sides.first_look(here))
        wanted = lambda: self._wanted(number, behind)  # noqa: E731 - said once
        for look in (g for g in _doubled(sides.first_look(here)) if g <= games):
            sides.play([here], look, self._workers, wanted)
        made = playable(cell, steps(cell.rules, cell.players)).made
        played = self._levers.setdefault(f"{line.mixed} {_key(cell)}", [])
        while len(played) < len(made):
            tried = made[len(played) : len(played) + _TOLD]
            new = [
                Side.of(replace(cell, rules=one.rules), mixed=line.mixed)
                for one in tried
            ]
            played += self._tried(tried, new, games, wanted)
            found = _ranked(cell, played, here.seen[games], line.id, here, games)
            told = {"line": name, "done": len(played) == len(made), "all": len(made)}
            told |= {"played": len(played), "games": games, "rows": found}
            self._know(question, number, levers=told)
        found = _ranked(cell, played, here.seen[games], line.id, here, games)
        told = {"line": name, "done": True, "all": len(made), "played": len(made)}
        self._know(question, number, levers=told | {"games": games, "rows": found})

    def _tried(
        self,
        tried: Sequence[Step],
        new: Sequence[Side],
        games: int,
        wanted: Callable[[], bool],
    ) -> list[tuple[Step, Mapping[str, Any]]]:
        """These levers with their numbers; none of one that cannot be played."""
        try:
            sides.play(new, games, self._workers, wanted)
        except Dropped:
            raise
        except Exception:  # of one of them: each alone
            if len(new) == 1:
                return [(tried[0], {})]
            alone = (
                self._tried([step], [Side(side.lines, side.cells)], games, wanted)
                for step, side in zip(tried, new, strict=True)
            )
            return [one for part in alone for one in part]
        values = (side.seen[games] for side in new)
        return list(zip(tried, values, strict=True))

    def _side(self, cell: Cell) -> Side:
        """These rules with what is known of them."""
        key = _key(cell)
        side = self._sides.pop(key, None) or Side.of(cell)
        self._sides[key] = side
        while len(self._sides) > _KEPT:
            self._sides.popitem(last=False)
        return side


def _key(cell: Cell) -> str:
    return f"{cell.players} {cell.lineup[0]} {cell.rules.model_dump_json()}"


def _doubled(first: int) -> list[int]:
    return [first << n for n in range(12)]


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


def _pairs(step: Step) -> list[tuple[str, Any]]:
    """A change as a page has it: keys with their values."""
    return [(key, as_change(value)) for key, value in step.changes.items()]


def _answers(found: Found) -> list[dict[str, Any]]:
    """What was found, the nearest first, with the numbers on fresh deals."""
    goal = found.goals[0]
    scale = goal.line.about.scale
    return [
        {
            "sentence": one.step.sentence,
            "settings": _pairs(one.step),
            "value": f"{scale * float(one.values[goal.line.id][0]):.1f}",
            "word": one.words[0],
            "moved": [line.title for line in found.scores.lines if line.id in moved],
        }
        for one in found.answers
        for moved in (set(one.moved["line"]) - {goal.line.id},)
    ]


def _ranked(
    cell: Cell,
    played: Sequence[tuple[Step, Mapping[str, Any]]],
    base: Mapping[str, Any],
    name: str,
    side: Side,
    games: int,
) -> list[dict[str, Any]]:
    """The levers of a line, as ``fairdeal levers`` ranks them."""
    values = (base, *(found for _, found in played))
    failed = {at + 1: "not playable" for at, (_, v) in enumerate(played) if not v}
    empty = Results((cell,), games, nothing(), (games,))
    one = tuple(line for line in side.lines if line.id == name)
    scores = Scores(one, values, games, failed, empty)
    found = Levers(cell, tuple(step for step, _ in played), (), scores)
    changes = {step.label: _pairs(step) for step, _ in played}
    return [
        {
            "label": row["label"],
            "sentence": row["sentence"],
            "settings": changes[row["label"]],
            "marked": row["marked"],
            "word": shown.direction(one[0], row) if row["marked"] else "open",
            "text": shown.signed(one[0], row["difference"], row["low"], row["high"]),
            "verdict": row["verdict"],
        }
        for row in found.ranked(name).head(_SHOWN).iter_rows(named=True)
    ]

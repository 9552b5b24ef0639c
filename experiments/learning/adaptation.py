"""Players who adapt: what those become who learn on under the rules in force.

    adapted("kunitame", rules, players=(4,), start="learned", lessons=LessonPlan(60))

Two rule sets are compared by players of both: all begin as the same, and have equally
many further lessons, each under their own rules, so that strength is not taken for the
rule. Lessons are counted in blocks, of which a game declares the time that one takes
(``GameReport.lesson_seconds``): the same seed teaches the same on any machine.

Lessons of a minute cannot undo what an hour has taught where a rule turns the game
round; but another heuristic, or another parameter of one, may do well there at once. So
the heuristic that leads by these rules is found and tuned to them as well, and of both
the one plays that wins more against the other (``strength_levels.choose``).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import ceil, inf
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from experiments.analysis.multi_run import stage_folder
from experiments.analysis.panel_cells import detailed_of
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import report_of
from experiments.execution import atomic_files, user_paths
from experiments.learning.blocks import Effort, Judged, look_around
from experiments.learning.learn import (
    POLICY,
    kept_at,
    taught,
    unknown_options,
)
from experiments.learning.learning_question import learning_task, question
from experiments.learning.training_rounds import Training
from experiments.learning.tuned_heuristic import tuned
from sim.parameters import Rules
from strategies import policy_store, registry
from strategies.learned import Learned, shipped
from strategies.strength_levels import choose, spec_at

_ROUND = 120.0  # seconds of a round, at most
_EFFORT = Effort(
    games=512,
    answers=12_288,
    own_answers=12_288,
    moments=1 / 16,
    own_value=False,
    least=1.0,
)
_GATE = 128  # games that judge a round, for each of its blocks; of a design, twice that
_PLAYED_GAMES = 1_024  # between the policy and the heuristic
_PLAYED = 3_000  # the number of their first block
_FORCED_BLOCKS = 2  # at least: an option is forced in every second one
_RESULT = "adapted.json"
Say = Callable[[str], None]


@dataclass(frozen=True)
class LessonPlan:
    """The lessons that players have by each rule set.

    seconds: how long, in time of one core of a usual machine; at least one block of
    games. jobs: processes. kept: whether the results keep what players learned, where
    the same question finds it at once. say: is told what happens.

    Raises ``UsageError`` for fewer than no seconds.
    """

    seconds: float
    jobs: int = field(default=1, repr=False)
    kept: bool = field(default=False, repr=False)
    say: Say = field(default=lambda _: None, repr=False)

    def __post_init__(self) -> None:
        """Refuse seconds that are negative or endless."""
        if not 0 <= self.seconds < inf:
            raise UsageError(f"adapt: seconds, 0 or more, not {self.seconds:g}.")

    def at_most(self, seconds: float) -> "LessonPlan":
        """Return these lessons, no longer than some seconds."""
        return replace(self, seconds=min(self.seconds, seconds))


@dataclass(frozen=True)
class AdaptedPlayer:
    """Who plays some rules after lessons under them.

    spec: names them in lineups. told: what they are, in words. blocks: of lessons.
    """

    spec: str
    told: str
    blocks: int


@dataclass(frozen=True)
class _Found:
    """What a directory keeps: who plays; no spec: the policy that it holds."""

    spec: str
    told: str


_FOUND = TypeAdapter(_Found)


def adapted(
    game: str,
    rules: Rules,
    *,
    players: Sequence[int],
    lessons: LessonPlan,
    start: str = "",
    anew: Sequence[str] = (),
    seed: int = 0,
) -> AdaptedPlayer:
    """The players who have adapted to some rules.

    players: the numbers of players for which they learn. start: the policy that learns
    on, as ``learn`` takes it; empty: they learn from the beginning. anew: the kinds of
    decisions that it learns from the beginning.

    Raises ``UsageError`` before anything is played.
    """
    rounds, each = rounds_and_blocks(game, lessons.seconds)
    effort = replace(_EFFORT, gate=_GATE * each, design=2 * _GATE * each)
    task, begins = learning_task(game, rules, players, start, seed, effort)
    if begins is not None:
        left = {k: one for k, one in begins.networks.items() if k not in anew}
        begins = replace(begins, networks=left) if left else None
    asked = {**question(task, start), "anew": [*anew], "blocks": [each] * rounds}
    place = kept_at("adapted", asked) if lessons.kept else None
    with stage_folder(place, asked) as folder, _kept_lessons(place):
        found = _known(folder / _RESULT)
        if found is None:
            training, done = taught(
                task,
                begins,
                asked,
                folder,
                0,
                asked["blocks"],
                jobs=lessons.jobs,
                say=lessons.say,
            )
            found = _stronger(training, start, anew, any(one["kept"] for one in done))
            atomic_files.write_file(folder / _RESULT, _FOUND.dump_json(found))
        return AdaptedPlayer(found.spec or _named(folder), found.told, each * rounds)


@dataclass(frozen=True)
class ForcedLessons:
    """Trains a player to use options that it would never try, in these lessons."""

    lessons: LessonPlan
    seed: int

    def __call__(self, cell: Cell, options: Sequence[str], out: Path) -> str:
        """Return the player's name, which is a spec; ``out`` keeps the lessons.

        options: such as plot:observation, taken whenever they can be in every second
        block of lessons. Whoever learned the game goes on learning.
        """
        game, start = cell.game, Learned.name if shipped(cell.game) else ""
        rounds, each = rounds_and_blocks(game, self.lessons.seconds)
        each = max(each, _FORCED_BLOCKS)
        effort = replace(_EFFORT, gate=_GATE * each, design=2 * _GATE * each)
        sizes = (cell.players,)
        task, begins = learning_task(
            game, cell.rules, sizes, start, self.seed, effort, force=options
        )
        asked = {**question(task, start), "blocks": [each] * rounds}
        plan = self.lessons
        with stage_folder(out, asked) as folder:
            taught(
                task,
                begins,
                asked,
                folder,
                0,
                asked["blocks"],
                jobs=plan.jobs,
                say=plan.say,
            )
            data = user_paths.read_bytes(folder / POLICY)
        return policy_store.add_as("trained", data)


def rounds_and_blocks(game: str, seconds: float) -> tuple[int, int]:
    """How many rounds of lessons take about so long, and the blocks of each.

    >>> rounds_and_blocks("kunitame", 60)
    (1, 13)
    """
    blocks = max(1, round(seconds / report_of(game).lesson_seconds))
    rounds = max(1, ceil(seconds / _ROUND))
    return rounds, ceil(blocks / rounds)


def learned_anew(
    game: str, sides: Sequence[Rules], players: Sequence[int], start: str
) -> tuple[str, ...]:
    """The kinds of decisions that a policy has to learn anew under one of these rules.

    It does not know their options. Those who play the other rules learn them anew, too:
    otherwise they would be stronger, and that would be taken for the rule.
    """
    kinds: set[str] = set()
    for rules in sides if start else ():
        task, begins = learning_task(game, rules, players, start, 0, _EFFORT)
        if begins is not None:
            kinds |= {*unknown_options(look_around(task), begins.networks)}
    return tuple(sorted(kinds))


@contextmanager
def _kept_lessons(place: Path | None) -> Iterator[None]:
    """Say to who stops lessons what is kept of them."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        if place is not None:
            folder = user_paths.short_path(place.parent)
            stopped.add_note(
                f"Finished rounds of lessons are kept in {folder}, where the same "
                "command with the same seed finds them."
            )
        raise


def _named(folder: Path) -> str:
    """The name of the policy in a folder, as lineups have it."""
    return policy_store.add_as("adapted", user_paths.read_bytes(folder / POLICY))


def _known(file: Path) -> _Found | None:
    """What was found before; None if nothing was, or the file is damaged."""
    try:
        return _FOUND.validate_json(user_paths.read_bytes(file))
    except (OSError, ValidationError):
        return None


def _stronger(
    training: Training, start: str, anew: Sequence[str], learned: bool
) -> _Found:
    """The policy or the tuned heuristic: who wins more against the other.

    Each has one seat at tables of the other, and at tables of its own, on the same
    deals.
    """
    task, teacher = training.task, training.task.advisers[0]
    leading = spec_at("good", task.game, task.rules, detailed_of(task.players))
    heuristic, policy = tuned(training, leading), training.file()
    words, learners = registry.title(task.game, heuristic), "learned players"
    if policy is None:
        return _Found(heuristic, f"{words}, as lessons taught nothing")
    both: list[Judged] = [policy, heuristic]
    gain = training.gain(policy, heuristic, both, _PLAYED_GAMES, _PLAYED)
    choice = choose(learners, words, gain.points, gain.error)
    if choice.plays == words:
        return _Found(heuristic, f"{words}, {choice.words}")
    found = _of_policy(start, anew, teacher, learned)
    return (
        found if choice.shown else replace(found, told=f"{found.told}, {choice.words}")
    )


def _of_policy(start: str, anew: Sequence[str], teacher: str, learned: bool) -> _Found:
    """What the policy is; that with which it began, if lessons taught it nothing."""
    if not start:
        return _Found("", f"learned from the beginning, taught by {teacher}")
    if anew:
        return _Found("", f"{start}, who learned {', '.join(anew)} anew here")
    if not learned:
        return _Found(start, f"{start}, whom these lessons taught nothing")
    return _Found("", f"{start} with further lessons under these rules")

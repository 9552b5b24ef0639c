"""Learn a policy in so many minutes, and say how strong it is and where it gains.

A directory keeps it, in the file ``POLICY``, after each round: so what was stopped goes
on, and a policy can be given more minutes later.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from math import inf
from operator import gt
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from experiments.analysis.multi_run import stage_folder
from experiments.core.cells import UsageError
from experiments.execution import atomic_files, user_paths
from experiments.execution.manifests import source_hash
from experiments.execution.version import VERSION
from experiments.learning.blocks import (
    Decisions,
    Effort,
    LearningTask,
    look_around,
)
from experiments.learning.fit_network import Pupil
from experiments.learning.learned_policy import LearnedPolicy
from experiments.learning.learning_question import (
    learning_task,
    question,
    read_policy,
)
from experiments.learning.saved_rounds import (
    SavedRound,
    damaged_weights,
    load_round,
    save_round,
)
from experiments.learning.training_rounds import (
    ALONE_AT_FIRST,
    LearningRound,
    Strength,
    StrengthGain,
    Training,
)
from sim.games import load
from sim.parameters import Rules
from strategies.network import Network
from strategies.policy_file import PolicyFile

POLICY = "policy.npz"
"""The file of the policy, in the directory that keeps it."""
_STRENGTH = "strength.json"  # how strong it is: measured once
MINUTES = 3.0
"""How long it learns by default."""
_LESSONS = (0.10, 0.12, 0.15)  # of the time: rounds' lessons; the last, of all later
_LONGEST = (60.0, 90.0, 600.0)  # seconds of them, at most
_RARE = 0.05  # of the options of a kind
_MARGIN = 1.1  # times what came after a round's lessons: what the next may take
FULL = Effort()
"""How much is played in a block and to judge it, by default."""
_JUDGED_GAMES = 8_192  # on fresh deals, for the strength
_FRESH = 1_000  # the number of their first block
Say = Callable[[str], None]


@dataclass(frozen=True)
class _Judgement:
    """How strong a policy is; policy: a hash of its file."""

    policy: str
    strength: dict[int, Strength]
    skill: dict[str, StrengthGain]


_JUDGEMENT = TypeAdapter(_Judgement)


def learn(  # noqa: PLR0913 - all that the command line knows
    game: str,
    *,
    rules: Rules,
    players: Sequence[int] = (),
    minutes: float = MINUTES,
    blocks: Sequence[int] = (),
    start: str = "",
    kinds: Sequence[str] = (),
    force: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    say: Say = lambda _: None,
) -> LearnedPolicy:
    """Learn to play a game under some rules.

    players: the numbers of players, which one policy plays all; all that the game
    allows by default. minutes: of learning, without the judgement at the end. blocks:
    in place of minutes, how many blocks of games each round has, by which the same
    policy is found again. start: the file of a policy that learns on, or ``learned``
    for the one that the game comes with. kinds: of decisions that it learns; by default
    all, or those of the policy that learns on. force: options, such as contract:2, that
    it takes whenever it can in half of the lessons, so that it learns to use what it
    would never try. out: a directory for the policy, in which it goes on where it was
    stopped.

    Raises ``UsageError`` before anything is played.
    """
    if not 0 < minutes < inf or any(many < 1 for many in blocks):
        raise UsageError("minutes: more than 0; blocks: at least 1 in each round.")
    if load(game).scalar:
        raise UsageError(
            f"learn: {load(game).title} is a game in one file, and no player learns "
            "those yet. Write a strategy, or use search."
        )
    task, begins = learning_task(game, rules, players, start, seed, FULL, kinds, force)
    asked = question(task, start)
    with stage_folder(out, asked) as folder:
        training, rounds = taught(
            task, begins, asked, folder, minutes, blocks, jobs=jobs, say=say
        )
        strength, skill = _judged(training, folder, say)
        kept = folder / POLICY
        data, where = user_paths.read_bytes(kept), kept if out else None
        return LearnedPolicy(task, data, where, tuple(rounds), strength, skill)


def taught(
    task: LearningTask,
    begins: PolicyFile | None,
    asked: Mapping[str, Any],
    folder: Path,
    minutes: float,
    blocks: Sequence[int],
    *,
    jobs: int,
    say: Say,
) -> tuple[Training, list[Any]]:
    """Play the rounds of a policy that a folder keeps, on from where it was stopped.

    begins: the policy that learns on, if any; asked: the question, which its file says;
    the others are those of ``learn``. Return what it learned, and what each round
    brought.
    """
    kept = folder / POLICY
    rounds = _finished(read_policy(task.game, kept, "out")) if kept.exists() else []
    training = begin_training(task, begins, jobs, say)
    training.first_round = ALONE_AT_FIRST if training.pupils else 0
    earlier = [
        _resume(training, folder, number) for number in range(1, len(rounds) + 1)
    ]
    left = blocks[len(rounds) :] if blocks else None
    for one, seconds in _rounds(training, minutes, left, earlier):
        rounds.append(_record(one))
        about = {
            **asked,
            "source": source_hash(),
            "fairdeal": VERSION,
            "rounds": rounds,
        }
        weights = {k: pupil.parameters for k, pupil in training.pupils.items()}
        saved = SavedRound(training.new_lessons, weights, seconds)
        save_round(folder, len(rounds), saved)
        policy = PolicyFile(task.game, task.advisers, training.networks, about)
        atomic_files.write_file(kept, policy.to_bytes())
        say(f"round {len(rounds)}: {_in_words(one)}")
    return training, rounds


def place_of(
    game: str,
    rules: Rules,
    players: Sequence[int],
    minutes: float,
    blocks: Sequence[int],
    start: str,
    seed: int,
    kinds: Sequence[str] = (),
    force: Sequence[str] = (),
) -> Path:
    """Where among the results a policy is kept that is learned with no place named.

    By all that it comes from, and how long it learns, so the same question finds it.
    The arguments are those of ``learn``; raises ``UsageError`` likewise.
    """
    task, _ = learning_task(game, rules, players, start, seed, FULL, kinds, force)
    time = [*blocks] if blocks else minutes
    return kept_at("learn", {**question(task, start), "time": time})


def kept_at(word: str, asked: Mapping[str, Any]) -> Path:
    """Where among the results a policy is kept, by the question and this source."""
    words = json.dumps({**asked, "source": source_hash()}, sort_keys=True)
    key = hashlib.sha256(words.encode()).hexdigest()
    name = Path(asked["game"]).stem  # a game may be a file
    return user_paths.FOLDER.absolute() / f"{name}-{word}-{key[:12]}"


def _finished(policy: PolicyFile) -> list[Any]:
    """The rounds that a policy learned in; raises ``UsageError`` if it says none."""
    rounds = policy.about.get("rounds")
    if not isinstance(rounds, list):
        raise UsageError(
            f"out: its {POLICY} does not say in which rounds it was learned, so it was "
            "not learned there. Name a new directory, and begin with --start."
        )
    return rounds


def begin_training(
    task: LearningTask, begins: PolicyFile | None, jobs: int, say: Say
) -> Training:
    """Learning from the beginning, or on from a policy.

    That policy keeps what it reads, unless these rules have options of which it knows
    nothing; then it begins anew.
    """
    decisions = look_around(task)
    networks = {} if begins is None else begins.networks
    if new := unknown_options(decisions, networks):
        say(
            f"these rules have options of {', '.join(new)} that the policy does not "
            "know, so it learns from the beginning"
        )
        networks = {}
    observations = {k: one.observation for k, one in networks.items()}
    known = Decisions({**decisions.observations, **observations}, decisions.answers)
    pupils = {kind: Pupil.of(network) for kind, network in networks.items()}
    return Training(task, known, jobs, pupils)


def _resume(training: Training, folder: Path, number: int) -> float:
    """Go on after a round that a folder keeps; returns the seconds that it took."""
    saved = load_round(folder, number)
    training.remember(saved.lessons)
    for kind, parameters in saved.parameters.items():
        if kind not in training.decisions.observations:
            raise damaged_weights(folder, number)
        training.pupils[kind] = pupil = training.pupil(kind)
        shapes = {name: one.shape for name, one in pupil.parameters.items()}
        if shapes != {name: one.shape for name, one in parameters.items()}:
            raise damaged_weights(folder, number)
        pupil.parameters = parameters
    training.first_round += 1
    return saved.seconds


def unknown_options(decisions: Decisions, networks: Mapping[str, Network]) -> list[str]:
    """The kinds of decisions with options that their network does not know."""
    return [kind for kind in networks if _is_new(decisions, kind, networks)]


def _is_new(decisions: Decisions, kind: str, networks: Mapping[str, Network]) -> bool:
    """Whether a kind of decision has many options that its network does not know.

    A few are no news: rare ones, which were not offered in the games looked at before.
    """
    here = decisions.observations.get(kind)
    if here is None:
        return False
    known = networks[kind].observation.vocabularies
    options = {*here.vocabularies[here.vocabulary]}
    return len(options - {*known[here.vocabulary]}) > _RARE * len(options)


def _rounds(
    training: Training,
    minutes: float,
    blocks: Sequence[int] | None,
    earlier: Sequence[float],
) -> Iterator[tuple[LearningRound, float]]:
    """Rounds, and the seconds that each took: of so many blocks each, or in time.

    earlier: the seconds of rounds before, which count as part of the minutes.
    """
    for many in blocks or ():
        yield training.round(partial(gt, many)), 0.0
    if blocks is not None:
        return
    end = time.monotonic() + 60 * minutes - sum(earlier)
    after = earlier[-1] if earlier else 0.0  # what comes after a round's lessons
    while True:
        begin = time.monotonic()
        number = min(training.first_round + len(training.rounds), len(_LESSONS) - 1)
        until = begin + min(_LESSONS[number] * 60 * minutes, _LONGEST[number])
        if (training.rounds or earlier) and until + _MARGIN * after > end:
            return
        lessons = [begin]

        def more(_: int, until: float = until, lessons: list[float] = lessons) -> bool:
            lessons[0] = time.monotonic()
            return lessons[0] < until

        done = training.round(more)
        after = time.monotonic() - lessons[0]
        yield done, time.monotonic() - begin


def _record(one: LearningRound) -> dict[str, Any]:
    """A round, for a file."""
    return {**asdict(one), "kept": [*one.kept]}


def _in_words(one: LearningRound) -> str:
    lessons = sum(one.lessons.values())
    if one.whole is None:
        return f"{lessons:,} lessons, which taught nothing"
    gain = f"{lessons:,} lessons, {one.whole.points:+.1f} points over the round before"
    return gain if one.kept else f"{gain}: nothing new is kept"


def _judged(
    training: Training, folder: Path, say: Say
) -> tuple[dict[int, Strength], dict[str, StrengthGain]]:
    """The strength and skill of the policy in a folder, on fresh deals; kept there."""
    data = user_paths.read_bytes(folder / POLICY)
    key, kept = hashlib.sha256(data).hexdigest(), folder / _STRENGTH
    if kept.exists():
        with suppress(ValidationError, UsageError):
            known = _JUDGEMENT.validate_json(user_paths.read_bytes(kept))
            if known.policy == key:
                return known.strength, known.skill
    say("how strong it is, on fresh deals")
    strength = training.strength(data, _JUDGED_GAMES, _FRESH)
    alone = {kind: {kind: network} for kind, network in training.networks.items()}
    skill = training.effects({}, alone, [None], _FRESH)
    found = _Judgement(key, strength, skill)
    atomic_files.write_file(kept, _JUDGEMENT.dump_json(found))
    return strength, skill

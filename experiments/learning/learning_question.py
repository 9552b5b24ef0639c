"""What is to be learned: the task, the policy that it begins with, and the question."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.core.cells import Cell, UsageError
from experiments.counterfactual.intervention import Together
from experiments.counterfactual.named_interventions import interventions_named
from experiments.learning.blocks import Effort, LearningTask
from experiments.studies.lineups import default_lineup
from sim import places
from sim.games import load
from sim.parameters import Rules
from sim.parameters.tables import no_such
from strategies import policy_store, registry
from strategies.learned import Learned, playable, shipped
from strategies.policy_file import PolicyError, PolicyFile, from_bytes, read

_KINDS = "kinds"  # in what a policy says about itself


def learning_task(
    game: str,
    rules: Rules,
    players: Sequence[int],
    start: str,
    seed: int,
    effort: Effort,
    kinds: Sequence[str] = (),
    force: Sequence[str] = (),
) -> tuple[LearningTask, PolicyFile | None]:
    """What is to be learned, and the policy with which it begins.

    The arguments are those of ``learn``; raises ``UsageError`` likewise.
    """
    sizes = tuple(sorted({*players})) or load(game).players
    begins = _begins(game, start) if start else None
    advisers = begins.advisers if begins else advisers_of(game)
    own = begins.about.get(_KINDS, ()) if begins else ()
    task = LearningTask(game, rules, sizes, advisers, seed, effort)
    task = replace(task, forced=_forced(task, force))
    return replace(task, kinds=_known_kinds(game, kinds or own)), begins


def _forced(task: LearningTask, force: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The options of these names, each with its kinds; raises ``UsageError``."""
    if not force:
        return ()
    players = task.players[-1]
    cell = Cell(task.game, task.rules, players, task.advisers[:1] * players)
    named = interventions_named(cell, force=force)
    return tuple(
        (each.when.kinds, each.do.option)
        for each in named
        if not isinstance(each.do, Together)
    )


def _known_kinds(game: str, kinds: Sequence[str]) -> tuple[str, ...]:
    """These kinds of decisions, each once; raises ``UsageError`` for another name."""
    known = load(game).kinds
    if not isinstance(kinds, list | tuple):  # as a policy says of itself
        raise UsageError(f"kinds: a list of decisions, not {kinds!r}.")
    for kind in kinds:
        if kind not in [*known]:
            raise UsageError(f"kinds: {no_such('decision', str(kind), known)}")
    return tuple(sorted({*kinds}))


def question(task: LearningTask, start: str) -> dict[str, Any]:
    """The question of a task, for a manifest; start: as in ``learn``."""
    return {
        "what": "learn",
        "game": task.game,
        "rules": task.rules.plain(),
        "players": [*task.players],
        "advisers": [*task.advisers],
        "start": _start_name(task.game, start) if start else "",
        "seed": task.seed,
        **({_KINDS: [*task.kinds]} if task.kinds else {}),
        **({"forced": [list(one) for one in task.forced]} if task.forced else {}),
    }


def _start_name(game: str, start: str) -> str:
    """The name of the policy to begin with."""
    known = policy_store.NAME.fullmatch(start)
    return start if known else policy_store.name_of(_start_file(game, start))


def _start_file(game: str, start: str) -> Path:
    """The file of the policy to begin with, which may be the one of the game."""
    if start != Learned.name:
        return places.named(start)
    if (file := shipped(game)) is None:
        raise UsageError(f"start: {game} comes with no learned policy. Name a file.")
    return file


def advisers_of(game: str, leading: str = "") -> tuple[str, ...]:
    """The strategies whose answers are read: the leading one, and its rivals.

    leading: another than usual, if it is a strategy of the game.
    """
    known = registry.builtin(game, every=True)
    teacher = leading if leading in known else default_lineup(game)
    others = (one for one in registry.builtin(game) if one not in ("random", teacher))
    return (teacher, *others)


def _begins(game: str, start: str) -> PolicyFile:
    """The policy to begin with, from its file or by its name; raises ``UsageError``."""
    if policy_store.NAME.fullmatch(start):
        return from_bytes(policy_store.data_of(start))
    return read_policy(game, _start_file(game, start))


def read_policy(game: str, path: Path, option: str = "start") -> PolicyFile:
    """The policy in a file; raises ``UsageError`` where it is none of this game."""
    try:
        policy = read(path)
    except PolicyError as error:
        raise UsageError(f"{option}: {error}.") from error
    if policy.game != game:
        raise UsageError(f"{option}: {path} plays {policy.game}, not {game}.")
    try:
        playable(policy)  # asks only strategies of the game: no other code is loaded
    except PolicyError as error:
        raise UsageError(f"{option}: {path}: {error}.") from error
    return policy

"""A learner against one table alone: how much a player who studies it gains there.

    best_response("kunitame", make("kunitame", "allround"), rules, players=4)

The others never change, so what is learned may be worth nothing elsewhere; what it
gains says how far these players are from playing as well as they could against each
other (exploitability: Timbers et al. 2022, Approximate exploitability, IJCAI).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import gt
from pathlib import Path
from typing import Any

from experiments.analysis.multi_run import stage_folder
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.execution import atomic_files, user_paths
from experiments.learning.blocks import Effort, LearningTask
from experiments.learning.learn import POLICY, begin_training
from experiments.learning.learning_question import advisers_of
from experiments.learning.training_rounds import ALONE_AT_FIRST
from sim.parameters import Rules
from strategies import policy_store
from strategies.base import Strategy
from strategies.learned import Learned, shipped
from strategies.policy_file import PolicyFile, from_bytes, read

SECONDS = 60.0
"""How long it learns by default, of one core of a usual machine."""
NAME = "learner"
"""What its name begins with."""
_EFFORT = Effort()
_BLOCK = {False: 0.9, True: 8.9}  # of the game's; played on by networks
_ROUND = 3.0  # of them: fitting, and the gate


def best_response(
    game: str,
    against: Strategy,
    rules: Rules,
    *,
    players: int,
    seconds: float = SECONDS,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Learned:
    """Learn against a table at which this strategy has all other seats.

    It plays as they do to begin with, and goes on from their networks if they learned
    what they play. seconds: roughly how long, as blocks of lessons by what these
    usually cost: the same seed and seconds find the same player for any number of jobs,
    on any machine. out: a folder that keeps them.
    """
    begins = _policy_of(game, against)
    advisers = begins.advisers if begins else advisers_of(game, against.title)
    task = LearningTask(game, rules, (players,), advisers, seed, _EFFORT, against)
    blocks = blocks_in(game, seconds, begins is not None)
    with stage_folder(out, _asked(task, blocks)) as folder:
        kept = folder / POLICY
        if not kept.exists():
            training = begin_training(task, begins, jobs, say)
            training.first_round = ALONE_AT_FIRST if begins else 0
            for many in blocks:
                training.round(partial(gt, many))
            policy = PolicyFile(game, advisers, training.networks)
            atomic_files.write_file(kept, policy.to_bytes())
        data = user_paths.read_bytes(kept)
    return Learned(policy_store.add_as(NAME, data))


@dataclass(frozen=True)
class BestResponse:
    """Learns for so many seconds against the first strategy of a cell."""

    seconds: float
    jobs: int

    def __call__(self, cell: Cell, out: Path | None) -> str:
        """Return the learner's name, which is a spec; ``out`` keeps their policy."""
        return best_response(
            cell.game,
            cell.strategies()[0],
            cell.rules,
            players=cell.players,
            seconds=self.seconds,
            seed=cell.seed,
            jobs=self.jobs,
            out=out,
        ).title


def blocks_in(game: str, seconds: float, learned: bool = False) -> tuple[int, ...]:
    """The blocks of lessons of each round that take about so long.

    They are reckoned from what the game declares (``GameReport.lesson_seconds``).
    learned: whether the others play what they learned, which takes longer.

    >>> blocks_in("kunitame", 60), blocks_in("kunitame", 60, learned=True)
    ((4, 4), (1,))
    """
    declared = report_of(game).lesson_seconds
    block, more = _BLOCK[learned] * declared, _ROUND * declared
    rounds = 2 if seconds >= 2 * (more + block) else 1
    blocks = (seconds / rounds - more) / block
    return (max(int(blocks), 1),) * rounds


def _policy_of(game: str, strategy: Strategy) -> PolicyFile | None:
    """The policy that a strategy plays; None if it learned nothing."""
    if not isinstance(strategy, Learned):
        return None
    if strategy.policy:
        return from_bytes(policy_store.data_of(strategy.policy))
    file = shipped(game)
    return None if file is None else read(file)


def _asked(task: LearningTask, blocks: Sequence[int]) -> dict[str, Any]:
    """The question, for the folder."""
    return {
        "what": "best response",
        "game": task.game,
        "rules": task.rules.plain(),
        "players": [*task.players],
        "advisers": [*task.advisers],
        "against": task.others.title,
        "blocks": [*blocks],
        "seed": task.seed,
    }

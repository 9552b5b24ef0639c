"""Who leads a report: a strong player, who goes on learning where rules differ."""

from collections.abc import Callable, Sequence
from functools import partial

from experiments.analysis.panel import FindLeader, Leader, strong_leader
from experiments.execution.run import Progress
from experiments.learning.adaptation import adapted
from sim.games import load
from sim.parameters import Rules
from strategies.learned import Learned, shipped


def leader(seconds: float, jobs: int, progress: Progress | None) -> FindLeader:
    """Return what finds who leads a report.

    seconds: of lessons where rules differ from the base rules; 0: nobody goes on
    learning. jobs: of lessons.
    """
    say = getattr(progress, "tell", lambda _: None)
    return partial(_leader, seconds, jobs, say)


def _leader(
    seconds: float,
    jobs: int,
    say: Callable[[str], None],
    game: str,
    rules: Rules,
    counts: Sequence[int],
    seed: int,
) -> Leader:
    if not seconds or rules == load(game).rules() or not shipped(game):
        return strong_leader(game, rules, counts, seed)
    say(f"players learn these rules, seed {seed}")
    found = adapted(
        game,
        rules,
        players=sorted(counts),
        start=Learned.name,
        seconds=seconds,
        seed=seed,
        jobs=jobs,
        kept=True,
        say=say,
    )
    return Leader(found.spec, found.told)

"""Who leads a report: a strong player, who goes on learning where rules differ."""

from collections.abc import Sequence
from functools import partial

from experiments.analysis.leader import FindLeader, Leader, strong_leader
from experiments.learning.adaptation import LessonPlan, adapted, learned_anew
from sim.games import load
from sim.parameters import Rules
from strategies.learned import Learned, shipped


def adapted_leader(lessons: LessonPlan, seed: int) -> FindLeader:
    """Return what finds who leads a report, and leads it again on other games.

    Where rules differ from the base rules, the policy that the game comes with has
    these lessons, if they last a while; the seed is theirs.
    """
    return partial(_leader, lessons, seed)


def _leader(
    lessons: LessonPlan, seed: int, game: str, rules: Rules, counts: Sequence[int]
) -> Leader:
    if not lessons.seconds or rules == load(game).rules() or not shipped(game):
        return strong_leader(game, rules, counts)
    lessons.say(f"players learn these rules, seed {seed}")
    sizes, start = sorted(counts), Learned.name
    found = adapted(
        game,
        rules,
        players=sizes,
        lessons=lessons,
        start=start,
        anew=learned_anew(game, (rules,), sizes, start),
        seed=seed,
    )
    return Leader(found.spec, found.told, start)

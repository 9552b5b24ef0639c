"""Who leads a report: a strong player, who goes on learning where rules differ."""

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.analysis.leader import Leader, strong_leader
from experiments.learning.adaptation import LessonPlan, adapted, learned_anew
from sim.games import load
from sim.parameters import Rules
from strategies.learned import Learned, shipped


@dataclass(frozen=True)
class AdaptedLeader:
    """Finds who leads a report, and leads it again on other games.

    Where rules differ from the base rules, the policy that the game comes with has
    these lessons, if they last a while; the seed is theirs.
    """

    lessons: LessonPlan
    seed: int

    def __call__(self, game: str, rules: Rules, counts: Sequence[int]) -> Leader:
        """Return who leads; the first call may take as long as the lessons."""
        lessons, sizes, start = self.lessons, sorted(counts), Learned.name
        if not lessons.seconds or rules == load(game).rules() or not shipped(game):
            return strong_leader(game, rules, counts)
        lessons.say(f"players learn these rules, seed {self.seed}")
        found = adapted(
            game,
            rules,
            players=sizes,
            lessons=lessons,
            start=start,
            anew=learned_anew(game, (rules,), sizes, start),
            seed=self.seed,
        )
        return Leader(found.spec, found.told, start)

"""How well strategies play: contests, search, and the best response."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.coercion import (
    Given,
    RulesLike,
    coerce_given,
    coerce_rule_set,
    run_arguments,
)
from experiments.core.cells import UsageError
from experiments.execution.run import Progress
from strategies.specs import split_lineup

if TYPE_CHECKING:
    from experiments.analysis.exploit import Exploit
    from experiments.analysis.skill_result import Ladder
    from experiments.analysis.tournament import Tournament


def tournament(
    rules: RulesLike,
    strategies: Sequence[str] = (),
    *,
    players: int | None = None,
    games: int = 2_000,
    pairs: bool | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Tournament":
    """Let strategies meet in every lineup and rank them.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as in ``play``.
        strategies: names or specs; by default every strategy of the game.
        games: by each lineup.
        pairs: play only lineups of at most two strategies, or (False) every lineup; by
            default every lineup, up to 500.

    >>> found = tournament("kunitame", ["greedy", "timid"], games=64, seed=1, jobs=1)
    >>> found
    kunitame, 4 players: 5 lineups, 320 games, seed 1
    strongest first: greedy, timid
    see .ratings, .matrix, .shares, .plot()
    """
    import experiments.analysis.tournament

    of = coerce_rule_set(rules)
    return experiments.analysis.tournament.tournament(
        of.game,
        strategies,
        games=games,
        pairs=pairs,
        progress=progress,
        **run_arguments(of, players, seed, jobs, backend, scheduler, out),
    )


def skill(
    rules: RulesLike,
    strategies: Sequence[str] = (),
    *,
    players: int | None = None,
    given: Given = (),
    against: str = "",
    search: str = "",
    samples: Sequence[int] = (1, 2, 4, 8, 16, 32, 64, 128, 256),
    games: int = 2_048,
    precision: float | None = None,
    tolerance: float = 0.02,
    minutes: float | None = 5,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Ladder":
    """Measure what better play is worth, from beginners to search.

    Args:
        rules, players, seed, jobs, backend, scheduler, progress: as in ``play``.
        given: as in ``play``; players who learned did so on all deals.
        strategies: the rungs below search; by default "beginner", "good" and
            "strong".
        against: who plays the other seats, by default the leading heuristic; "before"
            is the rung before.
        search: a spec of the search to use, e.g. "search:inner=greedy".
        samples: samples per decision, one number for each rung of search.
        games: by each rung; by search, this over the fourth root of its samples.
        precision: half the width of a win share's interval, instead of ``games``.
        tolerance: the largest gain that does not matter, as a share of wins.
        minutes: start no rung that would end later than this; None: no limit.
        out: directory for the games; the same call with it resumes.

    >>> from fairdeal import Game
    >>> short = Game("kunitame").rules(weeks=1)
    >>> found = skill(
    ...     short, ["random", "greedy"], samples=[1], games=64, seed=1, jobs=1
    ... )
    >>> found.table["rung"].to_list()
    ['random', 'greedy', 'search:samples=1']
    """
    import experiments.analysis.skill
    from experiments.analysis.multi_run import stage_progress

    of = coerce_rule_set(rules)
    return experiments.analysis.skill.skill(
        of.game,
        strategies,
        given=coerce_given(given),
        against=against,
        search=search,
        budgets=samples,
        games=games,
        precision=precision,
        tolerance=tolerance,
        minutes=minutes,
        watch=stage_progress(progress),
        **run_arguments(of, players, seed, jobs, backend, scheduler, out),
    )


def exploit(
    rules: RulesLike,
    lineup: str | None = None,
    *,
    players: int | None = None,
    games: int = 16_384,
    budget: int = 200_000,
    samples: int = 16,
    learn: float = 0,
    tolerance: float = 0.02,
    add_strategy: Sequence[str] = (),
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Exploit":
    """Search for the best response to a lineup.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as in ``play``.
        lineup: the lineup whose first strategy is replaced; one name fills every seat.
            The leading heuristic by default.
        games: fresh deals that measure the edge; fewer if the best response searches.
        budget: roughly how many games select candidates.
        samples: samples per decision of search; 0 leaves search out.
        learn: for how many seconds one more player learns against this table alone,
            which is one strategy in all seats. They count as games, so the same seed
            finds the same player.
        tolerance: the largest edge that does not matter, as a share of wins.
        add_strategy: your own strategies as specs, which are candidates, too.

    >>> from fairdeal import Game
    >>> short = Game("kunitame").rules(weeks=1)
    >>> found = exploit(
    ...     short, "random", games=64, budget=1, samples=0, seed=1, jobs=1
    ... )
    >>> found  # doctest: +ELLIPSIS
    against random, random, random, random: an edge above 2 points: found
    best: ..., +... points of wins [..., ...] in 64 games
    see .finalists, .different
    """
    import experiments.analysis.exploit
    from experiments.analysis.multi_run import stage_progress
    from experiments.learning.best_response import BestResponse
    from experiments.studies.lineups import default_lineup

    of = coerce_rule_set(rules)
    lineup = lineup or default_lineup(of.game)
    seats = len(split_lineup(lineup))
    players = seats if players is None and seats > 1 else players
    if not 0 <= learn < inf:
        raise UsageError("learn: 0 seconds or more.")
    return experiments.analysis.exploit.exploit(
        of.game,
        lineup,
        games=games,
        budget=budget,
        samples=samples,
        tolerance=tolerance,
        strategies=add_strategy,
        learner=BestResponse(learn, jobs) if learn else None,
        watch=stage_progress(progress),
        **run_arguments(of, players, seed, jobs, backend, scheduler, out),
    )

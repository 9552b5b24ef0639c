"""How well strategies play: contests, search, tuning, and what options are worth."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from experiments.coercion import (
    Lineup,
    RulesLike,
    absolute_path,
    coerce_cell,
    coerce_rule_set,
    coerce_seed,
    run_arguments,
)
from experiments.core.cells import UsageError
from experiments.execution.backends import check_backend
from experiments.execution.run import Progress
from sim.games import load
from sim.parameters import one_of
from strategies.base import Strategy
from strategies.specs import split_lineup

if TYPE_CHECKING:
    from experiments.analysis.exploit import Exploit
    from experiments.analysis.knockout import Knockout
    from experiments.analysis.skill_result import Ladder
    from experiments.analysis.tournament import Tournament
    from experiments.analysis.tuning_result import TuningResult
    from experiments.analysis.what_if import WhatIf
    from experiments.learning.learn import LearnedPolicy


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
    """Measure what better play is worth, from random to search.

    Args:
        rules, players, seed, jobs, backend, scheduler, progress: as in ``play``.
        strategies: the rungs below search; by default every strategy of the game.
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


def knockout(
    rules: RulesLike,
    strategy: str | Strategy | None = None,
    *,
    players: int | None = None,
    games: int = 16_384,
    precision: float | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Knockout":
    """Measure what each option is worth by forbidding it.

    One option after another is forbidden to one player; each is worth the wins that
    this player loses.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as in ``play``.
        strategy: plays every seat; by default the strategy that leads reports.
        games: deals; each is played again without each option that was taken in it.
        precision: half the width of the widest interval, e.g. 0.005; ``games`` is then
            the size of a pilot.

    >>> found = knockout("kunitame", "greedy", games=64, seed=1, jobs=1)
    >>> found  # doctest: +ELLIPSIS
    kunitame, 4 players, greedy: 64 deals
    costliest: ... loses ... points of wins [...]
    ... rows: see .rows, .unused, .plot()
    """
    import experiments.analysis.knockout
    from experiments.analysis.comparison_arms import default_lineup

    of = coerce_rule_set(rules)
    return experiments.analysis.knockout.knockout(
        of.game,
        strategy or default_lineup(of.game),
        games=games,
        precision=precision,
        progress=progress,
        **run_arguments(of, players, seed, jobs, backend, scheduler, out),
    )


def what_if(
    rules: RulesLike,
    lineup: Lineup | None = None,
    *,
    when: str = "",
    whose: str = "first",
    forbid: str = "",
    force: str = "",
    decline: bool = False,
    grant: str = "",
    other_rules: Mapping[str, Any] | None = None,
    other_strategy: str = "",
    players: int | None = None,
    games: int = 16_384,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "WhatIf":
    """Change one thing in games that are otherwise the same, and see what it is worth.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as in ``play``.
        lineup: who plays; by default the strategy that leads reports, in every seat.
        when: decisions and a moment, e.g. "claim", "claim+bonus in week 2", "week 2";
            by default every decision that fits.
        whose: "first" changes one player, the first of the lineup, who sits in each
            seat in turn; "all" changes everybody.
        forbid: an option that may not be taken, e.g. "only-white" or
            "claim:only-white"; "claim:each" forbids each option in turn.
        force: an option that is taken whenever it can be, written likewise.
        decline: decline the decisions whenever possible.
        grant: one more of a thing for one player, e.g. "Life gems", as time goes by.
        other_rules: changed rules, e.g. {"life": 4}.
        other_strategy: a strategy that makes these decisions instead.
        games: deals, each played with and without the change.

    Exactly one of forbid, force, decline, grant, other_rules and other_strategy.

    >>> found = what_if("kunitame", force="contract:2", games=64, seed=1, jobs=1)
    >>> found  # doctest: +ELLIPSIS
    kunitame, 4 players, ...: 64 deals
    always 2 at contract: ... points of wins [...], ...
    """
    import experiments.analysis.what_if
    from experiments.analysis.comparison_arms import default_lineup
    from experiments.counterfactual.named_interventions import interventions_named

    of = coerce_rule_set(rules)
    lineup = default_lineup(of.game) if lineup is None else lineup
    cell = coerce_cell(of, lineup, players, True, seed)
    every = interventions_named(
        cell,
        when,
        whose,
        forbid=forbid,
        force=force,
        decline=decline,
        grant=grant,
        other_rules=other_rules,
        other_strategy=other_strategy,
    )
    where = {"jobs": jobs, "backend": backend, "scheduler": scheduler}
    return experiments.analysis.what_if.what_if(
        cell, every, games, **where, out=absolute_path(out), progress=progress
    )


def exploit(
    rules: RulesLike,
    lineup: str | None = None,
    *,
    players: int | None = None,
    games: int = 16_384,
    budget: int = 200_000,
    samples: int = 16,
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
            The strategy that leads reports by default.
        games: fresh deals that measure the edge; fewer if the best response searches.
        budget: roughly how many games select candidates.
        samples: samples per decision of search; 0 leaves search out.
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
    from experiments.analysis.comparison_arms import default_lineup
    from experiments.analysis.multi_run import stage_progress

    of = coerce_rule_set(rules)
    lineup = lineup or default_lineup(of.game)
    seats = len(split_lineup(lineup))
    players = seats if players is None and seats > 1 else players
    return experiments.analysis.exploit.exploit(
        of.game,
        lineup,
        games=games,
        budget=budget,
        samples=samples,
        tolerance=tolerance,
        strategies=add_strategy,
        watch=stage_progress(progress),
        **run_arguments(of, players, seed, jobs, backend, scheduler, out),
    )


def tune(
    rules: RulesLike,
    strategy: str,
    *,
    parameter: Sequence[str] = (),
    against: Sequence[str] = (),
    players: int | None = None,
    trials: int = 96,
    games: int = 8_192,
    fresh: int = 65_536,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "TuningResult":
    """Tune a strategy's parameters and test the gain.

    Needs optuna: ``pip install 'fairdeal[tune]'``.

    Args:
        rules, players, seed, jobs, backend, scheduler, progress: as in ``play``.
        strategy: the strategy to start from, as a spec.
        parameter: parameters to tune, e.g. "gems" or "gems=1..4"; by default every one
            with a range.
        against: lineups of the other seats, over which the mean counts; "panel" is a
            table of each strategy. By default the leading heuristic.
        trials: number of settings to try.
        games: by each trial at each table.
        fresh: fresh games that measure the gain at the end.
        out: directory for the games; the same call with it resumes.

    >>> found = tune("kunitame", "allround:gems=0")  # doctest: +SKIP
    >>> found.better  # doctest: +SKIP
    True
    """
    import experiments.analysis.tune
    from experiments.analysis.multi_run import stage_progress

    of = coerce_rule_set(rules)
    return experiments.analysis.tune.tune(
        of.game,
        strategy,
        wanted=parameter,
        against=against,
        trials=trials,
        games=games,
        fresh=fresh,
        watch=stage_progress(progress),
        **run_arguments(of, players, seed, jobs, backend, scheduler, out),
    )


def learn(
    rules: RulesLike,
    *,
    players: Sequence[int] = (),
    minutes: float = 3,
    blocks: Sequence[int] = (),
    start: str | Path = "",
    seed: int | None = None,
    jobs: int = -1,
    out: str | Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> "LearnedPolicy":
    """Teach a player the game, or a variant of it.

    Args:
        rules, seed, jobs: as in ``play``.
        players: the numbers of players with which it can play; by default all that the
            game allows.
        minutes: how long it learns; then fresh games measure how strong it is.
        blocks: blocks of games in each round, in place of ``minutes``; with the same
            seed, the same policy is found again.
        start: a file of a policy to go on from, perhaps of other rules; "learned" is
            the one that the game comes with.
        out: directory for the policy (policy.npz); the same call with it resumes.
        progress: called with a sentence after each round.

    Returns the policy, with ``file`` to name in lineups, its strength by number of
    ``players``, and what it gains by which ``decisions``. Raises ``UsageError``.

    >>> mine = learn("kunitame", minutes=3, out="mine")  # doctest: +SKIP
    >>> mine.players  # doctest: +SKIP
    >>> lineup = [str(mine.file), *["allround"] * 3]  # doctest: +SKIP
    >>> play("kunitame", lineup=lineup)  # doctest: +SKIP
    """
    import experiments.learning.learn

    of = coerce_rule_set(rules)
    for count in players:
        if count not in load(of.game).players:
            allowed = one_of(map(str, load(of.game).players))
            raise UsageError(
                f"players: {count} cannot play {of.game}. Allowed: {allowed}."
            )
        of.values.check(count)
    check_backend("loky", None, jobs)
    return experiments.learning.learn.learn(
        of.game,
        rules=of.values,
        players=players,
        minutes=minutes,
        blocks=blocks,
        start=str(start),
        seed=coerce_seed(seed),
        jobs=jobs,
        out=absolute_path(out),
        say=progress or (lambda _: None),
    )


def check(
    strategy: type[Strategy] | Strategy | str,
    rules: RulesLike,
    *,
    games: int = 200,
    seed: int = 1,
) -> pl.DataFrame:
    """Test whether a strategy is legal, repeatable and honest.

    Args:
        strategy: a class, a strategy, or a spec such as "my.py:Bold".
        rules: a rule set, a game, or its id.
        games: for each check and number of players.
        seed: random seed of these games.

    Returns one row per check: check, ok, found.
    """
    from experiments.conformance.check import check_strategy

    of = coerce_rule_set(rules)
    player = strategy() if isinstance(strategy, type) else strategy
    checks = check_strategy(of.game, player, rules=of.values, games=games, seed=seed)
    return pl.DataFrame(
        [{"check": c.name, "ok": c.ok, "found": c.detail} for c in checks]
    )

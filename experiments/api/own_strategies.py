"""Strategies of one's own: check them, tune their parameters, teach a policy."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from experiments.coercion import (
    RulesLike,
    absolute_path,
    coerce_rule_set,
    coerce_seed,
    run_arguments,
)
from experiments.core.cells import UsageError
from experiments.execution.backends import check_backend
from experiments.execution.run import Progress
from sim.games import load
from strategies.base import Strategy

if TYPE_CHECKING:
    from experiments.analysis.tuning_result import TuningResult
    from experiments.learning.learned_policy import LearnedPolicy


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
    kinds: Sequence[str] = (),
    force: str | Sequence[str] = (),
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
        kinds: of decisions that it learns, such as ("play", "invite"): it is quicker,
            and leaves all others to the leading heuristic. By default all, or those
            that ``start`` learned.
        force: options, such as "contract:2", that it takes whenever it can in half of
            its lessons: so it learns to use what it would never try.
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
        if refused := load(of.game).refuses(count):
            raise UsageError(refused)
        of.values.check(count)
    check_backend("loky", None, jobs)
    return experiments.learning.learn.learn(
        of.game,
        rules=of.values,
        players=players,
        minutes=minutes,
        blocks=blocks,
        start=str(start),
        kinds=kinds,
        force=[force] if isinstance(force, str) else force,
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
        strategy: a class, a strategy, or a spec such as "my.py:Bold" or "my.toml".
        rules: a rule set, a game, or its id.
        games: for each check and number of players.
        seed: random seed of these games.

    Returns one row per check: check, ok, found.

    >>> check("greedy", "kunitame", games=8)["ok"].all()
    True
    """
    from experiments.conformance.check import check_strategy

    of = coerce_rule_set(rules)
    player = strategy() if isinstance(strategy, type) else strategy
    checks = check_strategy(of.game, player, rules=of.values, games=games, seed=seed)
    return pl.DataFrame(
        [{"check": c.name, "ok": c.ok, "found": c.detail} for c in checks]
    )

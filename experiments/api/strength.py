"""Who plays how well: contests, search, tuning, and what each option is worth."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from experiments.execution.run import Progress
from experiments.given import Ruled, path_of, players_of, rule_set, seed_of
from strategies.base import Strategy
from strategies.specs import split_lineup

if TYPE_CHECKING:
    from experiments.analysis.exploit import Exploit
    from experiments.analysis.knockout import Knockout
    from experiments.analysis.ladder import Ladder
    from experiments.analysis.tournament import Tournament
    from experiments.analysis.tuned import Tuned


def tournament(
    rules: Ruled,
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
    """Play every lineup of these strategies: who is strong, who beats whom.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        strategies: names or specs; all of the game's where none is named.
        games: of each lineup.
        pairs: tables of two strategies only, or (False) every lineup; by default
            every one, up to 500.

    >>> found = tournament("kunitame", ["greedy", "timid"], games=64, seed=1, jobs=1)
    >>> found
    kunitame, 4 players: 5 lineups, 320 games, seed 1
    strongest first: greedy, timid
    see .ratings, .matrix, .shares, .plot()
    """
    from experiments.analysis.tournament import tournament as contest

    of = rule_set(rules)
    return contest(
        of.game,
        strategies,
        players=players_of(of.game, players),
        games=games,
        rules=of.values,
        seed=seed_of(seed),
        pairs=pairs,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        progress=progress,
    )


def skill(
    rules: Ruled,
    strategies: Sequence[str] = (),
    *,
    players: int | None = None,
    against: str = "",
    search: str = "",
    budgets: Sequence[int] = (1, 2, 4, 8, 16, 32, 64, 128, 256),
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
    """Climb from chance over heuristics to search: how deep is the game, how lucky.

    Args:
        rules, players, seed, jobs, backend, scheduler, progress: as of ``play``.
        strategies: the heuristics below search; all of the game's where none is named.
        against: who sits around each rung, the leading strategy where nobody is named;
            "before": the rung before it.
        search: a spec of the search, as "search:inner=greedy".
        budgets: samples a decision of the rungs of search.
        games: of each rung; of search this over the fourth root of its samples.
        precision: half the width of a win share's interval, in place of ``games``.
        tolerance: a gain that does not matter, as a share of wins.
        minutes: no rung is begun that would end later; None: as long as it takes.
        out: a directory for the games, from which the same call goes on.

    >>> from fairdeal import Game
    >>> short = Game("kunitame").rules(weeks=1)
    >>> found = skill(
    ...     short, ["random", "greedy"], budgets=[1], games=64, seed=1, jobs=1
    ... )
    >>> found.table["rung"].to_list()
    ['random', 'greedy', 'search:samples=1']
    """
    from experiments.analysis.skill import skill as climb
    from experiments.analysis.stages import watched

    of = rule_set(rules)
    return climb(
        of.game,
        strategies,
        rules=of.values,
        players=players_of(of.game, players),
        against=against,
        search=search,
        budgets=budgets,
        games=games,
        precision=precision,
        tolerance=tolerance,
        minutes=minutes,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        watch=watched(progress),
    )


def knockout(
    rules: Ruled,
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
    """Say what each decision and option is worth: wins lost by who may not use it.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        strategy: who plays in all seats, and in one of them is kept from one thing
            after the other; the strategy that leads reports by default.
        games: deals; each is played again without each option that was taken in it.
        precision: half the width of the widest interval, as 0.005; ``games`` are then
            a pilot.

    >>> found = knockout("kunitame", "greedy", games=64, seed=1, jobs=1)
    >>> found  # doctest: +ELLIPSIS
    kunitame, 4 players, greedy: 64 deals
    costliest: ... loses ... points of wins [...]
    ... rows: see .rows, .unused, .plot()
    """
    from experiments.analysis.knockout import knockout as knocked_out
    from experiments.analysis.sides import leading

    of = rule_set(rules)
    return knocked_out(
        of.game,
        strategy or leading(of.game),
        players=players_of(of.game, players),
        games=games,
        precision=precision,
        rules=of.values,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        progress=progress,
    )


def exploit(
    rules: Ruled,
    against: str | None = None,
    *,
    players: int | None = None,
    games: int = 16_384,
    budget: int = 200_000,
    samples: int = 16,
    tolerance: float = 0.02,
    strategies: Sequence[str] = (),
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Exploit":
    """Look for the best response to a lineup, and say how much more it wins.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        against: the lineup, whose first strategy is replaced; one name fills all seats.
        games: fresh deals for the edge that is told; fewer with search.
        budget: about how many games select the candidates.
        samples: of ``search``; 0 leaves it out.
        tolerance: the edge that does not matter, as a share of wins.
        strategies: specs of one's own that are candidates too.

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
    from experiments.analysis.exploit import exploit as exploited
    from experiments.analysis.sides import leading
    from experiments.analysis.stages import watched

    of = rule_set(rules)
    lineup = against or leading(of.game)
    seats = len(split_lineup(lineup))
    return exploited(
        of.game,
        lineup,
        players=seats
        if players is None and seats > 1
        else players_of(of.game, players),
        games=games,
        budget=budget,
        samples=samples,
        tolerance=tolerance,
        rules=of.values,
        strategies=strategies,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        watch=watched(progress),
    )


def tune(
    rules: Ruled,
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
) -> "Tuned":
    """Tune a strategy against a field; fresh games say whether it is surely better.

    Needs optuna: ``pip install 'fairdeal[tune]'``.

    Args:
        rules, players, seed, jobs, backend, scheduler, progress: as of ``play``.
        strategy: a spec, which says where it begins.
        parameter: what is tuned, as "gems" or "gems=1..4"; all that have a range.
        against: tables that it sits at (a lineup of the other seats each), whose mean
            counts; "panel" is a table of each strategy. The leading one by default.
        trials, games: how many parameters are tried, in how many games each.
        fresh: games that say what was gained.
        out: a directory for the games, from which the same call goes on.

    >>> found = tune("kunitame", "allround:gems=0")  # doctest: +SKIP
    >>> found.better  # doctest: +SKIP
    True
    """
    from experiments.analysis.stages import watched
    from experiments.analysis.tune import tune as tuned

    of = rule_set(rules)
    return tuned(
        of.game,
        strategy,
        rules=of.values,
        players=players_of(of.game, players),
        wanted=parameter,
        against=against,
        trials=trials,
        games=games,
        fresh=fresh,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        watch=watched(progress),
    )


def check(
    strategy: type[Strategy] | Strategy | str,
    rules: Ruled,
    *,
    games: int = 200,
    seed: int = 1,
) -> pl.DataFrame:
    """Hold a strategy to what every strategy must be: legal, repeatable, blind.

    Args:
        strategy: a class, a strategy, or a spec such as "my.py:Bold".
        rules: a rule set, a game, or its id.
        games: to play for each check.
        seed: of these games.

    A row a check: check, ok, found.
    """
    from experiments.conformance.check import check_strategy

    of = rule_set(rules)
    one = strategy() if isinstance(strategy, type) else strategy
    found = check_strategy(of.game, one, rules=of.values, games=games, seed=seed)
    return pl.DataFrame(
        [{"check": one.name, "ok": one.ok, "found": one.detail} for one in found]
    )

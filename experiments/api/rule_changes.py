"""Changes of rules: what each does, which meet a target, and a page to try them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.coercion import (
    HasId,
    RulesLike,
    absolute_path,
    coerce_lessons,
    coerce_players,
    coerce_rule_set,
    coerce_seed,
    further_run,
    run_arguments,
)
from experiments.execution.run import Progress
from strategies.base import Strategy

if TYPE_CHECKING:
    from experiments.analysis.levers import Levers
    from experiments.analysis.rule_search import RuleSearch


def levers(
    rules: RulesLike,
    strategy: str | Strategy | None = None,
    *,
    players: int | None = None,
    line: str = "",
    only: Sequence[str] = (),
    fine: bool = False,
    games: int | None = None,
    adapt: float = 10.0,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Levers":
    """Show what one step of each rule does to the balance.

    Every change plays the same deals; the lines of the scorecard show its effect. The
    changes shown first, and those with an effect of about a tolerance, are then played
    by those who learned them (``adapted`` of the result; ``verdicts``: both answers).

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as in ``play``.
        strategy: plays every seat; by default the policy that the game comes with, or
            else the leading heuristic.
        line: id of the line whose first changes are learned; by default the one that
            the rules break most, or else the first.
        only: keys of rules to try, e.g. "life" or "squares.blue"; all by default.
        fine: try choices, lists and ranges in table rows, too.
        games: by each rule set; by default half as many as a report plays, of learned
            players 1,024 (512 in slow games).
        adapt: seconds for which players learn each of these rule sets, as in
            ``compare``.

    >>> found = levers(
    ...     "kunitame", "allround", only=["life"], games=64, seed=1, jobs=1
    ... )
    >>> found.ranked("length")["label"].to_list()
    ['life 3 -> 2', 'life 3 -> 4']
    >>> found  # doctest: +ELLIPSIS
    kunitame, 4 players: 2 changes, 64 games each
    gap of positions: moved most by life 3 -> ...
    lines: positions, ...: see .rows, .ranked(line), .plot(line)
    """
    import experiments.analysis.levers
    from experiments.learning.adapted_levers import adapted_levers
    from experiments.studies.lineups import can_learn

    of = coerce_rule_set(rules)
    lessons = coerce_lessons(adapt, jobs, out, progress)
    how = run_arguments(of, players, seed, jobs, backend, scheduler, out)
    found = experiments.analysis.levers.levers(
        of.game, strategy, only=only, fine=fine, games=games, progress=progress, **how
    )
    found.line(line)
    if not adapt or not can_learn([found.base], strategy is not None):
        return found
    by = further_run(how, "adapted")
    return adapted_levers(found, lessons, line, progress=progress, **by)


def find(
    rules: RulesLike,
    targets: Sequence[str] = (),
    *,
    vary: Sequence[str] = (),
    strategy: str | Strategy | None = None,
    players: int | None = None,
    games: int | None = None,
    adapt: float = 60.0,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "RuleSearch":
    """Find the smallest rule changes that meet your targets.

    What is found is tested again by players who learned these rules, on other deals
    (``adapted`` of each answer), and dropped from ``met`` if it misses the targets.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as in ``play``.
        targets: lines of the scorecard and their limits, e.g. "positions <= 2pp"; by
            default the tolerance of the line that the rules break most.
        vary: rules and the values to try, e.g. "life=1..8"; a rule alone is changed by
            one step. By default, one step of every rule.
        strategy: plays every seat; by default as in ``levers``.
        games: fresh deals that test the last candidates against the targets; by default
            16,384 of heuristics, 4,096 of learned players (1,024 in slow games).
        adapt: seconds for which players learn each of these rule sets, as in
            ``compare``.

    >>> asked = {"strategy": "allround", "games": 1_024, "seed": 1, "jobs": 1}
    >>> found = find("kunitame", ["length <= 14"], vary=["weeks=3"], **asked)
    >>> found
    kunitame, 4 players: wanted length <= 14
    met by: weeks 4 -> 3
    1 changes tried: see .met, .answers
    """
    import experiments.analysis.rule_search
    from experiments.learning.adapted_search import adapted_search
    from experiments.studies.lineups import can_learn

    of = coerce_rule_set(rules)
    lessons = coerce_lessons(adapt, jobs, out, progress)
    how = run_arguments(of, players, seed, jobs, backend, scheduler, out)
    found = experiments.analysis.rule_search.find(
        of.game,
        targets,
        vary=vary,
        strategy=strategy,
        games=games,
        progress=progress,
        **how,
    )
    if not adapt or not can_learn([found.cell], strategy is not None):
        return found
    by = further_run(how, "adapted")
    try:
        return adapted_search(found, lessons, progress=progress, **by)
    except KeyboardInterrupt as error:
        error.add_note(f"Best so far, before players adapt:\n{found!r}")
        raise


def explore(
    game: HasId | str,
    strategy: str | None = None,
    *,
    players: int | None = None,
    seed: int | None = None,
    variant: str | Path | None = None,
    settings: Sequence[str] = (),
    port: int = 8_765,
    browser: bool = False,
    jobs: int = -1,
    out: str | Path | None = None,
) -> None:
    """Change rules in your browser and watch the balance.

    Serves a page on this machine until Ctrl-C. Needs starlette and uvicorn:
    ``pip install 'fairdeal[explore]'``.

    Args:
        game, players, seed, jobs: as in ``play``.
        strategy: plays every seat at first; by default as in ``levers``.
        variant: a file with the base rules of the page.
        settings: rules that are changed at first, e.g. ``["life=4"]``.
        port: port of the page; if it is taken, a free one.
        browser: open the page in a browser.
        out: directory for what was tried; a new one by default.
    """
    import sim.games
    from experiments.execution.output_paths import output_directory
    from experiments.explore.controls import text_of
    from experiments.explore.explorer import Explorer
    from experiments.explore.page_state import PageState
    from experiments.explore.page_workers import PageWorkers
    from experiments.explore.server import serve
    from experiments.studies.lineups import base_players
    from experiments.variants.variant_files import load_variant, locate_variant
    from experiments.variants.variants import parse_setting, resolve_variant
    from sim import places
    from strategies.specs import split_lineup

    known = sim.games.load(game if isinstance(game, str) else game.id)
    path = None if variant is None else locate_variant(str(variant), places.named(""))
    below = None if path is None else load_variant(known, path)
    changed = {key: text_of(value) for key, value in map(parse_setting, settings)}
    base, drawn = resolve_variant(known, below).rules, coerce_seed(seed)
    seats = tuple(split_lineup(strategy or base_players(known.id)))
    start = PageState(coerce_players(known.id, players), seats, settings=changed)
    with output_directory(absolute_path(out), known.id, "explore") as folder:
        where = folder, PageWorkers(jobs)
        explorer = Explorer(known, base, below, start, drawn, *where)
        serve(explorer, port, browser=browser)

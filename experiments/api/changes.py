"""Other rules: what each change does, which one meets a target, and a page to try."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.execution.run import Progress
from experiments.given import Named, Ruled, path_of, players_of, rule_set, seed_of
from strategies.base import Strategy

if TYPE_CHECKING:
    from experiments.analysis.find import Found
    from experiments.analysis.levers import Levers


def levers(
    rules: Ruled,
    strategy: str | Strategy | None = None,
    *,
    players: int | None = None,
    only: Sequence[str] = (),
    fine: bool = False,
    games: int | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Levers":
    """Say what one step of every rule does to the scorecard, on the same deals.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        strategy: who plays in all seats; the strategy that leads reports by default.
        only: keys of rules, as "life" or "squares.blue", to which it is limited.
        fine: also choices, lists and ranges in rows of tables.
        games: by each rule set; half as many as a report plays of a lineup by default.

    >>> found = levers("kunitame", only=["life"], games=64, seed=1, jobs=1)
    >>> found.ranked("length")["label"].to_list()
    ['life 3 -> 2', 'life 3 -> 4']
    >>> found  # doctest: +ELLIPSIS
    kunitame, 4 players: 2 changes, 64 games each
    gap of positions: moved most by life 3 -> ...
    lines: positions, ...: see .rows, .ranked(line), .plot(line)
    """
    from experiments.analysis.levers import levers as found
    from experiments.analysis.sides import leading

    of = rule_set(rules)
    return found(
        of.game,
        strategy or leading(of.game),
        rules=of.values,
        players=players_of(of.game, players),
        only=only,
        fine=fine,
        games=games,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        progress=progress,
    )


def find(
    rules: Ruled,
    targets: Sequence[str],
    *,
    vary: Sequence[str] = (),
    strategy: str | Strategy | None = None,
    players: int | None = None,
    games: int = 16_384,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Found":
    """Find the fewest and smallest rule changes that surely meet targets.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        targets: lines of the scorecard with their bounds, as "positions <= 2pp".
        vary: rules with their values, as "life=1..8", or alone: one step of each;
            one step of every rule if none.
        strategy: who plays in all seats; the strategy that leads reports by default.
        games: fresh deals on which the last changes are held to the targets.

    >>> found = find(
    ...     "kunitame", ["length <= 14"], vary=["weeks=3"], games=1_024, seed=1, jobs=1
    ... )
    >>> found
    kunitame, 4 players: wanted length <= 14
    met by: weeks 4 -> 3
    1 changes tried: see .met, .answers
    """
    from experiments.analysis.find import find as search
    from experiments.analysis.sides import leading

    of = rule_set(rules)
    return search(
        of.game,
        targets,
        vary=vary,
        strategy=strategy or leading(of.game),
        rules=of.values,
        players=players_of(of.game, players),
        games=games,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        progress=progress,
    )


def explore(
    game: Named | str,
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
    """Serve a page on which rules are moved, on this machine, until Ctrl-C.

    Needs starlette and uvicorn: ``pip install 'fairdeal[explore]'``.

    Args:
        game, players, seed, jobs: as of ``play``.
        strategy: who plays in all seats at first; by default who leads reports.
        variant: a file with the rules that the base rests on.
        settings: what is changed at first, as ``["life=4"]``.
        port: where the page is; a free one where this is taken.
        browser: whether to open the page.
        out: where what was tried is kept; a new directory by default.
    """
    from experiments.analysis.sides import leading
    from experiments.execution.output import directory
    from experiments.explore.controls import text_of
    from experiments.explore.explorer import Explorer
    from experiments.explore.server import serve
    from experiments.explore.state import State
    from experiments.explore.workers import Workers
    from experiments.variants.variant_files import load, locate
    from experiments.variants.variants import parse, resolve_variant
    from sim import games as registry
    from strategies import places
    from strategies.specs import split_lineup

    known = registry.load(game if isinstance(game, str) else game.id)
    path = None if variant is None else locate(str(variant), places.named(""))
    below = None if path is None else load(known, path)
    changed = {key: text_of(value) for key, value in map(parse, settings)}
    seats = tuple(split_lineup(strategy or leading(known.id)))
    start = State(players_of(known.id, players), seats, settings=changed)
    base, drawn = resolve_variant(known, below).rules, seed_of(seed)
    with directory(path_of(out), known.id, "explore") as folder:
        where = folder, Workers(jobs)
        explorer = Explorer(known, base, below, start, drawn, *where)
        serve(explorer, port, browser=browser)

"""The Python door: simulate in a notebook or a script.

from experiments.api import simulate
result = simulate("kunitame", players=4, games=100_000, lineup="balanced")
result.to_polars()
"""

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.cells import Cell
from experiments.results import Results
from experiments.run import Progress, Stop, run
from sim import games as registry
from sim.knobs import Rules
from strategies.base import Strategy
from strategies.registry import seated


def simulate(  # noqa: PLR0913 - the options of a run, all but one by name
    game: str,
    *,
    players: int = 4,
    games: int = 16_384,
    lineup: str | Sequence[str | Strategy] = "random",
    rules: Rules | Mapping[str, Any] | None = None,
    rotate: bool = False,
    seed: int | None = None,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    stop: Stop | None = None,
    tables: Sequence[str] = (),
    out: str | Path | None = None,
    detailed: bool = False,
    progress: Progress | None = None,
) -> Results:
    """Play games and sum them up.

    ``lineup`` is a text as on the command line ("balanced,greedy,random,random";
    one name fills all seats) or a strategy or spec for each seat. ``rules`` are
    changes to the base rules, such as {"life": 4}. ``stop`` ends it before ``games``,
    ``backend`` "dask" plays on the cluster of a ``scheduler``: see ``run``. Without a
    ``seed`` one is drawn and told in ``result.manifest``. Raises ``RuleError``,
    ``UnknownGame``, ``UnknownStrategy`` or ``UsageError`` before anything is simulated.
    """
    known = registry.load(game)
    if not isinstance(rules, Rules):
        rules = known.rules.of(rules)
    seats = seated(game, lineup, players) if isinstance(lineup, str) else tuple(lineup)
    drawn = secrets.randbits(32) if seed is None else seed
    cell = Cell(game, rules, players, seats, rotate, drawn)
    return run(
        [cell],
        games,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        stop=stop,
        detailed=detailed,
        tables=tables,
        out=None if out is None else Path(out),
        progress=progress,
    )

"""Playing a lineup many times, and telling single games."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiments.core.cells import unpaired
from experiments.execution.results import Results
from experiments.execution.run import Progress, Stop, run
from experiments.given import GAMES, Lineup, Ruled, cell_of, path_of
from experiments.rule_set import RuleSet


def play(
    rules: Ruled,
    *,
    lineup: Lineup = "random",
    players: int | None = None,
    games: int = GAMES,
    rotate: bool = True,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    tables: Sequence[str] = (),
    detailed: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Results:
    """Play one lineup many times, and sum up who won and what came of it.

    Args:
        rules: a rule set, a game, or its id (its base rules).
        lineup: who plays, as ``Lineup`` says.
        players: how many sit at the table; 4, or the first number that can play.
        games: how many games in all.
        rotate: move the lineup on by a seat from game to game.
        seed: of all chance, 0 to 2**64 - 1; drawn where not given.
        jobs: processes; -1 for all cores. Results are the same for any number.
        backend: "loky" plays on this machine, "dask" on a cluster.
        scheduler: the cluster's address, as "tcp://host:8786".
        out: a directory for the results; none are kept where not given.
        tables: raw tables to keep there, by name.
        detailed: take every measure of the game's report too, not only its end.
        progress: called with games done and games in all.
        stop: ends it before ``games``, when the first games say enough.

    Raises ``UnknownGame``, ``UnknownStrategy``, ``RuleError`` or ``UsageError`` before
    anything is played, and ``StrategyFailed`` when a strategy fails.

    >>> play("kunitame", lineup="greedy", games=500, seed=1, jobs=1).played
    (500,)
    """
    cell = cell_of(rules, lineup, players, rotate, seed)
    return run(
        [cell],
        games,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        tables=tables,
        detailed=detailed,
        progress=progress,
        stop=stop,
    )


@dataclass(frozen=True)
class Trace:
    """Games: ``events`` as transcripts have them, and told to people.

    ``reason`` says why this game, where one was looked for.
    """

    events: list[dict[str, Any]]
    told: str
    reason: str = ""

    def __repr__(self) -> str:
        """The games as they are told to a person."""
        return "\n\n".join(filter(None, (self.reason, self.told)))


def trace(
    rules: Ruled | Results,
    *,
    number: int = 0,
    games: int = 1,
    find: str | None = None,
    among: int = 1_024,
    against: RuleSet | str | None = None,
    verbose: bool = False,
    log: bool = False,
    seed: int | None = None,
    lineup: Lineup = "random",
    players: int | None = None,
    rotate: bool = True,
) -> Trace:
    """Tell games as stories, look for one worth watching, or tell one under two rules.

    Args:
        rules: as of ``play``; or results, whose first lineup is told.
        number: which game of the run, from 0.
        games: so many, from this one on.
        find: "closest", "lopsided", "comeback", "typical", "longest" or "upset".
        among: so many games are looked through.
        against: another rule set, or a side as ``fairdeal compare`` takes them.
        verbose: every choice, with its options and the hand.
        log: every event on a line, instead of a story.
        seed, lineup, players, rotate: as of ``play``; the same game as there.

    >>> trace("kunitame", number=7, seed=1).events[0]["type"]
    'setup'
    >>> "margin of 0" in trace("kunitame", find="closest", among=32, seed=1).reason
    True
    """
    from experiments.analysis.told import told
    from experiments.core import traces

    if isinstance(rules, Results):
        cell = unpaired(rules.cells, "trace")[0]
    else:
        cell = cell_of(rules, lineup, players, rotate, seed)
    tale = told(
        cell,
        traces.numbers(number, games),
        kind=find,
        among=among,
        against=replace(cell, rules=against.values)
        if isinstance(against, RuleSet)
        else against,
        verbose=verbose,
        log=log,
    )
    events = [dict(event) for event in traces.events(cell, tale.numbers)]
    text = "\n".join(str(line) for line in tale.texts)
    return Trace(events, text, tale.found.reason if tale.found else "")

"""Playing a lineup many times, and telling single games."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.core.cells import Cell, unpaired
from experiments.execution.results import Results
from experiments.execution.run import Progress, Stop
from experiments.given import GAMES, Lineup, Ruled, cell_of, path_of
from experiments.rule_set import RuleSet

if TYPE_CHECKING:
    from experiments.analysis.told import Told
    from experiments.studies.plans import Plan
    from experiments.studies.play import StudyResult


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
    from experiments.studies import plans

    cell = cell_of(rules, lineup, players, rotate, seed)
    return study(
        plans.of_cells([cell], games, detailed=detailed, tables=tuple(tables)),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=out,
        progress=progress,
        stop=stop,
        fail_fast=True,
    ).results


def study(
    what: "str | Path | Plan",
    *,
    games: int | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    fail_fast: bool = False,
    progress: Progress | None = None,
    stop: Any = None,
    block: int | None = None,
) -> "StudyResult":
    """Play a study: variants, lineups and designs of a file, on the same deals.

    Args:
        what: the study's file; or its plan, as ``experiments.studies.plans`` makes it.
        games: of each cell, in place of what the file says.
        seed: of all chance, in place of what the file says.
        jobs, backend, scheduler, out, progress: as of ``play``.
        fail_fast: stop everything when one cell fails; else its ``failures`` tell.
        stop: ends cells, in place of the precision that the file wants.
        block: games between two looks of ``stop``.

    Raises what ``play`` raises, before anything is played; ``RunFailed`` during it.

    >>> done = study("lives.toml", seed=1)  # doctest: +SKIP
    >>> done.results["won by position"]  # doctest: +SKIP
    """
    from experiments.studies import play as studies
    from experiments.studies.overrides import planned

    return studies.run(
        planned(Path(what), games=games, seed=seed)
        if isinstance(what, str | Path)
        else what,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path_of(out),
        progress=progress,
        fail_fast=fail_fast,
        stop=stop,
        block=block,
    )


@dataclass(frozen=True)
class Trace:
    """Games: ``events`` as transcripts have them, and told to people.

    ``reason`` says why this game, where one was looked for.
    """

    tale: "Told"

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """What happened, an event of the transcript each."""
        from experiments.analysis import told

        return [dict(event) for event in told.events(*self._games)]

    @cached_property
    def told(self) -> str:
        """The games as they are told to a person."""
        return "\n".join(str(line) for line in self.tale.texts)

    @property
    def reason(self) -> str:
        """Why this game."""
        return self.tale.found.reason if self.tale.found else ""

    def lines(self) -> Iterator[str]:
        """The events, one JSON object a line; a game at a time."""
        from experiments.analysis import told

        return told.lines(*self._games)

    @property
    def _games(self) -> "tuple[Cell, range]":
        return self.tale.cell, self.tale.numbers

    def __repr__(self) -> str:
        """The games as they are told to a person."""
        return "\n\n".join(filter(None, (self.reason, self.told)))


def trace(
    rules: Ruled | Results | Cell,
    *,
    number: int = 0,
    games: int = 1,
    find: str | None = None,
    among: int = 1_024,
    against: RuleSet | str | None = None,
    variant: Path | None = None,
    settings: Sequence[str] | None = None,
    verbose: bool = False,
    log: bool = False,
    seed: int | None = None,
    lineup: Lineup = "random",
    players: int | None = None,
    rotate: bool = True,
) -> Trace:
    """Tell games as stories, look for one worth watching, or tell one under two rules.

    Args:
        rules: as of ``play``; or results, whose first lineup is told, or one of
            their cells.
        number: which game of the run, from 0.
        games: so many, from this one on.
        find: "closest", "lopsided", "comeback", "typical", "longest" or "upset".
        among: so many games are looked through.
        against: another rule set, or a side as ``fairdeal compare`` takes them.
        variant, settings: on which such a side rests; the rules of the game, if none.
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
    elif isinstance(rules, Cell):
        cell = rules
    else:
        cell = cell_of(rules, lineup, players, rotate, seed)
    return Trace(
        told(
            cell,
            traces.numbers(number, games),
            kind=find,
            among=among,
            against=replace(cell, rules=against.values)
            if isinstance(against, RuleSet)
            else against,
            variant=variant,
            settings=settings,
            verbose=verbose,
            log=log,
        )
    )

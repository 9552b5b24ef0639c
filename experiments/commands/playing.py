"""What ``run`` does once it is known what to play: play, tell, and keep what was found.

A run of one lineup and a study are both a plan; they differ in what is printed, and in
how a stopped one is gone on with.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import typer

from experiments.cells import Cell, UsageError
from experiments.commands import (
    asked,
    interrupted,
    progress,
    show,
    show_found,
    show_run,
    show_study,
)
from experiments.commands.asked import Asked
from experiments.results import Results
from experiments.running.failed import RunFailed
from experiments.studying import directories, plans, studies
from experiments.studying.calibration import estimate
from experiments.studying.plans import Plan, measures_of
from experiments.studying.recorded import Once
from experiments.studying.short_forms import precision
from experiments.studying.study import MOST
from experiments.variations.differences import sentences
from sim.knobs import nearest, one_of

GAMES = 100_000
"""Games of one lineup unless said otherwise."""


@dataclass(frozen=True)
class How:
    """How a plan is played, and whether what is found is printed as JSON."""

    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None
    fail_fast: bool = False
    json: bool = False

    def options(self) -> Mapping[str, Any]:
        """What ``studies.run`` and ``directories.resume`` take."""
        return {key: value for key, value in asdict(self).items() if key != "json"}


def planned(
    said: Asked,
    cells: Sequence[Cell],
    games: int | None,
    wanted: str,
    measures: Sequence[str],
    tables: tuple[str, ...],
) -> Plan:
    """The plan of one lineup, with each number of players; raises ``UsageError``."""
    width = precision(wanted) if wanted else None
    most = (MOST if width else GAMES) if games is None else games
    about = {
        "differences": sentences(said.game.rules(), said.rules),
        "provenance": dict(said.provenance),
    }
    return plans.of_cells(
        cells,
        most,
        precision=width,
        measures=tuple(measures),
        detailed=_of_report(cells[0], measures),
        tables=tables,
        where=" ".join(["fairdeal", *sys.argv[1:]]),
        variant=said.variant,
        variants={said.variant or "base": about},
    )


def estimated(plan: Plan, how: How) -> None:
    """Tell what a run would take; nothing is written."""
    found = estimate(plan, how.jobs)
    if how.json:
        show.as_json(asdict(found))
    else:
        show_study.estimated(plan, found)


def game(
    said: Asked, plan: Plan, measures: Sequence[str], out: Path | None, how: How
) -> None:
    """Play one lineup, and tell who won; ``measures`` are told beside that."""
    folder = asked.directory(out, said.game.id, "run")
    words = interrupted.words(folder, said.seed)
    remember = partial(directories.remember, folder, words)
    options = {**how.options(), "fail_fast": how.fail_fast or len(plan.cells) == 1}
    with interrupted.resumable(folder, said.seed), progress.watch("run") as shown:
        done = studies.run(plan, out=folder, progress=Once(shown, remember), **options)
    refuse_nothing(done.results)
    rotate = plan.cells[0].rotate
    summary = show_run.as_dict(said, done.results, rotate)
    if measures:
        summary["measures"] = show_study.as_dict(done)["measures"]
    asked.write(folder / "summary.json", show.to_json(summary))
    if how.json:
        print(show.to_json(summary))
    else:
        show_run.as_tables(said, done.results, rotate)
        for name in measures:
            show.line()
            show_found.found(done, name)
    end(done.results)


def study(plan: Plan, name: str, out: Path | None, how: How) -> None:
    """Play a study, write what was found beside the results, and tell it."""
    folder = asked.directory(out, plan.game, name)
    again = f"fairdeal runs resume {folder}"
    with interrupted.resumable(folder, plan.seed, again):
        with progress.watch(name) as shown:
            done = studies.run(plan, out=folder, progress=shown, **how.options())
        refuse_nothing(done.results)
        show_study.save(done, folder)
    told(done, how)


def told(done: studies.Done, how: How) -> None:
    """Tell a study that was played; leave with 1 if cells failed."""
    if how.json:
        show.as_json(show_study.as_dict(done))
    else:
        show_study.as_tables(done)
    end(done.results)


def refuse_nothing(results: Results) -> None:
    """Fail where no cell could be played; raises ``RunFailed``."""
    if not any(results.played):
        failures = list(results.failures.values())
        raise RunFailed(interrupted.failed(failures, len(results.cells)))


def end(results: Results) -> None:
    """Say which cells failed, and leave with 1 if any did."""
    if results.failures:
        failures = list(results.failures.values())
        words = interrupted.failed(failures, len(results.cells))
        print(f"error: {words}", file=sys.stderr)
        raise typer.Exit(1)


def _of_report(cell: Cell, names: Sequence[str]) -> bool:
    """Whether these measures need the game's report; raises ``UsageError``."""
    found = measures_of(cell, detailed=True) if names else {}
    for name in names:
        if name not in found:
            raise UsageError(
                f"--measure: no measure {name!r}{nearest(name, found)} "
                f"Measures: {one_of(found)}."
            )
    return any(found[name].report for name in names)

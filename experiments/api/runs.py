"""Saved runs (``runs`` of the door): list, show, compare and resume them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.execution.run import Progress
from experiments.execution.user_paths import FOLDER
from experiments.studies import run_catalog
from experiments.studies.run_catalog import RunEntry
from experiments.studies.strategy_file_trust import Agree, refuse_all

if TYPE_CHECKING:
    from experiments.analysis.run_diff import RunDifference
    from experiments.studies.run_study import StudyResult


def list(folder: str | Path = FOLDER) -> Sequence[RunEntry]:  # noqa: A001 - as the command
    """List runs, newest first: finished, running, stopped, damaged.

    >>> list("nowhere")
    []
    """
    return run_catalog.list_runs(Path(folder))


def show(name: str | Path) -> RunEntry:
    """Return the state of a run, by its directory or its name in ``results/``.

    A run that another fairdeal kept in another format has the state "outdated", or
    "newer", and ``earlier`` is what it found. Raises ``UsageError`` if there is no such
    run, or it cannot be read.

    >>> show("lives").about  # doctest: +SKIP
    'Does a life gem matter?'
    """
    path = run_catalog.find_run(str(name))
    run = run_catalog.run_at(path)
    return run if run.earlier else run_catalog.readable_run(path)


def diff(one: str | Path, other: str | Path) -> "RunDifference":
    """Return how two runs differ: versions, rules, lineups, results.

    Numbers that differ have 95 % intervals, which are paired if both runs played the
    same deals (one seed); nothing is played again.

    >>> diff("lives", "other").same  # doctest: +SKIP
    False
    """
    from experiments.analysis import run_diff

    return run_diff.diff_runs(*(run_catalog.find_run(str(run)) for run in (one, other)))


def resume(
    name: str | Path,
    *,
    jobs: int = -1,
    backend: str | None = None,
    scheduler: str | None = None,
    fail_fast: bool = False,
    trust: bool | Agree = False,
    progress: Progress | None = None,
) -> "StudyResult":
    """Resume a study that was stopped; finished blocks are kept.

    Args:
        name: its directory, or its name in ``results/``.
        jobs, scheduler, progress: as in ``play``.
        backend: as in ``play``; loky by default.
        fail_fast: stop at the first cell that fails.
        trust: run strategy files of the run even if they have changed since it started;
            or a function that is asked about each in a sentence.

    To resume a run of another function, call that again with the same ``out``. Raises
    ``UsageError`` if there is no such run, and ``RunFailed``.

    >>> resume("lives", jobs=1).results.played  # doctest: +SKIP
    (2000, 2000)
    """
    agree = trust if callable(trust) else (lambda _: True) if trust else refuse_all
    return run_catalog.resume_study(
        run_catalog.find_run(str(name)),
        agree=agree,
        jobs=jobs,
        backend=backend or "loky",
        scheduler=scheduler,
        fail_fast=fail_fast,
        progress=progress,
    )

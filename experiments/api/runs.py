"""What lies in ``results/``: ``fd.runs.list``, ``show``, ``diff`` and ``resume``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.execution.paths import FOLDER
from experiments.execution.run import Progress
from experiments.studies import directories
from experiments.studies.directories import Run
from experiments.studies.trust import Agree, nobody

if TYPE_CHECKING:
    from experiments.analysis.run_diff import Difference
    from experiments.studies.play import StudyResult


def list(folder: str | Path = FOLDER) -> Sequence[Run]:  # noqa: A001 - as the command
    """Runs, the newest first: finished, unfinished, running or damaged.

    >>> list("nowhere")
    []
    """
    return directories.listing(Path(folder))


def show(name: str | Path) -> Run:
    """A run by its directory, or its name in ``results/``: how it stands, what it is.

    Raises ``UsageError`` where there is none, or it cannot be read.

    >>> show("lives").about  # doctest: +SKIP
    'Does a life gem matter?'
    """
    return directories.sound(directories.named(str(name)))


def diff(one: str | Path, other: str | Path) -> "Difference":
    """How two runs differ: versions, rules, lineups, and what was found.

    >>> diff("lives", "other").same  # doctest: +SKIP
    False
    """
    from experiments.analysis import run_diff

    return run_diff.diff(*(directories.named(str(run)) for run in (one, other)))


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
    """Go on with a study that was stopped; finished blocks are not played again.

    Args:
        name: its directory, or its name in ``results/``.
        jobs, scheduler, progress: as of ``play``.
        backend: as of ``play``, loky where not given.
        fail_fast: stop at the first cell that fails.
        trust: run the strategies' files that the run names, though they are not those
            it was started with; or who is asked about each in a sentence.

    Runs of other commands are gone on with by giving the function again with its
    ``out``. Raises ``UsageError`` where there is no such run, ``RunFailed``.

    >>> resume("lives", jobs=1).results.played  # doctest: +SKIP
    (2000, 2000)
    """
    agree = trust if callable(trust) else (lambda _: True) if trust else nobody
    return directories.resume(
        directories.named(str(name)),
        agree=agree,
        jobs=jobs,
        backend=backend or "loky",
        scheduler=scheduler,
        fail_fast=fail_fast,
        progress=progress,
    )

"""Run studies: all cells of a plan in one run.

    done = run_study(plan(load(Path("lives.toml"))), out=Path("results/lives"))
    sweep_table(done, "won by position")

Every cell is played on the same deals. A cell that fails does not stop the others
unless ``fail_fast``.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from experiments.core.blocks import DETAILED
from experiments.core.cells import UsageError
from experiments.core.measures import measures_of
from experiments.execution import run
from experiments.execution.results import Results
from experiments.studies import plan_files
from experiments.studies.plan_files import FirstCallProgress, Progress
from experiments.studies.plans import Plan, plan
from experiments.studies.study import Study
from reports.measures import Measure
from reports.statistics.sequential import PrecisionStop

__all__ = ["Plan", "Progress", "StudyResult", "plan", "run_study", "stopping_rule"]


@dataclass(frozen=True)
class StudyResult:
    """A study that was played: its plan and results."""

    plan: Plan
    results: Results

    def __repr__(self) -> str:
        """Return the question, and what was played."""
        return "\n".join(filter(None, [self.plan.question, repr(self.results)]))

    def measure(self, name: str) -> Measure:
        """Return the declaration of a measure; raises ``KeyError``."""
        return measures_of(self.plan.cells[0].game, self.plan.detailed)[name]


def run_study(  # noqa: PLR0913 - the options of a run, all but one by name
    what: Study | Plan,
    *,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
    fail_fast: bool = False,
    seed: int | None = None,
    stop: Any = None,
    block: int | None = None,
) -> StudyResult:
    """Play a study; repeated with the same ``out``, it resumes where it stopped.

    The expanded study is written to ``out`` before the first game. ``stop`` replaces
    the study's precision; ``block`` is the number of games in a block. Raises
    ``UsageError``, ``RuleError`` or ``UnknownStrategy`` before the run, ``RunFailed``
    during it; cells that fail are in ``results.failures`` unless ``fail_fast``.
    """
    planned = plan(what, seed) if isinstance(what, Study) else what
    if out is not None:
        progress = FirstCallProgress(
            progress, partial(plan_files.write_plan, out, planned)
        )
    results = run.run(
        planned.cells,
        planned.games,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        detailed=planned.detailed,
        tables=planned.tables,
        out=out,
        progress=progress,
        stop=stop or stopping_rule(planned),
        block=block,
        fail_fast=fail_fast,
    )
    return StudyResult(planned, results)


def stopping_rule(planned: Plan) -> PrecisionStop | None:
    """Return the rule that stops a cell once its first measure is precise."""
    wanted = planned.precision
    if wanted is None:
        return None
    measure = measures_of(planned.cells[0].game, planned.detailed)[planned.measures[0]]
    if wanted.text.endswith("pp") and not measure.share:
        raise UsageError(
            f"precision: {wanted.text} is for shares, and {measure.name!r} is not one. "
            "Give a number in the unit of the measure."
        )
    return PrecisionStop(
        measure.name, wanted.half_width, kind=measure.kind, first=DETAILED
    )

"""Running studies: all cells of a plan in one run, with what they stand for beside.

    done = run(load(Path("lives.toml")), jobs=-1, out=Path("results/lives"))
    sweeps.table(done, "won by seat")

Every cell is played on the same deals. A cell that fails does not stop the others,
unless that is asked for (``fail_fast``).
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from experiments import run as running
from experiments.blocks import DETAILED
from experiments.cells import UsageError
from experiments.results import Results
from experiments.studying import recorded
from experiments.studying.plans import Plan, measures_of, plan
from experiments.studying.recorded import Once, Progress
from experiments.studying.study import Study
from experiments.weighing.measured import Known
from reports.sequential import Stop

__all__ = ["Done", "Plan", "Progress", "plan", "run", "stop_of"]


@dataclass(frozen=True)
class Done:
    """A study that was played: its cells, and what was found."""

    plan: Plan
    results: Results

    def measure(self, name: str) -> Known:
        """What a measure is: groups and kind; raises ``KeyError``."""
        return measures_of(self.plan.cells[0], self.plan.detailed)[name]


def run(
    what: Study | Plan,
    *,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
    fail_fast: bool = False,
    seed: int | None = None,
) -> Done:
    """Play a study; the same run again in ``out`` goes on where it was stopped.

    The expanded study is written to ``out`` before the first game. Raises
    ``UsageError``, ``RuleError`` or ``UnknownStrategy`` before, ``RunFailed`` during
    the run; cells that fail are in ``results.failures`` unless ``fail_fast``.
    """
    planned = plan(what, seed) if isinstance(what, Study) else what
    if out is not None:
        progress = Once(progress, partial(recorded.write, out, planned))
    results = running.run(
        planned.cells,
        planned.games,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        detailed=planned.detailed,
        tables=planned.tables,
        out=out,
        progress=progress,
        stop=stop_of(planned),
        fail_fast=fail_fast,
    )
    return Done(planned, results)


def stop_of(planned: Plan) -> Stop | None:
    """When a cell is precise enough: all groups of the first measure."""
    wanted = planned.precision
    if wanted is None:
        return None
    found = measures_of(planned.cells[0], planned.detailed)
    measure = found[planned.measures[0]]
    if wanted.text.endswith("pp") and not measure.share:
        raise UsageError(
            f"precision: {wanted.text} is for shares, and {measure.name!r} is none. "
            "Give a number in the unit of the measure."
        )
    return Stop(measure.name, wanted.half_width, kind=measure.kind, first=DETAILED)

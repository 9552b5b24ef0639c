"""A study as a page: its answer, differences to its base, and what its targets allow.

    page = write(done, folder)         # a StudyResult; the path of its page

Every place of the study (a variant with a lineup, or a point of a design) plays the
deals of its base once more, to be held against it line by line of the scorecard, as
``compare`` and ``levers`` do. Places of one lineup and number of players are told of
together; of many (``MOST``) only what the study measured is told.
"""

from collections.abc import Sequence
from pathlib import Path

from experiments.analysis import written
from experiments.analysis.study_answers import of_group
from experiments.analysis.study_groups import Group, scored
from experiments.analysis.study_targets import measured, targets
from experiments.execution.run import Progress
from experiments.execution.version import VERSION
from experiments.studies.play import StudyResult
from reports.page import Report
from sim import games as registry

FOLDER = "report"
"""Of a study's directory, where its page is."""


def write(
    done: StudyResult, folder: Path, *, jobs: int = 1, progress: Progress | None = None
) -> Path:
    """Play what the page needs, and write page, tables and figures; the page's path.

    The page lies in ``folder / FOLDER``, with the games beside it.
    """
    here = folder / FOLDER
    groups = scored(done, here / "scores", jobs=jobs, progress=progress)
    here.mkdir(parents=True, exist_ok=True)
    return written.write(report(done, groups), here, jobs)


def report(done: StudyResult, groups: Sequence[Group]) -> Report:
    """The page."""
    plan = done.plan
    game = registry.load(plan.game)
    several = len(groups) > 1
    sections = [
        section
        for number, group in enumerate(groups, start=1)
        for section in of_group(done, group, f"-{number}" if several else "")
    ]
    sections = [*targets(done), *sections, *measured(done)]
    many = len(plan.design_points)
    return Report(
        title=plan.question or f"{game.title}: {Path(plan.where).stem}",
        subtitle=f"{game.title}, {many} places, {plan.games:,} games of each, "
        f"fairdeal {VERSION}, seed {plan.seed}",
        simulated=(
            ("game", game.title),
            ("places", f"{many} of {len(plan.variants)} variants"),
            ("games", f"{plan.games:,} of each, all on the same deals"),
            ("seed", str(plan.seed)),
        ),
        findings=tuple(f for section in sections for f in section.findings),
        sections=tuple(sections),
        differences=tuple(
            (name, words)
            for name, one in plan.variants.items()
            for words in one["differences"]
        ),
    )

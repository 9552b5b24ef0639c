"""The page of a study: its answer, differences from its base, and its targets.

    page = write(done, folder)         # a StudyResult; the path of its page

Every place of the study (a variant with a lineup, or a point of a design) replays the
deals of its base, to be compared with it in all lines of the scorecard, as ``compare``
and ``levers`` do. Places with the same lineup and number of players form a group; of
groups with too many places (``MOST``), only what the study measured is shown.
"""

from collections.abc import Sequence
from pathlib import Path

from experiments.analysis import page_files
from experiments.analysis.study_differences import group_differences
from experiments.analysis.study_groups import StudyGroup, score_groups
from experiments.analysis.study_targets import measure_tables, target_verdicts
from experiments.execution.run import Progress
from experiments.execution.version import VERSION
from experiments.studies.run_study import StudyResult
from reports.report_document import ReportDocument
from sim import games

FOLDER = "report"
"""The folder of the page in a study's directory."""


def write(
    done: StudyResult, folder: Path, *, jobs: int = 1, progress: Progress | None = None
) -> Path:
    """Play what the page needs; write page, tables and figures; return the path.

    The page is in ``folder / FOLDER``, with the games beside it.
    """
    here = folder / FOLDER
    groups = score_groups(done, here / "scores", jobs=jobs, progress=progress)
    here.mkdir(parents=True, exist_ok=True)
    return page_files.write_page(report(done, groups), here, jobs)


def report(done: StudyResult, groups: Sequence[StudyGroup]) -> ReportDocument:
    """Return the page."""
    plan = done.plan
    game = games.load(plan.game)
    several = len(groups) > 1
    sections = [
        section
        for number, group in enumerate(groups, start=1)
        for section in group_differences(done, group, f"-{number}" if several else "")
    ]
    sections = [*target_verdicts(done), *sections, *measure_tables(done)]
    places = len(plan.design_points)
    return ReportDocument(
        title=plan.question or f"{game.title}: {Path(plan.where).stem}",
        subtitle=f"{game.title}, {places} places, {plan.games:,} games of each, "
        f"fairdeal {VERSION}, seed {plan.seed}",
        simulated=(
            ("game", game.title),
            ("places", f"{places} of {len(plan.variants)} variants"),
            ("games", f"{plan.games:,} of each, {plan.games_words}"),
            *(("given", words) for words in plan.deals),
            ("seed", str(plan.seed)),
        ),
        findings=tuple(f for section in sections for f in section.findings),
        sections=tuple(sections),
        differences=tuple(
            (name, words)
            for name, variant in plan.variants.items()
            for words in variant["differences"]
        ),
    )

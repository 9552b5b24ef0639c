"""Print a finished run of another version as it was saved; nothing is played."""

from json import loads

from experiments.commands import output, show_runs, show_study
from experiments.execution.output_paths import MANIFEST
from experiments.studies import run_catalog
from experiments.studies.run_catalog import RunEntry

_OURS = {MANIFEST, run_catalog.COMMAND}


def show_finished_run(run: RunEntry, *, json: bool) -> None:
    """Print a study or a run in tables; of other commands, the files with results."""
    if (run.path / run_catalog.STUDY).exists():
        done = run_catalog.load_study(run.path)
        if json:
            output.as_json(show_study.as_dict(done))
            return
        show_study.as_tables(done)
        output.print_line()
        show_runs.as_lines(run)
    else:
        kept = [path for path in run.path.glob("*.json") if path.name not in _OURS]
        if json:
            found = [loads(path.read_text("utf-8")) for path in kept]
            output.as_json({**show_runs.as_dict(run), "found": found})
            return
        show_runs.as_lines(run)
        for path in sorted([*kept, *run.path.glob("*.html")]):
            output.print_line(f"found    {path}")
    output.print_line("It is finished and shown as saved; nothing is played again.")

"""Showing a finished run of other source: what was found then; nothing is played."""

from json import loads
from pathlib import Path
from typing import Any

from experiments.commands import show, show_runs, show_study
from experiments.execution.output import MANIFEST
from experiments.studies import directories
from experiments.studies.directories import Run

_OURS = {MANIFEST, directories.COMMAND}


def as_kept(run: Run, *, json: bool) -> None:
    """A study, or the games of a lineup, in tables; of others, which files tell it."""
    if (run.path / directories.STUDY).exists():
        done = directories.done(run.path)
        if json:
            show.as_json(show_study.as_dict(done))
            return
        show_study.as_tables(done)
        show.line()
        show_runs.as_lines(run)
    else:
        kept = [path for path in run.path.glob("*.json") if path.name not in _OURS]
        if json:
            show.as_json({**show_runs.as_dict(run), "found": list(map(_values, kept))})
            return
        show_runs.as_lines(run)
        for path in sorted([*kept, *run.path.glob("*.html")]):
            show.line(f"found    {path}")
    show.line("It is finished, and told as it is kept: nothing is played anew.")


def _values(path: Path) -> Any:
    """What a document says."""
    return loads(path.read_text("utf-8"))

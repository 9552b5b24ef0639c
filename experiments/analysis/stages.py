"""Multi-stage questions: several runs, each in a subfolder of one directory.

What is played next depends on earlier results. Each stage is a run that resumes where
it was stopped, and everything between the stages is a function of their results; so the
same call in the same directory gives the same answer.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution import disk, files, manifests, output
from experiments.execution.disk import write_errors
from experiments.execution.output import STAGES
from experiments.execution.run import Progress
from experiments.execution.sealed import seal
from experiments.execution.version import VERSION, here

Watch = Callable[[str], AbstractContextManager[Progress]]
"""Returns the progress of a stage, by its name."""


@contextmanager
def silent(_: str) -> Iterator[Progress]:
    """Show nothing."""
    yield lambda _done, _all: None


class Stages:
    """A progress of several stages: ``stage`` returns that of each, by its name."""

    def __init__(self, stage: Watch) -> None:
        self.stage = stage

    def __call__(self, done: int, total: int) -> None:
        """Ignore games done outside of stages."""


def watched(progress: Progress | None) -> Watch:
    """Return the progress per stage: that of ``Stages``, or the same for all."""
    if isinstance(progress, Stages):
        return progress.stage
    return silent if progress is None else lambda _: nullcontext(progress)


@contextmanager
def place(out: Path | None, asked: Mapping[str, Any]) -> Iterator[Path]:
    """Give the folder of these stages; a temporary one if ``out`` is None.

    ``asked`` are the arguments of the question. Raises ``UsageError`` for a folder of
    another question, which says where it differs.
    """
    if out is None:
        with tempfile.TemporaryDirectory(prefix="fairdeal-") as scratch:
            yield Path(scratch)
        return
    claim(out, asked)
    yield out.absolute()


def claim(out: Path, asked: Mapping[str, Any]) -> None:
    """Create the folder of these stages, or resume it; raises like ``place``."""
    out, asked = out.absolute(), {**asked, "source": manifests.source()}
    kept = output.held(out, STAGES)
    if kept is None:
        versions = {"fairdeal": VERSION, "commit": here().commit}
        with write_errors(out):
            out.mkdir(parents=True, exist_ok=True)
        disk.write(out / STAGES, seal("stages", asked | versions))
    else:
        wanted = _plain(asked)
        differ = [key for key in wanted if kept.get(key) != wanted[key]]
        if differ:
            raise UsageError(files.of_another_run(out, kept, differ))


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON reads them back."""
    import json

    plain: dict[str, Any] = json.loads(json.dumps(values))
    return plain

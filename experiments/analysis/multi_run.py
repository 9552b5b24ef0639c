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
from experiments.execution import atomic_files, manifests, output_paths, run_directory
from experiments.execution.checksummed_json import seal
from experiments.execution.output_paths import STAGES
from experiments.execution.run import Progress
from experiments.execution.version import VERSION, this_version

StageProgress = Callable[[str], AbstractContextManager[Progress]]
"""Returns the progress of a stage, by its name."""


@contextmanager
def silent(_: str) -> Iterator[Progress]:
    """Show nothing."""
    yield lambda _done, _all: None


class StagedProgress:
    """A progress of several stages: ``stage`` returns that of each, by its name."""

    def __init__(self, stage: StageProgress) -> None:
        self.stage = stage

    def __call__(self, done: int, total: int) -> None:
        """Ignore games done outside of stages."""


def stage_progress(progress: Progress | None) -> StageProgress:
    """Return the progress per stage: of ``StagedProgress``, or the same for all."""
    if isinstance(progress, StagedProgress):
        return progress.stage
    return silent if progress is None else lambda _: nullcontext(progress)


@contextmanager
def stage_folder(out: Path | None, asked: Mapping[str, Any]) -> Iterator[Path]:
    """Give the folder of these stages; a temporary one if ``out`` is None.

    ``asked`` are the arguments of the question. Raises ``UsageError`` for a folder of
    another question, which says where it differs, and for one to which another process
    is writing.
    """
    if out is None:
        with tempfile.TemporaryDirectory(prefix="fairdeal-") as scratch:
            yield Path(scratch)
        return
    claim_folder(out, asked)
    with run_directory.hold(out.absolute()):
        yield out.absolute()


def claim_folder(out: Path, asked: Mapping[str, Any]) -> None:
    """Create the folder of these stages, or resume it; raises like ``stage_folder``."""
    out, asked = out.absolute(), {**asked, "source": manifests.source_hash()}
    kept = output_paths.directory_marker(out, STAGES)
    if kept is None:
        versions = {"fairdeal": VERSION, "commit": this_version().commit}
        run_directory.make_directory(out)
        atomic_files.write_file(out / STAGES, seal("stages", asked | versions))
    else:
        wanted = _plain(asked)
        differ = [key for key in wanted if kept.get(key) != wanted[key]]
        if differ:
            raise UsageError(run_directory.other_run_words(out, kept, differ))


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON reads them back."""
    import json

    plain: dict[str, Any] = json.loads(json.dumps(values))
    return plain

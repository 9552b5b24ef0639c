"""Questions that are answered in stages: several runs, each in a folder of one place.

What is played next hangs on what was found before. Each stage is a run of its own,
which goes on where it was stopped, and everything between them is a function of their
results; so the whole, started again in the same place, finds the same.
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
"""What shows the progress of a stage, which has a name."""


@contextmanager
def silent(_: str) -> Iterator[Progress]:
    """Show nothing."""
    yield lambda _done, _all: None


class Stages:
    """A progress of several stages: ``stage`` gives that of each, by its name."""

    def __init__(self, stage: Watch) -> None:
        self.stage = stage

    def __call__(self, done: int, total: int) -> None:
        """Games done, and games in all, where no stage is named."""


def watched(progress: Progress | None) -> Watch:
    """What shows each stage: that of ``Stages``, or the same progress for all."""
    if isinstance(progress, Stages):
        return progress.stage
    return silent if progress is None else lambda _: nullcontext(progress)


@contextmanager
def place(out: Path | None, asked: Mapping[str, Any]) -> Iterator[Path]:
    """The folder of these stages, for a while where none is given.

    ``asked`` is what was asked for. A folder of anything else is refused as it is:
    raises ``UsageError``, which says in what it differs.
    """
    if out is None:
        with tempfile.TemporaryDirectory(prefix="fairdeal-") as scratch:
            yield Path(scratch)
        return
    claim(out, asked)
    yield out.absolute()


def claim(out: Path, asked: Mapping[str, Any]) -> None:
    """Make a folder that of these stages, or go on with it; as of ``place``."""
    out, asked = out.absolute(), {**asked, "source": manifests.source()}
    there = output.held(out, STAGES)
    if there is None:
        made = {"fairdeal": VERSION, "commit": here().commit}
        with write_errors(out):
            out.mkdir(parents=True, exist_ok=True)
        disk.write(out / STAGES, seal("stages", asked | made))
    else:
        wanted = _plain(asked)
        differ = [key for key in wanted if there.get(key) != wanted[key]]
        if differ:
            raise UsageError(files.of_another_run(out, there, differ))


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON gives it back."""
    import json

    plain: dict[str, Any] = json.loads(json.dumps(values))
    return plain

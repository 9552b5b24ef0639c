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
from experiments.execution import disk, files, manifests
from experiments.execution.disk import write_errors
from experiments.execution.run import Progress
from experiments.execution.sealed import Damaged, Outdated, seal, unseal
from experiments.execution.version import VERSION, here

Watch = Callable[[str], AbstractContextManager[Progress]]
"""What shows the progress of a stage, which has a name."""
ABOUT = "stages.json"


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
    asked = _plain({**asked, "source": manifests.source()})
    there = _asked(out)
    if there is None:
        made = {"fairdeal": VERSION, "commit": here().commit}
        with write_errors(out):
            out.mkdir(parents=True, exist_ok=True)
        disk.write(out / ABOUT, seal("stages", asked | made))
    else:
        differ = [key for key in asked if there.get(key) != asked[key]]
        if differ:
            raise UsageError(files.of_another_run(out, there, differ))
    yield out


def _asked(out: Path) -> dict[str, Any] | None:
    """What was asked for here before; None where nothing was."""
    try:
        return unseal(out / ABOUT, "stages")
    except FileNotFoundError:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise UsageError(
                f"out: {out} is not empty and holds no run of fairdeal of this kind. "
                "Name a new directory."
            ) from None
        return None
    except (Damaged, Outdated) as error:
        raise UsageError(f"{error} Name a new directory.") from None


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON gives it back."""
    import json

    plain: dict[str, Any] = json.loads(json.dumps(values))
    return plain

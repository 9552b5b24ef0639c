"""Run directories: what lies under ``results/``, what a run was, what was found.

``files.inspect`` says how a directory stands; the expanded study in it (``recorded``)
says what it is about; ``results.load`` what was found.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from experiments.cells import UsageError
from experiments.results import load as results
from experiments.running import files
from experiments.running.files import State
from experiments.studying import recorded, studies
from experiments.studying.plans import Plan
from experiments.studying.studies import Done, Progress
from sim import games as registry
from sim.knobs import RuleError, nearest

FOLDER = Path("results")
"""Where runs lie unless said otherwise."""
COMMAND = "command.json"
"""The command of a run that is no study, such as a report."""


@dataclass(frozen=True)
class Run:
    """A run directory: how it stands, and what it is about where that is known."""

    path: Path
    state: State
    plan: Plan | None = None

    @property
    def cells(self) -> int:
        """How many cells it has; 0 where it cannot be read."""
        return len(self.state.manifest.get("cells", ()))

    @property
    def game(self) -> str:
        """The games that are played, in words."""
        told = self.state.manifest.get("cells", ())
        return ", ".join(dict.fromkeys(cell["game"] for cell in told))

    @property
    def about(self) -> str:
        """The question, or what was played."""
        if self.plan is not None and self.plan.question:
            return self.plan.question
        labels = [one["label"] for one in self.state.manifest.get("names", ())]
        few = list(dict.fromkeys(labels))
        return "; ".join(few[:3]) + ("; ..." if len(few) > 3 else "")

    @property
    def command(self) -> tuple[str, ...]:
        """The words that started it, where it was no study file."""
        with suppress(UsageError):
            return tuple(remembered(self.path)[0])
        return ()

    @property
    def blocks(self) -> str:
        """Finished blocks of all, as far as it is known how many there are."""
        manifest = self.state.manifest
        if not manifest:
            return str(self.state.blocks)
        if self.state.status == "finished" or manifest.get("stop"):
            return f"{self.state.blocks}"
        each = -(-manifest["games"] // manifest["block"])
        return f"{self.state.blocks} of {each * self.cells}"


def listing(folder: Path = FOLDER) -> list[Run]:
    """The runs in a folder, the newest first; other things in it are left out."""
    if not folder.is_dir():
        return []
    found = [
        at(path)
        for path in folder.iterdir()
        if path.is_dir() and (path / "manifest.json").exists()
    ]
    return sorted(found, key=lambda run: (-_changed(run.path), run.path.name))


def at(path: Path) -> Run:
    """A run directory, whatever its state; raises ``UsageError`` where it is none."""
    if not path.is_dir():
        there = [run.name for run in path.parent.glob("*/")]
        raise UsageError(f"there is no directory {path}{nearest(path.name, there)}")
    state = files.inspect(path)
    if state.status == "foreign":
        raise UsageError(f"{path} holds no run of fairdeal.")
    plan = None
    with suppress(UsageError, RuleError, registry.UnknownGame):
        plan = recorded.read(path)
    return Run(path, state, plan)


def named(text: str, folder: Path = FOLDER) -> Path:
    """A run by its path, or by its name in ``results/``; raises ``UsageError``."""
    for place in (Path(text), folder / text):
        if place.is_dir():
            return place
    there = [run.path.name for run in listing(folder)]
    raise UsageError(f"there is no run {text!r}{nearest(text, there)}")


def done(path: Path) -> Done:
    """A study as it was played so far; raises ``UsageError``, ``RunFailed``."""
    return Done(recorded.read(path), results(path))


def resume(
    path: Path,
    *,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    progress: Progress | None = None,
    fail_fast: bool = False,
) -> Done:
    """Go on with a study where it was stopped, whatever became of its files.

    A finished one is read again, nothing is played.
    """
    run = sound(path)
    if run.state.status == "finished":
        return done(path)
    return studies.run(
        recorded.read(path),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=path,
        progress=progress,
        fail_fast=fail_fast,
    )


def remember(folder: Path, words: Sequence[str]) -> None:
    """Write down the command of a run that is no study, and where it was given."""
    told = {"command": list(words), "cwd": str(Path.cwd())}
    files.write(folder / COMMAND, json.dumps(told, indent=1).encode())


def remembered(path: Path) -> tuple[list[str], Path]:
    """The command of such a run; raises ``UsageError`` where it was not written."""
    try:
        told = json.loads((path / COMMAND).read_text("utf-8"))
        return list(told["command"]), Path(told["cwd"])
    except FileNotFoundError:
        raise UsageError(
            f"{path} does not say how it was started. Repeat its command with "
            f"--out {path} to go on with it."
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path / COMMAND} is damaged: {error}.") from None


def sound(path: Path) -> Run:
    """A run that can be read; raises ``UsageError`` for any other."""
    run = at(path)
    if run.state.status == "damaged":
        raise UsageError(f"{path}: its manifest.json is damaged; start a new run.")
    return run


def _changed(path: Path) -> float:
    return (path / "manifest.json").stat().st_mtime

"""Run directories: what lies under ``results/``, what a run was, what was found.

``status.inspect`` says how a directory stands; the expanded study in it (``recorded``)
says what it is about; ``results.load`` what was found. Nothing that a directory names
is loaded but by ``resume``, and that asks (``experiments.studies.trust``).
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.core.cells import UsageError
from experiments.execution.failures import RunFailed
from experiments.execution.paths import FOLDER, near, start
from experiments.execution.sealed import Damaged, seal, unseal
from experiments.execution.shape import manifest_of
from experiments.execution.status import State, inspect
from experiments.execution.version import VERSION, here
from experiments.studies.trust import Agree, nobody, trusting
from sim.parameters import nearest

if TYPE_CHECKING:
    from experiments.studies.play import StudyResult

STUDY = "study.json"
"""The expanded study (``experiments.studies.plan_files``)."""
COMMAND = "command.json"
"""The command of a run that is no study, such as a report."""
COMMANDS = (
    "run",
    "report",
    "compare",
    "knockout",
    "levers",
    "luck",
    "tournament",
)
"""Those that write it down."""


@dataclass(frozen=True)
class Run:
    """A run directory: how it stands, and what it is about where that is known."""

    path: Path
    state: State
    question: str | None = None  # of a study; empty where it asks none

    @property
    def cells(self) -> int:
        """How many cells it has; 0 where it cannot be read."""
        return len(self.state.manifest.get("cells", ()))

    @property
    def game(self) -> str:
        """The games that are played, in words."""
        values = self.state.manifest.get("cells", ())
        return ", ".join(dict.fromkeys(cell["game"] for cell in values))

    @property
    def about(self) -> str:
        """The question, or what was played."""
        if self.question:
            return self.question
        labels = [one["title"] for one in self.state.manifest.get("names", ())]
        few = list(dict.fromkeys(labels))
        return "; ".join(few[:3]) + ("; ..." if len(few) > 3 else "")

    @property
    def command(self) -> tuple[str, ...]:
        """The words that started it, where it was no study file."""
        with suppress(UsageError):
            return tuple(remembered(self.path)[0])
        return ()

    @property
    def elsewhere(self) -> bool:
        """Whether it was played by other source than that which is here."""
        from experiments.execution.manifests import source

        mine = {"fairdeal": VERSION, "source": source()}
        return any(self.state.manifest.get(key) != mine[key] for key in mine)

    def check_source(self) -> None:
        """Refuse to go on with what other source began; raises ``UsageError``."""
        if self.elsewhere:
            made = self.state.made
            raise UsageError(
                f"{self.path} was begun by {made}, and this is {here()}, of other "
                f"source, which may play other games. To go on with it: {made.how}."
            )

    @property
    def strategies(self) -> list[str]:
        """The Python files that it was played with."""
        return list(self.state.manifest.get("sources", ()))

    @property
    def blocks(self) -> str:
        """Finished blocks of all, as far as it is known how many there are."""
        manifest = self.state.manifest
        if not manifest:
            return str(self.state.blocks)
        if self.state.status == "finished" or manifest.get("stop"):
            return f"{self.state.blocks}"
        every = sum(-(-games // manifest["block"]) for games in manifest["wanted"])
        return f"{self.state.blocks} of {every}"


def listing(folder: Path = FOLDER) -> list[Run]:
    """The runs in a folder, the newest first; other things in it are left out."""
    try:
        paths = [Path(entry) for entry in os.scandir(folder)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}.") from None
    changed = {path: _changed(path / "manifest.json") for path in paths}
    there = [path for path in paths if changed[path]]
    return [at(path) for path in sorted(there, key=lambda p: (-changed[p], p.name))]


def at(path: Path) -> Run:
    """A run directory, whatever its state; raises ``UsageError`` where it is none."""
    if not path.is_dir():
        like = nearest(path.name, [run.name for run in path.parent.glob("*/")])
        raise UsageError(f"there is no directory {near(path)}{like}")
    state = inspect(path)
    if (path / "stages.json").exists():
        raise UsageError(
            f"{near(path)} holds a run in stages: each folder in it is one. Repeat its "
            f"command with --out {near(path)} to go on with it."
        )
    if state.status == "foreign":
        raise UsageError(f"{near(path)} holds no run of fairdeal.")
    return Run(path, state, _question(path))


def named(text: str, folder: Path = FOLDER) -> Path:
    """A run by its path, or by its name in ``results/``; raises ``UsageError``."""
    with suppress(OSError):  # of a name that is too long, say
        for place in (Path(text), folder / text):
            if place.is_dir():
                return place
    there = [run.path.name for run in listing(folder)]
    raise UsageError(f"there is no run {text!r}{nearest(text, there)}")


def done(path: Path) -> "StudyResult":
    """A study as it was played so far; raises ``UsageError``, ``RunFailed``."""
    from experiments.execution.results import load
    from experiments.studies import plan_files
    from experiments.studies.play import StudyResult

    return StudyResult(plan_files.read(path), load(path))


def resume(path: Path, *, agree: Agree = nobody, **how: Any) -> "StudyResult":
    """Go on with a study where it was stopped, whatever became of its files.

    A finished one is read again, nothing is played, unless what was found is damaged.
    ``agree`` is asked where a strategy's file is not the one that was played. ``how``
    goes to ``studies.run``: jobs, backend, scheduler, progress, fail_fast.
    """
    from experiments.execution import files
    from experiments.studies import plan_files, play

    run = sound(path)
    if run.state.status == "finished":
        with suppress(RunFailed), files.opened(path, run.state.manifest):
            return done(path)
    run.check_source()
    with trusting(path, run.state.manifest, agree):
        plan = plan_files.read(path, playable=True)
        return play.run(plan, out=path, **how)


def remember(folder: Path, argv: Sequence[str]) -> None:
    """Write down how a run that is no study was started, where it is not yet."""
    try:
        remembered(folder)
    except UsageError:
        from experiments.execution import disk

        values = {"command": list(argv), "cwd": str(start())}
        disk.write(folder / COMMAND, seal("command", values))


def remembered(path: Path) -> tuple[list[str], Path]:
    """The command of such a run; raises ``UsageError`` where it was not written."""
    try:
        values = unseal(path / COMMAND, "command")
    except FileNotFoundError:
        raise UsageError(
            f"{near(path)} does not say how it was started. Repeat its command with "
            f"--out {near(path)} to go on with it."
        ) from None
    argv, place = values.get("command"), values.get("cwd")
    if (
        isinstance(argv, list)
        and argv
        and all(isinstance(word, str) for word in argv)
        and argv[0] in COMMANDS
        and isinstance(place, str)
    ):
        return argv, Path(place)
    raise Damaged(f"{path / COMMAND} is damaged: it is no command that keeps a run.")


def sound(path: Path) -> Run:
    """A run that can be read; raises ``UsageError`` for any other."""
    run = at(path)
    if not run.state.manifest:
        manifest_of(path)  # raises what is wrong with it
    return run


def _question(path: Path) -> str | None:
    """The question of a study; None where there is no study, or no whole one."""
    try:
        return str(unseal(path / STUDY, "study").get("question", ""))
    except (FileNotFoundError, UsageError):
        return None


def _changed(about: Path) -> float:
    """When a file was written; 0 where there is none."""
    try:
        return about.stat().st_mtime
    except OSError:
        return 0.0

"""Run directories under ``results/``: list them, read them, resume them.

``run_status.inspect_run`` returns the state of a directory, ``plan_files.read_plan``
its expanded study, ``results.load`` its results. Only ``resume_study`` loads code that
a directory names, and it asks first (``experiments.studies.strategy_file_trust``).
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.core.cells import UsageError
from experiments.execution.checksummed_json import DamagedFile, seal, unseal
from experiments.execution.failures import RunFailed
from experiments.execution.manifest_schema import manifest_of_run
from experiments.execution.run_status import OTHER_FORMAT, RunStatus, inspect_run
from experiments.execution.user_paths import FOLDER, short_path, start_directory
from experiments.execution.version import VERSION, Version, this_version
from experiments.studies.earlier_runs import EarlierRun, earlier_run
from experiments.studies.strategy_file_trust import Agree, loading_trusted, refuse_all
from sim.parameters import nearest

if TYPE_CHECKING:
    from experiments.studies.run_study import StudyResult

STUDY = "study.json"
"""The expanded study (``experiments.studies.plan_files``)."""
COMMAND = "command.json"
"""The command of a run that is not a study, such as a report."""
COMMANDS = (
    "run",
    "report",
    "compare",
    "knockout",
    "what-if",
    "levers",
    "luck",
    "tournament",
)
"""Commands that write ``COMMAND``."""


@dataclass(frozen=True)
class RunEntry:
    """A run directory: its state, and its question if that is known."""

    path: Path
    state: RunStatus
    question: str | None = None  # of a study; empty if it has none

    @cached_property
    def earlier(self) -> EarlierRun | None:
        """What it found, if another fairdeal kept it in another format."""
        return earlier_run(self.path) if self.state.status in OTHER_FORMAT else None

    @property
    def cells(self) -> int:
        """The number of cells; 0 if the manifest cannot be read."""
        return len(self.state.manifest.get("cells", ()))

    @property
    def game(self) -> str:
        """The games that are played, by name."""
        if (earlier := self.earlier) is not None:
            return earlier.game
        values = self.state.manifest.get("cells", ())
        return ", ".join(dict.fromkeys(cell["game"] for cell in values))

    @property
    def about(self) -> str:
        """The question, or what was played."""
        if self.question:
            return self.question
        if (earlier := self.earlier) is not None:
            return "; ".join(earlier.lineups)
        titles = [names["title"] for names in self.state.manifest.get("names", ())]
        lineups = list(dict.fromkeys(titles))
        return "; ".join(lineups[:3]) + ("; ..." if len(lineups) > 3 else "")

    @property
    def command(self) -> tuple[str, ...]:
        """The words of its command, if it has no study file."""
        with suppress(UsageError):
            return tuple(remembered_command(self.path)[0])
        return ()

    @property
    def of_other_source(self) -> bool:
        """Whether it was played by another source of fairdeal."""
        from experiments.execution.manifests import source_hash

        mine = {"fairdeal": VERSION, "source": source_hash()}
        return any(self.state.manifest.get(key) != mine[key] for key in mine)

    def check_source(self) -> None:
        """Raise ``UsageError`` if another source began the run."""
        if self.state.status in OTHER_FORMAT:
            manifest_of_run(self.path)  # raises the error
        if self.of_other_source:
            made = self.state.made
            raise UsageError(
                f"{self.path} was begun by {made}, and this is {this_version()}, of "
                f"other source, which may play other games. To resume it: {made.how}."
            )

    @property
    def strategies(self) -> list[str]:
        """The Python files that it was played with."""
        return list(self.state.manifest.get("sources", ()))

    @property
    def blocks(self) -> str:
        """The number of finished blocks, of all if their number is known."""
        manifest = self.state.manifest
        if not manifest:
            return str(self.state.blocks)
        if self.state.status == "finished" or manifest.get("stop"):
            return f"{self.state.blocks}"
        total = sum(-(-games // manifest["block"]) for games in manifest["wanted"])
        return f"{self.state.blocks} of {total}"


def list_runs(folder: Path = FOLDER) -> list[RunEntry]:
    """Return the runs in a folder, the newest first; other files are left out."""
    try:
        paths = [Path(entry) for entry in os.scandir(folder)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}.") from None
    changed = {path: _modified(path / "manifest.json") for path in paths}
    runs = [path for path in paths if changed[path]]
    return [run_at(path) for path in sorted(runs, key=lambda p: (-changed[p], p.name))]


def run_at(path: Path) -> RunEntry:
    """Return a run directory in any state; raises ``UsageError`` if it is none."""
    if not path.is_dir():
        hint = nearest(path.name, [run.name for run in path.parent.glob("*/")])
        raise UsageError(f"there is no directory {short_path(path)}{hint}")
    state = inspect_run(path)
    if (path / "stages.json").exists():
        made = Version.of(unseal(path / "stages.json", "stages"))
        raise UsageError(
            f"{short_path(path)} holds a run in stages, begun by {made}. To resume it, "
            f"repeat its command in that version, with --out {short_path(path)}."
        )
    if state.status == "foreign":
        raise UsageError(f"{short_path(path)} holds no run of fairdeal.")
    return RunEntry(path, state, _question(path))


def find_run(text: str, folder: Path = FOLDER) -> Path:
    """Return a run by path, or by its name in ``results/``; raises ``UsageError``."""
    with suppress(OSError):  # of a name that is too long, for example
        for place in (Path(text), folder / text):
            if place.is_dir():
                return place
    names = [run.path.name for run in list_runs(folder)]
    raise UsageError(f"there is no run {text!r}{nearest(text, names)}")


def load_study(path: Path) -> "StudyResult":
    """Return a study as far as it was played; raises ``UsageError``, ``RunFailed``."""
    from experiments.execution.results import load
    from experiments.studies import plan_files
    from experiments.studies.run_study import StudyResult

    return StudyResult(plan_files.read_plan(path), load(path))


def resume_study(path: Path, *, agree: Agree = refuse_all, **how: Any) -> "StudyResult":
    """Resume a study where it was stopped, even if its own file has changed.

    A finished study is only read, unless its results are damaged. ``agree`` is asked if
    the file of a strategy or a game is not the one that was played. ``how`` are
    arguments of ``studies.run_study.run_study``: jobs, backend, scheduler, progress,
    fail_fast.
    """
    from experiments.execution import kept_policies, run_directory
    from experiments.studies import plan_files, run_study

    run = readable_run(path)
    if run.state.status == "finished":
        with (
            suppress(RunFailed),
            run_directory.open_directory(path, run.state.manifest),
            loading_trusted(path, run.state.manifest, agree),
        ):
            return load_study(path)
    run.check_source()
    with (
        kept_policies.played_with(path),
        loading_trusted(path, run.state.manifest, agree),
    ):
        plan = plan_files.read_plan(path, playable=True)
        return run_study.run_study(plan, out=path, **how)


def remember_command(folder: Path, argv: Sequence[str]) -> None:
    """Write the command of a run that is not a study, unless it is there already."""
    try:
        remembered_command(folder)
    except UsageError:
        from experiments.execution import atomic_files

        values = {"command": list(argv), "cwd": str(start_directory())}
        atomic_files.write_file(folder / COMMAND, seal("command", values))


def remembered_command(path: Path) -> tuple[list[str], Path]:
    """Return the command of a run, and its folder; raises ``UsageError`` for none."""
    try:
        values = unseal(path / COMMAND, "command")
    except FileNotFoundError:
        raise UsageError(
            f"{short_path(path)} does not say how it was started. Repeat its command "
            f"with --out {short_path(path)} (out= in Python) to resume it."
        ) from None
    argv, folder = values.get("command"), values.get("cwd")
    if (
        isinstance(argv, list)
        and argv
        and all(isinstance(word, str) for word in argv)
        and argv[0] in COMMANDS
        and isinstance(folder, str)
    ):
        return argv, Path(folder)
    raise DamagedFile(
        f"{path / COMMAND} is damaged: it names no command that keeps runs."
    )


def readable_run(path: Path) -> RunEntry:
    """Return a run that can be read; raises ``UsageError`` for any other."""
    run = run_at(path)
    if not run.state.manifest:
        manifest_of_run(path)  # raises the error
    return run


def _question(path: Path) -> str | None:
    """Return the question of a study; None if there is no study, or a damaged one."""
    try:
        return str(unseal(path / STUDY, "study").get("question", ""))
    except (FileNotFoundError, UsageError):
        return None


def _modified(about: Path) -> float:
    """Return the time at which a file was written; 0 if there is none."""
    try:
        return about.stat().st_mtime
    except OSError:
        return 0.0

"""Run directories: what lies under ``results/``, what a run was, how two differ.

``files.inspect`` says how a directory stands; the expanded study in it (``recorded``)
says what it is about; ``results.load`` what was found.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from experiments import files, recorded, studies
from experiments.cells import UsageError
from experiments.differences import sentences
from experiments.files import State
from experiments.plans import Plan
from experiments.results import load as results
from experiments.studies import Done, Progress
from reports.measures import SUMS
from sim import games as registry
from sim.knobs import RuleError, nearest

FOLDER = Path("results")
"""Where runs lie unless said otherwise."""
COMMAND = "command.json"
"""The command of a run that is no study, such as a report."""
_TOLD = (
    ("fairdeal", "version of fairdeal"),
    ("source", "source of fairdeal"),
    ("games", "games of each cell"),
    ("block", "games of a block"),
    ("detailed", "measures of the report"),
    ("tables", "raw tables"),
    ("stop", "when to stop"),
    ("play", "what a block is"),
)
_CELL = ("game", "players", "lineup", "code", "rotate", "seed", "against")


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
    run = _sound(path)
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


@dataclass(frozen=True)
class Difference:
    """How two runs differ: rows of words, sentences about rules, and results."""

    about: list[tuple[str, str, str]]  # what, one, other
    rules: dict[str, list[str]]  # cell in words -> sentences: the other against the one
    results: str

    @property
    def same(self) -> bool:
        """Whether nothing differs, results included."""
        return not self.about and not self.rules and self.results == SAME


SAME = "the same, bit for bit"


def diff(one: Path, other: Path) -> Difference:
    """How the run in ``other`` differs from that in ``one``: asked for, and found."""
    here, there = (_sound(path).state.manifest for path in (one, other))
    rows = [
        (words, _text(here.get(key)), _text(there.get(key)))
        for key, words in _TOLD
        if here.get(key) != there.get(key)
    ]
    if len(here["cells"]) != len(there["cells"]):
        rows.append(("cells", str(len(here["cells"])), str(len(there["cells"]))))
    rules: dict[str, list[str]] = {}
    for label, before, after in _cells(here, there):
        rows += [
            (f"{key}, {label}", _text(before.get(key)), _text(after.get(key)))
            for key in _CELL
            if before.get(key) != after.get(key)
        ]
        told = _rules(before, after)
        if told:
            rules[label] = told
    return Difference(rows, rules, _found(one, other))


def _sound(path: Path) -> Run:
    run = at(path)
    if run.state.status == "damaged":
        raise UsageError(f"{path}: its manifest.json is damaged; start a new run.")
    return run


def _changed(path: Path) -> float:
    return (path / "manifest.json").stat().st_mtime


def _cells(
    here: Mapping[str, Any], there: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """Cells of the same number, with what they are called."""
    pairs = zip(here["cells"], there["cells"], strict=False)
    for number, (before, after) in enumerate(pairs):
        label = here["names"][number]["label"]
        yield f"cell {number} ({label}, {before['players']} players)", before, after


def _rules(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    if before["rules"] == after["rules"] or before["game"] != after["game"]:
        return []
    rules = registry.load(before["game"]).rules
    return sentences(rules.of(before["rules"]), rules.of(after["rules"]))


def _found(here: Path, there: Path) -> str:
    """Whether the tables agree, in words."""
    try:
        one, other = results(here), results(there)
    except UsageError as error:
        return f"not compared: {error}"
    if one.sums.equals(other.sums) and one.played == other.played:
        return SAME
    if one.played != other.played:
        games = f"{sum(one.played):,} and {sum(other.played):,}"
        return f"of different games: {games} count"
    by = sorted({*one.sums.columns, *other.sums.columns} - set(SUMS))
    if set(one.sums.columns) != set(other.sums.columns):
        return "of different measures"
    pairs = one.sums.join(other.sums, on=by, how="full", nulls_equal=True, suffix=" 2")
    equal = [pl.col(name).eq_missing(pl.col(f"{name} 2")) for name in SUMS]
    agree = pairs.filter(pl.all_horizontal(equal)).height
    return f"{pairs.height - agree:,} of {pairs.height:,} sums differ"


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)

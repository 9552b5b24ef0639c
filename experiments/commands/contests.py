"""What a user asked to check or to let compete, before anything is played."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from experiments.cells import UsageError
from experiments.studying import plans, study
from experiments.studying.overrides import overridden
from experiments.studying.plans import Plan
from experiments.weighing.judging import check
from experiments.weighing.targets import Target, parse
from strategies.registry import builtin, make


def competitors(game: str, strategies: str, own: Sequence[str]) -> list[str]:
    """Who competes: those named, or all of the game's, and one's own."""
    named = [part.strip() for part in strategies.split(",") if part.strip()]
    found = [*(named or builtin(game)), *own]
    for spec in found:
        make(game, spec)
    return found


def checked(
    path: Path, games: int | None = None, seed: int | None = None
) -> tuple[list[Target], Plan]:
    """The targets of a study and its plan; every mistake before anything is played."""
    loaded, notes = overridden(study.load(path), games=games, seed=seed)
    if not loaded.targets:
        raise UsageError(f"{path}: no targets; write a table [targets.NAME].")
    try:
        targets = parse(loaded.targets)
        plan = plans.plan(loaded)
        plan = replace(plan, notes=(*notes, *plan.notes))
        check(targets, plan.cells[0], plan.frame())
    except UsageError as error:
        text = str(error)
        where = "" if text.startswith(str(path)) else f"{path}: "
        raise UsageError(where + text) from None
    return targets, replace(plan, detailed=True)

"""Competitors and targets, checked before anything is played."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from experiments.core.cells import UsageError
from experiments.studies import run_catalog
from experiments.studies.overrides import plan_of_file
from experiments.studies.plans import Plan
from experiments.studies.run_study import StudyResult
from experiments.studies.targets import Target, check, parse
from strategies.registry import builtin, resolve_specs, with_policy_names


def competitors(
    game: str, strategies: str, extra_strategies: Sequence[str]
) -> list[str]:
    """The named strategies, or all of the game's, and your own."""
    names = strategies or ",".join(builtin(game))
    return list(
        dict.fromkeys(
            [
                *resolve_specs(game, names, extra_strategies),
                *map(with_policy_names, extra_strategies),
            ]
        )
    )


def targets_and_plan(
    path: Path, games: int | None = None, seed: int | None = None
) -> tuple[list[Target], Plan]:
    """Return the targets of a study and its plan; refuse every mistake in them."""
    plan = plan_of_file(path, games=games, seed=seed)
    if not plan.targets:
        raise UsageError(f"{path}: no targets; add a table [targets.NAME].")
    return parse(plan.targets), replace(plan, detailed=True)


def finished_check(path: Path) -> tuple[list[Target], StudyResult]:
    """Return the targets and results of a finished study.

    Raises ``UsageError`` if the directory is no run, is not finished or has no targets.
    """
    run = run_catalog.readable_run(path)
    if run.state.status != "finished":
        raise UsageError(f"{path}: this run is not finished; resume it first.")
    done = run_catalog.load_study(path)
    if not done.plan.targets:
        raise UsageError(f"{path}: its study has no targets.")
    targets = parse(done.plan.targets)
    check(targets, done.plan.cells[0], done.plan.frame())
    return targets, done

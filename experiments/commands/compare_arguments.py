"""What a user asked to compare, checked before anything is played."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from experiments.analysis.compare import (
    Comparison,
    Tolerance,
    compare,
    looked_at,
    of_runs,
)
from experiments.analysis.settled import Settled, settled
from experiments.analysis.sides import (
    Common,
    Side,
    beside_run,
    game_named,
    independent,
    players_of_runs,
    side,
)
from experiments.commands import arguments, interruption
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import Progress
from experiments.given import seed_of
from experiments.studies import directories
from experiments.studies.plan_files import FirstCallProgress
from experiments.variants.variant_files import BASE
from sim import games as registry
from strategies.specs import listed

_NUMBER = r"\s*(\d+(?:\.\d*)?|\.\d+)\s*"


def amount(text: str, option: str) -> float:
    """``1pp`` is a point of a share; a plain number is of the measure."""
    match = re.fullmatch(_NUMBER + r"(pp)?\s*", text)
    if match is None or float(match[1]) <= 0:
        raise UsageError(
            f"{option}: {text!r} is no size. Write 1pp (a point of a share), or a "
            "number above 0 in the unit of the measure."
        )
    return float(match[1]) * (0.01 if match[2] else 1.0)


def tolerance(text: str) -> Tolerance:
    """``1pp,5%``: points of shares, percent of other numbers; either may be left."""
    found = Tolerance()
    for part in text.split(","):
        match = re.fullmatch(_NUMBER + r"(pp|%)\s*", part)
        if match is None or float(match[1]) <= 0:
            raise UsageError(
                f"--tolerance: {part.strip()!r} is none. Write 1pp (points of a "
                "share), 5% (of other numbers), or both as in 1pp,5%."
            )
        size = float(match[1]) / 100
        key = "share" if match[2] == "pp" else "relative"
        found = replace(found, **{key: size})
    return found


def named(words: Sequence[str], game: str) -> tuple[tuple[str, ...], str]:
    """The sides, and the game: its id may stand for a side, and means its base rules.

    Raises ``UsageError`` where two games are named.
    """
    ids = [w for w in words if w in registry.REGISTRY]
    games = list(dict.fromkeys([game, *ids] if game else ids))
    if len(games) > 1:
        raise UsageError(f"{' and '.join(games)} are two games; name one.")
    sides = tuple(BASE if word in ids else word for word in words)
    return sides, games[0] if games else ""


def common(
    words: Sequence[str],
    game: str,
    players: str,
    lineup: str,
    seed: int | None,
    variant: Path | None,
    settings: Sequence[str] | None,
    extra_strategies: Sequence[str] | None,
    rotate: bool,
) -> Common:
    """What both sides have in common; raises what names the mistake."""
    known = registry.load(game_named(words, game))
    seats = (
        arguments.lineup_of(known, lineup, extra_strategies)
        if lineup or extra_strategies
        else ""
    )
    many = len(listed(seats))
    if not players and many > 1:
        players = str(many)
    if not players:
        players = ",".join(map(str, players_of_runs(words)))
    return Common(
        known,
        arguments.numbers_of_players(known, players),
        seats,
        seed_of(seed),
        variant,
        tuple(settings or ()),
        tuple(extra_strategies or ()),
        rotate,
    )


def sides(
    one: str, other: str, common: Common, apart: bool = False
) -> tuple[Side, Side]:
    """Both sides; a second side that is the same needs games of its own."""
    left, right = side(one, common), side(other, common)
    if left.run is None and right.run is not None:
        left = beside_run(left, right)
    if right.run is None and left.run is not None:
        right = beside_run(right, left)
    if apart:
        right = independent(right)
    unnamed = [[replace(cell, label="") for cell in one.cells] for one in (left, right)]
    if unnamed[0] == unnamed[1]:
        raise UsageError(
            f"{one} and {other} are the same: on the same games nothing can differ. "
            "--independent gives B games of its own."
        )
    if left.name == right.name:
        left, right = (
            replace(one, name=f"{one.name} ({mark})")
            for one, mark in ((left, "A"), (right, "B"))
        )
    return left, right


def played(
    left: Side,
    right: Side,
    games: int,
    allowed: Tolerance,
    *,
    detailed: bool,
    **how: Any,
) -> Comparison:
    """Play both sides; of two runs of different games, compare what they found.

    Runs of the same games are played again side by side, for as many games as both
    have: results are sums, which cannot be paired. ``how`` goes to ``compare``.
    """
    if left.run is not None and right.run is not None:
        pairs = zip(left.cells, right.cells, strict=False)
        if len(left.cells) != len(right.cells):
            raise UsageError(
                f"{left.name} has {len(left.cells)} lineups and numbers of players, "
                f"{right.name} has {len(right.cells)}; only like can be compared."
            )
        if all(one.seed != other.seed for one, other in pairs):
            return of_runs(left.run, right.run, allowed)
        games = min(*left.run.played, *right.run.played)
        how["wider"] = looked_at(left.run, right.run)
    return compare(
        left.cells, right.cells, games, detailed=detailed, tolerance=allowed, **how
    )


def settled_by(
    left: Side, right: Side, measure: str, allowed: Tolerance
) -> Settled | None:
    """When to stop, where a measure is to be decided; raises ``UsageError``."""
    if not measure:
        return None
    if left.run is not None and right.run is not None:
        raise UsageError(
            "--decide: these runs are finished; name what is to be played."
        )
    return settled(left.cells[0], measure, allowed.share)


def pilot(one: str, other: str, common: Common) -> tuple[Side, Side | None]:
    """The sides of a pilot; it has one number of players."""
    if len(common.players) > 1:
        raise UsageError("--players: power takes one number of players at a time.")
    if other:
        return sides(one, other, common)
    return side(one, common), None


def lineup_cell(
    game: str,
    players: str,
    lineup: str,
    seed: int | None,
    variant: Path | None,
    settings: Sequence[str] | None,
    extra_strategies: Sequence[str] | None,
) -> tuple[Cell, int]:
    """The one cell that is asked for, and its seed."""
    if not lineup:
        raise UsageError(
            "--lineup: name a strategy for each seat, at least two different ones."
        )
    given = common(
        (), game, players, lineup, seed, variant, settings, extra_strategies, False
    )
    if len(given.players) > 1:
        raise UsageError("--players: one number of players at a time.")
    made = arguments.resolve(game, variant, settings, given.seed)
    [cell] = arguments.cells(
        made, given.players, lineup, extra_strategies, rotate=False
    )
    return cell, given.seed


def remembering(folder: Path, seed: int, progress: Progress) -> Progress:
    """The progress, which first writes down the command that goes on with the run."""
    argv = interruption.argv(folder, seed)
    return FirstCallProgress(progress, partial(directories.remember, folder, argv))


def nothing() -> AbstractContextManager[None]:
    """Where nothing is kept, there is nothing to go on with."""
    return nullcontext()

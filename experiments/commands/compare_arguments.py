"""What a user asked to compare, checked before anything is played."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from experiments.analysis.compare import Tolerance
from experiments.analysis.sides import (
    Common,
    Side,
    game_named,
    matched,
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
from strategies.specs import split_lineup

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


def points(text: str, option: str) -> float:
    """Percentage points of wins, as ``2pp``, as a share."""
    try:
        value = float(text.removesuffix("pp")) / 100
    except ValueError:
        value = 0.0
    if not (text.endswith("pp") and 0 < value < 1):
        raise UsageError(f"{option}: percentage points, as in 2pp, not {text!r}.")
    return value


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
    many = len(split_lineup(seats))
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


def sides(one: str, other: str, common: Common) -> tuple[Side, Side]:
    """Both sides, as they are named."""
    return side(one, common), side(other, common)


def pilot(one: str, other: str, common: Common) -> tuple[Side, Side | None]:
    """The sides of a pilot; it has one number of players."""
    if len(common.players) > 1:
        raise UsageError("--players: power takes one number of players at a time.")
    if other:
        return matched(*sides(one, other, common))
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

"""The sides of a comparison, checked before anything is played."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import sim.games
from experiments.analysis.compare import ComparisonTolerance
from experiments.analysis.comparison_arms import (
    Arm,
    CommonOptions,
    cells_of_runs,
    check_seed,
    game_named,
    on_same_games,
    parse_arm,
)
from experiments.coercion import coerce_seed
from experiments.commands import arguments
from experiments.core.cells import Cell, UsageError
from experiments.variants.variant_files import BASE
from strategies.specs import split_lineup

_NUMBER = r"\s*(\d+(?:\.\d*)?|\.\d+)\s*"


def parse_amount(text: str, option: str) -> float:
    """Read a size: ``1pp`` is 0.01 of a share, a number is in the measure's unit."""
    match = re.fullmatch(_NUMBER + r"(pp)?\s*", text)
    if match is None or float(match[1]) <= 0:
        raise UsageError(
            f"{option}: {text!r} is not a size. Write 1pp (percentage points of a "
            "share), or a number above 0 in the unit of the measure."
        )
    return float(match[1]) * (0.01 if match[2] else 1.0)


def parse_points(text: str, option: str) -> float:
    """Read percentage points: ``2pp`` is 0.02."""
    try:
        value = float(text.removesuffix("pp")) / 100
    except ValueError:
        value = 0.0
    if not (text.endswith("pp") and 0 < value < 1):
        raise UsageError(f"{option}: percentage points, as in 2pp, not {text!r}.")
    return value


def parse_tolerance(text: str) -> ComparisonTolerance:
    """Read ``1pp,5%``: points of shares, percent of other numbers; one is enough."""
    sizes = ComparisonTolerance()
    for part in text.split(","):
        match = re.fullmatch(_NUMBER + r"(pp|%)\s*", part)
        if match is None or float(match[1]) <= 0:
            raise UsageError(
                f"--tolerance: {part.strip()!r} is not a size. Write 1pp (percentage "
                "points of a share), 5% (of other numbers), or both: 1pp,5%."
            )
        size = float(match[1]) / 100
        key = "share" if match[2] == "pp" else "relative"
        sizes = replace(sizes, **{key: size})
    return sizes


def arms_and_game(words: Sequence[str], game: str) -> tuple[tuple[str, ...], str]:
    """The sides and the game; its id as a side means its base rules.

    Raises ``UsageError`` if two games are named.
    """
    ids = sim.games.games_named(words)
    games = list(dict.fromkeys([game, *ids] if game else ids))
    if len(games) > 1:
        raise UsageError(f"{' and '.join(games)} are different games; name one.")
    sides = tuple(BASE if word in ids else word for word in words)
    return sides, games[0] if games else ""


def common_options(
    words: Sequence[str],
    game: str,
    players: str,
    lineup: str,
    seed: int | None,
    variant: Path | None,
    settings: Sequence[str] | None,
    extra_strategies: Sequence[str] | None,
    rotate: bool,
) -> CommonOptions:
    """What both sides have in common; raises an error that names the mistake."""
    known = sim.games.load(game_named(words, game))
    seats = (
        arguments.lineup_of(known, lineup, extra_strategies)
        if lineup or extra_strategies
        else ""
    )
    many = len(split_lineup(seats))
    if not players and many > 1:
        players = str(many)
    played = cells_of_runs(words)
    if not players:
        players = ",".join(map(str, dict.fromkeys(cell.players for cell in played)))
    if seed is None and played:
        seed = played[0].seed
    return CommonOptions(
        known,
        arguments.numbers_of_players(known, players),
        seats,
        coerce_seed(seed),
        variant,
        tuple(settings or ()),
        tuple(extra_strategies or ()),
        rotate,
    )


def parse_arms(one: str, other: str, common: CommonOptions) -> tuple[Arm, Arm]:
    """Return both sides by their names.

    Raises ``UsageError`` if both are runs, and an option says how to play.
    """
    left, right = parse_arm(one, common), parse_arm(other, common)
    given = {
        "--lineup": common.lineup,
        "--set": common.settings,
        "--variant": common.variant,
        "--given": common.given,
    }
    if left.run is not None and right.run is not None and any(given.values()):
        options = ", ".join(name for name, value in given.items() if value)
        raise UsageError(f"{options}: both runs are finished, and nothing is played.")
    return left, right


def pilot_arms(
    one: str, other: str, common: CommonOptions, seed: int | None
) -> tuple[Arm, Arm | None]:
    """Return the sides of a pilot study, with one number of players."""
    if len(common.players) > 1:
        raise UsageError("--players: one number of players at a time.")
    if other:
        return on_same_games(*parse_arms(one, other, common), seed=seed)
    left = parse_arm(one, common)
    check_seed([left], seed)
    return left, None


def lineup_cell(
    game: str,
    players: str,
    lineup: str,
    seed: int | None,
    variant: Path | None,
    settings: Sequence[str] | None,
    extra_strategies: Sequence[str] | None,
) -> tuple[Cell, int]:
    """Return the one cell of a lineup, and its seed."""
    if not lineup:
        raise UsageError(
            "--lineup: name a strategy for each seat, at least two different ones."
        )
    given = common_options(
        (), game, players, lineup, seed, variant, settings, extra_strategies, False
    )
    if len(given.players) > 1:
        raise UsageError("--players: one number of players at a time.")
    made = arguments.resolve(game, variant, settings, given.seed)
    [cell] = arguments.cells(
        made, given.players, lineup, extra_strategies, rotate=False
    )
    return cell, given.seed

"""The wins of sessions by position beside those of simulated players of each strength.

frame = beside(own.positions, {4: play_levels(cell, 1_024)})
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from experiments.analysis.group_chance import (
    SimulatedShare,
    one_in,
    sessions_words,
    tail,
)
from experiments.analysis.strength_games import StrengthGames

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEASURE = "won by position"
_DRAWN = ("share", "low", "high")
_RARE = 0.025
"""A group with so many wins, or so few, does not fit if there are fewer than this part.

The side is that of the group's own wins, so 5 % of groups err where the simulation is
right: half of them on each side.
"""


def beside(
    positions: pl.DataFrame, played: Mapping[int, StrengthGames]
) -> pl.DataFrame:
    """Return the rows of ``OwnTable.positions`` for each strength.

    Added: level, simulated, simulated_low, simulated_high, simulated_even (the mean of
    the positions), games, chance (how often a group wins as rarely or as often, if the
    simulation is right) and few (as rarely).
    """
    rows = []
    for row in positions.to_dicts():
        levels = (
            played[row["players"]]
            .shares(MEASURE)
            .with_columns(even=pl.col("estimate").mean().over("level"))
        )
        for level in levels.filter(position=row["position"]).to_dicts():
            share = simulated_share(level)
            chance, few = tail(row["won"], row["sessions"], share)
            rows.append(
                {
                    **row,
                    "level": level["level"],
                    "simulated": share.share,
                    "simulated_low": share.low,
                    "simulated_high": share.high,
                    "simulated_even": level["even"],
                    "games": share.games,
                    "chance": chance,
                    "few": few,
                }
            )
    return pl.DataFrame(rows, infer_schema_length=None)


def in_words(position: str) -> str:
    """Return a position for a sentence.

    >>> in_words("last"), in_words("first dealer"), in_words("who begins")
    ('the last player', 'the first dealer', 'who begins')
    """
    if position.startswith("who "):
        return position
    return f"the {position}{'' if ' ' in position else ' player'}"


def simulated_share(row: Mapping[str, Any]) -> SimulatedShare:
    """Return the estimate of a row of ``StrengthGames.shares``."""
    return SimulatedShare(*(row[name] for name in ("estimate", "low", "high", "n")))


def sentences(rows: pl.DataFrame) -> Iterator[str]:
    """Say for each number of players what the most unusual position has.

    That is the position whose wins are farthest from even, in standard errors.
    """
    if rows.is_empty():
        return
    odd = (pl.col("share") - pl.col("even")).abs()
    for (players,), part in rows.group_by("players", maintain_order=True):
        best = part["level"][-1]
        chosen = part.filter(level=best).sort(odd, maintain_order=True)["position"][-1]
        yield position_words(part.filter(position=chosen), int(players))


def position_words(rows: pl.DataFrame, among: int = 1) -> str:
    """Say what a group has at one position, and what the simulation has.

    ``rows`` are those of one position, the strongest level last. ``among``: the number
    of positions of which it is the oddest, for which "does not fit" allows.
    """
    *weaker, best = rows.to_dicts()
    others = ", ".join(f"{row['level']} {100 * row['simulated']:.0f}" for row in weaker)
    simulated = f"{100 * best['simulated']:.0f} of 100"
    if others:
        simulated += f" among {best['level']} players ({others})"
    chosen = ", the oddest of your positions" * (among > 1)
    rarely = "few" if best["few"] else "many"
    right = f"that {rarely} happens to {one_in(best['chance'])}"
    fits = "fits" if best["chance"] >= _RARE / among else "does not fit"
    name = in_words(best["position"])
    your = f"Your {name[4:]}" if name.startswith("the ") else f"With you {name}"
    text = (
        f"{your} won {best['won']} of "
        f"{best['sessions']}{chosen}. In the simulation it is {simulated}: {right}, "
        f"so it {fits}."
    )
    return f"{text} {tell_words(best)}"


def tell_words(row: Mapping[str, Any]) -> str:
    """Say how many sessions would show that a position is not even, if simulated so."""
    names = ("simulated", "simulated_low", "simulated_high", "games")
    share = SimulatedShare(*(row[name] for name in names))
    words = sessions_words(share, row["simulated_even"])
    if words.startswith("more"):
        return f"In the simulation it may be even: {words}."
    side = "less" if share.share < row["simulated_even"] else "more"
    return f"That it wins {side} than an even share: {words}."


def plot(own: pl.DataFrame, rows: pl.DataFrame) -> "Figure":
    """Draw the shares of a group by position, and those of each strength."""
    from reports import figures  # slow to import

    several = own["players"].n_unique() > 1
    place = (
        pl.format("{} of {}", "position", "players") if several else pl.col("position")
    )
    numbers = ("share", "low", "high")
    parts = [own.select(place.alias("where"), *numbers, who=pl.lit("your table"))]
    if not rows.is_empty():
        named = zip(
            numbers, ("simulated", "simulated_low", "simulated_high"), strict=True
        )
        columns = [pl.col(old).alias(new) for new, old in named]
        parts.append(rows.select(place.alias("where"), *columns, who="level"))
    even = None if several else float(own["even"][0])
    return figures.dots(
        pl.concat(parts),
        "where",
        "share",
        "low",
        "high",
        title="Wins by position",
        xlabel="games won, %",
        by="who",
        reference=even,
    )

"""Print what table sessions say by themselves and beside simulated games."""

from typing import Any

import polars as pl

from experiments.analysis.playtest import Playtest
from experiments.commands import output


def own_table(result: Playtest) -> None:
    """Print what the sessions say by themselves, and beside each strength."""
    for sentence in result.first:
        output.print_line(f"- {sentence}")
    if result.own is None:
        return
    output.print_line()
    own = result.own.positions
    if own.height:
        levels = result.beside["level"].unique(maintain_order=True).to_list()
        output.table(
            "Your table by position, and the simulation",
            ("players", "position", "won", "of", "of 100", *levels),
            [_position(row, result.beside, levels) for row in own.rows(named=True)],
            "Wins of 100 games, with 95 % intervals.",
        )
    output.table(
        "Your table by player",
        ("player", "won", "of", "of 100", "even"),
        [
            (
                row["player"],
                row["won"],
                row["sessions"],
                _share(row),
                f"{100 * row['even']:.0f}",
            )
            for row in result.own.people.rows(named=True)
        ],
        "Intervals that reach the even share may be luck.",
    )


def _position(
    row: dict[str, Any], beside: pl.DataFrame, levels: list[str]
) -> tuple[Any, ...]:
    """Return the cells of a position."""
    of = beside.filter(players=row["players"], position=row["position"])
    simulated = {one["level"]: one for one in of.rows(named=True)}
    names = {"share": "simulated", "low": "simulated_low", "high": "simulated_high"}
    return (
        row["players"],
        row["position"],
        row["won"],
        row["sessions"],
        _share(row),
        *(
            _share({new: simulated[level][old] for new, old in names.items()})
            for level in levels
        ),
    )


def _share(row: dict[str, Any]) -> str:
    """Return a share and its interval, of 100."""
    share, low, high = (100 * row[end] for end in ("share", "low", "high"))
    return f"{share:.0f} ({low:.0f} to {high:.0f})"


def tables(result: Playtest) -> None:
    """Print the mix of strategies, and the checks of the simulation."""
    output.print_line()
    share = [
        (
            row["strategy"],
            *(f"{100 * row[k]:.0f} %" for k in ("estimate", "low", "high")),
        )
        for row in result.mix.to_dicts()
    ]
    output.table(
        "Players by strategy",
        ("strategy", "share", "from", "to"),
        share,
        "95 % intervals, if all mixes are equally likely beforehand.",
    )
    if result.checks.height:
        checks = [
            (
                str(row["players"]),
                row["what"],
                *(f"{row[k]:.3g}" for k in ("found", "expected", "low", "high", "p")),
            )
            for row in result.checks.to_dicts()
        ]
        output.table(
            "Compared with the simulation",
            ("players", "what", "sessions", "expected", "from", "to", "p"),
            checks,
            f"Each check by itself; all together: p {result.p:.2g}.",
        )

"""Print a knockout table: what is lost without each decision and option."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from experiments.analysis.knockout import Knockout, label
from experiments.commands import output
from experiments.counterfactual.changed_players import WHOLE
from experiments.execution.user_paths import short_path

_SHOWN = 40  # rows in the terminal
_PRECISION = 0.005


def as_dict(knockout: Knockout) -> dict[str, Any]:
    """Return a knockout table as one JSON object."""
    folder = knockout.results.directory
    return {
        "game": knockout.cell.game,
        "players": knockout.cell.players,
        "strategy": knockout.strategy,
        "games": knockout.games,
        "seed": knockout.cell.seed,
        "rows": knockout.rows.to_dicts(),
        "unused": knockout.unused.to_dicts(),
        "width": knockout.width,
        "out": None if folder is None else str(short_path(folder)),
    }


def as_tables(knockout: Knockout) -> None:
    """Print a knockout table, and both its ends in sentences."""
    for words in both_ends(knockout):
        output.print_line(words, wrap=True)
    output.print_line()
    rows = knockout.ends(_SHOWN)
    rows = rows.with_columns(label=label(rows))
    output.table(
        f"What {knockout.strategy} loses without an option, {knockout.cell.players} "
        "players",
        ["without", "in games", "win share lost, points", "verdict"],
        [
            [
                row["label"],
                f"{100 * row['used']:.0f} %",
                points(row["lost"], row["low"], row["high"]),
                row["verdict"],
            ]
            for row in rows.iter_rows(named=True)
        ],
        "One player may not use it; all others may. In games: those in which it would "
        f"have been used. 95 % intervals hold for all {knockout.rows.height} rows at "
        "once; verdicts by Holm. A decision that cannot be declined is made at random.",
    )
    if knockout.rows.height > _SHOWN:
        more = knockout.rows.height - _SHOWN
        output.print_line(
            f"rows     the {_SHOWN - _SHOWN // 4} that cost most and the {_SHOWN // 4} "
            f"that cost least; {more} between them are in knockout.json"
        )
    for why, part in knockout.unused.group_by("why", maintain_order=True):
        output.print_line(f"{why[0]}: {_listed(part)}", wrap=True)
    output.print_line()
    output.print_line(
        f"games    {knockout.games:,}; each loss is known to within "
        f"{100 * knockout.width:.1f} points; to within {100 * _PRECISION:g} would take "
        f"about {knockout.games_for(_PRECISION):,}"
    )


def both_ends(knockout: Knockout) -> Iterator[str]:
    """Yield what a player surely loses most without, and each trap, in sentences."""
    single = knockout.rows.filter(pl.col("option") != WHOLE)
    loses, gains = (single.filter(verdict=word) for word in ("loses", "gains"))
    for row in loses.head(1).iter_rows(named=True):
        yield (
            f"Who may not take {row['option']} at {row['decision']} wins "
            f"{100 * row['lost']:.1f} points less: no option is worth more."
        )
    for row in gains.sort("lost").iter_rows(named=True):
        yield (
            f"Who refuses {row['option']} at {row['decision']} wins "
            f"{-100 * row['lost']:.1f} points more: a trap for {knockout.strategy}."
        )
    if gains.is_empty():
        yield "No option is shown to be a trap."


def points(middle: float, low: float, high: float) -> str:
    """Format a difference of win shares with its interval, in percentage points."""
    return f"{100 * middle:+z.1f} ({100 * low:+z.1f} to {100 * high:+z.1f})"


def _listed(rows: pl.DataFrame) -> str:
    """List decisions with their options."""
    words = []
    for kind, part in rows.group_by("decision", maintain_order=True):
        names = [one or "all of it" for one in part["option"]]
        words.append(f"{kind[0]} {', '.join(names)}")
    return "; ".join(words)

"""Print how many games are needed, and how luck and skill share the result."""

import math
from typing import Any

from experiments.analysis.compare_formatting import measure_label
from experiments.analysis.comparison_arms import Arm
from experiments.analysis.luck_shares import PLAYS, WON, LuckShares
from experiments.analysis.power import GIVEN, SampleSizes
from experiments.commands import output

_MOST_GAMES = 1e12


def as_dict(sizes: SampleSizes, one: Arm, other: Arm | None) -> dict[str, Any]:
    """Return the games needed as one JSON object."""
    return {
        "sides": [side.name for side in (one, other) if side],
        "lineup": one.lineup,
        "players": one.cells[0].players,
        "measure": sizes.measure.name,
        "difference": sizes.difference,
        "power": sizes.power,
        "pilot": sizes.pilot,
        "seed": one.cells[0].seed,
        "rows": sizes.rows.to_dicts(),
    }


def as_tables(sizes: SampleSizes, one: Arm, other: Arm | None) -> None:
    """Print the games needed."""
    share = sizes.measure.share
    size = _size(sizes.difference, share)
    columns = ["of", "here", f"known to +- {size}", "shown, other games"]
    columns += ["shown, same games", "pairing"] if sizes.paired else []
    columns += [f"{games:,} games show" for games in GIVEN]
    rows = []
    for row in sizes.rows.iter_rows(named=True):
        cells = [
            measure_label(sizes.measure.name, row["group"]),
            _value(row["estimate"], share),
            _games(row["width"]),
            _games(row["apart"]),
        ]
        if sizes.paired:
            ratio = row["variance_ratio"]
            cells += [_games(row["paired"]), "" if ratio is None else f"{ratio:.1f} x"]
        cells += [_size(row[f"shows_{games}"], share) for games in GIVEN]
        rows.append(cells)
    against = f" between {one.name} and {other.name}" if other else ""
    output.table(f"Games for a difference of {size}{against}", columns, rows)
    chance = f"{100 * sizes.power:g} %"
    output.print_line(
        f"Known to +- {size}: games of one run for a 95 % interval of that width. "
        f"Shown: games on each side that show a difference of {size} (95 % interval "
        f"without 0) in {chance} of such studies."
    )
    if sizes.paired:
        output.print_line(
            "Same games: as `fairdeal compare` plays them, both sides alike."
        )
    else:
        output.print_line(
            "On the same games fewer may be enough: name the other side, too, as in "
            "fairdeal power base KEY=VALUE."
        )
    output.print_line(f"lineup   {one.lineup}, {one.cells[0].players} players")
    output.print_line(
        f"pilot    {sizes.pilot:,} games; one comparison, not a family of them"
    )


def luck_dict(shares: LuckShares, seed: int) -> dict[str, Any]:
    """Return luck and skill as one JSON object."""
    return {
        "game": shares.cell.game,
        "lineup": [strategy.title for strategy in shares.cell.strategies()],
        "deals": shares.deals,
        "seed": seed,
        "components": {
            value: shares.components(value).to_dicts() for value in shares.values
        },
    }


def luck_tables(shares: LuckShares) -> None:
    """Print luck and skill."""
    tables = {value: shares.components(value) for value in shares.values}
    sources = next(iter(tables.values()))["source"].to_list()
    rows = []
    for source in sources:
        cells = [source, _SOURCES[source]]
        for table in tables.values():
            [row] = table.filter(source=source).to_dicts()
            cells.append(
                output.format_interval({**row, "estimate": row["share"]}, "share")
            )
        rows.append(cells)
    names = ", ".join(strategy.title for strategy in shares.cell.strategies())
    output.table(
        f"Luck and skill: {names}",
        [
            "share of",
            "what it is",
            *("winning" if value == "won" else value for value in tables),
        ],
        rows,
    )
    players = shares.cell.players
    output.print_line(
        f"{shares.deals:,} deals, each played {PLAYS} times in each of {players} "
        "rotations of the lineup: the games of a deal share only the cards dealt and "
        "the starting player. Shares of the variance of a result; in brackets 95 % "
        "intervals, whose unit is the deal. Shares hold for these strategies at this "
        "table: the more alike they are, the more is left to luck."
    )
    most = tables[WON].filter(source="strategy")["most"].item()
    output.print_line(
        f"Strategy can have at most {100 * most:.0f} % of winning at such a table, if "
        "one of those who play the best strategy always wins."
    )


_SOURCES = {
    "deal": "the cards dealt, whoever plays them",
    "position": "the position at the table, whatever is dealt",
    "strategy": "who plays",
    "hand x strategy": "how the cards suit the strategies",
    "play": "dice and draws during play, and random choices",
}


def _size(value: float, share: bool) -> str:
    if not share:
        return f"{value:.2g}"
    points = 100 * value
    digits = max(1 - math.floor(math.log10(points)), 0) if points > 0 else 0
    text = f"{points:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{points:.0f}"
    return f"{text} point{'' if text == '1' else 's'}"


def _value(value: float, share: bool) -> str:
    return f"{100 * value:.1f} %" if share else f"{value:.3g}"


def _games(value: float | None) -> str:
    """Format a number of games with two digits, rounded up."""
    if value is None:
        return "-"
    if not value < _MOST_GAMES:
        return "no number"
    size = 10 ** max(len(str(int(value))) - 2, 0)
    return f"{int(-(-value // size) * size):,}"

"""Scoring games and rule changes: only what the scorecard needs is counted.

    found = run(cells, games, play=play_scored)        # cells, or pairs of cells
    score_differences(found.sums.filter(cell=0), ...)  # of a pair, on the same deals

So many rule changes can be tried in the time of one report.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from experiments.analysis.measure_diff import crossed, sides_of
from experiments.core import blocks
from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, Pair, UsageError
from experiments.core.measures import known, report_of
from experiments.core.recording import Block
from reports.game_report import GameReport
from reports.measures import SUMS
from reports.scorecard import measured
from reports.scorecard.lines import LINES, SECONDS, Line, with_targets
from reports.statistics import extremes, paired_estimates

_Z = 1.959963984540054


@lru_cache(maxsize=32)
def scored_report(game: str) -> GameReport:
    """The report of a game with no more measures than the scorecard reads."""
    return report_of(game).only(measured.MEASURES)


def play_scored(
    cell: Cell | Pair,
    block: Block,
    detailed: bool = False,
    keep: tuple[str, ...] = (),
) -> Outcome:
    """Play a block and count what the scorecard reads; for ``run(..., play=...)``."""
    return blocks.play_counting(cell, block, scored_report(cell.game), keep)


def read_targets(path: Path | None) -> tuple[tuple[Line, ...], float]:
    """The lines with the tolerances of a file, and the seconds of a decision.

        seconds = 8

        [targets.positions]
        most = 0.03

    Raises ``UsageError`` that names the file and the place.
    """
    if path is None:
        return LINES, SECONDS
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}.") from None
    for key in values:
        if key not in ("targets", "seconds"):
            raise UsageError(f"{path}: no key {key!r}. Allowed: targets, seconds.")
    seconds = values.get("seconds", SECONDS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise UsageError(f"{path}: seconds: a number, not {seconds!r}.")
    if not 0 < seconds < float("inf"):
        raise UsageError(f"{path}: seconds: more than 0, not {seconds:g}.")
    if not isinstance(targets := values.get("targets", {}), dict):
        raise UsageError(f"{path}: targets: write [targets.LINE] above each.")
    try:
        return with_targets(targets), float(seconds)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None


def score_differences(
    sums: pl.DataFrame,
    game: str,
    players: int,
    games: int,
    *,
    undecided: Sequence[str] = (),
    seconds: float = SECONDS,
    lines: Sequence[Line] = LINES,
) -> pl.DataFrame:
    """How each line differs between two cells that played the same games.

    ``sums``: those of a ``Pair`` that was played to "compare" (with a ``side``). A row
    a line that both sides have: line, one, other, difference (other less one), se, low,
    high, least, most, margin. Of lines by chance the numbers are what they are more
    than by chance. Lines of several cells (skill, plan, luck, trap) are left out.
    """
    rows = []
    for line in lines:
        found = _of_line(line, sums, game, players, games, undecided, seconds)
        if found is not None:
            one, other, difference, se = found
            limits = line.tolerance
            rows.append(
                {
                    "line": line.id,
                    "one": one,
                    "other": other,
                    "difference": difference,
                    "se": se,
                    "low": difference - _Z * se,
                    "high": difference + _Z * se,
                    "least": limits.least,
                    "most": limits.most,
                    "margin": limits.margin,
                }
            )
    numbers = ("one", "other", "difference", "se", "low", "high", "least", "most")
    types = dict.fromkeys((*numbers, "margin"), pl.Float64)
    return pl.DataFrame(rows, schema={"line": pl.String, **types})


_Difference = tuple[float, float, float, float]  # one, other, difference, its error


def _of_line(
    line: Line,
    sums: pl.DataFrame,
    game: str,
    players: int,
    games: int,
    undecided: Sequence[str],
    seconds: float,
) -> _Difference | None:
    """The two numbers of a line, their difference and its standard error."""
    own: Mapping[str, Callable[[], _Difference | None]] = {
        "positions": lambda: _gap(_rows(sums, game, measured.POSITION, games), games),
        "ties": lambda: _ties(sums, game, games, undecided),
        "dead": lambda: _extreme(_rows(sums, game, measured.TAKEN, games), True),
        "dominant": lambda: _extreme(_rows(sums, game, measured.TAKEN, games), False),
        "length": lambda: _length(sums, games, seconds),
    }
    if line.id in own:
        return own[line.id]()
    if line.id not in _NAMES:
        return None
    name = _NAMES[line.id]
    if not line.chance:
        return _single(_rows(sums, game, name, games))
    found = _single(_rows(sums, game, name + measured.BEYOND, games))
    if found is None or line.id != "changes":
        return found
    null = _single(_rows(sums, game, name + measured.CHANCE, games))
    if null is None or null[0] <= 0 or null[1] <= 0:
        return None
    one, other = found[0] / null[0], found[1] / null[1]  # as parts of chance
    return one, other, other - one, found[3] / min(null[0], null[1])


_NAMES = {
    "early": "decisiveness",
    "runaway": "runaway",
    "half": "leader at half wins",
    "comeback": "comeback",
    "changes": "lead changes",
    "choices": measured.CHOICES,
    "options": measured.OPTIONS,
}


def _rows(sums: pl.DataFrame, game: str, name: str, games: int) -> pl.DataFrame:
    """The differences of a measure, other less one, by group."""
    here = sums.filter(pl.col("measure") == name)
    what = known(game).get(name)
    if here.is_empty() or what is None:
        return pl.DataFrame()
    sides = sides_of(here, what)
    products = crossed(sides["one x other"], sides["other x one"], what)
    found = paired_estimates.differences(
        sides["other"], sides["one"], products, what.by, games, what.kind
    )
    return found.rename({"one": "other", "other": "one"}).drop_nulls("difference")


def _single(rows: pl.DataFrame) -> _Difference | None:
    if rows.height != 1:
        return None
    row = rows.row(0, named=True)
    if row["se"] is None:
        return None
    return row["one"], row["other"], row["difference"], row["se"]


def _gap(rows: pl.DataFrame, games: int) -> _Difference | None:
    """How much wider the gap between the best and the worst position is.

    Each side's own extremes, less what chance makes of them. What position i of one
    side and j of the other have in common is not counted; positions of a game share
    out its win, so it is taken to be minus that of i and i, in equal parts.
    """
    if rows.height < 2:
        return None
    shares = [rows[side].to_numpy() for side in ("one", "other")]
    gaps = [extremes.of_shares(share, games).estimate for share in shares]
    many = rows.height
    variances = [(np.diag(p) - np.outer(p, p)) / games for p in shares]
    se = rows["se"].to_numpy()
    common = (np.diag(variances[0]) + np.diag(variances[1]) - se**2) / 2
    across = np.full((many, many), 0.0)
    across -= common[:, None] / (many - 1)
    np.fill_diagonal(across, common)
    ends = [
        np.eye(many)[int(p.argmax())] - np.eye(many)[int(p.argmin())] for p in shares
    ]
    spread = sum(end @ var @ end for end, var in zip(ends, variances, strict=True))
    spread -= 2 * ends[0] @ ((across + across.T) / 2) @ ends[1]
    error = float(np.sqrt(max(spread, float(se.min()) ** 2)))
    return gaps[0], gaps[1], gaps[1] - gaps[0], error


def _ties(
    sums: pl.DataFrame, game: str, games: int, undecided: Sequence[str]
) -> _Difference | None:
    """Games that play leaves undecided: those that nobody wins, or these ways."""
    rows = _rows(sums, game, measured.DECIDED, games)
    won = _rows(sums, game, measured.POSITION, games)
    if won.is_empty():
        return None
    by = rows.filter(pl.col("by").is_in(list(undecided)))
    ways = [float(by[side].sum()) for side in ("one", "other")]
    nobody = [1 - float(won[side].sum()) for side in ("one", "other")]
    some = by if max(ways) >= max(nobody) else won
    numbers = ways if max(ways) >= max(nobody) else nobody
    error = float(np.linalg.norm(some["se"].fill_null(0.0).to_numpy()))
    return numbers[0], numbers[1], numbers[1] - numbers[0], error


def _extreme(rows: pl.DataFrame, least: bool) -> _Difference | None:
    """The option that is taken least, or most, on each side."""
    rows = rows.drop_nulls(["one", "other", "se"]) if rows.height else rows
    if rows.is_empty():
        return None
    ends = [
        rows.sort(side, descending=not least).row(0, named=True)
        for side in ("one", "other")
    ]
    one, other = ends[0]["one"], ends[1]["other"]
    return one, other, other - one, float(np.hypot(ends[0]["se"], ends[1]["se"]))


def _length(sums: pl.DataFrame, games: int, seconds: float) -> _Difference | None:
    """Minutes of a game."""
    here = sums.filter(pl.col("measure") == measured.CHOICES)
    sides = {str(row["side"]): row for row in here.rows(named=True)}
    if not {"one", "other", "one x other"} <= set(sides):
        return None

    def side(which: str) -> pl.DataFrame:
        row = sides[which]
        # x is y, a game is x; cubes are not asked for
        of = ("x", "games", "xx", "games", "x", "games", "xx")
        values = dict(zip(SUMS, of, strict=True))
        return pl.DataFrame({key: [row[name]] for key, name in values.items()})

    common: dict[str, Any] = sides["one x other"]
    cross = pl.DataFrame(
        {
            "yy": [common["xx"]],
            "xx": [common["games"]],
            "xy": [sides["one"]["x"]],
            "yx": [sides["other"]["x"]],
            "games": [common["games"]],
            "differ": [common["games"]],
        }
    )
    rows = paired_estimates.differences(side("other"), side("one"), cross, (), games)
    rows = rows.rename({"one": "other", "other": "one"})
    found = _single(rows)
    if found is None:
        return None
    one, other, difference, se = (part * seconds / 60 for part in found)
    return one, other, difference, se

"""Print a tournament: ratings, who beats whom, and what would survive."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from experiments.analysis.tournament import Tournament
from experiments.commands import show
from experiments.execution.paths import near

_FEW = 12  # strategies whose matrix fits a terminal
_SMALL = 0.001


def as_dict(found: Tournament) -> dict[str, Any]:
    """Return a tournament as one JSON object."""
    fate = found.replicator
    return {
        "strategies": list(found.strategies),
        "failed": dict(found.failed),
        "players": found.players,
        "lineups": found.lineups,
        "games": sum(found.results.played),
        "unwon": found.unwon,
        "whole": found.whole,
        "seed": found.seed,
        "ratings": found.ratings.to_dicts(),
        "fit": found.fit._asdict(),
        "one_among_others": found.matrix.to_dicts(),
        "duels": found.duels.to_dicts(),
        "cycles": found.cycles.to_dicts(),
        "dominated": found.dominated.to_dicts(),
        "alpha_rank": found.alpha_rank.to_dicts(),
        "replicator": None if fate is None else fate.to_dicts(),
        "shares": found.shares.to_dicts(),
        "out": None
        if found.results.directory is None
        else str(near(found.results.directory)),
    }


def as_tables(found: Tournament) -> None:
    """Print a tournament."""
    _strategies(found)
    _matrix(found)
    for words in (*_dominance(found), *_circles(found), *_fit(found)):
        show.line(words)
    show.line()
    for words in _about(found):
        show.line(words)


def _strategies(found: Tournament) -> None:
    """Print one row per strategy: rating, whom it beats, its share of a population."""
    mass = {row["strategy"]: row for row in found.alpha_rank.iter_rows(named=True)}
    fate = {} if found.replicator is None else dict(found.replicator.rows())
    rows, others = [], len(found.strategies) - 1
    for row in found.ratings.iter_rows(named=True):
        name = row["strategy"]
        beats, loses = _duels_of(found.duels, name)
        rows.append(
            [
                name,
                show.with_interval({**row, "estimate": row["rating"]}, "mean"),
                _names(beats, others),
                _names(loses, others),
                _mass(**mass[name]),
                *([_part(fate[name])] if fate else []),
            ]
        )
    show.table(
        f"Strategies, {found.players} players",
        [
            "strategy",
            "rating",
            "beats",
            "loses to",
            "alpha-rank",
            *(["replicator"] if fate else []),
        ],
        rows,
        "Rating: Plackett-Luce, mean 0; 0.69 more means twice as many wins per seat. "
        "Beats: its seats win more at the tables where both sit (95 %, Holm over all "
        "pairs); pairs in neither column are undecided. Alpha-rank: share of time that "
        "a population that copies winners spends with it (95 % interval unless "
        "certain)."
        + (" Replicator: its final share, from equal shares." if fate else ""),
    )


def _names(names: list[str], others: int) -> str:
    """List strategies, or say all others."""
    return "all others" if len(names) == others > 2 else ", ".join(names)


def _duels_of(duels: pl.DataFrame, name: str) -> tuple[list[str], list[str]]:
    """Whom a strategy clearly beats, and to whom it clearly loses."""
    beats: list[str] = []
    loses: list[str] = []
    for row in duels.filter(pl.col("verdict") != "undecided").iter_rows(named=True):
        for me, them, wins in (("one", "other", "beats"), ("other", "one", "loses")):
            if row[me] == name:
                (beats if row["verdict"] == wins else loses).append(row[them])
    return beats, loses


def _matrix(found: Tournament) -> None:
    """Print the win share of one seat of a strategy at a table of another."""
    names = found.ratings["strategy"].to_list()
    if len(names) > _FEW:
        return
    cells = {(r["strategy"], r["others"]): r for r in found.matrix.to_dicts()}
    rows = [
        [name, *(_share(cells.get((name, other))) for other in names)] for name in names
    ]
    widest = max((r["high"] - r["low"] for r in cells.values()), default=0.0)
    show.table(
        f"One among {found.players - 1} others: its win share",
        ["one \\ others", *names],
        rows,
        f"Even is {_percent(1 / found.players)}; 95 % intervals are up to +- "
        f"{50 * widest:.1f} points.",
    )


def _share(row: dict[str, Any] | None) -> str:
    return " " if row is None else _percent(row["estimate"])


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _mass(mass: float, low: float | None, high: float | None, **_: Any) -> str:
    """Format a share of time, with its interval unless that is very narrow."""
    if low is None or high is None or high - low < _SMALL:
        return _part(mass)
    return f"{_part(mass)} ({100 * low:.1f} to {100 * high:.1f})"


def _part(value: float) -> str:
    """Format a share of a population, which is never exactly 0 or 100 %."""
    if value < _SMALL:
        return f"< {100 * _SMALL:.1f} %"
    if value > 1 - _SMALL:
        return f"> {100 * (1 - _SMALL):.1f} %"
    return _percent(value)


def _dominance(found: Tournament) -> Iterator[str]:
    """Yield which strategies are dominated."""
    rows = found.dominated.filter(pl.col("verdict").is_in(["dominated", "so far"]))
    for (name,), part in rows.group_by("dominated", maintain_order=True):
        best = part.sort("least", descending=True).row(0, named=True)
        others = [one for one in part["by"] if one != best["by"]]
        more = f" (also by {', '.join(others)})" if others else ""
        tried = (
            "whoever else sits there"
            if best["verdict"] == "dominated"
            else f"with {best['compared']} of {best['possible']} sets of others"
        )
        yield (
            f"dominated  {name} by {best['by']}: a seat of it would win at least "
            f"{100 * best['low']:.1f} points more, {tried}{more}"
        )
    if rows.is_empty():
        yield "dominated  no strategy clearly is: each may pay in some company"


def _circles(found: Tournament) -> Iterator[str]:
    """Yield the circles in who beats whom."""
    sure = found.cycles.filter("sure")
    open_ = found.cycles.height - sure.height
    for row in sure.iter_rows(named=True):
        circle = " beats ".join([*row["circle"], row["circle"][0]])
        yield f"circle     {circle}: who beats whom is not transitive"
    if sure.is_empty():
        chance = f"; {open_} may be real or luck (see --json)" if open_ else ""
        yield f"circles    none is certain: the certain results form an order{chance}"


def _fit(found: Tournament) -> Iterator[str]:
    fit = found.fit
    if fit.p != fit.p:
        return
    text = (
        "are not enough: a strategy's strength depends on who else sits there"
        if fit.p < 0.05
        else "are enough: strength does not visibly depend on who else sits there"
    )
    p = "< 0.001" if fit.p < 0.001 else f"= {fit.p:.2g}"
    yield f"ratings    {text} (likelihood ratio, p {p})"


def _about(found: Tournament) -> Iterator[str]:
    kind = "all" if found.whole else "tables of at most two strategies"
    games = found.results.games
    yield f"lineups  {found.lineups:,} ({kind}), {games:,} games each, seats rotated"
    if found.unwon:
        share = found.unwon / sum(found.results.played)
        yield f"note     nobody won {_percent(share)} of the games; they are left out"

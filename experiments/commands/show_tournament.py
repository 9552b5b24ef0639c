"""Print a tournament: ratings, who beats whom, and what would survive."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from experiments.analysis.tournament import Tournament
from experiments.commands import output
from experiments.execution.user_paths import short_path

_MOST_IN_MATRIX = 12  # strategies whose matrix fits a terminal
_SMALL = 0.001


def as_dict(tournament: Tournament) -> dict[str, Any]:
    """Return a tournament as one JSON object."""
    fate = tournament.replicator
    return {
        "strategies": list(tournament.strategies),
        "levels": {**tournament.levels},
        "failed": dict(tournament.failed),
        "players": tournament.players,
        "lineups": tournament.lineups,
        "games": sum(tournament.results.played),
        "unwon": tournament.unwon,
        "whole": tournament.whole,
        "seed": tournament.seed,
        "ratings": tournament.ratings.to_dicts(),
        "fit": tournament.fit._asdict(),
        "one_among_others": tournament.matrix.to_dicts(),
        "duels": tournament.duels.to_dicts(),
        "cycles": tournament.cycles.to_dicts(),
        "dominated": tournament.dominated.to_dicts(),
        "alpha_rank": tournament.alpha_rank.to_dicts(),
        "replicator": None if fate is None else fate.to_dicts(),
        "shares": tournament.shares.to_dicts(),
        "out": None
        if tournament.results.directory is None
        else str(short_path(tournament.results.directory)),
    }


def as_tables(tournament: Tournament) -> None:
    """Print a tournament."""
    _strategies(tournament)
    _matrix(tournament)
    output.print_levels(tournament.levels)
    for words in (*_dominance(tournament), *_cycles(tournament), *_fit(tournament)):
        output.print_line(words)
    output.print_line()
    for words in _about(tournament):
        output.print_line(words)


def _strategies(tournament: Tournament) -> None:
    """Print one row per strategy: rating, whom it beats, its share of a population."""
    mass = {row["strategy"]: row for row in tournament.alpha_rank.iter_rows(named=True)}
    fate = {} if tournament.replicator is None else dict(tournament.replicator.rows())
    rows, others = [], len(tournament.strategies) - 1
    for row in tournament.ratings.iter_rows(named=True):
        name = row["strategy"]
        beats, loses = _duels_of(tournament.duels, name)
        rows.append(
            [
                name,
                output.format_interval({**row, "estimate": row["rating"]}, "mean"),
                _names(beats, others),
                _names(loses, others),
                _mass(**mass[name]),
                *([_part(fate[name])] if fate else []),
            ]
        )
    output.table(
        f"Strategies, {tournament.players} players",
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


def _matrix(tournament: Tournament) -> None:
    """Print the win share of one seat of a strategy at a table of another."""
    names = tournament.ratings["strategy"].to_list()
    if len(names) > _MOST_IN_MATRIX:
        return
    cells = {(r["strategy"], r["others"]): r for r in tournament.matrix.to_dicts()}
    rows = [
        [name, *(_share(cells.get((name, other))) for other in names)] for name in names
    ]
    widest = max((r["high"] - r["low"] for r in cells.values()), default=0.0)
    output.table(
        f"One among {tournament.players - 1} others: its win share",
        ["one \\ others", *names],
        rows,
        f"Even is {_percent(1 / tournament.players)}; 95 % intervals are up to +- "
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


def _dominance(tournament: Tournament) -> Iterator[str]:
    """Yield which strategies are dominated."""
    rows = tournament.dominated.filter(pl.col("verdict").is_in(["dominated", "so far"]))
    for (name,), part in rows.group_by("dominated", maintain_order=True):
        best = part.sort("least", descending=True).row(0, named=True)
        others = [other for other in part["by"] if other != best["by"]]
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


def _cycles(tournament: Tournament) -> Iterator[str]:
    """Yield the cycles of strategies, each of which beats the next."""
    sure = tournament.cycles.filter("sure")
    open_ = tournament.cycles.height - sure.height
    for row in sure.iter_rows(named=True):
        cycle = " beats ".join([*row["circle"], row["circle"][0]])
        yield f"cycle      {cycle}: who beats whom is not transitive"
    if sure.is_empty():
        chance = f"; {open_} may be real or luck (see --json)" if open_ else ""
        yield f"cycles     none is certain: the certain results form an order{chance}"


def _fit(tournament: Tournament) -> Iterator[str]:
    fit = tournament.fit
    if fit.p != fit.p:
        return
    text = (
        "are not enough: a strategy's strength depends on who else sits there"
        if fit.p < 0.05
        else "are enough: strength does not visibly depend on who else sits there"
    )
    p = "< 0.001" if fit.p < 0.001 else f"= {fit.p:.2g}"
    yield f"ratings    {text} (likelihood ratio, p {p})"


def _about(tournament: Tournament) -> Iterator[str]:
    kind = "all" if tournament.whole else "tables of at most two strategies"
    games = tournament.results.games
    lineups = f"{tournament.lineups:,} ({kind})"
    yield f"lineups  {lineups}, {games:,} games each, seats rotated"
    if tournament.unwon:
        share = tournament.unwon / sum(tournament.results.played)
        yield f"note     nobody won {_percent(share)} of the games; they are left out"

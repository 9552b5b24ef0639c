"""The page of a tournament: which strategies are strong, beat others, and survive."""

import math
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from matplotlib.figure import Figure

from experiments.analysis.tournament import Tournament
from experiments.execution.atomic_files import folder_writer
from experiments.execution.version import VERSION
from reports import figures, report_files
from reports.formatting import join_words
from reports.report_document import (
    Column,
    Exhibit,
    Finding,
    ReportDocument,
    Section,
    Sure,
)
from reports.verdicts import how_tested
from sim import games

_DRAWN = 16  # strategies in a matrix that is drawn, at most


def write(tournament: Tournament, folder: Path) -> Path:
    """Write page, tables and figures; return the page's path."""
    return report_files.write_report(report(tournament), folder, folder_writer(folder))


def report(tournament: Tournament) -> ReportDocument:
    """Return the page."""
    game = games.load(tournament.results.cells[0].game)
    sections = (_ratings(tournament), _matrix(tournament), _survives(tournament))
    kind = "every lineup" if tournament.whole else "tables of at most two strategies"
    return ReportDocument(
        title=f"{game.title}: a tournament",
        subtitle=f"{len(tournament.strategies)} strategies, {tournament.lineups:,} "
        f"lineups, {tournament.results.games:,} games each, fairdeal {VERSION}, seed "
        f"{tournament.seed}",
        simulated=(
            ("players", str(tournament.players)),
            ("lineups", f"{tournament.lineups:,}: {kind}, rotated from game to game"),
            ("strategies", ", ".join(tournament.strategies)),
            *((f"out: {name}", why) for name, why in tournament.failed.items()),
            ("seed", str(tournament.seed)),
        ),
        findings=tuple(f for section in sections for f in section.findings),
        sections=sections,
    )


def _ratings(tournament: Tournament) -> Section:
    """Return the section of Plackett-Luce ratings, best first."""
    rows = tournament.ratings
    exhibit = Exhibit(
        "ratings-table",
        "Ratings",
        "Strength over all lineups: seats win in proportion to the exponential of "
        "their ratings, so a rating higher by 0.69 wins twice as often.",
        rows,
        (
            Column("strategy", "strategy", "who competes"),
            Column(
                "rating", "rating", "Plackett-Luce, mean 0", "number", "low", "high"
            ),
            Column("wins", "wins", "games won", "count"),
            Column("games", "games", "games played", "count"),
        ),
        tournament.plot(),
    )
    findings = (_strongest(tournament), *_fit(tournament))
    return Section("ratings", "Who is strong", "", (exhibit,), findings)


def _strongest(tournament: Tournament) -> Finding:
    """Say which strategy is rated best, and which others it is shown to beat."""
    first, *others = tournament.ratings["strategy"].to_list()
    beaten = [
        row["other"] if row["one"] == first else row["one"]
        for row in tournament.duels.to_dicts()
        if (row["one"] == first and row["verdict"] == "beats")
        or (row["other"] == first and row["verdict"] == "loses")
    ]
    sure: Sure = "likely" if beaten else "open"
    words = f"{first} is rated best; over all lineups it is shown to beat "
    words += f"{join_words(beaten) or 'none'}."
    if set(beaten) >= set(others):
        words, sure = f"{first} is the strongest: it is shown to beat all.", "sure"
    return Finding(words, sure, "ratings", tested=_of_duels(tournament))


def _of_duels(tournament: Tournament) -> str:
    """Say how duels are tested."""
    return _tested(tournament, "from nothing", "pairs", tournament.duels.height)


def _tested(tournament: Tournament, bounds: str, family: str, tests: int) -> str:
    return how_tested(bounds, family, tests, sum(tournament.results.played))


def _fit(tournament: Tournament) -> Iterator[Finding]:
    """Say whether one rating per strategy explains the results."""
    p = tournament.fit.p
    if math.isnan(p):
        return
    text = (
        "Ratings do not explain everything: strength depends on the other players"
        if p < 0.05
        else "Strength does not visibly depend on the other players"
    )
    value = "< 0.001" if p < 0.001 else f"= {p:.2g}"
    words = f"{text} (likelihood ratio, p {value})."
    how = _tested(tournament, "lineups from ratings", "test", 1)
    yield Finding(words, "sure" if p < 0.05 else "open", "ratings", tested=how)


def _matrix(tournament: Tournament) -> Section:
    """Return the section of win shares of one among others, and of duels."""
    order = tournament.ratings["strategy"].to_list()
    place = {name: rank for rank, name in enumerate(order)}
    rows = tournament.matrix.sort(
        pl.col("strategy").replace_strict(place, return_dtype=pl.Int64),
        pl.col("others").replace_strict(place, return_dtype=pl.Int64),
    )
    even = 1 / tournament.players
    single = Exhibit(
        "matrix-table",
        f"One among {tournament.players - 1} of another: its win share",
        f"An even share is {100 * even:.1f} %. Strongest first.",
        rows,
        (
            Column("strategy", "one", "has one seat"),
            Column("others", "among", "has all other seats"),
            Column("estimate", "win share", "of the one", "share", "low", "high"),
            Column("games", "n", "games", "count"),
        ),
        _drawn(rows, len(order)),
    )
    duels = Exhibit(
        "duels",
        "Who beats whom",
        "Win share of a seat of the one minus that of the other, averaged over all "
        "lineups with both; Holm over all pairs.",
        tournament.duels,
        (
            Column("one", "one", "strategy"),
            Column("other", "other", "strategy"),
            Column("advantage", "advantage", "of the one", "points", "low", "high"),
            Column("verdict", "verdict", "the one against the other, 95 %"),
        ),
    )
    findings = tuple(_cycles(tournament))
    return Section("matrix", "Who beats whom", "", (single, duels), findings)


def _drawn(rows: pl.DataFrame, count: int) -> Figure | None:
    if not 2 <= count <= _DRAWN or rows.is_empty():
        return None
    order = rows["strategy"].unique(maintain_order=True)
    pairs = pl.DataFrame({"strategy": order}).join(
        pl.DataFrame({"others": order}), how="cross"
    )
    return figures.heat(
        pairs.join(rows, ["strategy", "others"], how="left", maintain_order="left"),
        "others",
        "strategy",
        "estimate",
        title="Win share of one (row) at a table of another (column)",
        unit="win share, %",
    )


def _cycles(tournament: Tournament) -> Iterator[Finding]:
    """Say whether strategies beat each other in a cycle."""
    sure = tournament.cycles.filter("sure")
    for row in sure.to_dicts():
        cycle = " beats ".join([*row["circle"], row["circle"][0]])
        how = _of_duels(tournament)
        yield Finding(f"A cycle: {cycle}.", "sure", "matrix", tested=how)
    if sure.is_empty():
        open_ = tournament.cycles.height
        more = f"; {open_} may exist, or be chance" if open_ else ""
        words = f"No cycle is sure: the certain results form a ranking{more}."
        yield Finding(words, "open" if open_ else "", "matrix")


def _survives(tournament: Tournament) -> Section:
    """Return the section of dominated strategies, and of an evolving population."""
    tests = tournament.dominated.height
    rows = tournament.dominated.filter(pl.col("verdict").is_in(["dominated", "so far"]))
    findings = []
    for (name,), part in rows.group_by("dominated", maintain_order=True):
        best = part.sort("least", descending=True).row(0, named=True)
        tried = (
            "whoever the others are"
            if best["verdict"] == "dominated"
            else f"with {best['compared']} of {best['possible']} sets of others"
        )
        words = (
            f"Nobody should play {name}: {best['by']} in the same seat wins at "
            f"least {100 * best['low']:.1f} points more, {tried}."
        )
        sure: Sure = "sure" if best["verdict"] == "dominated" else "likely"
        how = _tested(tournament, "the least gain from nothing", "pairs", tests)
        findings.append(Finding(words, sure, "survives", tested=how))
    if not findings:
        words = "No strategy is shown to be dominated: each may pay in some company."
        findings.append(Finding(words, "", "survives"))
    mass = tournament.alpha_rank
    exhibit = Exhibit(
        "alpha-rank",
        "What a population would play",
        "Alpha-rank: share of time that a population which imitates winners spends "
        "with each strategy.",
        mass,
        (
            Column("strategy", "strategy", "who competes"),
            Column(
                "mass", "share of time", "of the population", "share", "low", "high"
            ),
        ),
        figures.dots(
            mass,
            "strategy",
            "mass",
            "low",
            "high",
            title="What a population would play",
            xlabel="share of time, %",
        ),
    )
    return Section("survives", "What would survive", "", (exhibit,), tuple(findings))

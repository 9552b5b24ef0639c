"""Strategies: who wins against whom, in any game."""

from dataclasses import replace
from functools import partial

import polars as pl

from reports.figure_specs import dots
from reports.formatting import (
    PLAYERS,
    STRATEGY,
    N,
    estimated,
    exhibit,
    join,
    join_words,
    percent,
    renamed,
    share,
)
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import Number
from reports.report_data import PAIRED, ReportData
from reports.report_document import Column, Exhibit, Finding
from reports.statistics.equivalence import judge
from reports.verdicts import how_tested

_VERSUS_EVEN = "win share vs. an even share, %"
_LINEUP = Column("lineup", "lineup", "who plays")
_EVEN = "Win shares are per seat: of n players with equal chances each wins 1/n"
_ROTATED = (
    "The strategies move on a seat with every game. Claims hold for these lineups."
)


def section(
    last: Number | None = None,
    less: str = "",
    won: str = "won by strategy",
    wins: str = "wins",
    own: ReportSection | None = None,
) -> ReportSection:
    """Return a game's section: win shares of each strategy in each lineup, findings.

    ``last``: another number of seats by strategy. ``less`` says what the
    win shares lack, such as shared games. ``won``: the measure of wins, and ``wins``: a
    verb for winning a game, if seats also play for something else. ``own`` has the
    game's own tables, which follow, and their measures.
    """
    own = ReportSection() if own is None else own
    return replace(
        own,
        id="strategies",
        title="Strategies",
        question="Which strategies win against which?",
        intro=f"{_EVEN}{less and ', ' + less}. {_ROTATED}",
        tables=(partial(_parts, last, won, wins), *own.tables),
    )


def _parts(last: Number | None, won: str, wins: str, data: ReportData) -> SectionParts:
    shares = _shares(data, last.measure if last else "", won)
    columns = (
        estimated("win share", f"{data.measure(won).doc}; of a seat", "share"),
        estimated("vs. even share", "win share less 1/n", "points", "more"),
        *([] if last is None else [replace(last, name="last").column(data)]),
        N,
    )
    against = _judged(shares.filter(kind="against", strategy=data.lead))
    yield _against(data, against, columns)
    yield from _mixed(shares, columns)
    yield _lineups(shares, columns)
    yield from _findings(data, against, wins)


def _shares(data: ReportData, measure: str, won: str) -> pl.DataFrame:
    """Return the win share per seat of each strategy in each lineup, and vs. even."""
    keys = ("cell", "strategy")
    rows = data.of(won, only=~PAIRED)
    if measure:
        others = data.of(measure, only=~PAIRED)
        rows = join(rows, renamed(others, keys, "last"), keys)
    even = 1 / pl.col("players")
    others_of = [text.removeprefix(f"1 {data.lead}, ") for text in rows["lineup"]]
    names = [text.partition(" ")[2] for text in others_of]
    return rows.with_columns(
        pl.Series("others", others_of, dtype=pl.String),
        pl.Series("table", names, dtype=pl.String),
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
    )


def _judged(rows: pl.DataFrame) -> pl.DataFrame:
    words = {"outside": "differs", "within": "", "undecided": "not sure"}
    even = 1 / rows["players"]
    verdicts = judge(rows["estimate"], rows["se"], even, even, share=True)
    texts = [words[verdict] for verdict in verdicts]
    return rows.with_columns(pl.Series("verdict", texts, dtype=pl.String))


def _lineups(shares: pl.DataFrame, columns: tuple[Column, ...]) -> Exhibit:
    return exhibit(
        "strategies-lineups",
        "Win share of every strategy in every lineup",
        "n counts seats: two seats of a strategy in a game count twice.",
        shares,
        (PLAYERS, _LINEUP, STRATEGY, *columns),
    )


def _against(
    data: ReportData, rows: pl.DataFrame, columns: tuple[Column, ...]
) -> Exhibit:
    return exhibit(
        "strategies-lead",
        f"One {data.lead} against a table of each other strategy",
        f"Win share of the one {data.lead}.",
        rows,
        (
            PLAYERS,
            Column("table", "table of", "who sits in all other seats"),
            *columns,
            Column(
                "verdict", "verdict", "from an even share; Holm over the rows, 95 %"
            ),
        ),
        dots("table", _VERSUS_EVEN, "more", by="players", reference=0),
    )


def _mixed(shares: pl.DataFrame, columns: tuple[Column, ...]) -> list[Exhibit]:
    """Return the exhibit of tables of more than two strategies, if there are any."""
    rows = shares.filter(pl.col("kind").is_in(["mixed", "given"]))
    mixed = exhibit(
        "strategies-mixed",
        "Different strategies at one table",
        "The mixed table, or the lineup asked for.",
        rows,
        (PLAYERS, STRATEGY, *columns),
        dots("strategy", _VERSUS_EVEN, "more", by="players", reference=0),
    )
    return [mixed] if rows.height else []


def _findings(
    data: ReportData, against: pl.DataFrame, wins: str
) -> tuple[Finding, ...]:
    """Return findings on whether the leading strategy beats every other one.

    The first is about as many players as the figure.
    """
    counts = sorted({*against["players"]}, key=lambda n: (n != data.players, n))
    return tuple(
        _finding(data, against.filter(players=players), players, wins)
        for players in counts
    )


def _finding(data: ReportData, rows: pl.DataFrame, players: int, wins: str) -> Finding:
    texts = [f"{share(row)} against {row['others']}" for row in rows.to_dicts()]
    better = (rows["verdict"] == "differs").all() and (rows["more"] > 0).all()
    text = (
        f"Strategies, {players} players: one {data.lead} "
        f"{'beats' if better else 'is not shown to beat'} a table of each other "
        f"strategy; it {wins} {join_words(texts)} (even is {percent(1 / players)})."
    )
    n = int(rows["n"][0])
    test = how_tested("from an even share", "tables", rows.height, n)
    return Finding(text, "sure" if better else "open", "strategies", tested=test)

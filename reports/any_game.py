"""The report of a game that declares none: of what every game tells.

Seats, strategies, how games end, how long they are, and, where a game notes a number
of its result on the way, who is ahead when.
"""

from collections.abc import Iterator
from functools import partial

import polars as pl

from reports import course, positions, strategies
from reports.drawing import bars, dots, steps
from reports.formatting import estimated, number, share
from reports.game_report import About, GameReport, Raw, ReportSection, Tables
from reports.measures import Measure
from reports.page import Column, Finding, Section, Style
from reports.report_data import ReportData
from reports.tabled import Number, tabled, worded

QUARTER = Column("quarter", "quarter", "of what the game tells on the way", "count")
RANK = Column("rank", "rank", "1 + seats with a greater number", "count")
LENGTH = Column("length", "decisions", "decisions of all players in a game", "count")

_SHORT = 200  # decisions: distributions of longer games are told in steps
_WHERE = Column("where", "where", "position at the table; who begins is the first")
_POSITIONS = worded("where", "position {}".format, "position")


def report(
    decisions: str, note: str = "", field: str = "", result: str = ""
) -> GameReport:
    """The report of a game.

    ``decisions``: the raw table that counts them. ``note`` has, by seat, a ``field``
    that becomes the number ``result`` of the result; games may have none.
    """
    sections = [
        ReportSection(_positions),
        ReportSection(_length, _LENGTHS, partial(_lengths, decisions)),
    ]
    if note:
        measures = tuple(_standings(result))
        show = partial(_course, result)
        tables = partial(_standing, note, field)
        sections.append(ReportSection(show, measures, tables))
    sections += [ReportSection(_endings), ReportSection(_strategies)]
    return GameReport(
        tuple(sections),
        tuple(dict.fromkeys(filter(None, ("result", decisions, note)))),
        reads=lambda raw, about: (raw, about),
        groups=(QUARTER, RANK, LENGTH),
        games=4_096,
    )


_LENGTHS = (
    Measure(
        "decisions",
        "decisions of all players in a game",
        "per game",
        "decisions",
        pl.col("decisions"),
    ),
    Measure(
        "decisions by kind",
        "decisions of this kind in a game",
        "per game",
        "decisions",
        pl.col("decisions"),
        by=("decision",),
    ),
    Measure(
        "games by decisions",
        "games with so many decisions",
        "share of games",
        "lengths",
        by=("length",),
    ),
)


def _lengths(name: str, read: tuple[Raw, About]) -> Tables:
    """Decisions by game and kind; the length of each game."""
    table = read[0][name]
    step = pl.when(pl.col("all") < _SHORT).then(1).otherwise(_SHORT // 10)
    length = (pl.col("all") // step * step).alias("length")
    lengths = table.group_by("game", maintain_order=True).agg(pl.col("all").first())
    return {"decisions": table, "lengths": lengths.select("game", length)}


def _standings(result: str) -> Iterator[Measure]:
    yield Measure(
        f"{result} by quarter",
        f"{result} of a seat at the end of the quarter",
        "mean",
        "standing",
        pl.col("number"),
        by=("quarter",),
    )
    yield Measure(
        f"winner's {result} by quarter",
        f"{result} of the winner at the end of the quarter",
        "mean",
        "standing",
        pl.col("number"),
        by=("quarter",),
        where=pl.col("won"),
    )
    yield Measure(
        "won by rank",
        "games won by seats of this rank at the end of the quarter",
        "share",
        "standing",
        pl.col("won"),
        by=("quarter", "rank"),
    )


def _standing(note: str, field: str, read: tuple[Raw, About]) -> Tables:
    """A row a quarter of a game and seat: its number, its rank, whether it wins."""
    raw, _ = read
    of_seat = ("game", "seat")
    if "seat" not in raw[note].columns:  # it is told of the game, not of its seats
        types = {"game": pl.UInt64, "seat": pl.UInt8, "won": pl.Boolean}
        numbers = dict.fromkeys(("number", "quarter", "rank"), pl.Int64)
        return {"standing": pl.DataFrame(schema={**types, **numbers})}
    at = pl.int_range(1, pl.len() + 1).over(*of_seat)
    values = raw[note].select(*of_seat, number=pl.col(field).cast(pl.Int64))
    values = values.with_columns(at=at, last=pl.len().over(*of_seat))
    quarter = (4 * pl.col("at") + pl.col("last") - 1) // pl.col("last")
    ends = values.with_columns(quarter=quarter).group_by(
        *of_seat, "quarter", maintain_order=True
    )
    rows = ends.agg(pl.col("number").last())
    more = pl.col("number").rank("min", descending=True).over("game", "quarter")
    winner = pl.col("winner").cast(pl.Int64)
    won = raw["result"].select(*of_seat, won=winner == pl.col("seat").cast(pl.Int64))
    rows = rows.with_columns(rank=more.cast(pl.Int64))
    return {"standing": rows.join(won, on=of_seat, how="left", maintain_order="left")}


def _positions(data: ReportData) -> Section:
    rows = positions.versus_even(data, "won by position", ("position",), _POSITIONS)
    note = "Games that nobody wins alone count for no position."
    return Section(
        "seats",
        "Positions at the table",
        f"With {data.who}.",
        (positions.shares("positions", "Win share by position", note, rows, _WHERE),),
        tuple(
            positions.finding(
                data,
                rows.filter(players=players),
                f"With {players} players the position at the table",
            )
            for players in data.counts
        ),
    )


def _length(data: ReportData) -> Section:
    means = tabled(
        data,
        "length-mean",
        "Decisions in a game",
        "Of all players together.",
        ("players", Number("decisions", "decisions")),
        rows=worded("table", lambda players: f"{players} players", "players"),
        draw=dots("table", "decisions a game"),
    )
    kinds = tabled(
        data,
        "length-kinds",
        "Decisions in a game, by kind",
        "Of all players together.",
        ("players", "decision", Number("decisions by kind", "decisions")),
        rows=worded("table", lambda players: f"{players} players", "players"),
        draw=bars("table", "decisions a game", "decision"),
    )
    count = (pl.col("estimate") * pl.col("n")).round()
    spread = tabled(
        data,
        "length-spread",
        "How long games are",
        f"From {_SHORT} decisions on in steps of {_SHORT // 10}.",
        ("players", "length", Number("games by decisions", "games")),
        rows=lambda rows: rows.with_columns(count=count),
        draw=steps("length", "count", "decisions in a game", "players"),
    )
    texts = [
        f"{number(row, digits=1)} with {row['players']} players"
        for row in data.leading("decisions").rows(named=True)
    ]
    values = ", ".join(texts) or "no data"
    text = f"A game has so many decisions, {data.who}: {values}."
    return Section(
        "length",
        "Length of the game",
        f"With {data.who}. A decision is one choice of one player.",
        (means, kinds, spread),
        (Finding(text, "" if texts else "open", "length"),),
    )


def _course(result: str, data: ReportData) -> Section:
    whose = {"all seats": f"{result} by quarter"}
    whose["winner"] = f"winner's {result} by quarter"
    scores = course.scores(
        data,
        f"{result.capitalize()} on the way",
        "Of all seats, and of the seat that wins in the end.",
        whose,
        QUARTER,
        result,
    )
    ranks = course.ranks(
        data,
        "Who wins, by standing on the way",
        f"Seats of equal {result} share a rank.",
        "won by rank",
        QUARTER,
        RANK.doc,
    )
    half = data.leading("won by rank", players=data.players).filter(quarter=2)
    texts = [
        f"rank {row['rank']} {share(row)}"
        for row in half.drop_nulls("estimate").rows(named=True)
    ]
    text = (
        f"Course, {data.players} players, {data.who}: of the seats by their {result} "
        f"at half-time (rank 1 has most) win {', '.join(texts) or 'no data'}."
    )
    return Section(
        "course",
        "Course of the game",
        f"With {data.who}. A game is cut into four by how often it tells {result}.",
        (scores, ranks),
        (Finding(text, "" if texts else "open", "course"),),
    )


def _endings(data: ReportData) -> Section:
    table = course.decided(data, "endings-decided", "Of all games.", {})
    ends = data.leading("decided", players=data.players)
    texts = [f"{row['by']} {share(row)}" for row in ends.rows(named=True)]
    text = (
        f"Games are decided, {data.players} players, {data.who}: "
        f"{', '.join(texts) or 'no data'}."
    )
    finding = Finding(text, "" if texts else "open", "endings")
    return Section(
        "endings", "How games end", f"With {data.who}.", (table,), (finding,)
    )


def _strategies(data: ReportData) -> Section:
    """Win shares, beside the first number of the result that is by strategy."""
    numbers = [
        measure
        for name, measure in data.measures.items()
        if measure.family == "end" and measure.by == ("strategy",)
        if name != "won by strategy"
    ]
    if not numbers:
        return strategies.section(data)
    first = numbers[0]
    name = first.name.removesuffix(" by strategy")
    style: Style = "share" if first.share else "number"
    last = estimated(name, first.doc, style, "last")
    return strategies.section(data, first.name, last)

"""The report of a game that declares none: what can be counted in every game.

Seats, strategies, how games end and how long they are. If a game declares the number
that its seats are ranked by during play, also who is ahead when.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import polars as pl

from reports import course, own_events, positions, strategy_section
from reports.figure_specs import bars, dots, steps
from reports.game_report import (
    About,
    GameReport,
    Raw,
    ReportSection,
    SectionParts,
    Tables,
)
from reports.measure_tables import MeasureTable, Number
from reports.measures import Measure
from reports.own_events import SeatEvent
from reports.report_data import ReportData
from reports.report_document import Column

QUARTER = Column("quarter", "quarter", "quarter of the game", "count")
RANK = Column("rank", "rank", "1 + seats that are ahead", "count")
LENGTH = Column("length", "decisions", "decisions of all players in a game", "count")

_SHORT = 200  # decisions; longer games are counted in steps


def report(
    decisions: str,
    note: str = "",
    field: str = "",
    number: str = "",
    score: str = "",
    seated: bool = True,
    events: Sequence[SeatEvent] = (),
) -> GameReport:
    """Return the report of a game.

    ``decisions``: the raw table that counts them. ``note`` has, by seat, a ``field``
    that ranks the seats, called ``number``; without one, the report does not say who is
    ahead. ``score`` is the number of the result that ranks players, if there is one.
    ``seated``: the game has positions. ``events`` are told of its players.
    """
    length = ReportSection(
        id="length",
        title="Length of the game",
        question="How long are games, and how much is there to decide?",
        intro="With {who}. A decision is one choice of one player.",
        measures=(*_LENGTHS, *course.OPTIONS),
        tidy=partial(_lengths, decisions),
        counts=course.decision_counts,
        tables=_LENGTH_TABLES,
    )
    sections = [*([_WHERE] if seated else []), length]
    if note:
        own = ReportSection(
            measures=tuple(_standings(number)),
            tidy=partial(_ranks, note, field),
            tables=(partial(_course, number),),
        )
        how = f"Players are ranked by {number} at each report of it, called a round."
        standing = partial(_standing, note, field)
        sections.append(course.section(standing, how, own, with_decisions=False))
    else:
        sections.append(_NO_COURSE)
    sections += [
        *([own_events.section(events, seated)] if events else []),
        ReportSection(
            id="endings",
            title="How games end",
            question="What decides who wins?",
            tables=(course.ways_decided("endings-decided", "Of all games.", {}),),
        ),
        strategy_section.section(
            Number(f"{score} by strategy", score) if score else None
        ),
    ]
    return GameReport(
        tuple(sections),
        tuple(dict.fromkeys(filter(None, ("result", decisions, note)))),
        reads=lambda raw, about: (raw, about),
        groups=(QUARTER, RANK, LENGTH, *own_events.groups(events)),
        games=4_096,
        undecided={"shared": "the best are level and share the win"},
    )


_LENGTHS = (
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
        "games with this many decisions",
        "share of games",
        "lengths",
        by=("length",),
    ),
)


def _lengths(name: str, read: tuple[Raw, About]) -> Tables:
    """Return tables of decisions by game and kind, and of the length of each game."""
    table = read[0][name]
    step = pl.when(pl.col("all") < _SHORT).then(1).otherwise(_SHORT // 10)
    length = (pl.col("all") // step * step).alias("length")
    lengths = table.group_by("game", maintain_order=True).agg(pl.col("all").first())
    return {"decisions": table, "lengths": lengths.select("game", length)}


def _standings(number: str) -> Iterator[Measure]:
    yield Measure(
        f"{number} by quarter",
        f"{number} of a seat at the end of the quarter",
        "mean",
        "standing",
        pl.col("number"),
        by=("quarter",),
    )
    yield Measure(
        f"winner's {number} by quarter",
        f"{number} of the winner at the end of the quarter",
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


def _standing(
    note: str, field: str, read: tuple[Raw, About]
) -> course.Standings | None:
    """Return how seats stand; None if the game's number is not by seat."""
    raw, about = read
    if "seat" not in raw[note].columns:
        return None
    result, players = raw["result"], about["players"]
    games = result.height // players
    game = result["game"].to_numpy()[:games].astype(np.int64)
    values, often = course.from_note(raw[note], field, players, int(game[0]), games)
    ends = result["winner"].to_numpy()[:games], game, 1, often
    return course.Standings.of(about, values, *ends)


def _ranks(note: str, field: str, read: tuple[Raw, About]) -> Tables:
    """Return a row for each game, quarter and seat: number, rank, whether it wins."""
    standing = _standing(note, field, read)
    if standing is None:
        types = {"game": pl.UInt64, "won": pl.Boolean}
        numbers = dict.fromkeys(("number", "quarter", "rank"), pl.Int64)
        return {"standing": pl.DataFrame(schema={**types, **numbers})}
    seats = np.arange(standing.values.shape[1])[:, None]
    won = seats == standing.winner
    parts = []
    for quarter in range(1, 5):
        at = np.maximum(quarter * standing.rounds_played // 4, 1) - 1
        now = np.take_along_axis(standing.values, at[None, None], axis=0)[0]
        rank = 1 + (now[:, None] < now[None]).sum(axis=1)
        columns = {"number": standing.sign * now, "rank": rank, "won": won}
        columns["game"] = np.broadcast_to(standing.game, now.shape)
        part = {name: column.reshape(-1) for name, column in columns.items()}
        parts.append(pl.DataFrame(part).with_columns(quarter=pl.lit(quarter)))
    return {"standing": pl.concat(parts)}


_WHERE = positions.section(
    "", "positions", doc="position at the table; the first player begins"
)
_NO_COURSE = ReportSection(
    id="course",
    title="Course of the game",
    question="Who is ahead when? (The game does not say.)",
    intro="It is not known who leads during the game and who comes back: the game does "
    "not say which number ranks its players during play, or whether the most or the "
    "fewest wins (see standing in docs/adding-a-game.md).",
)
_COUNT = (pl.col("estimate") * pl.col("n")).round()
_LENGTH_TABLES = (
    MeasureTable(
        "length-mean",
        "Decisions in a game",
        "Of all players together.",
        ("players", Number("decisions", "decisions")),
        draw=dots("table", "decisions a game"),
    ),
    MeasureTable(
        "length-kinds",
        "Decisions in a game, by kind",
        "Of all players together.",
        ("players", "decision", Number("decisions by kind", "decisions")),
        draw=bars("table", "decisions a game", "decision"),
    ),
    MeasureTable(
        "length-spread",
        "How long games are",
        f"In steps of {_SHORT // 10} from {_SHORT} decisions on.",
        ("players", "length", Number("games by decisions", "games")),
        rows=lambda rows: rows.with_columns(count=_COUNT),
        draw=steps("length", "count", "decisions in a game", "players"),
    ),
)


def _course(number: str, data: ReportData) -> SectionParts:
    """Yield the numbers during play, and who wins by rank."""
    whose = {"all seats": f"{number} by quarter"}
    whose["winner"] = f"winner's {number} by quarter"
    yield course.scores(
        data,
        f"{number[:1].upper()}{number[1:]} during the game",
        "Of all seats, and of the seat that wins in the end.",
        whose,
        QUARTER,
        number,
        "standing",
    )
    yield course.ranks(
        data,
        "Who wins, by rank during the game",
        f"Seats of equal {number} share a rank.",
        "won by rank",
        QUARTER,
        RANK.doc,
    )

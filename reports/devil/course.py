"""Course of the game: who is ahead, and whether those behind come back.

The least total is ahead.
"""

from reports import course
from reports.devil.formatting import each_count
from reports.devil.standing import counts, standing
from reports.drawing import lines
from reports.formatting import share
from reports.game_report import Parts, ReportSection
from reports.measures import MeasuresOf
from reports.page import Finding
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, overall, sure
from reports.tabled import Number, Table
from reports.verdicts import how_tested

LOST = 0.5
"""A game is open at half-time if the last wins at least this part of an even share."""
_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.share("won by rank", "share of such seats that win the game", by="rank"),
    _ARRAYS.mean("margin", "points between the winner and the second", unit="points"),
)
_ENDS = {
    "points": "least total",
    "shared": "equal least totals: shared",
    "rounds": "equal least totals: rounds won",
    "random": "equal least totals: by lot",
    "guard": "broken off",
}


def shown(data: ReportData) -> Parts:
    """Ranks, margins, and how games are decided."""
    yield Table(
        "course-ranks",
        "Who wins, by standing at half-time",
        "Rank 1 has the fewest points. Seats with equal points share a rank.",
        ("players", "rank", Number("won by rank", "wins")),
        draw=lines("rank", "win share, %", by="players"),
    )
    yield Table(
        "course-margin",
        "The margin at the end",
        "Points between the winner and the second.",
        ("players", Number("margin", "points")),
    )
    note = "When a total has reached the target the least total wins."
    yield course.decided(data, "course-decided", note, _ENDS)
    yield from _findings(data)


def _findings(data: ReportData) -> Parts:
    several = _open(data)
    if not several:
        return
    values = {n: f"{said} ({_SAID[verdict]})" for n, (verdict, said) in several.items()}
    text = (
        f"Games won by who is last at half-time: {each_count(values)}. Open: surely "
        f"more than half an even share; lost: surely less."
    )
    how = how_tested(
        "half an even share", "numbers of players", len(several), data.games
    )
    verdict = overall([verdict for verdict, _ in several.values()])
    yield Finding(text, sure(verdict), tested=how)


def _open(data: ReportData) -> dict[int, tuple[str, str]]:
    """By players: whether the last wins half an even share, and how often he wins.

    One family: the numbers of players.
    """
    rows = data.leading("comeback").drop_nulls("estimate")
    verdicts = judge(
        rows["estimate"], rows["se"], LOST / rows["players"].to_numpy(), 1, share=True
    )
    texts = [share(row) for row in rows.rows(named=True)]
    return dict(zip(rows["players"], zip(verdicts, texts, strict=True), strict=True))


_SAID = {
    "within": "open to the last",
    "outside": "lost to the last",
    "undecided": "undecided whether open or lost",
}


SECTION = course.section(
    standing,
    "Totals are told after every round; the least is ahead.",
    ReportSection(shown, MEASURES, counts=counts, records=("round",)),
    "Comebacks and the course of the game",
)

"""Who is ahead, and whether those behind come back; the lowest total is ahead."""

from reports import course
from reports.devil.labels import each_count
from reports.devil.standings import counts, standing
from reports.figure_specs import lines
from reports.formatting import share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.statistics.equivalence import judge, overall, sureness
from reports.verdicts import how_tested

LOST = 0.5
"""A game is open at half-time if the last wins more than this part of an even share."""
_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.share("won by rank", "share of seats of this rank that win", by="rank"),
    _ARRAYS.mean("margin", "points between the winner and the second", unit="points"),
)
_ENDS = {
    "points": "lowest total",
    "shared": "equal lowest totals: shared",
    "rounds": "equal lowest totals: rounds won",
    "random": "equal lowest totals: by lot",
    "guard": "broken off",
}


def shown(data: ReportData) -> SectionParts:
    """Yield wins by rank, margins, and how games are decided."""
    yield MeasureTable(
        "course-ranks",
        "Who wins, by standing at half-time",
        "Rank 1 has the fewest points. Seats with equal points share a rank.",
        ("players", "rank", Number("won by rank", "wins")),
        draw=lines("rank", "win share, %", by="players"),
    )
    yield MeasureTable(
        "course-margin",
        "The margin at the end",
        "Points between the winner and the second.",
        ("players", Number("margin", "points")),
    )
    note = "When a total has reached the target, the lowest total wins."
    yield course.decided_by(data, "course-decided", note, _ENDS)
    yield from _findings(data)


def _findings(data: ReportData) -> SectionParts:
    shares = _open(data)
    if not shares:
        return
    values = {n: f"{wins} ({_VERDICTS[word]})" for n, (word, wins) in shares.items()}
    text = (
        f"Games won by the player last at half-time: {each_count(values)}. Open: shown "
        "to be more than half an even share; lost: less."
    )
    tested = how_tested(
        "half an even share", "numbers of players", len(shares), data.games
    )
    verdict = overall([verdict for verdict, _ in shares.values()])
    yield Finding(text, sureness(verdict), tested=tested)


def _open(data: ReportData) -> dict[int, tuple[str, str]]:
    """Return by number of players a verdict on the last, and how often they win.

    The verdict is against half an even share; the numbers of players are one family.
    """
    rows = data.leading("comeback").drop_nulls("estimate")
    verdicts = judge(
        rows["estimate"], rows["se"], LOST / rows["players"].to_numpy(), 1, share=True
    )
    texts = [share(row) for row in rows.to_dicts()]
    return dict(zip(rows["players"], zip(verdicts, texts, strict=True), strict=True))


_VERDICTS = {
    "within": "open for the last",
    "outside": "lost for the last",
    "undecided": "undecided whether open or lost",
}


SECTION = course.section(
    standing,
    "Totals are counted after every round; the lowest is ahead.",
    ReportSection(shown, MEASURES, counts=counts, records=("round",)),
    "Comebacks and the course of the game",
)

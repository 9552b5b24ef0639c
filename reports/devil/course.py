"""Course of the game: who is ahead, and whether those behind come back.

The least total is ahead. Games last as many rounds as it takes, so half-time is told
by totals: it is the end of the first round after which some total has reached half of
the target.
"""

import polars as pl

from reports import course
from reports.claims import Claim
from reports.devil.formatting import each_count
from reports.devil.standing import counts
from reports.drawing import lines
from reports.formatting import estimated, number, percent, share
from reports.game_report import Parts, ReportSection, Shown
from reports.measures import MeasuresOf
from reports.page import Column, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, overall, sure
from reports.tabled import Number, Table

LOST = 0.5
"""A game is open at half-time if the last wins at least this part of an even share."""
_SHARES = {
    "comeback": "P(wins | nobody has more points at half-time)",
    "runaway": "P(wins | alone has the fewest points at half-time)",
    "decisiveness": "share of the rounds left when the winner takes the sole lead for "
    "good",
    "half-time": "games in which half-time comes before the last round's end",
}
_ARRAYS = MeasuresOf()
MEASURES = (
    *(_ARRAYS.share(name, meaning) for name, meaning in _SHARES.items()),
    _ARRAYS.share("won by rank", "share of such seats that win the game", by="rank"),
    _ARRAYS.mean("lead changes", "how often another seat alone leads"),
    _ARRAYS.mean("margin", "points between the winner and the second", unit="points"),
)
_ENDS = {
    "points": "least total",
    "shared": "equal least totals: shared",
    "rounds": "equal least totals: rounds won",
    "random": "equal least totals: by lot",
    "guard": "broken off",
}
_FORMULA = (
    "half-time = first round after which max(scores) * 2 >= target. comeback, runaway "
    "= wins of the seats last, alone first at half-time, of such seats. decisiveness = "
    "rounds after the one with which the winner leads alone to the end / rounds, sums "
    "over games won"
)


def section(data: ReportData) -> Shown:
    """Comebacks, leads, and how games are decided."""
    yield Section(
        "course",
        "Comebacks and the course of the game",
        f"With {data.who}. The least total is ahead. Half-time is the end of the "
        "first round after which some total has reached half of the target.",
    )
    shares = {name: data.leading(name) for name in _SHARES}
    title = "Comebacks, runaways and decisiveness"
    yield course.shares(title, _SHARES, shares, _FORMULA)
    yield Table(
        "course-ranks",
        "Who wins, by standing at half-time",
        "Rank 1 has the fewest points. Seats with equal points share a rank.",
        ("players", "rank", Number("won by rank", "wins")),
        draw=lines("rank", "win share, %", by="players"),
    )
    names = ("lead changes", "margin")
    rows = pl.concat([data.leading(n).with_columns(what=pl.lit(n)) for n in names])
    what = Column("what", "what", "what is counted")
    yield Table(
        "course-leads",
        "Changes of the leader, and the margin at the end",
        "Lead changes: how often in a game another seat alone has the fewest points at "
        "the end of a round than the sole leader before; the first leader is none. "
        "Margin: points between the winner and the second.",
        (what, "players", estimated("mean", "mean of a game")),
        rows=rows,
    )
    note = "When a total has reached the target the least total wins."
    yield course.decided(data, "course-decided", note, _ENDS)
    yield from _findings(data)


def _findings(data: ReportData) -> Parts:
    def row(name: str) -> dict[str, float]:
        rows = data.leading(name, players=players).drop_nulls("estimate")
        return rows.row(0, named=True) if rows.height else {}

    players = data.players
    comeback, runaway, decisive = map(row, ("comeback", "runaway", "decisiveness"))
    if not (comeback and decisive and runaway):
        yield Finding("Comeback: no game had a half-time.", "open")
        return
    several = _open(data)
    text = (
        f"Comeback, {players} players, {data.who}: who is last at half-time wins "
        f"{share(comeback)} of such games, who leads alone {share(runaway)} (even: "
        f"{percent(1 / players)}): {_MEANT[several[players][0]]} half an even share; "
        f"the leader changes {number(row('lead changes'))} times a game, and "
        f"{share(decisive)} of the rounds are left when the winner takes the lead for "
        "good."
    )
    tried = Claim(
        "wins of who is last at half-time", "comeback", players, even=1 / players
    )
    yield Finding(text, sure(several[players][0]), claim=tried)
    values = {n: f"{said} ({_SAID[verdict]})" for n, (verdict, said) in several.items()}
    text = (
        f"Games won by who is last at half-time: {each_count(values)}. Open: surely "
        "more than half an even share; lost: surely less."
    )
    yield Finding(text, sure(overall([verdict for verdict, _ in several.values()])))


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


_MEANT = {
    "within": "the last still wins surely more than",
    "outside": "the last wins surely less than",
    "undecided": "it is undecided whether the last wins more than",
}
_SAID = {
    "within": "open to the last",
    "outside": "lost to the last",
    "undecided": "undecided whether open or lost",
}


SECTION = ReportSection(section, MEASURES, counts=counts)

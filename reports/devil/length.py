"""Length of rounds and games: the middle, the 95th percentile, and the tail."""

import polars as pl

from reports.counts import Counts
from reports.devil.formatting import each_count
from reports.devil.grids import LADDER, climbed, ladder
from reports.devil.played import PlayedGames
from reports.drawing import dots, lines
from reports.formatting import PLAYERS, N, Row, estimated, exhibit, number
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import sure

LONG = 3
"""A 95th percentile of more than so many medians is a long tail."""
ROUND, ROUNDS, GAME = "turns of a round", "rounds of a game", "turns of a game"
WHAT = {
    ROUND: "turns in a round",
    ROUNDS: "rounds in a game",
    GAME: "turns in a game",
}
MEASURES = tuple(
    Measure(name, f"share with more {what}", "share", by=("beyond",))
    for name, what in WHAT.items()
)
_STEPS = (20, 40, 60, 80, 100, 150, 200, 300, 400, 500, 1000, 2000, 5000)
QUANTILES = {"median": 0.5, "95th": 0.95, "99th": 0.99}
_FORMULA = (
    "percentile q = least length that a share 1 - q or less exceeds; its interval: the "
    "lengths at which the interval of that share meets 1 - q (Woodruff 1952, J. Am. "
    "Stat. Assoc. 47:635-646)"
)


def counts(played: PlayedGames) -> list[Counts]:
    """How many rounds and games are longer than so much."""
    lengths = {
        ROUND: (played.game, played.rounds.once("turns")),
        ROUNDS: (played.number, played.rounds_of_game),
        GAME: (played.number, played.turns_of_game),
    }
    return [ladder(name, *values) for name, values in lengths.items()]


def section(data: ReportData) -> Section:
    """Percentiles, and shares of long rounds."""
    table = percentiles(data)
    return Section(
        "length",
        "Length of rounds and games",
        f"With {data.who}. A turn is one that is taken: a skipped one does not count. "
        "Rounds last until somebody ends them, so a few are long.",
        (_table(table), _tail(data)),
        _findings(data, table),
    )


def longer(data: ReportData, what: str) -> pl.DataFrame:
    """A row a step of the ladder: the share that is longer than ``beyond``."""
    rows = climbed(data.raw(what).filter(data.leads()))
    return data.together(rows, ("cell", "players", "beyond"), "share")


def percentiles(data: ReportData) -> pl.DataFrame:
    """A row a number of players and what is measured; columns by percentile."""
    rows = []
    for what, words in WHAT.items():
        split = longer(data, what).partition_by("players", as_dict=True)
        for (players,), part in split.items():
            row = {
                "players": players,
                "table": f"{players} players",
                "what": words,
                "n": part["n"][0],
            }
            for name, level in QUANTILES.items():
                row |= _percentile(part, name, 1 - level)
            row["longest"] = int(part["beyond"][-1]) + 1
            rows.append(row)
    schema = {"players": pl.Int64, "table": pl.String, "what": pl.String}
    schema |= {"n": pl.Float64}
    ends = ("", "_low", "_high")
    schema |= {f"{name}{end}": pl.Float64 for name in QUANTILES for end in ends}
    return pl.DataFrame(rows, schema | {"longest": pl.Int64})


def _percentile(part: pl.DataFrame, name: str, share_: float) -> dict[str, float]:
    """The length that this share exceeds, and its interval; of rows by ``beyond``."""
    columns = {name: "estimate", f"{name}_low": "low", f"{name}_high": "high"}
    last = int(part["beyond"][-1])
    after = next((step for step in LADDER.tolist() if step > last), last)
    found = {}
    for key, column in columns.items():
        short = part.filter(pl.col(column) <= share_)["beyond"]
        found[key] = float(short[0] if len(short) else after)
    return found


def _table(table: pl.DataFrame) -> Exhibit:
    names = {"median": "median", "95th": "95th percentile", "99th": "99th percentile"}
    return exhibit(
        "length-percentiles",
        "How long rounds and games last",
        "Lengths above 200 are read off in steps (of 5, from 500 of 20). The longest "
        "is the greatest seen in this run, and grows with the number of games.",
        table,
        (
            Column("what", "what", "what is counted"),
            PLAYERS,
            *(
                estimated(title, f"{title} of the length", name=name)
                for name, title in names.items()
            ),
            Column(
                "longest",
                "longest at least",
                "the longest seen, rounded down to a step",
                "count",
            ),
            N,
        ),
        dots(
            "table",
            "turns in a round: 95th percentile",
            "95th",
            only=pl.col("what") == WHAT[ROUND],
            heading="95th percentile of the turns in a round, by players",
        ),
        _FORMULA,
    )


def _tail(data: ReportData) -> Exhibit:
    rows = longer(data, ROUND)
    shown = rows.filter(pl.col("beyond").is_in(_STEPS))
    return exhibit(
        "length-tail",
        "The tail: how many rounds last longer",
        "Share of the rounds that last longer than so many turns.",
        shown.with_columns(turns="beyond"),
        (
            PLAYERS,
            Column("turns", "longer than", "turns", "count"),
            estimated("rounds", "share of the rounds that last longer", "share"),
            N,
        ),
        lines("turns", "rounds that last longer, %", by="players"),
    )


def _findings(data: ReportData, table: pl.DataFrame) -> tuple[Finding, ...]:
    every = {(row["players"], row["what"]): row for row in table.rows(named=True)}
    players = data.players
    turns, rounds, game = (every.get((players, what)) for what in WHAT.values())
    if turns is None or rounds is None or game is None:
        return (Finding("Length: no round ended.", "open", "length"),)
    verdict = tail(turns)
    text = (
        f"Length, {players} players, {data.who}: half of the rounds last "
        f"{_whole(turns, 'median')} turns or fewer, 95 % of them up to "
        f"{_whole(turns, '95th')}, 99 % up to {_whole(turns, '99th')}; "
        f"{_SAID[verdict]} medians. A game has {_whole(rounds, 'median')} rounds "
        f"({_whole(rounds, '95th')} at the 95th percentile) and "
        f"{_whole(game, 'median')} turns ({_whole(game, '95th')})."
    )
    several = {
        n: f"{every[n, WHAT[ROUND]]['median']:.0f} and "
        f"{every[n, WHAT[ROUND]]['95th']:.0f}, {every[n, WHAT[GAME]]['median']:.0f}"
        for n in data.counts
        if (n, WHAT[ROUND]) in every
    }
    counts = "Length by players, the median and 95th percentile of a round, the median "
    counts += "of a game, in turns: "
    return (
        Finding(text, sure(verdict), "length"),
        Finding(f"{counts}{each_count(several)}.", "", "length"),
    )


def tail(turns: Row) -> str:
    """Whether the 95th percentile is within ``LONG`` medians, by their intervals."""
    if turns["95th_low"] > LONG * turns["median_high"]:
        return "outside"
    short = turns["95th_high"] <= LONG * turns["median_low"]
    return "within" if short else "undecided"


_SAID = {
    "outside": f"the tail is long: the 95th percentile is over {LONG}",
    "within": f"the tail is short: the 95th percentile is at most {LONG}",
    "undecided": f"it is undecided whether the 95th percentile is over {LONG}",
}


def _whole(row: Row, name: str) -> str:
    return number(row, name, digits=0)


SECTION = ReportSection(section, MEASURES, counts=counts)

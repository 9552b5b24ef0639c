"""Length of rounds and games: the middle, the 95th percentile, and the tail."""

import polars as pl

from reports.devil.grids import LADDER, climbed, ladder
from reports.devil.played import Played
from reports.drawing import dots, lines
from reports.found import Found
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import sure
from reports.words import PLAYERS, N, estimated, exhibit, number, share

LONG = 3
"""A 95th percentile of more than so many medians is a long tail."""
WHAT = {
    "turns of a round": "turns in a round",
    "turns of a game": "turns in a game",
    "rounds of a game": "rounds in a game",
}
QUANTILES = {"median": 0.5, "95th": 0.95, "99th": 0.99}
_FORMULA = (
    "percentile q = least length that a share 1 - q or less exceeds; its interval: the "
    "lengths at which the interval of that share meets 1 - q (Woodruff 1952, J. Am. "
    "Stat. Assoc. 47:635-646)"
)


def grids(played: Played) -> list[pl.DataFrame]:
    """How many rounds and games are longer than so much."""
    lengths = {
        "turns of a round": (played.game, played.rounds.once("turns")),
        "turns of a game": (played.number, played.turns_of_game),
        "rounds of a game": (played.number, played.rounds_of_game),
    }
    return [ladder(name, *values) for name, values in lengths.items()]


def section(found: Found) -> Section:
    """Percentiles, and shares of long rounds."""
    table = percentiles(found)
    return Section(
        "length",
        "Length of rounds and games",
        f"With {found.who}. A turn is one that is taken: a skipped one does not count. "
        "Rounds last until somebody ends them, so a few are long.",
        (_table(table), _tail(found)),
        tuple(_finding(found, table, players) for players in found.counts),
    )


def longer(found: Found, what: str) -> pl.DataFrame:
    """A row a step of the ladder: the share that is longer than ``beyond``."""
    rows = climbed(found.raw(what, ("beyond",)).filter(found.leads()))
    return found.together(rows, ("cell", "players", "beyond"), "rate")


def percentiles(found: Found) -> pl.DataFrame:
    """A row a number of players and what is measured; columns by percentile."""
    rows = []
    for what, words in WHAT.items():
        split = longer(found, what).partition_by("players", as_dict=True)
        for (players,), part in split.items():
            row = {"players": players, "what": words, "n": part["n"][0]}
            for name, level in QUANTILES.items():
                row |= _percentile(part, name, 1 - level)
            row["longest"] = int(part["beyond"][-1]) + 1
            rows.append(row)
    schema = {"players": pl.Int64, "what": pl.String, "n": pl.Float64}
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
            Column("longest", "longest", "the longest seen, rounded down to a step",
                   "count"),
            N,
        ),
        dots("players", "turns in a round: 95th percentile", "95th",
             only=pl.col("what") == WHAT["turns of a round"],
             heading="95th percentile of the turns in a round, by players"),
        _FORMULA,
    )  # fmt: skip


def _tail(found: Found) -> Exhibit:
    rows = longer(found, "turns of a round")
    shown = rows.filter(pl.col("beyond") % 20 == 0)
    return exhibit(
        "length-tail",
        "The tail: how many rounds last longer",
        "Share of the rounds that last longer than so many turns.",
        shown.with_columns(
            turns="beyond", table=pl.format("{} players", "players")
        ),
        (
            PLAYERS,
            Column("turns", "longer than", "turns", "count"),
            estimated("rounds", "share of the rounds that last longer", "share"),
            N,
        ),
        lines("turns", "rounds that last longer, %", by="table"),
    )  # fmt: skip


def _finding(found: Found, table: pl.DataFrame, players: int) -> Finding:
    rows = {row["what"]: row for row in table.filter(players=players).to_dicts()}
    turns = rows.get(WHAT["turns of a round"])
    if turns is None:
        return Finding(f"Length, {players} players: no round ended.", "open", "length")
    verdict = "undecided"
    if turns["95th_low"] > LONG * turns["median_high"]:
        verdict = "outside"
    elif turns["95th_high"] <= LONG * turns["median_low"]:
        verdict = "within"
    tail = longer(found, "turns of a round").filter(players=players)
    limit = int(LONG * turns["median"])
    beyond = tail.filter(pl.col("beyond") >= limit).head(1).to_dicts()
    some = (
        f" {share(beyond[0])} last longer than {beyond[0]['beyond']}," if beyond else ""
    )
    rounds, game = rows[WHAT["rounds of a game"]], rows[WHAT["turns of a game"]]
    text = (
        f"Length, {players} players, {found.who}: half of the rounds last "
        f"{_whole(turns, 'median')} turns or fewer, 95 % up to {_whole(turns, '95th')};"
        f"{some} the longest about {turns['longest']}. {_SAID[verdict]}. A game has "
        f"{_whole(rounds, 'median')} rounds ({_whole(rounds, '95th')} at the 95th "
        f"percentile) and {_whole(game, 'median')} turns ({_whole(game, '95th')})."
    )
    return Finding(text, sure(verdict), "length")


_SAID = {
    "outside": f"The tail is long: the 95th percentile is over {LONG} medians",
    "within": f"The tail is short: the 95th percentile is at most {LONG} medians",
    "undecided": f"Whether the 95th percentile is over {LONG} medians is undecided",
}


def _whole(row: dict[str, float], name: str) -> str:
    return number(row, name, digits=0)

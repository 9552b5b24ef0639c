"""Course of the game: who is ahead, whether that changes, and how games end."""

import polars as pl

from reports.drawing import bars, dots, lines, steps
from reports.found import Found
from reports.kunitame.words import WEEK
from reports.measures import Kind, Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.words import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    number,
    percent,
    share,
)

_LEFT = pl.col("steps") - pl.col("settled")
_WON, _WEEKLY = pl.col("won"), ("week",)
MEASURES = [
    Measure("points by week", "weeks", pl.col("points"), by=_WEEKLY),
    Measure("winner's by week", "weeks", pl.col("points"), by=_WEEKLY, where=_WON),
    Measure("lead changes", "games", pl.col("lead_changes")),
    Measure("games by lead changes", "games", pl.lit(1), by=("lead_changes",)),
    Measure("steps left", "games", _LEFT, where=pl.col("winner") >= 0),
    Measure("comeback", "players", _WON, where=pl.col("last_at_half")),
    Measure("runaway", "players", _WON, where=pl.col("sole_at_third")),
    Measure("won by rank", "weeks", _WON, by=("week", "rank")),
    Measure("eliminated", "players", pl.col("out")),
    Measure("all eliminated", "games", pl.col("all_out")),
]
_ENDS = {
    "points": "points",
    "lives": "Life gems",
    "draw": "card drawn",
    "none": "nobody",
}
_SHARES = {
    "decisiveness": "share of the game left when the winner takes the sole lead for "
    "good; 0 where a tie or an elimination decided",
    "comeback": "P(wins | nobody had fewer points at half-time)",
    "runaway": "P(wins | sole leader after a third of the game)",
    "eliminated": "seats that are eliminated",
    "all eliminated": "games in which everyone is eliminated",
}
_FORMULA = (
    "steps = weeks * (rounds + 1): every trick, and every liquidation. decisiveness = "
    "mean over games won of (steps - first step of the winner's last sole lead) / "
    "steps. comeback = wins of seats last after steps / 2, of such seats. runaway = "
    "wins of sole leaders after steps / 3, of such seats"
)


def section(found: Found) -> Section:
    """Scores, leads, comebacks, ties and eliminations."""
    return Section(
        "course",
        "Course of the game",
        f"With {found.who}. Points are counted after every trick and liquidation.",
        (_shares(found), _points(found), _ranks(found), _changes(found), _ends(found)),
        _findings(found),
    )


def _share(found: Found, name: str) -> pl.DataFrame:
    """One of ``_SHARES``, by number of players."""
    if name != "decisiveness":
        return found.leading(name, "rate")
    steps_of_game = found.rules["weeks"] * (found.rules["rounds"] + 1)
    return found.leading("steps left").with_columns(
        pl.col("estimate", "low", "high", "se") / steps_of_game
    )


def _shares(found: Found) -> Exhibit:
    parts = [_share(found, name).with_columns(what=pl.lit(name)) for name in _SHARES]
    rows = pl.concat(parts)
    standing = [what in {"comeback", "runaway"} for what in rows["what"]]
    even = [
        percent(1 / players) if counts else ""
        for players, counts in zip(rows["players"], standing, strict=True)
    ]
    return exhibit(
        "course-shares",
        "Decisiveness, comebacks, runaways and eliminations",
        "; ".join(f"{name}: {meaning}" for name, meaning in _SHARES.items()) + ".",
        rows.with_columns(pl.Series("even", even, dtype=pl.String)),
        (
            Column("what", "what", "name of the share"),
            PLAYERS,
            estimated("share", "see above what of", "share"),
            Column("even", "even", "1/n: the share if standing meant nothing"),
            N,
        ),
        dots("what", "share, %", by="players"),
        _FORMULA,
    )


def _points(found: Found) -> Exhibit:
    whose = {"all seats": "points by week", "winner": "winner's by week"}
    rows = pl.concat(
        [
            found.leading(name, "mean", _WEEKLY).with_columns(whose=pl.lit(words))
            for words, name in whose.items()
        ]
    )
    return exhibit(
        "course-points",
        "Points at the end of each week",
        "Of all seats, and of the seat that wins in the end.",
        rows.with_columns(who=pl.format("{}, {} players", "whose", "players")),
        (
            Column("who", "who", "all seats, or the winners"),
            WEEK,
            estimated("points", "mean points of a seat"),
            N,
        ),
        lines("week", "points", by="who"),
    )


def _ranks(found: Found) -> Exhibit:
    by = ("week", "rank")
    rows = found.leading("won by rank", "rate", by, players=found.players)
    return exhibit(
        "course-ranks",
        "Who wins, by standing at the end of each week",
        f"{found.players} players. Seats of equal points share a rank.",
        rows.with_columns(standing=pl.format("rank {}", "rank")).sort("rank", "week"),
        (
            WEEK,
            Column("rank", "rank", "1 + seats with more points", "count"),
            estimated("wins", "share of such seats that win the game", "share"),
            N,
        ),
        lines("week", "win share, %", by="standing", reference=1 / found.players),
    )


def _changes(found: Found) -> Exhibit:
    rows = found.of_games(
        "games by lead changes", ("lead_changes",), only=found.leads()
    )
    rows = rows.with_columns(count=(pl.col("estimate") * pl.col("n")).round())
    means = [
        f"{row['players']} players {number(row)}"
        for row in found.leading("lead changes").rows(named=True)
    ]
    return exhibit(
        "course-changes",
        "Changes of the leader in a game",
        "A change is counted when another seat becomes sole leader; the first leader "
        f"is none. Means: {'; '.join(means)}.",
        rows,
        (
            PLAYERS,
            Column("lead_changes", "changes", "changes of the sole leader", "count"),
            estimated("games", "share of games with so many", "share"),
            N,
        ),
        steps("lead_changes", "count", "changes of the leader", "players"),
    )


def _ends(found: Found) -> Exhibit:
    rows = found.of_games("decided", ("by",), only=found.leads())
    words = [_ENDS.get(by, by) for by in rows["by"]]
    table = pl.format("{} players", "players")
    rows = rows.with_columns(pl.Series("how", words, dtype=pl.String), table=table)
    spread = found.spread("decided", "per_game", ("by",), percent=True)
    return exhibit(
        "course-ends",
        "How games are decided",
        "Ties on points go to the seat with more Life gems, then to the highest card "
        "drawn.",
        joined(rows, spread, ("players", "by")).sort(
            pl.col("by").replace_strict(list(_ENDS), [1, 2, 3, 4], default=5), "players"
        ),
        (
            Column("how", "how", "what decided"),
            PLAYERS,
            estimated("games", "share of games", "share"),
            LINEUPS,
            N,
        ),
        bars("table", "share of games, %", "how"),
    )


def _findings(found: Found) -> tuple[Finding, ...]:
    players = found.players
    head = f"{players} players, {found.who}"

    def told(rows: pl.DataFrame, kind: Kind = "rate") -> str:
        rows = rows.filter(players=players)
        if rows.is_empty():
            return "no data"
        return (share if kind == "rate" else number)(rows.row(0, named=True))

    ends = found.of_games("decided", ("by",), only=found.leads(players))
    by = {row["by"]: share(row) for row in ends.rows(named=True)}
    if not by:
        return (Finding("Course: no data.", "open", "course"),)
    lead = (
        f"Course, {head}: the leader changes "
        f"{told(found.leading('lead changes'), 'mean')} times a game; the sole leader "
        f"after a third of it wins {told(_share(found, 'runaway'))}, who is last at "
        f"half-time {told(_share(found, 'comeback'))} (even: {percent(1 / players)}); "
        f"{told(_share(found, 'decisiveness'))} of the game is left when the winner "
        "takes the lead for good."
    )
    end = (
        f"Endings, {head}: Life gems break a tie in {by.get('lives', '0 %')} of the "
        f"games, a card drawn in {by.get('draw', '0 %')}; nobody wins "
        f"{by.get('none', '0 %')}; {told(_share(found, 'eliminated'))} of the seats "
        "are eliminated."
    )
    return tuple(Finding(text, "sure", "course") for text in (lead, end))

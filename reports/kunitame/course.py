"""Course of the game: who is ahead, whether that changes, and how games end."""

import polars as pl

from reports.kunitame.found import Found
from reports.kunitame.words import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    number,
    percent,
    share,
)
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section

_DECIDED = pl.col("winner") >= 0
MEASURES = [
    Measure("points by week", "weeks", pl.col("points"), by=("week",)),
    Measure("winner's points by week", "weeks", pl.col("points"), by=("week",), where=pl.col("won")),
    Measure("lead changes", "games", pl.col("lead_changes")),
    Measure("games by lead changes", "games", pl.lit(1), by=("lead_changes",)),
    Measure("left", "games", pl.col("steps") - pl.col("settled"), pl.col("steps"), where=_DECIDED),
    Measure("comeback", "players", pl.col("won"), where=pl.col("last_at_half")),
    Measure("runaway", "players", pl.col("won"), where=pl.col("sole_at_third")),
    Measure("won by rank", "weeks", pl.col("won"), by=("week", "rank")),
    Measure("eliminated", "players", pl.col("out")),
    Measure("all eliminated", "games", pl.col("all_out")),
    Measure("games by eliminated", "games", pl.lit(1), by=("out",)),
]  # fmt: skip
_ENDS = {
    "points": "most points",
    "lives": "tie on points, more Life gems",
    "draw": "tie on both, a card drawn",
    "none": "nobody wins",
}
_WHAT = {
    "lead changes": "changes of the sole leader in a game; the first leader is none",
    "left": "share of the steps left when the winner takes the sole lead for good "
    "(0 where a tie or an elimination decided)",
    "comeback": "P(wins | nobody had fewer points at half-time)",
    "runaway": "P(wins | sole leader after a third of the steps)",
    "eliminated": "share of the seats that are eliminated",
    "all eliminated": "share of the games in which everyone is eliminated",
}
_FORMULA = (
    "steps = weeks * (rounds + 1): every trick, and every liquidation. decisiveness = "
    "mean over games won of (steps - first step of the winner's last sole lead) / "
    "steps; comeback = wins of seats last at half-time / such seats; runaway = wins of "
    "sole leaders after a third of the steps / such seats, less 1/n"
)


def section(found: Found) -> Section:
    """Scores, leads, comebacks, ties and eliminations."""
    return Section(
        "course",
        "Course of the game",
        f"Lineup: {found.lead}. Points are counted after every trick and liquidation.",
        (_summary(found), _points(found), _ranks(found), _changes(found), _ends(found)),
        _findings(found),
    )


def _summary(found: Found) -> Exhibit:
    names = {"left": "decisiveness"}
    parts = [
        found.leading(name, "rate" if name != "lead changes" else "mean").with_columns(
            what=pl.lit(names.get(name, name)), meaning=pl.lit(meaning)
        )
        for name, meaning in _WHAT.items()
    ]
    parts.append(
        parts[3].with_columns(
            pl.col("estimate", "low", "high") - 1 / pl.col("players"),
            what=pl.lit("runaway less 1/n"),
            meaning=pl.lit("the same, less an even share"),
        )
    )
    rows = pl.concat(parts)
    return exhibit(
        "course-summary",
        "Leads, comebacks and eliminations",
        "Shares from 0 to 1.",
        rows,
        (
            Column("what", "what", "measure"),
            PLAYERS,
            estimated("value", "estimate"),
            Column("meaning", "meaning", "what it says"),
            N,
        ),
        None,
        _FORMULA,
    )


def _points(found: Found) -> Exhibit:
    everyone = found.leading("points by week", "mean", ("week",))
    winners = found.leading("winner's points by week", "mean", ("week",))
    rows = pl.concat(
        [
            everyone.with_columns(whose=pl.lit("all seats")),
            winners.with_columns(whose=pl.lit("winner")),
        ]
    )
    return exhibit(
        "course-points",
        "Points at the end of each week",
        "Of all seats, and of the seat that wins in the end.",
        rows.with_columns(
            who=pl.format("{}, {} players", pl.col("whose"), pl.col("players"))
        ),
        (
            Column("who", "who", "all seats, or the winners"),
            Column("week", "week", "election week", "count"),
            estimated("points", "mean points of a seat"),
            N,
        ),
        lambda figures, table: figures.lines(
            table, "week", "estimate", "low", "high", by="who",
            title="Points at the end of each week", ylabel="points",
        ),
    )  # fmt: skip


def _ranks(found: Found) -> Exhibit:
    by = ("week", "rank")
    rows = found.leading("won by rank", "rate", by, players=found.players)
    rows = rows.with_columns(standing=pl.format("rank {}", pl.col("rank")))
    return exhibit(
        "course-ranks",
        "Who wins, by standing at the end of each week",
        f"{found.players} players. Rank: 1 + seats with more points; seats of equal points "
        "share one.",
        rows,
        (
            Column("week", "week", "election week", "count"),
            Column("rank", "rank", "1 is most points", "count"),
            estimated("wins", "share of such seats that win the game", "share"),
            N,
        ),
        lambda figures, table: figures.lines(
            table, "week", "estimate", "low", "high", by="standing",
            title="Who wins, by standing at the end of each week", ylabel="win share, %",
            reference=1 / found.players,
        ),
    )  # fmt: skip


def _changes(found: Found) -> Exhibit:
    rows = found.leading("games by lead changes", "per_game", ("lead_changes",))
    rows = rows.with_columns(count=(pl.col("estimate") * pl.col("n")).round())
    return exhibit(
        "course-changes",
        "Changes of the leader in a game",
        "A change is counted when another seat becomes sole leader.",
        rows,
        (
            PLAYERS,
            Column("lead_changes", "changes", "changes of the sole leader", "count"),
            estimated("games", "share of games with so many", "share"),
            Column("n", "n", "games", "count"),
        ),
        lambda figures, table: figures.steps(
            table, "lead_changes", "count", by="players",
            title="Changes of the leader in a game", xlabel="changes",
        ),
    )  # fmt: skip


def _ends(found: Found) -> Exhibit:
    rows = found.leading("decided", "per_game", ("by",))
    words = [_ENDS.get(by, by) for by in rows["by"]]
    rows = rows.with_columns(
        pl.Series("how", words, dtype=pl.String),
        at=pl.format("{} players", pl.col("players")),
    )
    spread = found.spread("decided", "per_game", ("by",), 100)
    rows = rows.join(spread, on=["players", "by"], how="left", maintain_order="left")
    return exhibit(
        "course-ends",
        "How games are decided",
        "Ties on points go to the seat with more Life gems, then to the highest card drawn.",
        rows,
        (
            PLAYERS,
            Column("how", "how", "what decided"),
            estimated("games", "share of games", "share"),
            LINEUPS,
            N,
        ),
        lambda figures, table: figures.bars(
            table, "at", "estimate", by="how",
            title="How games are decided", xlabel="share of games, %",
        ),
    )  # fmt: skip


def _findings(found: Found) -> tuple[Finding, ...]:
    players = found.players

    def of(name: str) -> str:
        kind = "mean" if name == "lead changes" else "rate"
        rows = found.leading(name, kind, players=players)  # type: ignore[arg-type]
        told = number if kind == "mean" else share
        return told(rows.row(0, named=True)) if rows.height else "no data"

    ends = found.leading("decided", "per_game", ("by",), players=players)
    rest = {row["by"]: share(row) for row in ends.iter_rows(named=True)}
    head = f"{players} players (lineup {found.lead})"
    return (
        Finding(
            f"Course, {head}: the leader changes {of('lead changes')} times a game; who "
            f"leads alone after a third of it wins {of('runaway')}, who is last at "
            f"half-time {of('comeback')} (even: {percent(1 / players)}); {of('left')} of "
            "the game is left when the winner takes the lead for good.",
            "sure",
            "course",
        ),
        Finding(
            f"Endings, {head}: decided by Life gems {rest.get('lives', '0 %')}, by a card "
            f"drawn {rest.get('draw', '0 %')}; nobody wins {rest.get('none', '0 %')}; "
            f"{of('eliminated')} of the seats are eliminated.",
            "sure",
            "course",
        ),
    )

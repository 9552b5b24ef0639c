"""Contracts: how often each is taken and kept, what it brings and what it costs."""

import polars as pl

from reports.kunitame import worth
from reports.kunitame.found import Found
from reports.kunitame.words import N, estimated, exhibit, share
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section

_ALL = ("strategy", "week", "target", "stake")
_POOLED = ("strategy", "target", "stake")
MEASURES = [
    Measure("contracts", "contracts", pl.lit(1), by=_ALL),
    Measure("made", "contracts", pl.col("made"), by=_ALL),
    Measure("made in all", "contracts", pl.col("made"), by=_POOLED),
    Measure("made by strategy", "contracts", pl.col("made"), by=("strategy",)),
    Measure("lost", "contracts", pl.col("lost"), by=_ALL),
    Measure("out", "contracts", pl.col("out"), by=_ALL),
    Measure("staking", "weeks", pl.col("staked") > 0, by=("strategy", "week")),
    Measure("staked", "weeks", pl.col("staked"), by=("strategy", "week")),
]
_STRATEGY = Column("strategy", "strategy", "whose contract it is")
_WEEK = Column("week", "week", "election week", "count")
_TARGET = Column("target", "target", "tricks to win, exactly", "count")
_STAKE = Column("stake", "stake", "Life gems on it", "count")


def section(found: Found) -> Section:
    """Taken, made, lost; and what they are worth on the same deals."""
    return Section(
        "contracts",
        "Contracts",
        "A contract is a stake of Life gems on winning exactly so many tricks; every gem "
        "brings a Devil card. Strategies at a table of their own kind, "
        f"{found.players} players.",
        (_staking(found), _made(found), _taken(found), *worth.exhibits(found)),
        (*_findings(found), *worth.findings(found)),
    )


def _alone(found: Found) -> pl.Expr:
    """Tables at which everybody plays the same strategy, or the lineup asked for."""
    kinds = pl.col("kind").is_in(["self", "given"])
    return kinds & (pl.col("players") == found.players)


def _staking(found: Found) -> Exhibit:
    by = ("strategy", "week")
    rows = found.of("staking", "rate", by, only=_alone(found))
    gems = found.of("staked", "mean", by, only=_alone(found)).select(
        "cell", *by, gems="estimate", gems_low="low", gems_high="high"
    )
    rows = rows.join(gems, on=["cell", *by], how="left", maintain_order="left")
    rows = rows.filter(pl.col("estimate") > 0)
    return exhibit(
        "contracts-staking",
        "How often a seat makes a contract, by week",
        "Strategies that never do are left out.",
        rows,
        (
            _STRATEGY,
            _WEEK,
            estimated("with a contract", "share of the seats that stake a gem", "share"),
            estimated("gems", "mean gems that a seat stakes", name="gems"),
            N,
        ),
        lambda figures, table: figures.lines(
            table, "week", "estimate", "low", "high", by="strategy",
            title="Seats with a contract, by week", ylabel="share of seats, %",
        ),
    )  # fmt: skip


def _made(found: Found) -> Exhibit:
    rows = found.of("made in all", "rate", _POOLED, only=_alone(found))
    rows = rows.with_columns(
        contract=pl.format("exactly {}, {} at stake", pl.col("target"), pl.col("stake"))
    ).sort("target", "stake", "strategy")
    return exhibit(
        "contracts-made",
        "How often contracts are made, all weeks together",
        "Wilson's interval, widened for contracts of one game that go together.",
        rows,
        (
            _STRATEGY,
            _TARGET,
            _STAKE,
            estimated("made", "share of the contracts that are kept", "share"),
            N,
        ),
        lambda figures, table: figures.dots(
            table, "contract", "estimate", "low", "high", by="strategy",
            title="Contracts made, all weeks together", xlabel="share made, %",
        ),
    )  # fmt: skip


def _taken(found: Found) -> Exhibit:
    """Every week, target and stake."""
    only = _alone(found)
    rows = found.of("made", "rate", _ALL, only=only)
    on = ["cell", *_ALL]
    for measure, kind in (("lost", "mean"), ("out", "rate"), ("contracts", "per_game")):
        part = found.of(measure, kind, _ALL, only=only)  # type: ignore[arg-type]
        names = {"estimate": measure, "low": f"{measure}_low", "high": f"{measure}_high"}
        part = part.select(*on, *(pl.col(old).alias(new) for old, new in names.items()))
        rows = rows.join(part, on=on, how="left", maintain_order="left")
    seats = found.of("seats of strategy", "per_game", ("strategy",)).select(
        "cell", "strategy", seats="estimate"
    )
    rows = rows.join(seats, on=["cell", "strategy"], how="left", maintain_order="left")
    ends = ("contracts", "contracts_low", "contracts_high")
    rows = rows.with_columns(pl.col(ends) / pl.col("seats"))
    return exhibit(
        "contracts-weeks",
        "Every contract by week",
        "Taken: of the seats in that week. Eliminated: the seat has no Life gem left.",
        rows,
        (
            _STRATEGY,
            _WEEK,
            _TARGET,
            _STAKE,
            estimated("taken", "share of the seats that take it", "share", "contracts"),
            estimated("made", "share of the contracts that are kept", "share"),
            estimated("lost", "Life gems lost on it, mean", name="lost"),
            estimated("eliminated", "share of these seats eliminated", "share", "out"),
            N,
        ),
    )


def _findings(found: Found) -> tuple[Finding, ...]:
    rows = found.of("made by strategy", "rate", ("strategy",), only=_alone(found))
    if rows.is_empty():
        return (Finding("Contracts: no data, nobody made one.", "open", "contracts"),)
    rows = rows.sort("estimate", descending=True)
    texts = [
        f"{row['strategy']} makes {share(row)} of its contracts"
        for row in rows.iter_rows(named=True)
    ]
    text = f"Contracts, {found.players} players: {'; '.join(texts)}."
    return (Finding(text, "sure", "contracts"),)

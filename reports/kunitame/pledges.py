"""Pledges: what each square pays, how it is used, and what it is worth."""

from collections.abc import Iterator

from reports.counts import Counts
from reports.figure_specs import dots, heat
from reports.formatting import LINEUPS
from reports.game_report import ReportSection, SectionParts
from reports.kunitame import claim_counterfactuals, contracts, square_counts
from reports.kunitame.game_arrays import KunitameArrays
from reports.measure_tables import MeasureTable, Number, here
from reports.pledges import pledge_parts
from reports.positions import with_position_words
from reports.report_data import ReportData
from reports.report_document import Column


def _counts(played: KunitameArrays) -> Iterator[Counts]:
    bits, uses = played.masks("square"), square_counts.square_uses(played)
    yield from square_counts.counts(uses, [*bits])
    yield from claim_counterfactuals.taken_together(played, uses["claims"], bits)


def _numbers(by: str, more: tuple[str, ...] = ()) -> tuple[Number, ...]:
    """Return the columns on the use of a square; points come first."""
    names = ("met", "open", "claimed", "contested", "returned", *more)
    others = (Number(f"{name} by square{by}", name, name=name) for name in names)
    return Number(f"paid by square{by}", "points"), *others


def _worth(data: ReportData) -> SectionParts:
    """Yield what a square is worth, on the same deals without it."""
    return pledge_parts(claim_counterfactuals.SQUARES, data, "paid by square")


SECTION = ReportSection(
    id="pledges",
    title="Pledges",
    question="What does each square pay, and what is it worth?",
    intro="With {who}, {players} players unless stated otherwise. Squares are tested "
    "on every trick, or on a seat's tricks at liquidation; a square is met if its "
    "condition holds. Who meets an open square may claim its gem, or another one.",
    measures=(*square_counts.MEASURES, *claim_counterfactuals.SQUARES.measures),
    tidy=claim_counterfactuals.tables,
    counts=_counts,
    records=("deal", "gem", "liquidation", "trick"),
    what_ifs=(contracts.WHAT_IFS,),
    tables=(
        MeasureTable(
            "pledges-points",
            "Points won from each square in a game, and how it is used",
            "All seats together. Returned 3-point gems may lie on 1-point squares.",
            ("players", "square", *_numbers("", ("worth",)), LINEUPS),
            draw=dots("square", "points a game", by="players"),
            sort=("square", "players"),
        ),
        MeasureTable(
            "pledges-week",
            "Points from each square in a game, and how it is used, by week",
            "All seats together. Hardly any gem is won from a dead square.",
            ("square", "week", *_numbers(" and week")),
            only=here,
            draw=heat("week", "square", "points a game"),
        ),
        MeasureTable(
            "pledges-place",
            "Points from each square in a game, and how it is used, by position",
            "The seat that has this position in a week; the dealer is the first.",
            (
                "square",
                Column("where", "where", "position in the week"),
                *_numbers(" and position"),
            ),
            only=here,
            rows=with_position_words("dealer"),
            draw=heat("where", "square", "points a game"),
        ),
        _worth,
    ),
)

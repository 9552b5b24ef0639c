"""Whether an economy is stable: the stock, and the income."""

from dataclasses import dataclass

from reports.formatting import Row, join_words, number
from reports.game_report import SectionParts
from reports.ledger.ledger import Ledger
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.statistics.equivalence import judge, label
from reports.verdicts import how_tested

INCOME = 1.0
"""A stock is stable if it grows or shrinks by less than the income of one round."""
TIMES = 2.0
"""Income is stable if, at the end, it is from half to twice that at the start."""


@dataclass(frozen=True)
class _Trend:
    """A measure of whether an economy is stable, and the words for going beyond."""

    measure: str
    words: str
    least: float
    most: float
    more: str
    fewer: str

    def side(self, row: Row) -> str:
        """Return the words for the bound that a row is beyond."""
        return self.more if row["estimate"] > self.most else self.fewer


_TRENDS = (
    _Trend(
        "growth",
        "{value} times a {time}'s income more is held at the end than after the first "
        f"(stable: less than {INCOME:g} up or down)",
        -INCOME,
        INCOME,
        "piles up",
        "runs down",
    ),
    _Trend(
        "inflation",
        "the last {time} brings {value} times what the first one does "
        f"(stable: {1 / TIMES:g} to {TIMES:g})",
        1 / TIMES,
        TIMES,
        "income grows",
        "income dries up",
    ),
)


def stability(ledger: Ledger, data: ReportData) -> SectionParts:
    """Yield a finding on whether stock and income are stable, if there are any."""
    known = [
        (trend, row)
        for trend in _TRENDS
        for row in data.leading(
            ledger.measure_name(trend.measure), players=data.players
        ).to_dicts()
        if row["se"] is not None
    ]
    if not known:
        return
    verdicts = judge(
        [row["estimate"] for _, row in known],
        [row["se"] for _, row in known],
        [trend.least for trend, _ in known],
        [trend.most for trend, _ in known],
    )
    beyond = [
        trend.side(row)
        for (trend, row), verdict in zip(known, verdicts, strict=True)
        if verdict == "outside"
    ]
    what = "a stable economy" if {*verdicts} == {"within"} else "undecided"
    if beyond:
        runs = {trend.more for trend in _TRENDS}.intersection(beyond)
        what = ("a runaway economy, it " if runs else "") + join_words(beyond)
    parts = [
        trend.words.format(value=number(row), time=ledger.time) for trend, row in known
    ]
    yield Finding(
        f"{ledger.title}, {data.players} players, {data.who}: {what}: "
        f"{'; '.join(parts)}.",
        label(verdicts),
        tested=how_tested(
            "the bounds named", "numbers", len(known), known[0][1]["n"], "counts"
        ),
    )

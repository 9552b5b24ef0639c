"""Numbers shown to differ between the leading strategy and another."""

from collections.abc import Callable

import polars as pl

from reports.formatting import Row, bounds_of, join_words, points, se_of, subtract
from reports.game_report import SectionParts
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import judge, label
from reports.verdicts import how_tested

_LEAD = "lead"
_IN_FINDING = 6  # differences; the rest is counted


def strategy_differences(
    rows: pl.DataFrame,
    key: str,
    data: ReportData,
    tolerance: float,
    head: str,
    name: str = "estimate",
    words: Callable[[Row, str], str] = points,
) -> SectionParts:
    """Yield a finding: numbers ``name`` shown to differ by over ``tolerance``.

    rows: a row for each strategy and ``key``. Errors are combined as if the games were
    independent, which is conservative if they share deals. No finding without others.
    """
    names, leading = ((n, *bounds_of(n), se_of(n)) for n in (name, _LEAD))
    columns = dict(zip(names, leading, strict=True))
    lead = rows.filter(strategy=data.lead).select(key, *columns).rename(columns)
    other = rows.filter(pl.col("strategy") != data.lead).join(lead, on=key)
    both = subtract(other, name, _LEAD, "apart").drop_nulls("apart_se")
    if both.is_empty():
        return
    n = f"{name}_n" if f"{name}_n" in both.columns else "n"
    verdicts = judge(both["apart"], both["apart_se"], -tolerance, tolerance)
    both = simultaneous_intervals(simultaneous_intervals(both, name), _LEAD)
    sure = both.filter(pl.Series(verdicts, dtype=pl.String) == "outside")
    sure = sure.sort(pl.col("apart").abs(), descending=True, maintain_order=True)
    texts = [
        f"{row[key]} ({words(row, _LEAD)} to {data.lead}, {words(row, name)} to "
        f"{row['strategy']})"
        for row in sure.head(_IN_FINDING).to_dicts()
    ]
    more = sure.height - len(texts)
    differ = (
        join_words([*texts, *([f"{more} more"] if more else [])]) or "none is shown"
    )
    yield Finding(
        f"{head}, differences between strategies: {differ} (undecided: "
        f"{verdicts.count('undecided')} of {len(verdicts)} numbers).",
        label(verdicts),
        tested=how_tested(f"{tolerance:g}", "numbers", len(verdicts), min(both[n])),
    )

"""Decisions tried with every option, by hand: worth, risk and regret."""

from dataclasses import replace

import polars as pl
import pytest

from reports.counterfactuals import (
    COUNTERFACTUAL_GROUPS,
    COUNTERFACTUAL_SCHEMA,
    Counterfactual,
    counterfactual_parts,
)
from reports.counterfactuals.estimates import CounterfactualEstimates
from reports.formatting import GROUPS
from reports.report_data import CELL, ReportData
from reports.report_document import Column
from reports.table_counts import count_rows

TOY = Counterfactual("bet", "bets", "week", "none", per_hand=2, eliminates=True)
WEEK = Column("week", "week", "week", "count")


def found(rows, of=TOY):
    """What a report finds of these rows."""
    schema = {**COUNTERFACTUAL_SCHEMA, "week": pl.Int64()}
    table = of.rows(pl.DataFrame(rows, schema))
    sums = [
        count_rows(one, table).sums().with_columns(measure=pl.lit(one.name), cell=0)
        for one in of.measures
    ]
    cells = pl.DataFrame([[0, "toy", "self", 4, "", 0, ""]], schema=CELL, orient="row")
    names = {one.name: one for one in of.measures}
    groups = {one.name: one for one in (*GROUPS, *COUNTERFACTUAL_GROUPS, WEEK)}
    every = pl.concat(sums, how="diagonal_relaxed")
    return ReportData(every, cells, 10_000, {}, "toy", names, groups)


def decisions(outcomes, many, hands=1, chosen="none"):
    """So many decisions; outcomes(number, hand): option -> (made, points, won)."""
    for game in range(many):
        hand = game // 10 % hands
        for option, (made, points, won) in outcomes(game, hand).items():
            where = {"game": game, "decision": game, "week": 1}
            chose = {"strategy": "toy", "option": option, "chosen": option == chosen}
            ends = {"made": made, "points": points, "won": won, "out": False}
            yield {**where, **chose, **ends, "hand": hand, "came": hand}


def toy(game, _):
    """Of ten: even wins 5 without; made 6 times: +2 points, and wins; else loses."""
    made = game % 10 < 6
    return {
        "none": (None, 10, game % 2 == 0),
        "even": (made, 12 if made else 7, made),
        "trap": (False, 6, False),
        "lunch": (True, 11, game % 10 != 9),
    }


@pytest.fixture(scope="module")
def of_toy():
    return found(list(decisions(toy, 4000, hands=2)))


def test_a_contract_of_known_odds(of_toy):
    row = (
        CounterfactualEstimates(TOY, of_toy)
        .risk()
        .filter(option="even")
        .row(0, named=True)
    )
    assert (row["taken"], row["made"], row["worth_n"]) == (0, 0.6, 4000)
    assert row["worth"] == pytest.approx(0.1)  # wins 6 of 10, without it 5
    assert row["points"] == pytest.approx(0.6 * 2 - 0.4 * 3)
    assert row["sd"] == pytest.approx((0.6 * 4 + 0.4 * 9) ** 0.5)
    assert row["cvar"] == -3
    # of games 0 to 5 three are won without it, of 6 to 9 two
    kept, broken = 3 / 6, -2 / 4
    assert row["even"] == pytest.approx(-broken / (kept - broken))
    assert row["even_points"] == pytest.approx(3 / (2 + 3))  # +2 or -3 points, always
    assert row["made_low"] < 0.6 < row["made_high"]


def test_regret_is_what_another_rule_would_have_won():
    """``a`` wins with hand 0, ``b`` with hand 1; who always takes ``a`` wins half."""

    def outcomes(_, hand):
        right = "ab"[hand]
        names = ("none", "a", "b")
        return {name: (None, int(name == right), name == right) for name in names}

    data = found(list(decisions(outcomes, 4000, hands=2, chosen="a")))
    rows = CounterfactualEstimates(TOY, data).regret()
    whole, first, second = rows.sort("band").rows(named=True)
    assert (whole["worth"], whole["chosen"], whole["lost"]) == (1, 0.5, 0.5)
    assert (first["option"], first["lost"]) == ("a", 0)
    assert (second["option"], second["lost"]) == ("b", 1)


def test_without_none_each_is_compared_with_the_others():
    """A gem of 2, one of 1 and one of 0: worth 1.5, 0 and -1.5 points to the others."""
    of = Counterfactual("gem", "gems", "week")

    def outcomes(game, _):
        return {str(n): (None, n, n == 2 and game % 3 > 0) for n in range(3)}

    data = found(list(decisions(outcomes, 3000, chosen="2")), of)
    rows = CounterfactualEstimates(of, data).risk().sort("option")
    assert rows["points"].to_list() == pytest.approx([-1.5, 0, 1.5])
    assert rows["worth"].to_list() == pytest.approx([-1 / 3, -1 / 3, 2 / 3])
    assert rows["taken"].to_list() == [0, 0, 1]


def test_a_contract_of_ones_own_always_has_a_finding():
    """``even`` is what the variant adds; ``more`` too, which nobody could take."""
    own = replace(TOY, options=lambda rules: rules["bets"])
    data = found(list(decisions(toy, 4000, hands=2)), own)
    rules, printed = {"bets": ["lunch", "even", "more"]}, {"bets": ["lunch"]}
    data = replace(data, rules=rules, base_rules=printed)
    told = [
        part.text for part in counterfactual_parts(own, data) if hasattr(part, "text")
    ]
    mine = [text for text in told if text.startswith("New bet of this variant")]
    assert len(mine) == 2
    assert "even, 4 players, toy: taken 0.00 % (0.00 to 0.10) of" in mine[0]
    assert "comes true 60.0 \N{PLUS-MINUS SIGN} 1.6 %" in mine[0]
    assert "(needed: 50.0 \N{PLUS-MINUS SIGN} 1.6 %)" in mine[0]
    assert "worth +10 \N{PLUS-MINUS SIGN} 3 points" in mine[0]
    assert "more: fewer than 100 decisions" in mine[1]


def test_risk_by_week_is_that_of_all(of_toy):
    """The toy has one week, so all numbers are the same."""
    whole = CounterfactualEstimates(TOY, of_toy).risk().sort("option")
    names = ("made", "worth", "points", "sd", "cvar", "out", "even", "even_points")
    part = CounterfactualEstimates(TOY, of_toy).when().sort("option")
    assert part.select("option", *names).equals(whole.select("option", *names))


def test_risk_by_the_strength_of_the_hand():
    """Weak hands make it 2 of 10 times, strong ones 9 of 10: +2 points, else -3."""

    def outcomes(game, hand):
        made = game % 10 < (9 if hand else 2)
        own = (made, 12 if made else 7, made)
        return {"none": (None, 10, game % 2 == 0), "bet": own}

    data = found(list(decisions(outcomes, 4000, hands=2)))
    rows = CounterfactualEstimates(TOY, data).by_band.filter(option="bet").sort("band")
    for row, rate in zip(rows.rows(named=True), (0.2, 0.9), strict=True):
        mean = 2 * rate - 3 * (1 - rate)
        assert (row["made"], row["points"]) == (rate, pytest.approx(mean))
        assert row["sd"] == pytest.approx(5 * (rate * (1 - rate)) ** 0.5)
        assert row["cvar"] == pytest.approx(-3)  # a tenth of them at least is broken
        assert row["worth"] == pytest.approx(rate - 0.5)
        assert row["even_points"] == pytest.approx(0.6)
    assert rows["words"].to_list() == ["0.0", "0.5"]


def test_where_strategies_part_both_are_told():
    """To the one ``bet`` wins 6 of 10 games more, to the other 2 fewer."""

    def outcomes(won, without):
        return lambda game, _: {
            "none": (None, 10, game % 10 < without),
            "bet": (game % 10 < won, 10, game % 10 < won),
        }

    toy_ = decisions(outcomes(8, 2), 4000, chosen="bet")
    other = decisions(outcomes(4, 6), 4000, chosen="bet")
    rows = [*toy_, *({**row, "strategy": "other"} for row in other)]
    for row in rows:
        row["decision"] = 2 * row["decision"] + (row["strategy"] == "other")
    told = [
        part.text
        for part in counterfactual_parts(TOY, found(rows))
        if hasattr(part, "text")
    ]
    [worth] = [text for text in told if "worth, differences between" in text]
    other = "\N{MINUS SIGN}20.0 \N{PLUS-MINUS SIGN} 1.3 to other"
    assert f"bet (+60.0 \N{PLUS-MINUS SIGN} 1.6 to toy, {other})" in worth
    [regret] = [text for text in told if text.startswith("Regret, 4 players, diff")]
    other = "+20.0 \N{PLUS-MINUS SIGN} 1.3 to other"  # to go without is better
    assert f"(+0 \N{PLUS-MINUS SIGN} 3 to toy, {other})" in regret

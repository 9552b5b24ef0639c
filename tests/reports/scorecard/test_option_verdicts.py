"""One verdict on each option, which the lines of the scorecard share."""

from typing import Any

import polars as pl
import pytest

from reports.scorecard import line_pictures
from reports.scorecard.lines import BY_ID
from reports.scorecard.option_lines import dead, mechanic, outshines, trap
from reports.scorecard.option_verdicts import (
    BACKBONE,
    DEAD,
    FINE,
    NEVER_OFFERED,
    NICHE,
    TRAP,
    UNKNOWN,
    WEAK,
    verdicts,
    with_what_is_forced,
)
from reports.scorecard.scored_line import judged, verdict_of
from reports.scorecard.sentences import sentences

NO_PLAYER = pl.DataFrame()
OFTEN = pl.DataFrame({"decision": ["act"], "option": ["good"], "x": [999.0]})


def row(option: str, lost: float, se: float, taken: float = 0.5, **more: Any) -> Any:
    """What an option of a decision is worth, with its interval."""
    low, high = lost - 3 * se, lost + 3 * se
    says = "loses" if low > 0 else "gains" if high < 0 else "undecided"
    own = {"decision": "act", "words": "card", "option": option}
    own |= {"lost": lost, "se": se, "low": low}
    own |= {"high": high, "verdict": says, "taken": taken, "used": 0.5, "games": 999}
    own |= {"always": 0.0, "always_low": -0.01, "always_high": 0.01, "why": ""}
    return own | {"always_verdict": "undecided"} | more


def word(*rows: Any, **sets: Any) -> dict[str, str]:
    """The verdicts by option."""
    how: dict[str, Any] = {"dead": (), "traps": (), "unable": (), **sets}
    found = verdicts(pl.DataFrame(rows), NO_PLAYER, **how)
    return dict(found.select("option", "verdict").rows())


def test_each_option_has_one_word():
    found = word(
        row("base", 0.2, 0.01),
        row("good", 0.04, 0.01),
        row("rare", 0.04, 0.01, taken=0.1),
        row("blank", 0.0, 0.002),
        row("open", 0.01, 0.02),
        row("bad", -0.1, 0.01),
    )
    assert found == {
        "base": BACKBONE,
        "good": FINE,
        "rare": NICHE,
        "blank": WEAK,
        "open": "",
        "bad": WEAK,
    }


def test_what_the_scorecard_calls_dead_or_a_trap_the_table_does_too():
    rows = row("bad", -0.1, 0.01), row("never", 0.0, 0.001, taken=0.0)
    score = judged(BY_ID["trap"], 4, trap(pl.DataFrame(rows)))
    found = word(*rows, dead=("never at act",), traps=score.beyond)
    assert found == {"bad": TRAP, "never": DEAD}
    assert word(*rows, unable=("bad at act",), traps=score.beyond)["bad"] == UNKNOWN


@pytest.mark.parametrize(("share", "knows"), [(0.01, False), (0.6, True)])
def test_what_helps_whoever_is_forced_to_take_it_is_not_dead(share, knows):
    """Those who never take it do not know how; the others do."""
    taken = pl.DataFrame(
        {"who": "strong", "leads": True, "skilled": "learned", "decision": "act"}
        | {"option": ["good"], "estimate": [share], "se": [0.001], "n": [999.0]}
        | {"games": [1.0], "able": [True], "several": [True]}
    )
    worth = pl.DataFrame([row("good", 0.0, 0.001, always_verdict="gains")])
    assert with_what_is_forced(taken, worth, {}, OFTEN)["able"].to_list() == [knows]


def test_what_is_never_offered_is_never_taken():
    taken = pl.DataFrame(
        {"who": "strong", "leads": True, "skilled": "learned", "decision": "act"}
        | {"option": ["good"], "estimate": [0.5], "se": [0.001], "n": [999.0]}
        | {"games": [1.0], "able": [True], "several": [True]}
    )
    worth = pl.DataFrame(
        [row("good", 0.05, 0.001), row("none", 0.0, 0.0, why="never offered")]
    )
    rows = with_what_is_forced(taken, worth, {}, OFTEN)
    assert rows.filter(option="none")["estimate"].to_list() == [0.0]
    later = {("plot", "cube"): ("act", ("none",))}
    assert with_what_is_forced(taken, worth, later, OFTEN)["option"].to_list() == [
        "good"
    ]


def test_a_decision_that_makes_no_difference_is_named():
    kinds = (("play", 0.2, 0.01), ("bid", 0.0, 0.001), ("gift", 0.0, 0.001))
    rows = pl.DataFrame([row("", lost, se, decision=kind) for kind, lost, se in kinds])
    least = mechanic(rows, ["gift"])
    assert least is not None
    assert least.sign == "bid"
    assert verdict_of(least, BY_ID["mechanic"].tolerance) == "broken"
    fine = mechanic(rows.head(1))
    assert verdict_of(fine, BY_ID["mechanic"].tolerance) == "fair"


def test_a_decision_that_costs_is_not_said_to_cost_nothing():
    rows = pl.DataFrame([row("", -0.1, 0.01, decision="bid")])
    [sentence] = sentences([judged(BY_ID["mechanic"], 4, mechanic(rows))])
    assert "bid" in sentence.text
    assert "or more" in sentence.text


def test_options_that_are_drawn_have_the_intervals_of_the_line():
    rows = [row(f"bad {n}", -0.2 - 0.01 * n, 0.01) for n in range(9)]
    score = judged(BY_ID["trap"], 4, trap(pl.DataFrame(rows)))
    assert score.estimate is not None
    label, *drawn = next(line_pictures._rows(score, score.estimate))
    assert label == "bad 8 at act"
    assert drawn == pytest.approx(score.estimate.interval)


def test_an_option_that_outshines_the_rest_is_named():
    rows = [row("most", 0.4, 0.01), row("one", 0.1, 0.01), row("two", 0.05, 0.01)]
    found = outshines(pl.DataFrame(rows))
    assert found is not None
    assert found.sign == "most at act"
    assert found.value == pytest.approx(0.3)
    assert verdict_of(found, BY_ID["outshines"].tolerance) == "broken"
    assert outshines(pl.DataFrame(rows[:2])) is None
    even = [{**each, "lost": 0.1} for each in rows]
    assert verdict_of(outshines(pl.DataFrame(even)), BY_ID["outshines"].tolerance) == (
        "fair"
    )


def test_where_no_option_is_tried_the_table_says_what_is_dead():
    taken = pl.DataFrame(
        {"who": "strong", "leads": True, "decision": "act"}
        | {"option": ["good", "never"], "estimate": [0.5, 0.0], "se": [0.01, 0.0]}
    )
    found = verdicts(None, taken, ("never at act",), (), ())
    assert dict(found.select("option", "verdict").rows()) == {"good": "", "never": DEAD}


def test_what_is_wrong_with_options_is_one_sentence():
    """Lines about options are no more than one of the three sentences of page one."""
    bad = [row(f"bad-{n}", -0.2, 0.01) for n in range(3)] + [row("far", -0.1, 0.01)]
    idle = pl.DataFrame([row("", 0.0, 0.001, decision="bid")])
    scored = [
        judged(BY_ID["trap"], 4, trap(pl.DataFrame(bad))),
        judged(BY_ID["mechanic"], 4, mechanic(idle)),
    ]
    [sentence] = sentences(scored)
    assert "trap" in sentence.text
    assert "“bid” is worth next to nothing" in sentence.text
    # One of each sort comes before others of the same
    assert sentence.text.index("far at act") < sentence.text.index("bad-1 at act")


def test_what_nobody_can_take_is_said_to_be_never_on_offer():
    taken = pl.DataFrame(
        {"who": "strong", "leads": True, "skilled": "learned", "decision": "act"}
        | {"option": ["good", "rare"], "estimate": [0.5, 0.001], "se": [0.001] * 2}
        | {"n": [9_999.0] * 2, "games": [1.0] * 2, "able": True, "several": True}
    )
    worth = pl.DataFrame([row("none", 0.0, 0.0, why="never offered")])
    rows = with_what_is_forced(taken, worth, {}, OFTEN)
    score = judged(BY_ID["dead"], 4, dead(rows))
    [sentence] = sentences([score])
    assert "“none at act” is never on offer" in sentence.text
    assert "“rare at act” is effectively dead" in sentence.text
    found = verdicts(worth, rows, score.beyond, (), ())
    assert dict(found.select("option", "verdict").rows())["none"] == NEVER_OFFERED
    for offered in (
        pl.concat([OFTEN, OFTEN.with_columns(option=pl.lit("none"))]),
        OFTEN.with_columns(x=20.0),  # of such a rare decision it is no news
    ):
        again = with_what_is_forced(taken, worth, {}, offered)
        assert again["option"].to_list() == ["good", "rare"]


def test_what_another_decision_with_the_same_words_offers_is_on_offer():
    taken = pl.DataFrame(
        {"who": "strong", "skilled": "who learned", "decision": "act"}
        | {"option": ["good"], "estimate": [0.5], "se": [0.001], "n": [999.0]}
        | {"games": [1.0], "able": [True], "several": [True]}
    )
    worth = pl.DataFrame(
        [
            row("none", 0.0, 0.0, why="never offered"),
            row("good", 0.0, 0.01, decision="second"),
        ]
    )
    second = pl.DataFrame({"decision": ["second"], "option": ["none"], "x": [1.0]})
    rows = with_what_is_forced(taken, worth, {}, pl.concat([OFTEN, second]))
    assert rows["option"].to_list() == ["good"]


def test_whoever_takes_a_rare_option_and_loses_shows_that_it_is_dead():
    """Then it is no habit of the one strategy that plays well."""
    taken = pl.DataFrame(
        {"who": "one", "leads": True, "skilled": "", "decision": "act"}
        | {"option": ["draw"]}
        | {"estimate": [0.0], "se": [0.001], "n": [999.0], "games": [1.0]}
        | {"able": [True], "several": [False]}
    )
    for verdict, told in (("loses", True), ("undecided", False)):
        worth = pl.DataFrame([row("draw", 0.0, 0.001, always_verdict=verdict)])
        rows = with_what_is_forced(taken, worth, {}, OFTEN)
        assert rows["several"].to_list() == [told]


def test_options_with_one_word_are_judged_together():
    """Bids against bust values; no bid against all of them."""
    rows = [row("hunch-1", 0.02, 0.01), row("hunch-2", 0.02, 0.01)]
    words = ("any bid", 0.3), ("any bust value", 0.01), ("any letter", 0.02)
    rows += [row(name, lost, 0.01, whole=True) for name, lost in words]
    rows = [{"whole": False, **each} for each in rows]
    worth = pl.DataFrame(rows)
    assert outshines(worth[:-1]) is None  # of a pair, one is worth what the other is
    found = outshines(worth)
    assert found is not None
    assert found.sign == "any bid at act"
    least = mechanic(worth)
    assert least is not None
    assert least.sign == "any bust value at act"
    assert set(word(*rows)) == {"hunch-1", "hunch-2"}

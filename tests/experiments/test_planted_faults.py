"""What is planted in the rules of real games is named: its sign and name, not wording.

Everybody at the table sees it, or can learn to make use of it.
"""

import json

import pytest

import fairdeal as fd
from reports import report_files

AT_FOUR = {"players": 4, "jobs": 1, "games": 1_024}


@pytest.mark.slow
def test_a_head_start_is_a_finding_about_positions_whoever_plays(here, monkeypatch):
    """The last player begins with 20 points: this is not about one way to play."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    start = {"by_players.4.start_scores": [0, 2, 4, 20]}
    rules = fd.Game("kbernestich").rules(**start)
    fd.report(rules, out="o", quick=True, seed=21, **AT_FOUR)
    page = json.loads((here / "o/scorecard.json").read_text())
    assert page["sentences"][0]["line"] == "positions"
    [row] = [one for one in page["scorecard"] if one["line"] == "positions"]
    assert row["verdict"] == "broken"
    assert row["agree"] > 2 * (row["differ"] + row["unsettled"])


@pytest.mark.slow
def test_what_turns_round_as_players_adapt_is_said_to_depend_on_it(here):
    """Marie's letters are worth 0, 3, 6 and 9: who learns that has points late."""
    game = fd.Game("kbernestich")
    late = game.rules(marie_from=[0, 3, 6, 9])
    how = {"detailed": False, "adapt": 1, "seed": 31, **AT_FOUR}
    found = fd.compare(game.rules(), late, **how)
    sure = found.adapted.scorecard.filter(verdict="differs")
    adapted = dict(sure.select("line", "difference").iter_rows())
    assert adapted["runaway"] < 0
    assert adapted["comeback"] > 0
    assert adapted["changes"] > 0
    alone = dict(found.scorecard.select("line", "difference").iter_rows())
    says = dict(found.verdicts.select("line", "says").iter_rows())
    lines = ("runaway", "comeback", "changes")
    turned = [line for line in lines if alone[line] * adapted[line] < 0]
    assert {says[line] for line in turned} == {"depends"}

"""What is even under any rules is refused, with the measure that was meant."""

import re

import pytest

from experiments.analysis.compare import compare
from experiments.analysis.power import sample_sizes
from experiments.analysis.target_tests import assess
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import first_seat_is_drawn, suggested_measure
from experiments.execution.run import run
from experiments.studies.targets import check, parse
from sim.games import REGISTRY, load


def cell(*lineup, game="kunitame", rotate=True, **rules):
    known = load(game)
    players = known.players[-1]
    seats = lineup or ("random",) * players
    return Cell(game, known.rules.of(rules), len(seats), seats, rotate=rotate, seed=1)


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_knows_what_is_meant(game):
    """By position where the first one is drawn; a seat where it always begins."""
    one = cell(game=game)
    for number in ("won",):
        found = suggested_measure(one, f"{number} by seat")
        assert found == (f"{number} by position" if first_seat_is_drawn(one) else "")
    assert (
        suggested_measure(one, "won by position")
        == suggested_measure(one, "decided")
        == ""
    )


def test_seats_mean_something_where_their_strategies_are_their_own():
    mixed = ("random", "greedy", "random", "planner")
    assert suggested_measure(cell(*mixed), "won by seat") == "won by position"
    assert suggested_measure(cell(*mixed, rotate=False), "won by seat") == ""


def test_targets_and_plans_of_seats_are_refused():
    wanted = parse({"fair": {"measure": "won by seat", "gap": 0.02}})
    words = r"'won by seat' is even under any rules.*'first dealer'.*'won by position'"
    with pytest.raises(UsageError, match=rf"targets.fair: {words}"):
        check(wanted, cell())
    with pytest.raises(UsageError, match=rf"targets.fair: {words}"):
        assess(wanted, run([cell()], 64))
    with pytest.raises(UsageError, match=f"measure: {words}"):
        sample_sizes(cell(), 0.01, measure="won by seat")


def test_comparisons_leave_out_what_cannot_differ():
    found = compare([cell()], [cell(life=4)], 64, detailed=False).rows
    assert "won by position" in found["measure"]
    assert "won by seat" not in found["measure"]
    seats = ("random", "greedy", "random", "planner")
    sides = (cell(*seats, rotate=False), cell(*seats, rotate=False, life=4))
    mixed = compare([sides[0]], [sides[1]], 64, detailed=False).rows
    assert "won by seat" in mixed["measure"]


def test_the_gap_of_positions_is_told(fairdeal):
    told = fairdeal("run", "kunitame", "-n", "400", "--players", "4", "--seed", "1")
    assert "No difference is shown; the best position may win up to" in told.stdout
    told = fairdeal(
        *("run", "kunitame", "-n", "2048", "--players", "4", "--seed", "1"),
        *("--lineup", "allround"),
    )
    gap = re.search(r"The best position wins (\d+) ± (\d+) points", told.stdout)
    assert gap
    assert int(gap[1]) > int(gap[2]) > 0
    gap = run([cell(*("random",) * 4)], 400).gap()
    assert 0 <= gap.low <= gap.estimate <= gap.high < 0.25

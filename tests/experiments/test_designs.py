"""Designs: the points that a study visits, and what is wrong with a design."""

import numpy as np
import pytest

from experiments.core.cells import UsageError
from experiments.studies.experimental_designs import points
from experiments.studies.study import Design, parse


def design(**values):
    made = parse({"game": "kunitame", "lineups": ["random"], "design": values}).design
    assert isinstance(made, Design)
    return made


def rows(seed=0, **values):
    return [tuple(row.values()) for row in points(design(**values), seed).rows]


LIVES = {"rules": {"life": [2, 3]}}


def test_no_design_is_one_point():
    assert points(None, 0).rows == ({},)


def test_grid_is_every_combination_in_order():
    found = points(design(vary={**LIVES, "players": [3, 4, 5]}), 0)
    assert found.keys == ("rules.life", "players")
    assert [tuple(row.values()) for row in found.rows] == [
        (2, 3),
        (2, 4),
        (2, 5),
        (3, 3),
        (3, 4),
        (3, 5),
    ]


def test_zip_goes_through_lists_together():
    both = {"rules.life": [2, 3], "rules.weeks": {"from": 4, "to": 5}}
    assert rows(kind="zip", vary=both) == [(2, 4), (3, 5)]


def test_list_takes_points_as_they_are():
    given = [{"rules": {"life": 3}, "players": 4}, {"players": 5, "rules.life": 2}]
    assert rows(kind="list", points=given) == [(3, 4), (2, 5)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"from": 1, "to": 4}, [1, 2, 3, 4]),
        ({"from": 1, "to": 4, "step": 2}, [1, 3]),
        ({"from": 0.0, "to": 0.3, "step": 0.1}, [0.0, 0.1, 0.2, 0.3]),
        (["must", "may"], ["must", "may"]),
        ([[0, 0, 1], [1, 1, 1]], [[0, 0, 1], [1, 1, 1]]),
    ],
)
def test_values_of_a_key(given, expected):
    assert [row[0] for row in rows(vary={"rules.life": given})] == expected


RANGES = {
    "rules.life": {"from": 1, "to": 4},
    "strategy.planner.margin": {"from": -1.0, "to": 1.0},
    "rules.trick_take": ["must", "may"],
}


@pytest.mark.parametrize("kind", ["lhs", "sobol"])
def test_spread_points_give_each_level_its_part(kind):
    found = points(design(kind=kind, samples=64, vary=RANGES), 7)
    lives = [row["rules.life"] for row in found.rows]
    assert np.bincount(lives).tolist() == [0, 16, 16, 16, 16]
    margins = np.array([row["strategy.planner.margin"] for row in found.rows])
    assert margins.min() >= -1
    assert margins.max() <= 1
    sixteenths = np.bincount(((margins + 1) * 8).astype(int), minlength=16)
    assert (sixteenths == 4).all()
    takes = [row["rules.trick_take"] for row in found.rows]
    assert takes.count("must") == 32


@pytest.mark.parametrize("kind", ["lhs", "sobol", "saltelli"])
def test_spread_points_are_chosen_by_the_seed(kind):
    made = design(kind=kind, samples=8, vary=RANGES)
    one, same, other = points(made, 1), points(made, 1), points(made, 2)
    assert one == same
    assert one.units is not None
    assert np.array_equal(one.units, same.units)
    assert one != other


def test_saltelli_has_two_more_points_than_keys_for_each_sample():
    found = points(design(kind="saltelli", samples=8, vary=RANGES), 0)
    assert found.units.shape == (8 * (3 + 2), 3)
    first = found.units[:5]  # A, A with a column of B each, B (SALib's order)
    for key in range(3):
        changed = first[0] != first[1 + key]
        assert changed.tolist() == [at == key for at in range(3)]
        assert first[1 + key][key] == first[4][key]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, "nothing is varied"),
        (
            {"kind": "zip", "vary": {"rules.life": [1], "players": [3, 4]}},
            "rules.life has 1, players has 2",
        ),
        ({"kind": "list"}, "write a table for each"),
        (
            {"kind": "list", "points": [{"players": 3}, {"rules.life": 3}]},
            "point 2 has rules.life, the first has players",
        ),
        ({"kind": "list", "points": [{"players": 3}], "vary": LIVES}, "points only"),
        ({"points": [{"players": 3}], "vary": LIVES}, 'only if kind = "list"'),
        ({"kind": "lhs", "vary": LIVES}, "samples: how many points?"),
        ({"kind": "grid", "samples": 8, "vary": LIVES}, "only if kind is lhs"),
        ({"kind": "sobol", "samples": 100, "vary": LIVES}, "Nearest: 64, 128"),
        ({"kind": "saltelli", "samples": 8, "vary": LIVES}, "vary at least two"),
        ({"vary": {"rules.life": []}}, "the list is empty"),
        ({"vary": {"rules.life": 3}}, "a list of values, or a range"),
        ({"vary": {"rules.life": {"from": 1, "stp": 3}}}, "did you mean 'step'?"),
        ({"vary": {"rules.life": {"from": 1}}}, "design.vary.rules.life.to: a number"),
        ({"vary": {"rules.life": {"from": 3, "to": 1}}}, "from must be below to"),
        ({"vary": {"rules.life": {"from": 1, "to": 2, "step": 0}}}, "step: above 0"),
        ({"vary": {"x": {"from": 0.5, "to": 2}}}, "needs a step"),
        ({"vary": {"x": {"from": 0, "to": float("inf")}}}, "a number is needed"),
        (
            {"vary": {"x": {"from": 1, "to": 200}, "y": {"from": 1, "to": 200}}},
            "40,000 points; at most 10,000",
        ),
    ],
)
def test_mistakes(values, expected):
    with pytest.raises(UsageError) as caught:
        points(design(**values), 0)
    assert expected in str(caught.value)


HUGE = {"from": 1, "to": 10**18}
COUNTED = {
    "a range": ({"vary": {"rules.hand": HUGE}}, "these are 1,000,000,000,000,000,000"),
    "two ranges": (
        {"vary": {"rules.hand": HUGE, "rules.life": HUGE}},
        f"these are {10**36:,} points",
    ),
    "ranges side by side": (
        {"kind": "zip", "vary": {"rules.hand": HUGE, "rules.life": HUGE}},
        "these are 1,000,000,000,000,000,000 points",
    ),
    "a small step": (
        {"vary": {"rules.hand": {"from": 0.0, "to": 1e308, "step": 1e-300}}},
        "at most 10,000",
    ),
}


@pytest.mark.parametrize("what", COUNTED)
def test_points_are_counted_before_they_are_made(what):
    """Made first, they would take all memory that there is."""
    values, expected = COUNTED[what]
    with pytest.raises(UsageError, match=expected):
        points(design(**values), 0)


def test_points_are_spread_over_a_range_that_nobody_makes():
    found = [row[0] for row in rows(kind="sobol", samples=8, vary={"rules.hand": HUGE})]
    assert len(set(found)) == 8
    assert all(1 <= one <= 10**18 for one in found)


def test_a_range_on_the_command_line_is_counted(fairdeal):
    words = ("find", "positions <= 2pp", "--game", "kunitame")
    told = fairdeal(*words, "--vary", "hand=4..100000000")
    assert told.exit_code == 2
    assert (
        "--vary hand: 4..100000000 are 99,999,997 values; at most 1,000" in told.stderr
    )


def test_cells_are_counted_before_they_are_made(fairdeal, here):
    lineups = ",".join(
        f'"timid,random,planner,planner:margin={n / 100}"' for n in range(60)
    )
    (here / "s.toml").write_text(
        f'game = "kunitame"\nlineups = [{lineups}]\n[design.vary]\n'
        "strategy.planner.margin = { from = 0.0, to = 20.0, step = 0.01 }\n"
    )
    told = fairdeal("run", "s.toml", "--dry-run")
    assert told.exit_code == 2
    assert (
        "these are 120,060 cells (1 variants, 2,001 points, 60 lineups)" in told.stderr
    )


@pytest.mark.parametrize("text", ['["random", "random"]', '["random", ["random"]]'])
def test_a_lineup_that_stands_there_twice(fairdeal, here, text):
    (here / "s.toml").write_text(f'game = "kunitame"\nlineups = {text}\n')
    told = fairdeal("run", "s.toml", "--dry-run")
    assert told.exit_code == 2
    assert "lineups: 'random' is given twice" in told.stderr


def test_very_many_lineups(fairdeal, here):
    lineups = ",".join(f'"planner:margin={n / 1000}"' for n in range(10_001))
    (here / "s.toml").write_text(f'game = "kunitame"\nlineups = [{lineups}]\n')
    told = fairdeal("run", "s.toml", "--dry-run")
    assert told.exit_code == 2
    assert "lineups: these are 10,001; at most 10,000" in told.stderr

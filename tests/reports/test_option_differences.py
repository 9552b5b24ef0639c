"""Options of a decision beside each other, worked out by hand."""

import polars as pl

from reports.option_differences import compare_options

WORDS = {"play": ["a", "b", "c"], "act": ["x", "a"]}
TRIED = pl.DataFrame(
    {
        "game": [4, 4, 4, 4, 4, 5, 5],
        "kind": ["play"] * 3 + ["act"] * 2 + ["play"] * 2,
        "turn": [1, 1, 1, 1, 1, 1, 1],
        "seat": [0] * 7,
        "option": [1, 2, 4, 1, 2, 1, 4],
        "won": [True, False, True, False, False, True, True],
    },
    schema_overrides={"game": pl.UInt64, "option": pl.UInt64, "seat": pl.UInt8},
)


def test_an_option_is_compared_with_each_other_one_of_its_decision():
    rows = compare_options({"branching": TRIED}, WORDS)
    assert rows["option"].to_list() == ["a", "b", "c", "x", "a", "a", "c"]
    assert rows["others"].to_list() == [2, 2, 2, 1, 1, 1, 1]
    assert rows["more"].to_list() == [1, -2, 1, 0, 0, 0, 0]


def test_of_nothing_tried_nothing_is_told():
    for raw in ({}, {"branching": pl.DataFrame()}):
        rows = compare_options(raw, WORDS)
        assert rows.is_empty()
        assert {"game", "option", "more", "others"} <= {*rows.columns}

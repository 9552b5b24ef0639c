"""What was recorded of some games, as arrays and as tidy tables."""

import numpy as np
import polars as pl

from reports.game_arrays import GameArrays, pick_seat, seat_column, shared_column

NAMES = pl.Enum(["bold", "timid"])


class Games(GameArrays):
    """Two games of three seats; a note for each of two weeks."""

    points = seat_column("week", "points")
    late = seat_column("week", "points", np.float64)
    dealer = shared_column("week", "dealer")


def games(first="bold"):
    names = [first, "timid", "timid", "timid", "bold", "bold"]  # by seat, then game
    result = {"game": [7, 8] * 3, "winner": [2, -1] * 3, "strategy": names}
    week = {"points": range(12), "dealer": [0, 1] * 3 + [1, 2] * 3}
    raw = {
        "result": pl.DataFrame(result, schema_overrides={"strategy": NAMES}),
        "week": pl.DataFrame(week),
    }
    return Games(raw, {"players": 3, "rules": {}, "vocabularies": {}})


def test_notes_are_arrays_by_week_seat_and_game():
    played = games()
    assert played.points.shape == (2, 3, 2)
    assert played.points[1, 2].tolist() == [10, 11]
    assert played.late.dtype == np.float64
    assert played.dealer.tolist() == [[0, 1], [1, 2]]
    assert played.game.tolist() == [7, 8]
    assert played.victory.tolist() == [[False] * 2, [False] * 2, [True, False]]


def test_positions_count_from_1_and_go_round():
    played = games()
    positions = played.position(played.dealer[0])
    assert positions.tolist() == [[1, 3], [2, 1], [3, 2]]


def test_rows_are_found_again():
    table = pl.DataFrame({"game": [8, 7, 8]})
    assert games().game_index(table).tolist() == [1, 0, 1]


def test_a_tidy_table_has_a_row_for_each_cell():
    played = games()
    columns = {"strategy": played.strategy, "points": played.points[0], "one": 1}
    table = played.frame((3, 2), columns)
    assert table["game"].to_list() == [7, 8] * 3
    assert table["points"].to_list() == list(range(6))
    assert table["strategy"].to_list() == ["bold", *["timid"] * 3, "bold", "bold"]
    assert table["one"].to_list() == [1] * 6
    some = played.frame((3, 2), columns, np.array([5, 0]))
    assert some.rows() == [table.row(5), table.row(0)]


def test_whose_strategy_goes_by_another_name():
    one, other = games("bold"), games("timid")
    assert one.differing_seat(other)[0] == 0
    assert pick_seat(one.points[0], np.array([2, 1])).tolist() == [4, 3]


def test_a_word_of_a_vocabulary_has_all_its_bits():
    """What stands for no card has none, nor has a word that is not there."""
    played = games()
    played.vocabularies = {"card": ["ace", "?", "two", "ace", "pass"]}
    assert played.masks("card") == {"ace": 0b1001, "two": 0b100}
    assert played.mask("card", ["two", "ace", "two"]) == 0b1101
    assert played.mask("card", ["joker"]) == 0

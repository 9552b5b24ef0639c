"""Options that are alike are not judged."""

import fairdeal as fd


def test_sides_of_a_board_without_sides_are_no_options():
    run = fd.play("socialism", games=8, lineup="random", seed=1, jobs=1, detailed=True)
    judged = {*run["option taken"]["decision"]}
    assert {"play", "beside"} <= judged
    assert "cell" not in judged

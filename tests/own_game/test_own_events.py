"""What a game tells is measured, without a report of its own."""

import polars as pl
import pytest

import fairdeal as fd
from sim.scores import GameError
from tests.own_game.examples import FOLDER

GAME = str(FOLDER / "no_thanks.py")
TAKEN = 33 - 9
"""Cards of No Thanks! that are taken in each game."""


@pytest.fixture(scope="module")
def run():
    lineup = ["thrifty", "random", "random"]
    return fd.play(GAME, lineup=lineup, games=60, seed=1, jobs=1, detailed=True)


def estimates(run, measure):
    return run[measure].filter(pl.col("n") > 0)


def test_all_cards_are_taken_by_somebody(run):
    for group in ("seat", "position", "card", "chips on it"):
        found = estimates(run, f"take by {group}")
        assert found["estimate"].sum() == pytest.approx(TAKEN)
    by = dict(estimates(run, "take by strategy").select("strategy", "estimate").rows())
    assert by["thrifty"] + 2 * by["random"] == pytest.approx(TAKEN)


def test_a_turn_takes_one_card_at_most(run):
    """Quarters have as many turns as they have; the last card ends the game."""
    found = estimates(run, "take by quarter")
    assert found["quarter"].to_list() == [1, 2, 3, 4]
    assert found["estimate"].is_between(0.05, 1).all()
    weighted = (found["estimate"] * found["n"]).sum() / found["n"].sum()
    assert weighted == pytest.approx(TAKEN / run["turns"]["estimate"].item(), rel=0.02)


def test_a_card_is_taken_once_at_most(run):
    found = estimates(run, "take by card")
    assert set(found["card"]) == set(range(3, 36))
    assert found["estimate"].max() <= 1


def test_numbers_are_those_of_each_time(run):
    card = estimates(run, "card of take by strategy")
    assert card["estimate"].is_between(3, 35).all()
    chips = estimates(run, "chips on it of take by strategy")
    by = dict(chips.select("strategy", "estimate").rows())
    assert by["thrifty"] > by["random"]  # who pays until chips make a card cheap


def test_what_was_told_is_what_is_measured(run, tmp_path):
    fd.play(
        GAME,
        lineup=["thrifty", "random", "random"],
        games=60,
        seed=1,
        jobs=1,
        tables=["take"],
        out=tmp_path / "run",
    )
    files = (tmp_path / "run" / "tables" / "take").iterdir()
    told = pl.concat([pl.read_parquet(file) for file in files])
    mean = estimates(run, "chips on it of take by seat")
    by_seat = told.group_by("seat").agg(pl.col("chips_on_it").mean()).sort("seat")
    assert mean["estimate"].to_list() == pytest.approx(by_seat["chips_on_it"].to_list())


def test_measures_are_listed():
    listed = fd.measures(GAME, "take")
    assert set(listed["of"]) >= {"report"}
    assert {"take by position", "card of take by quarter", "take by card"} <= set(
        listed["measure"]
    )


def test_a_game_without_positions_has_none():
    names = fd.measures(str(FOLDER / "six_nimmt.py"), "take")["measure"].to_list()
    assert "take by strategy" in names
    assert not [name for name in names if "position" in name or "seat" in name]


@pytest.fixture
def told_by_name(tmp_path):
    """No Thanks!, whose event tells the card as a word."""
    code = (FOLDER / "no_thanks.py").read_text()
    code = code.replace('"card": "its number"', '"card": ChoiceOf("which", "cards")')
    file = tmp_path / "named.py"
    file.write_text(code)
    return str(file)


def test_cards_are_measured_as_shares(told_by_name):
    lineup = ["thrifty", "random", "random"]
    run = fd.play(told_by_name, lineup=lineup, games=60, seed=1, jobs=1, detailed=True)
    shares = estimates(run, "card share of take")
    assert set(shares["card"]) == {str(card) for card in range(3, 36)}
    assert shares["estimate"].sum() == pytest.approx(1)
    times = estimates(run, "take by card")["estimate"]
    assert times.sum() == pytest.approx(TAKEN)
    assert "card of take by strategy" not in fd.measures(told_by_name)["measure"]


def test_a_card_that_is_told_as_a_number_is_refused(tmp_path):
    code = (FOLDER / "no_thanks.py").read_text()
    file = tmp_path / "wrong.py"
    file.write_text(code.replace("card=g.face_up[0]", 'card="ace"'))
    with pytest.raises(GameError, match="ChoiceOf"):
        fd.play(str(file), games=4, seed=1, jobs=1, detailed=True)

"""The example games against simulations that are written apart from them."""

import csv
import random
from math import sqrt

import numpy as np
import pytest

from experiments.api import Game, report
from experiments.core.measures import report_of
from sim.games import positions
from strategies.strength_levels import AloneAmong
from tests.own_game import simulations
from tests.own_game.examples import FOLDER, NAMES, ends, example

SIMULATED = 3_000


def _about(values, others):
    """Whether two means differ by less than four standard errors."""
    a, b = np.asarray(values, dtype=float), np.asarray(others, dtype=float)
    error = sqrt(a.var() / len(a) + b.var() / len(b))
    return abs(a.mean() - b.mean()) < 4 * error + 1e-9


@pytest.mark.parametrize(
    ("name", "games"), [("six_nimmt", 3_000), ("oh_hell", 500), ("no_thanks", 3_000)]
)
def test_random_play_is_that_of_another_simulation(name, games):
    """Scores, spread, winner's score and shared wins."""
    game = example(name)
    end = ends(game, games)
    scores = end[game.score.field]
    chance = random.Random(11)
    other = [getattr(simulations, name)(chance) for _ in range(max(games, 1_500))]
    theirs = np.array([points for _, points in other]).T
    best = np.min if game.score.fewest else np.max
    assert _about(scores.mean(axis=0), theirs.mean(axis=0))
    assert _about(best(scores, axis=0), best(theirs, axis=0))
    assert _about(np.ptp(scores, axis=0), np.ptp(theirs, axis=0))
    assert _about(end["winner"] < 0, [won is None for won, _ in other])


def test_the_table_of_cards_is_the_printed_one():
    with (FOLDER / "six_nimmt.csv").open() as file:
        rows = [(int(row["number"]), int(row["heads"])) for row in csv.DictReader(file)]
    assert rows == list(enumerate(simulations.HEADS))[1:]


@pytest.mark.parametrize(
    ("name", "spec"),
    [("six_nimmt", "near"), ("oh_hell", "careful"), ("no_thanks", "thrifty")],
)
def test_the_heuristic_beats_random_players(name, spec):
    game = example(name)
    alone = AloneAmong(game.id, game.rules(), 4).margin(spec, "random", range(128))
    assert alone.share > 0.4


def test_a_game_is_named_by_its_file_wherever_games_are():
    game = Game(str(FOLDER / "no_thanks.py"))
    assert game.title == "No Thanks!"
    assert game.players == (3, 4, 5, 6, 7)
    assert game.strategies == ["random", "thrifty"]
    assert game.rules(removed=3).values.removed == 3


def test_rules_by_players_are_those_of_the_next_smaller_number():
    start = example("no_thanks").rules()
    chips = [start.plain_with(players)["start"] for players in range(3, 8)]
    assert chips == [11, 11, 11, 9, 7]


@pytest.mark.slow
def test_page_one_says_who_is_ahead(tmp_path):
    """By random play, who leads at half-time wins 41.5 % of games, the last 4.4 %."""
    done = report(
        str(FOLDER / "six_nimmt.py"),
        lineup="random",
        players=4,
        games=2_048,
        quick=True,
        seed=3,
        jobs=1,
        out=tmp_path / "o",
    )
    lines = {line["title"]: line["value"] for line in done.scorecard.to_dicts()}
    assert 0.36 < lines["Leader at half-time wins"] < 0.47
    assert 0.02 < lines["Last at half-time wins"] < 0.08
    assert "Best position ahead by" not in lines  # all seats are alike


def test_a_game_in_which_nobody_begins_has_seats_and_no_positions():
    game = example("six_nimmt")
    assert positions(game, 3) == ("seat 1", "seat 2", "seat 3")
    assert "seats" not in [section.id for section in report_of(game.id).sections]
    assert positions(example("no_thanks"), 3) == ("first to play", "second", "last")


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_short(name):
    assert len((FOLDER / f"{name}.py").read_text().splitlines()) < 150

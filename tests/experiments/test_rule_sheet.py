"""The rule sheet for players: what is in force, and nothing else, by its name."""

import re
from html import unescape

import pytest

from experiments.rule_set import RuleSet
from sim.games import REGISTRY, load


def text(game, **changes):
    """The words of a sheet."""
    page = RuleSet(game, load(game).rules.of(changes)).sheet
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_has_one(game):
    said = text(game)
    assert said.startswith(load(game).title)
    assert "None" not in said
    assert "Unlike the printed game" not in said


def test_what_differs_is_said_first_and_is_in_force():
    said = text("drake", maidens=10)
    assert "10 cards instead of 8" in said
    assert "Maiden no. 10 2" in said  # the list, repeated
    assert "Maiden no. 11" not in said
    assert "Knight no. 4 4 1" in said


def test_what_is_not_in_force_is_left_out():
    assert "points 180 points" not in text("devil", deck="440")
    assert "440 points" in text("devil", deck="440")
    assert "deck 440" not in text("devil").replace("with deck 440", "")


def test_the_command_writes_a_new_file(fairdeal, here):
    words = ("rules", "kunitame", "--set", "life=4", "--sheet")
    assert fairdeal(*words, "sheet.html").exit_code == 0
    assert "4 gems instead of 3" in (here / "sheet.html").read_text()
    (here / "mine.html").write_text("mine")
    assert fairdeal(*words, "mine.html").exit_code == 2
    assert (here / "mine.html").read_text() == "mine"
    assert "must end in .html" in fairdeal(*words, "sheet.txt").stderr

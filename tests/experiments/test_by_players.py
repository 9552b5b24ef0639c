"""What differs by the number of players: set at once, or for one number alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from experiments.variants.rules_by_players import player_columns, settable
from experiments.variants.variant_files import inline_variant
from experiments.variants.variants import idle_values, resolve_rules, resolve_variant
from sim.games import load
from sim.parameters import RuleError

KUNITAME = load("kunitame")
SHEET = load("kbernestich")


def test_what_can_be_set_by_itself():
    assert player_columns(SHEET.rules()) == ["start_scores", "hannah", "marie_to"]
    bare = SHEET.rules.of({"by_players": []})
    assert player_columns(bare) == player_columns(SHEET.rules())
    assert player_columns(KUNITAME.rules()) == []
    assert settable(KUNITAME.rules()) == list(KUNITAME.rules.model_fields)


def hannah(settled):
    return {row.id: row.hannah for row in settled.rules.by_players}


@pytest.fixture
def sheets(tmp_path, monkeypatch):
    """A variant that sets a value for all numbers of players, and one on top."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.toml").write_text('game = "kbernestich"\nrules.hannah = 1')
    (tmp_path / "top.toml").write_text(
        'game = "kbernestich"\nbase = "one"\nrules.by_players.4.hannah = 3'
    )
    return tmp_path


@pytest.mark.parametrize(
    ("settings", "expected", "sources"),
    [
        ([], (1, 3), ("one.toml", "top.toml")),
        (["hannah=2"], (2, 2), ("--set hannah",) * 2),
        (["by_players.3.hannah=0"], (0, 3), ("--set by_players.3.hannah", "top.toml")),
        (
            ["hannah=2", "by_players.4.hannah=4"],
            (2, 4),
            ("--set hannah", "--set by_players.4.hannah"),
        ),
        (["by_players.4.hannah=4", "hannah=2"], (2, 2), ("--set hannah",) * 2),
        (
            ["by_players.4.hannah=4", "hannah=2", "by_players.4.hannah=1"],
            (2, 1),
            ("--set hannah", "--set by_players.4.hannah"),
        ),
    ],
)
def test_the_last_word_on_a_number_of_players(sheets, settings, expected, sources):
    resolved = resolve_rules(SHEET, "top", settings)
    assert hannah(resolved) == dict(zip("34", expected, strict=True))
    assert resolved.source("by_players.3.hannah") == sources[0]
    assert resolved.source("by_players.4.hannah") == sources[1]


def test_settings_that_beat_a_number_of_players_say_so(sheets):
    assert resolve_rules(SHEET, "top", ["hannah=3"]).notes == (
        "--set hannah=3 overrides by_players.3.hannah = 1 of one.toml",
    )


def test_all_numbers_of_players_and_one_of_them_in_a_file():
    values = {"rules": {"hannah": 1, "by_players": {"4": {"hannah": 3}}}}
    variant = inline_variant(SHEET, values, "mine", "here", Path())
    assert hannah(resolve_variant(SHEET, variant)) == {"3": 1, "4": 3}
    same = inline_variant(SHEET, {"rules": {"hannah": 1}}, "mine", "here", Path())
    assert idle_values(SHEET, same) == []
    again = {"rules": {"marie_to": [3, 2, 1, 1], "cubes": 5}}
    assert idle_values(SHEET, inline_variant(SHEET, again, "mine", "here", Path())) == [
        "cubes"
    ]
    same = {"rules": {"by_players": {"3": {"hannah": 1}, "4": {"hannah": 1}}}}
    beneath = inline_variant(SHEET, same, "same", "here", Path())
    top = replace(
        inline_variant(SHEET, {"rules": {"hannah": 1}}, "a", "b", Path()), base=beneath
    )
    assert idle_values(SHEET, top) == ["hannah"]


def test_a_table_given_whole_before_its_fields():
    rows = [row.model_dump() for row in SHEET.rules().by_players[1:]]
    values = {"rules": {"by_players": rows, "hannah": 3}}
    variant = inline_variant(SHEET, values, "mine", "here", Path())
    assert hannah(resolve_variant(SHEET, variant)) == {"4": 3}


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("hanah=2", "did you mean 'hannah'?"),
        ("hannah.4=2", "for one of them it is by_players.4.hannah"),
        ("hannah=yes", "by_players.3.hannah: input should be a valid integer"),
        ("by_players.5.hannah=2", "no row '5' (a new row lacks start_scores)"),
        ("by_players=[{}]", "by_players.0.id: field required"),
        ("by_players=[0]", "by_players.0: a row is a table of its fields, not 0"),
    ],
)
def test_mistakes_by_the_number_of_players(setting, expected):
    with pytest.raises(RuleError) as caught:
        resolve_rules(SHEET, None, [setting])
    assert expected in str(caught.value)


@pytest.mark.parametrize("table", ["squares=3", "squares=[0]", "squares=[{}]"])
def test_rows_of_what_is_no_table(table):
    with pytest.raises(RuleError, match="squares"):
        resolve_rules(KUNITAME, None, [table])
    with pytest.raises(RuleError, match="there are no rows with an id"):
        resolve_rules(KUNITAME, None, [table, "squares.blue.gem=1"])

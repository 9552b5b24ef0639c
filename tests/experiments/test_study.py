"""Study files: what they say, the cells they come to, and what is wrong with them."""

import re
from pathlib import Path

import pytest

from experiments.commands.arguments import assumptions_in_force
from experiments.studies.overrides import apply_overrides
from experiments.studies.plans import plan
from experiments.studies.study import GAMES, MOST, load, parse
from sim.games import load as load_game
from sim.parameters import RuleError

LEAST = {"game": "kunitame", "lineups": ["random"]}
FILE = """
question = "Are four lives better?"
game = "kunitame"
players = [3, 4]
lineups = ["allround", "bold"]
strategies = ["own.py:Bold"]
games = 500
seed = 7

[variants]
base = {}
richer = "richer.toml"
longer = { base = "richer", rules = { weeks = 5 } }
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "richer.toml").write_text('game = "kunitame"\nrules.life = 5\n')
    (tmp_path / "own.py").write_text(
        "from strategies.scalar import Scalar\n"
        'class Bold(Scalar):\n    """Bold."""\n    name = "bold"\n'
    )
    path = tmp_path / "my.toml"
    path.write_text(FILE)
    return path


def cells(values, **more):
    return plan(parse({**LEAST, **values, **more}), 1)


def test_every_variant_lineup_and_number_of_players(file):
    found = plan(load(file))
    assert len(found.cells) == 3 * 2 * 2
    assert found.seed == 7
    assert {cell.seed for cell in found.cells} == {7}
    rules = {p.variant: found.cells[p.cell].rules for p in found.design_points}
    told = {name: (r.life, r.weeks) for name, r in rules.items()}
    assert told == {"base": (3, 4), "richer": (5, 4), "longer": (5, 5)}
    assert found.variants["longer"]["provenance"].keys() == {"life", "weeks"}
    assert "5 weeks instead of 4" in " ".join(found.variants["longer"]["differences"])
    assert all(cell.rotate for cell in found.cells)
    frame = found.frame()
    assert frame["players"].to_list()[:4] == [3, 4, 3, 4]


def test_paths_are_seen_from_the_file(file, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    found = plan(load(file))
    specs = {str(one) for cell in found.cells for one in cell.lineup}
    assert specs == {"allround", f"{(tmp_path / 'own.py').resolve()}:Bold"}


def test_what_is_not_said():
    found = parse(LEAST)
    assert (found.most, found.rotate, found.detailed) == (GAMES, True, True)
    assert found.variants == {"base": {}}
    assert parse({**LEAST, "precision": "0.2pp"}).most == MOST
    assert [cell.players for cell in plan(found, 1).cells] == [4]


def test_short_forms():
    found = parse(
        {
            **LEAST,
            "players": 3,
            "tables": "trick",
            "measures": "won by seat",
            "lineups": {"mixed": ["greedy", "random", "timid"], "same": "random"},
            "variants": ["base", "other/richer.toml"],
            "precision": "0.2pp",
        }
    )
    assert found.players == (3,)
    assert found.tables == ("trick",)
    assert found.lineups == {"mixed": "greedy,random,timid", "same": "random"}
    assert found.variants == {"base": {}, "richer": {"base": "other/richer.toml"}}
    assert found.precision.half_width == pytest.approx(0.002)
    assert parse({**LEAST, "precision": 0.05}).precision.half_width == 0.05


def test_a_lineup_is_played_by_as_many_as_it_seats():
    found = cells({"lineups": ["random", "greedy,random,random"]}, players=[3, 4])
    told = [(p.lineup, p.players) for p in found.design_points]
    assert told == [("random", 3), ("random", 4), ("greedy,random,random", 3)]


def test_a_panel_has_every_strategy_and_the_leading_one_against_each():
    found = plan(parse({"game": "kunitame", "panel": True, "players": 3}), 1)
    labels = [place.lineup for place in found.design_points]
    assert labels[0] == "allround"
    assert "1 allround, 2 random" in labels
    assert len(labels) == 7 + 6 + 1
    few = plan(parse({"game": "kunitame", "panel": ["timid", "greedy"]}), 1)
    labels = [place.lineup for place in few.design_points]
    assert labels == [
        "timid",
        "greedy",
        "1 timid, 3 greedy",
        "timid, greedy, timid, greedy",
    ]


def test_keys_of_a_design_reach_rules_rows_players_and_parameters():
    vary = {
        "rules": {"squares": {"blue": {"gem": [1, 3]}}},
        "strategy": {"planner": {"margin": [0.5, 1.5]}},
        "players": [3, 5],
    }
    found = cells({"lineups": ["planner"], "design": {"vary": vary}})
    assert len(found.cells) == 8
    for place in found.design_points:
        cell = found.cells[place.cell]
        blue = {square.id: square for square in cell.rules.squares}["blue"]
        assert blue.gem == place.point["rules.squares.blue.gem"]
        assert cell.players == place.point["players"]
        margin = place.point["strategy.planner.margin"]
        assert {one.margin for one in cell.strategies()} == {margin}


def test_a_design_over_players_takes_lineups_of_any_of_these_sizes():
    lineups = ["random", "greedy,random,random", "greedy,random,random,random"]
    found = cells({"lineups": lineups, "design": {"vary": {"players": [3, 4]}}})
    told = [(p.lineup, p.players) for p in found.design_points]
    assert told == [
        ("random", 3),
        (lineups[1], 3),
        ("random", 4),
        (lineups[2], 4),
    ]


def test_the_rules_of_a_point_change_together():
    """Eight rounds need hands of eight cards."""
    with pytest.raises(RuleError, match="at most the hand of 7"):
        cells({"design": {"vary": {"rules.rounds": [8]}}})
    vary = {"rules.rounds": [6, 8], "rules.hand": [6, 8]}
    found = cells({"design": {"kind": "zip", "vary": vary}})
    told = [(cell.rules.rounds, cell.rules.hand) for cell in found.cells]
    assert told == [(6, 6), (8, 8)]


def test_what_differs_by_the_number_of_players_can_be_varied():
    values = {"game": "kbernestich", "lineups": ["random"], "players": [3, 4]}
    vary = {"rules.hannah": [0, 2], "rules.by_players.4.start_scores": [[0] * 4]}
    found = plan(parse({**values, "design": {"vary": vary}}), 1)
    rows = [found.cells[p.cell].rules.by_players for p in found.design_points]
    assert [[row.hannah for row in table] for table in rows] == [
        [0, 0],
        [0, 0],
        [2, 2],
        [2, 2],
    ]
    assert {table[1].start_scores for table in rows} == {(0, 0, 0, 0)}


def test_places_that_come_to_the_same_share_a_cell():
    vary = {"rules.life": {"from": 3, "to": 4}, "rules.weeks": {"from": 4, "to": 5}}
    found = cells({"design": {"kind": "lhs", "samples": 40, "vary": vary}})
    assert len(found.design_points) == 40
    assert len(found.cells) == 4
    for place in found.design_points:
        rules = found.cells[place.cell].rules
        assert rules.life == place.point["rules.life"]
        assert rules.weeks == place.point["rules.weeks"]


def test_points_that_cannot_be_are_left_out_where_that_is_wanted():
    vary = {"rules.hand": [7, 10], "players": [4, 5]}
    with pytest.raises(RuleError, match=r"point rules.hand = 10, players = 5") as told:
        cells({"design": {"vary": vary}})
    assert 'invalid = "skip"' in str(told.value)
    found = cells({"design": {"vary": vary, "invalid": "skip"}})
    assert len(found.design_points) == 3
    assert len(found.skipped) == 1
    assert all("hand" in words for words in found.skipped)


def test_the_command_line_beats_the_file_and_says_so(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study, notes = apply_overrides(
        load(file),
        players="5",
        games=100,
        seed=9,
        lineup="greedy",
        wanted="0.5pp",
        settings=["life=6"],
        rotate=False,
    )
    found = plan(study)
    assert (found.seed, found.games, found.precision.text) == (9, 100, "0.5pp")
    assert {cell.players for cell in found.cells} == {5}
    assert {cell.title() for cell in found.cells} == {"greedy"}
    assert not any(cell.rotate for cell in found.cells)
    assert {cell.rules.life for cell in found.cells} == {6}
    assert f"--games 100 overrides games = 500 of {file}" in notes
    assert f"--lineup greedy overrides lineups = allround, bold of {file}" in notes
    assert any("--set life=6 overrides life = 5" in note for note in found.notes)
    assert apply_overrides(load(file)) == (load(file), [])


def test_what_is_assumed_is_told_while_a_part_of_it_is_in_force():
    rules = load_game("kbernestich").rules
    assert "by_players" in assumptions_in_force(rules.of({"hannah": 1}))
    other = {"start_scores": [0] * 4, "hannah": 0, "marie_to": [9]}
    one = {"3": {"remove": True}, "4": other}
    assert "by_players" not in assumptions_in_force(rules.of({"by_players": one}))
    assert "zabine" not in assumptions_in_force(rules.of({"zabine": [20]}))


def test_a_variant_of_the_command_line_takes_the_place_of_those(file, tmp_path):
    study, _ = apply_overrides(load(file), variant=tmp_path / "richer.toml")
    found = plan(study)
    assert {place.variant for place in found.design_points} == {"richer"}
    assert {cell.rules.life for cell in found.cells} == {5}


def _examples():
    root = Path(__file__).parents[2]
    text = "".join(
        (root / page).read_text("utf-8") for page in ("README.md", "docs/studies.md")
    )
    return re.findall(r"```toml\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("text", _examples())
def test_examples_of_the_pages_are_studies(tmp_path, text):
    path = tmp_path / "example.toml"
    path.write_text(text)
    assert plan(load(path), 1).cells

"""What is wrong with a study file: messages name the place and what is allowed."""

import pytest

from experiments.core.cells import UsageError
from experiments.studies.plans import plan
from experiments.studies.study import load, parse
from sim.parameters import RuleError
from strategies.registry import UnknownStrategy

LEAST = {"game": "kunitame", "lineups": ["random"]}


MISTAKES = {
    "key": ({"lineup": ["random"]}, "no key 'lineup'; did you mean 'lineups'?"),
    "key of a design": ({"vary": {}}, "Put 'vary' under [design]."),
    "rule": ({"life": 4}, "Put 'life' under the rules of a variant"),
    "game": ({"game": 3}, "game: input should be a valid string, not 3"),
    "no lineup": ({"lineups": []}, "lineups: name at least one"),
    "lineups": ({"lineups": 3}, "lineups: a list"),
    "seats": ({"lineups": [3]}, "a strategy for each seat"),
    "strategy": ({"lineups": ["randm"]}, "did you mean 'random'?"),
    "lineup size": ({"lineups": ["random,random"]}, "seats 2, but players is 4"),
    "players": ({"players": [4, 6]}, "6 cannot play kunitame. Allowed: 3, 4, 5"),
    "players, text": ({"players": "four"}, "players: "),
    "games": ({"games": -1}, "games: input should be greater"),
    "games, truth": ({"games": True}, "games: input should be a valid integer"),
    "seed": ({"seed": -1}, "seed: "),
    "precision": ({"precision": "2%"}, "precision: '2%' is not a width. Write 0.2pp"),
    "precision, none": ({"precision": 0}, "is not a width"),
    "measure": ({"measures": ["won by set"]}, "did you mean 'won by seat'?"),
    "measure, plain": (
        {"measures": ["staking"], "detailed": False},
        "ask for detailed = true",
    ),
    "tables": ({"tables": 3}, "tables: "),
    "variants": ({"variants": 3}, "variants: a list of files"),
    "no variants": ({"variants": []}, "variants: name at least one"),
    "variant": ({"variants": {"x": 3}}, "variants.x: a file, or base and rules"),
    "variant, key": ({"variants": {"x": {"rule": {}}}}, "did you mean 'rules'?"),
    "variant, rule": (
        {"variants": {"x": {"rules": {"lif": 3}}}},
        "[variants.x]: [rules] lif",
    ),
    "variant, file": ({"variants": ["none.toml"]}, "none.toml"),
    "panel": ({"panel": ["allrund"]}, "did you mean 'allround'?"),
    "design": ({"design": {"knd": "grid"}}, "[design] no key 'knd'"),
    "kind": ({"design": {"kind": "gird"}}, "Did you mean 'grid'?"),
    "design, rule": (
        {"design": {"vary": {"rules.lif": [3]}}},
        "did you mean 'rules.life'?",
    ),
    "design, bare": (
        {"design": {"vary": {"life": [3]}}},
        "did you mean 'rules.life'?",
    ),
    "design, value": (
        {"design": {"vary": {"rules.life": [3, 99]}}},
        "point rules.life = 99",
    ),
    "design, nobody": (
        {"design": {"vary": {"strategy.planner.margin": [1]}}},
        "no lineup seats 'planner'",
    ),
    "design, parameter": (
        {"design": {"vary": {"strategy.planner.margn": [1]}}, "lineups": ["planner"]},
        "did you mean 'margin'?",
    ),
    "design, no parameter": (
        {"design": {"vary": {"strategy.planner": [1]}}},
        "strategy.NAME.PARAMETER",
    ),
    "design, players": (
        {"design": {"vary": {"players": [3]}}, "players": 4},
        "given twice",
    ),
    "design, number of players": (
        {"design": {"vary": {"players": [[3], 4]}}},
        "[3] cannot play kunitame",
    ),
    "design, seats": (
        {"design": {"vary": {"players": [3, 5]}}, "lineups": ["random,random"]},
        "seats 2, but players is 3, 5",
    ),
    "targets": ({"targets": 3}, "targets: "),
    "target": (
        {"targets": {"seats": {"measure": "won by set", "gap": 0.02}}},
        "did you mean 'won by seat'?",
    ),
    "target, key": (
        {"targets": {"seats": {"measure": "won by seat", "gp": 0.02}}},
        "'gap'?",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(mistake):
    values, expected = MISTAKES[mistake]
    with pytest.raises((UsageError, RuleError, UnknownStrategy)) as caught:
        plan(parse({**LEAST, **values}), 1)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("game = kunitame", "not TOML"),
        ('lineups = ["random"]', 'the key "game" is missing'),
        ('game = "kunitame"\nrules.life = 4', "this is a variant file, not a study"),
        ('game = "kunitame"\nlineup = 3', "my.toml: no key 'lineup'"),
        ('game = "kunitame"\nlineups = ["randm"]', "my.toml: no strategy 'randm'"),
    ],
)
def test_mistakes_name_the_file(tmp_path, text, expected):
    file = tmp_path / "my.toml"
    file.write_text(text)
    with pytest.raises((UsageError, UnknownStrategy)) as caught:
        plan(load(file))
    assert expected in str(caught.value)
    assert str(file) in str(caught.value)


def test_no_such_file(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        load(tmp_path / "none.toml")

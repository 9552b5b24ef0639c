"""The schema of variant files: it holds what holds, and marks what editors can mark."""

import tomllib
from dataclasses import replace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator, Draft7Validator

from experiments.studies.study import parse
from experiments.studies.study_schema import study_schema
from experiments.variants.rules_by_players import settable
from experiments.variants.schema import schema
from experiments.variants.variants import resolve_rules
from sim.games import REGISTRY, load
from sim.parameters import RuleError, Rules, TableRow, parameter

GAMES = list(REGISTRY)
MADE = {game: schema(load(game)) for game in GAMES}
CHECKS = {game: Draft7Validator(made) for game, made in MADE.items()}


def valid(game: str, rules: dict[str, Any]) -> bool:
    return CHECKS[game].is_valid({"game": game, "rules": rules})


def tables(game: str) -> dict[str, list[dict[str, Any]]]:
    """The rules that are tables of rows: key -> rows."""
    rules = load(game).rules()
    return {
        key: value
        for key, value in rules.plain().items()
        if getattr(rules, key) and isinstance(getattr(rules, key), tuple)
        if isinstance(getattr(rules, key)[0], TableRow)
    }


@pytest.mark.parametrize("game", GAMES)
def test_it_is_a_schema(game):
    Draft7Validator.check_schema(MADE[game])


class Odd(Rules):
    """Parameters of types that no game has yet."""

    one: Literal["a"] = parameter("a", "a choice of one", source="here")
    either: int | Literal["all"] | None = parameter(None, "so many", source="here")
    pairs: tuple[tuple[int, str], ...] = parameter((), "pairs", source="here")
    spread: dict[str, int] = parameter({}, "so many of each", source="here")
    share: float = parameter(0.5, "a share", source="here", ge=0, le=1)


@pytest.mark.parametrize(
    ("rules", "holds"),
    [
        ({"one": "a"}, True),
        ({"one": "b"}, False),
        ({"either": 3}, True),
        ({"either": "all"}, True),
        ({"either": "b"}, False),
        ({"either": None}, False),
        ({"pairs": [[1, "a"]]}, True),
        ({"pairs": [["a", 1]]}, False),
        ({"pairs": [[1]]}, False),
        ({"spread": {"a": 1}}, True),
        ({"spread": {"a": "b"}}, False),
        ({"share": 0.1}, True),
        ({"share": 2}, False),
    ],
)
def test_parameters_of_any_type(rules, holds):
    made = schema(replace(load("kunitame"), rules=Odd))
    Draft4Validator.check_schema(made)
    assert keywords(made) <= set(Draft7Validator.META_SCHEMA["properties"])
    values = {"game": "kunitame", "rules": rules}
    assert Draft7Validator(made).is_valid(values) is holds
    assert Draft4Validator(made).is_valid(values) is holds


def keywords(made: Any) -> set[str]:
    if isinstance(made, list):
        return set().union(*map(keywords, made))
    if not isinstance(made, dict):
        return set()
    inside = made.get("properties", {}) | made.get("patternProperties", {})
    rest = [
        v
        for k, v in made.items()
        if k not in {"properties", "patternProperties", "default", "enum", "const"}
    ]
    return set(made).union(*map(keywords, [*inside.values(), *rest]))


@pytest.mark.parametrize("game", GAMES)
def test_it_has_nothing_that_an_editor_might_not_know(game):
    known = set(Draft7Validator.META_SCHEMA["properties"])
    assert keywords(MADE[game]) <= known


@pytest.mark.parametrize("game", GAMES)
def test_the_base_rules_hold_as_they_are_and_row_by_row(game):
    plain = load(game).rules().plain()
    assert valid(game, plain)
    for key, rows in tables(game).items():
        patch = {
            row["id"]: {name: v for name, v in row.items() if name != "id"}
            for row in rows
        }
        assert valid(game, {key: patch})
        assert valid(game, {key: {name: {"remove": True} for name in patch}})
        assert not valid(game, {key: {name: {"remove": 1} for name in patch}})
        assert not valid(game, {key: {name: {"no such field": 1} for name in patch}})
        assert not valid(game, {key: dict.fromkeys(patch, 1)})
        assert not valid(game, {key: [{"id": "lonely", "no such field": 1}]})
        assert not valid(game, {key: {"a b": {"remove": True}}})


@pytest.mark.parametrize("game", GAMES)
def test_editors_are_told_of_every_rule(game):
    told = MADE[game]["properties"]["rules"]["properties"]
    parameters = load(game).rules().parameters()
    for one in parameters:
        about = told[one.key]["description"]
        for words in (one.doc[1:].removesuffix("."), one.unit, one.allowed):
            assert words in about
        if one.key not in tables(game):
            assert told[one.key].get("default") == one.default
    assert list(told) == settable(load(game).rules())


def test_what_differs_by_the_number_of_players_can_be_set_at_once():
    told = MADE["kbernestich"]["properties"]["rules"]["properties"]
    assert "by_players sets each" in told["hannah"]["description"]
    assert valid("kbernestich", {"hannah": 1, "by_players": {"4": {"hannah": 3}}})
    assert valid("kbernestich", {"marie_to": [3, 2, 1, 1]})
    assert not valid("kbernestich", {"hannah": "1"})
    assert not valid("kbernestich", {"hannah": {"4": 1}})
    assert not valid("kbernestich", {"by_players": {"4": {"hanna": 3}}})


@pytest.mark.parametrize("game", GAMES)
def test_a_row_tells_what_it_is_now(game):
    told = MADE[game]["properties"]["rules"]["properties"]
    for key, rows in tables(game).items():
        by_id = told[key]["anyOf"][0]["properties"]
        assert list(by_id) == [row["id"] for row in rows]
        for row in rows:
            for name, field in by_id[row["id"]]["properties"].items():
                assert field.get("default") == row.get(name)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ('game = "kunitame"', True),
        ('game = "kunitame"\nname = "a"\nabout = "b"\nbase = "c"', True),
        ('game = "kunitame"\n[rules]\nlife = 4', True),
        ('game = "kunitame"\n[rules.squares.blue]\ngem = 3', True),
        ('game = "kunitame"\n[rules.squares.blue]\nremove = true', True),
        ('game = "kunitame"\n[rules.squares.x]\npledge = "P1"\nwhen = "all"', True),
        ('game = "kunitame"\n[rules.squares.x]\nnum = [1, 2]', True),
        ("", False),
        ("[rules]", False),
        ('game = "chess"', False),
        ('game = "kunitame"\nrule = 1', False),
        ('game = "kunitame"\nname = 4', False),
        ('game = "kunitame"\nbase = ""', False),
        ('game = "kunitame"\nrules = 4', False),
        ('game = "kunitame"\n[rules]\nlif = 4', False),
        ('game = "kunitame"\n[rules]\nlife = "4"', False),
        ('game = "kunitame"\n[rules]\nlife = 13', False),
        ('game = "kunitame"\n[rules]\nrefill_weekly = 1', False),
        ('game = "kunitame"\n[rules]\ntrick_take = "mus"', False),
        ('game = "kunitame"\n[rules]\nsuits = "blue"', False),
        ('game = "kunitame"\n[rules.squares.blue]\ngem = 2', False),
        ('game = "kunitame"\n[rules.squares.blue]\ngems = 3', False),
        ('game = "kunitame"\n[rules.squares.blue]\nnum = [1]', False),
        ('game = "kunitame"\n[rules.squares.blue]\nnum = [1, 2, 3]', False),
        ('game = "kunitame"\n[rules.squares.blue]\nnum = [1, "2"]', False),
        ('game = "kunitame"\n[[rules.squares]]\nid = "x"', False),
    ],
)
def test_what_holds(text, holds):
    values = tomllib.loads(text)
    assert CHECKS["kunitame"].is_valid(values) is holds
    assert Draft4Validator(MADE["kunitame"]).is_valid(values) is holds


ANY = st.one_of(
    st.booleans(),
    st.integers(-2, 70),
    st.floats(-3, 3),
    st.text("abcP17", max_size=3),
    st.lists(st.one_of(st.integers(0, 9), st.text("ab", max_size=2)), max_size=6),
    st.sampled_from(["must", "may", "player", "nobody", "inert", "distinct"]),
)


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_it_refuses_nothing_that_the_rules_take(game, data):
    key = data.draw(st.sampled_from(settable(load(game).rules())))
    value = data.draw(ANY)
    try:
        load(game).rules.of({key: value})
    except RuleError:
        return
    assert valid(game, {key: value})


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_it_marks_what_a_rule_by_itself_may_not_be(game, data):
    key = data.draw(st.sampled_from(settable(load(game).rules())))
    value = data.draw(ANY)
    if valid(game, {key: value}) or isinstance(value, float):
        return
    with pytest.raises(RuleError):
        load(game).rules.of({key: value})


def test_what_it_holds_is_settled(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('game = "kunitame"\nname = "a"\nabout = "b"\nbase = "base"')
    assert CHECKS["kunitame"].is_valid(tomllib.loads(path.read_text()))
    assert resolve_rules(load("kunitame"), path).rules == load("kunitame").rules()


# --- Studies --------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_that_of_studies_is_a_schema(game):
    Draft7Validator.check_schema(study_schema(load(game)))


STUDY: dict[str, Any] = {
    "game": "kunitame",
    "players": [3, 4],
    "lineups": ["allround", "timid"],
    "variants": {"four": {"rules": {"life": 4}}, "file": "four.toml"},
    "measures": "won by position",
    "precision": "0.2pp",
    "design": {"vary": {"rules.life": [2, 3]}},
    "targets": {"fair": {"measure": "won by position", "gap": 0.02}},
}


@pytest.mark.parametrize(
    ("more", "holds"),
    [
        ({}, True),
        ({"lineups": {"all": "allround"}, "players": "3-5"}, True),
        ({"variants": ["base", "richer.toml"], "seed": 3, "panel": True}, True),
        ({"measures": ["won by place"]}, False),
        ({"variants": {"four": {"rules": {"lives": 4}}}}, False),
        ({"targets": {"fair": {"measure": "won by position", "gab": 0.02}}}, False),
        ({"design": {"kind": "cube"}}, False),
        ({"folder": "."}, False),
    ],
)
def test_it_holds_what_studies_hold(more, holds):
    study = {**STUDY, **more}
    assert Draft7Validator(study_schema(load("kunitame"))).is_valid(study) == holds
    if holds:
        parse(study)

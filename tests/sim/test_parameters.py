"""Parameters: every mistake names its place, what is allowed, and the nearest."""

from typing import Any, Literal

import pytest
from pydantic import Field

from sim.games import REGISTRY, UnknownGame, load
from sim.parameters import RuleError, Rules, TableRow, nearest, one_of, parameter


class Place(TableRow):
    """A row of a board."""

    worth: int = Field(ge=0)
    colour: Literal["red", "blue"] = "red"
    span: tuple[int, int] | None = None


class Toy(Rules):
    """Parameters of every type."""

    cards: int = parameter(
        7, "cards dealt", unit="cards", source="text, 1", ge=1, le=20
    )
    open: bool = parameter(False, "whether hands are seen", source="text, 2")
    mood: Literal["calm", "wild"] = parameter(
        "calm", "how it goes", assumed="nobody says"
    )
    scores: tuple[int, ...] = parameter((1, 2), "points", unit="points")
    board: tuple[Place, ...] = parameter(
        (Place(id="alpha", worth=1), Place(id="beta", worth=2, colour="blue")),
        "the board",
    )


def refused(changes: dict[str, Any]) -> str:
    with pytest.raises(RuleError) as caught:
        Toy.of(changes)
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


# --- Changes ------------------------------------------------------------------------


def test_nothing_changed_is_the_base() -> None:
    assert Toy.of() == Toy() == Toy.of({})
    assert Toy().differences() == {}


@pytest.mark.parametrize(
    ("changes", "differences"),
    [
        ({"cards": 9}, {"cards": (7, 9)}),
        (
            {"open": True, "mood": "wild"},
            {"open": (False, True), "mood": ("calm", "wild")},
        ),
        ({"scores": [3]}, {"scores": ([1, 2], [3])}),
        ({"board.beta.worth": 5}, {"board.beta.worth": (2, 5)}),
        ({"board": {"beta": {"worth": 5}}}, {"board.beta.worth": (2, 5)}),
        ({"board.alpha.span": [1, 2]}, {"board.alpha.span": (None, [1, 2])}),
        (
            {"board.new": {"worth": 3}},
            {"board.new.worth": (None, 3), "board.new.colour": (None, "red")},
        ),
        (
            {"board.alpha.remove": True},
            {"board.alpha.worth": (1, None), "board.alpha.colour": ("red", None)},
        ),
    ],
)
def test_changes(changes: dict[str, Any], differences: dict[str, Any]) -> None:
    assert Toy.of(changes).differences() == differences


def test_changes_add_up() -> None:
    first = Toy.of({"board.alpha.worth": 4, "cards": 3})
    then = first.changed({"board.beta.colour": "red"})
    assert then.cards == 3
    assert [(row.worth, row.colour) for row in then.board] == [(4, "red"), (2, "red")]
    assert first.board[1].colour == "blue"


def test_a_whole_table() -> None:
    rules = Toy.of({"board": [{"id": "only", "worth": 9, "span": [1, 4]}]})
    assert [row.id for row in rules.board] == ["only"]
    assert rules.board[0].span == (1, 4)


def test_rules_are_frozen_and_compare() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Toy().cards = 4
    assert hash(Toy()) == hash(Toy.of({"cards": 7}))
    assert Toy() != Toy.of({"cards": 8})


def test_plain_is_json() -> None:
    assert Toy().plain() == {
        "cards": 7,
        "open": False,
        "mood": "calm",
        "scores": [1, 2],
        "board": [
            {"id": "alpha", "worth": 1, "colour": "red"},
            {"id": "beta", "worth": 2, "colour": "blue"},
        ],
    }
    assert Toy.of(Toy().plain()) == Toy()


# --- Mistakes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        (
            {"crads": 3},
            ["crads: no rule value 'crads'; did you mean 'cards'?", "mood, scores"],
        ),
        ({"zzz": 3}, ["zzz: no rule value 'zzz'. Allowed: cards, open"]),
        ({"cards": 21}, ["cards: ", "21", "Allowed: whole number 1 to 20."]),
        ({"cards": 0}, ["cards: ", "0", "Allowed: whole number 1 to 20."]),
        ({"cards": "7"}, ["cards: ", "'7'", "Allowed: whole number 1 to 20."]),
        ({"cards": 7.5}, ["cards: ", "7.5", "Allowed: whole number 1 to 20."]),
        ({"cards": True}, ["cards: ", "True", "Allowed: whole number 1 to 20."]),
        ({"open": 1}, ["open: ", "Allowed: true or false."]),
        (
            {"mood": "mild"},
            ["mood: ", "'mild'", "Did you mean 'wild'?", "Allowed: calm | wild."],
        ),
        ({"scores": 4}, ["scores: ", "4", "Allowed: list (whole number each)."]),
        ({"scores": [1, "x"]}, ["scores.1: ", "'x'"]),
        ({"cards.low": 3}, ["cards.low: 'cards' is one value, it has no parts."]),
        (
            {"board.alhpa.colour": "blue"},
            ["(a new row lacks worth); did you mean 'alpha'?", "Rows: alpha, beta."],
        ),
        (
            {"board.alpha.wroth": 3},
            ["board.alpha", "no field 'wroth'; did you mean 'worth'?", "colour, span"],
        ),
        (
            {"board.gamma.colour": "red"},
            ["no row 'gamma'", "lacks worth", "alpha, beta"],
        ),
        ({"board.gamma.remove": True}, ["no row 'gamma'", "nothing to remove"]),
        ({"board.alpha.remove": "yes"}, ["board.alpha", "remove: true or false."]),
        ({"board.alpha": 3}, ["board.alpha", "give the row's fields, such as worth"]),
        ({"board.alpha.worth": -1}, ["board.alpha.worth: ", "-1"]),
        (
            {"board.alpha.colour": "rde"},
            ["board.alpha.colour: ", "Did you mean 'red'?", "Allowed: red | blue."],
        ),
        ({"board.alpha.span": [1]}, ["board.alpha.span"]),
        ({"board": [{"id": "a b", "worth": 1}]}, ["board.a b.id: ", "'a b'"]),
        ({"board": [{"id": "a"}]}, ["board.a.worth: "]),
        ({"board": [{"id": "a", "worth": 1, "x": 2}]}, ["board.a.x: "]),
    ],
)
def test_mistakes(changes: dict[str, Any], parts: list[str]) -> None:
    text = refused(changes)
    for part in parts:
        assert part in text
    assert "pydantic" not in text
    assert "\n" not in text


def test_nearest_and_one_of() -> None:
    assert nearest("lief", ["life", "hand"]) == "; did you mean 'life'?"
    assert nearest("xyz", ["life", "hand"]) == "."
    assert one_of(["a", "b"]) == "a, b"


# --- What a designer is shown -------------------------------------------------------


def test_parameters_say_all_that_a_designer_must_know() -> None:
    parameters = {one.key: one for one in Toy.of({"cards": 9}).parameters()}
    assert list(parameters) == ["cards", "open", "mood", "scores", "board"]
    cards, mood = parameters["cards"], parameters["mood"]
    assert (cards.value, cards.default, cards.doc) == (9, 7, "cards dealt")
    assert (cards.unit, cards.source) == ("cards", "text, 1")
    assert cards.allowed == "whole number 1 to 20"
    assert (mood.allowed, mood.assumed) == ("calm | wild", "nobody says")
    assert parameters["scores"].allowed == "list (whole number each)"
    assert parameters["board"].allowed == "table with id, worth, colour, span"


@pytest.mark.parametrize("game", REGISTRY)
def test_every_parameter_of_every_game_is_documented(game: str) -> None:
    for one in load(game).rules().parameters():
        assert one.doc, one.key
        assert one.source or one.assumed, f"{one.key} has no source"
        assert one.allowed, one.key
        assert one.value == one.default


@pytest.mark.parametrize("game", REGISTRY)
def test_rules_of_every_game_survive_being_written_down(game: str) -> None:
    rules = load(game).rules()
    assert type(rules).of(rules.plain()) == rules


def test_unknown_game() -> None:
    with pytest.raises(UnknownGame, match=r"no game 'kuni'; did you mean 'kunitame'\?"):
        load("kuni")
    with pytest.raises(UnknownGame, match=f"Games: {', '.join(REGISTRY)}"):
        load("whist")

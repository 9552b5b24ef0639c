"""Rule differences in plain English, for any rules model."""

from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import Field

from experiments.variants.rule_diff import changes, sentences
from sim.games import REGISTRY, load
from sim.parameters import Rules, TableRow, parameter


class CardKind(TableRow):
    """A row of a table."""

    worth: int = Field(ge=0)
    colour: Literal["red", "blue"] = "red"
    span: tuple[int, int] | None = None
    wild: bool = False


class Toy(Rules):
    """Parameters of every type."""

    cards: int = parameter(
        7, "cards dealt", unit="cards", source="text", ge=1, le=20_000
    )
    pace: int = parameter(2, "steps: forward", unit="steps a turn", source="text", ge=0)
    glass: int = parameter(2, "drinks", unit="glass", source="text", ge=0)
    open: bool = parameter(False, "whether hands are seen", source="text")
    rate: float = parameter(0.1, "share that is paid", source="text")
    mood: Literal["calm", "wild"] = parameter("calm", "how it goes.", source="text")
    word: str = parameter("a", "what is said", source="text")
    most: int | None = parameter(None, "the most", unit="coins", source="text")
    few: tuple[int, ...] = parameter((1, 2), "points", unit="points", source="text")
    many: tuple[int, ...] = parameter(
        (1, 1, 2, 3, 5), "pay", unit="coins", source="text"
    )
    suits: tuple[str, ...] = parameter(("red", "blue"), "suits", source="text")
    pairs: tuple[tuple[int, int], ...] = parameter(((1, 2),), "pairs", source="text")
    prices: dict[str, int] = parameter({"a": 1}, "prices", unit="coins", source="text")
    bare: int = parameter(1, "", source="text")
    kinds: tuple[CardKind, ...] = parameter(
        (CardKind(id="alpha", worth=1), CardKind(id="beta", worth=2, colour="blue")),
        "the cards",
        source="text",
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cards": 9}, "Cards dealt: 9 cards instead of 7 (cards)."),
        ({"cards": 1}, "Cards dealt: 1 card instead of 7 (cards)."),
        ({"cards": 12345}, "Cards dealt: 12,345 cards instead of 7 (cards)."),
        ({"pace": 1}, "Steps, forward: 1 step a turn instead of 2 (pace)."),
        ({"glass": 1}, "Drinks: 1 glass instead of 2 (glass)."),
        ({"open": True}, "Whether hands are seen: yes instead of no (open)."),
        ({"rate": 0.1000001}, "Share that is paid: 0.1000001 instead of 0.1 (rate)."),
        ({"mood": "wild"}, "How it goes: wild instead of calm (mood)."),
        ({"word": ""}, 'What is said: "" instead of a (word).'),
        ({"most": 3}, "The most: 3 coins; it was not set (most)."),
        ({"few": [1, 3]}, "Points: 1, 3 points instead of 1, 2 (few)."),
        ({"few": []}, "Points: nothing instead of 1, 2 (few)."),
        ({"few": [1, 2, 4]}, "Points: 4 added; now 1, 2, 4 points (few)."),
        ({"few": [1, 3, 4]}, "Points: 1, 3, 4 points instead of 1, 2 (few)."),
        ({"few": [2]}, "Points: 1 removed; now 2 points (few)."),
        ({"few": [2, 1, 3]}, "Points: 2, 1, 3 points instead of 1, 2 (few)."),
        ({"few": [5, 6, 7]}, "Points: 5, 6, 7 points instead of 1, 2 (few)."),
        ({"few": [1, 2, 2]}, "Points: 1, 2, 2 points instead of 1, 2 (few)."),
        (
            {"many": [1, 1, 2, 4, 5]},
            "Pay: 4 instead of 3 at place 4; now 1, 1, 2, 4, 5 coins (many).",
        ),
        (
            {"many": [9, 8, 7, 6, 5]},
            "Pay: 9, 8, 7, 6, 5 coins instead of 1, 1, 2, 3, 5 (many).",
        ),
        ({"suits": ["red"]}, "Suits: blue removed; now red (suits)."),
        ({"pairs": [[1, 3]]}, "Pairs: [1, 3] instead of [1, 2] (pairs)."),
        ({"prices": {"b": 2}}, "Prices: b 2 coins instead of a 1 (prices)."),
        ({"bare": 2}, "2 instead of 1 (bare)."),
        (
            {"kinds.beta.worth": 5},
            "Card kind beta: worth 5 instead of 2 (kinds).",
        ),
        (
            {"kinds.beta": {"span": [2, 4], "wild": True, "colour": "red"}},
            "Card kind beta: colour red instead of blue; wild yes instead of no; "
            "span 2 to 4 instead of none (kinds).",
        ),
        (
            {"kinds.new": {"worth": 3, "span": [2, 2], "wild": True}},
            "New card kind new: worth 3; colour red; span 2; wild (kinds).",
        ),
        (
            {"kinds.new": {"worth": 3, "span": [4, 2]}},
            "New card kind new: worth 3; colour red; span 4, 2 (kinds).",
        ),
        (
            {"kinds.alpha.remove": True},
            "No card kind alpha: it was worth 1; colour red (kinds).",
        ),
    ],
)
def test_sentence(change, words):
    assert sentences(Toy(), Toy.of(change)) == [words]


def test_nothing_differs():
    assert sentences(Toy(), Toy()) == []


def test_rows_in_another_order():
    rows = [{"id": "beta", "worth": 2, "colour": "blue"}, {"id": "alpha", "worth": 1}]
    assert sentences(Toy(), Toy.of({"kinds": rows})) == [
        "The rows of the table are in another order (kinds)."
    ]


def test_a_table_that_becomes_empty_and_full_again():
    empty = Toy.of({"kinds": []})
    assert len(sentences(Toy(), empty)) == 2
    assert len(sentences(empty, Toy())) == 2


def test_a_change_knows_both_sides():
    here = Toy.of({"cards": 9, "kinds.beta.worth": 5, "kinds.alpha.remove": True})
    cards, alpha, beta = changes(Toy(), here)
    assert (cards.key, cards.before, cards.after, cards.fields) == ("cards", 7, 9, ())
    assert (alpha.key, alpha.after, alpha.fields) == ("kinds.alpha", None, ())
    assert (beta.key, beta.fields) == ("kinds.beta", ("worth",))
    assert (beta.before["worth"], beta.after["worth"]) == (2, 5)


def test_rules_of_two_games():
    with pytest.raises(ValueError, match="two games cannot be compared"):
        sentences(Toy(), Rules())


# --- Of every game, every rule --------------------------------------------------------


def _another(annotation: Any, value: Any) -> Any:
    """A value of this type that is not this one; nothing where none is known."""
    if annotation is bool:
        return not value
    if annotation is int:
        return value + 1
    if annotation is str:
        return f"{value}x"
    if get_origin(annotation) is Literal:
        return next((one for one in get_args(annotation) if one != value), None)
    return None


@pytest.mark.parametrize("game", REGISTRY)
def test_every_rule_of_every_game_is_told(game):
    model = load(game).rules
    base = model()
    told = 0
    for name, field in model.model_fields.items():
        other = _another(field.annotation, getattr(base, name))
        if other is None:
            continue
        # What fits together is not asked here: any value has to be told.
        here = base.model_copy(update={name: other})
        [words] = sentences(base, here)
        assert words.endswith(f"({name}).")
        assert words != sentences(here, base)[0]
        told += 1
    assert told


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hannah": 1}, "With 4 players: hannah 1 instead of 2 (by_players)."),
        (
            {"by_players": {"3": {"remove": True}}},
            "Not with 3 players: it was start_scores 0, 3, 6; hannah 1; "
            "marie_to 3, 2, 1, 1 (by_players).",
        ),
    ],
)
def test_what_differs_by_the_number_of_players(change, words):
    base = load("kbernestich").rules()
    here = base.changed(change)
    assert sentences(base, here) == [words]
    [back] = sentences(here, base)
    assert back.startswith(("With 4 players: hannah 2", "Also with 3 players: start"))


def test_a_rule_that_is_not_set_is_told_as_what_it_amounts_to():
    drake = load("drake").rules
    [more] = sentences(drake(), drake.of({"maidens": 10}))
    assert more.endswith("10 cards instead of 8 (maidens).")
    [less] = sentences(drake.of({"maidens": 10}), drake())
    assert less.endswith("8 cards instead of 10 (maidens).")
    [same] = sentences(drake(), drake.of({"maidens": 8}))
    assert same.endswith("8 cards, as before (maidens).")


def test_many_items_that_differ_are_told_as_a_list():
    devil = load("devil").rules
    [words] = sentences(devil(), devil.of({"points": [1] * 10}))
    assert words.startswith("Points in hand of ranks 1 to 10")

"""The parameters of Article II: what the rule text says, and what is refused."""

from typing import Any

import pytest

from sim.parameters import RuleError
from tests.article_ii.plays import PLAYERS, PLAYS, ruled
from tests.article_ii.referee import MARKS, OPTIONS, STYLES, VALUES, printed
from tests.games.parameters import Parameters

BOTH = ("updated", "original")


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("deck", BOTH)
def test_defaults_are_those_of_the_rule_text(deck: str, players: int) -> None:
    """The referee's own reading of the rule text, written apart from the engine."""
    told = ruled({"deck": deck}).plain_with(players)
    styles = {row["id"]: tuple(row["effects"]) for row in told.pop("styles")}
    assert styles == STYLES
    assert told.pop("parties") is False
    readings = {key: values[0] for key, values in OPTIONS.items()}
    assert told == VALUES | readings | {"deck": deck, "cards": printed(deck)}


@pytest.mark.parametrize("deck", BOTH)
def test_a_changed_deck_is_custom(deck: str) -> None:
    """However it is changed; changed back, it is the printed one if it is called so."""
    for change in ({"copies": 3}, {"affiliation": 9}, {"remove": True}):
        rules = ruled({"deck": deck, "cards": {"gaffe": change}})
        assert rules.deck == "custom"
        assert set(MARKS) - {card.id for card in rules.cards} <= {"gaffe"}
    same = ruled({"deck": deck, "cards.gaffe.copies": 2})
    assert (same.deck, same) == (deck, ruled({"deck": deck}))


def test_a_deck_changes_into_the_other() -> None:
    assert ruled({"deck": "original"}).changed({"deck": "updated"}) == ruled()
    one = ruled({"hand": 5}).changed({"deck": "original"})
    assert one == ruled({"deck": "original", "hand": 5})


def test_a_card_and_a_style_of_ones_own() -> None:
    rules = ruled(
        {
            "cards": {
                "rally": {"kind": "mark", "copies": 2, "electability": 4},
                "dreamer": {"kind": "style", "copies": 1},
            },
            "styles": {"dreamer": {"effects": ["zero", "sheds"]}},
        }
    )
    told = rules.plain_with(3)
    assert told["cards"]["rally"]["electability"] == 4
    assert {"id": "dreamer", "effects": ["zero", "sheds"]} in told["styles"]
    assert rules.deck == "custom"


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"hnd": 3}, "hnd: no rule value 'hnd'; did you mean 'hand'?"),
    ({"hand": 0}, "hand: "),
    ({"hand": 16}, "hand: "),
    ({"hand": "7"}, "hand: "),
    ({"guard": 0}, "guard: "),
    ({"deck": "orignal"}, "Did you mean 'original'? Allowed: updated | original"),
    ({"halve": "flor"}, "Did you mean 'floor'? Allowed: floor | toward_zero"),
    ({"cards.gafe.copies": 3}, "cards.gafe.copies: no row 'gafe'"),
    ({"cards.gafe.copies": 3}, "did you mean 'gaffe'?"),
    ({"cards.gaffe.copes": 3}, "no field 'copes'; did you mean 'copies'?"),
    ({"cards.gaffe.copies": 64}, "cards.gaffe.copies: "),
    ({"cards.gaffe.electability": 100}, "cards.gaffe.electability: "),
    ({"cards.gaffe.kind": "stile"}, "Did you mean 'style'?"),
    ({"cards": {"x": {"copies": 1}}}, "a new row lacks kind"),
    ({"cards.gaffe.copies": 20}, "cards: a deck has 1 to 63 cards, not 69."),
    ({"styles.hairpiece.effects": ["zeroo"]}, "Did you mean 'zero'?"),
    ({"styles.gaffe.effects": ["zero"]}, "styles.gaffe: that card is no Style"),
    ({"parties": 1}, "parties: "),
]

REFUSED_FOR: list[tuple[dict[str, Any], int, str]] = [
    ({"parties": True}, players, "two parties need 4 players, not")
    for players in (2, 3)
]


class TestParameters(Parameters):
    plays = PLAYS
    refused, refused_for = REFUSED, REFUSED_FOR
    assumed = frozenset({"parties"})


def test_no_deck_at_all_is_refused() -> None:
    nothing = {card: {"remove": True} for card in printed("updated")}
    with pytest.raises(RuleError, match="cards: a deck has 1 to 63 cards, not 0"):
        ruled({"cards": nothing})


@pytest.mark.parametrize(
    ("changes", "players", "told"),
    [
        ({}, 4, ["56 cards, and the deck has 51"]),
        ({}, 3, []),
        ({"deck": "original"}, 4, []),
        ({"hand": 14}, 4, ["the Primary needs 56 cards, and the deck has 51"]),
        ({"general_deal": "reshuffle_all"}, 4, []),
    ],
)
def test_short_decks_are_told(
    changes: dict[str, Any], players: int, told: list[str]
) -> None:
    """56 is 4 players x 7 cards x 2 phases (rules 4.1)."""
    found = ruled(changes).shortages(players)
    assert len(found) == len(told)
    assert all(part in whole for part, whole in zip(told, found, strict=True))

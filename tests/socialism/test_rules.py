"""The parameters of Socialism: what the rule text says, and what is refused."""

from sim.socialism.rules import Socialism
from tests.games.parameters import ParametersInForce
from tests.games.plays import Changes
from tests.socialism.plays import PLAYS, ruled


def test_a_deck_that_is_changed_is_custom() -> None:
    assert ruled({"tokens": 5}).deck == "printed"
    changed = ruled({"users.mary.friends": 4})
    assert changed.deck == "custom"
    assert changed.changed({"deck": "printed"}) == Socialism()
    assert ruled({"deck": "custom"}).deck == "custom"


def test_a_text_can_be_taken_away() -> None:
    changes = {
        "users.debbie.personal": "normal",
        "users.phillip": {"sends": "none", "spam": "normal"},
        "users.becca.trait": "none",
    }
    users = ruled(changes).plain_with(2)["users"]
    assert users["debbie"] == {"copies": 1, "friends": 2}
    assert users["phillip"] == {"copies": 1, "friends": 2, "personal": [5, 6]}
    assert users["becca"] == {"copies": 1, "friends": 2}


REFUSED: list[tuple[Changes, str]] = [
    ({"token": 3}, "token: no rule value 'token'; did you mean 'tokens'?"),
    ({"tokens": 0}, "tokens: "),
    ({"tokens": 22}, "a network of 21 Members, so 21 tokens at most, not 22."),
    ({"users.alan-gerald.trait": "none", "tokens": 21}, "20 tokens at most, not 21."),
    ({"hand": 0}, "hand: "),
    ({"guard": 0}, "guard: "),
    ({"guard": 8001}, "guard: "),
    ({"viral": "owners"}, "Did you mean 'owner'? Allowed: owner | every_turn."),
    ({"invite_mode": "each"}, "Did you mean 'each_once'?"),
    ({"must_play": "perhaps"}, "must_play: "),
    ({"deck": "print"}, "Did you mean 'printed'? Allowed: printed | custom."),
    ({"users.marry.friends": 3}, "did you mean 'mary'?"),
    ({"users.marry.copies": 3}, "a new row lacks friends); did you mean 'mary'?"),
    ({"users.mary.friend": 3}, "did you mean 'friends'?"),
    ({"users.mary.friends": 25}, "friends: 0 to 24, all or each."),
    ({"users.mary.friends": "al"}, "users.mary: friends: 'al'; did you mean 'all'?"),
    ({"users.mary.copies": 21}, "users.mary.copies: "),
    ({"users.mary.trait": "blok"}, "users.mary: trait: 'blok'; did you mean 'block'?"),
    ({"users.mary.spam": "alway"}, "did you mean 'always'?"),
    ({"users.mary.personal": [7]}, "personal: different faces of a die, 1 to 6"),
    ({"users.mary.spam": []}, "spam: different faces of a die, 1 to 6"),
    ({"users.mary.sends": [2, 2]}, "sends: different faces of a die, 1 to 6"),
    ({"users.ipo": {"copies": 1, "friends": 1}}, "users.ipo: that is the id of an Act"),
    ({"actions.ipos.copies": 1}, "no Action 'ipos'; did you mean 'ipo'?"),
    ({"actions.ipo.copies": 9}, "actions.ipo.copies: "),
    (
        {"users.john-smith.copies": 20, "actions.ipo.copies": 8},
        "at most 63 cards in all",
    ),
]

REFUSED_FOR: list[tuple[Changes, int, str]] = [
    ({"hand": 9}, 5, "hand: of 40 cards 5 players can be dealt at most 8 each, not 9."),
    ({"hand": 14}, 3, "hand: of 40 cards 3 players can be dealt at most 13 each"),
]


class TestKnobs(ParametersInForce):
    plays = PLAYS
    refused, refused_for = REFUSED, REFUSED_FOR

"""The rules of Article II as its referee reads them, held against pen and paper."""

from typing import Any

import pytest

from tests.article_ii.plays import transcripts
from tests.article_ii.referee import (
    MARKS,
    OPTIONS,
    STYLES,
    VALUES,
    affiliations,
    check,
    electabilities,
    elected,
    general_totals,
    halved,
    primary_places,
    printed,
    raised,
)
from tests.games.event_lines import Events, Rules
from tests.games.referee import Foul

BASE: Rules = {**VALUES, **{key: values[0] for key, values in OPTIONS.items()}}

SHORT = {
    "-": "",
    "S": "screaming-partisan",
    "O": "outsider-candidate",
    "I": "insider-candidate",
    "G": "great-debater",
    "M": "mudslinger",
    "N": "necromancer",
    "L": "lesser-evil",
    "E": "greater-evil",
    "H": "highlander",
    "P": "hairpiece",
    "3": "third-party-candidate",
    "T": "teflon-wonder",
}


def styles(letters: str) -> list[tuple[str, ...]]:
    """What the Styles do of which these are the letters."""
    return [STYLES.get(SHORT[letter], ()) for letter in letters]


def fouls_at(events: Events, match: str) -> None:
    """The referee refuses the setup."""
    with pytest.raises(Foul, match=rf"(?s)^event 0: .*{match}"):
        check(events)


# --- Cards --------------------------------------------------------------------------


def test_printed_decks() -> None:
    """The numbers as the rule text prints them, written down a second time."""
    for deck, size, kinds in (("updated", 51, 14 + 12 + 2), ("original", 56, 15)):
        cards = printed(deck)
        assert len(cards) == kinds
        assert sum(card["copies"] for card in cards.values()) == size
        for card, (electability, affiliation, *_) in MARKS.items():
            if card in cards:
                assert cards[card]["electability"] == electability
                assert cards[card]["affiliation"] == affiliation
        copies = {card: cards[card]["copies"] for card in [*MARKS, "voter-adhd"]}
        twice = ["tack-center", "toe-the-line", "voter-adhd"]
        assert all(copies[card] == (8 if size == 56 else 4) for card in twice)
        more = ["steal-their-position", "slam-your-fellows", "negative-ad"]
        assert all(copies[card] == (4 if size == 56 else 2) for card in more)
        three = ["newspaper-endorsement", "policy-proposal"]
        assert all(copies[card] == 3 for card in three)
    assert not set(printed("original")) & {*STYLES, "unaffiliated-activity"}


# --- Evaluation ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "letters", "told"),
    [
        ([3, -4], "--", [3, -4]),
        ([3, -4], "SS", [6, -8]),
        ([3, -4], "OL", [0, 0]),
        ([3, -4, 5], "3IP", [0, -4, 5]),
        ([3, -4, 5], "ESP", [3, 0, 0]),  # zero whatever else modifies it
        ([3, -4, 5], "EEP", [0, 0, 0]),
        ([3, -4, 5, 6], "GMNT", [3, -4, 5, 6]),
    ],
)
def test_affiliation(raw: list[int], letters: str, told: list[int]) -> None:
    assert affiliations(raw, styles(letters), range(4)) == told


@pytest.mark.parametrize(
    ("number", "floor", "toward_zero", "exact"),
    [(5, 2, 2, 2.5), (-5, -3, -2, -2.5), (-6, -3, -3, -3), (1, 0, 0, 0.5)],
)
def test_halves(number: int, floor: int, toward_zero: int, exact: float) -> None:
    assert halved(number, "floor") == floor
    assert halved(number, "toward_zero") == toward_zero
    assert halved(number, "exact") == exact


@pytest.mark.parametrize(
    ("raw", "affiliation", "letters", "rules", "told"),
    [
        ([7, 1], [9, 9], "-P", {}, [7, 1]),
        ([7, 1], [9, 9], "IP", {}, [3, 1]),
        ([-7, 1], [9, 9], "IP", {"halve": "toward_zero"}, [-3, 1]),
        ([-7, 1], [9, 9], "IP", {"halve": "exact"}, [-3.5, 1]),
        ([7, 1, 2], [9, 4, 1], "-M-", {}, [3, -3, -2]),
        ([7, 1, 2], [9, 4, 1], "-M-", {"mudslinger_self": False}, [3, 1, -2]),
        ([7, 1, 2], [9, -4, 1], "IM3", {}, [7, 5, 2]),  # halved before: 3 + 4
        ([0, 0, 0], [1, 4, 0], "MM3", {}, [-5, -5, 0]),
        ([0, 0, 0], [1, 4, 0], "MM3", {"mudslinger_self": False}, [-4, -1, 0]),
    ],
)
def test_electability(
    raw: list[int], affiliation: list[int], letters: str, rules: Rules, told: list[Any]
) -> None:
    assert electabilities(raw, affiliation, styles(letters), BASE | rules) == told


@pytest.mark.parametrize(
    ("totals", "electability", "sure", "tied"),
    [
        ([5, 9], [0, 0], [0, 1], []),
        ([5, 5], [0, 0], [0, 1], []),
        ([5, 9, 7], [0, 0, 0], [1, 2], []),
        ([5, 9, 5], [2, 0, 1], [0, 1], []),  # of 5 and 5 the more electable
        ([5, 9, 5], [2, 0, 2], [1], [0, 2]),
        ([5, 5, 5], [2, 2, 2], [], [0, 1, 2]),
        ([5, 5, 5], [2, 2, 1], [0, 1], []),
        ([5, 5, 5, 5], [2, 3, 2, 2], [1], [0, 2, 3]),
        ([-5, 5, -5, -5], [2, 3, 2, 1], [1], [0, 2]),
        ([5, 5, -5, -5], [2, 2, 9, 9], [0, 1], []),
    ],
)
def test_candidates(
    totals: list[int], electability: list[int], sure: list[int], tied: list[int]
) -> None:
    how = "electability_then_random"
    assert primary_places(totals, electability, how) == (sure, tied)
    tied = [seat for seat in range(len(totals)) if totals.count(totals[seat]) > 1]
    _, drawn = primary_places(totals, electability, "random")
    assert drawn in ([], tied)


@pytest.mark.parametrize(
    ("seat", "contenders", "largest", "smallest"),
    [(0, [0, 1], 1, 1), (1, [0, 1, 3], 3, 0), (3, [0, 1, 3], 1, 0)],
)
def test_necromancers(
    seat: int, contenders: list[int], largest: int, smallest: int
) -> None:
    for target, whose in (("max", largest), ("min", smallest)):
        assert raised(seat, [2, 3, 9, 4], contenders, target) == whose


def test_totals() -> None:
    told = general_totals([10, 10, 10, 11], [2, 3, 9, -4], [0, 1, 3], {0: 3, 3: 1})
    assert told == [14, 7, None, 8]


@pytest.mark.parametrize(
    ("totals", "electability", "rules", "by", "winners"),
    [
        ([3, 4, None], [9, 0, 9], {}, "total", [1]),
        ([4, 4, None], [1, 0, 9], {}, "electability", [0]),
        ([4, 4, None], [1, 1, 9], {}, "shared", [0, 1]),
        ([4, 4, 4, None], [1, 1, 0, 9], {}, "shared", [0, 1]),
        ([0, -1, None], [9, 9, -2], {}, "spoiler", [2]),  # positive is above zero
        ([0, -1, None, None], [9, 9, -2, -1], {}, "spoiler", [3]),
        ([0, -1, None, None], [9, 9, 5, 5], {}, "spoiler-shared", [2, 3]),
        ([0, -1, None, None], [9, 9, 5, 5], {"spoiler_value": "raw"}, "spoiler", [2]),
        ([0, -1], [9, 9], {}, "none", []),
        ([0, -1], [9, 9], {"no_positive_2p": "highest_total"}, "total", [0]),
        ([-1, -1], [8, 9], {"no_positive_2p": "highest_total"}, "electability", [1]),
        ([-1, -1], [9, 9], {"no_positive_2p": "highest_total"}, "shared", [0, 1]),
        ([0, -1, None], [9, 9, 0], {"no_positive_2p": "highest_total"}, "spoiler", [2]),
    ],
)
def test_elections(
    totals: list[Any],
    electability: list[int],
    rules: Rules,
    by: str,
    winners: list[int],
) -> None:
    spoilers = [seat for seat, total in enumerate(totals) if total is None]
    told = elected(totals, electability, [9, 9, 8, 7], spoilers, BASE | rules)
    assert told == (by, winners)


def test_nobody_wins_where_all_spoilers_are_contenders() -> None:
    assert elected([0, -1, -2], [0] * 3, [0] * 3, [], BASE) == ("none", [])
    assert elected([0, -1, -2], [0] * 3, [0] * 3, [2], BASE) == ("spoiler", [2])


def test_equal_totals_share() -> None:
    rules = BASE | {"general_tie": "shared"}
    assert elected([4, 4, None], [1, 0, 9], [0] * 3, [2], rules) == ("shared", [0, 1])
    assert elected([4, 3, None], [1, 0, 9], [0] * 3, [2], rules) == ("total", [0])


def test_an_independent_slinger_is_hit_by_nobody() -> None:
    effects = [("slings", "independent"), ("slings",), ()]
    assert electabilities([0, 0, 0], [2, 3, 0], effects, BASE) == [0, -5, -5]


# --- Rule values --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"hand": 0}, "setup.rules.hand 0 is not from 1"),
        ({"guard": True}, "setup.rules.guard True is not from 1"),
        ({"carry_over": 1}, "setup.rules.carry_over 1 is none of"),
        ({"halve": "ceiling"}, "setup.rules.halve 'ceiling' is none of"),
        ({"deck": 7}, "setup.rules.deck 7 is none of"),
        ({"greater_evil": "candidates"}, "not refereed: greater_evil 'candidates'"),
        ({"unaffiliated_draws": "target"}, "not refereed: unaffiliated_draws"),
        ({"necromancer_target": "chosen"}, "not refereed: necromancer_target"),
        ({"primary_tie": "random"}, "not refereed: primary_tie"),
        ({"general_tie": "shred"}, "not refereed: general_tie"),
        ({"cards": {}}, "setup.rules.cards {} tells no deck"),
        ({"cards": None}, "setup.rules.cards None tells no deck"),
        ({"cards": {"a": 1}}, "setup.rules.cards.a 1 is of none of"),
        ({"cards": {"a": {"kind": "spell"}}}, "is of none of"),
        ({"cards": {"a": {"kind": "mark", "worth": 1}}}, "'worth'. do not belong"),
        ({"cards": {"a": {"kind": "mark", "draw": 1.5}}}, "no whole numbers"),
        ({"cards": {"a": {"kind": "mark", "copies": -1}}}, "is below 0"),
        ({"deck": "updated"}, "setup.rules.cards: not as printed in 'updated'"),
        ({"deck": "original"}, "not as printed in 'original': .*'toe-the-line'"),
    ],
)
def test_rule_values(rules: Rules, match: str) -> None:
    cards = {"gaffe": {"copies": 3}}
    [events] = transcripts({"deck": "custom", "cards": cards}, 2, 1)
    events[0]["rules"] |= rules
    fouls_at(events, match)


@pytest.mark.parametrize("deck", ["updated", "original"])
def test_printed_decks_are_known_by_heart(deck: str) -> None:
    """Told or not, numbers of 0 too; not with another number, nor another card."""
    [events] = transcripts({"deck": deck}, 2, 1)
    rules, full = events[0]["rules"], printed(deck)
    lean = {card: {k: v for k, v in what.items() if v} for card, what in full.items()}
    right: list[Any] = [None, full, lean, {**full, "x": {"kind": "mark", "copies": 0}}]
    for cards in right:
        rules["cards"] = cards
        check(events)
    for wrong in (
        {**full, "gaffe": {**full["gaffe"], "copies": 3}},
        {**full, "gaffe": {**full["gaffe"], "affiliation": 3}},
        {**full, "x": {"kind": "mark", "copies": 1}},
        {card: what for card, what in full.items() if card != "gaffe"},
    ):
        rules["cards"] = wrong
        fouls_at(events, f"not as printed in '{deck}': ..(gaffe|x)'")

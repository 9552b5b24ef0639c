"""The Article II referee on its own: hand-computed rules, games by hand, fouls."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from tests.article_ii.hand import NUMBERS, Told, about
from tests.article_ii.referee import (
    FURTHER,
    OPTIONS,
    STYLES,
    VALUES,
    affiliations,
    check,
    check_stream,
    electabilities,
    elected,
    general_totals,
    halved,
    primary_places,
    printed,
    raised,
)
from tests.games.referee import Foul
from tests.games.telling import Events, Rules, numbered

BASE: Rules = {**VALUES, **{key: values[0] for key, values in OPTIONS.items()}}

SHORT = {
    "-": "", "S": "screaming-partisan", "O": "outsider-candidate",
    "I": "insider-candidate", "G": "great-debater", "M": "mudslinger",
    "N": "necromancer", "L": "lesser-evil", "E": "greater-evil", "H": "highlander",
    "P": "hairpiece", "3": "third-party-candidate", "T": "teflon-wonder",
}  # fmt: skip


def styles(letters: str) -> list[tuple[str, ...]]:
    """What the Styles do of which these are the letters."""
    return [STYLES.get(SHORT[letter], ()) for letter in letters]


def fouls_at(events: Events, n: int, match: str = "", *, further: bool = False) -> None:
    with pytest.raises(Foul, match=rf"(?s)^event {n}: .*{match}"):
        check(events, further=further)


def fouls(told: Told, match: str) -> None:
    """The last event told is a foul; those before are none."""
    fouls_at(told.events, len(told.events) - 1, match)


def wants(told: Told, what: str, seat: int | None = None) -> None:
    """All told is right, and this has to come next."""
    of = "" if seat is None else f".*'seat': {seat}}}"
    match = f"the transcript ends, the rules say {what}.*{of}"
    further = bool({*FURTHER, "styles"} & told.events[0]["rules"].keys())
    fouls_at(told.events, len(told.events), match, further=further)


# --- Cards --------------------------------------------------------------------------


def test_printed_decks() -> None:
    """The numbers as the rule text prints them, written down a second time."""
    for deck, size, kinds in (("updated", 51, 14 + 12 + 2), ("original", 56, 15)):
        cards = printed(deck)
        assert len(cards) == kinds
        assert sum(card["copies"] for card in cards.values()) == size
        for card, what in cards.items():
            assert {**what, **about(card, what["copies"])} == what
        copies = {card: cards[card]["copies"] for card in [*NUMBERS, "voter-adhd"]}
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


# --- Games written by hand ----------------------------------------------------------


def plain(**rules: Any) -> Events:
    """Two players, marks alone."""
    deck = "newspaper-endorsement newspaper-endorsement policy-proposal negative-ad"
    told = Told("tack-center toe-the-line | gaffe true-blue", deck, **rules)
    told.play(0, "tack-center", 0).play(1, "gaffe", 0)
    told.play(0, "toe-the-line", 1).play(1, "true-blue", 1)
    told.primary([1, -3], [-6, 10], [0, 1])
    told.general(
        1, "newspaper-endorsement policy-proposal | newspaper-endorsement negative-ad"
    )
    told.play(1, "newspaper-endorsement", 1).play(0, "newspaper-endorsement", 0)
    told.play(1, "negative-ad", 0).play(0, "policy-proposal", 1)
    told.totals([1, 0], [-6, 13], [7, -13])
    return told.result("total", [0], [0, 1])


def everything() -> Events:
    """Three players: every kind of event but a tie, one reshuffle of each kind."""
    told = Told(
        "great-debater gaffe voter-adhd"
        "| insider-candidate tack-center unaffiliated-activity"
        "| teflon-wonder true-blue toe-the-line",
        "negative-ad newspaper-endorsement",
        start=2,
    )
    told.play(2, "teflon-wonder", 2)
    told.play(0, "great-debater", 0)
    told.play(1, "tack-center", 0).react(0, "gaffe", 1).draw(0, "negative-ad")
    told.teflon(2, "none").play(2, "true-blue", 0).react(0, "none", 2)
    told.play(0, "voter-adhd").remove(0, 1, "gaffe")
    told.play(1, "insider-candidate", 1).second(1, "unaffiliated-activity")
    told.draw(1, "newspaper-endorsement").reshuffle(2).draw(1, "gaffe")
    told.draw(1, "voter-adhd")
    told.teflon(2, "teflon-wonder").play(2, "toe-the-line", 1)
    told.play(0, "negative-ad", 1)
    told.play(1, "newspaper-endorsement", 2).second(1, "gaffe", 0)
    told.reshuffle(2).draw(1, "teflon-wonder")
    told.play(1, "voter-adhd").remove(1, 1, "insider-candidate")
    told.play(1, "teflon-wonder", 1)
    told.primary([1, -6, 3], [-1, 5, 0], [0, 2])
    told.phase = "general"
    told.start(1).reshuffle(2)
    told.deal("voter-adhd | unaffiliated-activity | insider-candidate")
    told.teflon(1, "negative-ad").play(1, "unaffiliated-activity")
    told.reshuffle(1).draw(1, "negative-ad")
    told.play(2, "insider-candidate", 2)
    told.play(0, "voter-adhd").remove(0, 0, "gaffe")
    told.teflon(1, "none").play(1, "negative-ad", 0)
    told.totals([1, -3, 1], [2, 5, 0], [-1, None, 1])
    return told.result("total", [2], [0, 2])


NEWS = "newspaper-endorsement"


def tied() -> Told:
    """Four players, three of them tied in the Primary; a Spoiler wins at the end."""
    told = Told(
        f"{NEWS} | {NEWS} | {NEWS} | highlander",
        "toe-the-line party-endorsement true-blue hairpiece",
    )
    for seat in range(3):
        told.play(seat, NEWS, seat)
    return told.play(3, "highlander", 3)


def highlander() -> Told:
    """The General of `tied`: the Highlander competes, and wins nothing."""
    told = tied().tie([0, 1, 2], [0, 2]).primary([3, 3, 3, 0], [0] * 4, [0, 2])
    told.general(0, "toe-the-line | party-endorsement | true-blue | hairpiece")
    told.play(0, "toe-the-line", 0).play(1, "party-endorsement", 2)
    told.play(2, "true-blue", 3).play(3, "hairpiece", 0)
    return told.totals([0, 3, 3, 0], [5, 0, 5, 5], [-5, None, -2, -5])


def spoiled() -> Events:
    return highlander().result("spoiler", [1], [0, 2])


def guarded() -> Events:
    """The guard ends the game in the General, in the middle of a phase."""
    told = Told("gaffe | gaffe", "gaffe gaffe", guard=3)
    told.play(0, "gaffe", 0).play(1, "gaffe", 0).primary([-6, 0], [-6, 0], [0, 1])
    told.general(1, "gaffe | gaffe").play(1, "gaffe", 1)
    return told.result("guard", [], [0, 1])


def halves(whole: Callable[[int], Any] = int) -> Events:
    """Halves are told as they are, both share the victory."""
    told = Told(f"insider-candidate {NEWS} | {NEWS} tack-center", halve="exact")
    told.play(0, "insider-candidate", 0).second(0, NEWS, 0)
    told.play(1, NEWS, 1).play(1, "tack-center", 0)
    told.primary([3.5, whole(3)], [-3, 0], [0, 1]).phase = "general"
    told.start(1).deal("|").totals([3.5, whole(3)], [-3, 0], [6.5, whole(3)])
    return told.result("total", [0], [0, 1])


GAMES = (plain, everything, spoiled, guarded, halves)


@pytest.mark.parametrize("game", GAMES)
def test_games_by_hand(game: Callable[[], Events]) -> None:
    check(game())


def test_whole_numbers_among_halves() -> None:
    check(halves(float))


def test_a_stream_of_games() -> None:
    games = [numbered(game(), n) for n, game in enumerate(GAMES)]
    lines = [json.dumps(event) for game in games for event in game]
    assert check_stream([*lines, ""]) == len(GAMES)
    with pytest.raises(Foul, match="game 0: told twice"):
        check_stream(lines + lines[:5])
    with pytest.raises(Foul, match=r"game 3: event \d+: .*the transcript ends"):
        check_stream(lines[: sum(map(len, games[:4])) - 1])


# --- One rule at a time -------------------------------------------------------------


def test_phases_start_and_deal() -> None:
    told = Told("gaffe | gaffe", "gaffe gaffe gaffe", start=1)
    wants(told, "choice 'play'", 1)
    told.play(1, "gaffe", 1).play(0, "gaffe", 1)
    wants(told, "outcome 'primary'")
    told.primary([0, -6], [0, -6], [0, 1])
    told.phase = "general"
    wants(told, "chance 'start'")
    wants(told.start(0), "chance 'deal'")


def test_seats_with_empty_hands_are_passed_over() -> None:
    told = Told("gaffe | unaffiliated-activity | gaffe", "gaffe gaffe", start=1)
    told.play(1, "unaffiliated-activity").draw(1, "gaffe").draw(1, "gaffe")
    told.play(2, "gaffe", 2).play(0, "gaffe", 2).play(1, "gaffe", 1)
    wants(told, "choice 'play' {'phase': 'primary', 'turn': 5", 1)


def test_short_deck_leaves_the_last_seats_short() -> None:
    """Dealt from seat 2: seat 1 is the last (A3)."""
    hands, rules = "gaffe gaffe | gaffe | gaffe gaffe", {"hand": 2}
    wants(Told(hands, start=2, **rules), "choice 'play'", 2)
    fouls(Told(hands, start=1, **rules), "deal: cards of seat 1: 1 .* rules say 2")


def test_deck_too_short_even_for_a_card_each() -> None:
    told = Told("| gaffe | true-blue", start=1, hand=3).play(1, "gaffe", 1)
    wants(told, "choice 'play'", 2)


def general(deck: str, **rules: Any) -> Told:
    """Two players play out the Primary; then the General begins."""
    told = Told("gaffe voter-adhd | true-blue gaffe", deck, **rules)
    told.play(0, "gaffe", 0).play(1, "true-blue", 0)
    told.play(0, "voter-adhd").remove(0, 0, "gaffe").play(1, "gaffe", 1)
    told.primary([0, -3], [5, -3], [0, 1]).phase = "general"
    return told.start(0)


def test_reshuffle_before_a_deal_that_is_short() -> None:
    """The discard pile holds Voter ADHD and the Gaffe that it removed (A2)."""
    wants(general("toe-the-line " * 4), "chance 'deal'")
    told = general("toe-the-line tack-center")
    wants(told, "chance 'reshuffle' {'phase': 'general', 'cards': 2}")
    right = "toe-the-line gaffe | tack-center voter-adhd"
    late = "toe-the-line tack-center | gaffe voter-adhd"
    wants(copy.deepcopy(told).reshuffle(2).deal(right), "choice 'play'", 0)
    fouls(told.reshuffle(2).deal(late), "'gaffe': 1. dealt before the old deck was out")


def test_general_deal_reshuffles_all() -> None:
    told = general("toe-the-line " * 4, general_deal="reshuffle_all")
    wants(told, "chance 'reshuffle' {'phase': 'general', 'cards': 2}")
    told.reshuffle(2).deal("gaffe voter-adhd | toe-the-line toe-the-line")
    wants(told, "choice 'play'", 0)
    bare = Told("gaffe | gaffe", "gaffe gaffe", general_deal="reshuffle_all")
    bare.play(0, "gaffe", 0).play(1, "gaffe", 1).primary([-3, -3], [-3, -3], [0, 1])
    bare.phase = "general"
    wants(bare.start(0), "chance 'deal'")  # nothing lies in the discard pile


PLAIN = "hairpiece hairpiece | hairpiece hairpiece"


def test_carry_over() -> None:
    told = general("hairpiece " * 4).deal("hairpiece hairpiece | hairpiece hairpiece")
    told.play(0, "hairpiece", 1)
    assert told.events[-1]["affiliation"] == -3
    wants(told, "choice 'play'", 1)
    bare = general("hairpiece " * 4, carry_over=False)
    bare.deal(PLAIN)
    bare.lying = [[], []]
    wants(bare.play(0, "hairpiece", 1), "choice 'play'", 1)


def test_what_does_not_carry_over_is_dealt_again() -> None:
    told = general("toe-the-line", carry_over=False).reshuffle(4)
    told.deal("toe-the-line gaffe | gaffe voter-adhd")
    told.lying = [[], []]
    wants(told.play(0, "gaffe", 1), "choice 'play'", 1)


def test_one_style_each() -> None:
    told = Told("hairpiece mudslinger | gaffe gaffe").play(0, "hairpiece", 1)
    told.play(1, "gaffe", 1).play(0, "mudslinger", 1)
    assert [event["name"] for event in told.events[-2:]] == ["removed", "placed"]
    wants(told, "choice 'play'", 1)
    del told.events[-2]
    told.events = numbered(told.events)
    fouls(told, "outcome 'placed' is written, the rules say outcome 'removed'")


def outsider(card: str, targets: list[int], **rules: Any) -> Told:
    told = Told(f"outsider-candidate {card} | gaffe gaffe", **rules)
    told.play(0, "outsider-candidate", 0).play(1, "gaffe", 0)
    return told.play(0, card, 0, targets)


@pytest.mark.parametrize(
    ("card", "free"), [(c, a >= 0) for c, (_, a) in NUMBERS.items()]
)
def test_outsider_lowers_nobody_else(card: str, *, free: bool) -> None:
    wants(outsider(card, [0, 1] if free else [0]), "choice 'play'", 1)
    events = outsider(card, [0] if free else [0, 1]).events
    fouls_at(events, len(events) - 2, "seat 0: target.legal")


def test_outsider_may_play_styles_and_be_lowered() -> None:
    wants(outsider("hairpiece", [0, 1]), "choice 'play'", 1)
    told = Told("outsider-candidate gaffe | gaffe voter-adhd")
    told.play(0, "outsider-candidate", 1).play(1, "gaffe", 1, [1])
    wants(told.play(0, "gaffe", 1), "choice 'play'", 1)
    wants(told.play(1, "voter-adhd").remove(1, 1, "gaffe"), "outcome 'primary'")


def debated(card: str, hand: str = "gaffe gaffe", **rules: Any) -> Told:
    """Seat 0 plays a card on the Great Debater of seat 1."""
    told = Told(f"great-debater {card} | {hand}", "true-blue", **rules)
    told.play(0, "great-debater", 1).play(1, hand.split(maxsplit=1)[0], 0)
    return told.play(0, card, 1)


def test_great_debater() -> None:
    wants(debated("gaffe"), "choice 'react'", 1)
    wants(debated("gaffe").react(1, "none", 0), "choice 'play'", 1)
    wants(debated("gaffe").react(1, "gaffe", 0), "chance 'draw'", 1)
    told = debated("gaffe").react(1, "gaffe", 0).draw(1, "true-blue")
    wants(told, "choice 'play'", 1)


def test_great_debater_without_a_card_to_lay() -> None:
    wants(debated("gaffe", "gaffe voter-adhd"), "choice 'play'", 1)
    told = Told("great-debater gaffe | gaffe").play(0, "great-debater", 1)
    wants(told.play(1, "gaffe", 1).play(0, "gaffe", 1), "outcome 'primary'")


def test_great_debater_has_to_be_one_before_and_after() -> None:
    told = Told("great-debater gaffe | gaffe gaffe").play(0, "great-debater", 1)
    wants(told, "choice 'play'", 1)  # not with the card that makes him one
    wants(debated("hairpiece"), "choice 'play'", 1)  # nor with one that ends it
    wants(debated("great-debater"), "choice 'react'", 1)  # one replaces the other


def test_great_debater_is_for_cards_of_others() -> None:
    told = Told("great-debater gaffe true-blue | gaffe gaffe gaffe")
    told.play(0, "great-debater", 0).play(1, "gaffe", 1)
    wants(told.play(0, "gaffe", 0), "choice 'play'", 1)


def test_a_reaction_sets_off_none() -> None:
    """A deck of two Great Debaters; the second has the card to react with."""
    told = Told("great-debater gaffe gaffe | great-debater gaffe gaffe")
    told.play(0, "great-debater", 0).play(1, "great-debater", 1)
    told.play(0, "gaffe", 1).react(1, "gaffe", 0)
    wants(told, "choice 'play'", 1)  # no card left to draw


def test_one_shots_are_played_on_nobody() -> None:
    told = Told("great-debater voter-adhd gaffe | gaffe gaffe gaffe")
    told.play(0, "great-debater", 1).play(1, "gaffe", 1)
    told.play(0, "voter-adhd").remove(0, 1, "gaffe")
    wants(told, "choice 'play'", 1)


def insider(hand: str = "gaffe gaffe", deck: str = "true-blue", **rules: Any) -> Told:
    told = Told(f"insider-candidate {hand} | gaffe gaffe gaffe", deck, **rules)
    return told.play(0, "insider-candidate", 0)


def test_insider() -> None:
    """The card that makes him one counts as the first of two."""
    wants(insider(), "choice 'second'", 0)
    wants(insider().second(0, "none"), "choice 'play'", 1)
    wants(insider().second(0, "gaffe", 0), "chance 'draw'", 0)
    wants(insider().second(0, "gaffe", 0).draw(0, "true-blue"), "choice 'play'", 1)
    wants(
        insider("voter-adhd gaffe").second(0, "voter-adhd"), "choice 'remove-from'", 0
    )


def test_insider_who_is_none_any_more_still_draws() -> None:
    told = insider("voter-adhd gaffe").second(0, "voter-adhd")
    wants(told.remove(0, 0, "insider-candidate"), "chance 'draw'", 0)


def test_insider_with_one_card() -> None:
    told = Told("insider-candidate | gaffe").play(0, "insider-candidate", 0)
    wants(told, "choice 'play'", 1)


def test_insider_who_stops_being_one_with_the_first_card() -> None:
    told = insider("hairpiece gaffe").second(0, "none").play(1, "gaffe", 0)
    wants(told.play(0, "hairpiece", 0), "choice 'play'", 1)


def test_insider_by_reaction() -> None:
    """The reaction comes before the second card is asked for."""
    told = Told("great-debater gaffe gaffe | insider-candidate gaffe gaffe")
    told.play(0, "great-debater", 1).play(1, "gaffe", 1).play(0, "gaffe", 1)
    wants(told.react(1, "insider-candidate", 0), "choice 'second'", 0)


def test_insider_draws_always() -> None:
    rules = {"insider_draw": "always"}
    wants(insider(**rules).second(0, "none"), "chance 'draw'", 0)
    wants(insider(**rules).second(0, "gaffe", 0), "chance 'draw'", 0)
    told = Told("insider-candidate | gaffe", "gaffe", **rules)
    wants(told.play(0, "insider-candidate", 0), "chance 'draw'", 0)
    wants(told.draw(0, "gaffe").play(1, "gaffe", 0), "choice 'play'", 0)


def test_second_cards_are_reacted_to() -> None:
    told = Told("great-debater gaffe gaffe | insider-candidate gaffe gaffe")
    told.play(0, "great-debater", 0).play(1, "insider-candidate", 1)
    wants(told.second(1, "gaffe", 0), "choice 'react'", 0)


def teflon(hand: str = "gaffe gaffe", **rules: Any) -> Told:
    told = Told(f"teflon-wonder {hand} | gaffe gaffe gaffe", **rules)
    return told.play(0, "teflon-wonder", 0).play(1, "gaffe", 0)


def test_teflon() -> None:
    wants(teflon(), "choice 'teflon'", 0)
    wants(teflon().teflon(0, "none"), "choice 'play'", 0)
    wants(teflon().teflon(0, "gaffe"), "choice 'play'", 0)
    told = teflon().teflon(0, "teflon-wonder").play(0, "gaffe", 1).play(1, "gaffe", 1)
    wants(told, "choice 'play'", 0)  # the Wonder is gone
    told = teflon(teflon_style=True)
    fouls(told.teflon(0, "none", ["gaffe"]), "teflon.legal lacks ..'teflon-wonder'")


def test_teflon_may_not_remove_itself() -> None:
    rules = {"teflon_style": False}
    told = teflon(**rules).teflon(0, "none", ["gaffe"]).play(0, "gaffe", 1)
    wants(told, "choice 'play'", 1)
    fouls(teflon(**rules).teflon(0, "none"), "has ..'teflon-wonder'.. too many")
    bare = Told("teflon-wonder gaffe | gaffe gaffe", **rules)
    bare.play(0, "teflon-wonder", 0).play(1, "gaffe", 1)
    wants(bare, "choice 'play'", 0)  # nothing else lies on him


def test_voter_adhd() -> None:
    wants(Told("voter-adhd | gaffe").play(0, "voter-adhd"), "choice 'play'", 1)  # A16
    told = Told("hairpiece voter-adhd | gaffe gaffe").play(0, "hairpiece", 0)
    told.play(1, "gaffe", 0).play(0, "voter-adhd")
    wants(told, "choice 'remove-from'", 0)
    wants(copy.deepcopy(told).remove(0, 0, "gaffe"), "choice 'play'", 1)
    wants(told.remove(0, 0, "hairpiece"), "choice 'play'", 1)  # Styles go too


def test_unaffiliated_activity() -> None:
    told = Told("unaffiliated-activity | gaffe", "gaffe gaffe gaffe")
    wants(told.play(0, "unaffiliated-activity"), "chance 'draw'", 0)
    wants(told.draw(0, "gaffe"), "chance 'draw'", 0)
    wants(told.draw(0, "gaffe"), "choice 'play'", 1)


def test_unaffiliated_activity_is_not_in_the_pile_for_its_own_draws() -> None:
    told = Told("unaffiliated-activity gaffe | hairpiece mudslinger")
    wants(told.play(0, "unaffiliated-activity"), "choice 'play'", 1)
    told.play(1, "hairpiece", 1).play(0, "gaffe", 0).play(1, "mudslinger", 1)
    told.primary([-3, 0], [-3, 0], [0, 1]).phase = "general"
    wants(told.start(0), "chance 'reshuffle' {'phase': 'general', 'cards': 2}")


def test_cards_of_ones_own() -> None:
    """Kinds do what they do by their numbers, unknown Styles are Hairpieces."""
    cards = {
        "rally": {"kind": "draw", "copies": 1, "draw": 1},
        "scandal": {"kind": "remove", "copies": 1},
        "debate": {"kind": "mark", "copies": 2, "electability": 1},
        "dreamer": {"kind": "style", "copies": 2},
    }
    told = Told("rally dreamer | dreamer scandal", cards=cards).play(0, "rally")
    wants(told, "chance 'draw'", 0)
    told.draw(0, "debate").play(1, "dreamer", 0).play(0, "dreamer", 0)
    wants(told, "choice 'play'", 1)
    wants(told.play(1, "scandal"), "choice 'remove-from'", 1)
    told.remove(1, 0, "dreamer").play(0, "debate", 1)
    told.events[-1]["electability"] = 1  # `Told` knows printed numbers alone
    wants(told, "outcome 'primary'")


def test_guard() -> None:
    """Second cards and reactions count; a turn that has begun is played to its end."""
    told = insider(guard=2)
    told.second(0, "gaffe", 0).draw(0, "true-blue")
    wants(told, "result 'article_ii' {'winner': None, 'by': 'guard', 'winners': \\[\\]")
    assert told.result("guard", [], [])
    check(told.events)
    told = debated("gaffe", guard=4)
    told.react(1, "gaffe", 0).draw(1, "true-blue")
    wants(told, "result")
    wants(insider(guard=1).second(0, "none"), "result")
    assert guarded()[-1]["candidates"] == [0, 1]
    full = Told("gaffe | gaffe", guard=2).play(0, "gaffe", 0).play(1, "gaffe", 0)
    wants(full, "outcome 'primary'")  # no turn would begin


def test_ties_in_the_primary() -> None:
    wants(tied(), r"chance 'tie' {'phase': 'primary', 'seats': \[0, 1, 2\]}")
    for wrong in ([2, 0], [0], [0, 1, 2], [0, 3], [0, 0], [False, 1], [0.0, 1], "02"):
        told = tied().tie([0, 1, 2], wrong)  # type: ignore[arg-type]
        fouls(told, r"tie.chosen .* is not 2 of \[0, 1, 2\], ascending")
    lone = Told(f"{NEWS} | {NEWS} | tack-center").play(0, NEWS, 0).play(1, NEWS, 1)
    lone.play(2, "tack-center", 0)
    wants(lone, "outcome 'primary'")  # 4, 3, 0: no tie at all


@pytest.mark.parametrize(
    ("fallback", "by", "winners"), [(False, "none", []), (True, "spoiler", [2])]
)
def test_highlander_fallback(fallback: bool, by: str, winners: list[int]) -> None:
    """Without a positive total a Highlander is no Spoiler, unless so ruled (A11)."""
    deck = "hairpiece hairpiece policy-proposal"
    told = Told(
        "true-blue | true-blue | highlander", deck, highlander_fallback=fallback
    )
    told.play(0, "true-blue", 0).play(1, "true-blue", 1).play(2, "highlander", 2)
    told.primary([0, 0, 0], [5, 5, 0], [0, 1])
    told.general(0, "hairpiece | hairpiece | policy-proposal")
    told.play(0, "hairpiece", 0).play(1, "hairpiece", 1).play(2, "policy-proposal", 2)
    told.totals([0, 0, 0], [5, 5, 3], [-5, -5, -3])
    check(told.result(by, winners, [0, 1]))


@pytest.mark.parametrize(
    ("card", "electability", "affiliation"),
    [
        ("hairpiece", [0, 0], [3, 6]),
        ("greater-evil", [0, 0], [3, 0]),
        ("lesser-evil", [0, 0], [0, 6]),
        ("mudslinger", [-3, -3], [3, 6]),
    ],
)
def test_styles_are_evaluated(
    card: str, electability: list[int], affiliation: list[int]
) -> None:
    told = Told(f"{card} policy-proposal | screaming-partisan policy-proposal")
    told.play(0, card, 0).play(1, "screaming-partisan", 1)
    told.play(0, "policy-proposal", 0).play(1, "policy-proposal", 1)
    plain = copy.deepcopy(told).primary([0, 0], [3, 3], [0, 1])
    fouls(plain, r"primary.affiliation: \[3, 3\] is written, the rules say")
    wants(told.primary(electability, affiliation, [0, 1]), "chance 'start'")


# --- Readings that the transcript format leaves unrefereed -----------------------


def test_chance_decides_all_ties_of_the_primary() -> None:
    """Totals 2, 2, 0: the more electable is a Candidate for sure, or is not."""
    hands = "tack-center strange-pronouncement | strange-pronouncement hairpiece"
    told = Told(f"{hands} | hairpiece {NEWS}", primary_tie="random")
    told.play(0, "tack-center", 0).play(1, "strange-pronouncement", 1)
    told.play(2, NEWS, 2).play(0, "strange-pronouncement", 0)
    told.play(1, "hairpiece", 1).play(2, "hairpiece", 2)
    wants(told, "outcome 'primary'")  # 3, 2, 3: two above the third
    told = Told(f"{NEWS} | policy-proposal | hairpiece", primary_tie="random")
    told.play(0, NEWS, 1).play(1, "policy-proposal", 2).play(2, "hairpiece", 0)
    wants(told, "outcome 'primary'")  # 0, 3, 3
    told = Told(f"{NEWS} | policy-proposal | policy-proposal", primary_tie="random")
    told.play(0, NEWS, 0).play(1, "policy-proposal", 1).play(2, "policy-proposal", 2)
    wants(told, r"chance 'tie' {'phase': 'primary', 'seats': \[0, 1, 2\]}")
    del told.events[0]["rules"]["primary_tie"]
    wants(told, r"chance 'tie' {'phase': 'primary', 'seats': \[1, 2\]}")


def test_equal_totals_share() -> None:
    rules = BASE | {"general_tie": "shared"}
    assert elected([4, 4, None], [1, 0, 9], [0] * 3, [2], rules) == ("shared", [0, 1])
    assert elected([4, 3, None], [1, 0, 9], [0] * 3, [2], rules) == ("total", [0])


def test_unaffiliated_activity_of_another() -> None:
    rules = {"unaffiliated_draws": "target"}
    told = Told("unaffiliated-activity | gaffe", "gaffe gaffe", **rules)
    wants(told.play(0, "unaffiliated-activity"), "choice 'target'", 0)
    wants(told.ask("target", 0, [0, 1], 1), "chance 'draw'", 1)
    wants(told.draw(1, "gaffe").draw(1, "gaffe"), "choice 'play'", 1)


def necromancers(hand: str) -> Told:
    """Three players, all of whom compete in the General."""
    deck = "hairpiece hairpiece hairpiece"
    told = Told(f"{hand} | true-blue | highlander", deck, necromancer_target="chosen")
    told.play(0, hand, 0).play(1, "true-blue", 1).play(2, "highlander", 2)
    told.tie([0, 2], [0]).primary([0, 0, 0], [0, 5, 0], [0, 1])
    told.general(0, "hairpiece | hairpiece | hairpiece")
    told.play(0, "hairpiece", 1).play(1, "hairpiece", 1)
    return told.play(2, "hairpiece", 1)


def test_necromancer_chooses() -> None:
    told = necromancers("necromancer")
    wants(told, "choice 'necromancer' {'phase': 'general', 'seat': 0}")
    where = {"phase": "general", "seat": 0, "legal": [1, 2]}
    for chosen, total in ((1, -5), (2, 0)):
        game = copy.deepcopy(told)
        game.tell("choice", "necromancer", **where, chosen=chosen)
        game.totals([0, 0, 0], [0, 5, 0], [total, -5, 0])
        check(game.result("none", [], [0, 1]), further=True)
    wants(necromancers("hairpiece"), "outcome 'general'")


def test_greater_evil_of_candidates() -> None:
    """Nobody is hit in the Primary, in the General the other Candidate alone."""
    news = {"greater_evil": "candidates"}
    told = Told(f"greater-evil {NEWS} | true-blue {NEWS} | gaffe tack-center", **news)
    told.play(0, "greater-evil", 0).play(1, "true-blue", 1).play(2, "gaffe", 2)
    told.play(0, NEWS, 0).play(1, NEWS, 1).play(2, "tack-center", 2)
    told.primary([3, 3, 1], [0, 5, -6], [0, 1]).phase = "general"
    told.start(0).deal("| |")
    told.totals([3, 3, 1], [0, 0, -6], [3, 3, None])
    check(told.result("shared", [0, 1], [0, 1]), further=True)


def test_styles_of_ones_own() -> None:
    """Effects put together anew; a Style without a row does nothing."""
    rows = [
        {"id": "hairpiece", "effects": ["reacts", "scrupulous", "sheds"]},
        {"id": "dreamer", "effects": ["doubled", "slings", "independent"]},
    ]
    hands = "hairpiece true-blue gaffe | dreamer policy-proposal mudslinger"
    told = Told(hands, styles=rows).play(0, "hairpiece", 0).play(1, "dreamer", 1)
    told.teflon(0, "none").play(0, "true-blue", 0)
    told.play(1, "policy-proposal", 0)
    wants(told, "choice 'teflon'", 0)  # a Gaffe is nothing to react with
    told.teflon(0, "none").play(0, "gaffe", 0, [0])
    told.play(1, "mudslinger", 0)
    wants(told.primary([-3, 0], [5, 0], [0, 1]), "chance 'start'")
    bare = copy.deepcopy(told)
    fouls_at(bare.events, 0, "not refereed: styles, 'hairpiece'")
    bare.events[0]["rules"]["styles"][0]["effects"] = ["flies"]
    fouls_at(bare.events, 0, "styles: ..flies.. are no effects", further=True)
    for wrong in ({}, [1], [{"id": 1, "effects": []}], [{"id": "a"}]):
        bare.events[0]["rules"]["styles"] = wrong
        fouls_at(bare.events, 0, "rows are an id and effects", further=True)
    printed_rows = [{"id": style, "effects": [*STYLES[style]]} for style in STYLES]
    check(plain(styles=printed_rows))


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
    events = plain()
    events[0]["rules"] |= rules
    fouls_at(events, 0, match)


@pytest.mark.parametrize("deck", ["updated", "original"])
def test_printed_decks_are_known_by_heart(deck: str) -> None:
    """Told or not, numbers of 0 too; not with another number, nor another card."""
    told = Told("gaffe gaffe | tack-center tack-center").play(0, "gaffe", 0)
    rules, full = told.events[0]["rules"], printed(deck)
    lean = {card: {k: v for k, v in what.items() if v} for card, what in full.items()}
    right: list[Any] = [None, full, lean, {**full, "x": {"kind": "mark", "copies": 0}}]
    for cards in right:
        rules |= {"deck": deck, "cards": cards}
        wants(told, "choice 'play'", 1)
    for wrong in (
        {**full, "gaffe": {**full["gaffe"], "copies": 3}},
        {**full, "gaffe": {**full["gaffe"], "affiliation": 3}},
        {**full, "x": {"kind": "mark", "copies": 1}},
        {card: what for card, what in full.items() if card != "gaffe"},
    ):
        rules["cards"] = wrong
        fouls_at(told.events, 0, f"not as printed in '{deck}': ..(gaffe|x)'")


def test_other_rules_are_let_alone() -> None:
    check(plain(parties=[[0], [1]]))


# --- Planted fouls ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "change", "match"),
    [
        (0, {"players": 5}, "setup.players 5: the game is for 2 to 4 players"),
        (0, {"players": 1}, "the game is for 2 to 4 players"),
        (0, {"lineup": ["one"]}, "does not name a strategy per seat"),
        (0, {"lineup": [1, 2]}, "does not name a strategy per seat"),
        (0, {"rules": []}, "setup.rules .. is not an object"),
        (0, {"game": -1}, "setup.game -1 is not an index from 0"),
        (0, {"name": "article_iii"}, "setup 'article_iii' is written"),
        (1, {"seat": 2}, "primary: start.seat 2 is no seat"),
        (1, {"seat": True}, "start.seat True is no seat"),
        (1, {"phase": "general"}, "start.phase: 'general' is written"),
        (2, {"hands": [["gaffe", "true-blue"]]}, "a hand per seat"),
        (2, {"hands": [["gaffe"], "x"]}, "'x' is not a list of cards"),
        (2, {"hands": [["gaffe"], ["true-blue", "gaffe"]]}, "cards of seat 0: 1"),
        (2, {"hands": [["gaffe"] * 2, ["true-blue"] * 2]}, "more than the deck has"),
        (3, {"legal": "gaffe"}, "turn 1: seat 0: play.legal 'gaffe' is not a list"),
        (3, {"legal": ["tack-center"]}, "play.legal lacks ..'toe-the-line'"),
        (3, {"chosen": "gaffe"}, "play.chosen 'gaffe' is none of the options"),
        (3, {"seat": 1}, "play.seat: 1 is written, the rules say 0"),
        (3, {"turn": 2}, "play.turn: 2 is written, the rules say 1"),
        (4, {"chosen": True}, "target.chosen True is none of the options"),
        (4, {"legal": [0]}, "target.legal lacks ..1"),
        (4, {"legal": [0, 1, 2]}, "has ..2.. too many"),
        (4, {"legal": [0, True]}, "lacks ..1.. and has ..True"),
        (5, {"electability": 5}, "placed.electability: 5 is written, the rules say 4"),
        (5, {"affiliation": 3}, "placed.affiliation: 3 is written, the rules say -3"),
        (5, {"card": "gaffe"}, "placed.card"),
        (5, {"seat": 1}, "placed.seat: 1 is written, the rules say 0"),
        (
            5,
            {"name": "removed"},
            "'removed' is written, the rules say outcome 'placed'",
        ),
        (15, {"totals": [-5, 6]}, "primary.totals: .-5, 6. is written"),
        (15, {"electability": [1, -3.0]}, "primary.electability"),
        (15, {"candidates": [1, 0]}, "primary.candidates"),
        (30, {"totals": [7, None]}, "end of the general: general.totals"),
        (30, {"contenders": [0]}, "general.contenders"),
        (30, {"electability": None}, "general.electability: None is written"),
        (31, {"winner": 1}, "article_ii.winner: 1 is written, the rules say 0"),
        (31, {"winner": None}, "article_ii.winner"),
        (31, {"winners": []}, "article_ii.winners"),
        (31, {"by": "electability"}, "article_ii.by"),
        (31, {"candidates": []}, "article_ii.candidates"),
    ],
)
def test_planted_foul(n: int, change: Mapping[str, Any], match: str) -> None:
    events = plain()
    events[n] |= change
    fouls_at(events, n, match)


def test_cards_from_nowhere() -> None:
    events = everything()
    draws = [n for n, event in enumerate(events) if event["name"] == "draw"]
    for n in draws:
        wrong = [*events[:n], {**events[n], "card": "tack-center"}, *events[n + 1 :]]
        fouls_at(wrong, n, "draw.card 'tack-center' is not in the deck")


def test_nothing_follows_the_result() -> None:
    for game in GAMES:
        events = game()
        more = [*events, {**events[-1], "n": len(events)}]
        fouls_at(more, len(events), "nothing may follow the result")
    fouls_at([], 0, "the transcript ends, the rules say setup 'article_ii'")


# --- Every event counts -------------------------------------------------------------


def told_games() -> Iterator[tuple[Events, int, dict[str, Any]]]:
    """Every event of every game."""
    for game in GAMES:
        events = game()
        for n, event in enumerate(events):
            yield events, n, event


def swapped(events: Events, n: int, event: Mapping[str, Any]) -> Events:
    return [*events[:n], dict(event), *events[n + 1 :]]


def test_events_missing_told_twice_or_out_of_order() -> None:
    for events, n, event in told_games():
        twice = event["name"] == [*events, event][n + 1]["name"] == "draw"
        fouls_at(numbered(events[:n] + events[n + 1 :]), n + twice)
        fouls_at(numbered([*events[: n + 1], *events[n:]]), n + 1)
        if events[n + 1 :] and not twice:
            order = [*events[:n], events[n + 1], event, *events[n + 2 :]]
            fouls_at(numbered(order), n)
            fouls_at(events[: n + 1], n + 1, "the transcript ends")


def test_field_missing_or_extra() -> None:
    for events, n, event in told_games():
        for key in event:
            less = {k: v for k, v in event.items() if k != key}
            fouls_at(swapped(events, n, less), n)
        fouls_at(swapped(events, n, {**event, "comment": ""}), n, "do not belong")


def test_every_number_is_checked_and_whole() -> None:
    """Seats that only chance or a player decides bind what follows."""
    for events, n, event in told_games():
        for key, value in event.items():
            if type(value) is not int or key == "seed" or (n, key) == (0, "game"):
                continue
            fouls_at(swapped(events, n, {**event, key: float(value)}), n)
            free = key == "chosen" or (event["name"], key) == ("start", "seat")
            if not free and (n, key) != (0, "players"):
                fouls_at(swapped(events, n, {**event, key: value + 1}), n)


def test_every_option_is_checked() -> None:
    """One less, one more, one twice: each is called; another chosen binds."""
    more: Sequence[Any] = [0, 1, 2, 3, "none", *NUMBERS, *STYLES, "voter-adhd"]
    for events, n, event in told_games():
        legal = event.get("legal", [])
        wrong = [[o for o in legal if o != less] for less in legal]
        wrong += [[*legal, extra] for extra in more] if legal else []
        for options in wrong:
            changed = swapped(events, n, {**event, "legal": options})
            fouls_at(changed, n, f"seat {event['seat']}: {event['name']}.legal")
        for other in legal:
            if other != event["chosen"]:
                with pytest.raises(Foul):
                    check(swapped(events, n, {**event, "chosen": other}))


def test_every_list_is_checked() -> None:
    for events, n, event in told_games():
        for key in {"electability", "affiliation", "totals", "winners"} & event.keys():
            value = event[key]
            if isinstance(value, list):
                spoilt = [[*value, 0], [1, *value[1:]] if value[:1] != [1] else []]
                for wrong in spoilt:
                    fouls_at(swapped(events, n, {**event, key: wrong}), n, key)

"""What holds whoever plays: conservation, chance and symmetry, relations, guards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim import masks
from sim.article_ii.play import STEPS
from sim.article_ii.state import State, Step
from sim.recorder import Recorder
from sim.transcript import Event
from tests.article_ii.plays import (
    GAME,
    PLAYERS,
    in_deck,
    started,
    table,
    transcripts,
)
from tests.article_ii.referee import OPTIONS, printed
from tests.games.likely import UNLIKELY, even

# --- Chance -------------------------------------------------------------------------

DEALS = 12_000


@pytest.fixture(scope="module", params=PLAYERS)
def dealt(request: pytest.FixtureRequest) -> State:
    """Games in which the first cards are dealt."""
    state = started(None, request.param, DEALS, seed=20)
    STEPS[Step.DEAL](state, table())
    return state


def test_every_card_comes_to_every_place_as_often(dealt: State) -> None:
    sizes = [*[7] * dealt.players, 51 - 7 * dealt.players]
    wanted = np.array(sizes) / 51 * DEALS
    for card in masks.members(dealt.layout.everything):
        places = (*dealt.hands, in_deck(dealt))
        found = [np.count_nonzero(place & masks.bit(card)) for place in places]
        assert even(found, wanted)


def test_hands_follow_the_hypergeometric_law(dealt: State) -> None:
    law = stats.hypergeom(51, 12, 7)
    styles = masks.count(dealt.hands[1] & dealt.layout.styles)
    counts, wanted = np.bincount(styles, minlength=8), law.pmf(np.arange(8)) * DEALS
    few = wanted >= 5
    found = [*counts[few], counts[~few].sum()]
    assert even(found, [*wanted[few], wanted[~few].sum()])


def test_everybody_starts_as_often(dealt: State) -> None:
    counts = np.bincount(dealt.start, minlength=dealt.players)
    assert even(counts)


@pytest.mark.parametrize("rules", [{}, {"general_deal": "reshuffle_all"}])
def test_the_general_is_shuffled_anew(rules: Mapping[str, Any]) -> None:
    """Discards come back to every seat as often, and a new player starts."""
    state = started(rules, 4, 4000, seed=6)
    desk, discard = table(), np.zeros(4000, dtype=np.uint64)
    while state.clock.phase == 0 or state.clock.step is Step.DEAL:
        if state.clock.step is Step.PRIMARY:
            discard = state.discard.copy()
            first = state.start.copy()
        STEPS[state.clock.step](state, desk)
    full = (masks.count(state.hands) == 7).all(axis=0)
    returned = [masks.count(hand & discard)[full] for hand in state.hands]
    assert min(np.count_nonzero(some) for some in returned) > 500
    # A game's seats hang together: compare seats that are each game's own.
    place = (np.arange(4000)[full] + first[full]) % 4
    start = np.bincount(first.astype(np.int64) * 4 + state.start, minlength=16)
    assert even(start)
    groups = [returned[seat][place == seat] for seat in range(4)]
    assert stats.kruskal(*groups).pvalue > UNLIKELY


def test_random_takes_each_option_as_often() -> None:
    """By kind and number of options, the place of the one that is taken."""
    places: dict[tuple[str, int], Counter[int]] = {}
    for events in transcripts(None, 3, 250, seed=5):
        for event in events:
            if event["type"] == "choice":
                key = (event["name"], len(event["legal"]))
                place = event["legal"].index(event["chosen"])
                places.setdefault(key, Counter())[place] += 1
    tested = set()
    for (name, size), counts in places.items():
        if size > 1 and counts.total() >= 10 * size:
            found = [counts[place] for place in range(size)]
            assert even(found), (name, size)
            tested.add(name)
    assert tested == set(GAME.kinds) - {"necromancer"}


@pytest.mark.parametrize("players", PLAYERS)
def test_every_seat_is_alike_under_random(players: int) -> None:
    keeper, size = Recorder(["result"]), 6000
    GAME.play(started(None, players, size, seed=4), table([], keeper))
    told = keeper.table("result")
    winner = told["winner"][told["seat"] == 0]  # the table has a row for each seat
    wins = np.bincount(winner[winner >= 0], minlength=players)
    assert size / 2 < wins.sum() <= size
    assert even(wins)


def test_ties_are_tossed_fairly() -> None:
    """Nothing but blanks is played, so all tie for the places of Candidates."""
    blank: dict[str, Any] = {card: {"remove": True} for card in printed("updated")}
    blank["hairpiece"] = {"copies": 20}
    rules = {"deck": "custom", "cards": blank, "hand": 1}
    keeper = Recorder(["primary"])
    GAME.play(started(rules, 4, 6000, seed=8), table([], keeper))
    candidates = keeper.table("primary")["candidates"].reshape(-1)
    seats, pairs = np.unique(candidates, return_counts=True)
    assert len(seats) == 6
    assert even(pairs)


# --- Relations ----------------------------------------------------------------------


MATTER = {
    ("tie", "primary"): [
        "halve",
        "mudslinger_self",
        "greater_evil",
        "carry_over",
        "general_deal",
    ],
    ("general",): [
        "no_positive_2p",
        "general_tie",
        "spoiler_value",
        "highlander_fallback",
    ],
}
"""Events before which these options change nothing."""


def before(
    names: Sequence[str], changes: Mapping[str, Any], players: int
) -> list[list[Event]]:
    """The events of some games up to the first of these, rule values left out."""
    found = []
    for events in transcripts(changes, players, 30, seed=3):
        end = next(n for n, event in enumerate(events) if event["name"] in names)
        found.append(events[1:end])
    return found


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("names", MATTER)
def test_options_change_nothing_before_they_matter(
    names: tuple[str, ...], players: int
) -> None:
    base = before(names, {}, players)
    assert min(map(len, base)) > 20
    for key in MATTER[names]:
        assert before(names, {key: OPTIONS[key][-1]}, players) == base, key


def ends(changes: Mapping[str, Any], players: int) -> list[tuple[Event, Event]]:
    """The totals and the results of some games."""
    return [tuple(events[-2:]) for events in transcripts(changes, players, 60, seed=2)]


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
def test_larger_numbers_change_no_winner(players: int) -> None:
    """All numbers three times as large: so are the totals, and all else is the same."""
    large = {
        card: {key: 3 * what[key] for key in ("electability", "affiliation")}
        for card, what in printed("updated").items()
        if what["kind"] == "mark"
    }
    base = ends({"halve": "exact"}, players)
    for (one, first), (other, then) in zip(
        base, ends({"halve": "exact", "cards": large}, players), strict=True
    ):
        assert first == then
        for key in ("electability", "affiliation", "totals"):
            wanted = [None if n is None else 3 * n for n in one[key]]
            assert other[key] == wanted


@pytest.mark.soak
@pytest.mark.parametrize("players", [3, 4])
def test_an_independent_necromancer_is_independent_and_no_more(players: int) -> None:
    """Nobody's Affiliation counts for him, so he is not asked whose."""

    def of(*effects: str) -> list[list[Event]]:
        """Games in which contenders are many, and Necromancers too."""
        rules = {
            "hand": 5,
            "necromancer_target": "chosen",
            "cards": {"necromancer": {"copies": 5}, "highlander": {"copies": 5}},
            "styles": {"necromancer": {"effects": effects}},
        }
        return [events[1:] for events in transcripts(rules, players, 200)]

    both, alone = of("necromancy", "independent"), of("independent")
    assert both == alone
    asked = [any(e["name"] == "necromancer" for e in g) for g in of("necromancy")]
    assert sum(asked) > 10


# --- Guards -------------------------------------------------------------------------

PLAYED = ("play", "second", "react")


def played(events: Sequence[Event]) -> int:
    """How many cards were played."""
    return sum(e["name"] in PLAYED and e["chosen"] != "none" for e in events)


def at_turns(events: Sequence[Event]) -> list[int]:
    """How many cards had been played as each turn began."""
    found, moment = [], (None, None)
    for n, event in enumerate(events):
        if "turn" in event and (event["phase"], event["turn"]) != moment:
            moment = (event["phase"], event["turn"])
            found.append(played(events[:n]))
    return found


def test_guard() -> None:
    """No turn begins after so many cards; up to there it is the same game."""
    free, broken = transcripts(None, 3, 20), 0
    for guard in (1, 2, 9, 25, 40, 45):
        for events, whole in zip(
            transcripts({"guard": guard}, 3, 20), free, strict=True
        ):
            if max(at_turns(whole)) < guard:
                assert events[1:] == whole[1:]
                continue
            broken += 1
            assert events[1:-1] == whole[1 : len(events) - 1]
            assert max(at_turns(events)) < guard <= played(events)
            end = events[-1]
            assert (end["by"], end["winner"], end["winners"]) == ("guard", None, [])
    assert 60 < broken < 120


def test_a_game_that_need_not_end_is_broken_off() -> None:
    """Cards that draw more than they cost, in a deck of nothing else."""
    cards: dict[str, Any] = {card: {"remove": True} for card in printed("updated")}
    cards["windfall"] = {"kind": "draw", "draw": 3, "copies": 30}
    for events in transcripts({"deck": "custom", "cards": cards, "guard": 200}, 2, 5):
        assert (events[-1]["by"], played(events)) == ("guard", 200)


# --- Parties ------------------------------------------------------------------------


def test_points_of_the_party_variation() -> None:
    """Candidate 1, President 2 more, the other member of his party 1 (rules 4.9)."""
    keeper = Recorder(["result"])
    GAME.play(started({"parties": True}, 4, 200, seed=1), table([], keeper))
    points = keeper.table("result")
    results = [events[-1] for events in transcripts({"parties": True}, 4, 200)]
    seen = Counter[int]()
    for game, result in enumerate(results):
        wanted = [int(seat in result["candidates"]) for seat in range(4)]
        for seat in result["winners"]:
            wanted[seat] += 2
        for seat in result["winners"]:
            if (seat + 2) % 4 not in result["winners"]:
                wanted[(seat + 2) % 4] += 1
        rows = points["game"] == game
        order = np.argsort(points["seat"][rows])
        assert list(points["points"][rows][order]) == wanted
        seen.update(wanted)
    assert set(seen) == {0, 1, 2, 3}

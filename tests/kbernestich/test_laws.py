"""What holds whoever plays: conservation, and the laws of chance and of symmetry."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from sim import masks
from sim.kbernestich.box import DOWN
from sim.kbernestich.play import STEPS
from sim.kbernestich.state import Phase, State
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from tests.kbernestich.plays import GAME, any_rules, started, table

UNLIKELY = 1e-4  # seeds are fixed, so a test that passes once passes always


# --- Conservation -------------------------------------------------------------------


def cards_are_kept(state: State) -> None:
    """Every card is in one hand, or won, or on the table, or set aside."""
    seen = np.zeros(len(state.games), dtype=np.uint64)
    for held in (*state.fan, *state.won, *state.cards, state.down, state.rest):
        assert not (seen & held).any(), "a card is in two places"
        seen |= held
    assert (seen == state.box.everything).all(), "a card is nowhere, or too many"


def cubes_of(state: State) -> NDArray[np.int64]:
    """(seats, games) in hand, on the sheet and beside a colour, claimed."""
    placed = masks.count(state.placed).astype(np.int64) + state.letters
    claims = [masks.count(state.claims & area) > 0 for area in state.box.from_marie]
    return placed + state.cubes + np.sum(claims, axis=0)


def audit(state: State) -> int:
    """Play on, and count cards and cubes after every step; how many there were."""
    desk, steps = table(), 0
    supply = cubes_of(state)
    while state.clock.phase is not Phase.OVER:
        phase, kept = state.clock.phase, state.cubes.copy()
        STEPS[phase](state, desk)
        steps += 1
        cards_are_kept(state)
        if phase is Phase.SCORE and state.clock.phase is Phase.DEAL:
            refill = state.box.refill[state.score]
            supply = np.minimum(kept + refill, state.rules.cubes).astype(np.int64)
            assert (state.cubes == supply).all()
        elif phase is not Phase.SCORE:
            assert (cubes_of(state) == supply).all(), phase
    return steps


@pytest.mark.parametrize("seed", range(8))
def test_nothing_appears_or_vanishes(seed: int) -> None:
    dice = random.Random(seed)
    players = 3 + seed % 2
    rules = any_rules(dice, players) if seed > 1 else {"future_known": True}
    rules |= {"marie_from": [1, 0, 3]}  # a claim never set goes to a square of 1
    rules |= {"marie_to": [1] * dice.randint(1, 6)}  # points of letters are cubes
    assert audit(started(rules, players, 150, seed=seed)) > 5


@pytest.mark.parametrize("thing", ["card", "cube"])
def test_a_theft_is_seen(thing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state, trick = started(None, 4, 20), STEPS[Phase.TRICK]

    def thief(state: State, desk: Any) -> None:
        trick(state, desk)
        if thing == "card":
            state.won[0, 3] &= state.won[0, 3] - np.uint64(state.won[0, 3] > 0)
        else:
            state.cubes[2, 7] += 1

    monkeypatch.setitem(STEPS, Phase.TRICK, thief)
    with pytest.raises(AssertionError):
        audit(state)


# --- Suits --------------------------------------------------------------------------


class Relabelled:
    """Chooses by what an option is once its suit has another name.

    Which option that is depends on the game, the moment and the name, not on bits.
    """

    title = "relabelled"

    def __init__(self, names: Sequence[int]) -> None:
        self.names = names

    def decide(self, view: KbernestichView) -> Masks:
        state: State = view._state
        rows = np.arange(len(state.games)) if view._rows is None else view._rows
        answer = np.zeros(len(view), dtype=np.uint64)
        for row, place in enumerate(rows):
            options = masks.members(view.legal[row])
            hand = masks.members(view.hand[row])
            names = {option: self._name(view, option, hand) for option in options}
            moment = (int(state.games[place]), state.clock.tick)
            order = sorted(
                options, key=lambda o: random.Random(repr((moment, names[o]))).random()
            )
            size = int(view.most[row]) if view.kind.form == "sample" else 1
            answer[row] = masks.union(order[:size])
        return answer

    def _name(
        self, view: KbernestichView, option: int, hand: Sequence[int]
    ) -> tuple[Any, ...]:
        kind, suits = view.kind.name, len(view.box.suits)
        if kind in ("trump", "claim"):
            return ("suit", self.names[option] if option < suits else option)
        if kind == "plot":
            size = len(view.rules.marie_from)
            if option >= size * suits:
                return ("square", option)
            return ("value", self.names[option // size], option % size)
        down = DOWN <= option < DOWN + 12
        card = hand[option - DOWN] if down else option
        if card >= 12 * suits:
            return ("action", card)
        return (down, self.names[card // 12], card % 12)


def relabelled(cards: Masks, names: Sequence[int]) -> Masks:
    """Cards in other suits: what is named so becomes this suit."""
    found = np.zeros_like(cards)
    for suit, name in enumerate(names):
        part = (cards >> np.uint64(12 * name)) & np.uint64(0xFFF)
        found |= part << np.uint64(12 * suit)
    return found


@pytest.mark.parametrize("players", [3, 4])
def test_suits_are_but_names(players: int) -> None:
    """The same cards in other suits, played alike, score the same."""
    rules = {"rounds": 1, "tricks": 6, "future_known": True}
    found, dice = [], random.Random(players)
    for _ in range(3):
        state = started(rules, players, 12)
        names = list(range(players))
        if found:
            dice.shuffle(names)
        STEPS[Phase.DEAL](state, table())
        state.fan = relabelled(state.fan, names)
        state.rest = relabelled(state.rest, names)
        GAME.play(state, table([Relabelled(names)]))
        found.append((state.score, state.arrived, state.tricks, state.start))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            assert np.array_equal(one, two)


# --- Chance -------------------------------------------------------------------------

DEALS = 20_000


@pytest.fixture(scope="module", params=[3, 4])
def dealt(request: pytest.FixtureRequest) -> State:
    """Games in which the first cards are dealt."""
    state = started(None, request.param, DEALS, seed=20)
    STEPS[Phase.DEAL](state, table())
    return state


def test_every_card_comes_to_every_place_as_often(dealt: State) -> None:
    deck, rest = len(dealt.box.deck), len(dealt.box.deck) - 11 * dealt.players
    sizes = np.array([*[11.0] * dealt.players, rest])
    wanted = sizes / deck * DEALS
    for card in dealt.box.deck:
        found = np.array(
            [
                np.count_nonzero(place & masks.bit(card))
                for place in (*dealt.hands, dealt.rest)
            ]
        )
        assert stats.chisquare(found, wanted).pvalue > UNLIKELY


def test_hands_follow_the_hypergeometric_law(dealt: State) -> None:
    law = stats.hypergeom(len(dealt.box.deck), 12, 11)
    for suit in dealt.box.suits:
        counts = np.bincount(masks.count(dealt.hands[1] & suit), minlength=12)
        wanted = law.pmf(np.arange(12)) * DEALS
        few = wanted >= 5
        found = [*counts[few], counts[~few].sum()]
        law_of = [*wanted[few], wanted[~few].sum()]
        assert stats.chisquare(found, law_of).pvalue > UNLIKELY


def test_everybody_starts_as_often(dealt: State) -> None:
    counts = np.bincount(dealt.start, minlength=dealt.players)
    assert stats.chisquare(counts).pvalue > UNLIKELY


@pytest.mark.parametrize("players", [3, 4])
def test_every_suit_and_seat_is_alike_under_random(players: int) -> None:
    """Random players: trumps, values and tricks know no suit, scores no seat."""
    rules = {"rounds": 1, "start_scores": [0] * 4}
    if players == 3:
        rules = {"rounds": 1, "by_players.3.start_scores": [0] * 3}
    else:
        rules = {"rounds": 1, "by_players.4.start_scores": [0] * 4}
    state = started(rules, players, 6000, seed=4)
    GAME.play(state, table())
    trumps = [np.count_nonzero(state.trump == suit) for suit in [0, *state.box.suits]]
    assert stats.chisquare(trumps).pvalue > UNLIKELY
    tables = [np.bincount(values, minlength=4) for values in state.values]
    assert stats.chi2_contingency(tables).pvalue > UNLIKELY
    # A game's seats hang together: compare seats that are each game's own.
    rows = np.arange(6000)
    for field in (state.score, state.tricks):
        groups = [field[seat, rows % players == seat] for seat in range(players)]
        assert stats.kruskal(*groups).pvalue > UNLIKELY
        assert stats.kruskal(*[field[s] for s in range(players)]).pvalue > UNLIKELY


def test_random_ties_for_lowest_start_as_often() -> None:
    """Nothing is scored, so all tie, and each starts the next round as often."""
    rules = {
        "low_tie": "random", "rounds": 2, "tricks": 1, "plot_before_tricks": 0,
        "by_players.4.start_scores": [0] * 4,
    }  # fmt: skip
    state = started(rules, 4, DEALS, seed=3)
    first = state.start.copy()
    GAME.play(state, table())
    pairs = np.bincount(first.astype(np.int64) * 4 + state.start, minlength=16)
    assert stats.chisquare(pairs).pvalue > UNLIKELY

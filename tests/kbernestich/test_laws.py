"""What holds whoever plays: conservation, and the laws of chance and of symmetry."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim import masks
from sim.kbernestich.layout import DOWN
from sim.kbernestich.play import STEPS
from sim.kbernestich.state import Phase, State
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from tests.games.likely import UNLIKELY, even
from tests.kbernestich.plays import GAME, any_rules, started, table

# --- Cubes --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_cubes_are_refilled_up_to_the_limit(seed: int) -> None:
    """What else becomes of cards and cubes is checked as conserved (see `replay`)."""
    dice = random.Random(seed)
    players = 3 + seed % 2
    rules = any_rules(dice, players) | {"rounds": 3}
    state, desk, rounds = started(rules, players, 100, seed=seed), table(), 0
    while state.clock.phase is not Phase.OVER:
        phase, kept = state.clock.phase, state.cubes.copy()
        STEPS[phase](state, desk)
        if phase is Phase.SCORE and state.clock.phase is Phase.DEAL:
            refill = state.layout.refill[state.score]
            assert (state.cubes == np.minimum(kept + refill, state.rules.cubes)).all()
            rounds += 1
    assert rounds == 2


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
        kind, suits = view.kind.name, len(view.layout.suits)
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
        state.hands_by_turn = relabelled(state.hands_by_turn, names)
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
    deck, rest = len(dealt.layout.deck), len(dealt.layout.deck) - 11 * dealt.players
    sizes = np.array([*[11.0] * dealt.players, rest])
    wanted = sizes / deck * DEALS
    for card in dealt.layout.deck:
        found = np.array(
            [
                np.count_nonzero(place & masks.bit(card))
                for place in (*dealt.hands, dealt.rest)
            ]
        )
        assert even(found, wanted)


def test_hands_follow_the_hypergeometric_law(dealt: State) -> None:
    law = stats.hypergeom(len(dealt.layout.deck), 12, 11)
    for suit in dealt.layout.suits:
        counts = np.bincount(masks.count(dealt.hands[1] & suit), minlength=12)
        wanted = law.pmf(np.arange(12)) * DEALS
        few = wanted >= 5
        found = [*counts[few], counts[~few].sum()]
        law_of = [*wanted[few], wanted[~few].sum()]
        assert even(found, law_of)


def test_everybody_starts_as_often(dealt: State) -> None:
    counts = np.bincount(dealt.start, minlength=dealt.players)
    assert even(counts)


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
    trumps = [
        np.count_nonzero(state.trump == suit) for suit in [0, *state.layout.suits]
    ]
    assert even(trumps)
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
        "low_tie": "random",
        "rounds": 2,
        "tricks": 1,
        "plot_before_tricks": 0,
        "by_players.4.start_scores": [0] * 4,
    }
    state = started(rules, 4, DEALS, seed=3)
    first = state.start.copy()
    GAME.play(state, table())
    pairs = np.bincount(first.astype(np.int64) * 4 + state.start, minlength=16)
    assert even(pairs)

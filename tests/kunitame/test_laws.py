"""What holds whoever plays: conservation, and the laws of chance and of symmetry."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from experiments.core.cells import Cell, play
from sim import masks
from sim.chance import Purpose
from sim.kunitame.play import STEPS
from sim.kunitame.rules import Kunitame
from sim.kunitame.state import Phase, State
from sim.kunitame.view import KunitameView
from sim.listener import Listener
from sim.masks import Flags, Masks
from sim.transcript import Event, Transcript
from strategies.base import Strategy
from tests.games.likely import UNLIKELY, even
from tests.games.room import first_few
from tests.kunitame.plays import GAME, numbers, started, table, transcripts

Fields = Mapping[str, Any]


# --- Deals --------------------------------------------------------------------------

DEALS = 40_000


def dealt(players: int, rules: Mapping[str, Any] | None = None) -> State:
    """Games of one week in which the cards are dealt."""
    state = started(rules, players, DEALS, seed=20)
    desk = table()
    while state.clock.phase is not Phase.CONTRACT:
        STEPS[state.clock.phase](state, desk)
    return state


def hypergeometric(
    found: NDArray[np.integer], deck: int, good: int, hand: int
) -> float:
    """p value of so many good cards in each hand, by chi-square."""
    law = stats.hypergeom(deck, good, hand)
    counts = np.bincount(found, minlength=hand + 1)[: hand + 1].astype(float)
    wanted = law.pmf(np.arange(hand + 1)) * len(found)
    assert counts[wanted == 0].sum() == 0
    keep = wanted >= 5  # rarer numbers go together
    if (~keep).any():
        counts = np.append(counts[keep], counts[~keep].sum())
        wanted = np.append(wanted[keep], wanted[~keep].sum())
    few = wanted > 0
    p: float = stats.chisquare(counts[few], wanted[few]).pvalue
    return p


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hands_follow_the_hypergeometric_law(players: int) -> None:
    state = dealt(players)
    layout, deck = state.layout, 39 + players
    for seat in range(players):
        parts = (
            (layout.suits[0], 13),
            (layout.suits[2], 13),
            (layout.priests, players),
        )
        for part, good in parts:
            found = masks.count(state.hands[seat] & part)
            assert hypergeometric(found, deck, good, 7) > UNLIKELY


def test_other_decks_follow_it_too() -> None:
    rules = {
        "suits": ["blue", "green"],
        "ranks": 9,
        "priests_per_player": 2,
        "hand": 5,
        "rounds": 5,
        "squares": [],
        "removed_pledge": "none",
    }
    state = dealt(4, rules)
    for seat in range(4):
        found = masks.count(state.hands[seat] & state.layout.priests)
        assert hypergeometric(found, 26, 8, 5) > UNLIKELY


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_card_comes_to_every_seat(players: int) -> None:
    state = dealt(players)
    cards = masks.members(state.layout.ability | state.layout.priests)
    found = np.array(
        [
            [np.count_nonzero(hand & masks.bit(card)) for card in cards]
            for hand in state.hands
        ],
        dtype=float,
    )
    aside = DEALS - found.sum(axis=0)
    deck = 39 + players
    places = np.vstack([found, aside])
    sizes = np.array([7.0] * players + [deck - 7 * players])
    wanted = sizes[:, None] / deck * DEALS
    # Each card's places are a multinomial draw; cards of a deal hang together a little.
    spread = ((places - wanted) ** 2 / wanted).sum(axis=0)
    p = stats.chi2(players).sf(spread)
    assert p.min() > UNLIKELY / len(cards)
    assert stats.kstest(p, "uniform").pvalue > UNLIKELY


def test_pairs_of_cards_come_together_as_often_as_they_should() -> None:
    state = dealt(4)
    hand, deck = state.hands[0], 43
    chance = 7 * 6 / (deck * (deck - 1))
    ps = []
    for one, other in combinations(masks.members(state.layout.ability), 2):
        both = masks.bit(one) | masks.bit(other)
        together = int(np.count_nonzero((hand & both) == both))
        ps.append(stats.binomtest(together, DEALS, chance).pvalue)
    assert min(ps) > UNLIKELY / len(ps)


def test_deals_of_weeks_are_independent() -> None:
    chance = dealt(3).chance
    first = [chance.shuffle(range(42), Purpose.DEAL, week)[0] for week in range(3)]
    for a, b in combinations([cards.astype(np.int64) for cards in first], 2):
        counts = np.bincount(a * 42 + b, minlength=42 * 42)
        assert even(counts)


def test_every_devil_is_drawn_as_often() -> None:
    """Each of the 13, at each place of the draw."""
    state = started({"weeks": 1}, 4, DEALS, seed=3)
    desk = table([Stakes()])
    while state.clock.phase is not Phase.PLAY:
        STEPS[state.clock.phase](state, desk)
    first = state.layout.first_devil
    for hand in state.hands:
        drawn = hand & state.layout.devils
        assert (masks.count(drawn) == 2).all()
        counts = [
            int(np.count_nonzero(drawn & masks.bit(first + n))) for n in range(13)
        ]
        # Two of 13 without putting back: the counts vary 11/12 of a multinomial's.
        spread = sum((n - DEALS * 2 / 13) ** 2 for n in counts) / (DEALS * 2 / 13)
        assert stats.chi2(12).sf(spread * 12 / 11) > UNLIKELY


def test_devils_of_weeks_are_independent() -> None:
    """What is drawn first in one week tells nothing of the next."""
    drawn: list[NDArray[np.int64]] = []

    class Devils(Last):
        def event(self, state: State, name: str, where: Any, fields: Fields) -> None:
            if len(drawn) == state.clock.week:
                drawn.append(masks.index(fields["card"]) - state.layout.first_devil)

    state = started({"weeks": 2, "life": 5}, 4, DEALS, seed=4)
    GAME.play(state, table([Stakes()], Devils("devil")))
    counts = np.bincount(drawn[0] * 13 + drawn[1], minlength=169)
    assert even(counts)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_everybody_deals_first_as_often(players: int) -> None:
    state = started(None, players, DEALS, seed=8)
    counts = np.bincount(state.first_dealer, minlength=players)
    assert even(counts)


def test_ties_are_broken_evenly() -> None:
    """Nobody scores, so all tie: each wins a game as often."""
    rules = {"weeks": 1, "squares": [], "removed_pledge": "none", "contract_limit": 0}
    found = result(rules, 5, ["timid"] * 5, DEALS)
    assert set(found["by"]) == {2}
    counts = np.bincount(found["winner"], minlength=5)
    assert even(counts)


# --- Seats --------------------------------------------------------------------------


class Last(Listener):
    """Keeps the last note of a name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.fields: dict[str, Any] = {}

    def hears(self, name: str) -> bool:
        return name == self.name

    def event(self, state: State, name: str, where: Any, fields: Fields) -> None:
        self.fields = {**fields, "dealer": state.first_dealer}


def result(
    rules: Mapping[str, Any] | None,
    players: int,
    lineup: Sequence[str | Strategy],
    games: int,
    seed: int = 5,
) -> dict[str, Any]:
    """Winner, points and lives at the end of games, and their first dealer."""
    cell = Cell("kunitame", Kunitame.of(rules), players, tuple(lineup), seed=seed)
    last = Last("result")
    play(cell, numbers(games), [last])
    return last.fields


@pytest.mark.parametrize("name", ["random", "greedy"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_seats_differ_by_the_dealer_only(players: int, name: str) -> None:
    """By place from the first dealer, every seat wins and scores as the others.

    Identical strategies: what a seat is called may not matter. Counted are wins, and
    the points of the seat, by place from the first dealer, against the seat's name.
    """
    found = result({"weeks": 2}, players, [name] * players, 12_000)
    dealer = found["dealer"].astype(int)
    for place in range(players):
        seat = (dealer + place) % players
        won = found["winner"] == seat
        wins = np.bincount(seat[won], minlength=players)
        others = np.bincount(seat[~won], minlength=players)
        assert stats.chi2_contingency([wins, others]).pvalue > UNLIKELY
        points = found["points"][seat, np.arange(len(seat))]
        groups = [points[seat == s] for s in range(players)]
        assert stats.kruskal(*groups).pvalue > UNLIKELY


def test_the_dealer_does_matter() -> None:
    """The test of the seats could fail: by place from the dealer seats do differ."""
    found = result({}, 5, ["allround"] * 5, 12_000)
    place = (found["winner"].astype(int) - found["dealer"]) % 5
    counts = np.bincount(place[found["winner"] >= 0], minlength=5)
    assert stats.chisquare(counts).pvalue < UNLIKELY


# --- Suits --------------------------------------------------------------------------


class Stakes(Strategy):
    """Stakes two Life gems on the first square; the rest as chance has it."""

    name = "stakes"

    def contract(self, view: KunitameView) -> Masks:
        """Two gems on one square."""
        first = np.zeros(len(view), dtype=np.int64)
        return view.stake(first, np.full(len(view), 2))


class Fixed(Strategy):
    """Decides by the words for things, in an order that may be told it."""

    name = "fixed"

    def __init__(self, order: Mapping[str, Sequence[str]]) -> None:
        object.__setattr__(self, "order", order)

    def contract(self, view: KunitameView) -> Masks:
        """A gem for each card below the middle of the order, at most two."""
        good = self._set(view, "card", self.order["card"][:20])
        gems = masks.count(view.hand & good)
        return view.stake(
            (gems % view.options_per_token).astype(np.int64), np.minimum(gems, 2)
        )

    def cancel(self, view: KunitameView) -> Masks:
        """The first gems."""
        answer = np.zeros_like(view.legal)
        for token in range(int(view.most.max(initial=0))):
            rest = view.legal & ~answer
            answer |= masks.where(view.most > token, masks.lowest(rest))
        return answer

    def fallback(self, view: Any) -> Masks:
        """The option that comes first in the order."""
        answer = np.zeros_like(view.legal)
        for word in self.order[view.kind.vocabulary]:
            here = self._set(view, view.kind.vocabulary, [word])
            free: Flags = answer == 0
            answer |= masks.where(free, masks.lowest(view.legal & here))
        return answer

    def _set(self, view: Any, words: str, wanted: Sequence[str]) -> np.uint64:
        ids = view._state.vocabularies[words]
        return masks.union(n for n, name in enumerate(ids) if name in wanted)


def relabel(state: State, permutation: Sequence[int]) -> None:
    """Deal a card of suit number ``permutation[s]`` for one of suit ``s``."""
    ranks, size = state.rules.ranks, len(state.rules.suits) * state.rules.ranks
    places = np.arange(64, dtype=np.uint16)
    for card in range(size):
        places[card] = permutation[card // ranks] * ranks + card % ranks
    shuffle = state.chance.shuffle

    def other(cards: Sequence[int], purpose: Purpose, *rest: Any) -> Any:
        order = shuffle(cards, purpose, *rest)
        return places[order] if purpose is Purpose.DEAL else order

    state.chance.shuffle = other


PERMUTATIONS = [(1, 2, 0), (2, 1, 0), (0, 2, 1)]


@pytest.mark.parametrize("players", first_few([4, 3, 5], 1))
@pytest.mark.parametrize("permutation", PERMUTATIONS)
def test_relabelling_the_suits_changes_nothing(
    permutation: tuple[int, ...], players: int
) -> None:
    """The same deals with the suits exchanged, decided alike: the same games.

    Cards and squares are exchanged together, so each game has to be the other one
    word for word after exchanging the words.
    """
    suits = ("blue", "red", "yellow")
    new = {suit: suits[permutation[at]] for at, suit in enumerate(suits)}

    def word(text: str) -> str:
        for suit in suits:
            if text in (suit, f"only-{suit}"):
                return text.replace(suit, new[suit])
            if text[0] == suit[0].upper() and text[1:].isdigit():
                return new[suit][0].upper() + text[1:]
        return text

    rules = Kunitame.of({"removed_pledge": "none", "weeks": 3})
    base = State(rules, players, 11, numbers(60))
    other = State(rules, players, 11, numbers(60))
    relabel(other, permutation)
    dice = random.Random(players)
    order = {
        key: list(dict.fromkeys(base.vocabularies[key])) for key in ("card", "square")
    }
    for words in order.values():
        dice.shuffle(words)
    moved = {key: [word(text) for text in words] for key, words in order.items()}
    games = _played(base, Fixed(order))
    exchanged = _played(other, Fixed(moved))
    assert exchanged == [_exchange(event, word) for event in games]
    assert exchanged != games


def _played(state: State, player: Strategy) -> list[Event]:
    writer = Transcript(GAME)
    GAME.play(state, table([player], writer))
    events = writer.events()
    return [_sorted(event) for event in events]


def _sorted(event: Event) -> Event:
    """The event with what has no order in order: hands and options."""
    event = dict(event)
    if "legal" in event:
        event["legal"] = sorted(event["legal"])
    if "hands" in event:
        event["hands"] = [sorted(hand) for hand in event["hands"]]
    return event


def _exchange(event: Event, word: Any) -> Event:
    event = dict(event)
    for key in ("card", "square", "chosen"):
        if isinstance(event.get(key), str):
            event[key] = word(event[key])
    if "legal" in event:
        event["legal"] = [word(text) for text in event["legal"]]
    if "hands" in event:
        event["hands"] = [[word(text) for text in hand] for hand in event["hands"]]
    return _sorted(event)


def test_every_suit_wins_as_often() -> None:
    """The suits play the same part, so each wins a third of the tricks they win.

    A game counts once.
    """
    cell = Cell("kunitame", Kunitame.of({"weeks": 2}), 4, ("random",) * 4, seed=2)
    winners = Winners()
    play(cell, numbers(12_000), [winners])
    shares = np.stack(winners.tricks).sum(axis=0)  # (suits, games)
    difference = shares - shares.mean(axis=0)
    for suit in difference:
        assert stats.ttest_1samp(suit, 0.0).pvalue > UNLIKELY


class Winners(Listener):
    """Counts the tricks that each suit wins, in each game."""

    def __init__(self) -> None:
        self.tricks: list[NDArray[np.int64]] = []

    def hears(self, name: str) -> bool:
        return name == "trick"

    def event(self, state: State, name: str, where: Any, fields: Fields) -> None:
        won = [(fields["card"] & suit) != 0 for suit in state.layout.suits]
        self.tricks.append(np.array(won, dtype=np.int64))


def test_renaming_a_suit_in_the_rules_changes_its_name_only() -> None:
    squares = {name: {"suit": "xanthic"} for name in ("yellow", "only-yellow")}
    renamed = {"suits": ["blue", "red", "xanthic"], "squares": squares}

    def word(text: str) -> str:
        return "X" + text[1:] if text[0] == "Y" else text

    pairs = zip(transcripts(None, 4, 20), transcripts(renamed, 4, 20), strict=True)
    for base, other in pairs:
        assert [_sorted(e) for e in other[1:]] == [_exchange(e, word) for e in base[1:]]

"""What holds whoever plays: conservation, relations between games, laws of chance."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from sim import masks
from sim.devil.layout import Layout
from sim.devil.play import STEPS
from sim.devil.rules import Devil
from sim.devil.state import Phase, State
from sim.listener import Listener
from sim.transcript import Event
from tests.devil.plays import GAME, started, table, transcripts
from tests.devil.referee import DECKS, PLAYERS, cost, in_force, playable
from tests.games.likely import UNLIKELY, even

# --- The ring of ranks --------------------------------------------------------------


def test_ranks_that_fit_form_a_ring_of_ten() -> None:
    """Rules 2.1: every rank has two neighbours, 8 of 40 cards fit any top card."""
    layout = Layout(Devil(), 4)
    assert [int(masks.count(layout.fits[card])) for card in layout.deck] == [8] * 40
    ring, place = ["1"], layout.ids.index("1")
    while len(ring) < 11:
        near = {
            layout.ids[card].rstrip("S") for card in masks.members(layout.fits[place])
        }
        assert len(near) == 2
        back = ring[-2] if len(ring) > 1 else min(near, key=int)
        ring.append((near - {back}).pop())
        place = layout.ids.index(ring[-1])
    assert ring[0] == ring[-1]
    assert len(set(ring)) == 10


@pytest.mark.parametrize("sums_ok", [(5, 9), (0,), (), (1, 2, 3)])
@pytest.mark.parametrize("deck", ["base", "440"])
def test_cards_fit_as_the_referee_reads(deck: str, sums_ok: tuple[int, ...]) -> None:
    layout = Layout(Devil.of({"deck": deck, "sums_ok": sums_ok}), 4)
    for top in layout.deck:
        fits = {layout.ids[card] for card in masks.members(layout.fits[top])}
        if layout.ids[top] != "oni":  # it ends the round, so nothing follows
            wanted = {c for c in layout.ids if playable(c, layout.ids[top], sums_ok)}
            assert fits == wanted, layout.ids[top]


@pytest.mark.parametrize("seed", range(4))
def test_hands_of_any_size_cost_as_the_referee_reads(seed: int) -> None:
    dice = random.Random(seed)
    rules: dict[str, Any] = {"deck": dice.choice([*DECKS])}
    key, cards, _ = DECKS[rules["deck"]]
    if seed > 1:
        rules["points"] = [99] * 10
        rules[key] = {**cards, "normal": [4] * 10, "special1": 8, "special4": 7}
    layout = Layout(Devil.of(rules), 2)
    hands = [
        dice.sample(layout.deck, dice.randint(0, len(layout.deck))) for _ in range(300)
    ]
    hands.append([*layout.deck])
    found = layout.cost(
        np.array([masks.union(hand) for hand in hands], dtype=np.uint64)
    )
    ids = [[layout.ids[card] for card in hand] for hand in hands]
    assert found.tolist() == [cost(hand, in_force(rules)) for hand in ids]


# --- Relations between games --------------------------------------------------------


def transcripts_alike(
    changes: Mapping[str, Any], players: int = 4
) -> list[list[Event]]:
    """Games without their setup."""
    games = transcripts({"target": 60, **changes}, players, 20)
    return [events[1:] for events in games]


def without(events: Sequence[Event], *fields: str) -> list[Event]:
    return [{k: v for k, v in e.items() if k not in fields} for e in events]


def test_points_doubled_double_the_scores() -> None:
    """Players at random do not look at points: the same games, at twice the price."""
    once = transcripts_alike({})
    twice = transcripts_alike({"points": [*range(2, 21, 2)], "target": 120})
    for one, two in zip(once, twice, strict=True):
        assert without(one, "added", "scores") == without(two, "added", "scores")
        for event, other in zip(one, two, strict=True):
            for field in ("added", "scores"):
                if field in event:
                    assert [2 * n for n in event[field]] == other[field]


@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_lower_target_ends_the_same_game_earlier(players: int) -> None:
    for short, long in zip(
        transcripts_alike({"target": 20}, players),
        transcripts_alike({}, players),
        strict=True,
    ):
        assert len(short) <= len(long)
        assert short[:-1] == long[: len(short) - 1]
        rounds = [event for event in short if event["name"] == "round"]
        assert max(rounds[-1]["scores"]) >= 20
        assert all(max(event["scores"]) < 20 for event in rounds[:-1])


def test_a_guard_breaks_the_same_game_off() -> None:
    broken = 0
    for short, long in zip(
        transcripts_alike({"guard": 30}), transcripts_alike({}), strict=True
    ):
        if short[-1]["by"] == "guard":
            broken += 1
            turns = [event["turn"] for event in short if "turn" in event]
            assert turns[-1] == 30
        assert all(event.get("turn", 0) <= 30 for event in short)
        assert short[:-1] == long[: len(short) - 1]
        assert short[-1] == long[len(short) - 1] or short[-1]["by"] == "guard"
    assert 0 < broken < 20


def test_the_name_of_the_deck_is_but_a_name() -> None:
    """Deck 440 with the cards of the base deck is the base game."""
    same = {"deck": "440", "ext_deck": DECKS["base"][1]}
    assert transcripts_alike(same) == transcripts_alike({})


@pytest.mark.parametrize(
    ("key", "value", "hand"),
    [("s4_end", "all", 4), ("out_special_stacks", True, 1)],
)
def test_dearer_ends_cost_nobody_less(key: str, value: object, hand: int) -> None:
    """The same first round, but for what it costs."""
    rules, dearer = {"target": 1, "hand": hand}, 0
    plain, other = transcripts(rules, 4, 60), transcripts({**rules, key: value}, 4, 60)
    for one, two in zip(plain, other, strict=True):
        assert one[1:-2] == two[1:-2]
        pairs = [*zip(one[-2]["added"], two[-2]["added"], strict=True)]
        assert all(cheap <= dear for cheap, dear in pairs)
        dearer += any(cheap < dear for cheap, dear in pairs)
    assert dearer > 0


# --- Tables ---------------------------------------------------------------------------


class Book(Listener):
    """Keeps what was noted, as plain values: name, game, fields."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, int, dict[str, Any]]] = []

    def hears(self, name: str) -> bool:
        return name in ("round", "declaring", "result")

    def event(
        self, state: State, name: str, where: Any, fields: Mapping[str, Any]
    ) -> None:
        size = len(state.games)
        for row in range(size) if where is None else np.flatnonzero(where):
            plain = {
                key: value[..., row].tolist() if np.ndim(value) else value
                for key, value in fields.items()
            }
            self.kept.append((name, int(state.games[row]), plain))


@pytest.mark.parametrize("players", [2, 4, 7])
@pytest.mark.parametrize("deck", ["base", "440"])
def test_what_tables_tell_besides(deck: str, players: int) -> None:
    """Counts and costs that no transcript tells, recounted from transcripts."""
    rules = {"deck": deck, "target": 80}
    book, state = Book(), started(rules, players, 25)
    layout = state.layout
    GAME.play(state, table([], book))
    for number, events in enumerate(transcripts(rules, players, 25)):
        kept = [(name, told) for name, game, told in book.kept if game == number]
        counted, declared = _recounted(events)
        rounds = [told for name, told in kept if name == "round"]
        for round_, (counts, hands) in zip(rounds, counted, strict=True):
            assert {key: round_[key] for key in counts} == counts
            for seat, hand in enumerate(hands):
                mask = np.uint64(round_["hands"][seat])
                assert sorted(layout.ids[c] for c in masks.members(mask)) == sorted(
                    hand
                )
                plain = [card.rstrip("S") for card in hand]
                assert round_["cost"][seat] == cost(hand, in_force(rules))
                assert round_["points"][seat] == cost(plain, in_force(rules))
        asked = [told for name, told in kept if name == "declaring"]
        for one, (fields, hands) in zip(asked, declared, strict=True):
            assert {key: one[key] for key in fields} == fields
            assert one["cost"] == [cost(hand, in_force(rules)) for hand in hands]
        result = kept[-1][1]
        assert result["rounds"] == len(counted)
        assert result["turns"] == sum(counts["turns"] for counts, _ in counted)


Recount = list[tuple[dict[str, int], list[list[str]]]]


def _recounted(events: Sequence[Event]) -> tuple[Recount, Recount]:
    """Counts of each round and the hands left; who could end it, and hands then."""
    counted: Recount = []
    declared: Recount = []
    counts, hands = dict[str, int](), list[list[str]]()
    many = {"draw": "draws", "penalty": "penalties", "reshuffle": "reshuffles"}
    many["skip"] = "skips"
    for event in events:
        name = event["name"]
        if name == "deal":
            hands = [list(hand) for hand in event["hands"]]
            counts = {"turns": 0, "dealer": event["dealer"]}
            counts |= dict.fromkeys(many.values(), 0)
            counted.append((counts, hands))
        if "turn" not in event:
            continue
        counts["turns"] = event["turn"]
        if name in many:
            counts[many[name]] += 1
        if name in ("draw", "penalty"):
            hands[event["seat"]].append(event["card"])
        elif name == "play":
            hands[event["seat"]].remove(event["chosen"])
        elif name == "declare":
            told = {key: event[key] for key in ("round", "turn")}
            told |= {"who": event["seat"], "ends": event["chosen"] == "end"}
            declared.append((told, [list(hand) for hand in hands]))
    return counted, declared


# --- Chance -------------------------------------------------------------------------

DEALS = 8_000  # all are on the table at once


@pytest.mark.parametrize("players", [2, 8])
def test_every_card_comes_to_every_place_as_often(players: int) -> None:
    state = started(None, players, DEALS, seed=20)
    STEPS[Phase.DEAL](state, table())
    wanted = np.array([4.0] * players + [1, 39 - 4 * players]) / 40 * DEALS
    for card in state.layout.deck:
        places = (*state.hands, state.top, state.pile)
        found = [np.count_nonzero(place & masks.bit(card)) for place in places]
        assert even(found, wanted)
    dealers = np.bincount(state.dealer, minlength=players)
    assert even(dealers)


def test_specials_in_a_hand_follow_the_hypergeometric_law() -> None:
    state = started({"deck": "440"}, 5, DEALS, seed=21)
    STEPS[Phase.DEAL](state, table())
    counts = np.bincount(
        masks.count(state.hands[2] & state.layout.specials), minlength=5
    )
    wanted = stats.hypergeom(56, 4, 4).pmf(np.arange(5)) * DEALS
    found = [*counts[:2], counts[2:].sum()]
    law = [*wanted[:2], wanted[2:].sum()]
    assert even(found, law)


def test_an_onifuda_is_flipped_again_by_the_first_cards_law() -> None:
    """Once put back, any card of the pile is as likely, the Onifuda too."""
    flips = [
        [event["card"] for event in events if event["name"] == "flip"]
        for events in transcripts(
            {
                "deck": "440",
                "target": 1,
                "guard": 1,
                "ext_deck": {
                    "normal": [1] * 10,
                    "special1": 0,
                    "special4": 0,
                    "blank": 0,
                    "onifuda": 10,
                },
                "hand": 1,
            },
            2,
            3000,
        )
    ]
    lengths = np.bincount([min(len(cards), 4) for cards in flips], minlength=5)[1:]
    assert lengths.sum() == 3000
    ends = Counter(cards[-1] for cards in flips)
    assert even([ends[str(rank)] for rank in range(1, 11)])
    # Two cards are dealt: of 18 left 8, 9 or 10 are Onifuda.
    weights = {gone: stats.hypergeom(20, 10, 2).pmf(gone) for gone in range(3)}
    again = {gone: (10 - gone) / 18 for gone in weights}
    law = [
        sum(weights[g] * again[g] ** flip * (1 - again[g]) for g in weights)
        for flip in range(3)
    ]
    wanted = [share * 3000 for share in (*law, 1 - sum(law))]
    assert even(lengths, wanted)


class Draws(Book):
    """Keeps how the card drawn ranked among those in the pile."""

    def __init__(self) -> None:
        self.found: dict[str, list[NDArray[np.float64]]] = {}
        self.rng = np.random.default_rng(5)

    def hears(self, name: str) -> bool:
        return name in ("draw", "penalty")

    def event(
        self, state: State, name: str, where: Any, fields: Mapping[str, Any]
    ) -> None:
        rows = np.arange(len(state.games)) if where is None else np.flatnonzero(where)
        card, rest = fields["card"][rows], state.pile[rows]
        below = masks.count(rest & (card - np.uint64(1))).astype(float)
        toss = self.rng.random(len(rows))
        self.found.setdefault(name, []).append((below + toss) / (masks.count(rest) + 1))


def test_every_card_of_the_pile_is_drawn_as_often() -> None:
    """Before and after a reshuffle, whatever is left."""
    book = Draws()
    GAME.play(started({"target": 30}, 5, 1500, seed=8), table([], book))
    for name in ("draw", "penalty"):
        ranks = np.concatenate(book.found[name])
        assert len(ranks) > 1000
        found = np.histogram(ranks, 20, (0, 1))[0]
        assert even(found)
        follows = np.histogram2d(ranks[:-1], ranks[1:], 5, [(0, 1), (0, 1)])[0]
        assert even(follows)


@pytest.mark.parametrize("players", [2, 3, 8])
def test_every_seat_is_alike_under_random(players: int) -> None:
    """The first dealer is drawn, so no seat is better than another."""
    state = started({"target": 40}, players, 3000, seed=4)
    GAME.play(state, table())
    alone = state.finals.winners[masks.count(state.finals.winners) == 1]
    wins = np.bincount(masks.index(alone).astype(int), minlength=players)
    assert even(wins)
    # A game's seats hang together: compare seats that are each game's own.
    rows = np.arange(3000)
    scores = state.finals.scores
    groups = [scores[seat, rows % players == seat] for seat in range(players)]
    assert stats.kruskal(*groups).pvalue > UNLIKELY


def test_ties_are_tossed_fairly() -> None:
    winners = []
    for tie in ("shared", "random"):
        rules = {"tie": tie, "target": 1, "points": [1] * 10, "hand": 2}
        state = started(rules, 4, 3000, seed=3)
        GAME.play(state, table())
        winners.append(state.finals.winners)
    tied, tossed = winners
    assert not (tossed & ~tied).any()
    assert (masks.count(tossed) == 1).all()
    assert (tossed == tied)[masks.count(tied) == 1].all()
    two = masks.count(tied) == 2
    first = int(np.count_nonzero(tossed[two] == masks.lowest(tied[two])))
    assert stats.binomtest(first, int(two.sum()), 0.5).pvalue > UNLIKELY
    assert two.sum() > 30


# --- Guards -------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_printed_rules_never_meet_the_guard(players: int) -> None:
    """Rules 2.6: no deadlock is possible."""
    for deck in DECKS:
        state = started({"deck": deck, "target": 60}, players, 300)
        GAME.play(state, table())
        assert (masks.count(state.finals.winners) > 0).all()
        assert (state.finals.scores.max(axis=0) >= 60).all()


def test_rounds_without_end_are_broken_off() -> None:
    state = started({"sums_ok": [], "guard": 500}, 4, 50)
    GAME.play(state, table())
    assert not state.finals.winners.any()
    assert (state.finals.turns == 500).all()
    assert (state.finals.rounds == 1).all()
    assert not state.finals.scores.any()

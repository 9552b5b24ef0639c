"""Each strategy of Kbernestich does what its text says; margins in standard errors."""

from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from sim import games, masks
from sim.kbernestich.rules import Kbernestich
from strategies.base import Strategy
from strategies.kbernestich.allround import Allround
from strategies.kbernestich.bidder import Bidder
from strategies.kbernestich.ducker import Ducker
from strategies.kbernestich.letter_writer import LetterWriter
from strategies.kbernestich.market_maker import MarketMaker
from strategies.kbernestich.saver import Saver
from strategies.kbernestich.trick_taker import TrickTaker
from strategies.random import Random
from tests.games.rotated import Rotated

GAME = games.load("kbernestich")
STRATEGIES = (TrickTaker(), Ducker(), Bidder(), LetterWriter(), MarketMaker(), Saver())
OTHERS = (Random(), *STRATEGIES)
ERRORS = 5  # standard errors that a difference has to exceed


class Played(Rotated):
    """What is asked of a run."""

    def each(self, strategy: Strategy, name: str) -> Any:
        """(rounds, seats and games) a field of the sheet as the rounds end."""
        seats = self.seats(strategy)
        return np.array([note[name][seats] for note in self.book.kept["sheet"]])

    def whole(self, strategy: Strategy, name: str) -> Any:
        """(seats and games,) the sum of a field of the sheet over the rounds."""
        return self.each(strategy, name).astype(int).sum(axis=0)

    def cubes(self, strategy: Strategy, squares: Any = None) -> Any:
        """(seats and games,) cubes on these squares (on all) in the whole game."""
        placed = self.each(strategy, "placed")
        wanted = self.layout.all_squares if squares is None else squares
        return masks.count(placed & wanted).astype(int).sum(axis=0)

    def points(self, strategy: Strategy, name: str) -> Any:
        """(seats and games,) the points of one area in the whole game."""
        total = np.zeros(self.place.shape, dtype=int)
        rows = np.arange(self.place.shape[1])
        for note in self.book.kept["score"]:
            total[note["seat"], rows] += note[name]
        return total[self.seats(strategy)]


@lru_cache
def played(
    lineup: tuple[Strategy, ...], count: int = 2000, rules: Kbernestich | None = None
) -> Played:
    return Played.play(GAME, lineup, count, ("score", "sheet"), rules)


def above(more: Any, less: Any) -> bool:
    """Whether one mean exceeds another by several standard errors of both."""
    error = np.sqrt(more.var() / len(more) + less.var() / len(less))
    return bool(more.mean() - less.mean() > ERRORS * error)


def share_error(share: float, count: int) -> float:
    return float(np.sqrt(share * (1 - share) / count))


# What each one says of itself, alone among players at random


def among(strategy: Strategy) -> Played:
    return played((strategy, Random(), Random(), Random()))


def test_trick_taker_wins_the_most_tricks_and_asks_for_grace() -> None:
    run = played((TrickTaker(), Ducker(), MarketMaker(), Random()))
    for other in (Ducker(), MarketMaker(), Random()):
        assert above(run.whole(TrickTaker(), "tricks"), run.whole(other, "tricks"))
    grace, high = run.layout.grace, run.layout.square("hunch-5+")
    for squares in (grace, high):
        taken = run.cubes(TrickTaker(), squares)
        assert above(taken, run.cubes(Random(), squares))


def test_ducker_wins_the_fewest_tricks_and_the_misery_bonus() -> None:
    run = among(Ducker())
    assert above(run.whole(Random(), "tricks"), run.whole(Ducker(), "tricks"))
    assert above(run.points(Ducker(), "misery"), run.points(Random(), "misery"))
    assert run.points(Ducker(), "misery").mean() > 4 * 4


def test_bidder_earns_more_with_bids_than_anybody_but_ducker() -> None:
    run = played((Bidder(), TrickTaker(), Random(), LetterWriter()))
    for other in (TrickTaker(), Random(), LetterWriter()):
        assert above(run.points(Bidder(), "hunch"), run.points(other, "hunch")), other


def test_letter_writer_places_cubes_in_letter_to_marie_only() -> None:
    run = among(LetterWriter())
    letters = run.cubes(LetterWriter(), run.layout.to_marie)
    assert np.array_equal(letters, run.cubes(LetterWriter()))
    assert above(run.points(LetterWriter(), "to"), run.points(Random(), "to"))


def test_market_maker_sets_the_values() -> None:
    run = among(MarketMaker())
    values = masks.union(
        n for area in run.layout.from_marie for n in masks.members(area)
    )
    for squares in (values, run.layout.zabine):
        taken = run.cubes(MarketMaker(), squares)
        assert above(taken, run.cubes(Random(), squares))


def test_saver_keeps_cubes_until_the_last_round() -> None:
    run = among(Saver())
    kept = run.each(Saver(), "kept").astype(int)
    assert above(kept[2], kept[3])
    last = [masks.count(run.each(s, "placed")[3]) for s in (Saver(), Random())]
    assert above(*[placed.astype(int) for placed in last])
    eager = played((Saver(earns=0), Random(), Random(), Random()))
    assert above(kept[1], eager.each(Saver(earns=0), "kept")[1].astype(int))


@pytest.mark.slow
def test_allround_bids_0_and_asks_for_grace_with_success() -> None:
    run = played((Allround(), *[TrickTaker()] * 3))
    zero = masks.count(run.each(Allround(), "placed") & run.layout.square("hunch-0"))
    met = (run.each(Allround(), "tricks") == 0)[zero == 1]
    assert met.mean() > 0.5
    busy = played((Allround(),) * 4)
    graced = busy.cubes(Allround(), busy.layout.grace) > 0
    paid = busy.points(Allround(), "from")
    assert above(paid[graced], paid[~graced])


# Who is the strongest


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("other", OTHERS, ids=lambda s: s.title)
def test_allround_beats_a_table_of_each_other_one(
    other: Strategy, players: int
) -> None:
    count, par = 2000, 1 / players
    share = played((Allround(), *[other] * (players - 1)), count).wins(Allround())
    assert share - ERRORS * share_error(share, count) > par
    assert share > 0.38 + (par - 0.25)


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("other", OTHERS, ids=lambda s: s.title)
def test_no_other_one_beats_a_table_of_allround(other: Strategy, players: int) -> None:
    count = 2000
    share = played((other, *[Allround()] * (players - 1)), count).wins(other)
    assert share + ERRORS * share_error(share, count) < 1 / players


# Every variant

ODD: dict[str, tuple[dict[str, Any], int]] = {
    "no actions": ({"actions": ()}, 4),
    "no bids": ({"hunch": ()}, 3),
    "no values": ({"marie_from": ()}, 4),
    "values out of order": ({"marie_from": (9, 0, 5, 1, 3)}, 4),
    "no bust values": ({"zabine": (), "bust_default": 0}, 3),
    "one trick": ({"tricks": 1, "plot_before_tricks": 1}, 4),
    "no plots": ({"plot_before_tricks": 0, "future_known": True}, 4),
    "many plots": ({"plot_before_tricks": 11, "cubes_per_turn": 4, "cubes": 9}, 4),
    "all the cards": ({"tricks": 12}, 3),
    "no cubes": ({"cubes": 0}, 3),
    "must place": ({"plot_pass": False}, 4),
    "shared": ({"marie_to_shared": True, "hunch_exclusive": False}, 4),
    "doubling": ({"two_on_one_square": True}, 4),
    "memories": ({"memories": True}, 4),
    "future known": ({"future_known": True}, 3),
    "future must": ({"future_known": True, "plot_pass": False}, 4),
    "open bids": ({"hunch": ("3+", "0", "10+", "15")}, 4),
    "ties": ({"final_tie": "shared", "low_tie": "random", "score_order": "area"}, 4),
    "actions in tricks": (
        {"observe_twice_same_trick": True, "incubation_lead": False},
        4,
    ),
    "Long Road": ({"rounds": 8}, 3),
}


@pytest.mark.soak
@pytest.mark.parametrize("variant", ODD)
def test_every_strategy_plays_odd_variants(variant: str) -> None:
    knobs, players = ODD[variant]
    rules = GAME.rules(**knobs)
    everyone = (Allround(), *OTHERS)
    for first in range(0, len(everyone), players):
        lineup = (everyone * 2)[first : first + players]
        run = played(lineup, 100, rules)
        assert len(run.book.kept["result"]) == 1
    for strategy in everyone:  # alone, where the table takes a shorter way
        played((strategy,) * players, 30, rules)


@pytest.mark.parametrize("area", ["marie_from", "zabine", "hunch", "actions"])
def test_every_strategy_plays_where_the_sheet_lacks_an_area(area: str) -> None:
    rules = GAME.rules(**{area: ()})
    for strategy in (Allround(), *OTHERS):
        assert played((strategy,) * 4, 8, rules).book.kept["result"]

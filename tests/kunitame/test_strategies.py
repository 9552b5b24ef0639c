"""Each strategy of Kunitame does what its text says; margins in standard errors."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from sim import games, masks
from sim.kunitame.rules import Kunitame
from strategies.base import Strategy, at_random
from strategies.kunitame.allround import Allround
from strategies.kunitame.gambler import Gambler
from strategies.kunitame.greedy import Greedy
from strategies.kunitame.planner import Planner
from strategies.kunitame.pledge_hunter import PledgeHunter
from strategies.kunitame.timid import Timid
from strategies.random import Random
from tests.games.rotated import Rotated

GAME = games.load("kunitame")
OTHERS = (Random(), Timid(), Greedy(), Planner(), PledgeHunter(), Gambler())
ERRORS = 5  # standard errors that a difference has to exceed


class Played(Rotated):
    """What is asked of a run."""

    def tricks(self, strategy: Strategy) -> Any:
        """(seats and games,) tricks in the whole game."""
        return self._sum("tricks")[self.seats(strategy)]

    def stakes(self, strategy: Strategy) -> Any:
        """(weeks, seats and games) Life gems staked."""
        weeks = self.book.kept["contracts"]
        return np.array([masks.count(w["stakes"])[self.seats(strategy)] for w in weeks])

    def kept(self, strategy: Strategy) -> tuple[float, int]:
        """The share of its gems that come back, and how many it staked."""
        staked = int(self.stakes(strategy).sum())
        return 1 - float(self._sum("lost")[self.seats(strategy)].sum()) / staked, staked

    def returns(self, strategy: Strategy) -> Any:
        """(seats and games,) gems given back after tricks in the whole game."""
        total = np.zeros(self.place.shape, dtype=int)
        for gem in self.book.kept["gem"]:
            back = (gem["value"] < 0) & (gem["round"] > 0)
            seat = np.broadcast_to(gem["seat"], back.shape)
            total[seat[back], np.flatnonzero(back)] += 1
        return total[self.seats(strategy)]

    def _sum(self, name: str) -> Any:
        weeks = self.book.kept["contracts"]
        return np.sum([week[name].astype(int) for week in weeks], axis=0)


@lru_cache
def played(
    lineup: tuple[Strategy, ...], count: int = 6000, rules: Kunitame | None = None
) -> Played:
    return Played.play(GAME, lineup, count, ("contracts", "gem"), rules)


def above(more: Any, less: Any) -> bool:
    """Whether one mean exceeds another by several standard errors of both."""
    error = np.sqrt(more.var() / len(more) + less.var() / len(less))
    return bool(more.mean() - less.mean() > ERRORS * error)


def share_error(share: float, count: int) -> float:
    return float(np.sqrt(share * (1 - share) / count))


# What each one says of itself

MIXED = (Timid(), Greedy(), Planner(), PledgeHunter(), Gambler())


def test_timid_makes_no_contract_and_wins_few_tricks() -> None:
    run = played(MIXED)
    assert run.stakes(Timid()).sum() == 0
    for other in (Greedy(), Planner(), Gambler()):
        assert above(run.tricks(other), run.tricks(Timid())), other


def test_greedy_wins_the_most_tricks_at_a_table_without_contracts() -> None:
    run = played((Greedy(), Timid(), PledgeHunter(), Random()))
    for other in (Timid(), PledgeHunter(), Random()):
        assert above(run.tricks(Greedy()), run.tricks(other)), other


def test_planner_keeps_more_of_its_contracts_than_gambler() -> None:
    run = played(MIXED)
    planner, by_planner = run.kept(Planner())
    gambler, by_gambler = run.kept(Gambler())
    # Gems of one contract are kept together, so count contracts of up to three.
    error = share_error(planner, by_planner // 3) + share_error(
        gambler, by_gambler // 3
    )
    assert planner - gambler > ERRORS * error
    assert planner > gambler + 0.05


def test_pledge_hunter_returns_fewer_gems_than_greedy() -> None:
    run = played(MIXED)
    assert above(run.returns(Greedy()), run.returns(PledgeHunter()))
    alone = played((PledgeHunter(),) * 4, 3000), played((Greedy(),) * 4, 3000)
    assert above(alone[1].returns(Greedy()), alone[0].returns(PledgeHunter()))


def test_gambler_stakes_all_it_may() -> None:
    run = played((Gambler(),) * 3, 1000)
    weeks = run.book.kept["contracts"]
    life = np.full(run.place.shape, GAME.rules().life)
    for week in weeks:
        may = life - (week is not weeks[-1])
        assert np.array_equal(masks.count(week["stakes"]), may)
        life = week["lives"]


def test_a_wider_margin_makes_planner_aim_higher() -> None:
    low, high = Planner(margin=-1.0), Planner(margin=2.0)
    run = played((low, high, Timid(), Timid()), 3000)
    assert above(run.tricks(high), run.tricks(low))


def test_allround_never_stakes_its_last_life_gem() -> None:
    run = played((Allround(), Gambler(), Planner(), Greedy()), 2000)
    lives = run.book.kept["result"][0]["lives"][run.seats(Allround())]
    assert lives.min() >= 1
    assert run.stakes(Allround()).any(axis=1).all()  # some in every week


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("other", OTHERS, ids=lambda s: s.title)
def test_allround_beats_a_table_of_each_other_one(
    other: Strategy, players: int
) -> None:
    count, par = 3000, 1 / players
    share = played((Allround(), *[other] * (players - 1)), count).wins(Allround())
    assert share - ERRORS * share_error(share, count) > par
    easy = isinstance(other, Random | Timid | Gambler)
    floor = 0.60 if easy else 0.45 if players > 3 else 0.48
    assert share - 2 * share_error(share, count) > floor - 0.03


@pytest.mark.parametrize("other", OTHERS, ids=lambda s: s.title)
def test_no_other_one_beats_a_table_of_allround(other: Strategy) -> None:
    count = 3000
    share = played((other, *[Allround()] * 3), count).wins(other)
    assert share + ERRORS * share_error(share, count) < 1 / 4


# Every variant

ODD: dict[str, tuple[dict[str, Any], int]] = {
    "no Devils": ({"devil_ranks": 0, "contract_limit": 0}, 3),
    "few Devils": ({"devil_ranks": 3}, 5),
    "no Priests": ({"priests_per_player": 0}, 4),
    "many Priests": ({"priests_per_player": 3, "ranks": 8}, 4),
    "no Devils drawn": ({"contract_limit": 0}, 4),
    "high ranks": ({"ranks": 15, "devil_ranks": 4}, 3),
    "more suits": ({"suits": ("blue", "red", "yellow", "green"), "ranks": 9}, 3),
    "one trick": ({"hand": 2, "rounds": 1, "contract_squares": (0, 1)}, 3),
    "one long week": ({"weeks": 1, "hand": 12, "rounds": 12}, 3),
    "contracts out of order": ({"contract_squares": (7, 0, 3)}, 4),
    "many lives": ({"life": 12}, 4),
    "all pledges": ({"removed_pledge": "none"}, 5),
    "no bonus by colour": ({"removed_pledge": "P6"}, 3),
    "may": ({"trick_take": "may", "liquidation_take": "must"}, 4),
    "no tricks": ({"no_tricks_squares": "claimable_at_liquidation"}, 4),
    "no tricks as targets": ({"no_tricks_squares": "return_target"}, 4),
    "vacuous": ({"zero_trick_liquidation": "vacuous_true", "refill_weekly": True}, 4),
    "no squares": ({"squares": (), "removed_pledge": "none"}, 3),
}


@pytest.mark.soak
@pytest.mark.parametrize("variant", ODD)
def test_every_strategy_plays_odd_variants(variant: str) -> None:
    changes, players = ODD[variant]
    squares = changes.get("contract_squares")
    if squares is not None:
        extra = {"contract_returns": (1,) * len(squares)}
        changes = {**changes, **extra, "contract_points": (0,) * len(squares)}
    rules = GAME.rules(**changes)
    everyone = (Allround(), *OTHERS)
    for first in range(0, len(everyone), players):
        lineup = (everyone * 2)[first : first + players]
        run = played(lineup, 200, rules)
        assert len(run.book.kept["result"]) == 1
    for strategy in everyone:  # alone, where the table takes a shorter way
        played((strategy,) * players, 50, rules)


# The view's word on winning cards, on which all of them rely


@dataclass(frozen=True)
class Doubter(Strategy):
    """Plays at random, and works out by hand which options win as the trick lies."""

    name = "doubter"

    def play(self, view: Any) -> Any:
        for row, winning in enumerate(view.winning):
            table = [int(card[row]) for card in view.cards]
            options = masks.members(view.legal[row])
            right = [
                n for n in options if best_of([*table, 1 << n], view.layout) == 1 << n
            ]
            assert masks.members(winning) == right
        return at_random(view)


def best_of(cards: list[int], layout: Any) -> int:
    """The card that wins, read off the rule text."""
    suit_of = {1 << number: suit for number, suit in enumerate(layout.card_suits)}
    black = [card for card in cards if suit_of[card] == "black"]
    white = [card for card in cards if suit_of[card] == "white"]
    led = [card for card in cards if card not in black and card not in white]
    if black and white:
        return white[0]
    if black:
        return max(black)
    if led:
        return max(card for card in led if suit_of[card] == suit_of[led[0]])
    return white[0]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_view_tells_which_options_win(players: int) -> None:
    played((Doubter(),) * players, 40)
    rules = GAME.rules(priests_per_player=3, ranks=7, devil_ranks=9)
    played((Doubter(),) * players, 40, rules)

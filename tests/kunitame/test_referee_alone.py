"""The Kunitame referee on its own: hand-written games, random games, planted fouls."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import pytest

from tests.games.referee import Foul
from tests.games.telling import Events, Rules, event, numbered
from tests.kunitame.referee import (
    SQUARES,
    check,
    check_stream,
    legal_plays,
    meets,
    rank_squares,
    trick_winner,
)

# --- Hand-computed rules ------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "winner"),
    [
        ("B3 B9 B5", "B9"),  # highest of the lead suit
        ("B3 R13 Y12", "B3"),  # off-suit cards never win
        ("B13 P P", "B13"),  # white is weakest
        ("P P P", "P0"),  # only Priests: the first
        ("P B2 R13", "B2"),  # a Priest sets no lead suit
        ("P R2 B13 R3", "R3"),
        ("D1 B13 B12", "D1"),  # black beats the lead suit
        ("D3 D12 B13", "D12"),  # highest black
        ("B13 D1 P", "P2"),  # white wins where black was played
        ("P D13 P", "P0"),  # the first of them
        ("D13 P P D1", "P1"),
        ("D5 R4 R9 B13", "D5"),  # Devil led, then a suit
        ("D5 D2 D4", "D5"),  # no lead suit at all
    ],
)
def test_trick_winner(table: str, winner: str) -> None:
    cards = table.split()
    place = trick_winner(cards)
    assert winner in (cards[place], f"{cards[place]}{place}")


def test_trick_winner_with_more_suits() -> None:
    suits = ["blue", "red", "yellow", "green"]
    assert trick_winner(["G2", "B13", "G11"], suits) == 2


@pytest.mark.parametrize(
    ("hand", "table", "legal"),
    [
        ("B1 R2 D3 P", "", "B1 R2 D3 P"),
        ("B1 R2 D3 P", "B9", "B1 D3 P"),
        ("B1 R2 D3 P", "Y9", "B1 R2 D3 P"),
        ("B1 R2 D3 P P", "D9 P", "B1 R2 D3 P"),
        ("B1 R2 R3", "P D4 R9 B2", "R2 R3"),
    ],
)
def test_must_follow(hand: str, table: str, legal: str) -> None:
    assert legal_plays(hand.split(), table.split()) == set(legal.split())


@pytest.mark.parametrize(
    ("card", "round_", "squares"),
    [
        ("B5", 1, "card-1-5 round-1 blue only-1-10 only-odd only-blue"),
        ("R11", 4, "card-11 round-3-4 red only-11-13 only-odd only-red"),
        ("D12", 6, "card-12 round-5-6 black only-11-13 only-even only-black"),
        ("P", 7, "round-7 white only-white"),
        ("Y9", 2, "round-2 yellow only-1-10 only-odd only-yellow"),
    ],
)
def test_squares_met_by_a_trick(card: str, round_: int, squares: str) -> None:
    table = [square for square in SQUARES if square["when"] != "rank"]
    met = {square["id"] for square in table if meets(square, (card, round_))}
    assert met == set(squares.split())


@pytest.mark.parametrize(
    ("squares", "numbers"),
    [
        ("card-1-5", [1, 2, 3, 4, 5]),
        ("card-6-8", [6, 7, 8]),
        ("card-11", [11]),
        ("card-12", [12]),
        ("only-1-10", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("only-11-13", [11, 12, 13]),
        ("only-even", [2, 4, 6, 8, 10, 12]),
        ("only-odd", [1, 3, 5, 7, 9, 11, 13]),
    ],
)
def test_squares_met_by_a_number(squares: str, numbers: list[int]) -> None:
    square = next(square for square in SQUARES if square["id"] == squares)
    met = [n for n in range(14) if meets(square, (f"B{n}" if n else "P", 1))]
    assert met == numbers


def test_each_round_has_a_square() -> None:
    rounds = [s for s in SQUARES if s["pledge"] == "P2"]
    met = [[s["id"] for s in rounds if meets(s, ("B9", n))] for n in range(1, 9)]
    once = "round-1 round-2 round-3-4 round-3-4 round-5-6 round-5-6 round-7"
    assert met == [*([name] for name in once.split()), []]


def test_gems_at_the_start() -> None:
    """The gem budget of the rules: 14 of 1 point, 9 of 3 points, 4 more with P7."""
    gems = [(s["gem"], s["pledge"] == "P7") for s in SQUARES]
    assert [gems.count(kind) for kind in ((1, False), (3, False), (3, True))] == [
        14,
        9,
        4,
    ]


def test_conditions_of_a_square_hold_together() -> None:
    square = {"id": "x", "num": [0, 5], "round": [2, 3], "suit": "white"}
    assert meets(square, ("P", 2))
    assert not meets(square, ("P", 4))
    assert not meets(square, ("B2", 2))


@pytest.mark.parametrize(
    ("tricks", "seat", "distinct", "players"),
    [
        ([4, 2, 1], 0, "most", "most"),
        ([4, 2, 1], 1, "second-most second-fewest", "second-most second-fewest"),
        ([4, 2, 1], 2, "fewest", "fewest"),
        ([0, 4, 3], 0, "", ""),
        ([0, 4, 3], 1, "most second-fewest", "most second-fewest"),
        ([0, 4, 3], 2, "fewest second-most", "fewest second-most"),
        ([7, 0, 0], 0, "most fewest", "most fewest"),
        ([3, 3, 1], 0, "most second-fewest", "most second-most second-fewest"),
        ([3, 3, 1], 2, "fewest second-most", "fewest"),
        ([3, 2, 1, 1], 1, "second-most second-fewest", "second-most"),
        ([3, 2, 1, 1], 2, "fewest", "second-fewest fewest"),
        (
            [3, 3, 0],
            1,
            "most fewest",
            "most second-most second-fewest fewest",
        ),
    ],
)
def test_rank_of_trick_counts(
    tricks: list[int], seat: int, distinct: str, players: str
) -> None:
    assert rank_squares(tricks, seat, "distinct") == set(distinct.split())
    assert rank_squares(tricks, seat, "players") == set(players.split())


# --- A game written by hand ---------------------------------------------------------


def pick(name: str, legal: str, chosen: str, **where: int) -> dict[str, Any]:
    return event("choice", name, **where, legal=legal.split(), chosen=chosen)


def stake(seat: int, most: int, chosen: dict[str, int], **where: int) -> dict[str, Any]:
    return event("choice", "contract", **where, seat=seat, max_gems=most, chosen=chosen)


def by_hand(**more: object) -> Events:
    """Two weeks of one trick among three, worked out at the table with pen and paper.

    Week 1: a Devil and a Priest meet, so the Priest wins. Week 2: the Devil deck of
    four runs out, a Devil wins, and a player without tricks returns 3 points.
    """
    rules = {"weeks": 2, "hand": 1, "rounds": 1, "devil_ranks": 4, **more}
    one, two = {"week": 1}, {"week": 2}
    first, second = {"week": 1, "round": 1}, {"week": 2, "round": 1}
    return numbered(
        [
            event(
                "setup", "kunitame", players=3, lineup=["a"] * 3, rules=rules, seed=7
            ),
            event("chance", "dealer", seat=1),
            event("chance", "deal", **one, dealer=1, hands=[["R9"], ["P"], ["B4"]]),
            stake(0, 2, {"1": 1}, **one),
            stake(1, 2, {}, **one),
            stake(2, 2, {"2": 1}, **one),
            event("chance", "devil", **one, seat=2, card="D3"),
            event("chance", "devil", **one, seat=0, card="D2"),
            pick("play", "P", "P", **first, seat=1),
            pick("play", "B4 D3", "B4", **first, seat=2),
            pick("play", "R9 D2", "D2", **first, seat=0),
            event("outcome", "trick", **first, winner=1, card="P"),
            pick("claim", "round-1 white", "white", **first, seat=1),
            event("outcome", "gem", **one, seat=1, square="white", value=1),
            event(
                "outcome",
                "contracts",
                **one,
                tricks=[0, 1, 0],
                lost=[1, 0, 1],
                lives=[2, 3, 2],
            ),
            pick("bonus", "only-white pass", "only-white", **one, seat=1),
            event("outcome", "gem", **one, seat=1, square="only-white", value=3),
            event("outcome", "week", **one, points=[0, 4, 0], lives=[2, 3, 2]),
            event("chance", "deal", **two, dealer=2, hands=[["R9"], ["R12"], ["B13"]]),
            stake(0, 2, {"1": 2}, **two),
            stake(1, 3, {"1": 1, "5": 2}, **two),
            stake(2, 2, {}, **two),
            event("chance", "devil", **two, seat=0, card="D1"),
            event("chance", "devil", **two, seat=1, card="D2"),
            event("chance", "devil", **two, seat=0, card="D3"),
            event("chance", "devil", **two, seat=1, card="D4"),
            event("choice", "cancel", **two, seat=1, excess=1, chosen={"5": 1}),
            pick("play", "B13", "B13", **second, seat=2),
            pick("play", "R9 D1 D3", "D3", **second, seat=0),
            pick("play", "R12 D2 D4", "D2", **second, seat=1),
            event("outcome", "trick", **second, winner=0, card="D3"),
            pick("claim", "card-1-5 round-1 black", "black", **second, seat=0),
            event("outcome", "gem", **two, seat=0, square="black", value=1),
            event(
                "outcome",
                "contracts",
                **two,
                tricks=[1, 0, 0],
                lost=[0, 2, 0],
                lives=[2, 1, 2],
            ),
            pick("bonus", "only-1-10 only-odd only-black pass", "pass", **two, seat=0),
            pick("return", "black", "black", **two, seat=1),
            event("outcome", "gem", **two, seat=1, square="black", value=-3),
            event("outcome", "week", **two, points=[1, 1, 0], lives=[2, 1, 2]),
            event(
                "result",
                "kunitame",
                winner=0,
                by="lives",
                points=[1, 1, 0],
                lives=[2, 1, 2],
            ),
        ]
    )


def fouls_at(events: Events, n: int, match: str = "") -> None:
    with pytest.raises(Foul, match=rf"(?s)^event {n}: .*{match}"):
        check(events)


def test_cancel_takes_back_what_was_placed() -> None:
    """With three Devils seat 1 is two short, having placed one on 1 and two on 5."""
    for chosen, foul in (({"5": 2}, 32), ({"1": 2}, 25), ({"1": 1, "5": 1}, 32)):
        events = by_hand(devil_ranks=3)
        del events[25]
        events[25] |= {"excess": 2, "chosen": chosen}
        events[28] |= {"legal": ["R12", "D2"]}
        fouls_at(numbered(events), foul)  # at 32 one gem less is lost than told


def test_things_of_another_kind() -> None:
    for n, key, value in (
        (0, "rules", [1, 2]),
        (0, "lineup", "abc"),
        (0, "lineup", ["a", "a", 3]),
        (0, "players", True),
        (2, "hands", {"0": ["R9"]}),
        (2, "hands", ["R9", "P", "B4"]),
        (6, "card", ["D3"]),
        (8, "legal", "P"),
        (8, "legal", ["P", 1]),
        (8, "chosen", ["P"]),
    ):
        events = by_hand()
        events[n][key] = value
        fouls_at(events, n)


def test_game_by_hand_passes() -> None:
    check(by_hand())
    check(by_hand(squares=[dict(square) for square in SQUARES]))


@pytest.mark.parametrize(
    ("rules", "n"),
    [
        ({"no_tricks_squares": "return_target"}, None),  # black goes first
        ({"refill_weekly": True}, None),
        ({"return_choice": "black-first"}, None),
        ({"p7_rank": "players"}, None),
        ({"all_eliminated": "points"}, None),
        ({"trick_take": "may"}, 12),  # pass is missing
        ({"removed_pledge": "P3"}, 12),  # no white square
        ({"contract_limit": 1}, 3),
        ({"contract_points": [1, 0, 0, 0, 0]}, 37),  # two points more for seat 0
        ({"contract_returns": [2, 1, 1, 1, 1]}, 33),
        ({"contract_squares": [1, 2, 3, 4, 0]}, 20),  # no square 5
        ({"liquidation_take": "must"}, 15),  # pass is one too many
        ({"removed_pledge": "none"}, 15),  # most and fewest are missing
        ({"zero_trick_liquidation": "exempt"}, 35),
        ({"zero_trick_liquidation": "vacuous_true"}, 17),  # seat 2 has bonus options
        ({"return_trigger": "board_empty"}, 35),
        ({"life": 4}, 3),
        ({"weeks": 3}, 19),
        ({"devil_ranks": 5}, 26),  # one more Devil to draw
        ({"suits": ["blue", "green"]}, 2),
        ({"ranks": 8}, 2),
        ({"return_trigger": "never"}, 0),
        ({"contract_points": [1]}, 0),
        ({"rounds": 2}, 0),
    ],
)
def test_game_by_hand_under_other_rules(rules: Rules, n: int | None) -> None:
    if n is None:
        check(by_hand(**rules))
    else:
        fouls_at(by_hand(**rules), n)


# --- Random games -------------------------------------------------------------------


class RandomGame:
    """Plays one game at random and tells it; written apart from the referee's flow."""

    def __init__(self, seed: int, players: int, rules: Rules) -> None:
        self.dice = random.Random(seed)
        self.players, self.told = players, rules
        self.lives = [rules.get("life", 3)] * players
        self.owned: list[list[int]] = [[] for _ in range(players)]
        removed = rules.get("removed_pledge", "P7")
        squares = rules.get("squares", SQUARES)
        self.table = {s["id"]: s for s in squares if s["pledge"] != removed}
        self.board = {name: s["gem"] for name, s in self.table.items()}
        self.dummy = []
        if self.option("no_tricks_squares", "inert") != "inert":
            pledges = {square["pledge"] for square in self.table.values()}
            self.dummy = [f"no-tricks-{pledge}" for pledge in pledges]
        self.board |= dict.fromkeys(self.dummy, 0)
        self.events: Events = []
        self.week = 0

    def option(self, key: str, default: Any) -> Any:
        return self.told.get(key, default)

    def tell(self, kind: str, name: str, **fields: Any) -> None:
        self.events.append(copy.deepcopy(event(kind, name, **fields)))

    def ask(self, name: str, options: Sequence[str], **where: int) -> str:
        legal = sorted(set(options), key=lambda _: self.dice.random())
        chosen = self.dice.choice(legal)
        self.tell("choice", name, **where, legal=legal, chosen=chosen)
        return chosen

    def split(self, squares: Sequence[str]) -> dict[str, int]:
        return {square: squares.count(square) for square in squares}

    def play(self) -> Events:
        rules, lineup = self.told, ["random"] * self.players
        self.tell(
            "setup",
            "kunitame",
            players=self.players,
            lineup=lineup,
            rules=rules,
            seed=1,
        )
        self.dealer = self.dice.randrange(self.players)
        self.tell("chance", "dealer", seat=self.dealer)
        weeks = self.option("weeks", 4)
        for self.week in range(1, weeks + 1):
            self.play_week(last=self.week == weeks)
            self.dealer = (self.dealer + 1) % self.players
        self.finish()
        return numbered(self.events)

    def play_week(self, *, last: bool) -> None:
        n, week, dice = self.players, self.week, self.dice
        if week > 1 and self.option("refill_weekly", False):
            self.board |= {
                name: s["gem"] for name, s in self.table.items() if not self.board[name]
            }
        suits, size = self.option("suits", ["blue", "red", "yellow"]), 7
        deck = [s[0].upper() + str(r) for s in suits for r in range(1, 14)]
        deck += ["P"] * n * self.option("priests_per_player", 1)
        dice.shuffle(deck)
        hands = [deck[size * seat : size * (seat + 1)] for seat in range(n)]
        self.tell("chance", "deal", week=week, dealer=self.dealer, hands=hands)
        squares = self.option("contract_squares", [1, 2, 3, 4, 5])
        stakes: list[list[str]] = []
        for seat in range(n):
            most = min(self.option("contract_limit", 12), self.lives[seat] - (not last))
            size = dice.randint(0, most)
            stakes.append([str(square) for square in dice.choices(squares, k=size)])
            chosen = self.split(stakes[seat])
            where = {"week": week, "seat": seat, "max_gems": most}
            self.tell("choice", "contract", **where, chosen=chosen)
        turn = [(self.dealer + step) % n for step in range(n)]
        devils = [f"D{rank + 1}" for rank in range(self.option("devil_ranks", 13))]
        dice.shuffle(devils)
        visits = [s for v in range(20) for s in turn if len(stakes[s]) > v]
        for seat, card in zip(visits, devils, strict=False):
            self.tell("chance", "devil", week=week, seat=seat, card=card)
            hands[seat].append(card)
        for seat in turn:
            if excess := visits[len(devils) :].count(seat):
                back = dice.sample(stakes[seat], excess)
                for square in back:
                    stakes[seat].remove(square)
                where = {"week": week, "seat": seat, "excess": excess}
                self.tell("choice", "cancel", **where, chosen=self.split(back))
        self.won: list[list[tuple[str, int]]] = [[] for _ in range(n)]
        leader = self.dealer
        for round_ in range(1, self.option("rounds", 7) + 1):
            leader = self.play_trick(round_, leader, hands)
        self.liquidate(stakes, turn)
        self.tell("outcome", "week", week=week, points=self.points(), lives=self.lives)

    def play_trick(self, round_: int, leader: int, hands: list[list[str]]) -> int:
        table: list[str] = []
        suits = self.option("suits", ["blue", "red", "yellow"])
        where = {"week": self.week, "round": round_}
        order = [(leader + step) % self.players for step in range(self.players)]
        for seat in order:
            options = legal_plays(hands[seat], table, suits)
            table.append(self.ask("play", sorted(options), **where, seat=seat))
            hands[seat].remove(table[-1])
        place = trick_winner(table, suits)
        seat, trick = order[place], (table[place], round_)
        self.tell("outcome", "trick", **where, winner=seat, card=trick[0])
        self.won[seat].append(trick)
        ripe = [s for s in self.table.values() if s["when"] == "trick"]
        ripe = [s for s in ripe if self.board[s["id"]]]
        names = [s["id"] for s in ripe if meets(s, trick, suits)]
        if names:
            names += ["pass"] * (self.option("trick_take", "must") == "may")
            self.gain(self.ask("claim", names, **where, seat=seat), seat)
        elif not ripe or self.option("return_trigger", "player") == "player":
            self.give_back(seat)
        return seat

    def gain(self, square: str, seat: int) -> None:
        if square != "pass":
            where = {"week": self.week, "seat": seat, "square": square}
            self.tell("outcome", "gem", **where, value=self.board[square])
            self.owned[seat].append(self.board[square])
            self.board[square] = 0

    def give_back(self, seat: int) -> None:
        vacant = [name for name, gem in self.board.items() if gem == 0]
        first = [s for s in ("black", "only-black") if s in vacant]
        if self.option("return_choice", "player") == "black-first":
            first = first[:1]
        if self.owned[seat] and vacant:
            square = self.ask("return", first or vacant, week=self.week, seat=seat)
            self.board[square] = gem = 3 if 3 in self.owned[seat] else 1
            self.owned[seat].remove(gem)
            where = {"week": self.week, "seat": seat, "square": square}
            self.tell("outcome", "gem", **where, value=-gem)

    def liquidate(self, stakes: list[list[str]], turn: list[int]) -> None:
        tricks, lost = [len(won) for won in self.won], [0] * self.players
        squares = self.option("contract_squares", [1, 2, 3, 4, 5])
        for seat, placed in enumerate(stakes):
            for square in map(int, placed):
                self.lives[seat] -= 1
                if square == tricks[seat]:
                    place = squares.index(square)
                    self.lives[seat] += self.option("contract_returns", [1] * 9)[place]
                    points = self.option("contract_points", [0] * 9)[place]
                    self.owned[seat] += [1] * points
                else:
                    lost[seat] += 1
        where = {"week": self.week, "tricks": tricks}
        self.tell("outcome", "contracts", **where, lost=lost, lives=self.lives)
        for seat in [seat for seat in turn if self.lives[seat] > 0]:
            self.liquidate_seat(seat, tricks)

    def liquidate_seat(self, seat: int, tricks: list[int]) -> None:
        zero = self.option("zero_trick_liquidation", "return")
        open_ = [n for n, s in self.table.items() if s["when"] in ("all", "rank")]
        if self.option("no_tricks_squares", "inert") == "claimable_at_liquidation":
            open_ += self.dummy
        ripe, names = [name for name in open_ if self.board[name]], []
        ranks = rank_squares(tricks, seat, self.option("p7_rank", "distinct"))
        suits = self.option("suits", ["blue", "red", "yellow"])
        for name in ripe:
            square = self.table.get(name)
            if square is None:
                able = tricks[seat] == 0
            elif square["when"] == "rank":
                able = name in ranks
            elif tricks[seat] == 0:
                able = zero == "vacuous_true"
            else:
                able = not [t for t in self.won[seat] if not meets(square, t, suits)]
            names += [name] * able
        if names:
            names += ["pass"] * (self.option("liquidation_take", "may") == "may")
            self.gain(self.ask("bonus", names, week=self.week, seat=seat), seat)
        elif tricks[seat] == 0 and zero == "exempt":
            pass
        elif not ripe or self.option("return_trigger", "player") == "player":
            self.give_back(seat)

    def points(self) -> list[int]:
        return [sum(gems) for gems in self.owned]

    def finish(self) -> None:
        points, lives, winner = self.points(), self.lives, None
        seats = [seat for seat in range(self.players) if lives[seat]]
        if self.option("all_eliminated", "nobody") == "points":
            seats = seats or list(range(self.players))
        by = "none"
        if seats:
            order = sorted(seats, key=lambda s: (points[s], lives[s]), reverse=True)
            best = (points[order[0]], lives[order[0]])
            level = [seat for seat in seats if (points[seat], lives[seat]) == best]
            rivals = [seat for seat in seats if points[seat] == best[0]]
            by, winner = "points" if len(rivals) == 1 else "lives", order[0]
            if len(level) > 1:
                cards = self.dice.sample(range(1, 14), len(level))
                by, winner = "draw", level[cards.index(max(cards))]
                drawn = {str(s): c for s, c in zip(level, cards, strict=True)}
                self.tell("chance", "tie", cards=drawn)
        told = {"points": points, "lives": lives}
        self.tell("result", "kunitame", winner=winner, by=by, **told)


GREEN = {"id": "green", "pledge": "P3", "when": "trick", "suit": "green", "gem": 3}
ROUNDS = {"id": "late", "pledge": "P8", "when": "all", "round": [4, 7], "gem": 1}

RULES: list[Rules] = [
    {},
    {"removed_pledge": "none", "p7_rank": "distinct"},
    {"removed_pledge": "P1", "p7_rank": "players", "trick_take": "may"},
    {"no_tricks_squares": "return_target", "refill_weekly": True},
    {"no_tricks_squares": "claimable_at_liquidation", "return_trigger": "board_empty"},
    {
        "no_tricks_squares": "claimable_at_liquidation",
        "zero_trick_liquidation": "vacuous_true",
        "removed_pledge": "P3",
    },
    {
        "no_tricks_squares": "claimable_at_liquidation",
        "zero_trick_liquidation": "exempt",
        "liquidation_take": "must",
    },
    {"zero_trick_liquidation": "exempt", "return_choice": "black-first"},
    {"devil_ranks": 3, "life": 6, "contract_limit": 4, "weeks": 2},
    {
        "contract_squares": [0, 2, 7],
        "contract_returns": [0, 2, 3],
        "contract_points": [2, 0, 1],
        "all_eliminated": "points",
    },
    {"weeks": 1, "life": 1, "rounds": 3, "all_eliminated": "points"},
    {
        "suits": ["blue", "red", "yellow", "green"],
        "priests_per_player": 2,
        "squares": [*[dict(square) for square in SQUARES], GREEN, ROUNDS],
    },
]


def random_game(seed: int, players: int, rules: Rules) -> Events:
    return RandomGame(seed, players, rules).play()


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("rules", RULES, ids="-".join)
def test_random_games_pass(rules: Rules, players: int) -> None:
    for seed in range(20):
        check(random_game(seed, players, rules))


def test_a_stream_of_games() -> None:
    games = [numbered(random_game(seed, 4, {}), game=seed) for seed in range(3)]
    lines = [json.dumps(told) for game in games for told in game]
    assert check_stream([*lines, "\n"]) == 3
    with pytest.raises(Foul, match="game 0: told twice"):
        check_stream([*lines, *lines[: len(games[0])]])
    with pytest.raises(
        Foul, match=f"game 1: event {len(games[1]) - 1}: the transcript"
    ):
        check_stream(lines[: len(games[0]) + len(games[1]) - 1])
    with pytest.raises(Foul, match="game 0: event 0"):
        check_stream(lines[1:])


def test_no_events_are_no_game() -> None:
    fouls_at([], 0)


# --- Planted fouls ------------------------------------------------------------------


@cache
def games(*names: str, count: int = 4) -> list[Events]:
    """Find random games of five that have events of these names."""
    rules = {"devil_ranks": 4} if "cancel" in names else {}
    dice = (random_game(seed, 5, rules) for seed in range(1000))
    found = (game for game in dice if {*names} <= {told["name"] for told in game})
    return list(islice(found, count))


def where(events: Events, name: str, **fields: object) -> Iterator[int]:
    """Tell the places of the events with this name and these fields."""
    for n, told in enumerate(events):
        if told["name"] == name and fields.items() <= told.items():
            yield n


def plant(name: str, **fields: object) -> Callable[..., Any]:
    """Mark a function that spoils one event (or the events from n) of that name."""

    def mark(spoil: Callable[[Events, int], object]) -> Callable[..., Any]:
        PLANTED.append(pytest.param(name, fields, spoil, id=spoil.__name__))
        return spoil

    return mark


PLANTED: list[Any] = []


def others(events: Events, n: int, key: str) -> int:
    """Tell a seat that is not the one written."""
    return int((events[n][key] + 1) % events[0]["players"])


@plant("trick")
def wrong_winner(events: Events, n: int) -> None:
    events[n]["winner"] = others(events, n, "winner")


@plant("trick")
def wrong_winning_card(events: Events, n: int) -> None:
    other = [event["chosen"] for event in events[n - events[0]["players"] : n]]
    events[n]["card"] = next(card for card in other if card != events[n]["card"])


@plant("play", round=1)
def option_missing(events: Events, n: int) -> None:
    spare = [card for card in events[n]["legal"] if card != events[n]["chosen"]]
    events[n]["legal"].remove(spare[0])


@plant("play")
def option_not_in_hand(events: Events, n: int) -> None:
    held = {card for hand in events[2]["hands"] for card in hand}
    events[n]["legal"].append(
        next(f"R{r}" for r in range(1, 14) if f"R{r}" not in held)
    )


@plant("play", round=7)
def card_played_twice(events: Events, n: int) -> None:
    seat, week = events[n]["seat"], events[n]["week"]
    first = next(where(events, "play", week=week, round=1, seat=seat))
    card = events[first]["chosen"]
    events[n]["legal"], events[n]["chosen"] = [*events[n]["legal"], card], card


@plant("claim")
def duplicate_option(events: Events, n: int) -> None:
    events[n]["legal"].append(events[n]["legal"][0])


@plant("claim")
def claim_without_gem(events: Events, n: int) -> None:
    events[n]["legal"].append("no-such-square")
    events[n]["chosen"] = "no-such-square"


@plant("claim")
def pass_where_a_gem_must_be_taken(events: Events, n: int) -> None:
    events[n]["legal"].append("pass")


@plant("claim")
def choice_that_is_no_option(events: Events, n: int) -> None:
    events[n]["chosen"] = "only-black"


@plant("claim")
def claim_by_another_seat(events: Events, n: int) -> None:
    events[n]["seat"] = others(events, n, "seat")


@plant("bonus")
def bonus_without_pass(events: Events, n: int) -> None:
    events[n]["legal"].remove("pass")


@plant("gem")
def gem_of_another_value(events: Events, n: int) -> None:
    events[n]["value"] = 3 if events[n]["value"] == 1 else 1


@plant("gem")
def gem_from_another_square(events: Events, n: int) -> None:
    squares = ("round-1", "round-2")
    events[n]["square"] = next(s for s in squares if s != events[n]["square"])


@plant("gem")
def gem_to_another_seat(events: Events, n: int) -> None:
    events[n]["seat"] = others(events, n, "seat")


@plant("return")
def return_target_missing(events: Events, n: int) -> None:
    events[n]["legal"].remove(events[n]["chosen"])


@plant("return")
def return_to_a_square_with_a_gem(events: Events, n: int) -> None:
    full = {square["id"] for square in SQUARES} - set(events[n]["legal"])
    events[n]["legal"].append(min(full))


@plant("return", legal=["black"])
def return_elsewhere_while_black_is_vacant(events: Events, n: int) -> None:
    taken = (events[k]["square"] for k in where(events[:n], "gem"))
    events[n]["legal"].append(next(square for square in taken if square != "black"))


@plant("contracts")
def wrong_lives(events: Events, n: int) -> None:
    events[n]["lives"][0] += 1


@plant("contracts")
def wrong_loss(events: Events, n: int) -> None:
    events[n]["lost"][1] += 1


@plant("contracts")
def wrong_number_of_tricks(events: Events, n: int) -> None:
    events[n]["tricks"].reverse()
    events[n]["tricks"][0] += 1


@plant("week")
def wrong_points(events: Events, n: int) -> None:
    events[n]["points"][2] += 1


@plant("deal", week=2)
def wrong_dealer(events: Events, n: int) -> None:
    events[n]["dealer"] = others(events, n, "dealer")


@plant("dealer")
def dealer_without_a_seat(events: Events, n: int) -> None:
    events[n]["seat"] = events[0]["players"]


@plant("dealer")
def another_dealer(events: Events, n: int) -> int:
    events[n]["seat"] = others(events, n, "seat")
    return n + 1  # the deal tells the dealer


@plant("deal")
def hand_with_a_card_of_another(events: Events, n: int) -> None:
    hands = events[n]["hands"]
    hands[0][0] = next(card for card in hands[1] if card != "P")


@plant("deal")
def hand_with_too_many_priests(events: Events, n: int) -> None:
    events[n]["hands"][0][:6] = ["P"] * 6


@plant("deal")
def hand_with_a_devil(events: Events, n: int) -> None:
    events[n]["hands"][0][0] = "D1"


@plant("deal")
def hand_with_a_card_that_is_not_made(events: Events, n: int) -> None:
    events[n]["hands"][0][0] = "B14"


@plant("deal")
def hand_too_small(events: Events, n: int) -> None:
    events[n]["hands"][0].pop()


@plant("deal")
def hand_missing(events: Events, n: int) -> None:
    events[n]["hands"].pop()


@plant("contract", week=1)
def stake_of_the_last_life(events: Events, n: int) -> None:
    events[n]["chosen"] = {"1": 3}


@plant("contract", week=1)
def wrong_bound_of_the_stake(events: Events, n: int) -> None:
    events[n]["max_gems"] = 3


@plant("contract")
def stake_on_no_square(events: Events, n: int) -> None:
    events[n]["chosen"] = {"6": 1}


@plant("contract")
def stake_of_nothing(events: Events, n: int) -> None:
    events[n]["chosen"] = {"1": 0}


@plant("contract")
def stake_that_is_no_object(events: Events, n: int) -> None:
    events[n]["chosen"] = ["1"]


@plant("contract", week=1, chosen={"1": 1})
def stake_without_devil(events: Events, n: int) -> int:
    events[n]["chosen"] = {}
    drawn = where(events, "devil", week=1, seat=events[n]["seat"])
    return next(drawn)


@plant("devil")
def devil_that_is_not_made(events: Events, n: int) -> None:
    events[n]["card"] = "D14"


@plant("devil")
def devil_drawn_twice(events: Events, n: int) -> int:
    later = list(where(events, "devil", week=events[n]["week"]))[-1]
    events[later]["card"] = events[n]["card"]
    return later


@plant("devil")
def devil_for_another_seat(events: Events, n: int) -> None:
    events[n]["seat"] = others(events, n, "seat")


@plant("cancel")
def wrong_excess(events: Events, n: int) -> None:
    events[n]["excess"] += 1


@plant("cancel")
def too_little_cancelled(events: Events, n: int) -> None:
    events[n]["chosen"] = {}


@plant("cancel")
def more_cancelled_than_placed(events: Events, n: int) -> None:
    square = next(iter(events[n]["chosen"]))
    events[n]["chosen"][square] += 3


@plant("tie")
def tie_of_equal_cards(events: Events, n: int) -> None:
    events[n]["cards"] = dict.fromkeys(events[n]["cards"], 5)


@plant("tie")
def tie_with_a_seat_missing(events: Events, n: int) -> None:
    events[n]["cards"].popitem()


@plant("tie")
def tie_with_a_seat_too_many(events: Events, n: int) -> None:
    spare = next(str(s) for s in range(5) if str(s) not in events[n]["cards"])
    events[n]["cards"][spare] = 1


@plant("tie")
def tie_with_a_card_that_is_not_made(events: Events, n: int) -> None:
    events[n]["cards"][max(events[n]["cards"])] = 14


@plant("tie")
def tie_won_by_the_lower_card(events: Events, n: int) -> int:
    cards = events[n]["cards"]
    events[n]["cards"] = {seat: 14 - card for seat, card in cards.items()}
    return n + 1


@plant("tie")
def seats_that_are_numbers(events: Events, n: int) -> None:
    cards = events[n]["cards"]
    events[n]["cards"] = {int(seat): card for seat, card in cards.items()}


@plant("kunitame", type="result")
def wrong_reason(events: Events, n: int) -> None:
    events[n]["by"] = "lives" if events[n]["by"] == "points" else "points"


@plant("kunitame", type="result")
def nobody_wins(events: Events, n: int) -> None:
    events[n]["winner"] = None


@plant("kunitame", type="result")
def wrong_final_points(events: Events, n: int) -> None:
    events[n]["points"][0] += 1


@plant("kunitame", type="setup")
def too_few_players(events: Events, n: int) -> None:
    events[n]["players"] = 2


@plant("kunitame", type="setup")
def strategy_missing(events: Events, n: int) -> None:
    events[n]["lineup"].pop()


@pytest.mark.parametrize(("name", "fields", "spoil"), PLANTED)
def test_planted_foul(
    name: str, fields: dict[str, Any], spoil: Callable[[Events, int], int | None]
) -> None:
    planted = 0
    for game in games(name):
        places = where(game, name, **fields)
        if name == "devil":  # only weeks with more than one Devil
            weeks = [game[n]["week"] for n in where(game, name)]
            places = (n for n in places if weeks.count(game[n]["week"]) > 1)
        if (n := next(places, None)) is not None:
            if game[n].get("winner", 0) is None:
                continue
            events = copy.deepcopy(game)
            expected = spoil(events, n)
            fouls_at(events, n if expected is None else expected)
            planted += 1
    assert planted


def test_gem_from_nowhere() -> None:
    for game in games("gem"):
        n = next(where(game, "trick", round=2)) + 1
        extra = event("outcome", "gem", week=1, seat=0, square="white", value=1)
        fouls_at(numbered([*game[:n], extra, *game[n:]]), n)


def test_event_missing() -> None:
    for game in games("return", "devil", "tie", count=1):
        for n, told in enumerate(game):
            if told["name"] == "devil":  # a later one may stand for it, up to a point
                with pytest.raises(Foul):
                    check(numbered(game[:n] + game[n + 1 :]))
            else:
                fouls_at(numbered(game[:n] + game[n + 1 :]), n)


def test_event_told_twice() -> None:
    for game in games("return", "devil", "tie", count=1):
        for n in range(len(game)):
            fouls_at(numbered([*game[: n + 1], *game[n:]]), n + 1)


def test_wrong_number_and_wrong_game() -> None:
    game = games("gem")[0]
    for key, n in (("n", 5), ("game", 5), ("n", 0)):
        events = copy.deepcopy(game)
        events[n][key] += 1
        fouls_at(events, n, key)


def test_field_missing_or_extra() -> None:
    tied = games("tie", count=1)[0]
    for game, first in ((by_hand(), 0), (tied, len(tied) - 2)):
        for n, told in list(enumerate(game))[first:]:
            spoilt = [{k: v for k, v in told.items() if k != key} for key in told]
            added = [{**told, key: "x"} for key in ("comment", "type", "name")]
            for wrong in [*spoilt, *added]:
                fouls_at([*game[:n], wrong, *game[n + 1 :]], n)


def test_whole_numbers_only() -> None:
    """Nothing passes that only compares equal, as 1.0 does to 1."""
    game = by_hand()
    for n, told in enumerate(game):
        for key, value in told.items():
            if type(value) is int and key != "seed":
                wrong = {**told, key: float(value)}
                fouls_at([*game[:n], wrong, *game[n + 1 :]], n)

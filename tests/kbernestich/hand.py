"""A scalar table for Kbernestich, played by hand: discs in stacks, cubes on squares.

Made for trying the referee before and beside the engine, and apart from both: every
square of the sheet is a thing of its own that knows whose cubes lie on it, every disc
moves along the track. Choices are random, or what a `wish` says.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.games.telling import Events, Rules, event, numbered

Wish = Callable[[str, Mapping[str, Any], Sequence[str]], str | None]
"""Told the name of a choice, where it is and its options, says one or leaves it.

For `review` it is told the cards taken, and says the cards put back.
"""

SHEET: dict[int, Rules] = {
    3: {"start_scores": [0, 3, 6], "hannah": 1, "marie_to": [3, 2, 1, 1]},
    4: {"start_scores": [0, 2, 4, 6], "hannah": 2, "marie_to": [3, 2, 2, 1, 1, 1]},
}
REST: Rules = {
    "rounds": 4,
    "tricks": 11,
    "plot_before_tricks": 4,
    "cubes": 5,
    "cubes_per_turn": 2,
    "refill": [[0, 25, 5], [26, 40, 4], [41, 9999, 3]],
    "bust_default": 24,
    "hunch_points": 6,
    "misery_bonus_divisor": 2,
    "marie_from": [0, 1, 2, 3],
    "zabine": [20, 22, 26, 28],
    "hunch": ["0", "1", "2", "3", "4", "5+"],
    "actions": ["incubation", "observation", "review", "pessimism", "optimism"],
    "two_on_one_square": False,
    "hunch_exclusive": True,
    "incubation_lead": True,
    "observe_twice_same_trick": False,
    "low_tie": "top",
    "final_tie": "bottom",
    "score_order": "player",
    "plot_pass": True,
    "marie_to_shared": False,
    "memories": False,
    "future_known": False,
}
STRENGTH = "23456789abcI"
"""Ranks from the weakest; a, b and c stand for 10, 11 and 12."""


def in_force(players: int, rules: Rules) -> Rules:
    """Every rule value, as a transcript tells it."""
    return {**REST, **SHEET[players], **rules}


def pick(name: str, legal: str, chosen: str, **where: int) -> dict[str, Any]:
    return event("choice", name, **where, legal=legal.split(), chosen=chosen)


def strength(card: str) -> int:
    return STRENGTH.index({"10": "a", "11": "b", "12": "c"}.get(card[1:], card[1:]))


@dataclass
class Square:
    """A square of the plot sheet, with the seats whose cubes lie on it."""

    name: str
    cubes: list[int] = field(default_factory=list)
    area: str = "action"

    def __post_init__(self) -> None:
        area = self.name.partition("-")[0]
        if area in ("from", "bust", "grace", "hunch", "to"):
            self.area = area

    @property
    def value(self) -> int:
        return int(self.name.rpartition("-")[2])


class HandGame:
    """One game, told as it is played."""

    def __init__(
        self,
        seed: int,
        players: int,
        rules: Rules,
        wish: Wish | None = None,
        deals: Sequence[Sequence[str]] = (),
        start: int | None = None,
    ) -> None:
        self.dice = random.Random(seed)
        self.players, self.told = players, rules
        self.rules = in_force(players, rules)
        self.wish: Wish = wish or (lambda *_: None)
        self.deals = [[hand.split() for hand in hands] for hands in deals]
        self.start = self.dice.randrange(players) if start is None else start
        self.events: Events = []

    # Telling and asking.

    def tell(self, kind: str, name: str, **fields: Any) -> None:
        self.events.append(copy.deepcopy(event(kind, name, **fields)))

    def ask(self, name: str, options: Iterable[str], **where: int) -> str:
        legal = sorted(set(options))
        chosen = self.wish(name, where, legal) or self.dice.choice(legal)
        self.dice.shuffle(legal)
        self.tell("choice", name, **where, legal=legal, chosen=chosen)
        return chosen

    def turn(self, first: int) -> list[int]:
        return [*range(first, self.players), *range(first)]

    # The game.

    def play(self) -> Events:
        lineup = ["random"] * self.players
        told = {"players": self.players, "lineup": lineup, "rules": self.told}
        self.tell("setup", "kbernestich", **told, seed=1)
        self.tell("chance", "start", seat=self.start)
        self.track: dict[int, list[int]] = {}
        placed = zip(self.turn(self.start), self.rules["start_scores"], strict=True)
        for seat, score in placed:
            self.track.setdefault(score, []).append(seat)
        self.hold = [self.rules["cubes"]] * self.players
        for round_ in range(1, self.rules["rounds"] + 1):
            self.round = round_
            self.play_round()
        top = self.track[max(self.track)]
        winner: int | None = top[0]
        by = "stack" if len(top) > 1 else "points"
        if len(top) > 1 and self.rules["final_tie"] == "shared":
            winner, by = None, "points"
        scores = [self.score_of(seat) for seat in range(self.players)]
        self.tell("result", "kbernestich", winner=winner, by=by, scores=scores)
        return numbered(self.events)

    def play_round(self) -> None:
        leader = self.deal()
        colours = "BRYG"[: self.players]
        where = {"round": self.round, "seat": leader}
        self.trump = self.ask("trump", [*colours, "none"], **where)
        self.claims: dict[str, int] = {}
        self.lay_out(colours)
        if self.rules["future_known"]:
            for step in range(1, self.players + 1):
                self.claim((leader - step) % self.players, colours)
        self.piles: list[list[str]] = [[] for _ in range(self.players)]
        self.wins, self.looks = Counter[int](), Counter[int]()
        self.hidden: list[int] = []
        for trick in range(1, self.rules["tricks"] + 1):
            self.trick = trick
            if trick <= self.rules["plot_before_tricks"]:
                for seat in self.turn(leader):
                    self.plot(seat)
            leader = self.play_trick(leader)
        self.score()
        if self.round < self.rules["rounds"]:
            self.refill()

    def deal(self) -> int:
        colours, ranks = "BRYG"[: self.players], [*range(2, 13), "I"]
        self.centre = [f"{colour}{rank}" for colour in colours for rank in ranks]
        self.dice.shuffle(self.centre)
        if self.round <= len(self.deals):
            self.hands = copy.deepcopy(self.deals[self.round - 1])
        else:
            n = self.rules["tricks"]
            cut = range(0, n * self.players, n)
            self.hands = [self.centre[at : at + n] for at in cut]
        dealt = [card for hand in self.hands for card in hand]
        self.centre = [card for card in self.centre if card not in dealt]
        leader = self.start
        if self.round > 1:
            low = self.track[min(self.track)]
            ends = {"top": low[-1], "bottom": low[0]}
            leader = ends.get(self.rules["low_tie"], self.dice.choice(low))
        told = {"round": self.round, "start": leader, "hands": self.hands}
        self.tell("chance", "deal", **told)
        return leader

    def lay_out(self, colours: str) -> None:
        offers = self.rules["marie_from"]
        names = [f"from-{colour}-{value}" for colour in colours for value in offers]
        names += [f"bust-{value}" for value in self.rules["zabine"]]
        names += ["grace"] * self.rules["hannah"]
        names += [f"hunch-{bid}" for bid in self.rules["hunch"]]
        names += self.rules["actions"]
        names += [f"to-{value}" for value in self.rules["marie_to"]]
        self.sheet = [Square(name) for name in names]

    def claim(self, seat: int, colours: str) -> None:
        if self.hold[seat] == 0:
            return
        free = [colour for colour in colours if colour not in self.claims]
        where = {"round": self.round, "seat": seat}
        colour = self.ask("claim", [*free, "pass"], **where)
        if colour in colours:
            self.claims[colour] = seat
            self.hold[seat] -= 1

    # Plotting.

    def plot(self, seat: int) -> None:
        turn: list[Square] = []
        where = {"round": self.round, "trick": self.trick, "seat": seat}
        while len(turn) < self.rules["cubes_per_turn"]:
            able = [square for square in self.sheet if self.able(square, seat, turn)]
            names = [square.name for square in able]
            if not names:
                break
            spare = ["pass"] if self.rules["plot_pass"] else []
            name = self.ask("plot", names + spare, **where)
            if name == "pass":
                break
            alike = [square for square in able if square.name == name]
            square = min(alike, key=lambda square: len(square.cubes))
            square.cubes.append(seat)
            turn.append(square)
            if not self.claimed(square):
                self.hold[seat] -= 1
            if name == "review" and self.centre:
                self.review(seat, where)

    def claimed(self, square: Square) -> bool:
        return square.area == "from" and square.name.split("-")[1] in self.claims

    def able(self, square: Square, seat: int, turn: Sequence[Square]) -> bool:
        """Tell whether a seat may put a cube on a square now."""
        if self.claimed(square):
            return self.claims[square.name.split("-")[1]] == seat and self.bare(square)
        if self.hold[seat] == 0:
            return False
        return self.room(square, seat, turn)

    def bare(self, square: Square) -> bool:
        """Tell whether nobody has set the colour of a square."""
        colour = square.name[:7]
        return not any(s.cubes for s in self.sheet if s.name.startswith(colour))

    def room(self, square: Square, seat: int, turn: Sequence[Square]) -> bool:
        area = [other for other in self.sheet if other.area == square.area]
        cubes = [cube for other in area for cube in other.cubes]
        if square.area == "from":
            return self.bare(square)
        if square.area == "bust":
            return not cubes
        if square.area == "to":
            twice = self.rules["two_on_one_square"]
            doubled = twice and sum(other is square for other in turn) == 1
            return self.rules["marie_to_shared"] or doubled or not square.cubes
        if square.area == "hunch" and not self.rules["hunch_exclusive"]:
            return seat not in cubes
        return not square.cubes and seat not in cubes

    def review(self, seat: int, where: Mapping[str, int]) -> None:
        taken, hand = self.centre, self.hands[seat]
        hand += taken
        wish = self.wish("review", where, taken)
        self.centre = wish.split() if wish else self.dice.sample(hand, len(taken))
        for card in self.centre:
            hand.remove(card)
        told = {"taken": taken, "count": len(taken), "chosen": self.centre}
        self.tell("choice", "review", **where, **told)

    def lies_on(self, seat: int, name: str) -> bool:
        return any(s.name == name and seat in s.cubes for s in self.sheet)

    # Tricks.

    def play_trick(self, leader: int) -> int:
        where = {"round": self.round, "trick": self.trick}
        table: list[tuple[int, str]] = []
        queue, looked = self.turn(leader), list[int]()
        for seat in queue:  # grows at its end while players observe
            options = self.plays(seat, [card for _, card in table])
            if self.lies_on(seat, "observation") and self.looks[seat] < 2:
                twice = self.rules["observe_twice_same_trick"]
                options += ["observe"] * (twice or seat not in looked)
            card = self.ask("play", options, **where, seat=seat)
            if card == "observe":
                queue.append(seat)
                looked.append(seat)
                self.looks[seat] += 1
                continue
            table.append((seat, card))
            self.hands[seat].remove(card.removeprefix("down-"))
            self.hidden += [seat] * ("down" in card)
        suit = next(card[0] for _, card in table if "down" not in card)
        order = {suit: 20, self.trump: 40}  # a trump that is led counts as trump

        def power(played: tuple[int, str]) -> int:
            card = played[1]
            return -1 if "down" in card else order.get(card[0], 0) + strength(card)

        winner, card = max(table, key=power)
        self.tell("outcome", "trick", **where, winner=winner, card=card)
        self.wins[winner] += 1
        self.piles[winner] += [card.split("-")[-1] for _, card in table]
        return winner

    def plays(self, seat: int, table: Sequence[str]) -> list[str]:
        hand = self.hands[seat]
        face_up = [card for card in table if "down" not in card]
        follow = [card for card in hand if face_up and card[0] == face_up[0][0]]
        options = list(follow or hand)
        ready = self.lies_on(seat, "incubation") and seat not in self.hidden
        if ready and (table or self.rules["incubation_lead"]):
            options += ["down-" + card for card in hand]
        return options

    # Scoring.

    def score_of(self, seat: int) -> int:
        return next(score for score, discs in self.track.items() if seat in discs)

    def walk(self, seat: int, points: int) -> None:
        if points > 0:
            score = self.score_of(seat)
            self.track[score].remove(seat)
            if not self.track[score]:
                del self.track[score]
            self.track.setdefault(score + points, []).append(seat)

    def score(self) -> None:
        order = [s for score in sorted(self.track)[::-1] for s in self.track[score]]
        sums = {seat: self.sums(seat) for seat in order}
        if self.rules["score_order"] == "area":
            for at in range(3):
                for seat in order:
                    self.walk(seat, self.areas(sums[seat])[at])
        else:
            for seat in order:
                for points in self.areas(sums[seat]):
                    self.walk(seat, points)
        for seat in order:
            told = {"round": self.round, "seat": seat, **sums[seat]}
            self.tell("outcome", "score", **told, score=self.score_of(seat))

    def areas(self, sums: Mapping[str, int]) -> list[int]:
        return [sums["to"], sums["hunch"] + sums["misery"], sums["from"]]

    def sums(self, seat: int) -> dict[str, int]:
        bust, worth = self.rules["bust_default"], dict.fromkeys(self.claims, 1)
        to = hunch = misery = 0
        for square in self.sheet:
            to += square.area == "to" and square.value * square.cubes.count(seat)
            if square.area == "bust" and square.cubes:
                bust = square.value
            if square.area == "from" and square.cubes:
                worth[square.name.split("-")[1]] = square.value
        base = sum(worth.get(card[0], 0) for card in self.piles[seat])
        over = max(base - bust, 0)
        points = over if self.lies_on(seat, "grace") else 0 if over else base
        for square in self.sheet:
            if square.area == "hunch" and seat in square.cubes:
                hunch = self.rules["hunch_points"] * self.right(seat, square.name[6:])
                if square.name == "hunch-0" and self.wins[seat] == 0:
                    misery = bust // self.rules["misery_bonus_divisor"]
        told = {"to": to, "hunch": hunch, "misery": misery, "base": base}
        return {**told, "from": points}

    def right(self, seat: int, bid: str) -> bool:
        """Tell whether the bid is among those that come true with these tricks."""
        tricks = [self.wins[seat]]
        if self.lies_on(seat, "pessimism"):
            tricks.append(tricks[0] + 1)
        if self.lies_on(seat, "optimism"):
            tricks.append(tricks[0] - 1)
        low = int(bid.strip("+"))
        high = 99 if "+" in bid else low
        return any(low <= number <= high for number in tricks)

    def refill(self) -> None:
        for seat in range(self.players):
            score = self.score_of(seat)
            for low, high, cubes in self.rules["refill"]:
                if low <= score <= high:
                    self.hold[seat] += cubes
                    break
            self.hold[seat] = min(self.hold[seat], self.rules["cubes"])
        self.tell("outcome", "cubes", round=self.round, cubes=self.hold)


def follow(script: str) -> Wish:
    """Wish what a script says, choice by choice, then leave it; `|` is a pause.

    `rest` in place of a choice puts the cards back that Review took.
    """
    said = iter([word for word in script.split() if word != "|"])

    def wish(name: str, where: Mapping[str, Any], legal: Sequence[str]) -> str | None:
        word = next(said, None)
        if word == "rest" and name == "review":
            return " ".join(legal)
        assert word is None or word in legal, f"{name} {where}: {word} of {legal}"
        return word

    return wish


def hand_game(seed: int, players: int, rules: Rules, **more: Any) -> Events:
    """Play one game at random, or as wished."""
    return HandGame(seed, players, rules, **more).play()

"""A referee for Kbernestich: replay a transcript from the rules alone, call every foul.

Slow and plain on purpose, to be read beside the rulebook. "Rules 7.4" is a section of
the worked-out rules (`kbernestich.md`), B1 to B21 its ambiguities (7.8), "text" the
published rule text. Cards are strings (`B2`, `RI`), a card face down is `down-B2`, a
hand is a list. Nothing here knows how the simulator works.

What the rules leave open, or a transcript cannot show, is read so:

* `two_on_one_square` (B1) matters in Letter to Marie alone: each of the other areas
  has a limit of one cube of its own. A second cube of the same turn may then go onto
  the square of the first, not a third; each scores. Alike squares share an id, so a
  cube takes a free one while there is one, and doubles up only where none is left.
* `marie_to_shared` leaves every square of Letter to Marie open to all, always.
* `hunch_exclusive = false` (B2) lets several players bid the same, one bid each.
* `plot_pass = false` (B20): `pass` is never an option; a player goes on placing while
  there is a square for him.
* `incubation_lead = false` (B4): whoever plays to an empty table, also in place of a
  leader who observes, has no face-down options. A table where all cards lie face down
  (a sheet with that many incubation squares) has no winner: a foul.
* Observers play after all others, in the order in which they observed; with
  `observe_twice_same_trick` (B5) a second time puts the player at the end again.
* Review with no card left over has no effect: no event. `taken` has no order.
* Discs arrive at the setup clockwise from the start player, should `start_scores` be
  equal. Ranks are taken before anybody scores, for each area too; with `score_order =
  "area"` (B11) a disc arrives with the last area that pays, the misery bonus being
  part of Hunch of Growth. The events are the same but for what stacks decide.
* `low_tie = "random"` (B8): any of those that tie may start.
* `final_tie = "shared"` (B9): where the highest scores tie, `winner` is null, `by` is
  `points`; `stack` is for where the bottom of the stack wins.
* A bid of `0+` is not the bid `0`: it earns no misery bonus.
* A score in no row of `refill` earns no cubes, one in several what the first says.
* The number of rounds and the sheet may be anything (B17 names 4, 6 and 8 rounds).
* `future_known`: after `trump` a choice `claim` (`round`, `seat`, `legal`, `chosen`)
  for each player with a cube in hand, counterclockwise from the start player's right
  neighbour, the start player last: a colour that nobody has claimed, or `pass`. The
  cube leaves the hand. Only its owner sets that colour: he moves the cube, which
  counts as one of his placements but costs none, and is asked for that even where he
  has no cube left. A claimed colour still unset after the last plot phase is worth 1,
  on the sheet or not ("the cube is moved": there has to be one); a colour that nobody
  claimed and nobody set is worth 0 as ever. `pass` is there whatever `plot_pass` says.
* `memories` changes nothing that is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.games.referee import Referee

COLOURS = {3: "BRY", 4: "BRYG"}
"""Three players use no green (rules 7.1, B12)."""

RANKS = [*(str(number) for number in range(2, 13)), "I"]
"""The icon is the highest (rules 7.1)."""

ACTIONS = ["incubation", "observation", "review", "pessimism", "optimism"]

OPTIONS: dict[str, tuple[object, ...]] = {
    "two_on_one_square": (False, True),
    "hunch_exclusive": (True, False),
    "incubation_lead": (True, False),
    "observe_twice_same_trick": (False, True),
    "low_tie": ("top", "bottom", "random"),
    "final_tie": ("bottom", "shared"),
    "score_order": ("player", "area"),
    "plot_pass": (True, False),
    "marie_to_shared": (False, True),
    "memories": (False, True),
    "future_known": (False, True),
}
"""Rule options (rules 7.8 to 7.10) with the values they can take, the default first."""

VALUES: dict[str, Any] = {
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
    "actions": ACTIONS,
}
PER_PLAYERS: dict[int, dict[str, Any]] = {
    3: {"start_scores": [0, 3, 6], "hannah": 1, "marie_to": [3, 2, 1, 1]},
    4: {"start_scores": [0, 2, 4, 6], "hannah": 2, "marie_to": [3, 2, 2, 1, 1, 1]},
}
"""What a rule value is where `setup.rules` does not tell it (rules 7.2)."""

POSITIVE = ("rounds", "tricks", "misery_bonus_divisor")


# Cards and tricks (rules 7.4, 3.2).


def deck(players: int) -> list[str]:
    """All cards in use (rules 7.1)."""
    return [colour + rank for colour in COLOURS[players] for rank in RANKS]


def is_down(card: str) -> bool:
    """Tell whether a card was played face down (rules 7.5)."""
    return card.startswith("down-")


def rank_of(card: str) -> int:
    """Place of a card in its colour: icon > 12 > ... > 2."""
    return RANKS.index(card[1:])


def lead_suit(table: Sequence[str]) -> str | None:
    """Colour of the first card that lies face up (B4)."""
    return next((card[0] for card in table if not is_down(card)), None)


def legal_plays(hand: Sequence[str], table: Sequence[str]) -> set[str]:
    """Cards that may be played face up: must follow if possible, else any."""
    lead = lead_suit(table)
    return {card for card in hand if card[0] == lead} or set(hand)


def trick_winner(table: Sequence[str], trump: str) -> int | None:
    """Position of the card that wins: highest trump, else highest of the lead suit."""
    able = [place for place, card in enumerate(table) if not is_down(card)]
    trumps = [place for place in able if table[place][0] == trump]
    follows = [place for place in able if table[place][0] == lead_suit(table)]
    places = trumps or follows
    return max(places, key=lambda place: rank_of(table[place]), default=None)


# Scoring (rules 7.6).


def hunch_made(bid: str, tricks: int, action: str | None) -> bool:
    """Tell whether a bid succeeds, be it by Pessimism or Optimism (7.5, B21)."""
    number = int(bid.rstrip("+"))
    if bid.endswith("+"):
        return tricks >= number - (1 if action == "pessimism" else 0)
    near = {"pessimism": number - 1, "optimism": number + 1}
    return tricks in (number, near.get(action or "", number))


def letter_points(base: int, bust: int, *, grace: bool) -> int:
    """Points out of the base score; exactly the bust value scores fully (B3, B14)."""
    if grace:
        return max(base - bust, 0)
    return base if base <= bust else 0


def tally(
    rules: Mapping[str, Any],
    *,
    to: Sequence[int],
    bid: str | None,
    action: str | None,
    tricks: int,
    cards: Mapping[str, int],
    values: Mapping[str, int],
    bust: int,
    grace: bool,
) -> dict[str, int]:
    """Points of one player in one round, area by area, as `score` tells them."""
    made = bid is not None and hunch_made(bid, tricks, action)
    misery = bid == "0" and tricks == 0
    base = sum(count * values.get(colour, 0) for colour, count in cards.items())
    return {
        "to": sum(to),
        "hunch": rules["hunch_points"] if made else 0,
        "misery": bust // rules["misery_bonus_divisor"] if misery else 0,
        "base": base,
        "from": letter_points(base, bust, grace=grace),
    }


def refilled(kept: int, score: int, rules: Mapping[str, Any]) -> int:
    """Cubes of a player after a round (rules 7.4, 5; B16)."""
    rows = [cubes for low, high, cubes in rules["refill"] if low <= score <= high]
    return int(min(rules["cubes"], kept + next(iter(rows), 0)))


class Track:
    """The score track: where each disc is, and in which order the discs arrived."""

    def __init__(self, scores: Sequence[int], arrived: Iterable[int]) -> None:
        self.scores = list(scores)
        self.arrived = list(arrived)

    def move(self, seat: int, points: int) -> None:
        """Move a disc; it goes on top of any stack. Without points it stays."""
        if points:
            self.scores[seat] += points
            self.arrived.remove(seat)
            self.arrived.append(seat)

    def ranking(self) -> list[int]:
        """Seats from the highest score, of equals the bottom of the stack first."""
        return sorted(self.arrived, key=lambda seat: -self.scores[seat])

    def tied(self, score: int) -> list[int]:
        """Seats with this score, from the bottom of the stack."""
        return [seat for seat in self.arrived if self.scores[seat] == score]

    def starters(self, low_tie: str) -> list[int]:
        """Seats that may start the next round: the lowest score (B8)."""
        lowest = self.tied(min(self.scores))
        return {"top": lowest[-1:], "bottom": lowest[:1]}.get(low_tie, lowest)

    def score_all(
        self, points: Mapping[int, Mapping[str, int]], score_order: str
    ) -> None:
        """Move all discs for a round, player by player or area by area (B11)."""
        areas = (("to",), ("hunch", "misery"), ("from",))
        moves = [(seat, area) for seat in self.ranking() for area in areas]
        if score_order == "area":
            moves.sort(key=lambda move: areas.index(move[1]))
        for seat, area in moves:
            self.move(seat, sum(points[seat][name] for name in area))


class _Game(Referee):
    """One game as the transcript tells it so far, one method per paragraph."""

    game_id = "kbernestich"
    numbers_of_players = (3, 4)

    def replay(self) -> None:
        """Follow the course of a game (rules 7.4)."""
        self.set_up()
        for round_ in range(1, self.rules["rounds"] + 1):
            self.play_round(round_)
        self.place = ""
        self.end()
        self.finish()

    def play_round(self, round_: int) -> None:
        """Follow the course of a round (rules 7.4)."""
        self.round = round_
        self.place = f"round {round_}: "
        self.deal()
        self.choose_trump()
        self.claims: dict[str, int] = {}
        if self.rules["future_known"]:
            self.claim()
        for trick in range(1, self.rules["tricks"] + 1):
            self.where = {"round": round_, "trick": trick}
            self.place = f"round {round_}, trick {trick}: "
            if trick <= self.rules["plot_before_tricks"]:
                for seat in self.clockwise(self.leader):
                    self.plot(seat)
            self.trick()
        self.score()
        self.place = f"round {round_}: "
        if round_ < self.rules["rounds"]:
            self.hand_out_cubes()

    # Setup (rules 7.3).

    def set_up(self) -> None:
        self.read_rules(self.take_setup())
        seat = self.take_seat("start")
        order = self.clockwise(seat)
        scores = dict(zip(order, self.rules["start_scores"], strict=True))
        self.track = Track([scores[seat] for seat in range(self.players)], order)
        self.cubes: list[int] = [self.rules["cubes"]] * self.players
        self.starters = [seat]

    def read_rules(self, rules: Mapping[str, Any]) -> None:
        """Rule values in force: plain values, no table by number of players."""
        plain = VALUES | PER_PLAYERS[self.players]
        readings = {key: values[0] for key, values in OPTIONS.items()}
        self.rules = {**plain, **readings, **rules}
        self.check_options(OPTIONS)
        self.check_kinds(plain)
        self.check_rules()

    def check_rules(self) -> None:
        """Demand numbers and texts with which a game can be played."""
        for key in POSITIVE:
            if self.rules[key] < 1:
                self.foul(f"setup.rules.{key} {self.rules[key]} is not from 1")
        if len(self.rules["start_scores"]) != self.players:
            self.foul("setup.rules.start_scores is not one number per seat")
        if any(len(row) != 3 for row in self.rules["refill"]):
            self.foul("setup.rules.refill: a row is score from, score to, cubes")
        if wrong := [bid for bid in self.rules["hunch"] if not _BID.fullmatch(bid)]:
            self.foul(f"setup.rules.hunch: {wrong} are no bids")
        if wrong := sorted(set(self.rules["actions"]) - set(ACTIONS)):
            self.foul(f"setup.rules.actions: {wrong} are no actions")
        if self.rules["tricks"] * self.players > len(deck(self.players)):
            self.foul("setup.rules.tricks: the deck has not that many cards")

    # The start of a round (rules 7.4, 1 and 2).

    def deal(self) -> None:
        """Deal a card per trick to each; the lowest score starts; the sheet is bare."""
        event = self.take("chance", "deal", {"round": self.round}, "start", "hands")
        if repr(event["start"]) not in map(repr, self.starters):
            ruled = " or ".join(map(str, self.starters))
            self.foul(f"deal.start: {event['start']!r} is written, not {ruled}")
        self.start = self.leader = event["start"]
        cards = deck(self.players)
        self.deal_out(event["hands"], Counter(cards), self.rules["tricks"])
        self.rest = [card for card in cards if not any(card in h for h in self.hands)]
        self.won: list[list[str]] = [[] for _ in range(self.players)]
        self.tricks = [0] * self.players
        self.incubated: set[int] = set()
        self.observations = Counter[int]()
        self.values: dict[str, int] = {}
        self.bust: int | None = None
        self.graces: set[int] = set()
        self.bids: dict[int, str] = {}
        self.actions: dict[int, str] = {}
        self.letters: list[list[int]] = [[] for _ in range(self.players)]
        self.letters_free = Counter[int](self.rules["marie_to"])

    def choose_trump(self) -> None:
        """The start player decides the trump, or none (B12)."""
        self.where = {"round": self.round}
        options = [*COLOURS[self.players], "none"]
        self.trump = self.choose("trump", self.start, options)

    def claim(self) -> None:
        """Claim the right to set a colour, counterclockwise (rules 7.10)."""
        for seat in reversed(self.clockwise(self.start)):
            if self.cubes[seat]:
                open_ = set(COLOURS[self.players]) - set(self.claims)
                colour = self.choose("claim", seat, open_ | {"pass"})
                if colour != "pass":
                    self.claims[colour] = seat
                    self.cubes[seat] -= 1

    # The plot phase (rules 7.4, 3.1).

    def plot(self, seat: int) -> None:
        """Place up to two cubes, one by one (B1, B20)."""
        self.letters_turn, self.squares_turn = Counter[int](), Counter[int]()
        for _ in range(self.rules["cubes_per_turn"]):
            options = self.settable(seat)
            if self.cubes[seat]:
                options |= self.free(seat)
            if not options:
                return
            may_pass = {"pass"} if self.rules["plot_pass"] else set()
            square = self.choose("plot", seat, options | may_pass)
            if square == "pass":
                return
            self.place_cube(seat, square)
            if square == "review" and self.rest:
                self.review(seat)

    def settable(self, seat: int) -> set[str]:
        """Squares for the cube with which a colour was claimed (rules 7.10).

        "If the color is not decided by the beginning of the fourth trick" it is worth
        1: the plot phase before that trick is the last one to set it.
        """
        if self.where["trick"] > 4:
            return set()
        claimed = {colour for colour, owner in self.claims.items() if owner == seat}
        return self.letter_squares(claimed)

    def letter_squares(self, colours: Iterable[str]) -> set[str]:
        """Letter from Marie: one cube a colour, whoever places it fixes the value."""
        bare = [colour for colour in colours if colour not in self.values]
        offers = self.rules["marie_from"]
        return {f"from-{colour}-{value}" for colour in bare for value in offers}

    def free(self, seat: int) -> set[str]:
        """Squares for a cube out of the hand (rules 7.4, placement limits)."""
        options = self.letter_squares(set(COLOURS[self.players]) - set(self.claims))
        if self.bust is None:
            options |= {f"bust-{value}" for value in self.rules["zabine"]}
        if seat not in self.graces and len(self.graces) < self.rules["hannah"]:
            options.add("grace")
        if seat not in self.bids:
            bids = Counter(self.rules["hunch"])
            if self.rules["hunch_exclusive"]:
                bids -= Counter(self.bids.values())
            options |= {f"hunch-{bid}" for bid in bids}
        if seat not in self.actions:
            options |= {*(Counter(self.rules["actions"]) - self.taken_actions())}
        letters = filter(self.letter_open, self.rules["marie_to"])
        return options | {f"to-{value}" for value in letters}

    def taken_actions(self) -> Counter[str]:
        return Counter(self.actions.values())

    def letter_open(self, value: int) -> bool:
        """Tell whether Letter to Marie can take a cube of this turn there (B1)."""
        if self.rules["marie_to_shared"] or self.letters_free[value]:
            return True
        doubled = 2 * self.squares_turn[value]
        return self.rules["two_on_one_square"] and self.letters_turn[value] < doubled

    def place_cube(self, seat: int, square: str) -> None:
        """Put a cube on a square; a cube that claimed a colour moves there."""
        area, *named = square.split("-")
        if area != "from" or named[0] not in self.claims:
            self.cubes[seat] -= 1
        if area == "from":
            self.values[named[0]] = int(named[1])
        elif area == "bust":
            self.bust = int(named[0])
        elif area == "grace":
            self.graces.add(seat)
        elif area == "hunch":
            self.bids[seat] = named[0]
        elif area == "to":
            self.place_letter(seat, int(named[0]))
        else:
            self.actions[seat] = square

    def place_letter(self, seat: int, value: int) -> None:
        """Put a cube on a free square while there is one (B1)."""
        self.letters[seat].append(value)
        self.letters_turn[value] += 1
        if self.letters_free[value]:
            self.letters_free[value] -= 1
            self.squares_turn[value] += 1

    def review(self, seat: int) -> None:
        """Take the cards not dealt, put as many back (rules 7.5)."""
        told = {**self.where, "seat": seat, "count": len(self.rest)}
        event = self.take("choice", "review", told, "taken", "chosen")
        taken = self.strings("review.taken", event["taken"])
        self.same("review.taken", sorted(taken), sorted(self.rest))
        back = self.strings("review.chosen", event["chosen"])
        self.same("review: cards put back", len(back), len(self.rest))
        hand = Counter(self.hands[seat] + self.rest)
        if surplus := sorted(Counter(back) - hand):
            self.foul(f"seat {seat}: review.chosen: {surplus} not in hand")
        self.hands[seat], self.rest = list((hand - Counter(back)).elements()), back

    # The trick (rules 7.4, 3.2).

    def trick(self) -> None:
        """Everybody plays a card, observers last; the winner leads (B6, B7)."""
        waiting, seats, table = self.clockwise(self.leader), list[int](), list[str]()
        observers: set[int] = set()
        while waiting:
            seat = waiting.pop(0)
            options = legal_plays(self.hands[seat], table) | self.face_down(seat, table)
            if self.may_observe(seat, observers):
                options.add("observe")
            card = self.choose("play", seat, options)
            if card == "observe":
                self.observations[seat] += 1
                observers.add(seat)
                waiting.append(seat)
                continue
            if is_down(card):
                self.incubated.add(seat)
            self.hands[seat].remove(card.removeprefix("down-"))
            seats.append(seat)
            table.append(card)
        place = trick_winner(table, self.trump)
        if place is None:
            self.foul("all cards lie face down: the rules name no winner")
        self.leader = seats[place]
        told = {**self.where, "winner": self.leader, "card": table[place]}
        self.take("outcome", "trick", told)
        self.tricks[self.leader] += 1
        self.won[self.leader] += [card.removeprefix("down-") for card in table]

    def face_down(self, seat: int, table: Sequence[str]) -> set[str]:
        """Incubation: once, any card, ignoring must-follow (rules 7.5, B4, B18)."""
        if self.actions.get(seat) != "incubation" or seat in self.incubated:
            return set()
        if not table and not self.rules["incubation_lead"]:
            return set()
        return {f"down-{card}" for card in self.hands[seat]}

    def may_observe(self, seat: int, observers: set[int]) -> bool:
        """Observation: twice a round, once a trick (rules 7.5, B5, B6)."""
        again = self.rules["observe_twice_same_trick"] or seat not in observers
        owner = self.actions.get(seat) == "observation"
        return owner and again and self.observations[seat] < 2

    # The end of a round (rules 7.4, 4 and 5).

    def score(self) -> None:
        """Letter to Marie, Hunch of Growth, Letter from Marie (rules 7.6, B11)."""
        values = {**dict.fromkeys(self.claims, 1), **self.values}
        bust = self.rules["bust_default"] if self.bust is None else self.bust
        points = {
            seat: tally(
                self.rules,
                to=self.letters[seat],
                bid=self.bids.get(seat),
                action=self.actions.get(seat),
                tricks=self.tricks[seat],
                cards=Counter(card[0] for card in self.won[seat]),
                values=values,
                bust=bust,
                grace=seat in self.graces,
            )
            for seat in range(self.players)
        }
        order = self.track.ranking()
        self.track.score_all(points, self.rules["score_order"])
        for seat in order:
            self.place = f"round {self.round}, scoring of seat {seat}: "
            told = {"round": self.round, "seat": seat, **points[seat]}
            score = self.track.scores[seat]
            self.take("outcome", "score", {**told, "score": score})
        self.starters = self.track.starters(self.rules["low_tie"])

    def hand_out_cubes(self) -> None:
        """Cubes on the sheet return; each gets some back by his new score (B16)."""
        scores = self.track.scores
        kept = zip(self.cubes, scores, strict=True)
        self.cubes = [refilled(cubes, score, self.rules) for cubes, score in kept]
        told = {"round": self.round, "cubes": self.cubes}
        self.take("outcome", "cubes", told)

    # The end (rules 7.4, 6).

    def end(self) -> None:
        """Highest score wins, of equals the bottom of the stack (B9)."""
        best = self.track.tied(max(self.track.scores))
        winner: int | None = best[0]
        by = "points" if len(best) == 1 else "stack"
        if len(best) > 1 and self.rules["final_tie"] == "shared":
            winner, by = None, "points"
        told = {"winner": winner, "by": by, "scores": self.track.scores}
        self.take("result", "kbernestich", told)


_BID = re.compile(r"[0-9]+\+?")


check, check_stream = _Game.check, _Game.check_stream

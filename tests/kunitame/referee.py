"""A referee for Kunitame: replay a transcript from the rules alone, call every foul.

Slow and plain on purpose, to be read beside the rulebook. "Rules 1.3.4" is a section
of the worked-out rules (`kunitame.md`), "text 4 D" a phase of the published rule text.
Cards are strings (`B13`, `D1`, `P`), a hand is a list, the board tells the gem on each
square (0 = vacant). Nothing here knows how the simulator works.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from tests.games.referee import Referee

Square = Mapping[str, Any]
Trick = tuple[str, int]
"""A trick as its winner remembers it: the winning card and the round."""

SUITS = ("blue", "red", "yellow")
COLOURS = (*SUITS, "black", "white")
RANKS = ("fewest", "second-fewest", "second-most", "most")


def _pledge(
    pledge: str, when: str, gem: int, test: str, squares: Mapping[str, object]
) -> list[Square]:
    common = {"pledge": pledge, "when": when, "gem": gem}
    return [
        {"id": name, **common, test: value, "return_first": value == "black"}
        for name, value in squares.items()
    ]


SQUARES: list[Square] = [
    *_pledge("P1", "trick", 1, "num", {"card-1-5": [1, 5], "card-6-8": [6, 8]}),
    *_pledge("P1", "trick", 1, "num", {"card-11": [11, 11], "card-12": [12, 12]}),
    *_pledge("P2", "trick", 1, "round", {"round-1": [1, 1], "round-2": [2, 2]}),
    *_pledge("P2", "trick", 1, "round", {"round-3-4": [3, 4], "round-5-6": [5, 6]}),
    *_pledge("P2", "trick", 1, "round", {"round-7": [7, 7]}),
    *_pledge("P3", "trick", 1, "suit", {suit: suit for suit in COLOURS}),
    *_pledge("P4", "all", 3, "num", {"only-1-10": [1, 10], "only-11-13": [11, 13]}),
    *_pledge("P5", "all", 3, "parity", {"only-even": "even", "only-odd": "odd"}),
    *_pledge("P6", "all", 3, "suit", {f"only-{suit}": suit for suit in COLOURS}),
    *_pledge("P7", "rank", 3, "suit", dict.fromkeys(RANKS)),
]
"""The Government Pledges (rules 1.1): id, pledge, when it is won, gem, condition."""

OPTIONS: dict[str, tuple[object, ...]] = {
    "no_tricks_squares": ("inert", "return_target", "claimable_at_liquidation"),
    "zero_trick_liquidation": ("return", "exempt", "vacuous_true"),
    "return_trigger": ("player", "board_empty"),
    "liquidation_take": ("may", "must"),
    "trick_take": ("must", "may"),
    "refill_weekly": (False, True),
    "p7_rank": ("distinct", "players"),
    "return_choice": ("player", "black-first"),
    "all_eliminated": ("nobody", "points"),
}
"""Rule options (rules 1.7) with the values that they can take, the default first."""

DEFAULTS: dict[str, Any] = {
    "weeks": 4,
    "hand": 7,
    "rounds": 7,
    "life": 3,
    "suits": SUITS,
    "ranks": 13,
    "devil_ranks": 13,
    "priests_per_player": 1,
    "squares": SQUARES,
    "removed_pledge": "P7",
    "contract_squares": [1, 2, 3, 4, 5],
    "contract_limit": 12,
    **{key: values[0] for key, values in OPTIONS.items()},
}
"""What a rule value is where `setup.rules` does not tell it."""


def suit_of(card: str, suits: Sequence[str] = SUITS) -> str:
    """Suit of a card: Priests are white, Devils black (rules 1.1)."""
    if card == "P":
        return "white"
    if card.startswith("D"):
        return "black"
    return next(suit for suit in suits if suit[0].upper() == card[0])


def number_of(card: str) -> int:
    """Return the number of a card; a Priest counts 0 (rules 1.1)."""
    return int(card[1:] or 0)


def lead_suit(table: Sequence[str], suits: Sequence[str] = SUITS) -> str | None:
    """Suit of the first card that is no Priest and no Devil (rules 1.3, 4.2)."""
    played = (suit_of(card, suits) for card in table)
    return next((suit for suit in played if suit not in ("white", "black")), None)


def legal_plays(
    hand: Sequence[str], table: Sequence[str], suits: Sequence[str] = SUITS
) -> set[str]:
    """Must follow; Priests and Devils can be played any time (rules 1.3, 4.3)."""
    lead = lead_suit(table, suits)
    if lead is None or all(suit_of(card, suits) != lead for card in hand):
        return set(hand)
    return {card for card in hand if suit_of(card, suits) in (lead, "white", "black")}


def trick_winner(table: Sequence[str], suits: Sequence[str] = SUITS) -> int:
    """Position of the card that wins, in playing order (rules 1.3, 4.4).

    Black > lead suit > other suits > white, but white wins if any black was played;
    the higher number is stronger, of equal cards the first.
    """
    played = [suit_of(card, suits) for card in table]
    if "white" in played and "black" in played:
        return played.index("white")
    best = "black" if "black" in played else lead_suit(table, suits) or "white"
    able = [place for place, suit in enumerate(played) if suit == best]
    return max(able, key=lambda place: (number_of(table[place]), -place))


def meets(square: Square, trick: Trick, suits: Sequence[str] = SUITS) -> bool:
    """Tell whether one trick meets every condition of a square (rules 1.1)."""
    card, round_ = trick
    number = number_of(card)
    for value, span in ((number, square.get("num")), (round_, square.get("round"))):
        if span is not None and not span[0] <= value <= span[1]:
            return False
    if square.get("suit") not in (None, suit_of(card, suits)):
        return False
    parity = "none" if number == 0 else "odd" if number % 2 else "even"
    return square.get("parity") in (None, parity)


def rank_squares(tricks: Sequence[int], seat: int, p7_rank: str) -> set[str]:
    """Squares of pledge P7 that a seat's number of tricks qualifies for (K8)."""
    counts = set(tricks) if p7_rank == "distinct" else tricks
    ranking = sorted((count for count in counts if count > 0), reverse=True)
    places = {"most": ranking[:1], "fewest": ranking[-1:]}
    if len(ranking) > 1:
        places |= {"second-most": ranking[1:2], "second-fewest": ranking[-2:-1]}
    return {square for square, count in places.items() if tricks[seat] in count}


class _Game(Referee):
    """One game as the transcript tells it so far, one method per paragraph."""

    game_id = "kunitame"
    numbers_of_players = (3, 4, 5)

    def replay(self) -> None:
        """Follow the course of a game (rules 1.3)."""
        self.set_up()
        for week in range(1, self.rules["weeks"] + 1):
            self.play_week(week)
        self.end()
        self.finish()

    def play_week(self, week: int) -> None:
        """Follow the course of a week (text "Election Week Outline")."""
        self.week, self.where = week, {"week": week}
        self.refill()
        self.deal()
        self.contracts()
        self.devil_draw()
        for round_ in range(1, self.rules["rounds"] + 1):
            self.trick(round_)
        self.liquidation_a()
        self.liquidation_b()
        told = {"week": week, "points": self.points(), "lives": self.lives}
        self.take("outcome", "week", told)

    def counts(self, what: str, value: object, keys: Iterable[str]) -> dict[str, int]:
        """Demand an object from some of the keys to whole numbers from 1."""
        known = set(keys)
        if not isinstance(value, Mapping) or not set(value) <= known:
            self.foul(f"{what} {value!r} is not an object with keys of {sorted(known)}")
        if any(type(count) is not int or count < 1 for count in value.values()):
            self.foul(f"{what} {value!r} must tell a whole number from 1 for each")
        return dict(value)

    def points(self) -> list[int]:
        """Score = sum of the gem values held (rules 1.6)."""
        return [sum(gems) for gems in self.gems]

    # Setup (rules 1.2).

    def set_up(self) -> None:
        self.read_rules(self.take_setup())
        self.lives: list[int] = [self.rules["life"]] * self.players
        self.gems: list[list[int]] = [[] for _ in range(self.players)]
        self.first_dealer = self.take_seat("dealer")

    def read_rules(self, rules: Mapping[str, Any]) -> None:
        """Rule values in force; the board without the removed pledge (K1, K2)."""
        self.rules = {**DEFAULTS, **rules}
        self.check_options(OPTIONS)
        if self.rules["rounds"] > self.rules["hand"]:
            self.foul("setup.rules: more rounds than cards in hand")
        self.suits: Sequence[str] = self.rules["suits"]
        self.contract_squares: list[int] = list(self.rules["contract_squares"])
        self.returns = self.per_contract_square("contract_returns", 1)
        self.payments = self.per_contract_square("contract_points", 0)
        removed = self.rules["removed_pledge"]
        used = [s for s in self.rules["squares"] if s["pledge"] != removed]
        if self.rules["no_tricks_squares"] != "inert":
            pledges = dict.fromkeys(square["pledge"] for square in used)
            for pledge in pledges:
                square = {f"no-tricks-{pledge}": None}
                used += _pledge(pledge, "no-tricks", 0, "suit", square)
        self.squares: dict[str, Square] = {square["id"]: square for square in used}
        self.board: dict[str, int] = dict.fromkeys(self.squares, 0)

    def per_contract_square(self, key: str, default: int) -> dict[int, int]:
        squares = self.contract_squares
        values = self.rules.get(key, [default] * len(squares))
        if len(values) != len(squares):
            self.foul(f"setup.rules.{key} is not one number per contract square")
        return dict(zip(squares, values, strict=True))

    # The week (rules 1.3, phases 1 to 3).

    def refill(self) -> None:
        """Gems on the squares in week 1, later only by option K7 (text setup 2, 3)."""
        for name, square in self.squares.items():
            if self.week == 1 or self.rules["refill_weekly"]:
                self.board[name] = self.board[name] or square["gem"]

    def deal(self) -> None:
        """Deal Ability cards and Priests; the dealer moves clockwise (text 1, 6)."""
        self.dealer = (self.first_dealer + self.week - 1) % self.players
        told = {"week": self.week, "dealer": self.dealer}
        hands = self.take("chance", "deal", told, "hands")["hands"]
        letters, ranks = [s[0].upper() for s in self.suits], self.rules["ranks"]
        deck = Counter(f"{s}{rank + 1}" for s in letters for rank in range(ranks))
        deck["P"] = self.rules["priests_per_player"] * self.players
        self.deal_out(hands, deck, self.rules["hand"])
        self.won: list[list[Trick]] = [[] for _ in range(self.players)]

    def contracts(self) -> None:
        """Stake Life gems, before the last week never the last one (text 2)."""
        keep = 0 if self.week == self.rules["weeks"] else 1
        self.stakes: list[Counter[int]] = []
        for seat in range(self.players):
            most = min(self.rules["contract_limit"], self.lives[seat] - keep)
            told = {"week": self.week, "seat": seat, "max_gems": most}
            event = self.take("choice", "contract", told, "chosen")
            names = [str(square) for square in self.contract_squares]
            chosen = self.counts("contract.chosen", event["chosen"], names)
            if sum(chosen.values()) > most:
                self.foul(f"contract.chosen {chosen} is more than {most} gems")
            self.stakes.append(Counter({int(key): v for key, v in chosen.items()}))

    def devil_draw(self) -> None:
        """From the dealer clockwise, a card a visit, while cards are owed (text 3)."""
        owed = [stake.total() for stake in self.stakes]
        deck = [f"D{rank}" for rank in range(1, self.rules["devil_ranks"] + 1)]
        order = self.clockwise(self.dealer)
        while deck and any(owed):
            for seat in order:
                if deck and owed[seat]:
                    told = {"week": self.week, "seat": seat}
                    card = self.take("chance", "devil", told, "card")["card"]
                    if card not in deck:
                        self.foul(f"devil.card {card!r} is not in the Devil deck")
                    deck.remove(card)
                    self.hands[seat].append(card)
                    owed[seat] -= 1
        for seat in order:
            if owed[seat]:
                self.cancel(seat, owed[seat])

    def cancel(self, seat: int, excess: int) -> None:
        """Take back the contracts that the Devil deck cannot serve (text 3; K14)."""
        told = {"week": self.week, "seat": seat, "excess": excess}
        event = self.take("choice", "cancel", told, "chosen")
        stake = self.stakes[seat]
        names = [str(square) for square in stake]
        back = self.counts("cancel.chosen", event["chosen"], names)
        self.same("cancel: gems taken back", sum(back.values()), excess)
        stake.subtract({int(key): value for key, value in back.items()})
        if min(stake.values()) < 0:
            self.foul(f"cancel.chosen {back} takes back more than was placed")

    # The campaign (rules 1.3, phase 4).

    def trick(self, round_: int) -> None:
        """Everybody plays a card, the winner leads the next trick (text 4 A-C, E)."""
        if round_ == 1:
            self.leader = self.dealer
        order, table = self.clockwise(self.leader), list[str]()
        self.where = {"week": self.week, "round": round_}
        for seat in order:
            options = legal_plays(self.hands[seat], table, self.suits)
            card = self.choose("play", seat, options)
            self.hands[seat].remove(card)
            table.append(card)
        place = trick_winner(table, self.suits)
        self.leader = order[place]
        told = {**self.where, "winner": self.leader, "card": table[place]}
        self.take("outcome", "trick", told)
        self.won[self.leader].append((table[place], round_))
        self.trick_gem(self.leader, (table[place], round_))

    def trick_gem(self, seat: int, trick: Trick) -> None:
        """Take a gem from a 1/3/5 square that the trick meets (text 4 D; K6)."""
        ours = [name for name, s in self.squares.items() if s["when"] == "trick"]
        held = [name for name in ours if self.board[name]]
        options = {s for s in held if meets(self.squares[s], trick, self.suits)}
        if options:
            self.win_gem("claim", seat, options, self.rules["trick_take"])
        elif self.return_due(held):
            self.return_gem(seat)

    def win_gem(self, name: str, seat: int, options: set[str], take: str) -> None:
        """Choose one of the gems that can be won, or pass where that is allowed."""
        may_pass = {"pass"} if take == "may" else set()
        square = self.choose(name, seat, options | may_pass)
        if square != "pass":
            self.move_gem(seat, square, self.board[square])

    def move_gem(self, seat: int, square: str, value: int) -> None:
        """Move a gem from the square to the player, or back where value is negative."""
        self.board[square] -= value
        if value > 0:
            self.gems[seat].append(value)
        else:
            self.gems[seat].remove(-value)
        told = {"week": self.week, "seat": seat, "square": square, "value": value}
        self.take("outcome", "gem", told)

    # Returning a gem (rules 1.4).

    def return_due(self, held: Collection[str]) -> bool:
        """Tell whether "there are no gems to be won", if this player wins none (K4)."""
        return self.rules["return_trigger"] == "player" or not held

    def return_gem(self, seat: int) -> None:
        """Put the highest gem back, on a vacant black square first (text 4 D; K11)."""
        vacant = [name for name in self.squares if not self.board[name]]
        if not self.gems[seat] or not vacant:
            return
        first = [name for name in vacant if self.squares[name].get("return_first")]
        if self.rules["return_choice"] == "black-first":
            first = first[:1]
        square = self.choose("return", seat, first or vacant, {"week": self.week})
        self.move_gem(seat, square, -max(self.gems[seat]))

    # Liquidation (rules 1.3, phases 6 and 7).

    def liquidation_a(self) -> None:
        """Gems of kept contracts come back, the others are lost (text 5 A)."""
        tricks, lost = [len(won) for won in self.won], []
        for seat, stake in enumerate(self.stakes):
            kept = stake[tricks[seat]]
            back = kept * self.returns.get(tricks[seat], 0)
            lost.append(stake.total() - kept)
            self.lives[seat] += back - stake.total()
            self.gems[seat] += [1] * (kept * self.payments.get(tricks[seat], 0))
        told = {"week": self.week, "tricks": tricks, "lost": lost, "lives": self.lives}
        self.take("outcome", "contracts", told)

    def liquidation_b(self) -> None:
        """Survivors may take a gem that all their tricks won (text 5 B; K3, K5)."""
        self.where = {"week": self.week}
        ours = {"all", "rank"}
        if self.rules["no_tricks_squares"] == "claimable_at_liquidation":
            ours.add("no-tricks")
        claimable = [name for name, s in self.squares.items() if s["when"] in ours]
        for seat in self.clockwise(self.dealer):
            if self.lives[seat] == 0:
                continue
            held = [name for name in claimable if self.board[name]]
            options = {name for name in held if self.qualifies(seat, name)}
            exempt = self.rules["zero_trick_liquidation"] == "exempt"
            if options:
                self.win_gem("bonus", seat, options, self.rules["liquidation_take"])
            elif self.return_due(held) and (self.won[seat] or not exempt):
                self.return_gem(seat)

    def qualifies(self, seat: int, name: str) -> bool:
        """Tell whether all tricks of the week meet the square (text 5 B; K3, K8)."""
        square, won = self.squares[name], self.won[seat]
        if square["when"] == "no-tricks":
            return not won
        if square["when"] == "rank":
            tricks = [len(tricks) for tricks in self.won]
            return name in rank_squares(tricks, seat, self.rules["p7_rank"])
        if not won:
            return bool(self.rules["zero_trick_liquidation"] == "vacuous_true")
        return all(meets(square, trick, self.suits) for trick in won)

    # The end (rules 1.6).

    def end(self) -> None:
        """Most points, then most Life gems, then the highest card (text 7)."""
        best = [seat for seat in range(self.players) if self.lives[seat] > 0]
        if not best and self.rules["all_eliminated"] == "points":
            best = list(range(self.players))
        by, points = "points" if best else "none", self.points()
        for by_next, score in (("lives", points), ("draw", self.lives)):
            top = max((score[seat] for seat in best), default=0)
            best = [seat for seat in best if score[seat] == top]
            if len(best) > 1:
                by = by_next
        if len(best) > 1:
            best = [self.tie(best)]
        winner = best[0] if best else None
        told = {"winner": winner, "by": by, "points": points, "lives": self.lives}
        self.take("result", "kunitame", told)

    def tie(self, seats: Sequence[int]) -> int:
        """Each tied player draws a card of one suit; the highest wins (text 7 D)."""
        written = self.take("chance", "tie", {}, "cards")["cards"]
        cards = self.counts("tie.cards", written, [str(seat) for seat in seats])
        drawn = set(cards.values())
        if len(cards) != len(seats) or len(drawn) != len(seats):
            self.foul(f"tie.cards {written} is not a card of its own for each {seats}")
        if max(drawn) > self.rules["ranks"]:
            self.foul(f"tie.cards {written} has a card above {self.rules['ranks']}")
        return int(max(cards, key=lambda seat: cards[seat]))


check, check_stream = _Game.check, _Game.check_stream

"""A referee for Evilpact: replay a transcript from the rules alone, call every foul.

Slow and plain on purpose, to be read beside the rulebook. "Rules 3.4" is a section of
the worked-out rules (`evilpact.md`), E1 to E11 its ambiguities (3.8), Q1 to Q5 the
designer's answers (3.5), "text" the published manual. A card is its word, as it lies:
in a library `red-i3+` lies sideways, and `blue/red` counts for blue. Nothing here knows
how the simulator works.

What the rules leave open is read so:

* `market` other than 5: four cards are taken in turn, a fifth in turn 4 if there is
  one, and what is left leaves the game.
* `contract_after_round` beyond the last round: contracts are never made, and nobody
  has one (E2).
* `power_turbidity` as a list: a number for each card, in the order of `turbidity`.
* The element of a Turbidity card that was chosen decides how it is called; two cards
  of the same elements are the same card, whichever is named first in `turbidity`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tests.games.referee import Referee

SPELLS = ("cthugha", "cthulhu", "hastur", "nyarlathotep", "eihort")
FLIPS = {"lower": 2, "upper": 4}
"""How many Turbidity cards Nyarlathotep flips (text "Spell Cards")."""

_ELEMENTS = ["red", "blue", "yellow", "black", "white"]
_RING = ("red blue", "blue white", "white yellow", "yellow black", "black red")
VALUES: dict[str, Any] = {
    "rounds": 8,
    "contract_after_round": 4,
    "market": 5,
    "elements": _ELEMENTS,
    "normal_per_element": 5,
    "insight_per_element": [3, 5],
    "turbidity": [pair.split() for pair in _RING],
    "power_normal": 1,
    "power_insight_upright": 1,
    "power_insight_sideways": 2,
    "thresholds": [3, 5],
    "spell_element": dict(zip(SPELLS, _ELEMENTS, strict=True)),
}
COUNTER_LIST = {"3": ["red", "blue"], "5": ["red", "blue", "black", "white"]}

OPTIONS: dict[str, tuple[object, ...]] = {
    "insight_basis": ("turn", "pick_order", "round"),
    "contract_shifts_start": (False, True),
    "no_contract": ("fail", "ignore"),
    "used_contract_checked": (True, False),
    "contract_hastur": (True, False),
    "counter_contract": (True, False),
    "sealed_known_to_owner": (True, False),
}
"""Rule options (rules 3.8, 3.2) with the values they can take, the default first."""


# Cards (rules 3.1, 3.2).


def deck(rules: Mapping[str, Any]) -> Counter[str]:
    """How many there are of each card, as called in the Explore Area."""
    cards = Counter[str]()
    for element in rules["elements"]:
        cards[element] += rules["normal_per_element"]
        cards.update(f"{element}-i{x}" for x in rules["insight_per_element"])
    cards.update("/".join(pair) for pair in rules["turbidity"])
    return cards


def insight(card: str) -> int | None:
    """The X of an Insight card; None of other cards."""
    _, found, x = card.removesuffix("+").partition("-i")
    return int(x) if found else None


def element_of(card: str) -> str:
    """The element that a card in a library counts for."""
    first, _, _ = card.partition("/")
    return first.partition("-i")[0]


def opposite(card: str) -> str:
    """A Turbidity card that counts for its other element."""
    return "/".join(reversed(card.split("/")))


def icons(card: str, rules: Mapping[str, Any]) -> int:
    """The power of a card in a library (rules 3.2)."""
    if "/" in card:
        power = rules["power_turbidity"]
        if isinstance(power, int):
            return power
        pairs = [set(pair) for pair in rules["turbidity"]]
        return int(power[pairs.index(set(card.split("/")))])
    if insight(card) is None:
        return int(rules["power_normal"])
    side = "sideways" if card.endswith("+") else "upright"
    return int(rules[f"power_insight_{side}"])


class _Game(Referee):
    """One game as the transcript tells it so far, one method per paragraph."""

    game_id = "evilpact"
    numbers_of_players = (2,)
    readings, values = OPTIONS, VALUES
    tables: ClassVar = {"power_turbidity": 1, "counter_list": COUNTER_LIST}

    def replay(self) -> None:
        """Follow the course of a game (rules 3.4)."""
        self.set_up()
        for number in range(1, self.rules["rounds"] + 1):
            self.play_round(number)
            if number == self.rules["contract_after_round"]:
                self.make_contracts()
        self.where, self.place = {}, ""
        self.decide()
        self.finish()

    # Setup (rules 3.3).

    def set_up(self) -> None:
        self.read_rules()
        self.first = self.take_seat("start")
        told = self.take("chance", "seal", {}, "spells")["spells"]
        sealed = self.strings("seal.spells", told)
        if len(sealed) != 2 or not set(sealed) <= set(SPELLS):
            self.foul(f"seal.spells: {sealed} is not a spell for each seat")
        self.hands = [[s for s in SPELLS if s != sealed[seat]] for seat in (0, 1)]
        self.libraries: list[list[str]] = [[], []]
        self.under: list[str | None] = [None, None]
        self.used = [False, False]
        self.left = deck(self.rules)

    def read_rules(self) -> None:
        """Read the rule values in force; what is absent has its default."""
        self.take_rules("insight_bonus")
        names = self.rules["elements"]
        for pair in self.rules["turbidity"]:
            if len(set(pair)) != 2 or not set(pair) <= set(names):
                self.foul(f"setup.rules.turbidity: {pair} are not two elements")
        for element in self.rules["spell_element"].values():
            if element not in names:
                self.foul(f"setup.rules.spell_element: {element!r} is no element")
        lists = self.rules["counter_list"]
        if not isinstance(lists, Mapping) or len(lists) != 2:
            self.foul(f"setup.rules.counter_list {lists!r}: not two lists")
        lower, upper = sorted(lists, key=int)
        self.countered = {"lower": lists[lower], "upper": lists[upper]}
        self.lower, self.upper = self.rules["thresholds"]
        if not self.lower < self.upper:
            self.foul("setup.rules.thresholds: not a lower and an upper one")
        if deck(self.rules).total() < self.rules["market"] * self.rules["rounds"]:
            self.foul("setup.rules: the deck has not enough cards for all rounds")

    # Rounds (rules 3.4, 1 and 2).

    def play_round(self, number: int) -> None:
        """Refill, four turns, and the power of all elements."""
        self.round = number
        self.refill()
        starter = self.starter()
        for turn in range(1, 5):
            seat = starter if turn % 2 == 1 else 1 - starter
            self.take_turn(turn, seat)
        self.place = f"round {number}: "
        power = [self.powers(seat) for seat in (0, 1)]
        self.take("outcome", "round", {"round": number, "power": power})

    def starter(self) -> int:
        """Rounds alternate; the phase of the contracts may count as one (E1)."""
        before = self.round - 1
        shifts = self.rules["contract_shifts_start"]
        if shifts and self.round > self.rules["contract_after_round"]:
            before += 1
        return self.first if before % 2 == 0 else 1 - self.first

    def refill(self) -> None:
        """Reveal the cards of a round."""
        self.place = f"round {self.round}: "
        told = {"round": self.round, "starter": self.starter()}
        event = self.take("chance", "market", told, "cards")
        cards = self.strings("market.cards", event["cards"])
        self.same("market: number of cards", len(cards), self.rules["market"])
        if surplus := Counter(cards) - self.left:
            self.foul(f"market.cards: {dict(surplus)} more than the deck has left")
        self.left -= Counter(cards)
        self.explore = list(cards)

    def powers(self, seat: int) -> list[int]:
        return [self.power(seat, element) for element in self.rules["elements"]]

    def power(self, seat: int, element: str) -> int:
        cards = [card for card in self.libraries[seat] if element_of(card) == element]
        return sum(icons(card, self.rules) for card in cards)

    def spell_power(self, seat: int, spell: str) -> int:
        return self.power(seat, self.rules["spell_element"][spell])

    # Turns (rules 3.4, 2).

    def take_turn(self, turn: int, seat: int) -> None:
        """Acquire, and cast before or after it."""
        self.turn, self.seat, self.other = turn, seat, 1 - seat
        self.where = {"round": self.round, "turn": turn}
        self.place = f"round {self.round}, turn {turn}: "
        has_cast = self.cast("before")
        self.acquire(turn)
        if turn == 4 and self.explore:  # forced, at once (E10)
            self.acquire(5)
        if not has_cast:
            self.cast("after")

    def acquire(self, pick: int) -> None:
        """Take a card of the Explore Area; choose its element, or test Insight."""
        card = self.choose("acquire", self.seat, self.explore)
        self.explore.remove(card)
        if "/" in card:
            chosen = self.choose("element", self.seat, card.split("/"))
            card = card if element_of(card) == chosen else opposite(card)
        x = insight(card)
        numbers = {"turn": self.turn, "pick_order": pick, "round": self.round}
        if x is not None and numbers[self.rules["insight_basis"]] >= x:
            self.tell_sideways([card])
            card += "+"
        self.libraries[self.seat].append(card)

    def tell_sideways(self, cards: Sequence[str]) -> None:
        told = {**self.where, "seat": self.seat, "cards": list(cards)}
        self.take("outcome", "sideways", told)

    # Casting (rules 3.4; 3.5).

    def cast(self, when: str) -> bool:
        """Ask for a spell where there is one; tell whether one was cast."""
        options = [spell for spell in self.hands[self.seat] if self.castable(spell)]
        under = self.under[self.seat]
        if under not in (None, "hastur") and not self.used[self.seat]:
            options.append("contract")
        if not options:
            return False
        where = {**self.where, "when": when}
        chosen = self.choose("cast", self.seat, [*options, "pass"], where)
        if chosen == "pass":
            return False
        spell, level = self.announce(self.seat, chosen)
        if not self.is_countered(spell, by_contract=chosen == "contract"):
            self.effects()[spell](level)
        return True

    def castable(self, spell: str) -> bool:
        """Hastur is for answers only (Q2)."""
        return spell != "hastur" and self.spell_power(self.seat, spell) >= self.lower

    def announce(self, seat: int, chosen: str) -> tuple[str, str]:
        """Reveal and spend a spell: which it is, and its level (E5, E6, Q1)."""
        by_contract = chosen == "contract"
        spell = self.under[seat] if by_contract else chosen
        assert spell is not None
        power = self.spell_power(seat, spell)
        level = "upper" if by_contract or power >= self.upper else "lower"
        told = {
            **self.where,
            "seat": seat,
            "spell": spell,
            "from": "contract" if by_contract else "hand",
            "level": self.upper if level == "upper" else self.lower,
            "power": power,
        }
        self.take("outcome", "spell", told)
        if by_contract:
            self.used[seat] = True
        else:
            self.hands[seat].remove(spell)
        return spell, level

    def is_countered(self, spell: str, *, by_contract: bool) -> bool:
        """The opponent may answer with Hastur, before anything is processed (Q5)."""
        options = self.counters(self.rules["spell_element"][spell])
        if by_contract and not self.rules["counter_contract"]:
            options = []
        if not options:
            return False
        chosen = self.choose("counter", self.other, [*options, "pass"])
        if chosen == "pass":
            return False
        self.announce(self.other, chosen)
        return True

    def counters(self, element: str) -> list[str]:
        """Hastur in the opponent's hand or under contract, if it may counter this."""
        options, other = [], self.other
        power = self.spell_power(other, "hastur")
        if "hastur" in self.hands[other] and power >= self.lower:
            level = "upper" if power >= self.upper else "lower"
            if element in self.countered[level]:
                options.append("hastur")
        unused = self.under[other] == "hastur" and not self.used[other]
        listed = element in self.countered["upper"]
        if unused and listed and self.rules["contract_hastur"]:
            options.append("contract")
        return options

    # Spells (text "Spell Cards").

    def effects(self) -> dict[str, Any]:
        return {
            "cthugha": self.exclude,
            "cthulhu": self.lose,
            "nyarlathotep": self.flip,
            "eihort": self.turn_sideways,
        }

    def exclude(self, level: str) -> None:
        """Cthugha: one card of the opponent's library, at the upper level one or two.

        As many as there are (Q4, E7).
        """
        library = self.libraries[self.other]
        if not library:
            return
        library.remove(self.choose("exclude", self.seat, library))
        if level == "upper" and library:
            chosen = self.choose("exclude", self.seat, [*library, "pass"])
            if chosen != "pass":
                library.remove(chosen)

    def lose(self, level: str) -> None:
        """Cthulhu: the opponent loses cards of the hand at random (Q4)."""
        hand = self.hands[self.other]
        number = min(len(hand), 2 if level == "upper" else 1)
        if not number:
            return
        told = {**self.where, "seat": self.other}
        event = self.take("chance", "lose", told, "spells")
        lost = self.strings("lose.spells", event["spells"])
        self.same("lose: number of spells", len(lost), number)
        for spell in lost:
            if spell not in hand:
                self.foul(f"lose.spells: {spell!r} is not in the hand {hand}")
            hand.remove(spell)

    def flip(self, level: str) -> None:
        """Nyarlathotep: Turbidity cards, each stays in its own library (E11)."""
        fresh = [[c for c in cards if "/" in c] for cards in self.libraries]
        for _ in range(FLIPS[level]):
            options = {f"{seat}:{card}" for seat in (0, 1) for card in fresh[seat]}
            if not options:
                return
            chosen = self.choose("flip", self.seat, [*options, "pass"])
            if chosen == "pass":
                return
            seat, card = int(chosen[0]), chosen[2:]
            fresh[seat].remove(card)
            self.libraries[seat].remove(card)
            self.libraries[seat].append(opposite(card))

    def turn_sideways(self, level: str) -> None:
        """Eihort: an own Insight 5 that lies upright, at the upper level all."""
        library = self.libraries[self.seat]
        upright = [c for c in library if insight(c) == 5 and not c.endswith("+")]
        upright.sort(key=lambda card: self.rules["elements"].index(element_of(card)))
        if not upright:
            return
        if level == "lower":
            upright = [self.choose("sideways", self.seat, upright)]
        else:
            self.tell_sideways(upright)
        for card in upright:
            library.remove(card)
            library.append(card + "+")

    # Contracts (rules 3.4, 3).

    def make_contracts(self) -> None:
        """Each player puts a spell of the hand under contract, if there is one."""
        for seat in (0, 1):
            if self.hands[seat]:
                self.place = "contract: "
                chosen = self.choose("contract", seat, self.hands[seat], {})
                self.hands[seat].remove(chosen)
                self.under[seat] = chosen

    # Decision of the winner (rules 3.6).

    def decide(self) -> None:
        """Contracts, then elements, then cards in hand."""
        fulfilled = [self.fulfils(seat) for seat in (0, 1)]
        one, other = self.powers(0), self.powers(1)
        pairs = [*zip(one, other, strict=True)]
        elements = [sum(a > b for a, b in pairs), sum(b > a for a, b in pairs)]
        hands = [len(hand) for hand in self.hands]
        reasons = {"contract": fulfilled, "elements": elements, "hand": hands}
        winner, by = None, "draw"
        for reason, (mine, yours) in reasons.items():
            if mine != yours:
                winner, by = (0 if mine > yours else 1), reason
                break
        told = {"winner": winner, "by": by, "fulfilled": fulfilled}
        told |= {"elements": elements, "hands": hands}
        self.take("result", "evilpact", told)

    def fulfils(self, seat: int) -> bool:
        """Whether a contract is fulfilled: no less power than the opponent (E2, E3)."""
        spell = self.under[seat]
        if spell is None:
            return bool(self.rules["no_contract"] == "ignore")
        if self.used[seat] and not self.rules["used_contract_checked"]:
            return True
        return self.spell_power(seat, spell) >= self.spell_power(1 - seat, spell)


check, check_stream = _Game.check, _Game.check_stream
in_force = _Game.in_force

"""A referee for The Virtues of the Drake: replay a transcript from the rules alone.

Slow and plain on purpose, to be read beside the rulebook. "Rules 6.2" is a section of
the worked-out rules (`drake.md`), V1 to V10 its ambiguities (6.6), "text" the published
rule text. A card is its word, a pile a list from left to right, a deck a bag of cards
of which any may come next. Nothing here knows how the simulator works.

What the rules leave open, or a transcript cannot show, is read so:

* A deck runs out when its last card is turned up; the check after the action has no
  such event, for nothing was turned up since the last check.
* `draw_from_empty` (V6): a deck with no cards is as good a choice as any other, if the
  rest of its conditions hold; only such a choice lets Pride win.
* An absent Virtue's shuffle comes at once, in the middle of the check; so a deck that
  ran out and gets cards back by it is empty no more, and is not checked.
* A card used from play counts as discarded from `in_play`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tests.games.referee import Referee

DECKS = ["maiden", "knight", "treasure"]
PILES = ["gullet", "lair", "bed"]
PILE_OF = dict(zip(DECKS, PILES, strict=True))
VIRTUES = ["gluttony", "greed", "wrath", "pride"]
WINS = {"gullet": "gluttony", "lair": "wrath", "bed": "greed"}
"""The Virtue that is satisfied by a full pile (rules 6.5)."""

STRICT_ORDER = ["pride", "greed", "wrath", "gluttony"]
"""Update I: "The play order is strictly"."""

STATS = {
    "maiden": ["chastity"],
    "knight": ["strength", "wealth"],
    "treasure": ["value"],
}

VALUES: dict[str, Any] = {
    "goal": 7,
    "maiden_chastity": [1, 2, 3, 4, 1, 2, 3, 4],
    "knight": [[1, 2], [2, 3], [3, 4], [4, 1], [1, 4], [2, 1], [3, 2], [4, 3]],
    "treasure_value": [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 4],
    "special": [
        {
            "name": "Sangria All",
            "deck": "treasure",
            "value": 3,
            "timing": "action",
            "use_from": "bed",
            "cost": "discard_self",
            "effect": "shuffle_all_discards",
        }
    ],
    "guard": 500,
}

OPTIONS: dict[str, tuple[object, ...]] = {
    "ruleset": ("update_II", "update_I"),
    "absent_second_win": ("wins", "ignored"),
    "treasure_needs_knight": (False, True),
    "fire_needs_maiden": (False, True),
    "must_act": (True, False),
    "exhaust_when": ("empty", "draw_from_empty"),
    "sangria_returns": (True, False),
}
"""Rule options (rules 6.6) with the values they can take, the default first."""

EFFECTS = [
    "shuffle_all_discards",
    *(f"discard_rightmost({pile})" for pile in PILES),
    *(f"swap_rightmost({pile})" for pile in PILES),
    "discard_in_play(maiden)",
    "discard_in_play(knight)",
]

PLAYERS = range(2, 5)


class Over(Exception):
    """The game has come to its end."""


class _Game(Referee):
    """One game as the transcript tells it so far, one method per paragraph."""

    game_id = "drake"
    numbers_of_players = PLAYERS
    readings = OPTIONS
    values: ClassVar = {key: VALUES[key] for key in VALUES if key != "special"}
    tables: ClassVar = {"special": VALUES["special"]}

    def replay(self) -> None:
        """Follow the course of a game (rules 6.2, 6.3)."""
        self.set_up()
        self.turn = 0
        try:
            while True:
                self.take_turn(self.turn + 1)
        except Over:
            self.finish()

    # Rule values (rules 6.1, 6.6).

    def read_rules(self) -> None:
        """Read the rule values in force; what is absent has its default."""
        self.take_rules()
        if any(len(knight) != 2 for knight in self.rules["knight"]):
            self.foul("setup.rules.knight: not pairs of Strength and Wealth")
        if self.rules["goal"] < 2 or self.rules["guard"] < 1:
            self.foul("setup.rules: a goal is at least 2, a guard at least 1")
        self.stats: dict[str, dict[str, int]] = {}
        self.deck_of: dict[str, str] = {}
        self.actions: dict[str, Mapping[str, Any]] = {}
        self.left = {deck: Counter[str]() for deck in DECKS}
        self.read_cards()

    def read_cards(self) -> None:
        """Make the decks: plain cards by their numbers, special cards by name."""
        for chastity in self.rules["maiden_chastity"]:
            self.add(f"M{chastity}", "maiden", [chastity])
        for strength, wealth in self.rules["knight"]:
            self.add(f"K{strength}/{wealth}", "knight", [strength, wealth])
        for value in self.rules["treasure_value"]:
            self.add(f"T{value}", "treasure", [value])
        if not isinstance(self.rules["special"], list):
            self.foul("setup.rules.special: not a list of cards")
        for card in self.rules["special"]:
            self.add_special(card)
        for deck in DECKS:
            if self.left[deck].total() < 2:
                self.foul(f"setup.rules: the {deck} deck has less than 2 cards")

    def add(self, card: str, deck: str, numbers: Sequence[int]) -> None:
        stats = dict(zip(STATS[deck], numbers, strict=True))
        if self.deck_of.setdefault(card, deck) != deck:
            self.foul(f"setup.rules: {card!r} is in two decks")
        if self.stats.setdefault(card, stats) != stats:
            self.foul(f"setup.rules: {card!r} has two sets of numbers")
        self.left[deck][card] += 1

    def add_special(self, card: Any) -> None:
        """A special card, "that counts like any other", maybe with an action."""
        if not isinstance(card, Mapping) or card.get("deck") not in DECKS:
            self.foul(f"setup.rules.special: {card!r} is no card of a deck")
        deck, numbers = card["deck"], STATS[card["deck"]]
        action = {"timing", "use_from", "cost", "effect"} & set(card)
        if set(card) - action != {"name", "deck", *numbers} or len(action) not in (
            0,
            4,
        ):
            self.foul(f"setup.rules.special: {card!r} has other fields")
        self.add(card["name"], deck, [card[stat] for stat in numbers])
        if action:
            places = (PILE_OF[deck], "in_play")
            if (
                card["timing"] != "action"
                or card["use_from"] not in places
                or card["cost"] not in ("discard_self", "none")
                or card["effect"] not in EFFECTS
            ):
                self.foul(f"setup.rules.special: {card!r} has no such action")
            if self.actions.setdefault(card["name"], card) != card:
                self.foul(f"setup.rules.special: {card['name']!r} has two actions")

    # Setup (rules 6.2).

    def set_up(self) -> None:
        self.read_rules()
        self.deal_virtues()
        self.seats = self.order_of_seats()
        self.discards: dict[str, list[str]] = {deck: [] for deck in DECKS}
        self.piles: dict[str, list[str]] = {}
        self.in_play: dict[str, str | None] = {"maiden": None, "knight": None}
        self.had_shuffle: set[str] = set()
        cards = self.strings(
            "piles.cards", self.take("chance", "piles", {}, "cards")["cards"]
        )
        if len(cards) != len(DECKS):
            self.foul(f"piles.cards: {cards} are not a card of each deck")
        for deck, card in zip(DECKS, cards, strict=True):
            self.turn_up(deck, card)
            self.piles[PILE_OF[deck]] = [card]

    def deal_virtues(self) -> None:
        """One each; "in a two player game, set Pride aside first"."""
        told = self.take("chance", "virtues", {}, "virtues")["virtues"]
        self.virtues = self.strings("virtues", told)
        dealt = set(self.virtues)
        if len(self.virtues) != self.players or len(dealt) != self.players:
            self.foul(f"virtues: {self.virtues} are not one for each seat")
        allowed = set(VIRTUES) - ({"pride"} if self.players == 2 else set())
        if not dealt <= allowed:
            self.foul(f"virtues: {sorted(dealt - allowed)} cannot be dealt")

    def order_of_seats(self) -> list[int]:
        """Who takes turns one after the other, from the first turn on (V1)."""
        if self.rules["ruleset"] == "update_II":
            return self.clockwise(self.take_seat("start"))
        present = [virtue for virtue in STRICT_ORDER if virtue in self.virtues]
        return [self.virtues.index(virtue) for virtue in present]

    def holder(self, virtue: str) -> int | None:
        """The seat whose Virtue it is, None if it lies beside the table."""
        return self.virtues.index(virtue) if virtue in self.virtues else None

    # A turn (rules 6.3).

    def take_turn(self, turn: int) -> None:
        self.place = f"turn {turn}: "
        seat = self.seats[(turn - 1) % self.players]
        self.where = {"turn": turn}
        decks = self.playable()
        if not decks:
            self.end("stalemate", "pride")
        self.turn = turn
        self.play(self.choose("play", seat, decks))
        options = self.options()
        if set(options) - {"pass"}:
            self.act(self.choose("act", seat, options))
        self.take("outcome", "turn", {"turn": turn, **self.sizes()})
        if turn >= self.rules["guard"]:
            self.end("guard", None)

    # 1. Play (rules 6.3.1, V3, V6, V10).

    def playable(self) -> list[str]:
        """Decks that may be chosen."""
        free = {deck for deck, card in self.in_play.items() if card is None}
        if self.piles["lair"] or not self.rules["treasure_needs_knight"]:
            free.add("treasure")
        if self.rules["exhaust_when"] == "empty":
            free = {deck for deck in free if self.left[deck].total()}
        return [deck for deck in DECKS if deck in free]

    def play(self, deck: str) -> None:
        """Turn up a card, and check (rules 6.3.1, 6.3.2)."""
        if not self.left[deck].total():
            self.satisfied("pride", "deck")
            return
        event = self.take("chance", "card", self.where, "card")
        card = event["card"]
        self.turn_up(deck, card)
        if deck == "treasure":
            self.rob(card)
            self.lay("bed", card)
        else:
            self.in_play[deck] = card
        if self.rules["exhaust_when"] == "empty" and not self.left[deck].total():
            self.satisfied("pride", "deck")

    def turn_up(self, deck: str, card: object) -> None:
        """Take a card that must be in the deck still."""
        if not isinstance(card, str) or self.left[deck][card] < 1:
            self.foul(f"there is no {card!r} left in the {deck} deck")
        self.left[deck][card] -= 1

    def rob(self, treasure: str) -> None:
        """If its Value is higher than his Wealth "discard the rightmost Knight"."""
        lair = self.piles["lair"]
        if lair and self.stats[treasure]["value"] > self.stats[lair[-1]]["wealth"]:
            self.discard(lair.pop(), "lair")

    def lay(self, pile: str, card: str) -> None:
        """A card comes to lie rightmost; a pile may be full by it (rules 6.5)."""
        self.piles[pile].append(card)
        if len(self.piles[pile]) >= self.rules["goal"]:
            self.satisfied(WINS[pile], pile)

    def discard(self, card: str, place: str) -> None:
        told = {**self.where, "card": card, "from": place}
        self.take("outcome", "discard", told)
        self.discards[self.deck_of[card]].append(card)

    # 2. Act (rules 6.3.3, V4, V5).

    def options(self) -> list[str]:
        """What may be done; nothing but `pass` is no decision."""
        maiden, knight = self.in_play["maiden"], self.in_play["knight"]
        main = []
        if maiden is not None and knight is None:
            main.append("swallow")
        heat = self.piles["gullet"] or not self.rules["fire_needs_maiden"]
        if knight is not None and heat:
            main.append("fire")
        uses = [f"use {name}" for name in self.actions if self.at_hand(name)]
        free = not main or not self.rules["must_act"]
        return [*main, *uses, *(["pass"] if free else [])]

    def at_hand(self, name: str) -> bool:
        """Tell whether a card with an action is where it can be used from."""
        place = self.actions[name]["use_from"]
        if place == "in_play":
            return name in self.in_play.values()
        return name in self.piles[place]

    def act(self, chosen: str) -> None:
        if chosen == "swallow":
            maiden, self.in_play["maiden"] = self.in_play["maiden"], None
            assert maiden is not None
            self.lay("gullet", maiden)
        elif chosen == "fire":
            self.breathe_fire()
        elif chosen != "pass":
            self.use(self.actions[chosen.removeprefix("use ")])

    def breathe_fire(self) -> None:
        """If her Chastity is less than his Strength "discard the Maiden"."""
        knight, self.in_play["knight"] = self.in_play["knight"], None
        assert knight is not None
        gullet = self.piles["gullet"]
        strength = self.stats[knight]["strength"]
        if gullet and self.stats[gullet[-1]]["chastity"] < strength:
            self.discard(gullet.pop(), "gullet")
        self.lay("lair", knight)

    def use(self, card: Mapping[str, Any]) -> None:
        """Pay, then do as much of the effect as can be done."""
        name, paid = card["name"], card["cost"] == "discard_self"
        if paid:
            self.pay(name, card["deck"], card["use_from"])
        effect, _, where = card["effect"].rstrip(")").partition("(")
        if effect == "shuffle_all_discards":
            stays = name if paid and not self.rules["sangria_returns"] else None
            self.shuffle(name, stays)
        elif effect == "discard_rightmost":
            if self.piles[where]:
                self.discard(self.piles[where].pop(), where)
        elif effect == "discard_in_play":
            victim, self.in_play[where] = self.in_play[where], None
            if victim is not None:
                self.discard(victim, "in_play")
        elif len(self.piles[where]) > 1:
            pile = self.piles[where]
            pile[-2:] = pile[:-3:-1]

    def pay(self, name: str, deck: str, place: str) -> None:
        """Discard the card itself: of several copies the rightmost."""
        if place == "in_play":
            self.in_play[deck] = None
        else:
            pile = self.piles[place]
            del pile[len(pile) - 1 - pile[::-1].index(name)]
        self.discard(name, place)

    def shuffle(self, by: str, stays: str | None = None) -> None:
        """All discards go "back into their decks" (V8)."""
        self.take("outcome", "shuffle", {**self.where, "by": by})
        for deck, discards in self.discards.items():
            kept = [stays] if stays is not None and self.deck_of[stays] == deck else []
            self.left[deck].update(Counter(discards) - Counter(kept))
            self.discards[deck] = kept

    # 3. The end (rules 6.5, V1, V2).

    def satisfied(self, virtue: str, by: str) -> None:
        """A Virtue has what it wants: it wins, or an absent one shuffles (update I)."""
        absent = self.holder(virtue) is None
        if self.rules["ruleset"] == "update_I" and absent:
            if virtue not in self.had_shuffle:
                self.had_shuffle.add(virtue)
                self.shuffle(virtue)
                return
            if self.rules["absent_second_win"] == "ignored":
                return
        self.end(by, virtue)

    def end(self, by: str, virtue: str | None) -> None:
        winner = None if virtue is None else self.holder(virtue)
        told = {"winner": winner, "by": by, "virtue": virtue, "turns": self.turn}
        self.take("result", "drake", {**told, **self.sizes()})
        raise Over

    def sizes(self) -> dict[str, list[int]]:
        return {
            "piles": [len(self.piles[pile]) for pile in PILES],
            "decks": [self.left[deck].total() for deck in DECKS],
            "discards": [len(self.discards[deck]) for deck in DECKS],
        }


check, check_stream = _Game.check, _Game.check_stream
in_force = _Game.in_force

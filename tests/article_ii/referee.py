"""A referee for Article II: replay a transcript from the rules alone, call every foul.

Slow and plain on purpose, to be read beside the rulebook. "Rules 4.4" is a section of
the worked-out rules (`article_ii.md`), A1 to A19 its ambiguities (4.6), "text" the
published rule text. A card is its id, a hand, a pile and what lies on a player are
lists of ids. Nothing here knows how the simulator works.

What the rules leave open, or a transcript cannot show, is read so:

* A seat with an empty hand has no turn, so `turn` does not count it.
* With `teflon_style = false` (A14) the Style itself is no option of `teflon`.
* `halve = "exact"` (A7): a number is compared by what it is worth, 2.0 being 2.
* Several copies of a Style, in a deck of the designer's own: each acts for the player
  on whom it lies. Two Mudslingers subtract twice.
* A Style with numbers of its own counts in the sums like any card that lies somewhere.
* The guard ends no phase: where all hands are empty, no turn would begin.
* Whether the last cards of the old deck come first in a deal that needs the discard
  pile too is checked in the order of the deal, round by round from the start seat.

The transcript format leaves some rule values "not refereed", and so does `check`. With
`further` they are refereed too, read so:

* `primary_tie = "random"` (A4): chance decides among equal totals, in the same `tie`.
* `general_tie = "shared"` (A5): all with the highest total share, `by` is `shared`.
* `unaffiliated_draws = "target"` (A9): a `target`, any seat, comes before the draws.
* `necromancer_target = "chosen"` (A12): where there are several other contenders, a
  choice `necromancer` (`phase`, `seat`, `legal`, `chosen`) for each Necromancer that
  competes, by seat, before `general`: whose Affiliation he takes.
* `greater_evil = "candidates"` (A15): nobody's Affiliation is zero in the Primary, and
  that of the other contenders in the General.
* `styles`: rows of `id` and `effects` say what a Style does, instead of the printed
  table; one without a row does nothing. Who is `scrupulous` lowers nobody else by a
  reaction either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from tests.games.referee import Event, Referee, are_strings, stream

Number = int | float

MARKS = {
    "tack-center": (4, -3, 4, 8),
    "toe-the-line": (-3, 5, 4, 8),
    "steal-their-position": (6, -5, 2, 4),
    "slam-your-fellows": (3, -3, 2, 4),
    "negative-ad": (-3, 0, 2, 4),
    "sister-soulja-moment": (7, -7, 2, 2),
    "gaffe": (-3, -3, 2, 2),
    "true-blue": (0, 5, 2, 2),
    "civil-debate": (0, 3, 2, 2),
    "uncivil-debate": (-3, 0, 2, 2),
    "strange-pronouncement": (0, 2, 2, 2),
    "party-endorsement": (0, 5, 2, 2),
    "newspaper-endorsement": (3, 0, 3, 3),
    "policy-proposal": (0, 3, 3, 3),
}
"""Electability, Affiliation, copies in the updated deck, in the original (4.1)."""

STYLES: dict[str, tuple[str, ...]] = {
    "screaming-partisan": ("doubled",),
    "outsider-candidate": ("zero", "scrupulous"),
    "insider-candidate": ("halved", "two-cards"),
    "great-debater": ("reacts",),
    "mudslinger": ("slings",),
    "necromancer": ("necromancy",),
    "lesser-evil": ("zero",),
    "greater-evil": ("zeroes",),
    "highlander": ("stays",),
    "hairpiece": (),
    "third-party-candidate": ("zero", "independent"),
    "teflon-wonder": ("sheds",),
}
"""What each does; one copy each, in the updated deck alone (4.2)."""

OPTIONS: dict[str, tuple[object, ...]] = {
    "deck": ("updated", "original", "custom"),
    "carry_over": (True, False),
    "general_deal": ("continue", "reshuffle_all"),
    "primary_tie": ("electability_then_random", "random"),
    "general_tie": ("electability_then_shared", "shared"),
    "insider_draw": ("if_two", "always"),
    "halve": ("floor", "toward_zero", "exact"),
    "mudslinger_self": (True, False),
    "unaffiliated_draws": ("player", "target"),
    "no_positive_2p": ("draw", "highest_total"),
    "necromancer_target": ("max", "min", "chosen"),
    "teflon_style": (True, False),
    "greater_evil": ("all", "candidates"),
    "spoiler_value": ("eff", "raw"),
    "highlander_fallback": (False, True),
}
"""Rule options with the values they can take, the default first."""

FURTHER = {
    "primary_tie": "random",
    "general_tie": "shared",
    "unaffiliated_draws": "target",
    "necromancer_target": "chosen",
    "greater_evil": "candidates",
}
"""Values of options that the transcript format leaves "not refereed"."""

VALUES = {"hand": 7, "guard": 500}
"""What a rule value is where `setup.rules` does not tell it."""

KINDS = ("mark", "style", "draw", "remove")
NUMBERS = ("copies", "electability", "affiliation", "draw")


def check(events: Sequence[Event], *, further: bool = False) -> None:
    """Replay the events of one game, in order; raise `Foul` at the first foul."""
    _Game(events, further=further).replay()


def check_stream(lines: Iterable[str], *, further: bool = False) -> int:
    """Check a jsonl stream of many games, told one after the other; count the games."""
    return stream(lines, partial(check, further=further))


# Cards (rules 4.1).


def printed(deck: str) -> dict[str, dict[str, Any]]:
    """The printed list of a deck, card by card."""
    cards: dict[str, dict[str, Any]] = {}
    for card, (electability, affiliation, *copies) in MARKS.items():
        numbers = (copies[deck == "original"], electability, affiliation, 0)
        cards[card] = {"kind": "mark", **dict(zip(NUMBERS, numbers, strict=True))}
    if deck == "updated":
        cards |= {style: _card("style") for style in STYLES}
        cards["unaffiliated-activity"] = _card("draw", draw=2)
    cards["voter-adhd"] = _card("remove", copies=8 if deck == "original" else 4)
    return cards


def _card(kind: str, *, copies: int = 1, draw: int = 0) -> dict[str, Any]:
    numbers = {"copies": copies, "electability": 0, "affiliation": 0, "draw": draw}
    return {"kind": kind, **numbers}


# Evaluation (rules 4.4). Lists are by seat; `effects` are those of a player's Style.


def affiliations(
    raw: Sequence[int], effects: Sequence[Collection[str]], reach: Collection[int]
) -> list[int]:
    """A_eff: zero is zero whatever else modifies it (text: no other modifiers).

    `reach` are the seats that a Greater Evil of another can set to zero (A15).
    """
    found = []
    for seat, own in enumerate(effects):
        others = [*effects[:seat], *effects[seat + 1 :]]
        evil = seat in reach and any("zeroes" in his for his in others)
        if "zero" in own or evil:
            found.append(0)
        else:
            found.append(raw[seat] * (2 if "doubled" in own else 1))
    return found


def halved(number: int, halve: str) -> Number:
    """Half of an Insider's Electability (A7)."""
    if halve == "floor" or number % 2 == 0:
        return number // 2
    if halve == "toward_zero":
        return -(-number // 2) if number < 0 else number // 2
    return number / 2


def electabilities(
    raw: Sequence[int],
    affiliation: Sequence[int],
    effects: Sequence[Collection[str]],
    rules: Mapping[str, Any],
) -> list[Number]:
    """E_eff: first the Insider halves, then the Mudslinger subtracts (A8)."""
    found: list[Number] = []
    for seat, own in enumerate(effects):
        worth: Number = raw[seat]
        if "halved" in own:
            worth = halved(raw[seat], rules["halve"])
        for other, his in enumerate(effects):
            if "slings" not in his or "independent" in own:
                continue
            if other != seat or rules["mudslinger_self"]:
                worth -= affiliation[other]
        found.append(worth)
    return found


def primary_places(
    totals: Sequence[Number], electability: Sequence[Number], primary_tie: str
) -> tuple[list[int], list[int]]:
    """Seats that are Candidates for sure, and those tied for the places left (A4)."""
    keys = list(zip(totals, electability, strict=True))
    if primary_tie == "random":
        keys = [(total, 0) for total in totals]
    second = sorted(keys)[-2]
    sure = [seat for seat, key in enumerate(keys) if key > second]
    tied = [seat for seat, key in enumerate(keys) if key == second]
    return (sure, tied) if len(sure) + len(tied) > 2 else (sorted(sure + tied), [])


def general_totals(
    electability: Sequence[Number],
    affiliation: Sequence[int],
    contenders: Sequence[int],
    takes: Mapping[int, int],
) -> list[Number | None]:
    """Electability less Affiliation; `takes` is whose a Necromancer takes instead."""
    totals: list[Number | None] = [None] * len(affiliation)
    for seat in contenders:
        totals[seat] = electability[seat] - affiliation[takes.get(seat, seat)]
    return totals


def raised(
    seat: int,
    affiliation: Sequence[int],
    contenders: Sequence[int],
    necromancer_target: str,
) -> int:
    """Whose Affiliation a Necromancer takes: another contender's (A12)."""
    others = [other for other in contenders if other != seat]
    pick = min if necromancer_target == "min" else max
    return pick(others, key=lambda other: affiliation[other])


def elected(
    totals: Sequence[Number | None],
    electability: Sequence[Number],
    raw: Sequence[int],
    spoilers: Sequence[int],
    rules: Mapping[str, Any],
) -> tuple[str, list[int]]:
    """How the General is decided, and for whom (4.3.5; A5, A10, A11, A19).

    Spoilers are those that may win where no contender has a positive total.
    """
    standing = {seat: total for seat, total in enumerate(totals) if total is not None}
    best = max(standing.values())
    lone = len(totals) == 2 and rules["no_positive_2p"] == "highest_total"
    if best > 0 or lone:
        first = [seat for seat, total in standing.items() if total == best]
        shared = rules["general_tie"] == "shared"
        top = first if shared else highest(first, electability)
        by = "total" if len(first) == 1 else "electability"
        return ("shared" if len(top) > 1 else by), top
    value = raw if rules["spoiler_value"] == "raw" else electability
    top = highest(spoilers, value)
    return {0: "none", 1: "spoiler"}.get(len(top), "spoiler-shared"), top


def highest(seats: Sequence[int], worth: Sequence[Number]) -> list[int]:
    """Those of the seats that have the most."""
    most = max((worth[seat] for seat in seats), default=0)
    return [seat for seat in seats if worth[seat] == most]


class _Game(Referee):
    """One game as the transcript tells it so far, one method per paragraph."""

    game_id = "article_ii"
    numbers_of_players = (2, 3, 4)

    def __init__(self, events: Sequence[Event], *, further: bool) -> None:
        super().__init__(events)
        self.further = further

    def replay(self) -> None:
        """Follow the course of a game (rules 4.3)."""
        self.set_up()
        if self.phase_played("primary"):
            self.end_primary()
            if self.phase_played("general"):
                self.end_general()
        self.place = ""
        winner = self.winners[0] if len(self.winners) == 1 else None
        told = {"winners": self.winners, "candidates": self.candidates}
        self.take("result", "article_ii", {"winner": winner, "by": self.by, **told})
        self.finish()

    def worth(self, what: str, written: object, ruled: Sequence[Number | None]) -> None:
        """Compare numbers by seat; those halved exactly by what they are worth (A7)."""
        if self.rules["halve"] == "exact" and isinstance(written, list):
            written = [_whole(number) for number in written]
        self.same(what, written, ruled)

    # Setup (rules 4.3.1).

    def set_up(self) -> None:
        rules, players = self.take_setup(), self.players
        self.read_rules(rules)
        self.read_cards(rules.get("cards"))
        self.read_styles(rules.get("styles"))
        copies = {card: what["copies"] for card, what in self.cards.items()}
        self.deck = list(Counter(copies).elements())
        self.discard: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.lying: list[list[str]] = [[] for _ in range(players)]
        self.played = 0
        self.candidates: list[int] = []
        self.winners: list[int] = []

    def read_rules(self, rules: Mapping[str, Any]) -> None:
        """Rule values in force; keys that are not of the rules are let alone."""
        readings = {key: values[0] for key, values in OPTIONS.items()}
        self.rules = {**VALUES, **readings, **rules}
        for key, value in FURTHER.items():
            left = [other for other in OPTIONS[key] if self.further or other != value]
            if self.rules[key] not in left:
                self.foul(f"not refereed: {key} {self.rules[key]!r}")
        named = {"deck"} if type(self.rules["deck"]) is str else set()
        self.check_options({k: OPTIONS[k] for k in OPTIONS if k not in named})
        for key in VALUES:
            if type(self.rules[key]) is not int or self.rules[key] < 1:
                self.foul(f"setup.rules.{key} {self.rules[key]!r} is not from 1")

    def read_cards(self, table: object) -> None:
        """The deck: printed lists are known by heart, any other is told."""
        deck = self.rules["deck"]
        known = printed(deck) if deck in ("updated", "original") else None
        if table is None and known is not None:
            self.cards = known
            return
        if not isinstance(table, Mapping) or not table:
            self.foul(f"setup.rules.cards {table!r} tells no deck")
        self.cards = {card: self.read_card(card, told) for card, told in table.items()}
        made = {card: told for card, told in self.cards.items() if told["copies"]}
        if known is not None and made != known:
            wrong = sorted(c for c in {*made, *known} if made.get(c) != known.get(c))
            self.foul(f"setup.rules.cards: not as printed in {deck!r}: {wrong}")

    def read_card(self, card: str, told: object) -> dict[str, Any]:
        if not isinstance(told, Mapping) or told.get("kind") not in KINDS:
            self.foul(f"setup.rules.cards.{card} {told!r} is of none of {KINDS}")
        full = {"kind": "", **dict.fromkeys(NUMBERS, 0), **told}
        if extra := sorted(set(full) - {"kind", *NUMBERS}):
            self.foul(f"setup.rules.cards.{card}: {extra} do not belong")
        if not all(type(full[key]) is int for key in NUMBERS):
            self.foul(f"setup.rules.cards.{card}: {told!r} has no whole numbers")
        if full["copies"] < 0 or full["draw"] < 0:
            self.foul(f"setup.rules.cards.{card}: {told!r} is below 0")
        return full

    def read_styles(self, table: object) -> None:
        """What Styles do: as printed, or as told where that is refereed."""
        self.effects: dict[str, tuple[str, ...]] = STYLES
        if table is None:
            return
        if not isinstance(table, list) or not all(map(_style_row, table)):
            self.foul(f"setup.rules.styles {table!r}: rows are an id and effects")
        told = {row["id"]: tuple(row["effects"]) for row in table}
        known = {effect for effects in STYLES.values() for effect in effects}
        if wrong := sorted({e for effects in told.values() for e in effects} - known):
            self.foul(f"setup.rules.styles: {wrong} are no effects")
        used = [card for card, what in self.cards.items() if what["kind"] == "style"]
        for style in used:
            if told.get(style, ()) != STYLES.get(style, ()) and not self.further:
                self.foul(f"not refereed: styles, {style!r}")
        self.effects = told

    # A phase (rules 4.3.2).

    def phase_played(self, phase: str) -> bool:
        """Deal, then take turns until all hands are empty; False if the guard ends."""
        self.phase, self.turn, self.place = phase, 0, f"{phase}: "
        seat = self.take_seat("start", phase=phase)
        if phase == "general":
            self.clear_table()
        self.deal(seat)
        while any(self.hands):
            if self.hands[seat]:
                if self.played >= self.rules["guard"]:
                    self.by = "guard"
                    return False
                self.turn += 1
                self.where = {"phase": phase, "turn": self.turn}
                self.place = f"{phase}, turn {self.turn}: "
                self.take_turn(seat)
            seat = (seat + 1) % self.players
        self.place = f"end of the {phase}: "
        return True

    def clear_table(self) -> None:
        """What of the Primary does not carry over to the General (A1, A2)."""
        if not self.rules["carry_over"]:
            for lying in self.lying:
                self.discard += lying
                lying.clear()
        if self.rules["general_deal"] == "reshuffle_all" and self.discard:
            self.reshuffle()

    def reshuffle(self) -> None:
        """Shuffle the discard pile into what is left of the deck."""
        told = {"phase": self.phase, "cards": len(self.discard)}
        self.take("chance", "reshuffle", told)
        self.deck += self.discard
        self.discard = []

    def deal(self, start: int) -> None:
        """Deal one at a time, clockwise; the old deck first (A2, A3)."""
        wanted, old = self.rules["hand"] * self.players, list(self.deck)
        if len(self.deck) < wanted and self.discard:
            self.reshuffle()
        hands = self.take("chance", "deal", {"phase": self.phase}, "hands")["hands"]
        self.hands = self.read_hands(hands)
        wanted, order = min(wanted, len(self.deck)), self.clockwise(start)
        for place, seat in enumerate(order):
            size = len(range(place, wanted, self.players))
            self.same(f"deal: cards of seat {seat}", len(hands[seat]), size)
        dealt = [
            hands[order[n % self.players]][n // self.players] for n in range(wanted)
        ]
        if surplus := Counter(dealt) - Counter(self.deck):
            self.foul(f"deal.hands: {dict(surplus)} more than the deck has")
        if late := Counter(dealt[: len(old)]) - Counter(old):
            self.foul(f"deal.hands: {dict(late)} dealt before the old deck was out")
        self.deck = list((Counter(self.deck) - Counter(dealt)).elements())

    # A turn (rules 4.3.2; order of a game, 2).

    def take_turn(self, seat: int) -> None:
        if self.can(seat, "sheds"):
            self.teflon(seat)
        self.resolve(seat, self.choose_any("play", seat, self.hands[seat]))
        if self.can(seat, "two-cards"):
            self.second(seat)

    def teflon(self, seat: int) -> None:
        """Before playing a card, perhaps remove one that lies on oneself (A14)."""
        options = set(self.lying[seat])
        if not self.rules["teflon_style"]:
            options.discard(str(self.style(seat)))
        if options:
            card = self.choose_any("teflon", seat, {*options, "none"})
            if card != "none":
                self.remove(seat, card)

    def second(self, seat: int) -> None:
        """The Insider may play two cards, then draws one (A6)."""
        card = "none"
        if self.hands[seat]:
            card = self.choose_any("second", seat, [*self.hands[seat], "none"])
        if card != "none":
            self.resolve(seat, card)
        if card != "none" or self.rules["insider_draw"] == "always":
            self.draw(seat)

    def style(self, seat: int) -> str | None:
        """The Style in force: a player has one at most."""
        styles = [c for c in self.lying[seat] if self.cards[c]["kind"] == "style"]
        return styles[0] if styles else None

    def can(self, seat: int, effect: str) -> bool:
        """Tell whether a player's Style does this."""
        return effect in self.effects_on(seat)

    def effects_on(self, seat: int) -> Collection[str]:
        """What the Style in force on a player does."""
        return self.effects.get(str(self.style(seat)), ())

    # What a card does (order of a game, 3).

    def resolve(self, seat: int, card: str) -> None:
        """Play a card from the hand: on a player, or as a one-shot."""
        self.leave_hand(seat, card)
        kind = self.cards[card]["kind"]
        if kind in ("mark", "style"):
            target = self.choose_any("target", seat, self.targets(seat, card))
            debater = self.can(target, "reacts")
            self.put(target, card)
            if target != seat and debater and self.can(target, "reacts"):
                self.react(target, seat)
        elif kind == "draw":
            drawer = seat
            if self.rules["unaffiliated_draws"] == "target":
                drawer = self.choose_any("target", seat, range(self.players))
            for _ in range(self.cards[card]["draw"]):
                self.draw(drawer)
            self.discard.append(card)
        else:
            self.forget(seat)
            self.discard.append(card)

    def leave_hand(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.played += 1

    def targets(self, seat: int, card: str) -> list[int]:
        """Any player; an Outsider lowers nobody else's Affiliation (4.2)."""
        return [seat] if self.bound(seat, card) else list(range(self.players))

    def bound(self, seat: int, card: str) -> bool:
        """Tell whether this is a card that an Outsider may play on himself alone."""
        mark = self.cards[card]["kind"] == "mark"
        lowers = mark and self.cards[card]["affiliation"] < 0
        return lowers and self.can(seat, "scrupulous")

    def put(self, target: int, card: str) -> None:
        """Let a card come to lie on a player; a Style replaces the old one."""
        old = self.style(target)
        if self.cards[card]["kind"] == "style" and old is not None:
            self.remove(target, old)
        self.lying[target].append(card)
        self.tell_sums("placed", target, card)

    def remove(self, target: int, card: str) -> None:
        """Discard a card that lies on a player."""
        self.lying[target].remove(card)
        self.discard.append(card)
        self.tell_sums("removed", target, card)

    def tell_sums(self, name: str, seat: int, card: str) -> None:
        told = {
            "card": card,
            "electability": self.raw(seat, "electability"),
            "affiliation": self.raw(seat, "affiliation"),
        }
        self.take("outcome", name, {**self.where, "seat": seat, **told})

    def raw(self, seat: int, attribute: str) -> int:
        return sum(self.cards[card][attribute] for card in self.lying[seat])

    def forget(self, seat: int) -> None:
        """Voter ADHD: remove one card in play; nothing where none lies (A16)."""
        seats = [other for other in range(self.players) if self.lying[other]]
        if seats:
            target = self.choose_any("remove-from", seat, seats)
            self.remove(target, self.choose_any("remove", seat, self.lying[target]))

    def react(self, debater: int, actor: int) -> None:
        """The Great Debater may at once play a card on who played on him (A13)."""
        laid = [card for card in self.hands[debater] if self.can_lie(card)]
        able = [card for card in laid if not self.bound(debater, card)]
        if able:
            card = self.choose_any("react", debater, {*able, "none"})
            if card != "none":
                self.leave_hand(debater, card)
                self.put(actor, card)
                self.draw(debater)

    def can_lie(self, card: str) -> bool:
        return self.cards[card]["kind"] in ("mark", "style")

    def draw(self, seat: int) -> None:
        """Draw a card; an empty deck is made anew of the discard pile (A18)."""
        if not self.deck and self.discard:
            self.reshuffle()
        if not self.deck:
            return
        told = {**self.where, "seat": seat}
        card = self.take("chance", "draw", told, "card")["card"]
        if card not in self.deck:
            self.foul(f"draw.card {card!r} is not in the deck")
        self.deck.remove(card)
        self.hands[seat].append(card)

    # The ends of the phases (rules 4.3, 3 and 5; 4.4).

    def evaluate(self, contenders: Collection[int]) -> None:
        seats = range(self.players)
        reach = seats if self.rules["greater_evil"] == "all" else contenders
        effects = [self.effects_on(seat) for seat in seats]
        self.raw_electability = [self.raw(seat, "electability") for seat in seats]
        raw = [self.raw(seat, "affiliation") for seat in seats]
        self.affiliation = affiliations(raw, effects, reach)
        self.electability = electabilities(
            self.raw_electability, self.affiliation, effects, self.rules
        )

    def end_primary(self) -> None:
        """The two highest totals are Candidates (A4)."""
        self.evaluate(contenders=())
        pairs = zip(self.electability, self.affiliation, strict=True)
        totals = [electability + affiliation for electability, affiliation in pairs]
        how = self.rules["primary_tie"]
        sure, tied = primary_places(totals, self.electability, how)
        self.candidates = sorted(sure + self.draw_lots(tied, 2 - len(sure)))
        told = {"affiliation": self.affiliation, "candidates": self.candidates}
        event = self.take("outcome", "primary", told, "electability", "totals")
        self.worth("primary.electability", event["electability"], self.electability)
        self.worth("primary.totals", event["totals"], totals)

    def draw_lots(self, tied: list[int], places: int) -> list[int]:
        """Those of the seats tied who become Candidates by chance."""
        if not tied:
            return []
        told = {"phase": "primary", "seats": tied}
        chosen = self.take("chance", "tie", told, "chosen")["chosen"]
        among = isinstance(chosen, list) and chosen == [s for s in tied if s in chosen]
        if not among or len(chosen) != places or {*map(type, chosen)} != {int}:
            self.foul(f"tie.chosen {chosen!r} is not {places} of {tied}, ascending")
        return list(chosen)

    def end_general(self) -> None:
        """The highest positive total is President, or a Spoiler wins (4.3.5)."""
        others = [s for s in range(self.players) if s not in self.candidates]
        highlanders = [s for s in others if self.can(s, "stays")]
        contenders = sorted(self.candidates + highlanders)
        self.evaluate(contenders)
        necromancers = [s for s in contenders if self.can(s, "necromancy")]
        totals = general_totals(
            self.electability,
            self.affiliation,
            contenders,
            {seat: self.raise_dead(seat, contenders) for seat in necromancers},
        )
        told = {"affiliation": self.affiliation, "contenders": contenders}
        event = self.take("outcome", "general", told, "electability", "totals")
        self.worth("general.electability", event["electability"], self.electability)
        self.worth("general.totals", event["totals"], totals)
        if not self.rules["highlander_fallback"]:
            others = [s for s in others if s not in highlanders]
        self.by, self.winners = elected(
            totals, self.electability, self.raw_electability, others, self.rules
        )

    def raise_dead(self, seat: int, contenders: Sequence[int]) -> int:
        """Whose Affiliation this Necromancer takes (A12)."""
        how = self.rules["necromancer_target"]
        if self.can(seat, "independent"):
            return seat
        if how == "chosen" and len(contenders) > 2:
            others = [other for other in contenders if other != seat]
            told = {"phase": self.phase, "seat": seat}
            return int(self.choose_any("necromancer", seat, others, told))
        return raised(seat, self.affiliation, contenders, how)


def _whole(number: object) -> object:
    """A whole number written as 2.0 is 2."""
    if isinstance(number, float) and number.is_integer():
        return int(number)
    return number


def _style_row(row: object) -> bool:
    """Tell whether this is a row of the table of Styles."""
    if not isinstance(row, Mapping) or set(row) != {"id", "effects"}:
        return False
    return isinstance(row["id"], str) and are_strings(row["effects"])

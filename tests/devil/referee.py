"""A referee for Devil: replay a transcript from the rules alone, call every foul.

Slow and plain on purpose, to be read beside the rulebook. "Rules 2.3" is a section of
the worked-out rules (`devil.md`), D1 to D14 its ambiguities (2.6), "text" the published
rule text. A card is its id, a hand is a list, the draw pile a set of cards of which any
may come next. Nothing here knows how the simulator works.

What the rules leave open, or a transcript cannot show, is read so:

* `first_card_effect` (D3): the seat left of the dealer is skipped for a 10, draws and
  is skipped for a Special, all that in a turn 0. Nobody is asked to end the round:
  that is for who discards a Special ("if you discard it"), and nobody has.
* `first_oni = "end_round"` (D11): the dealer has ended the round, and deals again.
* `voluntary_draw` (D4): an option `draw` beside the cards, where a card can be drawn.
  Who draws is bound as if he had to draw: the card is played if it can be.
* `out_special_stacks` (D2): what declaring with that card would do to the opponents
  comes on top: a Special 1 costs them 8 times, a Special 4 twice or, with
  `s4_end = "all"` (D6), 4 times.
* `tie = "most_rounds_won"` (D5): rounds that ended by that seat; of seats equal in that
  too the win is shared. `by` is then `rounds`.
* `tie = "random"` (D5): a chance event `tie` tells who is tied (`seats`) and whom
  chance has `chosen` of them; `by` is `random`.
* `dealer_tie` (D9) shows in no transcript: each seat is as likely.
* An Onifuda may be flipped more than once: it went back into the draw pile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.games.referee import Event, Referee

RANKS = [str(rank) for rank in range(1, 11)]
SPECIALS = {"1S": "1", "4S": "4"}
"""The Special cards with their ranks (D7)."""

DRAWN = {"1S": 1, "4S": 2}
"""Cards that the next player draws where the round goes on (rules 2.3, 3)."""

DECKS: dict[str, tuple[str, dict[str, Any], int]] = {
    "base": (
        "base_deck",
        {
            "normal": [3, 4, 4, 3, 4, 4, 4, 4, 4, 4],
            "special1": 1,
            "special4": 1,
            "blank": 0,
            "onifuda": 0,
        },
        180,
    ),
    "440": (
        "ext_deck",
        {
            "normal": [8, 4, 4, 5, 4, 4, 4, 4, 4, 8],
            "special1": 2,
            "special4": 2,
            "blank": 2,
            "onifuda": 1,
        },
        440,
    ),
}
"""Per deck: the key of its table, the table (rules 2.1) and the least target (2.2)."""

NAMES = {"special1": "1S", "special4": "4S", "blank": "blank", "onifuda": "oni"}

VALUES: dict[str, Any] = {
    "hand": 4,
    "points": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "blank_points": 20,
    "onifuda_points": 20,
    "sums_ok": [5, 9],
    "guard": 20000,
}

OPTIONS: dict[str, tuple[object, ...]] = {
    "out_special_stacks": (False, True),
    "first_card_effect": (False, True),
    "voluntary_draw": (False, True),
    "tie": ("shared", "most_rounds_won", "random"),
    "s4_end": ("self_only", "all"),
    "dealer_tie": ("redraw", "special_lower"),
    "first_oni": ("reflip", "end_round"),
}
"""Rule options (rules 2.6) with the values they can take, the default first."""

PLAYERS = range(2, 9)


def in_force(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Every rule value: what is told, and the default of what is not."""
    key, table, target = DECKS.get(str(rules.get("deck", "base")), DECKS["base"])
    readings = {option: values[0] for option, values in OPTIONS.items()}
    plain = {"deck": "base", "target": target, **VALUES, key: table}
    return {**plain, **readings, **rules}


# Cards (rules 2.1, 2.5).


def deck(table: Mapping[str, Any]) -> Counter[str]:
    """How many there are of each card."""
    normal = zip(RANKS, table["normal"], strict=True)
    special = ((card, table[name]) for name, card in NAMES.items())
    return Counter({card: copies for card, copies in (*normal, *special) if copies})


def rank_of(card: str) -> int:
    """Rank of a card that has one."""
    return int(SPECIALS.get(card, card))


def playable(card: str, top: str, sums_ok: Sequence[int] = (5, 9)) -> bool:
    """Tell whether a card may be played on the top card (text "Gameplay", D12)."""
    if card == "oni":
        return True
    if "blank" in (card, top):
        return not {card, top} & SPECIALS.keys()
    return (rank_of(card) + rank_of(top)) % 10 in sums_ok


def points_of(card: str, rules: Mapping[str, Any]) -> int:
    """Points of a card in hand (D1, D10)."""
    others = {"blank": rules["blank_points"], "oni": rules["onifuda_points"]}
    return int(others[card] if card in others else rules["points"][rank_of(card) - 1])


def cost(hand: Sequence[str], rules: Mapping[str, Any]) -> int:
    """Points of a hand, doubled for every Special card in it (text "Other Rules")."""
    doublings = sum(card in SPECIALS for card in hand)
    return int(sum(points_of(card, rules) for card in hand) * 2**doublings)


def factors(by: str, card: str, rules: Mapping[str, Any]) -> tuple[int, int]:
    """How often the cost of a hand counts: the ender's own, everybody else's (2.5)."""
    declared = {"1S": (2, 2), "4S": (2, 2 if rules["s4_end"] == "all" else 1)}
    if by == "oni":
        return 2, 2
    if by == "end":
        return declared[card]
    out = {"1S": 4, "4S": 2}.get(card, 1)
    if rules["out_special_stacks"] and card in declared:
        out *= declared[card][1]
    return 0, out


class _Game(Referee):
    """One game as the transcript tells it so far, one method per paragraph."""

    game_id = "devil"
    numbers_of_players = PLAYERS

    def replay(self) -> None:
        """Follow the course of a game (rules 2.3)."""
        self.set_up()
        self.round = 0
        whole = True
        while whole and max(self.scores) < self.rules["target"]:
            self.round += 1
            whole = self.play_round()
        self.place = ""
        self.end(whole=whole)
        self.finish()

    def play_round(self) -> bool:
        """Follow the course of a round; tell whether it was played to its end."""
        self.at(0)
        self.deal()
        over = self.first_card()
        while not over:
            self.at(self.turn + 1)
            over = self.take_turn()
            if not over and self.turn == self.rules["guard"]:
                return False
        return True

    def at(self, turn: int) -> None:
        self.turn = turn
        self.where = {"round": self.round, "turn": turn}
        self.place = f"round {self.round}, turn {turn}: "

    def after(self, seat: int, steps: int = 1) -> int:
        """Seat so many steps clockwise of another."""
        return (seat + steps) % self.players

    # Setup (rules 2.2).

    def set_up(self) -> None:
        self.read_rules(self.take_setup())
        self.dealer = self.take_seat("dealer")
        self.scores = [0] * self.players
        self.won = [0] * self.players

    def read_rules(self, rules: Mapping[str, Any]) -> None:
        """Read the rule values in force; what is absent has its default."""
        if repr(rules.get("deck", "base")) not in map(repr, DECKS):
            self.foul(f"setup.rules.deck {rules['deck']!r} is none of {[*DECKS]}")
        plain = in_force({"deck": rules.get("deck", "base")})
        if extra := sorted(set(rules) - set(plain)):
            self.foul(f"setup.rules: {extra} are no rule values in force")
        self.rules = in_force(rules)
        self.check_options(OPTIONS)
        self.check_kinds({k: v for k, v in plain.items() if k not in OPTIONS})
        key = DECKS[self.rules["deck"]][0]
        table = self.rules[key]
        for name, by_rank in (("points", self.rules["points"]), (key, table["normal"])):
            if len(by_rank) != len(RANKS):
                self.foul(f"setup.rules.{name} {by_rank}: not one number per rank")
        self.deck = deck(table)
        self.check_rules()

    def check_rules(self) -> None:
        """Demand numbers with which a game can be played."""
        for key in ("hand", "target", "guard"):
            if self.rules[key] < 1:
                self.foul(f"setup.rules.{key} {self.rules[key]} is not from 1")
        if any(digit > 9 for digit in self.rules["sums_ok"]):
            self.foul("setup.rules.sums_ok: not a list of ones digits")
        if self.rules["hand"] * self.players >= self.deck.total():
            self.foul("setup.rules.hand: the deck has not that many cards")

    # The start of a round (rules 2.2, 3).

    def deal(self) -> None:
        """Deal to each; the dealer is the first one, later who won the last round."""
        told = {"round": self.round, "dealer": self.dealer}
        hands = self.take("chance", "deal", told, "hands")["hands"]
        self.deal_out(hands, self.deck, self.rules["hand"])
        self.pile = self.deck - sum(map(Counter, self.hands), Counter[str]())
        self.discards: list[str] = []

    def first_card(self) -> bool:
        """Flip the first card of the discard pile; tell whether the round is over."""
        card = self.flip()
        while card == "oni" and self.rules["first_oni"] == "reflip":
            card = self.flip()
        self.pile[card] -= 1
        self.discards.append(card)
        self.next = self.after(self.dealer)
        if card == "oni":
            return self.end_round(self.dealer, "oni")
        if self.rules["first_card_effect"]:
            self.go_on(self.dealer, card)
        return False

    def flip(self) -> str:
        return self.drawn(self.take("chance", "flip", {"round": self.round}, "card"))

    def drawn(self, event: Event) -> str:
        """Card of an event that comes from the draw pile."""
        card = event["card"]
        if not isinstance(card, str) or self.pile[card] < 1:
            self.foul(f"{event['name']}.card: there is no {card!r} in the draw pile")
        return card

    # Turns (rules 2.3, 2 to 4).

    def take_turn(self) -> bool:
        """Play a card, or draw one; tell whether the round is over."""
        seat = self.next
        self.next = self.after(seat)
        options = {card for card in self.hands[seat] if self.fits(card)}
        if options and self.rules["voluntary_draw"] and self.can_draw():
            options.add("draw")
        chosen = self.choose("play", seat, options) if options else "draw"
        if chosen == "draw":
            card = self.draw("draw", seat)
            if card is None or not self.fits(card):
                return False
            chosen = self.choose("play", seat, [card])
        self.hands[seat].remove(chosen)
        self.discards.append(chosen)
        return self.resolve(seat, chosen)

    def fits(self, card: str) -> bool:
        return playable(card, self.discards[-1], self.rules["sums_ok"])

    def can_draw(self) -> bool:
        return self.pile.total() > 0 or len(self.discards) > 1

    def draw(self, name: str, seat: int) -> str | None:
        """Draw a card, after a reshuffle if it is needed (D8)."""
        if not self.can_draw():
            return None
        if not self.pile.total():
            told = {**self.where, "cards": len(self.discards) - 1}
            self.take("chance", "reshuffle", told)
            self.pile = Counter(self.discards[:-1])
            del self.discards[:-1]
        card = self.drawn(
            self.take("chance", name, {**self.where, "seat": seat}, "card")
        )
        self.pile[card] -= 1
        self.hands[seat].append(card)
        return card

    def resolve(self, seat: int, card: str) -> bool:
        """Do what a card does that was played; tell whether the round is over."""
        if card == "oni":
            return self.end_round(seat, "oni")  # also as the last card (D13)
        if not self.hands[seat]:
            return self.end_round(seat, "out")
        return self.effect(seat, card)

    def effect(self, seat: int, card: str) -> bool:
        """Special cards may end the round."""
        options = ["continue", "end"]
        if card in SPECIALS and self.choose("declare", seat, options) == "end":
            return self.end_round(seat, "end")
        self.go_on(seat, card)
        return False

    def go_on(self, seat: int, card: str) -> None:
        """After a Special the next player draws; that and a 10 skip him."""
        for _ in range(DRAWN.get(card, 0)):
            self.draw("penalty", self.after(seat))
        if card in SPECIALS or card == "10":
            self.take("outcome", "skip", {**self.where, "seat": self.after(seat)})
            self.next = self.after(seat, 2)

    # Scoring and the end (rules 2.5; 2.3, 5 and 6).

    def end_round(self, winner: int, by: str) -> bool:
        """Add the costs of the hands; whoever ended the round deals the next."""
        own, other = factors(by, self.discards[-1], self.rules)
        added = [
            cost(hand, self.rules) * (own if seat == winner else other)
            for seat, hand in enumerate(self.hands)
        ]
        pairs = zip(self.scores, added, strict=True)
        self.scores = [score + more for score, more in pairs]
        told = {"winner": winner, "by": by, "added": added, "scores": self.scores}
        self.take("outcome", "round", {"round": self.round, **told})
        self.won[winner] += 1
        self.dealer = winner
        return True

    def end(self, *, whole: bool) -> None:
        """The least total wins; nobody does where the guard breaks a round off."""
        best = [s for s in range(self.players) if self.scores[s] == min(self.scores)]
        by = "points" if len(best) == 1 else "shared"
        if not whole:
            best, by = [], "guard"
        elif len(best) > 1 and self.rules["tie"] == "most_rounds_won":
            most = max(self.won[seat] for seat in best)
            best = [seat for seat in best if self.won[seat] == most]
            by = "rounds" if len(best) == 1 else "shared"
        elif len(best) > 1 and self.rules["tie"] == "random":
            best, by = self.toss(best), "random"
        winner = best[0] if len(best) == 1 else None
        told = {"winner": winner, "by": by, "winners": best, "scores": self.scores}
        self.take("result", "devil", told)

    def toss(self, best: Sequence[int]) -> list[int]:
        """Chance decides who of those that tie has won (D5)."""
        event = self.take("chance", "tie", {"seats": best}, "chosen")
        if repr(event["chosen"]) not in map(repr, ([seat] for seat in best)):
            self.foul(f"tie.chosen: {event['chosen']!r} is not one of {best}")
        return list(event["chosen"])


check, check_stream = _Game.check, _Game.check_stream

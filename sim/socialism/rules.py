"""The parameters of Socialism, each with its range, default and source.

Sources: "text" is the rule text, with the paragraph; S1 to S19 are the readings of
what the text leaves open.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from sim.parameters import RuleError, no_such, parameter
from sim.parameters.decks import DeckRules
from sim.socialism.cards import ACTIONS, Action, User, printed_cards

_MOST_BITS = 63  # a set of cards, and the option to do nothing, fit in 64 bits
_TABLES = ("users", "actions")


class Socialism(DeckRules):
    """The rules of Socialism."""

    deck: Literal["printed", "custom"] = parameter(
        "printed",
        "the deck: as printed, or with Users or Actions that were changed",
        source="text, Cards",
    )
    users: tuple[User, ...] = parameter(
        printed_cards()[0],
        "the Users: copies, and what their texts do",
        source="text, Users",
    )
    actions: tuple[Action, ...] = parameter(
        printed_cards()[1], "copies of each Action", source="text, Actions"
    )
    tokens: int = parameter(
        15,
        "tokens of each player; who has placed them all wins",
        unit="tokens",
        source="text, You'll need; S1: its paragraph Winning says twenty",
        ge=1,
        le=60,
    )
    hand: int = parameter(
        3, "cards dealt to a player", unit="cards", source="text, To play", ge=1, le=20
    )
    guard: int = parameter(
        2000,
        "turns after which a game is broken off, and nobody wins",
        unit="turns",
        source="S19",
        ge=1,
        le=8000,
    )
    invite_mode: Literal["one", "each_once"] = parameter(
        "one",
        "ways to invite in a turn: one of them, or each of them once (spam, "
        "auto, and a Member who invites or blocks)",
        source="S2",
    )
    must_play: bool = parameter(True, "a card has to be played each turn", source="S3")
    viral: Literal["owner", "every_turn"] = parameter(
        "owner",
        "a Viral Post moves at the start of its owner's turns, or of all",
        source="S4",
    )
    viral_move: Literal["adjacent", "any"] = parameter(
        "adjacent",
        "where a Viral Post moves: to a User beside it, or to any User",
        source="S5",
    )
    joins_respect_never: bool = parameter(
        False,
        "who never accepts personal invitations does not join by Stellar "
        "Status, who never accepts spam does not by the IPO",
        source="S6",
    )
    newfeature_beats_never: bool = parameter(
        False, "with a New feature, who never accepts does on a 1", source="S7"
    )
    split_blocks_spam: bool = parameter(
        False,
        "where the board is in parts, spam reaches only those in which the sender "
        "has a Member",
        source="S9",
    )
    sherman_users: bool = parameter(
        True, "a Sherman Act may cancel a User, too", source="S13"
    )
    smtp_blocks_espionage: bool = parameter(
        True, "an SMTP Block List stops Industrial Espionage, too", source="S14"
    )

    @staticmethod
    def printed_tables(deck: str) -> Mapping[str, Any]:
        """The Users and Actions of the printed deck."""
        return (
            dict(zip(_TABLES, printed_cards(), strict=True))
            if deck == "printed"
            else {}
        )

    def problems(self) -> Iterator[str]:
        """Contradictions between values, in words."""
        yield from super().problems()
        for key in _TABLES:
            ids = [row.id for row in getattr(self, key)]
            for one in sorted({one for one in ids if ids.count(one) > 1}):
                yield f"{key}.{one}: two rows have this id."
        for row in self.actions:
            if row.id not in ACTIONS:
                yield f"actions: {no_such('Action', row.id, ACTIONS)}"
        for user in self.users:
            if user.id in ACTIONS:
                yield f"users.{user.id}: that is the id of an Action."
        members = sum(u.copies * (2 if u.trait == "two" else 1) for u in self.users)
        if self.tokens > members:
            yield (
                f"tokens: the deck has Users for a network of {members} Members, so "
                f"{members} tokens at most, not {self.tokens}."
            )
        bits = members + sum(card.copies for card in self.actions)
        if bits > _MOST_BITS:
            yield (
                f"users, actions: at most {_MOST_BITS} cards in all (a User of trait "
                f"'two' counts twice), not {bits}."
            )

    def plain_with(self, players: int) -> dict[str, Any]:
        """Every rule value in force; the cards by id."""
        values = super().plain_with(players)
        values["users"] = {row.pop("id"): row for row in values["users"]}
        values["actions"] = {row["id"]: row["copies"] for row in values["actions"]}
        return values

    def check(self, players: int) -> None:
        """Refuse a number of players that is not allowed; raises ``RuleError``."""
        size = sum(user.copies for user in self.users)
        size += sum(action.copies for action in self.actions)
        if self.hand * players > size:
            raise RuleError(
                f"hand: of {size} cards {players} players can be dealt at most "
                f"{size // players} each, not {self.hand}."
            )

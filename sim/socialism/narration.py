"""Narration of Socialism: its games in sentences."""

from collections.abc import Sequence
from typing import Any, ClassVar

from sim.narration import TURNS, Event, Narrator
from sim.narration_words import title_case

_UNTOLD = (
    "deal draw beside inviter invited user member friend lost victim colour viral "
    "manage stays copy front trial"
)
_WORDS = {"omg": "OMG", "smtp": "SMTP", "ipo": "IPO", "fa3ryally": "Fa3ryAlly"}


def title(name: str) -> str:
    """A card as it is called."""
    return "A/S/L?" if name == "a-s-l" else title_case(name, _WORDS)


class SocialismNarrator(Narrator):
    """One line per turn: the card, whom it brings, who is invited, and who joins."""

    says: ClassVar = {
        **dict.fromkeys(_UNTOLD.split(), ""),
        "start": "{seat} begins.",
        "reshuffle": "The discard pile becomes the draw pile.",
    }
    keeps = ("joins", "leaves")
    reads = ("seat", "supply", "turn")
    stands_by = "score"
    ends: ClassVar = {
        "tokens": "with the last token placed",
        "guard": "the game was broken off",
    }

    def begin(self) -> None:
        """Start with all tokens to place, and an empty board."""
        self.supply: list[float] = [self.rules["tokens"]] * self.players
        self.board: dict[tuple[int, int], str] = {}
        self.card = self.rolled = ""

    def follow(self, event: Event) -> None:
        """Remember the turn."""
        super().follow(event)
        self.turn = event.get("turn", 0)

    def standing(self, event: Event) -> Sequence[float]:
        """The tokens that each seat still has to place."""
        self.supply[event["seat"]] = event["supply"]
        return list(self.supply)

    def who(self, place: Any) -> str:
        """The User who lies at a place."""
        if place is None:
            return "nobody"
        name = self.board.get(tuple(place[:2]), str(tuple(place[:2])))
        return f"{name} ({place[2]})" if len(place) > 2 else name

    def on_play(self, event: Event) -> None:
        """Tell of the card played."""
        self.chapter(TURNS, "each has to place all tokens")
        self.beat(f"turn {event['turn']}")
        self.card = event["chosen"]
        if self.card != "none":
            self.say(f"{self.name(event['seat'])} plays {title(self.card)}")

    def on_cell(self, event: Event) -> None:
        """Remember where a User is placed."""
        x, y = event["chosen"]
        self.board[x, y] = title(self.card)

    def on_sherman(self, event: Event) -> None:
        """Tell of a Sherman Act, if any."""
        if event["chosen"] != "pass":
            self.then(f", which {self.name(event['seat'])} cancels with a Sherman Act")

    def on_invite(self, event: Event) -> None:
        """Tell how Users are invited."""
        ways = {
            "auto": "The new User is invited and comes",
            "spam": "Spam",
            "personal": "Personal invitations",
        }
        if event["chosen"] != "none":
            self.say(ways.get(event["chosen"], title(event["chosen"])))

    def on_network(self, event: Event) -> None:
        """Tell whose Members are spammed."""
        self.then(f" against {self.name(int(event['chosen']))}'s network")

    def on_roll(self, event: Event) -> None:
        """Tell of a die."""
        self.rolled = self.who(event["target"])
        self._comma(f"{self.rolled} rolls {event['die']}")

    def on_joins(self, event: Event) -> None:
        """Tell of a token placed."""
        self.turn = event["turn"]
        user, who = self.who(event["user"]), self.name(event["seat"])
        if self.rolled == user:
            self.then(" and joins")
        elif event["via"] == "viral-post":
            self.beat(f"turn {self.turn}")
            self.say(f"By the Viral Post {user} joins {who}")
        elif event["via"] != "auto":
            self._comma(f"{user} joins {who}")
        self.rolled = ""

    def on_leaves(self, event: Event) -> None:
        """Tell of a token removed."""
        self._comma(f"{self.who(event['user'])} leaves {self.name(event['seat'])}")

    def on_gone(self, event: Event) -> None:
        """Tell of a User who leaves the board."""
        back = " (back to the hand)" if event["to"] == "hand" else ""
        self._comma(f"{self.who(event['cell'])} is off the board{back}")

    def on_dropped(self, event: Event) -> None:
        """Tell of an Action that leaves play."""
        self._comma(f"{self.name(event['seat'])}'s {title(event['card'])} leaves play")

    def _comma(self, words: str) -> None:
        """Add an item to what a card or an invitation brings."""
        self.beat(f"turn {self.turn}")
        line = self._line().text
        sort = line.rpartition(". ")[2]
        self.then(f"{',' if ':' in sort else ':' if line else ''} {words}")

"""Narration of Kunitame: its games in sentences."""

from collections.abc import Sequence
from typing import ClassVar

from sim.narration import Event, Narrator
from sim.narration_words import join_words


class KunitameNarrator(Narrator):
    """One line per trick: the cards in order, the gem won, and what was staked."""

    says: ClassVar = dict.fromkeys(("dealer", "claim", "bonus", "return"), "")
    keeps = ("gem", "week")
    reads = ("seat", "value", "points", "lives")
    ends: ClassVar = {
        "points": "on points",
        "lives": "on Life gems, equal on points",
        "draw": "by a drawn card, equal on points and Life gems",
        "none": "all are eliminated",
    }

    def begin(self) -> None:
        """Start with no points."""
        self.points: list[float | None] = [0] * self.players
        self.lives: Sequence[int] = [self.rules["life"]] * self.players

    def standing(self, event: Event) -> Sequence[float | None]:
        """Points; players without a Life gem are out."""
        if event["name"] == "gem":
            before = self.points[event["seat"]]
            self.points[event["seat"]] = (before or 0) + event["value"]
        else:
            pairs = zip(event["points"], event["lives"], strict=True)
            self.points = [points if lives else None for points, lives in pairs]
        return list(self.points)

    def on_deal(self, event: Event) -> None:
        """Open the chapter of a week."""
        lives = self.by_name(self.lives)
        dealer = self.name(event["dealer"])
        self.chapter(f"week {event['week']}", f"{dealer} deals; Life gems {lives}")
        self.tricks = [0] * self.players
        self.stakes: list[dict[int, int]] = [{} for _ in range(self.players)]

    def on_contract(self, event: Event) -> None:
        """Tell of Life gems staked on a number of tricks."""
        self.beat("contracts")
        who, chosen = event["seat"], event["chosen"]
        self.stakes[who] = {int(target): gems for target, gems in chosen.items()}
        for target, gems in self.stakes[who].items():
            self.also_of(who, f"{gems} on exactly {target}")

    def on_cancel(self, event: Event) -> None:
        """Tell of gems taken back because the Devil deck is empty."""
        self.say(f"{self.name(event['seat'])} takes {event['excess']} back")
        for target, gems in event["chosen"].items():
            self.stakes[event["seat"]][int(target)] -= gems

    def on_devil(self, event: Event) -> None:
        """Tell of a Devil card drawn for a gem staked."""
        self.beat("drawn")
        self.also_of(event["seat"], event["card"])

    def on_play(self, event: Event) -> None:
        """Tell of a card played to a trick."""
        if self._beat == "contracts" and not any(self.stakes):
            self.say("Nobody stakes a Life gem")
        self.beat(f"trick {event['round']}")
        self.also(f"{self.name(event['seat'])} {_card(event['chosen'])}")

    def on_trick(self, event: Event) -> None:
        """Tell who wins a trick, and what that means for a contract."""
        who = event["winner"]
        self.tricks[who] += 1
        won, staked = self.tricks[who], [t for t, g in self.stakes[who].items() if g]
        means = ""
        if won in staked:
            means = f" (trick {won}, as staked)"
        elif staked and won == max(staked) + 1:
            means = f" (trick {won}, one more than staked)"
        self.then(f": {self.name(who)} wins with {_card(event['card'])}{means}")

    def on_gem(self, event: Event) -> None:
        """Tell of a gem taken or returned."""
        value, square = event["value"], event["square"]
        if self._beat == "liquidation":
            took, gave = f"takes {value} from", f"must put {-value} on"
            who = self.name(event["seat"])
            self.say(f"{who} {took if value > 0 else gave} {square}")
        elif value > 0:
            self.then(f" and takes {value} from {square}")
        else:
            self.then(f", finds no gem, and must put {-value} on {square}")

    def on_contracts(self, event: Event) -> None:
        """Tell which contracts were kept."""
        self.beat("liquidation")
        self.say(f"Tricks {self.by_name(event['tricks'])}")
        self.lives = event["lives"]
        for seat, stakes in enumerate(self.stakes):
            if any(stakes.values()):
                staked = join_words([str(target) for target in stakes])
                lost = event["lost"][seat]
                gems = f"Life gem{'s' * (lost != 1)}"
                means = f"loses {lost} {gems}" if lost else "keeps the stake"
                out = " and is eliminated" if not self.lives[seat] else ""
                self.say(f"{self.name(seat)}, who staked on {staked}, {means}{out}")

    def on_week(self, event: Event) -> None:
        """Say nothing: the events before have told it all."""

    def on_tie(self, event: Event) -> None:
        """Tell of cards drawn to break a tie."""
        self.beat("tie")
        for seat, card in event["cards"].items():
            self.also_of(int(seat), f"draws {card}")


def _card(name: str) -> str:
    """A card as players call it."""
    return {"P": "Priest"}.get(name, name)

"""The knobs of Kunitame, each with its range, default and source.

Sources: "text" is the rule text "Variant Rules vol 1" by 138games, with the
paragraph; K1 to K8 are the readings of what the text leaves open.
"""

from typing import Literal, Self

from pydantic import model_validator

from sim.knobs import RuleError, Rules, knob
from sim.kunitame.limits import problems, problems_at
from sim.kunitame.squares import Square, default_squares


class Kunitame(Rules):
    """The rules of Kunitame."""

    weeks: int = knob(
        4, "election weeks in a game", unit="weeks", source="text, outline", ge=1, le=12
    )
    hand: int = knob(
        7, "Strength cards dealt to a player each week", unit="cards",
        source="text, 1A", ge=1, le=20,
    )  # fmt: skip
    rounds: int = knob(
        7, "tricks in a week", unit="tricks", source="text, 4", ge=1, le=20
    )
    life: int = knob(
        3, "Life gems of a player at the start", unit="gems",
        source="text, setup 4", ge=1, le=12,
    )  # fmt: skip
    gems_each_colour: int = knob(
        15, "gems of each colour in the box", unit="gems", source="text, components",
        ge=1, le=99,
    )  # fmt: skip
    suits: tuple[str, ...] = knob(
        ("blue", "red", "yellow"), "suits of the Ability cards",
        source="text, pledge list",
    )  # fmt: skip
    ranks: int = knob(
        13, "Ability cards in a suit: 1 to this", unit="cards",
        source="text, components", ge=1, le=60,
    )  # fmt: skip
    devil_ranks: int = knob(
        13, "Devil cards: 1 to this", unit="cards", source="text, components",
        ge=0, le=60,
    )  # fmt: skip
    priests_per_player: int = knob(
        1, "Priest cards in the Strength deck for each player", unit="cards",
        source="text, setup 7", ge=0, le=5,
    )  # fmt: skip
    contract_squares: tuple[int, ...] = knob(
        (1, 2, 3, 4, 5), "the squares of a contract card: exactly so many tricks",
        unit="tricks", source="text, contract cards",
    )  # fmt: skip
    contract_returns: tuple[int, ...] = knob(
        (1, 1, 1, 1, 1), "Life gems that come back for each gem on a kept contract, "
        "by contract square", unit="gems", source="text, contract cards",
    )  # fmt: skip
    contract_points: tuple[int, ...] = knob(
        (0, 0, 0, 0, 0), "1-point gems paid for each gem on a kept contract, "
        "by contract square", unit="gems", source="text (none are paid)",
    )  # fmt: skip
    contract_limit: int = knob(
        12, "most Life gems that a player may stake in one week", unit="gems",
        source="text (no limit but the Life gems)", ge=0, le=64,
    )  # fmt: skip
    squares: tuple[Square, ...] = knob(
        default_squares(), "the squares of the pledge cards", source="text, pledge list"
    )
    removed_pledge: str = knob(
        "P7", "the pledge card that goes back to the box, or none", source="K1",
        assumed="the card printed '4+' is taken to be P7, rank of trick count",
    )  # fmt: skip
    no_tricks_squares: Literal["inert", "return_target", "claimable_at_liquidation"] = (
        knob("inert", "what the No Tricks squares are for", source="K2")
    )
    zero_trick_liquidation: Literal["return", "exempt", "vacuous_true"] = knob(
        "return", "liquidation of a player without a trick", source="K3"
    )
    return_trigger: Literal["player", "board_empty"] = knob(
        "player", "a gem goes back where the player, or nobody, could win one",
        source="K4",
    )  # fmt: skip
    liquidation_take: Literal["may", "must"] = knob(
        "may", "a gem that can be won at liquidation may be declined", source="K5"
    )
    trick_take: Literal["must", "may"] = knob(
        "must", "a gem that a trick wins has to be taken", source="K6"
    )
    refill_weekly: bool = knob(
        False, "vacant squares get their gem again each week", source="K7"
    )
    p7_rank: Literal["distinct", "players"] = knob(
        "distinct", "ranks are counted over distinct trick counts, or over players",
        source="K8",
    )  # fmt: skip
    return_choice: Literal["player", "black-first"] = knob(
        "player", "who chooses between the two black squares", source="K11"
    )
    all_eliminated: Literal["nobody", "points"] = knob(
        "nobody", "who wins where everyone is eliminated", source="text, Game Over"
    )

    @property
    def in_play(self) -> tuple[Square, ...]:
        """The squares of the pledge cards that are not removed."""
        return tuple(s for s in self.squares if s.pledge != self.removed_pledge)

    @property
    def pledges(self) -> tuple[str, ...]:
        """The pledge cards in play, in the order of the table."""
        return tuple(dict.fromkeys(square.pledge for square in self.in_play))

    @property
    def no_tricks(self) -> tuple[str, ...]:
        """The ids of the No Tricks squares, where they matter."""
        if self.no_tricks_squares == "inert":
            return ()
        return tuple(f"no-tricks-{pledge}" for pledge in self.pledges)

    @model_validator(mode="after")
    def _together(self) -> Self:
        """Refuse values that do not fit together, whatever the number of players."""
        for problem in problems(self):
            raise ValueError(problem)
        return self

    def check(self, players: int) -> None:
        """Refuse what cannot be played with this many; raises ``RuleError``."""
        for problem in problems_at(self, players):
            raise RuleError(problem)

    def shortages(self, players: int) -> list[str]:
        """Gems that this game needs beyond those in the box, in words."""
        values = [square.gem for square in self.in_play]
        needs = {
            "Life gems": self.life * players,
            "1-point gems": values.count(1),
            "3-point gems": values.count(3),
        }
        box = self.gems_each_colour
        return [
            f"{need} {gem} are needed, the box holds {box}"
            for gem, need in needs.items()
            if need > box
        ]

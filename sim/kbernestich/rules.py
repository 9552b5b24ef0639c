"""The knobs of Kbernestich, each with its range, default and source.

Sources: "text" is the rule text of the first edition, with the chapter; B1 to B20
are the readings of what the text leaves open.
"""

from typing import Literal, Self

from pydantic import model_validator

from sim.kbernestich.limits import problems, problems_at
from sim.kbernestich.sheet import Action, ByPlayers, printed
from sim.knobs import RuleError, Rules, knob

_NO_PICTURE = "no picture of the plot sheet could be had"


class Kbernestich(Rules):
    """The rules of Kbernestich."""

    rounds: int = knob(
        4, "rounds in a game; 6 or 8 is the Long Road", unit="rounds",
        source="text, Game Flow; variant The Long Road", ge=1, le=12,
    )  # fmt: skip
    tricks: int = knob(
        11, "tricks in a round, and cards dealt to a player; the rest is set aside",
        unit="tricks", source="text, setup 5", ge=1, le=16,
    )  # fmt: skip
    plot_before_tricks: int = knob(
        4, "how many of the first tricks follow a plot phase", unit="tricks",
        source="text, Game Flow", ge=0, le=16,
    )  # fmt: skip
    cubes: int = knob(
        5, "a player's cubes: those of the start, and the most ever held",
        unit="cubes", source="text, components; B16", ge=0, le=9,
    )  # fmt: skip
    cubes_per_turn: int = knob(
        2, "most cubes that a player places in a plot turn", unit="cubes",
        source="text, Game Flow; B1", ge=1, le=5,
    )  # fmt: skip
    refill: tuple[tuple[int, int, int], ...] = knob(
        ((0, 25, 5), (26, 40, 4), (41, 9999, 3)),
        "cubes received after a round: score from, score to, cubes", unit="cubes",
        source="text, Upkeep",
    )  # fmt: skip
    bust_default: int = knob(
        24, "bust value without a cube in Zabine's Aftermath", unit="points",
        source="text, Zabine's Aftermath", ge=0, le=99,
    )  # fmt: skip
    hunch_points: int = knob(
        6, "points for a bid that comes true", unit="points",
        source="text, Calculation of Victory Points", ge=0, le=50,
    )  # fmt: skip
    misery_bonus_divisor: int = knob(
        2, "a bid of 0 that comes true also earns the bust value divided by this",
        source="text, Calculation of Victory Points; B10 (rounded down)", ge=1, le=99,
    )  # fmt: skip
    marie_from: tuple[int, ...] = knob(
        printed("marie_from"), "Letter from Marie: points a card, a square of each for "
        "every colour", unit="points", source="text and its example",
        assumed=f"0, 1 and 2 occur in the text, 3 does not: {_NO_PICTURE}",
    )  # fmt: skip
    zabine: tuple[int, ...] = knob(
        printed("zabine"), "Zabine's Aftermath: bust values on offer", unit="points",
        source="text and its example",
        assumed=f"22 occurs in the text, the others do not: {_NO_PICTURE}",
    )  # fmt: skip
    hunch: tuple[str, ...] = knob(
        printed("hunch"), "Hunch of Growth: bids on offer; a final + is 'or more'",
        unit="tricks", source="text and its example",
        assumed=f"0, 3, 4 and 5+ occur in the text, 1 and 2 do not: {_NO_PICTURE}",
    )  # fmt: skip
    actions: tuple[Action, ...] = knob(
        printed("actions"), "Action squares", source="text, Regarding Actions"
    )
    by_players: tuple[ByPlayers, ...] = knob(
        printed("by_players"), "by the number of players: scores at the start, squares "
        "of Hannah's Grace, and of Letter to Marie (points of each)",
        source="text, setup 4 and Changes for 3 Players",
        assumed="marie_to has the squares that the example uses, fewer with 3 players: "
        f"{_NO_PICTURE}",
    )  # fmt: skip
    two_on_one_square: bool = knob(
        False, "both cubes of a plot turn may go to one square", source="B1"
    )
    hunch_exclusive: bool = knob(
        True, "a bid can be made by one player only", source="B2"
    )
    incubation_lead: bool = knob(
        True, "a face-down card may be led; the next one face up sets the suit",
        source="B4",
    )  # fmt: skip
    observe_twice_same_trick: bool = knob(
        False, "Observation may be used twice in one trick", source="B5"
    )
    low_tie: Literal["top", "bottom", "random"] = knob(
        "top", "of equal lowest scores, whose disc of the stack starts", source="B8"
    )
    final_tie: Literal["bottom", "shared"] = knob(
        "bottom", "of equal highest scores, the bottom of the stack wins, or nobody "
        "alone", source="B9",
    )  # fmt: skip
    score_order: Literal["player", "area"] = knob(
        "player", "each player scores all areas, or each area is scored by all",
        source="B11",
    )  # fmt: skip
    plot_pass: bool = knob(
        True, "a player may place fewer cubes than he could", source="B20"
    )
    marie_to_shared: bool = knob(
        False, "squares of Letter to Marie take any number of cubes",
        source="text, Letter to Marie ('unlimited')",
    )  # fmt: skip
    memories: bool = knob(
        False, "won cards are known to their winner only",
        source="variant Their Memories",
    )  # fmt: skip
    future_known: bool = knob(
        False, "before the first plot phase each may claim the right to set a colour",
        source="variant The Future We Knew in Advance",
    )  # fmt: skip

    def with_players(self, players: int) -> ByPlayers:
        """What is in force with so many players; ``check`` says if there is none."""
        return next(row for row in self.by_players if row.id == str(players))

    def refilled(self, score: int) -> int:
        """The cubes that a player with this score receives."""
        return next(
            (cubes for low, high, cubes in self.refill if low <= score <= high), 0
        )

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

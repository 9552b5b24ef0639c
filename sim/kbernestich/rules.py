"""The parameters of Kbernestich, each with its range, default and source.

Sources: "text" is the rule text of the first edition, with the chapter; B1 to B20
are readings of what the text leaves open.
"""

import re
from collections.abc import Iterator
from typing import Literal, Self

from pydantic import model_validator

from sim.kbernestich.sheet import Action, ByPlayers, printed_value
from sim.parameters import RuleError, Rules, parameter

_NO_PICTURE = "no picture of the plot sheet could be had"


RANKS, SUITS = 12, "BRYG"  # 2 to 12 and the icon; three players use no green
MOST_SQUARES = 60
_LOOKED_UP = 12  # most squares of an area: all their subsets are in a table
_MOST_TRICKS = 16
_LAST = 999  # a score that no game reaches


class Kbernestich(Rules):
    """The rules of Kbernestich."""

    rounds: int = parameter(
        4,
        "rounds in a game; 6 or 8 is the Long Road",
        unit="rounds",
        source="text, Game Flow; variant The Long Road",
        ge=1,
        le=12,
    )
    tricks: int = parameter(
        11,
        "tricks in a round, and cards dealt to a player; the rest is set aside",
        unit="tricks",
        source="text, setup 5",
        ge=1,
        le=16,
    )
    plot_before_tricks: int = parameter(
        4,
        "how many of the first tricks follow a plot phase",
        unit="tricks",
        source="text, Game Flow",
        ge=0,
        le=16,
    )
    cubes: int = parameter(
        5,
        "a player's cubes: those of the start, and the most ever held",
        unit="cubes",
        source="text, components; B16",
        ge=0,
        le=9,
    )
    cubes_per_turn: int = parameter(
        2,
        "most cubes that a player places in a plot turn",
        unit="cubes",
        source="text, Game Flow; B1",
        ge=1,
        le=5,
    )
    refill: tuple[tuple[int, int, int], ...] = parameter(
        ((0, 25, 5), (26, 40, 4), (41, 9999, 3)),
        "cubes received after a round: score from, score to, cubes",
        unit="cubes",
        items=("Refill row {}", "score from", "score to", "cubes"),
        source="text, Upkeep",
    )
    bust_default: int = parameter(
        24,
        "bust value without a cube in Zabine's Aftermath",
        unit="points",
        source="text, Zabine's Aftermath",
        ge=0,
        le=99,
    )
    hunch_points: int = parameter(
        6,
        "points for a bid that comes true",
        unit="points",
        source="text, Calculation of Victory Points",
        ge=0,
        le=50,
    )
    misery_bonus_divisor: int = parameter(
        2,
        "a bid of 0 that comes true also earns the bust value divided by this",
        source="text, Calculation of Victory Points; B10 (rounded down)",
        ge=1,
        le=99,
    )
    marie_from: tuple[int, ...] = parameter(
        printed_value("marie_from"),
        "Letter from Marie: points a card, a square of each for every colour",
        unit="points",
        items=("Letter from Marie, square no. {}", "points a card"),
        source="text and its example",
        assumed=f"0, 1 and 2 occur in the text, 3 does not: {_NO_PICTURE}",
    )
    zabine: tuple[int, ...] = parameter(
        printed_value("zabine"),
        "Zabine's Aftermath: bust values on offer",
        unit="points",
        items=("Zabine's Aftermath, square no. {}", "bust value"),
        source="text and its example",
        assumed=f"22 occurs in the text, the others do not: {_NO_PICTURE}",
    )
    hunch: tuple[str, ...] = parameter(
        printed_value("hunch"),
        "Hunch of Growth: bids on offer; a final + is 'or more'",
        unit="tricks",
        items=("Hunch of Growth, square no. {}", "bid"),
        source="text and its example",
        assumed=f"0, 3, 4 and 5+ occur in the text, 1 and 2 do not: {_NO_PICTURE}",
    )
    actions: tuple[Action, ...] = parameter(
        printed_value("actions"),
        "Action squares",
        items=("Action square no. {}", "action"),
        source="text, Regarding Actions",
    )
    by_players: tuple[ByPlayers, ...] = parameter(
        printed_value("by_players"),
        "by the number of players: scores at the start, squares "
        "of Hannah's Grace, and of Letter to Marie (points of each)",
        source="text, setup 4 and Changes for 3 Players",
        assumed="marie_to has the squares that the example uses, fewer with 3 players: "
        f"{_NO_PICTURE}",
    )
    two_on_one_square: bool = parameter(
        False, "both cubes of a plot turn may go to one square", source="B1"
    )
    hunch_exclusive: bool = parameter(
        True, "a bid can be made by one player only", source="B2"
    )
    incubation_lead: bool = parameter(
        True,
        "a face-down card may be led; the next one face up sets the suit",
        source="B4",
    )
    observe_twice_same_trick: bool = parameter(
        False, "Observation may be used twice in one trick", source="B5"
    )
    low_tie: Literal["top", "bottom", "random"] = parameter(
        "top", "of equal lowest scores, whose disc of the stack starts", source="B8"
    )
    final_tie: Literal["bottom", "shared"] = parameter(
        "bottom",
        "of equal highest scores, the bottom of the stack wins, or nobody alone",
        source="B9",
    )
    score_order: Literal["player", "area"] = parameter(
        "player",
        "each player scores all areas, or each area is scored by all",
        source="B11",
    )
    plot_pass: bool = parameter(
        True, "a player may place fewer cubes than allowed", source="B20"
    )
    marie_to_shared: bool = parameter(
        False,
        "squares of Letter to Marie take any number of cubes",
        source="text, Letter to Marie ('unlimited')",
    )
    memories: bool = parameter(
        False,
        "won cards are known to their winner only",
        source="variant Their Memories",
    )
    future_known: bool = parameter(
        False,
        "before the first plot phase each may claim the right to set a colour",
        source="variant The Future We Knew in Advance",
    )

    def with_players(self, players: int) -> ByPlayers:
        """The values for this number of players, which ``check`` has allowed."""
        return next(row for row in self.by_players if row.id == str(players))

    def refilled(self, score: int) -> int:
        """How many cubes a player with this score receives."""
        return next(
            (cubes for low, high, cubes in self.refill if low <= score <= high), 0
        )

    @model_validator(mode="after")
    def _together(self) -> Self:
        """Refuse values that contradict each other."""
        for problem in problems(self):
            raise ValueError(problem)
        return self

    def check(self, players: int) -> None:
        """Refuse a number of players that is not allowed; raises ``RuleError``."""
        for problem in problems_at(self, players):
            raise RuleError(problem)


def problems(rules: Kbernestich) -> Iterator[str]:
    """Contradictions between values, for any number of players."""
    if rules.plot_before_tricks > rules.tricks:
        yield (
            f"plot_before_tricks: at most the {rules.tricks} tricks of a round, not "
            f"{rules.plot_before_tricks}."
        )
    if rules.future_known and not rules.marie_from:
        yield "future_known: claims need a square in marie_from to be moved to."
    yield from _refill(rules)
    yield from _areas(rules)
    for row in rules.by_players:
        yield from _row(row)


def problems_at(rules: Kbernestich, players: int) -> Iterator[str]:
    """Why this number of players cannot play, in words."""
    row = next((row for row in rules.by_players if row.id == str(players)), None)
    if row is None:
        yield f"by_players: there is no row {str(players)!r}."
        return
    suits = suits_of(players)
    if rules.tricks * players > RANKS * len(suits):
        yield (
            f"tricks: {players} players have {RANKS * len(suits)} cards, so at most "
            f"{RANKS * len(suits) // players} tricks, not {rules.tricks}."
        )
    if len(row.start_scores) != players:
        yield (
            f"by_players.{players}.start_scores: one score for each of the {players} "
            f"players, not {len(row.start_scores)}."
        )
    squares = (
        len(suits) * len(rules.marie_from)
        + len(rules.zabine)
        + row.hannah
        + len(rules.hunch)
        + len(rules.actions)
        + len(row.marie_to)
    )
    if squares > MOST_SQUARES:
        yield (
            f"marie_from, zabine, hannah, hunch, actions, marie_to: {squares} squares "
            f"with {players} players; at most {MOST_SQUARES}."
        )


def suits_of(players: int) -> str:
    """The suits in play with this number of players."""
    return SUITS[:3] if players == 3 else SUITS


def _areas(rules: Kbernestich) -> Iterator[str]:
    for key in ("zabine", "hunch"):
        if len(getattr(rules, key)) > _LOOKED_UP:
            yield f"{key}: at most {_LOOKED_UP} squares."
    for key, most in (("marie_from", 9), ("zabine", 99)):
        values = getattr(rules, key)
        if len(set(values)) < len(values) or any(not 0 <= v <= most for v in values):
            yield f"{key}: different numbers, 0 to {most} each."
    for bid in rules.hunch:
        if not re.fullmatch(r"(0|[1-9]\d?)\+?", bid):
            yield f"hunch: {bid!r} is no bid; write a number, with a + for 'or more'."
        elif int(bid.removesuffix("+")) > _MOST_TRICKS:
            yield f"hunch: bids of at most {_MOST_TRICKS} tricks, not {bid!r}."
    for key in ("hunch", "actions"):
        values = getattr(rules, key)
        if len(set(values)) < len(values):
            yield f"{key}: each square once."


def _refill(rules: Kbernestich) -> Iterator[str]:
    expected = 0
    for low, high, cubes in rules.refill:
        if low != expected or high < low:
            yield f"refill: scores from {expected} up must come next, not {low}-{high}."
            return
        if not 0 <= cubes <= 9:
            yield f"refill: 0 to 9 cubes, not {cubes}."
        expected = high + 1
    if expected <= _LAST:
        yield f"refill: scores up to {_LAST} at least must be covered."


def _row(row: ByPlayers) -> Iterator[str]:
    place = f"by_players.{row.id}"
    if row.id not in {"3", "4"}:
        yield f"{place}: players are 3 or 4."
    if any(not 0 <= score <= 99 for score in row.start_scores):
        yield f"{place}.start_scores: 0 to 99 each."
    if not 0 <= row.hannah <= 4:
        yield f"{place}.hannah: 0 to 4 squares, not {row.hannah}."
    if any(not 0 <= value <= 9 for value in row.marie_to):
        yield f"{place}.marie_to: 0 to 9 points each."

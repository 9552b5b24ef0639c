"""Which rule values of Kbernestich fit together, and why others do not."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sim.kbernestich.sheet import ByPlayers

if TYPE_CHECKING:
    from sim.kbernestich.rules import Kbernestich

RANKS, SUITS = 12, "BRYG"  # 2 to 12 and the icon; three players use no green
MOST_SQUARES = 60
_LOOKED_UP = 12  # squares of an area, all subsets of which are in a table
_MOST_TRICKS = 16
_LAST = 999  # a score that no game reaches


def problems(rules: "Kbernestich") -> Iterator[str]:
    """What does not fit together, whatever the number of players."""
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


def problems_at(rules: "Kbernestich", players: int) -> Iterator[str]:
    """What cannot be played with this many players."""
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
        len(suits) * len(rules.marie_from) + len(rules.zabine) + row.hannah
        + len(rules.hunch) + len(rules.actions) + len(row.marie_to)
    )  # fmt: skip
    if squares > MOST_SQUARES:
        yield (
            f"marie_from, zabine, hannah, hunch, actions, marie_to: {squares} squares "
            f"with {players} players; at most {MOST_SQUARES}."
        )


def suits_of(players: int) -> str:
    """The suits that so many players use."""
    return SUITS[:3] if players == 3 else SUITS


def _areas(rules: "Kbernestich") -> Iterator[str]:
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


def _refill(rules: "Kbernestich") -> Iterator[str]:
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

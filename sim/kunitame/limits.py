"""Which rule values of Kunitame fit together, and why others do not."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sim.knobs import nearest, one_of
from sim.kunitame.squares import DEVIL, PRIEST, RANK_SQUARES, Square

if TYPE_CHECKING:
    from sim.kunitame.rules import Kunitame

MOST = 255  # Life gems, and points, of a player


def problems(rules: "Kunitame") -> Iterator[str]:
    """What does not fit together, whatever the number of players."""
    yield from _suits(rules)
    yield from _squares(rules)
    yield from _contracts(rules)
    yield from _sizes(rules)
    if rules.rounds > rules.hand:
        yield f"rounds: at most the hand of {rules.hand} cards, not {rules.rounds}."


def problems_at(rules: "Kunitame", players: int) -> Iterator[str]:
    """What cannot be played with this many players."""
    strength = len(rules.suits) * rules.ranks + rules.priests_per_player * players
    if rules.hand * players > strength:
        yield (
            f"hand: {players} players with {rules.hand} cards need "
            f"{rules.hand * players}, but the Strength deck has {strength}: at most "
            f"{strength // players} each."
        )
    if strength + rules.devil_ranks > 64:
        yield (
            f"suits, ranks, devil_ranks, priests_per_player: {strength} Strength "
            f"and {rules.devil_ranks} Devil cards are more than 64 in all."
        )
    if rules.ranks < players:
        yield (
            f"ranks: a tie is drawn from one suit, so {players} players need at "
            f"least {players} ranks, not {rules.ranks}."
        )


def _suits(rules: "Kunitame") -> Iterator[str]:
    letters = [suit[:1].upper() for suit in rules.suits]
    if not rules.suits or "" in letters:
        yield "suits: at least one, each with a name."
    if {DEVIL, PRIEST} & set(rules.suits):
        yield f"suits: {DEVIL} is the Devils' suit and {PRIEST} the Priests'."
    if len(set(letters)) < len(letters) or {"D", "P"} & set(letters):
        yield (
            "suits: first letters name the cards, so they must differ, and "
            f"D (Devil) and P (Priest) are taken; not {one_of(rules.suits)}."
        )


def _squares(rules: "Kunitame") -> Iterator[str]:
    ids = [square.id for square in rules.squares]
    for square in rules.squares:
        if ids.count(square.id) > 1:
            yield f"squares.{square.id}: this id is used twice."
        yield from _square(rules, square)
    names = (*sorted({square.pledge for square in rules.squares}), "none")
    if rules.removed_pledge not in names:
        yield (
            f"removed_pledge: no pledge {rules.removed_pledge!r}"
            f"{nearest(rules.removed_pledge, names)} Allowed: {one_of(names)}."
        )
    if len(rules.in_play) + len(rules.no_tricks) > 62:
        yield "squares: at most 62 squares, No Tricks squares included."


def _square(rules: "Kunitame", square: Square) -> Iterator[str]:
    place, suits = f"squares.{square.id}", (*rules.suits, DEVIL, PRIEST)
    if square.id == "pass" or square.id.startswith("no-tricks-"):
        yield f"{place}: this id has a meaning of its own, name it otherwise."
    if square.suit is not None and square.suit not in suits:
        near = nearest(square.suit, suits)
        yield f"{place}.suit: no suit {square.suit!r}{near} Allowed: {one_of(suits)}."
    if square.when == "rank" and square.id not in RANK_SQUARES:
        yield f"{place}: a rank square is one of {one_of(RANK_SQUARES)}."
    for key, limits in (("num", square.num), ("round", square.round)):
        if limits and limits[0] > limits[1]:
            yield f"{place}.{key}: from {limits[0]} to {limits[1]} is empty."


def _contracts(rules: "Kunitame") -> Iterator[str]:
    squares = rules.contract_squares
    if not squares:
        yield "contract_squares: at least one; contract_limit = 0 plays without."
    if len(set(squares)) < len(squares) or any(not 0 <= n <= 20 for n in squares):
        yield "contract_squares: different numbers of tricks, 0 to 20."
    if not len(squares) == len(rules.contract_returns) == len(rules.contract_points):
        yield (
            "contract_returns and contract_points: one number for each of the "
            f"{len(squares)} contract_squares is needed."
        )
    if any(not 0 <= value <= 3 for value in rules.contract_returns):
        yield "contract_returns: 0 to 3 each."
    if any(not 0 <= value <= 9 for value in rules.contract_points):
        yield "contract_points: 0 to 9 each."
    if len(squares) * rules.contract_limit > 64:
        yield (
            f"contract_limit: at most {64 // len(squares)} with {len(squares)} "
            "contract squares (squares times gems fit in 64)."
        )


def _sizes(rules: "Kunitame") -> Iterator[str]:
    """Life gems and points must stay within what is counted."""
    growth = max((1, *rules.contract_returns))
    most_life = rules.life * growth**rules.weeks
    if most_life > MOST:
        yield (
            f"contract_returns: {rules.life} Life gems that may grow {growth} times "
            f"in each of {rules.weeks} weeks could pass {MOST}, the most there can be."
        )
    board = sum(square.gem for square in rules.in_play)
    won = min(
        board * (rules.weeks if rules.refill_weekly else 1),
        3 * rules.weeks * (rules.rounds + 1),
    )
    stake = min(rules.contract_limit, most_life)
    paid = rules.weeks * stake * max((0, *rules.contract_points))
    if won + paid > MOST:
        yield (
            f"contract_points, weeks: a player could reach {won + paid} points; "
            f"{MOST} is the most there can be."
        )

"""Squares and cards counted as arrays: tables of a million rows would be too slow."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from reports.counts import Array, Counts, grid, numbers_to
from reports.game_arrays import add_up
from reports.kunitame.game_arrays import KunitameArrays
from reports.measures import MeasuresOf, Statistic

_MEANINGS = {
    "met": "tricks (or liquidations) that meet it",
    "open": "share of those that meet it while it holds a gem",
    "claimed": "share of those that meet it open and win its gem",
    "claims": "gems won from it",
    "contested": "share of the weeks in which 2 or more seats meet it",
    "refilled": "gems put back on it",
    "paid": "points won from it",
    "worth": "points won from it each time it is met",
}
_COUNTED: dict[str, tuple[Statistic, str, str, str]] = {
    "met": ("per game", "met", "weeks", ""),
    "open": ("share", "open", "met", ""),
    "claimed": ("share", "claims", "open", ""),
    "claims": ("per game", "claims", "weeks", "gems"),
    "contested": ("share", "contested", "weeks", ""),
    "refilled": ("per game", "refilled", "weeks", "gems"),
    "paid": ("per game", "paid", "weeks", "points"),
    "worth": ("mean", "paid", "met", "points"),
}
"""Name -> kind, numerator and denominator in ``square_counts``, unit."""
_EVER = "ever claimed by square"
_SQUARES = MeasuresOf(by="square")
MEASURES = (
    *(
        _SQUARES.measure(kind, f"{name} by {by}", _MEANINGS[name], by=groups, unit=unit)
        for name, (kind, _, _, unit) in _COUNTED.items()
        for by, groups in {"square": "square", "square and week": "square week"}.items()
    ),
    _SQUARES.share(_EVER, "games in which a gem was won from it"),
)


def of_squares(played: KunitameArrays) -> Iterator[Counts]:
    """Yield the counts of every square, by week and over all weeks."""
    ids = played.vocabularies["square"]
    names = [name for name in ids if name not in {"?", "pass"}]
    counts = square_counts(played, len(names))
    weeks = numbers_to(played.weeks)
    whole = {name: count.sum(axis=1) for name, count in counts.items()}
    for name, (_, top, below, _) in _COUNTED.items():
        yield grid(f"{name} by square", whole[top], whole[below], square=names)
        y, x = counts[top], counts[below]
        yield grid(f"{name} by square and week", y, x, square=names, week=weeks)
    ever = whole["claims"] > 0
    yield grid(_EVER, ever, np.ones_like(ever), square=names)


def square_counts(played: KunitameArrays, squares: int) -> dict[str, Array]:
    """Return counts of what happened to each square, (squares, weeks, games) each.

    met: tricks, or liquidations of a seat, that met it; open: those in which it held
    a gem; claims: gems won from it; paid: their points; refilled: gems put back on
    it; contested: two or more seats met it in the week; weeks: 1 each.
    """
    shape = (squares, played.weeks, played.size)
    met, opened, contested = (np.zeros(shape, dtype=np.uint8) for _ in range(3))
    trick_only = _mask(played, lambda when: when == "trick")
    later = ~trick_only
    in_trick, at_end = played.met & trick_only, played.liquidation("met") & later
    free, free_later = in_trick & played.gems, at_end & played.liquidation("open")
    by_two = _by_two(played, in_trick, at_end)
    for square in range(squares):
        bit = np.uint64(square)
        trick = bool(trick_only >> bit & np.uint64(1))
        met[square] = _count(in_trick if trick else at_end, bit)
        opened[square] = _count(free if trick else free_later, bit)
        contested[square] = by_two >> bit & np.uint64(1)
    won, back = (_moved(played, squares, won=flag) for flag in (True, False))
    return {
        "met": met,
        "open": opened,
        "contested": contested,
        "claims": won[0],
        "paid": won[1],
        "refilled": back[0],
        "weeks": np.broadcast_to(np.uint8(1), shape),
    }


def _mask(played: KunitameArrays, wanted: Any) -> np.uint64:
    """Return the mask of squares that are tested at a wanted time."""
    when = {square["id"]: square["when"] for square in played.rules["squares"]}
    ids = played.vocabularies["square"]
    return np.uint64(
        sum(1 << n for n, name in enumerate(ids) if wanted(when.get(name)))
    )


def _count(masks: Array, bit: np.uint64) -> Array:
    """Count the masks with a bit set: (weeks, games) of (weeks, masks, games)."""
    flags = (masks >> bit & np.uint64(1)).astype(np.uint8)
    count: Array = flags.sum(axis=1, dtype=np.uint8)
    return count


def _by_two(played: KunitameArrays, in_trick: Array, at_end: Array) -> Array:
    """Return the squares that two or more seats met in the week, (weeks, games)."""
    once = np.zeros_like(played.met[:, 0])
    twice = once.copy()
    for seat in range(played.players):
        by_seat = np.where(played.taker == seat, in_trick, np.uint64(0))
        met = np.bitwise_or.reduce(by_seat, axis=1) | at_end[:, seat]
        twice |= once & met
        once |= met
    return twice


def _moved(played: KunitameArrays, squares: int, *, won: bool) -> tuple[Array, Array]:
    """Return gems won from or put on squares, and points, (squares, weeks, games)."""
    moves = played.moves(won=won)
    shape = (squares, played.weeks, played.size)
    at = tuple(moves[name] for name in ("square", "week", "game"))
    return add_up(shape, at), add_up(shape, at, moves["value"])


def of_cards(played: KunitameArrays) -> Iterator[Counts]:
    """Yield how often each card wins and leads."""
    names = list(dict.fromkeys(played.vocabularies["card"]))
    size = len(names)
    dealt = _dealt(played, names)
    games = np.broadcast_to(np.arange(played.size), played.led.shape)
    won = _per_game(played, played.won_with, games, size)
    led = _per_game(played, played.led, games, size)
    both = played.led == played.won_with
    led_won = _per_game(played, played.led[both], games[both], size)
    yield grid("won when dealt", won, dealt, card=names)
    yield grid("led when dealt", led, dealt, card=names)
    yield grid("won when led", led_won, led, card=names)
    ranks = [_rank(name, played.rules["suits"]) for name in names]
    which = list(dict.fromkeys(ranks))
    won, dealt = (_added(count, ranks, which) for count in (won, dealt))
    yield grid("won by cards", won, dealt, cards=which)


def _rank(card: str, suits: Sequence[str]) -> str:
    """Return the rank of a card; Devils and Priests stand for themselves."""
    strength = card[:1] in {suit[:1].upper() for suit in suits}
    return f"rank {card[1:]}" if strength else card


def _added(counts: Array, ranks: Sequence[str], which: Sequence[str]) -> Array:
    """Add counts (cards, games) up to (ranks, games)."""
    of = np.array(ranks)
    return np.stack([counts[of == rank].sum(axis=0) for rank in which])


def _per_game(played: KunitameArrays, cards: Array, games: Array, size: int) -> Array:
    """Return how often each card occurs in each game, (cards, games)."""
    at = cards.astype(np.int64) * played.size + games
    return np.bincount(at.reshape(-1), minlength=size * played.size).reshape(size, -1)


def _dealt(played: KunitameArrays, names: list[str]) -> Array:
    """Return how often each card was dealt or drawn, (cards, games)."""
    place = {name: n for n, name in enumerate(names)}
    hands = np.bitwise_or.reduce(played.hands, axis=1)  # (weeks, games)
    dealt = np.zeros((len(names), played.size), dtype=np.int64)
    for bit, name in enumerate(played.vocabularies["card"]):
        dealt[place[name]] += (hands >> np.uint64(bit) & np.uint64(1)).sum(
            axis=0, dtype=np.int64
        )
    drawn = played.raw.get("devil")
    if drawn is not None:
        cards = drawn["card"].to_physical().to_numpy()
        dealt += _per_game(played, cards, played.game_index(drawn), len(names))
    return dealt

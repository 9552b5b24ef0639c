"""How the squares of pledges are used: by week, and by position in the week.

A square is met by a trick, or by a seat's tricks of the week at liquidation, if its
condition holds then. They are counted as arrays: a table would have a million rows.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from reports.counts import Array, Counts, grid, numbers_to
from reports.game_arrays import add_up
from reports.kunitame.game_arrays import KunitameArrays
from reports.measures import MeasuresOf, Statistic

USES: dict[str, tuple[Statistic, str, str, str, str]] = {
    "met": ("per game", "met", "", "", "tricks (or liquidations) that meet it"),
    "open": (
        "share",
        "open",
        "met",
        "",
        "share of those that meet it with a gem on it",
    ),
    "claimed": ("share", "claims", "open", "", "share of those that win its gem"),
    "claims": ("per game", "claims", "", "gems", "gems won from it"),
    "contested": (
        "share",
        "contested",
        "",
        "",
        "share of weeks in which 2 seats meet it",
    ),
    "returned": ("per game", "returned", "", "gems", "gems put back on it"),
    "paid": ("per game", "paid", "", "points", "points won from it"),
    "worth": ("mean", "paid", "met", "points", "points won each time it is met"),
}
"""Name -> kind, what is counted, per what (default: weeks), unit and meaning."""
_BY = {"": "", " and week": " week", " and position": " position"}
_WHOLE = ("claims", "worth")
"""These are of the whole game only."""
MEASURES = tuple(
    MeasuresOf(by=f"square{groups}").measure(
        kind, f"{name} by square{by}", doc, unit=unit
    )
    for name, (kind, _, _, unit, doc) in USES.items()
    for by, groups in _BY.items()
    if not by or name not in _WHOLE
)


def square_uses(played: KunitameArrays) -> dict[str, Array]:
    """Return what happened to each square, (squares, weeks, places, games).

    places: positions in the week, from the dealer's. met: tricks, or liquidations, that
    met it; open: those in which it held a gem; claims: gems won from it, worth ``paid``
    points; returned: gems put back; contested: met, and by another seat, too.
    """
    bits = played.masks("square")
    place = (played.seats - played.dealer[:, None]) % played.players
    seat = np.concatenate(
        [played.taker, np.broadcast_to(played.seats, place.shape)], axis=1
    )
    shape = (played.weeks, played.players, played.size)
    week, games = np.arange(played.weeks)[:, None, None], np.arange(played.size)
    place = np.take_along_axis(place, seat.astype(np.int64), axis=1)
    cell = ((week * played.players + place) * played.size + games).reshape(-1)
    met, gems = _met(played)

    def often(masks: Array) -> Array:
        masks, many = masks.reshape(-1), int(np.prod(shape))
        rows = (np.flatnonzero(masks & bit) for bit in bits.values())
        each = [np.bincount(cell[row], minlength=many) for row in rows]
        return np.array(each, dtype=np.uint8).reshape(len(bits), *shape)

    counted = {"met": often(met), "open": often(met & gems)}
    (claims, paid), (back, _) = (_moved(played, bits, won=won) for won in (True, False))
    here = counted["met"] > 0
    several = here.sum(axis=2, keepdims=True) > 1
    moved = {"claims": claims, "paid": paid, "returned": back}
    return counted | moved | {"contested": here & several}


def _met(played: KunitameArrays) -> tuple[Array, Array]:
    """Return masks of squares met, and of those with a gem, (weeks, parts, games) each.

    The parts of a week are each trick and each seat's liquidation; squares that are
    tested at liquidation count only then.
    """
    tricks = [row["id"] for row in played.rules["squares"] if row["when"] == "trick"]
    trick = played.mask("square", tricks)
    met = [played.met & trick, played.liquidation("met") & ~trick]
    gems = [played.gems, played.liquidation("open")]
    return np.concatenate(met, axis=1), np.concatenate(gems, axis=1)


def _moved(
    played: KunitameArrays, bits: dict[str, np.uint64], *, won: bool
) -> tuple[Array, Array]:
    """Return gems won or put back, and their points, as in ``square_uses``."""
    moves, ids = played.moves(won=won), played.vocabularies["square"]
    week, seat, game = (moves[name] for name in ("week", "seat", "game"))
    place = (seat - played.dealer[week, game]) % played.players
    shape = (len(ids), played.weeks, played.players, played.size)
    kept = [ids.index(name) for name in bits]
    at = moves["square"], week, place, game
    return add_up(shape, at)[kept], add_up(shape, at, moves["value"])[kept]


def counts(uses: Mapping[str, Array], names: list[str]) -> Iterator[Counts]:
    """Yield each of ``USES`` in the whole game, by week and by position."""
    _, weeks, places, _ = uses["met"].shape
    by_week = {name: _all_places(name, use) for name, use in uses.items()}
    by_place = {name: use.sum(axis=1, dtype=np.int64) for name, use in uses.items()}
    whole = {name: use.sum(axis=1, dtype=np.int64) for name, use in by_week.items()}
    by_week[""], by_place[""], whole[""] = (
        np.ones(1),
        np.full(1, weeks),
        np.full(1, weeks),
    )
    for name, (_, top, per, _, _) in USES.items():
        measure = f"{name} by square"
        yield grid(measure, whole[top], whole[per], square=names)
        if name not in _WHOLE:
            week, place = numbers_to(weeks), numbers_to(places)
            y, x = by_week[top], by_week[per]
            yield grid(f"{measure} and week", y, x, square=names, week=week)
            y, x = by_place[top], by_place[per]
            yield grid(f"{measure} and position", y, x, square=names, position=place)


def _all_places(name: str, use: Array) -> Array:
    """Add up over positions; a week is contested only once."""
    return use.max(axis=2) if name == "contested" else use.sum(axis=2, dtype=np.int64)

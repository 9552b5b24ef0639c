"""Bids: how often they come true, by hand and by action, and what they bring.

The strength of a hand is counted as dealt: its trumps, and the icons and twelves of all
other suits. Review may change the hand later.
"""

import numpy as np
import polars as pl

from reports.drawing import dots, heat, lines
from reports.found import Found
from reports.grids import Array
from reports.kbernestich.played import Played
from reports.kbernestich.rows import alone, flat, said, suit_masks
from reports.measures import Kind, Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge
from reports.words import (
    STRATEGY,
    N,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    number,
    share,
)

ENOUGH = 100
"""Groups of fewer bids than this are not judged or drawn."""
WEAKEST, STRONGEST = 2, 7
"""Hands weaker or stronger than these are counted with them."""
_BY = ("strategy", "bid")
_HAND = ("strategy", "bid", "strength")
_ACTION = ("strategy", "action")
_FORMULA = (
    "strength = trumps dealt + icons and 12s dealt of other suits; "
    "points = 6 where it came true (or was saved) + misery bonus, per bid"
)
MEASURES = [
    Measure("bids", "bids", pl.lit(1), by=_BY),
    Measure("bid made", "bids", pl.col("made"), by=_BY),
    Measure("bid points", "bids", pl.col("points"), by=_BY),
    Measure("bid misery", "bids", pl.col("misery"), by=_BY),
    Measure("bid made by hand", "bids", pl.col("made"), by=_HAND),
    Measure("bid points by hand", "bids", pl.col("points"), by=_HAND),
    Measure("bid made by action", "bids", pl.col("made"), by=_ACTION),
    Measure("bid saved by action", "bids", pl.col("saved"), by=_ACTION),
    Measure("bid made by strategy", "bids", pl.col("made"), by=("strategy",)),
    Measure("letter cube", "letters", pl.col("points"), pl.col("cubes")),
]
DOCS = {
    "bids": {
        "game": "number of the game in its run",
        "strategy": "who bid",
        "bid": "number of the bid on the sheet, from 0",
        "action": "number of the seat's action on the sheet, from 0; -1 none",
        "strength": "trumps, and icons and 12s of other suits, dealt; 2 to 7",
        "made": "it came true, an action counted",
        "saved": "it came true by Pessimism or Optimism only",
        "points": "points for the bid, the misery bonus counted",
        "misery": "the misery bonus",
    },
    "letters": {
        "game": "number of the game in its run",
        "points": "points for Letter to Marie, of all seats",
        "cubes": "cubes on Letter to Marie, of all seats",
    },
}


def tables(played: Played) -> dict[str, pl.DataFrame]:
    """A row a bid, and Letter to Marie a row a game to compare with."""
    shape = played.tricks.shape
    bid, action = _numbered(played, "hunch"), _numbered(played, "actions")
    rows = np.flatnonzero(bid >= 0)
    made, saved = came_true(played, bid)
    columns = {
        "bid": bid,
        "action": action,
        "strength": np.clip(strength(played), WEAKEST, STRONGEST),
        "made": made,
        "saved": saved,
        "points": played.hunch + played.misery,
        "misery": played.misery,
    }
    school = flat(played.school, shape)[rows]
    data = {name: flat(values, shape)[rows] for name, values in columns.items()}
    placed = played.cubes_placed
    names = np.array([name.startswith("to-") for name in played.squares])
    letters = placed["game"][names[placed["square"]]]
    return {
        "bids": pl.DataFrame(
            {
                "game": flat(played.game, shape)[rows],
                "strategy": said(played, school),
                **data,
            }
        ),
        "letters": pl.DataFrame(
            {
                "game": played.game,
                "points": played.to.sum(axis=(0, 1), dtype=np.int64),
                "cubes": np.bincount(letters, minlength=played.size),
            }
        ),
    }


def _numbered(played: Played, area: str) -> Array:
    """(rounds, seats, games) which square of an area the seat has; -1 none."""
    found = np.full(played.placed.shape, -1, dtype=np.int8)
    for at, name in enumerate(played.rules[area]):
        found[played.on(f"hunch-{name}" if area == "hunch" else name)] = at
    return found


def came_true(played: Played, bid: Array) -> tuple[Array, Array]:
    """(rounds, seats, games) whether a bid came true, and whether an action saved it.

    bid: (rounds, seats, games) its number on the sheet; -1 none.
    """
    squares = [str(name) for name in played.rules["hunch"]]
    target = np.array([*(int(name.removesuffix("+")) for name in squares), 99])[bid]
    more = np.array([*(name.endswith("+") for name in squares), False])[bid]

    def hits(tricks: Array) -> Array:
        same: Array = (tricks == target) | (more & (tricks > target))
        return same

    tricks = played.tricks.astype(np.int16)
    right = hits(tricks)
    helped = played.on("pessimism") & hits(tricks + 1)
    helped |= played.on("optimism") & hits(tricks - 1)
    return right | helped, helped & ~right


def strength(played: Played) -> Array:
    """(rounds, seats, games) trumps, and icons and 12s of other suits, dealt."""
    cards = played.words["card"]
    high = sum(1 << n for n, card in enumerate(cards) if card[1:] in {"12", "I"})
    counted = suit_masks(played)[played.trump] | np.uint64(high)
    strong: Array = np.bitwise_count(played.hands & counted[:, None])
    return strong


def section(found: Found) -> Section:
    """Made rates and points, by bid, by hand and by action."""
    bids, hands = _bids(found), _hands(found)
    return Section(
        "bids",
        "Bids",
        f"A cube in Hunch of Growth bids on a number of tricks for "
        f"{found.rules['hunch_points']} points; a bid of 0 also earns a misery bonus. "
        f"Each strategy at a table of its own kind, {found.players} players.",
        (_made(bids), _by_hand(found, hands), _by_action(found)),
        _findings(found, bids, hands),
    )


def _against(found: Found, rows: pl.DataFrame) -> pl.DataFrame:
    """Add points less those of a cube on Letter to Marie at the same tables."""
    letter = named(found.of("letter cube"), ("cell",), "letter")
    rows = joined(rows, letter, ("cell",))
    more = rows["points"] - rows["letter"]
    se = (rows["points_se"] ** 2 + rows["letter_se"] ** 2).sqrt()
    told = judge(more, se, 0.0, 0.0)
    words = [
        "too few"
        if n < ENOUGH
        else "undecided"
        if verdict != "outside"
        else "brings more"
        if value > 0
        else "brings less"
        for verdict, value, n in zip(told, more, rows["n"], strict=True)
    ]
    bids = found.rules["hunch"]
    said_ = [str(bids[at]) for at in rows["bid"]]
    return rows.with_columns(
        pl.Series("hunch", said_, dtype=pl.String),
        pl.Series("verdict", words, dtype=pl.String),
        more=more,
        more_low=more - 1.96 * se,
        more_high=more + 1.96 * se,
    )


def _bids(found: Found) -> pl.DataFrame:
    only, keys = alone(found), ("cell", *_BY)
    rows = found.of("bid made", "rate", _BY, only=only)
    read: tuple[tuple[str, str, Kind], ...] = (
        ("points", "bid points", "mean"),
        ("misery", "bid misery", "mean"),
        ("often", "bids", "per_game"),
    )
    for name, measure, kind in read:
        part = found.of(measure, kind, _BY, only=only)
        rows = joined(rows, named(part, keys, name), keys)
    often = pl.col("often", "often_low", "often_high") / found.rules["rounds"]
    return _against(found, rows.with_columns(often))


def _hands(found: Found) -> pl.DataFrame:
    only, keys = found.leads(found.players), ("cell", *_HAND)
    rows = found.of("bid made by hand", "rate", _HAND, only=only)
    points = found.of("bid points by hand", "mean", _HAND, only=only)
    rows = joined(rows, named(points, keys, "points"), keys)
    words = [
        f"{n} or {'fewer' if n == WEAKEST else 'more'}"
        if n in {WEAKEST, STRONGEST}
        else str(n)
        for n in rows["strength"]
    ]
    return _against(found, rows).with_columns(pl.Series("hand", words, dtype=pl.String))


_BID = Column("hunch", "bid", "tricks bid on")
_POINTS = estimated("points", "points for the bid, the misery bonus counted",
                    name="points")  # fmt: skip
_MORE = (
    estimated("against a letter", "points less those of a cube on Letter to Marie at "
              "the same tables, where the bids are taken", name="more"),
    Column("verdict", "verdict", "whether it brings more; Holm over the table, 95 %"),
)  # fmt: skip


def _made(bids: pl.DataFrame) -> Exhibit:
    return exhibit(
        "bids-made",
        "How often bids come true, and what they bring",
        "Who bids plays for it, which may cost points elsewhere: the section Squares "
        "compares the same deals with and without the cube.",
        bids,
        (
            STRATEGY,
            _BID,
            estimated("a round", "such bids a round, of the whole table", name="often"),
            estimated("made", "share of the bids that come true", "share"),
            _POINTS,
            estimated("misery", "misery bonus a bid", name="misery"),
            *_MORE,
            N,
        ),
        heat("hunch", "strategy", "share made, %", ends=True,
             only=pl.col("n") >= ENOUGH),
        _FORMULA,
    )  # fmt: skip


def _by_hand(found: Found, hands: pl.DataFrame) -> Exhibit:
    return exhibit(
        "bids-hand",
        "How often bids come true, by the strength of the hand",
        f"With {found.who}. The figure leaves out groups of fewer than {ENOUGH} bids.",
        hands,
        (
            STRATEGY,
            _BID,
            Column("hand", "strength", "trumps, and icons and 12s of other suits"),
            estimated("made", "share of the bids that come true", "share"),
            _POINTS,
            *_MORE,
            N,
        ),
        lines("strength", "share made, %", by="hunch", only=pl.col("n") >= ENOUGH),
        _FORMULA,
    )


def _by_action(found: Found) -> Exhibit:
    only, keys = alone(found), ("cell", *_ACTION)
    rows = found.of("bid made by action", "rate", _ACTION, only=only)
    saved = found.of("bid saved by action", "rate", _ACTION, only=only)
    rows = joined(rows, named(saved, keys, "saved"), keys)
    names = [*found.rules["actions"], "none"]
    words = [names[at] for at in rows["action"]]
    return exhibit(
        "bids-action",
        "How often bids come true with each action",
        "Who takes an action may differ in hand and bid from who does not. Saved: true "
        "only by Pessimism or Optimism, so made less saved is the rate without them.",
        rows.with_columns(pl.Series("with", words, dtype=pl.String)),
        (
            STRATEGY,
            Column("with", "action", "action of the seat in that round"),
            estimated("made", "share of the bids that come true", "share"),
            estimated("saved", "share that only the action made true", "share",
                      "saved"),
            N,
        ),
        dots("with", "share made, %", by="strategy", only=pl.col("n") >= ENOUGH),
    )  # fmt: skip


def _findings(
    found: Found, bids: pl.DataFrame, hands: pl.DataFrame
) -> tuple[Finding, ...]:
    lead = bids.filter(found.leads(), pl.col("verdict") != "too few")
    if lead.is_empty():
        return (Finding("Bids: too few were made to tell.", "open", "bids"),)
    texts = [
        f"{row['hunch']} comes true {share(row)} of the time and brings "
        f"{number(row, 'points')} points ({row['verdict']} than a letter)"
        if row["verdict"] != "undecided"
        else f"{row['hunch']} comes true {share(row)} of the time and brings "
        f"{number(row, 'points')} points (as a letter, or undecided)"
        for row in lead.rows(named=True)
    ]
    letter = number(lead.row(0, named=True), "letter")
    head = f"Bids, {found.players} players, {found.who}"
    undecided = (lead["verdict"] == "undecided").any()
    text = f"{head}: {listed(texts)}; a cube on Letter to Marie brings {letter}."
    first = Finding(text, "likely" if undecided else "sure", "bids")
    return (first, _never(head, hands))


def _never(head: str, hands: pl.DataFrame) -> Finding:
    """Bids that bring less than a letter with every hand that takes them."""
    known = hands.filter(pl.col("verdict") != "too few")
    less = known.group_by("hunch", maintain_order=True).agg(
        (pl.col("verdict") == "brings less").all()
    )
    never = less.filter("verdict")["hunch"].to_list()
    told = (
        f"the bid{'s' if len(never) > 1 else ''} {listed(never)} bring"
        f"{'' if len(never) > 1 else 's'} less than a letter with every hand"
        if never
        else "no bid brings surely less than a letter with every hand that takes it"
    )
    return Finding(f"{head}, by the strength of the hand: {told}.", "sure", "bids")

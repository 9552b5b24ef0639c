"""What a cube on a square is worth: the same deals with it, and with it unplaced.

In every game one seat, in one round, keeps the cube that it wants to place on a square,
and plays on as if there were no square of this name, with one cube fewer; all else is
the same. What follows is compared: a row a game in which the seat did place a cube
there. The cube kept goes into the next round. Where others hang on it (what is worth
its price only with Grace, say) they are kept too: ``cubes_more`` tells.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.game_report import About, Raw, WhatIfs
from reports.kbernestich.played import SUITS, PlayedGames, area_of
from reports.measures import Measure

ROUND = 2
"""The round in which a cube is declined: scores differ, and rounds are to come."""
ANY = "from-any"
"""Letter from Marie, of any colour: the colours differ in name only."""


def decline(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Which paired cells the panel plays: plain data.

    The decision that is declined, the squares with a cell each, the unit of time and
    the moment, and the strategies that decline. One colour of Letter from Marie stands
    for all: the rules treat colours alike.
    """
    options = _options(rules)
    if not rules["plot_before_tricks"] or not rules["plot_pass"] or not options:
        return ()
    return (
        {
            "kind": "plot",
            "unit": "round",
            "moments": (min(ROUND, rules["rounds"]),),
            "options": options,
            "strategies": ("allround", "random"),
            "changes": {},
        },
    )


def _options(rules: Mapping[str, Any]) -> list[str]:
    """The squares that the sheet has for any number of players, each kind once."""
    rows = rules["by_players"]
    letters = set.intersection(*(set(row["marie_to"]) for row in rows))
    return [
        *(f"to-{value}" for value in sorted(letters, reverse=True)),
        *(f"hunch-{bid}" for bid in rules["hunch"]),
        *(f"from-{SUITS[0]}-{value}" for value in rules["marie_from"]),
        *(f"bust-{value}" for value in rules["zabine"]),
        *(["grace"] if all(row["hannah"] for row in rows) else []),
        *rules["actions"],
    ]


_VALUES = {
    "round_more": "points of the round, with the cube less without",
    "score_more": "score at the end, with less without",
    "won_more": "wins, with less without",
    "cubes_more": "cubes placed in the round, with less without",
    "tricks_more": "tricks won in the round, with less without",
}
_AHEAD = "score less the mean of the others, with the cube less without"
MEASURES = (
    *(
        Measure(
            name,
            doc,
            "mean",
            "declined",
            pl.col(name),
            by=("square",),
            unit="pp" if name == "won_more" else "",
        )
        for name, doc in _VALUES.items()
    ),
    Measure(
        "ahead_more",
        _AHEAD,
        "mean",
        "declined",
        pl.col("ahead_more"),
        pl.col("others"),
        by=("square",),
    ),
)


def pooled(square: str) -> str:
    """The square with its colour left out."""
    if area_of(square) != "from":
        return square
    return f"{ANY}-{square.rpartition('-')[2]}"


def pairs(raw: Raw, other: Raw, about: About) -> dict[str, pl.DataFrame]:
    """Compare games; about["option"] and about["when"] say what was declined when.

    ahead_more: others * score_more - score_more of all others together.
    """
    at, square = about["when"][1] - 1, about["option"]
    with_it, without = PlayedGames(raw, about), PlayedGames(other, about)
    seat = _who_declines(with_it, without)
    placed = _mine(with_it.on(square)[at], seat)
    columns = {
        "game": with_it.game,
        "square": np.full(with_it.size, pooled(square), dtype=object),
        **_differences(with_it, without, at, seat),
        "others": np.full(with_it.size, with_it.players - 1, dtype=np.int16),
    }
    kinds = {"square": pl.String}
    table = pl.DataFrame(columns, schema_overrides=kinds)
    return {"declined": table.filter(pl.Series(placed))}


def _who_declines(with_it: PlayedGames, without: PlayedGames) -> Array:
    """(games,) the seat whose strategy goes by another name."""
    names = [np.array(one.names)[one.strategy] for one in (with_it, without)]
    seat: Array = (names[0] != names[1]).argmax(axis=0)
    return seat


def _mine(values: Array, seat: Array) -> Array:
    """(games,) what belongs to the seat, of (seats, games)."""
    mine: Array = values[seat, np.arange(len(seat))]
    return mine


def _differences(
    with_it: PlayedGames, without: PlayedGames, at: int, seat: Array
) -> dict[str, Array]:
    """(games,) each: with less without, of the seat."""

    def change(name: str) -> Array:
        one, other = (_values(p, name, at).astype(np.int16) for p in (with_it, without))
        return one - other

    found = {name: _mine(change(name), seat) for name in _VALUES}
    scores = change("score_more")
    mine, everyone = _mine(scores, seat), scores.sum(axis=0, dtype=np.int16)
    ahead = mine * np.int16(with_it.players) - everyone
    return {**found, "ahead_more": ahead}


def _values(played: PlayedGames, name: str, at: int) -> Array:
    """(seats, games) what is compared, of the round with this index."""
    if name == "round_more":
        return played.score[at] - played.before[at]
    if name == "cubes_more":
        return played.plotted[at].sum(axis=0)
    values = {
        "score_more": played.scores,
        "won_more": played.victory,
        "tricks_more": played.tricks[at],
    }
    return values[name]


WHAT_IFS = WhatIfs(decline=decline, pairs=pairs, measures=MEASURES)

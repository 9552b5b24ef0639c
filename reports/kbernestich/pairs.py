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
from reports.measures import MeasuresOf
from reports.played import of_seat

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
_DECLINED = MeasuresOf("declined", by="square")
MEASURES = (
    *(
        _DECLINED.mean(name, doc, name, unit="pp" if name == "won_more" else "")
        for name, doc in _VALUES.items()
    ),
    _DECLINED.mean("ahead_more", _AHEAD, "ahead_more", "others"),
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
    seat = with_it.whose_name_differs(without)
    before, after = _values(without, at), _values(with_it, at)
    change = {
        name: after[name].astype(np.int16) - before[name].astype(np.int16)
        for name in _VALUES
    }
    scores = change["score_more"]
    ahead = of_seat(scores, seat) * np.int16(with_it.players) - scores.sum(axis=0)
    columns = {
        **{name: of_seat(values, seat) for name, values in change.items()},
        "ahead_more": ahead,
        "others": np.int16(with_it.players - 1),
    }
    placed = np.flatnonzero(of_seat(with_it.on(square)[at], seat))
    table = with_it.frame((with_it.size,), columns, placed)
    return {"declined": table.with_columns(square=pl.lit(pooled(square)))}


def _values(played: PlayedGames, at: int) -> dict[str, Array]:
    """(seats, games) each: what is compared, of the round with this index."""
    return {
        "round_more": played.score[at] - played.before[at],
        "score_more": played.scores,
        "won_more": played.victory,
        "cubes_more": played.plotted[at].sum(axis=0),
        "tricks_more": played.tricks[at],
    }


WHAT_IFS = WhatIfs(decline=decline, pairs=pairs, measures=MEASURES)

"""What a worker counts for the report of Article II, section by section."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.article_ii import (
    choices,
    ends,
    parties,
    paths,
    seats,
    takethat,
    tension,
    use,
    worth,
)
from reports.article_ii import trials as tried
from reports.article_ii.played import About, Played, Raw
from reports.measures import Measure

GAMES = 8_192
"""Games of each cell unless said otherwise: a minute on two cores."""
RAW = ("result", "hands", "standing", "change")
"""The notes that are recorded."""
TRIED = tried.TRIED

_SECTIONS = (seats, paths, ends, worth, use, tension, takethat, choices, parties)

MEASURES: list[Measure] = []
PAIRED = tried.PAIRED
DOCS = tried.DOCS
pairs = tried.pairs
trials = tried.trials
otherwise = choices.otherwise


def decline(_: Mapping[str, Any]) -> tuple[()]:
    """Nothing is declined: every card has to be played."""
    return ()


def beside(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Rules to be played beside those in force: the other decks, and parties."""
    decks = [{"deck": name} for name in ("updated", "original")]
    parts = [] if rules["parties"] else [{"parties": True}]
    return tuple(
        [
            {"changes": changes, "players": (2, 3, 4)}
            for changes in decks
            if changes["deck"] != rules["deck"] and not rules["parties"]
        ]
        + [{"changes": changes, "players": (4,)} for changes in parts]
    )


def tidy(_: Raw, __: About) -> dict[str, pl.DataFrame]:
    """No tidy tables: all is summed from arrays."""
    return {}


def grids(raw: Raw, about: About) -> list[pl.DataFrame]:
    """The sums of all sections."""
    played = Played(raw, about)
    return [part for section in _SECTIONS for part in section.grids(played)]

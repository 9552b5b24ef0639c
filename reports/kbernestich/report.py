"""The report of Kbernestich: its sections, what it records, and what it tries."""

from collections.abc import Mapping
from typing import Any

from reports.game_report import GameReport
from reports.kbernestich import (
    bids,
    course,
    economy,
    seats,
    squares,
    strategies,
    values,
)
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.kbernestich.labels import GROUPS


def _letters(rules: Mapping[str, Any]) -> str:
    """Return the squares of Letter to Marie by number of players, in words."""
    return "; ".join(
        f"{row['id']} players: to Marie {', '.join(map(str, row['marie_to']))}"
        for row in rules["by_players"]
    )


REPORT = GameReport(
    sections=(
        seats.SECTION,
        economy.SECTION,
        squares.SECTION,
        bids.SECTION,
        values.SECTION,
        course.SECTION,
        strategies.SECTION,
    ),
    records=("result",),
    reads=KbernestichArrays,
    groups=GROUPS,
    games=1_024,
    outcome_factor=2,
    # Cubes and cards: as strong as searching trumps and reviews too, and faster
    # (63.5 and 63.3 +- 2.1 % of 2,048 games, one among allround)
    search="search:samples=4:kinds=plot+play",
    search_games=64,  # the sheet has many options, so search is slow
    luck_deals=256,
    strong_games=1_024,
    option_replays=1_024,
    decisions_tried=4,
    lesson_seconds=10.0,
    strong_seconds=0.0012,
    search_seconds=0.03,
    undecided={"stack": "equal scores are settled by the stack"},
    assumed={"by_players": _letters},
)

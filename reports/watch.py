"""Games worth watching: which they are, the command that tells each, and one told."""

from collections.abc import Sequence

import polars as pl

from reports.page import Column, Exhibit, Section

_GAMES = (
    Column("kind", "game", "what was looked for"),
    Column("number", "number", "number of the game in its run, from 0", "count"),
    Column("why", "why", "why it was chosen"),
    Column("command", "to watch it", "in the folder of this report"),
)
_LINES = (
    Column("moment", "when", "part of the game, and moment"),
    Column("text", "what happens", "in the words of the game"),
    Column("score", "then", "how the seats stand afterwards, where that changed"),
)


def section(
    who: str,
    among: int,
    games: Sequence[tuple[str, int, str, str]],
    told: Sequence[tuple[str, str, str]],
) -> Section:
    """Games as (kind, number, why, command); the typical one in lines.

    ``who`` plays; the games were looked for ``among`` so many. Lines are (moment, text,
    score).
    """
    rows = pl.DataFrame(games, [column.name for column in _GAMES], orient="row")
    lines = pl.DataFrame(told, [column.name for column in _LINES], orient="row")
    return Section(
        "watch",
        "Games worth watching",
        f"With {who}: of the first {among:,} games those that stand out, and one like "
        "most. A game that was looked for says how far games can go, not how they go.",
        (
            Exhibit("watch-games", "Which games", "", rows, _GAMES),
            Exhibit(
                "watch-typical",
                "A typical game, told",
                f"{games[0][2]} Players have names by seat." if games else "",
                lines,
                _LINES,
            ),
        ),
    )

"""Games worth watching: a list with the command to show each, and one game in lines."""

from collections.abc import Sequence

import polars as pl

from reports.report_document import Column, Exhibit, Section, SectionLink

LINK = SectionLink(
    "watch", "Games worth watching", "Which games stand out, and what is a usual one?"
)
_GAMES = (
    Column("kind", "game", "what was looked for"),
    Column("number", "number", "number of the game in its run, from 0", "count"),
    Column("why", "why", "why it was chosen"),
    Column("command", "to watch it", "to be run in the folder of this report"),
)
_LINES = (
    Column("moment", "when", "part of the game, and moment"),
    Column("text", "what happens", "in the words of the game"),
    Column("score", "then", "the scores afterwards, if they changed"),
)


def section(
    who: str,
    among: int,
    games: Sequence[tuple[str, int, str, str]],
    moments: Sequence[tuple[str, str, str]],
) -> Section:
    """Return the section of games (kind, number, why, command) and the typical one.

    ``who`` plays; ``among``: the number of games searched. ``moments``: the typical
    game, in lines (moment, text, score).
    """
    rows = pl.DataFrame(games, [column.name for column in _GAMES], orient="row")
    lines = pl.DataFrame(moments, [column.name for column in _LINES], orient="row")
    return Section(
        LINK.id,
        LINK.title,
        f"With {who}: of the first {among:,} games, those that stand out and a typical "
        "one. Games that stand out show what can happen, not what usually happens.",
        (
            Exhibit("watch-games", "Which games", "", rows, _GAMES),
            Exhibit(
                "watch-typical",
                "A typical game, move by move",
                f"{games[0][2]} Players have names by seat." if games else "",
                lines,
                _LINES,
            ),
        ),
    )

"""Games worth watching: a list with the command to show each, and one game in lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from reports.report_document import Column, Exhibit, Section, SectionLink

LINK = SectionLink(
    "watch",
    "Games worth watching",
    "Which games stand out, what is a usual one, and what mattered in it?",
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

_TURNS = (
    Column("moment", "when", "the moment of the decision"),
    Column("text", "what hung on it", "games won in 100, and what else was possible"),
    Column(
        "difference",
        "difference",
        "win chance after the choice less that after the best other option, with a "
        "95 % interval that allows for all candidates",
        "points",
        "low",
        "high",
    ),
)


@dataclass(frozen=True)
class TurnsOfGame:
    """What mattered in the typical game.

    ``points``: moment, words, difference, low, high of each turning point. ``chances``:
    decision, player, estimate, low, high.
    """

    headline: str
    points: Sequence[tuple[str, str, float, float, float]]
    chances: pl.DataFrame


def section(
    who: str,
    among: int,
    games: Sequence[tuple[str, int, str, str]],
    moments: Sequence[tuple[str, str, str]],
    turns: TurnsOfGame,
) -> Section:
    """Return the section of games (kind, number, why, command) and the typical one.

    ``who`` plays; ``among``: the number of games searched. ``moments``: the typical
    game, in lines (moment, text, score). ``turns``: what mattered in it.
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
            _turning_points(turns),
        ),
    )


def _turning_points(turns: TurnsOfGame) -> Exhibit:
    """Return what mattered in the typical game, with the chances as a figure."""
    from reports import figures  # slow to import

    schema: dict[str, type[pl.DataType]] = {"moment": pl.String, "text": pl.String}
    schema |= dict.fromkeys(("difference", "low", "high"), pl.Float64)
    drawn = partial(
        figures.lines,
        turns.chances,
        "decision",
        "estimate",
        "low",
        "high",
        title="Chances to win in a typical game",
        ylabel="chance to win",
        by="player",
    )
    return Exhibit(
        "watch-turns",
        "What mattered in it",
        f"{turns.headline} Every option was tried on deals that were possible for who "
        "decided. Chances are those after own decisions, as their player could know "
        "them.",
        pl.DataFrame(turns.points, schema, orient="row"),
        _TURNS,
        drawn if turns.chances.height else None,
    )

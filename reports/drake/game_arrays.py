"""The recorded games of a block as tidy tables: games, Virtues, decks and options."""

from functools import cached_property

import polars as pl

from reports.counts import Array
from reports.course import Standings, from_note
from reports.drake.labels import DECKS, VIRTUES
from reports.game_arrays import GameArrays, named_tables
from reports.option_differences import compare_options


class DrakeArrays(GameArrays):
    """The games of a block."""

    @cached_property
    def games(self) -> pl.DataFrame:
        """A row per game: how it ended, and what is left."""
        whole = ("turns", "gullet", "lair", "bed", *_LEFT.values())
        return (
            self.raw["result"]
            .filter(pl.col("seat") == 0)
            .select(
                "game",
                pl.col("by").cast(pl.String),
                pl.col("deck").cast(pl.String).replace(DECKS),
                pl.col(whole).cast(pl.Int64),
                virtue=_title("virtue"),
            )
        )

    @cached_property
    def virtues(self) -> pl.DataFrame:
        """A row per game and Virtue: whether it won, and was played or absent."""
        dealt = self.raw["result"].select(
            "game", virtue=_title("holds"), role=pl.lit("played")
        )
        every = pl.DataFrame({"virtue": VIRTUES})
        rows = self.games.select("game", winner="virtue").join(every, how="cross")
        rows = rows.join(
            dealt, on=["game", "virtue"], how="left", maintain_order="left"
        )
        return rows.with_columns(
            pl.col("role").fill_null("absent"),
            won=pl.col("winner") == pl.col("virtue"),
        )

    @cached_property
    def wins(self) -> pl.DataFrame:
        """A row per seat of the games that somebody at the table wins."""
        rows = self.raw["result"].filter(pl.col("winner") >= 0)
        won = pl.col("winner").cast(pl.Int64) == pl.col("seat").cast(pl.Int64)
        return rows.select("game", pl.col("strategy").cast(pl.String), won=won)

    @cached_property
    def decks(self) -> pl.DataFrame:
        """A row per game and deck: cards left, in its pile, whether it ran out."""
        parts = [
            self.games.select(
                "game",
                deck=pl.lit(name),
                left=pl.col(left),
                pile=pl.col(pile),
                out=pl.col("deck") == name,
            )
            for (name, left), pile in zip(
                _LEFT.items(), ("gullet", "lair", "bed"), strict=True
            )
        ]
        return pl.concat(parts)

    @cached_property
    def options(self) -> pl.DataFrame:
        """A row per branched option, compared with the others, and whose it is."""
        words = {
            kind: [DECKS.get(word, word) for word in self.vocabularies[kind]]
            for kind in ("play", "act")
        }
        dealt = self.raw["result"].select("game", "seat", virtue=_title("holds"))
        rows = compare_options(self.raw, words)
        return rows.join(dealt, on=["game", "seat"], how="left", maintain_order="left")

    def standing(self) -> Standings:
        """Return what each Virtue lacks to win, after each turn and at the end."""
        shape = (self.players, self.first, self.size)
        lacks, turns = from_note(self.raw["lacks"], "lacks", *shape)
        return Standings.of(self.about, lacks, self.winner, self.game, 1, turns, _over)


def _over(lacks: Array) -> Array:
    """Return whether some Virtue lacks nothing, (..., games) of (..., seats, games)."""
    flags: Array = lacks.min(axis=-2) <= 0
    return flags


_LEFT = {name: name.lower() for name in DECKS.values()}


def _title(column: str) -> pl.Expr:
    """Return the Virtues of a column as they are printed."""
    return pl.col(column).cast(pl.String).str.to_titlecase()


tables = named_tables("games", "virtues", "wins", "decks", "options")
"""Returns the tidy tables of all sections, by name."""

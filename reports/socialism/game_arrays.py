"""The recorded games of Socialism as tidy tables, which the sections count."""

from functools import cached_property

import numpy as np
import polars as pl

from reports.counts import Array
from reports.course import Standings, from_note
from reports.game_arrays import GameArrays
from reports.game_report import Raw, Tables

NOTES = ("turn", "invitation", "joins")
"""The notes from which ``tables`` are made, besides the result."""


class SocialismArrays(GameArrays):
    """Games of Socialism that were played to the end."""

    @cached_property
    def turns(self) -> pl.DataFrame:
        """A row per turn and seat: Members, how many more than before, the round.

        Sorted by game, then in the order of the notes: by turn and seat.
        """
        rows = (
            self.raw["turn"]
            .select(
                "game",
                "seat",
                pl.col("turn").cast(pl.Int64),
                "who",
                members=pl.col("members").cast(pl.Int64),
                round=round_of(self.players),
            )
            .sort("game", maintain_order=True)
        )
        before = pl.col("members").shift(self.players, fill_value=0)  # a turn before
        before = pl.when(pl.col("turn") > 1).then(before).otherwise(0)
        return rows.with_columns(gain=pl.col("members") - before)


def lengths(played: GameArrays) -> Tables:
    """Return the table of how long games are."""
    return {"games": _games(played.raw["result"])}


def tables(played: SocialismArrays) -> Tables:
    """Return all tables; a round is a turn of each player, the last may be short."""
    raw, players = played.raw, played.players
    turns, games = _turns(played.turns, players), _games(raw["result"])
    return {
        "ways": _ways(raw, games, played.vocabularies["via"]),
        "invitations": _invitations(raw["invitation"]),
        "turns": turns,
    }


def _games(result: pl.DataFrame) -> pl.DataFrame:
    """Return a row per game: its turns, and whether somebody won."""
    rows, turns = result.unique("game", maintain_order=True), pl.col("turns")
    turns = turns.cast(pl.Int64)
    return rows.select("game", turns=turns, turns_played=turns, won=_winner() >= 0)


def _winner() -> pl.Expr:
    return pl.col("winner").cast(pl.Int64)


def _ways(raw: Raw, games: pl.DataFrame, ways: list[str]) -> pl.DataFrame:
    """Return a row per game and way to win a Member: what was tried, and its outcome.

    ``won``: whether the last token of the winner came in this way.
    """
    keys = ("game", "via")
    via = pl.col("via").cast(pl.String)
    accepted, last = pl.col("accepted").cast(pl.Int64), pl.col("supply") == 0
    invitations, joins = (
        raw[name].with_columns(via).group_by(keys) for name in ("invitation", "joins")
    )
    tried = invitations.agg(tried=pl.len(), accepted=accepted.sum())
    tokens = joins.agg(tokens=pl.len(), won=last.any())
    every = games.join(pl.DataFrame({"via": ways}), how="cross").drop("won")
    for part in (tried, tokens):
        every = every.join(part, on=keys, how="left", maintain_order="left")
    counted = pl.col("tried", "accepted", "tokens").fill_null(0).cast(pl.Int64)
    return every.with_columns(counted, pl.col("won").fill_null(False))


def _invitations(invitation: pl.DataFrame) -> pl.DataFrame:
    """Return a row per invitation: the User, whether it is personal, and accepted."""
    words = pl.col("via", "target").cast(pl.String)
    rows = invitation.with_columns(words).filter(pl.col("via") != "block")
    personal = pl.col("via").is_in(["personal", "omg-cat-pic"])
    return rows.select("game", "accepted", user="target", personal=personal)


def round_of(players: int) -> pl.Expr:
    """Return the round of a turn, from 1: a round is a turn of each player."""
    return (pl.col("turn").cast(pl.Int64) - 1) // players + 1


def _turns(standing: pl.DataFrame, players: int) -> pl.DataFrame:
    """Return a row per turn: tokens that its player won, tokens that others lost."""
    own, gain = standing["seat"] == standing["who"], standing["gain"]
    loss = np.maximum(np.where(own, 0, -gain.to_numpy()), 0).reshape(-1, players)
    rows = standing.filter(own).select("game", "turn", "gain", taken=loss.sum(axis=1))
    idle = (pl.col("gain") <= 0) & (pl.col("taken") == 0)
    return rows.with_columns(nothing=pl.col("gain") <= 0, wasted=idle)


def standing(played: GameArrays) -> Standings:
    """Return Members after each round and at the end; placing all tokens wins."""
    players, tokens = played.players, played.rules["tokens"]
    last = pl.col("turn") == pl.col("turn").max().over("game")
    rows = played.raw["turn"].filter((pl.col("turn") % players == 0) | last)
    values, rounds = from_note(rows, "members", players, played.first, played.size)

    def over(values: Array) -> Array:
        flags: Array = values.max(axis=-2) >= tokens
        return flags

    ends = played.winner, played.game, 1, rounds, over
    return Standings.of(played.about, values, *ends)

"""The recorded games of Evilpact as tidy tables and as arrays."""

from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.game_arrays import GameArrays, named_tables, seat_column, shared_column
from reports.option_differences import compare_options

_TURN = ("game", "round", "turn")
_WHEN = {"game": pl.UInt64, "round": pl.Int16, "turn": pl.Int16}
_WHO = {"seat": pl.UInt8, "strategy": pl.String}
_SPELL: dict[str, Any] = {**_WHEN, **_WHO, "when": pl.String}
_SPELL |= {"spell": pl.String, "from": pl.String, "lead": pl.Int8}
_NONE = {  # notes that games without any spell do not have
    name: pl.DataFrame(schema=schema)
    for name, schema in {
        "spell": _SPELL,
        "effect": _SPELL | dict.fromkeys(("upper", "countered", "targets"), pl.UInt8),
        "counter": {**_WHEN, **_WHO, "chosen": pl.String},
    }.items()
}


class EvilpactArrays(GameArrays):
    """Games of a block; position 1 is whoever starts the first round."""

    starter = shared_column("final", "starter")  # (1, games) who starts the first round
    icons = seat_column("round", "icons")  # (rounds, seats, games) power, packed

    def _optional(self, note: str) -> pl.DataFrame:
        """Return the rows of a note that some games do not have."""
        return self.raw[note] if note in self.raw else _NONE[note]

    @cached_property
    def ends(self) -> pl.DataFrame:
        """A row per game and seat, sorted: how it ended."""
        winner, seat = pl.col("winner").cast(pl.Int64), pl.col("seat").cast(pl.Int64)
        ends = self.raw["result"].join(
            self.raw["final"].drop("strategy"), on=["game", "seat"]
        )
        kept = pl.col("fulfilled").cast(pl.Int64)
        return ends.sort("game", "seat").with_columns(
            position=1 + (seat != pl.col("starter").cast(pl.Int64)).cast(pl.Int32),
            won=winner == seat,
            kept=kept,
            other_kept=kept.sum().over("game") - kept,
            unbound=pl.col("without").cast(pl.Int64) == seat,
        )

    @cached_property
    def casts(self) -> pl.DataFrame:
        """A row per spell cast in the caster's own turn: when, how, and what it did."""
        before = self._optional("spell").filter(pl.col("spell") != "hastur")
        before = before.select(*_TURN, before="lead")
        asked = self._optional("counter").select(*_TURN, counterable=pl.lit(1))
        casts = self._optional("effect").join(before, on=_TURN, how="left")
        casts = casts.join(asked, on=_TURN, how="left")
        return self._seated(casts).with_columns(
            pl.col("counterable").fill_null(0),
            pl.col("spell", "from").cast(pl.String),
            source=pl.col("from").cast(pl.String),
            gain=pl.col("lead").cast(pl.Int64) - pl.col("before").cast(pl.Int64),
        )

    @cached_property
    def answers(self) -> pl.DataFrame:
        """A row per spell that Hastur might counter: whether it is countered."""
        chosen = self._optional("counter").select(
            *_TURN, pl.col("chosen").cast(pl.String)
        )
        rows = chosen.join(self.casts, on=_TURN, how="inner")
        answered = (pl.col("chosen") != "pass").cast(pl.Int64)
        return rows.with_columns(answered=answered)

    @cached_property
    def picks(self) -> pl.DataFrame:
        """A row per choice and kind of card that lay in the Explore Area.

        Without the additional card of turn 4; ``sideways`` is about Insight cards.
        """
        kinds = [card_kind(name) for name in self.vocabularies["card"]]
        enum = pl.Enum(sorted({*kinds} - {"?", "pass"}))
        names = dict(zip(self.vocabularies["card"], kinds, strict=True))
        chosen = pl.col("chosen").cast(pl.String).replace_strict(names)
        rows = self.raw["acquire"].filter(pl.col("when") == "before")
        rows = rows.with_columns(chosen=chosen.cast(enum, strict=False))
        by_round = self.rules["insight_basis"] == "round"
        at, parts = pl.col("round" if by_round else "turn").cast(pl.Int64), []
        for kind in enum.categories:
            bits = sum(1 << n for n, name in enumerate(kinds) if name == kind)
            lies = pl.Series((rows["legal"].to_numpy() & np.uint64(bits)) > 0)
            x = int(kind.removeprefix("i")) if kind.startswith("i") else 0
            taken = pl.col("chosen").eq_missing(pl.lit(kind, dtype=enum)).cast(pl.Int64)
            what = {"taken": taken, "insight": taken * int(x > 0)}
            what["sideways"] = what["insight"] * (at >= x)
            card = pl.lit(kind, dtype=enum)
            parts.append(rows.filter(lies).select("game", card=card, **what))
        return pl.concat(parts)

    @cached_property
    def options(self) -> pl.DataFrame:
        """A row per card tried at a choice, compared with the others."""
        kinds = [card_kind(name) for name in self.vocabularies["card"]]
        rows = compare_options(self.raw, {"acquire": kinds})
        return rows.rename({"option": "card"})

    @cached_property
    def power(self) -> Array:
        """Power at the end of each round, (elements, positions, rounds, games)."""
        icons = self.icons.swapaxes(0, 1)
        icons = np.where(self.starter == 0, icons, icons[::-1])
        shifts = [np.uint64(8 * n) for n in range(len(self.rules["elements"]))]
        return np.stack([(icons >> s).astype(np.uint8).astype(int) for s in shifts])

    @cached_property
    def led(self) -> Array:
        """Elements led at the end of each round, (positions, rounds, games)."""
        first, second = self.power.swapaxes(0, 1)
        return np.stack([(first > second).sum(axis=0), (second > first).sum(axis=0)])

    @cached_property
    def won_by(self) -> Array:
        """The position that won, (games,), from 0; -1 for nobody."""
        other: Array = self.winner != self.starter[0]
        return np.where(self.winner < 0, -1, other)

    def _seated(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Add the position of each row's seat, and whether it wins."""
        seats = self.ends.select("game", "seat", "position", "won")
        return rows.join(seats, on=["game", "seat"], how="left")


def card_kind(name: str) -> str:
    """Return the kind of a card id: normal, an Insight by its X, or Turbidity."""
    if "-i" in name:
        return name.partition("-")[2]
    return "Turbidity" if "/" in name else name if name in "?pass" else "normal"


tables = named_tables("ends", "casts", "answers", "picks", "options")
"""Returns the tidy tables of all sections, by name."""

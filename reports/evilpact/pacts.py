"""Contracts with the demon, tried: the same deals with each spell under contract."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.evilpact.played import PlayedGames
from reports.tried import SCHEMA, Tried

PACTS = "pacts"
"""The raw table of contracts that were tried."""


def options(rules: Mapping[str, Any]) -> Sequence[str]:
    """The contracts that rules have: spells, each with its element."""
    return [_words(spell, rules) for spell in rules["spell_element"]]


def _words(spell: str, rules: Mapping[str, Any]) -> str:
    return f"{spell.capitalize()} ({rules['spell_element'].get(spell, '')})"


TRIED = Tried(
    "contract", "contracts", "round", hand_words="elements led", options=options
)


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """One contract of each game is tried with every spell in hand."""
    if rules["contract_after_round"] >= rules["rounds"]:
        return ()
    return (
        {
            "first": ("contract",),
            "of": (2,),
            "tells": ("result", "fulfilled"),
            "hand": "led",
            "called": PACTS,
            "players": (2,),
            "search": {"of": (1,), "by": "allround"},
            "full": {"by": "", "together": True},
        },
    )


def tried(played: PlayedGames) -> pl.DataFrame:
    """A row a spell that was tried; points are elements led at the end."""
    schema = {**SCHEMA, "round": pl.Int64()}
    raw = played.raw.get(PACTS, pl.DataFrame())
    if raw.is_empty():
        return pl.DataFrame(schema=schema)
    seats = played.seats.select(
        "game", pl.col("seat").cast(pl.UInt8), "strategy", "position"
    )
    rows = raw.join(seats, on=["game", "seat"], how="left", maintain_order="left")
    spells = [_words(spell, played.rules) for spell in played.words["spell"]]
    bit = np.bitwise_count(raw["option"].to_numpy() - np.uint64(1))
    return rows.with_columns(
        option=np.array(spells)[bit],
        made=pl.col("fulfilled") != 0,
        points="end_elements",
        came="end_elements",
        out=pl.lit(False),
    ).select(pl.col(name).cast(kind) for name, kind in schema.items())

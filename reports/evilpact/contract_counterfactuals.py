"""Contracts compared: the same deals played with each spell under contract."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.counterfactuals import Counterfactual
from reports.evilpact.game_arrays import EvilpactArrays

PACTS = "pacts"
"""The name of the raw table of contracts that were tried."""


def options(rules: Mapping[str, Any]) -> Sequence[str]:
    """Return the contracts that the rules have: spells, each with its element."""
    return [_words(spell, rules) for spell in rules["spell_element"]]


def _words(spell: str, rules: Mapping[str, Any]) -> str:
    return f"{spell.capitalize()} ({rules['spell_element'].get(spell, '')})"


TRIED = Counterfactual(
    "contract", "contracts", "round", hand_words="elements led", options=options
)


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Try one contract of each game with every spell in hand."""
    if rules["contract_after_round"] >= rules["rounds"]:
        return ()
    return (
        {
            "decisions": ("contract",),
            "one_in": (2,),
            "keeps": ("result", "fulfilled"),
            "hand": "led",
            "name": PACTS,
            "players": (2,),
            "search": {"one_in": (1,)},
            "full": {"plays_on": ""},
        },
    )


def contract_rows(played: EvilpactArrays) -> pl.DataFrame:
    """Return a row per spell tried; ``points`` are the elements led at the end."""
    spells = [_words(spell, played.rules) for spell in played.vocabularies["spell"]]

    def columns(raw: pl.DataFrame) -> dict[str, Any]:
        bit = np.bitwise_count(raw["option"].to_numpy() - np.uint64(1))
        return {
            "option": np.array(spells)[bit],
            "made": pl.col("fulfilled") != 0,
            "points": raw["end_elements"],
            "came": raw["end_elements"],
            "out": pl.lit(False),
        }

    return played.counterfactual_rows(PACTS, TRIED.schema, columns)

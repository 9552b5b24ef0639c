"""What a spell, and Hastur in answer, is worth: the same deals with and without it.

In every game one seat keeps a spell at the moment at which it would first cast it, or
does not answer with Hastur the first time that it would. All else is equal; the seat
may cast the spell later. A row is a game in which it cast the spell at that moment.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.counts import Array
from reports.evilpact import contract_counterfactuals
from reports.evilpact.game_arrays import EvilpactArrays
from reports.evilpact.labels import ANSWER
from reports.game_report import About, WhatIfs
from reports.measures import MeasuresOf
from reports.paired_differences import PairedDifferences

CONTRACT = "contract"
_OTHER = (1 - pl.col("seat")).cast(pl.UInt8)  # the caster's opponent, who has Hastur
_WON = "win share: cast, less kept"
_COUNTERED = "win share: countered, less let pass"
_LATER = "games in which what was kept is used after all"
_KEPT = MeasuresOf("kept", by="what", unit="pp")
_ANSWERED = MeasuresOf("kept", "spell", "pp", pl.col("what") == ANSWER)
MEASURES = (
    _KEPT.mean("won_more", _WON, "won_more"),
    _KEPT.share("cast later", _LATER, "later", unit=""),
    _KEPT.mean("won_more by round", _WON, "won_more", by="what round"),
    _ANSWERED.mean("won_more by spell countered", _COUNTERED, "won_more"),
)


def decline(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which paired cells the panel plays: each spell, the contract, and Hastur.

    Strategies cast after acquiring ("when" 1), so one moment covers a whole game.
    """
    made = rules["contract_after_round"] < rules["rounds"]
    options = [name for name in rules["spell_element"] if name != "hastur"]
    options += [CONTRACT] if made else []
    once = {"unit": "when", "moments": (1,), "words": "once"}
    base = {**once, "changes": {}}
    return ({**base, "kind": "cast", "options": options}, {**base, "kind": "counter"})


def _values(played: EvilpactArrays, about: About) -> dict[str, Array]:
    """Return whether seats win."""
    return {"won_more": played.victory}


def _rows(cast: EvilpactArrays, kept: EvilpactArrays, about: About) -> pl.DataFrame:
    """Return when a seat first used what about["option"] names, and whether later."""
    option, keys = about["option"], ["game", "seat"]
    mine = pl.col("answered") == 1
    if option:
        mine = pl.col("source") == CONTRACT
        mine = mine if option == CONTRACT else ~mine & (pl.col("spell") == option)
    here, there = (
        (arm.casts if option else arm.answers.with_columns(seat=_OTHER)).filter(mine)
        for arm in (cast, kept)
    )
    whose = pl.DataFrame({"game": cast.game, "seat": cast.differing_seat(kept)})
    first = (
        here.filter(pl.col("when") == "after")
        .join(whose.cast({"game": pl.UInt64, "seat": pl.UInt8}), on=keys)
        .sort("game", "round", "turn")
        .unique("game", keep="first", maintain_order=True)
    )
    later = there.select(keys).unique().with_columns(later=pl.lit(1))
    return first.join(later, on=keys, how="left", maintain_order="left").select(
        *keys,
        pl.col("round").cast(pl.Int64),
        "spell",
        pl.col("later").fill_null(0),
        what=pl.lit(option or ANSWER),
    )


EVERY = 5
"""Picks are tried in one of this many games."""


def counterfactuals(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Try the cards of one round in the second half of the game, and contracts."""
    middle = min(rules["rounds"] // 2 + 1, rules["rounds"])
    wanted = {"decisions": ("acquire",), "moment": ("round", middle)}
    cards = {**wanted, "one_game_in": EVERY, "players": (2,)}
    return (cards, *contract_counterfactuals.branching(rules))


CHOICES = WhatIfs(counterfactuals=counterfactuals)
PAIRS = PairedDifferences("kept", EvilpactArrays, _values, _rows)
SPELLS = WhatIfs(
    decline=decline,
    pairs=PAIRS,
    measures=MEASURES,
    records=("counter", "effect", "spell"),
)

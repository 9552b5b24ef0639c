"""Options of a decision compared: how much more often one wins than another.

A game is played on from a decision with each of its options
(``WhatIfs.counterfactuals``), by the same strategies and with common random numbers. An
option is worth what its player wins more often than with another option of the same
decision. Only this one choice is changed: plans over several turns are not tried.
"""

from collections.abc import Mapping, Sequence

import polars as pl

from reports.game_report import Raw

_NO_ROWS = pl.DataFrame(
    schema={
        **dict.fromkeys(("game", "option"), pl.UInt64),
        **dict.fromkeys(("round", "turn"), pl.Int64),
        "kind": pl.String,
        "seat": pl.UInt8,
        "won": pl.Boolean,
    }
)

_DECISION = ("game", "kind", "round", "turn", "when", "seat")


def compare_options(raw: Raw, words: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """Return a row for each option tried: game, kind, the time, seat, won, and more.

    option   its name in ``words``, by the kind of decision and the bit
    others   how many other options the decision had
    more     wins with it less wins with another one, added up over the others
    """
    tried = raw.get("branching", _NO_ROWS)
    tried = _NO_ROWS if tried.is_empty() else tried
    names = pl.DataFrame(
        [(kind, 1 << n, w) for kind, of in words.items() for n, w in enumerate(of)],
        schema={"kind": pl.String, "option": pl.UInt64, "word": pl.String},
        orient="row",
    )
    rows = tried.join(names, on=["kind", "option"], maintain_order="left")
    same = [name for name in tried.columns if name in _DECISION]  # the decision
    won = pl.col("won").cast(pl.Int64)
    others, wins = pl.len().over(same).cast(pl.Int64) - 1, won.sum().over(same)
    return rows.with_columns(
        option="word",
        others=others,
        more=won * others - (wins - won),
    ).drop("word")

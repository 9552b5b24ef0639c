"""Decisions tried with every option: what each option is worth, and what was lost.

A game is played on from a decision with each option, on the same deals and with common
random numbers (``WhatIfs.counterfactuals``). The game provides a row for each option
tried:

    CONTRACTS = Counterfactual("contract", "contracts", time="week", hand=HAND)
    ReportSection(section, CONTRACTS.measures, tables)   # {"contracts": rows}

    yield from counterfactual_parts(CONTRACTS, data)   # in its section

with the columns game, decision, strategy, the time, hand (what the hand
promises, an integer), option (words), chosen, made (or null), points (at the end), won,
out and came (what the hand came to). Worth is compared with the option ``none``, or, if
players may not go without, with each other option of the same decision.

Few decisions of a game are tried, and the game is the unit. ``half`` splits the games
in two, so that the best option for a hand is chosen in one half and judged in the
other.
"""

from reports.counterfactuals.measures import (
    COUNTERFACTUAL_GROUPS,
    COUNTERFACTUAL_SCHEMA,
    Counterfactual,
)
from reports.counterfactuals.section import counterfactual_parts

__all__ = [
    "COUNTERFACTUAL_GROUPS",
    "COUNTERFACTUAL_SCHEMA",
    "Counterfactual",
    "counterfactual_parts",
]

"""Decisions tried with every option: what each option is worth, and what was lost.

A game is played on from a decision with each option, on the same deals and with common
random numbers (``WhatIfs.otherwise``). The game provides a row for each option tried:

    CONTRACTS = Tried("contract", "contracts", time="week", none="none", hand=HAND)
    ReportSection(section, CONTRACTS.measures, tables)   # {"contracts": rows}

    yield from shown(CONTRACTS, data)   # in its section

with the columns game, decision, strategy, position, the time, hand (what the hand
promises, an integer), option (words), chosen, made (or null), points (at the end), won,
out and came (what the hand came to). Worth is compared with the option ``none``, or, if
players may not go without, with each other option of the same decision.

Few decisions of a game are tried, and the game is the unit. ``half`` splits the games
in two, so that the best option for a hand is chosen in one half and judged in the
other.
"""

from reports.tried.counted import GROUPS, SCHEMA, Tried
from reports.tried.shown import shown

__all__ = ["GROUPS", "SCHEMA", "Tried", "shown"]

"""The report of Evilpact: what it is made of, its sections, and its what-ifs."""

from dataclasses import replace

from reports.evilpact import (
    cards,
    contracts,
    counters,
    elements,
    ends,
    pairs,
    readings,
    spells,
    start,
    strategies,
)
from reports.evilpact.formatting import GROUPS
from reports.evilpact.played import RECORDS, PlayedGames
from reports.game_report import GameReport

REPORT = GameReport(
    sections=(
        readings.SECTION,  # first: all else rests on what is assumed
        start.SECTION,
        ends.SECTION,
        contracts.SECTION,
        spells.SECTION,
        counters.SECTION,
        cards.SECTION,
        elements.SECTION,
        strategies.SECTION,
    ),
    records=RECORDS,
    reads=PlayedGames,
    groups=GROUPS,
    what_ifs=replace(pairs.WHAT_IFS, beside=readings.beside),
    games=8_192,
    search_games=64,
    assumed={"turbidity": readings.pairs, "spell_element": readings.spells},
)

"""The report of Evilpact: its sections, what it records, and what it tries."""

from dataclasses import replace
from functools import partial

from reports import strategies
from reports.evilpact import (
    cards,
    economy,
    elements,
    ends,
    pairs,
    readings,
    spells,
    start,
)
from reports.evilpact.formatting import GROUPS
from reports.evilpact.played import PlayedGames
from reports.formatting import estimated
from reports.game_report import GameReport, ReportSection

_STRATEGIES = partial(
    strategies.section,
    measure="fulfilled by strategy",
    last=estimated("contract fulfilled", "fulfilled contracts", "number", "last"),
    less="less half of the draws",
)
REPORT = GameReport(
    sections=(
        readings.SECTION,  # first: all else depends on what is assumed
        start.SECTION,
        ends.SECTION,
        ends.CONTRACTS,
        spells.SECTION,
        spells.COUNTERS,
        cards.SECTION,
        elements.SECTION,
        economy.SECTION,
        elements.COURSE,
        ReportSection(_STRATEGIES),
    ),
    records=("final", "result"),
    reads=PlayedGames,
    groups=GROUPS,
    what_ifs=replace(pairs.WHAT_IFS, beside=readings.SURVIVING.beside),
    games=8_192,
    ends=2,
    search_games=192,
    luck_deals=256,
    knocked_games=0,  # nearly every spell is cast in nearly every game
    assumed={"turbidity": readings.pairs, "spell_element": readings.spells},
)

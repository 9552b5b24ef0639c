"""The report of Evilpact: its sections, what it records, and what it tries."""

from reports import strategy_section
from reports.evilpact import (
    assumptions,
    cards,
    economy,
    elements,
    endings,
    spells,
    start_player,
)
from reports.evilpact.game_arrays import EvilpactArrays
from reports.evilpact.labels import GROUPS
from reports.game_report import GameReport
from reports.measure_tables import Number

REPORT = GameReport(
    sections=(
        assumptions.SECTION,  # first: all else depends on what is assumed
        start_player.SECTION,
        endings.SECTION,
        endings.CONTRACTS,
        spells.SECTION,
        cards.SECTION,
        economy.SECTION,
        elements.COURSE,
        strategy_section.section(
            Number(
                "fulfilled by strategy", "contract fulfilled", "fulfilled contracts"
            ),
            "less half of the draws",
        ),
    ),
    records=("final", "result"),
    reads=EvilpactArrays,
    groups=GROUPS,
    games=2_048,
    outcome_factor=2,
    search_games=192,
    luck_deals=256,
    decisions_tried=4,
    option_replays=4_096,
    lesson_seconds=6.0,
    strong_seconds=0.0005,
    search_seconds=0.0065,
    undecided={"draw": "neither is ahead in anything: a draw"},
    assumed={"turbidity": assumptions.pairs, "spell_element": assumptions.spells},
)

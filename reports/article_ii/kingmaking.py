"""Kingmaking: players who cannot win, and decide who does (``general_choices``)."""

import polars as pl

from reports.article_ii.general_choices import DECIDERS, EVERY, KINDS
from reports.bounded_claims import BoundedClaim
from reports.figure_specs import bars
from reports.measure_tables import MeasureTable, Number, WordColumn

TABLES = (
    MeasureTable(
        "take-that-deciders",
        "Whose choice is the last that decides who wins",
        "Of games that one player wins. Each turn of the General is played again with "
        "each card in hand on each player, and all that follows, that player's later "
        "turns too, is played by the same strategies on the same chance; they also "
        "choose what a card removes, and all answers. The table counts whose turn was "
        "the last at which that changed who wins. A kingmaker wins with no option, but "
        "decides which other becomes President. A rival would have won with some "
        "option. Nobody: there is no such turn. This is judged afterwards, with all "
        f"hands open, one turn at a time. Every {EVERY}th game is tried.",
        (
            "players",
            WordColumn(
                "who",
                "decided by",
                "whose choice was the last to decide",
                DECIDERS,
                "decider",
            ),
            Number("decided by", "games"),
        ),
        draw=bars("table", "share of games that one player wins, %", "who"),
    ),
    MeasureTable(
        "take-that-choices",
        "What a choice of the General decides, round by round",
        "All turns of these games; a round is a turn of everybody, the last number "
        "stands for all later ones. A choice decides whether the player wins if they "
        "win with some options, not with others; else which other wins (kingmaking), "
        "if options make different others President.",
        (
            "players",
            "round",
            WordColumn("what", "decides", "what the options change", KINDS, "decides"),
            Number("choices", "share"),
        ),
        rows=lambda rows: rows.with_columns(
            where=pl.format("{} players, round {}", "players", "round")
        ),
        draw=bars("where", "share of choices, %", "what"),
    ),
)
KINGMAKER = BoundedClaim(
    "Kingmaking, {players} players, {who}: in {value} of the games that one player "
    "wins, the last choice of the General that decides who wins is a kingmaker's, who "
    "wins with no option: {verdict}. It is the President's own in {own}, a rival's in "
    "{rival}. In {ever} of these games there is a turn at which a player who could not "
    "win with it could have made another President; {turns} of all turns are like that",
    "decided by",
    {
        "within": "no more than {most}",
        "outside": "more than {most}",
        "undecided": "whether more than {most} is undecided",
    },
    most=0.1,
    where={"decider": 2},
    also={
        "own": ("decided by", {"decider": 0}),
        "rival": ("decided by", {"decider": 1}),
        "ever": "a kingmaker somewhere",
        "turns": "kingmaking turns",
    },
)

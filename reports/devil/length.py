"""Length of rounds and games: the median, the 95th percentile, and the tail."""

import polars as pl

from reports.counts import Counts
from reports.devil.game_arrays import DevilArrays
from reports.figure_specs import dots
from reports.game_report import ReportSection
from reports.length_ladder import ladder, length_table
from reports.measures import MeasuresOf

ROUND, ROUNDS, GAME = "rounds with turns", "games with rounds", "games with turns"
WHAT = {ROUND: "turns in a round", ROUNDS: "rounds in a game", GAME: "turns in a game"}
_LONGER = MeasuresOf(by="beyond")


def counts(played: DevilArrays) -> list[Counts]:
    """Count the rounds and games longer than each length of the ladder."""
    lengths = {
        ROUND: (played.game_of, played.rounds.once("turns")),
        ROUNDS: (played.number, played.rounds_of_game),
        GAME: (played.number, played.turns_of_game),
    }
    return [ladder(name, *values) for name, values in lengths.items()]


SECTION = ReportSection(
    id="length",
    title="Length of rounds and games",
    question="How long are rounds and games?",
    intro="With {who}. Skipped turns do not count. Rounds last until somebody ends "
    "them, so a few are long.",
    measures=(
        # per game played: a block has no row for lengths that none of its games exceeds
        _LONGER.per_game(ROUND, "rounds of a game with more turns than this"),
        _LONGER.share_of_games(ROUNDS, "games with more rounds than this"),
        _LONGER.share_of_games(GAME, "games with more turns than this"),
    ),
    counts=counts,
    records=("round",),
    tables=(
        length_table(
            "length-percentiles",
            "How long rounds and games last",
            WHAT,
            dots(
                "table",
                "turns in a round: 95th percentile",
                "95th",
                only=pl.col("what") == WHAT[ROUND],
                heading="95th percentile of the turns in a round, by players",
            ),
        ),
    ),
)

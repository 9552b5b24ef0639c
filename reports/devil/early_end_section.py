"""Declaring: what ending a round brings, against going on with the same deal.

Two comparisons. In the games as played: what ending would have added at moments when
somebody went on, and what the round did add in the end, which others may have ended
later. In games played twice: rounds that a seat ended, against the same games in which
it goes on at that moment only.
"""

from itertools import pairwise

import numpy as np
import polars as pl

from reports.bounded_claims import RowsClaim
from reports.counts import Array
from reports.devil import early_end_what_ifs
from reports.devil.game_arrays import DevilArrays
from reports.devil.labels import card_words
from reports.figure_specs import dots
from reports.game_arrays import pick_seat
from reports.game_report import ReportSection
from reports.measure_tables import (
    MeasureTable,
    Number,
    VerdictColumn,
    WordColumn,
    here,
    with_words,
)
from reports.measures import MeasuresOf
from reports.report_document import Column

BANDS = (0, 3, 6, 10, 15, 20, 30)  # least cost of the player's own hand in each
_MOMENTS = MeasuresOf("declares", "band")
MEASURES = (
    _MOMENTS.share("declared", "moments at which the round was ended", "ends"),
    _MOMENTS.mean(
        "better",
        "points gained on the others by ending instead",
        "better",
        "others",
        unit="points",
        where=pl.col("ends") == 0,
    ),
)


def tidy(played: DevilArrays) -> dict[str, pl.DataFrame]:
    """Return a row per moment at which a round could be ended, of rounds that ended.

    better: what ending gains on all others together, less what the round's end did.
    """
    events, others = played.declares, played.players - 1
    rounds = played.rounds.when
    kept = np.flatnonzero(np.isin(events.when, rounds))
    seat = events.once("who")[kept]
    cost, card = events.each("cost")[:, kept], played.declared[kept]
    end_own, end_rest = if_ended(played, cost, seat, card == "1S")
    added = played.added[:, np.searchsorted(rounds, events.when[kept])]
    on_own = pick_seat(added, seat)
    ending, onward = (
        rest - others * own
        for rest, own in ((end_rest, end_own), (added.sum(axis=0) - on_own, on_own))
    )
    columns = {
        "game": played.first + events.game[kept],
        "band": np.searchsorted(BANDS, pick_seat(cost, seat), side="right") - 1,
        "ends": events.once("ends")[kept],
        "others": np.full(len(kept), others),
        "better": ending - onward,
    }
    return {"declares": pl.DataFrame(columns)}


def if_ended(
    played: DevilArrays, cost: Array, who: Array, one: Array
) -> tuple[Array, Array]:
    """Return what ending would add to ``who``, and to the others together, (moments,).

    cost: (seats, moments) of the hands. one: whether a Special 1 was played.
    """
    own = pick_seat(cost, who)
    four = 2 if played.rules["s4_end"] == "all" else 1
    return 2 * own, (cost.sum(axis=0) - own) * np.where(one, 2, four)


_BANDS = {
    at: f"{least} to {after - 1}" for at, (least, after) in enumerate(pairwise(BANDS))
} | {len(BANDS) - 1: f"{BANDS[-1]} or more"}
MOMENTS = MeasureTable(
    "declaring-band",
    "Ended or went on, by the cost of the player's hand",
    "{players} players. At moments when somebody went on: points of the round that "
    "ending would have gained on the others, less what they gained in the end, on the "
    "same deal.",
    (
        WordColumn("words", "own hand costs", "cost of the hand", _BANDS, "band"),
        Number("declared", "ended"),
        Number("better", "ending better", name="better"),
        VerdictColumn(1, "a point", {"above": "ending", "below": "going on"}, "better"),
    ),
    only=here,
    draw=dots("words", "points gained by ending instead", "better", reference=0),
    n=Column("better_n", "n went on", "those moments, times the others", "count"),
)
PAIRS = MeasureTable(
    "declaring-paired",
    "Rounds that were ended, against going on at that moment on the same deals",
    "{players} players, one strategy in every seat. For rounds 1 to 3 that a seat "
    "ended by declaring: that game, less the same game in which this seat goes on at "
    "that moment only. Afterwards all play on as before, so it may end the round at a "
    "later Special. Points are bad, so less is better. Games whose round never ended "
    "are left out.",
    (
        "strategy",
        WordColumn("words", "Special", "that ended the round", card_words, "card"),
        Number("own_less", "own points", name="own_less"),
        Number("rest_less", "others' points", name="rest_less"),
        Number("ahead_more", "ahead", name="ahead_more"),
        Number("won_more", "win share", name="won_more"),
        Number("turns_less", "turns", name="turns_less"),
        VerdictColumn(1, "a point", {"above": "pays", "below": "costs"}, "ahead_more"),
    ),
    paired=True,
    rows=with_words("what", "{}, {}".format, "strategy", "words"),
    draw=dots("what", "points gained on the others", "ahead_more", reference=0),
    n=Column("own_less_n", "n", "rounds that the seat ended", "count"),
)
SECTION = ReportSection(
    id="declaring",
    title="Declaring: to end the round, or to go on",
    question="What is it worth to end the round, or to go on?",
    intro="With {who}. Whoever plays a Special with cards left may end the round. "
    "That adds twice the cost of their own hand, so it pays where the others hold much "
    "more.",
    measures=MEASURES,
    tidy=tidy,
    records=("declaring", "round"),
    tables=(MOMENTS, PAIRS),
    claims=(
        RowsClaim(
            "Declaring, {players} players, compared with going on at that moment on "
            "the same deals, points of the round gained on the others",
            PAIRS,
            "what",
            {"above": "more than one", "below": "more than one lost"},
        ),
        RowsClaim(
            "Going on, {players} players, {who}, points of the own hand",
            MOMENTS,
            "words",
            {
                "above": "ending would have gained more than a point on the others",
                "below": "going on gained more than a point",
            },
        ),
    ),
    what_ifs=(early_end_what_ifs.WHAT_IFS,),
)

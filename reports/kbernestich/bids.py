"""Bids: how often they come true, and what they bring."""

from functools import partial

import numpy as np
import polars as pl

from reports.counterfactuals import counterfactual_parts
from reports.figure_specs import heat
from reports.game_report import ReportSection
from reports.kbernestich import cube_counterfactuals
from reports.kbernestich.game_arrays import KbernestichArrays, came_true
from reports.measure_tables import MeasureTable, Number, uniform
from reports.measures import MeasuresOf

_BIDS = MeasuresOf("bids", by="strategy bid")


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per bid. points: including the misery bonus."""
    bid = np.full(played.placed.shape, -1, dtype=np.int8)
    for at, name in enumerate(played.rules["hunch"]):
        bid[played.on(f"hunch-{name}")] = at
    columns = {
        "strategy": played.strategy,
        "bid": bid,
        "made": came_true(played, bid, played.tricks, played.placed),
        "points": played.hunch + played.misery,
        "misery": played.misery,
    }
    rows = played.frame(bid.shape, columns, np.flatnonzero(bid >= 0))
    words = pl.Series([str(name) for name in played.rules["hunch"]], dtype=pl.String)
    return {"bids": rows.with_columns(bid=words.gather(rows["bid"]))}


SECTION = ReportSection(
    id="bids",
    title="Bids",
    question="Which bids are made and met, and what is each worth?",
    intro="A cube in Hunch of Growth bids on a number of tricks; a bid of 0 also earns "
    "a misery bonus. Each strategy at a table of its own kind, {players} players.",
    measures=(
        _BIDS.per_game("bids", "bids on this number per game, of the whole table"),
        _BIDS.share("bid made", "share of the bids that come true", "made"),
        _BIDS.mean(
            "bid points", "points for the bid, including the misery bonus", "points"
        ),
        _BIDS.mean("bid misery", "misery bonus a bid", "misery"),
    ),
    tidy=tables,
    records=("plot", "score", "sheet"),
    what_ifs=(cube_counterfactuals.WHAT_IFS,),
    tables=(
        MeasureTable(
            "bids-made",
            "How often bids come true, and what they bring",
            "Bidders play for their bid, which may cost points elsewhere: see below "
            "for bids tried on the same deals.",
            (
                "strategy",
                "bid",
                Number("bid made", "made"),
                Number("bid points", "points", name="points"),
                Number("bid misery", "misery", name="misery"),
                Number("bids", "a game", name="often"),
            ),
            only=uniform,
            draw=heat(
                "bid", "strategy", "share made, %", ends=True, only=pl.col("n") >= 100
            ),
        ),
        partial(
            counterfactual_parts,
            cube_counterfactuals.BIDS,
            only=pl.col("option").str.starts_with("hunch"),
        ),
    ),
)

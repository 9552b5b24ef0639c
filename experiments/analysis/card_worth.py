"""Which cards, squares or spells became stronger or weaker when their table changed.

A card is worth the games that a player loses who goes without it: one player never
takes it, in no decision, while all others play as before on the same deals (restricted
play: ``counterfactual.changed_players``). That is played by both rule sets, on the same
deals where the sides have the same, and the worths are subtracted. A card is a row of a
table that options of decisions use (``changed_cards``). What other rows do is told by
``row_effects``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.analysis.changed_cards import TableCard, kind_options, table_cards
from experiments.core.blocks import block_size
from experiments.core.cells import Cell, same_games
from experiments.counterfactual.forbidden_options import play_block
from experiments.counterfactual.intervention import Forbid, Intervention, When
from experiments.counterfactual.interventions import Interventions
from experiments.execution.results import Results
from experiments.execution.run import run
from reports.batches import GameBatches
from reports.statistics import multiple_comparisons
from reports.statistics.intervals import LEAST

Array = NDArray[np.float64]
_REPLAYS = 524_288  # games with a card forbidden, at most
_BLOCK = 4_096  # games, at most
_SURE = 4  # games that differ as much as they can, added (``paired_estimates``)
_LEVEL = 0.95
_NAMED = 8  # cards in a sentence, at most
_SIDES = ("one", "other")


def card_worth(
    pairs: Sequence[tuple[Cell, Cell]], games: int, **how: Any
) -> pl.DataFrame:
    """Play both sides without each card, and return what each is worth on each side.

    games: deals, at most; fewer if there are many cards. ``how`` goes to ``run``.
    Columns: cell (number of the pair), card, name, changed; worth, se and used (games
    in which the player takes it) of each side, as worth_one and worth_other, null where
    it lacks the card; difference (other less one), se and freedom (of Student's t).
    Empty if no tables of cards differ.
    """
    cards = [[c for c in table_cards(*pair) if any(c.options)] for pair in pairs]
    most = max(map(len, cards), default=0)
    if not most:
        return pl.DataFrame()
    cells = [
        _without_each(cell, side, known)
        for pair, known in zip(pairs, cards, strict=True)
        for side, cell in enumerate(pair)
    ]
    games = max(min(games, _REPLAYS // most), 1)
    size = min(block_size(cells[:1], games, False, False), _BLOCK)
    results = run(cells, games, play=play_block, block=size, **how)
    rows = [
        {"cell": number, "card": card.card, "name": card.name, "changed": card.changed}
        | _worth(results, number, card.card, same_games(*pairs[number]))
        for number, known in enumerate(cards)
        for card in known
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _without_each(cell: Cell, side: int, cards: Sequence[TableCard]) -> Cell:
    """Return the cell whose first player goes without each card, one after another."""
    known = kind_options(cell)
    every = []
    for card in cards:
        ids = card.options[side]
        kinds = tuple(kind for kind, own in known.items() if {*ids} & {*own})
        if kinds:
            forbid = Forbid(card.card, ids)
            every.append(Intervention(When(kinds), "first", forbid))
    return replace(cell, interventions=Interventions(tuple(every)))


def _worth(results: Results, number: int, card: str, paired: bool) -> dict[str, Any]:
    """Return the worth of a card on both sides, and the difference."""
    players = results.cells[2 * number].players
    row: dict[str, Any] = {}
    lost: list[Array] = []
    sizes = GameBatches(players).sizes(results.played[2 * number])
    for side, name in enumerate(_SIDES):
        sums = results.sums.filter(cell=2 * number + side, option=card)
        wins = sums.filter(measure="knocked out")
        if wins.is_empty():
            row |= {f"worth_{name}": None, f"se_{name}": None, f"used_{name}": None}
            continue
        played, without = (
            wins.filter(side=word)["y_batches"].to_numpy()[0] for word in _SIDES
        )
        lost.append(played - without)
        worth, error = _mean(lost[-1], sizes)
        used = sums.filter(measure="used")["y"].sum()
        row |= {f"worth_{name}": worth, f"se_{name}": error, f"used_{name}": used}
    freedom = float(np.count_nonzero(sizes) - 1)
    if len(lost) < len(_SIDES):
        return row | {"difference": None, "se": None, "freedom": freedom}
    difference, error = _mean(lost[1] - lost[0], sizes)
    if not paired:
        error = float(np.hypot(row["se_one"], row["se_other"]))
    return row | {"difference": difference, "se": error, "freedom": freedom}


def _mean(totals: Array, sizes: Array) -> tuple[float, float]:
    """Return the mean of a game and its error, from totals by batch (random groups)."""
    games, parts = sizes.sum(), np.count_nonzero(sizes)
    mean = totals.sum() / games
    spread = ((totals - mean * sizes) ** 2).sum() * parts / max(parts - 1, 1)
    return float(mean), float(np.sqrt(spread + _SURE) / games)


def with_card_verdicts(rows: pl.DataFrame, among: int) -> pl.DataFrame:
    """Judge the differences of all cards: those whose rows differ, then the others.

    These are two families (Holm), which share their part of the chance of a false
    alarm: 1 of ``among``. Adds low and high (for all cards of the family at once),
    p_adjusted and verdict: "stronger", "weaker", "open", "new", "gone", or "too rare"
    where the player took it in fewer than ``LEAST`` games. Of cards that one side lacks
    low and high are those of their worth, for all of them at once (Bonferroni, 95 %).
    """
    if rows.is_empty():
        return rows
    parts = rows.partition_by("changed")
    judged = pl.concat([_judged(part, among * len(parts)) for part in parts])
    size = pl.col("difference").abs()
    return judged.sort("cell", "changed", size, descending=[False, True, True])


def _judged(rows: pl.DataFrame, among: int) -> pl.DataFrame:
    """Judge the differences of one family of cards."""
    from scipy.special import stdtr, stdtrit  # slow to import

    difference, se, freedom = (
        rows[name].cast(pl.Float64).to_numpy()
        for name in ("difference", "se", "freedom")
    )
    often = pl.min_horizontal("used_one", "used_other") >= LEAST
    known = rows.select(often & pl.col("difference").is_not_null()).to_series()
    enough = known.fill_null(value=False).to_numpy()
    p = np.where(enough, 2 * stdtr(freedom, -abs(difference / se)), np.nan)
    level = np.full(rows.height, multiple_comparisons.levels(p, among=among))
    alone = np.isnan(difference)  # on one side only: the worth itself
    level[alone] = 1 - (1 - _LEVEL) / max(alone.sum(), 1)
    middle, error = (
        np.where(alone, rows.select(_of_one_side(name)).to_series(), values)
        for name, values in (("worth", difference), ("se", se))
    )
    half = stdtrit(freedom, (1 + level) / 2) * error
    words = {
        "new": rows["worth_one"].is_null().to_numpy(),
        "gone": rows["worth_other"].is_null().to_numpy(),
        "too rare": ~enough,
        "open": ~multiple_comparisons.different(p, among=among),
        "stronger": difference > 0,
    }
    numbers = {
        "low": middle - half,
        "high": middle + half,
        "p_adjusted": multiple_comparisons.adjust(p, among=among),
    }
    return rows.with_columns(
        *(pl.Series(name, n, nan_to_null=True) for name, n in numbers.items()),
        verdict=pl.Series(np.select([*words.values()], [*words], "weaker")),
    )


def _of_one_side(name: str) -> pl.Expr:
    """Return a number of the side that has the card."""
    return pl.coalesce(f"{name}_one", f"{name}_other").cast(pl.Float64)


def card_sentences(cards: pl.DataFrame) -> Iterator[str]:
    """Say which cards of a cell became stronger or weaker, and what new ones are worth.

    cards: ``with_card_verdicts``.
    """
    if cards.is_empty():
        return
    groups = {
        word: cards.filter(verdict=word)
        for word in ("stronger", "weaker", "new", "gone")
    }
    mine = cards.filter("changed")
    groups["changed, but open:"] = mine.filter(verdict="open")
    groups["changed, but hardly taken on a side:"] = mine.filter(verdict="too rare")
    parts = [f"{word} {_named(rows)}" for word, rows in groups.items() if rows.height]
    open_ = pl.col("verdict").is_in(["open", "too rare"])
    if left := cards.filter(open_ & ~pl.col("changed")).height:
        parts.append(f"no effect is shown on {left} other{'s' * (left != 1)}")
    yield (
        "Cards, by the wins of 100 that a player loses who goes without: "
        f"{'; '.join(parts)}."
    )


def _named(rows: pl.DataFrame) -> str:
    """Name cards with their worth."""
    words = ", ".join(_words(row) for row in rows.head(_NAMED).to_dicts())
    more = rows.height - _NAMED
    return f"{words} and {more} more" if more > 0 else words


def _words(row: Mapping[str, Any]) -> str:
    """Return the worth of a card before and after, or on the only side that has it."""
    low, high = 100 * row["low"], 100 * row["high"]
    if row["difference"] is None:
        side = "one" if row["worth_other"] is None else "other"
        worth = 100 * row[f"worth_{side}"]
        return f"{row['name']} ({worth:.1f}, {low:.1f} to {high:.1f})"
    one, other = 100 * row["worth_one"], 100 * row["worth_other"]
    return f"{row['name']} ({one:.1f} to {other:.1f}, change {low:+.1f} to {high:+.1f})"

"""Cards that a player has or lacks: both games of an experiment on deals.

A card of each hand is drawn, and a coin decides whether its player has it; the second
game turns every coin over (``sim.games.Game.trial``).
"""

from dataclasses import dataclass, replace
from typing import Any

import polars as pl
from numpy.typing import NDArray

from experiments.core.block_records import EventRecorder
from experiments.core.cells import Cell, play
from experiments.counterfactual.action_counts import Numbers
from experiments.counterfactual.changed_players import End
from sim import games
from sim.listener import Fields

_NOTE = "trial"


@dataclass(frozen=True)
class SwappedCards:
    """Both games of each deal: how they end, and who had which card in the first.

    ``drawn``: a row for each card that was drawn, with game (its index), seat, card and
    has (in the first game; in the second it is the other way round).
    """

    ends: tuple[Fields, Fields]
    drawn: pl.DataFrame
    decisions: int

    def of(self, card: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return game, seat and has of the hands of which a card was drawn."""
        rows = self.drawn.filter(pl.col("card").cast(pl.String) == card)
        game, seat = (rows[name].cast(pl.Int64).to_numpy() for name in ("game", "seat"))
        return game, seat, rows["has"].cast(pl.Boolean).to_numpy()


def swapped_cards(cell: Cell, trial: Any, numbers: Numbers) -> SwappedCards:
    """Play both games of an experiment on deals, for games with these numbers."""
    first = int(numbers[0])
    notes = EventRecorder(games.load(cell.game), (_NOTE,), first, len(numbers))
    ends = End(), End()
    one, other = (
        replace(cell, trial=replace(trial, turned=turned), interventions=None)
        for turned in (False, True)
    )
    played = play(one, numbers, [*notes.listeners, ends[0]])
    again = play(other, numbers, [ends[1]])
    drawn = notes.tables(played)[_NOTE].with_columns(
        game=(pl.col("game").cast(pl.Int64) - first).cast(pl.Int64)
    )
    made = played.decisions + again.decisions
    return SwappedCards((ends[0].fields, ends[1].fields), drawn, made)

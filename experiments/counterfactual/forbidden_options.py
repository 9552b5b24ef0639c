"""Forbidden options: replay games in which one player, or nobody, may take an option.

What is lost without an option is what it is worth (restricted play:
``strategies.restricted_play``). A game in which those players never took it is the same
without it, and is not played again (``changed_players``).
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import polars as pl

import sim.games
from experiments.core.block_records import Block, game_numbers
from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, PlayedGames
from experiments.core.malloc_settings import keep_freed_memory
from experiments.counterfactual.action_counts import (
    TAKEN_COUNTS,
    WON,
    Numbers,
    key_columns,
    play_first,
)
from experiments.counterfactual.changed_players import WHOLE, Replays
from experiments.counterfactual.intervention import Forbid, Intervention, When
from reports.counts import Counts
from reports.cross_moments import cross_moments
from reports.measures import SUMS
from sim.masks import Flags
from strategies.restricted_play import option_ids

FEW = 8
"""Options of a decision that has few: contracts, bids, actions; not cards."""


def whole_or_options(cell: Cell) -> Iterator[Intervention[Forbid]]:
    """Yield what can be forbidden to the first player of a cell, one after another.

    Of each kind of decision that is the decision as a whole, then each option.
    """
    game = sim.games.load(cell.game)
    for kind in game.kinds.values():
        ids = option_ids(game, cell.rules, cell.players, kind)
        for option in (WHOLE, *ids):
            yield Intervention(When((kind.name,)), "first", Forbid(option))


def few_options(cell: Cell) -> Iterator[Intervention[Forbid]]:
    """Yield the options of decisions with few options; no whole decisions."""
    every = whole_or_options(cell)
    for _, group in groupby(every, lambda each: each.when.decisions):
        single = [each for each in group if each.do.option != WHOLE]
        yield from single if len(single) <= FEW else ()


class ForbiddenListener(Replays):
    """Listens to the games of a cell, and plays some of them again without options.

    In the games replayed, players with no other option take nothing.
    """

    def __init__(
        self, every: Sequence[Intervention[Forbid]], cell: Cell, numbers: Numbers
    ) -> None:
        super().__init__(every, cell, numbers, or_nothing=True)

    def table(self, played: PlayedGames) -> pl.DataFrame:
        """Return a row for each game and intervention.

        ``seat`` is the player who may not take the option; if nobody may, it is the
        first who took it, or -1 for none. ``used``: whether the option was taken (by
        that player). ``strategy`` is the lineup's first, ``own`` whether it plays in
        ``seat``. ``winner`` and ``winner_without`` are -1 for nobody.
        """
        winner, size = self.end["winner"], len(self.numbers)
        without = np.tile(winner, (len(self._every), 1))
        for part in self.replay():
            without[part.intervention, part.game] = part.end["winner"]
        alone = len(played.lineup) == 1
        whose = [each.whose for each in self._every]
        only = np.array([who == "first" for who in whose])[:, None]
        own = self.first >= 0 if alone else self.first == self.player
        option = [each.do.option for each in self._every]
        columns = {
            "seat": np.where(only, self.player, self.first).astype(np.int8),
            "used": self.affected,
            "own": np.where(only, self.took, own),
            "winner_without": without,
        }
        frame = {
            "game": np.tile(self.numbers, len(option)),
            "option": np.repeat(option, size),
            "winner": np.tile(winner, len(option)),
            "whose": np.repeat(whose, size),
            **{name: values.reshape(-1) for name, values in columns.items()},
        }
        strategy = pl.lit(self._cell.strategies()[0].title)
        return pl.DataFrame(frame).with_columns(strategy=strategy)


def play_block(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block, and replay it without each thing that the cell forbids.

    The sums are those of ``knockout``: wins with and without it, games with it, and how
    often each option is taken.
    """
    every: tuple[Intervention[Forbid], ...] = cell.interventions.every
    keep_freed_memory()
    numbers = game_numbers(block)
    replays = Replays(every, cell, numbers)
    played = play_first(cell, numbers, replays)
    won, decisions = np.tile(played.uses.won, (len(every), 1)), played.decisions
    for part in replays.replay():
        player = replays.player[part.game]
        won[part.intervention, part.game] = part.end["winner"] == player
        decisions += part.decisions
    keys = [(each.when.decisions[0], each.do.option) for each in every]
    sides = (np.broadcast_to(played.uses.won, won.shape), won)
    one, other = (
        Counts(WON, key_columns(keys), side, np.ones(won.shape, dtype=np.uint16))
        for side in sides
    )
    sums = pl.concat(
        [
            cross_moments(one, other).with_columns(measure=pl.lit("knocked out")),
            _games_with(keys, replays.affected),
            played.uses.counts().sums().with_columns(measure=pl.lit(TAKEN_COUNTS)),
        ],
        how="diagonal",
    )
    sums = sums.with_columns(cell=pl.lit(block.cell, dtype=pl.Int32))
    return Outcome(block, sums, {}, decisions)


def _games_with(keys: Sequence[tuple[str, str]], affected: Flags) -> pl.DataFrame:
    """Return in how many of all games each was used."""
    values = dict.fromkeys(SUMS, np.zeros(len(keys))) | {
        "y": np.count_nonzero(affected, axis=1).astype(np.float64),
        "x": np.full(len(keys), float(affected.shape[1])),
    }
    columns = key_columns(keys)
    return pl.DataFrame({**columns, **values}).with_columns(measure=pl.lit("used"))

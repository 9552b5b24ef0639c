"""Forbidden options: the same games where one player, or nobody, may take an option.

What is lost without an option is what it is worth (restricted play:
``strategies.restricted_play``). A game in which those players never took it is the same
without it, and is not played again (``changed_players``).
"""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

import sim.games
from experiments.core.block_records import Block, game_numbers
from experiments.core.blocks import Outcome, make_outcome
from experiments.core.cells import Cell, PlayedGames
from experiments.core.malloc_settings import keep_freed_memory
from experiments.counterfactual.action_counts import (
    Numbers,
    flag_sums,
    key_columns,
    play_first,
)
from experiments.counterfactual.changed_players import WHOLE, ChangedPlayers
from experiments.counterfactual.intervention import (
    Forbid,
    Force,
    Intervention,
    When,
)
from reports.counts import Counts, sums_of
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


def option_families(cell: Cell) -> Iterator[Intervention[Forbid]]:
    """Yield what forbids all options that players call by one word, such as bids.

    Not where these are all options of the kind of decision.
    """
    game = sim.games.load(cell.game)
    for kind in game.kinds.values():
        ids = option_ids(game, cell.rules, cell.players, kind)
        for word in kind.families:
            own = kind.family(word, ids)
            if 1 < len(own) < len(ids):
                yield Intervention(
                    When((kind.name,)), "first", Forbid(f"any {word}", own)
                )


class ForbiddenListener(ChangedPlayers):
    """Listens to the games of a cell, and plays some of them again without options.

    In these games players learn of a ban when they would take the option, and take
    nothing if there is no other.
    """

    def __init__(
        self, every: Sequence[Intervention[Forbid]], cell: Cell, numbers: Numbers
    ) -> None:
        super().__init__(every, cell, numbers, surprised=True)

    def table(self, played: PlayedGames) -> pl.DataFrame:
        """Return a row for each game and intervention.

        ``seat`` is the player who may not take the option; if nobody may, it is the
        first who took it, or -1 for none. ``used``: whether the option was taken (by
        that player). ``strategy`` is the lineup's first, ``own`` whether it plays in
        ``seat``. ``winner`` and ``winner_without`` are -1 for nobody.
        """
        winner, size = self.end["winner"], len(self.numbers)
        without = np.tile(winner, (len(self._every), 1))
        for part in self.played_on():
            without[part.intervention, part.game] = part.end["winner"]
        alone = len(played.lineup) == 1
        whose = [each.whose for each in self._every]
        only = np.array([who == "first" for who in whose])[:, None]
        own = self.first >= 0 if alone else self.first == self.player
        option = [each.do.option for each in self._every]
        columns = {
            "seat": np.where(only, self.player, self.first).astype(np.int8),
            "used": self.affected,
            "own": np.where(only, self.affected, own),
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
    """Play a block with and without each thing that the cell forbids or forces.

    The sums are those of ``knockout``: wins with and without it, games with it, and how
    often each option is taken.
    """
    every: tuple[Intervention[Forbid | Force], ...] = cell.interventions.every
    keep_freed_memory()
    numbers = game_numbers(block)
    changed = ChangedPlayers(every, cell, numbers)
    played = play_first(cell, numbers, changed)
    won, decisions = np.tile(played.uses.won, (len(every), 1)), played.decisions
    for part in changed.played_on():
        player = changed.player[part.game]
        won[part.intervention, part.game] = part.end["winner"] == player
        decisions += part.decisions
    keys = [(each.when.decisions[0], each.do.option) for each in every]
    batches, labels = block.batches(cell.players), key_columns(keys)
    sides = flag_sums(labels, played.uses.won, won, batches)
    sides = sides.with_columns(measure=pl.lit("knocked out"))
    used = Counts("used", labels, changed.affected, np.ones_like(changed.affected))
    more = sums_of([used, played.uses.counts()], batches)
    return make_outcome(block, pl.concat([sides, more], how="diagonal"), decisions, {})

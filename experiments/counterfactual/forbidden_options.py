"""Forbidden options: replay games in which one player, or nobody, may take an option.

A game in which those players never took the option is the same without it, and is not
played again. The others follow the recorded games until the option would be taken
(``replay``). What is lost without an option is what it is worth (restricted play:
``strategies.restricted_play``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import sim.games
from experiments.core.block_records import Block, game_numbers
from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, PlayedGames
from experiments.core.malloc_settings import keep_freed_memory
from experiments.core.multi_cell_table import play_cells_batched
from experiments.counterfactual.action_counts import (
    TAKEN_COUNTS,
    Numbers,
    first_seat,
    flag_products,
    key_columns,
    play_first,
)
from experiments.counterfactual.intervention import Forbid, Intervention, When
from experiments.counterfactual.replay import RecordedAnswers, ReplayUntilBlocked
from reports.measures import SUMS
from sim import masks
from sim.listener import Choice, Fields, Listener
from sim.masks import Flags
from strategies.base import Strategy
from strategies.random import Random
from strategies.restricted_play import OnlyKinds, WithoutOption, can_decline, option_ids

WHOLE = ""
"""Stands for a decision as a whole, in place of an option."""
FEW = 8
"""Options of a decision that has few: contracts, bids, actions; not cards."""
_BATCH = 32_768  # games that are played together


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


def way(game: str, each: Intervention[Forbid]) -> str:
    """Return how players go without: "without", "declined", or "at random"."""
    kinds = sim.games.load(game).kinds
    if each.do.option != WHOLE:
        return "without"
    declines = all(can_decline(kinds[kind]) for kind in each.when.decisions)
    return "declined" if declines else "at random"


def restricted(cell: Cell, each: Intervention[Forbid]) -> Cell:
    """Return the cell with players who may not take what is forbidden."""
    strategies = cell.strategies()
    kinds, do = "+".join(each.when.decisions), each.do

    def without(strategy: Strategy) -> Strategy:
        if way(cell.game, each) == "at random":
            return OnlyKinds(Random(), kinds, strategy)
        return WithoutOption(strategy, kinds, "|".join(do.ids or (do.option,)))

    number = 1 if each.whose == "first" else len(strategies)
    lineup = (*map(without, strategies[:number]), *strategies[number:])
    return replace(cell, lineup=lineup, interventions=None)


class Takers(Listener):
    """Listens to who takes what is forbidden, in games with these numbers, rising.

    They are all games whose number is divisible by ``one_in``.

    ``first`` (interventions, games) is the seat that takes it first, or -1; ``took``
    whether the lineup's first player ever does. Of a decision as a whole, whoever is
    asked takes it. ``winner`` (games,) is who won.
    """

    def __init__(
        self,
        every: Sequence[Intervention[Forbid]],
        cell: Cell,
        numbers: Numbers,
        one_in: int = 1,
    ) -> None:
        self._every, self._numbers = every, numbers
        self._one_in = np.uint64(one_in)
        self._bits: dict[str, list[tuple[int, Any]]] = {}  # by kind: which, its options
        self._kinds = {kind for each in every for kind in each.when.decisions}
        self.player = first_seat(cell, numbers)
        shape = (len(every), len(numbers))
        self.first = np.full(shape, -1, dtype=np.int8)
        self.took = np.zeros(shape, dtype=np.bool_)
        self.winner: NDArray[np.int8] = np.zeros(0, dtype=np.int8)

    def hears(self, name: str) -> bool:
        """Hear the decisions with these options, and the result."""
        return name in self._kinds or name == "result"

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep who won."""
        if name == "result":  # notes may have the name of a kind of decision
            self.winner = fields["winner"][state.games % self._one_in == 0]

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep who took each option first, and whether the first player took it."""
        kind, legal = choice.kind, choice.legal
        asked = legal != masks.NOTHING
        rows = np.flatnonzero(asked & (state.games % self._one_in == 0))
        if not len(rows):
            return
        if kind.name not in self._bits:
            words = [str(option) for option in state.vocabularies[kind.vocabulary]]
            self._bits[kind.name] = [*self._options(kind.name, words)]
        game = np.searchsorted(self._numbers, state.games.take(rows))
        seat = np.broadcast_to(np.asarray(choice.seat), legal.shape).take(rows)
        answer = choice.answer.take(rows)
        for number, bits in self._bits[kind.name]:
            takes = bits is None or (answer & bits) != masks.NOTHING
            at = np.flatnonzero(np.broadcast_to(takes, len(rows)))
            of, by = game[at], seat[at].astype(np.int8)
            self.took[number, of] |= by == self.player[of]
            first = self.first[number]
            first[of] = np.where(first[of] < 0, by, first[of])

    def _options(self, kind: str, words: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Yield each intervention at a kind of decision, and the bits of its options.

        None for the decision as a whole.
        """
        for number, each in enumerate(self._every):
            if kind in each.when.decisions:
                ids = each.do.ids or (each.do.option,)
                bits = masks.union(n for n, word in enumerate(words) if word in ids)
                yield number, None if each.do.option == WHOLE else bits

    @property
    def affected(self) -> NDArray[np.bool_]:
        """(interventions, games) those that may differ without it."""
        first = [each.whose == "first" for each in self._every]
        return np.where(np.array(first, bool)[:, None], self.took, self.first >= 0)


class _Winner(Listener):
    """Listens to who wins."""

    winner: NDArray[np.int8]

    def hears(self, name: str) -> bool:
        """Hear the result."""
        return name == "result"

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep who won."""
        self.winner = fields["winner"]


@dataclass(frozen=True)
class ForbiddenGames:
    """Games with and without what is forbidden.

    winner: (games,) who wins; -1: nobody. without: (interventions, games) who wins
    without it. decisions: those made in the games without.
    """

    takers: Takers
    winner: NDArray[np.int8]
    without: NDArray[np.int8]
    decisions: int


def replay_without(
    cell: Cell,
    numbers: Numbers,
    every: Sequence[Intervention[Forbid]],
    takers: Takers,
    recorded: RecordedAnswers,
    places: NDArray[np.int64] | None = None,
    or_nothing: bool = False,
) -> ForbiddenGames:
    """Play games without each of the ``every``, where they may differ.

    Games of several interventions are played in one batch, as a step costs little more
    for more games. numbers: (games,) those that ``takers`` heard of. places: (games,)
    where they are among the ``recorded`` ones; None: all, in order. or_nothing: players
    with no other option take nothing, which the rules must allow.
    """
    places = np.arange(len(numbers)) if places is None else places
    rows = [np.flatnonzero(affected) for affected in takers.affected]
    without = np.tile(takers.winner, (len(every), 1))
    decisions = 0
    for which in _batches([len(part) for part in rows]):
        cells = [restricted(cell, every[n]) for n in which]
        parts, winner = [rows[n] for n in which], _Winner()
        course = partial(
            ReplayUntilBlocked, recorded, places[np.concatenate(parts)], or_nothing
        )
        own = [numbers.take(part) for part in parts]
        played = play_cells_batched(cells, own, [winner], course)
        decisions += played.decisions
        number = np.repeat(which, [len(part) for part in parts])
        without[number, np.concatenate(parts)] = winner.winner
    return ForbiddenGames(takers, takers.winner, without, decisions)


def _batches(games: Sequence[int]) -> Iterator[list[int]]:
    """Yield which restrictions are played together: up to ``_BATCH`` games."""
    places: list[int] = []
    for place, count in enumerate(games):
        if places and sum(games[each] for each in places) + count > _BATCH:
            yield places
            places = []
        if count:
            places.append(place)
    if places:
        yield places


class ForbiddenListener(Listener):
    """Listens to the games of a cell, and plays some of them again without options.

    In the games replayed, players with no other option take nothing.
    """

    def __init__(
        self, every: Sequence[Intervention[Forbid]], cell: Cell, numbers: Numbers
    ) -> None:
        self._every, self._cell = every, cell
        one_in = every[0].when.one_game_in
        self._places = np.flatnonzero(numbers % np.uint64(one_in) == 0)
        self._numbers = numbers[self._places]
        self._takers = Takers(every, cell, self._numbers, one_in)
        self._recorded = RecordedAnswers(sim.games.load(cell.game), len(numbers))

    def hears(self, name: str) -> bool:
        """Hear all decisions, and the result."""
        return self._recorded.hears(name) or self._takers.hears(name)

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep who won."""
        self._takers.event(state, name, where, fields)

    def choice(self, state: Any, choice: Choice) -> None:
        """Record the answers, and who takes what."""
        self._recorded.choice(state, choice)
        if self._takers.hears(choice.kind.name):
            self._takers.choice(state, choice)

    def table(self, played: PlayedGames) -> pl.DataFrame:
        """Return a row for each game and intervention.

        ``seat`` is the player who may not take the option; if nobody may, it is the
        first who took it, or -1 for none. ``used``: whether the option was taken (by
        that player). ``strategy`` is the lineup's first, ``own`` whether it plays in
        ``seat``. ``winner`` and ``winner_without`` are -1 for nobody.
        """
        takers, size = self._takers, len(self._numbers)
        found = replay_without(
            self._cell,
            self._numbers,
            self._every,
            takers,
            self._recorded,
            self._places,
            or_nothing=True,
        )
        alone = len(played.lineup) == 1
        whose = [each.whose for each in self._every]
        first = np.array([who == "first" for who in whose])[:, None]
        own = takers.first >= 0 if alone else takers.first == takers.player
        option = [each.do.option for each in self._every]
        columns = {
            "seat": np.where(first, takers.player, takers.first).astype(np.int8),
            "used": takers.affected,
            "own": np.where(first, takers.took, own),
            "winner_without": found.without,
        }
        frame = {
            "game": np.tile(self._numbers, len(option)),
            "option": np.repeat(option, size),
            "winner": np.tile(takers.winner, len(option)),
            "whose": np.repeat(whose, size),
            **{name: values.reshape(-1) for name, values in columns.items()},
        }
        strategy = pl.lit(self._cell.strategies()[0].title)
        return pl.DataFrame(frame).with_columns(strategy=strategy)


def play_block(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block, and replay it without each of ``whole_or_options``.

    The sums are those of ``knockout``: wins with and without it, games with it, and how
    often each option is taken.
    """
    return play_without(cell, block, [*whole_or_options(cell)])


def play_few(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block, and replay it without each of ``few_options``."""
    return play_without(cell, block, [*few_options(cell)])


def play_without(
    cell: Cell, block: Block, every: Sequence[Intervention[Forbid]]
) -> Outcome:
    """Play a block, and replay it without each of these."""
    keep_freed_memory()
    numbers = game_numbers(block)
    recorded = RecordedAnswers(sim.games.load(cell.game), len(numbers))
    takers = Takers(every, cell, numbers)
    played = play_first(cell, numbers, recorded, takers)
    found = replay_without(cell, numbers, every, takers, recorded)
    keys = [(each.when.decisions[0], each.do.option) for each in every]
    won = found.without == takers.player
    products = flag_products(key_columns(keys), played.uses.won, won)
    sums = pl.concat(
        [
            products.with_columns(measure=pl.lit("knocked out")),
            _games_with(keys, takers.affected),
            played.uses.counts().sums().with_columns(measure=pl.lit(TAKEN_COUNTS)),
        ],
        how="diagonal",
    )
    sums = sums.with_columns(cell=pl.lit(block.cell, dtype=pl.Int32))
    return Outcome(block, sums, {}, played.decisions + found.decisions)


def _games_with(keys: Sequence[tuple[str, str]], affected: Flags) -> pl.DataFrame:
    """Return in how many of all games each was used."""
    values = dict.fromkeys(SUMS, np.zeros(len(keys))) | {
        "y": np.count_nonzero(affected, axis=1).astype(np.float64),
        "x": np.full(len(keys), float(affected.shape[1])),
    }
    columns = key_columns(keys)
    return pl.DataFrame({**columns, **values}).with_columns(measure=pl.lit("used"))

"""Players who are changed: games are replayed until they deviate.

A player may not take an option, takes it always, or is another one in some decisions.
A game that this cannot change is not played again. All others follow the recorded games
until an answer differs (``replay``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import sim.games
from experiments.core.cells import Cell
from experiments.core.multi_cell_table import play_cells_batched
from experiments.counterfactual.action_counts import Numbers, first_seat
from experiments.counterfactual.intervention import (
    Force,
    Intervention,
    OtherStrategy,
)
from experiments.counterfactual.replay import RecordedAnswers, ReplayUntilBlocked
from sim import masks
from sim.listener import EVERY, Choice, Fields, Listener
from sim.view import Rows
from strategies.base import Strategy
from strategies.changed_play import AtMoment, TakesOption
from strategies.random import Random
from strategies.restricted_play import OnlyKinds, WithoutOption, can_decline

WHOLE = ""
"""Stands for a decision as a whole, in place of an option."""
_BATCH = 32_768  # games that are played together
Changed = Intervention[Any]


def way(game: str, each: Changed) -> str:
    """Return how players go without: "without", "declined", or "at random"."""
    kinds = sim.games.load(game).kinds
    if each.do.option != WHOLE:
        return "without"
    declines = all(can_decline(kinds[kind]) for kind in each.when.decisions)
    return "declined" if declines else "at random"


def changed_cell(cell: Cell, each: Changed) -> Cell:
    """Return the cell with the players that an intervention makes of its own."""
    strategies = cell.strategies()
    number = 1 if each.whose == "first" else len(strategies)
    changed = [_changed(cell, each, strategy) for strategy in strategies[:number]]
    lineup = (*changed, *strategies[number:])
    return replace(cell, lineup=lineup, interventions=None)


def _changed(cell: Cell, each: Changed, strategy: Strategy) -> Strategy:
    """Return the player that an intervention makes of one."""
    kinds, do, moment = each.when.kinds, each.do, each.when.moment
    if isinstance(do, OtherStrategy):
        player: Strategy = OnlyKinds(do.strategy, kinds, strategy)
    elif isinstance(do, Force):
        player = TakesOption(strategy, kinds, do.option)
    elif way(cell.game, each) == "at random":
        player = OnlyKinds(Random(), kinds, strategy)
    else:
        player = WithoutOption(strategy, kinds, "|".join(do.ids or (do.option,)))
    return player if moment is None else AtMoment(strategy, player, *moment)


class End(Listener):
    """Listens to how games end: ``fields`` are those of the result."""

    fields: Fields

    def hears(self, name: str) -> bool:
        """Hear the result."""
        return name == "result"

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep the result."""
        self.fields = fields


class Replayed(NamedTuple):
    """Games that were played again: of which intervention, which, and their end.

    intervention, game: (games,) their index. end: fields of the result by name.
    """

    intervention: Rows
    game: Rows
    end: Mapping[str, Any]
    decisions: int


class Replays(Listener):
    """Listens to games of a cell, and plays them again with changed players.

    ``numbers`` (games,) are those among the cell's games, which rise, whose number is
    divisible by ``When.one_game_in``; ``end`` is how they ended, and ``player`` the
    seat of the lineup's first player in each. ``first`` (interventions, games) is the
    seat that takes the option first, or -1; ``took`` whether that player ever does. Of
    a decision as a whole, whoever is asked takes it; so does who can take what is
    forced.
    ``or_nothing``: players with no other option than a forbidden one take nothing,
    which the rules must allow.
    """

    def __init__(
        self,
        every: Sequence[Changed],
        cell: Cell,
        numbers: Numbers,
        *,
        or_nothing: bool = False,
    ) -> None:
        self._every, self._cell, self._or_nothing = every, cell, or_nothing
        self._one_in = np.uint64(every[0].when.one_game_in if every else 1)
        self._places = np.flatnonzero(numbers % self._one_in == 0)
        self.numbers = numbers[self._places]
        self.player = first_seat(cell, self.numbers)
        self.end: Fields = {}
        self._recorded = RecordedAnswers(sim.games.load(cell.game), len(numbers))
        self._bits: dict[str, list[tuple[int, Any]]] = {}  # by kind: which, its options
        self._kinds = {kind for each in every for kind in each.when.decisions}
        shape = (len(every), len(self.numbers))
        self.first = np.full(shape, -1, dtype=np.int8)
        self.took = np.zeros(shape, dtype=np.bool_)

    def hears(self, name: str) -> bool:
        """Hear all decisions, and the result."""
        return name == "result" or self._recorded.hears(name)

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep how the games ended."""
        if name == "result":  # notes may have the name of a kind of decision
            self.end = of_games(fields, state.games % self._one_in == 0)

    def choice(self, state: Any, choice: Choice) -> None:
        """Record the answers of all rows."""
        self._recorded.choice(state, choice)
        self._take(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows, choice: Choice) -> None:
        """Record the answers of these rows."""
        self._recorded.choice_of(state, rows, choice)
        self._take(state, rows, choice)

    def _take(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """Keep who took each option first, and whether the first player took it."""
        kind, games = choice.kind, state.games[rows]
        asked = (choice.legal != masks.NOTHING) & (games % self._one_in == 0)
        at = np.flatnonzero(asked)
        if kind.name not in self._kinds or not len(at):
            return
        if kind.name not in self._bits:
            words = [str(option) for option in state.vocabularies[kind.vocabulary]]
            self._bits[kind.name] = [*self._options(kind.name, words)]
        game = np.searchsorted(self.numbers, games.take(at))
        seat = np.broadcast_to(np.asarray(choice.seat), len(games)).take(at)
        legal, answer = choice.legal.take(at), choice.answer.take(at)
        time, size = state.clock.labels(), len(state.games)
        for number, bits in self._bits[kind.name]:
            each = self._every[number]
            of = legal if isinstance(each.do, Force) else answer
            takes = np.broadcast_to(each.when.now(time), size)[rows].take(at)
            if bits is not None:
                takes &= (of & bits) != masks.NOTHING
            it, by = game[takes], seat[takes].astype(np.int8)
            self.took[number, it] |= by == self.player[it]
            first = self.first[number]
            first[it] = np.where(first[it] < 0, by, first[it])

    def _options(self, kind: str, words: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Yield each intervention at a kind of decision, and the bits of its options.

        None for the decision as a whole.
        """
        for number, each in enumerate(self._every):
            if kind in each.when.decisions:
                option = getattr(each.do, "option", WHOLE)
                ids = getattr(each.do, "ids", ()) or (option,)
                bits = masks.union(n for n, word in enumerate(words) if word in ids)
                yield number, None if option == WHOLE else bits

    @property
    def affected(self) -> NDArray[np.bool_]:
        """(interventions, games) those that may differ without it."""
        first = [each.whose == "first" for each in self._every]
        return np.where(np.array(first, bool)[:, None], self.took, self.first >= 0)

    def replay(self) -> Iterator[Replayed]:
        """Play games with each intervention, where they may differ, batch by batch.

        Games of several interventions are played in one batch, as a step costs little
        more for more games.
        """
        rows = [np.flatnonzero(flags) for flags in self.affected]
        for which in _batches([len(part) for part in rows]):
            cells = [changed_cell(self._cell, self._every[n]) for n in which]
            parts, end = [rows[n] for n in which], End()
            game = np.concatenate(parts)
            course = partial(
                ReplayUntilBlocked, self._recorded, self._places[game], self._or_nothing
            )
            own = [self.numbers.take(part) for part in parts]
            played = play_cells_batched(cells, own, [end], course)
            number = np.repeat(which, [len(part) for part in parts])
            yield Replayed(number, game, end.fields, played.decisions)


def of_games(fields: Fields, at: Any) -> Fields:
    """Return the fields of a result of some games: flags, or their places."""
    size = len(fields["winner"])
    return {
        name: value[..., at] if np.shape(value)[-1:] == (size,) else value
        for name, value in fields.items()
    }


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

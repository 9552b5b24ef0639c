"""Players who are changed: games are played on from where that changes an answer.

A player may not take an option, takes it always, or is another one in some decisions.
Until somebody takes the option, the game is the same; there it is copied, and played on
by the changed players. A game that nothing changes is not played again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

import sim.games
from experiments.core.cells import Cell, distinct, lineup_numbers
from experiments.counterfactual.action_counts import Numbers, first_seat
from experiments.counterfactual.intervention import (
    Force,
    Intervention,
    OtherStrategy,
)
from sim import masks
from sim.branches import Branch, MergingTable, joined
from sim.events import Decision
from sim.games import Game
from sim.listener import EVERY, Choice, Fields, Listener
from sim.masks import Masks
from sim.view import Rows, Seat, View
from strategies.base import Strategy
from strategies.changed_play import AtMoment, TakesOption
from strategies.random import Random
from strategies.restricted_play import OnlyKinds, WithoutOption, can_decline

WHOLE = ""
"""Stands for a decision as a whole, in place of an option."""
_BATCH = 32_768  # games that are kept, and played on together
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
    elif do.option == WHOLE:
        player = OnlyKinds(Random(), kinds, strategy)
        if way(cell.game, each) == "declined":  # at random where the rules forbid that
            player = WithoutOption(player, kinds)
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


class ChangedEnds(NamedTuple):
    """Games that were played on: of which intervention, which, and their end.

    intervention, game: (games,) their index. end: fields of the result by name.
    """

    intervention: Rows
    game: Rows
    end: Mapping[str, Any]
    decisions: int


class ChangedPlayers(Listener):
    """Listens to games of a cell, and plays them on with changed players.

    ``numbers`` (games,) are those among the cell's games, which rise, whose number is
    divisible by ``When.one_game_in``; ``end`` is how they ended, and ``player`` the
    seat of the lineup's first player in each. ``first`` (interventions, games) is the
    seat that takes the option first, or -1; ``affected`` whether the game may differ,
    as a changed player takes it. Of a decision as a whole, whoever is asked takes it;
    so does who can take what is forced.
    ``surprised``: players, search players too, learn of a ban when they would take the
    option, and take nothing if there is no other, which the rules must allow.
    """

    def __init__(
        self,
        every: Sequence[Changed],
        cell: Cell,
        numbers: Numbers,
        *,
        surprised: bool = False,
    ) -> None:
        self._every, self._cell = every, cell
        self._game = sim.games.load(cell.game)
        self._one_in = np.uint64(every[0].when.one_game_in if every else 1)
        self.numbers = numbers[numbers % self._one_in == 0]
        self.player = first_seat(cell, self.numbers)
        self.end: Fields = {}
        self._bits: dict[str, list[tuple[int, Any]]] = {}  # by kind: which, its options
        self._kinds = {kind for each in every for kind in each.when.decisions}
        shape = (len(every), len(self.numbers))
        self.first = np.full(shape, -1, dtype=np.int8)
        self.affected = np.zeros(shape, dtype=np.bool_)
        self._memory = np.zeros((cell.players, len(numbers)), dtype=np.uint64)
        self._branches: list[_Branch] = []
        self._played_on: list[ChangedEnds] = []
        lineup: list[Strategy] = []
        self._sits = np.zeros((len(every), cell.players), dtype=np.int64)
        for number, each in enumerate(every):
            players = changed_cell(cell, each).strategies()
            different = distinct(players)
            self._sits[number] = lineup_numbers(different, players)
            self._sits[number] += len(lineup)
            lineup += different
        self._table = _ChangedTable(self._game, lineup, surprised)

    def hears(self, name: str) -> bool:
        """Hear all decisions, and the result."""
        return name == "result" or name in self._game.kinds

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep how the games ended."""
        if name == "result":  # notes may have the name of a kind of decision
            self.end = of_games(fields, state.games % self._one_in == 0)

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the games that differ from here on."""
        self.choice_of(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """Keep those of these rows that differ from here on."""
        if choice.kind.name in self._kinds:
            self._branch(state, rows, choice)
        if state.memory.any():
            self._memory[:, state.start_rows] = state.memory

    def _branch(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """Keep who took each option first, and the games in which that is changed."""
        kind, games = choice.kind, state.games[rows]
        asked = (choice.legal != masks.NOTHING) & (games % self._one_in == 0)
        at = np.flatnonzero(asked)
        if not len(at):
            return
        if kind.name not in self._bits:
            words = [str(option) for option in state.vocabularies[kind.vocabulary]]
            self._bits[kind.name] = [*self._options(kind.name, words)]
        game = np.searchsorted(self.numbers, games.take(at))
        seat = np.broadcast_to(np.asarray(choice.seat), len(games)).take(at)
        legal, answer = choice.legal.take(at), choice.answer.take(at)
        time, size = state.clock.labels(), len(state.games)
        own = seat == self.player[game]
        found: list[tuple[Rows, Rows]] = []  # intervention, place in ``at``
        for number, bits in self._bits[kind.name]:
            each = self._every[number]
            of = legal if isinstance(each.do, Force) else answer
            takes = np.broadcast_to(each.when.now(time), size)[rows].take(at)
            if bits is not None:
                takes &= (of & bits) != masks.NOTHING
            first = self.first[number]
            untaken = takes & (first[game] < 0)
            first[game[untaken]] = seat[untaken]
            if each.whose == "first":
                takes &= own
            new = np.flatnonzero(takes & ~self.affected[number, game])
            self.affected[number, game[new]] = True
            found.append((np.full(len(new), number), new))
        which, place = map(np.concatenate, zip(*found, strict=True))
        if not len(place):
            return
        at = at.take(place) if isinstance(rows, slice) else rows.take(at.take(place))
        branch = state.branch(at)
        # What players remembered before they were asked
        branch.memory = self._memory.take(state.start_rows.take(at), axis=1)
        game = game.take(place)
        sits = self._sitting(which, self.numbers.take(game))
        self._branches.append(_Branch(branch, kind.name, which, game, sits))
        if sum(map(len, self._branches)) >= _BATCH:
            self._play_on()

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

    def _sitting(self, number: Rows, games: Numbers) -> Rows:
        """Return (seats, games) the index of each player of changed lineups."""
        players = self._cell.players
        turn = games.astype(np.int64) if self._cell.rotate else np.zeros_like(number)
        seats = np.arange(players)[:, None]
        return self._sits[number, (seats + turn) % players]

    def played_on(self) -> Sequence[ChangedEnds]:
        """Return the games with each intervention, where they may differ."""
        self._play_on()
        return self._played_on

    def _play_on(self) -> None:
        """Play the games that were kept, together, as that costs little more."""
        table = self._table
        for end in table.play_parts(self._game.play, joined(self._branches), _BATCH):
            of = table.branch.number, table.branch.game
            self._played_on.append(ChangedEnds(*of, end, table.decisions))
            table.decisions = 0
        self._branches = []


@dataclass(frozen=True)
class _Branch(Branch):
    """Games in which players are changed from this decision on.

    number, game: (games,) which intervention and game. sits: (seats, games) the index
    of each player.
    """

    number: Rows
    game: Rows
    sits: Rows


class _ChangedTable(MergingTable[_Branch]):
    """A table at which players without an option are asked together with all others.

    Such a player plays as its unrestricted policy until it would take the option, and
    is asked itself only there. So one call answers for all of them. ``surprised`` ones
    with no other option take nothing; else they take it anyway.
    """

    def __init__(self, game: Game, lineup: Sequence[Strategy], surprised: bool) -> None:
        policies = [_policy_until_taken(each, surprised) for each in lineup]
        different = distinct(policies)
        super().__init__(different, None, game.view, game.kinds)
        self._policy = lineup_numbers(different, policies)
        self._surprised = surprised
        self._asked_itself = [a is b for a, b in zip(lineup, policies, strict=True)]
        self._changed = lineup
        self._forbidden: dict[str, Masks] = {}  # by kind: (lineup,) options

    def add(self, part: _Branch) -> None:
        """Seat the policy of each player, if there are several."""
        if len(self.lineup) > 1:
            self.sitting = self._policy[self.branch.sits]

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """Ask as at any table."""
        self.stop_if_awaited(state, name)
        return super().ask(state, name, seat, legal, **how)

    def _of_rows(
        self, state: Any, kind: Decision, seat: Seat, rows: Rows | None, *asked: Any
    ) -> Masks:
        """Return the answers; players who would take a forbidden option are asked."""
        answer = super()._of_rows(state, kind, seat, rows, *asked)
        view = self._view(state, kind, seat, rows, *asked)
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        who = self.branch.sits[seat, at]
        forbidden = self._forbidden_to(view).take(who)
        takes = np.flatnonzero((answer & forbidden) != masks.NOTHING)
        if not len(takes):
            return answer
        answer, by = answer.copy(), who.take(takes)
        for number in np.unique(by):
            of = takes[by == number]
            if not self._asked_itself[number]:
                answer[of] = self._answer(self._changed[number], view.take(of))
        if self._surprised:
            answer[takes] &= ~forbidden.take(takes)
        return answer

    def _forbidden_to(self, view: View) -> Masks:
        """Return (lineup,) the options that each player may not take."""
        kind = view.kind.name
        if kind not in self._forbidden:
            self._forbidden[kind] = np.array(
                [
                    player.forbidden(view)
                    if isinstance(player, WithoutOption)
                    and player.option
                    and kind in player.kinds
                    else masks.NOTHING
                    for player in self._changed
                ]
            )
        return self._forbidden[kind]


def _policy_until_taken(player: Strategy, surprised: bool) -> Strategy:
    """Return the policy of a player until they would take a forbidden option."""
    if surprised and isinstance(player, WithoutOption) and player.option:
        return player.inner
    policy: Strategy = getattr(player, "shared_prefix_policy", player)
    return policy


def of_games(fields: Fields, at: Any) -> Fields:
    """Return the fields of a result of some games: flags, or their places."""
    size = len(fields["winner"])
    return {
        name: value[..., at] if np.shape(value)[-1:] == (size,) else value
        for name, value in fields.items()
    }

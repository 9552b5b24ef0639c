"""No strategy sees what its seat may not know: to deal that anew changes nothing.

That no view shows what is hidden is checked by ``check_game`` (see `replay`).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from experiments.conformance import state_contents
from experiments.conformance.peeking_check import PeekingCheck
from sim import masks
from sim.masks import Flags, Masks
from strategies.random import Random
from strategies.registry import make
from tests.games.peeking import Look, Peek
from tests.games.plays import Changes
from tests.games.room import Room, each, first_few


@dataclass(frozen=True)
class Spread:
    """A deal of which the first seat knows, of these cards, only some.

    ``known`` (games,) are those; any other may lie in each of the ``places``, which are
    told with their size. ``hidden`` is how many cards it does not know.
    """

    state: Any
    cards: Sequence[int]
    known: Masks
    places: Callable[[Any], list[tuple[Masks, int]]]
    hidden: int


class Hidden(Room):
    """The strategies of a game are blind to what is hidden, and that can be dealt anew.

    Under ``rules`` all kinds of decisions are frequent; ``variants`` change them more.
    Every strategy answers all kinds ``asked``, and ``least`` decisions. ``secret``
    are the arrays of a state in which something is hidden, and how much of each changes
    at least in the test of redeals. In the stage ``amid`` cards are in hand.
    """

    rules: Changes
    variants: Sequence[Changes] = ({},)
    asked: frozenset[str]
    least = 200
    secret: Mapping[str, int]
    amid: Any
    players = 4  # where one number of players stands for all
    games = 25  # with each strategy
    games_random = 25  # in which all kinds of decisions come,
    often: Changes | None = None  # under these changes
    games_redealt = 60  # in which hidden things are dealt anew,
    step = 1  # every so many steps
    peek_at = (4, 200)  # players and games

    # --- What a game says of itself ---

    def cases(self) -> list[tuple[str, int, Changes]]:
        """Strategies, numbers of players and changes with which each is watched."""
        return [
            (name, players, changes)
            for name in self.plays.names
            for players in self.plays.game.players
            for changes in self.variants
        ]

    def tables(self) -> Sequence[int]:
        """Numbers of players with which hidden things are dealt anew."""
        return self.plays.game.players

    def peeks(self) -> list[tuple[str, Look, Changes]]:
        """Kinds of decisions, and what nobody may see there under these changes."""
        raise NotImplementedError

    def open_at(self) -> list[tuple[str, Look]]:
        """Kinds of decisions, and what everybody may see there."""
        raise NotImplementedError

    def pick(self, view: Any, odd: Flags) -> Masks:
        """An answer where what was seen is odd, and another where it is even."""
        return masks.blend(odd, masks.lowest(view.legal), masks.highest(view.legal))

    def hides(self, changes: Changes) -> Mapping[str, int]:
        """What is hidden under these changes."""
        return self.secret

    def dealt(self, state: Any, stage: Any) -> bool:
        """Whether there are cards to be dealt anew before this stage."""
        return stage is not next(iter(self.plays.steps))

    def known(self, state: Any, other: Any, seat: int) -> None:
        """Assert what else is as it was, and that each card is somewhere."""
        raise NotImplementedError

    def hands_known(self, state: Any, other: Any, seat: int) -> None:
        """Assert that it holds what it held, and everybody as many cards."""
        assert (other.hands[seat] == state.hands[seat]).all()
        assert (masks.count(other.hands) == masks.count(state.hands)).all()

    def spread(self) -> Spread:
        """Many games just dealt, under the rules as they are printed."""
        raise NotImplementedError

    # --- Strategies ---

    def watched(
        self, player: Any, players: int, games: int, changes: Changes
    ) -> PeekingCheck:
        """Play with a watched player in all seats; who peeks, at that kind alone."""
        rules = {**self.rules, **changes}
        kinds = {player.kind} if isinstance(player, Peek) else None
        watch = PeekingCheck(player, self.plays.game, kinds)
        state = self.plays.started(rules, players, games, seed=players)
        self.plays.game.play(state, self.plays.table([watch]))
        return watch

    def watched_cases(self) -> list[Any]:
        """All cases; of each strategy but the leading one the first one is slow.

        The others are soaked, and so are all of random play, which is watched at all
        kinds of decisions below.
        """
        found: list[Any] = []
        seen = {"random"}
        for name, *rest in self.cases():
            more = () if name == "allround" else pytest.mark.slow
            marks = pytest.mark.soak if name in seen else more
            found.append(pytest.param(name, *rest, marks=marks))
            seen.add(name)
        return found

    @each("name, players, changes", "watched_cases")
    def test_strategy_is_blind_to_hidden_cards(
        self, name: str, players: int, changes: Changes
    ) -> None:
        strategy = make(self.plays.id, name)
        watch = self.watched(strategy, players, self.games, changes)
        assert not watch.saw
        assert self.asked <= watch.asked.keys()
        assert watch.asked.total() > self.least

    def test_all_kinds_of_decisions_are_watched(self) -> None:
        watch = self.watched(
            Random(), self.players, self.games_random, self.often or {}
        )
        assert not watch.saw
        assert watch.asked.keys() == self.plays.game.kinds.keys()

    def peeked(self) -> list[Any]:
        """All looks; those after the second are slow."""
        return first_few(self.peeks(), 2)

    @each("kind, what, changes", "peeked")
    def test_peeking_is_caught(self, kind: str, what: Look, changes: Changes) -> None:
        watch = self.watched(Peek(kind, what, self.pick), *self.peek_at, changes)
        assert watch.saw.startswith(repr(kind))

    @each("kind, what", "open_at")
    def test_looking_at_what_is_public_is_no_peeking(
        self, kind: str, what: Look
    ) -> None:
        watch = self.watched(Peek(kind, what, self.pick), self.players, self.games, {})
        assert not watch.saw
        assert watch.asked[kind] > 0

    # --- Redeals ---

    def states(self, players: int, changes: Changes) -> list[Any]:
        """States before many a step of some games."""
        rules = {**self.rules, **changes}
        state = self.plays.started(rules, players, self.games_redealt, seed=9)
        stages = self.plays.stages(state, self.plays.table())
        return [
            state.copy()
            for number, stage in enumerate(stages)
            if number % self.step == 0 and self.dealt(state, stage)
        ]

    @each("players", "tables")
    @each("changes", "variants")
    def test_redeal_keeps_what_the_seat_knows(
        self, players: int, changes: Changes
    ) -> None:
        found, hidden = Counter[str](), self.hides(changes)
        for number, state in enumerate(self.states(players, changes)):
            seat, before = number % players, state_contents.contents(state)
            other = self.plays.game.redeal(state, seat, number)
            after = state_contents.contents(other)
            assert not set(state_contents.changes(after, before)) - set(hidden), (
                "that is no secret"
            )
            self.hands_known(state, other, seat)
            self.known(state, other, seat)
            for name in hidden:
                found[name] += int(np.count_nonzero(after[name] != before[name]))
        few = {name: found[name] for name in hidden if found[name] <= hidden[name]}
        assert not few, "hardly anything is dealt anew"

    def test_redeal_may_give_each_hidden_card_to_each_hidden_place(self) -> None:
        deal, redeal = self.spread(), self.plays.game.redeal
        other = redeal(deal.state, 0, 5)
        for number in deal.cards:
            lone = masks.bit(number)
            unseen = (deal.known & lone) == 0
            for place, size in deal.places(other):
                share = ((place & lone)[unseen] != 0).mean()
                assert abs(share - size / deal.hidden) < 0.04
        assert (redeal(deal.state, 0, 5).hands == other.hands).all()
        assert (redeal(deal.state, 0, 6).hands != other.hands).any()

    def test_seats_may_differ_by_game(self) -> None:
        state = self.plays.started(self.rules, self.players, 60)
        self.plays.until(self.amid, state, self.plays.table())
        seat = (np.arange(60) % self.players).astype(np.uint8)
        other = self.plays.game.redeal(state, seat, 3)
        own = np.arange(self.players)[:, None] == seat
        assert (other.hands == state.hands)[own].all()
        assert (other.hands != state.hands)[~own].any()

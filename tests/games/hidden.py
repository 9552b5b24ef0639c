"""No strategy sees what its seat may not know: to deal that anew changes nothing."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from experiments.proving.redealt import redealt
from sim import masks
from sim.masks import Flags, Masks
from sim.view import View
from strategies.random import Random
from strategies.registry import make
from tests.games.peeking import Look, Peek, Watched
from tests.games.plays import Changes, changed, contents
from tests.games.room import Room, each


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
    salts: Sequence[int] = (1, 2)
    games = 25  # with each strategy
    games_random = 25  # in which all kinds of decisions come
    games_seen = 40  # in which all views are read
    games_redealt = 60  # in which hidden things are dealt anew,
    step = 1  # every so many steps
    peek_at = (4, 200)  # players and games
    absent: tuple[type[Exception], ...] = ()  # raised by what has no meaning now

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

    def spread(self) -> Spread:
        """Many games just dealt, under the rules as they are printed."""
        raise NotImplementedError

    # --- Strategies ---

    def again(self, view: View) -> list[View]:
        """The same decision with all that the seat cannot see dealt anew."""
        return [redealt(self.plays.game, view, salt) for salt in self.salts]

    def watched(
        self, player: Any, players: int, games: int, changes: Changes
    ) -> Counter[str]:
        """Play with a watched player in all seats; what it was asked."""
        watch, rules = Watched(player, self.again), {**self.rules, **changes}
        state = self.plays.started(rules, players, games, seed=players)
        self.plays.game.play(state, self.plays.table([watch]))
        return watch.asked

    @each("name, players, changes", "cases")
    def test_strategy_is_blind_to_hidden_cards(
        self, name: str, players: int, changes: Changes
    ) -> None:
        strategy = make(self.plays.id, name)
        found = self.watched(strategy, players, self.games, changes)
        assert self.asked <= found.keys()
        assert found.total() > self.least

    def test_all_kinds_of_decisions_are_watched(self) -> None:
        found = self.watched(Random(), 4, self.games_random, {})
        assert found.keys() == self.plays.game.kinds.keys()

    @each("kind, what, changes", "peeks")
    def test_peeking_is_caught(self, kind: str, what: Look, changes: Changes) -> None:
        with pytest.raises(Exception, match=f"peek.* at .?{kind}"):
            self.watched(Peek(kind, what, self.pick), *self.peek_at, changes)

    @each("kind, what", "open_at")
    def test_looking_at_what_is_public_is_no_peeking(
        self, kind: str, what: Look
    ) -> None:
        found = self.watched(Peek(kind, what, self.pick), 4, self.games, {})
        assert found[kind] > 0

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
            seat, before = number % players, contents(state)
            other = self.plays.game.redeal(state, seat, number)
            after = contents(other)
            assert not changed(contents(state), before), "redeal changed the original"
            assert not set(changed(after, before)) - set(hidden), "that is no secret"
            assert (other.hands[seat] == state.hands[seat]).all()
            sizes = masks.count(state.hands)
            assert (masks.count(other.hands) == sizes).all()
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
        state = self.plays.started(self.rules, 4, 60)
        self.plays.until(self.amid, state, self.plays.table())
        seat = (np.arange(60) % 4).astype(np.uint8)
        other = self.plays.game.redeal(state, seat, 3)
        own = np.arange(4)[:, None] == seat
        assert (other.hands == state.hands)[own].all()
        assert (other.hands != state.hands)[~own].any()

    # --- Views ---

    def read(self, view: View, name: str) -> dict[Any, Any]:
        """What a view tells, part by part; nothing where it has no meaning now."""
        try:
            value = getattr(view, name)
        except self.absent:
            return {}
        return value if isinstance(value, dict) else {"": value}

    @each("changes", "variants")
    def test_views_show_no_secret(self, changes: Changes) -> None:
        """Whatever a view tells is the same after a redeal, property by property."""
        game, told = self.plays.game, Counter[str]()
        view = game.view
        names = [
            name
            for name in dir(view)
            if name[0] != "_" and not callable(getattr(view, name))
            if name not in ("rules", "box", "words")  # of the game, not of a seat
        ]

        def again(view: View) -> list[View]:
            other = redealt(game, view, 7)
            for name in names:
                one, two = self.read(view, name), self.read(other, name)
                assert one.keys() == two.keys(), f"{name} at {view.kind.name}"
                for key, value in one.items():
                    same = np.array_equal(value, two[key])
                    assert same, f"{name} at {view.kind.name}"
                    told[name] += np.size(value)
            return []

        state = self.plays.started({**self.rules, **changes}, 4, self.games_seen)
        game.play(state, self.plays.table([Watched(Random(), again)]))
        assert set(told) == set(names)
        assert all(told.values())

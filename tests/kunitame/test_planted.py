"""Every planted bug is caught: an engine that breaks a rule does not pass the referee.

A bug is planted in games that are set up: in a step of the flow, in the tables of the
box, or in what the state does. The same games without it pass.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import masks, tricks
from sim.kunitame import liquidation, play
from sim.kunitame.state import Phase, State
from sim.masks import Masks
from sim.transcript import Event, Transcript
from tests.games.referee import Foul
from tests.kunitame.plays import GAME, started, table
from tests.kunitame.referee import check

Patch = pytest.MonkeyPatch
Places = NDArray[np.int64]
Bug = Callable[[Patch, State], None]
Step = Callable[[State, Any], None]
Spoilt = Callable[[Step, State, Any], None]

BUGS: dict[str, Bug] = {}
NOTHING = np.uint64(0)


def bug(plant: Bug) -> Bug:
    """Register a bug under the words of its docstring."""
    BUGS[str(plant.__doc__).rstrip(".")] = plant
    return plant


def around(patch: Patch, phase: Phase, step: Spoilt) -> None:
    """Let ``step(right, state, table)`` stand in for a step of the flow."""
    right = play.STEPS[phase]
    patch.setitem(play.STEPS, phase, lambda state, table: step(right, state, table))


@bug
def _(patch: Patch, state: State) -> None:
    """Nobody has to follow suit."""
    patch.setattr(tricks, "follow", lambda hand, *rest: hand.copy())


@bug
def _(patch: Patch, state: State) -> None:
    """A Devil sets the lead suit."""
    state.layout.suit_of[masks.members(state.layout.devils)] = state.layout.devils


@bug
def _(patch: Patch, state: State) -> None:
    """The Devil deck is drawn from the dealer's left."""

    def step(right: Step, state: State, table: Any) -> None:
        first = state.first_dealer
        state.first_dealer = state.seat_after(first, 1)
        right(state, table)
        state.first_dealer = first

    around(patch, Phase.DEVILS, step)


@bug
def _(patch: Patch, state: State) -> None:
    """A cancelled contract stays on the card."""

    def step(right: Step, state: State, table: Any) -> None:
        stakes = state.stakes.copy()
        right(state, table)
        state.stakes = stakes

    around(patch, Phase.CANCEL, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Priests do not beat Devils."""
    first, devils = tricks.first, state.layout.devils

    def weak(cards: Sequence[Masks], wanted: Masks) -> Masks:
        black = tricks.strongest(cards, devils)
        return masks.blend(black != 0, black, first(cards, wanted))

    patch.setattr(tricks, "first", weak)


@bug
def _(patch: Patch, state: State) -> None:
    """The lowest gem is returned."""
    give_back = State.give_back

    def lowest(self: State, rows: Places, at: Places, square: Masks) -> None:
        purse = self.purse.reshape(-1)
        held = purse.take(at)
        both = (held >= 256) & (held % 256 > 0) & (square != 0)
        hidden = np.where(both, held - held % 256, 0).astype(np.uint16)
        purse[at] = held - hidden
        give_back(self, rows, at, square)
        purse[at] += hidden

    patch.setattr(State, "give_back", lowest)


@bug
def _(patch: Patch, state: State) -> None:
    """Who could win a gem by a trick returns one too."""

    def step(right: Step, state: State, table: Any) -> None:
        right(state, table)
        state.due[:] = True

    around(patch, Phase.CLAIM, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Eliminated players take part in liquidation."""
    qualify = liquidation.qualify

    def step(state: State) -> None:
        life = state.life
        state.life = np.maximum(life, np.uint8(1))
        qualify(state)
        state.life = life

    patch.setattr(liquidation, "qualify", step)


@bug
def _(patch: Patch, state: State) -> None:
    """The tricks of last week count at liquidation."""

    def step(right: Step, state: State, table: Any) -> None:
        streak = state.streak.copy()
        right(state, table)
        if state.clock.week > 0:
            state.streak = streak

    around(patch, Phase.DEAL, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Life gems do not break ties."""

    def step(right: Step, state: State, table: Any) -> None:
        lives = state.life.copy()
        state.life[:] = lives > 0
        emit = table.emit

        def told(state: State, name: str, where: Any = None, **fields: Any) -> None:
            if "lives" in fields:
                fields["lives"] = lives
            emit(state, name, where, **fields)

        patch.setattr(table, "emit", told)
        right(state, table)

    around(patch, Phase.END, step)


RULES = {
    "weeks": 2,
    "rounds": 6,
    "life": 3,
    "removed_pledge": "none",
    "devil_ranks": 5,
    "priests_per_player": 2,
}
GAMES = 60


def played(state: State) -> list[list[Event]]:
    """Play games that are set up, and tell them."""
    writer = Transcript(GAME)
    writer.open(state, [["random"] * state.players] * len(state.games))
    GAME.play(state, table((), writer))
    return [list(e) for _, e in groupby(writer.events(), lambda e: e["game"])]


def fouls(games: Sequence[Sequence[Event]]) -> int:
    """In how many games the referee calls a foul."""
    found = 0
    for events in games:
        try:
            check(events)
        except Foul:
            found += 1
    return found


def test_without_a_bug_all_games_pass() -> None:
    assert fouls(played(started(RULES, 4, GAMES))) == 0


@pytest.mark.parametrize("name", BUGS)
def test_bug_is_caught(name: str, monkeypatch: Patch) -> None:
    found = 0
    for first in range(0, 20 * GAMES, GAMES):  # what is rare may take more games
        state = started(RULES, 4, GAMES, first=first)
        with monkeypatch.context() as patch:
            BUGS[name](patch, state)
            found = fouls(played(state))
        if found:
            break
    assert found

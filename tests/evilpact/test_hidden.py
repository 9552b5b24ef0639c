"""What is hidden in Evilpact, and that its strategies do not see it."""

import numpy as np
import pytest

from sim import masks
from sim.evilpact.layout import ALL_SPELLS
from sim.evilpact.state import Phase, State
from sim.masks import Masks
from strategies.random import Random
from tests.evilpact.plays import GAME, PLAYS, started, table
from tests.games.hidden import Hidden, Spread
from tests.games.peeking import Look
from tests.games.plays import Changes, once
from tests.games.watched import Watched

EARLY = {"thresholds": [1, 3], "contract_after_round": 3, "rounds": 5}
SHORT = {"rounds": 4, "contract_after_round": 2}
UNTOLD = {"sealed_known_to_owner": False, "contract_after_round": 1}
HIDDEN = {"spells": 500, "sealed": 500, "secret": 100, "deck": 10_000}


def other_place(state: State) -> int:
    """Of whoever is not asked in a turn."""
    if state.clock.phase is Phase.COUNTER:
        return state.clock.place
    return 1 - state.clock.place


def other_hand(state: State) -> Masks:
    """Some spells of whoever is not asked."""
    if state.clock.phase is Phase.CONTRACT:
        hand: Masks = state.hands[1 - state.clock.count]
    else:
        hand = state.spells[other_place(state)]
    return hand & np.uint64(0b01011)


def other_contract(state: State) -> Masks:
    """The same of their secret contract."""
    return state.secret[other_place(state)] & np.uint64(0b10110)


def next_card(state: State) -> Masks:
    """The card on top of the deck."""
    return masks.ONE << state.deck[-1] & np.uint64(0x5555555555555555)


def public(state: State) -> Masks:
    """All that lies open, and how many spells are in hand."""
    sizes = masks.count(state.spells).astype(np.uint64)
    return masks.join(
        [state.explore, *state.libraries, state.turned, *state.revealed, *sizes]
    )


class TestHidden(Hidden):
    plays = PLAYS
    rules, secret, amid = EARLY, HIDDEN, Phase.ACQUIRE
    variants = ({}, UNTOLD)
    asked, least, players = frozenset({"cast", "acquire", "contract"}), 200, 2
    step, peek_at = 3, (2, 300)

    def peeks(self) -> list[tuple[str, Look, Changes]]:
        """In short games."""
        kinds = ("cast", "acquire", "counter", "exclude", "flip", "element")
        looks = [(kind, look) for look in (other_hand, next_card) for kind in kinds]
        looks += [("contract", other_hand)]
        looks += [(kind, other_contract) for kind in ("acquire", "cast")]
        return [(*one, SHORT) for one in looks]

    def open_at(self) -> list[tuple[str, Look]]:
        return [(kind, public) for kind in ("acquire", "cast", "counter", "contract")]

    def known(self, state: State, other: State, seat: int) -> None:
        fields = ("spells", "sealed", "secret")
        for name in fields:
            one, two = (of.by_seat(getattr(of, name)) for of in (state, other))
            assert (one[seat] == two[seat]).all()
            assert (masks.count(one) == masks.count(two)).all()
        before, hidden = (
            [getattr(of, name) for name in fields] for of in (state, other)
        )
        assert (once(hidden) == masks.join(before)).all()
        seen = state.clock.round + (state.clock.phase is not Phase.REFILL)
        dealt = min(seen, state.rules.rounds) * state.rules.market
        assert (other.deck[:dealt] == state.deck[:dealt]).all()
        cards = np.sort(other.deck, axis=0)
        assert (cards == np.arange(state.layout.size)[:, None]).all()

    def spread(self) -> Spread:
        """The first seat knows its own spells; those of the other lie anywhere."""
        state = PLAYS.until(Phase.ACQUIRE, started(None, 2, 4000), table())

        def places(other: State) -> list[tuple[Masks, int]]:
            hand, sealed = other.hands[1], other.by_seat(other.sealed)[1]
            return [(hand, 4), (sealed, 1)]

        known = np.zeros(4000, dtype=np.uint64)
        return Spread(state, masks.members(ALL_SPELLS), known, places, 5)


@pytest.mark.parametrize("told", [True, False])
def test_the_sealed_spell_is_shown_where_the_rules_say_so(told: bool) -> None:
    seen = []
    player = Watched(Random(), lambda view, _: seen.append(view.sealed))
    GAME.play(started({"sealed_known_to_owner": told}, 2, 5), table([player]))
    sizes = masks.count(np.concatenate(seen))
    assert (sizes == int(told)).all()

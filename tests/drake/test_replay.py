"""Game 7 of the Drake is game 7, whatever games are dropped around it, and when."""

from collections.abc import Sequence
from typing import Any

from sim.drake.state import Phase, State
from sim.transcript import Event
from tests.drake.plays import NAMES, PLAYS
from tests.games.replay import Replay

RULES = {"must_act": False, "special.sangria-all.copies": 2}
MIXED = [NAMES[-1], "random", NAMES[0], "random"]


def card(state: State) -> None:
    state.cards[0][3] = state.cards[-1][3]


THEFTS = {"cards in a wrong line": (Phase.PLAY, card)}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed = RULES, MIXED
    thefts = THEFTS
    cells = ((RULES, MIXED, True), (RULES, ["random"] * 3, False))
    rows, few = 10, 14
    agreeing = (
        ({"must_act": False}, 4),
        ({"ruleset": "update_I"}, 3),
        ({"goal": 5}, 2),
    )

    def dealt(self, events: Sequence[Event]) -> Any:
        return [event["cards"] for event in events if event["name"] == "piles"]


def test_a_game_that_is_kept_is_as_if_alone() -> None:
    """What is tried on a copy of some games, one of them over, ends as they do."""
    state = PLAYS.started({}, 4, 60)
    desk = PLAYS.table()
    for stage in PLAYS.stages(state, desk):
        if stage is Phase.PLAY and (~state.goes_on).any():
            break
    rows = [0, 5, 5, int((~state.goes_on).argmax())]
    numbers = state.games[rows]
    kept = state.copy()
    kept.keep(state._rows[rows])
    PLAYS.game.play(kept, desk)
    PLAYS.game.play(state, desk)
    assert kept.games.tolist() == numbers.tolist()
    places = [state.ends.games.tolist().index(number) for number in numbers]
    for name, value in vars(kept.ends).items():
        assert (value == getattr(state.ends, name)[..., places]).all(), name

"""Game 7 of Socialism is game 7, whatever games are dropped around it, and when."""

import random

from experiments.conformance.state_contents import changes, contents
from sim import masks
from sim.recorder import Recorder
from sim.socialism.state import Phase, State
from tests.games.plays import Changes
from tests.games.replay import Replay, agreeing
from tests.socialism.plays import GAME, NAMES, PLAYS, any_rules, started, table

RULES = {  # short games in which all kinds of decisions come
    "tokens": 7,
    "guard": 30,
    "users.jimmy.copies": 3,
    "actions.change-of-management.copies": 2,
    "actions.viral-post.copies": 2,
}
MIXED = [NAMES[-1], "random", NAMES[0], "random"]


def card(state: State) -> None:
    state.hands[0][3] |= masks.lowest(state.pile)[3]


def token(state: State) -> None:
    state.tokens[0][3] |= masks.lowest(~state.board)[3]


THEFTS = {
    "cards in two places or in none": (Phase.TURN, card),
    "tokens beside the board": (Phase.TURN, token),
}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed = RULES, MIXED
    around = ((0, 8), (0, 40), (5, 3))
    thefts = THEFTS
    rows, few = 10, 6
    size = (200, 80)
    cells = ((RULES, MIXED, True), (RULES, ["random"] * 5, False))

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        players = dice.randint(2, 5)
        return players, any_rules(dice, players) | {"guard": 20}


def test_who_listens_changes_nothing() -> None:
    """Told, tokens are placed one by one; else at once where that is the same."""
    for seed in range(4):
        dice = random.Random(seed)
        players = dice.randint(2, 5)
        rules: Changes = any_rules(dice, players) if seed > 2 else {}
        rules = {**rules, "guard": 40}
        ends = []
        for names in ((), ("joins",), ("roll", "leaves"), ("invitation",)):
            state = started(rules, players, 24, seed=seed)
            GAME.play(state, table([], Recorder(names)))
            ends.append(contents(state))
        assert not [changes(one, ends[0]) for one in ends if changes(one, ends[0])]


def test_rules_that_agree_see_the_same_cards_and_dice() -> None:
    """Common random numbers: an option changes no chance before it matters."""
    others = ({"tokens": 15}, {"viral": "every_turn"}, {"sherman_users": False})
    assert min(agreeing(PLAYS, {"tokens": 8}, others, 4, first=4)) > 0.8

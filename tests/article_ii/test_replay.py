"""Game 7 of Article II is game 7, beside longer games too."""

import random

from tests.article_ii.plays import PLAYS, any_rules, told
from tests.games.plays import Changes
from tests.games.replay import Replay, Resumed

RULES = {"hand": 4, "necromancer_target": "chosen"}
MIXED = ["balanced", "random", "builder", "random"]

RESUMED: dict[str, Resumed] = {
    "two at random": Resumed(2, ["random"], RULES, step=19),
    "three balanced": Resumed(3, ["balanced"], RULES, step=19),
    "four at random": Resumed(4, ["random"], RULES, step=19),
}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed, brief = RULES, MIXED, {"hand": 2}
    around = ((0, 8), (5, 13), (7, 3))
    resumed = RESUMED
    array, kept = "lying", 0.05
    cells = ((RULES, MIXED, True), (RULES, ["random"] * 2, False))
    size = (120, 50)

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        return 3, any_rules(dice)


def test_a_longer_game_beside_it_changes_nothing() -> None:
    """A game that ends early waits for one that draws on and on."""
    games = told(None, 4, 60)
    lengths = [len(events) for events in games]
    short, long = lengths.index(min(lengths)), lengths.index(max(lengths))
    assert min(lengths) + 40 < max(lengths)
    for game in (short, long):
        assert told(None, 4, 1, first=game)[0] == games[game]

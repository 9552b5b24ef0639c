"""Games of Devil worked out with pen and paper, held against engine and referee."""

import pytest

from tests.devil.notation import scripted, shortened, written
from tests.devil.readings import READINGS
from tests.devil.referee import check
from tests.devil.scripts import GAMES, Script

ALL = {**GAMES, **READINGS}


@pytest.mark.parametrize("game", ALL.values(), ids=ALL)
def test_engine_and_referee_agree_with_pen_and_paper(game: Script) -> None:
    players, script, rules = game
    events = scripted(players, script, rules)
    assert shortened(events) == written(script)
    check(events)


def test_every_number_of_players() -> None:
    ranks = ["2", "3", "5", "6", "7", "9", "10", "5"]
    for players in range(2, 9):
        hands = " | ".join(["8", *ranks[1:players]])
        points = [0, *map(int, ranks[1:players])]
        told = " ".join(map(str, points))
        script = f"""
            dealer {players - 1}
            deal {players - 1}: {hands}
            flip 7
            1 0 play 8 > 8
            round 0 out: {told} = {told}
            result 0 points: 0 = {told}
        """
        rules = {"hand": 1, "target": 1}
        events = scripted(players, script, rules)
        assert shortened(events) == written(script)
        check(events)

"""Every event of a game of Evilpact counts, and the referee calls every foul."""

import pytest

from tests.evilpact.plays import PLAYS, transcripts
from tests.evilpact.referee import OPTIONS, VALUES, check
from tests.games.event_lines import Events
from tests.games.referee import Foul
from tests.games.spoilt import Spoilt, replaced

RULES = {"thresholds": [1, 3], "contract_after_round": 3}
LIES = [
    ("rounds", 8, 7),
    ("contract_after_round", 3, 4),
    ("thresholds", [1, 3], [1, 4]),
    ("power_normal", 1, 2),
    ("power_insight_upright", 1, 0),
    ("power_insight_sideways", 2, 3),
    ("normal_per_element", 5, 4),
    ("insight_per_element", [3, 5], [3]),
    ("turbidity", VALUES["turbidity"], VALUES["turbidity"][1:]),
]


class TestSpoilt(Spoilt):
    plays = PLAYS
    free = frozenset({("setup", "players"), ("start", "seat")})
    lied_about = RULES
    lied_tables = dict.fromkeys([*OPTIONS, *(key for key, *_ in LIES)], 2)
    lies = LIES
    unseen = frozenset({"sealed_known_to_owner"})  # it shows in views alone


@pytest.mark.parametrize("kind", ["acquire", "element", "contract", "flip"])
def test_another_choice_than_the_one_made_is_called(kind: str) -> None:
    """It shows in what follows: in what is legal, or in the power at the end."""
    called = 0
    for told in transcripts(RULES, 2, 30):
        game: Events = [*told]
        for at, event in enumerate(game):
            others = [o for o in event.get("legal", ()) if o != event["chosen"]]
            if event["name"] == kind and others:
                with pytest.raises(Foul):
                    check(replaced(game, at, {**event, "chosen": others[0]}))
                called += 1
    assert called > 10

"""Every event of a game of Evilpact counts, and the referee calls every foul."""

from tests.evilpact.plays import PLAYS
from tests.evilpact.referee import OPTIONS, VALUES
from tests.games.spoilt import Spoilt

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
    follows = ("acquire", "element", "contract", "flip")
    lied_tables = dict.fromkeys([*OPTIONS, *follows, *(key for key, *_ in LIES)], 2)
    lies = LIES
    unseen = frozenset({"sealed_known_to_owner"})  # it shows in views alone

"""The golden transcripts of Article II, and what each is to show."""

from tests.article_ii.plays import PLAYS
from tests.games.golden import Golden, Shown

SHORT = {"hand": 3}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, Shown] = {
    "debate": (SHORT, 3, {"a reaction", "a reaction declined"}),
    "insider": (
        SHORT,
        3,
        {"a second card", "a second card declined"},
    ),
    "teflon": (SHORT, 2, {"Teflon removes a mark"}),
    "outsider": (SHORT, 3, {"an Outsider bound to himself"}),
    "styles-replaced": (SHORT, 3, {"a Style replaced", "Voter ADHD removes a Style"}),
    "mudslinger": (
        SHORT,
        4,
        {"a Mudslinger who lowers", "President by total"},
    ),
    "highlander": (SHORT, 3, {"a Highlander becomes President"}),
    "necromancer": (SHORT, 2, {"a Necromancer who wins"}),
    "tie": ({"hand": 1}, 4, {"a tie for one place"}),
    "spoiler": (SHORT, 3, {"President by spoiler"}),
    "nobody": (SHORT, 2, {"President by none"}),
    "short-deck": (
        {},
        4,
        {"a deal that leaves seats short", "a deck reshuffled before a deal"},
    ),
    "original": ({"deck": "original"}, 4, {"President by total"}),
    "guard": ({"guard": 12, "hand": 4}, 2, {"a guard in the General"}),
    "all-options": (
        {
            "hand": 3,
            "carry_over": False,
            "general_deal": "reshuffle_all",
            "insider_draw": "always",
            "halve": "exact",
            "mudslinger_self": False,
            "no_positive_2p": "highest_total",
            "necromancer_target": "min",
            "teflon_style": False,
            "spoiler_value": "raw",
            "highlander_fallback": True,
        },
        2,
        {"President by a total not above zero", "a second card"},
    ),
}


class TestGolden(Golden):
    plays = PLAYS
    golden = GOLDEN
    altered = ("debate", {"spoiler_value": "raw"})

"""Games of Devil worked out at the table with pen and paper (see `notation`)."""

from typing import Any

Script = tuple[int, str, dict[str, Any]]
"""Players, what happens, and the rules that differ from the printed ones."""


def deck(**copies: int) -> dict[str, Any]:
    """A table of cards: `r7=2` is two 7s, `s4=1` one Special 4, `blank`, `oni`."""
    names = {"s1": "special1", "s4": "special4", "blank": "blank", "oni": "onifuda"}
    normal = [copies.get(f"r{rank}", 0) for rank in range(1, 11)]
    special = {name: copies.get(key, 0) for key, name in names.items()}
    return {"normal": normal, **special}


BASE = """
    dealer 2
    deal 2: 4 9 | 1S 2 | 10 5
    flip 8
    1 0 draw 6
    2 1 play 1S > 1S
    2 1 declare > continue
    2 2 penalty 3
    2 2 skip
    3 0 play 4 > 4
    4 1 draw 5
    4 1 play 5 > 5
    5 2 play 10 > 10
    5 0 skip
    6 1 draw 4S
    7 2 play 5 > 5
    8 0 draw 4
    8 0 play 4 > 4
    9 1 draw 1
    9 1 play 1 > 1
    10 2 draw 8
    10 2 play 8 > 8
    11 0 draw 7
    11 0 play 7 > 7
    12 1 play 2 > 2
    13 2 play 3 > 3
    round 2 out: 15 8 0 = 15 8 0
    deal 2: 10 4S | 8 7 | 9 9
    flip 1
    1 0 play 4S > 4S
    1 0 declare > end
    round 0 end: 20 15 18 = 35 23 18
    result 2 points: 2 = 35 23 18
"""
"""Three players, two cards each, to 30: every event but a reshuffle."""

EXTENDED = """
    dealer 0
    deal 0: 2 blank | 10 3
    flip oni
    flip oni
    flip 7
    1 1 draw blank
    1 1 play blank > blank
    2 0 play 2 blank > blank
    3 1 play 10 3 > 10
    3 0 skip
    4 1 draw 1S
    5 0 draw 8
    6 1 draw 5
    6 1 play 5 > 5
    7 0 draw 4S
    7 0 play 4S > 4S
    7 0 declare > continue
    7 1 penalty 6
    7 1 penalty 7
    7 1 skip
    8 0 draw oni
    8 0 play oni > oni
    round 0 oni: 20 68 = 20 68
    result 0 points: 0 = 20 68
"""
"""Two players with deck 440: the first card reflipped, blanks, Onifuda."""

SHORT_PILE = """
    dealer 1
    deal 1: 4S 2 | 6 6
    flip 1
    1 0 play 4S > 4S
    1 0 declare > continue
    1 reshuffle 1
    1 1 penalty 1
    1 1 skip
    3 1 play 1 > 1
    4 reshuffle 1
    4 0 draw 4S
    4 0 play 4S > 4S
    4 0 declare > end
    round 0 end: 4 12 = 4 12
    result 0 points: 0 = 4 12
"""
"""One penalty card instead of two; turn 2 writes nothing: nothing can be drawn."""

BROKEN_OFF = """
    dealer 0
    deal 0: 5 | 8
    flip 2
    1 1 draw 3
    1 1 play 3 > 3
    2 reshuffle 1
    2 0 draw 2
    2 0 play 2 > 2
    3 reshuffle 1
    3 1 draw 3
    3 1 play 3 > 3
    result nobody guard: = 0 0
"""
"""A round without end: 2 and 3 cover each other, 5 and 8 fit neither."""

STUCK = """
    dealer 0
    deal 0: 5 | 8
    flip 2
    result nobody guard: = 0 0
"""
"""Nobody can play or draw."""

TIE = """
    dealer 2
    deal 2: 3 | 2 | 5
    flip 2
    1 0 play 3 > 3
    round 0 out: 0 2 5 = 0 2 5
    deal 0: 3 | 1 | 5
    flip 2
    1 1 draw 1
    2 2 draw 1
    3 0 play 3 > 3
    round 0 out: 0 2 6 = 0 4 11
    deal 0: 4 | 3 | 5
    flip 2
    1 1 play 3 > 3
    round 1 out: 4 0 5 = 4 4 16
    result nobody shared: 0 1 = 4 4 16
"""
"""Seats 0 and 1 have 4 points; two rounds were won by seat 0."""

TIE_OF_WINS = """
    dealer 2
    deal 2: 3 | 7 | 7
    flip 2
    1 0 play 3 > 3
    round 0 out: 0 7 7 = 0 7 7
    deal 0: 7 | 3 | 7
    flip 2
    1 1 play 3 > 3
    round 1 out: 7 0 7 = 7 7 14
    result nobody shared: 0 1 = 7 7 14
"""


SMALL = {"hand": 2, "target": 30}
LAST = {"hand": 1, "target": 1}

GAMES: dict[str, Script] = {
    "base": (3, BASE, SMALL),
    "440": (
        2,
        EXTENDED,
        {
            **SMALL,
            "deck": "440",
            "ext_deck": deck(
                r1=8,
                r2=4,
                r3=4,
                r4=5,
                r5=4,
                r6=4,
                r7=4,
                r8=4,
                r9=4,
                r10=8,
                s1=2,
                s4=2,
                blank=2,
                oni=1,
            ),
        },
    ),
    "short pile": (
        2,
        SHORT_PILE,
        {
            "hand": 2,
            "target": 10,
            "base_deck": deck(r1=1, r2=1, r6=2, s4=1),
        },
    ),
    "broken off": (
        2,
        BROKEN_OFF,
        {
            "hand": 1,
            "guard": 3,
            "base_deck": deck(r2=1, r3=1, r5=1, r8=1),
        },
    ),
    "stuck": (
        2,
        STUCK,
        {
            "hand": 1,
            "guard": 9,
            "base_deck": deck(r2=1, r5=1, r8=1),
        },
    ),
    "shared": (3, TIE, {"hand": 1, "target": 16}),
    "rounds won": (
        3,
        TIE.replace("nobody shared: 0 1", "0 rounds: 0"),
        {"hand": 1, "target": 16, "tie": "most_rounds_won"},
    ),
    "as many rounds won": (
        3,
        TIE_OF_WINS,
        {"hand": 1, "target": 14, "tie": "most_rounds_won"},
    ),
    "tossed": (
        3,
        TIE.replace("result nobody shared: 0 1", "tie 0 1 > 1\n result 1 random: 1"),
        {"hand": 1, "target": 16, "tie": "random"},
    ),
    "a tie of last places": (
        3,
        TIE_OF_WINS.partition("deal 0")[0] + "result 0 points: 0 = 0 7 7",
        {"hand": 1, "target": 7, "tie": "random"},
    ),
}

"""Rounds of Devil that show one rule each, worked out with pen and paper."""

from tests.devil.scripts import LAST, SMALL, Script, deck


def opening(flip: str, rest: str, cards: str = "4 9 | 2 3 | 10 6") -> str:
    """Seat 2 deals to three players; `rest` is what follows the flip."""
    return f"dealer 2\ndeal 2: {cards}\nflip {flip}\n{rest}"


def last_card(flip: str, card: str, cost: int) -> str:
    """Seat 0 plays its only card; the other one is left with a 7."""
    return f"""
        dealer 1
        deal 1: {card} | 7
        flip {flip}
        1 0 play {card} > {card}
        round 0 {"oni" if card == "oni" else "out"}: 0 {cost} = 0 {cost}
        result 0 points: 0 = 0 {cost}
    """


READINGS: dict[str, Script] = {
    "out with a card": (2, last_card("4", "5", 7), LAST),
    "out with a 10": (2, last_card("5", "10", 7), LAST),
    "out with a Special 1": (2, last_card("8", "1S", 28), LAST),
    "out with a Special 4": (2, last_card("1", "4S", 14), LAST),
    "Special 1 stacks": (
        2,
        last_card("8", "1S", 56),
        {**LAST, "out_special_stacks": True},
    ),
    "Special 4 stacks nothing": (
        2,
        last_card("1", "4S", 14),
        {**LAST, "out_special_stacks": True},
    ),
    "Special 4 stacks": (
        2,
        last_card("1", "4S", 28),
        {**LAST, "out_special_stacks": True, "s4_end": "all"},
    ),
    "out with a blank": (2, last_card("1", "blank", 7), {**LAST, "deck": "440"}),
    "out with Onifuda": (2, last_card("1S", "oni", 14), {**LAST, "deck": "440"}),
    "Onifuda on a blank": (2, last_card("blank", "oni", 14), {**LAST, "deck": "440"}),
    "a Special on a blank": (
        3,
        opening(
            "blank",
            """
        1 0 play 9 > 9
        2 1 draw 6
        2 1 play 6 > 6
        3 2 draw oni
        3 2 play oni > oni
        round 2 oni: 16 10 32 = 16 10 32
        result 1 points: 1 = 16 10 32
        """,
            "4S 9 | 2 3 | 10 6",
        ),
        {**SMALL, "deck": "440"},
    ),
    "a blank on a Special": (
        3,
        opening(
            "4S",
            """
        1 0 draw blank
        2 1 play 1 > 1
        3 2 draw 1S
        4 0 play blank > blank
        5 1 play 2 > 2
        round 1 out: 29 0 34 = 29 0 34
        result 1 points: 1 = 29 0 34
        """,
            "blank 9 | 2 1 | 10 6",
        ),
        {**SMALL, "deck": "440"},
    ),
    "end by a Special 1": (
        3,
        opening(
            "8",
            """
        1 0 play 1S > 1S
        1 0 declare > end
        round 0 end: 18 28 32 = 18 28 32
        result 0 points: 0 = 18 28 32
        """,
            "1S 9 | 4S 3 | 10 6",
        ),
        SMALL,
    ),
    "end by a Special 4 doubles all": (
        3,
        opening(
            "1",
            """
        1 0 play 4S > 4S
        1 0 declare > end
        round 0 end: 18 10 32 = 18 10 32
        result 1 points: 1 = 18 10 32
        """,
            "4S 9 | 2 3 | 10 6",
        ),
        {**SMALL, "s4_end": "all"},
    ),
    "costs": (
        3,
        opening(
            "1",
            """
        1 0 play 4S blank > 4S
        1 0 declare > end
        round 0 end: 10 56 10 = 10 56 10
        result nobody shared: 0 2 = 10 56 10
        """,
            "4S blank | 1S 4S | 10 oni",
        ),
        {
            "hand": 2,
            "deck": "440",
            "blank_points": 5,
            "onifuda_points": 3,
            "points": [5, 2, 3, 9, 5, 6, 7, 8, 9, 7],
            "target": 20,
        },
    ),
    "sums": (
        3,
        opening(
            "4",
            """
        1 0 draw 1
        2 1 play 2 3 > 3
        3 2 play 10 > 10
        3 0 skip
        4 1 play 2 > 2
        round 1 out: 9 0 6 = 9 0 6
        result 1 points: 1 = 9 0 6
        """,
            "1 7 | 2 3 | 10 6",
        ),
        {"hand": 2, "target": 9, "sums_ok": [2, 3, 6, 7]},
    ),
    "first card without effect": (
        3,
        opening(
            "1S",
            """
        1 0 play 4 > 4
        2 1 draw 5
        2 1 play 5 > 5
        3 2 play 10 > 10
        3 0 skip
        4 1 draw 9
        4 1 play 9 > 9
        5 2 play 6 > 6
        round 2 out: 9 5 0 = 9 5 0
        result 2 points: 2 = 9 5 0
        """,
        ),
        {"hand": 2, "target": 9},
    ),
    "first card a 10": (
        3,
        opening(
            "10",
            """
        0 0 skip
        1 1 draw 9
        1 1 play 9 > 9
        2 2 play 10 6 > 6
        3 0 play 9 > 9
        4 1 draw 1
        5 2 play 10 > 10
        round 2 out: 4 6 0 = 4 6 0
        result 2 points: 2 = 4 6 0
        """,
        ),
        {"hand": 2, "target": 5, "first_card_effect": True},
    ),
    "first card a Special 1": (
        3,
        opening(
            "1S",
            """
        0 0 penalty 7
        0 0 skip
        1 1 draw 4
        1 1 play 4 > 4
        2 2 draw 1
        2 2 play 1 > 1
        3 0 play 4 > 4
        4 1 draw 1
        4 1 play 1 > 1
        5 2 draw oni
        5 2 play oni > oni
        round 2 oni: 32 10 32 = 32 10 32
        result 1 points: 1 = 32 10 32
        """,
        ),
        {**SMALL, "deck": "440", "first_card_effect": True},
    ),
    "first card a Special 4": (
        2,
        """
        dealer 0
        deal 0: 5 9 | 2 3
        flip 4S
        0 1 penalty 1
        0 1 penalty 1S
        0 1 skip
        1 0 play 5 > 5
        2 1 draw 7
        3 0 draw 10
        3 0 play 10 > 10
        3 1 skip
        4 0 play 9 > 9
        round 0 out: 0 28 = 0 28
        result 0 points: 0 = 0 28
        """,
        {"hand": 2, "target": 20, "first_card_effect": True},
    ),
    "first card Onifuda ends": (
        3,
        opening(
            "oni",
            """
        round 2 oni: 26 10 32 = 26 10 32
        deal 2: 4 9 | 2 3 | 10 6
        flip oni
        round 2 oni: 26 10 32 = 52 20 64
        result 1 points: 1 = 52 20 64
        """,
        ),
        {**SMALL, "deck": "440", "target": 60, "first_oni": "end_round"},
    ),
    "drawn though able": (
        3,
        opening(
            "1",
            """
        1 0 play 4 draw > draw
        1 0 draw 2
        2 1 draw 8
        2 1 play 8 > 8
        3 2 draw 1
        3 2 play 1 > 1
        4 0 play 4 draw > draw
        4 0 draw 8
        4 0 play 8 > 8
        5 1 draw 4
        6 2 draw 1
        6 2 play 1 > 1
        7 0 play 4 draw > 4
        8 1 draw 5
        8 1 play 5 > 5
        9 2 play 10 draw > 10
        9 0 skip
        10 1 draw 9
        10 1 play 9 > 9
        11 2 play 6 draw > 6
        round 2 out: 11 9 0 = 11 9 0
        result 2 points: 2 = 11 9 0
        """,
        ),
        {"hand": 2, "target": 10, "voluntary_draw": True},
    ),
    "nothing to draw though allowed": (
        2,
        """
        dealer 1
        deal 1: 4 | 7
        flip 1
        1 0 play 4 > 4
        round 0 out: 0 7 = 0 7
        result 0 points: 0 = 0 7
        """,
        {
            "hand": 1,
            "target": 1,
            "voluntary_draw": True,
            "base_deck": deck(r1=1, r4=1, r7=1),
        },
    ),
}

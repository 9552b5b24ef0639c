"""What holds whoever plays Evilpact: conservation, power, chance and symmetry."""

from collections import Counter

import numpy as np
import pytest

from sim.masks import index
from strategies.registry import make
from tests.evilpact.plays import GAME, started, table, transcripts
from tests.evilpact.referee import SPELLS
from tests.games.event_lines import of
from tests.games.likely import even
from tests.games.rotated import Book

NO_SPELLS = {"thresholds": [126, 127], "contract_after_round": 9}


def test_the_most_power_of_an_element_is_7_to_10() -> None:
    """Tips: "The maximum magic power including for 1 element can be from 7 to 10"."""
    layout = started({}, 2, 1).layout
    for element in range(5):
        both = [n for n in range(layout.size) if element in layout.elements_of[n]]
        own = [n for n in both if layout.elements_of[n] == (element, element)]
        turbidity = len(both) - len(own)
        least = sum(layout.icons_of[n][0] for n in own)
        insight_3 = 1  # more where it triggers; an Insight 5 never does
        assert (least, least + insight_3 + turbidity) == (7, 10)
    seen = Counter[int]()
    for game in transcripts(NO_SPELLS, 2, 200):
        last = of(game, "round")[-1]["power"]
        seen.update(one + other for one, other in zip(*last, strict=True))
    assert set(seen) == {7, 8, 9, 10}


def test_chance_is_fair() -> None:
    """Who starts, what is sealed, what comes first, and what is lost."""
    state = started({}, 2, 8000)
    GAME.play(state, table())
    starts = np.bincount(state.seats[0])
    sealed = np.bincount(index(state.by_seat(state.sealed)[0]), minlength=5)
    first = np.bincount(state.deck[0], minlength=40)
    for seen in (starts, sealed, first):
        assert even(seen)
    lost = Counter[int]()
    for game in transcripts({"thresholds": [0, 9], "rounds": 1}, 2, 1500):
        (loss, *_), sealed = of(game, "lose") or [{}], game[2]
        if loss and loss["turn"] == 1:
            seat = loss["seat"]
            hand = [spell for spell in SPELLS if spell != sealed["spells"][seat]]
            lost[hand.index(loss["spells"][0])] += 1
    assert len(lost) == 4
    assert even([*lost.values()])


@pytest.mark.parametrize("name", ["random", "allround"])
def test_seats_are_alike(name: str) -> None:
    """The first player is drawn, so neither seat has an advantage."""
    state = started({}, 2, 8000)
    book = Book({"result"})
    GAME.play(state, table([make("evilpact", name)], book))
    winner = book.kept["result"][0]["winner"]
    assert even([(winner == seat).sum() for seat in (0, 1)])

"""Playing Article II for tests: games told as transcripts, and rules of any kind."""

import random
from typing import Any

import numpy as np

from sim import masks
from sim.masks import Masks
from tests.article_ii.referee import MARKS, OPTIONS, STYLES
from tests.games.plays import Plays, once

PLAYS = Plays("article_ii", stage="step")
GAME, NAMES = PLAYS.game, PLAYS.names
PLAYERS = (2, 3, 4)
ONE_SHOTS = ("unaffiliated-activity", "voter-adhd")

transcripts, started, table = PLAYS.transcripts, PLAYS.started, PLAYS.table
ruled, numbers, any_lineup = PLAYS.ruled, PLAYS.numbers, PLAYS.any_lineup


# --- Where the cards are ------------------------------------------------------------


def in_deck(state: Any) -> Masks:
    """(games,) the cards of the deck, read card by card."""
    rows, found = np.arange(len(state.games)), np.zeros(len(state.games), np.uint64)
    for place in range(int(state.left.max(initial=0))):
        slot = (state.top.astype(np.int64) + place) & 63
        lone = masks.ONE << state.stack[slot, rows].astype(np.uint64)
        card = masks.where(place < state.left, lone)
        assert not (found & card).any(), "a card is twice in the deck"
        found |= card
    return found


def each_card_once(state: Any) -> None:
    """Every card is in one hand, or on one player, or in the deck or the discards."""
    places = (*state.hands, *state.lying, state.discard, state.card, in_deck(state))
    everywhere = once(places)
    assert (everywhere == state.layout.everything).all(), (
        "a card is nowhere, or too many"
    )


# --- Rules of every kind ------------------------------------------------------------


def any_rules(dice: random.Random, players: int = 3) -> dict[str, Any]:
    """Changes to the rules, from all that a designer may change, for any players.

    Each part stays at its default in some of the games, and is drawn in others.
    """
    rules: dict[str, Any] = {
        key: dice.choice((values[0], *values))
        for key, values in OPTIONS.items()
        if key != "deck"
    }
    rules["hand"] = dice.choice((7, 7, 7, 1, 2, 3, 5, 9, 15))
    rules["guard"] = dice.choice((500, 500, 500, 500, dice.randint(1, 40)))
    kind = dice.choice(("updated", "updated", "original", "few", "own"))
    if kind == "original":
        rules["deck"] = "original"
    elif kind == "few":
        rules |= {"deck": "custom", "cards": few(dice)}
    elif kind == "own":
        rules |= {"deck": "custom", "cards": own(dice), "styles": invented(dice)}
    return rules


def few(dice: random.Random) -> dict[str, dict[str, Any]]:
    """A deck of few kinds of cards, so that rare meetings are frequent."""
    kept = [*dice.sample(list(MARKS), 3), *dice.sample(list(STYLES), 4)]
    kept += [card for card in ONE_SHOTS if dice.random() < 0.7]
    rest = {*MARKS, *STYLES, *ONE_SHOTS} - {*kept}
    return {
        **{card: {"remove": True} for card in sorted(rest)},
        **{card: {"copies": dice.choice((1, 2, 4, 6))} for card in kept},
    }


def own(dice: random.Random) -> dict[str, dict[str, Any]]:
    """The printed cards with other numbers, and some that are not printed."""
    cards: dict[str, dict[str, Any]] = {
        card: {
            "electability": dice.randint(-9, 9),
            "affiliation": dice.choice((0, dice.randint(-9, 9))),
            "copies": dice.randint(0, 2),
        }
        for card in dice.sample(list(MARKS), 5)
    }
    cards["unaffiliated-activity"] = {"draw": dice.randint(1, 4), "copies": 3}
    style = dice.choice(list(STYLES))
    cards[style] = {"electability": dice.randint(-5, 5), "affiliation": -3, "copies": 2}
    cards["rally"] = {"kind": "mark", "copies": 2, "electability": 1}
    cards["dreamer"] = {"kind": "style", "copies": dice.randint(1, 2)}
    cards["windfall"] = {"kind": "draw", "copies": 1, "draw": 1}
    cards["scandal"] = {"kind": "remove", "copies": 2}
    return cards


def invented(dice: random.Random) -> dict[str, dict[str, Any]]:
    """Styles that put the known effects together anew."""
    known = sorted({effect for effects in STYLES.values() for effect in effects})
    changed = [*dice.sample(list(STYLES), 3), "dreamer"]
    return {
        style: {"effects": dice.sample(known, dice.randint(0, 4))} for style in changed
    }

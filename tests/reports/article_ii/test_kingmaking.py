"""Kingmaking: Generals by hand in which the kingmaker is known, and sums retold."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from experiments.blocks import about
from experiments.cells import Played as Sat
from experiments.otherwise import Branches, Otherwise
from experiments.tables import frames
from reports.article_ii import choices
from reports.article_ii.played import Played
from sim.article_ii.state import Step
from sim.recorder import Recorder
from sim.table import Table
from strategies.random import Random
from tests.reports.article_ii.retold import GAME, by_name, cell, raw_of

WANTED = choices.otherwise({"parties": False})[0]
TRIED = Otherwise(**{k: v for k, v in WANTED.items() if k != "players"})


def general(lying, hands, candidates=(0, 1), changes=None):
    """Sums of a General that begins with these cards on the players and in hand.

    The first seat begins. Nobody draws, so all that happens is what is played.
    """
    players = len(lying)
    of = cell(players, changes=changes)
    state = GAME.start(of.rules, players, 0, np.zeros(1, dtype=np.uint64))
    free = {}
    for number, card in enumerate(state.words["card"]):
        free.setdefault(card, []).append(number)
    take = lambda names: sum(1 << free[name].pop(0) for name in names)  # noqa: E731
    for seat in range(players):
        state.lying[seat] = take(lying[seat])
        state.hands[seat] = take(hands[seat])
        for card in state.box.cards:
            many = lying[seat].count(card.id) / card.copies
            state.electability[seat] += int(many * card.electability * card.copies)
    return state

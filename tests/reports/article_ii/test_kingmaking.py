"""Kingmaking: Generals by hand in which the kingmaker is known, and sums retold."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import numpy as np
import pytest

from experiments.core import cells
from experiments.core.block_records import Block, record_block, report_context
from experiments.core.event_tables import event_frames
from experiments.counterfactual.every_option import EveryOptionListener
from experiments.counterfactual.intervention import every_option
from experiments.counterfactual.interventions import Interventions
from reports.article_ii import general_choices
from reports.article_ii.game_arrays import ArticleIIArrays
from sim import masks
from sim.article_ii.layout import CANDIDATE
from sim.article_ii.state import Step
from sim.recorder import Recorder
from sim.table import Table
from strategies.base import Strategy
from tests.reports.article_ii.recount import GAME, by_name, cell

(WANTED,) = general_choices.branching({"parties": False})
ASKED = {key: WANTED[key] for key in ("decisions", "then", "moment")}
TRIED = every_option(**ASKED)
UP, DOWN, BLANK = "newspaper-endorsement", "toe-the-line", "hairpiece"  # +3, -8, 0
HIMSELF, KINGMAKER, NOTHING = range(3)


@dataclass(frozen=True)
class Aims(Strategy):
    """Plays any card on the same seat."""

    at: int = 0

    def target(self, view):
        return view.legal & masks.bit(self.at)


def general(lying, hands, at, first=None):
    """Sums of a General of Candidates 0 and 1, and who won it.

    It begins with these cards on the players and in their hands; all play on ``at``.
    ``first`` begins, by default the first who has a card.
    """
    players, deck = len(lying), defaultdict(list)
    of = replace(cell(players), interventions=Interventions((TRIED,)))
    state = GAME.start(of.rules, players, 0, np.zeros(1, dtype=np.uint64))
    for number, card in enumerate(state.vocabularies["card"]):
        deck[card].append(number)
    for seat in range(players):
        for name in lying[seat]:
            number = deck[name].pop(0)
            state.lying[seat] |= masks.bit(number)
            state.electability[seat] += state.layout.electability[number]
            state.affiliation[seat] += state.layout.affiliation[number]
        for name in hands[seat]:
            state.hands[seat] |= masks.bit(deck[name].pop(0))
    state.candidates[:] = masks.span(0, 2)
    state.traits[:2] |= CANDIDATE
    state.clock.phase, state.clock.step = 1, Step.TURN
    holding = [seat for seat in range(players) if hands[seat]]
    state.seat[:] = holding[0] if first is None else first
    recorder, branches = (
        Recorder(("result",)),
        EveryOptionListener(TRIED, of, slice(0, 1), 0),
    )
    table = Table([Aims(at)], None, GAME.view, GAME.kinds, [recorder, branches])
    GAME.play(state, table)
    sitting = np.zeros((players, 1), dtype=np.uint8)
    played = cells.PlayedGames(
        state, [Aims(at)], sitting, table.decisions, rotate=False, first=sitting[0]
    )
    raw = event_frames(GAME, recorder, ("result",), played)
    raw["branching"] = branches.table(played)
    told = ArticleIIArrays(raw, report_context(of, played))
    return by_name(general_choices.counts(told)), int(told.winner[0])


def decides(found):
    """What the only turn of the first round decides."""
    (kind,) = [kind for (kind, turn), (y, _) in found["choices"].items() if y]
    assert all(x == 1 for _, x in found["choices"].values())
    return kind


def decided_by(found):
    (who,) = [who for (who,), (y, _) in found["decided by"].items() if y]
    return general_choices.DECIDERS[who]


@pytest.mark.parametrize("at", range(3))
def test_who_can_only_hit_one_of_two_is_a_kingmaker(at):
    """3 to 6 points; a Spoiler's last card takes 8 from the one or the other."""
    found, winner = general([[UP], [UP, UP], []], [[], [], [DOWN]], at)
    assert winner == (0 if at == 1 else 1)
    assert decides(found) == KINGMAKER
    assert decided_by(found) == "a kingmaker"
    assert found["a kingmaker somewhere"][()] == (1, 1)
    assert found["kingmaking turns"][()] == (1, 1)


@pytest.mark.parametrize("at", range(4))
def test_a_spoiler_may_be_made_president(at):
    """The only Candidate above zero may be hit: then it is the other Spoiler."""
    found, winner = general([[UP], [], [UP], []], [[], [], [], [DOWN]], at)
    assert winner == (2 if at == 0 else 0)
    assert decides(found) == KINGMAKER


@pytest.mark.parametrize("at", range(3))
def test_a_card_that_does_nothing_makes_no_king(at):
    found, winner = general([[UP], [UP, UP], []], [[], [], [BLANK]], at)
    assert winner == 1
    assert decides(found) == NOTHING
    assert decided_by(found) == "nobody"
    assert found["a kingmaker somewhere"][()] == (0, 1)
    assert found["kingmaking turns"][()] == (0, 1)


@pytest.mark.parametrize("at", range(3))
def test_who_can_win_is_no_kingmaker(at):
    """A Candidate who may hit the other; and a Spoiler who may hit the only one."""
    found, winner = general([[UP], [UP, UP], []], [[DOWN], [], []], at)
    assert decides(found) == HIMSELF
    assert decided_by(found) == ("the President" if winner == 0 else "a rival")
    found, winner = general([[UP], [], []], [[], [], [DOWN]], at)
    assert winner == (2 if at == 0 else 0)
    assert decides(found) == HIMSELF
    assert decided_by(found) == ("the President" if winner == 2 else "a rival")
    assert found["a kingmaker somewhere"][()] == (0, 1)


def test_the_last_that_decides_counts():
    """A Spoiler chooses between 3 and 6 points; then who has 3 gives 6 to somebody."""
    lying, hands = [[UP], [UP, UP], []], [["slam-your-fellows"], [], [DOWN]]
    found, winner = general(lying, hands, 2, first=2)
    assert found["choices"] == {(0, 1): (1, 2), (1, 1): (1, 2), (2, 1): (0, 2)}
    assert (winner, decided_by(found)) == (1, "a rival")
    assert found["a kingmaker somewhere"][()] == (1, 1)
    found, winner = general(lying, hands, 0, first=2)  # who is hit cannot catch up
    assert found["choices"] == {(0, 1): (0, 2), (1, 1): (1, 2), (2, 1): (1, 2)}
    assert (winner, decided_by(found)) == (1, "a kingmaker")


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_sums_retold(players):
    """All sums of games that were played, option by option in plain Python."""
    lineup = ("allround", "random", "spoiler", "builder")[:players]
    of = replace(
        cell(players, lineup=lineup, seed=8), interventions=Interventions((TRIED,))
    )
    sat, raw = record_block(of, Block(0, 0, 45), ("result",), [])
    found = by_name(
        general_choices.counts(ArticleIIArrays(raw, report_context(of, sat)))
    )
    results = {row["game"]: row for row in raw["result"].rows(named=True)}
    turns = defaultdict(lambda: defaultdict(list))
    for row in raw["branching"].rows(named=True):
        turns[row["game"]][row["turn"]].append(row)
    count = Counter()
    for game, end in results.items():
        last, ever = "nobody", False
        for turn, rows in sorted(turns[game].items()):
            seat, now = rows[0]["seat"], min((turn - 1) // players + 1, 8)
            makes = {row["winner"] for row in rows} - {-1}
            if len({row["won"] for row in rows}) == 2:
                kind = HIMSELF
                last = "the President" if seat == end["winner"] else "a rival"
            elif not rows[0]["won"] and len(makes) > 1:
                kind, last, ever = KINGMAKER, "a kingmaker", True
            else:
                kind = NOTHING
            count[kind, now] += 1
            count[now] += 1
        if end["winner"] >= 0:
            count[last] += 1
            count["ever"] += ever
            count["won"] += 1
    assert found["choices"] == {
        (kind, now): (count[kind, now], count[now])
        for kind in range(3)
        for now in range(1, 9)
        if count[now]
    }
    whole = sum(count[now] for now in range(1, 9))
    kings = sum(count[KINGMAKER, now] for now in range(1, 9))
    assert found["kingmaking turns"][()] == (kings, whole)
    assert found["decided by"] == {
        (n,): (count[who], count["won"]) for n, who in general_choices.DECIDERS.items()
    }
    assert found["a kingmaker somewhere"][()] == (count["ever"], count["won"])
    assert min(count["a kingmaker"], count["a rival"]) > 3


def test_where_nothing_is_tried():
    """Of two players none is a kingmaker; a partner's victory is one's own."""
    assert 2 not in WANTED["players"]
    assert general_choices.branching({"parties": True}) == ()
    sat, raw = record_block(cell(2), Block(0, 0, 8), ("result",), [])
    assert (
        general_choices.counts(ArticleIIArrays(raw, report_context(cell(2), sat))) == []
    )
    rarely = Interventions((every_option(**ASKED, one_game_in=99),))
    one = replace(cell(3), interventions=rarely)
    sat, raw = record_block(one, Block(0, 1, 8), ("result",), [])
    assert general_choices.counts(ArticleIIArrays(raw, report_context(one, sat))) == []

"""Tidy tables and grids against games counted by hand from their transcript."""

from collections import Counter

import numpy as np
import pytest

from reports.course.measures import counts
from reports.kunitame import cards, square_counts
from reports.kunitame.course import standing
from reports.kunitame.square_counts import square_uses
from reports.kunitame.tidy_tables import contracts, tables
from tests.reports import course_by_hand
from tests.reports.kunitame.transcript import Board, cell, transcripts

OF = cell(("random", "greedy", "gambler", "random"), seed=7)


@pytest.fixture(scope="module")
def seen():
    played, events = transcripts(OF)
    boards = {g: Board(e, OF.rules, 4) for g, e in events.items()}
    return played, events, boards, tables(played)


@pytest.mark.parametrize("what", ["met", "open", "claims", "paid", "returned"])
def test_squares(seen, what):
    played, _, boards, _ = seen
    counts = square_uses(played)[what].sum(axis=2)
    for n, square in enumerate(played.masks("square")):
        if what in {"met", "open"} and OF.rules.in_play[n].when != "trick":
            continue  # test_liquidation_squares
        for game, board in boards.items():
            by_hand = [board.count[what, square, week] for week in (1, 2, 3, 4)]
            assert counts[n, :, game].tolist() == by_hand, (square, game)


def test_contested(seen):
    played, _, boards, _ = seen
    counts = square_uses(played)["contested"].any(axis=2)
    for n, square in enumerate(OF.rules.in_play):
        if square.when == "trick":
            for game, board in boards.items():
                by_hand = [len(board.met_by[square.id, w]) > 1 for w in (1, 2, 3, 4)]
                assert counts[n, :, game].tolist() == by_hand


def test_liquidation_squares(seen):
    """What is claimed at liquidation was met and open, and offered as often."""
    played, events, _, _ = seen
    squares = [s.id for s in OF.rules.in_play]
    counts = {name: use.sum(axis=2) for name, use in square_uses(played).items()}
    later = [n for n, s in enumerate(OF.rules.in_play) if s.when == "all"]
    assert (counts["claims"][later] <= counts["open"][later]).all()
    assert (counts["open"][later] <= counts["met"][later]).all()
    offered = Counter()
    for game, part in events.items():
        for event in part:
            if event["type"] == "choice" and event["name"] == "bonus":
                for square in set(event["legal"]) - {"pass"}:
                    offered[square, event["week"], game] += 1
    for n in later:
        for week in range(4):
            for game in events:
                assert (
                    counts["open"][n, week, game] == offered[squares[n], week + 1, game]
                )


def test_tricks_and_returns(seen):
    _, _, boards, found = seen
    for game, board in boards.items():
        rows = found["tricks"].filter(game=game).sort("week", "round")
        for key in ("gained", "returned"):
            assert rows[key].to_list() == [trick[key] for trick in board.tricks]
        assert rows["seat"].to_list() == [trick["winner"] for trick in board.tricks]
        assert rows["punished"].sum() == sum(t["returned"] > 0 for t in board.tricks)


def test_course(seen):
    played, events, boards, found = seen
    games = []
    for game, board in boards.items():
        winner = events[game][-1]["winner"]
        assert board.steps == len(board.moves) == 32
        games.append(course_by_hand.told(board.moves, winner, rounds=4))
        won = found["players"].filter(game=game).sort("seat")["won"].to_list()
        assert won == [seat == winner for seat in range(4)]
    counted = {one.measure: one for one in counts(standing(played))}
    course_by_hand.same({name: by_name(one) for name, one in counted.items()}, games)


def by_name(one):
    sums = one.sums()
    return {() if not one.labels else None: sums.select("y", "x").row(0)}


def test_contracts(seen):
    played, events, _, _ = seen
    for game, part in events.items():
        stakes = {
            (e["week"], e["seat"]): e["chosen"]
            for e in part
            if e["type"] == "choice" and e["name"] == "contract" and e["chosen"]
        }
        kept = {e["week"]: e for e in part if e["name"] == "contracts"}
        by_hand = {
            (week, seat, int(target), stake, kept[week]["tricks"][seat] == int(target))
            for (week, seat), chosen in stakes.items()
            for target, stake in chosen.items()
        }
        rows = contracts(played).filter(game=game)
        table = rows.select("week", "seat", "target", "stake", "made").rows()
        assert set(table) == by_hand


def test_weeks(seen):
    _, events, _, found = seen
    for game, part in events.items():
        rows = found["weeks"].filter(game=game).sort("week", "seat")
        ends = [e for e in part if e["name"] == "week"]
        points = [p for e in ends for p in e["points"]]
        assert rows["points"].to_list() == points
        assert rows["gained"].sum() == sum(ends[-1]["points"])
        hands = [h for e in part if e["name"] == "deal" for h in e["hands"]]
        assert rows["priests"].to_list() == [hand.count("P") for hand in hands]
        dealers = {e["week"]: e["dealer"] for e in part if e["name"] == "deal"}
        for week, seat, position in rows.select("week", "seat", "position").rows():
            assert (dealers[week] + position - 1) % 4 == seat
        ranks = [1 + sum(o > p for o in e["points"]) for e in ends for p in e["points"]]
        assert rows["rank"].to_list() == ranks


def test_cards(seen):
    played, events, _, _ = seen
    [found] = [part.sums() for part in cards.counts(played)]
    every = [e for part in events.values() for e in part]
    won = Counter(e["card"] for e in every if e["name"] == "trick")
    deals = (c for e in every if e["name"] == "deal" for h in e["hands"] for c in h)
    dealt = Counter(deals) + Counter(e["card"] for e in every if e["name"] == "devil")
    for card, y, x in found.select("card", "y", "x").rows():
        assert (y, x) == (won[card], dealt[card])
    assert found["y"].sum() == won.total()


def test_sums_of_grids_are_those_of_numpy(seen):
    played = seen[0]
    uses = square_uses(played)
    counted = square_counts.counts(uses, [*played.masks("square")])
    found = {part.measure: part.sums() for part in counted}
    y, x = (uses[name].sum(axis=(1, 2), dtype=int) for name in ("open", "met"))
    table = found["open by square"]
    assert table["y"].to_list() == y.sum(axis=1).tolist()
    assert table["xy"].to_list() == (x * y).sum(axis=1).tolist()
    assert table["yy"].to_list() == (y * y).sum(axis=1).tolist()
    assert table["games"].to_list() == np.count_nonzero(x, axis=1).tolist()

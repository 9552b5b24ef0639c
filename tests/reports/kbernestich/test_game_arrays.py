"""Arrays, sums and tables against what the transcripts tell."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from reports.course.measures import counts
from reports.kbernestich import course, economy, seats, squares
from reports.kbernestich.game_arrays import AREAS, area_of
from tests.reports import course_by_hand
from tests.reports.kbernestich.recount import cell, transcripts


@pytest.fixture(scope="module", params=[3, 4])
def seen(request):
    return transcripts(cell(request.param, seed=3))


def _sums(parts):
    return {part.measure: part.sums() for part in parts}


def _cubes(events):
    """Each cube placed: round, trick, seat and square."""
    plots = [e for e in events if e["type"] == "choice" and e["name"] == "plot"]
    return [
        (e["round"], e["trick"], e["seat"], square)
        for e in plots
        for square in ([e["chosen"]] if isinstance(e["chosen"], str) else e["chosen"])
        if square != "pass"
    ]


def test_cubes_placed(seen):
    played, events = seen
    for game, part in events.items():
        cubes = Counter((r, t, s) for r, t, s, _ in _cubes(part))
        for (round_, trick, seat), many in cubes.items():
            assert played.plotted[round_ - 1, trick - 1, seat, game] == many
        assert played.plotted[..., game].sum() == sum(cubes.values())
        for round_, _, seat, square in _cubes(part):
            assert played.on(square)[round_ - 1, seat, game]


def test_scores(seen):
    played, events = seen
    parts = {
        "to": played.to,
        "hunch": played.hunch,
        "misery": played.misery,
        "base": played.base,
        "from": played.from_,
        "score": played.score,
    }
    for game, part in events.items():
        for event in part:
            if event["name"] == "score":
                for name, values in parts.items():
                    assert (
                        values[event["round"] - 1, event["seat"], game] == event[name]
                    )
        assert played.scores[:, game].tolist() == part[-1]["scores"]
        assert played.winner[game] == part[-1]["winner"]


def test_the_parts_add_up(seen):
    played, _ = seen
    gained = played.to + played.hunch + played.misery + played.from_
    assert (played.before + gained == played.score).all()
    cards = [played.won & suit for suit in played.suit_masks[: played.suits]]
    worth = zip(played.values.swapaxes(0, 1), cards, strict=True)
    base = sum(v[:, None].astype(int) * np.bitwise_count(c) for v, c in worth)
    assert (base == played.base).all()


def test_start(seen):
    played, events = seen
    for game, part in events.items():
        starts = [e["start"] for e in part if e["name"] == "deal"]
        assert played.start[:, game].tolist() == starts


def test_areas():
    assert {
        area_of(name)
        for name in ("to-1", "hunch-5+", "from-B-2", "bust-20", "grace", "review")
    } == set(AREAS)


def test_cubes_are_conserved_as_transcripts_tell_and_a_loss_is_seen(seen):
    played, events = seen
    account = economy.account(played)
    assert not account.discrepancy().any()
    at = {
        key: row for row, key in enumerate(zip(account.time, account.game, strict=True))
    }
    placed = Counter(
        (round_, seat, game)
        for game, part in events.items()
        for round_, _, seat, _ in _cubes(part)
    )
    for (round_, seat, game), many in placed.items():
        assert account.sinks["placed"][seat, at[round_, game]] == many
    assert account.sinks["placed"].sum() == sum(placed.values())
    for game, part in events.items():
        for event in part:
            if event["name"] == "cubes":  # in hand after a round, for the next
                row = at[event["round"] + 1, game]
                there = account.before + account.sources["received"]
                held = (there - account.sinks["over the limit"])[:, row]
                assert held.tolist() == event["cubes"]
    played.__dict__["kept"] = played.kept + 1
    try:
        assert economy.account(played).discrepancy().sum() > 0
    finally:
        del played.__dict__["kept"]


def test_flow_and_starvation(seen):
    played, events = seen
    areas = economy.area_counts(played)
    by_hand = Counter(
        (AREAS.index(area_of(square)), round_ - 1, seat, game)
        for game, part in events.items()
        for round_, _, seat, square in _cubes(part)
    )
    for at, many in by_hand.items():
        assert areas[at] == many
    assert areas[:-1].sum() == sum(by_hand.values())
    without = economy.without_cubes(played)
    for game, part in events.items():
        for event in part:
            if event["type"] == "choice" and event["name"] == "plot":
                at = (event["round"] - 1, event["trick"] - 1, event["seat"], game)
                assert not without[at]


def test_gross(seen):
    played, _ = seen
    found = _sums(squares.counts(played))["gross"]
    worth = {square: (y, x) for square, y, x in found.select("square", "y", "x").rows()}
    letters = [(y, x) for square, (y, x) in worth.items() if square.startswith("to-")]
    assert sum(y for y, _ in letters) == played.to.sum()
    bids = sum(y for square, (y, _) in worth.items() if square.startswith("hunch-"))
    assert bids == (played.hunch + played.misery).sum()
    assert sum(worth[f"from-any-{v}"][0] for v in range(4)) == played.base.sum() - (
        _others(played)
    )


def _others(played):
    """Points a card that somebody else's cube made of one's own cards."""
    total = 0
    for name in played.squares:
        if name.startswith("from-"):
            _, suit, value = name.split("-")
            cards = np.bitwise_count(played.won & played.suit_masks["BRYG".index(suit)])
            on = played.on(name)
            total += int(value) * (cards * (on.any(axis=1)[:, None] & ~on)).sum()
    return total


def test_course_and_places(seen):
    played, _ = seen
    scores = played.score.transpose(2, 0, 1).tolist()
    winners = [None if seat < 0 else seat for seat in played.winner.tolist()]
    told = [course_by_hand.told(*game) for game in zip(scores, winners, strict=True)]
    parts = counts(course.standing(played))
    sums = {c.measure: {(): c.sums().select("y", "x").row(0)} for c in parts}
    course_by_hand.same(sums, told)
    found = _sums(seats.counts(played))
    total = (played.score - played.before).sum()
    assert found["gained by position"]["y"].sum() == total
    assert found["gained by position"].filter(pl.col("x") != played.size).is_empty()

"""Paired games: the same deals, but one seat goes on once where it would declare."""

import numpy as np
import polars as pl
import pytest

from experiments.core.block_records import Block
from experiments.core.blocks import play_block
from experiments.core.cells import play
from experiments.counterfactual.interventions import declining
from experiments.counterfactual.paired_games import pair_context
from reports.devil.early_end_what_ifs import PAIRS, decline
from strategies.random import Random
from tests.reports.devil.transcript import GAME, cell, raw_of, transcripts


def paired(round_, players=3, **more):
    one = cell(players, (Random(),) * players, seed=5, **more)
    return declining(one, "declare", ("round", round_))


def both(of, count):
    raw, _ = raw_of(of.one, count)
    without, _ = raw_of(of.other, count)
    return raw, without, pair_context(of, play(of.one, np.arange(1, dtype=np.uint64)))


@pytest.mark.slow
@pytest.mark.parametrize("round_", [1, 2])
def test_differences_are_those_of_the_transcripts(round_):
    of, count = paired(round_), 80
    raw, without, known = both(of, count)
    table = PAIRS.of(raw, without, known)["declined"]
    _, ended = transcripts(of.one, count)
    _, onward = transcripts(of.other, count)
    rows = []
    for game, (one, two) in enumerate(zip(ended, onward, strict=True)):
        seat = -game % 3  # where the first of the lineup sits, rotated
        if len(one.rounds) < round_:
            continue
        here, there = one.rounds[round_ - 1], two.rounds[round_ - 1]
        mine = [m for m in here.declares if m.who == seat and m.ends]
        assert here.dealt == there.dealt
        if not mine:
            assert here.added == there.added
            continue
        *before, moment = here.declares
        assert [m for m in there.declares if m.turn < moment.turn] == before
        (same,) = (m for m in there.declares if m.turn == moment.turn)
        assert (same.who, same.card, same.ends) == (seat, moment.card, 0)
        more = [a - b for a, b in zip(here.added, there.added, strict=True)]
        rest = sum(more) - more[seat]
        won = [g.result["winner"] == seat for g in (one, two)]
        rows.append(
            (
                game,
                mine[0].card,
                more[seat],
                rest,
                rest - 2 * more[seat],
                won[0] - won[1],
            )
        )
    names = (
        "game",
        "card",
        "own_less",
        "rest_less",
        "ahead_more",
        "won_more",
    )
    assert table.select(names).rows() == rows
    assert rows


def test_a_seat_is_free_after_it_went_on():
    """Once only: asked again in the round, it may end it."""
    raw, without, known = both(paired(1), 1_000)
    table = PAIRS.of(raw, without, known)["declined"]
    mine = (
        pl.col("round") == 1,
        pl.col("seat") == pl.col("who"),
        pl.col("who") == (3 - pl.col("game") % 3) % 3,
    )
    here, there = (one["declaring"].filter(mine) for one in (raw, without))
    times, before = (dict(one.group_by("game").len().rows()) for one in (there, here))
    again = {game: times[game] - before[game] for game in table["game"].to_list()}
    late = there.filter(pl.col("ends") == 1, pl.col("game").is_in(list(again)))
    assert 0 < late.height < sum(again.values())
    went_on = {game for game, more in again.items() if not more}
    assert not went_on.intersection(late["game"].to_list())


def test_hands_of_later_rounds_are_the_same():
    of = paired(1)
    _, ended = transcripts(of.one, 30)
    _, onward = transcripts(of.other, 30)
    later = [
        (a.dealt, b.dealt)
        for one, two in zip(ended, onward, strict=True)
        for a, b in zip(one.rounds[1:], two.rounds[1:], strict=False)
    ]
    assert later
    assert all(a == b for a, b in later)


def test_a_round_that_is_broken_off_is_left_out():
    raw, without, known = both(paired(1, changes={"guard": 40}), 80)
    table = PAIRS.of(raw, without, known)["declined"]
    assert 0 < table.height < PAIRS.of(*both(paired(1), 80))["declined"].height


def test_sums_of_a_paired_block():
    found = play_block(paired(1), Block(0, 0, 80), True).sums
    table = PAIRS.of(*both(paired(1), 80))["declined"]
    ahead = found.filter(measure="ahead_more").select("y", "x").sum().row(0)
    assert ahead == (table["ahead_more"].sum(), 2 * table.height)
    cards = found.filter(measure="own_less")
    assert set(cards["card"]) == set(table["card"])
    assert cards["y"].sum() == table["own_less"].sum()


def test_what_is_declined():
    (want,) = decline(GAME.rules.of().plain())
    assert want["kind"] == "declare"
    deck = {"base_deck": {"special1": 0, "special4": 0}}
    assert decline(GAME.rules.of(deck).plain()) == ()

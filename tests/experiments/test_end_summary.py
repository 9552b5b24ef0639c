"""What every run tells: sets of seats and matches, against games told one by one."""

import json
from collections import Counter
from typing import Any

import pytest

import fairdeal as fd
from experiments.core.block_records import Block
from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.core.end_summary import LATER
from experiments.core.traces import lines
from sim.games import load

LINEUP = ("random", "builder", "random", "random")
GAMES, SEED = 42, 5  # ten matches, and two games left over


def ends(*, rotate: bool, rules: dict[str, Any]) -> list[dict[str, Any]]:
    """The results of these games, as transcripts tell them: seats from 0."""
    cell = Cell(
        "article_ii", load("article_ii").rules.of(rules), 4, LINEUP, rotate, SEED
    )
    events = map(json.loads, lines(cell, range(GAMES)))
    return [event for event in events if event["type"] == "result"]


@pytest.mark.parametrize("players", load("article_ii").players)
def test_who_begins_a_later_phase_has_its_first_position(players: int) -> None:
    cell = Cell("article_ii", load("article_ii").rules(), players, ("random",), seed=7)
    won, start = Counter[int](), dict[int, int]()
    for event in map(json.loads, lines(cell, range(GAMES))):
        if event.get("name") == "start":  # the Primary, then the General
            start[event["game"]] = event["seat"]
        elif event["type"] == "result" and event["winner"] is not None:
            won[(event["winner"] - start[event["game"]]) % players + 1] += 1
    sums = play_block(cell, Block(0, 0, GAMES)).sums.filter(measure=LATER.name)
    told = sums.select("position", "y", "x").rows()
    assert told == [(place + 1, won[place + 1], GAMES) for place in range(players)]
    assert len(won) == players


def by_seat(measure: str, *, rotate: bool, rules: dict[str, Any]) -> dict[int, int]:
    result = fd.Game("article_ii").play(
        fd.RuleSet.of("article_ii", rules),
        players=4,
        games=GAMES,
        lineup=",".join(LINEUP),
        rotate=rotate,
        seed=SEED,
        jobs=1,
    )
    found = result.estimates(f"{measure} by seat", "mean").to_dicts()
    return {row["seat"]: int(row["y"]) for row in found}


def test_a_set_of_seats_counts_by_seat() -> None:
    told = Counter(s + 1 for e in ends(rotate=False, rules={}) for s in e["candidates"])
    assert by_seat("candidates", rotate=False, rules={}) == told


@pytest.mark.parametrize("rotate", [False, True])
def test_a_match_is_four_games_whose_points_add_up(*, rotate: bool) -> None:
    rules = {"parties": True}
    told, won = ends(rotate=rotate, rules=rules), Counter[int]()
    for match in range(GAMES // 4):
        points = Counter[int]()
        for number, end in enumerate(told[match * 4 : match * 4 + 4]):
            for player in range(4):
                seat = (player - number) % 4 if rotate else player
                points[player] += seat in end["candidates"]
                points[player] += 2 * (seat in end["winners"])
                partner = (seat + 2) % 4
                points[player] += (
                    partner in end["winners"] and seat not in end["winners"]
                )
        won.update(p + 1 for p in range(4) if points[p] == max(points.values()))
    assert (
        by_seat("match", rotate=rotate, rules=rules)
        == dict.fromkeys(range(1, 5), 0) | won
    )

"""What the report of Socialism says, counted once more: from transcripts, plainly."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from experiments.counterfactual.interventions import swapping
from reports.course.measures import COURSE_MEASURES
from reports.socialism.card_worth import DEALS
from reports.socialism.report import REPORT
from sim.socialism.trial import Trial
from sim.transcript import Event
from tests.games.event_lines import of
from tests.games.plays import Changes
from tests.reports import course_by_hand
from tests.reports.recorded import counted, recorded
from tests.socialism.plays import PLAYS

GAMES, FIRST = 25, 40
Sums = Counter[Any]
CASES = [(2, "allround", {}), (3, "hub", {"tokens": 8}), (5, "random", {"guard": 30})]


class Recount:
    """One game as its transcript tells it: who has how many Members after each turn."""

    def __init__(self, events: list[Event], tokens: int) -> None:
        self.events, self.result = events, events[-1]
        self.players = events[0]["players"]
        members, self.after = [0] * self.players, []
        for number in range(1, self.result["turns"] + 1):
            before = [*members]
            for event in of(events, "joins", "leaves"):
                if event["turn"] == number:
                    members[event["seat"]] += 1 if event["name"] == "joins" else -1
            who = (events[1]["seat"] + number - 1) % self.players
            self.after.append((who, before, [*members]))

    def course(self) -> dict[str, Any]:
        """Members after each round, and at the end."""
        moments = [now for _, _, now in self.after]
        late = [*range(self.players, len(moments), self.players), len(moments)]
        rounds = [moments[turn - 1] for turn in late]
        return course_by_hand.told(rounds, self.result["winner"])

    def sums(self) -> Iterator[tuple[Any, int]]:
        """What the game adds to the numerators of the headline measures."""
        winner = self.result["winner"]
        yield ("games by turns", self.result["turns"]), 1
        yield ("broken off",), winner is None
        for who, before, now in self.after:
            idle = now[who] <= before[who]
            less = [max(b - n, 0) for b, n in zip(before, now, strict=True)]
            taken = sum(less) - less[who]
            yield ("turns without a Member",), idle
            yield ("wasted turns",), idle and not taken
            yield ("taken by turn",), taken
        for event in of(self.events, "joins"):
            yield ("tokens by way", event["via"]), 1
        if winner is not None:
            yield ("won by way", of(self.events, "joins")[-1]["via"]), 1
        for event in of(self.events, "roll"):
            yield (f"dice of {event['via']}",), 1


@pytest.mark.parametrize(("players", "name", "changes"), CASES)
def test_headline_numbers_are_those_of_the_transcripts(
    players: int, name: str, changes: Changes
) -> None:
    cell = PLAYS.cell(changes, [name] * players, seed=5, rotate=True)
    of, tops, below = recorded(cell, GAMES, REPORT.all_notes, FIRST), Sums(), Sums()
    for measure, groups in counted(REPORT, of, FIRST).items():
        for group, (y, x) in groups.items():
            tops[measure, *group], below[measure, *group] = y, x
    expected, turns, courses = Sums(), 0, []
    for events in of.told:
        game = Recount(events, PLAYS.ruled(changes).tokens)
        turns += game.result["turns"]
        courses.append(game.course())
        for key, number in game.sums():
            expected[key] += number
    dice = {key: n for key, n in expected.items() if key[0].startswith("dice of")}
    for key, number in expected.items() - dice.items():
        assert tops[key] == number, key
    for key in tops:
        if key[0] in {name for name, *_ in expected}:
            assert tops[key] == expected[key], key
    assert below["wasted turns",] == turns
    sums = {
        what.name: {(): (tops[what.name,], below[what.name,])}
        for what in COURSE_MEASURES
    }
    course_by_hand.same(sums, courses)
    assert below["tokens by way", "auto"] == turns
    some_accept_all = ("spam", "personal", "omg-cat-pic", "industrial-espionage")
    for (text,), number in dice.items():
        way = text.removeprefix("dice of ")
        tried = tops["tried by way", way]
        assert number <= tried, "all but those who accept on all faces"
        assert tried <= number or way in some_accept_all


def test_the_same_card_is_had_once_and_lacked_once() -> None:
    """And a card is worth the games that are won with it alone."""
    cell = PLAYS.cell({}, ["allround"] * 3, seed=9, rotate=True)
    pair = swapping(replace(cell, trial=Trial(1)))
    (one, known, _), (two, *_) = (
        recorded(part, GAMES, ("result", "trial"), FIRST)
        for part in (pair.one, pair.other)
    )
    drawn = one["trial"], two["trial"]
    assert drawn[0].drop("has").equals(drawn[1].drop("has"))
    assert (drawn[0]["has"] ^ drawn[1]["has"]).all()
    assert 0.3 < drawn[0]["has"].mean() < 0.7
    more = Sums()
    for row in drawn[0].rows(named=True):
        ends = [t["result"].filter(game=row["game"])["winner"][0] for t in (one, two)]
        sides = [winner == row["seat"] for winner in ends]
        with_it, without = sides if row["has"] else sides[::-1]
        more[row["card"]] += with_it - without
    table = DEALS.of(one, two, known)["trials"]
    found = table.group_by("card").agg(pl.col("more").sum())
    assert dict(found.rows()) == dict(more)
    assert any(more.values())

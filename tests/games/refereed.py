"""The referee agrees with the engine, over rules of every kind."""

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.transcript import Event
from tests.games.plays import Changes, Plays
from tests.games.room import Room, each, in_turn

Drawn = tuple[int, Changes, Sequence[str], int]
"""Players, rules, a lineup and how many games."""

Stream = Callable[[Iterable[str]], int]
"""Checks a stream of lines, and counts its games."""

DICE = st.randoms(use_true_random=False)


def all_pass(check_stream: Stream, games: Sequence[Sequence[Event]]) -> None:
    """Every game is without a foul, as a stream of lines too."""
    lines = [json.dumps(event) for events in games for event in events]
    assert check_stream(lines) == len(games)


def any_rules_pass(
    plays: Plays,
    draw: Callable[[random.Random, int], Changes] | None = None,
    check_stream: Stream | None = None,
    *,
    examples: int,
    games: int,
    dice: st.SearchStrategy[random.Random] = DICE,
) -> Callable[[], None]:
    """A test of so many rules, numbers of players and lineups, drawn from all."""

    @pytest.mark.soak
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
    )
    @given(
        dice=dice,
        players=st.sampled_from(plays.game.players),
        seed=st.integers(0, 2**64 - 1),
        first=st.integers(0, 2**40),
    )
    def test(dice: random.Random, players: int, seed: int, first: int) -> None:
        rules = (draw or plays.any_rules)(dice, players)
        lineup = plays.any_lineup(dice, players)
        told = plays.transcripts(
            rules, players, games, lineup=lineup, seed=seed, first=first
        )
        all_pass(check_stream or plays.referee.check_stream, told)

    return test


class Refereed(Room):
    """Whatever the engine tells of a game is right, and all that is rare is told.

    A sweep draws rules from all that there may be, for each of the seeds ``parts``: as
    often as the first of ``sweep``, on to the second while something rare is unseen;
    ``drawn`` games each. It begins with players and rules under which what is rare
    happens ``often``.
    """

    printed_games = 10
    mixed: tuple[Changes, int]  # rules, and how many games
    mixed_seeds: Sequence[int] = (0, 1, 2)
    options: Sequence[tuple[Changes, int]]  # rules beside each, and how many games
    edges: Mapping[str, Changes]
    edge_rules: Changes
    edge_games = 4
    parts: Sequence[int] = (0,)
    sweep = (30, 150)
    often: Sequence[tuple[int, Changes]] = ()
    drawn = 40
    looked_at: int | None = None  # games of each draw, to see what is rare
    named: Sequence[tuple[Changes, int, int]]  # rules, players, and how many games

    # --- What a game says of itself ---

    def check_stream(self, lines: Iterable[str]) -> int:
        """Check a stream of lines, and count its games."""
        return int(self.plays.referee.check_stream(lines))

    def tables(self) -> Sequence[int]:
        """Numbers of players."""
        return self.plays.game.players

    def printed(self) -> list[tuple[str, int, Changes]]:
        """Strategies and players, and rules as they are printed."""
        return [(name, size, {}) for name in self.plays.names for size in self.tables()]

    def values(self) -> list[tuple[str, Sequence[Any], int]]:
        """Options and their values, and players."""
        all_of = self.plays.referee.OPTIONS
        return [(key, all_of[key], size) for key in all_of for size in self.tables()]

    def at_the_edge(self) -> list[tuple[str, str, int]]:
        """Edges of the parameters, and strategies and players at each."""
        return [(edge, "random", size) for edge in self.edges for size in self.tables()]

    def draw(self, dice: random.Random, number: int) -> Drawn:
        """Players, rules, a lineup and how many games, the so-manieth of a sweep."""
        if number < len(self.often):
            players, rules = self.often[number]
            return players, rules, ["random"] * players, self.drawn
        players = dice.choice(self.plays.game.players)
        rules = self.plays.any_rules(dice, players)
        return players, rules, self.plays.any_lineup(dice, players), self.drawn

    # --- The tests ---

    def all_pass(
        self, rules: Changes, players: int, games: int, **more: Any
    ) -> list[list[Event]]:
        """These games, all without a foul."""
        told = self.plays.transcripts(rules, players, games, **more)
        assert len(told) == games
        all_pass(self.check_stream, told)
        return told

    def printed_in_turn(self) -> list[Any]:
        """Each strategy with one number of players, the others' soaked."""
        return in_turn(self.printed())

    @each("name, players, rules", "printed_in_turn")
    def test_printed_rules(self, name: str, players: int, rules: Changes) -> None:
        self.all_pass(rules, players, self.printed_games, lineup=[name] * players)

    @each("players", "tables")
    def test_mixed_lineups_in_rotation(self, players: int) -> None:
        rules, games = self.mixed
        for seed in self.mixed_seeds:
            dice, names = random.Random(seed), self.plays.names
            few = len(names) < players
            lineup = (dice.choices if few else dice.sample)(names, k=players)
            self.all_pass(rules, players, games, lineup=lineup, seed=seed, rotate=True)

    def values_in_turn(self) -> list[Any]:
        """Each option with one number of players, the others' soaked."""
        return in_turn(self.values())

    @each("key, values, players", "values_in_turn")
    def test_each_option(self, key: str, values: Sequence[Any], players: int) -> None:
        for value in values:
            for rules, games in self.options:
                self.all_pass({**rules, key: value}, players, games)

    def edges_in_turn(self) -> list[Any]:
        """Each edge with one strategy and number of players, the others soaked."""
        return in_turn(self.at_the_edge())

    @pytest.mark.slow
    @each("edge, name, players", "edges_in_turn")
    def test_edges_of_the_knobs(self, edge: str, name: str, players: int) -> None:
        rules, lineup = {**self.edge_rules, **self.edges[edge]}, [name] * players
        self.all_pass(rules, players, self.edge_games, lineup=lineup)

    @pytest.mark.soak
    @each("part", "parts")
    def test_sweep(self, part: int) -> None:
        """A fixed draw of rules: in each part all that is rare happens."""
        dice, seen = random.Random(part), set[str]()
        wanted, (least, most) = self.plays.rarities.RARE, self.sweep
        for number in range(most):
            if number >= least and seen >= wanted:
                break
            players, rules, lineup, games = self.draw(dice, number)
            told = self.all_pass(rules, players, games, lineup=lineup, seed=number)
            for events in told[: self.looked_at]:
                seen |= self.plays.rare(events)
        assert seen >= wanted, f"never seen: {sorted(wanted - seen)}"

    @each("rules, players, games", "named")
    def test_rare_things_are_named(
        self, rules: Changes, players: int, games: int
    ) -> None:
        """A misspelt name could never be missing."""
        for events in self.plays.transcripts(rules, players, games):
            assert self.plays.rare(events) <= self.plays.rarities.RARE
            self.plays.referee.check(events)

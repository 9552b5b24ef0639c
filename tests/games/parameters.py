"""The parameters of a game: what the referee knows of them, and what is refused."""

import json
from collections.abc import Sequence, Set

import pytest

from sim.parameters import RuleError
from tests.games.plays import Changes
from tests.games.room import Room, each


class Parameters(Room):
    """Parameters of a game.

    What is ``refused`` comes with a part of what is then said; ``refused_for`` so many
    players is what can be played with others. What is ``assumed`` is marked so.
    """

    refused: Sequence[tuple[Changes, str]]
    refused_for: Sequence[tuple[Changes, int, str]] = ()
    assumed: Set[str] = frozenset()

    def options(self) -> list[str]:
        """The options that the referee knows."""
        return list(self.plays.referee.OPTIONS)

    @each("key", "options")
    def test_options_of_the_tests_are_all_there_are(self, key: str) -> None:
        parameters = self.plays.ruled().parameters()
        allowed = next(one for one in parameters if one.key == key).allowed
        if allowed != "true or false":
            known = self.plays.referee.OPTIONS[key]
            assert set(allowed.split(" | ")) == set(known)

    @each("changes, told", "refused")
    def test_refused(self, changes: Changes, told: str) -> None:
        with pytest.raises(RuleError) as caught:
            self.plays.ruled(changes)
        assert told in str(caught.value)
        assert "\n" not in str(caught.value)

    @each("changes, players, told", "refused_for")
    def test_refused_for_so_many_players(
        self, changes: Changes, players: int, told: str
    ) -> None:
        self.plays.ruled(changes)
        with pytest.raises(RuleError) as caught:
            self.plays.started(changes, players, 1)
        assert told in str(caught.value)

    def test_what_is_assumed_is_marked(self) -> None:
        parameters = self.plays.ruled().parameters()
        assert {one.key for one in parameters if one.assumed} == self.assumed


class ParametersInForce(Parameters):
    """Parameters of which the referee tells all that are in force (``in_force``)."""

    def test_defaults_are_those_of_the_rule_text(self) -> None:
        """The referee's own reading of the rule text, written apart from the engine."""
        told = self.plays.ruled().plain_with(self.plays.game.players[0])
        assert json.loads(json.dumps(told)) == self.plays.referee.in_force({})

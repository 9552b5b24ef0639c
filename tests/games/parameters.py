"""The parameters of a game: what the referee knows of them, and what is refused."""

from collections.abc import Sequence

import pytest

from sim.parameters import RuleError
from tests.games.plays import Changes
from tests.games.room import Room, each


class Parameters(Room):
    """Parameters of a game.

    What is ``refused`` comes with a part of what is then said; ``refused_for`` so many
    players is what can be played with others.
    """

    refused: Sequence[tuple[Changes, str]]
    refused_for: Sequence[tuple[Changes, int, str]]

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

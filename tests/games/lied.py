"""Playing by one rule and telling another is a foul: every option shows.

The same transcripts pass as they were played.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from tests.games.event_lines import Events
from tests.games.plays import Changes
from tests.games.referee import Foul
from tests.games.room import Room, each, first_few


class Lied(Room):
    """The referee of a game reads every rule.

    Under the rules ``lied_about`` a game shows what every option does, with 4 players
    or as ``lied_tables`` says, and ``lies_under`` changes that for one of them;
    ``lies`` are other values than played by. What is ``unseen``, as an option or as
    (option, value told), shows in no transcript.
    """

    lied_about: Changes
    lied_tables: Mapping[str, int] = {}
    lies: Sequence[tuple[str, Any, Any]] = ()
    lies_under: Mapping[str, Changes] = {}
    unseen: frozenset[Any] = frozenset()
    lied_games = 60

    def check(self, events: Events) -> None:
        """Let the referee look at a game; raises ``Foul``."""
        self.plays.referee.check(events)

    def told_lies(self) -> list[tuple[str, Any, Any]]:
        """Keys, the values that were played by, and those that are told.

        After the first pair of values of a key they are slow.
        """
        options = {
            key: values
            for key, values in self.plays.referee.OPTIONS.items()
            if key not in self.unseen
        }
        pairs = [
            (key, *pair)
            for key, values in options.items()
            for pair in permutations(values, 2)
        ]
        seen = [one for one in pairs if (one[0], one[2]) not in self.unseen]
        firsts = {key: (key, *pair) for key, *pair in reversed(seen)}.values()
        return [
            *firsts,
            *first_few((one for one in seen if one not in firsts), 0),
            *self.lies,
        ]

    @each("key, right, wrong", "told_lies")
    def test_playing_by_another_rule_is_caught(
        self, key: str, right: Any, wrong: Any
    ) -> None:
        rules = {**self.lied_about, **self.lies_under.get(key, {}), key: right}
        games, players, first = 2, self.lied_tables.get(key, 4), 0
        while first < 20 * self.lied_games:  # most lies show in one of the first games
            for events in self.plays.transcripts(rules, players, games, first=first):
                setup = {**events[0], "rules": {**events[0]["rules"], key: wrong}}
                try:
                    self.check([setup, *events[1:]])
                except Foul:
                    self.check(events)
                    return
            first += games
            games = min(2 * games, self.lied_games)
        raise AssertionError(f"nobody sees that {key} is {right!r}, not {wrong!r}")

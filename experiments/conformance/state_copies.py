"""Check that games can be played on from copies, to the same end."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from experiments.conformance.harness import (
    Log,
    RulesViolation,
    Setting,
    difference,
    numbers,
)
from experiments.conformance.state_contents import changes, contents
from sim.masks import Masks
from sim.table import Player
from sim.view import View

_MOMENTS = 12  # from which games are played on, besides the first of each kind


class ProbedPlayer:
    """Plays as ``inner`` does, and passes each view to ``look`` first."""

    def __init__(self, inner: Player, look: Callable[[View], None]) -> None:
        self._inner = inner
        self._look = look

    @property
    def title(self) -> str:
        """The name of the player."""
        return self._inner.title

    def decide(self, view: View) -> Masks:
        """Look, then decide."""
        self._look(view)
        return self._inner.decide(view)


def _probing(lineup: Sequence[Player], look: Callable[[View], None]) -> list[Player]:
    """Return probers for a lineup; a player of several seats has one prober."""
    probers = {id(player): ProbedPlayer(player, look) for player in lineup}
    return [probers[id(player)] for player in lineup]


def play_probed(
    setting: Setting, games: int, look: Callable[[View], None], lineup: Sequence[Player]
) -> Any:
    """Play while ``look`` sees every view; return the state at the end."""
    return setting.play(numbers(0, games), _probing(lineup, look))


class _Questions:
    """The questions of games, each once, however many players are asked."""

    def __init__(self, setting: Setting, games: int) -> None:
        self._setting = setting
        self._games = numbers(0, games)

    def each(self, look: Callable[[int, View], None]) -> Log:
        """Pass the number of each question and a view to ``look``; return the log."""
        log, seen = Log(self._setting.game), -1

        def first(view: View) -> None:
            nonlocal seen
            if len(log.asked) > seen:
                seen = len(log.asked)
                look(seen, view)

        lineup = _probing(self._setting.lineup, first)
        self._setting.play(self._games, lineup, log)
        return log

    def chosen(self) -> set[int]:
        """Return the first question of each kind, and some at even distances."""
        kinds: list[str] = []
        self.each(lambda _, view: kinds.append(view.kind.name))
        evenly = np.linspace(0, len(kinds) - 1, _MOMENTS).astype(int).tolist()
        return {*evenly, *(kinds.index(kind) for kind in set(kinds))}


def resumes(setting: Setting, games: int) -> set[str]:
    """Play copies on from questions, and return the kinds of these.

    Raises ``RulesViolation``.

    A copy must equal the state, end as the game does, and disturb nothing.
    """
    every = numbers(0, games)
    whole = Log(setting.game)
    end = contents(setting.play(every, setting.lineup, whole))
    questions, kinds = _Questions(setting, games), set[str]()
    chosen, resumed = questions.chosen(), list[tuple[int, Log]]()

    def look(number: int, view: View) -> None:
        if number in chosen:
            kinds.add(view.kind.name)
            resumed.append((number, _played_on(setting, every, view._state, end)))

    disturbed = questions.each(look)
    where = difference(whole.names, whole.rows(), disturbed.rows())
    if where:
        raise RulesViolation(f"playing a copy changes the game itself: {where}")
    for number, log in resumed:
        rest = whole.rows(whole.asked[number])
        where = difference(whole.names, rest, log.rows())
        if where:
            raise RulesViolation(
                f"played on from question {number}, not the same: {where}"
            )
    return kinds


def _played_on(setting: Setting, every: Any, state: Any, end: dict[str, Any]) -> Log:
    """Play a copy of the state on; return the log."""
    _by_game(state)
    before, log = contents(state), Log(setting.game)
    copy = state.copy()
    _demand("a copy holds another", changes(contents(copy), before))
    setting.game.play(copy, setting.table(every, setting.lineup, log))
    _demand("playing a copy changes the state's", changes(contents(state), before))
    _demand("played on, not the same at the end:", changes(contents(copy), end))
    return log


def _by_game(state: Any) -> None:
    """Demand that the last axis of all arrays is the games, unless declared."""
    declared = {*state.row_numbers, *state.flat_places}
    wrong = [
        f"array {name!r} has the shape {value.shape}, but its last axis must be the "
        f"{len(state.games)} games, so that games can be copied and dropped; what is "
        "the same for all games is no array; exceptions are declared (row_numbers, "
        "flat_places)"
        for name, value in vars(state).items()
        if isinstance(value, np.ndarray)
        and name not in declared
        and value.shape[-1:] != state.games.shape
    ]
    if wrong:
        raise RulesViolation(wrong[0])


def _demand(wrong: str, names: Sequence[str]) -> None:
    if names:
        raise RulesViolation(f"{wrong} {names[0]}")

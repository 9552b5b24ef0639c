"""Check that what is chosen in secret stays secret until everybody has chosen.

A game is played on from a question with two different answers, up to the next one. If
the seat that is asked then does not see which answer was given, whoever searches for it
may not know either: the choice is dealt anew, or asked anew.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.conformance.harness import RulesViolation, Setting
from experiments.conformance.hidden_information import view_differences
from experiments.conformance.redeal import redeal_view
from experiments.conformance.state_contents import changes, contents
from experiments.conformance.state_copies import play_probed
from sim import masks
from sim.masks import Masks
from sim.view import View
from strategies.random import Random

_PROBES = 24  # questions of each kind
_SALTS = range(11, 17)
_STREAMS = (1, 2)
_OFTEN = 6  # times that a choice was secret, before it is judged


class _NextQuestion(Exception):
    """The next question is reached; ``view`` is what is seen there."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view


class _Answer:
    """Gives one random answer, drawn from a stream, then stops at the next question."""

    title = "answer"

    def __init__(self, stream: int) -> None:
        self._stream, self._given = stream, False

    def decide(self, view: View) -> Masks:
        """Answer the first question."""
        if self._given:
            raise _NextQuestion(view)
        self._given = True
        return Random().decide(view.substream(self._stream))


class SecretChoices:
    """What was found at the questions of games."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._probed: dict[str, int] = {}
        self._secret: dict[str, int] = {}  # how often each kind was chosen in secret
        self._kept: dict[str, set[str]] = {}  # what stayed in all of these

    def look(self, view: View) -> None:
        """Play on from a question with two answers, if there are two."""
        kind = view.kind.name
        if self._probed.get(kind, 0) >= _PROBES:
            return
        choices = np.flatnonzero(masks.count(view.legal) > 1)
        if not len(choices):
            return
        self._probed[kind] = self._probed.get(kind, 0) + 1
        at = int(choices[self._probed[kind] % len(choices)])
        row = at if view._rows is None else int(view._rows[at])
        seat = view.seat if isinstance(view.seat, int) else int(view.seat[at])
        nexts = [self._after(view._state, row, stream) for stream in _STREAMS]
        one, other = nexts
        if one is None or other is None:
            return
        seats = [int(np.atleast_1d(now.seat)[0]) for now in (one, other)]
        if one.kind is other.kind and seats[0] == seats[1] != seat:
            self._compare(view.kind.name, one, other)

    def verdict(self) -> str:
        """What is so; raises ``RulesViolation`` where search would know a secret."""
        for kind, names in self._kept.items():
            if names and self._secret[kind] >= _OFTEN:
                raise RulesViolation(
                    f"what is chosen at {kind!r} is not shown to the next player, but "
                    f"neither dealt anew nor asked anew ({', '.join(sorted(names))}): "
                    "whoever searches knows it. Declare rewind_simultaneous, or deal "
                    "it anew in redeal"
                )
        if not self._secret:
            return "nothing is chosen in secret"
        secret = ", ".join(sorted(self._secret))
        return f"chosen in secret: {secret}; no view shows it, and search asks anew"

    def _after(self, state: Any, row: int, stream: int) -> View | None:
        """The view at the next question, after this answer; None at the end."""
        alone, setting = state.branch(np.array([row])), self._setting
        lineup = [_Answer(stream)] * setting.players
        try:
            setting.game.play(alone, setting.table(alone.games, lineup))
        except Exception as error:
            reached = error if isinstance(error, _NextQuestion) else error.__cause__
            if isinstance(reached, _NextQuestion):
                return reached.view
            raise
        return None

    def _compare(self, kind: str, one: View, other: View) -> None:
        game = self._setting.game
        seen = view_differences(one, other)
        rewind = game.rewind_simultaneous
        differ = {*changes(contents(one._state), contents(other._state))}
        if rewind is not None and one.kind.name == kind:
            asked, again = contents(one._state), one._state.copy()
            rewind(again)
            if changes(contents(again), asked):  # it is asked anew
                if seen:
                    raise RulesViolation(
                        f"at {kind!r} a view shows {seen[0]!r}, by which a choice is "
                        "known before all have chosen"
                    )
                self._note(kind, set())
                return
        if seen or not np.array_equal(one.legal, other.legal):
            return
        if not differ:
            return
        for salt in _SALTS:
            dealt = redeal_view(game, one, salt)._state
            differ -= {*changes(contents(dealt), contents(one._state))}
        self._note(kind, differ)

    def _note(self, kind: str, kept: set[str]) -> None:
        self._secret[kind] = self._secret.get(kind, 0) + 1
        self._kept[kind] = self._kept.get(kind, kept) & kept


def secrets_stay(setting: Setting, games: int) -> str:
    """Check the choices of some games; raises ``RulesViolation``."""
    found = SecretChoices(setting)
    lineup: Sequence[Any] = [Random()] * setting.players
    play_probed(setting, games, found.look, lineup)
    return found.verdict()

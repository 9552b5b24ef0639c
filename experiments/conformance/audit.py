"""A table that refuses everything that a game has not declared."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.conformance.harness import Log, RulesViolation
from sim import masks
from sim.events import NO_ONE, Decision, Field
from sim.games import Game
from sim.listener import spread_event
from sim.masks import Flags, Masks
from sim.table import State, Table
from sim.view import Rows, Seat


class Audit(Table):
    """A table that raises ``RulesViolation`` for anything that is not declared."""

    def ask(
        self, state: State, name: str, seat: Seat, legal: Masks, **how: Any
    ) -> Masks:
        """Check the question, then ask it."""
        kind = self._kinds.get(name)
        if kind is None:
            raise RulesViolation(f"it asks {name!r}, which is not a declared kind")
        rows: Rows | None = how.get("rows")
        shape = state.games.shape if rows is None else rows.shape
        if legal.dtype != np.uint64 or legal.shape != shape:
            raise RulesViolation(
                f"{name!r}: legal is not an array of uint64, one for each game"
            )
        lacks = set(kind.clock) - set(state.clock.labels())
        if lacks:
            raise RulesViolation(f"{name!r}: the clock has no {sorted(lacks)[0]!r}")
        if kind.form != "one" and how.get("most") is None:
            raise RulesViolation(
                f"{name!r}: a {kind.form} is asked without its size (most)"
            )
        _log(self).moment(state, kind, legal, rows)
        every = int(np.bitwise_or.reduce(legal, initial=0))
        words = {*state.vocabularies.get(kind.vocabulary, ())}
        if not words or words - {"?", kind.stop}:  # else each question names its own
            _known(state.vocabularies, kind.vocabulary, every, name)
        return super().ask(state, name, seat, legal, **how)

    def emit(
        self,
        state: State,
        name: str,
        where: Flags | None = None,
        rows: Rows | None = None,
        **fields: Any,
    ) -> None:
        """Check the note, then pass it on."""
        if rows is not None:
            where, fields = spread_event(state, rows, fields)
        spec = _notes(self).get(name)
        if spec is None:
            raise RulesViolation(f"it notes {name!r}, which is not declared")
        if set(spec.fields) != set(fields):
            odd = sorted(set(spec.fields) ^ set(fields))[0]
            raise RulesViolation(
                f"event {name!r}: field {odd!r} is not both declared and noted"
            )
        about = np.ones(len(state.games), bool) if where is None else where
        for key, value in fields.items():
            _field(state, f"event {name!r}, {key!r}", spec.fields[key], value, about)
        super().emit(state, name, where, **fields)


def _notes(table: Table) -> Mapping[str, Any]:
    return _log(table).game.events


def _log(table: Table) -> "AuditLog":
    return next(each for each in table._listeners if isinstance(each, AuditLog))


class AuditLog(Log):
    """A log that also hears notes for tables, and knows the game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.game = game
        self._ticks: dict[str, list[NDArray[np.uint64]]] = {}  # (2, rows) game, tick

    def moment(
        self, state: State, kind: Decision, legal: Masks, rows: Rows | None
    ) -> None:
        """Note what the clock counts at a question, of games with a choice."""
        at = np.flatnonzero(masks.count(legal) > 1)
        where = at if rows is None else rows[at]
        tick = np.asarray(state.clock.tick, dtype=np.uint64)
        ticks = np.broadcast_to(tick, state.games.shape)[where]
        form = "one" if kind.form == "one" else "several"
        pairs = np.stack([state.games[where], ticks])
        self._ticks.setdefault(form, []).append(pairs)

    def check_ticks(self) -> None:
        """Raise ``RulesViolation`` if a tick comes twice in a game.

        Players would draw the same random numbers at both questions.
        """
        for parts in self._ticks.values():
            pairs = np.concatenate(parts, axis=1)
            found, times = np.unique(pairs, axis=1, return_counts=True)
            if (times > 1).any():
                game, tick = found[:, times > 1][:, 0].tolist()
                raise RulesViolation(
                    f"the clock's tick is {tick} at two questions of game {game}: "
                    "players draw the same random numbers at both. Make it a number "
                    "that each question has alone"
                )

    def hears(self, name: str) -> bool:
        """Hear everything."""
        return True


def _known(words: Mapping[str, Any], vocabulary: str, bits: int, place: str) -> None:
    """Raise ``RulesViolation`` for bits that have no id."""
    if vocabulary not in words:
        raise RulesViolation(f"{place}: there is no vocabulary {vocabulary!r}")
    ids = words[vocabulary]
    for number in masks.members(bits):
        if number >= len(ids) or ids[number] == "?":
            raise RulesViolation(f"{place}: bit {number} has no id in {vocabulary!r}")


def _field(state: State, place: str, field: Field, value: Any, rows: Flags) -> None:
    """Raise ``RulesViolation`` for a value that its field does not allow."""
    if not isinstance(value, np.ndarray):
        if not isinstance(value, int) or field.form not in ("number", "seat", "code"):
            raise RulesViolation(
                f"{place} is {type(value).__name__}, not an array by game"
            )
        return
    size = len(state.games)
    shapes: tuple[tuple[int, ...], ...] = ((size,), (state.players, size))
    if field.form == "list":
        shapes = tuple((n, *value.shape[1:2], size) for n in (1, state.players))
    if value.shape not in shapes:
        raise RulesViolation(f"{place} has the shape {value.shape}")
    values = value[..., rows]
    if values.size:
        _values(state, place, field, values)


def _values(state: State, place: str, field: Field, values: NDArray[Any]) -> None:
    """Raise ``RulesViolation`` for numbers outside of the vocabulary, or no seats."""
    if (
        field.form == "seat"
        and not -1 <= int(values.min()) <= values.max() < state.players
    ):
        raise RulesViolation(f"{place} is not a seat")
    if field.form == "code" and values.max() >= len(
        state.vocabularies[field.vocabulary]
    ):
        raise RulesViolation(f"{place} is not a number of {field.vocabulary!r}")
    if field.form == "list" and field.vocabulary:
        every = int(masks.union(np.unique(values[values != NO_ONE]).tolist()))
        _known(state.vocabularies, field.vocabulary, every, place)
    if field.form in ("bit", "set"):
        if values.dtype != np.uint64:
            raise RulesViolation(f"{place} is not a mask")
        if field.form == "bit" and (masks.count(values) > 1).any():
            raise RulesViolation(f"{place} is not one bit")
        _known(
            state.vocabularies,
            field.vocabulary,
            int(np.bitwise_or.reduce(values, None)),
            place,
        )

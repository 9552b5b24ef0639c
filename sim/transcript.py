"""Transcripts: games written down event by event, for a person or a referee.

A listener that turns choices and events into the records of the audit format:
``setup``, ``chance``, ``choice``, ``outcome``, ``result``.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.answers import at
from sim.events import NO_ONE, SEATS, Decision, Field
from sim.games import Game
from sim.listener import Choice, Fields, Listener
from sim.masks import Flags
from sim.view import Rows

Event = dict[str, Any]


class Transcript(Listener):
    """Writes the events of each game, in order."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._events: dict[int, list[Event]] = {}

    def open(self, state: Any, lineups: Sequence[Sequence[str]]) -> None:
        """Write the ``setup`` of each row; ``lineups`` names its seats' players."""
        rules = state.rules.plain_with(state.players)
        for row, lineup in enumerate(lineups):
            self._write(
                state,
                row,
                "setup",
                self._game.id,
                players=state.players,
                lineup=list(lineup),
                rules=rules,
                seed=state.seed,
            )

    def events(self) -> list[Event]:
        """All events, game by game."""
        return [event for game in sorted(self._events) for event in self._events[game]]

    def hears(self, name: str) -> bool:
        """Whether an event is written: all but those that only tables are made of."""
        return name not in self._game.tables_only

    def choice(self, state: Any, choice: Choice) -> None:
        """Write a choice, with its options."""
        kind, seat, legal, most, answer, asked, _ = choice
        times = state.clock.labels()
        for row in np.flatnonzero(asked).tolist():
            who = seat if isinstance(seat, int) else int(seat[row])
            ids = _labels(kind.vocabulary, state.ids(kind, who, row))
            options = [ids[n] for n in masks.members(legal[row])]
            chosen = answer_ids(state, kind, who, row, answer[row])
            fields: Event = {}
            for unit in (unit for unit in times if unit in kind.clock):
                time = int(at(times[unit], row))
                fields[unit] = (
                    state.vocabularies[unit][time]
                    if unit in state.vocabularies
                    else time
                )
            fields["seat"] = who
            for key, field in kind.shows.items():
                fields[key] = _value(field, getattr(state, key), row, state)
            if kind.bound and most is not None:
                fields[kind.bound] = int(most[row])
            else:
                fields["legal"] = list(dict.fromkeys(options))
            fields["chosen"] = chosen
            self._write(state, row, "choice", kind.name, **fields)

    def event(self, state: Any, name: str, where: Flags | None, fields: Fields) -> None:
        """Write an event."""
        spec = self._game.events[name]
        rows = np.arange(len(state.games)) if where is None else np.flatnonzero(where)
        columns = {
            key: _column(field, fields[key], rows, state)
            for key, field in spec.fields.items()
            if field.shown and self.shows(key)
        }
        event = self._game.id if spec.type == "result" else name
        for row, *values in zip(rows.tolist(), *columns.values(), strict=True):
            named = dict(zip(columns, values, strict=True))
            self._write(state, row, spec.type, event, **named)

    def shows(self, field: str) -> bool:
        """Whether a field of this name is written; all are, unless overridden."""
        return True

    def _write(self, state: Any, row: int, kind: str, name: str, **fields: Any) -> None:
        game = int(state.games[row])
        events = self._events.setdefault(game, [])
        event = {"game": game, "n": len(events), "type": kind, "name": name}
        events.append(event | fields)


def answer_ids(state: Any, kind: Decision, seat: int, row: int, answer: Any) -> Any:
    """An answer of one row, a mask, as a transcript writes it."""
    ids = _labels(kind.vocabulary, state.ids(kind, seat, row))
    chosen = [ids[n] for n in masks.members(answer)]
    if kind.tally:
        return dict(Counter(chosen))
    return chosen[0] if kind.form == "one" else chosen


def _column(field: Field, value: Any, rows: Rows, state: Any) -> list[Any]:
    """A field of some rows as a transcript writes it; plain integers all at once."""
    whole = isinstance(value, np.ndarray) and value.dtype.kind in "iu"
    plain = field.form in ("number", "seat") and field.null is None
    if not (whole and plain) or value.ndim > (1 if field.form == "seat" else 2):
        return [_value(field, value, row, state) for row in rows.tolist()]
    numbers: list[Any] = value.take(rows, axis=-1).T.tolist()
    if field.form == "seat":
        return [None if seat < 0 else seat for seat in numbers]
    return numbers


def _value(field: Field, value: Any, row: int, state: Any) -> Any:
    """A field of one row as a transcript writes it."""
    ids = state.vocabulary_ids(field.vocabulary, row) if field.vocabulary else ()
    if not isinstance(value, np.ndarray):
        return ids[value] if field.form == "code" else value
    if value.ndim == 3:
        lists = [_listed(places[:, row], ids) for places in value]
        return lists[0] if len(lists) == 1 else lists
    if value.ndim == 2:
        seats = [_word(field, one, ids) for one in value[:, row]]
        if field.form == "drawn":
            return {str(seat): drawn for seat, drawn in enumerate(seats) if drawn}
        return seats
    return _word(field, value[row], ids)


def _word(field: Field, value: Any, ids: Sequence[Any]) -> Any:
    if field.form in ("bit", "set"):
        names = [_labels(field.vocabulary, ids)[n] for n in masks.members(value)]
        return names if field.form == "set" else names[0] if names else None
    if value == field.null or (field.form == "seat" and value < 0):
        return None
    if field.form == "code":
        return ids[int(value)]
    if isinstance(value, np.bool_):
        return bool(value)
    whole = int(value)
    return whole if whole == value else float(value)


def _listed(places: NDArray[Any], ids: Sequence[Any]) -> list[Any]:
    """The things in the places of one seat, in order."""
    numbers = [int(one) for one in places if one != NO_ONE]
    return [ids[number] for number in numbers] if len(ids) else numbers


def _labels(vocabulary: str, ids: Sequence[Any]) -> Sequence[Any]:
    """The words of a vocabulary as transcripts write them: seats are numbers."""
    return range(len(ids)) if vocabulary == SEATS else ids

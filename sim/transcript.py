"""Transcripts: one game told event by event, for a person or a referee.

A listener that turns choices and notes into the events of the audit format:
``setup``, ``chance``, ``choice``, ``outcome``, ``result``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.events import Field, Kind
from sim.games import Game
from sim.masks import Flags, Masks
from sim.view import Seat

Event = dict[str, Any]


class Transcript:
    """Listens to all rows and keeps the events of each game, in order."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._events: dict[int, list[Event]] = {}

    def open(self, state: Any, lineups: Sequence[Sequence[str]]) -> None:
        """Write the ``setup`` of each row; ``lineups`` names its seats' players."""
        for row, lineup in enumerate(lineups):
            self._write(
                state,
                row,
                "setup",
                self._game.id,
                players=state.players,
                lineup=list(lineup),
                rules=state.rules.plain_with(state.players),
                seed=state.seed,
            )

    def events(self) -> list[Event]:
        """All events, game by game."""
        return [event for game in sorted(self._events) for event in self._events[game]]

    def hears(self, name: str) -> bool:
        """Every event is told, but for notes that only tables are made of."""
        return name not in self._game.tables_only

    def choice(
        self,
        state: Any,
        kind: Kind,
        seat: Seat,
        legal: Masks,
        most: NDArray[np.uint8] | None,
        answer: Masks,
        asked: Flags,
    ) -> None:
        """Write what was chosen, and from what."""
        clock = {k: v for k, v in state.clock.told().items() if k in kind.clock}
        for row in np.flatnonzero(asked).tolist():
            who = seat if isinstance(seat, int) else int(seat[row])
            ids = state.ids(kind, who, row)
            options = [ids[n] for n in masks.members(legal[row])]
            chosen: Any = [ids[n] for n in masks.members(answer[row])]
            if kind.tally:
                chosen = dict(Counter(chosen))
            elif kind.form == "one":
                chosen = chosen[0]
            fields: Event = {"seat": who}
            for key, field in kind.shows.items():
                fields[key] = _tell(field, getattr(state, key), row, state.words)
            if kind.bound and most is not None:
                fields[kind.bound] = int(most[row])
            else:
                fields["legal"] = list(dict.fromkeys(options))
            fields["chosen"] = chosen
            self._write(state, row, "choice", kind.name, **clock, **fields)

    def note(
        self, state: Any, name: str, where: Flags | None, fields: Mapping[str, Any]
    ) -> None:
        """Write what became of it."""
        spec = self._game.notes[name]
        rows = range(len(state.games)) if where is None else np.flatnonzero(where)
        told = [(key, f) for key, f in spec.fields.items() if f.told]
        for row in map(int, rows):
            values = {
                key: _tell(field, fields[key], row, state.words) for key, field in told
            }
            event = self._game.id if spec.type == "result" else name
            self._write(state, row, spec.type, event, **values)

    def _write(self, state: Any, row: int, kind: str, name: str, **fields: Any) -> None:
        game = int(state.games[row])
        events = self._events.setdefault(game, [])
        event = {"game": game, "n": len(events), "type": kind, "name": name}
        events.append(event | fields)


def _tell(
    field: Field, value: Any, row: int, words: Mapping[str, Sequence[str]]
) -> Any:
    """One field of one row, as a transcript writes it."""
    if not isinstance(value, np.ndarray):
        return value
    if value.ndim == 2:
        seats = [_word(field, one, words) for one in value[:, row]]
        if field.form == "drawn":
            return {str(seat): drawn for seat, drawn in enumerate(seats) if drawn}
        return seats
    return _word(field, value[row], words)


def _word(field: Field, value: Any, words: Mapping[str, Sequence[str]]) -> Any:
    if field.form in ("bit", "set"):
        ids = [words[field.words][n] for n in masks.members(value)]
        return ids[0] if field.form == "bit" else ids
    if field.form == "code":
        return words[field.words][int(value)]
    if field.form == "seat" and value < 0:
        return None
    return int(value)

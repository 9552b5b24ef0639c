"""Turn notes into polars tables, with ids in place of bits and codes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from experiments.core.cells import PlayedGames, UsageError
from sim import masks
from sim.events import Field
from sim.games import Game
from sim.parameters import no_such
from sim.recorder import Recorder


def event_frames(
    game: Game, recorder: Recorder, names: Sequence[str], played: PlayedGames
) -> dict[str, pl.DataFrame]:
    """Return the raw tables of these names, with a row for each note (or seat of it).

    Cards and squares are ids, or null if there is none; sets stay masks, one bit a
    member. A table with a seat has a column ``strategy``: who plays in that seat.
    """
    tables = {}
    for name in names:
        columns = recorder.table(name)
        if not columns:
            continue
        fields = _fields(game, name, played.state)
        data = {
            key: _series(key, value, fields.get(key), played.state.vocabularies)
            for key, value in columns.items()
        }
        for key in ("seat", "winner"):
            if key in columns and "strategy" not in data:
                data["strategy"] = _strategies(played, columns["game"], columns[key])
        tables[name] = pl.DataFrame(data)
    return tables


def _fields(game: Game, name: str, state: Any) -> Mapping[str, Field]:
    if name in game.events:
        return game.events[name].fields
    words = game.kinds[name].vocabulary
    vocabularies = state.vocabularies
    values = state.clock.labels()
    form = "bit" if game.kinds[name].form == "one" else "set"
    return {
        "legal": Field("the options", "set", words),
        "chosen": Field("what was chosen", "bit" if form == "bit" else "set", words),
        **{
            unit: Field("when", "code", unit) for unit in values if unit in vocabularies
        },
    }


def _series(
    key: str, value: Any, field: Field | None, vocabularies: Mapping[str, Sequence[str]]
) -> pl.Series:
    if field is not None and field.form in ("bit", "code"):
        ids = list(vocabularies[field.vocabulary])
        if field.form == "code":
            return ids_of_codes(key, np.asarray(value), ids)
        labels = ids_of_codes(key, masks.index(np.maximum(value, masks.ONE)), ids)
        return labels if np.all(value) else labels.set(pl.Series(value == 0), None)
    return pl.Series(key, value)


def ids_of_codes(key: str, codes: Any, ids: Sequence[str]) -> pl.Series:
    """Return the ids that codes stand for; codes with equal ids share a category."""
    names = list(dict.fromkeys(ids))
    place = {name: n for n, name in enumerate(names)}
    to = np.array([place[name] for name in ids], dtype=np.uint32)
    return pl.Series(key, names, dtype=pl.Enum(names)).gather(to.take(codes))


def _strategies(played: PlayedGames, games: Any, seats: Any) -> pl.Series:
    titles = [strategy.title for strategy in played.lineup]
    if len(titles) == 1:
        return pl.Series("strategy", titles, dtype=pl.Enum(titles)).new_from_index(
            0, len(games)
        )
    place = (games - played.state.games[0]).astype(np.int64)
    place += np.maximum(seats, 0) * np.int64(played.sitting.shape[1])
    return ids_of_codes("strategy", played.sitting.reshape(-1).take(place), titles)


def raw_table_names(game: Game, text: str) -> tuple[str, ...]:
    """Return the table names in a text such as ``trick,gem``; ``all``: all of them."""
    known = tuple(dict.fromkeys([*game.events, *game.kinds]))
    if text.strip() == "all":
        return known
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in known:
            raise UsageError(
                "tables: " + no_such("table", name, known, f"Tables of {game.id}")
            )
    return names

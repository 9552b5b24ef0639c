"""The refill table, by which players with more points receive fewer cubes."""

import numpy as np

from reports.counts import Array, Counts, grid, numbers_to
from reports.formatting import share
from reports.game_report import SectionParts
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding

_ROWS = {
    "received": "cubes received",
    "capped": "cubes due but lost to the limit",
    "in hand": "cubes in hand at the deal",
    "placed": "cubes placed in the round that follows",
    "points": "points in the round that follows",
}
_REFILL = MeasuresOf(by="row")
MEASURES = (
    _REFILL.share("refill rows", "share of seats with this score"),
    *(_REFILL.mean(f"refill {name}", doc) for name, doc in _ROWS.items()),
    _REFILL.share("refill won", "share that wins the game"),
)


def due(played: KbernestichArrays) -> Array:
    """Return cubes that the table gives after a round, (rounds - 1, seats, games)."""
    rows = played.rules["refill"]
    table = np.zeros(1024, dtype=np.int16)
    for low, high, cubes in reversed(rows):
        table[low : high + 1] = cubes
    return table.take(np.minimum(played.score[:-1], 1023))


def counts(played: KbernestichArrays) -> list[Counts]:
    """Count seats and cubes by row of the refill table, from round 2 on."""
    if played.rounds == 1:
        return []
    rows = played.rules["refill"]
    before, given = played.before[1:], due(played)
    values = {
        "received": played.received[1:],
        "in hand": played.cubes[1:],
        "capped": given - played.received[1:],
        "placed": played.cubes[1:] - played.kept[1:],
        "points": (played.score - played.before)[1:],
        "won": np.broadcast_to(played.victory, before.shape),
    }
    inside = np.stack([(before >= low) & (before <= high) for low, high, _ in rows])
    every = np.full(played.size, before.shape[0] * played.players)
    seats, bands = inside.sum(axis=(1, 2)), numbers_to(len(rows))
    measured = [grid("refill rows", seats, every, row=bands)]
    for name, part in values.items():
        total = (inside * part).sum(axis=(-3, -2), dtype=np.int64)
        measured.append(grid(f"refill {name}", total, seats, row=bands))
    return measured


def shown(data: ReportData) -> SectionParts:
    """Yield what each row of the refill table gives and brings."""
    rows = data.rules["refill"]

    def scores(at: int) -> str:
        low, high, _ = rows[at - 1]
        return f"{low} or more" if high >= 999 else f"{low} to {high}"

    yield MeasureTable(
        "economy-refill",
        "The refill table: cubes by score",
        "Of rounds 2 and later. A cube due is lost if a player already holds as many "
        "as possible.",
        (
            "players",
            WordColumn("score", "score", "score before the round", scores, "row"),
            Number("refill rows", "seats"),
            Number("refill received", "received", name="received"),
            Number("refill capped", "lost", name="capped"),
            Number("refill in hand", "in hand", name="in hand"),
            Number("refill points", "points", name="points"),
            Number("refill won", "wins", name="won"),
        ),
        n=Column("points_n", "n", "seats with this score", "count"),
    )
    yield _finding(data)


def _finding(data: ReportData) -> Finding:
    """Say how many seats are in the last row of the table."""
    rows = data.leading("refill rows", players=data.players)
    if rows.is_empty():
        return Finding("Refill: nobody receives cubes after a round.", "open")
    return Finding(
        f"Refill, {data.players} players, {data.who}: {share(rows.to_dicts()[-1])} of "
        "the seats are in the last row of the table when a round begins.",
        "",
    )

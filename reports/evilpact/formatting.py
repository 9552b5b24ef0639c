"""What measures of Evilpact are grouped by, and tables of them in words."""

from collections.abc import Callable

import polars as pl

from reports import tried
from reports.drawing import Draw
from reports.measures import Measure, Statistic
from reports.page import Column, Exhibit
from reports.report_data import ReportData
from reports.tabled import Part, tabled, worded

ANSWER = "Hastur in answer"
FATES = (
    "cast from the hand",
    "cast under contract",
    "lost to Cthulhu",
    "under contract, never cast",
    "sealed",
    "left in hand",
)
"""What becomes of a spell."""
PLACES = {1: "starting player", 2: "the other"}
WAYS = {
    "contract": "one contract is broken",
    "elements": "more elements led",
    "hand": "more spells in hand",
    "draw": "nobody: a draw",
}
"""How games are won."""
GROUPS = (
    *tried.GROUPS,
    Column("round", "round", "round of the game", "count"),
    Column("turn", "turn", "turn of the round", "count"),
    Column("spell", "spell", "the spell"),
    Column("source", "from", "from the hand, or under contract"),
    Column("element", "element", "the element"),
    Column("card", "card", "kind of grimoire; i3 is an Insight (3)"),
    Column("fate", "what became of it", "at the end of the game"),
    Column("pair", "Turbidity card", "its two elements"),
    Column("what", "what is kept", "a spell, the contract, or Hastur in answer"),
)
"""What the measures of Evilpact are grouped by."""


def card_words(card: str) -> str:
    """A kind of grimoire in words."""
    return f"Insight ({card[1:]})" if card.startswith("i") else card


def what_words(what: str) -> str:
    """What is kept, in words."""
    return {"contract": "the contract", ANSWER: ANSWER}.get(what, what.capitalize())


_WORDS: dict[str, tuple[str, Callable[..., str]]] = {
    "spell": ("the spell", str.capitalize),
    "position": ("who", PLACES.__getitem__),
    "card": ("kind", card_words),
    "what": ("kept", what_words),
    "by": ("how", WAYS.__getitem__),
}
"""Of some groups: the column that has them in words."""


def shown(
    data: ReportData,
    name: str,
    title: str,
    note: str,
    *parts: Part,
    draw: Draw | None = None,
    rows: pl.DataFrame | None = None,
) -> Exhibit:
    """A table of measures of the leading lineup, or of ``rows``; groups in words.

    The words of a group such as "spell" are in the column "the spell".
    """

    def told(found: pl.DataFrame) -> pl.DataFrame:
        for key, (column, words) in _WORDS.items():
            if key in found.columns:
                found = worded(column, words, key)(found)
        return found

    columns = [
        Column(_WORDS[part][0], data.columns[part].title, data.columns[part].doc)
        if isinstance(part, str) and part in _WORDS
        else part
        for part in parts
    ]
    note = note if rows is not None else f"{note} With {data.who}.".strip()
    some = told if rows is None else told(rows)
    return tabled(data, name, title, note, columns, rows=some, draw=draw)


def share(
    name: str,
    doc: str,
    table: str,
    value: pl.Expr,
    *by: str,
    where: pl.Expr | None = None,
) -> Measure:
    """A share of the rows of a table."""
    return Measure(name, doc, "share", table, value, by=by, where=where)


def arrays(kind: Statistic, by: tuple[str, ...], **docs: str) -> list[Measure]:
    """Measures that are counted as arrays, by their names with _ for blanks."""
    return [
        Measure(name.replace("_", " "), doc, kind, by=by) for name, doc in docs.items()
    ]

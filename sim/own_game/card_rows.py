"""Tables of cards of a game in one file as tables of its rules.

A row is known by the first column, which names the card; the other columns and the
copies are its fields. The cards of the rules in force are made from the rows.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Union

from pydantic import Field, create_model

from sim.own_game.cards import COPIES, CardList
from sim.parameters import TableRow, parameter
from sim.scores import GameError

_MOST = 999  # copies


class CardRow(TableRow):
    """A card of a table; each table has a subclass."""

    stepped: ClassVar[bool] = False
    called_by_number: ClassVar[bool] = False

    id: str = Field(min_length=1)

    def card_columns(self) -> dict[str, Any]:
        """Return the row as its table has it."""
        values = self.model_dump()
        name = values.pop("id")
        return {self.id_called: int(name) if self.called_by_number else name, **values}


def card_table(name: str, cards: CardList) -> tuple[Any, Any]:
    """Return the type and the declaration of a table of cards; raises ``GameError``."""
    if not cards.rows:
        raise GameError(f"{name}: the table has no cards.")
    first, *others = cards.rows[0]
    ids = [str(row[first]) for row in cards.rows]
    if twice := [one for one in ids if ids.count(one) > 1]:
        raise GameError(
            f"{name}: two rows are called {twice[0]!r} in the column {first!r}. Give "
            f"each card a name of its own, or one row with {COPIES}."
        )
    number = all(isinstance(row[first], int) for row in cards.rows)
    form = Field(pattern=r"^-?[0-9]+$") if number else Field(min_length=1)
    fields: dict[str, Any] = {
        "id": (str, form),
        **{name: _column([row[name] for row in cards.rows]) for name in others},
        COPIES: (int, Field(1, ge=0, le=_MOST)),
    }
    kind: Any = create_model("Card", __base__=CardRow, **fields)
    kind.id_called, kind.called_by_number = first, number
    rows = tuple(
        kind(id=id_, **{name: row[name] for name in others})
        for id_, row in zip(ids, cards.rows, strict=True)
    )
    return tuple[kind, ...], parameter(rows, "cards of the game")


def _column(values: Sequence[Any]) -> tuple[Any, Any]:
    """Return type and default of a column: text may be empty, numbers may not."""
    kinds = {type(value) for value in values}
    kinds |= {int} if float in kinds else set()
    return Union[*sorted(kinds, key=str)], "" if str in kinds else ...


@lru_cache(maxsize=64)
def cards_in(rows: Sequence[CardRow]) -> CardList:
    """Return the cards of the rows in force; the same objects for the same rows."""
    return CardList.of(row.card_columns() for row in rows)

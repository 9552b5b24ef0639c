"""The rows of tables of rules that two rule sets have, and the options that use them.

A card, square or spell is a row of a table (``sheet_tables``). Who goes without it goes
without the options that use it: that of its id, or those that the game declares
(``Game.card_options``). Rows that no option uses, such as cards that all share, have
none.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import chain

import sim.games
from experiments.core.cells import Cell
from experiments.variants.rule_diff import field_words
from experiments.variants.sheet_tables import (
    ListTable,
    Row,
    SheetTable,
    changed_rows,
    sheet_tables,
)
from sim.games import Game
from sim.parameters import BY_PLAYERS, RuleError, Rules
from strategies.restricted_play import option_ids

Options = tuple[str, ...]


@dataclass(frozen=True)
class TableCard:
    """A row of a table as both sides have it, None where one lacks it.

    ``card`` is its id, of a list table and place; ``options`` are the ids of those that
    use it on each side.
    """

    card: str
    name: str
    table: SheetTable
    before: Row | None
    after: Row | None
    place: str
    options: tuple[Options, Options] = ((), ())
    changed: bool = True

    @property
    def what_changed(self) -> str:
        """The change in words: ``Maiden no. 2: chastity 4 instead of 2``."""
        if self.before is None or self.after is None:
            return f"{'new' if self.before is None else 'no'} {self.name}"
        values = (
            f"{key} {field_words(value)} instead of {field_words(self.before.get(key))}"
            for key, value in self.after.items()
            if value != self.before.get(key)
        )
        return f"{self.name}: {', '.join(values)}"

    def alone(self, rules: Rules) -> Rules | None:
        """Return rules in which this row alone changes; None if that cannot be."""
        try:
            return rules.changed(self.table.changes({self.place: self.after}))
        except RuleError:
            return None


def table_cards(one: Cell, other: Cell) -> list[TableCard]:
    """Return the rows of all tables that differ between two rule sets.

    Rows that the same options use are one card, such as an Article II card and its
    Style. What differs by the number of players is no card.
    """
    before, after = (sheet_tables(cell.rules) for cell in (one, other))
    keys = [
        key
        for key in {**before, **after}
        if key != BY_PLAYERS and before.get(key) != after.get(key)
    ]
    if not keys:
        return []
    game, cards = sim.games.load(one.game), []
    known = [_all_options(cell) for cell in (one, other)]
    for key in keys:
        rows = [
            *_rows(game, *zip((before.get(key), after.get(key)), known, strict=True))
        ]
        if any(card.changed for card in rows):
            cards += rows
    used: dict[tuple[Options, Options], TableCard] = {}
    for card in cards:
        first = used.setdefault(card.options, card)
        used[card.options] = replace(first, changed=first.changed or card.changed)
    with_options = [card for ids, card in used.items() if any(ids)]
    return [*with_options, *(card for card in cards if not any(card.options))]


def _rows(
    game: Game,
    one: tuple[SheetTable | None, Collection[str]],
    other: tuple[SheetTable | None, Collection[str]],
) -> Iterator[TableCard]:
    """Yield the rows of a table, of which each side has the options beside it."""
    tables = [table for table, _ in (one, other) if table is not None]
    for ids in changed_rows(one[0], other[0]):
        rows = [
            table.rows[id_] if table is not None and id_ else None
            for (table, _), id_ in zip((one, other), ids, strict=True)
        ]
        used = [
            _used(game, tables[0], id_, row, known)
            for (_, known), id_, row in zip((one, other), ids, rows, strict=True)
        ]
        id_ = ids[0] or ids[1]
        table = tables[0] if ids[0] else tables[-1]
        behind = isinstance(table, ListTable) and not ids[0]
        yield TableCard(
            card=f"{table.key}.{id_}" if table.names else id_,
            name=table.name(id_),
            table=tables[0],
            place=str(len(tables[0].rows) + 1) if behind else id_,
            before=rows[0],
            after=rows[1],
            options=(used[0], used[1]),
            changed=rows[0] != rows[1],
        )


def kind_options(cell: Cell) -> Mapping[str, list[str]]:
    """Return the options of each kind of decision, by the rules of a cell."""
    game = sim.games.load(cell.game)
    return {
        name: option_ids(game, cell.rules, cell.players, kind)
        for name, kind in game.kinds.items()
    }


def _all_options(cell: Cell) -> Collection[str]:
    return dict.fromkeys(chain.from_iterable(kind_options(cell).values()))


def _used(
    game: Game, table: SheetTable, id_: str, row: Row | None, known: Collection[str]
) -> Options:
    """Return those of the known options that use a row."""
    pattern = game.card_options.get(f"{table.key}.{id_}")
    pattern = pattern or game.card_options.get(table.key)
    if row is None or (pattern is None and isinstance(table, ListTable)):
        return ()
    if pattern is None:
        return (id_,) if id_ in known else ()
    place = id_.rpartition("-")[2]
    wanted = pattern.format(id=id_, place=place, **row).split("|")
    return tuple(one for one in known if any(fnmatchcase(one, each) for each in wanted))

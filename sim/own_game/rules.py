"""Rule values of a game in one file, as the model that all games have."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, ClassVar, Literal

from pydantic import create_model

from sim.own_game.card_rows import CardRow, card_table, cards_in
from sim.own_game.cards import CardList
from sim.own_game.declarations import CardGame, RuleField, members
from sim.parameters import BY_PLAYERS, RuleError, Rules, TableRow, parameter


class OwnRules(Rules):
    """The rules of a game in one file; each game has a subclass."""

    game: ClassVar[CardGame]
    game_id: ClassVar[str]

    def check(self, players: int) -> None:
        """Refuse a number of players that these rules do not allow."""
        problem = self.game.problem(
            SimpleNamespace(**self.seen_with(players)), players * self.game.team
        )
        if problem:
            who = "players" if self.game.team == 1 else f"teams of {self.game.team}"
            raise RuleError(f"{self.game.title}, {players} {who}: {problem}")

    def seen_with(self, players: int) -> dict[str, Any]:
        """The values as the game's code sees them: of a table of cards, its cards."""
        values = self.plain_with(players)
        for name, declared in members(type(self.game), CardList).items():
            rows: tuple[CardRow, ...] = getattr(self, name)
            printed = rows == type(self).model_fields[name].default
            values[name] = declared if printed else cards_in(rows)
        return values

    def __reduce__(self) -> Any:
        """Travel as the game and the values: the class is of the game's file."""
        return _restored, (self.game_id, self.model_dump())


def _restored(game: str, values: dict[str, Any]) -> Rules:
    """The rules of a game with these values."""
    from sim.games import load

    return load(game).rules.model_validate(values)


def rules_model(game: CardGame, game_id: str) -> type[OwnRules]:
    """The model of a game's rules."""
    declared = members(type(game), RuleField)
    plain: dict[str, RuleField] = {}
    columns: dict[str, RuleField] = {}
    for name, one in declared.items():
        where = columns if isinstance(one.default, dict) else plain
        where[name] = one
    fields: dict[str, Any] = {
        name: _field(one, one.default) for name, one in plain.items()
    }
    if columns:
        fields[BY_PLAYERS] = _table(game, columns)
    for name, cards in members(type(game), CardList).items():
        fields[name] = card_table(name, cards)
    name = f"{type(game).__name__}Rules"
    model = create_model(
        name, __base__=OwnRules, __doc__=f"Rules of {game.title}.", **fields
    )
    model.game, model.game_id = game, game_id
    return model


def _field(one: RuleField, default: Any) -> tuple[Any, Any]:
    """Type and declaration of a field."""
    kind: Any = Literal[tuple(one.choices)] if one.choices else type(one.default)
    limits: dict[str, Any] = {**one.limits, "unit": one.unit, "source": one.source}
    made = parameter(default, one.doc, **limits)
    return kind, made


def _table(game: CardGame, columns: dict[str, RuleField]) -> tuple[Any, Any]:
    """The table of values by number of players: one row for each number."""
    fields: dict[str, Any] = {
        name: _field(replace(one, default=next(iter(one.default.values()))), ...)
        for name, one in columns.items()
    }
    row: Any = create_model("ByPlayers", __base__=TableRow, **fields)
    rows = tuple(
        row(
            id=str(count // game.team),
            **{name: _at(one, count) for name, one in columns.items()},
        )
        for count in game.players
    )
    return tuple[row, ...], parameter(rows, "values by number of players")


def _at(one: RuleField, players: int) -> Any:
    """The value for so many players: that of the largest number not above it."""
    known = [number for number in one.default if number <= players]
    return one.default[max(known, default=min(one.default))]

"""Every rule value of a game at its least and its greatest, as its rules allow it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from experiments.variants.rule_steps import as_change, choices_of, limits_of
from sim.games import Game
from sim.parameters import BY_PLAYERS, Group, RuleError, Rules, TableRow

FAR = 1_024
"""Beyond all numbers of rules that declare no range."""
GUARD = 400
"""Turns after which a game that might never end is broken off: no rule of the game."""
LONG = {("devil", "target", "most"): 1_000}
"""Ends at which a game takes minutes (100,000 points: 73,000 turns), and what is played
in their place."""
Side = Literal["least", "most"]


@dataclass(frozen=True)
class End:
    """A rule value that a designer may try, and the rules with it, or why not."""

    side: Side
    changes: Mapping[str, Any]
    rules: Rules | None
    refusal: str = ""


@dataclass(frozen=True)
class Ends:
    """The ends of the rules of a game with so many players."""

    game: Game
    players: int

    @property
    def base(self) -> Rules:
        """The rules of the game; what might never end is broken off early."""
        rules = self.game.rules()
        return rules.changed({"guard": GUARD}) if hasattr(rules, "guard") else rules

    def every(self) -> Iterator[End]:
        """Of each rule in turn; of choices each other one counts as greatest."""
        rules = self.base
        in_force = rules.plain_with(self.players)
        for key, field in type(rules).model_fields.items():
            value = getattr(rules, key)
            if key == "guard":
                continue
            if isinstance(value, Group):
                yield from self._fields(value, key)
            elif isinstance(value, tuple) and value and isinstance(value[0], TableRow):
                yield from self._table(value, key)
            else:
                yield from self._of(in_force.get(key, value), field, key)

    def joint(self, side: Side) -> Rules:
        """As many rules as go together at this end, all at once."""
        rules = self.base
        for one in self.every():
            if one.side == side and one.rules is not None:
                changed = self._tried(side, one.changes, rules).rules
                rules = rules if changed is None else changed
        return rules

    def _tried(self, side: Side, changes: Mapping[str, Any], base: Rules) -> End:
        try:
            rules = base.changed(changes)
            rules.check(self.players)
        except RuleError as error:
            return End(side, changes, None, str(error))
        return End(side, changes, rules)

    def _try(self, side: Side, key: str, value: Any) -> End:
        return self._tried(side, {key: value}, self.base)

    def _table(self, rows: tuple[TableRow, ...], key: str) -> Iterator[End]:
        """Of one row: it is taken out, and each of its fields is changed."""
        row = next((one for one in rows if one.id == str(self.players)), rows[0])
        if key != BY_PLAYERS:
            yield self._try("least", f"{key}.{row.id}.remove", True)
        yield from self._fields(row, f"{key}.{row.id}")

    def _fields(self, of: Any, place: str) -> Iterator[End]:
        for name, field in type(of).model_fields.items():
            if name != "id":
                yield from self._of(getattr(of, name), field, f"{place}.{name}")

    def _of(self, value: Any, field: Any, key: str) -> Iterator[End]:
        choices = choices_of(field.annotation)
        if isinstance(value, bool):
            yield self._try("most", key, not value)
        elif value in choices:
            yield from (self._try("most", key, one) for one in choices if one != value)
        elif isinstance(value, int):
            low, high = limits_of(field)
            yield from self._number(key, value, "least", -FAR if low is None else low)
            yield from self._number(key, value, "most", FAR if high is None else high)
        elif isinstance(value, list | tuple) and all(type(one) is int for one in value):
            for side in ("least", "most"):
                yield from self._list(key, as_change(value), side)

    def _number(self, key: str, now: int, side: Side, end: int) -> Iterator[End]:
        """The end of its range; where that is refused, the last that is not."""
        end = LONG.get((self.game.id, key, side), end)
        found = self._try(side, key, end)
        yield found
        near, far = now, end
        while found.rules is None and abs(far - near) > 1:
            middle = (near + far) // 2
            allowed = self._try(side, key, middle).rules is not None
            near, far = (middle, far) if allowed else (near, middle)
        if found.rules is None and near != now:
            yield self._try(side, key, near)

    def _list(self, key: str, now: list[int], side: Side) -> Iterator[End]:
        """All numbers of a list alike at the end, or else its first and its last."""
        downwards = range(FAR, max(now, default=0), -1)
        order = range(-3, min(now, default=0)) if side == "least" else downwards
        all_alike = (self._try(side, key, [one] * len(now)) for one in order)
        found = next((one for one in all_alike if one.rules is not None), None)
        if found is not None or not now:
            yield found or self._try(side, key, [order[0]])
            return
        yield self._try(side, key, [order[0]] * len(now))
        for place in {0, len(now) - 1}:
            lists = ([*now[:place], one, *now[place + 1 :]] for one in order)
            each = (self._try(side, key, some) for some in lists)
            yield from [*(one for one in each if one.rules is not None)][:1]

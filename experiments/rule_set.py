"""The rules in force of a game, as an object that shows itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from experiments.variants import rule_diff
from sim import games
from sim.parameters import Rules, as_text


@dataclass(frozen=True)
class RuleSet:
    """The rules in force of a game; it shows itself as a table.

    >>> RuleSet.of("kunitame", {"life": 4}).differences
    {'life': (3, 4)}
    """

    game: str
    values: Rules

    @classmethod
    def of(
        cls, game: str, changes: Mapping[str, Any] | str | Path | None = None
    ) -> "RuleSet":
        """Return the base rules with changes, or a variant; raises ``RuleError``."""
        known = games.load(game)
        if changes is None or isinstance(changes, Mapping):
            return cls(game, known.rules.of(changes))
        from experiments.variants.variants import resolve_rules

        return cls(game, resolve_rules(known, Path(changes), ()).rules)

    def changed(
        self, changes: Mapping[str, Any] | None = None, /, **more: Any
    ) -> "RuleSet":
        """Return these rules with changes, by key: ``{"squares.blue.gem": 3}``."""
        return RuleSet(self.game, self.values.changed({**(changes or {}), **more}))

    @property
    def differences(self) -> dict[str, tuple[Any, Any]]:
        """The differences from the base rules: key -> (base, here)."""
        return self.values.differences()

    @property
    def sheet(self) -> str:
        """A rule sheet for players: a page to print."""
        from experiments.variants.rule_sheet import rule_sheet  # slow to import

        return rule_sheet(games.load(self.game), self.values)

    @cached_property
    def table(self) -> pl.DataFrame:
        """A row for each rule value, with its default, unit, meaning and source.

        ``assumed`` is the reason for a value that is not from the rulebook.
        """
        rows = [
            {
                "key": rule.key,
                "value": as_text(rule.value),
                "default": as_text(rule.default),
                "unit": rule.unit,
                "allowed": rule.allowed,
                "meaning": rule.doc,
                "source": rule.source,
                "assumed": rule.assumed,
            }
            for rule in self.values.parameters()
        ]
        return pl.DataFrame(rows)

    def __repr__(self) -> str:
        """Return a line for each rule value; differences from the base are marked."""
        width = max(map(len, self.table["key"]))
        changed = len(rule_diff.changes(games.load(self.game).rules(), self.values))
        lines = [f"{self.game}: {changed} of its rules differ from the base"]
        for row in self.table.iter_rows(named=True):
            mark = "*" if row["value"] != row["default"] else " "
            lines.append(
                f"{mark} {row['key']:{width}}  {row['value']}  ({row['meaning']})"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return str(self.table._repr_html_())

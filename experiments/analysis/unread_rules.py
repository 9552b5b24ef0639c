"""Which rule values no player at a table reads.

    unread_rules(Cell("kunitame", rules, 4, ("allround",))).unread

A strategy goes on playing under a variant as if nothing had changed where it does not
read what was changed; then a result is about players who do not know the rule. Whether
they do is found by asking them: at every decision of some games a player is shown the
same position with one rule value changed, and reads that value if any answer differs.
So it counts what a player reads in any way: from the rules, from tables made of them,
or through advisers. A network reads no rule value, whatever it was taught under; what
its advisers read, it reads through them.

What lies on the table when play begins, such as cards or gems dealt, all players see:
a value that changes it is ``seen``, and no player needs to read it. ``search`` plays
the rules themselves, so it reads all.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import polars as pl

import sim.games
from experiments.core.cells import Cell, distinct
from experiments.variants import rule_diff
from experiments.variants.rule_steps import rule_steps
from reports.formatting import join_words
from sim.masks import Masks
from sim.parameters import RuleError, Rules
from sim.rollouts import RolloutTable
from sim.table import Table
from sim.view import View
from sim.view_arrays import fields_of
from strategies.base import Strategy
from strategies.search import Search

GAMES = 512
"""Games in which players are asked: in fewer, what matters rarely looks unread."""
_SCHEMA: dict[str, Any] = {
    "rule": pl.String,
    "read_by": pl.List(pl.String),
    "seen": pl.Boolean,
}
Others = Mapping[str, list[Rules]]
"""By rule value, the rules in which it alone is another."""


@dataclass(frozen=True)
class UnreadRules:
    """Which rule values the players of a table read.

    ``table``: rule, read_by (the strategies that read it), seen (whether play begins
    differently by it, which all players see). Rules of which no other value was tried,
    such as names, are left out.
    """

    game: str
    players: int
    lineup: tuple[str, ...]
    table: pl.DataFrame

    @property
    def unread(self) -> list[str]:
        """The rule values that nobody reads, and that nobody sees as play begins."""
        nobody = (pl.col("read_by").list.len() == 0) & ~pl.col("seen")
        return self.table.filter(nobody)["rule"].to_list()

    @property
    def sentence(self) -> str:
        """That nobody reads them, in words; "" if all are read or seen."""
        if not self.unread:
            return ""
        it = "it is" if len(self.unread) == 1 else "they are"
        return (
            f"nobody here reads {join_words(self.unread)}: in the same position "
            f"{join_words(self.lineup)} would answer alike, whatever {it} "
            f"(asked in {GAMES} games)"
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "lineup": [*self.lineup],
            "unread": self.unread,
            "sentence": self.sentence,
            "rules": self.table.to_dicts(),
        }

    def __repr__(self) -> str:
        """Name the table, and what nobody there reads."""
        where = f"{self.game}, {self.players} players, {', '.join(self.lineup)}"
        return f"{where}\n{self.sentence or 'every rule value is read'}\nsee .table"


def unread_rules(cell: Cell, other: Cell | None = None) -> UnreadRules:
    """Find which rule values no player of a cell reads.

    other: the other side of a comparison; then only about the rules in which both
    differ, whether an answer of a player of either would be another by the value there,
    unless it is seen. By default about every rule, each a step up and a step down
    (``experiments.variants.rule_steps``): a rule of which players read no single step
    may be one that they read further away.

    >>> game, who = sim.games.load("kunitame"), ("greedy",)
    >>> base = Cell(game.id, game.rules(), 4, who)
    >>> richer = Cell(game.id, game.rules.of({"contract_points": [3] * 5}), 4, who)
    >>> unread_rules(richer, base).unread
    ['contract_points']
    """
    others = _every_step(cell) if other is None else _differing(cell, other.rules)
    begins = _opening(cell, cell.rules) if others else {}
    seen = {
        rule: any(_opening(cell, rules) != begins for rules in tried)
        for rule, tried in others.items()
    }
    players, asked = cell.strategies(), others
    if other is not None:
        players += other.strategies()
        asked = {rule: tried for rule, tried in others.items() if not seen[rule]}
    reads = {one.title: _reads(cell, one, asked) for one in distinct(players)}
    rows = [
        {
            "rule": rule,
            "read_by": [title for title, read in reads.items() if rule in read],
            "seen": seen[rule],
        }
        for rule in others
    ]
    table = pl.DataFrame(rows, schema=_SCHEMA)
    return UnreadRules(cell.game, cell.players, tuple(reads), table)


def _every_step(cell: Cell) -> Others:
    steps: dict[str, list[Rules]] = {}
    for step in rule_steps(cell.rules, cell.players).steps:
        steps.setdefault(step.key.split(".")[0], []).append(step.rules)
    return steps


def _differing(cell: Cell, other: Rules) -> Others:
    changes = rule_diff.changes(cell.rules, other)
    keys = dict.fromkeys(change.key.split(".")[0] for change in changes)
    return {key: [_with_one(cell, other, key)] for key in keys}


def _with_one(cell: Cell, other: Rules, key: str) -> Rules:
    """The rules of a cell with one value of others, or those where that cannot be."""
    try:
        rules = cell.rules.model_copy(update={key: getattr(other, key)}).changed({})
        rules.check(cell.players)
    except RuleError:
        return other
    return rules


def _reads(cell: Cell, player: Strategy, others: Others) -> set[str]:
    """The rules that change an answer of a player, at a table of their own."""
    if not others or any(isinstance(part, Search) for part in player.components):
        return {*others}
    asked = _Asked(player)
    RolloutTable(sim.games.load(cell.game), [asked]).play(_start(cell, cell.rules))
    return {
        rule
        for rule, tried in others.items()
        if any(asked.answers_differ(_start(cell, rules, 1)) for rules in tried)
    }


def _start(cell: Cell, rules: Rules, games: int = GAMES) -> Any:
    numbers = np.arange(games, dtype=np.uint64)
    return sim.games.load(cell.game).start(rules, cell.players, cell.seed, numbers)


class _Asked:
    """Plays as a player does, and keeps all positions and answers."""

    def __init__(self, player: Strategy) -> None:
        self.title, self._player = player.title, player
        self._kept: list[tuple[View, Masks]] = []

    def decide(self, view: View) -> Masks:
        kept = view.seen_in(view._state.copy())
        answer = self._player.decide(view)
        self._kept.append((kept, answer.copy()))
        return answer

    def answers_differ(self, other: Any) -> bool:
        """Whether an answer would have been another by the rules of another state."""
        for view, answer in self._kept:
            there = view.seen_in(view._state.with_rules_of(other))
            try:
                answers = self._player.decide(there)
            except Exception:  # they looked up what is not there by those rules
                return True
            if not np.array_equal(answers, answer):
                return True
        return False


class _OpeningSeen(Exception):
    """Play came to its first decision."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view


class _OpeningTable(Table):
    """A table that is left at the first decision."""

    def ask(
        self, state: Any, name: str, seat: Any, legal: Masks, **how: Any
    ) -> NoReturn:
        kind, rows, most = self._kinds[name], how.get("rows"), how.get("most")
        raise _OpeningSeen(self._view(state, kind, seat, rows, legal, most))


def _opening(cell: Cell, rules: Rules) -> dict[str, Any]:
    """All that the first player who is asked sees."""
    game = sim.games.load(cell.game)
    try:
        game.play(_start(cell, rules), _OpeningTable([], None, game.view, game.kinds))
    except _OpeningSeen as seen:
        return dict(_shown(seen.view))
    return {}


def _shown(view: View) -> Iterator[tuple[str, Any]]:
    yield from (("kind", view.kind.name), ("legal", view.legal.tolist()))
    for name in ("most", "supply", *fields_of(type(view))):
        yield name, _plain(getattr(view, name))


def _plain(value: Any) -> Any:
    """A value of which equal ones are equal as a whole, unlike arrays."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [*map(_plain, value)]
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return value

"""Interventions in words, as people write them in Python and on the command line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sim.games
from experiments.core.cells import Cell, UsageError
from experiments.counterfactual.intervention import (
    Forbid,
    Force,
    GrantMore,
    Intervention,
    OtherRules,
    OtherStrategy,
    When,
    Whose,
)
from sim.parameters import nearest, one_of
from strategies.registry import make
from strategies.restricted_play import can_decline, option_ids

EACH = "each"
"""Stands for every option of a decision, one after another."""


def interventions_named(
    cell: Cell,
    when: str = "",
    whose: str = "first",
    *,
    forbid: str = "",
    force: str = "",
    decline: bool = False,
    grant: str = "",
    other_rules: Mapping[str, Any] | None = None,
    other_strategy: str = "",
) -> list[Intervention[Any]]:
    """Return the interventions that these words name, in a cell.

    Arguments as for ``fairdeal.what_if``. Raises ``UsageError`` with the nearest name.
    """
    asked = {
        "forbid": forbid,
        "force": force,
        "decline": decline,
        "grant": grant,
        "other_rules": other_rules,
        "other_strategy": other_strategy,
    }
    [name] = _only([name for name, value in asked.items() if value], asked)
    if whose not in ("first", "all"):
        raise UsageError(f"whose: 'first' or 'all', not {whose!r}.")
    seats: Whose = "all" if whose == "all" else "first"
    if name in ("grant", "other_rules"):
        if when:
            raise UsageError(f"when: {name} has its own moments; leave it out.")
        if grant and whose == "all":
            raise UsageError("whose: one player is granted more, in each seat in turn.")
        if other_rules:
            cell.rules.changed(other_rules)  # raises RuleError
            changes = OtherRules(tuple(other_rules.items()))
            return [Intervention(When(), "all", changes)]
        things = sim.games.load(cell.game).grants
        _known("grant", grant, things)
        return [Intervention(When(), "first", GrantMore(grant))]
    before, option = _split(cell, forbid or force)
    moment = _when(cell, before, when)
    if other_strategy:
        do = OtherStrategy(make(cell.game, other_strategy))
        return [Intervention(moment, seats, do)]
    if decline:
        return [Intervention(_declinable(cell, moment), seats, Forbid(""))]
    return [*_options(cell, moment, seats, name, option)]


def _options(
    cell: Cell, moment: When, whose: Whose, name: str, option: str
) -> Iterator[Intervention[Any]]:
    """Yield the interventions of one option, or of each."""
    game = sim.games.load(cell.game)
    kinds = [game.kinds[kind] for kind in moment.decisions]
    ids = {
        kind.name: option_ids(game, cell.rules, cell.players, kind) for kind in kinds
    }
    known = [*dict.fromkeys(one for part in ids.values() for one in part)]
    if option != EACH:
        _known(name, option, known)
        ids = {kind: part for kind, part in ids.items() if option in part}
    if name == "force":  # a sample has a fixed size, so one option is no answer
        ids = {kind: ids[kind] for kind in ids if game.kinds[kind].form != "sample"}
        known = [one for one in known if any(one in part for part in ids.values())]
    if not ids:
        raise UsageError(
            f"force: {moment.title!r} is answered with several; forbid one instead."
        )
    for one in known if option == EACH else [option]:
        having = tuple(kind for kind, part in ids.items() if one in part)
        do = Force(one) if name == "force" else Forbid(one)
        yield Intervention(replace(moment, decisions=having), whose, do)


def _declinable(cell: Cell, moment: When) -> When:
    """Return the decisions that can be declined; raises ``UsageError`` for none."""
    kinds = sim.games.load(cell.game).kinds
    able = [name for name in moment.decisions if can_decline(kinds[name])]
    if not able:
        every = [name for name, kind in kinds.items() if can_decline(kind)]
        allowed = f"Allowed: {one_of(every)}." if every else "No decision can."
        raise UsageError(f"decline: {moment.title!r} cannot be declined. {allowed}")
    return replace(moment, decisions=tuple(able))


def _split(cell: Cell, text: str) -> tuple[str, str]:
    """Return the decisions before an option, as in "claim:black", and the option."""
    before, colon, option = text.partition(":")
    kinds = sim.games.load(cell.game).kinds
    named = colon and all(one in kinds for one in before.split("+"))
    if colon and not named and before.isidentifier():
        _known("when", before, kinds)
    return (before, option) if named else ("", text)


def _when(cell: Cell, before: str, text: str) -> When:
    """Return the decisions and the moment of "claim+bonus in week 2"; all if empty.

    before: decisions that stand before an option.
    """
    kinds = sim.games.load(cell.game).kinds
    units = sorted({unit for kind in kinds.values() for unit in kind.clock})
    words = text.replace(" in ", " ").split()
    at = next((n for n, word in enumerate(words) if word in units), len(words))
    moment = _moment(*words[at:]) if at < len(words) else None
    decisions = [one for word in words[:at] for one in word.split("+")]
    for one in decisions:
        _known("when", one, [*kinds, *units])
    if before and decisions and before.split("+") != decisions:
        raise UsageError(
            f"when: {'+'.join(decisions)!r} is not {before!r}; name decisions once."
        )
    decisions = decisions or (before.split("+") if before else [])
    if moment is None:
        return When(tuple(decisions or kinds))
    able = [one for one in decisions or kinds if moment[0] in kinds[one].clock]
    for one in decisions:
        if one not in able:
            allowed = one_of(kinds[one].clock)
            raise UsageError(f"when: {one!r} has no {moment[0]}. Allowed: {allowed}.")
    return When(tuple(able), moment)


def _moment(unit: str, *number: str) -> tuple[str, int]:
    """Return a moment of the clock; raises ``UsageError`` for none."""
    if len(number) != 1 or not number[0].isdecimal() or int(number[0]) < 1:
        raise UsageError(f"when: {unit} takes one number, from 1, as in '{unit} 2'.")
    return unit, int(number[0])


def _known(where: str, name: str, names: Sequence[str] | Mapping[str, Any]) -> None:
    """Refuse a name that there is not; raises ``UsageError`` with the nearest."""
    if name not in names:
        allowed = f" Allowed: {one_of(names)}." if names else " There is none."
        raise UsageError(f"{where}: no {name!r}{nearest(name, names)}{allowed}")


def _only(given: Sequence[str], asked: Mapping[str, Any]) -> Sequence[str]:
    """Return what is given if it is one thing; raises ``UsageError``."""
    if len(given) != 1:
        told = f"not {' and '.join(given)}" if given else "none is given"
        raise UsageError(f"one thing is changed: {one_of(asked)}; {told}.")
    return given

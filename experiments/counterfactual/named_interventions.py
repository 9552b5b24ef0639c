"""Interventions in words, as people write them in Python, TOML, and commands."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

import sim.games
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import report_of
from experiments.counterfactual.intervention import (
    Forbid,
    Force,
    GrantMore,
    Intervention,
    OtherRules,
    OtherStrategy,
    SwapCards,
    Together,
    When,
    Whose,
)
from experiments.counterfactual.moments import GAMES, moments_of, units
from sim.parameters import nearest, one_of
from strategies.registry import make
from strategies.restricted_play import can_decline, option_ids

EACH = "each"
"""Stands for every option of a decision, or card, one after another."""
Names = str | Sequence[str]
"""One name, or several."""
_ONE_GAME = np.zeros(1, dtype=np.uint64)
_TIMED = (Forbid, Force, OtherStrategy)  # what is done at decisions


def interventions_named(  # noqa: PLR0913 - all that a what-if says
    cell: Cell,
    when: str = "",
    whose: str = "first",
    *,
    forbid: Names = (),
    force: Names = (),
    decline: bool = False,
    grant: Names = (),
    swap_cards: Names = (),
    other_rules: Mapping[str, Any] | None = None,
    other_strategy: str = "",
) -> list[Intervention[Any]]:
    """Return the interventions that these words name, in a cell.

    Arguments as for ``fairdeal.what_if``. Several changes that can be combined are
    followed by all of them at once. Raises ``UsageError`` with the nearest name.
    """
    if whose not in ("first", "all"):
        raise UsageError(f"whose: 'first' or 'all', not {whose!r}.")
    reader = _Reader(cell, when, "all" if whose == "all" else "first")
    asked: dict[str, tuple[Names, Callable[[str], Iterator[Intervention[Any]]]]] = {
        "forbid": (forbid, partial(reader.with_option, Forbid)),
        "force": (force, partial(reader.with_option, Force)),
        "decline": ([""] if decline else (), reader.declined),
        "grant": (grant, reader.granted),
        "swap_cards": (swap_cards, reader.swapped),
        "other_strategy": (other_strategy, reader.decided_by),
    }
    found = [
        list(read(name)) for names, read in asked.values() for name in _several(names)
    ]
    if other_rules:
        found.append([reader.other_rules(other_rules)])
    if not found:
        known = one_of([*asked, "other_rules"])
        raise UsageError(f"nothing is changed: name at least one of {known}.")
    every = [one for part in found for one in part]
    if when and not any(isinstance(one.do, _TIMED) for one in every):
        raise UsageError("when: what is changed has its own moments; leave it out.")
    twice = next((one.title for one in every if every.count(one) > 1), "")
    if twice:
        raise UsageError(f"{twice!r} is named twice.")
    return [*every, *_together(found)]


def _several(names: Names) -> Sequence[str]:
    """Return one name, or several, as a sequence."""
    return [names] if isinstance(names, str) and names else names


def _together(found: Sequence[Sequence[Intervention[Any]]]) -> Iterator[Any]:
    """Yield all changes at once, if there are several, and they do not conflict."""
    parts = [part[0] for part in found if len(part) == 1]
    kinds = (*_TIMED, OtherRules)
    if len(found) < 2 or len(parts) < len(found):
        return
    if not all(isinstance(part.do, kinds) for part in parts):
        return
    taken = [
        (kind, part.when.moment)
        for part in parts
        if isinstance(part.do, Force | OtherStrategy)
        for kind in part.when.decisions
    ]
    if len(set(taken)) == len(taken):  # nobody can be forced to do two things
        whose: Whose = (
            "first" if any(part.whose == "first" for part in parts) else "all"
        )
        yield Intervention(When(), whose, Together(tuple(parts)))


@dataclass(frozen=True)
class _Reader:
    """Reads what is named in the games of a cell."""

    cell: Cell
    when: str
    whose: Whose

    @property
    def game(self) -> sim.games.Game:
        """The game of the cell."""
        return sim.games.load(self.cell.game)

    def with_option(
        self, do: type[Forbid] | type[Force], text: str
    ) -> Iterator[Intervention[Any]]:
        """Yield what forbids, or forces, an option, or each."""
        word = do.__name__.lower()
        before, option = self._split(word, text)
        moment = self._when(before)
        for name, kinds in self._options(word, moment, option):
            yield Intervention(replace(moment, decisions=kinds), self.whose, do(name))

    def declined(self, _: str) -> Iterator[Intervention[Forbid]]:
        """Yield what declines decisions, where that is possible."""
        moment, kinds = self._when(""), self.game.kinds
        able = [name for name in moment.decisions if can_decline(kinds[name])]
        if not able:
            every = [name for name, kind in kinds.items() if can_decline(kind)]
            allowed = f"Allowed: {one_of(every)}." if every else "No decision can."
            raise UsageError(f"decline: {moment.title!r} cannot be declined. {allowed}")
        yield Intervention(
            replace(moment, decisions=tuple(able)), self.whose, Forbid("")
        )

    def granted(self, thing: str) -> Iterator[Intervention[GrantMore]]:
        """Yield what grants one more of a thing."""
        if self.whose == "all":
            raise UsageError("whose: one player is granted more, in each seat in turn.")
        _known("grant", thing, self.game.grants)
        yield Intervention(When(), "first", GrantMore(thing))

    def swapped(self, card: str) -> Iterator[Intervention[SwapCards]]:
        """Yield what gives a card, or each, in every experiment on deals."""
        rules = self.cell.rules.plain()
        what_ifs = report_of(self.cell.game).what_ifs
        trials = [want for each in what_ifs for want in each.trials(rules)]
        make_trial = self.game.trial
        if make_trial is None or not trials:
            have = [g for g in sim.games.REGISTRY if sim.games.load(g).trial]
            raise UsageError(
                f"swap_cards: {self.cell.game} has no experiment on deals. "
                f"Games that have: {one_of(have)}."
            )
        words = self.game.events["trial"].fields["card"].vocabulary
        state = self.game.start(self.cell.rules, self.cell.players, 0, _ONE_GAME)
        cards = [*dict.fromkeys(state.vocabularies[words])]
        if card != EACH:
            _known("swap_cards", card, cards)
        made = dict.fromkeys(make_trial(**want) for want in trials)
        for trial in made:
            deal = trial.title if len(made) > 1 else ""
            for one in cards if card == EACH else [card]:
                yield Intervention(When(), self.whose, SwapCards(one, trial, deal))

    def other_rules(self, changes: Mapping[str, Any]) -> Intervention[OtherRules]:
        """Return what plays by other rules; raises ``RuleError``."""
        self.cell.rules.changed(changes).check(self.cell.players)
        return Intervention(When(), "all", OtherRules(tuple(changes.items())))

    def decided_by(self, spec: str) -> Iterator[Intervention[OtherStrategy]]:
        """Yield what lets another strategy decide."""
        do = OtherStrategy(make(self.cell.game, spec))
        yield Intervention(self._when(""), self.whose, do)

    def _options(
        self, name: str, moment: When, option: str
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield one option, or each, and the decisions that have it."""
        kinds = [self.game.kinds[kind] for kind in moment.decisions]
        rules, players = self.cell.rules, self.cell.players
        ids = {kind.name: option_ids(self.game, rules, players, kind) for kind in kinds}
        known = [*dict.fromkeys(one for part in ids.values() for one in part)]
        if option != EACH:
            _known(name, option, known)
        for one in known if option == EACH else [option]:
            yield one, tuple(kind for kind, part in ids.items() if one in part)

    def _split(self, word: str, text: str) -> tuple[str, str]:
        """Return the decisions before an option ("claim:black"), and the option."""
        before, colon, option = text.partition(":")
        kinds = self.game.kinds
        named = colon and all(one in kinds for one in before.split("+"))
        if colon and not named and before.isidentifier():
            _known(word, before, kinds)
        if text in kinds or not text or (colon and not option):
            kind = kinds.get(before) or next(iter(kinds.values()))
            one = option_ids(self.game, self.cell.rules, self.cell.players, kind)[0]
            raise UsageError(
                f"{word}: {text!r} names no option. Write DECISION:OPTION, such as "
                f"{kind.name}:{one}."
            )
        return (before, option) if named else ("", text)

    def _when(self, before: str) -> When:
        """Return the decisions and the moment of "claim+bonus in week 2".

        All decisions if none is named. before: decisions that stand before an option.
        """
        kinds, clock = self.game.kinds, units(self.cell.game)
        words = self.when.replace(" in ", " ").removeprefix("in ").split()
        at = next((n for n, word in enumerate(words) if word in clock), len(words))
        decisions = [one for word in words[:at] for one in word.split("+")]
        for one in decisions:
            _known("when", one, [*kinds, *clock])
        if before and decisions and before.split("+") != decisions:
            raise UsageError(
                f"when: {'+'.join(decisions)!r} is not {before!r}; name decisions once."
            )
        decisions = decisions or (before.split("+") if before else [])
        if at == len(words):
            return When(tuple(decisions or kinds))
        unit, *number = words[at:]
        able = [one for one in decisions or kinds if unit in kinds[one].clock]
        for one in decisions:
            if one not in able:
                allowed = one_of(kinds[one].clock)
                raise UsageError(f"when: {one!r} has no {unit}. Allowed: {allowed}.")
        return self._at(tuple(able), unit, " ".join(number))

    def _at(self, decisions: tuple[str, ...], unit: str, text: str) -> When:
        """Return these decisions at a moment that comes up; raises ``UsageError``."""
        moments = moments_of(self.cell, unit, decisions)
        number = moments.number(text)
        if number is None:
            no = f"there is no {unit} {text!r}" if text else f"{unit} takes one number"
            raise UsageError(
                f"when: {no}. Allowed: {unit} {moments.allowed} (what comes up in "
                f"{GAMES} games)."
            )
        return When(
            decisions, (unit, number), moment_name=f"{unit} {moments.word(number)}"
        )


def _known(where: str, name: str, names: Sequence[str] | Mapping[str, Any]) -> None:
    """Refuse a name that there is not; raises ``UsageError`` with the nearest."""
    if name not in names:
        allowed = f" Allowed: {one_of(names)}." if names else " There is none."
        raise UsageError(f"{where}: no {name!r}{nearest(name, names)}{allowed}")

"""A thing that seats hold, as a game declares it, and what is counted of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reports.counts import Array, Counts, grid, numbered
from reports.course.chance import shuffled
from reports.course.standing import Standing
from reports.ledger.account import MOST, Account, added, gini, wide
from reports.measures import Measure, MeasuresOf

GINIS = {
    "gini": "Gini index of what seats have, mean over games",
    "gini by chance": "the same of independent rounds",
    "gini beyond chance": "as played, less of independent rounds",
}


@dataclass(frozen=True)
class Brake:
    """Another rule without the brake on who is ahead, to be played on the same deals.

    ``words`` say what it is; ``changes(rules, mean)`` are the changed rules, where a
    seat receives ``mean`` a time under the rules in force.
    """

    words: str
    changes: Callable[[Mapping[str, Any], float], Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class Ledger:
    """A thing that seats hold: ``name``, and the group ``time`` that says when.

    ``account`` finds what was held in the games that a report reads; None where that is
    not told. ``sources`` and ``sinks`` say in words what each is. By those ``wasted``
    nothing is done. ``checked``: what is held is told apart from what comes and goes,
    so that the account can be wrong. ``wealth`` is what rounds bring to a seat, whose
    Gini index is told; they give and never take. ``brake`` is what holds back who is
    ahead. ``whose`` holds it. What is ``gathered`` is there to grow, such as points,
    and then what is left at the end is not ``idle``, but another word.
    """

    name: str
    time: str
    account: Callable[[Any], Account | None]
    sources: Mapping[str, str]
    sinks: Mapping[str, str]
    wasted: tuple[str, ...] = ()
    checked: bool = True
    gains: bool = False  # whether the account tells points gained
    wealth: Callable[[Any], Standing | None] | None = None
    brake: Brake | None = None
    whose: str = "seat"
    gathered: bool = False
    idle: str = "never used"

    def m(self, name: str) -> str:
        """The full name of a measure."""
        return f"{self.name}: {name}"

    @property
    def entries(self) -> dict[str, str]:
        """The entries of the account, and what each is."""
        now = f"at the {self.time}'s"
        return {
            "before": f"held {now} beginning",
            **self.sources,
            **self.sinks,
            "after": f"held {now} end",
        }

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is counted."""
        all_, of = MeasuresOf(), MeasuresOf(by=self.time)
        each = f"mean of a {self.whose}"
        found = [
            *(of.mean(self.m(n), f"{doc}; {each}") for n, doc in self.entries.items()),
            of.share(
                self.m("velocity"),
                "share that is used, of what is held and what comes",
            ),
            all_.share(self.m("idle"), f"share of all that comes that is {self.idle}"),
            all_.share(self.m("wasted"), "share of all that comes that is wasted"),
            all_.mean(
                self.m("growth"),
                f"held at the end, less after the first {self.time}, in what comes "
                f"in a {self.time}",
            ),
            all_.mean(
                self.m("inflation"),
                f"what comes in the last {self.time}, of that in the first",
            ),
        ]
        if self.gains:
            found.append(of.mean(self.m("yield"), "points won for each that is used"))
        if self.checked:
            found.append(
                all_.mean(self.m("astray"), "missing or too much, of each held or come")
            )
        if self.wealth is not None:
            found += [of.mean(self.m(name), doc) for name, doc in GINIS.items()]
        return tuple(found)

    def counts(self, read: Any) -> Iterator[Counts]:
        """Sums of all measures."""
        account = self.account(read)
        if account is not None and len(account.game):
            yield from self._flows(account)
            yield from self._totals(account)
        wealth = None if self.wealth is None else self.wealth(read)
        if wealth is not None:
            yield from self._ginis(wealth)

    def _flows(self, account: Account) -> Iterator[Counts]:
        """By time."""
        times = min(int(account.time.max()), MOST)
        shape, rows = (times, _games(account)), account.time <= times
        place = (account.time[rows] - 1) * shape[1] + account.game[rows]

        def timed(name: str, y: Array, x: Array) -> Counts:
            parts = [
                np.bincount(place, one[:, rows].sum(axis=0), shape[0] * shape[1])
                for one in (y, x)
            ]
            top, below = (part.reshape(shape) for part in parts)
            return grid(self.m(name), top, below, **{self.time: numbered(times)})

        one = np.ones_like(account.had)
        entries = {"before": account.before, "after": account.after}
        for name in self.entries:
            both = {**account.sources, **account.sinks, **entries}
            yield timed(name, wide(both[name]), one)
        used = self.used(account)
        yield timed("velocity", used, account.had + account.income)
        if self.gains and account.gained is not None:
            yield timed("yield", wide(account.gained), used)

    def _totals(self, account: Account) -> Iterator[Counts]:
        """Of whole games."""
        first, last, income = account.time == 1, account.last, account.income

        def total(values: Array, rows: Array | None = None) -> Array:
            each = values if values.ndim == 1 else values.sum(axis=0)
            each = each if rows is None else each * rows
            return np.bincount(account.game, each, _games(account))

        every, after = total(income), wide(account.after)
        times = np.bincount(account.game, minlength=len(every))
        more = total(after, last) - total(after, first)
        yield grid(self.m("idle"), total(after, last), every)
        yield grid(self.m("wasted"), total(self.lost(account)), every)
        yield grid(self.m("growth"), more * times, every)
        yield grid(self.m("inflation"), total(income, last), total(income, first))
        if self.checked:
            there = total(account.had + income)
            yield grid(self.m("astray"), total(account.astray()), there)

    def _ginis(self, wealth: Standing) -> Iterator[Counts]:
        """By time, as played and by chance; rounded, so that sums are exact."""
        ends = slice(wealth.moments - 1, MOST * wealth.moments, wealth.moments)
        played, chance = (
            np.rint(4096 * gini(wide(np.maximum(one.values[ends], 0)))) / 4096
            for one in (wealth, shuffled(wealth))
        )
        one = np.ones((1, played.shape[1]))
        by = {self.time: numbered(len(played))}
        for name, y in zip(GINIS, (played, chance, played - chance), strict=True):
            yield grid(self.m(name), y, one, **by)

    def lost(self, account: Account) -> Array:
        """(seats, rows) what is wasted."""
        return added((account.sinks[name] for name in self.wasted), account.had)

    def used(self, account: Account) -> Array:
        """(seats, rows) what goes and is not wasted."""
        names = [name for name in self.sinks if name not in self.wasted]
        return added((account.sinks[name] for name in names), account.had)


def _games(account: Account) -> int:
    return int(account.game.max()) + 1

"""A thing that seats hold, as a game declares it, and its measures."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reports.counts import Counts, grid, numbers_to
from reports.course.null_model import shuffle_rounds
from reports.course.standings import Standings
from reports.ledger.account import MOST, Account, as_int64, gini, sum_arrays
from reports.measures import Measure, MeasuresOf

GINIS = {
    "gini": "Gini index of what seats have, mean over games",
    "gini by chance": "Gini index if rounds were independent",
    "gini beyond chance": "Gini index: difference from independent rounds",
}
FINAL = "final"
"""Begins the name of a measure that is taken only at the end of the game."""


@dataclass(frozen=True)
class Brake:
    """Another rule, without the brake on the leader, to be played on the same deals.

    ``words`` say what it is; ``changes(rules, mean)`` returns the changed rules, given
    the ``mean`` that a seat receives each time under the rules in force.
    """

    words: str
    changes: Callable[[Mapping[str, Any], float], Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class Ledger:
    """A thing that seats hold: its ``name``, and the group ``time`` that says when.

    ``account`` returns what was held in the games that a report reads, or None if that
    is unknown. ``sources`` and ``sinks`` explain each in words; an account may lack
    those that its rules do not have. ``wasted``: the sinks that are of no use.
    ``checked``: stocks are recorded apart from flows, so that errors show.
    ``gathered``: it is collected to have more, like points; then ``idle`` says in other
    words what is left at the end. The Gini index is of what is gathered, or else of
    ``wealth``, what rounds bring to a seat; if it is ``owed``, less is better.
    ``brake``: the rule that holds back the leader. ``whose``: who holds it. ``given``:
    the name of what is granted, if it is not the thing itself.
    """

    name: str
    time: str
    account: Callable[[Any], Account | None]
    sources: Mapping[str, str]
    sinks: Mapping[str, str]
    wasted: tuple[str, ...] = ()
    checked: bool = True
    gains: bool = False  # whether the account has points gained
    wealth: Callable[[Any], Standings | None] | None = None
    owed: bool = False
    brake: Brake | None = None
    whose: str = "seat"
    gathered: bool = False
    idle: str = "never used"
    given: str = ""

    @property
    def id(self) -> str:
        """The beginning of the ids of its tables."""
        return f"economy-{self.name.lower().replace(' ', '-')}"

    @property
    def title(self) -> str:
        """Its name at the beginning of a sentence."""
        return self.name[:1].upper() + self.name[1:]

    def measure_name(self, name: str) -> str:
        """Return the full name of a measure."""
        return f"{self.name}: {name}"

    @property
    def has_gini(self) -> bool:
        """Whether the section says how unequal seats are."""
        return self.gathered or self.wealth is not None

    @property
    def entries(self) -> dict[str, str]:
        """The entries of the account, each with its meaning."""
        now = f"at the {self.time}'s"
        return {
            "before": f"held {now} beginning",
            **self.sources,
            **self.sinks,
            "after": f"held {now} end",
        }

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of the thing."""
        all_, of = MeasuresOf(), MeasuresOf(by=self.time)
        each = f"mean of a {self.whose}"
        measures = [
            *(
                of.mean(self.measure_name(n), f"{doc}; {each}")
                for n, doc in self.entries.items()
            ),
            of.share(
                self.measure_name("velocity"),
                "share that is used, of what is held and what comes",
            ),
            all_.share(
                self.measure_name("idle"),
                f"share of all that comes that is {self.idle}",
            ),
            all_.share(
                self.measure_name("wasted"), "share of all that comes that is wasted"
            ),
            all_.mean(
                self.measure_name("growth"),
                f"held at the end, less after the first {self.time}, as a multiple of "
                f"what comes in a {self.time}",
            ),
            all_.mean(
                self.measure_name("inflation"),
                f"what comes in the last {self.time}, over that in the first",
            ),
        ]
        if self.gains:
            doc = "points won for each that is used"
            measures.append(of.mean(self.measure_name("yield"), doc))
        if self.checked:
            doc = "missing or in excess, for each held or received"
            measures.append(all_.mean(self.measure_name("astray"), doc))
        if self.has_gini:
            for name, doc in GINIS.items():
                measures.append(of.mean(self.measure_name(name), doc))
                final = f"{doc}; at the end of the game"
                measures.append(all_.mean(self.measure_name(f"{FINAL} {name}"), final))
        return tuple(measures)

    def counts(self, read: Any) -> Iterator[Counts]:
        """Count all measures."""
        account = self.account(read)
        if account is not None and len(account.game):
            yield from self._sums(account)
            if self.gathered and self.wealth is None:
                yield from self._ginis(account.standings())
        wealth = None if self.wealth is None else self.wealth(read)
        if wealth is not None:
            yield from self._ginis(wealth)

    def _sums(self, account: Account) -> Iterator[Counts]:
        """Count flows by time and in whole games, over all seats."""
        of = account.by_time()
        income = sum_arrays((of[name] for name in account.sources), of["after"])
        lost = sum_arrays((of[name] for name in self.wasted), income)
        used = sum_arrays((of[name] for name in account.sinks), income) - lost
        flows = {name: (of[name], of["seats"]) for name in self.entries if name in of}
        flows["velocity"] = used, of["before"] + income
        if self.gains:
            flows["yield"] = of["gained"], used
        by = {self.time: numbers_to(min(len(income), MOST))}
        for name, (y, x) in flows.items():
            yield grid(self.measure_name(name), y[:MOST], x[:MOST], **by)
        times = np.count_nonzero(of["seats"], axis=0)
        games, last = np.arange(len(times)), np.maximum(times, 1) - 1
        total, end = income.sum(axis=0), of["after"][last, games]
        totals = {
            "idle": (end, total),
            "wasted": (lost.sum(axis=0), total),
            "growth": ((end - of["after"][0]) * times, total),
            "inflation": (income[last, games], income[0]),
        }
        if self.checked:
            wrong = np.bincount(account.game, account.discrepancy(), len(times))
            totals["astray"] = wrong, (of["before"] + income).sum(axis=0)
        for name, (y, x) in totals.items():
            yield grid(self.measure_name(name), y, x)

    def _ginis(self, wealth: Standings) -> Iterator[Counts]:
        """Count Gini indices by time, as played and by chance.

        They are rounded, so that sums are exact; each time is of the games that last
        that long.
        """
        ends = [*range(wealth.moments - 1, len(wealth.values), wealth.moments)][:MOST]
        ends.append(-1)
        played, chance = (
            np.rint(4096 * gini(np.maximum(as_int64(standing.as_recorded[ends]), 0)))
            / 4096
            for standing in (wealth, shuffle_rounds(wealth))
        )
        times = numbers_to(len(ends) - 1)
        going = np.array(times)[:, None] <= wealth.rounds_played
        ones, by = np.ones(played.shape[1]), {self.time: times}
        for name, y in zip(GINIS, (played, chance, played - chance), strict=True):
            yield grid(self.measure_name(name), np.where(going, y[:-1], 0), going, **by)
            yield grid(self.measure_name(f"{FINAL} {name}"), y[-1], ones)

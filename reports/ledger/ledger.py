"""A thing that seats hold, as a game declares it, and what is counted of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reports.counts import Counts, grid, numbered
from reports.course.chance import shuffled
from reports.course.standing import Standing
from reports.ledger.account import MOST, Account, added, gini, wide
from reports.measures import Measure, MeasuresOf

GINIS = {
    "gini": "Gini index of what seats have, mean over games",
    "gini by chance": "the same of independent rounds",
    "gini beyond chance": "as played, less of independent rounds",
}
FINAL = "final"
"""Before the name of a measure that is told of the end of the game alone."""


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
    not told. ``sources`` and ``sinks`` say in words what each is; an account may lack
    those that its rules do not have. By those ``wasted``
    nothing is done. ``checked``: what is held is told apart from what comes and goes,
    so that the account can be wrong. What is ``gathered`` is there to grow, such as
    points, and then what is left at the end is not ``idle``, but another word. The Gini
    index is told of what is gathered, or else of ``wealth``, what rounds bring to a
    seat; where it is ``owed``, less of it is better. ``brake`` is what holds back who
    is ahead. ``whose`` holds it. ``given`` is what one more is given of, where that is
    not the thing itself.
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
    owed: bool = False
    brake: Brake | None = None
    whose: str = "seat"
    gathered: bool = False
    idle: str = "never used"
    given: str = ""

    @property
    def id(self) -> str:
        """What the names of its tables begin with."""
        return f"economy-{self.name.lower().replace(' ', '-')}"

    @property
    def title(self) -> str:
        """Its name at the beginning of a sentence."""
        return self.name[:1].upper() + self.name[1:]

    def m(self, name: str) -> str:
        """The full name of a measure."""
        return f"{self.name}: {name}"

    @property
    def tells_gini(self) -> bool:
        """Whether it is told how unequal seats are."""
        return self.gathered or self.wealth is not None

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
        if self.tells_gini:
            for name, doc in GINIS.items():
                found.append(of.mean(self.m(name), doc))
                found.append(
                    all_.mean(
                        self.m(f"{FINAL} {name}"), f"{doc}; at the end of the game"
                    )
                )
        return tuple(found)

    def counts(self, read: Any) -> Iterator[Counts]:
        """Sums of all measures."""
        account = self.account(read)
        if account is not None and len(account.game):
            yield from self._sums(account)
            if self.gathered and self.wealth is None:
                yield from self._ginis(account.held())
        wealth = None if self.wealth is None else self.wealth(read)
        if wealth is not None:
            yield from self._ginis(wealth)

    def _sums(self, account: Account) -> Iterator[Counts]:
        """By time, and of whole games; seats together."""
        of = account.by_time()
        income = added((of[name] for name in account.sources), of["after"])
        lost = added((of[name] for name in self.wasted), income)
        used = added((of[name] for name in account.sinks), income) - lost
        flows = {name: (of[name], of["seats"]) for name in self.entries if name in of}
        flows["velocity"] = used, of["before"] + income
        if self.gains:
            flows["yield"] = of["gained"], used
        by = {self.time: numbered(min(len(income), MOST))}
        for name, (y, x) in flows.items():
            yield grid(self.m(name), y[:MOST], x[:MOST], **by)
        times = np.count_nonzero(of["seats"], axis=0)
        games, last = np.arange(len(times)), np.maximum(times, 1) - 1
        every, end = income.sum(axis=0), of["after"][last, games]
        totals = {
            "idle": (end, every),
            "wasted": (lost.sum(axis=0), every),
            "growth": ((end - of["after"][0]) * times, every),
            "inflation": (income[last, games], income[0]),
        }
        if self.checked:
            wrong = np.bincount(account.game, account.astray(), len(times))
            totals["astray"] = wrong, (of["before"] + income).sum(axis=0)
        for name, (y, x) in totals.items():
            yield grid(self.m(name), y, x)

    def _ginis(self, wealth: Standing) -> Iterator[Counts]:
        """By time, as played and by chance; rounded, so that sums are exact.

        A time is told of the games that last so long.
        """
        ends = [*range(wealth.moments - 1, len(wealth.values), wealth.moments)][:MOST]
        ends.append(-1)
        played, chance = (
            np.rint(4096 * gini(np.maximum(wide(one.told[ends]), 0))) / 4096
            for one in (wealth, shuffled(wealth))
        )
        times = numbered(len(ends) - 1)
        there = np.array(times)[:, None] <= wealth.lasted
        one, by = np.ones(played.shape[1]), {self.time: times}
        for name, y in zip(GINIS, (played, chance, played - chance), strict=True):
            yield grid(self.m(name), np.where(there, y[:-1], 0), there, **by)
            yield grid(self.m(f"{FINAL} {name}"), y[-1], one)

"""The result of tuning: the parameters, their gain on fresh deals, and findings."""

import math
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from experiments.analysis.search_space import Knob, Values
from sim.own_files import OWN
from sim.parameters import Rules
from strategies import registry
from strategies.base import Strategy, ranges


@dataclass(frozen=True)
class TuningTrial:
    """Parameters that were tried: their spec, and the estimated win share."""

    spec: str
    values: Values
    share: float


@dataclass(frozen=True)
class FreshComparison:
    """Tuned and untuned win shares against a field on fresh deals, and the gain."""

    field: str
    untuned: float
    tuned: float
    gain: float
    low: float
    high: float
    se: float
    games: int


@dataclass(frozen=True)
class TuningResult:
    """The result of tuning.

    ``trials`` in the order in which they were made, starting with the untuned one;
    ``best`` is the chosen one. ``fresh`` is empty if none looked better than the
    untuned one.
    """

    game: str
    rules: Rules
    players: int
    untuned: str
    knobs: tuple[Knob, ...]
    fields: tuple[str, ...]
    trials: tuple[TuningTrial, ...]
    best: TuningTrial
    fresh: tuple[FreshComparison, ...]
    seed: int

    @cached_property
    def gain(self) -> tuple[float, float, float]:
        """The gain in win share on fresh deals, mean of all fields; 95 % interval."""
        if not self.fresh:
            return 0.0, 0.0, 0.0
        if len(self.fresh) == 1:
            return self.fresh[0].gain, self.fresh[0].low, self.fresh[0].high
        count = len(self.fresh)
        middle = math.fsum(fresh.gain for fresh in self.fresh) / count
        half = 1.96 * math.hypot(*(fresh.se for fresh in self.fresh)) / count
        return middle, middle - half, middle + half

    @property
    def better(self) -> bool:
        """Whether the tuned strategy is shown to win more than the untuned one."""
        return self.gain[1] > 0

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """Changed parameters: name -> (untuned, tuned)."""
        before = registry.make(self.game, self.untuned)
        values = {name: getattr(before, name) for name in self.best.values}
        return {
            name: (values[name], value)
            for name, value in self.best.values.items()
            if value != values[name]
        }

    @property
    def at_the_end(self) -> list[str]:
        """Sentences on parameters whose best value is at an end of their range."""
        kind = type(registry.make(self.game, self.untuned))
        if self.best.spec == self.trials[0].spec:
            return []
        return [
            _at_the_end(knob, self.best.values[knob.name], kind)
            for knob in self.knobs
            if knob.is_end(self.best.values[knob.name])
        ]

    @property
    def findings(self) -> list[str]:
        """The gain in words, and the ranges that may be too narrow."""
        return [*self._gained, *self.at_the_end]

    @property
    def _gained(self) -> list[str]:
        field = " and of ".join(self.fields)
        tried = f"{len(self.trials):,} trials at a table of {field}"
        if not self.fresh:
            return [f"None shown to be better: in {tried}, none looked better twice."]
        middle, low, high = (100 * value for value in self.gain)
        looked = 100 * (self.best.share - self.trials[0].share)
        games = f"{self.fresh[0].games:,} fresh games"
        gained = f"{middle:+.2f} points of win share [{low:+.2f}, {high:+.2f}]"
        curse = f"In the trials that chose it, it had looked like {looked:+.2f}."
        if self.better:
            sure = f"{self.best.spec} is shown to be better: {gained} in {games}."
            return [sure, curse]
        best = f"the best of {tried}, {self.best.spec}"
        return [f"None shown to be better: {best}, gains {gained} in {games}.", curse]

    @cached_property
    def table(self) -> pl.DataFrame:
        """One row per trial: number, spec, share, and each parameter."""
        return pl.DataFrame(
            [
                {"trial": number, "spec": each.spec, "share": each.share, **each.values}
                for number, each in enumerate(self.trials)
            ]
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the result as one JSON object."""
        middle, low, high = self.gain
        return {
            "game": self.game,
            "rules": {key: new for key, (_, new) in self.rules.differences().items()},
            "players": self.players,
            "untuned": self.untuned,
            "fields": list(self.fields),
            "seed": self.seed,
            "ranges": {knob.name: [knob.low, knob.high] for knob in self.knobs},
            "trials": len(self.trials),
            "tuned": self.best.spec,
            "changes": {name: list(pair) for name, pair in self.changes.items()},
            "better": self.better,
            "gain": {"estimate": middle, "low": low, "high": high},
            "fresh": [vars(fresh) for fresh in self.fresh],
            "findings": self.findings,
        }

    def __repr__(self) -> str:
        """Return the findings, one per line."""
        return "\n".join(self.findings)

    def _repr_html_(self) -> str:
        return str(self.table._repr_html_())


def _at_the_end(knob: Knob, value: Any, kind: type[Strategy]) -> str:
    """Say that a value is at the end of its range, and how to try more."""
    low, high = ranges(kind)[knob.name]
    text = (
        f"{knob.name}={value} is at the end of what was tried, {knob.low:g} to "
        f"{knob.high:g}: a better one may lie beyond."
    )
    if (low, high) != (knob.low, knob.high):
        wider = f"--parameter {knob.name}={low:g}..{high:g}"
        return f"{text} Its range is {low:g} to {high:g}: {wider} tries all of it."
    home = next(cls for cls in kind.__mro__ if knob.name in vars(cls))
    if home.__module__.startswith(OWN):
        file = sys.modules[home.__module__].__file__
        return f"{text} {home.__name__} in {file} declares that range; widen it there."
    file = f"{home.__module__.replace('.', '/')}.py"
    return (
        f"{text} {home.__name__} in {file} declares that range; your own class that "
        "inherits from it can declare a wider one."
    )

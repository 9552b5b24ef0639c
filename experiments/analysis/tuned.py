"""What tuning found: the parameters, what they gain on fresh deals, and in words."""

import math
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from experiments.analysis.search_space import Knob, Values
from sim.parameters import Rules
from strategies import registry
from strategies.base import Strategy, ranges
from strategies.files import OWN


@dataclass(frozen=True)
class Trial:
    """Parameters that were tried: their spec, and the win share that was found."""

    spec: str
    values: Values
    share: float


@dataclass(frozen=True)
class Fresh:
    """Tuned against untuned on fresh deals, at one table: win shares, and the gain."""

    field: str
    untuned: float
    tuned: float
    gain: float
    low: float
    high: float
    se: float
    games: int


@dataclass(frozen=True)
class Tuned:
    """What tuning found.

    ``trials`` in the order in which they were made, the first one untuned; ``best`` is
    what was chosen of them. ``fresh`` is empty where nothing else looked better than
    the untuned one.
    """

    game: str
    rules: Rules
    players: int
    untuned: str
    knobs: tuple[Knob, ...]
    fields: tuple[str, ...]
    trials: tuple[Trial, ...]
    best: Trial
    fresh: tuple[Fresh, ...]
    seed: int

    @cached_property
    def gain(self) -> tuple[float, float, float]:
        """Points of win share on fresh deals, the mean of all fields, and 95 % ends."""
        if not self.fresh:
            return 0.0, 0.0, 0.0
        if len(self.fresh) == 1:
            return self.fresh[0].gain, self.fresh[0].low, self.fresh[0].high
        many = len(self.fresh)
        middle = math.fsum(one.gain for one in self.fresh) / many
        half = 1.96 * math.hypot(*(one.se for one in self.fresh)) / many
        return middle, middle - half, middle + half

    @property
    def better(self) -> bool:
        """Whether the tuned strategy surely wins more than the untuned one."""
        return self.gain[1] > 0

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """What differs: parameter -> (untuned, tuned)."""
        before = registry.make(self.game, self.untuned)
        values = {name: getattr(before, name) for name in self.best.values}
        return {
            name: (values[name], value)
            for name, value in self.best.values.items()
            if value != values[name]
        }

    @property
    def at_the_end(self) -> list[str]:
        """Sentences on parameters whose best value ends their range, or nearly so."""
        kind = type(registry.make(self.game, self.untuned))
        if self.best.spec == self.trials[0].spec:
            return []
        return [
            _at_the_end(one, self.best.values[one.name], kind)
            for one in self.knobs
            if one.is_end(self.best.values[one.name])
        ]

    @property
    def findings(self) -> list[str]:
        """What was found, and how surely; and where a range may be too narrow."""
        return [*self._gained, *self.at_the_end]

    @property
    def _gained(self) -> list[str]:
        field = " and of ".join(self.fields)
        tried = f"{len(self.trials):,} trials at a table of {field}"
        if not self.fresh:
            return [f"None surely better: of {tried} none looked better twice."]
        middle, low, high = (100 * value for value in self.gain)
        looked = 100 * (self.best.share - self.trials[0].share)
        games = f"{self.fresh[0].games:,} fresh games"
        gained = f"{middle:+.2f} points of win share [{low:+.2f}, {high:+.2f}]"
        curse = f"It had looked like {looked:+.2f} in the trials that chose it."
        if self.better:
            sure = f"{self.best.spec} is surely better: {gained} in {games}."
            return [sure, curse]
        best = f"the best of {tried}, {self.best.spec}"
        return [f"None surely better: {best}, gains {gained} in {games}.", curse]

    @cached_property
    def table(self) -> pl.DataFrame:
        """A row a trial: number, spec, share, and each parameter."""
        return pl.DataFrame(
            [
                {"trial": number, "spec": one.spec, "share": one.share, **one.values}
                for number, one in enumerate(self.trials)
            ]
        )

    def as_dict(self) -> dict[str, Any]:
        """What was found as one JSON object."""
        middle, low, high = self.gain
        return {
            "game": self.game,
            "rules": {key: new for key, (_, new) in self.rules.differences().items()},
            "players": self.players,
            "untuned": self.untuned,
            "fields": list(self.fields),
            "seed": self.seed,
            "ranges": {one.name: [one.low, one.high] for one in self.knobs},
            "trials": len(self.trials),
            "tuned": self.best.spec,
            "changes": {name: list(pair) for name, pair in self.changes.items()},
            "better": self.better,
            "gain": {"estimate": middle, "low": low, "high": high},
            "fresh": [vars(one) for one in self.fresh],
            "findings": self.findings,
        }

    def __repr__(self) -> str:
        """The findings."""
        return "\n".join(self.findings)

    def _repr_html_(self) -> str:
        return str(self.table._repr_html_())


def _at_the_end(knob: Knob, value: Any, kind: type[Strategy]) -> str:
    """That a value ends what was tried, and how more can be."""
    low, high = ranges(kind)[knob.name]
    said = (
        f"{knob.name}={value} is at the end of what was tried, {knob.low:g} to "
        f"{knob.high:g}: a better one may lie beyond."
    )
    if (low, high) != (knob.low, knob.high):
        wider = f"--parameter {knob.name}={low:g}..{high:g}"
        return f"{said} Its range is {low:g} to {high:g}: {wider} tries all of it."
    home = next(one for one in kind.__mro__ if knob.name in vars(one))
    if home.__module__.startswith(OWN):
        file = sys.modules[home.__module__].__file__
        return f"{said} {home.__name__} in {file} declares that range; widen it there."
    file = f"{home.__module__.replace('.', '/')}.py"
    return (
        f"{said} {home.__name__} in {file} declares that range; a class of one's own "
        "that is built on it can declare a wider one."
    )

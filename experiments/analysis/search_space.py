"""The search space of tuning: parameters of a strategy with a range, and switches."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiments.core.cells import UsageError
from sim.parameters import nearest, one_of
from strategies.base import Strategy, parameters, ranges
from strategies.restricted_play import RestrictedStrategy

_DIGITS = 3  # significant ones of a number that is tried
_END = 0.02  # part of a range, or of its scale, that counts as its end
_NEAR = 0.25  # part of a range: a default below that lies near the low end

Values = dict[str, Any]  # of parameters, by name


@dataclass(frozen=True)
class Knob:
    """A parameter: its range, and the scale from 0 to 1 of its values.

    If the default lies near the low end of a wide range (0.06 of 0 to 10), half of the
    scale covers values up to the default, and the other half thins out towards the high
    end: ``low + width * u / (1 - u)``. Other scales are even.
    """

    name: str
    low: float
    high: float
    default: Any

    @property
    def _width(self) -> float:
        """How far the middle of an uneven scale is above the low end; 0 if even."""
        above = float(self.default) - self.low
        return above if 0 < above < _NEAR * (self.high - self.low) else 0.0

    def value(self, place: float) -> Any:
        """Return the value at a place from 0 to 1, of the type of the default."""
        span = self.high - self.low
        if isinstance(self.default, int):
            span = span if self._width else span + 1
        if self._width:
            odds = place * span / (self._width + span)
            exact = self.low + self._width * odds / (1 - odds)
        else:
            exact = self.low + place * span
        if isinstance(self.default, bool):
            return exact >= 1
        if isinstance(self.default, int):
            whole = round(exact) if self._width else math.floor(exact)
            return int(min(max(whole, self.low), self.high))
        return min(max(float(f"{exact:.{_DIGITS}g}"), self.low), self.high)

    def is_end(self, value: Any) -> bool:
        """Whether a value is at, or nearly at, an end of the range; no for switches."""
        if isinstance(self.default, bool):
            return False
        if isinstance(self.default, int):
            return value in (self.low, self.high)
        near = self.high - _END * (self.high - self.low)
        return self.place(value) <= _END or value >= near

    def place(self, value: Any) -> float:
        """Return the place of a value on the scale."""
        span, above = self.high - self.low, float(value) - self.low
        if self._width:
            odds = above / (self._width + above)
            return odds * (self._width + span) / span
        if isinstance(self.default, int):
            return (above + 0.5) / (span + 1)
        return above / span


def knobs(strategy: Strategy, wanted: Sequence[str] = ()) -> tuple[Knob, ...]:
    """Return the parameters to tune: those wanted (``gems`` or ``gems=1..4``), or all.

    All means all but those that buy strength with time, such as the samples of search.
    Raises ``UsageError`` for an unknown one, for a range beyond its own, or if none is
    left.
    """
    if isinstance(strategy, RestrictedStrategy):
        raise UsageError(
            f"{strategy.title} is made of other strategies, of which one at a time can "
            "be tuned. Name that one."
        )
    cls = type(strategy)
    limits: dict[str, tuple[float, float]] = dict(ranges(cls))
    defaults = dict(parameters(cls))
    limits |= {
        name: (0, 1) for name, value in defaults.items() if isinstance(value, bool)
    }
    if not limits:
        raise UsageError(
            f"{strategy.title} has no parameter with a range. Declare one as in "
            "gems: int = parameter(1, 0, 12)."
        )
    chosen = {}
    free = [name for name, ends in limits.items() if _is_free(strategy, name, ends[1])]
    if not (wanted or free):
        raise UsageError(
            f"all parameters of {strategy.title} cost time: {one_of(limits)}. Name "
            "what to tune, with a range as in samples=1..16."
        )
    for text in wanted or free:
        name, equals, ends = text.partition("=")
        if name not in limits:
            raise UsageError(
                f"parameter: {strategy.title} has no parameter {name!r} with a range"
                f"{nearest(name, limits)} Allowed: {one_of(limits)}."
            )
        low, high = _ends(text, ends, *limits[name]) if equals else limits[name]
        chosen[name] = Knob(name, low, high, defaults[name])
    for knob in chosen.values():
        if not knob.low <= getattr(strategy, knob.name) <= knob.high:
            raise UsageError(
                f"parameter: {knob.name} is {getattr(strategy, knob.name)} to begin "
                f"with, which is not in {knob.low:g} to {knob.high:g}."
            )
    return tuple(chosen.values())


def _is_free(strategy: Strategy, name: str, most: float) -> bool:
    """Whether a parameter does not affect the cost of a decision."""
    kind = type(getattr(strategy, name))
    return replace(strategy, **{name: kind(most)}).cost == strategy.cost


def _ends(text: str, ends: str, low: float, high: float) -> tuple[float, float]:
    """Return the range that was asked for, within that of the parameter."""
    parts = ends.split("..")
    try:
        least, most = map(float, parts)
    except ValueError:
        least, most = math.nan, math.nan
    if not low <= least < most <= high:
        raise UsageError(
            f"parameter: {text!r} is not a range within {low:g} to {high:g}. Write it "
            f"as in {text.partition('=')[0]}={low:g}..{high:g}."
        )
    return least, most


def spec_of(spec: str, values: Mapping[str, Any]) -> str:
    """Return a strategy's spec with these parameters in place of its own."""
    parts = spec.split(":")
    kept = [part for part in parts if part.partition("=")[0] not in values]
    return ":".join([*kept, *(f"{name}={value}" for name, value in values.items())])

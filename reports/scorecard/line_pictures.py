"""Pictures of page one, as inline SVG in the page's colours.

``interval_picture`` has a line's interval beside its tolerance, for the scorecard;
``bars`` have the numbers that a sentence is about: who wins, beside an even share.
"""

import math
from collections.abc import Iterator
from html import escape

from reports.number_text import digits_for, half_width, plain_number, with_interval
from reports.scorecard.line_estimate import LineEstimate, extremes_z
from reports.scorecard.score_line import ScoreLine, text
from reports.scorecard.scored_line import ScoredLine
from reports.statistics.intervals import wilson

_WIDTH, _HEIGHT = 150, 16  # of an interval, in pixels
_ACROSS, _LABEL, _NUMBER, _ROW = 360, 180, 40, 24  # of bars; of labels at most
_LETTER, _GAP = 7, 8  # about as wide as a letter; between a label and its bar
_MOST_BARS = 8
_BEYOND = 1.3  # times a bound of what is allowed is in the picture


def bars(score: ScoredLine) -> str:
    """Draw a bar for each share that a line is about, with its interval.

    A dashed line is the even share, or what chance would give; what is allowed is
    shaded. Returns "" if the line was not measured.
    """
    number = score.estimate
    if number is None:
        return ""
    rows = [*_rows(score, number)][:_MOST_BARS]
    even = number.chance
    if number.parts:
        even = sum(number.parts.values()) / len(number.parts)
    allowed = None if number.parts else _allowed(score)
    ends = [end for row in rows for end in row[1:]] + [even or 0.0]
    bounds = [] if allowed is None else [end for end in allowed if math.isfinite(end)]
    ends += [_BEYOND * bound for bound in bounds]
    least, most = min(*ends, 0.0), max(*ends, 0.0)
    labels = [label.removeprefix("the ") for label, *_ in rows]
    start = min(_LABEL, _LETTER * max(map(len, labels), default=0)) + _GAP
    scale = (_ACROSS - start - _NUMBER) / ((most - least) or 1.0)

    def at(value: float) -> float:
        return round(start + scale * (min(max(value, least), most) - least), 1)

    height = _ROW * len(rows) + (14 if even is not None else 0)
    parts: list[str] = []
    if allowed is not None:
        low, high = map(at, allowed)
        parts.append(
            f'<rect class="allowed" x="{low}" y="0" width="{round(high - low, 1)}" '
            f'height="{_ROW * len(rows)}"/>'
        )
    for place, (_, value, low, high) in enumerate(rows):
        y, zero, end = _ROW * place, at(0.0), at(value)
        middle = y + _ROW / 2
        parts += [
            f'<text x="{start - _GAP}" y="{middle}" text-anchor="end"'
            f"{_fit(labels[place])}>{escape(labels[place])}</text>",
            f'<rect class="bar" x="{min(zero, end)}" y="{y + 4}" '
            f'width="{round(abs(end - zero), 1)}" height="{_ROW - 8}"/>',
            f'<path class="tip" d="M{at(low)} {middle}H{at(high)}"/>',
            f'<text x="{_ACROSS}" y="{middle}" text-anchor="end">'
            f"{_short(score.line, value)}</text>",
        ]
    if even is not None:
        x, bottom = at(even), _ROW * len(rows)
        name = f"{'even' if number.parts else 'chance'} {_short(score.line, even)}"
        parts += [
            f'<path class="even" d="M{x} 0V{bottom}"/>',
            f'<text class="small" x="{x}" y="{bottom + 7}" text-anchor="middle">'
            f"{name}</text>",
        ]
    return (
        f'<svg viewBox="0 0 {_ACROSS} {height}" role="img" '
        f'aria-label="{escape(score.line.title)}">{"".join(parts)}</svg>'
    )


def _fit(label: str) -> str:
    """Narrow the letters of a label that is too long for its place."""
    if _LETTER * len(label) <= _LABEL:
        return ""
    return f' textLength="{_LABEL}" lengthAdjust="spacingAndGlyphs"'


def _rows(
    score: ScoredLine, number: LineEstimate
) -> Iterator[tuple[str, float, float, float]]:
    """Yield each bar: its label, number and interval; the longest first for roles."""
    if number.parts:
        for name, share in number.parts.items():
            low, high = wilson(share * number.n, number.n)
            yield name, share, float(low), float(high)
        return
    labels = number.words.get("labels", "").split("\n")
    if len(labels) == len(number.values) > 1:
        known = zip(labels, number.values, number.errors, strict=True)
        by_label = {label: (value, error) for label, value, error in known}
        z = extremes_z(len(number.values))  # they are picked as the furthest
        for label in score.beyond:
            value, error = by_label[label]
            yield label, value, value - z * error, value + z * error
        return
    yield "", number.value, number.low, number.high


def _short(line: ScoreLine, value: float) -> str:
    """A number without its interval: shares of games as a whole number."""
    if line.style == "number":
        return plain_number(value, 0 if abs(value) >= 10 else 1)
    digits = 0 if abs(value) >= 0.01 or value == 0 else 1
    return plain_number(100 * value, digits)


def value_text(score: ScoredLine) -> str:
    """The number of a line with its interval, "" if it was not measured."""
    line, number = score.line, score.estimate
    if number is None:
        return ""
    if number.parts and number.low <= 0:  # a gap between best and worst
        return f"up to {text(line, number.high)}"
    unit = f" {line.number_unit}".rstrip()
    ends = [line.scale * end for end in number.interval]
    digits = min(digits_for(half_width(*ends)), 1)
    basis = number.words.get("basis", "")
    return with_interval(ends, digits=digits, unit=unit) + (
        f" ({basis})" if basis else ""
    )


def chance_text(score: ScoredLine) -> str:
    """What chance would give instead of the number, "" if that says nothing."""
    number = score.estimate
    if number is None or number.chance is None:
        return ""
    return text(score.line, number.chance)


def interval_picture(score: ScoredLine) -> str:
    """Draw the interval beside the tolerance."""
    number = score.estimate
    if number is None:
        return ""
    low, high = _allowed(score)
    ends = [number.low, number.high, number.value, *filter(math.isfinite, (low, high))]
    if number.chance is not None:
        ends.append(number.chance)
    least, most = min(ends), max(ends)
    if score.line.style != "number":
        least = min(least, 0.0)
    padding = (most - least) * 0.08 or 1.0
    least, most = least - padding, most + padding

    def at(value: float) -> float:
        inside = min(max(value, least), most)  # a tolerance may be unbounded
        return round(_WIDTH * (inside - least) / (most - least), 1)

    middle = _HEIGHT / 2
    band = at(low), at(high)
    parts = [
        f'<rect class="allowed" x="{band[0]}" y="1" '
        f'width="{round(max(band[1] - band[0], 0.5), 1)}" height="{_HEIGHT - 2}"/>',
        f'<path class="interval" d="M{at(number.low)} {middle}H{at(number.high)}"/>',
        f'<circle class="number" cx="{at(number.value)}" cy="{middle}" r="3.2"/>',
    ]
    if number.chance is not None:
        x = at(number.chance)
        parts.insert(1, f'<path class="chance" d="M{x} 1V{_HEIGHT - 1}"/>')
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def _allowed(score: ScoredLine) -> tuple[float, float]:
    """The tolerance on the scale of the number."""
    limits, estimate = score.line.tolerance, score.estimate
    if estimate is None or estimate.chance is None:
        return limits.least, limits.most
    even = estimate.chance
    if score.line.style == "number":
        return even * (1 + limits.least), even * (1 + limits.most)
    return even + limits.least, even + limits.most

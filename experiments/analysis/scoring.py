"""The lines of the scorecard, with a designer's own tolerances."""

import tomllib
from pathlib import Path

from experiments.core.cells import UsageError
from reports.scorecard.lines import LINES, SECONDS, Line, with_targets


def read_targets(path: Path | None) -> tuple[tuple[Line, ...], float]:
    """The lines with the tolerances of a file, and the seconds of a decision.

        seconds = 8

        [targets.positions]
        most = 0.03

    Raises ``UsageError`` that names the file and the place.
    """
    if path is None:
        return LINES, SECONDS
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}.") from None
    for key in values:
        if key not in ("targets", "seconds"):
            raise UsageError(f"{path}: no key {key!r}. Allowed: targets, seconds.")
    seconds = values.get("seconds", SECONDS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise UsageError(f"{path}: seconds: a number, not {seconds!r}.")
    if not 0 < seconds < float("inf"):
        raise UsageError(f"{path}: seconds: more than 0, not {seconds:g}.")
    if not isinstance(targets := values.get("targets", {}), dict):
        raise UsageError(f"{path}: targets: write [targets.LINE] above each.")
    try:
        return with_targets(targets), float(seconds)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None

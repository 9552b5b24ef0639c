"""Read a designer's own tolerances for the lines of the scorecard."""

from pathlib import Path

from experiments.core.cells import UsageError
from experiments.variants import toml
from reports.scorecard.lines import LINES, SECONDS, with_targets
from reports.scorecard.score_line import ScoreLine


def read_targets(path: Path | None) -> tuple[tuple[ScoreLine, ...], float]:
    """Return the lines with the tolerances of a file, and the seconds per decision.

        seconds = 8

        [targets.positions]
        most = 0.03

    Raises ``UsageError``, which names the file and the place.
    """
    if path is None:
        return LINES, SECONDS
    values = toml.read(path, "targets")
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

"""Finding the reports that games declare."""

from importlib import import_module
from importlib.util import find_spec

from reports.game_report import GameReport


def declared_report(game: str) -> GameReport | None:
    """Return the report that a game declares in ``reports/GAME/report.py``, or None."""
    name = f"reports.{game}"
    if not game.isidentifier():  # the file of a game that is not built in
        return None
    if find_spec(name) is None or find_spec(f"{name}.report") is None:
        return None
    module = import_module(f"{name}.report")
    report: GameReport = module.REPORT
    return report

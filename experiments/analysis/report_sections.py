"""Which sections of a report are made: those behind page one, and those asked for.

Sections that are asked for in the directory of a report join those that are there, so
that a page never loses one. What they need is played; all else is there.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments.analysis import lever_report
from experiments.core.cells import Cell, UsageError
from experiments.execution.checksummed_json import DamagedFile
from experiments.execution.run import run
from reports import notable_games, player_trust
from reports.build_report import backing_sections
from reports.game_report import GameReport
from reports.report_document import SectionLink
from reports.scorecard.score_line import ScoreLine
from sim import games
from sim.parameters import Rules, no_such

ALL = "all"
"""Asks for every section."""
_EVERY_GAME = notable_games.LINK, player_trust.LINK, lever_report.LINK
"""Made when asked for."""
_REHEARSED = 8  # games
PAGE = "report.json"
"""The file of a report that lists its sections."""


def section_links(declared: GameReport) -> tuple[SectionLink, ...]:
    """Return the sections that can be asked for, by what is declared of each."""
    links = (SectionLink(own.id, own.title, own.question) for own in declared.sections)
    return (*links, *_EVERY_GAME)


def links_left(made: Sequence[str]) -> Iterator[SectionLink]:
    """Yield the sections of every game that can still be asked for."""
    return (link for link in _EVERY_GAME if link.id not in made)


def sections_to_make(
    declared: GameReport,
    lines: Sequence[ScoreLine],
    asked: Sequence[str],
    out: Path,
) -> tuple[str, ...]:
    """Return the ids of the sections to make, in the order in which they are declared.

    These are the ones behind the ``lines`` of the scorecard, those ``asked`` for, and
    those that the report in ``out`` has. Raises ``UsageError`` for an unknown id, with
    the nearest one, and ``DamagedFile`` if ``out`` does not tell which it has.
    """
    known = [link.id for link in section_links(declared)]
    for name in asked:
        if name not in (ALL, *known):
            raise UsageError(no_such("section", name, known))
    if ALL in asked:  # but levers, which take up to half an hour
        return tuple(n for n in known if n != lever_report.LINK.id or n in asked)
    made = {*asked, *backing_sections(declared, lines), *_sections_in(out)}
    return tuple(name for name in known if name in made)


def rehearse(game: str, rules: Rules) -> None:
    """Play a few games at random, so that sections of one's own fail at once.

    Raises ``SectionError`` for what they count, not for what they show.
    """
    cell = Cell(game, rules, games.load(game).players[0], ("random",))
    run([cell], _REHEARSED, detailed=True)


def _sections_in(out: Path) -> list[str]:
    """Return the ids of the sections of the report in a directory, if there is one."""
    try:
        page = json.loads((out / PAGE).read_text("utf-8"))
        return [str(section["id"]) for section in page["sections"]]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (ValueError, KeyError, TypeError):
        raise DamagedFile(
            f"{out / PAGE} is damaged: it does not say which sections the report has. "
            "Delete it, and name those beyond the ones behind page one: "
            f"fairdeal report {out} --section ID. Nothing is played again."
        ) from None

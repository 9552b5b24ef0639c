"""Sections of one's own in a game's report: from files, and from packages.

A file, or the module of an entry point in the group ``fairdeal.sections`` that is named
``GAME.NAME``, has a ``ReportSection``. It reads what was recorded (``raw`` and
``about``), if it does not say what else (``reads``). Workers load the same files, whose
paths travel in an environment variable.
"""

import os
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, wraps
from importlib.metadata import entry_points
from inspect import isgeneratorfunction
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.core.decision_counts import DECISIONS
from reports.game_report import GameReport, ReportSection, Tables
from sim import games, places
from sim.errors import error_text, place_text
from sim.own_files import SECTIONS, check_may_load, hash_of, load_module, own_line
from sim.parameters import no_such

GROUP = "fairdeal.sections"
"""The entry points of packages with sections; a name begins with the game's id."""
_BETWEEN = "\n"  # paths: a colon may be in one


class SectionError(Exception):
    """A section of one's own fails; says on which line."""


@contextmanager
def adding(files: Iterable[str | Path]) -> Iterator[list[str]]:
    """Meanwhile, reports have the sections in these files; yield their ids.

    Raises ``UsageError`` for a file without a section.
    """
    paths = [str(places.named(file).resolve()) for file in files]
    ids = [section.id for path in paths for section in sections_in(path)]
    before = os.environ.get(SECTIONS, "")
    os.environ[SECTIONS] = _BETWEEN.join(filter(None, (before, *paths)))
    try:
        yield ids
    finally:
        os.environ[SECTIONS] = before


def added_files() -> tuple[str, ...]:
    """The paths of the files whose sections reports have now."""
    return tuple(filter(None, os.environ.get(SECTIONS, "").split(_BETWEEN)))


def source_hashes() -> dict[str, str]:
    """The hash of each of these files."""
    return {path: hash_of(Path(path)) for path in added_files()}


def with_own_sections(game: str, declared: GameReport) -> GameReport:
    """The report of a game with sections of one's own; raises ``UsageError``."""
    sources: list[tuple[str, Sequence[ReportSection]]]
    sources = [(path, sections_in(path)) for path in dict.fromkeys(added_files())]
    sources += _of_packages(game)
    for source, sections in sources:
        known = {section.id for section in declared.sections}
        for section in sections:
            _check_records(source, section, game)
            if section.id in known:
                raise UsageError(
                    f"{source}: the report has a section {section.id!r} already."
                )
            known.add(section.id)
        try:
            declared = replace(declared, sections=(*declared.sections, *sections))
        except ValueError as error:
            raise UsageError(f"{source}: {error}.") from error
    return declared


def _check_records(source: str, section: ReportSection, game: str) -> None:
    """Refuse records that a game does not have; raises ``UsageError``."""
    played = games.load(game)
    known = [*dict.fromkeys([*played.events, *played.kinds]), DECISIONS]
    for name in section.records:
        if name not in known:
            raise UsageError(
                f"{source}: section {section.id!r}: records: "
                f"{no_such('table', name, known, f'Tables of {game}')}"
            )


@lru_cache(maxsize=32)
def sections_in(path: str) -> Sequence[ReportSection]:
    """The sections that a file defines; raises ``UsageError``."""
    file, name = Path(path), Path(path).name
    if not file.is_file():
        raise UsageError(f"there is no file {path} with a section.")
    check_may_load(file)
    try:
        module = load_module(file)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        why = f"{error_text(error)}{_line_in(path, error)}"
        raise UsageError(f"{name} does not load: {why}.") from error
    return _checked(vars(module).values(), name)


def _of_packages(game: str) -> list[tuple[str, Sequence[ReportSection]]]:
    """The sections that packages bring for a game, with the names of entry points."""
    found: list[tuple[str, Sequence[ReportSection]]] = []
    for entry in entry_points(group=GROUP):
        if entry.name.startswith(f"{game}."):
            try:
                loaded = entry.load()
            except Exception as error:
                raise UsageError(
                    f"section {entry.name!r}: its package does not load: "
                    f"{error_text(error)}."
                ) from error
            found.append((entry.name, _checked([loaded], entry.name)))
    return found


def _checked(items: Iterable[Any], source: str) -> list[ReportSection]:
    """The sections among these, if they can be shown; raises ``UsageError``."""
    sections = [one for one in items if isinstance(one, ReportSection)]
    if not sections:
        raise UsageError(
            f"{source}: no section is there. Write SECTION = ReportSection(id=..., "
            "title=..., question=...)."
        )
    for section in sections:
        try:
            section.check()
        except ValueError as error:
            raise UsageError(f"{source}: {error}.") from error
    return [_guarded(section) for section in sections]


def _guarded(section: ReportSection) -> ReportSection:
    """A section whose errors name its line, and which reads what was recorded."""

    def own(part: Any) -> Any:
        return _named(section.id, part) if callable(part) else part

    return replace(
        section,
        reads=own(section.reads or _recorded),
        show=own(section.show),
        intro=own(section.intro),
        tidy=own(section.tidy and _whole(section, section.tidy)),
        counts=own(section.counts),
        tables=tuple(map(own, section.tables)),
        claims=tuple(map(own, section.claims)),
    )


def _whole(
    section: ReportSection, tidy: Callable[[Any], Tables]
) -> Callable[[Any], Tables]:
    """A function whose tables are those that the measures of a section need."""

    @wraps(tidy)
    def tables(read: Any) -> Tables:
        made = tidy(read)
        for measure in section.measures:
            if measure.table and measure.table not in made:
                no = no_such("table", measure.table, made, "It makes")
                raise SectionError(
                    f"section {section.id!r}: measure {measure.name!r}: tidy makes {no}"
                )
        return made

    return tables


def _recorded(raw: Any, about: Any) -> Any:
    return raw, about


def _named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose errors say in which section and on which line."""

    def failed(error: Exception) -> SectionError:
        line = own_line(error)
        place = f": {line}" if line else ""
        return SectionError(f"section {name!r}: {error_text(error)}{place}")

    if isgeneratorfunction(function):

        @wraps(function)
        def generated(*given: Any) -> Iterator[Any]:
            try:
                yield from function(*given)
            except Exception as error:
                raise failed(error) from error

        return generated

    @wraps(function)
    def called(*given: Any) -> Any:
        try:
            return function(*given)
        except SectionError:
            raise
        except Exception as error:
            raise failed(error) from error

    return called


def _line_in(path: str, error: BaseException) -> str:
    """The line of a file at which it does not load; "" if the error says it."""
    frames = traceback.extract_tb(error.__traceback__)
    last = next((one for one in reversed(frames) if one.filename == path), None)
    return "" if last is None else f": {place_text(path, last.lineno or 0)}"

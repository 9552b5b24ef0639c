"""The columns of a play log: declared, known by their heading, or asked about.

A log is long, with one row per player and session, if a column names the player; else
it is wide, with one row per session and a column of scores for each person. Columns
that cannot be understood are refused with the option that would declare them; ignored
columns are listed.
"""

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from experiments.analysis.play_log_vocabulary import (
    ASKED,
    BOOKKEEPING,
    ROLES,
    UNCLEAR,
    key,
    role_of,
)
from experiments.core.cells import UsageError
from experiments.core.declared_columns import declared_columns
from experiments.core.spreadsheets import Sheet, is_number, quoted

COLUMNS = ("session", "player", "score", "position", "winner")
WANTED = (
    f"one row per player, as {','.join(COLUMNS)}; or one row per session, with a "
    "column of scores for each player, as session,Ana,Ben,Cleo"
)
_DECLARED = (*ROLES, "person", "ignore")
_SIMILAR = 0.75  # cutoff of difflib for headings that may be misspelt
Numbers = Sequence[float | None]


@dataclass(frozen=True)
class Columns:
    """How the columns of a heading were understood.

    ``roles``: the heading of each role. ``persons``: headings of the columns of scores,
    in the wide form. ``ignored``: headings that are not used.
    """

    roles: Mapping[str, str]
    persons: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    remarks: tuple[str, ...] = field(default=())

    def plain(self) -> dict[str, Any]:
        """Return everything as plain values, for a file."""
        return {
            "roles": dict(self.roles),
            "persons": list(self.persons),
            "ignored": list(self.ignored),
            "remarks": list(self.remarks),
        }

    @property
    def sentence(self) -> str:
        """Everything in one line."""
        read = ", ".join(f"{role} = {name}" for role, name in self.roles.items())
        who = f"a column of scores for each of {', '.join(self.persons)}"
        parts = [read, *[who] * bool(self.persons), *self.remarks]
        if self.ignored:
            hint = " (for a person of this name: --columns person=NAME)"
            hint *= bool(self.persons)
            parts.append(f"ignored: {', '.join(self.ignored)}{hint}")
        return f"Understood: {'; '.join(parts)}."


def read_heading(sheet: Sheet, declared: Sequence[str] = ()) -> Columns:
    """Find the role of each column; raises ``UsageError`` for one that is unclear.

    ``declared``: texts of ``ROLE=HEADING``, separated by commas. Roles are those of
    ``ROLES``, ``person`` (a column of this person's scores) and ``ignore``.
    """
    said = declared_columns(sheet, declared, _DECLARED, key)
    roles = _roles(sheet, said)
    if "session" not in roles:
        dates = (name for name in sheet.heading if key(name) in ("date", "datum"))
        date = next(dates, "HEADING")
        _missing(sheet, "session", roles, f" (--columns session={date})")
    if "player" in roles:
        return _long(sheet, said, roles)
    return _wide(sheet, said, roles)


def _roles(sheet: Sheet, said: Mapping[str, str]) -> dict[str, str]:
    """Map roles to headings, as declared or by their words."""
    roles = {role: name for name, role in said.items() if role in ROLES}
    if len(roles) < sum(role in ROLES for role in said.values()):
        raise UsageError("columns: a role is given to two columns; give it to one.")
    sure = set(roles)
    for name in sheet.heading:
        role = role_of(name)
        if name in said or not role or role in sure:
            continue
        if role in roles:
            other = roles[role]
            sheet.wrong(
                sheet.line,
                name,
                f"{other} and {name} both say {role}. Choose one: "
                f"{_option(role, other)} or {_option(role, name)}.",
            )
        roles[role] = name
    return {role: roles[role] for role in ROLES if role in roles}


def _option(role: str, name: str) -> str:
    """Return the option that declares a column on the command line."""
    text = f"{role}={name}"
    if any(c in text for c in ',"'):
        text = '"' + text.replace('"', '""') + '"'
    plain = all(c.isalnum() or c in "=_-." for c in text)
    return f"--columns {text}" if plain else f"--columns '{text}'"


def _missing(sheet: Sheet, role: str, roles: Mapping[str, str], how: str) -> None:
    """Refuse a heading that lacks a column."""
    free = {key(name): name for name in sheet.heading if name not in roles.values()}
    near = difflib.get_close_matches(role, free, n=1, cutoff=0.5)
    hint = f"; did you mean {free[near[0]]!r}?" if near else "."
    sheet.wrong(
        sheet.line,
        role,
        f"there is no such column{hint} Needed: {role}{how}; {WANTED}.",
    )


def _long(sheet: Sheet, said: Mapping[str, str], roles: dict[str, str]) -> Columns:
    """Check the columns of a table with one row per player."""
    rest = [name for name in sheet.heading if name not in roles.values()]
    for name in rest:
        if name not in said:
            _refuse_unclear(sheet, name, roles)
        elif said[name] == "person":
            words = f"each row here is of one player, named in {roles['player']}."
            sheet.wrong(sheet.line, name, words)
    if not {"score", "winner", "rank"} & set(roles):
        _missing(sheet, "score", roles, " or winner")
    return Columns(roles, ignored=tuple(rest))


def _refuse_unclear(sheet: Sheet, name: str, roles: Mapping[str, str]) -> None:
    """Refuse a column that may be more than a note."""
    word = key(name)
    if word in UNCLEAR:
        left = [role for role in UNCLEAR[word] if role not in roles]
        if left:
            words = f"it is not clear what this is. {_choice(name, left)}"
            sheet.wrong(sheet.line, name, words)
        if not UNCLEAR[word] and "position" not in roles:
            words = "this only says who was first; position is needed, with 1, 2, 3."
            sheet.wrong(sheet.line, name, f"{words} {_choice(name, ())}")
    elif word not in BOOKKEEPING:
        left = [role for role in COLUMNS if role not in roles]
        near = difflib.get_close_matches(word, left, n=1, cutoff=_SIMILAR)
        if near:
            words = f"there is no such column; did you mean {near[0]!r}?"
            sheet.wrong(sheet.line, name, f"{words} {_choice(name, near)}")


def _choice(name: str, roles: Sequence[str]) -> str:
    """Say how to declare a column."""
    ways = [f"{_option(role, name)} ({ASKED[role]})" for role in roles if role in ASKED]
    ways += [_option(role, name) for role in roles if role not in ASKED]
    return f"Say {' or '.join([*ways, _option('ignore', name)])}."


def _wide(sheet: Sheet, said: Mapping[str, str], roles: dict[str, str]) -> Columns:
    """Check the columns of a table with one row per session."""
    for role in ("score", "position", "rank"):
        if role in roles:
            _missing(sheet, "player", roles, f", beside {roles[role]}")
    rest = [name for name in sheet.heading if name not in roles.values()]
    for name in rest:
        if name not in said and key(name) in UNCLEAR and key(name) not in BOOKKEEPING:
            words = "this does not fit one row per session. Write one per player, as"
            sheet.wrong(
                sheet.line,
                name,
                f"{words} {','.join(COLUMNS)}; or say {_option('person', name)} or "
                f"{_option('ignore', name)}.",
            )
    ignored = [
        name
        for name in rest
        if said.get(name, "" if _kept_beside(name) else "person") != "person"
    ]
    persons = [name for name in rest if name not in ignored]
    for name in persons:
        if name not in said:
            _has_scores(sheet, name)
    if len(persons) < 2:
        _missing(sheet, "player", roles, "")
    strange = dict(_unlikely(sheet.numbers(persons), set(said)))
    for name, why in strange.items():
        ways = f"{_option('person', name)}, else {_option('ignore', name)}"
        sheet.wrong(sheet.line, name, f"{why} Is it a player? Then say {ways}.")
    return Columns(roles, tuple(persons), tuple(ignored))


def _kept_beside(name: str) -> bool:
    """Whether a heading is known not to be the name of a person."""
    return key(name) in BOOKKEEPING or bool(role_of(name))


def _has_scores(sheet: Sheet, name: str) -> None:
    """Refuse a column of words: it cannot be a person's scores."""
    cells = zip(sheet.rows, sheet.column(name), strict=True)
    filled = [(row.line, text) for row, text in cells if text]
    if filled and not any(is_number(text) for _, text in filled):
        near = difflib.get_close_matches(key(name), COLUMNS, n=1, cutoff=0.5)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        line, text = filled[0]
        words = f"{quoted(text)} in line {line} is not a score, so this is not a player"
        words += f"{hint}."
        sheet.wrong(sheet.line, name, f"{words} Say {_option('ignore', name)}.")


def _unlikely(
    columns: Mapping[str, Numbers], sure: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield columns that do not look like the scores of a person, and why.

    They are removed one by one, because one may hide another.
    """
    left = dict(columns)
    while len(left) > 2:
        for name, numbers in left.items():
            others = [values for other, values in left.items() if other != name]
            why = "" if name in sure else _why(numbers, others)
            if why:
                yield name, why
                del left[name]
                break
        else:
            return


def _why(mine: Numbers, others: Sequence[Numbers]) -> str:
    """Say why numbers are hardly the scores of a person; "" if they may be."""
    rows = [
        (value, [v for v in row if v is not None])
        for value, *row in zip(mine, *others, strict=True)
        if value is not None
    ]
    values = [value for value, _ in rows]
    rest = [v for _, row in rows for v in row]
    if len(rows) < 2 or not all(len(row) > 1 for _, row in rows):
        return ""
    full, count, same = len(rows) == len(mine), len(rows), len({*values}) == 1
    spread = max(rest) - min(rest)
    gap = max(min(values) - max(rest), min(rest) - max(values))
    reasons = {
        "it is the sum of the others in every line.": any(values)
        and all(math.isclose(v, sum(row)) for v, row in rows),
        "it is the mean of the others in every line.": not same
        and all(math.isclose(v, sum(row) / len(row)) for v, row in rows),
        "it is the number of players in every line.": full
        and count > 2
        and all(v == len(row) for v, row in rows),
        "it counts the lines.": full
        and count > 3
        and {b - a for a, b in pairwise(values)} == {1},
        f"it is {values[0]:g} in every line.": full
        and count > 3
        and same
        and values[0] not in (0, 1),
        f"its numbers ({min(values):g} to {max(values):g}) differ in size from those "
        f"of the others ({min(rest):g} to {max(rest):g}).": count > 2
        and 0 < spread < gap,
    }
    return next((why for why, holds in reasons.items() if holds), "")

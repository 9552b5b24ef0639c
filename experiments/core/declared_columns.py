"""Columns that a user declares, as ``ROLE=HEADING``, where headings do not say."""

import csv
from collections.abc import Callable, Collection, Sequence

from experiments.core.cells import UsageError
from experiments.core.spreadsheets import Sheet
from sim.parameters import no_such


def declared_columns(
    sheet: Sheet,
    declared: Sequence[str],
    roles: Collection[str],
    key: Callable[[str], str] = str.casefold,
    role: str = "role",
    example: str = "session=playid",
) -> dict[str, str]:
    """Map declared headings of a sheet to their roles; raises ``UsageError``.

    Args:
        sheet: whose headings they are.
        declared: texts of ``ROLE=HEADING``, separated by commas.
        roles: those that are allowed.
        key: what headings are compared by, if none is written exactly so.
        role, example: what a role is called, and a text, for messages.
    """
    roles_of: dict[str, str] = {}
    for text in (part for line in declared for part in next(csv.reader([line]), [])):
        said, equals, name = (part.strip() for part in text.partition("="))
        if not equals or not name:
            words = f"columns: {text!r} is not of the form {role.upper()}=HEADING"
            raise UsageError(f"{words}, as {example}.")
        if said not in roles:
            raise UsageError(f"columns: {no_such(role, said, roles)}")
        same = [heading for heading in sheet.heading if heading == name]
        same = same or [word for word in sheet.heading if key(word) == key(name)]
        if len(same) != 1:
            raise UsageError(
                f"columns: {no_such('column', name, sheet.heading, told='There are')}"
            )
        if same[0] in roles_of:
            raise UsageError(f"columns: {same[0]} is declared twice.")
        roles_of[same[0]] = said
    return roles_of

"""The glossary: the terms of fairdeal, for developers and for designers, from one file.

``glossary.toml`` has them; ``python -m reports.glossary`` makes ``docs/glossary.md``
from it, and the glossary of each report shows the terms with ``page``.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

HEADING = """# Glossary

The words of fairdeal's code, docs and reports: one thing has one word, and a word one
thing. Words in **bold** are also in the glossary of every report. `python -m
reports.glossary` makes this page from `reports/glossary.toml`.

| term | meaning | source |
|---|---|---|
"""


class Term(NamedTuple):
    """A word, its meaning in one sentence, and where it comes from.

    ``page``: whether it is in the glossary of reports, too.
    """

    term: str
    meaning: str
    source: str
    page: bool = False


@cache
def terms() -> tuple[Term, ...]:
    """Return all terms, in alphabetical order.

    >>> [entry.term for entry in terms()][:2]
    ['afterstate', 'arm']
    """
    text = files("reports").joinpath("glossary.toml").read_text("utf-8")
    entries = (Term(**entry) for entry in tomllib.loads(text)["terms"])
    return tuple(sorted(entries, key=lambda entry: entry.term))


def of_page() -> tuple[tuple[str, str, str, str], ...]:
    """Return the terms for designers, as rows of a report's glossary."""
    entries = (entry for entry in terms() if entry.page)
    return tuple((entry.term, entry.meaning, "term", "") for entry in entries)


def markdown() -> str:
    """Return the glossary as a page of the docs."""
    rows = (
        f"| {f'**{term}**' if page else term} | {meaning} | {source} |\n"
        for term, meaning, source, page in terms()
    )
    return HEADING + "".join(rows)


if __name__ == "__main__":
    print(markdown(), end="")

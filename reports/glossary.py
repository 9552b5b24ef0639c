"""The glossary: the terms of fairdeal, for developers and for designers, from one file.

``glossary.toml`` has them; ``docs/glossary.md`` is made of it by ``python -m
reports.glossary``, and the glossary of each report shows those of its page.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

HEADING = """# Glossary

The words of fairdeal's code, docs and reports: one thing has one word, and a word one
thing. Words in **bold** are also in the glossary of every report. Made of
`reports/glossary.toml` by `python -m reports.glossary`.

| term | meaning | source |
|---|---|---|
"""


class Term(NamedTuple):
    """A word, its meaning in one sentence, and where it comes from.

    ``page``: the glossary of a report has it, too.
    """

    term: str
    meaning: str
    source: str
    page: bool = False


@cache
def terms() -> tuple[Term, ...]:
    """All terms, in alphabetical order.

    >>> [one.term for one in terms()][:2]
    ['ablation', 'afterstate']
    """
    text = files("reports").joinpath("glossary.toml").read_text("utf-8")
    every = (Term(**entry) for entry in tomllib.loads(text)["terms"])
    return tuple(sorted(every, key=lambda term: term.term))


def of_page() -> tuple[tuple[str, str, str, str], ...]:
    """The terms for designers, as rows of a report's glossary."""
    return tuple((one.term, one.meaning, "term", "") for one in terms() if one.page)


def markdown() -> str:
    """The glossary as a page of the docs."""
    rows = (
        f"| {f'**{one.term}**' if one.page else one.term} | {one.meaning} | "
        f"{one.source} |\n"
        for one in terms()
    )
    return HEADING + "".join(rows)


if __name__ == "__main__":
    print(markdown(), end="")

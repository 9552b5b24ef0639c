"""The glossary: one file for the docs and for the page of reports."""

from collections import Counter
from pathlib import Path

import pytest

from reports import glossary

DOCS = Path(__file__).parents[2] / "docs/glossary.md"


def test_the_docs_have_the_same_terms():
    """As ``python -m reports.glossary > docs/glossary.md`` writes them."""
    assert DOCS.read_text("utf-8") == glossary.markdown()


def test_each_term_is_one_sentence_with_a_source():
    assert 40 <= len(glossary.terms()) <= 60
    twice = {
        term for term, n in Counter(t.term for t in glossary.terms()).items() if n > 1
    }
    assert not twice
    for term in glossary.terms():
        assert term.source, term
        assert term.meaning[0].isupper() or term.meaning[0].isdigit(), term
        assert term.meaning.endswith("."), term
        assert ". " not in term.meaning, term


@pytest.mark.parametrize("term", ["position", "interval", "verdict", "search"])
def test_the_page_has_the_words_of_designers(term):
    assert term in {row[0] for row in glossary.of_page()}


def test_the_page_has_no_word_of_developers():
    assert not {"mask", "rollout", "batch"} & {row[0] for row in glossary.of_page()}

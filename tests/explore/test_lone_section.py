"""A section made by itself shows what it shows in a report of the same games."""

import re
from functools import partial

import pytest

import fairdeal as fd
from experiments.analysis.lone_section import lone_section
from experiments.core.cells import Cell
from experiments.explore.page_workers import PageWorkers

GAMES = 192


def made(id_, cell, block):
    workers = PageWorkers(1)
    work = {
        "backend": partial(workers.play, wanted=lambda: True),
        "make": partial(workers.make, wanted=lambda: True),
    }
    try:
        return lone_section(id_, cell, GAMES, block=block, **work)
    finally:
        workers.close()


def parts(html):
    """The titles, texts and numbers of a section."""
    words = r"<(h3|td|dd|span|p class=\"note\")[^>]*>(.*?)</"
    html = re.sub(
        r'<figure>.*?</figure>|<p class="files">.*?</p>', "", html, flags=re.S
    )
    return [text for _, text in re.findall(words, html)]


@pytest.mark.parametrize(
    ("lineup", "changes"),
    [
        pytest.param("allround", {}, marks=pytest.mark.slow),  # the whole panel
        ("gambler,allround,allround,allround", {"life": 4}),
    ],
)
def test_it_is_that_of_a_report(tmp_path, lineup, changes):
    rules = fd.RuleSet.of("kunitame", changes)
    cell = Cell("kunitame", rules.values, 4, tuple(lineup.split(",")), True, 1)
    one, other = (made("contracts", cell, block) for block in (GAMES, 80))
    how = {} if lineup == "allround" else {"lineup": lineup}
    fd.report(
        rules,
        players=4,
        games=GAMES,
        search_games=0,
        sections=["contracts"],
        seed=1,
        jobs=1,
        out=tmp_path / "report",
        **how,
    )
    page = (tmp_path / "report/details.html").read_text()
    section = page.split('<section id="contracts">')[1].split("</section>\n</det")[0]
    assert parts(one) == parts(section)
    assert len(parts(one)) > 100
    assert one.count("<figure>") == section.count("<figure>") > 0
    assert 'class="files"' not in one  # there are none
    assert parts(other) == parts(one)

"""Page one in a browser: clean, nothing cut off, and what is folded is not printed."""

import re

import pytest

from experiments.analysis import balance_report
from tests import chromium
from tests.reports.bags import bags

__all__ = ["bags"]


@pytest.mark.slow
@chromium.needs_chromium
def test_the_page_opens_clean_and_prints_short_or_whole(bags, tmp_path):
    pages = {}
    for full in (False, True):
        done = balance_report.report(
            "bags", games=400, search_games=0, seed=5, full=full, out=tmp_path / "run"
        )
        name = "full" if full else "short"
        text, console = chromium.dom(done.page, tmp_path / f"{name} dom")
        assert console == []
        assert "What to do" in text
        assert not re.search(r'(src|href)="https?:', text)
        for wide in (1400, 390) if full else ():
            profile = tmp_path / f"{name} {wide}"
            assert chromium.cut_off(done.page, profile, f"{wide},1600") == []
        paper = tmp_path / f"{name}.pdf"
        chromium.pdf(done.page, tmp_path / f"{name} pdf", paper)
        pages[name] = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert pages["short"] <= 8 < pages["full"]

"""A/A: the report of a game of pure dice finds no difference, for there is none."""

import pytest

from experiments.analysis import balance_report
from reports import report_files
from tests.reports.dice import dice  # noqa: F401 - a fixture

EVEN = ("less than 2 points", "is not shown to beat")


@pytest.fixture
def quick(monkeypatch):
    """No figures: they take longer than the rest."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})


def differences(seed, games, folder):
    """The claims of a report, labelled sure, that something differs."""
    done = balance_report.report(
        "dice",
        sections=["all"],
        games=games,
        players=[4],
        seed=1_000 * seed,
        out=folder,
    )
    claims = [finding.text for finding in done.found if finding.sure == "sure"]
    assert all(finding.tested for finding in done.found if finding.sure == "sure")
    return [text for text in claims if not any(words in text for words in EVEN)]


@pytest.mark.parametrize(
    ("games", "reports"),
    [
        (20, 4),
        pytest.param(20, 200, marks=pytest.mark.soak),
        pytest.param(2_000, 200, marks=pytest.mark.soak),
        pytest.param(20, 40, marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("dice", "quick")
@pytest.mark.slow
def test_reports_of_dice_find_no_difference(games, reports, tmp_path):
    found = [differences(n, games, tmp_path / str(n)) for n in range(reports)]
    assert sum(map(bool, found)) <= 0.05 * reports, found

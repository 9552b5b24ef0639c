"""Reports of every rule at both ends of its range: each is made, with true shares."""

import re
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

import pytest

from experiments.analysis import balance_report, panel, report_pages
from reports import report_files
from reports.course.turning_points import GAP
from reports.report_document import ReportDocument
from sim.games import REGISTRY, load
from strategies.registry import builtin
from tests.reports.rule_ends import End, Ends

pytestmark = pytest.mark.slow
GAMES = 48
REFUSED = {
    "article_ii": 1,
    "devil": 7,
    "drake": 7,
    "evilpact": 8,
    "kbernestich": 9,
    "kunitame": 11,
    "socialism": 4,
}
"""Ends that rules refuse, as they do not fit the others: some of them, at least."""


def ends_of(name: str) -> Ends:
    game = load(name)
    return Ends(game, 4 if 4 in game.players else game.players[0])


@pytest.fixture
def make(monkeypatch, tmp_path) -> Callable[..., ReportDocument]:
    """Makes a report without figures, and gives what is on its page."""
    pages: list[ReportDocument] = []
    write = report_pages.Pages.write

    def kept(self: Any, made: ReportDocument, draw: Any = None) -> Any:
        pages.append(made)
        return write(self, made, draw)

    def made(end_of: Ends, rules: Any, **how: Any) -> ReportDocument:
        out = tmp_path / f"{len(pages)}"
        balance_report.report(
            end_of.game.id,
            sections=["all"],
            games=GAMES,
            search_games=0,
            players=(end_of.players,),
            rules=rules,
            seed=21,
            out=out,
            **how,
        )
        text = (out / "report.md").read_text("utf-8")
        assert not re.search(r"\b(nan|inf)\b", text)
        return pages[-1]

    monkeypatch.setattr(report_pages.Pages, "write", kept)
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    return made


def odd_shares(made: ReportDocument) -> Iterator[str]:
    """Shares that are none, differences of shares too, and intervals beside them."""
    for exhibit in made.exhibits:
        for column in exhibit.columns:
            if column.style not in ("share", "points"):
                continue
            for row in exhibit.table.rows(named=True):
                value = row[column.name]
                less = column.style == "points" or row.get("what") == GAP
                least = -1.0 if less else 0.0
                if value is None:
                    continue
                ends = [row[end] for end in (column.low, column.high) if end]
                low, high = (one for one in (*ends, value, value)[:2])
                low, high = (value if one is None else one for one in (low, high))
                if not (
                    isfinite(value) and least <= value <= 1 and low <= value <= high
                ):
                    yield f"{exhibit.id}, {column.name}: {low} {value} {high}"


@pytest.mark.parametrize("name", REGISTRY)
def test_every_rule_at_both_ends(name, make):
    """One lineup, with all sections; what the rules refuse they refuse in words."""
    known, wrong, refused = ends_of(name), {}, []
    for end in known.every():
        said = ", ".join(f"{key}={value}" for key, value in end.changes.items())
        if end.rules is None:
            refused.append(end)
            continue
        try:
            made = make(known, end.rules, lineup="allround")
        except Exception as error:
            wrong[said] = repr(error.__cause__ or error)
            continue
        odd = [*odd_shares(made)]
        if odd:
            wrong[said] = "; ".join(odd)
    assert wrong == {}
    assert len(refused) >= REFUSED[name]
    assert all(words(end) for end in refused)


def words(end: End) -> bool:
    """Whether the refusal is a sentence that names a rule."""
    return bool(re.match(r"[a-z_0-9.-]+(, [a-z_0-9.-]+)*: .*\.$", end.refusal, re.S))


@pytest.mark.parametrize("side", ["least", "most"])
@pytest.mark.parametrize("name", REGISTRY)
def test_the_panel_with_all_rules_at_one_end(name, side, make, monkeypatch):
    """The whole report and the quick one: what is tried, told and given, too."""
    names = {one: builtin(name)[one] for one in ("random", "allround")}
    monkeypatch.setattr(panel.strategies.registry, "builtin", lambda _: names)
    known = ends_of(name)
    rules = known.joint(side)
    assert len(rules.differences()) > 4
    for quick in (True, False):
        assert [*odd_shares(make(known, rules, quick=quick))] == []

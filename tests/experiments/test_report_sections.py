"""Sections of a report are made when they are asked for, as in a whole report."""

import html
import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from experiments import api
from experiments.analysis import balance_report
from experiments.analysis.panel_cells import detailed_of
from experiments.analysis.report_sections import sections_to_make
from experiments.core.cells import UsageError
from experiments.core.measures import report_of
from experiments.execution.checksummed_json import DamagedFile
from reports import notable_games, report_files
from reports.scorecard.lines import LINES
from sim.games import REGISTRY, load

FEW: dict[str, Any] = {"games": 48, "search_games": 0, "seed": 6}
CHEAP = "kunitame"
ROBUST = "robust"
"""The section about the claims of all others; it depends on which are made."""


@pytest.fixture(autouse=True)
def undrawn(monkeypatch):
    """Figures take most of the time, and are made of the tables."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})


def made(
    game: str, out: Path, *sections: str, **more: Any
) -> balance_report.ReportDone:
    how = {"players": [detailed_of(load(game).players)], **FEW, **more}
    return balance_report.report(game, sections=sections, out=out, **how)


@pytest.fixture(scope="module")
def page_one(
    tmp_path_factory: pytest.TempPathFactory,
) -> balance_report.ReportDone:
    """A report in which no section is named; not to be changed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_files, "pictures", lambda *_: {})
        return made(CHEAP, tmp_path_factory.mktemp("page-one"))


def outline(out: Path) -> dict[str, dict[str, Any]]:
    """What a report says in its sections, by id."""
    page = json.loads((out / "report.json").read_text())
    return {section["id"]: section for section in page["sections"]}


def tables(out: Path, section: dict[str, Any]) -> list[pl.DataFrame]:
    """Without the numbers of cells, which count those that are played."""
    every = (pl.read_parquet(out / one["table"]) for one in section["exhibits"])
    return [table.drop("cell", strict=False) for table in every]


def played(out: Path) -> dict[str, int]:
    """When each block of games was written."""
    files = out.glob("**/blocks/*")
    return {str(file.relative_to(out)): file.stat().st_mtime_ns for file in files}


@pytest.mark.parametrize(
    "game",
    [pytest.param(g, marks=[pytest.mark.slow] * (g != CHEAP)) for g in REGISTRY],
)
def test_sections_are_as_in_the_whole_report_without_what_they_do_not_name(
    game, tmp_path
):
    """Made without the games that others need; and none is played again."""
    short = made(game, tmp_path / "short")
    made(game, tmp_path / "all", "all")
    page_one = (tmp_path / "short" / "scorecard.json").read_bytes()
    assert page_one == (tmp_path / "all" / "scorecard.json").read_bytes()
    left = [link.id for link in short.left if link.id != "levers"]  # not in "all"
    whole, there = outline(tmp_path / "all"), outline(tmp_path / "short")
    assert (sorted([*left, *there]), left) == (sorted(whole), left)
    as_in_all(tmp_path / "short", there)
    for number, needing in enumerate(report_of(game).what_ifs.values()):
        if not there.keys().isdisjoint(needing):
            continue
        out = shutil.copytree(tmp_path / "short", tmp_path / str(number))
        before, others = played(out), {*left} - {*needing}
        more = {link.id for link in made(game, out, *others).left}
        assert more == {*needing, "levers"}
        assert before.items() <= played(out).items()
        as_in_all(out, outline(out))


def as_in_all(out: Path, found: dict[str, Any]) -> None:
    """Sections are, number by number, those of the report with all."""
    whole = outline(out.parent / "all")
    for name in {*found} - {ROBUST}:
        assert found[name] == whole[name]
        pairs = zip(
            tables(out, found[name]),
            tables(out.parent / "all", whole[name]),
            strict=True,
        )
        assert all(mine.equals(other) for mine, other in pairs)


def test_sections_gather_in_a_directory(page_one, tmp_path):
    out = shutil.copytree(page_one.page.parent, tmp_path / "out")
    made(CHEAP, out, "cards")
    made(CHEAP, out, "returns")
    found = outline(out)
    assert {"cards", "returns", "seats"} <= {*found}
    before = played(out)
    made(CHEAP, out)
    assert (outline(out), played(out)) == (found, before)


def test_page_one_comes_with_the_sections_behind_it(page_one):
    out = page_one.page.parent
    behind = {line.section for line in page_one.verdict.lines} - {""}
    behind |= {sentence.section for sentence in page_one.verdict.sentences} - {""}
    assert behind <= {*outline(out)}
    assert not (out / "what-ifs").exists(), "nothing is played for other sections"


def test_every_other_section_is_a_line_with_its_command(page_one):
    page = page_one.page.read_text()
    for link in page_one.left:
        for words in (html.escape(link.question), f"--section {link.id}<"):
            assert words in page
    titles = {link.id: link.title for link in page_one.left}
    assert titles["contracts"] == "Contracts"
    assert notable_games.LINK.id in titles


@pytest.mark.parametrize(
    ("name", "near"), [("contrakts", "contracts"), ("Pledges", "pledges"), ("", "")]
)
def test_an_unknown_section_is_refused_with_all_that_there_are(tmp_path, name, near):
    with pytest.raises(UsageError, match=f"no section {name!r}") as bad:
        made(CHEAP, tmp_path, name)
    assert not near or f"did you mean {near!r}?" in str(bad.value)
    for section in report_of(CHEAP).sections:
        assert section.id in str(bad.value)
    assert [*tmp_path.iterdir()] == []


def test_the_command_adds_sections_to_a_directory(tmp_path, fairdeal):
    """Separated by commas, or one after the other; others stay on the page."""
    out = tmp_path / "out"
    few = ["-n", "24", "--search-games", "0", "--players", "3", "--seed", "1"]
    said = fairdeal("report", CHEAP, *few, "--out", str(out), "-j", "1").output
    assert "--section ID: pledges, contracts, returns, cards, economy, watch" in said
    more = ("--section", "cards,returns", "--section", "watch")
    assert fairdeal("report", str(out), *more, "-j", "1").exit_code == 0
    assert {"cards", "returns", "watch"} <= {*outline(out)}
    told = json.loads(fairdeal("report", str(out), "--json", "-j", "1").output)
    assert told["left"] == ["pledges", "contracts", "economy", "trust", "levers"]
    bad = fairdeal("report", str(out), "--section", "card", "-j", "1")
    assert bad.exit_code == 2
    assert "did you mean 'cards'?" in bad.output


def test_in_the_directory_of_a_report_nothing_else_can_be_asked_for(tmp_path, fairdeal):
    out = str(tmp_path / "out")
    few = ("-n", "4", "--quick", "--seed", "1", "-j", "1")
    assert fairdeal("report", CHEAP, *few, "--out", out).exit_code == 0
    others = ("--games", "48"), ("--seed", "2"), ("--lineup", "greedy"), ("--out", "x")
    for option, value in others:
        bad = fairdeal("report", out, option, value, "-j", "1")
        assert bad.exit_code == 2
        assert f"error: {option}: " in bad.stderr
        assert "Allowed: --section, --settle, --full" in bad.stderr


def test_other_directories_hold_no_report(tmp_path, fairdeal):
    out = tmp_path / "out"
    words = (CHEAP, "-n", "4", "--out", str(out), "-j", "1")
    assert fairdeal("run", *words).exit_code == 0
    bad = fairdeal("report", str(out), "--section", "cards")
    assert "has results of `fairdeal run`, and no report" in bad.stderr
    near = fairdeal("report", str(tmp_path / "oot"), "--section", "cards")
    assert "did you mean 'out'?" in near.stderr
    assert {bad.exit_code, near.exit_code} == {2}


@pytest.mark.parametrize("more", [{"full": True}, {"sections": ["cards"]}])
def test_a_quick_report_has_no_further_sections(tmp_path, more):
    with pytest.raises(UsageError, match="quick: such a report has page one only"):
        balance_report.report(CHEAP, quick=True, out=tmp_path, **more)


def test_a_section_can_be_named_without_a_list(tmp_path):
    few = {"games": 4, "players": 3, "search_games": 0, "seed": 1, "jobs": 1}
    done = api.report(CHEAP, out=tmp_path, sections="cards", **few)
    assert "cards" in outline(tmp_path)
    assert "cards" not in {link.id for link in done.left}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"sections": [1]}'])
def test_a_damaged_report_does_not_lose_the_sections_that_were_added(text, tmp_path):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(DamagedFile, match=r"report\.json is damaged: .*--section ID"):
        sections_to_make(report_of(CHEAP), LINES, (), tmp_path)

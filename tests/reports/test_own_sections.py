"""Sections of one's own: counted and shown, and errors that name the line."""

import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import fairdeal as fd
from experiments.commands import cli
from experiments.core import own_sections
from experiments.core.cells import UsageError
from experiments.core.measures import measures_of, report_of

PAGE = Path(__file__).parents[2] / "docs" / "reports.md"
MEASURE = "turns with a Treasure"
FEW = {"games": 16, "seed": 1, "jobs": 1, "detailed": True}


def example() -> str:
    """The file that the page shows."""
    block = r"```python\n(# my_section\.py\n.*?)```"
    return re.search(block, PAGE.read_text("utf-8"), re.DOTALL)[1]


def written(folder: Path, text: str) -> Path:
    (folder / "my_section.py").write_text(text)
    return folder / "my_section.py"


def test_what_the_section_counts_is_counted_by_turn(tmp_path):
    file = written(tmp_path, example())
    with own_sections.adding([file]) as ids:
        assert ids == ["treasures"]
        assert MEASURE in measures_of("drake")
        kept = {"tables": ["play"], "out": tmp_path / "r"}
        run = fd.play("drake", lineup="random", **kept, **FEW)
        plays = run.raw("play")
        first = run[MEASURE].filter(five=1).row(0, named=True)
    early = plays.filter(plays["turn"] <= 5)
    assert first["n"] == early.height
    assert first["estimate"] == (early["chosen"] == "treasure").mean()
    assert MEASURE not in measures_of("drake")


def test_a_run_with_a_section_is_another_run(tmp_path):
    """Its blocks have other sums, so it does not go on with those of one without."""
    fd.play("drake", lineup="random", out=tmp_path / "r", **FEW)
    with (
        own_sections.adding([written(tmp_path, example())]),
        pytest.raises(UsageError, match="sections"),
    ):
        fd.play("drake", lineup="random", out=tmp_path / "r", **FEW)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("import polars", "import polarz", "my_section.py, line 2, `import polarz"),
        ("records=(", "recrds=(", "recrds"),
        ("SECTION = ReportSection(", "SECTION = dict(", "no section is there"),
        ('id="treasures"', 'id="virtues"', "has a section 'virtues' already"),
        ("tidy=plays,", "", "its section has no tidy tables"),
        ('by=("five",)', 'by=("six",)', "group 'six'"),
        ("def plays(read):", "def plays(read)", "line 21"),
        ("SECTION = ", "FIRST = SECTION = ", "a section 'treasures' already"),
    ],
)
def test_a_wrong_section_is_refused_before_anything_is_played(old, new, why, tmp_path):
    file = written(tmp_path, example().replace(old, new))
    with pytest.raises(UsageError, match=re.escape(why)), own_sections.adding([file]):
        report_of("drake")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match="my_section"):
        fd.report("drake", add_section=[tmp_path / "my_section.py"])


def test_an_error_while_it_counts_names_the_line(tmp_path):
    text = example().replace('raw["play"]', 'raw["plays"]')
    with (
        own_sections.adding([written(tmp_path, text)]),
        pytest.raises(Exception, match=r"my_section.py, line 24, `return"),
    ):
        fd.play("drake", lineup="random", **FEW)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('("play",)', '("plai",)', "records: no table 'plai'; did you mean 'play'?"),
        ('{"plays": raw', '{"playz": raw', "no table 'plays'; did you mean 'playz'?"),
        ('pl.col("turn")', 'pl.col("trick")', 'unable to find column "trick"'),
    ],
)
def test_what_cannot_be_counted_is_told_before_games(old, new, why, tmp_path):
    file = written(tmp_path, example().replace(old, new))
    told = []
    with pytest.raises((UsageError, own_sections.SectionError), match=re.escape(why)):
        fd.report(
            "drake", add_section=file, games=16, seed=1, jobs=1, out=tmp_path / "r",
            progress=lambda *count: told.append(count),
        )  # fmt: skip
    assert not told


def test_its_errors_are_told_as_the_author_s_own():
    """Not as errors of fairdeal that nobody expected."""
    message, _, code = cli._described(own_sections.SectionError("section 'x': why"))
    assert (message, code) == ("section 'x': why", 1)


def test_packages_bring_sections(monkeypatch):
    entry = EntryPoint("drake.x", "reports.drake.nothing:SECTION", own_sections.GROUP)
    monkeypatch.setattr(own_sections, "entry_points", lambda group: [entry])
    with pytest.raises(UsageError, match=r"section 'drake.x'"):
        own_sections.with_own_sections("drake", report_of("drake"))
    assert own_sections.with_own_sections("devil", report_of("devil"))


@pytest.mark.slow
def test_the_report_has_the_section(tmp_path):
    made = fd.report(
        "drake",
        add_section=[written(tmp_path, example())],
        out=tmp_path / "r",
        games=16,
        players=3,
        lead="allround",
        settle=0,
        adapt=0,
        cures=0,
        search_games=0,
        seed=1,
        jobs=2,
    )
    assert "Treasures, by turn" in (made.page.parent / "report.md").read_text()

"""A study, a sweep and a tournament as pages: they say what was planted."""

from experiments.analysis import study_groups, study_report, tournament_report
from experiments.analysis.tournament import tournament
from experiments.studies import run_study
from experiments.studies.study import parse
from tests.reports.planted import dice

__all__ = ["dice"]
STUDY = {"game": "dice", "lineups": ["bold"], "players": 2, "games": 1_024, "seed": 3}
GAP = {"seats": {"measure": "won by position", "gap": 0.1}}


def told(report):
    return [finding.text for finding in report.findings]


def test_a_study_answers_with_differences_to_its_base(dice, tmp_path):
    variants = {"gift": {"rules": {"head_start": 8}}, "base": {}}
    asked = {"question": "Is a head start fair?", "variants": variants}
    done = run_study.run_study(parse({**STUDY, **asked}))
    page = study_report.write(done, tmp_path)
    groups = study_groups.score_groups(done)
    assert [group.labels[group.base] for group in groups] == ["base"]
    report = study_report.report(done, groups)
    assert report.title == "Is a head start fair?"
    assert any(
        text.startswith("gift: less fair (gap of positions") for text in told(report)
    )
    assert "gift: less fair" in page.read_text()
    assert not any("base:" in text for text in told(report))
    drawn = {exhibit.id for exhibit in report.exhibits if exhibit.figure is not None}
    assert {"differences", "line-positions"} <= drawn


def test_a_sweep_has_curves_and_the_region_that_meets_all_targets(dice):
    design = {"kind": "grid", "vary": {"rules.head_start": [0, 4, 8]}}
    done = run_study.run_study(parse({**STUDY, "design": design, "targets": GAP}))
    report = study_report.report(done, study_groups.score_groups(done))
    assert "All targets are shown to be met at: head_start 0." in told(report)
    by_id = {exhibit.id: exhibit for exhibit in report.exhibits}
    curve = by_id["along-positions"]
    assert curve.figure is not None
    found = curve.table.select("head_start", "verdict").rows()
    assert found[0][1] != "broken"
    assert found[1:] == [(4, "broken"), (8, "broken")]


def test_a_sweep_of_two_keys_is_a_map(dice):
    vary = {"rules.head_start": [0, 8], "rules.die": [10, 20]}
    done = run_study.run_study(
        parse({**STUDY, "design": {"kind": "grid", "vary": vary}, "targets": GAP})
    )
    report = study_report.report(done, study_groups.score_groups(done))
    assert any("head_start 0, die 10" in text for text in told(report))
    drawn = {exhibit.id for exhibit in report.exhibits if exhibit.figure is not None}
    assert {"targets-met", "along-positions"} <= drawn


def test_a_tournament_as_a_page(dice, tmp_path):
    found = tournament("dice", ["bold", "humble", "random"], players=2, games=512)
    page = tournament_report.write(found, tmp_path)
    first, *_ = told(tournament_report.report(found))
    assert "bold" in first
    text = page.read_text()
    for heading in ("Who is strong", "Who beats whom", "What would survive"):
        assert heading in text

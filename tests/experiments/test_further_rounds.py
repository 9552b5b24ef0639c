"""Strong players play on while a finding is open, and no longer."""

from dataclasses import replace

import polars as pl
import pytest

from experiments.analysis import balance_report, further_rounds
from experiments.analysis.further_rounds import FurtherRounds
from experiments.analysis.leader import Leader
from experiments.analysis.panel import Panel
from experiments.core.measures import report_of
from reports import report_files
from reports.further_games import SearchSums
from sim.games import load
from tests.reports.planted import dice

__all__ = ["dice"]
FIRST = 64


@pytest.fixture
def ways(dice, tmp_path, monkeypatch):
    """The table of ways to play of a report, by rules and seconds."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})

    def report(settle, out="out", games=4_096, **rules):
        done = balance_report.report(
            "dice",
            games=games,
            search_games=FIRST,
            settle=settle,
            seed=3,
            lead=Leader("allround"),
            rules=dice.rules.of(rules),
            out=tmp_path / out,
        )
        where = tmp_path / out / "tables" / "robust-findings.parquet"
        rows = pl.read_parquet(where).filter(skilled="players who search")
        return rows.filter(finding=rows["finding"][0]).row(0, named=True), done

    return report


def test_a_finding_that_few_games_leave_open_is_settled(ways, tmp_path):
    few, _ = ways(0, "few", head_start=4)
    assert (few["holds"], few["n"]) == ("not settled", FIRST)
    assert few["more_games"] > FIRST
    many, _ = ways(60, "many", head_start=4)
    assert many["holds"] == "agrees"
    assert many["n"] > FIRST
    assert many["more_games"] is None
    assert any((tmp_path / "many" / further_rounds.ROUNDS).iterdir())


def test_what_few_games_settle_gets_no_more(ways, tmp_path):
    row, _ = ways(60, head_start=30)
    assert (row["holds"], row["n"]) == ("agrees", FIRST)
    assert not (tmp_path / "out" / further_rounds.ROUNDS).exists()


def test_what_stays_open_says_how_many_games_would_settle_it(ways):
    row, done = ways(3, head_start=2)
    assert row["holds"] == "not settled"
    [text] = [text for text in done.findings if "players who search (" in text]
    assert "games more" in text
    assert "--settle" in done.findings[-2]


def test_more_time_goes_on_from_what_was_played(ways, monkeypatch):
    before, _ = ways(3, head_start=4)
    again, _ = ways(3, head_start=4)
    assert again == before
    played, run = [], further_rounds.play_round

    def watched(runs, jobs):
        played.extend(number for one in runs for number in one.games)
        return run(runs, jobs)

    monkeypatch.setattr(further_rounds, "play_round", watched)
    after, _ = ways(60, head_start=4)
    assert after["holds"] == "agrees"
    assert after["n"] == FIRST + sum(played)


def test_the_leading_players_play_on_while_their_own_line_is_open(ways):
    def line_of(settle):
        _, done = ways(settle, f"{settle}", games=512)
        table = done.page.with_name("tables") / "scorecard.parquet"
        [line] = pl.read_parquet(table).filter(line="positions").to_dicts()
        return line, next(text for text in done.findings if "position" in text)

    few, open_text = line_of(0)
    assert few["verdict"] == "fair or watch"
    assert "may or may not matter" in open_text
    many, text = line_of(60)
    assert many["verdict"] == "fair"
    assert many["n"] > few["n"]
    assert many["high"] - many["low"] < few["high"] - few["low"]
    assert "matters by less than 2 points" in text
    assert line_of(60) == (many, text)


def tables(seconds):
    """The searchers of a report, and their rounds, of which none is played."""
    rules = load("kunitame").rules.of()
    panel = Panel("kunitame", rules, (3, 4), (3, 4), 1, (), ())
    searching = panel.search_cells("search:samples=4", 256)
    none = pl.DataFrame()
    first = [SearchSums(none, none, games) for _, games in searching]
    made = FurtherRounds(searching, report_of("kunitame"), seconds, 1, None)
    return made, first


def rounds_of(monkeypatch, tmp_path, seconds, needed):
    """The tables that play on in each round, and all that was played."""
    made, first = tables(seconds)
    made = replace(made, out=tmp_path)
    rounds = []

    def round_of(runs, _):
        rounds.append([(run.cells[0].cell.players, run.games[0]) for run in runs])
        return [pl.DataFrame()] * len(runs)

    monkeypatch.setattr(further_rounds, "play_round", round_of)
    monkeypatch.setattr(further_rounds, "merge", lambda frames: frames[0])
    return rounds, made.of(first, needed)


def test_the_quickest_come_first_and_time_is_kept(monkeypatch, tmp_path):
    def needed(played):
        return {at: 8_000 for at, one in enumerate(played) if at < 2}

    rounds, played = rounds_of(monkeypatch, tmp_path, 10.0, needed)
    assert rounds
    cost = report_of("kunitame").search_seconds
    took = sum(games * cost * n / 4 for each in rounds for n, games in each)
    assert 0 < took <= 10
    assert [one.wider > 1 for one in played] == [True, True, False]


def test_nobody_plays_on_without_time(monkeypatch, tmp_path):
    rounds, played = rounds_of(monkeypatch, tmp_path, 0.0, lambda _: {0: 500, 1: 500})
    assert not rounds
    assert [(one.games, one.wider) for one in played] == [(64, 1), (256, 1), (256, 1)]


def test_what_is_on_the_line_ends(monkeypatch, tmp_path):
    def needed(_):
        return {1: float("inf")}

    _, played = rounds_of(monkeypatch, tmp_path, 5_000.0, needed)
    assert [one.games for one in played] == [64, 4_096, 256]

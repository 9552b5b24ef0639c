"""A report of a low score that wins is that of a high score, in the mirror.

Who is ahead is declared (``sim.scores.Score``). Were it guessed anywhere, who leads
would be told as who is last.
"""

import json
from dataclasses import replace
from importlib import import_module

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from experiments.analysis import balance_report, notable_games
from experiments.core.cells import Cell
from experiments.core.measures import _report_of, measures_of
from experiments.execution.run import run
from reports import report_files, report_registry
from reports.course.measures import COURSE_MEASURES
from sim.games import REGISTRY, GameError, load
from sim.narration import Narrator
from sim.scores import Score
from tests.reports.coins import GAME as COINS
from tests.reports.mirrored import mirrored
from tests.reports.toys import registered

PRINTED = {"course-standing", "watch-typical"}
"""Tables that print scores."""


def forget():
    """Reports are kept by the name of a game."""
    _report_of.cache_clear()


@pytest.fixture(autouse=True)
def _fresh():
    forget()
    yield
    forget()


def made(game, out, monkeypatch):
    """The report of a toy game: page one, findings, and tables but for scores."""
    registered(monkeypatch, game, "coins")
    return reported(game, out, monkeypatch, 4, 200)


def reported(game, out, monkeypatch, players, games):
    """The whole report of a game: page one, findings, and tables."""
    forget()
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    done = balance_report.report(
        game.id,
        sections=["all"],
        games=games,
        players=(players,),
        search_games=0,
        seed=3,
        out=out,
    )
    page = json.loads((out / "scorecard.json").read_text())
    tables = {path.stem: pl.read_parquet(path) for path in out.glob("tables/*.parquet")}
    return page, done.findings, tables


@pytest.mark.parametrize("whole", [0, 100])
def test_the_report_of_a_low_score_that_wins(whole, tmp_path, monkeypatch):
    page, findings, tables = made(COINS, tmp_path / "most", monkeypatch)
    low = mirrored(COINS, whole)
    assert low.score.wins == low.standing.wins == "fewest"
    other, said, others = made(low, tmp_path / "fewest", monkeypatch)
    assert other == page
    assert said == findings
    assert others.keys() == tables.keys()
    assert tables.keys() > PRINTED
    for name in tables.keys() - PRINTED:
        one, two = (
            some[name].select(pl.exclude("^last.*$")) for some in (tables, others)
        )
        assert_frame_equal(one, two, abs_tol=0 if whole == 0 else 1e-6)
    printed = (
        some["course-standing"].select("quarter", "estimate")
        for some in (tables, others)
    )
    high, down = (frame["estimate"].to_list() for frame in printed)
    assert down == pytest.approx([whole - one for one in high])


def test_a_number_may_be_called_whatever_people_call_it(tmp_path, monkeypatch):
    """Words of people are no names of files."""
    standing = replace(COINS.standing, unit="Coins (in hand)")
    _, _, tables = made(replace(COINS, standing=standing), tmp_path, monkeypatch)
    assert "course-standing" in tables
    assert "Coins (in hand) during the game" in (tmp_path / "report.md").read_text()


def test_who_leads_at_half_time_is_never_told_as_the_last(tmp_path, monkeypatch):
    """Nor is help advised for who wins most."""
    page, findings, _ = made(mirrored(COINS), tmp_path, monkeypatch)
    found = {row["line"]: row["value"] for row in page["scorecard"]}
    assert found["half"] > found["comeback"]
    told = next(text for text in findings if "last place at half-time" in text)
    last = float(told.partition("wins ")[2].partition(" %")[0].partition(" ")[0])
    assert last < 25


def course(cell, game):
    """What is measured of leads and comebacks, and what watching finds."""
    names = [
        one.name for one in measures_of(cell.game).values() if one.table == "standing"
    ]
    names += [
        f"{what.name}{end}" for what in COURSE_MEASURES for end in ("", " by chance")
    ]
    found = run([cell], 48, detailed=True)
    sums = {
        name: found.estimates(name).drop("cell")
        for name in names
        if "rank" in name or " by quarter" not in name
    }
    return sums, notable_games.game_courses(cell, range(12))


@pytest.mark.parametrize("name", REGISTRY)
def test_every_game_in_the_mirror(name, monkeypatch):
    """Told by what it declares alone: without its own report and telling."""
    monkeypatch.setattr(report_registry, "declared_report", lambda _: None)
    own = replace(load(name), narrator=Narrator)
    home = import_module(f"sim.{name}.game")
    cell = Cell(name, own.rules(), own.players[0], ("random",), True, seed=7)
    told = []
    for game in (own, mirrored(own), mirrored(own, 50)):
        monkeypatch.setattr(home, "GAME", game)
        forget()
        told.append(course(cell, game))
    (sums, watched), *others = told
    assert "won by rank" in sums
    shown = own.events[own.standing.note].fields[own.standing.field].shown
    assert any(one.margin for one in watched) == shown, "transcripts tell it"
    for more, seen in others:
        assert seen == watched
        for measure, rows in sums.items():
            assert_frame_equal(more[measure], rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", REGISTRY)
def test_the_report_of_every_game_in_the_mirror(name, tmp_path, monkeypatch):
    """Made from what the game declares alone, as a game in one file has it."""
    monkeypatch.setattr(report_registry, "declared_report", lambda _: None)
    own = replace(load(name), narrator=Narrator)
    home = import_module(f"sim.{name}.game")
    found = []
    for number, game in enumerate((own, mirrored(own))):
        monkeypatch.setattr(home, "GAME", game)
        out = tmp_path / str(number)
        found.append(reported(game, out, monkeypatch, own.players[0], 48))
    (page, findings, tables), (other, said, others) = found
    lines = {"half", "comeback"} if own.players[0] > 2 else {"half"}  # of two, one is
    assert {row["line"] for row in page["scorecard"]} >= lines
    assert other == page
    assert said == findings
    assert others.keys() == tables.keys()
    for table in tables.keys() - PRINTED:
        one, two = (
            some[table].select(pl.exclude("^last.*$")) for some in (tables, others)
        )
        assert_frame_equal(one, two)


@pytest.mark.parametrize("name", REGISTRY)
def test_who_is_ahead_by_the_report_s_own_course_is_who_wins(name):
    """The reports of the seven games stand by what is declared, too."""
    rules = load(name).rules()
    cell = Cell(name, rules, load(name).players[-1], ("allround",), True, seed=7)
    found = run([cell], 100, detailed=True)
    ahead, back = (
        found.estimates(measure)["estimate"].item()
        for measure in ("led before the last round", "comeback")
    )
    assert ahead > back


def test_a_game_that_declares_nothing_says_so_and_ranks_nobody(tmp_path, monkeypatch):
    silent = replace(COINS, score=None, standing=None)
    _, findings, tables = made(silent, tmp_path, monkeypatch)
    assert not any(word in text for text in findings for word in ("half-time", "lead "))
    assert not [name for name in tables if name.startswith("course")]
    text = (tmp_path / "report.md").read_text()
    assert "the game does not say which number ranks its players" in text
    cell = Cell("coins", silent.rules(), 4, ("random",), seed=3)
    with pytest.raises(
        notable_games.UsageError, match=r"comeback needs to know .* standing in docs"
    ):
        notable_games.find_game(cell, "comeback", range(40))


def test_what_is_no_direction_and_what_no_note_tells_is_refused():
    with pytest.raises(GameError, match=r"wins='least'.*Allowed: most, fewest"):
        Score("points", wins="least")
    for change, words in (
        ({"score": Score("pointz", wins="most")}, "'pointz'; did you mean 'points'?"),
        ({"score": Score("winner", wins="most")}, "is no number of each seat"),
        ({"score": Score("points", wins="most", note="round")}, "'result' tells it"),
        ({"standing": Score("points", wins="most")}, "a note on the way tells it"),
        (
            {"standing": Score("points", wins="most", note="rounds")},
            "'rounds'; did you mean 'round'?",
        ),
    ):
        with pytest.raises(GameError, match=f"coins: .*{words.replace('?', '.')}"):
            replace(COINS, **change)


def test_a_telling_that_keeps_what_is_not_declared_is_refused():
    class Telling(Narrator):
        keeps = ("round",)

    with pytest.raises(GameError, match="does not declare by which number"):
        Telling(replace(COINS, standing=None, narrator=Telling))

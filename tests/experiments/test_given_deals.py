"""Deals that fit conditions: exactly those, each as likely as before among them."""

import shlex
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import sim.games
from experiments.analysis.balance_report import panel_of
from experiments.analysis.leader import Leader
from experiments.analysis.luck_shares import duplicates
from experiments.api import play, report, study, trace
from experiments.commands.cli import app
from experiments.core import given_deals
from experiments.core.cells import Cell, Pair, UsageError, same_games
from experiments.execution.results import load
from experiments.execution.run import run
from experiments.studies.overrides import plan_of_file
from experiments.studies.run_catalog import load_study
from sim.parameters import RuleError
from tests.own_game.examples import FOLDER

TWO = "last: hand has 2 P"
NUMBERS = np.arange(400, dtype=np.uint64)


def cell(*given, game="kunitame", players=4, lineup=("random",)):
    rules = sim.games.load(game).rules()
    return Cell(game, rules, players, lineup, True, 3, given=given)


def fits(numbers, *texts, game="kunitame", players=4):
    known = sim.games.load(game)
    given = [given_deals.GivenDeal.of(text, known, players) for text in texts]
    return given_deals.fitting(given, known, known.rules(), players, 3, numbers)


def test_all_deals_fit_and_those_that_did_before_stay():
    numbers = cell(TWO).dealt(NUMBERS)
    assert fits(numbers, TWO).all()
    before = fits(NUMBERS, TWO)
    assert 0.05 < before.mean() < 0.25
    assert np.array_equal(numbers[before], NUMBERS[before])
    assert ((numbers - NUMBERS) % np.uint64(given_deals.STEP) == 0).all()


def test_a_game_is_the_same_in_any_block():
    numbers = cell(TWO).dealt(NUMBERS)
    assert np.array_equal(cell(TWO).dealt(NUMBERS[100:150]), numbers[100:150])
    assert np.array_equal(cell().dealt(NUMBERS), NUMBERS)


def test_conditions_are_of_the_seat_in_the_position():
    """Of somebody as often as of any; of two at once more rarely than of one."""
    one = fits(NUMBERS, TWO)
    assert (fits(NUMBERS, "anybody: hand has 2 P") >= one).all()
    both = fits(NUMBERS, TWO, "first dealer: hand has 2 P")
    assert np.array_equal(both, one & fits(NUMBERS, "first dealer: hand has 2 P"))


def test_games_that_are_given_are_those_that_fit_among_all(tmp_path):
    """Won as often as in the games of a plain run whose deals happen to fit."""
    fit = fits(np.arange(4_000, dtype=np.uint64), TWO)
    plain = run([cell()], 4_000, tables=("result",), out=tmp_path / "plain")
    winner = plain.raw("result").filter(seat=0)["winner"].to_numpy()
    found = run([cell(TWO)], 1_500, tables=("result",), out=tmp_path / "given")
    given = found.raw("result").filter(seat=0)["winner"].to_numpy()
    for seat in range(4):
        one, other = (winner[fit] == seat).mean(), (given == seat).mean()
        spread = np.sqrt(0.19 / fit.sum() + 0.19 / len(given))
        assert abs(one - other) < 4 * spread


def test_the_chance_of_a_deal():
    chance = cell(TWO).given_chance()
    low, high = chance.interval
    assert low < chance.fits / chance.deals < high
    assert abs(fits(NUMBERS, TWO).mean() - chance.fits / chance.deals) < 0.06
    assert cell().given_chance() is None
    assert same_games(cell(TWO), cell(TWO))
    assert not same_games(cell(TWO), cell())


@pytest.mark.parametrize("game", ["devil", "evilpact", "six_nimmt"])
def test_other_games(game):
    name = str(FOLDER / "six_nimmt.py") if game == "six_nimmt" else game
    known = sim.games.load(name)
    players = known.players[0]
    place = sim.games.positions(known, players)[-1]
    text = f"{place}: hand has 1 *"
    found = cell(text, game=name, players=players).dealt(NUMBERS[:40])
    assert np.array_equal(found, NUMBERS[:40])


def test_somebody_of_a_team_has_to_fit():
    """Of 32 cards four players have four each."""
    known = sim.games.load(str(FOLDER.parents[1] / "tests" / "own_game" / "pairs.py"))

    def share(who):
        given = given_deals.GivenDeal.of(f"{who}: hand has C2", known, 2)
        return given_deals.fitting([given], known, known.rules(), 2, 3, NUMBERS).mean()

    first, second = map(share, sim.games.positions(known, 2))
    assert share("anybody") == first + second
    assert abs(first + second - 0.5) < 0.1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hand has P", "Write POSITION: CONDITION"),
        ("lst: hand has P", "did you mean 'last'"),
        ("last: hnd has P", "did you mean 'hand'"),
        ("last: hand has", "an id is missing"),
        ("last: turn has P", "turn is no set"),
        ("last: hand has 2 XX", "no id in hand 'XX'.*Allowed: B1, B2"),
        ("last: hand has DD3", "did you mean 'D3'"),
        ("last: hand has X*", r"no id in hand 'X\*'"),
        ("last: hand has 0 P", "hand has 0 P says nothing. Write hand lacks P"),
        (f"last: turn > {'9' * 5_000}", "at most 1,000"),
    ],
)
def test_what_is_no_condition(text, said):
    with pytest.raises(RuleError, match=said):
        cell(text).given_chance()


def test_deals_that_are_too_rare_are_refused_before_anything_is_played():
    with pytest.raises(RuleError, match=r"0 of 4,096 deals fit"):
        play("kunitame", games=8, given="last: hand has 9 P")


def test_the_command_says_what_was_given_and_keeps_it(tmp_path):
    command = f"run kunitame -n 40 --seed 1 -j 1 --out {tmp_path / 'run'} --given"
    done = CliRunner().invoke(app, [*command.split(), TWO])
    assert done.exit_code == 0, done.output
    assert f"given    {TWO}" in done.output
    assert "of 4,096 deals" in done.output
    kept = load(tmp_path / "run")
    assert kept.cells[0].given == (TWO,)
    assert f"given {TWO}: " in repr(kept)
    shown = CliRunner().invoke(app, ["runs", "show", str(tmp_path / "run")])
    assert f"given    {TWO}" in shown.output


SIX = f"-n 6 --seed 1 -j 1 --given '{TWO}'"
COMMANDS = {
    "ask": "ask kunitame 'does it matter who starts?' --levels good",
    "compare": "compare kunitame life=4 --lineup allround --adapt 0 --no-detailed",
    "skill": "skill kunitame --strategies random --samples 1 --against random",
    "what-if": "what-if kunitame --forbid claim:black --lineup allround",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_every_command_says_what_was_given(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few = SIX.replace("-n 6", "-n 16")
    done = CliRunner().invoke(app, shlex.split(f"{command} {few}"))
    assert done.exit_code == 0, done.output
    assert f"given    {TWO}: " in done.output


def test_a_trace_shows_such_a_deal():
    words = shlex.split(f"trace kunitame --seed 1 --given '{TWO}' --verbose")
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert f"given: {TWO}: 1" in done.output
    setup = trace("kunitame", seed=1, players=4, given=TWO).events[0]
    assert setup["game"] == 0


def test_every_cell_of_a_report_has_such_deals():
    rules = sim.games.load("kunitame").rules()
    made = panel_of(
        "kunitame", rules, (3,), 1, lead=Leader("allround"), strategies=(),
        made=None, full=False,
    )  # fmt: skip
    panel = replace(made, given=(TWO,))
    cells = [own.cell for own in panel.cells()]
    cells += [own.cell for some, _ in panel.search_cells("search", 8) for own in some]
    cells += [own.cell for some, _ in panel.strong_cells(8) for own in some]
    cells += [panel.dynamics_cell(), panel.knockout_cell()]
    cells += panel.luck_cells().values()
    sides = [
        side
        for one in cells
        for side in ((one.one, one.other) if isinstance(one, Pair) else (one,))
    ]
    assert {side.given for side in sides} == {(TWO,)}


def test_a_report_says_which_deals_it_is_about(tmp_path):
    how = {"lead": "allround", "games": 16, "players": 4, "seed": 1, "jobs": 1}
    done = report("kunitame", quick=True, given=TWO, out=tmp_path / "r", **how)
    assert done.verdict.notes[1].startswith(
        f"All that follows is about deals like this only: {TWO}: 1"
    )
    page = done.page.read_text()
    assert f"seed 1, given {TWO}" in page
    assert "deals of 4 players" in page


def test_a_report_refuses_what_is_too_rare_before_anybody_learns(tmp_path):
    with pytest.raises(RuleError, match="deals fit, which is too rare"):
        report("kunitame", given="last: hand has 9 P", out=tmp_path / "r", games=512)


STUDY = """
game = "kunitame"
lineups = ["random"]
games = 8
seed = 1
detailed = false
[variants]
base = {}
priests = { given = "last: hand has 2 P" }
"""


def test_the_deals_of_a_study_and_of_a_variant(tmp_path):
    file = tmp_path / "deals.toml"
    file.write_text(STUDY)
    done = study(file, jobs=1, out=tmp_path / "run")
    assert [cell.given for cell in done.plan.cells] == [(), (TWO,)]
    assert done.plan.deals[0] == "base: all deals"
    assert done.plan.deals[1].startswith(f"priests: {TWO}: 1")
    assert load_study(tmp_path / "run").plan.deals == done.plan.deals
    both = plan_of_file(file, given=["first dealer: hand has P"])
    assert [len(cell.given) for cell in both.cells] == [1, 2]
    file.write_text(STUDY.replace('"last: hand has 2 P"', "2"))
    with pytest.raises(UsageError, match=r"variants.priests: given: a list of"):
        plan_of_file(file)


def test_the_deals_of_a_run_are_those_it_had(tmp_path):
    play("kunitame", games=8, seed=1, jobs=1, out=tmp_path / "run")
    run = str(tmp_path / "run")
    for words in (f"compare {run} life=4", f"trace {run}"):
        done = CliRunner().invoke(app, [*words.split(), "--given", TWO])
        assert done.exit_code == 2, done.output
        assert "deals are" in done.output


def test_who_sits_first_is_that_of_the_deal_found():
    """Three players: the numbers tried differ in who begins."""
    of = cell(TWO, players=3, lineup=("greedy", "random", "random"))
    shares = duplicates(of, 8, jobs=1)
    game, numbers = sim.games.load("kunitame"), of.dealt(NUMBERS[:8])
    first = game.first(game.start(of.rules, 3, of.seed, numbers))
    lone = shares.games.filter(strategy="greedy", play=0, rotation=0)
    plain = game.first(game.start(of.rules, 3, of.seed, NUMBERS[:8]))
    assert first.tolist() != plain.tolist()
    assert set(lone["position"]) == {1}

"""The command ``learn``, and its function: rounds too small to learn much."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from threadpoolctl import threadpool_limits

import fairdeal as fd
from experiments.core.cells import UsageError
from experiments.execution import run_directory
from experiments.learning import blocks, learn, training_rounds
from experiments.learning.blocks import Effort
from experiments.learning.fit_network import FitPlan, Pupil
from experiments.learning.training_rounds import StrengthGain
from sim.games import REGISTRY
from sim.observation import UNIT
from strategies.learned import shipped
from strategies.policy_file import from_bytes, read
from strategies.policy_store import name_of

FEW = ("--blocks", "1", "--seed", "5", "-j", "1")
FEW_GAMES = Effort(games=32, answers=1_000, own_answers=250, gate=32, design=32)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few games, lessons and steps."""
    for module in (blocks, training_rounds):
        monkeypatch.setattr(module, "GAMES", 32)
    monkeypatch.setattr(blocks, "_SEEN_GAMES", 64)
    monkeypatch.setattr(learn, "FULL", FEW_GAMES)
    monkeypatch.setattr(training_rounds, "PLANS", (FitPlan(least=5, most=10),))
    monkeypatch.setattr(training_rounds, "_FEWEST", 50)
    monkeypatch.setattr(training_rounds, "_SMALLEST", 16)
    monkeypatch.setattr(learn, "_JUDGED_GAMES", 32)


def test_learning_says_how_strong_and_how_to_play(fairdeal, here):
    told = fairdeal("learn", "evilpact", *FEW, "--out", "mine")
    assert told.exit_code == 0, told.stderr
    assert "strength one among one allround wins " in told.stdout
    assert (
        "to play  fairdeal run evilpact --lineup mine/policy.npz,allround"
        in told.stdout
    )
    assert "again    with --blocks 1 and this seed" in told.stdout
    assert "round 1: " in told.stderr
    document = json.loads((here / "mine/learn.json").read_text())
    assert document["file"] == "mine/policy.npz"
    assert [row["players"] for row in document["players"]] == [2]
    assert {row["decision"] for row in document["decisions"]} == {
        *read(here / "mine/policy.npz").networks
    }
    words = "run evilpact -n 20 --seed 1 --lineup mine/policy.npz,allround --json"
    played = fairdeal(*words.split())
    assert played.exit_code == 0, played.stderr


def test_the_door_and_the_command_learn_the_same(fairdeal, here):
    words = ("--players", "2", "--set", "goal=8", *FEW)
    assert fairdeal("learn", "drake", *words, "--out", "a").exit_code == 0
    rules, said = fd.Game("drake").rules(goal=8), []
    found = fd.learn(
        rules, players=[2], blocks=[1], seed=5, jobs=1, out="b", progress=said.append
    )
    assert found.data == (here / "a/policy.npz").read_bytes()
    assert found.data == (here / "b/policy.npz").read_bytes()
    assert any("round 1" in line for line in said)
    lineup = [str(found.file), "allround"]
    run = fd.play(rules, lineup=lineup, games=20, seed=1, jobs=1)
    assert run.played == (20,)
    assert isinstance(found.players, pl.DataFrame)


def test_a_policy_goes_on_from_another_one(fairdeal, here):
    words = ("learn", "drake", "--players", "2", *FEW)
    assert fairdeal(*words, "--out", "a").exit_code == 0
    start = ("--start", "a/policy.npz")
    told = fairdeal(*words, "--set", "goal=8", *start, "--out", "b")
    assert told.exit_code == 0, told.stderr
    assert read(here / "b/policy.npz").about["start"] == name_of(here / "a/policy.npz")


@pytest.mark.parametrize(
    "game",
    ["drake", pytest.param("socialism", marks=pytest.mark.slow)],  # of fewer units
)
def test_a_policy_goes_on_from_the_one_that_the_game_comes_with(fairdeal, here, game):
    words = ("--players", "2", *FEW, "--start", "learned", "--out", "a")
    told = fairdeal("learn", game, *words)
    assert told.exit_code == 0, told.stderr
    assert read(here / "a/policy.npz").about["start"].startswith("learned@")


def test_json_is_what_is_saved(fairdeal, here):
    told = fairdeal("learn", "drake", "--players", "2", *FEW, "--out", "a", "--json")
    assert json.loads(told.stdout) == json.loads((here / "a/learn.json").read_text())


def test_what_was_stopped_says_how_to_go_on(fairdeal, here, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    words = ("learn", "drake", "--players", "2", *FEW, "--out", "mine")
    with monkeypatch.context() as patch:
        patch.setattr(training_rounds.Training, "round", stopped)
        told = fairdeal(*words)
    assert told.exit_code == 130
    assert "No round was finished yet." in told.stderr
    with monkeypatch.context() as patch:
        patch.setattr(training_rounds.Training, "strength", stopped)
        told = fairdeal(*words)
    assert told.exit_code == 130
    assert "1 finished round is kept in mine." in told.stderr
    assert f"To resume: fairdeal {' '.join(words)}" in told.stderr
    again = fairdeal(*words)
    assert again.exit_code == 0
    assert "round 1: " not in again.stderr
    assert "strength one among" in again.stdout


WRONG = {
    "minutes": (("--minutes", "0"), "minutes: more than 0"),
    "no number of minutes": (("--minutes", "nan"), "minutes: more than 0"),
    "endless minutes": (("--minutes", "inf"), "minutes: more than 0"),
    "no numbers": (("--blocks", "8;12"), "--blocks: whole numbers, one for each round"),
    "unknown kind": (("--kinds", "acquir"), "acquire"),
    "unknown option": (("--force", "cast:cthuga"), "cthugha"),
    "no block": (("--blocks", "0"), "blocks: at least 1 in each round"),
    "too many players": (("--players", "2,9"), "9 cannot play evilpact"),
    "no file": (("--start", "no.npz"), "start: no.npz: No such file"),
    "no policy": (("--start", "my.py"), "my.py: it is damaged, or no learned policy"),
    "a rule": (("--set", "ruonds=6"), "rounds"),
}


@pytest.mark.parametrize("what", WRONG)
def test_mistakes_are_told_before_anything_is_played(fairdeal, here, what):
    words, said = WRONG[what]
    told = fairdeal("learn", "evilpact", *words, "--seed", "1")
    assert told.exit_code == 2, told.output
    assert said in told.stderr
    assert not (here / "results").exists()


def test_numbers_of_players_are_checked_by_the_door():
    with pytest.raises(UsageError, match="9 cannot play evilpact"):
        fd.learn("evilpact", players=[9], blocks=[1], seed=1, jobs=1)
    with pytest.raises(UsageError, match="jobs: 0"):
        fd.learn("evilpact", players=[2], blocks=[1], seed=1, jobs=0)


def test_stopping_between_rounds_changes_nothing(here):
    """The lessons and weights of a round are kept, and it goes on from these."""
    how = {"players": [2], "seed": 3, "jobs": 1}
    rules = fd.Game("drake").rules(goal=5)  # short games
    whole = fd.learn(rules, blocks=[2, 1, 1], out="whole", **how)
    first = fd.learn(rules, blocks=[2], out="parts", **how)
    parts = fd.learn(rules, blocks=[2, 1, 1], out="parts", **how)
    assert first.data != whole.data
    assert parts.data == whole.data
    assert parts.players.equals(whole.players)


def test_one_process_alone_learns_in_a_directory(here):
    how = {"players": [2], "seed": 3, "jobs": 1, "blocks": [1]}
    alone = fd.learn("drake", out="one", **how)
    with (
        run_directory.hold(here / "one"),
        pytest.raises(UsageError, match=r"another process is writing to .*one"),
    ):
        fd.learn("drake", out="one", **how)
    assert fd.learn("drake", out="one", **how).data == alone.data


def test_the_gate_compares_with_the_networks_before(here, monkeypatch):
    """Fitting does not change those, even in the same process."""
    quick = FitPlan(rate=0.03, least=5, most=20)
    monkeypatch.setattr(training_rounds, "PLANS", (quick,))
    policy = fd.learn("drake", blocks=[2, 2], seed=3, players=[2], jobs=1)
    assert any(gain["points"] for gain in policy.rounds[1]["gains"].values())


@pytest.mark.parametrize(("points", "kept"), [(3, ["play"]), (-3, [])])
def test_other_games_have_the_last_word_on_what_is_kept(
    here, monkeypatch, points, kept
):
    """Of two kinds one gains; the policy with that one is measured once more."""
    real, blocks_of = training_rounds.Training.shares, {}

    def effects(self, old, groups, tables, first):
        blocks_of.setdefault("chosen by", first)
        return {name: StrengthGain({"play": 5.0}.get(name, -5.0), 1) for name in groups}

    def shares(self, files, others, games, first, players):
        won = real(self, files, others, games, first, players)
        if "new" in files:
            blocks_of["measured by"] = first
            won["new"] = won["old"] + points / 100
        return won

    monkeypatch.setattr(training_rounds.Training, "effects", effects)
    monkeypatch.setattr(training_rounds.Training, "shares", shares)
    said = []
    policy = fd.learn(
        "drake", blocks=[1], seed=3, players=[2], jobs=1, progress=said.append
    )
    [done] = policy.rounds
    assert done["kept"] == kept
    assert done["whole"]["points"] == pytest.approx(points)
    assert blocks_of["measured by"] > blocks_of["chosen by"]
    assert sorted(from_bytes(policy.data).networks) == kept
    assert any(f"{points:+.1f} points" in line for line in said)
    assert any("nothing new is kept" in line for line in said) != bool(kept)


@pytest.mark.slow
def test_two_processes_learn_what_one_does():
    how = {"blocks": [2, 2], "seed": 3, "players": [3]}
    with threadpool_limits(2, "blas"):  # as many threads as there are cores, too
        one = fd.learn("drake", jobs=1, **how)
    two = fd.learn("drake", jobs=2, **how)
    assert one.rounds == two.rounds
    assert one.data == two.data


def test_a_policy_that_was_not_kept_can_be_played():
    policy = fd.learn("drake", blocks=[1], seed=5, players=[2], jobs=1)
    assert policy.file is None
    assert "drake@" in policy.strategy.title
    lineup = [policy.strategy, "allround"]
    played = fd.play("drake", lineup=lineup, games=20, seed=1, jobs=1)
    assert policy.strategy.title in repr(played)


def test_a_damaged_round_is_named(fairdeal, here):
    assert (
        fairdeal("learn", "drake", "--players", "2", *FEW, "--out", "mine").exit_code
        == 0
    )
    (here / "mine/round-1/networks.npz").write_bytes(b"no arrays")
    words = (
        "--players",
        "2",
        "--blocks",
        "1,1",
        "--seed",
        "5",
        "-j",
        "1",
        "--out",
        "mine",
    )
    told = fairdeal("learn", "drake", *words)
    assert told.exit_code == 2
    assert "mine/round-1/networks.npz is missing or damaged" in told.stderr


def test_a_round_of_another_format_is_not_gone_on_with(fairdeal, here):
    """Older rounds name no format, and hold what was seen in another order."""
    words = ("learn", "drake", "--players", "2", *FEW, "--out", "mine")
    assert fairdeal(*words).exit_code == 0
    file = here / "mine/round-1/networks.npz"
    with np.load(file) as arrays:
        kept = dict(arrays)
    for other in ({}, {"format": np.array(1)}, {"format": np.array([2, 2])}):
        np.savez(file, **{k: v for k, v in kept.items() if k != "format"}, **other)
        told = fairdeal(*words)
        assert told.exit_code == 2, told.stderr
        assert "mine/round-1 was kept by another version of fairdeal" in told.stderr
        assert "--start" in told.stderr
    np.savez(file, **kept)
    assert fairdeal(*words).exit_code == 0


def test_a_policy_that_was_put_there_is_not_gone_on_with(fairdeal, here):
    words = ("learn", "drake", "--players", "2", *FEW, "--out", "mine")
    assert fairdeal(*words).exit_code == 0
    file = here / "mine/policy.npz"
    data = file.read_bytes()
    file.write_bytes(replace(read(file), about={}).to_bytes())
    told = fairdeal(*words)
    assert told.exit_code == 2
    assert "does not say in which rounds it was learned" in told.stderr
    file.write_bytes(data[:500])
    told = fairdeal(*words)
    assert told.exit_code == 2
    assert "out: " in told.stderr


def test_weights_of_another_shape_are_refused(fairdeal, here):
    words = ("learn", "drake", "--players", "2", *FEW, "--out", "mine")
    assert fairdeal(*words).exit_code == 0
    file = here / "mine/round-1/networks.npz"
    with np.load(file) as arrays:
        np.savez(file, **{**arrays, "play/second": np.zeros((3, 3), np.float32)})
    told = fairdeal(*words)
    assert told.exit_code == 2
    assert "mine/round-1/networks.npz is missing or damaged" in told.stderr


def test_without_a_place_the_same_command_finds_what_it_learned(
    fairdeal, here, monkeypatch
):
    words = ("learn", "drake", "--players", "2", *FEW)
    first = fairdeal(*words)
    assert first.exit_code == 0, first.stderr
    (kept,) = (here / "results").iterdir()
    assert kept.name.startswith("drake-learn-")
    with monkeypatch.context() as patch:
        patch.setattr(training_rounds.Training, "shares", None)  # nothing is played
        again = fairdeal(*words)
    assert again.exit_code == 0, again.stderr
    assert again.stdout == first.stdout
    others = fairdeal(*words, "--set", "goal=8")
    assert others.exit_code == 0, others.stderr
    assert len([*(here / "results").iterdir()]) == 2


def test_some_kinds_alone_are_learned_and_learned_on(fairdeal, here):
    words = ("learn", "evilpact", *FEW, "--kinds", "cast,acquire")
    told = fairdeal(*words, "--out", "a")
    assert told.exit_code == 0, told.stderr
    assert len({*read(here / "a/policy.npz").networks} & {"acquire", "cast"}) > 0
    assert {*read(here / "a/policy.npz").networks} <= {"acquire", "cast"}
    again = ("learn", "evilpact", *FEW, "--start", "a/policy.npz", "--out", "b")
    assert fairdeal(*again).exit_code == 0
    assert read(here / "b/policy.npz").about["kinds"] == ["acquire", "cast"]
    policy = read(here / "a/policy.npz")
    for kinds in (5, "cast", [["cast"]], ["caste"]):
        other = replace(policy, about={**policy.about, "kinds": kinds})
        (here / "a/policy.npz").write_bytes(other.to_bytes())
        told = fairdeal(*again)
        assert told.exit_code == 2, told.stdout
        assert "kinds: " in told.stderr


def test_what_is_forced_is_taken_in_every_second_block(here):
    mine = fd.learn(
        "drake", players=[2], blocks=[1], force="play:maiden", seed=5, jobs=1, out="a"
    )
    assert mine.task.forced == (("play", "maiden"),)
    about = read(here / "a/policy.npz").about
    assert about["forced"] == [["play", "maiden"]]
    policy = mine.task.policy(mine.data)
    titles = [
        blocks.LessonBlock(mine.task, {}, mine.data, 0, number, False)
        .plays(policy)
        .title
        for number in range(4)
    ]
    assert ["taking maiden" in title for title in titles] == [False, True] * 2


@pytest.mark.parametrize("game", sorted(REGISTRY))
def test_who_learns_on_begins_as_the_policy_that_a_game_comes_with(game):
    """Up to rounding, and whatever the size: Socialism's have fewer units."""
    policy = read(shipped(game))
    for network in policy.networks.values():
        begun = Pupil.of(network).network()
        for name, weights in network.layers.arrays().items():
            ours = begun.layers.arrays()[name]
            np.testing.assert_allclose(ours, weights, rtol=0, atol=UNIT / 2)

"""``bench``: what it measures and tells; never how fast this machine is."""

import json

import pytest

from experiments.run import RunFailed
from experiments.timing import bench, bench_one, openspiel
from sim.games import load


@pytest.fixture
def in_process(monkeypatch):
    """Tiny measurements without processes of their own."""
    monkeypatch.setattr("experiments.blocks.BLOCK", 256)
    measures = {**bench_one.MEASURES, "all": every}

    def child(what, **how):
        told = measures[what](**{**how, "seconds": 0.001, "samples": 2})
        return json.loads(json.dumps(told))

    monkeypatch.setattr(bench, "_child", child)
    monkeypatch.setattr(bench, "_cores", lambda: 2)


def every(cores, **how):
    return bench_one.MEASURES["one"](**how) | {"cores": cores, "scaling": 1.9}


@pytest.mark.usefixtures("in_process")
def test_json_has_what_the_issue_names(fairdeal):
    found = json.loads(fairdeal("bench", "kunitame", "--json").stdout)
    lineups = {speed["lineup"] for speed in found["speeds"]}
    assert {"random", "balanced"} <= lineups
    for speed in found["speeds"]:
        assert speed["games_per_second"] > 0
        assert speed["ns_per_decision"] > 0
        assert speed["memory_mib"] > 1
    assert {speed["cores"] for speed in found["speeds"]} == {1, 2}
    assert found["scaling"]["random"] == 1.9
    if openspiel.installed():
        by_name = {ratio["lineup"]: ratio for ratio in found["ratios"]}
        assert by_name["random"]["floor"] == 5.0
        assert by_name["random"]["reached"] in (True, False)


@pytest.mark.usefixtures("in_process")
def test_tables(fairdeal, monkeypatch):
    monkeypatch.setattr(bench, "busy", lambda: "100 % of the processor in use")
    result = fairdeal("bench", "kunitame")
    assert result.exit_code == 0
    assert "The machine is busy: 100 %" in result.stdout
    assert "games a second" in result.stdout
    assert "random: 2 cores are 1.90 times one" in result.stdout


@pytest.mark.usefixtures("in_process")
def test_without_the_peer(fairdeal, monkeypatch):
    monkeypatch.setattr(openspiel, "installed", lambda: False)
    assert "pip install 'fairdeal[bench]'" in fairdeal("bench", "kunitame").stdout


def test_a_measurement_that_fails_is_told():
    with pytest.raises(RunFailed, match="measuring one failed"):
        bench._child("one", game="none", players=4, lineup="x", seconds=0.1, samples=1)


def test_a_process_of_its_own():
    how = {"game": "kunitame", "players": 4, "seconds": 0.001, "samples": 1}
    told = bench._child("one", lineup="random", **how)
    assert told["games_per_second"] > 0


@pytest.mark.skipif(not openspiel.installed(), reason="OpenSpiel is not installed")
@pytest.mark.parametrize("game", ["kunitame", "devil"])
def test_the_peer_rolls_out_from_a_dealt_state(game):
    peer = openspiel.Peer(load(game).peer)
    assert peer.decisions > 4
    assert not peer._state.is_chance_node()
    assert peer.seconds(100) > 0

"""``bench``: what it measures and tells; never how fast this machine is."""

import json

import pytest

from experiments.benchmark import bench_one, openspiel
from experiments.benchmark.bench import Bench, Ratio, Searching, Speed, bench
from experiments.benchmark.machine import Machine
from experiments.commands import show_bench
from experiments.execution.run import RunFailed
from sim.games import load
from sim.rollouts import Determinizations


@pytest.mark.soak
def test_json_has_what_the_issue_names(fairdeal):
    said = fairdeal("bench", "kunitame", "--json", "--seconds=0.001", "--repeats=2")
    found = json.loads(said.stdout)
    lineups = {speed["lineup"] for speed in found["speeds"]}
    assert {"random", "allround"} <= lineups
    for speed in found["speeds"]:
        assert speed["games_per_second"] > 0
        assert speed["ns_per_decision"] > 0
        assert speed["memory_mib"] > 1
    cores = {speed["cores"] for speed in found["speeds"]}
    assert cores == {1, found["cores"]}
    assert found["search"]["rollouts_per_second"] > 0
    assert found["search"]["cost"] > 1
    assert (found["scaling"].keys() == lineups) == (len(cores) > 1)
    if openspiel.installed():
        by_name = {ratio["lineup"]: ratio for ratio in found["ratios"]}
        assert by_name["random"]["floor"] in (5.0, 3.75)
        assert by_name["random"]["reached"] in (True, False)


def measured(peer: str = "") -> Bench:
    """What could have been measured."""
    machine = Machine("A processor", ("32K", "1024K"), 0.31, 1.2, 400)
    busy = "100 % of the processor in use"
    found = Bench("kunitame", 4, 2, machine, busy, peer=peer)
    found.speeds = [Speed("random", 1, 9_000, 120, 90, 0.1, 387)]
    found.speeds += [Speed("random", 2, 17_100, 120, 95, 0.1, 387)]
    found.scaling = {"random": 1.9}
    found.search = Searching("search:samples=4", 9_000, 150_000, "allround", 800)
    if peer:
        found.ratios = [Ratio("random", 8e6, 1e6, 8.0, 5.0)]
    return found


def test_tables(capsys):
    show_bench.as_tables(measured(peer="OpenSpiel"))
    said = capsys.readouterr().out
    assert "The machine is busy: 100 %" in said
    assert "games a second" in said
    assert "A processor, caches 32K / 1024K. numpy here: a pass" in said
    assert "0.31 ns a number" in said
    assert "random: 2 cores are 1.90 times one" in said
    assert "9,000 decisions and 150,000 rollouts a second" in said
    assert "800 times one of allround" in said
    assert "fairdeal[bench]" not in said


def test_without_the_peer(capsys):
    show_bench.as_tables(measured())
    assert "pip install 'fairdeal[bench]'" in capsys.readouterr().out


@pytest.mark.soak
def test_a_measurement_that_fails_is_told():
    with pytest.raises(RunFailed, match="measuring one failed"):
        bench("kunitame", seconds=0.001, samples=-1, say=lambda _: None)


def test_floors_are_lower_where_passes_are_slow():
    quick, slow = (Machine("", (), ns, 1, 400) for ns in (0.3, 0.8))
    assert quick.floor(4.0) == 4.0
    assert slow.floor(4.0) == 3.0
    assert slow.floor(None) is None


def test_the_machine_is_measured():
    machine = Machine(**bench_one.MEASURES["machine"]())
    assert machine.processor
    assert 0 < machine.pass_ns < machine.call_ns
    assert machine.take_ns > 0


def test_one_measurement():
    how = {"game": "kunitame", "players": 4, "seconds": 0.001, "samples": 1}
    told = bench_one.MEASURES["one"](lineup="random", **how)
    assert told["games_per_second"] > 0


def test_search_is_measured(monkeypatch):
    monkeypatch.setattr("strategies.search.Determinizations", Determinizations)
    how = {"game": "drake", "players": 2, "seconds": 0.001, "samples": 1}
    told = bench_one.MEASURES["search"](lineup="search:samples=1", **how)
    assert told["rollouts"] > told["decisions"] > 0


@pytest.mark.skipif(not openspiel.installed(), reason="OpenSpiel is not installed")
@pytest.mark.parametrize("game", ["kunitame", "devil"])
def test_the_peer_rolls_out_from_a_dealt_state(game):
    peer = openspiel.Peer(load(game).peer)
    assert peer.decisions > 4
    assert not peer._state.is_chance_node()
    assert peer.seconds(100) > 0

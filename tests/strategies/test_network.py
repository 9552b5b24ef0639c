"""Networks play in whole numbers: the same scores in any order of summing."""

import io
import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from experiments.learning.blocks import LearningTask, look_around
from experiments.learning.fit_network import Pupil
from sim import masks
from sim.games import REGISTRY, load
from sim.rollouts import RolloutTable
from strategies.learned import playable
from strategies.network import Layers, Network, whole
from strategies.policy_file import PolicyError, PolicyFile, from_bytes, read
from strategies.registry import UnknownStrategy, make


@cache
def task(game):
    """What is learned at the smallest and the largest table."""
    known = load(game)
    sizes = tuple(sorted({known.players[0], known.players[-1]}))
    return LearningTask(game, known.rules.of({}), sizes, ("allround",), 3)


@cache
def policy(game):
    """Networks that nobody taught, of all kinds of decisions; so they play oddly."""
    seen, networks = look_around(task(game)), {}
    chance = np.random.default_rng(1)
    for kind, observation in seen.observations.items():
        pupil = Pupil(observation, 7)
        for name, weights in pupil.parameters.items():
            noise = chance.normal(0, 0.3, weights.shape).astype(np.float32)
            pupil.parameters[name] = weights + noise
        networks[kind] = pupil.network()
    return PolicyFile(game, ("allround",), networks, {"seed": 3})


class Comparing:
    """Plays as the teacher does, and calls back with views and what is seen of them."""

    title = "comparing"

    def __init__(self, policy, see):
        self._policy, self._see = policy, see

    def decide(self, view):
        network = self._policy.networks.get(view.kind.name)
        if network is not None:
            plain = self._policy.advisers[0].decide(view.substream(9))
            seen = self._policy.see(view.substream(8), plain, network.reader)
            self._see(view, network, seen)
        return self._policy.advisers[0].decide(view)


def play(game, player, games=24, seed=4):
    for size in task(game).players:
        index = np.arange(games, dtype=np.uint64)
        state = load(game).start(load(game).rules.of({}), size, seed, index)
        yield RolloutTable(load(game), [player]).play(state)


@pytest.mark.parametrize("game", REGISTRY)
def test_scores_are_exact_in_any_order(game):
    """In float32 as in float64 (exact to 53 bits), with the inputs in another order."""

    def see(_, network, seen):
        reader, layers = network.reader, network.layers
        scores, weight = network.scores(seen)
        whole = {k: v.astype(np.float64) for k, v in layers.arrays().items()}
        inputs = reader.inputs(seen).astype(np.float64)
        order = np.random.default_rng(0).permutation(inputs.shape[1])
        units = inputs[:, order] @ whole["first"][order] + whole["first_bias"]
        units = np.clip(units // 64, 0, 4095)
        units = np.clip((units @ whole["second"] + whole["second_bias"]) // 64, 0, 4095)
        exact = units @ whole["option"] + whole["option_bias"]
        more = (units @ whole["feature"] + whole["feature_bias"]) // 64
        more = np.clip(more, -2047, 2047)
        assert (exact == scores).all()
        assert (more == weight).all()
        if reader.observation.form == "one":
            of, answer = masks.explode(seen.legal)
            features = reader.answer_features(seen, of, answer).astype(np.float64)
            total = exact[of, reader.columns(answer)]
            total = total + (more[of] * features).sum(axis=1)
            told = network.answer_scores(scores, weight, seen, of, answer)
            assert (total == told).all()
            assert np.abs(total).max(initial=0) < 1 << 24

    [*play(game, Comparing(playable(policy(game)), see), games=4)]


@pytest.mark.parametrize("game", REGISTRY)
def test_games_do_not_depend_on_those_beside_them(game):
    """Each game ends the same alone, in other company, and from the file."""
    player = playable(from_bytes(policy(game).to_bytes()))
    for size in load(game).players[:1]:
        index = np.arange(6, dtype=np.uint64)
        starts = (index, index[3:4], index[::-1].copy())
        shares = [
            RolloutTable(load(game), [player]).play(
                load(game).start(load(game).rules.of({}), size, 8, games)
            )
            for games in starts
        ]
        assert (shares[0][:, 3:4] == shares[1]).all()
        assert (shares[0][:, ::-1] == shares[2]).all()


def test_a_file_is_the_same_whenever_it_is_written():
    data = policy("drake").to_bytes()
    again = from_bytes(data)
    assert again.to_bytes() == data
    assert again.about == {"seed": 3}
    assert again.advisers == ("allround",)
    assert len(data) < 500_000


def test_a_file_is_never_executed(tmp_path):
    """An object that Python would run when it is unpickled is refused, and not run."""
    ran = tmp_path / "ran"

    class Evil:
        def __reduce__(self):
            return ran.touch, ()

    file = io.BytesIO()
    np.savez(
        file, **{"policy.json": np.array([Evil()], dtype=object)}, allow_pickle=True
    )
    for bad in (file.getvalue(), pickle.dumps(Evil())):
        with pytest.raises(PolicyError, match="damaged, or no learned policy"):
            from_bytes(bad)
    assert not ran.exists()


@pytest.mark.parametrize("spoil", ["empty", "cut", "text", "format", "shape"])
def test_a_file_that_is_none_is_refused_by_its_name(spoil, tmp_path):
    data = policy("drake").to_bytes()
    path = tmp_path / "mine.npz"
    if spoil == "empty":
        data = b""
    if spoil == "cut":
        data = data[: len(data) // 2]
    if spoil == "text":
        data = b"# a policy\n"
    if spoil in ("format", "shape"):
        with np.load(io.BytesIO(data)) as arrays:
            kept = dict(arrays)
        if spoil == "format":
            text = kept["policy.json"].tobytes().replace(b'"format":1', b'"format":9')
            kept["policy.json"] = np.frombuffer(text, dtype=np.uint8)
        else:
            kept["act/first"] = kept["act/first"][:-1]
        file = io.BytesIO()
        np.savez(file, **kept)
        data = file.getvalue()
    path.write_bytes(data)
    with pytest.raises(PolicyError, match=f"{path.name}: it"):
        read(path)
    with pytest.raises(PolicyError, match="No such file"):
        read(tmp_path / "none.npz")


def test_a_policy_plays_wherever_a_strategy_is_named(tmp_path):
    path = tmp_path / "mine.npz"
    path.write_bytes(policy("drake").to_bytes())
    for spec in (f"learned:policy={path}", str(path), f"noisy({path}, 0.5)"):
        strategy = make("drake", spec)
        [*play("drake", strategy, games=4)]
    with pytest.raises(UnknownStrategy, match=r"it plays drake, not kunitame"):
        make("kunitame", str(path))
    with pytest.raises(UnknownStrategy, match=r"none.npz: No such file"):
        make("drake", str(tmp_path / "none.npz"))


def test_weights_too_large_are_made_coarser_not_wrong():
    """Sums stay exact, however large the weights are that were learned."""
    network = policy("drake").networks["act"]
    huge = Layers(*(1e3 * array for array in network.layers.arrays().values()))
    layers = whole(huge, network.reader)
    flags = np.arange(network.reader.width) < network.reader.flags
    most = np.abs(layers.first).T @ np.where(flags, 1, 256) + np.abs(layers.first_bias)
    assert most.max() < 1 << 24
    assert (layers.first == np.rint(layers.first)).all()


def test_options_that_were_never_seen_are_not_taken_for_others():
    """They have no score: others are chosen, or what the teacher answers."""
    kept, chosen = policy("kunitame"), []
    network = kept.networks["play"]
    few = replace(network.observation, legal=network.observation.legal[:1])
    layers = {**network.layers.arrays()}
    layers["option"] = layers["option"][:, :8]
    layers["option_bias"] = layers["option_bias"][:8]
    small = Network(few, Layers(**layers))
    known = masks.union(small.reader.bits)

    def see(view, _, seen):
        if view.kind.name != "play":
            return
        teacher = view.legal & (~view.legal + masks.ONE)  # the lowest of them
        answer = small.choose(view, seen, teacher)
        assert ((answer & view.legal) == answer).all()
        unseen = (seen.legal & known) == masks.NOTHING
        assert (answer[unseen] == teacher[unseen]).all()
        own = small.reader.own(view, answer)
        assert ((own & known) != masks.NOTHING)[~unseen].all()
        chosen.append(((seen.legal & ~known) != masks.NOTHING).any())

    [*play("kunitame", Comparing(playable(kept), see), games=8)]
    assert any(chosen), "some were never seen"

"""Tuning recovers what was detuned, and promises nothing where there is nothing."""

import json
import sys
from dataclasses import replace

import pytest

from experiments.analysis import tune as tuning
from experiments.analysis import tuned_strategy_file
from experiments.analysis.compare import compare
from experiments.analysis.search_space import Knob, knobs, spec_of
from experiments.analysis.tune import tune
from experiments.analysis.tuning_result import TuningTrial
from experiments.core.cells import Cell, UsageError
from experiments.execution.manifest_schema import manifest_of_run
from experiments.execution.run import run
from sim.games import REGISTRY, load
from strategies.base import ranges
from strategies.registry import builtin, make

pytest.importorskip("optuna")

RULES = {"weeks": 2}
SALTED = '''
from dataclasses import dataclass

from sim import masks
from strategies.base import Strategy, parameter


@dataclass(frozen=True)
class Salted(Strategy):
    """Draws its cards, some of them anew: whatever the salt, by chance."""

    name = "salted"
    salt: int = parameter(0, 0, 50)

    def play(self, view):
        picked = view.pick(view.legal)
        for _ in range(self.salt):
            picked = view.pick(view.legal)
        return picked


@dataclass(frozen=True)
class Idle(Strategy):
    """Has a parameter that does nothing."""

    name = "idle"
    nothing: float = parameter(1.0, 0, 10)


@dataclass(frozen=True)
class Plain(Strategy):
    """Has no parameter."""

    name = "plain"
'''


def tuned(strategy="allround:gems=0", wanted=("gems",), **how):
    how = {"trials": 12, "games": 512, "fresh": 2_048, "seed": 1, "players": 3} | how
    rules = load("kunitame").rules.of(RULES)
    return tune("kunitame", strategy, rules=rules, wanted=wanted, **how)


@pytest.fixture(scope="module")
def found():
    return tuned()


@pytest.fixture
def own(tmp_path):
    """A file of strategies."""
    (tmp_path / "own.py").write_text(SALTED)
    return tmp_path / "own.py"


def test_what_was_detuned_is_recovered(found):
    assert found.better
    assert found.changes["gems"][0] == 0
    assert found.best.values["gems"] >= 2
    [fresh] = found.fresh
    assert fresh.low > 0.05
    rules = load("kunitame").rules.of(RULES)
    sides = [
        Cell("kunitame", rules, 3, (spec, "allround", "allround"), True, 99)
        for spec in ("allround", found.best.spec)
    ]
    row = compare([sides[0]], [sides[1]], 8_192, detailed=False).rows.filter(
        measure="won by strategy"
    )
    assert row["low"].max() <= 0 <= row["high"].min()  # as good as by default
    assert "is shown to be better" in found.findings[0]


def test_fresh_games_had_no_part_in_choosing(tmp_path):
    tuned("allround", ("margin",), trials=9, games=64, fresh=64, out=tmp_path / "run")
    seeds = {
        folder.name: {cell["seed"] for cell in manifest_of_run(folder)["cells"]}
        for folder in (tmp_path / "run").iterdir()
        if folder.is_dir()
    }
    assert set(seeds) == {"trials-0000", "trials-0008", "finals", "fresh"}
    assert seeds["trials-0000"] == seeds["trials-0008"]  # all trials on the same deals
    assert len(set.union(*seeds.values())) == 3
    assert all(len(one) == 1 for one in seeds.values())


@pytest.mark.slow
def test_what_does_nothing_is_not_better(own):
    """A/A: other salt, other games, but as strong: chance must not be sold as skill."""
    how = {"games": 128, "fresh": 512, "against": ["random"]}
    looked = 0
    for seed in range(5):
        none = tuned(f"{own}:Salted", (), seed=seed, **how)
        shares = [one.share for one in none.trials]
        assert len(set(shares)) > 3
        looked += max(shares) > shares[0] + 0.02
        assert not none.better, seed
        assert none.findings[0].startswith("None shown to be better")
    assert looked >= 2  # the best of them did look better


def test_a_best_value_at_the_end_of_its_range_is_told(found, own):
    narrow = tuned(wanted=("gems=0..1",), trials=8, games=512, fresh=256)
    assert narrow.best.values == {"gems": 1}
    assert narrow.findings[-1] == (
        "gems=1 is at the end of what was tried, 0 to 1: a better one may lie beyond. "
        "Its range is 0 to 12: --parameter gems=0..12 tries all of it."
    )
    assert not found.at_the_end
    whole = replace(found, best=TuningTrial("allround:gems=12", {"gems": 12}, 0.5))
    [said] = whole.at_the_end
    assert "Allround in strategies/kunitame/allround.py declares that range" in said
    mine = replace(
        found,
        untuned=f"{own}:Salted",
        knobs=knobs(make("kunitame", f"{own}:Salted")),
        best=TuningTrial(f"{own}:Salted:salt=50", {"salt": 50}, 0.5),
    )
    assert mine.at_the_end[0].endswith(
        f"Salted in {own} declares that range; widen it there."
    )


@pytest.mark.parametrize(
    ("value", "default", "end"),
    [
        (-20.0, 0.0, True),
        (-19.9, 0.0, True),
        (-19.0, 0.0, False),
        (20.0, 0.0, True),
        (19, 0, False),
        (20, 0, True),
        (-15.0, -15.5, False),  # the low end of an uneven scale is searched finely
    ],
)
def test_what_is_the_end_of_a_range(value, default, end):
    assert Knob("margin", -20, 20, default).is_end(value) == end


def test_what_changes_no_game_is_not_better(own):
    none = tuned(f"{own}:Idle", ())
    assert len({one.share for one in none.trials}) == 1
    assert not none.better
    assert none.gain[0] == 0


@pytest.mark.slow
def test_any_number_of_jobs_and_going_on_change_nothing(found, tmp_path):
    out = tmp_path / "run"
    assert tuned(jobs=2, out=out).as_dict() == found.as_dict()
    last = max(out.glob("trials-*"))
    for folder in (out / "fresh", out / "finals", last):
        blocks = sorted(folder.glob("blocks/*.parquet"))
        assert blocks, folder
        blocks[0].unlink()
    assert tuned(out=out).as_dict() == found.as_dict()
    with pytest.raises(UsageError, match="holds another run, with other trials"):
        tuned(out=out, trials=13)


def test_several_tables_count_alike():
    two = tuned(against=["allround", "greedy,random"], games=256, fresh=512)
    assert two.fields == ("allround", "greedy,random")
    assert [one.field for one in two.fresh] == list(two.fields)
    middle, low, high = two.gain
    assert middle == pytest.approx(sum(one.gain for one in two.fresh) / 2)
    widths = [one.high - one.low for one in two.fresh]
    assert high - low < max(widths)
    assert tuning._fields("kunitame", ["panel"]) == tuple(builtin("kunitame"))


@pytest.mark.parametrize("game", REGISTRY)
def test_every_parameter_has_a_scale(game):
    """From one end of its range to the other, and its default is on it."""
    for name, cls in builtin(game).items():
        for knob in knobs(make(game, name)) if ranges(cls) else ():
            low, high = knob.value(0.0), knob.value(1.0)
            assert (low, high) == (knob.low, knob.high), (name, knob)
            values = [knob.value(place / 40) for place in range(41)]
            assert values == sorted(values)
            assert {type(value) for value in values} == {type(knob.default)}
            again = knob.value(knob.place(knob.default))
            assert again == pytest.approx(knob.default, rel=0.01)


def test_a_wide_range_is_searched_near_its_default_too():
    knob = Knob("end", 0, 10, 0.06)
    values = [knob.value(place / 100) for place in range(101)]
    assert 40 < sum(value <= 0.06 for value in values) < 60
    whole = Knob("gems", 0, 3, 1)
    shares = [whole.value((place + 0.5) / 100) for place in range(100)]
    assert [shares.count(value) for value in range(4)] == [25] * 4


def test_specs():
    assert spec_of("planner:gems=1:margin=2", {"gems": 3}) == "planner:margin=2:gems=3"
    assert spec_of("my.py:Bold", {"gems": 3}) == "my.py:Bold:gems=3"


def test_mistakes(own, monkeypatch):
    for strategy, wanted, expected in (
        ("allround", ("gem",), "did you mean 'gems'"),
        ("allround", ("gems=4",), "is not a range within 0 to 12"),
        ("allround", ("gems=4..99",), "is not a range within 0 to 12"),
        ("allround", ("gems=4..9",), "gems is 2 to begin with"),
        (f"{own}:Plain", (), "has no parameter with a range"),
        ("noisy(allround, 0.1)", (), "is made of other strategies"),
    ):
        with pytest.raises(UsageError, match=expected):
            tuned(strategy, wanted)
    with pytest.raises(UsageError, match="at least 2 each"):
        tuned(trials=1)
    with pytest.raises(ValueError, match="names 3 strategies for 2 players"):
        tuned(against=["greedy,greedy,greedy"])
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(UsageError, match=r"pip install 'fairdeal\[tune\]'"):
        tuned()


@pytest.mark.slow
def test_the_command_writes_a_strategy_that_plays(fairdeal, here, own):
    words = ["tune", "kunitame", "allround:gems=0", "--parameter", "gems"]
    words += ["--players", "3", "--set", "weeks=2", "--trials", "12", "-n", "512"]
    words += ["--fresh", "2048", "--seed", "1", "-j", "1", "--out", "run"]
    told = fairdeal(*words)
    assert told.exit_code == 0, told.stderr
    assert "is shown to be better" in told.stdout
    assert "--add-strategy run/tuned.py:Tuned" in told.stdout
    values = json.loads(fairdeal(*words, "--json").stdout)
    assert values["better"]
    made = make("kunitame", "run/tuned.py:Tuned")
    assert made.gems == values["changes"]["gems"][1]
    assert ranges(type(made)) == ranges(type(make("kunitame", "allround")))
    seats = ["--lineup", "allround-tuned,allround,random", "--players", "3"]
    file = ["--add-strategy", "run/tuned.py:Tuned"]
    played = fairdeal("run", "kunitame", *file, *seats, "-n", "50", "-j", "1")
    assert played.exit_code == 0, played.stderr
    checked = fairdeal("check-strategy", file[1], "--game", "kunitame", "-n", "10")
    assert checked.exit_code == 0, checked.stdout
    none = fairdeal(
        *("tune", "kunitame", "own.py:Idle", "--trials", "3", "-n", "40", "--seed"),
        *("1", "--fresh", "40", "-j", "1", "--out", "idle"),
    )
    assert "None shown to be better" in none.stdout
    assert not (here / "idle" / "tuned.py").exists()


def test_a_strategy_of_ones_own_is_tuned_to_a_file(own, tmp_path):
    rules = load("kunitame").rules.of(RULES)
    how = {"trials": 4, "games": 64, "fresh": 64, "seed": 2, "players": 3}
    done = tune("kunitame", f"{own}:Salted", rules=rules, **how)
    file = tmp_path / "elsewhere" / "tuned.py"
    file.parent.mkdir()
    file.write_text(tuned_strategy_file.text(done))
    made = make("kunitame", f"{file}:Tuned")
    assert made.salt == done.best.values["salt"]
    cell = Cell("kunitame", rules, 3, (made, "random", "random"), True, 1)
    assert run([cell], 40, jobs=2, block=20).played == (40,)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "detuned"),
    [("kbernestich", "allround:unset=20"), ("drake", "allround:played=0:risk=15")],
)
def test_detuned_strategies_of_other_games_are_recovered(game, detuned):
    wanted = [part.partition("=")[0] for part in detuned.split(":")[1:]]
    rules, players = load(game).rules(), 4
    how = {"trials": 16, "games": 512, "fresh": 2_048, "seed": 3}
    done = tune(game, detuned, rules=rules, players=players, wanted=wanted, **how)
    assert done.better
    assert done.gain[1] > 0.02

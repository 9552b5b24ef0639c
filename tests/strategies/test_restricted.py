"""Restricted play: what it is in any game, how it is written."""

import numpy as np
import polars as pl
import pytest

import fairdeal as fd
from experiments.conformance.check_strategy import check_strategy
from experiments.conformance.harness import Log, Setting, difference, numbers
from experiments.core.cells import Cell
from experiments.counterfactual.action_counts import play_first
from reports.statistics import paired_estimates
from reports.statistics.multiple_comparisons import adjust
from sim import masks
from sim.games import REGISTRY, load
from strategies.registry import UnknownStrategy, make, seat_specs, title
from strategies.restricted_play import WithoutOption, can_decline
from strategies.specs import split_lineup
from tests.games.room import first_few
from tests.sim import toy
from tests.strategies.test_search import RULES

SPECS = [
    "noisy(allround, 0.1)",
    "noisy(search:samples=4:inner=(planner:margin=1.0)+greedy, 0.25)",
    "without(allround, contract)",
    "without(noisy(planner:margin=2.5, 0.5), claim, blue)",
    "only(allround, contract+play)",
    "only(allround, play, noisy(greedy, 0.0))",
]


def setting(game):
    known = load(game)
    return Setting(known, known.rules.of(RULES.get(game, {})), known.players[0])


def log(where, player, games=12, others="random"):
    """What a strategy does among others."""
    found = Log(where.game)
    other = make(where.game.id, others)
    lineup = [player if seat == 0 else other for seat in range(where.players)]
    where.play(numbers(0, games), lineup, found)
    return found


def declared(game):
    """Each kind of decision that comes up, and its options, in a few games."""
    where = setting(game)
    cell = Cell(game, where.rules, where.players, ("allround",), True, 1)
    return where, play_first(cell, numbers(0, 12)).uses


@pytest.mark.parametrize("spec", SPECS)
def test_names_parse_back(spec):
    assert title("kunitame", spec) == spec
    assert make("kunitame", spec) == make("kunitame", title("kunitame", spec))


def test_brackets_hold_together():
    text = "greedy,noisy(without(allround, claim, blue), 0.1) ,only(timid,play,greedy)"
    assert split_lineup(text)[1:] == [
        "noisy(without(allround, claim, blue), 0.1)",
        "only(timid,play,greedy)",
    ]
    found = seat_specs("kunitame", text, 3)
    assert make("kunitame", found[1]).title == text.split(" ,", maxsplit=1)[0][7:]
    assert make("kunitame", "(planner:margin=1.0)").title == "planner:margin=1.0"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("noisy(alround, 0.1)", "did you mean 'allround'"),
        ("noisy(allround)", r"write noisy\(S, 0.1\)"),
        ("noisy(allround, x)", "chance is a number, not 'x'"),
        ("noisy(allround, 1.5)", "chance is 0.0 to 1.0, not 1.5"),
        ("noisy(allround, 0.1", "a bracket is not closed"),
        ("nosiy(allround, 0.1)", "did you mean 'noisy'"),
        ("without(allround, contrct)", "did you mean 'contract'"),
        ("without(allround, play)", "cannot be declined; name an option"),
        ("without(allround)", r"write without\(S, KIND\)"),
        ("only(allround, play+clam)", "did you mean 'claim'"),
        ("noisy(" * 40 + "allround" + ", 0.1)" * 40, "too many strategies"),
    ],
)
def test_mistakes(spec, words):
    with pytest.raises(UnknownStrategy, match=words):
        make("kunitame", spec)


def test_an_option_is_one_of_the_rules_that_are_played():
    with pytest.raises(UnknownStrategy, match="did you mean 'blue'"):
        fd.play("kunitame", lineup="without(allround, claim, bleu)", games=2, jobs=1)
    row = {"pledge": "P3", "when": "trick", "suit": "blue", "gem": 1}
    own = fd.Game("kunitame").rules({"squares": {"bleu": row}})
    lineup = "without(allround, claim, bleu)"
    assert fd.play(own, lineup=lineup, games=20, seed=1, jobs=1).played == (20,)


def test_one_s_own_strategy(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(
        "from strategies.scalar import Scalar\n"
        "class Bold(Scalar):\n"
        "    name = 'bold'\n"
        "    def play(self, view):\n"
        "        return view.legal[-1]\n"
    )
    study = tmp_path / "study.toml"
    study.write_text(
        'game = "kunitame"\nplayers = [3]\ngames = 20\nseed = 1\n'
        'strategies = ["own.py:Bold"]\n'
        'lineups = ["noisy(bold, 0.5),only(bold, play),greedy"]\n'
    )
    found = seat_specs("kunitame", "noisy(bold, 0.5)", 3, [f"{path}:Bold"])
    assert found == (f"noisy({path}:Bold, 0.5)",) * 3
    from experiments.studies import run_study
    from experiments.studies import study as studies

    done = run_study.run_study(studies.load(study), out=tmp_path / "run")
    assert done.results.played == (20,)
    assert str(path) in done.results.manifest["sources"]


@pytest.mark.parametrize("game", first_few(REGISTRY, 2))
def test_without_noise_it_plays_bit_for_bit_the_same(game):
    where = setting(game)
    for name in ("random", "allround"):
        plain = log(where, make(game, name)).rows()
        for spec in (f"noisy({name}, 0)", f"noisy(noisy({name}, 0), 0)"):
            found = log(where, make(game, spec))
            assert not difference(found.names, plain, found.rows())
        noisy = log(where, make(game, f"noisy({name}, 0.5)"))
        assert difference(noisy.names, plain, noisy.rows())


@pytest.mark.parametrize("game", first_few(REGISTRY, 2))
def test_all_noise_is_random(game):
    """Each option is taken as often, of the times that it could be."""
    where = setting(game)
    sums = []
    for spec in ("random", "noisy(allround, 1)"):
        lineup = (spec, *["random"] * (where.players - 1))
        cell = Cell(game, where.rules, where.players, lineup, True, len(sums))
        games = 600 if game in ("kunitame", "kbernestich", "drake") else 150
        uses = play_first(cell, numbers(0, games)).uses
        sums.append(uses.counts().sums().filter(pl.col("games") >= 40))
    by = ("decision", "option")
    rows = paired_estimates.differences(*sums, by, games, "share")
    p = adjust(rows["p"].to_numpy())
    assert rows.height > 5
    assert np.nanmin(p) > 0.001
    assert abs(rows["one"] - rows["other"]).mean() < 0.1


@pytest.mark.parametrize("game", first_few(REGISTRY, 2))
def test_what_it_is_kept_from_it_never_does(game):
    """Where another option is left; and where it would not, nothing changes."""
    where, uses = declared(game)
    used = [key for key, times in uses.taken.items() if times.any()]
    state = where.start(numbers(0, 1))
    for kind, option in used[:: max(len(used) // 2, 1)]:
        declared_kind = where.game.kinds[kind]
        words = state.vocabularies[declared_kind.vocabulary]
        taboo = masks.union(n for n, one in enumerate(words) if str(one) == option)
        for name in ("allround", "random"):
            player = make(game, f"without({name}, {kind}, {option})")
            found, plain = log(where, player), log(where, make(game, name))
            row = found.rows()
            mine = row[:, (row[1] == found.names.index(kind)) & _first(row, where)]
            took = (mine[4] & taboo) != 0
            left = masks.count(mine[3] & ~taboo)
            needs = masks.count(mine[4]) if declared_kind.form == "sample" else 1
            free = left >= needs if declared_kind.form != "bag" else left >= 0
            assert not (took & free).any()
            before = plain.rows()
            wanted = before[1] == plain.names.index(kind)
            wanted &= _first(before, where) & ((before[4] & taboo) != 0)
            same = ~np.isin(before[0], before[0, wanted])
            again = row[:, np.isin(row[0], before[0, same])]
            assert not difference(found.names, before[:, same], again)


def _first(row, where):
    return (row[0] + row[2]) % np.uint64(where.players) == 0


@pytest.mark.parametrize("game", first_few(REGISTRY, 2))
def test_a_kind_is_declined_wherever_it_may_be(game):
    where = setting(game)
    for kind in filter(can_decline, where.game.kinds.values()):
        found = log(where, make(game, f"without(random, {kind.name})"))
        row = found.rows()
        mine = row[:, (row[1] == found.names.index(kind.name)) & _first(row, where)]
        if kind.form == "bag":
            assert not mine[4].any()
            continue
        words = where.start(numbers(0, 1)).vocabularies[kind.vocabulary]
        name = kind.stop or kind.without
        bits = masks.union(n for n, one in enumerate(words) if one == name)
        may = (mine[3] & bits) != 0
        assert ((mine[4] & bits) != 0)[may].all()


def test_of_a_sample_as_few_as_can_be():
    class Highest:
        title = "highest"
        components = ()

        def decide(self, view):
            return toy.letters(*["ij"] * len(view))

    state = toy.State(games=3)
    player = WithoutOption(Highest(), "give", "j")
    legal = toy.letters("hij", "ij", "ij")
    most = np.full(3, 2, dtype=np.uint8)
    answer = toy.table(player).ask(state, "give", 0, legal, most=most)
    assert answer.tolist() == toy.letters("hi", "ij", "ij").tolist()


QUICK = ("kunitame",)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=() if game in QUICK else pytest.mark.slow)
        for game in REGISTRY
    ],
)
def test_every_check_of_strategies_passes(game):
    """Legal, the same twice and alone, hands off, without memory, blind."""
    where, uses = declared(game)
    kind, option = max(uses.taken, key=lambda key: uses.taken[key].sum())
    spec = f"noisy(only(without(allround, {kind}, {option}), {kind}, random), 0.2)"
    found = check_strategy(load(game), spec, rules=where.rules, games=12)
    assert [one for one in found if not one.ok] == []


def test_a_search_that_is_restricted_does_not_imagine_otherwise():
    where = setting("kunitame")
    spec = "without(search:samples=2, claim, black)"
    found = log(where, make("kunitame", spec), games=6)
    again = log(where, make("kunitame", spec), games=6)
    assert not difference(found.names, found.rows(), again.rows())
    assert found.rows().shape[1] > 100


def test_who_is_kept_from_an_option_plays_as_a_strategy_that_is_only_equal():
    """A worker has another copy of it for each block."""
    for inner in (make("kunitame", "allround") for _ in range(2)):
        kept = WithoutOption(inner, "contract", "3")
        assert kept.shared_prefix_policy is inner
    searcher = WithoutOption(make("kunitame", "search:samples=1"), "contract", "3")
    assert searcher.shared_prefix_policy is searcher  # it plans without the option
    assert WithoutOption(inner, "contract").shared_prefix_policy != inner

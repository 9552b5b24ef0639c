"""Finding strategies: by name, with parameters, from a file."""

import pickle

import pytest

import fairdeal as fd
from sim.games import REGISTRY, load
from strategies import registry
from strategies.base import parameters, ranges
from strategies.registry import UnknownStrategy, builtin, make, seat_specs

FILE = """
from __future__ import annotations
from dataclasses import dataclass, field
from strategies.base import Strategy, parameter
from beside import NUMBER

@dataclass(frozen=True)
class Mine(Strategy):
    '''Believes in numbers.

    More of this is not told.'''
    name = "mine"
    margin: int = NUMBER
    brave: bool = False
    share: float = 0.5
    seen: list[int] = field(default_factory=list)

class Bare(Strategy):
    name = "bare"
    margin: int = 1

@dataclass(frozen=True)
class Needs(Strategy):
    name = "needs"
    what: int

class Nameless(Strategy):
    pass

class Taken(Strategy):
    name = "greedy"

class Case(Strategy):
    name = "Greedy"

class Dashes(Strategy):
    name = "Pledge_Hunter"

class Call(Strategy):
    name = "bold (0.5)"

class Noisy(Strategy):
    name = "Noisy"

class Panel(Strategy):
    name = "panel"

class Comma(Strategy):
    name = "a,b"

class Escape(Strategy):
    name = "a\\x1b[31mb"

class Misspelt(Strategy):
    name = "misspelt"

    def contrct(self, view):
        return view.pick(view.legal)

@dataclass(frozen=True)
class Ranged(Strategy):
    name = "ranged"
    gems: int = parameter(2, 0, 12)
"""


@pytest.fixture
def own(tmp_path):
    (tmp_path / "beside.py").write_text("NUMBER = 3\n")
    path = tmp_path / "own.py"
    path.write_text(FILE)
    return path


def test_built_in_ones():
    found = builtin("kunitame")
    assert next(iter(found)) == "random"
    assert {
        "timid",
        "greedy",
        "planner",
        "pledge-hunter",
        "gambler",
        "allround",
    } <= set(found)


def test_a_file_with_what_lies_beside_it(own):
    mine = make("kunitame", f"{own}:Mine:margin=4:brave=true:share=0.25")
    assert (mine.margin, mine.brave, mine.share) == (4, True, 0.25)
    assert mine.title == "mine:margin=4:brave=True:share=0.25"
    assert make("kunitame", f"{own}:Mine").title == "mine"
    assert mine.belief() == "Believes in numbers."


def test_a_strategy_from_a_file_travels(own):
    mine = make("kunitame", f"{own}:Mine:margin=4")
    assert pickle.loads(pickle.dumps(mine)) == mine  # noqa: S301


def test_the_lineup_may_name_it(own):
    spec = f"{own}:Mine"
    assert seat_specs("kunitame", "mine", 3, [spec]) == (spec,) * 3
    found = seat_specs("kunitame", "Mine:margin=5,random,random", 3, [spec])
    assert found == (f"{spec}:margin=5", "random", "random")
    found = seat_specs("kunitame", "search:inner=mine:others=mine+greedy", 3, [spec])
    assert found[0] == f"search:inner=({spec}):others=({spec})+greedy"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":Mine:margn=1", "did you mean 'margin'?"),
        (":Mine:margin=x", "margin is a whole number"),
        (":Mine:brave=x", "brave is a true or false"),
        (":Bare:margin=2", r"needs @dataclass\(frozen=True\)"),
        (":Needs", "missing 1 required"),
        (":Nameless", "Nameless needs a name of its own"),
        (":Taken", "its name 'greedy' is that of a built-in strategy of kunitame"),
        (":Case", "its name 'Greedy' reads as 'greedy', which is that of a built-in"),
        (":Dashes", "'Pledge_Hunter' reads as 'pledge-hunter', which is that of a"),
        (":Call", "no comma, colon, bracket, = or"),
        (":Noisy", "'Noisy' means something else where strategies are named"),
        (":Panel", "not before, noisy, only, panel, without"),
        (":Comma", "no comma, colon, bracket, = or"),
        (":Escape", "needs a name of its own"),
        (":Misspelt", "no decision 'contrct'; did you mean 'contract'"),
        (":Ranged:gems=13", "gems is 0 to 12, not 13"),
        (":Ranged:gems=-1", "gems is 0 to 12, not -1"),
        (":Mine:share=nan", "share is a finite number, not nan"),
        (":Mine:margin=1:margin=2", "margin is set twice"),
        (":Mien", "did you mean 'Mine'?"),
    ],
)
def test_mistakes(own, text, expected):
    with pytest.raises(UnknownStrategy, match=expected):
        make("kunitame", f"{own}{text}")


@pytest.mark.parametrize("text", ["raise SystemExit", "import nothing_there", "x = ("])
def test_a_file_that_does_not_load(tmp_path, text):
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(UnknownStrategy, match="does not load"):
        make("kunitame", f"{path}:X")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("allround:gems=-5", "gems is 0 to 12, not -5"),
        ("planner:margin=nan", "margin is a finite number"),
        ("planner:margin=inf", "margin is a finite number"),
        ("planner:margin=1e308", "margin is -20 to 20"),
    ],
)
def test_parameters_have_a_range(spec, expected):
    with pytest.raises(UnknownStrategy, match=expected):
        make("kunitame", spec)


@pytest.mark.soak
@pytest.mark.parametrize("game", REGISTRY)
def test_every_number_of_a_built_in_strategy_has_a_range_that_can_be_played(game):
    """At both ends, alone and all together, games are played to their end."""
    players = 4 if 4 in load(game).players else load(game).players[0]
    for name, cls in builtin(game).items():
        numbers = {k for k, v in parameters(cls) if type(v) in (int, float)}
        assert numbers == set(ranges(cls))
        ends = [
            {key: low for key, (low, _) in ranges(cls).items()},
            {key: high for key, (_, high) in ranges(cls).items()},
        ]
        for values in ends if numbers else []:
            spec = ":".join([name, *(f"{k}={v}" for k, v in values.items())])
            how = {"players": players, "games": 4, "seed": 1, "jobs": 1}
            result = fd.play(game, lineup=spec, **how)
            assert result.played == (4,)


class Entry:
    """An entry point as importlib gives it."""

    name = "kunitame.guest"

    def __init__(self, loaded):
        self._loaded = loaded

    def load(self):
        if isinstance(self._loaded, Exception):
            raise self._loaded
        return self._loaded


def test_entry_points(monkeypatch):
    guest = builtin("kunitame")["greedy"]
    monkeypatch.setattr(registry, "entry_points", lambda group: [Entry(guest)])
    assert make("kunitame", "guest") == guest()
    assert "guest" in [one["name"] for one in registry.about("kunitame")]
    with pytest.raises(UnknownStrategy, match="did you mean 'guest'"):
        make("kunitame", "gest")


def test_an_entry_point_that_does_not_load(monkeypatch):
    entry = Entry(ImportError("no such module"))
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    with pytest.raises(UnknownStrategy, match="its package does not load: ImportError"):
        make("kunitame", "guest")

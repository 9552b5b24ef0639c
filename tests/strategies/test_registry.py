"""Finding strategies: by name, with parameters, from a file."""

import pickle

import pytest

from strategies import registry
from strategies.registry import UnknownStrategy, builtin, make, seated

FILE = """
from __future__ import annotations
from dataclasses import dataclass, field
from strategies.base import Strategy
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
    margin: int = 1

@dataclass(frozen=True)
class Needs(Strategy):
    what: int
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
        "balanced",
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
    assert seated("kunitame", "mine", 3, [spec]) == (spec,) * 3
    found = seated("kunitame", "Mine:margin=5,random,random", 3, [spec])
    assert found == (f"{spec}:margin=5", "random", "random")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":Mine:margn=1", "did you mean 'margin'?"),
        (":Mine:margin=x", "margin is a whole number"),
        (":Mine:brave=x", "brave is a true or false"),
        (":Bare:margin=2", r"needs @dataclass\(frozen=True\)"),
        (":Needs", "cannot be made"),
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

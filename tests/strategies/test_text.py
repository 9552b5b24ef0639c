"""Strategies that are lists of preferences: how they read, play and are refused."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import fairdeal as fd
from experiments.core.cells import Cell, play
from experiments.execution.results import load as load_results
from sim.games import REGISTRY, load
from strategies import policy_store
from strategies.field_ids import check_ids
from strategies.files import UnknownStrategy
from strategies.random import Random
from strategies.registry import make
from strategies.scalar import each_game
from strategies.text_conditions import ConditionError, parse
from strategies.text_strategy import _members
from strategies.view_fields import FieldReader

PAGE = Path(__file__).parents[2] / "docs" / "strategies.md"
SEEN = {
    "hand": ("R3", "P", "use Sangria All"),
    "points": [4, 7, 2],
    "power": [[1, 2], [3, 4]],
    "turn": 2,
    "best": None,
    "won": [("R1",), ()],
    "last": False,
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("turn", True),
        ("last", False),
        ("best", False),
        ("not last and turn = 2", True),
        ("turn = 1 or turn = 2 and last", False),
        ("(turn = 1 or turn = 2) and not last", True),
        ("hand has P", True),
        ("hand has R?", True),
        ("hand lacks 'use Sangria All'", False),
        ("hand >= 3", True),
        ("hand.2 has P", True),
        ("hand.4 has *", False),
        ("points.1 < points.most", True),
        ("points.3 = points.least", True),
        ("points.sum - 10 = turn + 1", True),
        ("won has R1", True),
        ("won.2 has R1", False),
        ("won.most = 1", True),
        ("power.2.1 = 3 and power.1.most = 2", True),
        ("best lacks R1", True),
    ],
)
def test_conditions(text, holds):
    assert parse(text).holds(SEEN.__getitem__) is holds


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "ends too early"),
        ("turn >", "ends too early"),
        ("turn have P", "'have' is not expected"),
        ("hand has 0 P", "hand has 0 P says nothing. Write hand lacks P"),
        ("(turn", "bracket"),
        ("2 has P", "before has is a field"),
        ("turn + 1 has P", "before has is a field"),
        ("points.mots > 1", "'most'"),
        ("__import__('os')", "is not expected"),
        ("turn; turn", "';'"),
        ("(" * 900, "too many brackets"),
        ("turn > " + "9" * 5_000, "5,007 characters; at most 1,000"),
    ],
)
def test_bad_conditions_say_where(text, why):
    with pytest.raises(ConditionError, match=re.escape(why)):
        parse(text)


@pytest.mark.parametrize("text", ["points > 1", "turn.1 = 2", "points.4 = 1"])
def test_conditions_that_do_not_fit_what_is_seen(text):
    with pytest.raises(ConditionError):
        parse(text).holds(SEEN.__getitem__)


def written(folder: Path, text: str, name: str = "mine") -> str:
    (folder / f"{name}.toml").write_text(text)
    return str(folder / f"{name}.toml")


def example(name: str, folder: Path) -> str:
    """The file of an example of the page."""
    text = PAGE.read_text("utf-8")
    block = re.search(rf"```toml\n# {name}\.toml\n(.*?)```", text, re.DOTALL)
    return written(folder, block[1], name)


@pytest.mark.parametrize(
    ("game", "name"), [("kunitame", "cautious"), ("drake", "virtue")]
)
def test_examples_play_better_than_chance(game, name, tmp_path):
    file = example(name, tmp_path)
    lineup = ",".join([file, "random", "random", "random"])
    run = fd.play(game, lineup=lineup, games=600, seed=1, jobs=1)
    won = {row["strategy"]: row for row in run.to_polars().to_dicts()}
    mine, chance = (won[one] for one in sorted(won, key=lambda one: one == "random"))
    assert mine["won_low"] > chance["won_high"]


def test_the_page_quotes_the_check(tmp_path):
    checks = fd.check(example("cautious", tmp_path), "kunitame", games=10)
    rows = [f"{name} {what}" for name, _, what in checks.rows()]
    quoted = re.findall(r"^(preference \d) +yes +(.*)$", PAGE.read_text(), re.M)
    assert len(quoted) == 2
    for name, what in quoted:
        assert f"{name} {what}" in rows


LISTS = {
    "kunitame": '[[prefer]]\nkind="contract"\noption="1"\nnumber=2\n'
    '[[prefer]]\nkind="cancel"\ntake="last"\noption="*"',
    "kbernestich": '[[prefer]]\nkind="review"\noption="B*"\n[[prefer]]\nkind="plot"\n'
    'when="cubes > 2"\noption=["bust-2*", "pass"]',
    "evilpact": '[[prefer]]\nkind="acquire"\nwhen="power.1.1 > 1"\namong="legal"',
    "socialism": '[[prefer]]\nkind="cell"\noption="-1,*"',
    "article_ii": '[[prefer]]\nkind="target"\noption=["1", "2"]\ntake="random"',
    "devil": '[[prefer]]\nkind="play"\nwhen="hand has 1S"\noption="1S"',
    "drake": '[[prefer]]\nkind="act"\nwhen="in_play.1 lacks *"\noption="fire"',
}


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_is_played_by_text(game, tmp_path):
    file = written(tmp_path, LISTS[game])
    run = fd.play(game, lineup=file, games=4, seed=1, jobs=1)
    assert run.played == (4,)


@pytest.mark.parametrize(
    "text",
    ["prefer = [{kind='play', option='P'}]", "[[ prefer ]]\nkind='play'\noption='P'"],
)
def test_a_text_may_be_any_toml(text, tmp_path):
    assert len(make("kunitame", written(tmp_path, text)).text.prefer) == 1


def test_a_game_in_one_file_is_played_by_text(tmp_path):
    game = Path(__file__).parents[2] / "docs" / "games" / "no_thanks.py"
    text = '[[prefer]]\nkind="offer"\nwhen="pot > 4 or face_up.1 < 10"\noption="take"\n'
    more = '[[prefer]]\nkind="offer"\nwhen="taken.1 >= 0 and chips > 0"\noption="no *"'
    run = fd.play(str(game), lineup=written(tmp_path, text + more), games=4, jobs=1)
    assert run.played == (4,)


BAD = {
    "": "no [[prefer]]",
    "prefer = 3": "no [[prefer]]",
    "[[prefer]]\nkind = ": "no TOML",
    "[[prefers]]\nkind='play'": "did you mean 'prefer'?",
    "[[prefer]]\nknd='play'\noption='P'": "did you mean 'kind'?",
    "[[prefer]]\nkind='plaij'\noption='P'": "did you mean 'play'?",
    "[[prefer]]\nkind='play'": "prefers nothing",
    "[[prefer]]\nkind='play'\noption='P'\nwhen='hnad has P'": "did you mean 'hand'?",
    "[[prefer]]\nkind='play'\namong='wining'": "did you mean 'winning'?",
    "[[prefer]]\nkind='play'\noption=3": "a list of ids, not 3",
    "[[prefer]]\nkind='play'\noption='P'\ntake='lst'": "did you mean",
    "[[prefer]]\nkind='play'\noption='P'\nnumber=2": "takes one of each",
    "[[prefer]]\nkind='contract'\noption='1'\nnumber=0": "number is 1 to 64",
    "otherwise='greedi'\n[[prefer]]\nkind='play'\noption='P'": "did you mean 'greedy'?",
    "otherwise='mine.toml'\n[[prefer]]\nkind='play'\noption='P'": "mine.toml",
    "[[prefer]]\nkind='play'\noption='P'\nwhen='_state'": "no field '_state'",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_text_says_what_is_allowed(text, tmp_path):
    with pytest.raises(UnknownStrategy, match=re.escape(BAD[text])):
        make("kunitame", written(tmp_path, text))


def test_an_option_that_the_rules_do_not_have(tmp_path):
    file = written(tmp_path, "[[prefer]]\nkind='play'\noption=['P', 'B14']")
    with pytest.raises(UnknownStrategy, match="did you mean 'B"):
        fd.play("kunitame", lineup=file, games=8, jobs=1)
    with pytest.raises(UnknownStrategy, match="did you mean 'B"):
        fd.check(file, "kunitame", games=10)


def test_a_preference_that_never_can_be_followed_is_told(tmp_path):
    text = (
        "[[prefer]]\nkind='claim'\noption='*'\n[[prefer]]\nkind='claim'\noption='pass'"
    )
    checks = fd.check(written(tmp_path, text), "kunitame", games=10)
    failed = checks.filter(~checks["ok"])
    assert failed["check"].to_list() == ["preference 2"]
    assert "preference 1 always decides before it" in failed["found"][0]
    tokens = text.replace("claim", "contract").replace("pass", "1")
    checks = fd.check(written(tmp_path, tokens), "kunitame", games=10)
    assert checks["ok"].all(), "each line places its own tokens"
    every, more = checks.filter(checks["check"].str.starts_with("pref"))["found"]
    assert "100%" in every
    assert not re.search("never| 0%", more), "also where it is not the first"


def test_a_run_keeps_the_text(tmp_path, monkeypatch):
    """It is played as it was begun, after the file has changed."""
    file = written(tmp_path, "[[prefer]]\nkind='play'\noption='P'")
    first = fd.play(
        "kunitame", lineup=file, games=64, seed=1, jobs=1, out=tmp_path / "run"
    )
    kept = [*(tmp_path / "run" / "policies").iterdir()]
    assert [one.suffix for one in kept] == [".toml"]
    written(tmp_path, "[[prefer]]\nkind='play'\noption='R1'")
    monkeypatch.setattr(policy_store, "_known", {})
    again = load_results(tmp_path / "run", playable=True)
    assert again.names == first.names
    assert [*policy_store._known] == [*first.cells[0].strategies()[0].policies]


@dataclass(frozen=True)
class Looks(Random):
    """Keeps every id that a field shows."""

    seen: ClassVar[set] = set()

    def decide(self, view):
        reader, shown = FieldReader(view), type(view)
        for name in (*shown.vocabulary_of, *shown.card_lists, *shown.names_of):
            for game in each_game(view):
                try:
                    ids = _members(reader.read(game, name))
                    self.seen |= {(name, str(one)) for one in ids}
                except (AttributeError, LookupError, ValueError):
                    continue  # not in this decision
        return super().decide(view)


@pytest.mark.parametrize("game", [*REGISTRY, "docs/games/oh_hell.py"])
def test_all_ids_that_fields_show_are_known(game):
    game = str(PAGE.parents[1] / game) if game.endswith(".py") else game
    known = load(game)
    rules, players = known.rules(), known.players[-1]
    Looks.seen = set()
    cell = Cell(game, rules, players, (Looks(),), seed=1)
    play(cell, np.arange(2, dtype=np.uint64))
    assert Looks.seen
    condition = replace(parse("turn"), ids=tuple(Looks.seen))
    check_ids(condition, known, rules, (players,))


def test_an_id_that_no_table_has_is_refused_in_when(tmp_path):
    text = '[[prefer]]\nkind="play"\noption="*"\nwhen="turn > 1 and hand has Q"\n'
    with pytest.raises(UnknownStrategy, match=r"preference 1: when: no id in hand 'Q'"):
        fd.play("kunitame", lineup=written(tmp_path, text), games=8, jobs=1)

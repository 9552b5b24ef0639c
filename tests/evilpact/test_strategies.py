"""Each strategy of Evilpact does what its text says; margins in standard errors."""

from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.core.blocks import Block, Outcome, play_block
from sim.evilpact.view import EvilpactView
from sim.masks import Masks
from strategies.evilpact.allround import Allround
from tests.evilpact.plays import NAMES, PLAYS
from tests.games.rotated import Book
from tests.games.skilled import Skilled, apart
from tests.games.watched import Watched

STRATEGIES = [name for name in NAMES if name not in ("random", "allround")]
ERRORS = 5  # standard errors that a difference has to exceed
GAMES = 2000
TABLES = ("final", "effect", "spell", "counter", "acquire")


def played(one: str, other: str) -> Outcome:
    """A run of two strategies that take turns in the seats, with its raw tables."""
    return _played(*sorted((one, other)))


@lru_cache
def _played(one: str, other: str) -> Outcome:
    cell = PLAYS.cell({}, [one, other], seed=7, rotate=True)
    return play_block(cell, Block(0, 0, GAMES), keep=TABLES)


def table(name: str, strategy: str, against: str = "collector") -> pl.DataFrame:
    """The rows of a raw table that are about a strategy, in games against another."""
    raw = played(strategy, against).tables[name]
    return raw.filter(pl.col("strategy") == strategy)


def above(more: Any, less: Any) -> bool:
    """Whether one mean exceeds another by several standard errors of both."""
    return apart(more, less) > ERRORS


class TestSkilled(Skilled):
    plays = PLAYS
    games, close = GAMES, {"guardian": 6000}
    margin = 0.4


def power(name: str, *elements: str) -> Any:
    """(games,) its power in some elements at the end of games against random ones."""
    icons = table("final", name, "random")["icons"].to_numpy().astype("<u8")
    names = PLAYS.ruled().elements
    wanted = [names.index(element) for element in elements or names]
    return icons.view(np.uint8).reshape(-1, 8)[:, wanted]


def test_collector_spreads_over_the_elements() -> None:
    """Its power differs less by element than that of the pactkeeper."""
    assert above(power("pactkeeper").std(axis=1), power("collector").std(axis=1))


@pytest.mark.parametrize(
    ("name", "elements"), [("disruptor", ("red", "blue")), ("guardian", ("yellow",))]
)
def test_favourite_elements(name: str, elements: tuple[str, ...]) -> None:
    """Who needs them for spells has more of them than the collector."""
    own, other = (power(who, *elements).sum(axis=1) for who in (name, "collector"))
    assert above(own, other)


@pytest.mark.parametrize("other", [s for s in STRATEGIES if s != "pactkeeper"])
@pytest.mark.slow
def test_pactkeeper_fulfils_its_contract(other: str) -> None:
    """More often, and by more power, than the others; it wins fewer elements."""
    own, others = (table("final", name, "allround") for name in ("pactkeeper", other))
    assert above(own["margin"] >= 0, others["margin"] >= 0)
    assert above(own["margin"], others["margin"])


@pytest.mark.parametrize("spell", ["cthugha", "cthulhu"])
@pytest.mark.parametrize("other", [s for s in STRATEGIES if s != "disruptor"])
def test_disruptor_attacks_often_and_early(spell: str, other: str) -> None:
    def casts(name: str) -> tuple[Any, Any]:
        cast = table("effect", name, "random").filter(pl.col("spell") == spell)
        per_game = np.bincount(cast["game"].to_numpy(), minlength=GAMES)
        return per_game, cast["round"]

    (often, early), (seldom, late) = casts("disruptor"), casts(other)
    assert above(often, seldom)
    assert above(late, early)


@pytest.mark.slow
def test_guardian_keeps_hastur_for_what_matters() -> None:
    """It declines to counter; what it counters is more, and he is its contract."""

    def counters(name: str) -> pl.DataFrame:
        asked = played(name, "disruptor").tables["counter"]
        seat = table("final", name, "disruptor").select("game", "seat")
        return asked.join(seat, on=["game", "seat"])

    guardian, collector = counters("guardian"), counters("collector")
    assert (collector["chosen"] != "pass").all()
    assert above(collector["chosen"] != "pass", guardian["chosen"] != "pass")
    own, others = (table("final", n)["contract"] for n in ("guardian", "collector"))
    assert above(own == "hastur", others == "hastur")


def test_allround_keeps_a_spell_until_it_is_worth_it() -> None:
    """It casts later than the disruptor, against the same opponent."""
    own, other = (table("effect", name)["round"] for name in ("allround", "disruptor"))
    assert above(own, other)


def test_allround_knows_how_likely_it_wins() -> None:
    """It wins the more often, the better it thinks of its chance; over all rounds."""
    seen, allround = list[tuple[Any, Any]](), Allround()

    def look(view: EvilpactView, answer: Masks) -> None:
        if view.kind.name == "acquire":
            seen.append((view.seat == 1, allround.judge(view).now))

    book = Book({"result"})
    state = PLAYS.started({}, 2, GAMES)
    PLAYS.game.play(state, PLAYS.table([Watched(allround, look)], book))
    winner = book.kept["result"][0]["winner"]
    for first in (0, 10, 20, 30):
        part = seen[first : first + 10]
        chance = np.concatenate([chance for _, chance in part])
        won = np.concatenate([winner == seat for seat, _ in part])
        low, high = (won[chance < 0.4], won[chance > 0.6])
        assert min(len(low), len(high)) > 100
        assert above(high, low)

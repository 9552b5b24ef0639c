"""Contracts with the demon tried: each row against its game, played anew."""

from dataclasses import dataclass, field, replace

import numpy as np

from experiments.core.branching import Branching
from experiments.core.cells import Cell
from experiments.core.recording import Block, about, record
from reports.evilpact.pacts import PACTS, TRIED, branching, options, tried
from reports.evilpact.played import RECORDS, PlayedGames
from sim import games
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy
from strategies.registry import make

RULES = games.load("evilpact").rules.of()


@dataclass(frozen=True)
class Told(Strategy):
    """Plays as another, but for the contract of one seat."""

    inner: Strategy = field(default_factory=lambda: make("evilpact", "pactkeeper"))
    seat: int = 0
    spell: int = 0

    def decide(self, view: View) -> Masks:
        """As the other strategy, or as told."""
        answer = self.inner.decide(view)
        if view.kind.name != "contract":
            return answer
        mine = np.broadcast_to(np.asarray(view.seat), answer.shape) == self.seat
        return np.where(mine, np.uint64(self.spell), answer)


def test_each_row_is_the_game_played_anew():
    want = dict(branching(RULES.plain())[0])
    del want["players"], want["search"]
    of = Cell(
        "evilpact", RULES, 2, ("pactkeeper",) * 2, True, 3, branching=Branching(**want)
    )
    played, raw = record(of, Block(0, 0, 24), RECORDS, [])
    rows = tried(PlayedGames(raw, about(of, played)))
    assert rows["decision"].n_unique() == rows["game"].n_unique() > 20
    assert rows.filter("chosen").height == rows["decision"].n_unique()
    assert set(rows["option"]) <= set(options(RULES.plain()))
    some = rows.with_columns(raw[PACTS].select("seat", bit="option"))
    for row in some.sample(5, seed=1).rows(named=True):
        one = Told(seat=row["seat"], spell=row["bit"])
        again = replace(of, lineup=(one,) * 2, branching=None)
        _, told = record(again, Block(0, row["game"], 1), ("result", "final"), [])
        [final] = told["final"].filter(seat=row["seat"]).rows(named=True)
        [end] = told["result"].filter(seat=row["seat"]).rows(named=True)
        assert row["option"].lower().startswith(str(final["contract"]))
        assert row["made"] == bool(end["fulfilled"])
        assert row["won"] == (end["winner"] == row["seat"])
        assert row["points"] == end["elements"]


def test_a_spell_of_another_element_is_an_own_contract():
    other = RULES.plain() | {"spell_element": dict(RULES.plain()["spell_element"])}
    other["spell_element"]["eihort"] = "yellow"
    assert TRIED.added(other, RULES.plain()) == ["Eihort (yellow)"]
    assert TRIED.added(RULES.plain(), RULES.plain()) == []

"""Contracts with the demon tried: each row against its game, played anew."""

from dataclasses import replace

from experiments.core.block_records import Block, record_block, report_context
from experiments.core.cells import Cell
from experiments.counterfactual.intervention import every_option
from experiments.counterfactual.interventions import Interventions
from reports.evilpact.contract_counterfactuals import (
    PACTS,
    TRIED,
    branching,
    contract_rows,
    options,
)
from reports.evilpact.game_arrays import EvilpactArrays
from reports.evilpact.report import REPORT
from sim import games
from strategies.registry import make
from tests.games.told import Told

RULES = games.load("evilpact").rules.of()


def test_each_row_is_the_game_played_anew():
    want = dict(branching(RULES.plain())[0])
    del want["players"], want["search"], want["full"]
    of = Cell(
        "evilpact",
        RULES,
        2,
        ("pactkeeper",) * 2,
        True,
        3,
        interventions=Interventions((every_option(**want),)),
    )
    played, raw = record_block(of, Block(0, 0, 24), REPORT.all_notes, [])
    rows = contract_rows(EvilpactArrays(raw, report_context(of, played)))
    assert rows["decision"].n_unique() == rows["game"].n_unique() > 20
    assert rows.filter("chosen").height == rows["decision"].n_unique()
    assert set(rows["option"]) <= set(options(RULES.plain()))
    some = rows.with_columns(raw[PACTS].select("seat", bit="option"))
    keeper = make("evilpact", "pactkeeper")
    for row in some.sample(5, seed=1).rows(named=True):
        one = Told(keeper, "contract", row["seat"], row["bit"])
        again = replace(of, lineup=(one,) * 2, interventions=None)
        _, told = record_block(again, Block(0, row["game"], 1), ("result", "final"), [])
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

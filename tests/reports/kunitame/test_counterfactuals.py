"""Contracts tried: each row against its game, played anew with that contract."""

from dataclasses import replace

from experiments.analysis.panel import Panel
from experiments.core.block_records import Block, record_block, report_context
from experiments.core.cells import Cell
from experiments.counterfactual.intervention import every_option
from experiments.counterfactual.interventions import Interventions
from reports.kunitame.contracts import branching, contract_rows
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.report import REPORT
from strategies.registry import make
from tests.games.told import Told
from tests.reports.kunitame.transcript import GAME, cell

PLAIN = GAME.rules.of().plain()


def test_each_row_is_the_game_played_anew():
    want = dict(branching(PLAIN)[0])
    fields = {k: want[k] for k in ("decisions", "one_in", "keeps", "hand")}
    tried = Interventions((every_option(**fields),))
    of = replace(cell(("allround",) * 4, seed=3), interventions=tried)
    played, raw = record_block(of, Block(0, 0, 48), REPORT.all_notes, [])
    rows = contract_rows(KunitameArrays(raw, report_context(of, played)))
    masks = raw["branching"].select("seat", "option")
    assert rows["decision"].n_unique() == rows["game"].n_unique() > 30
    assert rows.filter("chosen").height == rows["decision"].n_unique()
    some = rows.with_columns(masks).sample(40, seed=2)
    assert (some["option"].n_unique(), some["week"].n_unique()) > (1, 1)
    names = ("contract", "result", "contracts")
    allround = make("kunitame", "allround")
    for row, words in zip(
        some.rows(named=True), rows.sample(40, seed=2)["option"], strict=True
    ):
        week = (("week", row["week"]),)
        one = Told(allround, "contract", row["seat"], row["option"], week)
        again = replace(of, lineup=(one,) * 4, interventions=None)
        _, told = record_block(again, Block(0, row["game"], 1), names, [])
        end, week = (
            told[name].filter(seat=row["seat"]) for name in ("result", "contracts")
        )
        end, week = end.row(0, named=True), week.filter(week=row["week"])
        assert row["won"] == (end["winner"] == row["seat"])
        assert row["points"] == end["points"] * (end["lives"] > 0)
        assert row["out"] == (week["lives"].item() == 0)
        assert row["came"] == week["tricks"].item()
        if words.startswith("exactly"):
            target, stake = (int(part.split()[-1]) for part in words.split(","))
            assert week["stakes"].item().bit_count() == stake
            assert row["made"] == (week["tricks"].item() == target)


def test_who_is_tried():
    """Those asked for; of who searches his own decisions, without search."""
    rules = GAME.rules.of()
    wanted = [{**want, "of": ["contracts"]} for want in branching(PLAIN)]
    panel = Panel("kunitame", rules, (4,), (4,), 0, (), (), counterfactuals=wanted)
    changed = [one.cell for one in panel.cells() if isinstance(one.cell, Cell)]
    tried = {cell.title() for cell in changed if cell.interventions is not None}
    assert tried == {"allround", "planner", "gambler"}
    ([all_search], _), ([lone], _) = panel.search_cells("search:samples=4", 100)
    none, one = (place.cell.interventions for place in (all_search, lone))
    assert none is None
    [asked] = one.every
    assert asked.whose == "first"
    assert (asked.when.one_in, asked.do.plays_on) == ((1,), "allround")


def test_no_contract_is_tried_where_there_is_none():
    of = cell(("allround",) * 4, seed=3)
    played, raw = record_block(of, Block(0, 0, 4), REPORT.all_notes, [])
    assert contract_rows(KunitameArrays(raw, report_context(of, played))).is_empty()
    assert branching(GAME.rules.of({"contract_limit": 0}).plain()) == ()

"""Two versions of a card sheet: what changed, and which cards became stronger."""

import csv
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import fairdeal as fd
from experiments.analysis.card_worth import (
    card_sentences,
    card_worth,
    with_card_verdicts,
)
from experiments.analysis.changed_cards import table_cards
from experiments.core.cells import Cell
from experiments.execution.run import run
from sim.games import load

HOW = {"lineup": "greedy", "games": 64, "seed": 1, "jobs": 1}


def cell(game="kunitame", players=4, **changes):
    who = ("allround",) * players
    return Cell(game, load(game).rules.of(changes), players, who, True, 1)


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """Another gem on card-6-8, no black square, and one more."""
    folder = tmp_path_factory.mktemp("sheets")
    old, new = folder / "old.csv", folder / "new.csv"
    fd.cards("kunitame", file=old)
    with old.open() as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    rows["card-6-8"]["gem"] = "3"
    rows["card-9-10"] = rows["card-11"] | {"id": "card-9-10", "num": "[9, 10]"}
    del rows["black"]
    with new.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows["blue"].keys())
        writer.writeheader()
        writer.writerows(rows.values())
    game = fd.Game("kunitame")
    return fd.compare(game.rules(old), game.rules(new), **HOW)


def test_cards_that_changed_come_first_and_all_have_a_verdict(compared):
    cards = compared.cards
    changed = cards.filter("changed")["card"].to_list()
    assert cards["card"].to_list()[:3] == changed
    assert set(changed) == {"card-6-8", "card-9-10", "black"}
    verdicts = dict(cards.select("card", "verdict").rows())
    assert (verdicts["card-9-10"], verdicts["black"]) == ("new", "gone")
    known = cards.filter(pl.col("difference").is_not_null())
    assert (known["difference"] == known["worth_other"] - known["worth_one"]).all()
    assert known.filter(~pl.col("difference").is_between("low", "high")).is_empty()
    [told] = card_sentences(cards)
    assert "new card-9-10 (" in told
    assert "gone black (" in told
    assert "card-6-8 (" in told


def test_cards_take_their_part_of_the_false_alarms(compared):
    families = compared.rows["family"].n_unique()
    assert compared.family_count == 2 * (families + 2)  # scorecard and cards


def test_a_card_is_worth_what_its_player_loses_without_it():
    """Players who go without are seated, and their games played from the start."""
    one, other = cell(), cell(squares={"card-6-8": {"gem": 3}})
    few = ["card-6-8", "blue"]
    worth = dict(card_worth([(one, other)], 32).select("card", "worth_other").rows())
    who = [f"without(allround, claim+bonus+return, {card})" for card in few]
    cells = [replace(other, lineup=(first, *["allround"] * 3)) for first in who]
    sums = run(cells, 32).sums.filter(measure="won by strategy")
    wins = [sums.filter(strategy=first)["y"].sum() for first in who]
    lost = [32 * worth[card] for card in few]
    assert np.allclose(np.diff(lost), -np.diff(wins))


def test_equal_tables_and_other_rules_have_no_cards():
    assert table_cards(cell(), cell(life=4)) == []
    assert card_worth([(cell(), cell(life=4))], 8).is_empty()
    kbernestich = cell("kbernestich"), cell("kbernestich", hannah=1)
    assert table_cards(*kbernestich) == []  # by number of players: no cards


CHANGED = {  # a changed row, what uses it, and which cards are compared
    "kunitame": ({"contract_squares": [1, 2, 3, 4, 6]}, ("5", "6")),
    "kbernestich": ({"zabine": [20, 22, 26, 27]}, ("bust-28", "bust-27")),
    "devil": ({"base_deck.normal": [3, 4, 4, 3, 4, 4, 4, 4, 4, 9]}, ("10", "10")),
    "evilpact": ({"spell_element.hastur": "red"}, ("hastur", "hastur")),
}


@pytest.mark.parametrize("game", CHANGED)
def test_squares_spells_contracts_and_cards_are_used_by_declared_options(game):
    changes, ids = CHANGED[game]
    players = 2 if game == "evilpact" else 4
    one, other = (cell(game, players, **of) for of in ({}, changes))
    [changed] = [card for card in table_cards(one, other) if card.changed]
    assert changed.options == tuple((id_,) for id_ in ids)
    rows = card_worth([(one, other)], 4).filter("changed")
    assert rows["difference"].is_not_null().all()


def test_a_list_of_another_length_is_compared_by_its_values():
    one, other = cell("kbernestich"), cell("kbernestich", zabine=[20, 26, 28])
    pairs = (one, other), (other, one)
    changed = [[c.options for c in table_cards(*pair) if c.changed] for pair in pairs]
    assert changed == [[(("bust-22",), ())], [((), ("bust-22",))]]


def drawn(rng, shift=0.0):
    """A table of 20 cards, of which the first one changed by ``shift`` errors."""
    n, se = 20, 0.004
    difference = rng.normal(0, se, n)
    difference[0] += shift * se
    return pl.DataFrame(
        {
            "cell": [0] * n,
            "card": [f"card {k}" for k in range(n)],
            "name": [f"card {k}" for k in range(n)],
            "changed": [k == 0 for k in range(n)],
            "worth_one": [0.1] * n,
            "worth_other": 0.1 + difference,
            "se_one": [se] * n,
            "se_other": [se] * n,
            "used_one": [500.0] * n,
            "used_other": [500.0] * n,
            "difference": difference,
            "se": [se] * n,
            "freedom": [63.0] * n,
        }
    )


def test_false_alarms_are_as_rare_as_promised_and_a_planted_card_is_found():
    rng = np.random.default_rng(1)
    words = [set(with_card_verdicts(drawn(rng), 1)["verdict"]) for _ in range(400)]
    assert np.mean([said != {"open"} for said in words]) < 0.075  # 5 %
    first = [
        with_card_verdicts(drawn(rng, shift), 8).row(0, named=True)
        for shift in (6.0, -6.0)
    ]
    assert [row["card"] for row in first] == ["card 0", "card 0"]
    assert [row["verdict"] for row in first] == ["stronger", "weaker"]
    rare = drawn(rng, 9.0).with_columns(used_one=pl.lit(3.0))
    judged = with_card_verdicts(rare, 1)
    assert set(judged["verdict"]) == {"too rare"}
    [told] = card_sentences(judged)
    assert "changed, but hardly taken on a side: card 0 (" in told


def test_the_intervals_of_new_cards_hold_for_all_of_them_at_once():
    """Of twenty new cards that are worth nothing one misses in 5 of 100 tables."""
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(400):
        worth = pl.Series(rng.standard_t(63, 20) * 0.004)
        rows = drawn(rng).with_columns(
            changed=True,
            worth_one=pl.lit(None, pl.Float64),
            worth_other=worth,
            difference=pl.lit(None, pl.Float64),
        )
        judged = with_card_verdicts(rows, 4)
        assert set(judged["verdict"]) == {"new"}
        missed += not judged.filter(
            (pl.col("low") > 0) | (pl.col("high") < 0)
        ).is_empty()
    assert 4 < missed < 36  # 20 are expected

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
    cards_of_changed_tables,
    with_card_verdicts,
)
from experiments.core.cells import Cell
from experiments.execution.run import run
from sim.games import load

HOW = {"lineup": "greedy", "games": 64, "seed": 1, "jobs": 1}


def cell(game="kunitame", **changes):
    return Cell(game, load(game).rules.of(changes), 4, ("allround",) * 4, True, 1)


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
    assert cards_of_changed_tables(cell(), cell(life=4)) == []
    assert card_worth([(cell(), cell(life=4))], 8).is_empty()
    kbernestich = cell("kbernestich"), cell("kbernestich", hannah=1)
    assert cards_of_changed_tables(*kbernestich) == []  # by number of players: no cards


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
    assert set(with_card_verdicts(rare, 1)["verdict"]) == {"too rare"}

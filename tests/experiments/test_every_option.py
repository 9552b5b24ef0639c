"""Decisions tried with every option, against games played anew from the start."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.analysis import panel
from experiments.core.block_records import Block, record_block
from experiments.core.cells import Cell
from experiments.counterfactual import every_option as tried_games
from experiments.counterfactual.intervention import every_option
from experiments.counterfactual.interventions import Interventions
from experiments.studies.lineups import LEAD
from sim import games
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy
from strategies.random import Random
from strategies.registry import make

THEN = ("target", "remove-from")
WANTED = every_option(("play",), then=THEN, moment=("phase", 1), one_game_in=3)
MIXED = ("allround", "random", "builder", "spoiler")
NAMES = ("result", "play")
Rows = list[dict[str, Any]]


def cell(players: int = 4, **more: Any) -> Cell:
    rules = games.load("article_ii").rules.of()
    return Cell(
        "article_ii",
        rules,
        players,
        MIXED[:players],
        True,
        3,
        interventions=Interventions((WANTED,)),
        **more,
    )


def tried(
    of: Cell, count: int, first: int = 0
) -> tuple[Mapping[str, pl.DataFrame], Any]:
    played, raw = record_block(of, Block(0, first, count), NAMES, [])
    return raw, played


@pytest.fixture(scope="module", params=[3, 4])
def seen(request: pytest.FixtureRequest) -> tuple[Cell, Mapping[str, pl.DataFrame]]:
    of = cell(request.param)
    return of, tried(of, 30)[0]


@dataclass(frozen=True)
class Deviant(Strategy):
    """Plays as another, but for one turn of the General."""

    inner: Strategy = field(default_factory=Random)
    turn: int = 0
    option: int = 0
    then: int = 0

    def decide(self, view: View) -> Masks:
        """As the other strategy, or as told."""
        assert hasattr(view, "second")
        now = view.time == {"phase": 1, "turn": self.turn} and not view.second
        if now and view.kind.name == "play":
            return np.full_like(view.legal, self.option)
        if now and self.then and view.kind.name in ("target", "remove-from"):
            return np.full_like(view.legal, self.then)
        return self.inner.decide(view)


def anew(of: Cell, row: Mapping[str, Any]) -> int:
    """Who wins the game when this turn of it is another, from its first deal on."""
    told = (row["turn"], row["option"], row["then"])
    lineup = tuple(Deviant(make("article_ii", str(one)), *told) for one in of.lineup)
    other = replace(of, lineup=lineup, interventions=None)
    _, raw = record_block(other, Block(0, row["game"], 1), ("result",), [])
    return int(raw["result"]["winner"][0])


@pytest.mark.soak
def test_each_end_is_that_of_the_whole_game_played_anew(
    seen: tuple[Cell, Mapping[str, pl.DataFrame]],
) -> None:
    of, raw = seen
    some = raw["branching"].sample(120, seed=1)
    assert (some["then"] > 0).sum() > 40
    changed = 0
    before = dict(raw["result"].filter(seat=0).select("game", "winner").iter_rows())
    for row in some.rows(named=True):
        assert anew(of, row) == row["winner"]
        assert row["winner"] != row["seat"] or row["won"]
        changed += row["winner"] != before[row["game"]]
    assert changed > 10


def test_what_was_chosen_ends_as_it_ended(
    seen: tuple[Cell, Mapping[str, pl.DataFrame]],
) -> None:
    _, raw = seen
    ids = list(
        games.load("article_ii")
        .start(games.load("article_ii").rules.of(), 4, 0, np.arange(1, dtype=np.uint64))
        .vocabularies["card"]
    )
    found = raw["branching"].filter(pl.col("then") == 0)
    card = [ids[option.bit_length() - 1] for option in found["option"]]
    chosen = (
        found.with_columns(card=pl.Series(card))
        .join(
            raw["play"]
            .filter(phase="general")
            .select(
                "game", "turn", "seat", pl.col("chosen").cast(pl.String).alias("card")
            ),
            on=["game", "turn", "seat", "card"],
        )
        .join(raw["result"].filter(seat=0), on="game", suffix="_before")
    )
    decisions = found.select("game", "turn").n_unique()
    assert chosen.height == decisions > 150
    assert (chosen["winner"] == chosen["winner_before"]).all()


def test_all_options_are_tried_until_it_is_known_whether_they_differ(
    seen: tuple[Cell, Mapping[str, pl.DataFrame]],
) -> None:
    _, raw = seen
    legal: dict[tuple[int, int], int] = {}
    for row in raw["play"].filter(phase="general").rows(named=True):
        if row["game"] % WANTED.when.one_game_in == 0:
            legal[row["game"], row["turn"]] = row["legal"]
    by: dict[tuple[int, int], Rows] = defaultdict(list)
    for row in raw["branching"].rows(named=True):
        by[row["game"], row["turn"]].append(row)
    assert by.keys() == legal.keys()
    targets = set()
    for key, rows in by.items():
        first = [row for row in rows if not row["then"]]
        assert sum(row["option"] for row in first) == legal[key]
        assert len({(row["option"], row["then"]) for row in rows}) == len(rows)
        same = len({row["won"] for row in first}) == 1
        assert same or len(first) == len(rows)
        for row in first:
            others = [
                r["then"] for r in rows if r["then"] and r["option"] == row["option"]
            ]
            assert all(then.bit_count() == 1 for then in others)
            targets.add(len(others) if same else None)
    assert {None, raw["result"]["seat"].max()} <= targets


@pytest.mark.slow
def test_blocks_do_not_matter() -> None:
    of = cell()
    whole, parts = tried(of, 24)[0], [tried(of, 12, first)[0] for first in (0, 12)]
    keys = ["game", "turn", "option", "then"]
    together = pl.concat(part["branching"] for part in parts)
    assert whole["branching"].sort(keys).equals(together.sort(keys))


def test_nothing_is_tried_in_vain() -> None:
    """A block without a game to be tried; and games that never get there."""
    assert tried(cell(), 2, 1)[0]["branching"].is_empty()
    rules = games.load("article_ii").rules.of().changed({"guard": 5})
    assert tried(replace(cell(), rules=rules), 6)[0]["branching"].is_empty()
    assert "branching" not in tried(replace(cell(), interventions=None), 6)[0]


def test_playing_on_changes_nothing_of_the_game() -> None:
    with_it, without = (
        tried(cell(), 12),
        tried(replace(cell(), interventions=None), 12),
    )
    for name in NAMES:
        assert with_it[0][name].equals(without[0][name])
    assert with_it[1].decisions == without[1].decisions
    for one, other in zip(with_it[1].state.hands, without[1].state.hands, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("game", "time"),
    [("kunitame", ("week", "round")), ("kbernestich", ("round", "trick"))],
)
def test_a_game_of_another_kind(game: str, time: tuple[str, str]) -> None:
    """A single question, in one of several weeks; a lineup that does not rotate."""
    unit, _ = time
    wanted = every_option(("play",), moment=(unit, 2), one_game_in=2)
    seats = ("allround", "random", "random")
    tries = Interventions((wanted,))
    of = Cell(game, games.load(game).rules.of(), 3, seats, seed=2, interventions=tries)
    raw, played = tried(of, 12)
    found, before = raw["branching"], raw["play"].filter(pl.col(unit) == 2)
    assert set(found["game"]) == {0, 2, 4, 6, 8, 10}
    ids = played.state.vocabularies[games.load(game).kinds["play"].vocabulary]
    card = [ids[option.bit_length() - 1] for option in found["option"]]
    where = ["game", *time, "seat"]
    chosen = (
        found.with_columns(card=pl.Series(card), seat=found["seat"].cast(pl.Int64))
        .join(
            before.select(
                "game",
                pl.col(*time, "seat").cast(pl.Int64),
                card=pl.col("chosen").cast(pl.String),
            ),
            on=[*where, "card"],
        )
        .join(raw["result"].filter(seat=0), on="game", suffix="_before")
    )
    assert chosen.select(where).n_unique() == found.select(where).n_unique()
    assert (chosen["winner"] == chosen["winner_before"]).all()
    assert found.filter(pl.col("winner") != pl.col("seat"))["won"].sum() == 0


@dataclass(frozen=True)
class Once(Strategy):
    """Plays as another, but for one decision of a turn."""

    inner: Strategy
    kind: str
    turn: int
    option: int

    def decide(self, view: View) -> Masks:
        if (view.kind.name, view.time) == (self.kind, {"turn": self.turn}):
            return np.full_like(view.legal, self.option)
        return self.inner.decide(view)


def test_games_that_leave_when_they_are_over() -> None:
    """At any moment, of two kinds of decisions; against games played anew."""
    tries = Interventions((every_option(("play", "act"), one_game_in=7),))
    rules = games.load("drake").rules.of()
    of = Cell("drake", rules, 4, ("racer", "random") * 2, seed=2, interventions=tries)
    found = tried(of, 90)[0]["branching"]
    options = found.group_by("game", "turn", "kind").len()["len"]
    assert set(found["kind"]) == {"play", "act"}
    assert found["turn"].max() > 12
    assert options.min() == 2, "a single option is no decision"
    for row in found.sample(60, seed=1).rows(named=True):
        told = row["kind"], row["turn"], row["option"]
        lineup = tuple(Once(make("drake", str(one)), *told) for one in of.lineup)
        other = replace(of, lineup=lineup, interventions=None)
        _, raw = record_block(other, Block(0, row["game"], 1), ("result",), [])
        assert raw["result"]["winner"][0] == row["winner"]


def test_what_is_tried_in_words() -> None:
    words = "play and target or remove-from, in 1 of 3 games"
    [tried] = Interventions((WANTED,)).titles()
    assert tried == ("every option tried", words)
    [tried] = Interventions((every_option(("play",)),)).titles()
    assert tried == ("every option tried", "play")


def test_the_leading_lineup_is_tried_with_some_numbers_of_players() -> None:
    want = {"decisions": ("play",), "moment": ("phase", 1), "players": (3, 4)}
    want |= {"of": ["take-that"]}
    rules = games.load("article_ii").rules.of()
    study = panel.Panel(
        "article_ii", rules, (2, 3), (2, 3), 0, (), (), counterfactuals=[want]
    )
    places = list(study.cells())
    found = [place.cell for place in places if place.cell.interventions is not None]
    assert [(one.players, one.label) for one in found] == [(3, LEAD)]
    asked = every_option(("play",), moment=("phase", 1))
    assert found[0].interventions == Interventions((asked,))
    given = [place.cell for place in study.lineup_cells("random")]
    assert [one.interventions is not None for one in given] == [False, True]


def test_rules_beside_are_played_by_whom_it_is_asked_for() -> None:
    changes = {"deck": "original"}
    wants = [
        {"changes": changes, "players": (2, 3)},
        {"changes": changes, "players": (3,), "strategies": ("random", "unknown")},
    ]
    wants = [{**want, "of": ["decks"]} for want in wants]
    rules = games.load("article_ii").rules.of()
    study = panel.Panel(
        "article_ii", rules, (3, 4), (3, 4), 0, (), (), alternative_rules=wants
    )
    found = [place.cell.label for place in study.cells() if place.kind == "beside"]
    assert found == [f"{one} (deck=original)" for one in (LEAD, "random")]


@pytest.mark.parametrize(
    ("game", "players", "wanted"),
    [
        ("kunitame", 3, every_option(("claim", "bonus"), one_in=(7, 3), left=True)),
        (
            "kunitame",
            4,
            every_option(("contract",), one_in=(2,), whose="first", plays_on="greedy"),
        ),
        (
            "article_ii",
            3,
            every_option(("play",), then=THEN, one_game_in=10),
        ),
        ("drake", 2, every_option(("play", "act"), one_game_in=3)),
        ("evilpact", 2, every_option(("contract",), one_in=(2,), plays_on="random")),
        (
            "kbernestich",
            4,
            every_option(("plot",), one_in=(19,), keeps=("sheet", "tricks")),
        ),
        ("kbernestich", 3, every_option(("plot",), one_in=(13,), left=True)),
    ],
)
def test_games_that_join_others_end_as_they_do_apart(
    game: str, players: int, wanted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    short: Mapping[str, Any] = {
        "kbernestich": {"rounds": 2, "tricks": 4, "plot_before_tricks": 2},
        "kunitame": {"weeks": 2},
    }
    rules = games.load(game).rules.of(short.get(game, {}))
    seats = ("allround", *["random"] * (players - 1))
    tries = Interventions((wanted,))
    cell = Cell(game, rules, players, seats, True, 3, interventions=tries)
    found = []
    for most in (5, 500, 32_768):
        monkeypatch.setattr(tried_games, "_BATCH", most)
        _, raw = record_block(cell, Block(0, 0, 20), ("result",), [])
        found.append(raw["branching"])
    assert found[0].height > 50
    assert found[0].equals(found[1])
    assert found[0].equals(found[2])


@pytest.mark.slow
def test_a_searcher_plays_on_what_he_chose_as_he_did() -> None:
    """He searches again in every game that is played on, and comes to the same."""
    rules = games.load("kunitame").rules.of({"weeks": 1})
    seats = ("search:samples=1", *["random"] * 3)
    wanted = every_option(("contract",), one_in=(1,), whose="first")
    tries = Interventions((wanted,))
    cell = Cell("kunitame", rules, 4, seats, True, 3, interventions=tries)
    _, raw = record_block(cell, Block(0, 0, 12), ("result",), [])
    tried, result = raw["branching"], raw["result"].filter(seat=0)
    assert (tried["seat"].cast(int) == -tried["game"].cast(int) % 4).all()
    assert tried["game"].n_unique() == 12
    won = dict(result.select("game", "winner").rows())
    for game, winner in tried.filter("chosen").select("game", "winner").rows():
        assert winner == won[game]

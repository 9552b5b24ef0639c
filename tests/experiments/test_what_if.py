"""What-ifs: each is the game played anew with the change, and mistakes are named."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import fairdeal as fd
from experiments.analysis.what_if import rows_of, what_if
from experiments.core.block_records import Block, EventRecorder, record_block
from experiments.core.cells import Cell, UsageError, play
from experiments.counterfactual.action_counts import play_first
from experiments.counterfactual.changed_games import MEASURES
from experiments.counterfactual.changed_players import changed_cell
from experiments.counterfactual.named_interventions import interventions_named as named
from experiments.learning import adapted_arms
from experiments.learning.adaptation import AdaptedPlayer
from reports.batches import GameBatches
from reports.counts import sums_of
from reports.table_counts import count_rows
from sim import games
from strategies.changed_play import TakesOption
from strategies.registry import make

GAMES = 60
PLAYERS = {"evilpact": 2}
ASKED = [
    ("kunitame", {"forbid": "claim:black"}, "without(allround, claim, black)"),
    ("kunitame", {"decline": True, "when": "contract"}, "without(allround, contract)"),
    ("kunitame", {"other_strategy": "greedy"}, "greedy"),
    ("devil", {"decline": True, "when": "declare"}, "without(allround, declare)"),
    ("evilpact", {"forbid": "cast:hastur"}, "without(allround, cast, hastur)"),
    (
        "drake",
        {"other_strategy": "random", "when": "play"},
        "only(random, play, allround)",
    ),
]


def cell_of(game: str, **more) -> Cell:
    rules, players = games.load(game).rules.of(), PLAYERS.get(game, 4)
    return Cell(game, rules, players, ("allround",) * players, True, 3, **more)


@pytest.mark.parametrize(("game", "asked", "spec"), ASKED)
def test_each_game_is_that_of_the_changed_player(game, asked, spec):
    cell, numbers = cell_of(game), np.arange(GAMES, dtype=np.uint64)
    found = what_if(cell, named(cell, **asked), GAMES)
    [row] = found.rows.to_dicts()
    lineup = (make(game, spec), *["allround"] * (cell.players - 1))
    other = Cell(game, cell.rules, cell.players, lineup, True, 3)
    won = [play_first(of, numbers).uses.won for of in (cell, other)]
    table = found.table(GAMES)
    assert ((table["won"] == 1).to_numpy() == won[0]).all()
    assert ((table["won_changed"] == 1).to_numpy() == won[1]).all()
    assert row["more"] == pytest.approx((table["won_changed"] - table["won"]).mean())
    assert row["low"] <= row["more"] <= row["high"]
    same = table.filter(~table["used"])
    assert same["score"].equals(same["score_changed"])


def test_who_is_forced_takes_it_at_that_moment():
    cell, numbers = cell_of("kunitame"), np.arange(GAMES, dtype=np.uint64)
    always, once = (
        what_if(cell, named(cell, force="contract:3", when=when), GAMES).table(GAMES)
        for when in ("", "week 2")
    )
    lineup = (
        TakesOption(make("kunitame", "allround"), "contract", "3"),
        *["allround"] * 3,
    )
    other = Cell("kunitame", cell.rules, 4, lineup, True, 3)
    won = play_first(other, numbers).uses.won
    assert ((always["won_changed"] == 1).to_numpy() == won).all()
    assert not always["score_changed"].equals(once["score_changed"])
    assert set(once["what"]) == {"always 3 at contract in week 2"}


@pytest.mark.parametrize("strategy", ["allround", "random"])
def test_a_forced_card_is_one_of_several(strategy):
    """The others are those that they would have put back, all but one."""
    cell = replace(cell_of("kbernestich"), lineup=(strategy,) * 4)
    [forced] = named(cell, force="review:B5", whose="all")
    changed = replace(cell, lineup=changed_cell(cell, forced).lineup)
    block, keys = Block(0, 0, 1500), ["game", "round", "trick", "seat", "legal"]
    here, there = (
        record_block(of, block, ("review",), [])[1]["review"].unique(
            "game", keep="first"
        )
        for of in (cell, changed)
    )
    both = here.join(there, keys, suffix="_forced").rows(named=True)
    assert len(both) == here.height
    card = 1 << cell_words(cell, "review").index("B5")
    assert any(row["legal"] & card and not row["chosen"] & card for row in both)
    for row in both:
        same = (row["chosen"] & row["chosen_forced"]).bit_count()
        assert row["chosen_forced"].bit_count() == row["chosen"].bit_count()
        if row["legal"] & card and not row["chosen"] & card:
            assert row["chosen_forced"] & card
            assert same == row["chosen"].bit_count() - 1
        else:
            assert row["chosen_forced"] == row["chosen"]
    assert what_if(cell, [forced], GAMES).rows["used"].sum() > 0


def cell_words(cell: Cell, kind: str) -> list[str]:
    """Return the ids of a decision's options, bit by bit."""
    game = games.load(cell.game)
    state = game.start(cell.rules, cell.players, 0, np.zeros(1, dtype=np.uint64))
    return [*state.vocabularies[game.kinds[kind].vocabulary]]


def test_everybody_is_told_by_position():
    cell = cell_of("kunitame")
    found = what_if(cell, named(cell, "claim", "all", forbid="black"), GAMES)
    assert found.rows["position"].to_list() == [1, 2, 3, 4]
    [richer] = named(cell, other_rules={"squares": {"blue": {"gem": 3}}})
    assert richer.title == "squares.blue.gem=3"
    rules = what_if(cell, named(cell, other_rules={"life": 5}), GAMES)
    assert rules.rows["position"].to_list() == [1, 2, 3, 4]
    assert set(rules.rows["what"]) == {"life=5"}
    # As somebody else wins what one loses
    for rows in (found.rows, rules.rows):
        assert abs(rows["more"].sum()) < 0.2


def test_a_grant_is_worth_something():
    found = fd.what_if("kunitame", grant="Life gems", games=100, seed=1, jobs=1)
    [row] = found.rows.to_dicts()
    assert row["more"] > 0
    assert row["score_more"] > 0
    assert "one more: Life gems" in repr(found)
    assert set(found.tables()) == {"rows", "games"}


def test_each_option_in_turn_and_one_that_never_comes_up():
    cell = cell_of("kunitame")
    found = what_if(cell, named(cell, forbid="contract:each"), GAMES).rows
    assert found["what"].to_list() == [
        f"without {number} at contract" for number in range(1, 6)
    ]
    never = found.filter(used=0)
    assert set(never["verdict"]) == {"never comes up"}
    assert (never["low"] == 0).all()


def test_what_changes_few_games_is_not_called_sure():
    """No effect, and a winner who changes in 2 of 100 games: seldom a finding."""
    rng, found = np.random.default_rng(1), 0
    counts = {"what": ["x"] * 100, "position": [0] * 100, "game": range(100)}
    for _ in range(200):
        change = np.where(rng.random(100) < 0.02, rng.choice([-1.0, 1.0], 100), 0.0)
        table = pl.DataFrame(counts).with_columns(
            used=True,
            won=pl.Series(np.where(change < 0, 1.0, 0.0)),
            won_changed=pl.Series(np.where(change > 0, 1.0, 0.0)),
            score=pl.lit(None, pl.Float64),
            score_changed=pl.lit(None, pl.Float64),
        )
        measured = [count_rows(measure, table) for measure in MEASURES]
        [row] = rows_of(sums_of(measured, GameBatches(4)), ["x"], 100, 4).to_dicts()
        assert -1 <= row["low"] <= row["more"] <= row["high"] <= 1
        assert row["low"] < row["high"]
        found += row["verdict"] != "undecided"
    assert found <= 10  # 5 % of 200


def test_decisions_without_the_moment_are_left_out():
    cell = cell_of("kunitame")
    [at] = named(cell, "round 3", forbid="black")
    assert at.when.decisions == ("claim",)
    [two] = named(cell, force="2")
    assert two.when.decisions == ("contract", "cancel")


def test_an_option_is_forbidden_where_there_is_one_of_its_name():
    cell = cell_of("kunitame")
    [black] = named(cell, forbid="black", when="contract+claim")
    assert black.when.decisions == ("claim",)
    every = named(cell, forbid="each", when="contract+claim")
    assert {each.when.decisions for each in every} == {("contract",), ("claim",)}


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        ("kunitame", {"forbid": ["claim:black", "claim:red"]}),
        ("kunitame", {"grant": "Life gems"}),
        ("socialism", {"swap_cards": "each"}),
    ],
)
def test_any_number_of_blocks_finds_the_same(monkeypatch, game, asked):
    cell = cell_of(game)
    every = named(cell, **asked)
    whole = what_if(cell, every, GAMES)
    monkeypatch.setattr("experiments.analysis.what_if._BLOCK", 25)
    assert what_if(cell, every, GAMES).rows.equals(whole.rows)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"forbid": "clam:black"}, "forbid: no 'clam'; did you mean 'claim'?"),
        ({"force": "contract:"}, "'contract:' names no option. Write DECISION:OPTION"),
        ({"force": "play"}, "force: 'play' names no option. Write DECISION:OPTION, su"),
        ({"force": ":"}, "such as contract:1"),
        ({"forbid": "claim:blak"}, "no 'blak'; did you mean 'black'?"),
        ({"grant": "Life gem"}, "did you mean 'Life gems'?"),
        ({}, "nothing is changed: name at least one of forbid, force"),
        ({"forbid": ["claim:black", "claim:black"]}, "is named twice"),
        ({"swap_cards": "11"}, "Games that have: article_ii, socialism"),
        ({"when": "week 9", "forbid": "claim:black"}, "Allowed: week 1 to 4"),
        ({"when": "claim in week 0", "force": "claim:black"}, "Allowed: week 1 to 4"),
        ({"force": "contract:1", "when": "wek 2"}, "did you mean 'week'?"),
        ({"forbid": "contract+claim:cyan"}, "no 'cyan'"),
        ({"force": "contract:1", "whose": "me"}, "'first' or 'all', not 'me'"),
        ({"decline": True, "when": "play"}, "'play' cannot be declined. Allowed"),
        ({"other_rules": {"life": 4}, "when": "claim"}, "leave it out"),
        ({"forbid": "contract:1", "when": "claim"}, "name decisions once"),
        ({"forbid": "claim:black", "when": "week"}, "week takes one number"),
        ({"forbid": "claim:black", "when": "claim week ²"}, "there is no week '²'"),
        ({"forbid": "contract:1", "when": "round 3"}, "'contract' has no round"),
        ({"grant": "Life gems", "whose": "all"}, "one player is granted more"),
    ],
)
def test_mistakes(asked, told):
    with pytest.raises(UsageError) as raised:
        named(cell_of("kunitame"), **asked)
    assert told in str(raised.value)


def test_changes_are_made_apart_and_together():
    cell, numbers = cell_of("kunitame"), np.arange(GAMES, dtype=np.uint64)
    asked = {"forbid": ["claim:black", "claim:red"], "other_rules": {"life": 4}}
    found = what_if(cell, named(cell, **asked), GAMES)
    both = "without black at claim and without red at claim and life=4"
    assert found.rows["what"].unique(maintain_order=True).to_list() == [
        "without black at claim",
        "without red at claim",
        "life=4",
        both,
    ]
    inner = "without(without(allround, claim, black), claim, red)"
    lineup = (make("kunitame", inner), *["allround"] * 3)
    other = Cell("kunitame", cell.rules.changed({"life": 4}), 4, lineup, True, 3)
    table = found.table(GAMES).filter(what=both)
    won = play_first(other, numbers).uses.won
    assert ((table["won_changed"] == 1).to_numpy() == won).all()
    alone = what_if(cell, named(cell, forbid="claim:red"), GAMES).table(GAMES)
    rows = found.table(GAMES).filter(what="without red at claim")
    assert rows.equals(alone)


def test_what_does_not_combine_is_not_made_together():
    cell = cell_of("kunitame")
    for asked in (
        {"force": ["contract:1", "contract:2"]},
        {"grant": "Life gems", "forbid": "claim:black"},
        {"forbid": "contract:each", "other_rules": {"life": 4}},
    ):
        assert not any(" and " in each.title for each in named(cell, **asked))


@pytest.mark.parametrize("game", ["article_ii", "socialism"])
def test_a_card_is_had_in_one_of_two_games_of_a_deal(game):
    cell, numbers = cell_of(game), np.arange(GAMES, dtype=np.uint64)
    every = named(cell, swap_cards="each", whose="all")
    found = what_if(cell, every, GAMES)
    assert set(found.rows["what"]) == {each.title for each in every}
    trial = every[0].do.trial
    mine = [each.title for each in every if each.do.trial == trial]
    rows = found.table(GAMES).filter(pl.col("what").is_in(mine))
    notes = EventRecorder(games.load(game), ("trial", "result"), 0, GAMES)
    played = play(replace(cell, trial=trial), numbers, notes.listeners)
    raw = notes.tables(played)
    had = raw["trial"].select("game", "seat", has=pl.col("has").cast(pl.Boolean))
    whole = rows.join(had.cast({"game": pl.UInt64, "seat": pl.Int64}), ["game", "seat"])
    assert whole.height == rows.height == had.height
    won = pl.when("has").then("won_changed").otherwise("won")
    winner = dict(zip(raw["result"]["game"], raw["result"]["winner"], strict=True))
    told = whole.select("game", "seat", won=won).filter(won=1)
    assert all(winner[game] == seat for game, seat, _ in told.iter_rows())


def test_a_phase_is_called_by_its_name():
    cell = cell_of("article_ii")
    for when, number in (("primary", 0), ("general", 1), ("2", 1)):
        [at] = named(cell, f"play in phase {when}", other_strategy="random")
        assert at.when.moment == ("phase", number)
    assert at.title == "random at play in phase general"
    with pytest.raises(UsageError, match="Allowed: phase primary, general"):
        named(cell, "phase third", other_strategy="random")


@pytest.mark.parametrize("game", sorted(games.REGISTRY))
def test_a_moment_of_every_clock_can_be_named(game):
    cell, kinds = cell_of(game), games.load(game).kinds
    for unit in {unit for kind in kinds.values() for unit in kind.clock}:
        word = "after" if unit == "when" else 1
        every = named(cell, f"{unit} {word}", other_strategy="random")
        assert what_if(cell, every, 12).rows["used"].item() > 0
        with pytest.raises(UsageError, match=f"Allowed: {unit} "):
            named(cell, f"{unit} 5000", other_strategy="random")


def test_scores_say_which_end_is_better_and_no_zero_is_negative():
    found = fd.what_if("devil", other_rules={"hand": 5}, games=50, seed=1, jobs=1)
    assert found.score == "points (less is better)"
    never = fd.what_if("kunitame", forbid="only-white", games=50, seed=1, jobs=1)
    assert never.score == "points (more is better)"
    assert found.to_dict()["rows"] == found.rows.to_dicts()
    assert "-0.0" not in repr(never)


STUDY = """
game = "kunitame"
lineups = ["greedy"]
games = 40
seed = 1

[what_if.no-black]
forbid = "claim:black"

[what_if.rich]
other_rules = { life = 4 }
whose = "all"
"""


def test_a_study_says_what_is_changed(fairdeal, here):
    (here / "rich.toml").write_text(STUDY)
    told = fairdeal("what-if", "rich.toml", "--out", "run", "-j", "1", "--json")
    rows = json.loads(told.stdout)["rows"]
    assert {row["what"] for row in rows} == {"without black at claim", "life=4"}
    found = fd.what_if("rich.toml", jobs=1)
    assert found.games == 40
    assert found.rows.to_dicts() == rows
    one = fd.what_if(
        "kunitame", "greedy", forbid="claim:black", games=40, seed=1, jobs=1
    )
    assert one.rows["more"][0] == rows[0]["more"]
    assert fd.what_if("rich.toml", games=20, jobs=1).games == 20
    told = fairdeal("what-if", "rich.toml", "--out", "less", "-n", "20", "-j", "1")
    assert "--games 20 overrides games = 40 of rich.toml" in told.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("claim:black", "claim:blak", "[what_if.no-black] forbid: no 'blak'"),
        (
            "forbid",
            "forbd",
            "[what_if.no-black] no key 'forbd'; did you mean 'forbid'?",
        ),
        ('"claim:black"', "3", "[what_if.no-black] forbid: "),
        ("life = 4", "lfe = 4", "[what_if.rich]"),
        ('["greedy"]', '["greedy", "timid"]', "this study has 2 of them"),
        (STUDY[STUDY.index("[what_if") :], "", "there is no what-if"),
    ],
)
def test_mistakes_of_a_study_name_the_table(fairdeal, here, old, new, told):
    (here / "rich.toml").write_text(STUDY.replace(old, new))
    done = fairdeal("what-if", "rich.toml", "--out", "run")
    assert done.exit_code != 0
    assert told in done.stderr
    assert not (here / "run").exists()


def test_a_study_that_adapts_is_played_by_those_who_learned(here, monkeypatch):
    asked = []

    def learned(game, rules, **how):
        asked.append((rules.plain()["life"], how["lessons"].seconds))
        return AdaptedPlayer("timid", "timid by lessons", 1)

    monkeypatch.setattr(adapted_arms, "adapted", learned)
    text = STUDY.replace('lineups = ["greedy"]', "adapt = 2")
    (here / "rich.toml").write_text(f"{text}\n[variants]\nfour = {{ rules.life = 4 }}")
    found = fd.what_if("rich.toml", jobs=1)
    assert asked == [(4, 2.0)]
    assert found.lineup == "timid"


def test_a_study_and_options_do_not_both_say_it(here):
    (here / "rich.toml").write_text(STUDY)
    with pytest.raises(UsageError, match="the study says what is changed"):
        fd.what_if("rich.toml", forbid="claim:red")


def asked(fairdeal, out: str, *words: str) -> None:
    """A what-if of Kunitame that is kept."""
    told = fairdeal("what-if", "kunitame", *words, "-n", "60", "-j", "1", "--out", out)
    assert told.exit_code == 0, told.stderr


def test_runs_are_shown_and_compared_by_what_they_change(fairdeal, here):
    same = ("--forbid", "claim:black", "--seed", "1")
    asked(fairdeal, "one", *same, "--force", "contract:2")
    asked(fairdeal, "two", *same, "--set", "life=4")
    shown = fairdeal("runs", "show", "one").stdout
    assert "change   without black at claim\n" in shown
    assert "(more is" in shown  # a narrow terminal wraps the heading
    found = json.loads(fairdeal("runs", "show", "one", "--json").stdout)
    assert found["found"]["rows"][0]["what"] == found["changes"][0]
    differ = fd.runs.diff("one", "two")
    [row] = [row for row in differ.about if row[0].startswith("changed")]
    assert row[1].startswith("always 2 at contract; ")
    assert row[2] == "nothing else"
    assert "paired" in differ.pairing
    worth = differ.numbers.filter(measure="won more")
    assert worth["group"].to_list() == ["without black at claim"]
    shares = [
        json.loads((here / run / "what-if.json").read_text())["rows"][0]["more"]
        for run in ("one", "two")
    ]
    assert worth.select("one", "other").row(0) == pytest.approx(shares)


def test_damaged_results_are_an_error_that_names_the_file(fairdeal, here):
    for out in ("one", "two"):
        asked(fairdeal, out, "--forbid", "claim:black", "--seed", "1")
    (here / "two" / "sums.parquet").write_bytes(b"damaged")
    for words in (("diff", "one", "two"), ("show", "two")):
        told = fairdeal("runs", *words)
        assert told.exit_code == 1
        assert "two/sums.parquet" in told.stderr


def test_the_command(fairdeal, here):
    words = ("what-if", "kunitame", "--forbid", "claim:black", "-n", "40")
    told = fairdeal(*words, "--seed", "1", "--out", "run", "-j", "1")
    assert told.exit_code == 0, told.stdout
    assert "without black at claim" in told.stdout
    saved = json.loads((here / "run" / "what-if.json").read_text())
    assert saved["rows"][0]["what"] == "without black at claim"

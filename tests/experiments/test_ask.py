"""Questions in plain words: which are recognized, and answered in the right sense."""

import json
import re

import numpy as np
import polars as pl
import pytest

import fairdeal as fd
from experiments.analysis.own_table import own_table
from experiments.analysis.questions.game_words import GameWords
from experiments.analysis.questions.question_forms import FORMS, read_question
from experiments.core.cells import Cell, UsageError
from sim.games import load

QUICK = {"seed": 1, "jobs": 1, "games": 512, "levels": ["good"]}
SESSIONS = "session,player,position,winner\n"


def words(game):
    known = load(game)
    players = 4 if 4 in known.players else known.players[0]
    return GameWords(Cell(game, known.rules(), players, ("random",), True, 1))


def read(game, text):
    return read_question(text, words(game))


KINDS = [
    ("kbernestich", "the last player always loses", "position", "less", "last"),
    ("kbernestich", "Does the start player have an advantage?", "position", "more", ""),
    ("kunitame", "our first dealer wins too often", "position", "more", "first dealer"),
    ("evilpact", "does it matter who starts?", "positions", "", ""),
    ("devil", "is it fair, where you sit?", "positions", "", ""),
    ("socialism", "the last player always loses", "position", "less", "last"),
    ("socialism", "does who begins win more?", "position", "more", "who begins"),
    ("drake", "is Pride too strong?", "position", "more", "Pride"),
    ("drake", "Gluttony never wins", "position", "less", "Gluttony"),
    ("kunitame", "how long does it take?", "length", "", ""),
    ("kunitame", "can the last still come back?", "comeback", "", ""),
    ("kunitame", "does the leader run away?", "runaway", "", ""),
    ("kunitame", "does the rule weeks matter?", "rule", "", ""),
    ("socialism", "and with two players?", "players", "", ""),
]


@pytest.mark.parametrize(("game", "text", "form", "claim", "group"), KINDS)
def test_a_question_is_taken_for_its_form(game, text, form, claim, group):
    found = read(game, text)
    assert (found.form.id, found.claim) == (form, claim)
    assert not group or found.group == group


OPTIONS = [
    ("kbernestich", "which bid is a trap?", "trap", 6, "hunch-0"),
    ("kbernestich", "is the bid 3 a trap", "trap", 1, "hunch-3"),
    ("kbernestich", "is Hannah's Grace too strong?", "strong", 1, "grace"),
    ("evilpact", "which contract is a trap?", "trap", 6, "cthugha"),
    ("evilpact", "is Nyarlathotep a trap?", "trap", 3, "nyarlathotep"),
    ("evilpact", "is nyarlatotep a trap?", "trap", 3, "nyarlathotep"),
    ("socialism", "which card is never used, and why?", "dead", 29, "sheila"),
    ("socialism", "is smtp block list dead?", "dead", 2, "smtp-block-list"),
    ("kunitame", "is the contract 4 useless?", "dead", 1, "4"),
]


@pytest.mark.parametrize(("game", "text", "claim", "count", "first"), OPTIONS)
def test_options_are_named_as_people_name_them(game, text, claim, count, first):
    found = read(game, text)
    assert (found.form.id, found.claim) == ("option", claim)
    assert (len(found.options), found.options[0].option) == (count, first)


def test_numbers_are_parts_of_a_question():
    found = read("kunitame", "is it longer than 30 minutes with 3 players?")
    assert (found.form.id, found.minutes, found.players) == ("length", 30.0, 3)
    assert found.understood == "are games longer than 30 minutes with 3 players?"
    assert read("drake", "and with two").players == 2


def test_every_form_has_an_example_that_is_of_it():
    games = {"position": "kbernestich", "option": "evilpact", "players": "drake"}
    for form in FORMS:
        found = read(games.get(form.id, "kunitame"), form.example)
        assert found.form.id == form.id, form.example


def test_what_is_no_question_is_answered_with_those_that_are():
    for text in ("what is life?", "", "colour", "???"):
        with pytest.raises(UsageError, match="'does it matter who starts\\?'"):
            read("kunitame", text)
    with pytest.raises(UsageError, match="is like none"):  # who begins is not named
        read("socialism", "which thing is never used?")
    for number, many in (("five", 5), ("nine", 9), ("0", 0), ("100", 100)):
        with pytest.raises(UsageError, match=rf" {many} players\. Allowed: 2, 3, 4"):
            fd.ask("drake", f"and with {number} players?", **QUICK)


def test_levels_of_a_question_about_a_rule_are_checked():
    asked = "does the rule life matter?"
    with pytest.raises(UsageError, match="no level 'foo'"):
        fd.ask("kunitame", asked, **QUICK | {"levels": ["good", "foo"]})


@pytest.mark.filterwarnings("error")
def test_a_single_game_tells_nothing_and_warns_of_nothing():
    found = fd.ask("drake", "does it matter who starts?", **QUICK | {"games": 1})
    assert found.answer == "cannot tell"


def test_a_role_that_wins_most_games_is_too_strong():
    """Pride wins 83 of 100, as a run of its own says."""
    found = fd.ask("drake", "is Pride too strong?", **QUICK)
    assert found.answer == "yes"
    [row] = found.rows.filter(what="Pride").to_dicts()
    run = fd.play("drake", lineup="allround", games=2048, seed=9, jobs=1, detailed=True)
    [own] = run["won by role"].filter(virtue="Pride")["estimate"]
    assert row["low"] - 0.03 < own < row["high"] + 0.03
    assert fd.ask("drake", "Gluttony always wins", **QUICK).answer == "no"
    assert fd.ask("drake", "Gluttony never wins", **QUICK).answer == "yes"


def test_length_is_that_of_the_groups_pace(tmp_path):
    quick = fd.ask("kunitame", "is it longer than 30 minutes?", **QUICK)
    assert quick.answer == "no"
    scores = ("9,4,2", "3,8,7", "6,2,11", "5,9,1", "2,3,4", "8,1,6")
    text = "session,minutes,Ana,Ben,Cleo\n"
    text += "".join(f"{n},{50 + n},{of}\n" for n, of in enumerate(scores, 1))
    (tmp_path / "slow.csv").write_text(text)
    slow = fd.ask(
        "kunitame",
        "is it longer than 30 minutes?",
        sessions=tmp_path / "slow.csv",
        **QUICK,
    )
    assert slow.answer == "yes"
    assert slow.rows["estimate"][-1] == pytest.approx(53.5)
    assert slow.sessions[0].startswith("Minutes a game in 6 sessions: 53.5")


@pytest.mark.parametrize(("minutes", "words"), [((40, 60, 30), "low"), ((60,), "One")])
def test_few_sessions_do_not_tell_the_length(tmp_path, minutes, words):
    """The pace of three sessions, or one, is not known well."""
    text = "session,minutes,Ana,Ben,Cleo\n"
    text += "".join(f"{n},{one},9,8,7\n" for n, one in enumerate(minutes))
    (tmp_path / "few.csv").write_text(text)
    asked, sessions = "is it longer than 30 minutes?", tmp_path / "few.csv"
    found = fd.ask("kunitame", asked, sessions=sessions, **QUICK)
    assert found.answer == "cannot tell"
    if len(minutes) == 1:
        assert found.rows.is_empty()
        assert found.sentences[0].startswith(words)
    else:
        [own] = found.own.numbers.filter(of="minutes").to_dicts()
        [row] = found.rows.to_dicts()
        assert row["low"] <= max(own["low"], 0)
        assert row["high"] >= own["high"]


def won_at(positions, players=4):
    rows = [
        f"{n},{'ABCD'[seat]},{seat + 1},{'yes' if seat == won else 'no'}\n"
        for n, won in enumerate(positions, 1)
        for seat in range(players)
    ]
    return SESSIONS + "".join(rows)


def test_a_group_is_answered_by_position_and_direction(tmp_path):
    """The last won 1 of 12; the question is about the last, whoever is oddest."""
    path = tmp_path / "plays.csv"
    path.write_text(won_at([0, 1, 2, 0, 0, 1, 2, 2, 1, 0, 0, 3]))
    asked = "our last player always loses"
    found = fd.ask("kunitame", asked, sessions=path, **QUICK)
    assert found.form == "position"
    [told] = found.sessions
    assert told.startswith("Your last player won 1 of 12. In the simulation it is ")
    [row] = found.beside.filter(position="last").to_dicts()
    assert row["few"]
    assert f"{100 * row['simulated']:.0f} of 100" in told
    [one_in] = re.findall(r"happens to 1 group in (\d+)", told)
    assert 1 / int(one_in) == pytest.approx(row["chance"], rel=0.1)
    assert found.rows.filter(what="last")["estimate"][0] == row["simulated"]
    no_position = fd.ask("drake", "is Pride too strong?", sessions=path, **QUICK)
    assert no_position.sessions == ("Your sessions do not say who had which role.",)


def test_the_number_of_players_is_that_of_most_sessions(tmp_path):
    path = tmp_path / "plays.csv"
    path.write_text(won_at([0, 1, 2], players=3))
    found = fd.ask("kunitame", "the last player loses", sessions=path, **QUICK)
    assert found.players == 3
    four = fd.ask(
        "kunitame", "the last player loses", sessions=path, players=4, **QUICK
    )
    assert four.players == 4
    assert four.sessions == ("None of your sessions has 4 players.",)


def test_a_rule_that_matters_does():
    found = fd.ask("kunitame", "does the rule weeks matter?", **QUICK)
    assert found.answer == "yes"
    assert "moves length from" in found.sentences[0]


def test_what_an_option_is_worth_is_what_a_what_if_says():
    found = fd.ask("kunitame", "is the contract 1 a trap?", **QUICK)
    what_if = fd.what_if(
        "kunitame", "good", forbid="contract:1", games=8_192, seed=1, jobs=1
    )
    [row], [same] = found.rows.to_dicts(), what_if.rows.to_dicts()
    assert row["estimate"] == pytest.approx(-same["more"])
    expected = "yes" if same["low"] > 0 else "no" if same["high"] < 0.01 else None
    assert found.answer == (expected or "cannot tell")


def test_a_what_if_and_the_option_table_have_one_source():
    """On the same deals they tell the same numbers: won more is less lost without."""
    how = {"games": 128, "seed": 1, "jobs": 1}
    lost = fd.knockout("kunitame", "allround", **how).rows
    lost = lost.filter(pl.col("option") != "", decision="contract").sort("option")
    names = [f"contract:{option}" for option in lost["option"]]
    found = fd.what_if("kunitame", "allround", forbid=names, **how).rows
    more = found["more"].to_list()[: len(names)]
    assert more == pytest.approx([-each for each in lost["lost"]])
    assert any(more)


def test_of_an_option_that_nobody_takes_nobody_knows_the_worth():
    found = fd.ask("kunitame", "is the contract 5 too strong?", **QUICK)
    assert found.answer == "cannot tell"
    assert "nobody here knows its worth" in found.sentences[0]
    assert "Who takes 5 whenever possible wins" in found.sentences[1]
    how = QUICK | {"games": 2_048}
    dead = fd.ask("kunitame", "which contract is useless?", **how)
    assert dead.answer == "yes"
    assert "hardly ever taken where it could be: 4, 0.0 of 100" in dead.sentences[0]
    assert dead.rows.filter(answer="yes")["what"].to_list() == ["4", "5", "3"]
    assert re.search(r"Who takes 3 .* fewer .*not worth taking", dead.sentences[1])


def test_what_nobody_makes_use_of_is_neither_dead_nor_a_trap():
    """Observation allows a look that no heuristic of Kbernestich ever takes."""
    for asked in ("is observation a trap?", "is observation dead?"):
        found = fd.ask("kbernestich", asked, **QUICK)
        assert found.answer == "cannot tell"
        assert found.sentences == (
            "No player here makes use of observation, so nobody knows what that is "
            "worth.",
        )


def test_strengths_are_columns_and_the_strongest_has_the_word():
    how = QUICK | {"levels": ["good", "beginner"]}
    found = fd.ask("evilpact", "does it matter who starts?", **how)
    assert found.rows["level"].unique(maintain_order=True).to_list() == [
        "beginner",
        "good",
    ]
    assert found.answer == "yes"
    assert list(found.specs) == ["beginner", "good"]
    assert len(found.plot().axes) == 1
    json.dumps(found.plain())


def test_the_command_prints_the_answer_and_draws_it(fairdeal, here):
    words = ("drake", "is Pride too strong?", "-n", "256", "--levels", "good")
    how = ("--seed", "1", "-j", "1")
    told = fairdeal("ask", *words, *how, "--picture", "a.svg").stdout
    assert told.startswith("Asked: does Pride win more than an even share?\nYes.\n")
    assert (here / "a.svg").read_text().startswith("<?xml")
    again = fairdeal("ask", *words, *how, "--picture", "a.svg")
    assert (again.exit_code, "already exists" in again.stderr) == (2, True)
    bitmap = fairdeal("ask", *words, *how, "--picture", "a.png")
    assert (bitmap.exit_code, "end in .svg" in bitmap.stderr) == (2, True)
    plain = json.loads(fairdeal("ask", *words, *how, "--json").stdout)
    assert (plain["answer"], plain["form"]) == ("yes", "position")
    refused = fairdeal("ask", "drake", "what now?")
    assert refused.exit_code == 2
    assert "Such are: 'does it matter who starts?'" in refused.stderr


def test_answers_about_positions_are_seldom_wrong():
    """Of fair coins, hardly any is said to win more or less than its share."""
    from experiments.analysis.questions.share_answers import _beyond
    from reports.statistics.intervals import wilson

    rng, wrong = np.random.default_rng(1), 0
    for _ in range(500):
        low, high = map(float, wilson(rng.binomial(1024, 0.25), 1024))
        row = {"low": low, "high": high, "even": 0.25}
        wrong += any(_beyond(row, claim) == "yes" for claim in ("less", "more"))
    assert wrong < 5
    assert isinstance(own_table([], load("kunitame")).positions, pl.DataFrame)

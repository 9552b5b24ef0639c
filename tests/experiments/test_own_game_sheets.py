"""The cards of a game in one file from a sheet: out, back, and compared."""

import csv

import pytest

import fairdeal as fd
from experiments.core.cells import UsageError
from experiments.variants import new_game
from experiments.variants.rule_steps import rule_steps
from experiments.variants.variants import resolve_rules
from sim.games import load
from sim.parameters import RuleError

HOW = {"lineup": "thrifty", "players": 2, "games": 24, "seed": 1, "jobs": 1}


@pytest.fixture
def game(tmp_path):
    """A new game: its file, and beside it its cards."""
    file, *_ = new_game.new(str(tmp_path / "game"))
    return file


def edited(file, change, name="mine.csv"):
    """A copy of a sheet with rows changed by ``change``, which has them by name."""
    with file.open() as text:
        rows = [*csv.DictReader(text)]
    first = "id" if "id" in rows[0] else next(iter(rows[0]))
    by_name = {row[first]: row for row in rows}
    change(by_name)
    path = file.with_name(name)
    with path.open("w", newline="") as text:
        writer = csv.DictWriter(text, rows[0].keys())
        writer.writeheader()
        writer.writerows(by_name.values())
    return path


def stronger_star(rows):
    rows["star"]["strength"] = "16"
    del rows["sun 1"]
    rows["nova"] = rows["comet"] | {next(iter(rows["comet"])): "nova", "copies": "1"}
    if "id" in rows["nova"]:
        rows["nova"] |= {"game": rows["star"]["game"], "id": "nova"}


@pytest.mark.parametrize("written", [False, True], ids=["its table", "a sheet of it"])
def test_a_copy_of_the_table_is_a_variant(game, written):
    sheet = game.with_suffix(".csv")
    if written:
        sheet = game.with_name("cards.csv")
        fd.cards(str(game), file=sheet)
    path = edited(sheet, stronger_star)
    rules = resolve_rules(load(str(game)), path).rules
    found = {str(card): card for card in rules.seen_with(2)["box"]}
    assert (found["star"].strength, found["star"].points) == (16, 6)
    assert "sun 1" not in found
    assert found["nova"].strength == 16
    assert len(rules.seen_with(2)["box"]) == 53
    base = load(str(game)).rules()
    assert resolve_rules(load(str(game)), sheet).rules == base
    mine, printed = (
        fd.play(fd.Game(str(game)).rules(*variant), **HOW)["points by seat"]
        for variant in ((path,), ())
    )
    assert not mine.equals(printed)


def test_two_sheets_are_compared_card_by_card(game):
    old = game.with_name("old.csv")
    fd.cards(str(game), file=old)
    new = edited(old, stronger_star, "new.csv")
    rules = fd.Game(str(game)).rules
    found = fd.compare(rules(old), rules(new), adapt=0, **HOW)
    changed = found.cards.filter("changed")
    assert {*changed["card"]} == {"star", "sun 1", "nova"}
    verdicts = dict(changed.select("card", "verdict").rows())
    assert (verdicts["nova"], verdicts["sun 1"]) == ("new", "gone")


def test_the_command_knows_the_game_of_sheets_beside_it_or_by_its_name(
    fairdeal, game, monkeypatch
):
    monkeypatch.chdir(game.parent)
    fd.cards("game.py", file=game.with_name("old.csv"))
    edited(game.with_name("old.csv"), stronger_star, "new.csv")
    edited(game.with_suffix(".csv"), stronger_star, "raw.csv")
    few = ("-n", "8", "--players", "2", "--lineup", "thrifty", "-j", "1", "--seed", "1")
    for words in (
        ("old.csv", "new.csv"),
        ("game.py", "new.csv"),
        ("game.py", "raw.csv"),
        ("base", "raw.csv", "--game", "game.py"),
    ):
        told = fairdeal("compare", *words, *few)
        assert told.exit_code == 0, told.output
        assert "Card star: strength 16 instead of 0 (box)" in told.stdout
        assert "a player loses who goes without" in " ".join(told.stdout.split())
    told = fairdeal("compare", "base", "raw.csv", *few)
    assert told.exit_code == 2
    assert "no game has these ids. Add it, or name the game" in told.output


WRONG = {
    "a text": (
        lambda rows: rows["star"].update(points="many"),
        r"line 48, column points: box.star.points: .*not 'many'",
    ),
    "a number too few": (
        lambda rows: rows.update(nova=rows["star"] | {"name": "nova", "points": ""}),
        r"line 49: box: .*a new row lacks points",
    ),
    "twice": (
        lambda rows: rows.update(nova=rows["star"]),
        r"line 49, column name: star is in line 48, too",
    ),
}


@pytest.mark.parametrize(("change", "told"), WRONG.values(), ids=WRONG)
def test_mistakes_are_named_by_row_and_cell(game, change, told):
    path = edited(game.with_suffix(".csv"), change)
    with pytest.raises(UsageError, match=told):
        resolve_rules(load(str(game)), path)


def test_printed_cards_in_place_of_those_in_force_are_refused(game):
    text = game.read_text().replace(
        "    def setup",
        "    def cards(self, g):\n        return self.box\n\n    def setup",
    )
    game.write_text(text)
    path = edited(game.with_suffix(".csv"), stronger_star)
    fd.play(str(game), **HOW)
    with pytest.raises(RuleError, match=r"as they are printed. Write g\.rules\.box"):
        fd.play(fd.Game(str(game)).rules(path), **HOW)


def test_levers_try_cards_only_where_they_are_named(game):
    rules = load(str(game)).rules()
    assert {step.key for step in rule_steps(rules, 2).steps} == {"dealt", "tied"}
    named = rule_steps(rules, 2, ["box.star"]).steps
    assert {step.key for step in named} >= {"box.star.points", "box.star.remove"}

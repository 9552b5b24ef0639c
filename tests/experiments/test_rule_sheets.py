"""Cards and squares out to a sheet and back: the same rules, or an error by cell."""

import csv
import io

import pytest

import fairdeal as fd
from experiments.core.cells import UsageError
from experiments.variants.rule_sheets import sheet_text
from experiments.variants.sheet_tables import sheet_tables
from experiments.variants.variant_files import game_of, load_variant
from experiments.variants.variants import resolve_rules, resolve_variant
from sim.games import REGISTRY, load
from tests.experiments.workbook_files import xlsx


def sheet(game="kunitame"):
    """The rows of a game's sheet, as dictionaries."""
    text = sheet_text(load(game), load(game).rules())
    return [*csv.DictReader(io.StringIO(text))]


def written(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return path


def rules(path, game="kunitame"):
    return resolve_rules(load(game), path).rules


@pytest.mark.parametrize("game", REGISTRY)
def test_a_sheet_that_is_not_changed_changes_nothing(tmp_path, game):
    path = tmp_path / "cards.csv"
    fd.cards(game, file=path)
    assert game_of(path) == game
    variant = load_variant(load(game), path)
    assert variant.rules == {}
    assert resolve_variant(load(game), variant).rules == load(game).rules()


@pytest.mark.parametrize("game", REGISTRY)
def test_changed_rules_come_back_from_their_sheet(tmp_path, game):
    """Without the last row of each table, where the rules allow that."""
    base = load(game).rules()
    for key, table in sheet_tables(base).items():
        if len(table.rows) < 2:  # a table without rows in the sheet stays as it is
            continue
        try:
            less = base.changed(table.changes({[*table.rows][-1]: None}))
        except Exception:  # noqa: S112 - rules that need this row
            continue
        path = tmp_path / f"{key}.csv"
        path.write_text(sheet_text(load(game), less))
        assert rules(path, game) == less


def test_a_cell_a_row_less_and_a_row_more(tmp_path):
    rows = sheet()
    gem = {"blue": "3"}
    rows = [row | {"gem": gem.get(row["id"], row["gem"])} for row in rows]
    rows = [row for row in rows if row["id"] != "black"]
    extra = {**rows[0], "id": "card-9-10", "num": "[9, 10]", "return_first": "no"}
    path = written(tmp_path / "mine.csv", [*rows, extra])
    found = {square.id: square for square in rules(path).squares}
    base = {square.id: square for square in load("kunitame").rules().squares}
    assert base["blue"].gem == 1
    assert found["blue"].gem == 3
    assert "black" not in found
    assert found["card-9-10"].num == (9, 10)
    others = base.keys() - {"blue", "black"}
    assert all(found[name] == base[name] for name in others)
    said = fd.variant.diff(path)
    assert len(said.changes) == 3


CELLS = {  # a cell of a sheet, and the rules that it makes
    "kunitame": ("contract_squares", "2", "tricks", "6"),
    "kbernestich": ("zabine", "4", "bust_value", "27"),
    "devil": ("base_deck", "normal-10", "copies", "2"),
    "evilpact": ("spell_element", "hastur", "element", "red"),
    "drake": ("knight", "3", "strength", "1"),
}
MADE = {
    "kunitame": {"contract_squares": [1, 6, 3, 4, 5]},
    "kbernestich": {"zabine": [20, 22, 26, 27]},
    "devil": {"base_deck.normal": [3, 4, 4, 3, 4, 4, 4, 4, 4, 2]},
    "evilpact": {"spell_element.hastur": "red"},
    "drake": {
        "knight": [[1, 2], [2, 3], [1, 4], [4, 1], [1, 4], [2, 1], [3, 2], [4, 3]]
    },
}


@pytest.mark.parametrize("game", CELLS)
def test_lists_and_groups_are_rows_of_a_sheet_too(tmp_path, game):
    """Squares, cards, spells and contracts, by their places or names."""
    table, name, column, value = CELLS[game]
    rows = sheet(game)
    [row] = [row for row in rows if (row["table"], row["id"]) == (table, name)]
    row[column] = value
    wanted = load(game).rules.of(MADE[game])
    assert rules(written(tmp_path / "mine.csv", rows), game) == wanted


def test_rows_of_a_list_are_removed_and_added_in_the_order_of_their_places(tmp_path):
    rows = [
        row
        for row in sheet("kunitame")
        if (row["table"], row["id"]) != ("contract_squares", "2")
    ]
    found = rules(written(tmp_path / "four.csv", rows))
    base = load("kunitame").rules()
    assert (
        found.contract_squares
        == base.contract_squares[:1] + (base.contract_squares[2:])
    )
    assert len(found.contract_returns) == len(found.contract_points) == 4
    drake = sheet("drake")
    [last] = [r for r in drake if (r["table"], r["id"]) == ("maiden_chastity", "8")]
    more = written(tmp_path / "more.csv", [last | {"id": "9", "chastity": "0"}, *drake])
    base = load("drake").rules().maiden_chastity
    assert rules(more, "drake").maiden_chastity == (*base, 0)
    for change, told in (
        ({"id": "nymph"}, "the id of a row is its place in the list, such as 9"),
        ({"id": "9", "chastity": ""}, r"maiden_chastity.9.chastity: a value is needed"),
        ({"id": "9", "chastity": "100"}, r"maiden_chastity: numbers from 0 to 99"),
        ({"id": "9", "strength": "1"}, "maiden_chastity has no such field"),
    ):
        path = written(tmp_path / "wrong.csv", [*drake, last | change])
        with pytest.raises(UsageError, match=f"wrong.csv, line .*{told}"):
            rules(path, "drake")


def test_rows_that_are_valid_only_together_are_read_together(tmp_path):
    rows = sheet("kbernestich")
    of = {row["id"]: row for row in rows if row["table"] == "refill"}
    of["1"]["score_to"], of["2"]["score_from"] = "30", "31"
    assert rules(written(tmp_path / "mine.csv", rows), "kbernestich").refill[:2] == (
        (0, 30, 5),
        (31, 40, 4),
    )
    of["2"]["score_from"] = "26"
    with pytest.raises(UsageError, match=r"column score_to: refill: scores from 31 up"):
        rules(written(tmp_path / "mine.csv", rows), "kbernestich")


def test_own_columns_are_kept_and_named(tmp_path):
    rows = [row | {"artist": "Ana"} for row in sheet()]
    path = written(tmp_path / "mine.csv", rows)
    assert load_variant(load("kunitame"), path).about == "ignored columns: artist"
    assert rules(path) == load("kunitame").rules()
    [valid] = fd.variant.validate(path)
    assert valid["valid"]


def test_headings_of_ones_own_are_declared_and_own_columns_come_out_again(tmp_path):
    """A sheet in German, with notes: one that any command reads, and the notes."""
    german = {"gem": "Edelsteine", "id": "Feld", "when": "wann"}
    rows = [
        {german.get(key, key): value for key, value in row.items() if key != "table"}
        | {"Zeichner": f"Ana {at}"}
        for at, row in enumerate(sheet())
    ]
    rows[1]["Edelsteine"] = "3"
    path = written(tmp_path / "mine.csv", rows)
    with pytest.raises(UsageError, match=r"column id: .* --columns id=HEADING"):
        rules(path)
    said = ["id=Feld", "gem=edelsteine,when=wann"]  # case does not matter
    out = tmp_path / "cards.csv"
    text = fd.cards("kunitame", variant=path, columns=said, file=out)
    assert out.read_text() == f"{text}\n"
    changed = {"squares": {"card-6-8": {"gem": 3}}}
    assert rules(out) == load("kunitame").rules().changed(changed)
    kept = [*csv.DictReader(io.StringIO(text))]
    assert [row["Zeichner"] for row in kept] == [row["Zeichner"] for row in rows]
    again = fd.cards("kunitame", variant=out)
    assert again == text  # its own columns stay without a word
    rows[1]["Edelsteine"] = "2"
    written(path, rows)
    with pytest.raises(UsageError, match=r"line 3, column Edelsteine: .*not 2"):
        fd.cards("kunitame", variant=path, columns=said)


@pytest.mark.parametrize("game", REGISTRY)
def test_in_every_game_headings_are_declared_and_notes_come_out_again(tmp_path, game):
    rows = [
        {"Feld" if key == "id" else key: value for key, value in row.items()}
        | {"Zeichner": f"Ana {at}"}
        for at, row in enumerate(sheet(game))
    ]
    path, out = written(tmp_path / "mine.csv", rows), tmp_path / "cards.csv"
    text = fd.cards(game, variant=path, columns=["id=Feld"], file=out)
    kept = [*csv.DictReader(io.StringIO(text))]
    assert [row["Zeichner"] for row in kept] == [row["Zeichner"] for row in rows]
    assert rules(out, game) == load(game).rules()


def test_a_deck_that_follows_from_its_cards_is_no_other_rule(tmp_path):
    """Found by the fuzzer: changed cards make the deck of Article II a custom one."""
    path = tmp_path / "deck.csv"
    said = ["cards.tack-center.copies=3"]
    fd.cards("article_ii", settings=said, file=path)
    assert rules(path, "article_ii").deck == "custom"
    again = tmp_path / "again.csv"
    fd.cards("article_ii", variant=path, file=again)
    assert rules(again, "article_ii") == rules(path, "article_ii")


DECLARED = {
    ("gem",): "'gem' is not of the form FIELD=HEADING, as gem=Edelsteine",
    ("partiy=Feld",): r"no field 'partiy'; did you mean 'parity'\?",
    ("gem=Fled",): r"no column 'Fled'; .*There are: ",
    ("gem=id",): "has another column gem",
}


@pytest.mark.parametrize(("columns", "told"), DECLARED.items())
def test_mistakes_in_declared_columns_are_named(tmp_path, columns, told):
    path = written(tmp_path / "mine.csv", sheet())
    with pytest.raises(UsageError, match=told):
        fd.cards("kunitame", variant=path, columns=columns)
    with pytest.raises(UsageError, match="columns: name the sheet"):
        fd.cards("kunitame", columns=columns)


def test_the_game_and_the_table_follow_from_the_ids(tmp_path):
    rows = [
        {key: value for key, value in row.items() if key not in ("game", "table")}
        for row in sheet()
    ]
    path = written(tmp_path / "mine.csv", rows)
    assert game_of(path) == "kunitame"
    assert rules(path) == load("kunitame").rules()


def test_a_workbook_is_a_variant_too(tmp_path):
    rows = sheet("socialism")
    cells = [[*rows[0]]]
    for row in rows:
        changed = row | {"copies": 4} if row["id"] == "ipo" else row
        cells.append([value or None for value in changed.values()])
    path = tmp_path / "cards.xlsx"
    path.write_bytes(xlsx({"Cards": cells}))
    found = {card.id: card for card in rules(path, "socialism").actions}
    assert found["ipo"].copies == 4


def test_a_sheet_is_played_and_is_the_base_of_others(tmp_path):
    rows = [row | {"gem": "3"} if row["id"] == "blue" else row for row in sheet()]
    written(tmp_path / "mine.csv", rows)
    (tmp_path / "more.toml").write_text(
        'game = "kunitame"\nbase = "mine.csv"\n[rules]\nlife = 4\n'
    )
    both = rules(tmp_path / "more.toml")
    assert both.life == 4
    assert {s.id: s.gem for s in both.squares}["blue"] == 3
    game = fd.Game("kunitame")
    by_sheet = fd.play(
        game.rules(tmp_path / "mine.csv"), lineup="greedy", games=64, seed=1, jobs=1
    )
    same = game.rules({"squares": {"blue": {"gem": 3}}})
    by_hand = fd.play(same, lineup="greedy", games=64, seed=1, jobs=1)
    assert by_sheet["won by position"].equals(by_hand["won by position"])


WRONG = {
    "a value": (
        lambda rows: rows[0].update(when="trik"),
        r"line 2, column when: .*Did you mean 'trick'\?",
    ),
    "an empty cell": (
        lambda rows: rows[2].update(gem=""),
        r"line 4, column gem: is empty; card-11 has 1 here",
    ),
    "a name twice": (
        lambda rows: rows[1].update(id="card-1-5"),
        r"line 3, column id: card-1-5 is in line 2, too",
    ),
    "no name": (lambda rows: rows[1].update(id=""), r"line 3, column id: is empty"),
    "a table": (
        lambda rows: rows[1].update(table="sqares"),
        r"line 3, column table: no table 'sqares'; did you mean 'squares'",
    ),
    "a number": (
        lambda rows: rows[0].update(gem="2"),
        r"line 2, column gem: .*not 2\. Allowed: 1 \| 3",
    ),
}


@pytest.mark.parametrize(("change", "told"), WRONG.values(), ids=WRONG)
def test_mistakes_are_named_by_row_and_cell(tmp_path, change, told):
    rows = sheet()
    change(rows)
    with pytest.raises(UsageError, match=told):
        rules(written(tmp_path / "mine.csv", rows))


def test_headings_are_not_guessed(tmp_path):
    rows = [
        {"gemm" if key == "gem" else key: value for key, value in row.items()}
        for row in sheet()
    ]
    with pytest.raises(UsageError, match=r"column gemm: .*did you mean 'gem'"):
        rules(written(tmp_path / "mine.csv", rows))
    drake = sheet("drake")
    drake[0]["copies"] = "3"
    with pytest.raises(UsageError, match="column copies: stats has no such field"):
        rules(written(tmp_path / "drake.csv", drake), "drake")
    (tmp_path / "what.csv").write_text("id,text\nfoo,bar\n")
    with pytest.raises(UsageError, match="no game has these ids"):
        game_of(tmp_path / "what.csv")
    with pytest.raises(UsageError, match="no column is a field"):
        rules(tmp_path / "what.csv")


def test_games_without_tables_say_so_and_nothing_is_overwritten(tmp_path):
    with pytest.raises(UsageError, match="no tables of cards"):
        fd.cards("docs/games/oh_hell.py", file=tmp_path / "cards.csv")
    assert not [*tmp_path.iterdir()]
    (tmp_path / "cards.csv").write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        fd.cards("kunitame", file=tmp_path / "cards.csv")
    assert (tmp_path / "cards.csv").read_text() == "mine"


def test_a_sheet_of_another_game_or_without_rows_is_refused(tmp_path):
    rows = [{**row, "game": "drake"} for row in sheet()]
    with pytest.raises(UsageError, match="game is 'drake', not 'kunitame'"):
        rules(written(tmp_path / "other.csv", rows))
    heading = sheet_text(load("kunitame"), load("kunitame").rules()).split("\n")[0]
    (tmp_path / "bare.csv").write_text(f"{heading}\n")
    with pytest.raises(UsageError, match="no rows follow the heading"):
        rules(tmp_path / "bare.csv")


def test_what_a_sheet_cannot_hold_is_not_lost_silently(tmp_path):
    path = tmp_path / "cards.csv"
    (tmp_path / "low.toml").write_text('game = "kunitame"\n[rules]\nlife = 4\n')
    for asked, told in (
        ({"settings": ["life=4"]}, "life"),
        ({"variant": tmp_path / "low.toml"}, "life"),
    ):
        with pytest.raises(UsageError, match=f"not {told}. Write that with"):
            fd.cards("kunitame", file=path, **asked)
    assert not path.exists()
    empty = ["hunch=[]"]
    with pytest.raises(UsageError, match=r"not hunch\. Write that with"):
        fd.cards("kbernestich", file=path, settings=empty)
    fd.cards("kunitame", file=path, settings=["squares.card-6-8.gem=3"])
    changed = {"squares": {"card-6-8": {"gem": 3}}}
    assert rules(path) == load("kunitame").rules().changed(changed)

"""Mistakes of authors: the error names the file, the word, and what to write."""

import pytest

import fairdeal as fd
from experiments.variants import new_game
from fairdeal import cards_of
from sim.answers import IllegalAnswer
from sim.parameters import RuleError
from sim.scores import GameError
from sim.table import StrategyFailed

WRONG = {
    "score": ('score = "points"', 'score = "pionts"', "did you mean 'points'"),
    "players": ("range(2, 6)", "4", "players = range"),
    "decisions": (
        '{"bid": ChoiceOf("a card to bid, in secret", "cards")}',
        '["bid"]',
        "decisions = {",
    ),
    "turn": ("def turn(self, g)", "def trun(self, g)", "write def turn(self, g)"),
    "turn takes": ("def turn(self, g)", "def turn(self)", "write def turn(self, g)"),
    "sees": ('sees="owner"', 'sees="onwer"', "line 24, `hand = Pile"),
    "rule": (', "cards dealt to each player", 1, 8', "", "line 20, `dealt = rule(6)`"),
    "rule says": (', "cards dealt to each player", 1, 8', "", 'write rule(6, "'),
    "rule limits": ('"cards dealt to each player", 1', "1", 'write rule(6, "'),
    "cards": (
        "    def setup(self, g)",
        "    def cards(self, g):\n        pass\n\n    def setup(self, g)",
        "write return",
    ),
    "table": ('"game.csv"', '"gone.csv"', "line 17, `box = cards_of"),
    "two of a name": (
        'cards_of(Path(__file__).with_name("game.csv"))',
        'cards_of([{"name": "star", "points": n} for n in (1, 2)])',
        "box: two rows are called 'star' in the column 'name'",
    ),
    "told": ('"worth": "its', '"row": "its', "'row' cannot be the name"),
    "typing": ("g.deck.pop() for", "g.dekc.pop() for", "did you mean 'deck'"),
    "taken": ("    won = Pile", "    rules = Pile", "'rules' is taken"),
    "syntax": ("def turn(self, g):", "def turn(self, g)", "line"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_says_what_to_write(name, tmp_path):
    file, *_ = new_game.new(str(tmp_path / "game"))
    old, new, words = WRONG[name]
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises((GameError, RuleError)) as told:
        fd.play(str(file), lineup="random", players=2, games=4, seed=1, jobs=1)
    assert words in str(told.value)
    if name != "cards":
        assert file.name in str(told.value)


@pytest.mark.parametrize("cell", ["9x", "x", ""])
def test_a_cell_that_is_no_number_is_named(cell, tmp_path):
    table = tmp_path / "box.csv"
    rows = [f"sun {n},{n if n != 3 else cell},{n % 2 and 'J'}" for n in range(1, 7)]
    table.write_text("\n".join(["name,points,rank", *rows]))
    said = repr(cell) if cell else "empty"
    with pytest.raises(RuleError, match=f"box.csv, line 4: points is {said}, and a nu"):
        cards_of(table)
    assert cards_of(table, text=["points"])[0].points == "1"
    with pytest.raises(RuleError, match=r"'pionts'; did you mean 'points'\?"):
        cards_of(table, text=["pionts"])


def test_an_infinite_number_is_text(tmp_path):
    (tmp_path / "box.csv").write_text("name,to\nnan,inf\n")
    assert cards_of(tmp_path / "box.csv")[0].to == "inf"


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_strategy_names_its_line(jobs, tmp_path):
    file, *_ = new_game.new(str(tmp_path / "game"))
    text = file.read_text()
    file.write_text(text.replace("view.auction[0]", "view.auktion[0]"))
    line = 1 + text[: text.index("view.auction[0]")].count("\n")
    with pytest.raises(StrategyFailed) as told:
        fd.play(str(file), lineup="thrifty", players=2, games=4, seed=1, jobs=jobs)
    for words in (f"game.py, line {line}, `return", "thrifty", "did you mean 'auct"):
        assert words in str(told.value)


def test_an_answer_that_is_no_option_names_the_method(tmp_path):
    file, *_ = new_game.new(str(tmp_path / "game"))
    text = file.read_text().replace("return cards[-1] if", "return 7 if")
    file.write_text(text)
    line = 1 + text[: text.index("def bid")].count("\n")
    with pytest.raises(
        IllegalAnswer, match=f"chose 7 .*game.py, line {line}, `def bid"
    ):
        fd.play(str(file), lineup="thrifty", players=2, games=64, seed=1, jobs=1)

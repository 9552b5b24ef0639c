"""Card sheets in every dialect are the same variant; spoilt ones are refused by place.

A play log whose columns are bookkeeping never has players of these names.
"""

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.analysis.play_log_columns import read_heading
from experiments.analysis.play_log_vocabulary import BOOKKEEPING
from experiments.core import spreadsheets
from experiments.core.cells import UsageError
from experiments.variants.card_sheet import card_sheet
from experiments.variants.rule_sheets import sheet_text
from experiments.variants.variants import resolve_rules
from sim.games import REGISTRY, load
from sim.parameters import RuleError

QUICK = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
SOAK = settings(QUICK, max_examples=3_000, derandomize=False)
GAMES = tuple(REGISTRY)
CELLS = ("", "0", "-1", "3", "1e400", "nan", "[1, 2]", "[", "true", "yes", "x", "=1")
CELL = st.sampled_from(CELLS) | st.text(max_size=6)


def sheet(game):
    """The heading and the rows of a game's sheet."""
    return [*csv.reader(io.StringIO(sheet_text(load(game), load(game).rules())))]


@st.composite
def spoilt(draw):
    """A game, its sheet with a few cells, rows or columns changed, and a dialect."""
    game = draw(st.sampled_from(GAMES))
    rows = sheet(game)
    for _ in range(draw(st.integers(0, 3))):
        row = draw(st.sampled_from(rows))
        match draw(st.integers(0, 4)):
            case 0 if row:
                row[draw(st.integers(0, len(row) - 1))] = draw(CELL)
            case 1:
                row.append(draw(CELL))
            case 2 if row:
                row.pop()
            case 3:
                rows.append([*row])
            case _ if len(rows) > 1:
                rows.remove(row)
    dialect = draw(st.sampled_from(",;\t")), draw(st.sampled_from(["utf-8", "utf-16"]))
    return game, rows, dialect


def written(rows, dialect):
    """The bytes of a sheet in a dialect."""
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=dialect[0]).writerows(rows)
    return file.getvalue().encode(dialect[1], "replace")


def check_cards(game, rows, dialect):
    """A sheet is valid rules, which it writes again, or is refused with its place."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cards.csv")
        path.write_bytes(written(rows, dialect))
        rules, said = None, ""
        try:
            rules = resolve_rules(load(game), path).rules
        except (UsageError, RuleError) as error:
            said = str(error)
        if rules is None:
            assert "cards.csv" in said
            return
        again = Path(folder, "again.csv")
        card_sheet(load(game), str(path), file=again)
        assert resolve_rules(load(game), again).rules == rules


@QUICK
@given(spoilt())
def test_a_spoilt_sheet_of_cards_is_refused_by_its_place(given_):
    check_cards(*given_)


@pytest.mark.soak
@SOAK
@given(spoilt())
def test_many_spoilt_sheets_of_cards_are_refused_by_their_places(given_):
    check_cards(*given_)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "dialect", [(",", "utf-8-sig"), (";", "utf-16"), ("\t", "utf-8")]
)
def test_a_sheet_in_any_dialect_is_the_same_variant(tmp_path, game, dialect):
    path = tmp_path / "cards.csv"
    path.write_bytes(written(sheet(game), dialect))
    assert resolve_rules(load(game), path).rules == load(game).rules()


@st.composite
def evenings(draw):
    """A wide play log with a column of bookkeeping somewhere among the players."""
    kept = draw(st.sampled_from(sorted(BOOKKEEPING)))
    players = ["Ana", "Ben", "Cleo"][: draw(st.integers(2, 3))]
    heading = ["session", *players]
    heading.insert(draw(st.integers(0, len(heading))), kept)
    number = st.integers(0, 99).map(str)
    rows = [
        [str(n) if name == "session" else draw(number) for name in heading]
        for n in range(1, draw(st.integers(2, 6)))
    ]
    return kept, players, [heading, *rows]


def check_players(kept, players, rows):
    """Bookkeeping is ignored, has a role of its own, or is refused; never a player."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "plays.csv")
        path.write_bytes(written(rows, (",", "utf-8")))
        try:
            understood = read_heading(spreadsheets.read_sheet(path, "plays"))
        except UsageError:
            return
    assert kept not in understood.persons
    assert {*understood.persons} <= {*players}


@QUICK
@given(evenings())
def test_bookkeeping_is_never_a_player(given_):
    check_players(*given_)


@pytest.mark.soak
@SOAK
@given(evenings())
def test_much_bookkeeping_is_never_a_player(given_):
    check_players(*given_)

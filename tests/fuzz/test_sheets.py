"""Tables written in every dialect read back equal, and no bytes give a traceback."""

import csv
import io
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.analysis.play_log import read_play_log
from experiments.analysis.play_log_columns import read_heading
from experiments.core import spreadsheets
from experiments.core.cells import UsageError
from tests.experiments.workbook_files import ods, xlsx

QUICK = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
SOAK = settings(QUICK, max_examples=5_000, derandomize=False)
ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16": b"",
    "utf-32": b"",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
}
DELIMITERS = ",;\t|"
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
WORD = st.text(LETTERS, min_size=1, max_size=8).map(str.strip).filter(bool)
HEADING = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)
CENTS = st.integers(-99_999, 99_999)


@st.composite
def tables(draw):
    """A heading, words below the first name and hundredths below the others."""
    heading = draw(st.lists(HEADING, min_size=2, max_size=5, unique=True))
    row = st.tuples(WORD, *[st.none() | CENTS for _ in heading[1:]])
    rows = draw(st.lists(row, min_size=1, max_size=6))
    return heading, [one for one in rows if list(one) != heading]


@st.composite
def dialects(draw):
    """How a spreadsheet may write a table."""
    return {
        "delimiter": draw(st.sampled_from(DELIMITERS)),
        "decimal": draw(st.sampled_from(".,")),
        "encoding": draw(st.sampled_from(sorted(ENCODINGS))),
        "end": draw(st.sampled_from(["\n", "\r\n", "\r"])),
        "quoting": draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])),
        "columns": draw(st.integers(0, 3)),
        "blank": draw(st.sets(st.integers(0, 6))),
        "declared": draw(st.booleans()),
        "last": draw(st.booleans()),
    }


def number(cents, decimal):
    if cents is None:
        return ""
    sign, cents = "-" * (cents < 0), abs(cents)
    return f"{sign}{cents // 100}{decimal}{cents % 100:02}"


def written(table, dialect):
    """The bytes of a table in a dialect, and the lines on which its rows begin."""
    heading, rows = table
    file = io.StringIO(newline="")
    end, delimiter = dialect["end"], dialect["delimiter"]
    breaks = any(sign in row[0] for row in rows for sign in "\r\n")
    quoting = (
        csv.QUOTE_ALL if breaks else dialect["quoting"]
    )  # as csv forgets the other
    writer = csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=end)
    if dialect["declared"]:
        file.write(f"sep={delimiter}{end}")
    empty, lines = [""] * dialect["columns"], []
    for at, row in enumerate([heading, *rows]):
        if at in dialect["blank"]:
            writer.writerow([""] * len(heading) + empty)
        text = file.getvalue()
        lines.append(len(io.StringIO(text, newline="").readlines()) + 1)
        first, *others = row
        cells = others if at == 0 else [number(c, dialect["decimal"]) for c in others]
        writer.writerow([first, *cells, *empty])
    text = file.getvalue()
    text = text if dialect["last"] else text.removesuffix(end)
    name = dialect["encoding"]
    return ENCODINGS[name] + text.encode(name), lines


def check_same(table, dialect):
    heading, rows = table
    data, lines = written(table, dialect)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        path.write_bytes(data)
        found = spreadsheets.read_sheet(path, "a table")
    assert list(found.heading) == heading
    assert found.delimiter == dialect["delimiter"]
    assert [found.line, *(row.line for row in found.rows)] == lines
    assert found.column(heading[0]) == [row[0] for row in rows]
    values = found.numbers(heading[1:])
    for at, name in enumerate(heading[1:], 1):
        wanted = [None if row[at] is None else row[at] / 100 for row in rows]
        assert values[name] == pytest.approx(wanted)


def check_bytes(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        path.write_bytes(data)
        with suppress(UsageError):
            read_heading(spreadsheets.read_sheet(path, "a table"))
        with suppress(UsageError):
            read_play_log(path, (2, 3), False)


BYTES = st.binary(max_size=60) | st.text(
    st.sampled_from('session,player;score\t1230.,-"\r\n\u2028 AbcXx&'), max_size=120
).map(lambda text: f"session,player,score,winner\n{text}".encode())


@QUICK
@given(tables(), dialects())
def test_a_table_in_any_dialect_reads_back_equal(table, dialect):
    check_same(table, dialect)


@pytest.mark.soak
@SOAK
@given(tables(), dialects())
def test_many_tables_in_any_dialect_read_back_equal(table, dialect):
    check_same(table, dialect)


@QUICK
@given(BYTES)
def test_no_bytes_give_a_traceback(data):
    check_bytes(data)


@pytest.mark.soak
@SOAK
@given(BYTES)
def test_many_bytes_give_no_traceback(data):
    check_bytes(data)


BOOK = {"Plays": [["session", "player", "score"], [1, "Ana", 2.5], [1, "Ben", True]]}
PLAYS = (
    b'{"games": [{"id": 1, "name": "Go"}], "players": [{"id": 1, "name": "A"}], '
    b'"plays": [{"gameRefId": 1, "playerScores": [{"playerRefId": 1, "score": "3", '
    b'"winner": true, "seatOrder": 1}, {"playerRefId": 2, "startPlayer": true}]}]}',
    b'<plays><play id="7"><item name="Go"/><players><player name="A" score="3" '
    b'win="1"/><player name="B" startposition="1"/></players></play></plays>',
    xlsx(BOOK),
    ods(BOOK),
)


@st.composite
def damaged(draw):
    """The bytes of an export or a workbook, some of them changed, perhaps cut."""
    data = bytearray(draw(st.sampled_from(PLAYS)))
    for at in draw(st.lists(st.integers(0, len(data) - 1), max_size=6)):
        data[at] = draw(st.integers(0, 255))
    return bytes(data[: draw(st.integers(0, len(data)))])


@QUICK
@given(damaged())
def test_no_damaged_export_or_workbook_gives_a_traceback(data):
    check_bytes(data)


@pytest.mark.soak
@SOAK
@given(damaged())
def test_many_damaged_exports_and_workbooks_give_no_traceback(data):
    check_bytes(data)


@QUICK
@given(tables(), st.sampled_from([xlsx, ods]))
def test_a_table_in_a_workbook_reads_back_equal(table, written):
    heading, rows = table
    cells = [
        [" ".join(row[0].split()), *(c and c / 100 for c in row[1:])] for row in rows
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book")
        path.write_bytes(written({"Table": [heading, *cells]}))
        found = spreadsheets.read_sheet(path, "a table")
    assert list(found.heading) == heading
    values = found.numbers(heading[1:])
    for at, name in enumerate(heading[1:], 1):
        assert values[name] == [row[at] for row in cells]

"""Tables as spreadsheets write them: what is read of them, and what is refused."""

import os

import pytest

from experiments.core import spreadsheets
from experiments.core.cells import UsageError

WANTED = "a row a card"
TABLE = "name,cost,text\nAce,3,quick\nKing,12,\n"
READ = (("name", "cost", "text"), [("Ace", "3", "quick"), ("King", "12", "")])


def read(tmp_path, given, encoding=""):
    path = tmp_path / "sheet.csv"
    path.write_bytes(given if isinstance(given, bytes) else given.encode())
    return spreadsheets.read_sheet(path, WANTED, encoding)


def table(sheet):
    return sheet.heading, [row.cells for row in sheet.rows]


SEMICOLONS = TABLE.replace(",", ";")
SAME = {
    "as it is": TABLE,
    "Excel, CSV UTF-8": b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode(),
    "Excel, continental": b"\xef\xbb\xbf" + SEMICOLONS.replace("\n", "\r\n").encode(),
    "Excel, Unicode text": TABLE.replace(",", "\t")
    .replace("\n", "\r\n")
    .encode("utf-16"),
    "UTF-16, the other way round": b"\xfe\xff" + TABLE.encode("utf-16-be"),
    "UTF-32": TABLE.encode("utf-32"),
    "Macintosh": TABLE.replace("\n", "\r"),
    "bars": TABLE.replace(",", "|"),
    "spaces": TABLE.replace(",", " , "),
    "no line end": TABLE.rstrip("\n"),
    "columns once touched": TABLE.replace("\n", ",,,\n"),
    "rows once touched": TABLE + ",,\n" * 3 + "\n\n",
    "a row between": TABLE.replace("King", "\n,,\nKing"),
    "nameless empty column": "name,,cost,text\nAce,,3,quick\nKing,,12,\n",
    "delimiters lost at the end of rows": TABLE.replace("12,\n", "12\n"),
    "declared": f"sep=;\r\n{SEMICOLONS}",
    "declared, in capitals": f"SEP=;\n{SEMICOLONS}",
    "declared, quoted": f'"sep=;"\n{SEMICOLONS}',
    "declared, saved again": f"sep=;;;\n{SEMICOLONS}",
    "declared, with a tab": "sep=\t\n" + TABLE.replace(",", "\t"),
    "declared, with a mark": b"\xef\xbb\xbfsep=,\r\n" + TABLE.encode(),
    "all quoted": '"name","cost","text"\n"Ace","3","quick"\n"King","12",""\n',
}


@pytest.mark.parametrize("given", SAME.values(), ids=SAME)
def test_all_ways_to_write_a_table_are_the_same(tmp_path, given):
    assert table(read(tmp_path, given)) == READ


def test_what_is_in_quotation_marks_divides_nothing(tmp_path):
    given = 'name;cost\n"Ace; of ""spades"", 3,5";1\n"two\r\nlines";2\nthree;3\n'
    found = read(tmp_path, given)
    assert [row.cells[0] for row in found.rows] == [
        'Ace; of "spades", 3,5',
        "two\r\nlines",
        "three",
    ]
    assert [row.line for row in found.rows] == [2, 3, 5]


@pytest.mark.parametrize("sign", "\N{LINE SEPARATOR}\x85\x0b\x0c\x1c\N{NO-BREAK SPACE}")
def test_only_line_ends_end_lines(tmp_path, sign):
    found = read(tmp_path, f"name,cost\nAn{sign}a,3\nBen,4\n")
    assert [row.cells for row in found.rows] == [(f"An{sign}a", "3"), ("Ben", "4")]
    assert [row.line for row in found.rows] == [2, 3]


def test_lines_are_counted_from_the_first_of_the_file(tmp_path):
    found = read(tmp_path, "sep=;\n\nname;cost\n\nAce;1\n")
    assert (found.line, found.rows[0].line) == (3, 5)


def test_a_text_of_windows_is_read_where_it_is_declared(tmp_path):
    given = "name;cost\nK\xf6nig;2\n".encode("cp1252")
    assert read(tmp_path, given, "cp1252").rows[0].cells == ("K\xf6nig", "2")
    with pytest.raises(UsageError, match=r"line 2: .*UTF-8.*--encoding cp1252"):
        read(tmp_path, given)
    with pytest.raises(UsageError, match=r"'klingon'. Allowed: utf-8"):
        read(tmp_path, given, "klingon")
    with pytest.raises(UsageError, match="unknown encoding 'hex'"):
        read(tmp_path, given, "hex")


def test_utf_16_without_its_mark_is_read_where_it_is_declared(tmp_path):
    given = TABLE.encode("utf-16-le")
    assert table(read(tmp_path, given, "utf-16")) == READ
    with pytest.raises(UsageError, match="--encoding utf-16"):
        read(tmp_path, given)


REFUSED = {
    "nothing": ("", "the file is empty. Wanted: a row a card"),
    "empty lines": ("\n\n", "the file is empty"),
    "JSON": ('\n {"games": []}', "this is JSON, but a table is needed.*a row a card"),
    "a list in JSON": ("[1, 2]", "this is JSON"),
    "XML": ("<?xml version='1.0'?><plays/>", "this is XML"),
    "a page": ("<!DOCTYPE html><p>", "this is a web page"),
    "a workbook": (b"PK\x03\x04\x00\x00", "this is a damaged workbook"),
    "an old workbook": (
        b"\xd0\xcf\x11\xe0\x00",
        "cannot be read as a workbook.*a row a card",
    ),
    "parquet": (b"PAR1\x00", "this is a parquet file"),
    "a name twice": ("a,b,a\n1,2,3\n", "line 1, column a: 2 columns"),
    "no name": ("a,,c\n1,2,3\n", "line 2: '2' is in column 2, which has no heading"),
    "a cell beside": ("a,b\n1,2\n3,4,avg\n", "line 3: 'avg' is in column 3"),
    "decimal commas": ("a,b\n1,2,5\n", "line 2: '5' .* save the table with semicolons"),
    "pasted twice": ("a,b\n1,2\na,b\n1,2\n", "line 3: the heading is repeated here"),
    "an open quotation mark": ('a,b\n1,2\n"3,4\n5,6\n', "line 3: a quotation mark"),
    "text after it": ('a,b\n"1"x,2\n', "line 2: text after the quotation mark"),
    "a long cell": (
        "a,b\n1,2\n" + "x" * 200_000 + ",3\n",
        "line 3: a cell of more than",
    ),
}


@pytest.mark.parametrize(("given", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_table_is_refused_with_the_reason(tmp_path, given, told):
    with pytest.raises(UsageError, match=told):
        read(tmp_path, given)


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(UsageError, match="there is no such file"):
        spreadsheets.read_sheet(tmp_path / "none.csv", WANTED)
    with pytest.raises(UsageError, match="this is not a file"):
        spreadsheets.read_sheet(tmp_path, WANTED)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="this is not a file"):
        spreadsheets.read_sheet(tmp_path / "pipe", WANTED)


def numbers(tmp_path, delimiter, *cells):
    rows = "".join(f'{at}{delimiter}"{cell}"\n' for at, cell in enumerate(cells))
    return read(tmp_path, f"a{delimiter}b\n{rows}").numbers(["b"])["b"]


NUMBERS = {
    "whole": (",", ("12", "-3", "+4", "\N{MINUS SIGN}5", ""), [12, -3, 4, -5, None]),
    "points": (",", ("1.5", ".5", "2"), [1.5, 0.5, 2]),
    "commas": (";", ("3,5", "2", "-0,25"), [3.5, 2, -0.25]),
    "commas and tabs": ("\t", ("3,5", "2"), [3.5, 2]),
    "points and semicolons": (";", ("3.5", "2"), [3.5, 2]),
    "commas in quotation marks": (",", ("3,5", "2"), [3.5, 2]),
    "thousands": (";", ("1.234,5", "2"), [1234.5, 2]),
    "thousands by another cell": (";", ("1.234", "2,5"), [1234, 2.5]),
    "a fraction by another cell": (";", ("1.234", "2.5"), [1.234, 2.5]),
    "a fraction between commas": (",", ("1.234",), [1.234]),
    "American thousands": (",", ("1,234.5", "1,234,567"), [1234.5, 1234567]),
    "French thousands": (";", ("1\N{NARROW NO-BREAK SPACE}234,5",), [1234.5]),
    "Swiss thousands": (";", ("1'234.5",), [1234.5]),
    "powers": (";", ("1E+03", "1,5e2"), [1000, 150]),
    "many digits": (",", ("1" * 400,), [float("inf")]),
}


@pytest.mark.parametrize(
    ("delimiter", "cells", "wanted"), NUMBERS.values(), ids=NUMBERS
)
def test_numbers_have_one_decimal_sign(tmp_path, delimiter, cells, wanted):
    assert numbers(tmp_path, delimiter, *cells) == wanted


NO_NUMBERS = {
    "an underscore": (",", ("1_5",), "line 2, column b: '1_5' is no number"),
    "endless": (",", ("inf",), "'inf' is no number"),
    "not a number": (",", ("2", "nan"), "line 3, column b: 'nan'"),
    "hexadecimal": (",", ("0x10",), "'0x10'"),
    "a unit": (",", ("12 VP",), "'12 VP'"),
    "an error of the sheet": (",", ("#DIV/0!",), "'#DIV/0!'"),
    "a sign alone": (",", ("-", "."), "'-' is no number"),
    "a long word": (",", ("x" * 99,), r"'x{40}\.\.\.' is no number"),
    "both signs": (";", ("1.5", "2,5"), "line 3: 2,5 here and 1.5 in line 2 .*decimal"),
    "unclear": (";", ("1.234",), "line 2, column b: 1.234 may be 1234, or have"),
    "unclear in quotation marks": (",", ("1,234",), "1,234 may be 1234, or have"),
    "wrong thousands": (";", ("1.23,5",), "'1.23,5' is no number"),
}


@pytest.mark.parametrize(
    ("delimiter", "cells", "told"), NO_NUMBERS.values(), ids=NO_NUMBERS
)
def test_what_is_no_number_for_sure_is_refused(tmp_path, delimiter, cells, told):
    with pytest.raises(UsageError, match=told):
        numbers(tmp_path, delimiter, *cells)

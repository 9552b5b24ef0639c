"""Tables that are kept in a folder, so that they are made once."""

from functools import partial

import polars as pl
import pytest

from experiments.analysis.kept_tables import kept_tables

MADE: list[int] = []


def tables(number: int) -> dict[str, pl.DataFrame]:
    """A table of a number; ``MADE`` has those for which it was called."""
    MADE.append(number)
    return {"one": pl.DataFrame({"number": [number]})}


@pytest.fixture(autouse=True)
def none():
    MADE.clear()


def asked(number, folder):
    return kept_tables(partial(tables, number), folder)["one"]["number"].to_list()


def test_the_same_question_is_answered_once(tmp_path):
    assert asked(1, tmp_path / "a") == [1]
    assert asked(1, tmp_path / "a") == [1]
    assert MADE == [1]


def test_another_question_is_answered_anew(tmp_path):
    assert asked(1, tmp_path) == [1]
    assert asked(2, tmp_path) == [2]
    assert MADE == [1, 2]


@pytest.mark.parametrize("name", ["tables.json", "one.parquet"])
@pytest.mark.parametrize("damage", [b"", b"[]", b"{}", None])
def test_damaged_tables_are_made_again(tmp_path, name, damage):
    asked(1, tmp_path)
    (tmp_path / name).unlink()
    if damage is not None:
        (tmp_path / name).write_bytes(damage)
    assert asked(1, tmp_path) == [1]
    assert MADE == [1, 1]

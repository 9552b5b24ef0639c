"""TOML as it is written: what is read back is what was meant."""

import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.variants import toml

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PLAIN = st.one_of(
    TEXT,
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
)
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3), max_leaves=6)
TABLES = st.recursive(
    st.dictionaries(TEXT, VALUES, max_size=3),
    lambda inner: st.dictionaries(TEXT, st.one_of(VALUES, inner), max_size=3),
    max_leaves=6,
)
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@UNHURRIED
@given(VALUES)
def test_a_value_survives(value):
    written = toml.value(value)
    assert "\n" not in written
    read = tomllib.loads(f"a = {written}")["a"]
    assert read == value
    assert type(read) is type(value)


@UNHURRIED
@given(TABLES)
def test_tables_survive(values):
    assert tomllib.loads("\n".join(toml.tables(values))) == values


def test_tables_read_well():
    values = {"game": "g", "rules": {"life": 4, "rows": {"a b": {"worth": [1, 2]}}}}
    assert toml.tables(values) == [
        'game = "g"',
        "",
        "[rules]",
        "life = 4",
        "",
        '[rules.rows."a b"]',
        "worth = [1, 2]",
    ]


def test_a_table_on_one_line():
    assert toml.value({"id": "a", "b c": 1}) == '{ id = "a", "b c" = 1 }'
    assert toml.value({}) == "{}"


def test_what_toml_has_not():
    with pytest.raises(TypeError, match="TOML has no NoneType"):
        toml.value(None)


@pytest.mark.parametrize(
    ("text", "value"), [("4", 4), ("4\nb = 5", "4 b = 5"), ("must", "must")]
)
def test_a_value_is_one_value(text, value):
    assert toml.parse_value(text) == value

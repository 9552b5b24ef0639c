"""Variant files: what they change, what beats them, and what is wrong with them."""

import pytest

from experiments.core.cells import UsageError
from experiments.variants.variants import parse_setting, resolve_rules
from sim.games import load
from sim.parameters import RuleError

GAME = load("kunitame")
FILE = """
game = "kunitame"
name = "richer"

[rules]
life = 4

[rules.squares.blue]
gem = 3

[rules.squares.card-9-10]
pledge = "P1"
when = "trick"
num = [9, 10]

[rules.squares.card-11]
remove = true
"""


@pytest.fixture
def variant(tmp_path):
    def write(text):
        path = tmp_path / "my.toml"
        path.write_text(text)
        return path

    return write


def test_only_what_differs(variant):
    resolved = resolve_rules(GAME, variant(FILE))
    rows = {square.id: square for square in resolved.rules.squares}
    assert resolved.name == "richer"
    assert resolved.rules.life == 4
    assert rows["blue"].gem == 3
    assert rows["card-9-10"].num == (9, 10)
    assert "card-11" not in rows
    assert rows["red"].gem == 1


def test_the_command_line_beats_the_file_and_says_so(variant):
    path = variant(FILE)
    resolved = resolve_rules(GAME, path, ["life=5", "squares.blue.gem=1", "weeks=3"])
    rows = {square.id: square for square in resolved.rules.squares}
    assert (resolved.rules.life, resolved.rules.weeks, rows["blue"].gem) == (5, 3, 1)
    assert "card-9-10" in rows
    assert resolved.notes == (
        f"--set life=5 overrides life = 4 of {path}",
        f"--set squares.blue.gem=1 overrides squares.blue.gem = 3 of {path}",
    )


def test_rows_by_dotted_key():
    settings = ["squares.blue.gem=3", "squares.new.pledge=P1", "squares.new.when=trick"]
    rows = {s.id: s for s in resolve_rules(GAME, None, settings).rules.squares}
    assert rows["blue"].gem == 3
    assert rows["new"].pledge == "P1"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a=4", 4),
        ("a = true", True),
        ("a=[1, 2]", [1, 2]),
        ("a=must", "must"),
        ('a="must"', "must"),
        ("a=1=2", "1=2"),
        ("a=", ""),
    ],
)
def test_values(text, value):
    assert parse_setting(text) == ("a", value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("game = kunitame", "not TOML: Invalid value (at line 1"),
        ("[rules]\nlife = 4", 'the key "game" is missing'),
        ('game = "chess"', "game is 'chess', not 'kunitame'"),
        ('game = "kunitame"\nrule = 1', "no key 'rule'; did you mean 'rules'?"),
        ('game = "kunitame"\nlife = 4', "Put 'life' under [rules]"),
        ('game = "kunitame"\nrules = 4', "rules must be a table"),
        ('game = "kunitame"\nname = 4', "name must be a text"),
        ('game = "kunitame"\n[rules]\nlif = 4', "my.toml: [rules] lif: no rule value"),
        ('game = "kunitame"\n[rules]\nlife = "4"', "my.toml: [rules] life: "),
        ('game = "kunitame"\n[rules.squares.blu]\ngem = 3', "did you mean 'blue'?"),
    ],
)
def test_mistakes_name_the_file_and_the_place(variant, text, expected):
    path = variant(text)
    with pytest.raises((UsageError, RuleError)) as caught:
        resolve_rules(GAME, path)
    assert expected in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_mistake_in_a_setting_is_not_blamed_on_the_file(variant):
    with pytest.raises(RuleError, match=r"^--set .* weks"):
        resolve_rules(GAME, variant(FILE), ["weks=3"])


def test_no_such_file(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        resolve_rules(GAME, tmp_path / "none.toml")


def test_a_setting_changes_a_table_that_the_file_gives_whole(variant):
    none = "removed_pledge=none"
    rows = (
        '{id = "a", pledge = "P1", when = "trick"}, '
        '{id = "b", pledge = "P1", when = "all"}'
    )
    path = variant(
        f'game = "kunitame"\n[rules]\nremoved_pledge = "none"\nsquares = [{rows}]'
    )
    resolved = resolve_rules(GAME, path, ["squares.b.gem=3"])
    assert [(s.id, s.gem) for s in resolved.rules.squares] == [("a", 1), ("b", 3)]
    resolved = resolve_rules(GAME, None, [none, f"squares=[{rows}]", "squares.b.gem=3"])
    assert [(s.id, s.gem) for s in resolved.rules.squares] == [("a", 1), ("b", 3)]
    resolved = resolve_rules(GAME, None, [none, "squares.b.gem=3", f"squares=[{rows}]"])
    assert [(s.id, s.gem) for s in resolved.rules.squares] == [("a", 1), ("b", 1)]
    again = [f"squares=[{rows}]", "squares.b.gem=3", f"squares=[{rows}]"]
    resolved = resolve_rules(GAME, None, [none, *again])
    assert [(s.id, s.gem) for s in resolved.rules.squares] == [("a", 1), ("b", 1)]


def test_a_setting_that_the_file_has_too_beats_nothing(variant):
    assert (
        resolve_rules(GAME, variant(FILE), ["life=4", "squares.blue.gem=3"]).notes == ()
    )


def test_settings_are_made_together():
    rules = resolve_rules(GAME, None, ["rounds=8", "hand=8", "hand=9"]).rules
    assert (rules.rounds, rules.hand) == (8, 9)


def test_a_run_with_a_variant(fairdeal, here):
    (here / "my.toml").write_text(FILE)
    told = fairdeal(
        "run", "kunitame", "-n", "50", "--variant", "my.toml", "--set", "life=5"
    ).stdout
    assert (
        "differs  Life gems of a player at the start: 5 gems instead of 3 (life)."
        in told
    )
    assert "--set life=5 overrides life = 4 of my.toml" in told

"""Chains of variant files: order, provenance, names, cycles, and their mistakes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.core.cells import UsageError
from experiments.variants import toml
from experiments.variants.variant_files import (
    game_of,
    inline_variant,
    load_variant,
    locate_variant,
)
from experiments.variants.variants import idle_values, resolve_rules, resolve_variant
from sim.games import load
from sim.parameters import RuleError

GAME = load("kunitame")

FILES = {
    "four.toml": """
        game = "kunitame"
        name = "four lives"
        [rules]
        life = 4
        weeks = 3
        [rules.squares.card-9-10]
        pledge = "P1"
        when = "trick"
        num = [9, 10]
        [rules.squares.card-11]
        remove = true
        """,
    "richer.toml": """
        game = "kunitame"
        about = "blue is worth more"
        base = "four"
        [rules]
        weeks = 5
        [rules.squares.blue]
        gem = 3
        [rules.squares.card-9-10]
        gem = 3
        """,
    "top.toml": """
        game = "kunitame"
        base = "richer.toml"
        [rules.squares.card-11]
        pledge = "P2"
        when = "trick"
        num = [11, 11]
        [rules.squares.card-12]
        remove = true
        """,
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files of a chain, in the working directory."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_chain_is_laid_from_the_lowest_up(files):
    resolved = resolve_rules(GAME, files / "top.toml")
    rows = {square.id: square for square in resolved.rules.squares}
    assert (resolved.rules.life, resolved.rules.weeks) == (4, 5)
    assert (rows["blue"].gem, rows["card-9-10"].gem) == (3, 3)
    assert rows["card-9-10"].num == (9, 10)
    assert "card-12" not in rows
    assert resolved.name == "top"
    assert [file.rpartition("/")[2] for file in resolved.chain] == [
        "four.toml",
        "richer.toml",
        "top.toml",
    ]


def test_a_row_that_was_taken_out_comes_back_as_a_new_one(files):
    rows = {s.id: s for s in resolve_rules(GAME, files / "top.toml").rules.squares}
    assert rows["card-11"].pledge == "P2"
    (files / "bad.toml").write_text(
        'game = "kunitame"\nbase = "four"\n[rules.squares.card-11]\ngem = 3'
    )
    with pytest.raises(RuleError, match=r"bad\.toml: .* no row 'card-11' .*lacks"):
        resolve_rules(GAME, files / "bad.toml")


def test_who_set_which_value(files):
    there = resolve_rules(GAME, "top.toml", ["life=6", "squares.red.gem=3", "hand=8"])
    assert there.provenance == {
        "weeks": "richer.toml",
        "squares.card-9-10": "four.toml",
        "squares.blue.gem": "richer.toml",
        "squares.card-9-10.gem": "richer.toml",
        "squares.card-11": "top.toml",
        "squares.card-12": "top.toml",
        "life": "--set life",
        "squares.red.gem": "--set squares.red.gem",
        "hand": "--set hand",
    }
    assert there.source("squares.card-9-10.gem") == "richer.toml"
    assert there.source("squares.card-9-10.num") == "four.toml"
    assert there.source("squares.card-12.gem") == "top.toml"
    assert there.source("squares.white.gem") == ""
    assert there.source("ranks") == ""
    assert there.notes == ("--set life=6 overrides life = 4 of four.toml",)


def test_a_whole_table_takes_the_place_of_every_row(files):
    (files / "whole.toml").write_text(
        'game = "kunitame"\nbase = "four"\n[rules]\nremoved_pledge = "none"\n'
        'squares = [{ id = "only", pledge = "P1", when = "trick" }]'
    )
    (files / "over.toml").write_text(
        'game = "kunitame"\nbase = "whole"\n[rules.squares.only]\ngem = 3'
    )
    resolved = resolve_rules(GAME, "over.toml")
    assert [(row.id, row.gem) for row in resolved.rules.squares] == [("only", 3)]
    assert resolved.source("squares.only.gem") == "over.toml"
    assert resolved.source("squares.only.when") == "whole.toml"
    assert "squares.card-9-10" not in resolved.provenance


@pytest.mark.parametrize(
    ("word", "file"),
    [
        ("four", "four.toml"),
        ("four.toml", "four.toml"),
        ("four lives", "four.toml"),
        ("./four", "four.toml"),
        ("base", None),
    ],
)
def test_what_a_word_means(files, word, file):
    found = locate_variant(word, files)
    assert found == (None if file is None else files / file)


def test_a_base_is_seen_from_the_file_that_names_it(files):
    (files / "sub").mkdir()
    (files / "sub" / "deep.toml").write_text('game = "kunitame"\nbase = "../four"')
    (files / "outer.toml").write_text('game = "kunitame"\nbase = "sub/deep"')
    resolved = resolve_rules(GAME, "outer.toml")
    assert resolved.chain == ("four.toml", "sub/deep.toml", "outer.toml")
    assert resolved.rules.life == 4


def test_a_name_of_two_files_is_refused(files):
    (files / "also.toml").write_text('game = "kunitame"\nname = "four lives"')
    with pytest.raises(UsageError, match=r"name of .*also\.toml and .*four\.toml"):
        locate_variant("four lives", files)


def test_other_files_beside_do_not_matter(files):
    (files / "broken.toml").write_text("= 1")
    (files / "latin.toml").write_bytes(b'name = "\xe9"')
    assert locate_variant("four lives", files) == files / "four.toml"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('base = "fuor"', "my.toml: base: variant: there is no file"),
        ('base = "fuor"', "did you mean 'four'? There are: base, "),
        ('base = "fuor.toml"', "(the base of my.toml); did you mean 'four.toml'?"),
        ('base = "my.toml"', "leads back to itself: my.toml -> my.toml."),
        ('base = "my"', "leads back to itself: my.toml -> my.toml."),
        ('base = "loop"', "itself: my.toml -> loop.toml -> my.toml."),
        ("base = 4", "my.toml: base must be a text, not 4."),
        ("about = 4", "my.toml: about must be a text, not 4."),
        ('bse = "four"', "no key 'bse'; did you mean 'base'?"),
        ('base = "other"', "other.toml: game is 'chess', not 'kunitame'."),
        ('base = "wrong"', "wrong.toml (a base of my.toml): [rules] life: "),
        ('base = "."', "cannot be read: Is a directory."),
    ],
)
def test_mistakes_name_the_file_and_the_place(files, text, expected):
    (files / "loop.toml").write_text('game = "kunitame"\nbase = "my.toml"')
    (files / "other.toml").write_text('game = "chess"')
    (files / "wrong.toml").write_text('game = "kunitame"\n[rules]\nlife = 99')
    (files / "my.toml").write_text(f'game = "kunitame"\n{text}')
    if text == 'base = "."':
        (files / "..toml").mkdir()
        text = 'base = "..toml"'
        (files / "my.toml").write_text(f'game = "kunitame"\n{text}')
    with pytest.raises((UsageError, RuleError)) as caught:
        resolve_rules(GAME, "my.toml")
    assert expected in str(caught.value)


def test_a_setting_that_does_not_fit_the_files_says_both(files):
    with pytest.raises(RuleError, match=r"^--set \(with four\.toml\) "):
        resolve_rules(GAME, "four.toml", ["rounds=9"])


def test_a_file_that_is_no_text(files):
    (files / "my.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match=r"my\.toml cannot be read: it is not UTF-8"):
        resolve_rules(GAME, "my.toml")


def test_a_variant_within_a_study(files):
    values = {"base": "four", "rules": {"weeks": 6}}
    variant = inline_variant(
        GAME, values, "longer", "study.toml: [variants.longer]", files
    )
    resolved = resolve_variant(GAME, variant)
    assert (resolved.name, resolved.rules.weeks, resolved.rules.life) == (
        "longer",
        6,
        4,
    )
    assert resolved.source("weeks") == "study.toml: [variants.longer]"
    with pytest.raises(
        UsageError, match=r"study\.toml: \[variants\.x\]: no key 'rule'"
    ):
        inline_variant(GAME, {"rule": {}}, "x", "study.toml: [variants.x]", files)


def test_values_that_change_nothing_are_named(files):
    (files / "my.toml").write_text(
        'game = "kunitame"\nbase = "four"\n'
        "[rules]\nlife = 4\nweeks = 4\n[rules.squares.blue]\ngem = 1\nsuit = 'red'"
    )
    assert idle_values(GAME, load_variant(GAME, files / "my.toml")) == [
        "life",
        "squares.blue.gem",
    ]


def test_the_game_of_a_file(files):
    assert game_of(files / "four.toml") == "kunitame"
    (files / "none.toml").write_text("")
    with pytest.raises(UsageError, match=r'none\.toml: the key "game" is missing'):
        game_of(files / "none.toml")


# --- Any chain does what its changes do one after the other ---------------------------

IDS = ["blue", "red", "one", "two"]
PATCH = st.one_of(
    st.fixed_dictionaries({"gem": st.sampled_from([1, 3])}),
    st.fixed_dictionaries(
        {
            "pledge": st.just("P1"),
            "when": st.sampled_from(["trick", "all"]),
            "gem": st.sampled_from([1, 3]),
        }
    ),
    st.just({"remove": True}),
)
LAYER = st.fixed_dictionaries(
    {},
    optional={
        "life": st.integers(1, 6),
        "squares": st.dictionaries(st.sampled_from(IDS), PATCH, max_size=3),
    },
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(layers=st.lists(LAYER, min_size=1, max_size=4))
def test_any_chain(tmp_path, layers):
    base = GAME.rules()
    rows = {row.id: {"gem": row.gem, "when": row.when} for row in base.squares}
    life, by, valid = 3, {}, True
    for number, layer in enumerate(layers):
        file = str(tmp_path / f"v{number}.toml")
        head = {"game": "kunitame"}
        if number:
            head["base"] = f"v{number - 1}"
        (tmp_path / f"v{number}.toml").write_text(
            "\n".join(toml.tables({**head, "rules": layer}))
        )
        if "life" in layer:
            life, by["life"] = layer["life"], file
        for name, patch in layer.get("squares", {}).items():
            there = name in rows
            if "remove" in patch:
                valid = valid and there
                rows.pop(name, None)
            elif there or "when" in patch:
                kept = {key: patch[key] for key in ("gem", "when") if key in patch}
                rows[name] = {**rows.get(name, {}), **kept}
            else:
                valid = False
            by[f"squares.{name}.gem"] = file
    if not valid:
        with pytest.raises(RuleError, match="no row"):
            resolve_rules(GAME, tmp_path / f"v{len(layers) - 1}.toml")
        return
    resolved = resolve_rules(GAME, tmp_path / f"v{len(layers) - 1}.toml")
    found = {r.id: {"gem": r.gem, "when": r.when} for r in resolved.rules.squares}
    assert found == rows
    assert resolved.rules.life == life
    assert {key: resolved.source(key) for key in by} == by

"""The commands about variants: what they print, write and refuse."""

import json
import re
import tomllib

import pytest

from experiments.variants.variants import resolve_rules
from sim.games import REGISTRY, load
from sim.parameters import TableRow

COMMANDS = ["validate", "diff", "show", "new"]
FOUR = 'game = "kunitame"\nname = "four lives"\n[rules]\nlife = 4\n'
RICHER = (
    'game = "kunitame"\nabout = "blue is worth more"\nbase = "four"\n'
    "[rules]\nweeks = 5\n[rules.squares.blue]\ngem = 3\n"
)


@pytest.fixture
def files(here):
    """Two variants, one based on the other."""
    (here / "four.toml").write_text(FOUR)
    (here / "richer.toml").write_text(RICHER)
    return here


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_of_the_command(fairdeal, command):
    result = fairdeal("variant", command, "--help")
    assert result.exit_code == 0
    assert f"Example:\n    fairdeal variant {command}" in result.stdout


def test_every_command_is_told(fairdeal):
    told = fairdeal("variant", "--help").stdout
    assert all(command in told for command in COMMANDS)


# --- validate -------------------------------------------------------------------------


def test_variants_that_hold(fairdeal, files):
    result = fairdeal("variant", "validate", "four.toml", "richer")
    assert result.exit_code == 0
    assert (
        "fine     four.toml: kunitame, 1 difference from its base rules, "
        "for 3, 4, 5 players" in result.stdout
    )
    assert "fine     richer: kunitame, 3 differences" in result.stdout
    assert "with 4 players 16 Life gems are needed" in result.stdout


def test_every_variant_is_checked_though_one_does_not_hold(fairdeal, files):
    (files / "bad.toml").write_text('game = "kunitame"\n[rules]\nlif = 4\n')
    (files / "odd.toml").write_text('game = "kunitme"\n')
    result = fairdeal(
        "variant", "validate", "bad.toml", "none", "odd.toml", "four.toml"
    )
    assert result.exit_code == 2
    assert "wrong    bad.toml: [rules] lif: no rule value" in result.stdout
    assert "wrong    variant: there is no file none" in result.stdout
    assert "wrong    odd.toml: no game 'kunitme'; did you mean" in result.stdout
    assert "fine     four.toml" in result.stdout


def test_a_variant_that_nobody_can_play(fairdeal, files):
    (files / "bad.toml").write_text('game = "kunitame"\n[rules]\nhand = 20\n')
    result = fairdeal("variant", "validate", "bad.toml")
    assert result.exit_code == 2
    assert "wrong    bad.toml: not with 3 players: " in result.stdout


def test_values_that_change_nothing_are_told(fairdeal, files):
    (files / "idle.toml").write_text('game = "kunitame"\nbase="four"\nrules.life = 4')
    told = fairdeal("variant", "validate", "idle").stdout
    assert "idle.toml: life changes nothing, its base has the same" in told


def test_validate_as_json(fairdeal, files):
    (files / "bad.toml").write_text("game = 3")
    result = fairdeal("variant", "validate", "richer.toml", "bad.toml", "--json")
    assert result.exit_code == 2
    good, bad = json.loads(result.stdout)["variants"]
    assert (good["valid"], good["game"], good["differences"]) == (True, "kunitame", 3)
    assert (good["chain"], good["players"]) == (
        ["four.toml", "richer.toml"],
        [3, 4, 5],
    )
    assert bad["valid"] is False
    assert "the key" in bad["error"]


# --- diff and show --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "title", "told"),
    [
        (("richer",), "From the base rules to richer (richer.toml):", 3),
        (("base", "richer"), "From the base rules to richer (richer.toml):", 3),
        (("four", "richer"), "four lives (four.toml) to richer (richer.toml):", 2),
        (("richer", "base"), "richer (richer.toml) to the base rules:", 3),
        (("four", "four lives"), "four lives (four.toml) to four lives", 0),
    ],
)
def test_diff(fairdeal, files, words, title, told):
    result = fairdeal("variant", "diff", *words)
    assert title in result.stdout
    assert result.stdout.count("\n- ") == told
    assert ("Nothing differs." in result.stdout) is not told
    found = json.loads(fairdeal("variant", "diff", *words, "--json").stdout)
    assert len(found["differences"]) == told


def test_diff_in_words_and_values(fairdeal, files):
    told = fairdeal("variant", "diff", "four", "richer").stdout
    assert "- Election weeks in a game: 5 weeks instead of 4 (weeks)." in told
    assert "- Square blue: gem 3 instead of 1 (squares)." in told
    found = json.loads(fairdeal("variant", "diff", "four", "richer", "--json").stdout)
    assert found["differences"][0] == {
        "key": "weeks",
        "before": 4,
        "after": 5,
        "sentence": "Election weeks in a game: 5 weeks instead of 4 (weeks).",
    }


def test_show_says_who_set_what(fairdeal, files):
    told = fairdeal("variant", "show", "richer", "--set", "hand=8").stdout
    assert "made of the base rules, then four.toml, then richer.toml" in told
    assert "blue is worth more" in told
    lines = told.splitlines()
    life = lines.index(
        "- Life gems of a player at the start: 4 gems instead of 3 (life)."
    )
    assert lines[life + 1] == "  set by four.toml"
    assert "  set by --set hand" in lines
    found = json.loads(fairdeal("variant", "show", "richer", "--json").stdout)
    assert {one["key"]: one["set_by"] for one in found["differences"]} == {
        "weeks": ["richer.toml"],
        "life": ["four.toml"],
        "squares.blue": ["richer.toml"],
    }
    assert found["rules"]["weeks"] == 5
    assert found["provenance"]["squares.blue.gem"] == "richer.toml"


def test_show_of_what_changes_nothing(fairdeal, files):
    (files / "same.toml").write_text('game = "kunitame"')
    assert "Nothing differs from the base" in fairdeal("variant", "show", "same").stdout


def test_a_variant_by_name_is_played(fairdeal, files):
    told = fairdeal("rules", "kunitame", "--variant", "four lives").stdout
    assert "differs  Life gems of a player at the start: 4 gems" in told


# --- new ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", REGISTRY)
def test_a_new_variant_is_valid_and_holds_every_rule(fairdeal, here, game):
    assert fairdeal("variant", "new", game, "my-own.toml").exit_code == 0
    text = (here / "my-own.toml").read_text()
    assert max(map(len, text.splitlines())) < 120
    read = tomllib.loads(text)
    assert (read["name"], read["rules"]) == ("my own", {})
    rules = load(game).rules()
    for parameter in rules.parameters():
        assert re.search(rf"^# (\[rules\.)?{parameter.key}\b", text, re.MULTILINE)
    lines = [
        line.removeprefix("# ")
        for line in text.splitlines()
        if re.match(r"# (\[rules|[a-z_0-9]+ = )", line) or not line.startswith("#")
    ]
    (here / "all.toml").write_text("\n".join(lines))
    given = tomllib.loads("\n".join(lines))["rules"]
    tables = [
        parameter.key
        for parameter in rules.parameters()
        if parameter.value
        and isinstance(getattr(rules, parameter.key), tuple)
        and isinstance(getattr(rules, parameter.key)[0], TableRow)
    ]
    expected = [
        parameter.key for parameter in rules.parameters() if parameter.value is not None
    ]
    assert sorted(given) == sorted(expected)
    assert all(len(given[key]) == 1 for key in tables)
    assert resolve_rules(load(game), here / "all.toml").rules == rules


def test_a_new_variant_with_all_that_was_asked_for(fairdeal, files):
    (files / "sub").mkdir()
    (files / "sub" / "kunitame.schema.json").write_text("{}")
    result = fairdeal(
        "variant",
        "new",
        "kunitame",
        "sub/mine.toml",
        "--base",
        "richer.toml",
        "--name",
        "mine",
        "--about",
        'so that "it" ends',
        "--set",
        "life=6",
        "--set",
        "squares.card-11.remove=true",
        "--set",
        "squares.red.gem=3",
    )
    assert result.exit_code == 0
    text = (files / "sub" / "mine.toml").read_text()
    assert text.startswith("#:schema ./kunitame.schema.json\n")
    read = tomllib.loads(text)
    assert read == {
        "game": "kunitame",
        "name": "mine",
        "about": 'so that "it" ends',
        "base": "../richer.toml",
        "rules": {
            "life": 6,
            "squares": {"card-11": {"remove": True}, "red": {"gem": 3}},
        },
    }
    assert "# life = " not in text
    assert "# weeks = 5" in text
    resolved = resolve_rules(load("kunitame"), "sub/mine.toml")
    assert (resolved.rules.life, resolved.rules.weeks) == (6, 5)


MISTAKES = {
    "new, there": (("new", "kunitame", "four.toml"), "four.toml already exists"),
    "new, no toml": (("new", "kunitame", "my.txt"), "must end in .toml"),
    "new, game": (("new", "kunitme", "my.toml"), "did you mean 'kunitame'?"),
    "new, base": (("new", "kunitame", "my.toml", "--base", "fuor"), "mean 'four'?"),
    "new, key": (("new", "kunitame", "my.toml", "--set", "lif=4"), "mean 'life'?"),
    "new, value": (("new", "kunitame", "my.toml", "--set", "life=99"), "1 to 12"),
    "new, setting": (("new", "kunitame", "my.toml", "--set", "life"), "key=value"),
    "new, folder": (
        ("new", "kunitame", "no/my.toml"),
        "there is no folder no. Make it first",
    ),
    "show, none": (("show", "fuor"), "did you mean 'four'? There are: base, "),
    "show, base": (("show", "base"), "`fairdeal rules GAME` prints them"),
    "show, setting": (("show", "four", "--set", "weks=3"), "did you mean 'weeks'?"),
    "show, no game": (("show", "none.toml"), 'the key "game" is missing'),
    "show, unknown game": (("show", "chess.toml"), "chess.toml: no game 'chess'"),
    "diff, base": (("diff", "base"), "name a variant besides base"),
    "diff, base, base": (("diff", "base", "base"), "name a variant besides base"),
    "diff, none": (("diff", "four", "five.toml"), "there is no file five.toml"),
    "validate, nothing": (("validate",), "Missing argument"),
    "command": (("shw",), "No such command"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(fairdeal, files, mistake):
    (files / "none.toml").write_text("")
    (files / "chess.toml").write_text('game = "chess"')
    before = sorted(path.name for path in files.iterdir())
    words, expected = MISTAKES[mistake]
    result = fairdeal("variant", *words)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert sorted(path.name for path in files.iterdir()) == before
    assert (files / "four.toml").read_text() == FOUR

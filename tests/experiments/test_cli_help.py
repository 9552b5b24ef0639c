"""The help: one meaning for each option, summaries of one line, commands in panels."""

import re
from collections import defaultdict

import pytest
from typer.main import get_command

from experiments.commands import help_panels
from experiments.commands.cli import app
from tests.experiments.test_conventions import commands

ROOT = get_command(app)
LEAVES = dict(commands(ROOT))


def test_each_option_has_one_help_text_in_all_commands():
    texts = defaultdict(set)
    for command in LEAVES.values():
        for option in command.params:
            if option.param_type_name == "option":
                for name in (*option.opts, *option.secondary_opts):
                    texts[name].add((option.help, option.metavar))
    assert {name: found for name, found in texts.items() if len(found) > 1} == {}


def test_arguments_of_one_name_have_one_help_text():
    texts = defaultdict(set)
    for command in LEAVES.values():
        for argument in command.params:
            if argument.param_type_name == "argument" and argument.metavar:
                texts[argument.metavar].add(argument.help)
    assert {name: found for name, found in texts.items() if len(found) > 1} == {}


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_what_games_counts_is_said_above_the_options(fairdeal, words):
    told = fairdeal(*words, "--help").stdout
    if "-n, --games" in told:
        assert "--games" in told.partition("Arguments:")[0]


@pytest.mark.parametrize("group", ["", "runs", "variant"])
def test_summaries_fit_on_a_line(fairdeal, group):
    told = fairdeal(*group.split(), "--help").stdout
    named = ROOT.commands[group].commands if group else ROOT.commands
    for name in named:
        [summary] = re.findall(rf"^  {name} +(\S.*)$", told, re.M)
        assert summary.endswith(".")
        assert "..." not in summary
    assert max(map(len, told.splitlines())) <= 80


def test_every_command_is_in_a_panel(fairdeal):
    assert {command.rich_help_panel for command in ROOT.commands.values()} == {
        *help_panels.COMMANDS[1:]
    }
    told = fairdeal("--help").stdout
    titles = re.findall(r"^(\S.*):$", told, re.M)
    assert titles == ["Options", *help_panels.COMMANDS[1:]]


def test_many_options_are_shown_in_panels_and_few_in_one(fairdeal):
    titles = re.findall(r"^(\S.*):$", fairdeal("run", "--help").stdout, re.M)
    assert titles == [*help_panels.OPTIONS]
    assert "Rules:" not in fairdeal("rules", "--help").stdout

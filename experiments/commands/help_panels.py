"""Help in panels: commands by what they are for, options by what they are about."""

import re
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand

PLAY, ASK, COMPARE = "Play games", "Ask about a game", "Compare"
LOOK, BUILD = "Look things up", "Build your own"
COMMANDS = ("Commands", PLAY, ASK, COMPARE, LOOK, BUILD)
"""Panels of commands, in the order of the help; the first has those of a group."""

PLAYERS, RULES, AMOUNT = "Who plays", "Rules", "How much"
MACHINE, OUTPUT = "Where it runs", "Output"
OPTIONS = ("Arguments", "Options", PLAYERS, RULES, AMOUNT, MACHINE, OUTPUT)
"""Panels of options, in the order of the help; the second has a command's own."""

_MOST_IN_ONE_LIST = 8  # options; panels of fewer are harder to read than one list


class PanelCommand(TyperCommand):
    """A command whose help shows its options in panels if it has many."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options by panel."""
        panels: dict[str, list[tuple[str, str]]] = {title: [] for title in OPTIONS}
        params = self.get_params(ctx)
        for param in params:
            record = param.get_help_record(ctx)
            title = getattr(param, "rich_help_panel", None)
            if len(params) <= _MOST_IN_ONE_LIST or not title:
                title = f"{param.param_type_name.title()}s"
            if record is not None:
                # typer puts defaults that are words, not values, in brackets
                text = re.sub(r"(default: )\((.*)\)", r"\1\2", record[1])
                panels[title].append((record[0], text))
        write_panels(formatter, panels)


def write_panels(formatter: Any, panels: dict[str, list[tuple[str, str]]]) -> None:
    """Write the rows of each panel that has any under its title."""
    for title, rows in panels.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def command(
    app: typer.Typer, panel: str | None, *examples: str, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a command in this panel of the help: a decorator.

    The examples work as they stand.
    """
    lines = "\n".join(f"  {line}" for line in examples)
    return app.command(
        name, cls=PanelCommand, epilog=f"\b\nExample:\n{lines}", rich_help_panel=panel
    )

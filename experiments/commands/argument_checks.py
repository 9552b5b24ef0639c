"""Refuse words of a command that cannot be meant.

These are two values for an option that takes one, a rule that is set twice, and an
empty value (``--lineup "$LINEUP"`` in a script that does not set it). Click would
silently take the last value, or the default.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

from typer.core import TyperGroup

from experiments.commands.help_panels import COMMANDS, write_panels

FORMER_COMMANDS = {"plan": "power"}
"""What commands were called that have another name now."""
PAIRS = "KEY=VALUE"
"""The metavar of options that may be repeated with other keys."""


class CheckedGroup(TyperGroup):
    """A group of commands that checks the words of each before they are parsed."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands by panel, each with a summary of one line."""
        panels: dict[str, list[tuple[str, Any]]] = {title: [] for title in COMMANDS}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            title = getattr(command, "rich_help_panel", None)
            panels[title or COMMANDS[0]].append((name, command))
        for title, rows in panels.items():
            room = formatter.width - 6 - max((len(name) for name, _ in rows), default=0)
            lines = [(name, command.get_short_help_str(room)) for name, command in rows]
            write_panels(formatter, {title: lines})

    def resolve_command(
        self, ctx: Any, args: list[str]
    ) -> tuple[str | None, Any, list[str]]:
        """Return the command; raises ``UsageError`` if its words cannot be meant."""
        former = args[0] if args else ""
        if former in FORMER_COMMANDS and self.get_command(ctx, former) is None:
            from experiments.core.cells import UsageError  # slow to import

            now = FORMER_COMMANDS[former]
            raise UsageError(f"no command {former!r}; it is called {now!r} now.")
        name, command, words = super().resolve_command(ctx, args)
        leaf = command is not None and not hasattr(command, "commands")
        if leaf and not ctx.resilient_parsing:
            for wrong in _mistakes(command, name, words, ctx):
                from experiments.core.cells import UsageError  # slow to import

                raise UsageError(wrong)
        return name, command, words


def _mistakes(
    command: Any, name: str | None, words: Sequence[str], parent: Any
) -> Iterator[str]:
    """Yield what is wrong with the words of a command, in sentences."""
    reader = copy(command)
    reader.params = [_each(parameter) for parameter in command.params]
    how = command.context_settings
    ctx = command.context_class(reader, info_name=name, parent=parent, **how)
    values, _, order = reader.make_parser(ctx).parse_args(args=list(words))
    for parameter in command.params:
        given = values.get(parameter.name)
        texts = given if isinstance(given, list | tuple) else [given]
        if any(isinstance(text, str) and not text.strip() for text in texts):
            yield f"{_name(parameter)}: empty. {_instead(parameter)}"
        times = sum(other.name == parameter.name for other in order)
        if times > 1 and getattr(parameter, "secondary_opts", None):
            yield f"{_name(parameter)}: given twice. Give it once."
        elif parameter.param_type_name == "option" and not parameter.is_flag:
            yield from _twice(parameter, texts)


def _each(parameter: Any) -> Any:
    """Return a copy of a parameter that keeps every value it is given."""
    kept = copy(parameter)
    if parameter.param_type_name == "option" and not parameter.is_flag:
        kept.multiple = True
    return kept


def _twice(option: Any, texts: Sequence[Any]) -> Iterator[str]:
    """Yield a sentence for each two values of which only one can count."""
    seen: dict[str, str] = {}
    for text in map(str, texts):
        key = text.partition("=")[0].strip() if option.multiple else ""
        if option.multiple and option.metavar != PAIRS:
            return
        if key in seen:
            both = " and ".join(
                f"{_name(option)} {value}" for value in (seen[key], text)
            )
            yield f"{both}: only one of them can count. Give one."
        seen[key] = text


def _name(parameter: Any) -> str:
    """Return the name by which users know a parameter."""
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name.upper())


def _instead(parameter: Any) -> str:
    return (
        "It needs a value." if parameter.required else "Leave it out for the default."
    )

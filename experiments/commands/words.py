"""Groups of commands that refuse words which cannot be meant.

An option that takes one value and is given two, a rule that is set twice, and a value
that is empty (as ``--lineup "$LINEUP"`` of a script in which nothing set it): each
would be the last of two, or the default, without a word.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

from typer.core import TyperGroup

PAIRS = "KEY=VALUE"
"""The metavar of an option that may be repeated, for another key."""


class CheckedGroup(TyperGroup):
    """Looks at the words of a command before they are read."""

    def resolve_command(
        self, ctx: Any, args: list[str]
    ) -> tuple[str | None, Any, list[str]]:
        """The command, once nothing is wrong with its words."""
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
    """What is wrong with the words of a command, in sentences."""
    reader = copy(command)
    reader.params = [_each(one) for one in command.params]
    how = command.context_settings
    ctx = command.context_class(reader, info_name=name, parent=parent, **how)
    values, _, order = reader.make_parser(ctx).parse_args(args=list(words))
    for one in command.params:
        given = values.get(one.name)
        texts = given if isinstance(given, list | tuple) else [given]
        if any(isinstance(text, str) and not text.strip() for text in texts):
            yield f"{_name(one)}: empty. {_instead(one)}"
        times = sum(other.name == one.name for other in order)
        if times > 1 and getattr(one, "secondary_opts", None):
            yield f"{_name(one)}: given twice. Say it once."
        elif one.param_type_name == "option" and not one.is_flag:
            yield from _twice(one, texts)


def _each(one: Any) -> Any:
    """A parameter that keeps each value that it is given."""
    kept = copy(one)
    if one.param_type_name == "option" and not one.is_flag:
        kept.multiple = True
    return kept


def _twice(option: Any, texts: Sequence[Any]) -> Iterator[str]:
    """Values of which only one can count."""
    seen: dict[str, str] = {}
    for text in map(str, texts):
        key = text.partition("=")[0].strip() if option.multiple else ""
        if option.multiple and option.metavar != PAIRS:
            return
        if key in seen:
            both = " and ".join(f"{_name(option)} {one}" for one in (seen[key], text))
            yield f"{both}: only one of them can count. Give one."
        seen[key] = text


def _name(one: Any) -> str:
    """What a user calls a parameter."""
    if one.param_type_name == "option":
        return str(max(one.opts, key=len))
    return str(one.metavar or one.name.upper())


def _instead(one: Any) -> str:
    return "It needs a value." if one.required else "Leave it out for the default."

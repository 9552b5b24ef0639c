"""Which line of an author's file did it: found by playing again, line by line."""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from sim.errors import place_text

_CHANCE = ("random", "secrets", "uuid", "time", "datetime", "numpy.random")
"""Modules whose draws differ from run to run."""


def line_after_which(
    play: Callable[[], None], files: list[str], wrong: Callable[[], bool]
) -> str:
    """Play, and name the line after which ``wrong()`` became true and stayed so.

    files: those whose lines are looked at. "" if it was not true in the end.

    >>> line_after_which(lambda: None, [], lambda: True)
    ''
    """
    last = ("", 0)  # the line that ran last
    since: tuple[str, int] | None = None

    def look() -> None:
        nonlocal since
        try:
            now = bool(wrong())
        except Exception:  # half-way through a line nothing need be as it should
            now = False
        since = (since or last) if now else None

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal last
        if frame.f_code.co_filename not in files:
            return None
        if event in ("line", "return"):
            look()
            now: FrameType | None = frame if event == "line" else frame.f_back
            if now is not None and now.f_code.co_filename in files:
                last = now.f_code.co_filename, now.f_lineno
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        play()
    finally:
        sys.settrace(before)
    look()
    return place_text(*since) if since is not None and since[1] else ""


def declaration(files: list[str], name: str) -> str:
    """The line of a class on which a name is declared; "" if there is none."""
    for file in files:
        for node in ast.walk(ast.parse(Path(file).read_bytes())):
            if isinstance(node, ast.Assign) and any(
                isinstance(one, ast.Name) and one.id == name
                for target in node.targets
                for one in ast.walk(target)
            ):
                return place_text(file, node.lineno)
    return ""


def own_chance(file: str) -> Iterator[str]:
    """Yield each line of a file that draws from a chance which is not the game's."""
    tree = ast.parse(Path(file).read_bytes())
    modules: dict[str, str] = {}  # what names stand for
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                name = one.asname or one.name.partition(".")[0]
                modules[name] = one.name if one.asname else name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                modules[one.asname or one.name] = f"{node.module}.{one.name}"
    for line in sorted({*_drawing_lines(tree, modules)}):
        yield place_text(file, line)


def _drawing_lines(tree: ast.AST, modules: dict[str, str]) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _full_name(node.func, modules)
            if any(name == one or name.startswith(f"{one}.") for one in _CHANCE):
                yield node.lineno


def _full_name(node: ast.AST, modules: dict[str, str]) -> str:
    """The dotted name of what is called, with what its first word stands for."""
    if isinstance(node, ast.Attribute):
        return f"{_full_name(node.value, modules)}.{node.attr}"
    if isinstance(node, ast.Name):
        return modules.get(node.id, "")
    return ""

"""Specs: how strategies are written, in lists and composed of others.

    noisy(S, 0.1)              without(S, KIND)    without(S, KIND, OPTION)
    only(S, KIND+KIND)         only(S, KIND, T)

S and T are strategies in turn, so these nest. Brackets group: commas and colons within
them split neither a lineup nor settings, and a pair of brackets alone holds a strategy
and its settings together, as in ``search:inner=(planner:margin=1)+greedy``.
"""

import re
from collections.abc import Callable

TAKES = {"noisy": (0,), "without": (0,), "only": (0, 2)}
"""By name in ``strategies.restricted_play``: which arguments are strategies."""
SETTINGS = "inner", "others", "plans"
"""Settings of search that name strategies, several with a plus between them."""
_CALL = re.compile(r"\s*([a-z-]*)\s*\((.*)\)\s*", re.DOTALL)
_MOST_ARGUMENTS = 3  # arguments; the last, an option, may have a comma in its id


def split(text: str, sign: str, most: int = 0) -> list[str]:
    """Split a text at a sign outside of brackets, into at most ``most`` parts.

    >>> split("greedy,noisy(allround, 0.1)", ",")
    ['greedy', 'noisy(allround, 0.1)']
    """
    parts, depth = [""], 0
    for letter in text:
        depth = max(depth + (letter == "(") - (letter == ")"), 0)
        if letter == sign and not depth and len(parts) != most:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def grouped(spec: str) -> str:
    """The spec as a value of a setting: in brackets if it has settings of its own.

    >>> grouped("learned"), grouped("planner:margin=1")
    ('learned', '(planner:margin=1)')
    """
    return f"({spec})" if set(spec) & set(":+,") else spec


def split_lineup(lineup: str) -> list[str]:
    """The specs in a comma-separated lineup."""
    return [part.strip() for part in split(lineup, ",")]


def call(spec: str) -> tuple[str, list[str]] | None:
    """Name and arguments of a spec such as ``noisy(S, 0.1)``; None for other specs.

    A pair of brackets alone has the name "" and one argument.
    """
    match = _CALL.fullmatch(spec)
    if match is None or not _whole(match[2]):
        return None
    if not match[1]:
        return "", [match[2].strip()]
    return match[1], [part.strip() for part in split(match[2], ",", _MOST_ARGUMENTS)]


def _whole(inside: str) -> bool:
    """Whether every bracket closes one that is open."""
    depth = 0
    for letter in inside:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0


def map_strategies(spec: str, change: Callable[[str], str]) -> str:
    """A spec with every strategy in it that is not composed of others changed.

    >>> map_strategies("noisy(only(a, play, b), 0.1)", str.upper)
    'noisy(only(A, play, B), 0.1)'
    """
    parts = call(spec)
    if parts is None:
        return change(spec)
    name, arguments = parts
    strategies = TAKES.get(name, ()) if name else (0,)
    changed = [
        map_strategies(argument, change) if place in strategies else argument
        for place, argument in enumerate(arguments)
    ]
    return f"{name}({', '.join(changed)})"

"""Strategies as text: a TOML file with a list of preferences, without any code.

    otherwise = "random"

    [[prefer]]
    kind = "play"
    when = "winning and hand has P"
    among = "winning"
    option = ["P", "*13"]
    take = "last"

Whoever decides reads the lines from the top and follows the first that fits: its
``kind`` is that of the decision, ``when`` holds (``strategies.text_conditions``), and
one of its options is legal. ``option`` has ids, the most wanted first; * and ? in them
stand for any letters and any letter. ``among`` is a field of the view: only options in
this set are meant. Of several that an id is like, ``take`` says which: the first of the
options as they are listed (the default), the last, or a random one. Where several
things are chosen at once every line that fits adds its own, ``number`` of each token
(1). ``otherwise`` is a strategy that decides what no line does.
"""

import tomllib
from collections.abc import Container, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal, get_args

from sim.parameters import no_such
from strategies import text_conditions
from strategies.text_conditions import Condition, ConditionError

SUFFIX = ".toml"
"""What the names of these files end in."""
Take = Literal["first", "last", "random"]
_MOST_BYTES = 1 << 20
_MOST_LINES = 1_000
_TOP = ("about", "otherwise", "prefer")


class TextError(ValueError):
    """A text is no strategy; says which line is wrong, and what is allowed."""

    def __init__(self, message: str) -> None:
        super().__init__(message.removesuffix("."))


@dataclass(frozen=True)
class Preference:
    """A line: what is preferred in a kind of decision, and when."""

    kind: str
    when: Condition | None = None
    option: tuple[str, ...] = ()
    among: str = ""
    take: Take = "first"
    number: int = 1

    @property
    def is_certain(self) -> bool:
        """Whether it takes some option whenever its kind is decided."""
        anything = not self.option or "*" in self.option
        return self.when is None and anything and self.among in ("", "legal")

    def __str__(self) -> str:
        """The line in short."""
        what = " > ".join(self.option) or "any"
        within = f" among {self.among}" * bool(self.among)
        when = f" when {self.when.text}" if self.when else ""
        return f"{self.kind}: {what}{within}{when}"


@dataclass(frozen=True)
class TextFile:
    """What a text says: its lines, and who decides what no line does."""

    prefer: tuple[Preference, ...]
    otherwise: str = "random"
    about: str = ""

    def unreachable(self, added: Container[str] = ()) -> dict[int, int]:
        """Numbers of lines that can never apply, each with the line that sees to it.

        added: kinds of decisions in which a line leaves room for the lines after it.
        """
        found, certain = {}, dict[str, int]()
        for number, line in enumerate(self.prefer, 1):
            if line.kind in certain:
                found[number] = certain[line.kind]
            elif line.is_certain and line.kind not in added:
                certain[line.kind] = number
        return found


@lru_cache(maxsize=32)
def from_bytes(data: bytes) -> TextFile:
    """The strategy in the text of a file; raises ``TextError``.

    >>> from_bytes(b'prefer = [{kind = "play", option = "B*"}]').prefer[0].option
    ('B*',)
    """
    if len(data) > _MOST_BYTES:
        raise TextError("it is too large for a list of preferences")
    try:
        text = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise TextError("it is no text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise TextError(f"it is no TOML: {error}") from error
    except RecursionError:
        raise TextError("it is no TOML that can be read") from None
    _known(text, _TOP, "")
    for name in ("about", "otherwise"):
        if not isinstance(text.get(name, ""), str):
            raise TextError(f"{name} is text, not {text[name]!r}")
    lines = text.get("prefer", [])
    tables = isinstance(lines, list) and all(isinstance(one, dict) for one in lines)
    if not tables or not lines:
        raise TextError("it has no [[prefer]], so it prefers nothing")
    if len(lines) > _MOST_LINES:
        raise TextError(f"it has {len(lines)} lines; at most {_MOST_LINES}")
    prefer = tuple(_line(one, f"preference {at}") for at, one in enumerate(lines, 1))
    return TextFile(prefer, text.get("otherwise", "random"), text.get("about", ""))


def _known(values: dict[str, Any], known: Sequence[str], place: str) -> None:
    for key in values:
        if key not in known:
            raise TextError(f"{place}{no_such('key', key, known)}")


def _line(values: dict[str, Any], place: str) -> Preference:
    """A line of the list; raises ``TextError``."""
    _known(values, [one.name for one in fields(Preference)], f"{place}: ")
    given = dict(values)
    for name in ("kind", "when", "among", "take"):
        if not isinstance(given.get(name, ""), str):
            raise TextError(f"{place}: {name} is text, not {given[name]!r}")
    if not given.get("kind"):
        raise TextError(f'{place}: it needs a kind of decision, as in kind = "play"')
    given["option"] = _options(given.get("option", ()), place)
    if not given["option"] and not given.get("among"):
        raise TextError(
            f'{place}: it prefers nothing. Write option = "ID", or among = "FIELD"'
        )
    if "when" in given:
        given["when"] = _condition(given["when"], place)
    number = given.get("number", 1)
    if type(number) is not int or not 1 <= number <= 64:
        raise TextError(f"{place}: number is 1 to 64, not {number!r}")
    if (take := given.get("take", "first")) not in get_args(Take):
        raise TextError(f"{place}: {no_such('take', take, get_args(Take))}")
    return Preference(**given)


def _condition(text: str, place: str) -> Condition:
    try:
        return text_conditions.parse(text)
    except ConditionError as error:
        raise TextError(f"{place}: when: {error}") from None


def _options(value: Any, place: str) -> tuple[str, ...]:
    many = [value] if isinstance(value, str) else value
    if not isinstance(many, list | tuple) or not all(
        isinstance(one, str) and one for one in many
    ):
        raise TextError(
            f"{place}: option is an id or a list of ids, not {value!r}. "
            'For example option = "P", or option = ["P", "R*"]'
        )
    return tuple(many)

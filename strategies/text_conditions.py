"""Conditions on what a player sees, as text: ``hand has P and points.1 < points.most``.

    CONDITION   TEST, "not CONDITION", "CONDITION and CONDITION", "CONDITION or
                CONDITION", "(CONDITION)"; "and" binds more closely than "or"
    TEST        AMOUNT < AMOUNT (also <= > >= = !=), FIELD has ID, FIELD lacks ID,
                FIELD has 3 ID (at least so many), or a FIELD alone: there is something
                in it, or it is not 0
    AMOUNT      whole numbers and fields, joined by + and -; of a set its size
    FIELD       a field of the view; FIELD.2 is its second part, of fields by seat that
                of the next player (FIELD.1 is one's own); FIELD.most, FIELD.least and
                FIELD.sum are those of all its parts, FIELD.2.1 is a part of a part.
                Of a set, FIELD.2 is the second in it
    ID          an id, in quotes if it has spaces or brackets; * and ? stand for any
                letters and any letter

A text is parsed into functions of what is read; nothing in it is executed.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache, partial, reduce
from typing import Any

from sim.parameters import nearest, one_of

Read = Callable[[str], Any]
"""Reads a field by its name: a number, a tuple of the ids in a set, or a list of
either, by seat or kind."""
_Value = Callable[[Read], Any]
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_OF_ALL: Mapping[str, Callable[[Iterable[int]], int]] = {
    "most": max,
    "least": min,
    "sum": sum,
}
_WORDS = ("and", "or", "not", "has", "lacks")
_TOKEN = re.compile(r"\s*(<=|>=|!=|[<>=()+-]|\d+|[^\W\d]\w*(?:\.\w+)*)")
_MOST = 1_000  # characters
_ID = re.compile(r"\s*(?:'([^']+)'|\"([^\"]+)\"|([^\s()]+))")


class ConditionError(ValueError):
    """A condition cannot be read, or does not fit what is seen."""


@dataclass(frozen=True)
class Condition:
    """A condition: its text, whether it holds, and what it names.

    fields: the names of fields. ids: pairs of a field and an id looked for in it.
    """

    text: str
    holds: Callable[[Read], bool]
    fields: tuple[str, ...]
    ids: tuple[tuple[str, str], ...]


def parse(text: str) -> Condition:
    """The condition in a text; raises ``ConditionError``.

    >>> seen = {"hand": ("R3", "P"), "points": [4, 7]}
    >>> parse("hand has P and points.1 < points.most").holds(seen.__getitem__)
    True
    >>> parse("not hand has R*").holds(seen.__getitem__)
    False
    >>> parse("hand has 2 *").holds(seen.__getitem__)
    True
    """
    if len(text) > _MOST:
        raise ConditionError(f"it has {len(text):,} characters; at most {_MOST:,}")
    parser = _Parser(text)
    try:
        holds = parser.either()
    except RecursionError:
        raise ConditionError("it has too many brackets") from None
    parser.end()
    return Condition(text, holds, (*parser.fields,), (*parser.ids,))


def is_like(one: Any, pattern: str) -> bool:
    """Whether an id is this one, or is like a pattern with * and ?."""
    name = ",".join(map(str, one)) if isinstance(one, tuple) else str(one)
    return name == pattern or _matches(name, pattern)


_matches = lru_cache(maxsize=1 << 14)(fnmatchcase)  # ids and patterns are few


@dataclass
class _Parser:
    """Recursive descent through a condition."""

    text: str
    at: int = 0
    fields: dict[str, None] = field(default_factory=dict)
    ids: dict[tuple[str, str], None] = field(default_factory=dict)

    def either(self) -> Callable[[Read], bool]:
        parts = [self._both()]
        while self._next("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else lambda r: any(p(r) for p in parts)

    def _both(self) -> Callable[[Read], bool]:
        parts = [self._not()]
        while self._next("and"):
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else lambda r: all(p(r) for p in parts)

    def _not(self) -> Callable[[Read], bool]:
        if self._next("not"):
            part = self._not()
            return lambda read: not part(read)
        if self._next("("):
            inside = self.either()
            if not self._next(")"):
                raise self._error("a bracket is not closed")
            return inside
        return self._test()

    def _test(self) -> Callable[[Read], bool]:
        first, begin = self.at, self._peek()
        left = self._amount()
        name = begin.partition(".")[0]
        alone = self.text[first : self.at].strip() == begin and name in self.fields
        for sign, compared in _COMPARED.items():
            if self._next(sign):
                right = self._amount()
                return lambda read: compared(size(left(read)), size(right(read)))
        for word, wanted in (("has", True), ("lacks", False)):
            if self._next(word):
                if not alone:
                    raise self._error(f"before {word} is a field")
                least = self._count()
                one = self._id(name)
                if not least:
                    raise ConditionError(
                        f"{self.text!r}: {begin} {word} 0 {one} says nothing. Write "
                        f"{begin} lacks {one}, or the least number: {begin} has 2 {one}"
                    )
                return lambda read: (
                    wanted == (_count_like(left(read), one, begin) >= least)
                )
        return lambda read: bool(size(left(read)))

    def _amount(self) -> _Value:
        value = self._term()
        while (sign := self._peek()) in ("+", "-"):
            self._next(sign)
            value = _joined(value, self._term(), 1 if sign == "+" else -1)
        return value

    def _term(self) -> _Value:
        word = self._peek()
        if word.isdecimal():
            self._next(word)
            number = int(word)
            return lambda read: number
        if not word or not (word[0].isalpha() or word[0] == "_") or word in _WORDS:
            raise self._error()
        self._next(word)
        name, *parts = word.split(".")
        self.fields[name] = None
        for part in parts:
            if part not in _OF_ALL and not (part.isdecimal() and int(part)):
                raise ConditionError(
                    f"{self.text!r}: {word} has no part {part!r}"
                    f"{nearest(part, _OF_ALL)} Allowed: {one_of(_OF_ALL)}, or a number "
                    "from 1 (of seats, oneself)."
                )
        return lambda read: reduce(partial(_part, name), parts, read(name))

    def _count(self) -> int:
        """How many ids are looked for: the number before an id, else 1."""
        found = re.compile(r"\s*(\d+)\s+(?!(and|or)\b)[^\s)]").match(self.text, self.at)
        if found is None:
            return 1
        self.at = found.end(1)
        return int(found[1])

    def _id(self, name: str) -> str:
        found = _ID.match(self.text, self.at)
        if found is None:
            raise self._error("an id is missing")
        self.at = found.end()
        one = next(filter(None, found.groups()))
        self.ids[name, one] = None
        return one

    def _peek(self) -> str:
        found = _TOKEN.match(self.text, self.at)
        return found[1] if found else ""

    def _next(self, word: str) -> bool:
        """Whether this comes next, which is then read."""
        found = _TOKEN.match(self.text, self.at)
        if found is None or found[1] != word:
            return False
        self.at = found.end()
        return True

    def end(self) -> None:
        if self.text[self.at :].strip():
            raise self._error()

    def _error(self, why: str = "") -> ConditionError:
        rest = self.text[self.at :].split()
        here = f"{rest[0]!r} is not expected here" if rest else "it ends too early"
        return ConditionError(f"{self.text!r}: {why or here}. {_SHAPE}")


_SHAPE = (
    "A condition is such as: turn > 0 and (hand has P or points.1 < points.most). "
    "Words: and, or, not, has, lacks; signs: < <= > >= = != + -."
)


def _joined(left: _Value, right: _Value, sign: int) -> _Value:
    return lambda read: size(left(read)) + sign * size(right(read))


def _part(name: str, value: Any, part: str) -> Any:
    """A part of what is read, or what is said of all parts."""
    if not isinstance(value, list | tuple):
        raise ConditionError(f"{name} has no parts, so {name}.{part} is nothing")
    if part in _OF_ALL:
        return _OF_ALL[part]([size(one) for one in value] or [0])
    if isinstance(value, tuple) and int(part) > len(value):
        return None
    if int(part) > len(value):
        raise ConditionError(f"{name} has {len(value)} parts, not {part}")
    return value[int(part) - 1]


def size(value: Any) -> Any:
    """A number as it is, and of a set how many are in it; raises ``ConditionError``."""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, list):
        raise ConditionError(
            f"a field has {len(value)} parts here: name one, as in points.1 (of seats, "
            f"oneself), or {one_of('.' + word for word in _OF_ALL)}"
        )
    return len(value) if isinstance(value, tuple) else int(value is not None)


def _count_like(value: Any, pattern: str, name: str) -> int:
    """How many ids in a set are like this, or in the set of several that has most."""
    if isinstance(value, bool | int | float):
        raise ConditionError(f"{name} is no set, so it has no {pattern!r}")
    if isinstance(value, list):
        return max((_count_like(one, pattern, name) for one in value), default=0)
    members = value if isinstance(value, tuple) else (value,) * (value is not None)
    return sum(is_like(one, pattern) for one in members)

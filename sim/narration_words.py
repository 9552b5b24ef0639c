"""Numbers, lists and names as a narration has them."""

from collections.abc import Mapping, Sequence
from typing import Any

_MINUS = "\N{MINUS SIGN}"


def leader(values: Sequence[float | None], least: bool) -> int | None:
    """The seat that is ahead of all others, if one is."""
    known = [v for v in values if v is not None]
    if not known:
        return None
    best = min(known) if least else max(known)
    return values.index(best) if known.count(best) == 1 else None


def join_words(words: Sequence[str]) -> str:
    """Words in a row, the last behind an "and"."""
    if len(words) < 2:
        return "".join(words) or "nobody"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def number(value: Any) -> str:
    """A number as people write it."""
    if isinstance(value, float):
        return f"{value:g}"
    return str(value).replace("-", _MINUS) if isinstance(value, int) else str(value)


def title_case(name: str, words: Mapping[str, str]) -> str:
    """A card as it is called: each word with a capital, or as ``words`` has it."""
    return " ".join(words.get(word, word.capitalize()) for word in name.split("-"))


def with_sign(value: float) -> str:
    """A number with its sign."""
    return f"{value:+g}".replace("-", _MINUS)


def plain(value: Any) -> str:
    """A value in words."""
    if isinstance(value, list):
        return " ".join(plain(one) for one in value) or "nothing"
    return "nothing" if value is None else number(value)

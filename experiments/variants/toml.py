"""TOML: reading a file with errors that name it, and writing values and tables."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution.paths import content
from reports.texts import plain

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_DEEP = 64  # tables within tables; a file of ours has five
_NAME = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DOTTED = re.compile(rf"(?<![\w-])(?:{_NAME}\s*+\.\s*+){{{_DEEP}}}")
_LARGEST = 1 << 64  # TOML has whole numbers of 64 bits; seeds are without a sign
_LONG = 4_000_000  # bytes of a file
_LETTERS = 2_000  # of a text or a name
_BREAKS = re.compile("\r\n|[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


class _Refused(ValueError):
    """TOML that no rules or study can need."""


def read(path: Path, what: str) -> dict[str, Any]:
    """The values of a file; ``what`` it is stands in the ``UsageError`` if it fails."""
    try:
        given = content(path, _LONG + 1)
        if len(given) > _LONG:
            raise _Refused(f"the file is longer than {_LONG:,} bytes")
        return _loaded(given.decode("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"{what}: there is no file {path}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{what}: {path} cannot be read: it is not UTF-8.") from None
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"{what}: {path} cannot be read: {reason}.") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not TOML: {error}.") from None
    except _Refused as error:
        raise UsageError(f"{path}: {error}.") from None
    except ValueError as error:  # a path that cannot be
        raise UsageError(f"{what}: {str(path)!r} cannot be read: {error}.") from None


def parsed(given: str) -> Any:
    """The value that a text is in TOML, or else the text itself."""
    try:
        values = _loaded(f"value = {given}")
        return values["value"] if len(values) == 1 else text(given)
    except tomllib.TOMLDecodeError:
        return text(given)
    except _Refused as error:
        raise UsageError(f"{given[:40]}...: {error}.") from None


def _loaded(given: str) -> dict[str, Any]:
    """The values of a text of TOML; raises ``TOMLDecodeError`` or ``_Refused``."""
    if _DOTTED.search(given):
        raise _Refused(f"a key has more than {_DEEP} parts")
    try:
        values = tomllib.loads(given)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise _Refused(f"nested more than {_DEEP} deep") from None
    except ValueError:  # Python's own limit
        raise _Refused("a number is too large; 64 bits are the most") from None
    cleaned: dict[str, Any] = _cleaned(values, _DEEP)
    return cleaned


def _cleaned(given: Any, depth: int) -> Any:
    """The same with texts of one line, which steer no terminal.

    Refuses what is nested too deeply, numbers that TOML does not have, and texts of
    which nobody reads the end.
    """
    if isinstance(given, str):
        return text(given)
    if isinstance(given, int) and abs(given) >= _LARGEST:
        raise _Refused("a number is too large; 64 bits are the most")
    if not isinstance(given, Mapping | list):
        return given
    if not depth:
        raise _Refused(f"nested more than {_DEEP} deep")
    if isinstance(given, list):
        return [_cleaned(one, depth - 1) for one in given]
    made = {text(name): _cleaned(one, depth - 1) for name, one in given.items()}
    if len(made) < len(given):
        raise _Refused("two keys differ in control characters alone")
    return made


def text(given: str) -> str:
    r"""A text of one line: ends of lines and tabs are blanks, control characters signs.

    >>> text("four\nlives")
    'four lives'
    """
    if len(given) > _LETTERS:
        raise _Refused(f"a text has {len(given):,} letters; at most {_LETTERS:,}")
    return plain(_BREAKS.sub(" ", given))


def value(given: Any) -> str:
    """A text, number, truth value, list or table, written on one line."""
    if isinstance(given, Mapping):
        inside = ", ".join(f"{key(k)} = {value(v)}" for k, v in given.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(given, list | tuple):
        return f"[{', '.join(map(value, given))}]"
    if isinstance(given, str):
        return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, float):  # 1e+20 and 1.0, inf and nan are written alike
        return repr(given)
    if isinstance(given, int):
        return str(given)
    raise TypeError(f"TOML has no {type(given).__name__}")


def key(*names: str) -> str:
    """A key, dotted where there are several names."""
    return ".".join(name if _BARE.fullmatch(name) else value(name) for name in names)


def tables(values: Mapping[str, Any], *above: str) -> list[str]:
    """Lines of nested tables: the plain values first, a table each below."""
    lines = [f"{key(k)} = {value(v)}" for k, v in values.items() if not _is_table(v)]
    for name, inner in values.items():
        if _is_table(inner):
            place = (*above, name)
            only_tables = inner and all(map(_is_table, inner.values()))
            head = [] if only_tables else ["", f"[{key(*place)}]"]
            lines += [*head, *tables(inner, *place)]
    return lines


def _is_table(given: Any) -> bool:
    return isinstance(given, Mapping)

"""TOML: read a file, with errors that name it, and write values and tables."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution.user_paths import read_bytes
from reports.safe_text import plain

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_MAX_DEPTH = 64  # of tables within tables; fairdeal's files have five
_NAME = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DOTTED = re.compile(rf"(?<![\w-])(?:{_NAME}\s*+\.\s*+){{{_MAX_DEPTH}}}")
_LARGEST = 1 << 64  # TOML has integers of 64 bits; seeds are unsigned
_MAX_BYTES = 4_000_000  # of a file
_MAX_LETTERS = 2_000  # of a text or a name
_BREAKS = re.compile("\r\n|[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


class _Refused(ValueError):
    """TOML that no rules or study can need; the reading stops early."""


def read(path: Path, what: str) -> dict[str, Any]:
    """Return the values of a file; a ``UsageError`` says ``what`` it should be."""
    try:
        given = read_bytes(path, _MAX_BYTES + 1)
        if len(given) > _MAX_BYTES:
            raise _Refused(f"the file is longer than {_MAX_BYTES:,} bytes")
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
    except ValueError as error:  # an impossible path
        raise UsageError(f"{what}: {str(path)!r} cannot be read: {error}.") from None


def parse_value(source: str) -> Any:
    """Return the value of a text in TOML, or otherwise the text itself."""
    try:
        values = _loaded(f"value = {source}")
        return values["value"] if len(values) == 1 else text(source)
    except tomllib.TOMLDecodeError:
        return text(source)
    except _Refused as error:
        raise UsageError(f"{source[:40]}...: {error}.") from None


def _loaded(given: str) -> dict[str, Any]:
    """Return the values of a text of TOML; raises ``TOMLDecodeError``, ``_Refused``."""
    if _DOTTED.search(given):
        raise _Refused(f"a key has more than {_MAX_DEPTH} parts")
    try:
        values = tomllib.loads(given)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise _Refused(f"nested more than {_MAX_DEPTH} deep") from None
    except ValueError:  # Python's own limit
        raise _Refused("a number is too large; 64 bits are the most") from None
    cleaned: dict[str, Any] = _cleaned(values, _MAX_DEPTH)
    return cleaned


def _cleaned(given: Any, depth: int) -> Any:
    """Return a value with texts of one line, which cannot control a terminal.

    Raises ``_Refused`` for deep nesting, numbers that TOML does not have, and texts
    that are too long.
    """
    if isinstance(given, str):
        return text(given)
    if isinstance(given, int) and abs(given) >= _LARGEST:
        raise _Refused("a number is too large; 64 bits are the most")
    if not isinstance(given, Mapping | list):
        return given
    if not depth:
        raise _Refused(f"nested more than {_MAX_DEPTH} deep")
    if isinstance(given, list):
        return [_cleaned(item, depth - 1) for item in given]
    table = {text(name): _cleaned(item, depth - 1) for name, item in given.items()}
    if len(table) < len(given):
        raise _Refused("two keys differ only in control characters")
    return table


def text(given: str) -> str:
    r"""Return a text on one line, with breaks as blanks and visible control characters.

    >>> text("four\nlives")
    'four lives'
    """
    if len(given) > _MAX_LETTERS:
        raise _Refused(f"a text has {len(given):,} letters; at most {_MAX_LETTERS:,}")
    return plain(_BREAKS.sub(" ", given))


def value(item: Any) -> str:
    """Return a text, number, boolean, list or table as TOML on one line."""
    if isinstance(item, Mapping):
        inside = ", ".join(f"{key(k)} = {value(v)}" for k, v in item.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(item, list | tuple):
        return f"[{', '.join(map(value, item))}]"
    if isinstance(item, str):
        return json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, float):  # TOML writes 1e+20, 1.0, inf and nan as Python does
        return repr(item)
    if isinstance(item, int):
        return str(item)
    raise TypeError(f"TOML has no {type(item).__name__}")


def key(*names: str) -> str:
    """Return a key, dotted if there are several names."""
    return ".".join(name if _BARE.fullmatch(name) else value(name) for name in names)


def tables(values: Mapping[str, Any], *above: str) -> list[str]:
    """Return the lines of nested tables: plain values first, then each table."""
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

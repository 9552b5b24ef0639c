"""User texts in figures and pages, shown literally whatever they contain.

Names and questions come from files. A dollar is a dollar, not the start of a formula;
a control character is shown as a sign. Letters that the house font lacks come from
another font of this machine; if none has them, a warning says so once.
"""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_MARK = re.compile(r"[\\`*]|~(?=~)|(?<!\w)_|_(?!\w)")
_LINK = re.compile(r"(?<=\])[(\[]|^\s*\[(?=[^\]]*\]:)")
_BREAK = "[\t\r\n\x0b\x0c\x85\u2028\u2029]+"
_FORMULA = r"^\s*[=+\-@]"
_NUMBER = (  # alone, or with a unit and an interval: no operator, no call of a function
    r"^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?"
    r"( ([^=@|!*/^&\"+(]|\+\d|\([+-]?\d|\(no )*)?$"
)
_GLYPH = re.compile(r"Glyph (\d+) ")
_FALLBACK_FONTS = (  # with Chinese, Japanese or Korean letters
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "IPAexGothic",
    "IPAGothic",
    "TakaoPGothic",
    "VL PGothic",
    "Hiragino Sans",
    "Yu Gothic",
    "MS Gothic",
    "Meiryo",
    "Noto Sans CJK SC",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Noto Sans CJK KR",
    "Malgun Gothic",
    "Apple SD Gothic Neo",
    "NanumGothic",
    "Arial Unicode MS",
    "Droid Sans Fallback",
)


class MissingLetters(UserWarning):
    """Some letters of a picture are in no font of this machine."""


def plain(text: str) -> str:
    """Replace the control characters of a text, which steer terminals or break XML."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def markdown(text: str) -> str:
    r"""Escape a text for Markdown, so that it is no link, picture, HTML or code.

    >>> print(markdown("[a](javascript:alert(8)) <b> [1.0, 2.0] removed_pledge"))
    [a]\(javascript:alert(8)) &lt;b> [1.0, 2.0] removed_pledge
    """
    shown = _ENTITY.sub("&amp;", plain(text).replace("\n", " "))
    shown = _MARK.sub(r"\\\g<0>", shown)
    return _TAG.sub("&lt;", _LINK.sub(r"\\\g<0>", shown))


def csv(table: "pl.DataFrame") -> bytes:
    """Return a table as CSV in which no text is a formula or steers a terminal.

    A text that a spreadsheet would run (it begins with ``= + - @``) gets an apostrophe
    in front, as OWASP advises (owasp.org/www-community/attacks/CSV_Injection); numbers
    stay as they are, even as texts with a unit.
    """
    import polars as pl

    texts = pl.selectors.by_dtype(pl.String, pl.Categorical, pl.Enum)
    cell = texts.cast(pl.String).str.replace_all(_BREAK, " ")
    cell = cell.str.replace_all(_CONTROL.pattern, "\N{REPLACEMENT CHARACTER}")
    runs = cell.str.contains(_FORMULA) & ~cell.str.contains(_NUMBER)
    marked = pl.when(runs).then(pl.format("'{}", cell)).otherwise(cell)
    return table.with_columns(marked).write_csv().encode()


@contextmanager
def literal_text() -> Iterator[None]:
    """Make and draw pictures with literal texts in here; also a decorator."""
    from matplotlib import rc_context

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rc: Any = {"text.parse_math": False, "font.family": _families()}
        rc |= dict.fromkeys(
            ("figure.autolayout", "figure.constrained_layout.use"), False
        )
        with rc_context(rc):
            yield
    missing = set()
    for warning in caught:
        glyph = _GLYPH.match(str(warning.message))
        if glyph:
            missing.add(chr(int(glyph[1])))
        else:
            where = warning.filename, warning.lineno
            warnings.warn_explicit(warning.message, warning.category, *where)
    if missing:
        _warn_once("".join(sorted(missing)))


def render_figure(figure: "Figure", kind: str, salt: str, **how: Any) -> bytes:
    """Return a figure as ``svg`` or ``png``, with the same bytes each time."""
    from matplotlib import rc_context

    data = io.BytesIO()
    metadata = {"svg": {"Date": None}, "png": {"Software": None}}[kind]
    with literal_text(), rc_context({"svg.hashsalt": salt, "svg.fonttype": "path"}):
        figure.savefig(data, format=kind, metadata=metadata, **how)
    return data.getvalue()


@cache
def _families() -> list[str]:
    """Return the house font, and the fonts of this machine that have more letters."""
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in _FALLBACK_FONTS if name in installed)]


@cache  # so each text warns once
def _warn_once(letters: str) -> None:
    """Warn that some letters are shown as boxes."""
    shown = letters if len(letters) < 20 else f"{letters[:20]}..."
    warnings.warn(
        f"no font of this machine has {shown}; pictures show boxes there. Noto Sans "
        "CJK has the letters of Chinese, Japanese and Korean.",
        MissingLetters,
        stacklevel=2,
    )

"""Plays exported by BG Stats (JSON) and BoardGameGeek (XML), as a table of sessions.

Shapes: the export of the app BG Stats (games, players, plays with playerScores), and
plays of the BoardGameGeek XML API 2 (https://boardgamegeek.com/wiki/page/BGG_XML_API2).
A play that says nothing of who won is left out, and counted in a remark.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree as ET

from experiments.core.cells import UsageError
from experiments.core.spreadsheets import Row, Sheet, text_kind

HEADING = (
    "session", "game", "version", "date", "minutes",
    "player", "score", "position", "winner",
)  # fmt: skip
_SUM = re.compile(r"\s*[+-]?[0-9]+(?:\.[0-9]+)?(?:\s*[+-]\s*[0-9]+(?:\.[0-9]+)?)*\s*")
_TERM = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_REMARKS = {
    "incomplete": "not finished, or marked to be ignored",
    "alone": "with fewer than two players",
    "open": "without a winner",
    "teams": "of teams",
}


@dataclass(frozen=True)
class _Seat:
    """A player of a play: texts as exported."""

    name: str
    score: str
    place: str  # in the order of turns, "" if unknown
    won: bool


@dataclass(frozen=True)
class _Play:
    """A play, and why it does not count: a key of ``_REMARKS``, or ""."""

    session: str
    game: str
    seats: tuple[_Seat, ...]
    version: str = ""
    date: str = ""
    minutes: str = ""
    left_out: str = field(default="")


def is_export(text: str) -> bool:
    """Return whether a text may be an export: JSON or XML.

    >>> is_export("session,player"), is_export('{"plays": []}')
    (False, True)
    """
    return text_kind(text) in ("JSON", "XML")


def read_export(path: Path, text: str) -> tuple[Sheet, tuple[str, ...]]:
    """Return the plays in an export with a row per player, and remarks on them.

    Rows are numbered by play. Raises ``UsageError``.
    """
    read = _bg_stats if text_kind(text) == "JSON" else _board_game_geek
    try:
        plays = [_checked(play) for play in read(path, text)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        _unknown(path, f"{type(error).__name__}: {error}")
    counts = Counter(play.left_out for play in plays)
    remarks = tuple(
        f"{counts[why]} of {len(plays)} plays are left out, {words}"
        for why, words in _REMARKS.items()
        if counts[why]
    )
    rows = [
        Row(number, tuple(map(_one_line, cells)))
        for number, play in enumerate(plays, 1)
        if not play.left_out
        for cells in _cells(play)
    ]
    if not rows:
        why = "; ".join(remarks) or "it has no plays"
        raise UsageError(f"{path}: there is no play to read: {why}.")
    return Sheet(path, HEADING, tuple(rows), 1, "", "play"), remarks


def _unknown(path: Path, why: str) -> NoReturn:
    raise UsageError(
        f"{path}: this is neither an export of BG Stats (JSON) nor of BoardGameGeek "
        f"plays (XML) as they are known here ({why}). Save the plays as CSV."
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cells(play: _Play) -> Iterator[tuple[str, ...]]:
    about = (play.session, play.game, play.version, play.date, play.minutes)
    for seat in play.seats:
        won = "yes" if seat.won else "no"
        yield (*about, seat.name, seat.score, seat.place, won)


def _checked(play: _Play) -> _Play:
    """Return a play with scores and positions of all players or none."""
    seats, size = list(play.seats), len(play.seats)
    names: Counter[str] = Counter()
    for at, seat in enumerate(seats):
        names[seat.name] += 1
        again = f" ({names[seat.name]})" if names[seat.name] > 1 else ""
        seats[at] = replace(seat, name=f"{seat.name}{again}", score=_score(seat.score))
    if not all(seat.score for seat in seats):
        seats = [replace(seat, score="") for seat in seats]
    if sorted(seat.place for seat in seats) != sorted(map(str, range(1, size + 1))):
        seats = [replace(seat, place="") for seat in seats]
    why = play.left_out or ("alone" if size < 2 else "")
    if not why and not any(seat.won for seat in seats):
        why = "open"
    return replace(play, seats=tuple(seats), left_out=why)


def _score(text: str) -> str:
    """Return a score, which may be written as a sum; "" if it is none.

    >>> _score("10+5-2"), _score("many")
    ('13', '')
    """
    if not _SUM.fullmatch(text):
        return ""
    terms = _TERM.findall(text.replace(" ", ""))
    return f"{sum(map(float, terms)):g}" if len(terms) > 1 else terms[0]


def _named(rows: Sequence[Mapping[str, Any]]) -> dict[Any, str]:
    return {row["id"]: str(row["name"]) for row in rows}


def _bg_stats(path: Path, text: str) -> Iterator[_Play]:
    """Yield the plays of an export of BG Stats."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: this is damaged JSON ({error}).") from None
    if not isinstance(data, dict) or "plays" not in data:
        _unknown(path, "there is no list of plays")
    games, players = _named(data.get("games", [])), _named(data.get("players", []))
    for number, play in enumerate(data["plays"], 1):
        rows = play.get("playerScores") or []
        left_out = "incomplete" if play.get("ignored") else ""
        left_out = left_out or ("teams" if play.get("usesTeams") else "")
        yield _Play(
            session=str(number),
            game=games.get(play.get("gameRefId"), ""),
            seats=tuple(
                _Seat(
                    players.get(row.get("playerRefId"), "unnamed"),
                    "" if row.get("score") is None else str(row["score"]),
                    place,
                    bool(row.get("winner")),
                )
                for row, place in zip(rows, _turn_order(rows), strict=True)
            ),
            version=str(play.get("board") or ""),
            date=str(play.get("playDate") or ""),
            minutes=str(play.get("durationMin") or ""),
            left_out=left_out,
        )


def _turn_order(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the places in turn order, from the start player round the table."""
    size = len(rows)
    order = [int(row.get("seatOrder") or 0) for row in rows]
    starts = [at for at, row in enumerate(rows) if row.get("startPlayer")]
    if len(starts) != 1 or len({*order}) < size:
        return [""] * size
    ranks = {seat: at for at, seat in enumerate(sorted(order))}
    first = ranks[order[starts[0]]]
    return [str((ranks[seat] - first) % size + 1) for seat in order]


def _board_game_geek(path: Path, text: str) -> Iterator[_Play]:
    """Yield the plays of an export of BoardGameGeek."""
    if "<!doctype" in text.lower() or "<!entity" in text.lower():
        raise UsageError(f"{path}: XML with a DOCTYPE is not read.")
    try:
        root = ET.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))  # noqa: S314 - no entities, as above
    except (ET.ParseError, RecursionError) as error:
        raise UsageError(f"{path}: this is damaged XML ({error}).") from None
    if root.tag != "plays":
        _unknown(path, f"it begins with {root.tag[:40]}, not with plays")
    for number, play in enumerate(root.iter("play"), 1):
        item = play.find("item")
        seats = [
            _Seat(
                row.get("name") or row.get("username") or "unnamed",
                row.get("score", ""),
                row.get("startposition", ""),
                row.get("win") == "1",
            )
            for row in play.iter("player")
        ]
        skipped = play.get("incomplete") == "1" or play.get("nowinstats") == "1"
        yield _Play(
            session=play.get("id") or str(number),
            game="" if item is None else item.get("name", ""),
            seats=tuple(seats),
            date=play.get("date", ""),
            minutes=play.get("length", "0").removeprefix("0"),
            left_out="incomplete" if skipped else "",
        )

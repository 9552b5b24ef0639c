"""Table sessions in a CSV file: what players wrote down, checked line by line.

Either a row a player and session, with the columns ``session``, ``player`` and, as far
as they are known, ``score``, ``position`` (1 is the first) and ``winner`` (yes or no);
or a row a session, with a column of scores for each player and perhaps ``winner`` with
a name. The file is only read.
"""

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from experiments.core.cells import UsageError
from sim.parameters import nearest, one_of

COLUMNS = ("session", "player", "score", "position", "winner")
YES = ("yes", "y", "1", "true", "x", "won")
NO = ("no", "n", "0", "false", "", "lost")


@dataclass(frozen=True)
class Seat:
    """What is known of a player in a session; None where it was not written down."""

    player: str
    score: float | None
    position: int | None  # from 0
    won: bool | None


@dataclass(frozen=True)
class Session:
    """A game at a table."""

    name: str
    seats: tuple[Seat, ...]
    line: int  # of the file, where it begins

    @property
    def placed(self) -> bool:
        """Whether it is known who sat where."""
        return all(seat.position is not None for seat in self.seats)

    @property
    def scored(self) -> bool:
        """Whether all scores are known."""
        return all(seat.score is not None for seat in self.seats)


class _File:
    """Says where in the file a mistake is."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def wrong(self, line: int, column: str, words: str) -> NoReturn:
        """Raise ``UsageError``."""
        where = f", column {column}" if column else ""
        raise UsageError(f"{self.path}, line {line}{where}: {words}")


def read(path: Path, players: Sequence[int], least: bool | None) -> list[Session]:
    """The sessions of a file; raises ``UsageError``, which names line and column.

    ``players`` are the numbers that the game allows. Who won follows from the scores
    (the least of them with ``least``) where the file does not say; None: it has to, as
    scores do not decide this game.
    """
    file = _File(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path}: no text in UTF-8; save it as CSV (UTF-8)."
        ) from error
    lines = text.splitlines()
    first = lines[0] if lines else ""
    mark = max(",;\t", key=first.count)
    rows = list(csv.reader(lines, delimiter=mark, skipinitialspace=True))
    if len(rows) < 2:
        file.wrong(1, "", f"a heading and rows are needed, as {','.join(COLUMNS)}.")
    heading = [name.strip() for name in rows[0]]
    lower = [name.lower() for name in heading]
    for name in lower:
        if lower.count(name) > 1:
            file.wrong(1, name, "two columns have this name.")
    if "session" not in lower:
        near = nearest(COLUMNS[0], lower)
        file.wrong(1, "session", f"there is no such column{near} Needed: session.")
    table = [
        (number, [cell.strip() for cell in row])
        for number, row in enumerate(rows[1:], 2)
        if any(cell.strip() for cell in row)
    ]
    for number, row in table:
        if len(row) != len(heading):
            file.wrong(
                number, "", f"{len(row)} cells, but the heading has {len(heading)}."
            )
    if "player" in lower:
        sessions = _long(file, lower, table)
    else:
        sessions = _wide(file, heading, table)
    return [_checked(file, one, players, least) for one in sessions]


def _long(
    file: _File, heading: Sequence[str], table: Sequence[tuple[int, list[str]]]
) -> Iterator[Session]:
    """Sessions of a row a player."""
    for name in heading:
        near = nearest(name, COLUMNS)
        if name not in COLUMNS and "did you mean" in near:
            file.wrong(
                1, name, f"there is no such column{near} Known: {one_of(COLUMNS)}."
            )
    seats: dict[str, list[Seat]] = defaultdict(list)
    begins: dict[str, int] = {}
    for number, row in table:
        cells = dict(zip(heading, row, strict=True))
        for needed in COLUMNS[:2]:
            if not cells[needed]:
                file.wrong(number, needed, "is empty; a name is needed.")
        begins.setdefault(cells["session"], number)
        score, position = cells.get("score", ""), cells.get("position", "")
        seats[cells["session"]].append(
            Seat(
                cells["player"],
                _number(file, number, "score", score),
                _position(file, number, position),
                _won(file, number, cells["winner"]) if "winner" in cells else None,
            )
        )
    for name, found in seats.items():
        yield Session(name, tuple(found), begins[name])


def _wide(
    file: _File, heading: Sequence[str], table: Sequence[tuple[int, list[str]]]
) -> Iterator[Session]:
    """Sessions of a row each, with a column of scores a player."""
    names = [name for name in heading if name.lower() not in ("session", "winner")]
    near = nearest("player", [name.lower() for name in names])
    if len(names) < 2 or "did you mean" in near:
        file.wrong(
            1,
            "player",
            f"there is no such column{near} Needed: {', '.join(COLUMNS)}; "
            "or a column of scores for each player.",
        )
    for number, row in table:
        cells = dict(zip(heading, row, strict=True))
        winner = next((v for k, v in cells.items() if k.lower() == "winner"), None)
        there = [name for name in names if cells[name]]
        if winner and winner not in there:
            near = nearest(winner, there)
            file.wrong(number, "winner", f"no player {winner!r}{near} {one_of(there)}.")
        yield Session(
            next(v for k, v in cells.items() if k.lower() == "session"),
            tuple(
                Seat(
                    name,
                    _number(file, number, name, cells[name]),
                    None,
                    None if winner is None else winner == name,
                )
                for name in there
            ),
            number,
        )


def _checked(
    file: _File, session: Session, players: Sequence[int], least: bool | None
) -> Session:
    """The session, if it can have been; who won, where scores say so."""
    seats, line, where = session.seats, session.line, f"session {session.name}"
    if len(seats) not in players:
        allowed = one_of(map(str, players))
        file.wrong(line, "", f"{where} has {len(seats)} players. Allowed: {allowed}.")
    names = [seat.player for seat in seats]
    for name in names:
        if names.count(name) > 1:
            file.wrong(line, "player", f"{where} has {name} more than once.")
    places = [seat.position for seat in seats if seat.position is not None]
    if places and sorted(places) != list(range(len(seats))):
        told = ", ".join(str(place + 1) for place in sorted(places))
        allowed = f"Allowed: 1 to {len(seats)}, each once, or none at all."
        file.wrong(line, "position", f"{where} has positions {told}. {allowed}")
    scores = [seat.score for seat in seats if seat.score is not None]
    if scores and len(scores) < len(seats):
        file.wrong(line, "score", f"{where} lacks some scores; give all or none.")
    if all(seat.won is None for seat in seats):
        if not scores or least is None:
            lacks = "not who won (yes, no), and no score decides this game"
            said = lacks if scores else "neither scores nor who won"
            file.wrong(line, "winner", f"{where} says {said}.")
        best = min(scores) if least else max(scores)
        if scores.count(best) > 1:
            file.wrong(
                line, "winner", f"{where} has equal best scores; say who won (yes, no)."
            )
        seats = tuple(
            Seat(s.player, s.score, s.position, s.score == best) for s in seats
        )
    elif sum(bool(seat.won) for seat in seats) > 1:  # shared: nobody wins alone
        seats = tuple(Seat(s.player, s.score, s.position, False) for s in seats)
    ordered = sorted(seats, key=lambda seat: seat.position or 0)
    return Session(session.name, tuple(ordered), line)


def _number(file: _File, line: int, column: str, text: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text.replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        value = float("nan")
    if not abs(value) < 1e9:
        file.wrong(line, column, f"{text!r} is no score. Allowed: a number, as 12.")
    return value


def _position(file: _File, line: int, text: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or not int(text):
        file.wrong(
            line, "position", f"{text!r} is no position. Allowed: 1 (the first), 2, 3."
        )
    return int(text) - 1


def _won(file: _File, line: int, text: str) -> bool:
    said: Mapping[str, bool] = dict.fromkeys(YES, True) | dict.fromkeys(NO, False)
    if text.lower() not in said:
        file.wrong(line, "winner", f"{text!r} says nothing. Allowed: yes or no.")
    return said[text.lower()]

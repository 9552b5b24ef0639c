"""Table sessions as players wrote them down, checked line by line.

A play log is what any reader of such files gives: sessions, and what was understood.
Here it is read from a table (``experiments.core.sheets``), long or wide
(``play_columns``). The file is only read.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from experiments.analysis.pasted import pasted
from experiments.analysis.play_columns import WANTED, Columns, understand
from experiments.analysis.play_words import AND, NO, NOBODY, TOTALS, YES, key
from experiments.core import sheets
from experiments.core.sheets import Row, Sheet, quoted
from sim.parameters import nearest, one_of

_PLACE = re.compile("[0-9]{1,3}")


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


@dataclass(frozen=True)
class PlayLog:
    """The sessions of a file, and what was understood of it."""

    sessions: tuple[Session, ...]
    understood: Columns


def read(
    path: Path,
    players: Sequence[int],
    least: bool | None,
    columns: Sequence[str] = (),
    encoding: str = "",
) -> PlayLog:
    """The sessions of a file; raises ``UsageError``, which names line and column.

    Args:
        path: of the file.
        players: the numbers that the game allows.
        least: whether the least score wins; who won follows from the scores where the
            file does not say. None: it has to, as scores do not decide this game.
        columns: what they are, as ``session=playid`` (``play_columns.understand``).
        encoding: of the text; found where none is named.
    """
    sheet, totals = _without_totals(sheets.read(path, WANTED, encoding))
    if not sheet.rows:
        sheet.wrong(sheet.line, "", f"a heading and rows are needed: {WANTED}.")
    found = understand(sheet, columns)
    roles, remarks = dict(found.roles), list(totals)
    if "winner" in roles and not any(sheet.column(roles["winner"])):
        remarks.append(f"nothing stands in {roles.pop('winner')}")
    if "winner" in roles and "rank" in roles:
        remarks.append(f"{roles.pop('rank')} is not needed beside {roles['winner']}")
    if not {"winner", "rank"} & set(roles) and least is not None:
        most = "least" if least else "most"
        remarks.append(f"who has the {most} points won, as no column names a winner")
    found = replace(found, roles=roles, remarks=tuple(remarks))
    sessions = list(_wide(sheet, found) if found.persons else _long(sheet, found))
    _spelt(sheet, sessions)
    checked = tuple(_checked(sheet, one, players, least) for one in sessions)
    if again := pasted(sheet, found):
        found = replace(found, remarks=(*found.remarks, again))
    return PlayLog(checked, found)


def _without_totals(sheet: Sheet) -> tuple[Sheet, list[str]]:
    """The table without rows that sum up others, and a remark on each of these."""
    kept, remarks = [], []
    for row in sheet.rows:
        first = next(filter(None, row.cells))
        if key(first) in TOTALS:
            remarks.append(f"line {row.line} ({first}) is left out")
        else:
            kept.append(row)
    return replace(sheet, rows=tuple(kept)), remarks


def _long(sheet: Sheet, found: Columns) -> Iterator[Session]:
    """Sessions of a row a player."""
    roles = found.roles
    cells = {role: sheet.column(name) for role, name in roles.items()}
    scores = _scores(sheet, [roles["score"]] if "score" in roles else [])
    rows: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(sheet.rows):
        for needed in ("session", "player"):
            if not cells[needed][at]:
                sheet.wrong(row.line, roles[needed], "is empty; a name is needed.")
        rows[cells["session"][at]].append(at)
    _repeated(sheet, list(zip(cells["session"], cells["player"], strict=True)))
    for name, some in rows.items():
        seats = [
            Seat(
                cells["player"][at],
                scores[roles["score"]][at] if "score" in roles else None,
                _place(sheet, at, roles.get("position")),
                None,
            )
            for at in some
        ]
        won = _won(sheet, found, name, some, cells.get("winner", []))
        yield Session(
            name,
            tuple(replace(s, won=w) for s, w in zip(seats, won, strict=True)),
            sheet.rows[some[0]].line,
        )


def _won(
    sheet: Sheet,
    found: Columns,
    session: str,
    rows: Sequence[int],
    cells: Sequence[str],
) -> Sequence[bool | None]:
    """Who won a session by the column that says so; None where there is none."""
    line = sheet.rows[rows[0]].line
    if "winner" in found.roles:
        name = found.roles["winner"]
        if not any(cells[at] for at in rows):
            sheet.wrong(
                line,
                name,
                f"session {session} names no winner. Write yes or no; no in every row "
                "if nobody won.",
            )
        return [_yes(sheet, sheet.rows[at], name, cells[at]) for at in rows]
    if "rank" in found.roles:
        name = found.roles["rank"]
        ranks = [_place(sheet, at, name) for at in rows]
        if None in ranks:
            sheet.wrong(line, name, f"session {session} lacks some ranks; give all.")
        return [rank == 0 for rank in ranks]
    return [None] * len(rows)


def _wide(sheet: Sheet, found: Columns) -> Iterator[Session]:
    """Sessions of a row each, with a column of scores a person."""
    roles, scores = found.roles, _scores(sheet, found.persons)
    names = sheet.column(roles["session"])
    for row, name in zip(sheet.rows, names, strict=True):
        if not name:
            sheet.wrong(row.line, roles["session"], "is empty; a name is needed.")
    _repeated(sheet, [(name, "") for name in names])
    _summed(sheet, scores)
    winners = sheet.column(roles["winner"]) if "winner" in roles else []
    for at, row in enumerate(sheet.rows):
        there = [who for who in found.persons if scores[who][at] is not None]
        best = (
            _named(sheet, row, roles["winner"], winners[at], there) if winners else None
        )
        yield Session(
            names[at],
            tuple(
                Seat(who, scores[who][at], None, None if best is None else who in best)
                for who in there
            ),
            row.line,
        )


def _named(
    sheet: Sheet, row: Row, column: str, text: str, there: Sequence[str]
) -> Sequence[str]:
    """The winners that a cell names."""
    if key(text) in NOBODY:
        return []
    several = [text] if text in there else re.split(AND, text)
    if not text:
        sheet.wrong(row.line, column, "is empty. Write who won, or nobody.")
    for name in several:
        if name not in there:
            near = nearest(name, there)
            words = f"no player {quoted(name)}{near} Allowed: {one_of(there)}; several "
            sheet.wrong(row.line, column, f"{words}as {' & '.join(there[:2])}; nobody.")
    return several


def _summed(sheet: Sheet, scores: Mapping[str, Sequence[float | None]]) -> None:
    """Refuse a last row that sums up those above."""
    values = [[v or 0.0 for v in column] for column in scores.values()]
    if len(sheet.rows) < 3 or not all(column[-1] for column in values):
        return
    if all(abs(column[-1] - sum(column[:-1])) < 1e-9 for column in values):
        words = "these are the sums of the rows above. Take the row out."
        sheet.wrong(sheet.rows[-1].line, "", words)


def _repeated(sheet: Sheet, keys: Sequence[tuple[str, str]]) -> None:
    """Refuse what stands in two rows: a session, or a player in it."""
    first: dict[tuple[str, str], Row] = {}
    again = []
    for row, one in zip(sheet.rows, keys, strict=True):
        if one in first:
            again.append((row, first[one], one))
        first.setdefault(one, row)
    if not again:
        return
    row, before, (session, player) = again[0]
    if all(one.cells == other.cells for one, other, _ in again):
        words = f"line {before.line} stands here again"
        if len(again) > 1:
            words = (
                f"lines {before.line} to {again[-1][1].line} stand here again, to line "
                f"{again[-1][0].line}"
            )
        why = f"{words}. Was the sheet pasted twice?"
    else:
        why = "Each session needs a name of its own."
    what = f"has {player} more than once" if player else "stands in two rows"
    words = f"session {session} {what}, here and in line {before.line}: {why}"
    sheet.wrong(row.line, "", words)


def _spelt(sheet: Sheet, sessions: Iterable[Session]) -> None:
    """Refuse names that differ in case, spaces or encoding alone."""
    spellings: dict[str, dict[str, int]] = defaultdict(dict)
    for session in sessions:
        for seat in session.seats:
            plain = unicodedata.normalize("NFKC", seat.player).casefold()
            seen = "".join(c for c in plain if unicodedata.category(c) != "Cf")
            same = " ".join(unicodedata.normalize("NFKC", seen).split())
            spellings[same].setdefault(seat.player, session.line)
    for names in spellings.values():
        if len(names) > 1:
            *some, last = names
            looks = {unicodedata.normalize("NFKC", name) for name in names}
            if len({" ".join(name.split()) for name in looks}) == 1:
                *some, last = map(ascii, names)
            words = f"{', '.join(some)} and {last}: one person? Write one spelling."
            sheet.wrong(max(names.values()), "", words)


def _checked(
    sheet: Sheet, session: Session, players: Sequence[int], least: bool | None
) -> Session:
    """The session, if it can have been; who won, where scores say so."""
    seats, line, where = session.seats, session.line, f"session {session.name}"
    if len(seats) not in players:
        who = f" ({', '.join(seat.player for seat in seats)})" * bool(seats)
        allowed = one_of(map(str, players))
        words = f"{where} has {len(seats)} players{who}. Allowed: {allowed}."
        sheet.wrong(line, "", words)
    places = [seat.position for seat in seats if seat.position is not None]
    if places and sorted(places) != list(range(len(seats))):
        told = ", ".join(str(place + 1) for place in sorted(places))
        allowed = f"Allowed: 1 to {len(seats)}, each once, or none at all."
        sheet.wrong(line, "position", f"{where} has positions {told}. {allowed}")
    scores = [seat.score for seat in seats if seat.score is not None]
    if scores and len(scores) < len(seats):
        sheet.wrong(line, "score", f"{where} lacks some scores; give all or none.")
    if all(seat.won is None for seat in seats):
        if not scores or least is None:
            lacks = "not who won (yes, no), and no score decides this game"
            said = lacks if scores else "neither scores nor who won"
            sheet.wrong(line, "winner", f"{where} says {said}.")
        best = min(scores) if least else max(scores)
        if scores.count(best) > 1:
            words = f"{where} has equal best scores; say who won (a column winner)."
            sheet.wrong(line, "winner", words)
        seats = tuple(replace(seat, won=seat.score == best) for seat in seats)
    elif sum(bool(seat.won) for seat in seats) > 1:  # shared: nobody wins alone
        seats = tuple(replace(seat, won=False) for seat in seats)
    ordered = sorted(seats, key=lambda seat: seat.position or 0)
    return Session(session.name, tuple(ordered), line)


def _scores(sheet: Sheet, columns: Sequence[str]) -> dict[str, list[float | None]]:
    """The scores in columns."""
    found = sheet.numbers(columns)
    for name, values in found.items():
        for row, value in zip(sheet.rows, values, strict=True):
            if value is not None and not abs(value) < 1e9:
                text = quoted(row.cells[sheet.heading.index(name)])
                sheet.wrong(row.line, name, f"{text} is no score. Allowed: as 12.")
    return found


def _place(sheet: Sheet, at: int, name: str | None) -> int | None:
    """A position or rank, from 0; None where it is not written."""
    if name is None:
        return None
    row = sheet.rows[at]
    text = row.cells[sheet.heading.index(name)]
    if not text:
        return None
    if not _PLACE.fullmatch(text) or not int(text):
        words = f"{quoted(text)} is no position. Allowed: 1 (the first), 2, 3."
        sheet.wrong(row.line, name, words)
    return int(text) - 1


def _yes(sheet: Sheet, row: Row, name: str, text: str) -> bool:
    """Whether a cell says yes; an empty one says no."""
    said = key(text)
    if said and said not in YES and said not in NO:
        words = f"{quoted(text)} says nothing. Allowed: yes or no."
        sheet.wrong(row.line, name, words)
    return said in YES

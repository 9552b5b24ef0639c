"""Read table sessions as players wrote them down, checked line by line.

A play log holds the sessions and how the file was understood. It is read from a table
or an export (``play_log_files``), long or wide (``play_log_columns``). Files are never
written.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiments.analysis.pasted_sessions import repeat_remark
from experiments.analysis.play_log_columns import WANTED, Columns, read_heading
from experiments.analysis.play_log_files import open_play_log
from experiments.analysis.play_log_vocabulary import (
    AND,
    MINUTES,
    NO,
    NOBODY,
    TOTALS,
    YES,
    key,
)
from experiments.core.spreadsheets import Row, Sheet, is_number, quoted
from sim.games import Game
from sim.parameters import nearest, one_of

_LONGEST = 10_000  # minutes of a session
_PLACE = re.compile("[0-9]{1,3}")


@dataclass(frozen=True)
class SessionSeat:
    """What is known of a player in a session; unknown values are None."""

    player: str
    score: float | None
    position: int | None  # from 0
    won: bool | None


@dataclass(frozen=True)
class TableSession:
    """A game played at a table."""

    name: str
    seats: tuple[SessionSeat, ...]
    line: int  # of the file, where it begins
    minutes: float | None = None

    @property
    def placed(self) -> bool:
        """Whether all positions are known."""
        return all(seat.position is not None for seat in self.seats)

    @property
    def scored(self) -> bool:
        """Whether all scores are known."""
        return all(seat.score is not None for seat in self.seats)


@dataclass(frozen=True)
class PlayLog:
    """The sessions of a file, and how its columns were understood."""

    sessions: tuple[TableSession, ...]
    understood: Columns


def read_play_log(
    path: Path,
    players: Sequence[int],
    least: bool | None,
    columns: Sequence[str] = (),
    encoding: str = "",
    names: Sequence[str] = (),
    where: Sequence[str] = (),
) -> PlayLog:
    """Read the sessions of a file; raises ``UsageError`` with line and column.

    Args:
        path: of the file.
        players: the numbers of players that the game allows.
        least: whether the lowest score wins, for files that name no winner. None if
            scores do not decide the game: the file has to name winners.
        columns: their meanings, as ``session=playid``
        (``play_log_columns.read_heading``). encoding: of the text; detected if none is
        named.
        names: of the game, and where: which rows to take
        (``play_log_files.open_play_log``).
    """
    opened, said = open_play_log(path, WANTED, names, where, encoding)
    sheet, totals = _without_totals(opened)
    if not sheet.rows:
        sheet.wrong(sheet.line, "", f"a heading and rows are needed: {WANTED}.")
    understood = read_heading(sheet, columns)
    roles, remarks = dict(understood.roles), [*said, *totals]
    if "winner" in roles and not any(sheet.column(roles["winner"])):
        remarks.append(f"{roles.pop('winner')} is empty")
    if "winner" in roles and "rank" in roles:
        remarks.append(f"{roles.pop('rank')} is not needed beside {roles['winner']}")
    if not {"winner", "rank"} & set(roles) and least is not None:
        most = "fewest" if least else "most"
        remarks.append(f"the {most} points win, as no column names a winner")
    understood = replace(understood, roles=roles, remarks=tuple(remarks))
    wide = bool(understood.persons)
    sessions = list((_wide if wide else _long)(sheet, understood))
    _refuse_spellings(sheet, sessions)
    checked = tuple(_checked(sheet, session, players, least) for session in sessions)
    if name := _column_of_minutes(sheet, understood, columns):
        ignored = tuple(other for other in understood.ignored if other != name)
        roles = {**understood.roles, "minutes": name}
        understood = replace(understood, roles=roles, ignored=ignored)
        checked = _timed(sheet, understood, checked)
    numbered = sheet.unit == "play"  # an export has no pasted rows
    if not numbered and (again := repeat_remark(sheet, understood)):
        understood = replace(understood, remarks=(*understood.remarks, again))
    return PlayLog(checked, understood)


def read_play_log_of(game: Game, path: Path, **how: Any) -> PlayLog:
    """Read the sessions of a game; ``how`` goes to ``read_play_log``."""
    least = None if game.score is None else game.score.fewest
    return read_play_log(path, game.players, least, names=(game.id, game.title), **how)


def _column_of_minutes(sheet: Sheet, found: Columns, said: Sequence[str]) -> str:
    """Return the heading of the minutes that sessions took; "" if none is sure."""
    for name in found.ignored:
        declared = any(part.endswith(f"={name}") for part in said)
        cells = [cell for cell in sheet.column(name) if cell]
        known = key(name) in MINUTES and not declared and bool(cells)
        if known and all(map(is_number, cells)):
            return name
    return ""


def _timed(
    sheet: Sheet, found: Columns, sessions: Iterable[TableSession]
) -> tuple[TableSession, ...]:
    """Return the sessions with the minutes in the first of their rows that has any."""
    minutes: dict[str, float] = {}
    values = sheet.numbers([found.roles["minutes"]])[found.roles["minutes"]]
    names = sheet.column(found.roles["session"])
    for name, value in zip(names, values, strict=True):
        if value is not None and 0 < value < _LONGEST:
            minutes.setdefault(name, value)
    return tuple(replace(one, minutes=minutes.get(one.name)) for one in sessions)


def _without_totals(sheet: Sheet) -> tuple[Sheet, list[str]]:
    """Return the table without rows that sum up others, and a remark on each."""
    kept, remarks = [], []
    for row in sheet.rows:
        first = next(filter(None, row.cells))
        if key(first) in TOTALS:
            remarks.append(f"line {row.line} ({first}) is left out")
        else:
            kept.append(row)
    return replace(sheet, rows=tuple(kept)), remarks


def _long(sheet: Sheet, understood: Columns) -> Iterator[TableSession]:
    """Yield the sessions of a table with one row per player."""
    roles = understood.roles
    cells = {role: sheet.column(name) for role, name in roles.items()}
    scores = _scores(sheet, [roles["score"]] if "score" in roles else [])
    rows: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(sheet.rows):
        for needed in ("session", "player"):
            if not cells[needed][at]:
                sheet.wrong(row.line, roles[needed], "is empty; a name is needed.")
        rows[cells["session"][at]].append(at)
    _refuse_repeats(sheet, list(zip(cells["session"], cells["player"], strict=True)))
    for name, indices in rows.items():
        seats = [
            SessionSeat(
                cells["player"][at],
                scores[roles["score"]][at] if "score" in roles else None,
                _place(sheet, at, roles.get("position")),
                None,
            )
            for at in indices
        ]
        won = _won(sheet, understood, name, indices, cells.get("winner", []))
        yield TableSession(
            name,
            tuple(replace(seat, won=w) for seat, w in zip(seats, won, strict=True)),
            sheet.rows[indices[0]].line,
        )


def _won(
    sheet: Sheet,
    understood: Columns,
    session: str,
    rows: Sequence[int],
    cells: Sequence[str],
) -> Sequence[bool | None]:
    """Return who won a session, by the column that says so; None without one."""
    line = sheet.rows[rows[0]].line
    if "winner" in understood.roles:
        name = understood.roles["winner"]
        if not any(cells[at] for at in rows):
            sheet.wrong(
                line,
                name,
                f"session {session} names no winner. Write yes or no; no in every row "
                "if nobody won.",
            )
        return [_yes(sheet, sheet.rows[at], name, cells[at]) for at in rows]
    if "rank" in understood.roles:
        name = understood.roles["rank"]
        ranks = [_place(sheet, at, name) for at in rows]
        if None in ranks:
            sheet.wrong(line, name, f"session {session} lacks some ranks; give all.")
        return [rank == 0 for rank in ranks]
    return [None] * len(rows)


def _wide(sheet: Sheet, understood: Columns) -> Iterator[TableSession]:
    """Yield the sessions of a table with one row each and a column per person."""
    roles, scores = understood.roles, _scores(sheet, understood.persons)
    names = sheet.column(roles["session"])
    for row, name in zip(sheet.rows, names, strict=True):
        if not name:
            sheet.wrong(row.line, roles["session"], "is empty; a name is needed.")
    _refuse_repeats(sheet, [(name, "") for name in names])
    _refuse_totals(sheet, scores)
    winners = sheet.column(roles["winner"]) if "winner" in roles else []
    for at, row in enumerate(sheet.rows):
        seated = [player for player in scores if scores[player][at] is not None]
        won: dict[str, bool | None] = dict.fromkeys(seated)
        if winners:
            named = _winners(sheet, row, roles["winner"], winners[at], seated)
            won = {player: player in named for player in seated}
        seats = [
            SessionSeat(name, scores[name][at], None, won[name]) for name in seated
        ]
        yield TableSession(names[at], tuple(seats), row.line)


def _winners(
    sheet: Sheet, row: Row, column: str, text: str, seated: Sequence[str]
) -> Sequence[str]:
    """Return the winners that a cell names."""
    if key(text) in NOBODY:
        return []
    named = [text] if text in seated else re.split(AND, text)
    if not text:
        sheet.wrong(row.line, column, "is empty. Write who won, or nobody.")
    for name in named:
        if name not in seated:
            near = nearest(name, seated)
            allowed = f"{one_of(seated)}; several as {' & '.join(seated[:2])}; nobody."
            words = f"no player {quoted(name)}{near} Allowed: {allowed}"
            sheet.wrong(row.line, column, words)
    return named


def _refuse_totals(sheet: Sheet, scores: Mapping[str, Sequence[float | None]]) -> None:
    """Refuse a last row that sums up the rows above."""
    values = [[v or 0.0 for v in column] for column in scores.values()]
    if len(sheet.rows) < 3 or not all(column[-1] for column in values):
        return
    if all(abs(column[-1] - sum(column[:-1])) < 1e-9 for column in values):
        words = "this row holds the sums of the rows above. Remove it."
        sheet.wrong(sheet.rows[-1].line, "", words)


def _refuse_repeats(sheet: Sheet, keys: Sequence[tuple[str, str]]) -> None:
    """Refuse a session, or a player of one, that stands in two rows."""
    first: dict[tuple[str, str], Row] = {}
    repeats = []
    for row, named in zip(sheet.rows, keys, strict=True):
        if named in first:
            repeats.append((row, first[named], named))
        first.setdefault(named, row)
    if not repeats:
        return
    row, before, (session, player) = repeats[0]
    if all(named.cells == other.cells for named, other, _ in repeats):
        words = f"line {before.line} is repeated here"
        if len(repeats) > 1:
            row_end, end, _ = repeats[-1]
            words = f"lines {before.line} to {end.line} are repeated here"
            words += f", up to line {row_end.line}"
        why = f"{words}. Was the sheet pasted twice?"
    else:
        why = "Each session needs its own name."
    what = f"has {player} more than once" if player else "stands in two rows"
    words = f"session {session} {what}, here and in line {before.line}: {why}"
    sheet.wrong(row.line, "", words)


def _refuse_spellings(sheet: Sheet, sessions: Iterable[TableSession]) -> None:
    """Refuse names that differ only in case, spaces or encoding."""
    spellings: dict[str, dict[str, int]] = defaultdict(dict)
    for session in sessions:
        for seat in session.seats:
            plain = unicodedata.normalize("NFKC", seat.player).casefold()
            visible = "".join(c for c in plain if unicodedata.category(c) != "Cf")
            same = " ".join(unicodedata.normalize("NFKC", visible).split())
            spellings[same].setdefault(seat.player, session.line)
    for names in spellings.values():
        if len(names) > 1:
            *others, last = names
            looks = {unicodedata.normalize("NFKC", name) for name in names}
            if len({" ".join(name.split()) for name in looks}) == 1:
                *others, last = map(ascii, names)
            words = f"{', '.join(others)} and {last}: one person? Use one spelling."
            sheet.wrong(max(names.values()), "", words)


def _checked(
    sheet: Sheet, session: TableSession, players: Sequence[int], least: bool | None
) -> TableSession:
    """Return the session if it is possible, with the winner that scores imply."""
    seats, line, where = session.seats, session.line, f"session {session.name}"
    if len(seats) not in players:
        who = f" ({', '.join(seat.player for seat in seats)})" * bool(seats)
        allowed = one_of(map(str, players))
        words = f"{where} has {len(seats)} players{who}. Allowed: {allowed}."
        sheet.wrong(line, "", words)
    places = [seat.position for seat in seats if seat.position is not None]
    if places and sorted(places) != list(range(len(seats))):
        given = ", ".join(str(place + 1) for place in sorted(places))
        allowed = f"Allowed: 1 to {len(seats)}, each once, or none at all."
        sheet.wrong(line, "position", f"{where} has positions {given}. {allowed}")
    scores = [seat.score for seat in seats if seat.score is not None]
    if scores and len(scores) < len(seats):
        sheet.wrong(line, "score", f"{where} lacks some scores; give all or none.")
    if all(seat.won is None for seat in seats):
        if not scores or least is None:
            lacks = "who won (yes, no); scores do not decide this game"
            missing = lacks if scores else "scores or who won"
            sheet.wrong(line, "winner", f"{where} does not say {missing}.")
        best = min(scores) if least else max(scores)
        if scores.count(best) > 1:
            words = f"{where} has equal best scores; say who won (a column winner)."
            sheet.wrong(line, "winner", words)
        seats = tuple(replace(seat, won=seat.score == best) for seat in seats)
    elif sum(bool(seat.won) for seat in seats) > 1:  # a shared win counts as none
        seats = tuple(replace(seat, won=False) for seat in seats)
    ordered = sorted(seats, key=lambda seat: seat.position or 0)
    return replace(session, seats=tuple(ordered))


def _scores(sheet: Sheet, columns: Sequence[str]) -> dict[str, list[float | None]]:
    """Return the scores in these columns."""
    scores = sheet.numbers(columns)
    for name, values in scores.items():
        for row, value in zip(sheet.rows, values, strict=True):
            if value is not None and not abs(value) < 1e9:
                text = quoted(row.cells[sheet.heading.index(name)])
                sheet.wrong(row.line, name, f"{text} is not a score, such as 12.")
    return scores


def _place(sheet: Sheet, at: int, name: str | None) -> int | None:
    """Return a position or rank, from 0; None if the cell is empty."""
    if name is None:
        return None
    row = sheet.rows[at]
    text = row.cells[sheet.heading.index(name)]
    if not text:
        return None
    if not _PLACE.fullmatch(text) or not int(text):
        words = f"{quoted(text)} is not a position. Allowed: 1 (the first), 2, 3."
        sheet.wrong(row.line, name, words)
    return int(text) - 1


def _yes(sheet: Sheet, row: Row, name: str, text: str) -> bool:
    """Return whether a cell says yes; an empty one says no."""
    answer = key(text)
    if answer and answer not in YES and answer not in NO:
        words = f"{quoted(text)} is not understood. Allowed: yes or no."
        sheet.wrong(row.line, name, words)
    return answer in YES

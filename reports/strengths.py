"""The same numbers at each strength of play: beginners, good and strong players.

What changes with the strength of play is no fact about the game alone, so wherever a
share by position, role or option is told, it is told for each strength, and page one
says where weaker players show the opposite of the leading ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from reports.formatting import (
    DECISION,
    OPTION,
    PLAYERS,
    Z,
    estimated,
    exhibit,
    join,
    join_words,
    renamed,
)
from reports.option_follow_ups import OFFERED, TAKEN
from reports.report_data import BEGINNER, ReportData
from reports.report_document import Column, Exhibit, Section
from reports.scorecard import cell_lines
from reports.scorecard.line_estimate import LineEstimate, per_hundred
from reports.scorecard.score import ScorecardRun, cell_of
from reports.scorecard.score_line import ScoreLine, text
from reports.scorecard.scored_line import REVERSE
from reports.scorecard.sentences import section_to_see
from reports.statistics.intervals import LEAST

ID = "strengths"
"""Id of the section on what changes with the strength of play."""
CALLED = {
    BEGINNER: "beginners",
    "good": "good players",
    "strong": "strong players",
    "search": "players who search",
}
"""What the players of each strength are called, the weakest first."""
_APART = 0.05  # how much the share of an option differs, at least, to be printed
_MOST = 20  # options that are printed
_CLEARLY = 2.576  # standard errors: a reversal that one in 200 finds by chance


@dataclass(frozen=True)
class StrengthTable:
    """A table at which all play alike, at one strength: a key of ``CALLED``."""

    level: str
    spec: str
    data: ReportData
    cell: int

    @property
    def here(self) -> pl.Expr:
        """Select the rows of its cell."""
        return pl.col("cell") == self.cell


def strengths(data: ReportData, players: int) -> list[StrengthTable]:
    """Return the tables of each strength that were played, the weakest first.

    Empty unless there are two strengths at least.
    """
    found = [
        StrengthTable(level, lineup, data, cell)
        for level, lineup in data.levels.items()
        for cell in data.cells.filter(
            kind=BEGINNER if level == BEGINNER else "self",
            lineup=lineup,
            players=players,
        )["cell"]
    ]
    if found:
        found += [
            StrengthTable("search", lineup, searched, cell)
            for searched in data.search_data
            if searched.games >= LEAST
            for cell, lineup in searched.cells.filter(kind="search", players=players)
            .select("cell", "lineup")
            .rows()
        ]
    return found if len(found) > 1 else []


def add(sections: Sequence[Section], run: ScorecardRun) -> tuple[Section, ...]:
    """Return the sections, with tables by strength where they tell of shares.

    One more section has the lines of the scorecard at each strength.
    """
    if not strengths(run.data, run.data.players):
        return tuple(sections)
    ids = [section.id for section in sections]
    more: dict[str, list[Exhibit]] = {}
    for line in run.lines:
        measure = cell_lines.SHARES.get(line.id, "")
        if measure in run.data.measures and (table := _shares(run, line, measure)):
            more.setdefault(section_to_see(line, ids) or ID, []).append(table)
    if TAKEN in run.data.measures:
        more.setdefault("taken" if "taken" in ids else ID, []).append(_options(run))
    own = Section(
        ID,
        "Beginners, good and strong players",
        f"{run.data.players} players, all of one strength. {_who(run.data)}",
        (_lines(run), *more.pop(ID, ())),
    )
    changed = [
        replace(part, exhibits=(*part.exhibits, *more.get(part.id, ())))
        for part in sections
    ]
    return (*changed, own)


def reversal(run: ScorecardRun) -> str:
    """Return a sentence on weaker players who show the opposite; "" if none do.

    It is about who wins by position or role, where the leading players differ surely.
    Of several numbers of players the first counts.
    """
    for line in run.lines:
        if line.id not in cell_lines.SHARES:
            continue
        for players in sorted(run.data.counts, key=lambda n: n != run.data.players):
            told = [*_reversed(run, line, players)]
            if told:
                called, (first, often), (other, seldom) = told[0]
                who = join_words([name for name, *_ in told])
                among = "" if players == run.data.players else f", {players} players"
                return (
                    f"Among {who}{among} {REVERSE}: {first} wins "
                    f"{per_hundred(often)} of 100"
                    f"{f' among {called}' if len(told) > 1 else ''}, {other} "
                    f"{per_hundred(seldom)}."
                )
    return ""


_Named = tuple[str, float]


def _reversed(
    run: ScorecardRun, line: ScoreLine, players: int
) -> Iterator[tuple[str, _Named, _Named]]:
    """Yield who shows the opposite of the leading players, and the two shares."""
    known = [(one, _number(run, line, one, players)) for one in _weaker(run, players)]
    lead = next((of for one, of in known if _leads(one)), None)
    if lead is None or lead.low <= 0 or not lead.parts:
        return
    best, worst = lead.words["best"], lead.words["worst"]
    for one, number in known:
        if _leads(one) or number is None or number.n < LEAST:
            continue
        often, seldom = (number.parts.get(name, 0.0) for name in (worst, best))
        gap = often - seldom
        error = (max(often + seldom - gap**2, 0.0) / number.n) ** 0.5
        if gap > _CLEARLY * error:
            yield CALLED[one.level], (worst, often), (best, seldom)


def _weaker(run: ScorecardRun, players: int) -> list[StrengthTable]:
    """Return the tables of the leading players and of weaker ones."""
    return [one for one in strengths(run.data, players) if one.level != "search"]


def _leads(one: StrengthTable) -> bool:
    return one.level != BEGINNER and one.spec == one.data.lead


def _number(
    run: ScorecardRun, line: ScoreLine, one: StrengthTable, players: int
) -> LineEstimate | None:
    """Return the number of a line at a strength, if it was counted there."""
    make = cell_lines.CELL_LINES[line.id]
    return make(cell_of(run, one.data, one.cell, players))


def _who(data: ReportData) -> str:
    """Say who plays at each strength."""
    known = strengths(data, data.players)
    return " ".join(f"{CALLED[one.level].capitalize()}: {one.spec}." for one in known)


def _columns(known: Sequence[StrengthTable], what: str) -> list[Column]:
    """Return a column of shares for each strength."""
    return [
        estimated(
            CALLED[one.level], f"{what} if all play {one.spec}", "share", one.level
        )
        for one in known
    ]


def _beside(
    known: Sequence[StrengthTable], measure: str, by: Sequence[str]
) -> pl.DataFrame:
    """Return the estimates of a measure at each strength, a column for each."""
    keys = pl.concat([one.data.of(measure, only=one.here).select(by) for one in known])
    rows = keys.unique(maintain_order=True).drop_nulls()
    for one in known:
        more = renamed(one.data.of(measure, only=one.here), by, one.level)
        rows = join(rows, more, by)
    return rows


def _shares(run: ScorecardRun, line: ScoreLine, measure: str) -> Exhibit | None:
    """Return who wins at each strength, by position or role; None without games."""
    data, parts = run.data, []
    [by] = data.measure(measure).by
    levels = {one.level: one for one in strengths(data, data.players)}
    for players in data.counts:
        known = strengths(data, players)
        if not known or (rows := _beside(known, measure, [by])).is_empty():
            continue
        rows = rows.sort(by)
        names = [
            run.data.position_name(value, players) if by == "position" else str(value)
            for value in rows[by]
        ]
        parts.append(rows.with_columns(players=pl.lit(players), who=pl.Series(names)))
    if not parts:
        return None
    rows = pl.concat(parts, how="diagonal_relaxed")
    columns = [
        column
        for column in _columns([*levels.values()], "games won")
        if column.name in rows.columns
    ]
    return exhibit(
        f"{ID}-{line.id}",
        f"{line.title}, by strength of play",
        "Games won where all at the table are of one strength.",
        rows,
        (PLAYERS, Column("who", by, f"who wins, by {by}"), *columns),
    )


def _options(run: ScorecardRun) -> Exhibit:
    """Return the options that weaker players take more or less often than others."""
    data = run.data
    known, by = strengths(data, data.players), ["decision", "option"]
    rows = _beside(known, TAKEN, by)
    least, most = (
        f"{one.level}" for one in (known[0], [*_weaker(run, data.players)][-1])
    )
    often = pl.min_horizontal(f"{least}_n", f"{most}_n") >= OFFERED
    change = pl.col(most) - pl.col(least)
    error = (pl.col(f"{least}_se") ** 2 + pl.col(f"{most}_se") ** 2).sqrt()
    every = rows.filter(often)
    apart = every.filter(change.abs() - Z * error > _APART)
    apart = apart.sort(change.abs(), descending=True, maintain_order=True)
    return exhibit(
        f"{ID}-options",
        "How often options are taken, by strength of play",
        f"Of the times that it and another could be. {every.height - apart.height} of "
        f"{every.height} options are left out, which {CALLED[least]} and "
        f"{CALLED[most]} are not shown to take by more than {100 * _APART:.0f} points "
        f"more or less often; of the others, those {_MOST} that differ most are told.",
        apart.head(_MOST),
        (OPTION, DECISION, *_columns(known, "taken")),
    )


def _lines(run: ScorecardRun) -> Exhibit:
    """Return the lines of the scorecard at each strength."""
    players = run.data.players
    known = strengths(run.data, players)
    rows: list[Mapping[str, Any]] = []
    for line in run.lines:
        if line.id not in cell_lines.CELL_LINES:
            continue
        numbers = {one.level: _number(run, line, one, players) for one in known}
        if any(numbers.values()):
            texts = {level: _text(line, of) for level, of in numbers.items()}
            rows.append({"line": line.title, **texts})
    levels = {one.level: pl.String for one in known}
    return exhibit(
        f"{ID}-lines",
        "The scorecard at each strength of play",
        "The numbers of the scorecard where all at the table are of one strength, with "
        "95 % intervals.",
        pl.DataFrame(rows, schema={"line": pl.String, **levels}),
        (
            Column("line", "line", "line of the scorecard"),
            *(
                Column(one.level, CALLED[one.level], f"if all play {one.spec}")
                for one in known
            ),
        ),
    )


def _text(line: ScoreLine, number: LineEstimate | None) -> str:
    if number is None:
        return "not measured"
    low, high = (text(line, end, bare=True) for end in (number.low, number.high))
    return f"{text(line, number.value)} ({low} to {high})"

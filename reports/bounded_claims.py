"""Claims as sections declare them: numbers, what is allowed, and words for verdicts.

Each is tested where the section is made, and becomes a finding with its label. Where
nothing was counted there is no finding: the table says that there is no data.

    BoundedClaim(
        "With {players} players nobody wins {value} of the games: {verdict} ({who})",
        "ended",
        {"within": "rarely", "outside": "too often", "undecided": "undecided"},
        most=0.05,
        where={"by": "nobody"},
    )
    RowsClaim("Being dealt a card", DEALT, "words",
              {"above": "adds more than half a point", "below": "saves as much"})
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from reports.claims import Claim
from reports.formatting import join_words, number, percent, points, share
from reports.measure_tables import Cells, MeasureTable, VerdictColumn, value_in_words
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import judge, label, more_games, sureness
from reports.verdicts import how_tested

Bound = float | Callable[[int], float]
"""What is allowed at most or at least, or a function of the number of players."""
Quoted = str | tuple[str, Mapping[str, Any]]
"""A measure, perhaps with the values of its groups."""


MORE = {
    "within": "no more than {most}",
    "outside": "more than {most}",
    "undecided": "whether more than {most} is undecided",
}
"""Verdicts on a number that is allowed to be ``most`` at most."""


@dataclass(frozen=True)
class BoundedClaim:
    """A claim that a number is within bounds, for each number of players.

    ``text`` is the sentence without its stop. In it stand ``{value}``, ``{verdict}``
    (one of ``verdicts``: within, outside, undecided; by default ``MORE``),
    ``{players}``, ``{who}``, the bounds as ``{least}`` and ``{most}``, which verdicts
    may name, too, ``{even}`` (1 in the number of players), and more values by the names
    in ``also``. ``where``: the values of the groups of ``measure``. ``fewest``: the
    claim is about tables of at least so many players; with ``once``, of the main number
    only. ``only`` selects other cells than the leading lineup. A leading claim has a
    ``subject`` and two bounds: it is tested in other ways to play, too
    (``reports.claims.Claim``).

    Raises ValueError if a verdict lacks its words, or a leading claim a bound; and when
    it is made, if ``where`` or ``also`` lacks the value of a group.
    """

    text: str
    measure: str
    verdicts: Mapping[str, str] = field(default_factory=lambda: MORE)
    least: Bound = -math.inf
    most: Bound = math.inf
    where: Mapping[str, Any] = field(default_factory=dict)
    also: Mapping[str, Quoted] = field(default_factory=dict)
    fewest: int = 1
    once: bool = False
    only: Cells | None = None
    subject: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for words or bounds that are missing."""
        if lacking := {"within", "outside", "undecided"} - {*self.verdicts}:
            raise ValueError(f"{self.text!r}: no words for {sorted(lacking)}")
        if self.subject and {-math.inf, math.inf} & {self.least, self.most}:
            raise ValueError(f"{self.text!r}: a leading claim needs two bounds")

    def __call__(self, data: ReportData) -> Iterator[Finding]:
        """Yield a finding for each number of players with data."""
        for players in [data.players] if self.once else data.counts:
            rows = self._rows(data, (self.measure, self.where), players)
            if rows.height and players >= self.fewest:
                yield self._finding(data, players, rows.row(0, named=True))

    def _rows(self, data: ReportData, quoted: Quoted, players: int) -> pl.DataFrame:
        measure, where = (quoted, {}) if isinstance(quoted, str) else quoted
        if lacking := [name for name in data.measure(measure).by if name not in where]:
            raise ValueError(f"{self.text!r}: {measure} is by {lacking}; name values")
        only = self.only(data) if callable(self.only) else self.only
        rows = data.of(measure, only=data.leads() if only is None else only)
        return rows.filter(players=players, **where).drop_nulls("estimate")

    def _finding(
        self, data: ReportData, players: int, row: Mapping[str, Any]
    ) -> Finding:
        least, most = (
            bound(players) if callable(bound) else bound
            for bound in (self.least, self.most)
        )
        share = data.measure(self.measure).share
        ends = ([row["estimate"]], [row["se"]])
        [verdict] = judge(*ends, least, most, share=share)
        size = "{:.3g} %" if share else "{:g}"
        low, high = (size.format(100 * end if share else end) for end in (least, most))
        text = self.text.format_map(
            {
                "players": players,
                "who": data.who,
                "even": percent(1 / players),
                "least": low,
                "most": high,
                "value": value_in_words(data, self.measure, row),
                "verdict": self.verdicts[verdict].format(least=low, most=high),
                **self._quoted(data, players),
            }
        )
        if verdict == "undecided":
            games = data.games_of(row["cell"], self.measure)
            text = f"{text}; {more_games(*ends, games, least, most)}"
        allowed = f"{low} to {high}"
        if least == -math.inf:
            allowed = f"at most {high}"
        elif most == math.inf:
            allowed = f"at least {low}"
        return Finding(
            f"{text}.",
            sureness(verdict),
            claim=self._claim(players, least, most) if self.subject else None,
            tested=how_tested(allowed, "number", 1, row["n"], "counts"),
        )

    def _quoted(self, data: ReportData, players: int) -> dict[str, str]:
        """Return the values of ``also`` in words."""
        words = {}
        for name, quoted in self.also.items():
            measure = quoted if isinstance(quoted, str) else quoted[0]
            rows = self._rows(data, quoted, players).to_dicts()
            values = [value_in_words(data, measure, row) for row in rows]
            words[name] = join_words(values) or "nothing"
        return words

    def _claim(self, players: int, least: float, most: float) -> Claim:
        return Claim(
            self.subject,
            self.measure,
            players,
            where=self.where,
            even=(most + least) / 2,
            tolerance=(most - least) / 2,
        )


@dataclass(frozen=True)
class RowsClaim:
    """A claim on which rows of a table differ from 0, by its verdicts.

    ``head`` begins the sentence; ``name`` is the column that names a row. ``phrases``
    say what is true of the rows "above" and "below": up to ``many`` of them are named
    with their number, others counted. It is about the main number of players; ``where``
    selects among its rows.
    """

    head: str
    table: MeasureTable
    name: str
    phrases: Mapping[str, str]
    where: pl.Expr | None = None
    many: int = 3

    def __call__(self, data: ReportData) -> Iterator[Finding]:
        """Yield the finding, if the table has rows."""
        judged = self._judged
        every = self.table.rows_of(data).drop_nulls(judged.of)
        if "players" in every.columns:
            every = every.filter(players=data.players)
        rows = every if self.where is None else every.filter(self.where)
        if rows.is_empty():
            return
        family = every
        if judged.family:
            together = rows.select(judged.family).unique()
            family = every.join(together, on=judged.family, how="semi")
        texts = [*self._named(data, rows)]
        open_ = rows.filter(verdict=judged.words.get("undecided", "undecided")).height
        if open_:
            within = rows.filter(verdict=judged.words.get("within", "within")).height
            if within and not texts:
                texts.append(f"{within} differ by no more than {judged.limit}")
            texts.append(f"{open_} of {rows.height} undecided")
        alike = f"none differs by more than {judged.limit}"
        text = f"{data.in_words(self.head)}: {'; '.join(texts) or alike}."
        tested = how_tested(judged.limit, "rows", family.height, data.games)
        yield Finding(text, label(rows["verdict"]), tested=tested)

    @property
    def _judged(self) -> VerdictColumn:
        [column] = [p for p in self.table.parts if isinstance(p, VerdictColumn)]
        return column

    def _named(self, data: ReportData, rows: pl.DataFrame) -> Iterator[str]:
        """Yield the phrase of each side, with its rows; none for a side without any."""
        judged = self._judged
        columns = self.table.columns(data)
        [style] = [column.style for column in columns if column.name == judged.of]
        told = {"share": share, "points": points}.get(style, number)
        wide = simultaneous_intervals(rows, judged.of, share=style == "share")
        for side, phrase in self.phrases.items():
            named = wide.filter(verdict=judged.words.get(side, side))
            named = named.sort(judged.of, descending=side == "above")
            words = [
                f"{row[self.name]} ({told(row, judged.of)})"
                for row in named.head(self.many).to_dicts()
            ]
            if more := named.height - len(words):
                words.append(f"{more} more")
            if words:
                yield f"{phrase}: {join_words(words)}"

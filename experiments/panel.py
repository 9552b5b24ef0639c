"""The panel behind ``fairdeal report``: which lineups are played, and the report.

Every strategy against itself, the leading one against a table of each other, and a
mixed table, for every number of players; then what the game's report asks for: pairs
of cells in which one seat declines a decision, or in which cards of a deal are lacking
(``trials``), and the leading strategy under other rules (``beside``). Of the leading
lineup some decisions may be tried with every option (``otherwise``). A report may say
how many games a cell has (``GAMES``), and that only the leading strategy is played with
every number of players, the others with some (``COUNTS``): both keep it quick.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from experiments.cells import Cell
from experiments.otherwise import Otherwise
from experiments.run import Progress, run
from experiments.variations import differences
from sim import games as registry
from sim.knobs import Rules
from strategies import registry as schools
from strategies.declining import Declining
from strategies.random import Random

GAMES = 16_384
"""Games of each cell unless said otherwise, or by the game's report."""
LEAD = "balanced"
"""The strategy that leads a report, where the game has it."""
_MORE = ("trials", "beside", "otherwise")  # functions that a report may lack
_APART = 1_000  # seeds of games that are independent of the panel's


@dataclass(frozen=True)
class ReportDone:
    """Where the report is, and its findings in words."""

    page: Path
    findings: list[str]


@dataclass(frozen=True)
class Place:
    """A cell of the panel, and what it is there for."""

    cell: Cell
    kind: str  # self, against, mixed, given, paired, tried, beside
    declining: str = ""
    moment: int = 0
    changes: str = ""


def report(  # noqa: PLR0913 - all that the command line knows
    game: str,
    *,
    games: int | None = None,
    players: Sequence[int] | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    lineup: str | None = None,
    strategies: Sequence[str] = (),
    jobs: int = 1,
    out: Path,
    progress: Progress | None = None,
) -> ReportDone:
    """Play the panel (or one lineup, rotated) and write its report to ``out``.

    ``games`` of each cell are by default those of the game's report, or ``GAMES``.
    ``strategies`` are specs of one's own, which join the panel.
    """
    known = registry.load(game)
    rules = known.rules.of() if rules is None else rules
    counts = tuple(players or known.players)
    study = import_module(f"reports.{game}.measures")
    games = getattr(study, "GAMES", GAMES) if games is None else games
    panel = _Panel(
        game,
        rules,
        counts,
        _of_all(counts, getattr(study, "COUNTS", counts)),
        seed,
        tuple(strategies),
        study.decline(rules.plain()),
        *(getattr(study, name, _nothing)(rules.plain()) for name in _MORE),
    )
    places = list(panel.places() if lineup is None else panel.given(lineup))
    found = run(
        [place.cell for place in places],
        games,
        jobs=jobs,
        detailed=True,
        out=out,
        progress=progress,
    )
    writer = import_module(f"reports.{game}.report")
    about = _about(panel, places, games, lineup)
    made = writer.build(found.sums, _cells(places), about)
    page = import_module("reports.writing").write(made, out)
    return ReportDone(page, [finding.text for finding in made.findings])


@dataclass(frozen=True)
class _Panel:
    """What the cells of a panel have in common."""

    game: str
    rules: Rules
    counts: tuple[int, ...]  # of players
    others: tuple[int, ...]  # of players, where not only the leading strategy plays
    seed: int
    own: tuple[str, ...]  # specs of the user's strategies
    decline: Sequence[Mapping[str, Any]]
    trials: Sequence[Mapping[str, Any]] = ()  # arguments of the game's ``trial``
    beside: Sequence[Mapping[str, Any]] = ()  # changes, and numbers of players
    otherwise: Sequence[Mapping[str, Any]] = ()  # what, and numbers of players

    def specs(self) -> dict[str, str]:
        """The strategies of the panel: title -> spec; the leading one first."""
        names = [*schools.builtin(self.game), *self.own]
        specs = {schools.title(self.game, name): name for name in names}
        first = [LEAD] if LEAD in specs else []
        return {name: specs[name] for name in [*first, *specs]}

    def places(self) -> Iterator[Place]:
        """The cells of the whole panel."""
        specs = self.specs()
        lead, *others = specs
        for players in self.counts:
            everybody = players in self.others
            for name, spec in specs.items() if everybody else ((lead, specs[lead]),):
                cell = self._cell((spec,) * players, players, name)
                yield Place(self._trying(cell) if name == lead else cell, "self")
            if not everybody:
                continue
            for name in others:
                label = f"1 {lead}, {players - 1} {name}"
                seats = (specs[lead], *[specs[name]] * (players - 1))
                yield Place(self._cell(seats, players, label), "against")
            if others:
                names = _mixed(list(specs), players)
                seats = tuple(specs[name] for name in names)
                yield Place(self._cell(seats, players, ", ".join(names)), "mixed")
        yield from self._pairs(specs)
        yield from self._tried(lead, specs[lead])
        yield from self._beside(lead, specs[lead])

    def given(self, lineup: str) -> Iterator[Place]:
        """The cells of one lineup, which has to fit the numbers of players."""
        parts = lineup.split(",")
        for players in self.counts if len(parts) == 1 else (len(parts),):
            seats = schools.seated(self.game, lineup, players, self.own)
            yield Place(self._trying(self._cell(seats, players, lineup)), "given")

    def _cell(self, seats: tuple[str, ...], players: int, label: str) -> Cell:
        return Cell(self.game, self.rules, players, seats, True, self.seed, label)

    def _trying(self, cell: Cell) -> Cell:
        """The same cell, in which decisions are tried with every option."""
        tried = [
            Otherwise(**{key: part for key, part in want.items() if key != "players"})
            for want in self.otherwise
            if cell.players in want["players"]
        ]
        return replace(cell, otherwise=tried[0]) if tried else cell

    def _pairs(self, specs: dict[str, str]) -> Iterator[Place]:
        """Cells in which one seat declines a decision, for one number of players."""
        wanted = [
            (want, name, moment, option)
            for want in self.decline
            for name in self._makers(want, specs)
            for moment in _moments(self.rules, want)
            for option in want.get("options", ("",))
        ]
        for number, (want, name, moment, option) in enumerate(wanted, start=1):
            yield self._pair(want, specs[name], moment, option, number)

    def _tried(self, lead: str, spec: str) -> Iterator[Place]:
        """Cells in which cards of a deal are lacking once, of the leading strategy."""
        make, players = registry.load(self.game).trial, self._detailed
        if make is None:
            return
        for number, want in enumerate(self.trials, start=1):
            trial, seats = make(**want), (spec,) * players
            seed, told = self.seed + _APART + number, f"{lead}, {trial.title}"
            cell = Cell(
                self.game, self.rules, players, seats, True, seed, told, seats, trial
            )
            yield Place(cell, "tried", lead)

    def _beside(self, lead: str, spec: str) -> Iterator[Place]:
        """The leading strategy in every seat, under other rules."""
        for number, want in enumerate(self.beside, start=1):
            rules = self.rules.changed(want["changes"])
            told = _changes(want["changes"])
            for players in sorted({*want["players"]}.intersection(self.counts)):
                seats, seed = (spec,) * players, self.seed - _APART - number
                label = f"{lead} ({told})"
                cell = Cell(self.game, rules, players, seats, True, seed, label)
                yield Place(cell, "beside", changes=told)

    @property
    def _detailed(self) -> int:
        """The number of players that details are about: 4, or the nearest."""
        return min(self.counts, key=lambda n: (abs(n - 4), n))

    def _makers(
        self, want: Mapping[str, Any], specs: Mapping[str, str]
    ) -> Iterator[str]:
        """The strategies that decline: those asked for, and the user's own."""
        own = [schools.title(self.game, spec) for spec in self.own]
        names = [name for name in want["strategies"] if name in specs] or [*specs][:1]
        yield from dict.fromkeys([*names, *([] if want["changes"] else own)])

    def _pair(
        self,
        want: Mapping[str, Any],
        spec: str,
        moment: int,
        option: str,
        number: int,
    ) -> Place:
        players, changes = self._detailed, want["changes"]
        rules = self.rules.changed(changes) if changes else self.rules
        told = _changes(changes)
        inner = schools.make(self.game, spec)
        other = Declining(inner, want["kind"], (want["unit"], moment), option)
        label = f"{other.title} ({told})" if told else other.title
        seats, rest = (inner,) * players, (inner,) * (players - 1)
        seed = self.seed + number  # games of its own, so that weeks can be pooled
        cell = Cell(self.game, rules, players, seats, True, seed, label, (other, *rest))
        return Place(cell, "paired", inner.title, moment, told)


def _nothing(_: Mapping[str, Any]) -> tuple[()]:
    """What a game asks for that asks for nothing."""
    return ()


def _changes(changes: Mapping[str, Any]) -> str:
    """Changed rules in words."""
    return ", ".join(f"{key}={value}" for key, value in changes.items())


def _of_all(counts: Sequence[int], some: Sequence[int]) -> tuple[int, ...]:
    """The numbers of players that are among ``some``; all, where none is."""
    return tuple(n for n in counts if n in some) or tuple(counts)


def _moments(rules: Rules, want: Mapping[str, Any]) -> Sequence[int]:
    """When a decision is declined: as told, or at each moment that a rule counts."""
    moments = want["moments"]
    if isinstance(moments, str):
        return range(1, getattr(rules, moments) + 1)
    return tuple(moments)


def _mixed(names: list[str], players: int) -> list[str]:
    """As many different strategies as there are seats; chance last of all."""
    order = [n for n in names if n != Random.name] + [
        n for n in names if n == Random.name
    ]
    return [order[seat % len(order)] for seat in range(players)]


def _cells(places: Sequence[Place]) -> pl.DataFrame:
    """The cells as a report reads them."""
    rows = [
        {
            "cell": number,
            "lineup": place.cell.title(),
            "kind": place.kind,
            "players": place.cell.players,
            "strategy_declining": place.declining,
            "moment": place.moment,
            "changes": place.changes,
        }
        for number, place in enumerate(places)
    ]
    return pl.DataFrame(rows)


def _about(
    panel: _Panel, places: Sequence[Place], games: int, lineup: str | None
) -> dict[str, Any]:
    """What the front of the report tells."""
    known, rules = registry.load(panel.game), panel.rules
    knobs = rules.knobs()
    lead = lineup if lineup is not None else next(iter(panel.specs()))
    return {
        "games": games,
        "lead": lead,
        "rules": rules.plain(),
        "seed": panel.seed,
        "version": version("fairdeal"),
        "simulated": _simulated(panel, places, games, lead),
        "differences": tuple(
            (change.key, change.words)
            for change in differences.changes(known.rules(), rules)
        ),
        "assumed": tuple(
            (knob.key, _text(knob.value), knob.assumed)
            for knob in knobs
            if knob.assumed
        ),
        "all_rules": tuple((knob.key, _text(knob.value)) for knob in knobs),
    }


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(
            str(row["id"]) if isinstance(row, dict) else str(row) for row in value
        )
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)


def _simulated(
    panel: _Panel, places: Sequence[Place], games: int, lead: str
) -> tuple[tuple[str, str], ...]:
    kinds = {
        "self": "every seat the same",
        "against": "one against the others",
        "mixed": "mixed tables",
        "given": "lineup asked for",
        "paired": "same deals twice, a decision declined once",
        "tried": "same deals twice, a card of each hand lacking once",
        "beside": "other rules beside them",
    }
    rows = [
        ("game", registry.load(panel.game).title),
        ("leading lineup", f"{lead}: findings are about it where not said otherwise"),
        ("players", ", ".join(map(str, panel.counts))),
    ]
    for kind, words in kinds.items():
        names = dict.fromkeys(p.cell.title() for p in places if p.kind == kind)
        if names:
            rows.append((words, "; ".join(names)))
    tried = (p.cell.otherwise for p in places if p.cell.otherwise is not None)
    rows += [
        ("every option tried", words) for words in dict.fromkeys(o.title for o in tried)
    ]
    rows += [
        ("games", f"{games:,} of each of {len(places)} lineups and numbers of players"),
        ("seed", str(panel.seed)),
        ("fairdeal", version("fairdeal")),
    ]
    return (*rows, *_shortages(panel))


def _shortages(panel: _Panel) -> Iterator[tuple[str, str]]:
    """What the box lacks, of games that can tell."""
    if hasattr(panel.rules, "shortages"):
        for players in panel.counts:
            for text in panel.rules.shortages(players):
                yield f"box, {players} players", text

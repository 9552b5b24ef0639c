"""The panel behind ``fairdeal report``: which lineups are played.

Every strategy against itself, the leading one against a table of each other, and a
mixed table, for every number of players; the leading one where it errs now and then
(``noisy``), and one of each other among its like (``one``); then what the game's report
asks for: pairs of cells in which one seat declines a decision, or in which cards of a
deal are lacking (``trials``), and the leading strategy under other rules (``beside``).
Of the leading lineup some decisions may be tried with every option (``branching``).

With searchers, which are slow, there are cells of their own: all search, or one does.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from experiments.analysis.panel_cells import PanelCell, Searching
from experiments.core.branching import Branching
from experiments.core.cells import Cell, Pair, on_trial
from experiments.core.knocked import Knocked
from reports.game_report import ELSEWHERE, ENDS
from sim import games as registry
from sim.parameters import Rules
from strategies import registry as strategy_registry
from strategies.base import Strategy
from strategies.decliner import Decliner
from strategies.random import Random
from strategies.restricted_play import NoisyStrategy
from strategies.specs import split_lineup

LEAD = "allround"
"""The strategy that leads a report, where the game has it."""
_APART = 1_000  # seeds of games that are independent of the panel's
_SEARCHES = "search"
_NOISY, _SEARCH = 10_000, 20_000  # the same, of those that try findings again
_STORY = 30_000  # the same, of games that are followed from moment to moment
_LUCK, _WORTH = 40_000, 50_000  # the same, of lines with runs of their own
_BESIDE = 60_000  # the same, under other rules
_ENDS = 80_000  # the same, of games of which only the end is counted
_TELLING = 64  # games of searchers that may tell something
NOISE = 0.1
"""The chance that a decision is random, where play is noisy."""


@dataclass(frozen=True)
class Panel:
    """What the cells of a panel have in common."""

    game: str
    rules: Rules
    counts: tuple[int, ...]  # of players
    others: tuple[int, ...]  # of players, where not only the leading strategy plays
    seed: int
    extra_strategies: tuple[str, ...]  # specs of the user's strategies
    decline: Sequence[Mapping[str, Any]]
    trials: Sequence[Mapping[str, Any]] = ()  # arguments of the game's ``trial``
    beside: Sequence[Mapping[str, Any]] = ()  # changes, players; and more
    branching: Sequence[Mapping[str, Any]] = ()  # what, and numbers of players
    knocked: Sequence[Mapping[str, Any]] = ()  # the same, of the leading strategy
    full: bool = False  # whether searchers do all that the leading strategy does

    def specs(self) -> dict[str, str]:
        """The strategies of the panel: title -> spec; the leading one first."""
        names = [*strategy_registry.builtin(self.game), *self.extra_strategies]
        specs = {strategy_registry.title(self.game, name): name for name in names}
        first = [LEAD] if LEAD in specs else []
        return {name: specs[name] for name in [*first, *specs]}

    def cells(self) -> Iterator[PanelCell]:
        """The cells of the whole panel: each is measured as far as it is read."""
        for one in self._cells():
            measured = self._measured(one)
            if measured and isinstance(one.cell, Cell):
                yield replace(one, cell=replace(one.cell, measured=measured))
            else:
                yield one

    def _measured(self, one: PanelCell) -> str:
        """What kind of cell it is for the game's report; "": it reads all there.

        So it does of a strategy whose decisions are tried, as those of a user's own.
        """
        if isinstance(one.cell, Cell) and one.kind == "self" and one.cell.branching:
            return ""
        if one.kind == "self" and one.cell.title() != self._lead:
            return "own" if one.cell.players == self._detailed else "lineup"
        if one.kind == "against":
            return "lineup"
        return one.kind if one.kind in ELSEWHERE else ""

    def _cells(self) -> Iterator[PanelCell]:
        specs = self.specs()
        lead, *others = specs
        for players in self.counts:
            everybody = players in self.others
            for name, spec in specs.items() if everybody else ((lead, specs[lead]),):
                cell = self._cell((spec,) * players, players, name)
                yield PanelCell(self._trying(cell, name), "self")
            if not everybody:
                continue
            for name in others:
                label = f"1 {lead}, {players - 1} {name}"
                seats = (specs[lead], *[specs[name]] * (players - 1))
                yield PanelCell(self._cell(seats, players, label), "against")
            if others and players > 2:  # of two it is one of those above
                names = _mixed(list(specs), players)
                seats = tuple(specs[name] for name in names)
                yield PanelCell(self._cell(seats, players, ", ".join(names)), "mixed")
        yield from self._noisy(lead, specs[lead])
        for name in others:
            yield PanelCell(self._one(lead, specs[lead], name, specs[name]), "one")
        yield from self._pairs(specs)
        yield from self._tried(lead, specs[lead])
        yield from self._beside(specs)

    def searching(self, spec: str, games: int) -> list[Searching]:
        """The cells in which somebody searches, played on as the leading one plays.

        By number of players, with the games of each: a quarter of them with another
        number than details are about, or none, unless in full, where these are too few
        to tell anything. In full also games in which the one declines a decision, where
        that is asked for.
        """
        (lead, inner), *_ = self.specs().items()
        if lead != LEAD:
            spec = f"{spec}:inner={inner}"
        name = strategy_registry.title(self.game, spec)
        found = []
        for players in self.others:
            most = players == self._detailed
            its = games if most else games // 4
            if not most and its < _TELLING and not self.full:
                continue
            cell = self._cell((spec,) * players, players, name, _SEARCH)
            cells = [PanelCell(cell, "search")]
            if most:
                one = self._one(lead, inner, name, spec)
                cells.append(PanelCell(self._trying(one, _SEARCHES), "one"))
            found.append((cells, max(its, 1)))
        more = self._pairs_of_one(spec, inner, games) if self.full else ()
        return [*found, *more]

    def story(self) -> Cell:
        """The cell whose course is followed: the leading strategy in every seat."""
        (lead, spec), *_ = self.specs().items()
        return self._cell((spec,) * self._detailed, self._detailed, lead, _STORY)

    def different(self) -> Cell | None:
        """A table of as many different strategies as can sit there; None of one."""
        specs, players = self.specs(), self._detailed
        names = _mixed([*specs], players)
        if len(set(names)) < 2:
            return None
        seats = tuple(specs[name] for name in names)
        return self._cell(seats, players, ", ".join(names), _LUCK)

    def restricted(self) -> Cell:
        """The table of the leading strategy at which options are knocked out."""
        (lead, spec), *_ = self.specs().items()
        return self._cell((spec,) * self._detailed, self._detailed, lead, _WORTH)

    def ending(self, cells: Sequence[PanelCell], lineup: str | None) -> dict[int, Cell]:
        """Those of the cells that findings are about, with games of their own.

        By their numbers; where nothing is tried, and nobody takes long.
        """
        lead = lineup or self._lead
        return {
            at: replace(its, seed=its.seed + _ENDS, measured=ENDS)
            for at, one in enumerate(cells)
            if isinstance(its := one.untried.cell, Cell)
            if one.kind in ("self", "given") and its.title() == lead and its.cost <= 1
        }

    def given(self, lineup: str) -> Iterator[PanelCell]:
        """The cells of one lineup, which has to fit the numbers of players."""
        parts = split_lineup(lineup)
        for players in self.counts if len(parts) == 1 else (len(parts),):
            seats = strategy_registry.seat_specs(
                self.game, lineup, players, self.extra_strategies
            )
            cell = self._trying(self._cell(seats, players, lineup), self._lead)
            yield PanelCell(cell, "given")

    def _cell(
        self,
        seats: tuple[str | Strategy, ...],
        players: int,
        label: str,
        apart: int = 0,
    ) -> Cell:
        seed = self.seed + apart
        return Cell(self.game, self.rules, players, seats, True, seed, label)

    def _noisy(self, lead: str, spec: str) -> Iterator[PanelCell]:
        """The leading strategy in every seat, where decisions may be random."""
        if lead == Random.name:
            return
        noisy = NoisyStrategy(strategy_registry.make(self.game, spec), NOISE)
        for players in self.counts:
            seats = (noisy,) * players
            yield PanelCell(self._cell(seats, players, noisy.title, _NOISY), "noisy")

    def _one(self, lead: str, spec: str, name: str, other: str) -> Cell:
        """One of a strategy at a table of the leading one."""
        players = self._detailed
        label = f"1 {name}, {players - 1} {lead}"
        seats = (other, *[spec] * (players - 1))
        return self._cell(seats, players, label, _SEARCH)

    @property
    def _lead(self) -> str:
        return next(iter(self.specs()))

    def _trying(self, cell: Cell, name: str) -> Cell:
        """The same cell, in which decisions are tried with every option.

        Those asked for of a strategy; what ``search`` asks for otherwise of the one
        that searches, whose own decisions alone are tried; and ``full`` in full.
        """
        found = []
        for want in self.branching:
            more = dict(want)
            counts, search = more.pop("players"), more.pop("search", None)
            whole = more.pop("full", {})
            names = (*more.pop("strategies", ()), *self._own())
            if name == _SEARCHES and search is not None:
                more |= {"own": True, **search, **(whole if self.full else {})}
            elif name not in (*names, self._lead):
                continue
            if cell.players in counts:
                found.append(Branching(**more))
        tried = tuple(found) if len(found) > 1 else next(iter(found), None)
        return replace(cell, branching=tried, knocked=self._knocked(cell, name))

    def _knocked(self, cell: Cell, name: str) -> Knocked | None:
        """The options that are knocked out, if any; of a searcher in full."""
        for want in self.knocked:
            more = dict(want)
            counts, whole = more.pop("players"), more.pop("full", None)
            if name == _SEARCHES and self.full and whole is not None:
                more |= whole
            elif name != self._lead:
                continue
            if cell.players in counts:
                return Knocked(**more)
        return None

    @property
    def plays_on(self) -> str | None:
        """The searcher who plays on where a searcher's decisions are tried.

        "": he himself; None: none does.
        """
        fulls = (want["full"] for want in self.branching if "full" in want)
        return next((str(one["by"]) for one in fulls), None) if self.full else None

    def _pairs(self, specs: dict[str, str]) -> Iterator[PanelCell]:
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

    def _pairs_of_one(self, spec: str, inner: str, games: int) -> Iterator[Searching]:
        """The same of one who searches among ``inner``, and the games of each."""
        number = _SEARCH
        for want in self.decline:
            pairs = []
            for moment in _moments(self.rules, want) if "searched" in want else ():
                for option in want.get("options", ("",)):
                    number += 1
                    pairs.append(self._pair(want, spec, moment, option, number, inner))
            if pairs:
                yield pairs, max(games // want["searched"], 1)

    def _tried(self, lead: str, spec: str) -> Iterator[PanelCell]:
        """Cells in which cards of a deal are lacking once, of the leading strategy."""
        make, players = registry.load(self.game).trial, self._detailed
        if make is None:
            return
        for number, want in enumerate(self.trials, start=1):
            trial, seats = make(**want), (spec,) * players
            seed, values = self.seed + _APART + number, f"{lead}, {trial.title}"
            cell = Cell(
                self.game, self.rules, players, seats, True, seed, values, trial
            )
            yield PanelCell(on_trial(cell), "tried", lead)

    def _beside(self, specs: dict[str, str]) -> Iterator[PanelCell]:
        """The leading strategy in every seat, under other rules; or those asked for."""
        for number, want in enumerate(self.beside, start=1):
            rules = self.rules.changed(want["changes"])
            values = want.get("words") or _changes(want["changes"])
            names = [name for name in want.get("strategies", ()) if name in specs]
            counts = sorted({*want["players"]}.intersection(self.counts))
            for name, players in product(names or [*specs][:1], counts):
                seats, seed = (specs[name],) * players, self.seed + _BESIDE + number
                label = f"{name} ({values})"
                cell = Cell(self.game, rules, players, seats, True, seed, label)
                if "tried" in want:
                    cell = replace(cell, branching=Branching(**want["tried"]))
                yield PanelCell(cell, "beside", changes=values)

    @property
    def _detailed(self) -> int:
        return detailed_of(self.counts)

    def _makers(
        self, want: Mapping[str, Any], specs: Mapping[str, str]
    ) -> Iterator[str]:
        """The strategies that decline: those asked for, and the user's own."""
        names = [name for name in want["strategies"] if name in specs] or [*specs][:1]
        own = () if want["changes"] else self._own()
        yield from dict.fromkeys([*names, *own])

    def _own(self) -> Iterator[str]:
        """The user's own strategies."""
        for spec in self.extra_strategies:
            yield strategy_registry.title(self.game, spec)

    def _pair(
        self,
        want: Mapping[str, Any],
        spec: str,
        moment: int,
        option: str,
        number: int,
        others: str = "",
    ) -> PanelCell:
        """One seat declines, of ``others``, or of those who all play alike."""
        players, changes = self._detailed, want["changes"]
        rules = self.rules.changed(changes) if changes else self.rules
        values = _changes(changes)
        inner = strategy_registry.make(self.game, spec)
        when, words = (want["unit"], moment), want.get("words", "")
        other = Decliner(inner, want["kind"], when, option, words)
        label = f"{other.title} ({values})" if values else other.title
        among = strategy_registry.make(self.game, others) if others else inner
        rest = (among,) * (players - 1)
        seed = self.seed + number  # games of its own, so that weeks can be pooled
        cell = Cell(self.game, rules, players, (inner, *rest), True, seed, label)
        pair = Pair(cell, replace(cell, lineup=(other, *rest)), "decline")
        return PanelCell(pair, "paired", inner.title, moment, values)


def detailed_of(counts: Sequence[int]) -> int:
    """The number of players that details are about: 4, or the nearest."""
    return min(counts, key=lambda n: (abs(n - 4), n))


def _changes(changes: Mapping[str, Any]) -> str:
    """Changed rules in words."""
    return ", ".join(f"{key}={value}" for key, value in changes.items())


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

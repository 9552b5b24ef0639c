"""The panel behind ``fairdeal report``: which lineups are played.

The leading strategy is a strong player (``strong_leader``), unless somebody else is
asked for. For every number of players: every strategy against itself, the leading one
against a table of each other one, and a mixed table. Then the leading one with errors
(``noisy``), and each other strategy in one seat among it (``one``). Then what the
game's report asks for: pairs of cells in which one seat declines a decision or cards
are missing from a deal (``trials``), the leading strategy under other rules
(``alternative_rules``), and decisions of the leading lineup tried with every option
(``counterfactuals``). Each of these is played only if a section that wants it is made.

Search players are slow and have their own cells: all players search, or one does, who
knows how the others play. So do strong players, where a heuristic leads.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import sim.games
import strategies.registry
from experiments.analysis.leader import HEURISTIC, Leader, is_strong
from experiments.analysis.panel_cells import PanelCell, Searching, detailed_of
from experiments.core.cells import Cell
from experiments.counterfactual.intervention import (
    Forbid,
    Intervention,
    every_option,
    forbidden,
)
from experiments.counterfactual.interventions import (
    Interventions,
    declining,
    swapping,
)
from experiments.studies.lineups import LEAD, mixed_lineup
from reports.report_data import BEGINNER, ONE_BEGINNER
from reports.scorecard.strategy_lines import GOOD, UNEQUAL
from sim.parameters import Rules
from strategies import specs as specs_
from strategies.base import Strategy
from strategies.learned import Taught, shipped
from strategies.random import Random
from strategies.restricted_play import NoisyStrategy
from strategies.specs import split_lineup
from strategies.strength_levels import beats_good, spec_at

_SEARCHES = "search"
# Seed offsets: each of these kinds of cells plays games independent of the panel's.
_APART = 1_000  # trials
_NOISY, _SEARCH = 10_000, 20_000  # cells that test whether findings hold
_STORY = 30_000  # games followed from moment to moment
_LUCK, _WORTH = 40_000, 50_000  # lines of the scorecard with their own runs
_BESIDE = 60_000  # other rules
_BEGINNERS = 70_000
_ENDS = 80_000  # games of which only the end is counted
_LONE = 4  # times fewer games of one who searches among those who learned: dear
_LEAST_LONE = 20  # of these games, if there are as many: fewer have no spread
_LEAST_SEARCHED = 64  # games with search players; fewer say nothing
NOISE = 0.1
"""The probability that a noisy player's decision is random."""


Want = Mapping[str, Any]
"""A cell that sections want (``GameReport.wanted``): its arguments, and whose it is."""
_ABOUT_TRIES = ("of", "players", "strategies", "search", "full")
"""Whose decisions are tried, and when; no arguments of an intervention."""


@dataclass(frozen=True)
class Panel:
    """What the cells of a panel share, and what a game's report asks for."""

    game: str
    rules: Rules
    counts: tuple[int, ...]  # of players
    lineup_counts: tuple[int, ...]  # of players, for which other strategies play too
    seed: int
    extra_strategies: tuple[str, ...]  # specs of the user's strategies
    decline: Sequence[Want]
    trials: Sequence[Want] = ()  # arguments of the game's ``trial``
    # Changed rules, numbers of players, ...
    alternative_rules: Sequence[Want] = ()
    # Decisions, numbers of players, ...
    counterfactuals: Sequence[Want] = ()
    forbidden: Sequence[Want] = ()  # options, numbers of players, ...
    full: bool = False  # search players do all that the leading strategy does
    made: Collection[str] | None = None  # sections to play for, by id; None: all
    lead: Leader = HEURISTIC
    # Who are beginners and good players, as specs; nothing: not asked
    levels: Mapping[str, str] = field(default_factory=dict)
    given: tuple[str, ...] = ()  # conditions that all deals fit

    def specs(self) -> dict[str, str]:
        """Map the titles of the panel's strategies to specs; the leading one first."""
        names = [*strategies.registry.builtin(self.game), *self.extra_strategies]
        names = [self.lead.spec or self._heuristic, *names]
        return {strategies.registry.title(self.game, name): name for name in names}

    def cells(self) -> Iterator[PanelCell]:
        """Yield the cells of the panel."""
        specs = self.specs()
        lead, *others = specs
        for players in self.counts:
            all_play = players in self.lineup_counts
            for name, spec in specs.items() if all_play else ((lead, specs[lead]),):
                cell = self._cell((spec,) * players, players, name)
                yield self._trying(cell, "self", name)
            if not all_play:
                continue
            for name in others:
                label = f"1 {lead}, {players - 1} {name}"
                seats = (specs[lead], *[specs[name]] * (players - 1))
                yield PanelCell(self._cell(seats, players, label), "against")
            if others and players > 2:  # with two players it is one of those above
                names = mixed_lineup(list(specs), players)
                seats = tuple(specs[name] for name in names)
                yield PanelCell(self._cell(seats, players, ", ".join(names)), "mixed")
        yield from self._noisy(lead, specs[lead])
        yield from self._beginners(lead, specs[lead])
        for name in others:
            yield PanelCell(self._among(lead, specs[lead], name, specs[name]), "one")
        yield from self._pairs(specs)
        yield from self._trials(lead, specs[lead])
        yield from self._alternatives(specs)

    def search_cells(self, spec: str, games: int) -> list[Searching]:
        """Return the cells with search players; rollouts use the leading strategy.

        By number of players, with the number of games of each. Numbers of players other
        than the detailed one get a quarter of the games, but as many as say something.
        Where all search, the leading heuristic plays on; one who
        searches alone plays on as the table does. In full there are also games in which
        the searcher declines a decision, if the report asks for them.
        """
        (lead, inner), *_ = self.specs().items()
        knowing = _played_on(spec, inner)
        if self._heuristic != LEAD:
            spec = _played_on(spec, self._heuristic)
        name = strategies.registry.title(self.game, spec)
        searching = []
        for players in self.lineup_counts:
            detailed = players == self._detailed
            played = games
            if not detailed:
                played = max(games // 4, min(games, _LEAST_SEARCHED))
            cell = self._cell((spec,) * players, players, name, _SEARCH)
            searching.append(([PanelCell(cell, "search")], max(played, 1)))
            if detailed:
                alone = strategies.registry.title(self.game, knowing)
                lone = self._among(lead, inner, alone, knowing)
                if self.lead_is_strong:
                    played = max(played // _LONE, min(played, _LEAST_LONE))
                lone_cell = self._trying(lone, "one", _SEARCHES)
                searching.append(([lone_cell], max(played, 1)))
        more = self._pairs_of_one(knowing, inner, games) if self.full else ()
        return [*searching, *more]

    def strong_cells(self, games: int) -> list[Searching]:
        """Return the cells with players who learned, as ``search_cells`` does.

        Numbers of players other than the detailed one get half of the games.
        """
        (lead, spec), *_ = self.specs().items()
        strong = []
        for players in self.lineup_counts:
            for kind, plays in self._learned(players):
                name = strategies.registry.title(self.game, plays)
                if name in self.specs():
                    continue
                detailed = players == self._detailed
                played = games if detailed else max(games // 2, 1)
                alike = self._cell((plays,) * players, players, name, _SEARCH)
                strong.append(([PanelCell(alike, kind)], played))
                if detailed:
                    lone = self._among(lead, spec, name, plays)
                    strong.append(([PanelCell(lone, f"one {kind}")], games))
        return strong

    def _learned(self, players: int) -> Iterator[tuple[str, str]]:
        """Yield kinds of players who learned, besides who leads, and what they play.

        Each has learned in another way, and is shown to beat the good players.
        """
        if shipped(self.game) and not self.lead_is_strong:
            yield "strong", spec_at("strong", self.game, self.rules, players)
        if beats_good(Taught.name, self.game, self.rules, players):
            yield Taught.name, Taught.name

    def any_cell(self, players: int) -> Cell:
        """Return a cell with the rules and deals of all with this number of players."""
        return self._cell((Random.name,), players, Random.name)

    def dynamics_cell(self) -> Cell:
        """Return the cell whose games are followed from moment to moment."""
        (lead, spec), *_ = self.specs().items()
        return self._cell((spec,) * self._detailed, self._detailed, lead, _STORY)

    def luck_cells(self) -> dict[str, Cell]:
        """Return lineups of different players, by what they are: unequal, and good.

        Unequal are one of the leading players, good ones and beginners. Good are the
        leading players and good ones, or heuristics if the leading players are those.
        Without a second player of a kind there is no such lineup.
        """
        specs, players = self.specs(), self._detailed
        lead, *others = specs
        by_level = {
            strategies.registry.title(self.game, spec): spec
            for spec in self.levels.values()
        }
        specs = by_level | specs
        weaker = [name for name in by_level if name != lead]
        good = [name for name in weaker if by_level[name] != self.levels[BEGINNER]]
        others = [name for name in others if name != Random.name]
        lineups = {GOOD: mixed_lineup([lead, *(good or others)], players)}
        if weaker:
            lineups[UNEQUAL] = [lead, *mixed_lineup(weaker, players - 1)]
        return {
            who: self._cell(
                tuple(specs[name] for name in names), players, ", ".join(names), _LUCK
            )
            for who, names in lineups.items()
            if len(set(names)) > 1
        }

    def knockout_cell(self) -> Cell:
        """Return the lineup of the leading strategy in which options are forbidden."""
        (lead, spec), *_ = self.specs().items()
        return self._cell((spec,) * self._detailed, self._detailed, lead, _WORTH)

    def end_cells(
        self, cells: Sequence[PanelCell], lineup: str | None
    ) -> dict[int, Cell]:
        """Return cells of the leading lineup of which only the result is counted.

        By number of the ``cells`` that they replay with new games; none that is costly.
        """
        lead = lineup or self._lead
        return {
            number: replace(cell, seed=cell.seed + _ENDS, collect="result")
            for number, own in enumerate(cells)
            if isinstance(cell := own.without_interventions.cell, Cell)
            and cell.cost <= 1
            if own.kind in ("self", "given") and cell.title() == lead
        }

    def lineup_cells(self, lineup: str) -> Iterator[PanelCell]:
        """Yield the cells of one lineup, which has to fit the numbers of players."""
        parts = split_lineup(lineup)
        for players in self.counts if len(parts) == 1 else (len(parts),):
            seats = strategies.registry.seat_specs(
                self.game, lineup, players, self.extra_strategies
            )
            cell = self._cell(seats, players, lineup)
            yield self._trying(cell, "given", self._lead)

    def _cell(
        self,
        seats: tuple[str | Strategy, ...],
        players: int,
        label: str,
        apart: int = 0,
    ) -> Cell:
        seed, given = self.seed + apart, self.given
        return Cell(
            self.game, self.rules, players, seats, True, seed, label, given=given
        )

    def _noisy(self, lead: str, spec: str) -> Iterator[PanelCell]:
        """Yield cells of the leading strategy with random errors."""
        if lead == Random.name:
            return
        noisy = NoisyStrategy(strategies.registry.make(self.game, spec), NOISE)
        for players in self.counts:
            seats = (noisy,) * players
            yield PanelCell(self._cell(seats, players, noisy.title, _NOISY), "noisy")

    def _beginners(self, lead: str, lead_spec: str) -> Iterator[PanelCell]:
        """Yield the cells in which all are beginners, and one is."""
        spec = self.levels.get(BEGINNER, "")
        if not spec:
            return
        name = strategies.registry.title(self.game, spec)
        for players in self.lineup_counts:
            cell = self._cell((spec,) * players, players, name, _BEGINNERS)
            yield PanelCell(cell, BEGINNER)
        if name != lead:
            yield PanelCell(self._among(lead, lead_spec, name, spec), ONE_BEGINNER)

    def _among(self, lead: str, spec: str, name: str, other: str) -> Cell:
        """Return the cell of one strategy at a table of the leading one."""
        players = self._detailed
        label = f"1 {name}, {players - 1} {lead}"
        seats = (other, *[spec] * (players - 1))
        return self._cell(seats, players, label, _SEARCH)

    @property
    def _lead(self) -> str:
        return next(iter(self.specs()))

    @property
    def lead_is_strong(self) -> bool:
        """Whether somebody who learned or searches leads, and no heuristic."""
        return is_strong(self.game, next(iter(self.specs().values())))

    @property
    def _heuristic(self) -> str:
        """The leading heuristic."""
        names = strategies.registry.builtin(self.game)
        return LEAD if LEAD in names else next(iter(names))

    def _makes(self, want: Want) -> bool:
        """Return whether a section that wants this is made."""
        return self.made is None or not set(self.made).isdisjoint(want["of"])

    def _trying(self, cell: Cell, kind: str, name: str) -> PanelCell:
        """Return the cell with the interventions that the sections made ask for.

        Options are tried, and forbidden, of this strategy. Of a searcher only its own
        decisions are tried, as ``search`` says, and in full as ``full`` says.
        """
        tried: list[tuple[Want, Intervention[Any]]] = [
            (want, every_option(**self._tried(want, name)))
            for want in self.counterfactuals
            if cell.players in want["players"] and self._tries(want, name)
        ]
        without = [
            (want, each)
            for want in self.forbidden
            for each in self._forbidden(want, cell, name)
        ]
        made = [(want, each) for want, each in (*tried, *without) if self._makes(want)]
        of = next((want["of"][0] for want, _ in made), "")
        changes = Interventions(tuple(each for _, each in made)) if made else None
        cell = replace(cell, interventions=changes)
        return PanelCell(cell, kind, of=of, tried=bool(tried))

    def _tries(self, want: Want, name: str) -> bool:
        """Return whether decisions of a strategy are tried."""
        if name == _SEARCHES and "search" in want:
            return True
        return name in (*want.get("strategies", ()), *self._own(), self._lead)

    def _tried(self, want: Want, name: str) -> dict[str, Any]:
        """Return the arguments of ``every_option`` for a strategy."""
        more = {key: value for key, value in want.items() if key not in _ABOUT_TRIES}
        if name != _SEARCHES or "search" not in want:
            return more
        whole = want.get("full", {}) if self.full else {}
        on = {"whose": "first", "plays_on": self.specs()[self._lead]}
        return {**more, **on, **want["search"], **whole}

    def _forbidden(
        self, want: Want, cell: Cell, name: str
    ) -> tuple[Intervention[Forbid], ...]:
        """Return the options that are forbidden, if any; of a searcher only in full."""
        more = {key: value for key, value in want.items() if key not in _ABOUT_TRIES}
        if name == _SEARCHES and self.full and "full" in want:
            more |= want["full"]
        elif name != self._lead:
            return ()
        return forbidden(**more) if cell.players in want["players"] else ()

    @property
    def continuation(self) -> str | None:
        """The searcher who plays on when a searcher's decisions are tried.

        "" if it is the same one; None if none does.
        """
        by = (
            want["full"]["plays_on"] for want in self.counterfactuals if "full" in want
        )
        return next(map(str, by), None) if self.full else None

    def _pairs(self, specs: dict[str, str]) -> Iterator[PanelCell]:
        """Yield cells in which one seat declines a decision."""
        wanted = [
            (want, name, moment, option)
            for want in self.decline
            for name in self._makers(want, specs)
            for moment in _moments(self.rules, want)
            for option in want.get("options", ("",))
        ]
        for number, (want, name, moment, option) in enumerate(wanted, start=1):
            if self._makes(want):
                yield self._pair(want, specs[name], moment, option, number)

    def _pairs_of_one(self, spec: str, inner: str, games: int) -> Iterator[Searching]:
        """Yield cells in which a searcher among ``inner`` declines, and their games."""
        number = _SEARCH
        for want in self.decline:
            pairs = []
            for moment in _moments(self.rules, want) if "searched" in want else ():
                for option in want.get("options", ("",)):
                    number += 1
                    pairs.append(self._pair(want, spec, moment, option, number, inner))
            if pairs:
                yield pairs, max(games // want["searched"], 1)

    def _trials(self, lead: str, spec: str) -> Iterator[PanelCell]:
        """Yield cells of the leading strategy in which a deal lacks cards."""
        make, players = sim.games.load(self.game).trial, self._detailed
        if make is None:
            return
        for number, want in enumerate(self.trials, start=1):
            if not self._makes(want):
                continue
            of, *_ = want["of"]
            trial = make(**{key: want[key] for key in want if key != "of"})
            seats = (spec,) * players
            title = f"{lead}, {trial.title}"
            cell = self._cell(seats, players, title, _APART + number)
            pair = swapping(replace(cell, trial=trial))
            yield PanelCell(pair, "tried", lead, of=of)

    def _alternatives(self, specs: dict[str, str]) -> Iterator[PanelCell]:
        """Yield cells of the leading, or given, strategies under other rules."""
        for number, want in enumerate(self.alternative_rules, start=1):
            if not self._makes(want):
                continue
            rules = self.rules.changed(want["changes"])
            values = want.get("words") or _changes(want["changes"])
            names = [name for name in want.get("strategies", ()) if name in specs]
            counts = sorted({*want["players"]}.intersection(self.counts))
            for name, players in product(names or [*specs][:1], counts):
                seats, label = (specs[name],) * players, f"{name} ({values})"
                cell = self._cell(seats, players, label, _BESIDE + number)
                cell = replace(cell, rules=rules)
                yield PanelCell(cell, "beside", changes=values, of=want["of"][0])

    @property
    def _detailed(self) -> int:
        return detailed_of(self.counts)

    def _makers(self, want: Want, specs: Mapping[str, str]) -> Iterator[str]:
        """Yield the strategies that decline: those asked for, and the user's own."""
        asked = want.get("strategies", ())
        names = [name for name in asked if name in specs] or [*specs][:1]
        own = () if want["changes"] else self._own()
        yield from dict.fromkeys([*names, *own])

    def _own(self) -> Iterator[str]:
        """Yield the titles of the user's own strategies."""
        for spec in self.extra_strategies:
            yield strategies.registry.title(self.game, spec)

    def _pair(
        self,
        want: Want,
        spec: str,
        moment: int,
        option: str,
        number: int,
        others: str = "",
    ) -> PanelCell:
        """Return a pair: one seat declines, others play ``lineup_counts``, or alike."""
        players, changes = self._detailed, want["changes"]
        rules = self.rules.changed(changes) if changes else self.rules
        values = _changes(changes)
        inner = strategies.registry.make(self.game, spec)
        when, words = (want["unit"], moment), want.get("words", "")
        among = strategies.registry.make(self.game, others) if others else inner
        seats = (inner, *[among] * (players - 1))
        # Independent games, so that weeks can be pooled
        cell = replace(self._cell(seats, players, "", number), rules=rules)
        pair = declining(cell, want["kind"], when, option, words, values)
        return PanelCell(pair, "paired", inner.title, moment, values, want["of"][0])


def _played_on(search: str, inner: str) -> str:
    """Return a searcher for whom ``inner`` plays on, unless it names who does."""
    named = any(part.startswith("inner=") for part in specs_.split(search, ":"))
    return search if named else f"{search}:inner={specs_.grouped(inner)}"


def _changes(changes: Mapping[str, Any]) -> str:
    """Return changed rules in words."""
    return ", ".join(f"{key}={value}" for key, value in changes.items())


def _moments(rules: Rules, want: Want) -> Sequence[int]:
    """Return when a decision is declined; a rule may give the number of moments."""
    moments = want["moments"]
    if isinstance(moments, str):
        return range(1, getattr(rules, moments) + 1)
    return tuple(moments)

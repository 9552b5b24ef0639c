"""Play what tells how much the players of a table are to be trusted.

    player_trust(Cell("kunitame", rules, 4, ("allround",))).sentence

In one seat of a table at which all play alike sits, by turns, the best of the other
heuristics, search that knows how the table plays, and a player who learned against this
table alone. The heuristic is chosen on some games, and all are measured on fresh ones.
Where the rules differ from the base, the same is played by the base rules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

import sim.games
from experiments.analysis.auxiliary_runs import LEAST
from experiments.analysis.panel import Panel
from experiments.analysis.panel_cells import PanelCell, Searching
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import run
from reports.lone_players import ALONE, beyond_even
from reports.player_trust import LINK, PlayerTrust
from strategies import registry
from strategies.registry import UnknownStrategy

Learner = Callable[[Cell, Path | None], str]
"""Learns against the first strategy of a cell, in a folder; returns its spec."""
LEARNER = "learner"
"""What a player who learned against the table is called."""
GAMES = 4_096
"""Fresh games of each; a searcher plays fewer."""
_CHOICE = 4  # times fewer games choose a heuristic
_FRESH = 1 << 32  # added to the seed for fresh games
_WON = "won by strategy"
_GAINS = {
    "strategy": pl.String,
    **dict.fromkeys(("gain", "gain_se", "n"), pl.Float64),
}


def player_trust(
    cell: Cell,
    *,
    games: int = GAMES,
    samples: int = 4,
    learner: Learner | None = None,
    out: Path | None = None,
    **how: Any,
) -> PlayerTrust:
    """Play what others gain in one seat at a table of the strategy of a cell.

    samples: of search, which plays on as the table does; 0 leaves it out. ``how`` goes
    to ``run`` (jobs, backend, ...). Raises ``UsageError`` if the seats differ.

    >>> rules = sim.games.load("drake").rules()
    >>> cell = Cell("drake", rules, 2, ("random",))
    >>> player_trust(cell, samples=0, games=256).table["gain"].item() > 0.1
    True
    """
    spec, title = cell.lineup[0], cell.strategies()[0].title
    if any(one != spec for one in cell.lineup):
        raise UsageError("lineup: one strategy has all seats where others are tried.")
    table = _Table(replace(cell, rotate=True), games, how)
    names = (name for name in registry.builtin(cell.game) if name != title)
    specs = {name: name for name in names if name != "random"}
    some = replace(table, games=max(games // _CHOICE, 1))
    best = some.gains(specs, _in(out, "choice")).sort("gain")["strategy"].tail(1)
    specs = {name: specs[name] for name in best}
    if samples:
        knowing = f"search:samples={samples}:inner=({spec}):others=({spec})"
        specs[f"search:samples={samples}"] = knowing
    fresh = replace(table, cell=_fresh(table.cell))
    rows = fresh.with_learner(specs, learner, _in(out, "here"))
    parts = [rows]
    if cell.rules != _by_base(cell).rules:
        printed = fresh.by_base().with_learner(specs, learner, _in(out, "base"))
        parts.append(_as_base(printed))
    return PlayerTrust.of(title, cell.players, *parts)


def trust_call(
    panel: Panel,
    cells: Sequence[PanelCell],
    games: int,
    stronger: Sequence[Searching],
    learner: Learner | None,
    out: Path,
) -> Callable[[], dict[str, pl.DataFrame | None]]:
    """Return the call of ``report_gains`` for a report, which goes to a worker."""
    counted = [(each, each.games("", games)) for each in cells]
    counted += [(each, number) for some, number in stronger for each in some]
    singles = [
        (replace(each.cell, interventions=None), number)
        for each, number in counted
        if each.kind in ALONE and isinstance(each.cell, Cell) and games >= LEAST
    ]
    if LINK.id not in (panel.made or ()) or sim.games.load(panel.game).scalar:
        learner = None
    lead, led = panel.dynamics_cell(), (panel.lead.spec, panel.lead.base)
    return partial(report_gains, singles, lead, learner, out / LINK.id, led)


def report_gains(
    singles: Sequence[tuple[Cell, int]],
    lead: Cell,
    learner: Learner | None,
    out: Path,
    led: tuple[str, str] = ("", ""),
) -> dict[str, pl.DataFrame | None]:
    """Play what a report's page says of its players beside its own games, as ``trust``.

    singles: one strategy each at a table of the leading one, with its games: they are
    played by the base rules, if the report's differ. learner: also learns against the
    table of ``lead``. led: the players who lead, and who led before they adapted: these
    play by the base rules. Columns: strategy, gain, gain_se, n (of the learner), base,
    base_se. None if there is nothing to play.
    """
    table = _Table(lead, GAMES, {})
    parts = [table.with_learner({}, learner, out / "here")] if learner else []
    if lead.rules != _by_base(lead).rules:
        for number, (cell, games) in enumerate(singles):
            printed = _by_base(_led(cell, *led))
            if _can_be_played(printed):
                gain = _Table(printed, games, {}).gain(out / f"base-{number}")
                name = pl.lit(cell.strategies()[0].title)
                parts.append(_as_base(gain.with_columns(strategy=name)))
        before = _by_base(_led(lead, *led))
        if learner and _can_be_played(before):
            played = _Table(before, GAMES, {})
            found = played.with_learner({}, learner, out / "base")
            parts.append(_as_base(found))
    return {"trust": pl.concat(parts, how="diagonal") if parts else None}


def _fresh(cell: Cell) -> Cell:
    """A cell on deals of its own."""
    return replace(cell, seed=(cell.seed + _FRESH) % (1 << 64))


def _led(cell: Cell, lead: str, before: str) -> Cell:
    """A cell with those who led ``before`` in the seats, and plans, of the leading."""
    if not before:
        return cell
    seats = (
        one.replace(lead, before) if isinstance(one, str) else one
        for one in cell.lineup
    )
    return replace(cell, lineup=tuple(seats))


def _by_base(cell: Cell) -> Cell:
    """A cell by the base rules, on deals of its own.

    Why: errors of differences are those of independent games.
    """
    return replace(_fresh(cell), rules=sim.games.load(cell.game).rules())


@dataclass(frozen=True)
class _Table:
    """A table at which one seat is given to others, in so many games."""

    cell: Cell
    games: int
    how: Mapping[str, Any]

    def by_base(self) -> "_Table":
        """The same table by the base rules, on deals of its own."""
        return replace(self, cell=_by_base(self.cell))

    def with_learner(
        self, specs: Mapping[str, str], learner: Learner | None, out: Path | None
    ) -> pl.DataFrame:
        """The gains of strategies, and of one that learns against this table."""
        if learner and not sim.games.load(self.cell.game).scalar:
            learned = learner(self.cell, _in(out, LEARNER))
            specs = {**specs, LEARNER: learned}
        return self.gains(specs, out)

    def gains(self, specs: Mapping[str, str], out: Path | None) -> pl.DataFrame:
        """(strategy, gain, gain_se, n) of each, by name."""
        parts = [pl.DataFrame(schema=_GAINS)]
        for number, (name, spec) in enumerate(specs.items()):
            cell = replace(self.cell, lineup=(spec, *self.cell.lineup[1:]))
            table = _Table(cell, max(self.games // cell.cost, 1), self.how)
            gain = table.gain(_in(out, f"one-{number}"))
            parts.append(gain.with_columns(strategy=pl.lit(name)).select(*_GAINS))
        return pl.concat(parts)

    def gain(self, out: Path | None) -> pl.DataFrame:
        """What the first strategy of the lineup gains among the others."""
        players, title = self.cell.players, self.cell.strategies()[0].title
        roles = ("one", *["other"] * (players - 1))
        cell = replace(self.cell, roles=roles)
        done = run([cell], self.games, detailed=False, out=out, **self.how)
        won = dict(done.sums.filter(measure=_WON).select("strategy", "y").rows())
        gain, se = beyond_even(won["one"], sum(won.values()), self.games, players)
        row = {"strategy": title, "gain": gain, "gain_se": se, "n": float(self.games)}
        return pl.DataFrame([row])


def _as_base(gains: pl.DataFrame) -> pl.DataFrame:
    return gains.select("strategy", base="gain", base_se="gain_se")


def _can_be_played(cell: Cell) -> bool:
    """Whether its strategies fit its rules."""
    try:
        cell.strategies()
    except UnknownStrategy:
        return False
    return True


def _in(out: Path | None, name: str) -> Path | None:
    return None if out is None else out / name

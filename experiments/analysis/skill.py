"""The ladder of skill: from beginners via the other levels of strength to search.

Each rung sits alone at a table of the leading heuristic, or (``BEFORE``) of the rung
before it. Every deal is played twice with it in each seat, and all rungs play the same
deals, so that gains from rung to rung are hardly luck. The number of doublings of the
budget that are shown to gain measures the depth of the game, as far as this
searcher can tell (Lantz, Isaksen, Jaffe, Nealen & Togelius 2017, Depth in Strategic
Games, AAAI workshop on what's next for AI in games).
"""

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

from experiments.analysis import multi_run
from experiments.analysis.luck_shares import PLAYS, duplicates
from experiments.analysis.multi_run import StageProgress, silent
from experiments.analysis.skill_result import BEFORE, NO_MORE, Ladder, Rung
from experiments.core.cells import Cell, UsageError
from experiments.studies.lineups import default_lineup
from sim.parameters import Rules
from strategies import registry
from strategies.base import parameters
from strategies.learned import shipped
from strategies.random import Random
from strategies.search import Search
from strategies.strength_levels import Beginner, Good, Strong

BUDGETS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
GAMES, TOLERANCE, MINUTES = 2_048, 0.02, 5.0
"""Defaults: games of a rung with one sample, gain that does not matter, and time."""
_ROLLOUTS = 16_384  # played on at once by a block of searchers, about
_LEAST_BLOCK = 32  # games


def skill(  # noqa: PLR0913 - all that the command line knows
    game: str,
    strategies: Sequence[str] = (),
    *,
    rules: Rules,
    players: int,
    given: tuple[str, ...] = (),
    against: str = "",
    search: str = "",
    budgets: Sequence[int] = BUDGETS,
    games: int = GAMES,
    precision: float | None = None,
    tolerance: float = TOLERANCE,
    minutes: float | None = MINUTES,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    watch: StageProgress = silent,
    **how: Any,
) -> Ladder:
    """Climb the ladder: these strategies (by default ``usual_rungs``), then search.

    The strategies are ordered by their strength on separate deals. ``against``: who has
    the other seats, by default the leading heuristic, or ``BEFORE``. ``search`` is a
    spec without samples. ``games`` of each rung, divided by the fourth root of its
    samples; with ``precision``, as many as make the 95 % interval of each win share at
    most this wide to each side. The ladder ends with the doubling that is shown to
    gain less than ``tolerance``; no rung is started that would end after ``minutes``,
    as estimated from the one before. ``how`` goes to ``run``.

    Raises ``UsageError``, ``UnknownStrategy`` or ``RuleError`` before it plays.
    """
    if not 0 < tolerance < 1:
        raise UsageError(f"tolerance: above 0 and below 1, not {tolerance:g}.")
    climb = _Climb(
        game,
        rules,
        players,
        against or default_lineup(game),
        search or _searcher(game),
        _checked(budgets),
        _deals(games, precision, players),
        precision is not None,
        seed,
        given,
        {"jobs": jobs, **how},
        watch,
    )
    names = climb.specs(strategies)
    climb.check_deals()
    asked: dict[str, Any] = {"what": "skill", "game": game, "players": players}
    asked |= {"seed": seed} | ({"given": [*given]} if given else {})
    with multi_run.stage_folder(out, asked) as folder:
        steps = climb.steps(names, folder)
        return _ladder(climb, steps, folder, tolerance, minutes)


def usual_rungs(game: str) -> list[str]:
    """The rungs below search by default: the levels of strength.

    Without the expert, whom search with a growing budget takes the place of. Random
    play is no yardstick: it is a rung where a game has nobody else.
    """
    heuristics = [name for name in registry.builtin(game) if name != Random.name]
    if not heuristics:
        return [Random.name]
    strong = [Strong.name] if shipped(game) else []
    return [Beginner.name, Good.name, *strong]


@dataclass(frozen=True)
class _Step:
    """A rung that has not been played yet."""

    name: str
    spec: str
    samples: int | None = None


@dataclass(frozen=True)
class _Climb:
    """Plays rungs: what they all share."""

    game: str
    rules: Rules
    players: int
    against: str
    search: str
    budgets: tuple[int, ...]
    deals: int  # of a rung with one sample
    alike: bool  # all rungs play the same number of deals
    seed: int
    given: tuple[str, ...]  # what all deals fit
    how: Mapping[str, Any]
    watch: StageProgress

    def specs(self, strategies: Sequence[str]) -> list[str]:
        """Return the specs of the strategies; raises if a name is wrong."""
        names = list(dict.fromkeys(strategies or usual_rungs(self.game)))
        table = names[0] if self.against == BEFORE else self.against
        for name in (*names, self._searcher(1).spec):
            self._cell(name, table)
        return names

    def check_deals(self) -> None:
        """Raise ``RuleError`` if deals hardly ever fit what is given."""
        self._cell(Random.name, Random.name).given_chance()

    def steps(self, names: Sequence[str], folder: Path) -> list[_Step]:
        """Return all rungs: the strategies by strength, then search.

        Their strength is measured at tables of the leading heuristic, on other deals.
        """
        wins = {}
        around = default_lineup(self.game) if self.against == BEFORE else self.against
        table = self._step(around)
        other = replace(self, seed=(self.seed + 1) % (1 << 64))
        for name in names:
            step = self._step(name)
            rung = other.rung(step, table, folder / "order")
            wins[step] = float(rung.wins.mean())
        order = sorted(wins, key=lambda step: wins[step])
        return [*order, *map(self._searcher, self.budgets)]

    def rung(self, step: _Step, table: _Step, folder: Path) -> Rung:
        """Play a rung at a table of another."""
        cell = self._cell(step.spec, table.spec)
        cost = cell.cost
        how = dict(self.how)
        if cost > 1:
            how["block"] = max(_ROLLOUTS // cost, _LEAST_BLOCK)
        place = folder / re.sub(r"[^\w.=-]+", "-", step.name)
        with self.watch(step.name) as progress:
            played = duplicates(
                cell, self.deals_of(step), out=place, progress=progress, **how
            )
        return Rung(step.name, step.samples, table.name, played)

    def deals_of(self, step: _Step) -> int:
        """Return the number of deals of a rung: fewer of a costly one."""
        if self.alike:
            return self.deals
        cost = step.samples or registry.make(self.game, step.spec).cost
        return max(math.ceil(self.deals / cost**0.25), 2)

    def cost(self, step: _Step) -> float:
        """Return how long a rung of search takes, relative to others."""
        return self.deals_of(step) * (step.samples or 0)

    def _step(self, spec: str) -> _Step:
        return _Step(registry.title(self.game, spec), spec)

    def _searcher(self, samples: int) -> _Step:
        spec = f"{self.search}:samples={samples}"
        return _Step(spec, spec, samples)

    def _cell(self, spec: str, table: str) -> Cell:
        seats = (spec, *[table] * (self.players - 1))
        cell = Cell(
            self.game,
            self.rules,
            self.players,
            seats,
            seed=self.seed,
            given=self.given,
        )
        cell.strategies()
        return cell


def _ladder(
    climb: _Climb,
    steps: Sequence[_Step],
    folder: Path,
    tolerance: float,
    minutes: float | None,
) -> Ladder:
    """Climb until nothing more is gained, or time is up."""
    begun, rungs, why = time.monotonic(), [], ""
    seconds_a_cost = 0.0
    ladder = Ladder(
        climb.game,
        climb.rules,
        climb.players,
        climb.against,
        climb.seed,
        tolerance,
        climb.budgets,
        (),
    )
    for number, step in enumerate(steps):
        started = time.monotonic()
        ends = started - begun + seconds_a_cost * climb.cost(step)
        if minutes is not None and seconds_a_cost and ends > 60 * minutes:
            why = "time"
            break
        if climb.against != BEFORE:
            table = climb._step(climb.against)
        elif number:
            table = steps[number - 1]
        else:  # no rung stands before the first
            continue
        rungs.append(climb.rung(step, table, folder))
        ladder = replace(ladder, rungs=tuple(rungs))
        if step.samples:
            seconds_a_cost = (time.monotonic() - started) / climb.cost(step)
        if ladder.settled:
            why = NO_MORE
            break
    tried = {rung.samples for rung in rungs}
    left = tuple(budget for budget in climb.budgets if budget not in tried)
    return replace(ladder, budgets_left=left, why=why)


def _searcher(game: str) -> str:
    """Return the spec of search whose rollouts play the leading heuristic."""
    lead = default_lineup(game)
    default = dict(parameters(Search))["inner"]
    return Search.name if lead == default else f"{Search.name}:inner={lead}"


def _checked(budgets: Sequence[int]) -> tuple[int, ...]:
    """Return the budgets, the smallest first; raises ``UsageError``."""
    ordered = tuple(sorted(set(budgets)))
    if not ordered or ordered[0] < 1:
        raise UsageError(
            "samples: per decision, at least 1 each, as in 1,2,4,8; not "
            f"{', '.join(map(str, budgets)) or 'none'}."
        )
    return ordered


def _deals(games: int, precision: float | None, players: int) -> int:
    """Return the deals of a rung with one sample; raises ``UsageError``."""
    if precision is not None:
        if not 0.0005 <= precision < 0.5:
            raise UsageError(
                f"precision: 0.05 to 50 percentage points, not {100 * precision:g}."
            )
        z = NormalDist().inv_cdf(0.975)
        games = math.ceil((z / (2 * precision)) ** 2)
    least = 2 * PLAYS * players
    if games < least:
        raise UsageError(
            f"games: at least {least}, {PLAYS} of each seat on two deals, not {games}."
        )
    return math.ceil(games / (PLAYS * players))

"""The ladder of skill: from chance over the heuristics to search, budget by budget.

Each rung sits alone at a table of others: of the leading heuristic, or (``BEFORE``) of
the rung before it. Every deal is played twice with it in each seat, and all rungs play
the same deals, so that what is gained from rung to rung is hardly luck. How many
doublings of the budget surely gain something is how deep the game is, as far as this
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

from experiments.analysis import stages
from experiments.analysis.ladder import BEFORE, NO_MORE, Ladder, Rung
from experiments.analysis.luck import PLAYS, duplicates
from experiments.analysis.sides import leading
from experiments.analysis.stages import Watch, silent
from experiments.core.cells import Cell, UsageError
from sim.parameters import Rules
from strategies import registry
from strategies.base import parameters
from strategies.search import Search

BUDGETS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
GAMES, TOLERANCE, MINUTES = 2_048, 0.02, 5.0
"""Games of a rung with one sample, what does not matter, and time, unless said."""
_TOGETHER = 16_384  # games played on at once, about
_FEWEST = 32  # games of a block


def skill(  # noqa: PLR0913 - all that the command line knows
    game: str,
    strategies: Sequence[str] = (),
    *,
    rules: Rules,
    players: int,
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
    watch: Watch = silent,
    **how: Any,
) -> Ladder:
    """Climb the ladder: these heuristics (all of the game's), then search.

    The heuristics stand in the order of their strength on deals of their own.
    ``against``: who sits around each rung; the leading heuristic, or ``BEFORE``.
    ``search`` is a spec without its samples. ``games`` of each rung, divided by the
    fourth root of its samples; with ``precision`` as many in each rung as make no
    interval of a win share wider than that to both sides. It ends with the doubling
    that surely gains less than ``tolerance``; and no rung is begun that would end after
    so many ``minutes``, as far as the one before tells. ``how`` goes to ``run``.

    Raises ``UsageError``, ``UnknownStrategy`` or ``RuleError`` before it plays.
    """
    if not 0 < tolerance < 1:
        raise UsageError(f"tolerance: above 0 and below 1, not {tolerance:g}.")
    climb = _Climb(
        game,
        rules,
        players,
        against or leading(game),
        search or _searcher(game),
        _checked(budgets),
        _deals(games, precision, players),
        precision is not None,
        seed,
        {"jobs": jobs, **how},
        watch,
    )
    names = climb.checked(strategies)
    asked = {"what": "skill", "game": game, "players": players, "seed": seed}
    with stages.place(out, asked) as folder:
        steps = climb.steps(names, folder)
        return _ladder(climb, steps, folder, tolerance, minutes)


@dataclass(frozen=True)
class _Step:
    """A rung that is still to be climbed."""

    name: str
    spec: str
    samples: int | None = None


@dataclass(frozen=True)
class _Climb:
    """What all rungs have in common."""

    game: str
    rules: Rules
    players: int
    against: str
    search: str
    budgets: tuple[int, ...]
    deals: int  # of a rung with one sample
    alike: bool  # as many of every other one
    seed: int
    how: Mapping[str, Any]
    watch: Watch

    def checked(self, strategies: Sequence[str]) -> list[str]:
        """The specs of the heuristics; raises what is wrong with any name."""
        names = list(dict.fromkeys(strategies or registry.builtin(self.game)))
        table = names[0] if self.against == BEFORE else self.against
        for name in (*names, self._searcher(1).spec):
            self._cell(name, table)
        return names

    def steps(self, names: Sequence[str], folder: Path) -> list[_Step]:
        """All rungs: the heuristics in the order of their strength, then search.

        The order is found at tables of the leading heuristic, on deals of its own.
        """
        rungs = {}
        table = self._step(
            leading(self.game) if self.against == BEFORE else self.against
        )
        other = replace(self, seed=(self.seed + 1) % (1 << 64))
        for name in names:
            step = self._step(name)
            rung = other.rung(step, table, folder / "order")
            rungs[step] = int(rung.wins.sum())
        order = sorted(rungs, key=lambda step: rungs[step])
        return [*order, *map(self._searcher, self.budgets)]

    def rung(self, step: _Step, table: _Step, folder: Path) -> Rung:
        """Play it at a table of others."""
        cell = self._cell(step.spec, table.spec)
        cost = cell.cost
        how = dict(self.how)
        if cost > 1:
            how["block"] = max(_TOGETHER // cost, _FEWEST)
        place = folder / re.sub(r"[^\w.=-]+", "-", step.name)
        with self.watch(step.name) as progress:
            played = duplicates(
                cell, self.many(step), out=place, progress=progress, **how
            )
        return Rung(step.name, step.samples, table.name, played)

    def many(self, step: _Step) -> int:
        """How many deals are played of a rung: fewer of a costly one."""
        if self.alike or step.samples is None:
            return self.deals
        return max(math.ceil(self.deals / step.samples**0.25), 2)

    def cost(self, step: _Step) -> float:
        """How long a rung of search takes, beside another one."""
        return self.many(step) * (step.samples or 0)

    def _step(self, spec: str) -> _Step:
        return _Step(registry.title(self.game, spec), spec)

    def _searcher(self, samples: int) -> _Step:
        spec = f"{self.search}:samples={samples}"
        return _Step(spec, spec, samples)

    def _cell(self, spec: str, table: str) -> Cell:
        seats = (spec, *[table] * (self.players - 1))
        cell = Cell(self.game, self.rules, self.players, seats, seed=self.seed)
        cell.strategies()
        return cell


def _ladder(
    climb: _Climb,
    steps: Sequence[_Step],
    folder: Path,
    tolerance: float,
    minutes: float | None,
) -> Ladder:
    """Climb until nothing more is gained, or time is over."""
    begun, rungs, why = time.monotonic(), [], ""
    seconds_a_cost = 0.0
    found = Ladder(
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
        else:  # there is none before it
            continue
        rungs.append(climb.rung(step, table, folder))
        found = replace(found, rungs=tuple(rungs))
        if step.samples:
            seconds_a_cost = (time.monotonic() - started) / climb.cost(step)
        if found.settled:
            why = NO_MORE
            break
    tried = {rung.samples for rung in rungs}
    left = tuple(one for one in climb.budgets if one not in tried)
    return replace(found, left=left, why=why)


def _searcher(game: str) -> str:
    """Search, which plays on as the leading heuristic."""
    lead = leading(game)
    default = dict(parameters(Search))["inner"]
    return Search.name if lead == default else f"{Search.name}:inner={lead}"


def _checked(budgets: Sequence[int]) -> tuple[int, ...]:
    """Budgets, the smallest first; raises ``UsageError``."""
    found = tuple(sorted(set(budgets)))
    if not found or found[0] < 1:
        raise UsageError(
            "budgets: samples a decision, at least 1 each, as in 1,2,4,8; not "
            f"{', '.join(map(str, budgets)) or 'none'}."
        )
    return found


def _deals(games: int, precision: float | None, players: int) -> int:
    """Deals of a rung with one sample; raises ``UsageError``."""
    if precision is not None:
        if not 0.0005 <= precision < 0.5:
            raise UsageError(
                f"precision: 0.05 to 50 points of a share, not {100 * precision:g}."
            )
        z = NormalDist().inv_cdf(0.975)
        games = math.ceil((z / (2 * precision)) ** 2)
    least = 2 * PLAYS * players
    if games < least:
        raise UsageError(
            f"games: at least {least}, {PLAYS} of each seat on two deals, not {games}."
        )
    return math.ceil(games / (PLAYS * players))

"""One measurement of ``bench``, made in a process of its own.

It takes the measurement and its options as JSON, and prints the result as JSON.
"""

import json
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

_SEARCH = 8  # times the seconds of other samples
_FIRST = 1_024  # games of the first block
_LONG, _LONGEST = 4, 40  # times the seconds of a sample, about the most for a block
_SLOW_SAMPLES = 3  # samples if a block takes longer than a sample should


class _Lineup:
    """A lineup that plays one block after another."""

    def __init__(self, game: str, players: int, lineup: str) -> None:
        from experiments.core.blocks import BLOCK
        from experiments.core.cells import Cell
        from sim.games import load

        rules = load(game).rules()
        self.cell = Cell(game, rules, players, (lineup,) * players, seed=1)
        self.games = BLOCK * load(game).blocks  # of a block, in a long run
        self._next = 0

    def warm(self, longest: float) -> float:
        """Play ever larger blocks, up to those of a long run; return the last time.

        No block takes longer than about ``longest`` seconds: slow lineups are measured
        in smaller blocks.
        """
        most, self.games = self.games, min(_FIRST, self.games)
        while (spent := self.block()[0]) < longest / 4 and self.games < most:
            self.games = min(4 * self.games, most)
        return spent

    def block(self, games: int | None = None) -> tuple[float, int, int]:
        """Play the next block; return its seconds, games and decisions."""
        from experiments.core.block_records import Block
        from experiments.core.blocks import play_block

        block = Block(0, self._next, games or self.games)
        self._next += block.count
        start = time.perf_counter()
        outcome = play_block(self.cell, block)
        return time.perf_counter() - start, block.count, int(outcome.decisions)

    def sample(self, seconds: float) -> tuple[float, int, int]:
        """Time blocks for about this many seconds; return their totals."""
        spent, games, decisions = 0.0, 0, 0
        while spent < seconds:
            block = self.block()
            spent, games = spent + block[0], games + block[1]
            decisions += block[2]
        return spent, games, decisions


def _slowest(
    game: str, players: int, lineups: list[str], seconds: float, samples: int
) -> dict[str, Any]:
    def cost(name: str) -> float:
        lineup = _Lineup(game, players, name)
        lineup.warm(_LONG * seconds)
        spent, _, decisions = lineup.block()
        return spent / decisions

    return {"lineup": max(lineups, key=cost)}


def _one_core(
    game: str, players: int, lineup: str, seconds: float, samples: int
) -> dict[str, Any]:
    line = _Lineup(game, players, lineup)
    samples = _fewer(samples, line.warm(_LONG * seconds), seconds)
    timed = [line.sample(seconds) for _ in range(samples)]
    return _speed(lineup, 1, timed, _peak())


def _all_cores(
    game: str, players: int, lineup: str, seconds: float, samples: int, cores: int
) -> dict[str, Any]:
    """Time all cores in turns with one, through ``run``; workers start before."""
    from experiments.execution.run import run

    line = _Lineup(game, players, lineup)
    spent = line.warm(_LONG * seconds)
    least = cores if spent > seconds else 4 * cores
    blocks = max(least, round(2 * seconds * cores / spent))
    blocks += -blocks % cores
    games, block = blocks * line.games, line.games

    def timed(jobs: int) -> tuple[float, int, int]:
        start = time.perf_counter()
        result = run([line.cell], games, jobs=jobs, block=block)
        spent = time.perf_counter() - start
        return spent, games, int(result.manifest["decisions"])

    run([line.cell], 2 * cores * block, jobs=cores, block=block)  # starts the workers
    pairs = [(timed(1), timed(cores)) for _ in range(max(3, samples - 2))]
    scaling = median(single[0] / several[0] for single, several in pairs)
    values = _speed(lineup, cores, [several for _, several in pairs], _peak(True))
    return values | {"scaling": scaling}


def _search(
    game: str, players: int, lineup: str, seconds: float, samples: int
) -> dict[str, Any]:
    """Time decisions and rollouts, with more games at once until it takes a while.

    The games of a real block would take minutes, but with few games the calls of numpy
    dominate. So this takes some times as long as other samples.
    """
    from sim.rollouts import Determinizations
    from strategies import search

    rollouts = 0

    class Counted(Determinizations):
        def values(
            self, row: Any, sample: Any, of: Any, answer: Any, plan: Any = None
        ) -> Any:
            nonlocal rollouts
            rollouts += len(of)
            return super().values(row, sample, of, answer, plan)

    vars(search)["Determinizations"] = Counted  # this process only measures
    line = _Lineup(game, players, lineup)
    line.block(1)  # fits the win probability
    games, spent, decisions = 1, 0.0, 0
    while spent < _SEARCH * seconds:
        games, rollouts = 2 * games, 0
        spent, _, decisions = line.block(games)
    return {"decisions": decisions / spent, "rollouts": rollouts / spent}


def _peer(
    game: str, players: int, lineup: str, seconds: float, samples: int
) -> dict[str, Any]:
    """Time a lineup in turns with OpenSpiel (A B A B), as the machine may be noisy."""
    from experiments.benchmark import openspiel
    from sim.games import load

    line, peer = _Lineup(game, players, lineup), openspiel.Peer(load(game).peer)
    samples = _fewer(samples, line.warm(_LONGEST * seconds), seconds)
    rollouts = peer.rollouts_in(seconds)
    turns = []
    for _ in range(samples):
        theirs = rollouts * peer.decisions / peer.seconds(rollouts)
        spent, _, decisions = line.sample(seconds)
        turns.append((decisions / spent, theirs))
    return {
        "lineup": lineup,
        "ours": median(ours for ours, _ in turns),
        "peer": median(theirs for _, theirs in turns),
        "ratio": median(ours / theirs for ours, theirs in turns),
    }


def _fewer(samples: int, spent: float, seconds: float) -> int:
    """Return the number of samples: few if a block takes longer than one should."""
    return min(samples, _SLOW_SAMPLES) if spent > 2 * seconds else samples


def _speed(
    lineup: str, cores: int, timed: list[tuple[float, int, int]], memory: float
) -> dict[str, Any]:
    rates = sorted(games / spent for spent, games, _ in timed)
    return {
        "lineup": lineup,
        "cores": cores,
        "games_per_second": median(rates),
        "ns_per_decision": median(spent / n * 1e9 for spent, _, n in timed),
        "memory_mib": memory,
        "spread": (rates[-1] - rates[0]) / median(rates),
    }


def _peak(workers: bool = False) -> float:
    """Return the peak memory (MiB) of this process, or of the largest worker."""
    import resource

    unit = 2**20 if sys.platform == "darwin" else 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if workers:
        peak = max(peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    return peak / unit


def _machine() -> dict[str, Any]:
    """Measure the cost of numpy on this machine."""
    from experiments.benchmark.machine import measure_machine

    return measure_machine()


MEASURES: dict[str, Callable[..., dict[str, Any]]] = {
    "machine": _machine,
    "slowest": _slowest,
    "one": _one_core,
    "all": _all_cores,
    "search": _search,
    "peer": _peer,
}

if __name__ == "__main__":
    measure, options = json.loads(sys.argv[1])
    print(json.dumps(MEASURES[measure](**options)))

"""How fast: games a second and nanoseconds a decision, beside a peer.

Every measurement runs in a process of its own, so that its peak memory is its
own. It plays blocks as a run does, dealing and summary tables included, and
counts the choices really offered. The first block warms up and does not count;
then medians. On all cores the workers have started before the clock does.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

PLAYERS = 4


@dataclass(frozen=True)
class Speed:
    """One lineup on some cores: medians over samples."""

    lineup: str
    cores: int
    games_per_second: float
    ns_per_decision: float
    memory_mib: float  # peak of the measuring process (one of several workers)
    spread: float  # (slowest - fastest) / median of the samples


@dataclass(frozen=True)
class Ratio:
    """Decisions a second of a lineup over those of the peer, measured in turn."""

    lineup: str
    ours: float  # decisions a second
    peer: float
    ratio: float  # median of the ratios of the turns
    floor: float | None

    @property
    def reached(self) -> bool | None:
        """Whether the floor is reached; None where there is none."""
        return None if self.floor is None else self.ratio >= self.floor


@dataclass
class Bench:
    """All that was measured."""

    game: str
    players: int
    cores: int
    busy: str  # what else the machine was doing, in words; empty where idle
    speeds: list[Speed] = field(default_factory=list)
    scaling: dict[str, float] = field(default_factory=dict)  # all cores over one
    ratios: list[Ratio] = field(default_factory=list)
    peer: str = ""

    def plain(self) -> dict[str, Any]:
        """Everything as JSON knows it."""
        told = asdict(self)
        for ratio, row in zip(self.ratios, told["ratios"], strict=True):
            row["reached"] = ratio.reached
        return told


Say = Callable[[str], None]


def bench(game: str, seconds: float = 0.5, samples: int = 5, say: Say = print) -> Bench:
    """Measure a game; ``seconds`` is about how long a sample takes."""
    from experiments import openspiel  # noqa: PLC0415
    from sim.games import load  # noqa: PLC0415
    from strategies.registry import builtin  # noqa: PLC0415

    known = load(game)
    players = PLAYERS if PLAYERS in known.players else known.players[0]
    cores = _cores()
    found = Bench(game, players, cores, busy())
    how = {"game": game, "players": players, "seconds": seconds, "samples": samples}
    say("which strategy is slowest")
    names = list(builtin(game))
    slowest = _child("slowest", lineups=names, **how)["lineup"]
    strongest = "balanced" if "balanced" in names else slowest
    for lineup in dict.fromkeys(["random", slowest, strongest]):
        say(f"{lineup} on one core")
        found.speeds.append(Speed(**_child("one", lineup=lineup, **how)))
        if cores > 1:
            say(f"{lineup} on {cores} cores")
            told = _child("all", lineup=lineup, cores=cores, **how)
            found.scaling[lineup] = told.pop("scaling")
            found.speeds.append(Speed(**told))
    if openspiel.installed():
        found.peer = f"OpenSpiel C++ random rollouts of {openspiel.GAME}"
        floors = dict(zip(("random", strongest), known.floor, strict=True))
        for lineup in dict.fromkeys(["random", slowest, strongest]):
            say(f"{lineup} in turn with OpenSpiel")
            told = _child("peer", lineup=lineup, **how)
            found.ratios.append(Ratio(**told, floor=floors.get(lineup)))
    return found


def busy() -> str:
    """What the machine does besides, in words; empty where it is idle."""
    import psutil  # type: ignore[import-untyped]  # noqa: PLC0415 - slow to import

    used = psutil.cpu_percent(interval=0.5)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if used < 10 and load < _cores():
        return ""
    return f"{used:.0f} % of the processor in use, load {load:.1f} on {_cores()} cores"


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _child(what: str, **how: Any) -> dict[str, Any]:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "experiments.bench", json.dumps([what, how])]
    env = os.environ | {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(  # noqa: S603 - our own module
        command, capture_output=True, text=True, check=False, env=env
    )
    if done.returncode:
        from experiments.run import RunFailed  # noqa: PLC0415

        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RunFailed(f"bench: measuring {what} failed: {last}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


class _Lineup:
    """A lineup that plays block after block."""

    def __init__(self, game: str, players: int, lineup: str) -> None:
        from experiments.cells import Cell  # noqa: PLC0415
        from sim.games import load  # noqa: PLC0415

        rules = load(game).rules()
        self.cell = Cell(game, rules, players, (lineup,) * players, seed=1)
        self._next = 0

    def block(self, games: int | None = None) -> tuple[float, int, int]:
        """Seconds, games and decisions of the next block."""
        from experiments.blocks import BLOCK, Block, play_block  # noqa: PLC0415

        block = Block(0, self._next, games or BLOCK)
        self._next += block.count
        start = time.perf_counter()
        outcome = play_block(self.cell, block)
        return time.perf_counter() - start, block.count, int(outcome.decisions)

    def sample(self, seconds: float) -> tuple[float, int, int]:
        """The same of as many blocks as take about so long."""
        spent, games, decisions = 0.0, 0, 0
        while spent < seconds:
            more = self.block()
            spent, games = spent + more[0], games + more[1]
            decisions += more[2]
        return spent, games, decisions


def _slowest(
    game: str, players: int, lineups: list[str], seconds: float, samples: int
) -> dict[str, Any]:
    def cost(name: str) -> float:
        lineup = _Lineup(game, players, name)
        lineup.block(1_024)
        spent, _, decisions = lineup.block()
        return spent / decisions

    return {"lineup": max(lineups, key=cost)}


def _one(
    game: str, players: int, lineup: str, seconds: float, samples: int
) -> dict[str, Any]:
    line = _Lineup(game, players, lineup)
    line.block()
    found = [line.sample(seconds) for _ in range(samples)]
    return _speed(lineup, 1, found, _peak())


def _all(
    game: str, players: int, lineup: str, seconds: float, samples: int, cores: int
) -> dict[str, Any]:
    """All cores in turn with one, through ``run``; workers started before."""
    from experiments.blocks import BLOCK  # noqa: PLC0415
    from experiments.run import run  # noqa: PLC0415

    line = _Lineup(game, players, lineup)
    line.block()
    blocks = max(4 * cores, round(2 * seconds * cores / line.block()[0]))
    blocks += -blocks % cores
    games = blocks * BLOCK

    def timed(jobs: int) -> tuple[float, int, int]:
        start = time.perf_counter()
        result = run([line.cell], games, jobs=jobs)
        spent = time.perf_counter() - start
        return spent, games, int(result.manifest["decisions"])

    run([line.cell], 2 * cores * BLOCK, jobs=cores)  # starts the workers
    pairs = [(timed(1), timed(cores)) for _ in range(max(3, samples - 2))]
    scaling = median(one[0] / several[0] for one, several in pairs)
    told = _speed(lineup, cores, [several for _, several in pairs], _peak(True))
    return told | {"scaling": scaling}


def _peer(
    game: str, players: int, lineup: str, seconds: float, samples: int
) -> dict[str, Any]:
    """A B A B with OpenSpiel."""
    from experiments import openspiel  # noqa: PLC0415

    line, peer = _Lineup(game, players, lineup), openspiel.Peer()
    line.block()
    rollouts = peer.rollouts_in(seconds)
    turns = []
    for _ in range(samples):
        theirs = rollouts * openspiel.DECISIONS / peer.seconds(rollouts)
        spent, _, decisions = line.sample(seconds)
        turns.append((decisions / spent, theirs))
    return {
        "lineup": lineup,
        "ours": median(ours for ours, _ in turns),
        "peer": median(theirs for _, theirs in turns),
        "ratio": median(ours / theirs for ours, theirs in turns),
    }


def _speed(
    lineup: str, cores: int, found: list[tuple[float, int, int]], memory: float
) -> dict[str, Any]:
    rates = sorted(games / spent for spent, games, _ in found)
    return {
        "lineup": lineup,
        "cores": cores,
        "games_per_second": median(rates),
        "ns_per_decision": median(spent / n * 1e9 for spent, _, n in found),
        "memory_mib": memory,
        "spread": (rates[-1] - rates[0]) / median(rates),
    }


def _peak(workers: bool = False) -> float:
    """Peak memory of this process, or of the largest worker if that is more."""
    import resource  # noqa: PLC0415 - not on every system

    unit = 2**20 if sys.platform == "darwin" else 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if workers:
        peak = max(peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    return peak / unit


_MEASURES: dict[str, Callable[..., dict[str, Any]]] = {
    "slowest": _slowest,
    "one": _one,
    "all": _all,
    "peer": _peer,
}

if __name__ == "__main__":
    measure, options = json.loads(sys.argv[1])
    print(json.dumps(_MEASURES[measure](**options)))

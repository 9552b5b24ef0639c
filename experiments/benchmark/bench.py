"""Benchmark: games a second and nanoseconds a decision, compared with a peer.

Every measurement has a process of its own, and so a peak memory of its own. It plays
blocks as a run does, with deals and summary tables, and counts the choices that are
really offered. The first blocks, ever larger, warm up and do not count: they find the
largest block that does not take too long. Figures are medians. On all cores, workers
start before the clock does.

Absolute figures do not carry over to other machines. So the machine is described, with
the cost of a bare numpy pass, and costs are also given as multiples of that.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from experiments.benchmark.machine import Machine
from experiments.execution.process_launch import run_module

PLAYERS = 4
SAMPLES = 16  # deals for each answer of the search that is measured


@dataclass(frozen=True)
class Speed:
    """The speed of a lineup on a number of cores: medians over samples."""

    lineup: str
    cores: int
    games_per_second: float
    ns_per_decision: float
    memory_mib: float  # peak of the measuring process (one of several workers)
    spread: float  # (slowest - fastest) / median of the samples
    passes: float  # the cost of a decision, in numpy passes over one number


@dataclass(frozen=True)
class Ratio:
    """Decisions a second of a lineup over those of the peer, measured in turns."""

    lineup: str
    ours: float  # decisions a second
    peer: float
    ratio: float  # median of the ratios of the turns
    floor: float | None

    @property
    def reached(self) -> bool | None:
        """Whether the floor is reached; None if there is none."""
        return None if self.floor is None else self.ratio >= self.floor


@dataclass(frozen=True)
class Searching:
    """The speed of search in every seat, on one core."""

    lineup: str
    decisions_per_second: float
    rollouts_per_second: float  # to the end of the game or of a stage
    plain: str  # the strategy that plays its rollouts, and that it is compared with
    cost: float  # time of a decision, as a multiple of that strategy's


@dataclass
class Bench:
    """All measurements of a game."""

    game: str
    players: int
    cores: int
    machine: Machine
    busy: str  # other load of the machine before or after; empty if idle
    speeds: list[Speed] = field(default_factory=list)
    scaling: dict[str, float] = field(default_factory=dict)  # all cores over one
    ratios: list[Ratio] = field(default_factory=list)
    peer: str = ""
    search: Searching | None = None

    def plain(self) -> dict[str, Any]:
        """Return everything as plain JSON."""
        values = asdict(self)
        for ratio, row in zip(self.ratios, values["ratios"], strict=True):
            row["reached"] = ratio.reached
        return values


Say = Callable[[str], None]


def bench(game: str, seconds: float = 0.5, samples: int = 5, say: Say = print) -> Bench:
    """Measure a game; ``seconds`` is about the time of a sample."""
    from experiments.benchmark import openspiel
    from sim.games import load
    from strategies.registry import builtin

    loaded = load(game)
    players = PLAYERS if PLAYERS in loaded.players else loaded.players[0]
    cores = _cores()
    say("numpy")
    machine = Machine(**_child("machine"))
    result = Bench(game, players, cores, machine, busy())
    options = {"game": game, "players": players, "seconds": seconds, "samples": samples}
    say("which strategy is slowest")
    names = list(builtin(game))
    slowest = _child("slowest", lineups=names, **options)["lineup"]
    strongest = "allround" if "allround" in names else slowest
    for lineup in dict.fromkeys(["random", slowest, strongest]):
        say(f"{lineup} on one core")
        result.speeds.append(_speed(_child("one", lineup=lineup, **options), machine))
        if cores > 1:
            say(f"{lineup} on {cores} cores")
            values = _child("all", lineup=lineup, cores=cores, **options)
            result.scaling[lineup] = values.pop("scaling")
            result.speeds.append(_speed(values, machine))
    say("search on one core")
    search = f"search:samples={SAMPLES}:inner={strongest}"
    values = _child("search", lineup=search, **options)
    result.search = Searching(
        search,
        values["decisions"],
        values["rollouts"],
        strongest,
        1e9 / values["decisions"] / _ns(result, strongest),
    )
    if openspiel.installed():
        result.peer = f"OpenSpiel C++ random rollouts of {loaded.peer}"
        floors = dict(zip(("random", strongest), loaded.floor, strict=True))
        for lineup in dict.fromkeys(["random", slowest, strongest]):
            say(f"{lineup} in turn with OpenSpiel")
            values = _child("peer", lineup=lineup, **options)
            floor = machine.floor(floors.get(lineup))
            result.ratios.append(Ratio(**values, floor=floor))
    result.busy = result.busy or busy()
    return result


def _speed(values: dict[str, Any], machine: Machine) -> Speed:
    """Return the speed that a child process measured."""
    return Speed(**values, passes=values["ns_per_decision"] / machine.pass_ns)


def _ns(result: Bench, lineup: str) -> float:
    """Return the nanoseconds of a lineup's decision on one core."""
    return next(
        speed.ns_per_decision
        for speed in result.speeds
        if (speed.lineup, speed.cores) == (lineup, 1)
    )


def busy() -> str:
    """Return the other load of the machine in words; "" if it is idle."""
    import psutil

    used = psutil.cpu_percent(interval=0.5)
    if used < 10:
        return ""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return f"{used:.0f} % of the processor in use, load {load:.1f} on {_cores()} cores"


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _child(measure: str, **options: Any) -> dict[str, Any]:
    """Measure in a process of its own; raises ``RunFailed``."""
    words = json.dumps([measure, options])
    env = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    code, output, errors = run_module("experiments.benchmark.bench_one", words, env=env)
    if code:
        from experiments.execution.run import RunFailed

        last = (errors.strip().splitlines() or ["no message"])[-1]
        raise RunFailed(f"bench: measuring {measure} failed: {last}")
    document: dict[str, Any] = json.loads(output.splitlines()[-1])
    return document

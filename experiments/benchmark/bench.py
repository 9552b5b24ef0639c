"""How fast: games a second and nanoseconds a decision, beside a peer.

Every measurement runs in a process of its own, so that its peak memory is its
own. It plays blocks as a run does, dealing and summary tables included, and
counts the choices really offered. The first blocks, ever larger, warm up and do not
count: they find how large a block may be that does not take too long. Then medians. On
all cores the workers have started before the clock does.

Absolute figures do not carry over to another machine. So the machine is told, with
what a bare numpy pass costs there, and each figure as a multiple of that too.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from experiments.benchmark.machine import Machine
from experiments.execution.launch import called

PLAYERS = 4
SAMPLES = 16  # deals an answer, of the search that is measured


@dataclass(frozen=True)
class Speed:
    """One lineup on some cores: medians over samples."""

    lineup: str
    cores: int
    games_per_second: float
    ns_per_decision: float
    memory_mib: float  # peak of the measuring process (one of several workers)
    spread: float  # (slowest - fastest) / median of the samples
    passes: float  # what a decision costs, in numpy passes over one number


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


@dataclass(frozen=True)
class Searching:
    """A search in every seat, on one core."""

    lineup: str
    decisions_per_second: float
    rollouts_per_second: float  # games played on, to their end or that of a stage
    plain: str  # the strategy that it is compared with, which plays on in it
    cost: float  # time a decision, as a multiple of that strategy's


@dataclass
class Bench:
    """All that was measured."""

    game: str
    players: int
    cores: int
    machine: Machine
    busy: str  # what else the machine did before or after; empty where idle
    speeds: list[Speed] = field(default_factory=list)
    scaling: dict[str, float] = field(default_factory=dict)  # all cores over one
    ratios: list[Ratio] = field(default_factory=list)
    peer: str = ""
    search: Searching | None = None

    def plain(self) -> dict[str, Any]:
        """Everything as JSON knows it."""
        values = asdict(self)
        for ratio, row in zip(self.ratios, values["ratios"], strict=True):
            row["reached"] = ratio.reached
        return values


Say = Callable[[str], None]


def bench(game: str, seconds: float = 0.5, samples: int = 5, say: Say = print) -> Bench:
    """Measure a game; ``seconds`` is about how long a sample takes."""
    from experiments.benchmark import openspiel
    from sim.games import load
    from strategies.registry import builtin

    known = load(game)
    players = PLAYERS if PLAYERS in known.players else known.players[0]
    cores = _cores()
    say("numpy")
    machine = Machine(**_child("machine"))
    found = Bench(game, players, cores, machine, busy())
    how = {"game": game, "players": players, "seconds": seconds, "samples": samples}
    say("which strategy is slowest")
    names = list(builtin(game))
    slowest = _child("slowest", lineups=names, **how)["lineup"]
    strongest = "allround" if "allround" in names else slowest
    for lineup in dict.fromkeys(["random", slowest, strongest]):
        say(f"{lineup} on one core")
        found.speeds.append(_speed(_child("one", lineup=lineup, **how), machine))
        if cores > 1:
            say(f"{lineup} on {cores} cores")
            values = _child("all", lineup=lineup, cores=cores, **how)
            found.scaling[lineup] = values.pop("scaling")
            found.speeds.append(_speed(values, machine))
    say("search on one core")
    search = f"search:samples={SAMPLES}:inner={strongest}"
    values = _child("search", lineup=search, **how)
    found.search = Searching(
        search,
        values["decisions"],
        values["rollouts"],
        strongest,
        1e9 / values["decisions"] / _ns(found, strongest),
    )
    if openspiel.installed():
        found.peer = f"OpenSpiel C++ random rollouts of {known.peer}"
        floors = dict(zip(("random", strongest), known.floor, strict=True))
        for lineup in dict.fromkeys(["random", slowest, strongest]):
            say(f"{lineup} in turn with OpenSpiel")
            values = _child("peer", lineup=lineup, **how)
            floor = machine.floor(floors.get(lineup))
            found.ratios.append(Ratio(**values, floor=floor))
    found.busy = found.busy or busy()
    return found


def _speed(values: dict[str, Any], machine: Machine) -> Speed:
    """A speed, as it was measured."""
    return Speed(**values, passes=values["ns_per_decision"] / machine.pass_ns)


def _ns(found: Bench, lineup: str) -> float:
    """Nanoseconds a decision of a lineup on one core."""
    return next(
        speed.ns_per_decision
        for speed in found.speeds
        if (speed.lineup, speed.cores) == (lineup, 1)
    )


def busy() -> str:
    """What the machine does besides, in words; empty where it is idle."""
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


def _child(what: str, **how: Any) -> dict[str, Any]:
    """Measure in a process of its own."""
    words = json.dumps([what, how])
    env = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    code, found, wrong = called("experiments.benchmark.bench_one", words, env=env)
    if code:
        from experiments.execution.run import RunFailed

        last = (wrong.strip().splitlines() or ["no message"])[-1]
        raise RunFailed(f"bench: measuring {what} failed: {last}")
    document: dict[str, Any] = json.loads(found.splitlines()[-1])
    return document

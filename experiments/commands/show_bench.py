"""Print the results of ``bench``."""

from experiments.benchmark.bench import Bench
from experiments.benchmark.machine import Machine
from experiments.commands import output


def as_tables(bench: Bench) -> None:
    """Print speeds, the gain from all cores, and the ratios to OpenSpiel."""
    if bench.busy:
        output.print_line(
            f"The machine is busy: {bench.busy}. Speeds are too low.", "yellow"
        )
    output.print_line(_described(bench.machine))
    output.table(
        f"{bench.game}, {bench.players} players, default rules",
        [
            "lineup",
            "cores",
            "games a second",
            "ns a decision",
            "passes",
            "MiB",
            "spread",
        ],
        [
            [
                speed.lineup,
                speed.cores,
                f"{speed.games_per_second:,.0f}",
                f"{speed.ns_per_decision:.1f}",
                f"{speed.passes:.0f}",
                f"{speed.memory_mib:,.0f}",
                f"{speed.spread:.0%}",
            ]
            for speed in bench.speeds
        ],
        "Medians. Decisions are real choices; dealing and summary tables are included, "
        "startup is not. Passes: the same in numpy passes. MiB: peak of the measuring "
        "process, or of the largest worker. Spread: slowest to fastest repeat.",
    )
    for lineup, gain in bench.scaling.items():
        output.print_line(f"{lineup}: {bench.cores} cores are {gain:.2f} times one")
    if bench.search is not None:
        output.print_line(
            f"{bench.search.lineup}: {bench.search.decisions_per_second:,.0f} "
            f"decisions and {bench.search.rollouts_per_second:,.0f} rollouts a second "
            f"on one core; a decision costs {bench.search.cost:,.0f} times one of "
            f"{bench.search.plain}"
        )
    if not bench.ratios:
        output.print_line(
            "For the ratio to OpenSpiel: pip install 'fairdeal[bench]'", "dim"
        )
        return
    output.print_line()
    output.table(
        f"Decisions a second, in turn with {bench.peer}",
        ["lineup", "ours", "OpenSpiel", "ratio", "floor"],
        [
            [
                ratio.lineup,
                f"{ratio.ours / 1e6:.1f} M",
                f"{ratio.peer / 1e6:.1f} M",
                f"{ratio.ratio:.2f}",
                _floor(ratio.floor, ratio.reached),
            ]
            for ratio in bench.ratios
        ],
    )


def _described(machine: Machine) -> str:
    """Describe the machine in a line."""
    caches = f", caches {' / '.join(machine.caches)}" if machine.caches else ""
    return (
        f"{machine.processor}{caches}. numpy here: a pass over 65,536 numbers of 64 "
        f"bits {machine.pass_ns:.2f} ns a number, a take by row "
        f"{machine.take_ns:.2f}, a call {machine.call_ns:.0f}."
    )


def _floor(floor: float | None, reached: bool | None) -> str:
    if floor is None:
        return "-"
    return f"{floor:g} {'reached' if reached else 'NOT reached'}"

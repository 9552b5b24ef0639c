"""The options that several commands share, and what Tab completes.

Imports nothing heavy: ``fairdeal --help`` reads this module.
"""

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer

_OPEN, _CLOSE, _QUOTES = "([{", ")]}", "\"'"


def several(text: str, *, valued: bool = False, spaced: bool = False) -> list[str]:
    """What an option that may be repeated takes at once, with commas between.

    A comma in brackets or quotes divides nothing; nor does, where each is
    ``valued``, KEY=VALUE, one before what has no = (``gem=1,3``); nor, of names that
    have commas themselves (``spaced``), one before a space.

    >>> several("life,weeks")
    ['life', 'weeks']
    >>> several("life=4,gem=1,3,deal=[1, 2]", valued=True)
    ['life=4', 'gem=1,3', 'deal=[1, 2]']
    """
    parts, depth, quote, before = [""], 0, "", ""
    for letter, after in zip_longest(text, text[1:], fillvalue=""):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in _QUOTES and before in f"=,{_OPEN}":  # no apostrophe
            quote = letter
        else:
            depth = max(depth + (letter in _OPEN) - (letter in _CLOSE), 0)
        inside = quote or depth or (spaced and after == " ")
        if letter == "," and not inside:
            parts.append("")
        else:
            parts[-1] += letter
        before = letter if letter.strip() else before
    found: list[str] = []
    for part in parts:
        if valued and found and "=" in found[-1] and "=" not in part:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return found


def repeatable(
    *, valued: bool = False, spaced: bool = False
) -> Callable[[list[str] | None], list[str] | None]:
    """The callback of an option that takes several: repeated, or as ``several``."""

    def read(given: list[str] | None) -> list[str] | None:
        return given and [
            one for text in given for one in several(text, valued=valued, spaced=spaced)
        ]

    return read


def have_workers(jobs: int, backend: str, *words: str, busy: bool = False) -> None:
    """Have workers begin while a command imports and plans, to play a game of these.

    ``busy``: it has more to do meanwhile than to play.
    """
    from sim.games import REGISTRY

    if backend == "loky" and not REGISTRY.keys().isdisjoint(words):
        from experiments.execution import workers

        workers.begin(workers.beside(jobs, busy=busy))


def complete_game(incomplete: str) -> list[str]:
    """Ids of games."""
    from sim.games import REGISTRY

    return [game for game in REGISTRY if game.startswith(incomplete)]


def complete_strategy(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of strategies, for the last place of a lineup."""
    from strategies.registry import builtin

    seated, comma, start = incomplete.rpartition(",")
    known = builtin(_game(ctx))
    return [seated + comma + name for name in known if name.startswith(start)]


def complete_setting(ctx: typer.Context, incomplete: str) -> list[str]:
    """Keys of rule values, with the equals sign."""
    from experiments.variants.by_players import settable
    from sim.games import load

    known = settable(load(_game(ctx)).rules())
    return [f"{key}=" for key in known if key.startswith(incomplete)]


def _game(ctx: typer.Context) -> str:
    """The game that stands on the line already, or the first there is."""
    from sim.games import REGISTRY

    said = [ctx.params.get(name) for name in ("game", "what")]
    return next((game for game in said if game in REGISTRY), next(iter(REGISTRY)))


Game = Annotated[
    str,
    typer.Argument(
        help="Id of the game, as `fairdeal games` lists it.",
        metavar="GAME",
        autocompletion=complete_game,
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Players = Annotated[
    str,
    typer.Option(
        "--players", metavar="N", help="How many play; several as in 3,4 or 3-5."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        help="Seed of all chance; drawn and told when not given.",
    ),
]
Lineup = Annotated[
    str,
    typer.Option(
        "--lineup",
        metavar="A,B,C,D",
        help="A strategy for each seat, as in allround,greedy,random,random; one "
        "fills all seats; planner:margin=1 sets a parameter, 'noisy(planner, 0.1)' "
        "restricts one.",
        autocompletion=complete_strategy,
    ),
]
Own = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        metavar="FILE.py:CLASS",
        help="A strategy of one's own, as my.py:Bold; the lineup may then name it, "
        "and without a lineup it sits everywhere. Repeatable, or with commas.",
        callback=repeatable(),
    ),
]
Rotate = Annotated[
    bool,
    typer.Option(
        "--rotate/--no-rotate", help="Move the lineup on by a seat from game to game."
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a rule value, as in life=4 or squares.blue.gem=3. Repeatable, or "
        "with commas; beats the variant file.",
        callback=repeatable(valued=True),
        autocompletion=complete_setting,
    ),
]
VariantFile = Annotated[
    Path | None,
    typer.Option(
        "--variant",
        metavar="FILE",
        help="TOML file with the rules that differ, or its name.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "-j", "--jobs", metavar="N", help="Processes to use; -1 for all cores."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Directory for the results (default: a new one under results/). That "
        "of an interrupted run goes on with it.",
    ),
]
Kept = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Directory for the games (default: none is kept).",
    ),
]
Tables = Annotated[
    str,
    typer.Option(
        "--tables",
        metavar="A,B",
        help="Raw tables to keep as parquet, as in trick,gem; `all` for every one.",
    ),
]


Precision = Annotated[
    str,
    typer.Option(
        "--precision",
        metavar="WIDTH",
        help="Stop when the first --measure is known to this, as 0.2pp (percentage "
        "points) or, for what is no share, a number.",
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        metavar="NAME",
        help="A measure to print, as in 'won by position' or any of the game's report. "
        "Repeatable, or with commas.",
        callback=repeatable(spaced=True),
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Play a few games only, and tell what the run would take."
    ),
]
FailFast = Annotated[
    bool,
    typer.Option("--fail-fast", help="Stop everything when one lineup or cell fails."),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend", metavar="NAME", help="loky: this machine. dask: a cluster."
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="The cluster's, as tcp://host:8786."
    ),
]


Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Run the strategies' files that a run names, though they are not those it "
        "was started with, and use the cluster that it names.",
    ),
]


def example(*lines: str) -> str:
    """The epilog of a command's help: examples that work."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)

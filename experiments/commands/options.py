"""The options of several commands, each defined once, and what Tab completes.

An option has one meaning and one help text in all commands; a command's docstring says
what it adds. Imports nothing heavy: ``fairdeal --help`` reads this module.
"""

from collections.abc import Callable
from copy import copy
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.commands.help_panels import AMOUNT, MACHINE, OUTPUT, PLAYERS, RULES

_OPEN, _CLOSE, _QUOTES = "([{", ")]}", "\"'"


def split_values(text: str, *, valued: bool = False, spaced: bool = False) -> list[str]:
    """Split the value of a repeatable option at its commas.

    A comma in brackets or quotes does not split. With ``valued`` (KEY=VALUE), neither
    does a comma before a part without ``=`` (``gem=1,3``); with ``spaced`` (names that
    contain commas), neither does a comma before a space.

    >>> split_values("life,weeks")
    ['life', 'weeks']
    >>> split_values("life=4,gem=1,3,deal=[1, 2]", valued=True)
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
    values: list[str] = []
    for part in parts:
        if valued and values and "=" in values[-1] and "=" not in part:
            values[-1] += f",{part}"
        else:
            values.append(part.strip())
    return values


def repeatable(
    *, valued: bool = False, spaced: bool = False
) -> Callable[[list[str] | None], list[str] | None]:
    """Return the callback of a repeatable option, whose values may hold several."""

    def read(given: list[str] | None) -> list[str] | None:
        return given and [
            value
            for text in given
            for value in split_values(text, valued=valued, spaced=spaced)
        ]

    return read


def several(metavar: str, help_: str, *, valued: bool = False) -> Any:
    """Return an option that can be repeated; its values may hold commas."""
    callback = repeatable(valued=valued, spaced=not valued)
    words = f"{help_} Repeatable, or with commas."
    return typer.Option(metavar=metavar, help=words, callback=callback)


def start_workers_early(
    jobs: int, backend: str, *words: str, busy: bool = False
) -> None:
    """Start workers while a command imports and plans, if ``words`` name a game.

    ``busy``: this process has other work, so that it needs a core for itself.
    """
    from sim.games import games_named

    if backend == "loky" and games_named(words):
        from experiments.execution import worker_pool

        worker_pool.start_workers(worker_pool.extra_workers(jobs, busy=busy))


def complete_game(incomplete: str) -> list[str]:
    """Complete the id of a game."""
    from sim.games import REGISTRY

    return [game for game in REGISTRY if game.startswith(incomplete)]


def complete_strategy(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a strategy in the last seat of a lineup."""
    from strategies.registry import builtin

    seated, comma, start = incomplete.rpartition(",")
    known = builtin(_game(ctx))
    return [seated + comma + name for name in known if name.startswith(start)]


def complete_setting(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the key of a rule value, with the equals sign."""
    from experiments.variants.rules_by_players import settable
    from sim.games import load

    known = settable(load(_game(ctx)).rules())
    return [f"{key}=" for key in known if key.startswith(incomplete)]


def _game(ctx: typer.Context) -> str:
    """Return the game that the line already names, or the first one."""
    from sim.games import REGISTRY, games_named

    named = [str(ctx.params.get(name)) for name in ("game", "what")]
    return next(iter(games_named(named)), next(iter(REGISTRY)))


def option(*names: str, panel: str, **how: Any) -> Any:
    """Return an option of this panel; ``how`` is what ``typer.Option`` takes."""
    return typer.Option(*names, rich_help_panel=panel, **how)


def changed(option: Any, **how: Any) -> Any:
    """Return the same option with another default in words, or another callback."""
    option = copy(option)
    vars(option).update(how)
    return option


GAME_HELP = "The game: its id in `fairdeal games`, or the file of yours (my_game.py)."
Game = Annotated[
    str,
    typer.Argument(
        help=GAME_HELP, metavar="GAME", autocompletion=complete_game, show_default=False
    ),
]
GameOrStudy = Annotated[
    str,
    typer.Argument(
        help="A game (its id in `fairdeal games`, or the file of yours, my_game.py), "
        "or a study file.",
        metavar="GAME|STUDY.toml",
        autocompletion=complete_game,
        show_default=False,
    ),
]
OfGame = Annotated[
    str,
    option(
        "--game",
        metavar="GAME",
        help=GAME_HELP,
        autocompletion=complete_game,
        panel=RULES,
        show_default=False,
    ),
]
Set = Annotated[
    list[str] | None,
    option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a rule, e.g. life=4 or squares.blue.gem=3. Repeatable, or with "
        "commas; overrides the variant file.",
        callback=repeatable(valued=True),
        autocompletion=complete_setting,
        panel=RULES,
    ),
]
VariantFile = Annotated[
    Path | None,
    option(
        "--variant",
        metavar="FILE",
        help="TOML file with changed rules, a sheet of cards (CSV, xlsx), or the name "
        "of a variant.",
        panel=RULES,
    ),
]
Players = Annotated[
    str,
    option(
        "--players",
        metavar="N",
        help="Number of players; `run`, `report` and `compare` take several: 3,4, 3-5.",
        panel=PLAYERS,
    ),
]
Lineup = Annotated[
    str,
    option(
        "--lineup",
        metavar="A,B,C,D",
        help="A strategy for each seat, e.g. allround,greedy,random,random; one name "
        "fills every seat. planner:margin=1 sets a parameter; 'noisy(planner, 0.1)' "
        "restricts a strategy.",
        autocompletion=complete_strategy,
        panel=PLAYERS,
    ),
]
AddStrategy = Annotated[
    list[str] | None,
    option(
        "--add-strategy",
        metavar="FILE.py:CLASS",
        help="Add your own strategy, e.g. my.py:Bold, my.toml or a learned mine.npz, "
        "to those of the game. Name it in "
        "--lineup; without a lineup, it plays every seat or joins the others. "
        "Repeatable, or with commas.",
        callback=repeatable(),
        panel=PLAYERS,
    ),
]
AddSection = Annotated[
    list[str] | None,
    option(
        "--add-section",
        metavar="FILE.py",
        help="Add a section of your own, which the file defines. Repeatable, or with "
        "commas.",
        callback=repeatable(),
        panel=OUTPUT,
    ),
]
STRATEGY = option(
    "--strategy",
    metavar="NAME",
    help="Strategy that plays every seat, e.g. search:samples=16 or my.py:Bold.",
    autocompletion=complete_strategy,
    show_default="the leading heuristic",
    panel=PLAYERS,
)
Strategy = Annotated[str, STRATEGY]
BaseStrategy = Annotated[
    str,
    changed(
        STRATEGY,
        show_default="learned if the game has it, or the leading heuristic",
    ),
]
STRATEGIES = option(
    "--strategies",
    metavar="A,B,C",
    help="Strategies to consider, e.g. allround,greedy,planner:margin=1, or levels of "
    "strength: beginner,good,strong,expert.",
    show_default="every strategy of the game",
    panel=PLAYERS,
)
Strategies = Annotated[str, STRATEGIES]
AGAINST = option(
    "--against",
    metavar="A,B,C",
    help="Who plays the other seats.",
    show_default="the leading heuristic",
    panel=PLAYERS,
)

ROTATE = option(
    "--rotate/--no-rotate",
    help="Move the lineup on by one seat from game to game.",
    show_default=True,
    panel=PLAYERS,
)
Rotate = Annotated[bool, ROTATE]
Given = Annotated[
    list[str] | None,
    option(
        "--given",
        metavar="POSITION: CONDITION",
        callback=repeatable(spaced=True),
        help="Play only deals like this, e.g. 'last: hand has 2 P'; `anybody` for any "
        "position. Repeatable, or with commas: all have to hold.",
        panel=PLAYERS,
    ),
]

Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="ROLE=HEADING",
        callback=repeatable(valued=True),
        help="The meaning of a column whose heading does not say: session=playid, "
        "position=seat, person=Ana (a column of Ana's scores), ignore=minutes; in a "
        "sheet of cards a field, as gem=Edelsteine. Repeatable, or with commas.",
    ),
]
Encoding = Annotated[
    str,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of the file if it is not UTF-8 or UTF-16, e.g. cp1252.",
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="HEADING=VALUE",
        callback=repeatable(valued=True),
        help="Read only these rows, e.g. version=2 or game=Kunitame; sheet=Plays is a "
        "sheet of a workbook. Repeatable, or with commas.",
    ),
]

GAMES = option(
    "-n",
    "--games",
    metavar="N",
    help="Number of games; see above for what is counted.",
    panel=AMOUNT,
)
Games = Annotated[int, GAMES]
Seed = Annotated[
    int | None,
    option(
        "--seed",
        metavar="N",
        help="Random seed. If omitted, one is drawn and printed.",
        panel=AMOUNT,
    ),
]
Precision = Annotated[
    str,
    option(
        "--precision",
        metavar="WIDTH",
        help="Play until the result is this precise: 0.5pp (percentage points) for "
        "shares, a plain number otherwise.",
        panel=AMOUNT,
    ),
]
Tolerance = Annotated[
    str,
    option(
        "--tolerance",
        metavar="SIZE",
        help="Largest difference that does not matter, e.g. 1pp (percentage points).",
        panel=AMOUNT,
    ),
]
SAMPLES = option(
    "--samples",
    metavar="N",
    help="Samples that a search player takes for each decision.",
    panel=AMOUNT,
)
MINUTES = option(
    "--minutes",
    metavar="M",
    help="How long it may take, in minutes; the text above says what ends then.",
    panel=AMOUNT,
)
Adapt = Annotated[
    float,
    option(
        "--adapt",
        metavar="SECONDS",
        help="How long players learn each rule set, in time of one core; 0: nobody "
        "adapts.",
        panel=AMOUNT,
    ),
]
Force = Annotated[
    list[str] | None,
    several("OPTION", "Take an option whenever possible, e.g. contract:2."),
]
Cures = Annotated[
    int | None,
    option(
        "--cures",
        metavar="N",
        min=0,
        help="Fresh deals that test rule changes against what page one says is wrong; "
        "0: no cure is looked for.",
        show_default="1024; none in quick or smaller reports",
        panel=AMOUNT,
    ),
]
Jobs = Annotated[
    int,
    option(
        "-j",
        "--jobs",
        metavar="N",
        help="Processes to use; -1 for all cores.",
        panel=MACHINE,
    ),
]

BACKEND = option(
    "--backend",
    metavar="NAME",
    help="loky: this machine. dask: a cluster.",
    panel=MACHINE,
)
Backend = Annotated[str, BACKEND]
Scheduler = Annotated[
    str | None,
    option(
        "--scheduler",
        metavar="ADDRESS",
        help="Address of the cluster, e.g. tcp://host:8786.",
        panel=MACHINE,
    ),
]
FailFast = Annotated[
    bool,
    option(
        "--fail-fast",
        help="Stop everything when one lineup or cell fails.",
        panel=MACHINE,
    ),
]
Trust = Annotated[
    bool,
    option(
        "--trust",
        help="Run files of strategies and games that a run names, even if they have "
        "changed since it started, and use the cluster that it names.",
        panel=MACHINE,
    ),
]

OUT = option(
    "--out",
    metavar="DIR",
    help="Directory for the results. Name that of an interrupted run to resume it.",
    show_default="a new one under results/",
    panel=OUTPUT,
)
Out = Annotated[Path | None, OUT]
KeptOut = Annotated[Path | None, changed(OUT, show_default="nothing is kept")]
MEASURE = option(
    "--measure",
    metavar="NAME",
    help="Measure to look at, e.g. 'won by position'; `fairdeal measures GAME` lists "
    "them. In `run` repeatable, or with commas.",
    panel=OUTPUT,
)
Measure = Annotated[str, MEASURE]
Page = Annotated[
    bool,
    option(
        "--page", help="Write the results as a page for a browser, too.", panel=OUTPUT
    ),
]
All = Annotated[
    bool, option("--all", help="Show everything, not only what matters.", panel=OUTPUT)
]
Json = Annotated[bool, option("--json", help="Print JSON for scripts.", panel=OUTPUT)]

"""Commands that compare and plan: ``compare``, ``plan`` and ``duplicate``."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import Backend, Scheduler, example

_SIDE = (
    "base, a variant file, rule values as in life=4, a lineup as in planner, or the "
    "directory of a finished run."
)
OfGame = Annotated[
    str,
    typer.Option(
        "--game",
        help="The game, where no side says it (variant files and runs do).",
        autocompletion=options.complete_game,
    ),
]
Tolerance = Annotated[
    str,
    typer.Option(
        "--tolerance",
        help="What does not matter: 1pp (points of a share), 5% (of other numbers), "
        "or both as in 1pp,5%.",
    ),
]
Measure = Annotated[
    str, typer.Option("--measure", help="The measure, as the report names it.")
]


def compare(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    one: Annotated[
        str, typer.Argument(metavar="A", help=_SIDE.capitalize(), show_default=False)
    ],
    other: Annotated[
        str, typer.Argument(metavar="B", help="The same.", show_default=False)
    ],
    game: OfGame = "",
    players: options.Players = "",
    games: Annotated[
        int, typer.Option("-n", "--games", help="Games on each side.")
    ] = 16_384,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    rotate: Annotated[
        bool,
        typer.Option(
            "--rotate/--fixed", help="Move the lineup on by a seat from game to game."
        ),
    ] = True,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    tolerance: Tolerance = "1pp,5%",
    summary: Annotated[
        bool, typer.Option("--summary", help="Leave the game's report out: quicker.")
    ] = False,
    independent: Annotated[
        bool,
        typer.Option("--independent", help="Give side B games (a seed) of its own."),
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Show every number.")] = False,
    jobs: options.Jobs = 1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Compare two rule sets or lineups on the same games: what differs, how surely."""
    from experiments.commands import asked as asking
    from experiments.commands import (
        comparing,
        interrupted,
        progress,
        show,
        show_compare,
    )

    allowed = comparing.tolerance(tolerance)
    common = comparing.common(
        (one, other), game, players, lineup, seed, variant, settings, strategy, rotate
    )
    asking.jobs_of(jobs)
    left, right = comparing.sides(one, other, common, independent)
    folder = asking.directory(out, common.game.id, "compare")
    stopped = interrupted.resumable(folder, common.seed)
    with stopped, progress.watch("compare") as shown:
        found = comparing.played(
            left,
            right,
            games,
            allowed,
            detailed=not summary,
            out=folder,
            progress=comparing.remembering(folder, common.seed, shown),
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
        )
    told = show_compare.as_dict(found, left, right, common.seed)
    if found.directory is not None:
        asking.write(folder / "comparison.json", show.to_json(told))
    if json:
        print(show.to_json(told))
        return
    show_compare.as_tables(found, left, right, every=every)
    show.line(f"seed     {common.seed}" + (" (drawn)" if seed is None else ""))
    if found.directory is not None:
        show.line(f"results  {folder}")


def plan(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    one: Annotated[
        str,
        typer.Argument(
            metavar="A", help=f"What is played: {_SIDE}", show_default=False
        ),
    ] = "base",
    other: Annotated[
        str,
        typer.Argument(
            metavar="B",
            help="What it will be compared with, on the same games.",
            show_default=False,
        ),
    ] = "",
    difference: Annotated[
        str,
        typer.Option(
            "--difference",
            help="The difference to show: 1pp (a point of a share), or a number in the "
            "unit of the measure.",
        ),
    ] = "1pp",
    measure: Measure = "won by seat",
    power: Annotated[
        float, typer.Option("--power", help="How often it is to be shown.")
    ] = 0.80,
    game: OfGame = "",
    players: options.Players = "",
    pilot: Annotated[
        int, typer.Option("-n", "--games", help="Games of the pilot.")
    ] = 8_192,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = 1,
    json: options.Json = False,
) -> None:
    """Say how many games a difference of a given size needs, from a short pilot."""
    from experiments.commands import asked as asking
    from experiments.commands import comparing, progress, show, show_needed
    from experiments.weighing.needed import needed

    size = comparing.amount(difference, "--difference")
    words = (one, other) if other else (one,)
    common = comparing.common(
        words, game, players, lineup, seed, variant, settings, strategy, True
    )
    asking.jobs_of(jobs)
    left, right = comparing.pilot(one, other, common)
    with progress.watch("pilot") as shown:
        found = needed(
            left.cells[0],
            size,
            measure=measure,
            other=None if right is None else right.cells[0],
            chance=power,
            pilot=pilot,
            jobs=jobs,
            progress=shown,
        )
    if json:
        show.as_json(show_needed.as_dict(found, left, right, common.seed))
        return
    show_needed.as_tables(found, left, right)
    show.line(f"seed     {common.seed}" + (" (drawn)" if seed is None else ""))


def duplicate(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    lineup: options.Lineup = "",
    players: options.Players = "",
    deals: Annotated[
        int, typer.Option("-n", "--games", help="Deals; each is played by rotations.")
    ] = 4_096,
    seed: options.Seed = None,
    strategy: options.Own = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Directory for the games (default: none is kept)."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Tell luck from skill: the same deals with the lineup moved round all seats."""
    from experiments.commands import comparing, interrupted, progress, show, show_needed
    from experiments.weighing.duplicate import duplicate as play

    cell, number = comparing.lineup_cell(
        game, players, lineup, seed, variant, settings, strategy
    )
    stopped = interrupted.resumable(out, number) if out else comparing.nothing()
    with stopped, progress.watch("duplicate") as shown:
        told = comparing.remembering(out, number, shown) if out else shown
        found = play(cell, deals, jobs=jobs, out=out, progress=told)
    if json:
        show.as_json(show_needed.duplicate_dict(found, number))
    else:
        show_needed.duplicate_tables(found)
        show.line(f"seed     {number}" + (" (drawn)" if seed is None else ""))


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog=example(
            "fairdeal compare base life=4 --game kunitame -n 4000",
            "fairdeal compare planner greedy --game kunitame -n 4000 --summary",
        )
    )(compare)
    app.command(
        epilog=example(
            "fairdeal plan base life=4 --game kunitame --difference 0.5pp",
            "fairdeal plan --game kunitame --measure 'points by seat' --difference 0.1",
        )
    )(plan)
    app.command(
        epilog=example(
            "fairdeal duplicate kunitame --lineup balanced,greedy,planner,random "
            "-n 2000"
        )
    )(duplicate)

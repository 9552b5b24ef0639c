"""Commands that judge: ``tournament`` and ``check``."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import Backend, Scheduler, example


def tournament(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            help="Who competes, as in balanced,greedy,planner:margin=1 (default: every "
            "strategy of the game).",
        ),
    ] = "",
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            help="A strategy of one's own that competes too, as my.py:Bold.",
        ),
    ] = None,
    players: options.Players = "",
    games: Annotated[
        int, typer.Option("-n", "--games", help="Games of each lineup.")
    ] = 2_000,
    pairs: Annotated[
        bool | None,
        typer.Option(
            "--pairs/--whole",
            help="Tables of at most two strategies only, or every lineup (default: "
            "every one, up to 500).",
            show_default=False,
        ),
    ] = None,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Let strategies meet in every lineup: ratings, who beats whom, dominance."""
    from experiments.cells import UsageError
    from experiments.commands import asked as asking
    from experiments.commands import (
        comparing,
        contests,
        interrupted,
        progress,
        show,
        show_tournament,
    )
    from experiments.weighing.tournament import tournament as play

    asked = asking.ask(game, variant, settings, seed)
    seats = asking.numbers_of_players(asked.game, players)
    if len(seats) > 1:
        raise UsageError("--players: one number of players at a time.")
    asking.jobs_of(jobs)
    names = contests.competitors(game, strategies, strategy or ())
    folder = asking.directory(out, game, "tournament")
    stopped = interrupted.resumable(folder, asked.seed)
    with stopped, progress.watch("tournament") as shown:
        found = play(
            game,
            names,
            players=seats[0],
            games=games,
            rules=asked.rules,
            seed=asked.seed,
            pairs=pairs,
            jobs=jobs,
            out=folder,
            progress=comparing.remembering(folder, asked.seed, shown),
            backend=backend,
            scheduler=scheduler,
        )
    told = show_tournament.as_dict(found)
    asking.write(folder / "tournament.json", show.to_json(told))
    if json:
        print(show.to_json(told))
        return
    show_tournament.as_tables(found)
    show.line(f"seed     {asked.seed}" + (" (drawn)" if asked.drawn else ""))
    show.line(f"results  {folder}")


def check(
    study: Annotated[
        Path,
        typer.Argument(
            help="A study file with [targets].",
            metavar="STUDY.toml",
            show_default=False,
        ),
    ],
    games: Annotated[
        int | None,
        typer.Option("-n", "--games", help="Games of each cell; beats the file."),
    ] = None,
    seed: options.Seed = None,
    jobs: options.Jobs = 1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Hold a game to the targets of a study: exit 0 pass, 3 fail, 4 undecided."""
    from experiments.commands import asked as asking
    from experiments.commands import contests, interrupted, progress, show, show_check
    from experiments.studying import studies
    from experiments.weighing.judging import exit_code, judge

    asking.jobs_of(jobs)
    targets, plan = contests.checked(study, games, seed)
    folder = asking.directory(out, plan.game, "check")
    again = f"fairdeal check {study} --out {folder} --seed {plan.seed}"
    stopped = interrupted.resumable(folder, plan.seed, again)
    with stopped, progress.watch("check") as shown:
        done = studies.run(
            plan,
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            out=folder,
            progress=shown,
            fail_fast=True,
        )
    found = judge(targets, done.results, plan.frame())
    told = show_check.as_dict(found, plan)
    asking.write(folder / "check.json", show.to_json(told))
    if json:
        print(show.to_json(told))
    else:
        show_check.as_tables(found, plan)
        for words in plan.notes:
            show.line(f"note     {words}")
        show.line(f"seed     {plan.seed}")
        show.line(f"results  {folder}")
    raise typer.Exit(exit_code(found))


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog=example(
            "fairdeal tournament kunitame -n 500",
            "fairdeal tournament kunitame --strategies balanced,planner,greedy -n 500",
        )
    )(tournament)
    app.command(
        epilog=example(
            "fairdeal check balance.toml", "fairdeal check balance.toml -j -1"
        )
    )(check)

"""The command ``explore``."""

import os
from typing import Annotated

import typer

from experiments.commands import help_panels, options

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.PLAY,
    "fairdeal explore kunitame",
    "fairdeal explore kunitame --set life=4",
)
def explore(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategy: options.BaseStrategy = "",
    players: options.Players = "",
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65_535,
            help="Port of the page; if it is taken, a free one.",
        ),
    ] = 8_765,
    browser: Annotated[
        bool, typer.Option("--browser", help="Open the page in a browser.")
    ] = False,
    jobs: options.Jobs = -1,
    out: options.Out = None,
) -> None:
    """Change rules in your browser and watch the balance."""
    from experiments import api
    from experiments.commands import arguments, interruption

    request = arguments.resolve(game, variant, settings, seed)
    arguments.jobs_of(jobs)
    with interruption.handle_signals():
        api.explore(
            game,
            strategy or None,
            variant=variant,
            settings=settings or (),
            players=arguments.one_number_of_players(request.game, players),
            seed=request.seed,
            port=port,
            browser=browser,
            jobs=jobs,
            out=out,
        )
    os._exit(0)  # the interpreter's cleanup takes long

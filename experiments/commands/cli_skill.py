"""The command ``skill``: how far play can get better, rung by rung."""

from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import Backend, Scheduler, example
from experiments.execution.paths import near


def skill(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A,B,C",
            help="The heuristics below search (default: every strategy of the game).",
        ),
    ] = "",
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            metavar="FILE.py:CLASS",
            help="A strategy of one's own that is a rung too, as my.py:Bold. "
            "Repeatable, or with commas.",
            callback=options.repeatable(),
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="NAME",
            help="Who sits around each rung (default: the leading heuristic); "
            "`before`: the rung before it, which takes about five times as long.",
        ),
    ] = "",
    budgets: Annotated[
        str,
        typer.Option(
            "--budgets",
            metavar="A,B,C",
            help="Samples a decision of the rungs of search, as in 1,4,16; 1-256 are "
            "doublings.",
        ),
    ] = "1-256",
    search: Annotated[
        str,
        typer.Option(
            "--search",
            metavar="SPEC",
            help="The search, as in search:inner=greedy (default: search).",
        ),
    ] = "",
    players: options.Players = "",
    games: Annotated[
        int,
        typer.Option(
            "-n",
            "--games",
            metavar="N",
            help="Games of each rung; of search this over the fourth root of its "
            "samples.",
        ),
    ] = 2_048,
    precision: Annotated[
        str,
        typer.Option(
            "--precision",
            metavar="WIDTH",
            help="In place of --games: as many in each rung as make win shares known "
            "to this, as 2pp.",
        ),
    ] = "",
    tolerance: Annotated[
        str,
        typer.Option(
            "--tolerance",
            metavar="SIZE",
            help="A gain that does not matter: search stops with the doubling that "
            "surely gains less.",
        ),
    ] = "2pp",
    minutes: Annotated[
        float,
        typer.Option(
            "--minutes",
            metavar="M",
            help="Begin no rung that would end later; 0: as long as it takes.",
        ),
    ] = 5.0,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Climb from chance over heuristics to search: how deep is the game, how lucky."""
    options.have_workers(jobs, backend, game)
    from experiments import api
    from experiments.analysis.stages import Stages
    from experiments.commands import (
        arguments,
        compare_arguments,
        contest_arguments,
        interruption,
        progress,
        show,
        show_skill,
    )
    from experiments.execution import documents
    from experiments.execution.output import directory
    from experiments.rule_set import RuleSet

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.one_number_of_players(request.game, players)
    arguments.jobs_of(jobs)
    sure = compare_arguments.amount(precision, "--precision") if precision else None
    with (
        directory(out, game, "skill") as folder,
        interruption.resumable(folder, request.seed),
    ):
        found = api.skill(
            RuleSet(game, request.rules),
            contest_arguments.competitors(game, strategies, strategy or ()),
            players=seats,
            against=against,
            search=search,
            budgets=show_skill.budgets(budgets),
            games=games,
            precision=sure,
            tolerance=compare_arguments.amount(tolerance, "--tolerance"),
            minutes=minutes or None,
            seed=request.seed,
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            out=folder,
            progress=Stages(progress.watch),
        )
        show_skill.save(found, folder)
    if json:
        print(documents.to_json(found.as_dict()))
        return
    show_skill.as_tables(found)
    if found.why == "time":
        again = interruption.repeated(folder, request.seed)
        show.line(f"to go on {again}")
    show.line(f"seed     {request.seed}" + (" (drawn)" if request.drawn else ""))
    show.line(f"results  {near(folder)}")


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command(
        epilog=example(
            "fairdeal skill kunitame",
            "fairdeal skill kunitame --set life=4 --budgets 1,4,16,64 --minutes 60",
        )
    )(skill)

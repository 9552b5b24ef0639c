"""Commands that judge: ``tournament`` and ``check``."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import Backend, Scheduler, example
from experiments.execution.paths import near


def tournament(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A,B,C",
            help="Who competes, as in allround,greedy,planner:margin=1 (default: every "
            "strategy of the game).",
        ),
    ] = "",
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            metavar="FILE.py:CLASS",
            help="A strategy of one's own that competes too, as my.py:Bold. "
            "Repeatable, or with commas.",
            callback=options.repeatable(),
        ),
    ] = None,
    players: options.Players = "",
    games: Annotated[
        int, typer.Option("-n", "--games", metavar="N", help="Games of each lineup.")
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
    report: Annotated[
        bool, typer.Option("--report", help="Write the tournament as a page, too.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Let strategies meet in every lineup: ratings, who beats whom, dominance."""
    options.have_workers(jobs, backend, game)
    from experiments import api
    from experiments.commands import (
        arguments,
        compare_arguments,
        contest_arguments,
        interruption,
        progress,
        show,
        show_tournament,
    )
    from experiments.execution import documents
    from experiments.execution.output import directory
    from experiments.rule_set import RuleSet

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.one_number_of_players(request.game, players)
    arguments.jobs_of(jobs)
    names = contest_arguments.competitors(game, strategies, strategy or ())
    with (
        directory(out, game, "tournament") as folder,
        interruption.resumable(folder, request.seed),
    ):
        with progress.watch("tournament") as shown:
            found = api.tournament(
                RuleSet(game, request.rules),
                names,
                players=seats,
                games=games,
                pairs=pairs,
                seed=request.seed,
                jobs=jobs,
                backend=backend,
                scheduler=scheduler,
                out=folder,
                progress=compare_arguments.remembering(folder, request.seed, shown),
            )
        document = show_tournament.as_dict(found)
        documents.write(folder / "tournament.json", documents.to_json(document))
        page = None
        if report:
            from experiments.analysis import tournament_report

            page = tournament_report.write(found, folder)
    if json:
        print(documents.to_json(document))
    else:
        show_tournament.as_tables(found)
        show.line(f"seed     {request.seed}" + (" (drawn)" if request.drawn else ""))
        show.line(f"results  {near(folder)}")
        if page is not None:
            show.line(f"page     {near(page)}")
    for name, why in found.failed.items():
        show.error(f"{name} is out of all tables: {why}")
    if found.failed:
        raise typer.Exit(1)


def check(
    study: Annotated[
        Path,
        typer.Argument(
            help="A study file with [targets], or the directory of a finished run of "
            "one, which is judged without playing it again.",
            metavar="STUDY.toml|DIR",
            show_default=False,
        ),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            "-n", "--games", metavar="N", help="Games of each cell; beats the file."
        ),
    ] = None,
    seed: options.Seed = None,
    jobs: options.Jobs = -1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    decide: Annotated[
        bool,
        typer.Option(
            "--decide",
            help="Stop each cell as soon as its targets are decided; --games is then "
            "the most.",
        ),
    ] = False,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Hold a game to the targets of a study: exit 0 pass, 3 fail, 4 undecided."""
    from experiments import api
    from experiments.analysis.decided import decided
    from experiments.commands import (
        arguments,
        contest_arguments,
        interruption,
        progress,
        show,
        show_check,
    )
    from experiments.core.cells import UsageError
    from experiments.execution.output import directory

    if study.is_dir():
        if games is not None or seed is not None or out is not None:
            raise UsageError(
                f"{study} was played: --games, --seed and --out are for a study file."
            )
        targets, done = contest_arguments.finished(study)
        raise typer.Exit(show_check.judged(targets, done, json))
    arguments.jobs_of(jobs)
    targets, plan = contest_arguments.checked(study, games, seed)
    rule = decided(targets, plan) if decide else None
    if rule is not None and not json:
        show_check.foreseen(rule, plan)
    with (
        directory(out, plan.game, "check") as folder,
        interruption.resumable(folder, plan.seed),
        progress.watch("check") as shown,
    ):
        done = api.study(
            plan,
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            out=folder,
            progress=shown,
            fail_fast=True,
            stop=rule,
            block=None if rule is None else rule.first,
        )
    code = show_check.judged(targets, done, json)
    if not json:
        for words in plan.notes:
            show.line(f"note     {words}")
        show.line(f"seed     {plan.seed}")
        show.line(f"results  {near(folder)}")
    raise typer.Exit(code)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog=example(
            "fairdeal tournament kunitame -n 500",
            "fairdeal tournament kunitame --strategies allround,planner,greedy -n 500",
        )
    )(tournament)
    app.command(
        epilog=example(
            "fairdeal check balance.toml", "fairdeal check balance.toml -n 50000"
        )
    )(check)

"""The commands ``tournament`` and ``check``."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.COMPARE,
    "fairdeal tournament kunitame -n 500",
    "fairdeal tournament kunitame --strategies allround,planner,greedy -n 500",
)
def tournament(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategies: options.Strategies = "",
    add_strategy: options.AddStrategy = None,
    players: options.Players = "",
    games: options.Games = 2_000,
    pairs: Annotated[
        bool | None,
        typer.Option(
            "--pairs/--whole",
            help="Play only lineups of at most two strategies, or every lineup.",
            show_default="every lineup, up to 500",
        ),
    ] = None,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    page: options.Page = False,
    json: options.Json = False,
) -> None:
    """Let strategies meet in every lineup and rank them.

    Shows ratings, who beats whom, and which strategies others dominate. --games are
    played by each lineup.
    """
    options.start_workers_early(jobs, backend, game)
    from experiments import api
    from experiments.commands import (
        arguments,
        contest_arguments,
        interruption,
        output,
        show_tournament,
    )
    from experiments.execution import text_files

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.one_number_of_players(request.game, players)
    how = arguments.execution(jobs, backend, scheduler)
    names = contest_arguments.competitors(game, strategies, add_strategy or ())
    with interruption.kept_run(out, game, "tournament", request.seed) as folder:
        with interruption.watch_kept_run("tournament", folder, request.seed) as shown:
            result = api.tournament(
                request.rule_set,
                names,
                players=seats,
                games=games,
                pairs=pairs,
                seed=request.seed,
                **how,
                out=folder,
                progress=shown,
            )
        document = show_tournament.as_dict(result)
        text_files.write_json(folder / "tournament.json", document)
        if page:
            from experiments.analysis import tournament_report

            written = tournament_report.write(result, folder)
    if json:
        output.as_json(document)
    else:
        show_tournament.as_tables(result)
        output.print_line(request.seed_line)
        output.print_line(f"results  {short_path(folder)}")
        if page:
            output.print_line(f"page     {short_path(written)}")
    for name, why in result.failed.items():
        output.error(f"{name} is left out of all tables: {why}")
    if result.failed:
        raise typer.Exit(1)


@help_panels.command(
    app,
    help_panels.PLAY,
    "fairdeal check balance.toml",
    "fairdeal check balance.toml -n 50000",
)
def check(
    study: Annotated[
        Path,
        typer.Argument(
            help="A study file with [targets], or the directory of its finished run, "
            "which is judged without playing again.",
            metavar="STUDY.toml|DIR",
            show_default=False,
        ),
    ],
    games: Annotated[
        int | None, options.changed(options.GAMES, show_default="as the study says")
    ] = None,
    seed: options.Seed = None,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    stop_early: Annotated[
        bool,
        typer.Option(
            "--stop-early",
            help="Stop each cell once its targets are decided; --games is then the "
            "maximum.",
        ),
    ] = False,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Test whether a game meets the targets of a study.

    Exit code 0: pass; 3: fail; 4: undecided. --games are played in each cell, i.e. by
    each rule set, lineup and number of players.
    """
    from experiments import api
    from experiments.analysis.sequential_targets import stopping_rule
    from experiments.commands import (
        arguments,
        contest_arguments,
        interruption,
        output,
        progress,
        show_check,
    )
    from experiments.core.cells import UsageError

    if study.is_dir():
        if games is not None or seed is not None or out is not None:
            raise UsageError(
                f"{study} is played: --games, --seed and --out need a study file."
            )
        targets, done = contest_arguments.finished_check(study)
        raise typer.Exit(show_check.judge_and_show(targets, done, json))
    how = arguments.execution(jobs, backend, scheduler)
    targets, plan = contest_arguments.targets_and_plan(study, games, seed)
    rule = stopping_rule(targets, plan) if stop_early else None
    if rule is not None and not json:
        show_check.expected_games(rule, plan)
    with (
        interruption.kept_run(out, plan.game, "check", plan.seed) as folder,
        progress.watch("check") as shown,
    ):
        done = api.study(
            plan,
            **how,
            out=folder,
            progress=shown,
            fail_fast=True,
            stop=rule,
            block=None if rule is None else rule.first,
        )
    code = show_check.judge_and_show(targets, done, json)
    if not json:
        for words in done.plan.notes:
            output.print_line(f"note     {words}")
        output.print_line(f"seed     {plan.seed}")
        output.print_line(f"results  {short_path(folder)}")
    raise typer.Exit(code)

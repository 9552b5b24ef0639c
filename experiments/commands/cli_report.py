"""The command ``report``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.PLAY,
    "fairdeal report kunitame",
    "fairdeal report kunitame --quick --targets mine.toml",
    "fairdeal report results/mine --section contracts",
)
def report(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    ctx: typer.Context,
    game: Annotated[
        str,
        typer.Argument(
            help="The game: its id in `fairdeal games`, or the file of yours "
            "(my_game.py); or the directory of a report, to write its page again, "
            "playing only what --section adds.",
            metavar="GAME|DIR",
            autocompletion=options.complete_game,
            show_default=False,
        ),
    ],
    players: options.Players = "",
    games: Annotated[
        int | None,
        options.changed(
            options.GAMES, show_default="16384; fewer if the games of a report are long"
        ),
    ] = None,
    search_games: Annotated[
        int | None,
        typer.Option(
            "--search-games",
            metavar="N",
            min=0,
            help="Games per table with search players, which are slow; 0 leaves search "
            "out.",
            show_default="set by the game",
        ),
    ] = None,
    settle: Annotated[
        float,
        options.option(
            "--settle",
            metavar="SECONDS",
            min=0,
            help="How long strong players play on while leading findings are open, in "
            "time of one core; 0: not at all.",
            panel=options.AMOUNT,
        ),
    ] = 12.0,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    lead: Annotated[
        str,
        typer.Option(
            "--lead",
            metavar="STRATEGY",
            help="Whom findings are about.",
            show_default="a strong player, found by playing",
            autocompletion=options.complete_strategy,
        ),
    ] = "",
    add_strategy: options.AddStrategy = None,
    given: options.Given = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    targets: Annotated[
        Path | None,
        typer.Option(
            "--targets",
            metavar="FILE",
            help="TOML file with limits for the scorecard, in [targets.LINE] tables.",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="Write page one only, for one number of players, from fewer games.",
        ),
    ] = False,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="Make all sections, fold nothing away and print everything; search "
            "players also answer the slowest questions.",
        ),
    ] = False,
    section: Annotated[
        list[str] | None,
        typer.Option(
            "--section",
            metavar="ID",
            help="Also make this section, or all. Repeatable, or with commas. A report "
            "lists its sections.",
            callback=options.repeatable(),
            show_default="those behind page one",
        ),
    ] = None,
    add_section: options.AddSection = None,
    replicate: Annotated[
        bool,
        typer.Option(
            "--replicate",
            help="Play again on fresh games and show which findings hold.",
        ),
    ] = False,
    adapt: options.Adapt = 60.0,
    cures: options.Cures = None,
    show_all: options.All = False,
    png: Annotated[
        bool, typer.Option("--png", help="Draw figures as PNG as well as SVG.")
    ] = False,
    jobs: options.Jobs = -1,
    out: options.Out = None,
    trust: options.Trust = False,
    json: options.Json = False,
) -> None:
    """Play a panel of lineups and write a balance report.

    The report is a page for your browser. Without --lineup, the panel is each strategy
    alone and against others, with every number of players. --games are played by each
    lineup and number of players; --quick plays 1,024 at most, which takes one to
    two minutes for a game in one file. Findings are about strong players, who learn
    changed rules first.
    """
    options.start_workers_early(jobs, "loky", game, busy=True)
    from dataclasses import asdict

    from experiments import api
    from experiments.commands import (
        arguments,
        interruption,
        output,
        show_scorecard,
    )
    from experiments.commands.show_rules import differences
    from experiments.variants.variant_info import remarks
    from reports.report_files import page_one
    from sim.games import is_game

    arguments.jobs_of(jobs)
    folder = Path(game)
    if not is_game(game) and (folder.is_dir() or len(folder.parts) > 1):
        _make_again(ctx, folder)
        return
    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.players_of_report(request, players, lineup, add_strategy)
    who = arguments.leader_of_report(request, lead, lineup, add_strategy)
    with (
        interruption.kept_run(out, request.game.id, "report", request.seed) as folder,
        interruption.watch_kept_run("report", folder, request.seed) as shown,
    ):
        done = api.report(
            request.rule_set,
            out=folder,
            games=games,
            search_games=search_games,
            settle=settle,
            players=seats if players or lineup or not quick else None,
            lineup=lineup or None,
            given=given or (),
            lead=who,
            add_strategy=add_strategy or (),
            targets=targets,
            quick=quick,
            full=full,
            sections=section or (),
            add_section=add_section or (),
            replicate=replicate,
            adapt=adapt,
            cures=cures,
            png=png,
            seed=request.seed,
            jobs=jobs,
            progress=shown,
        )
    again = done.replication
    left = [link.id for link in done.left]
    if json:
        values: dict[str, Any] = {
            "page": str(done.page),
            **page_one(done.verdict),
            "findings": done.findings,
            "left": left,
        }
        if again is not None:
            values["replication"] = asdict(again)
        output.as_json({**values, "seed": request.seed})
        return
    show_scorecard.show_page_one(done.verdict)
    output.print_line()
    if show_all or full:
        show_scorecard.show_findings(done.found)
    for line in () if again is None else again.sentences():
        output.print_line(line)
    notes = remarks(request.game, request.rules)
    for line in (*differences(request.rules), *request.notes, *notes):
        output.print_line(line)
    output.print_line(request.seed_line)
    output.print_line(f"report   {short_path(done.page)}", "bold")
    if done.found and not (show_all or full):
        output.print_line(f"more     {len(done.found)} findings: --all, or the page")
    if left:
        command = f"fairdeal report {short_path(done.page.parent)} --section ID"
        output.print_line(f"more     {command}: {', '.join(left)}")


_OF_A_REPORT = (
    "game",
    "section",
    "settle",
    "full",
    "show_all",
    "png",
    "jobs",
    "trust",
    "json",
)
"""What can be given with the directory of a report; all else is as it was played."""


def _make_again(ctx: typer.Context, folder: Path) -> None:
    """Repeat the command of the report in a folder, with the sections asked for.

    Raises ``UsageError`` if it holds no report, and for any other option.
    """
    from experiments.commands import resume
    from experiments.core.cells import UsageError
    from experiments.studies import run_catalog
    from sim.parameters import one_of

    run, command = run_catalog.readable_run(folder), "run"
    result = {"--jobs": str(ctx.params["jobs"]), "--scheduler": None}
    if (folder / run_catalog.COMMAND).exists():
        command = run_catalog.remembered_command(folder)[0][0]
    if command != "report":
        raise UsageError(
            f"{short_path(folder)} has results of `fairdeal {command}`, and no report."
        )
    names = {str(each.name): max(each.opts, key=len) for each in ctx.command.params}
    for name, option in names.items():
        source = ctx.get_parameter_source(name)
        given = source is not None and source.name == "COMMANDLINE"
        if given and name not in _OF_A_REPORT:
            raise UsageError(
                f"{option}: {short_path(folder)} has a report, which stays as it was "
                f"played. Allowed: {one_of(names[each] for each in _OF_A_REPORT[1:])}."
            )
    values = ctx.params
    settle = ctx.get_parameter_source("settle")
    if settle is not None and settle.name == "COMMANDLINE":
        result["--settle"] = str(values["settle"])
    switches = ("full", "show_all", "png", "json")
    flags = {names[each]: values[each] for each in switches}
    more = [word for id_ in values["section"] or () for word in ("--section", id_)]
    agree = resume.ask_trust(values["trust"])
    resume.resume_command(ctx.find_root().command, run, result, flags, agree, more)

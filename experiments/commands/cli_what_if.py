"""The command ``what-if``: change one thing, and see what it is worth."""

from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.ASK,
    "fairdeal what-if kunitame --forbid claim:only-white -n 2000",
    "fairdeal what-if kunitame --force contract:2 --when 'week 1' -n 2000",
    "fairdeal what-if kunitame --grant 'Life gems' -n 500",
)
def what_if(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    when: Annotated[
        str,
        typer.Option(
            metavar="DECISION",
            help="Decisions and a moment, e.g. claim, claim+bonus, 'claim in week 2'.",
            show_default="every decision that fits",
        ),
    ] = "",
    whose: Annotated[
        str,
        typer.Option(
            metavar="first|all",
            help="Change the lineup's first player, in each seat in turn, or all.",
        ),
    ] = "first",
    forbid: Annotated[
        str,
        typer.Option(
            metavar="OPTION",
            help="Forbid an option, e.g. claim:only-white; claim:each is each in turn.",
        ),
    ] = "",
    force: Annotated[
        str,
        typer.Option(
            metavar="OPTION",
            help="Take an option whenever possible, e.g. contract:2.",
        ),
    ] = "",
    decline: Annotated[
        bool, typer.Option("--decline", help="Decline the decision of --when.")
    ] = False,
    grant: Annotated[
        str,
        typer.Option(
            metavar="THING", help="Give one player one more, e.g. 'Life gems'."
        ),
    ] = "",
    other_rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Play by other rules, e.g. life=4. Repeatable, or with commas.",
            callback=options.repeatable(valued=True),
        ),
    ] = None,
    other_strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Let another strategy decide, e.g. search:samples=4."
        ),
    ] = "",
    lineup: options.Lineup = "",
    add_strategy: options.AddStrategy = None,
    players: options.Players = "",
    games: options.Games = 16_384,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Change one thing in games that are otherwise the same.

    Forbid or force an option, decline a decision, grant one more of something, change
    the rules or the strategy: exactly one of them. --games counts deals; each is played
    with and without the change, with the same chance.
    """
    options.start_workers_early(jobs, backend, game)
    from experiments import api
    from experiments.analysis.comparison_arms import default_lineup
    from experiments.commands import arguments, interruption, output, show_what_if
    from experiments.execution import text_files
    from experiments.variants.variants import parse_setting, settings_as_changes
    from strategies.specs import split_lineup

    request = arguments.resolve(game, variant, settings, seed)
    how = arguments.execution(jobs, backend, scheduler)
    usual = "" if add_strategy else default_lineup(game)
    lineup = arguments.lineup_of(request.game, lineup or usual, add_strategy)
    many = len(split_lineup(lineup))
    seats = arguments.one_number_of_players(request.game, players, many)
    changes = settings_as_changes(map(parse_setting, other_rules or ()))
    with interruption.kept_run(out, game, "what-if", request.seed) as folder:
        with interruption.watch_kept_run("what-if", folder, request.seed) as shown:
            result = api.what_if(
                request.rule_set,
                lineup,
                when=when,
                whose=whose,
                forbid=forbid,
                force=force,
                decline=decline,
                grant=grant,
                other_rules=changes or None,
                other_strategy=other_strategy,
                players=seats,
                games=games,
                seed=request.seed,
                **how,
                out=folder,
                progress=shown,
            )
        document = show_what_if.as_dict(result)
        text_files.write_json(folder / "what-if.json", document)
    if json:
        output.as_json(document)
        return
    show_what_if.as_tables(result)
    output.print_line(request.seed_line)
    output.print_line(f"results  {short_path(folder)}")

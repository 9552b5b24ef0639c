"""The command ``skill``: how far play can improve, rung by rung."""

from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.ASK,
    "fairdeal skill kunitame",
    "fairdeal skill kunitame --set life=4 --samples 1,4,16,64 --minutes 60",
)
def skill(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategies: Annotated[
        str,
        options.changed(options.STRATEGIES, show_default="beginner,good,strong"),
    ] = "",
    add_strategy: options.AddStrategy = None,
    against: Annotated[str, options.AGAINST] = "",
    samples: Annotated[str, options.SAMPLES] = "1-256",
    search: Annotated[
        str,
        typer.Option(
            "--search",
            metavar="SPEC",
            help="The search to use, e.g. search:inner=greedy.",
            show_default="search",
        ),
    ] = "",
    players: options.Players = "",
    games: options.Games = 2_048,
    precision: options.Precision = "",
    tolerance: options.Tolerance = "2pp",
    minutes: Annotated[float, options.MINUTES] = 5.0,
    seed: options.Seed = None,
    given: options.Given = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Measure what better play is worth, from beginners to search.

    Each rung of the ladder is a strategy: --strategies in order of strength (by default
    `beginner`, `good` and `strong`), then search with each number of
    --samples (a list as 1,4,16, or a range: 1-256 means 1, 2, 4 and so on). --against
    before has each rung play the one before it, which takes about five times as long.
    Each rung plays --games games, search fewer (divided by the fourth root of its
    samples); with --precision, as many as it takes. The ladder ends at the first
    doubling that clearly gains less than --tolerance, and before a rung that would end
    later than --minutes; 0 is no limit.
    """
    options.start_workers_early(jobs, backend, game)
    from experiments import api
    from experiments.analysis.multi_run import StagedProgress
    from experiments.analysis.skill import usual_rungs
    from experiments.commands import (
        arguments,
        compare_arguments,
        contest_arguments,
        interruption,
        output,
        progress,
        show_skill,
    )

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.one_number_of_players(request.game, players)
    how = arguments.execution(jobs, backend, scheduler)
    sure = (
        compare_arguments.parse_amount(precision, "--precision") if precision else None
    )
    with interruption.kept_run(out, game, "skill", request.seed) as folder:
        result = api.skill(
            request.rule_set,
            contest_arguments.competitors(
                game, strategies or ",".join(usual_rungs(game)), add_strategy or ()
            ),
            players=seats,
            given=given or (),
            against=against,
            search=search,
            samples=show_skill.samples(samples),
            games=games,
            precision=sure,
            tolerance=compare_arguments.parse_amount(tolerance, "--tolerance"),
            minutes=minutes or None,
            seed=request.seed,
            **how,
            out=folder,
            progress=StagedProgress(progress.watch),
        )
        show_skill.save(result, folder)
    if json:
        output.as_json(result.as_dict())
        return
    show_skill.as_tables(result)
    if result.why == "time":
        again = interruption.command_line(folder, request.seed)
        output.print_line(f"resume   {again}")
    if given:
        output.print_line(f"given    {result.deals}")
    output.print_line(request.seed_line)
    output.print_line(f"results  {short_path(folder)}")

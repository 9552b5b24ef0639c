"""The commands ``compare``, ``power`` and ``luck``."""

from contextlib import nullcontext
from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

app = typer.Typer()

_SIDE = (
    "Base or the id of the game, a variant file, rule values (life=4), a lineup "
    "(planner), or the directory of a finished run."
)


@help_panels.command(
    app,
    help_panels.COMPARE,
    "fairdeal compare kunitame life=4 -n 4000",
    "fairdeal compare planner greedy --game kunitame -n 4000 --no-detailed",
)
def compare(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    one: Annotated[str, typer.Argument(metavar="A", help=_SIDE, show_default=False)],
    other: Annotated[str, typer.Argument(metavar="B", help=_SIDE, show_default=False)],
    game: options.OfGame = "",
    players: options.Players = "",
    games: Annotated[
        int | None,
        options.changed(
            options.GAMES,
            show_default="4,096 of learned players (1,024 if slow), else 16,384, or "
            "those of a run",
        ),
    ] = None,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    add_strategy: options.AddStrategy = None,
    rotate: options.Rotate = True,
    given: options.Given = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    tolerance: options.Tolerance = "1pp,5%",
    detailed: Annotated[
        bool, typer.Option(help="Compare all measures of the report.")
    ] = True,
    independent: Annotated[
        bool, typer.Option("--independent", help="Give side B games of its own.")
    ] = False,
    every: options.All = False,
    page: options.Page = False,
    decide: Annotated[
        str,
        typer.Option(
            "--decide",
            metavar="MEASURE",
            help="Stop once this share is clearly within the tolerance or outside it; "
            "--games is then the maximum.",
        ),
    ] = "",
    adapt: options.Adapt = 60.0,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    trust: options.Trust = False,
    json: options.Json = False,
) -> None:
    """Compare two rule sets or lineups on the same games.

    Rule sets get two answers: the rule alone, with the same players on both sides, and
    what people make of it, with players who learned the rules of their side. Shows what
    differs and how certain that is. --games are played on each side. --game is needed
    only if neither side names the game. Beside a finished run, the other side plays its
    games: their number, seed, players and lineups. --tolerance takes points of a share
    (1pp), percent of other numbers (5%), or both.
    """
    options.start_workers_early(jobs, backend, one, other, game)
    from dataclasses import replace

    from experiments import api
    from experiments.analysis.compared_arms import stopping_rule_of
    from experiments.analysis.comparison_arms import games_of, on_same_games
    from experiments.commands import (
        arguments,
        compare_arguments,
        interruption,
        output,
        resume,
        show_arms,
        show_compare,
    )
    from experiments.execution import text_files
    from experiments.learning.adapted_arms import not_adapted
    from experiments.studies.strategy_file_trust import asking_with

    allowed = compare_arguments.parse_tolerance(tolerance)
    (one, other), game = compare_arguments.arms_and_game((one, other), game)
    common = compare_arguments.common_options(
        (one, other),
        game,
        players,
        lineup,
        seed,
        variant,
        settings,
        add_strategy,
        rotate,
    )
    common = replace(common, given=(*(given or ()),))
    how = arguments.execution(jobs, backend, scheduler)
    with asking_with(resume.ask_trust(trust)):
        sides = compare_arguments.parse_arms(one, other, common)
    left, right = on_same_games(*sides, independent, seed)
    rule = stopping_rule_of(left, right, decide, allowed)
    if rule is not None and not json:
        most = games_of(left, right, games)
        show_compare.expected_games(rule, left.cells[0], most)
    with interruption.kept_run(out, common.game.id, "compare", common.seed) as folder:
        with interruption.watch_kept_run("compare", folder, common.seed) as shown:
            result = api.compare(
                left,
                right,
                games=games,
                tolerance=allowed,
                detailed=detailed,
                decide=decide,
                adapt=adapt,
                **how,
                out=folder,
                progress=shown,
            )
        document = show_compare.as_dict(result, left, right)
        if result.directory is not None:
            text_files.write_json(folder / "comparison.json", document)
        if page:
            from experiments.analysis import compare_report

            written = compare_report.write(result, left, right, folder)
    if json:
        output.as_json(document)
        return
    show_compare.as_tables(result, left, right, every=every)
    if result.adapted is None and (holds := not_adapted(left, right, decide)):
        output.print_line(f"holds    {holds}", wrap=True)
    drawn = common.seed if seed is None else None
    output.print_line(show_arms.seeds((left, right), drawn))
    if result.directory is not None:
        output.print_line(f"results  {short_path(folder)}")
    if page:
        output.print_line(f"page     {short_path(written)}")


@help_panels.command(
    app,
    help_panels.COMPARE,
    "fairdeal power kunitame life=4 --difference 0.5pp",
    "fairdeal power kunitame --measure 'points by position' --difference 0.1",
)
def power(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    one: Annotated[
        str, typer.Argument(metavar="A", help=_SIDE, show_default=False)
    ] = "base",
    other: Annotated[
        str, typer.Argument(metavar="B", help=_SIDE, show_default=False)
    ] = "",
    difference: Annotated[
        str,
        typer.Option(
            "--difference",
            metavar="SIZE",
            help="The difference to detect: 1pp (percentage points) for shares, a "
            "plain number otherwise.",
        ),
    ] = "1pp",
    measure: options.Measure = "won by position",
    power: Annotated[
        float,
        typer.Option(
            "--power", metavar="SHARE", help="The chance to detect the difference."
        ),
    ] = 0.80,
    game: options.OfGame = "",
    players: options.Players = "",
    pilot: Annotated[
        int, typer.Option("--pilot", metavar="N", help="Games of the pilot study.")
    ] = 8_192,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    add_strategy: options.AddStrategy = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    trust: options.Trust = False,
    json: options.Json = False,
) -> None:
    """Estimate how many games a difference needs to show.

    The estimate comes from a short pilot study; without B, of A alone. --game is needed
    only if neither side names the game.
    """
    from experiments import api
    from experiments.commands import (
        arguments,
        compare_arguments,
        output,
        progress,
        resume,
        show_arms,
        show_power,
    )
    from experiments.studies.strategy_file_trust import asking_with

    size = compare_arguments.parse_amount(difference, "--difference")
    words, game = compare_arguments.arms_and_game(
        (one, other) if other else (one,), game
    )
    one, other = words[0], words[1] if other else ""
    common = compare_arguments.common_options(
        words, game, players, lineup, seed, variant, settings, add_strategy, True
    )
    arguments.jobs_of(jobs)
    with asking_with(resume.ask_trust(trust)):
        left, right = compare_arguments.pilot_arms(one, other, common, seed)
    with progress.watch("pilot") as shown:
        result = api.power(
            left,
            right,
            difference=size,
            measure=measure,
            power=power,
            pilot=pilot,
            jobs=jobs,
            progress=shown,
        )
    if json:
        output.as_json(show_power.as_dict(result, left, right))
        return
    show_power.as_tables(result, left, right)
    drawn = common.seed if seed is None else None
    output.print_line(show_arms.seeds([left], drawn))


@help_panels.command(
    app,
    help_panels.ASK,
    "fairdeal luck kunitame --lineup allround,greedy,planner,random -n 2000",
)
def luck(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    lineup: options.Lineup = "",
    players: options.Players = "",
    games: options.Games = 4_096,
    seed: options.Seed = None,
    add_strategy: options.AddStrategy = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    out: options.KeptOut = None,
    json: options.Json = False,
) -> None:
    """Measure how much of a win is luck and how much is skill.

    The same deals are played with the lineup moved round all seats. --lineup needs at
    least two different strategies. --games counts deals: each is played twice for every
    seat.
    """
    options.start_workers_early(jobs, "loky", game)
    from experiments import api
    from experiments.commands import (
        compare_arguments,
        interruption,
        output,
        progress,
        show_power,
    )
    from experiments.execution import text_files
    from experiments.rule_set import RuleSet

    cell, number = compare_arguments.lineup_cell(
        game, players, lineup, seed, variant, settings, add_strategy
    )
    with (
        interruption.explain_interruption(out, number) if out else nullcontext(),
        interruption.watch_kept_run("luck", out, number)
        if out
        else progress.watch("luck") as shown,
    ):
        result = api.luck(
            RuleSet(cell.game, cell.rules),
            cell.lineup,
            players=cell.players,
            games=games,
            seed=number,
            jobs=jobs,
            out=out,
            progress=shown,
        )
        document = show_power.luck_dict(result, number)
        if out is not None:
            text_files.write_json(out / "luck.json", document)
    if json:
        output.as_json(document)
    else:
        show_power.luck_tables(result)
        output.print_line(f"seed     {number}" + (" (drawn)" if seed is None else ""))

"""The command ``learn``: a player taught for a game and its rules."""

import time
from collections.abc import Callable
from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.BUILD,
    "fairdeal learn kunitame --out mine",
    "fairdeal learn devil --players 2-4 --set hand=4 --minutes 10",
    "fairdeal learn kbernestich --start learned --force plot:observation",
)
def learn(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    players: options.Players = "",
    minutes: Annotated[float, options.MINUTES] = 3.0,
    blocks: Annotated[
        str,
        typer.Option(
            "--blocks",
            metavar="N,N",
            help="Blocks of games in each round, in place of --minutes, e.g. 8,12,4: "
            "finds the same policy again.",
        ),
    ] = "",
    start: Annotated[
        str,
        typer.Option(
            "--start",
            metavar="FILE",
            help="Policy to go on from, e.g. mine/policy.npz, perhaps of other rules; "
            "`learned` is the one that the game comes with.",
            show_default="nothing is known",
        ),
    ] = "",
    kinds: Annotated[
        str,
        typer.Option(
            "--kinds",
            metavar="KIND,KIND",
            help="Kinds of decisions to learn, e.g. play,invite; the leading heuristic "
            "decides all others.",
            show_default="all, or those of --start",
        ),
    ] = "",
    force: options.Force = None,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Teach a player the game, or a variant of it.

    Learns for --minutes, then plays fresh games to measure how strong the policy is and
    which decisions it gains by. The policy is a file, policy.npz, in the directory of
    the results; name it wherever a strategy is named. By default it plays with any
    number of players that the game allows. An option that it would never try, such as
    one that pays off only later, it takes with --force in half of its lessons. A
    directory that holds a policy of the same question already is gone on with; without
    --out, the same command and --seed find what they learned before.
    """
    options.start_workers_early(jobs, "loky", game)
    from experiments import api
    from experiments.commands import arguments, interruption, output, show_learn
    from experiments.execution import text_files
    from experiments.execution.output_paths import output_directory

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.numbers_of_players(request.game, players) if players else ()
    arguments.jobs_of(jobs)
    rounds = show_learn.blocks(blocks)
    only = show_learn.names(kinds)
    if out is None and seed is not None:
        out = show_learn.place(
            request, seats, minutes, rounds, start, only, force or ()
        )
    with (
        output_directory(out, game, "learn") as folder,
        interruption.explain_interruption(
            folder, request.seed, "round", show_learn.finished_rounds
        ),
    ):
        found = api.learn(
            request.rule_set,
            players=seats,
            minutes=minutes,
            blocks=rounds,
            start=start,
            kinds=only,
            force=force or (),
            seed=request.seed,
            jobs=jobs,
            out=folder,
            progress=_lines(),
        )
        document = show_learn.as_dict(found)
        text_files.write_json(folder / "learn.json", document)
    if json:
        output.as_json(document)
        return
    show_learn.as_tables(found)
    output.print_line(request.seed_line)
    output.print_line(f"results  {short_path(folder)}")


def _lines() -> Callable[[str], None]:
    """Print what was done to stderr, with the seconds it took so far."""
    import sys

    from reports.safe_text import plain

    begin = time.monotonic()

    def say(text: str) -> None:
        print(
            plain(f"learn {time.monotonic() - begin:,.0f} s: {text}"),
            file=sys.stderr,
            flush=True,
        )

    return say

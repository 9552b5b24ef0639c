"""The command ``what-if``: change something, and see what it is worth."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

if TYPE_CHECKING:
    from experiments.rule_set import RuleSet
    from experiments.studies.study import Study

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.ASK,
    "fairdeal what-if kunitame --forbid claim:only-white -n 2000",
    "fairdeal what-if kunitame --force contract:2 --when 'week 1' -n 2000",
    "fairdeal what-if kunitame --grant 'Life gems' -n 500",
    "fairdeal what-if lives.toml",
)
def what_if(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    what: options.GameOrStudy,
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
        list[str] | None,
        options.several(
            "OPTION", "Forbid an option, e.g. claim:black; claim:each is each in turn."
        ),
    ] = None,
    force: options.Force = None,
    decline: Annotated[
        bool, typer.Option("--decline", help="Decline the decision of --when.")
    ] = False,
    grant: Annotated[
        list[str] | None,
        options.several("THING", "Give one player one more, e.g. 'Life gems'."),
    ] = None,
    swap_cards: Annotated[
        list[str] | None,
        options.several(
            "CARD", "Have a card in hand rather than not; each is each card."
        ),
    ] = None,
    other_rules: Annotated[
        list[str] | None,
        options.several("KEY=VALUE", "Play by other rules, e.g. life=4.", valued=True),
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
    games: Annotated[
        int | None,
        options.changed(options.GAMES, show_default="16,384, or as the study says"),
    ] = None,
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
    """Change something in games that are otherwise the same.

    Forbid or force an option, decline a decision, grant one more of something, swap
    cards, change the rules or the strategy. Options can be repeated; each change has a
    row of its own, and all together the last, if they can be combined. A study says it
    in tables [what_if.NAME]. --games counts deals; each is played with and without the
    change, with the same chance.
    """
    options.start_workers_early(jobs, backend, what)
    from experiments import api
    from experiments.commands import arguments, interruption, output, show_what_if
    from experiments.execution import text_files
    from experiments.variants.variants import parse_setting, settings_as_changes

    how = arguments.execution(jobs, backend, scheduler)
    read = _study if arguments.is_study(what) else _game
    asked = read(what, lineup, add_strategy, players, games, seed, settings, variant)
    changes = settings_as_changes(map(parse_setting, other_rules or ()))
    with interruption.kept_run(out, asked.game, "what-if", asked.seed) as folder:
        with interruption.watch_kept_run("what-if", folder, asked.seed) as shown:
            result = api.what_if(
                asked.rules,
                asked.lineup,
                when=when,
                whose=whose,
                forbid=forbid or (),
                force=force or (),
                decline=decline,
                grant=grant or (),
                swap_cards=swap_cards or (),
                other_rules=changes or None,
                other_strategy=other_strategy,
                players=asked.players,
                games=games,
                given=given or (),
                seed=asked.seed,
                **how,
                out=folder,
                progress=shown,
            )
        document = result.to_dict()
        text_files.write_json(folder / "what-if.json", document)
    if json:
        output.as_json(document)
        return
    show_what_if.as_tables(result)
    for words in asked.notes:
        output.print_line(f"note     {words}")
    drawn = " (drawn)" if asked.drawn else ""
    output.print_line(f"seed     {asked.seed}{drawn}")
    output.print_line(f"results  {short_path(folder)}")


class _Asked(NamedTuple):
    """What is played: rules, or a study that says the rest."""

    rules: "RuleSet | Study"
    game: str
    lineup: str | None
    players: int | None
    seed: int
    drawn: bool
    notes: Sequence[str]


def _game(
    game: str,
    lineup: str,
    add_strategy: list[str] | None,
    players: str,
    _: int | None,
    seed: int | None,
    settings: list[str] | None,
    variant: Path | None,
) -> _Asked:
    """Return the game, with the rules and the lineup of the options."""
    from experiments.commands import arguments
    from experiments.studies.lineups import default_lineup
    from strategies.specs import split_lineup

    request = arguments.resolve(game, variant, settings, seed)
    usual = "" if add_strategy else default_lineup(game)
    seats = arguments.lineup_of(request.game, lineup or usual, add_strategy)
    many = len(split_lineup(seats))
    count = arguments.one_number_of_players(request.game, players, many)
    return _Asked(
        request.rule_set, game, seats, count, request.seed, request.drawn, request.notes
    )


def _study(
    file: str,
    lineup: str,
    add_strategy: list[str] | None,
    players: str,
    games: int | None,
    seed: int | None,
    settings: list[str] | None,
    variant: Path | None,
) -> _Asked:
    """Return the study of a file; options override what it says."""
    from experiments.coercion import coerce_seed
    from experiments.studies import overrides, study
    from sim import places

    read = study.load(places.named(file))
    known = seed if seed is not None else read.seed
    said, notes = overrides.apply_overrides(
        read,
        players=players,
        games=games,
        seed=coerce_seed(known),
        lineup=lineup,
        extra_strategies=add_strategy or (),
        settings=settings or (),
        variant=variant,
    )
    return _Asked(
        said, said.game, None, None, int(said.seed or 0), known is None, notes
    )

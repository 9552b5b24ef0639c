"""Commands about variants: ``variant validate|diff|show|new``, and ``schema``."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import example
from experiments.commands.words import CheckedGroup

Word = Annotated[
    str,
    typer.Argument(
        help="A variant file, or the name of a variant in this directory.",
        show_default=False,
    ),
]


def validate(
    variants: Annotated[
        list[str],
        typer.Argument(help="Variant files, or names of variants.", show_default=False),
    ],
    json: options.Json = False,
) -> None:
    """Check variant files: exit code 0 if all hold, 2 if one does not."""
    from experiments import api
    from experiments.commands import show, show_variants

    found = api.variant.validate(variants)
    if json:
        show.as_json({"variants": found})
    else:
        for one in found:
            for words in show_variants.verdict_lines(one):
                show.line(words)
    if not all(one["valid"] for one in found):
        raise typer.Exit(2)


def diff(
    one: Word,
    other: Annotated[
        str | None,
        typer.Argument(
            help="Another one; without it, ONE is compared with its base rules. "
            "`base` stands for these.",
            show_default=False,
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Tell in plain English what OTHER changes of ONE."""
    from experiments import api
    from experiments.commands import show, show_variants

    found = api.variant.diff(one, other)
    if json:
        show.as_json(show_variants.diff_as_dict(found))
        return
    show.line(found.title, "bold")
    for change in found.changes:
        show.line(f"- {change.sentence}")
    if not found.changes:
        show.line("Nothing differs.")


def show(
    variant: Word, settings: options.Set = None, json: options.Json = False
) -> None:
    """Print what a variant changes, and which file or --set set it."""
    from experiments import api
    from experiments.commands import show, show_variants

    one = api.variant.show(variant, settings or ())
    if json:
        show.as_json(show_variants.as_dict(one))
    else:
        show_variants.as_table(one)


def new(
    game: options.Game,
    file: Annotated[
        Path, typer.Argument(help="The file to write.", show_default=False)
    ],
    name: Annotated[
        str,
        typer.Option(
            "--name", metavar="TEXT", help="What to call it (default: as the file)."
        ),
    ] = "",
    about: Annotated[
        str, typer.Option("--about", metavar="TEXT", help="What it is for, in words.")
    ] = "",
    base: Annotated[
        str, typer.Option("--base", metavar="NAME", help="The variant that it changes.")
    ] = "base",
    settings: options.Set = None,
) -> None:
    """Write a variant file to start from: every rule is in it, as a comment."""
    from experiments import api
    from experiments.commands import show

    api.variant.new(
        game, file, name=name, about=about, base=base, settings=settings or ()
    )
    show.line(f"variant  {file}", "bold")
    show.line(f"check it with: fairdeal variant validate {file}")


def schema(
    game: options.Game,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="File to write (default: print it)."
        ),
    ] = None,
    study: Annotated[
        bool, typer.Option("--study", help="That of study files instead.")
    ] = False,
) -> None:
    """Write the JSON Schema of a game's variant files, for editors."""
    from experiments import api
    from experiments.commands import show

    found = api.schema(game, study=study, out=out)
    if out is None:
        show.as_json(found)
        return
    show.line(f"schema   {out}", "bold")
    kind = "study" if study else "variant"
    show.line(f"The first line of a {kind} file beside it tells an editor of it:")
    show.line(f"#:schema ./{out.name}")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    variant = typer.Typer(
        cls=CheckedGroup,
        help="Rules that differ from a base: check, compare, show and start them.",
        rich_markup_mode=None,
        no_args_is_help=True,
        epilog="Example: fairdeal variant validate my.toml",
    )
    variant.command(epilog=example("fairdeal variant validate my.toml other.toml"))(
        validate
    )
    variant.command(
        epilog=example(
            "fairdeal variant diff my.toml", "fairdeal variant diff my.toml other.toml"
        )
    )(diff)
    variant.command(
        epilog=example(
            "fairdeal variant show my.toml", "fairdeal variant show my.toml --json"
        )
    )(show)
    variant.command(
        epilog=example(
            "fairdeal variant new kunitame my.toml --set life=4",
            "fairdeal variant new kunitame other.toml --base my.toml",
        )
    )(new)
    app.add_typer(variant, name="variant")
    app.command(
        epilog=example(
            "fairdeal schema kunitame",
            "fairdeal schema kunitame --out kunitame.schema.json",
            "fairdeal schema kunitame --study --out study.schema.json",
        )
    )(schema)

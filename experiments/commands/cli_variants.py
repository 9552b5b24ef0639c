"""The commands ``variant validate|diff|show|new``, ``cards`` and ``schema``."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.commands.argument_checks import CheckedGroup

app = typer.Typer()
variant = typer.Typer(
    cls=CheckedGroup,
    help="Check, compare, show and start variant files.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Example: fairdeal variant validate my.toml",
)
app.add_typer(variant, name="variant", rich_help_panel=help_panels.BUILD)

Word = Annotated[
    str,
    typer.Argument(
        help="A variant file, or the name of a variant in this directory.",
        show_default=False,
    ),
]


@help_panels.command(variant, None, "fairdeal variant validate my.toml other.toml")
def validate(
    variants: Annotated[
        list[str],
        typer.Argument(help="Variant files, or names of variants.", show_default=False),
    ],
    json: options.Json = False,
) -> None:
    """Check variant files: exit code 0 if all are valid, else 2."""
    from experiments import api
    from experiments.commands import output, show_variants

    result = api.variant.validate(variants)
    if json:
        output.as_json({"variants": result})
    else:
        for verdict in result:
            for words in show_variants.verdict_lines(verdict):
                output.print_line(words)
    if not all(verdict["valid"] for verdict in result):
        raise typer.Exit(2)


@help_panels.command(
    variant,
    None,
    "fairdeal variant diff my.toml",
    "fairdeal variant diff my.toml other.toml",
)
def diff(
    one: Word,
    other: Annotated[
        str | None,
        typer.Argument(
            help="Another one; `base` means the base rules.",
            show_default="the base rules of the first",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Describe in plain English how two variants differ."""
    from experiments import api
    from experiments.commands import output, show_variants

    result = api.variant.diff(one, other)
    if json:
        output.as_json(show_variants.diff_as_dict(result))
        return
    output.print_line(result.title, "bold")
    for change in result.changes:
        output.print_line(f"- {change.sentence}")
    if not result.changes:
        output.print_line("Nothing differs.")


@help_panels.command(
    variant,
    None,
    "fairdeal variant show my.toml",
    "fairdeal variant show my.toml --json",
)
def show(
    variant: Word, settings: options.Set = None, json: options.Json = False
) -> None:
    """Show what a variant changes, and which file or --set did it."""
    from experiments import api
    from experiments.commands import output, show_variants

    info = api.variant.show(variant, settings or ())
    if json:
        output.as_json(show_variants.as_dict(info))
    else:
        show_variants.as_table(info)


@help_panels.command(
    variant,
    None,
    "fairdeal variant new kunitame my.toml --set life=4",
    "fairdeal variant new kunitame other.toml --base my.toml",
)
def new(
    game: options.Game,
    file: Annotated[
        Path, typer.Argument(help="The file to write.", show_default=False)
    ],
    name: Annotated[
        str,
        typer.Option(
            "--name",
            metavar="TEXT",
            help="Name of the variant.",
            show_default="that of the file",
        ),
    ] = "",
    about: Annotated[
        str, typer.Option("--about", metavar="TEXT", help="What it is for, in words.")
    ] = "",
    base: Annotated[
        str, typer.Option("--base", metavar="NAME", help="The variant to change.")
    ] = "base",
    settings: options.Set = None,
) -> None:
    """Write a variant file to start from, with every rule in it."""
    from experiments import api
    from experiments.commands import output

    api.variant.new(
        game, file, name=name, about=about, base=base, settings=settings or ()
    )
    output.print_line(f"variant  {file}", "bold")
    output.print_line(f"check it with: fairdeal variant validate {file}")


_FILE = Annotated[
    Path | None,
    typer.Option(
        "--file", metavar="FILE", help="File to write.", show_default="print it"
    ),
]


@help_panels.command(
    app,
    help_panels.BUILD,
    "fairdeal cards kunitame --file cards.csv",
    "fairdeal cards kunitame --variant mine.xlsx --columns gem=Edelsteine "
    "--file cards.csv",
)
def cards(
    game: options.Game,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    columns: options.Columns = None,
    encoding: options.Encoding = "",
    file: _FILE = None,
) -> None:
    """Write the cards and squares of a game as a sheet.

    The sheet (CSV) is a variant: edit it in any spreadsheet, and name it wherever a
    variant file is named. With --variant, the tables are those of a variant. If that is
    a sheet with headings of its own, --columns says what they mean; columns that are no
    fields are kept.
    """
    from experiments import api
    from experiments.commands import output

    text = api.cards(
        game,
        variant=variant,
        settings=settings or (),
        columns=columns or (),
        encoding=encoding,
        file=file,
    )
    if file is None:
        for line in text.splitlines():
            output.print_line(line)
        return
    output.print_line(f"cards    {file}", "bold")
    output.print_line(f"check it with: fairdeal variant validate {file}")


@help_panels.command(
    app,
    help_panels.BUILD,
    "fairdeal schema kunitame",
    "fairdeal schema kunitame --file kunitame.schema.json",
    "fairdeal schema kunitame --study --file study.schema.json",
)
def schema(
    game: options.Game,
    file: _FILE = None,
    study: Annotated[
        bool, typer.Option("--study", help="Write that of study files instead.")
    ] = False,
) -> None:
    """Write a JSON Schema of variant files, for your editor."""
    from experiments import api
    from experiments.commands import output

    result = api.schema(game, study=study, file=file)
    if file is None:
        output.as_json(result)
        return
    output.print_line(f"schema   {file}", "bold")
    kind = "study" if study else "variant"
    output.print_line(
        f"Editors use it if a {kind} file beside it begins with this line:"
    )
    output.print_line(f"#:schema ./{file.name}")

"""Write the tables of rules as a sheet of cards: those of a game, or of a variant.

A variant that is a sheet may have headings of its own, which are declared, and columns
that are no fields, such as notes or artists: they are kept on the way out.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments.core.cells import UsageError
from experiments.execution.output_paths import new_file
from experiments.variants.rule_sheets import (
    OwnColumns,
    is_sheet,
    own_columns,
    sheet_text,
    sheet_variant,
)
from experiments.variants.sheet_tables import sheet_tables
from experiments.variants.variant_files import BASE, Variant, locate_variant
from experiments.variants.variants import resolve_rules, resolve_variant
from reports.formatting import join_words
from sim import places
from sim.games import Game
from sim.parameters import Rules


def card_sheet(
    game: Game,
    variant: str = BASE,
    settings: Sequence[str] = (),
    *,
    columns: Sequence[str] = (),
    encoding: str = "",
    file: Path | None = None,
) -> str:
    """Return the tables of cards and squares as CSV, and write it to ``file`` if named.

    columns: the fields that headings of the variant's sheet mean, as ``gem=Edelsteine``
    (``rule_sheets.read_card_sheet``). encoding: of that sheet; detected if none is
    named. Raises ``UsageError`` or ``RuleError``, and then writes nothing.
    """
    path = locate_variant(variant, places.named(""))
    own = OwnColumns()
    if path is not None and is_sheet(path):
        values = sheet_variant(game, path, columns, encoding)
        layer = Variant(str(path), path.stem, values["rules"])
        rules = resolve_variant(game, layer, settings).rules
        own = own_columns(game, path, columns, encoding)
    elif columns or encoding:
        given = "columns" if columns else "encoding"
        raise UsageError(f"{given}: name the sheet that it is of with --variant.")
    else:
        rules = resolve_rules(game, path, settings).rules
    if lost := [*_not_in_sheet(game, rules)]:
        raise UsageError(
            f"cards: a sheet has cards and squares alone, not {join_words(lost)}. "
            "Write that with fairdeal variant new, as a .toml file."
        )
    text = sheet_text(game, rules, own)
    if file is not None:
        if file.suffix != ".csv":
            raise UsageError(f"cards: {file} must end in .csv.")
        new_file(file, text, "cards")
    return text


def _not_in_sheet(game: Game, rules: Rules) -> Iterator[str]:
    """Yield the rules that are not those of the base rules with these tables."""
    base, plain = game.rules(), rules.plain()
    tables = [table for table in sheet_tables(rules).values() if table.rows]
    held = {key for table in tables for key in table.keys}
    changed = {key for key in held if getattr(rules, key) != getattr(base, key)}
    read = base.changed({key: plain[key] for key in changed})
    for key in type(rules).model_fields:
        if getattr(rules, key) != getattr(read, key):
            yield key

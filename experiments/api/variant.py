"""Variant files (``variant`` of the door): check, compare, show and start them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.variants import variant_info
from experiments.variants.variant_files import BASE
from experiments.variants.variant_info import VariantDifference, VariantInfo
from sim.games import load


def validate(variants: str | Path | Sequence[str | Path]) -> list[dict[str, Any]]:
    """Check variant files, or the names of variants in this directory.

    Return a dictionary for each: variant, valid, and the error; or its game, name,
    chain, players, differences (how many) and notes.

    >>> [found] = validate("missing.toml")
    >>> found["valid"], found["error"]
    (False, 'variant: there is no file missing.toml.')
    """
    few = [variants] if isinstance(variants, str | Path) else variants
    return variant_info.validate_variants([str(variant) for variant in few])


def diff(one: str | Path, other: str | Path | None = None) -> VariantDifference:
    """Describe in plain English what ``other`` changes in ``one``.

    Without ``other``, compare ``one`` with its base rules, which are also called
    ``base``. Raises ``UsageError`` or ``RuleError``.

    >>> diff("four.toml")  # doctest: +SKIP
    From the base rules to four (four.toml):
    - Life gems of a player at the start: 4 gems instead of 3 (life).
    """
    return variant_info.variant_difference(
        str(one), None if other is None else str(other)
    )


def show(variant: str | Path, settings: Sequence[str] = ()) -> VariantInfo:
    """Show what a variant changes, and which file or setting ("life=4") did it.

    Raises ``UsageError`` or ``RuleError``.

    >>> show("four.toml").changes()  # doctest: +SKIP
    """
    return variant_info.open_variant(str(variant), settings)


def new(
    game: str,
    file: str | Path,
    *,
    name: str = "",
    about: str = "",
    base: str = BASE,
    settings: Sequence[str] = (),
) -> None:
    """Write a variant file to start from, with every rule in it as a comment.

    Args:
        game: id of the game.
        file: the file to write; it must not exist.
        name: name of the variant; by default that of the file.
        about: what it is for, in words.
        base: the variant to change: a file or a name.
        settings: rules to change, e.g. "life=4".

    Raises ``UsageError`` or ``RuleError``, and then writes nothing.

    >>> new("kunitame", "four.toml", settings=["life=4"])  # doctest: +SKIP
    """
    import experiments.variants.new_variant

    experiments.variants.new_variant.new(
        load(game), Path(file), name=name, about=about, base=base, settings=settings
    )

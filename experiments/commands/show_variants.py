"""Print variants: whether they are valid, what they change, and what set it."""

from typing import Any

from experiments.commands import output
from experiments.variants.rule_diff import Change
from experiments.variants.variant_info import VariantDifference, VariantInfo, playable


def verdict_lines(row: dict[str, Any]) -> list[str]:
    """Return a verdict as lines to print."""
    if not row["valid"]:
        return [f"wrong    {row['error']}"]
    number = row["differences"]
    differ = "1 difference" if number == 1 else f"{number} differences"
    players = ", ".join(map(str, row["players"]))
    about = f"{row['game']}, {differ} from its base rules, for {players} players"
    return [f"fine     {row['variant']}: {about}", *row["notes"]]


def as_dict(one: VariantInfo) -> dict[str, Any]:
    """Return a variant as one JSON object."""
    return {
        "game": one.game.id,
        "file": str(one.path),
        "name": one.resolved.name,
        "about": one.resolved.about,
        "chain": list(one.resolved.chain),
        "players": playable(one.game, one.resolved.rules)[0],
        "differences": [
            {**_plain(change), "set_by": one.sources(change)}
            for change in one.changes()
        ],
        "provenance": dict(one.resolved.provenance),
        "rules": one.resolved.rules.plain(),
        "notes": one.notes(),
    }


def as_table(one: VariantInfo) -> None:
    """Print a variant: what differs, and which file or option set it."""
    rows = [[c.sentence, ", ".join(one.sources(c))] for c in one.changes()]
    output.print_line(f"{one.resolved.name} ({one.game.title})", "bold")
    if one.resolved.about:
        output.print_line(one.resolved.about)
    output.print_line(
        f"made of {', then '.join(['the base rules', *one.resolved.chain])}"
    )
    output.print_line()
    if rows:
        for words, source in rows:
            output.print_line(f"- {words}")
            output.print_line(f"  set by {source}", "dim")
    else:
        output.print_line("Nothing differs from the base rules.")
    output.print_line()
    for words in one.notes():
        output.print_line(words)


def diff_as_dict(difference: VariantDifference) -> dict[str, Any]:
    """Return a difference as one JSON object."""
    return {
        "of": difference.title,
        "differences": [_plain(change) for change in difference.changes],
    }


def _plain(change: Change) -> dict[str, Any]:
    return {
        "key": change.key,
        "before": change.before,
        "after": change.after,
        "sentence": change.sentence,
    }

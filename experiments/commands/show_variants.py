"""Print variants: whether they are valid, what they change, and what set it."""

from typing import Any

from experiments.commands import show
from experiments.variants.opened import Difference, Opened, playable
from experiments.variants.rule_diff import Change


def verdict_lines(found: dict[str, Any]) -> list[str]:
    """Return a verdict as lines to print."""
    if not found["valid"]:
        return [f"wrong    {found['error']}"]
    number = found["differences"]
    differ = "1 difference" if number == 1 else f"{number} differences"
    players = ", ".join(map(str, found["players"]))
    about = f"{found['game']}, {differ} from its base rules, for {players} players"
    return [f"fine     {found['variant']}: {about}", *found["notes"]]


def as_dict(one: Opened) -> dict[str, Any]:
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


def as_table(one: Opened) -> None:
    """Print a variant: what differs, and which file or option set it."""
    rows = [[c.sentence, ", ".join(one.sources(c))] for c in one.changes()]
    show.line(f"{one.resolved.name} ({one.game.title})", "bold")
    if one.resolved.about:
        show.line(one.resolved.about)
    show.line(f"made of {', then '.join(['the base rules', *one.resolved.chain])}")
    show.line()
    if rows:
        for words, source in rows:
            show.line(f"- {words}")
            show.line(f"  set by {source}", "dim")
    else:
        show.line("Nothing differs from the base rules.")
    show.line()
    for words in one.notes():
        show.line(words)


def diff_as_dict(found: Difference) -> dict[str, Any]:
    """Return a difference as one JSON object."""
    return {
        "of": found.title,
        "differences": [_plain(change) for change in found.changes],
    }


def _plain(change: Change) -> dict[str, Any]:
    return {
        "key": change.key,
        "before": change.before,
        "after": change.after,
        "sentence": change.sentence,
    }

"""Print a learned policy: how strong it is, which decisions it gains by, its use."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from experiments.commands import output
from experiments.commands.arguments import Request
from experiments.core.cells import UsageError
from experiments.execution.user_paths import short_path
from experiments.learning.learn import POLICY, place_of
from experiments.learning.learned_policy import LearnedPolicy
from sim.games import load
from strategies.policy_file import PolicyError, read

_DIGITS = 6  # at most, of a number of blocks


def blocks(text: str) -> tuple[int, ...]:
    """The numbers in ``8,12,4``, one a round; none in an empty text."""
    counts = [part.strip() for part in text.split(",")] if text else []
    for part in counts:
        if not (part.isdecimal() and part.isascii() and len(part) <= _DIGITS):
            raise UsageError(
                f"--blocks: whole numbers, one for each round, as in 8,12,4, not "
                f"{text!r}."
            )
    return tuple(map(int, counts))


def names(text: str) -> tuple[str, ...]:
    """The names in ``play,invite``; none in an empty text."""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def place(
    request: Request,
    players: Sequence[int],
    minutes: float,
    counts: Sequence[int],
    start: str,
    kinds: Sequence[str] = (),
    force: Sequence[str] = (),
) -> Path:
    """Where the policy is kept if no directory is named."""
    rules, more = request.rule_set.values, (kinds, force)
    return place_of(
        request.game.id, rules, players, minutes, counts, start, request.seed, *more
    )


def finished_rounds(folder: Path) -> int:
    """How many rounds of learning a folder keeps."""
    with suppress(PolicyError):
        return len(read(folder / POLICY).about.get("rounds", ()))
    return 0


def as_dict(found: LearnedPolicy) -> dict[str, Any]:
    """Return the result as one JSON object, with its file as a user would type it."""
    return {**found.as_dict(), "file": _file(found)}


def as_tables(found: LearnedPolicy) -> None:
    """Print the result."""
    for words in strength(found):
        output.print_line(words, wrap=True)
    output.print_line()
    _decisions(found)
    file = _file(found)
    if file is None:
        return
    output.print_line(f"policy   {file}")
    lineup = ",".join([file, *[found.teacher] * (_usual(found) - 1)])
    output.print_line(f"to play  fairdeal run {found.task.game} --lineup {lineup}")
    counts = ",".join(str(one["blocks"]) for one in found.rounds)
    output.print_line(f"again    with --blocks {counts} and this seed")


def strength(found: LearnedPolicy) -> list[str]:
    """Say how strong the policy is, in a sentence for each number of players."""
    lines = []
    for row in found.players.iter_rows(named=True):
        share, low, high = (f"{row[key]:.1f}" for key in ("share", "low", "high"))
        gain, least, most = (
            f"{row[key]:+.1f}" for key in ("gain", "gain low", "gain high")
        )
        others = row["players"] - 1
        lines.append(
            f"strength one among {_number(others)} {found.teacher} wins {share} % "
            f"({low} to {high}; even {row['even']:.3g}), {gain} points "
            f"({least} to {most}) over {found.teacher} in its seat"
        )
    return [
        lines[0],
        *(one.replace("strength", "        ", 1) for one in lines[1:]),
    ]


def _decisions(found: LearnedPolicy) -> None:
    """Print which decisions the policy gains by."""
    kinds = load(found.task.game).kinds
    rows = [
        [
            row["decision"],
            kinds[row["decision"]].doc,
            f"{row['gain']:+.1f} ({row['low']:+.1f} to {row['high']:+.1f})",
        ]
        for row in found.decisions.iter_rows(named=True)
    ]
    if not rows:
        output.print_line(
            f"learned  nothing yet: there were too few lessons, so it plays as "
            f"{found.teacher}",
            wrap=True,
        )
        return
    output.table(
        f"Where skill lies: by how much it gains over {found.teacher}",
        ["decision", "what is decided", "points gained"],
        rows,
        f"Points of win share of one among {found.teacher} that decides this kind as "
        f"it learned rather than as {found.teacher} does, on average over who decides "
        "the other kinds. In brackets 95 % intervals. A kind that gains nothing takes "
        "little skill, or what it takes was not learned.",
    )


def _usual(found: LearnedPolicy) -> int:
    """The number of players in the example: 4, or the first that it can play."""
    counts = sorted(found.strength)
    return 4 if 4 in counts else counts[0]


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
    return words[count] if count < len(words) else str(count)


def _file(found: LearnedPolicy) -> str | None:
    return None if found.file is None else str(short_path(found.file))

"""Giving the command again that a run directory remembers, wherever it is now."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import typer

from experiments.core.cells import UsageError
from experiments.studies import directories
from experiments.studies.directories import Run
from experiments.studies.trust import Agree, trusting
from strategies.places import given_in


def asking(trust: bool) -> Agree:
    """Who agrees to what a run directory asks for: ``--trust``, or who is asked."""

    def agree(question: str) -> bool:
        if trust:
            return True
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        return typer.confirm(f"{question} Go on?", default=False, err=True)

    return agree


def repeat(
    app: Any,
    run: Run,
    given: Mapping[str, str | None],
    flags: Mapping[str, bool],
    agree: Agree,
) -> None:
    """Give the command of a run again, as from where it was given, for where it is now.

    Nobody goes there: paths in the command are meant from that folder. ``app`` is the
    whole command line; ``given`` and ``flags`` are options that were said anew.
    """
    words, place = directories.remembered(run.path)
    _check_cluster(run, words, given, agree)
    out = run.path.resolve()
    here = Path.cwd()
    near = out.relative_to(here) if out.is_relative_to(here) else out
    words = [*_without("--out", words), "--out", str(near)]
    for option, value in given.items():
        words += [option, value] if value is not None else []
    words += [flag for flag, said in flags.items() if said and flag not in words]
    from_there = given_in(place) if place.is_dir() else nullcontext()
    with from_there, _given(words), trusting(out, run.state.manifest, agree):
        code = app.main(words, prog_name="fairdeal", standalone_mode=False)
    if code:
        raise typer.Exit(int(code))


def _check_cluster(
    run: Run, words: Sequence[str], given: Mapping[str, str | None], agree: Agree
) -> None:
    """Ask before a cluster is used that only the directory names."""
    named = any(word.partition("=")[0] == "--scheduler" for word in words)
    question = f"{run.path} was played on a cluster, which can run anything here."
    if named and given["--scheduler"] is None and not agree(question):
        raise UsageError(f"{question} If it is yours, say --trust or --scheduler.")


def _without(option: str, words: Sequence[str]) -> list[str]:
    """The words without an option and its value."""
    found, skip = [], False
    for word in words:
        if not (skip or word == option or word.startswith(f"{option}=")):
            found.append(word)
        skip = word == option and not skip
    return found


@contextmanager
def _given(words: list[str]) -> Iterator[None]:
    """These words in place of those of this command, for messages."""
    before = sys.argv
    sys.argv = [before[0], *words]
    try:
        yield
    finally:
        sys.argv = before

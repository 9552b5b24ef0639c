"""Repeat the command that a run directory remembers, wherever it is now."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import typer

from experiments.commands import show_finished_run
from experiments.core.cells import UsageError
from experiments.execution import kept_policies
from experiments.execution.user_paths import short_path
from experiments.studies import run_catalog
from experiments.studies.run_catalog import RunEntry
from experiments.studies.strategy_file_trust import Agree, loading_trusted
from sim.places import given_in

_SHORT = {"--jobs": "-j"}


def ask_trust(trust: bool) -> Agree:
    """Return who agrees to what a run asks for: ``--trust``, or the user."""

    def agree(question: str) -> bool:
        if trust:
            return True
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        return typer.confirm(f"{question} Go on?", default=False, err=True)

    return agree


def resume_command(
    app: Any,
    run: RunEntry,
    overrides: Mapping[str, str | None],
    flags: Mapping[str, bool],
    agree: Agree,
    more: Sequence[str] = (),
) -> None:
    """Repeat the command of a run, with the directory where the run is now.

    Paths in the command are relative to where it was first given; the working directory
    does not change. A finished run of another version is shown as saved, and nothing is
    played. ``app`` is the whole command line; ``overrides`` and ``flags`` replace
    options, ``more`` adds some, which only the version that played can do.
    """
    if more:
        run.check_source()
    if run.state.status == "finished" and run.of_other_source:
        show_finished_run.show_finished_run(run, json=flags["--json"])
        return
    run.check_source()
    words, place = run_catalog.remembered_command(run.path)
    _check_cluster(run, words, overrides, agree)
    out = run.path.resolve()
    words = [*_without("--out", words), "--out", str(short_path(out))]
    for option, value in overrides.items():
        if value is not None:
            words = [*_without(option, words), option, value]
    words += [flag for flag, wanted in flags.items() if wanted and flag not in words]
    words += more
    from_there = given_in(place) if place.is_dir() else nullcontext()
    with (
        from_there,
        kept_policies.played_with(out) as copies,
        loading_trusted(out, run.state.manifest, agree),
        _shown_as(kept_policies.by_names(words, place, copies)) as words,
    ):
        code = app.main(words, prog_name="fairdeal", standalone_mode=False)
    if code:
        raise typer.Exit(int(code))


def _check_cluster(
    run: RunEntry, words: Sequence[str], given: Mapping[str, str | None], agree: Agree
) -> None:
    """Ask before using a cluster that only the directory names."""
    named = any(word.partition("=")[0] == "--scheduler" for word in words)
    question = f"{run.path} was played on a cluster, which can run anything here."
    if named and given["--scheduler"] is None and not agree(question):
        raise UsageError(f"{question} If it is yours, add --trust or --scheduler.")


def _without(option: str, words: Sequence[str]) -> list[str]:
    """The words without an option and its value, in any spelling."""
    kept, skip, short = [], False, _SHORT.get(option, f"{option}=")
    for word in words:
        alone = word in {option, short}
        joined = word.startswith((f"{option}=", short))
        if not (skip or alone or joined):
            kept.append(word)
        skip = alone and not skip
    return kept


@contextmanager
def _shown_as(words: list[str]) -> Iterator[list[str]]:
    """Show these words as the command in messages."""
    before = sys.argv
    sys.argv = [before[0], *words]
    try:
        yield words
    finally:
        sys.argv = before

"""Differences between two runs: in their arguments, rules, changes and results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

import sim.games
from experiments.analysis.compare import (
    ComparisonTolerance,
    compare_runs,
    run_widening,
)
from experiments.analysis.compare_scorecards import scores_of_runs
from experiments.analysis.compare_sentences import comparison_sentences
from experiments.analysis.measure_differences import differences, with_verdicts
from experiments.analysis.what_if import is_what_if
from experiments.core.cells import (
    Cell,
    Pair,
    UsageError,
    require_unpaired,
    same_games,
)
from experiments.counterfactual.changed_games import MEASURES
from experiments.execution.manifests import SOURCE
from experiments.execution.results import Results, load
from experiments.execution.version import Version
from experiments.studies.run_catalog import readable_run
from experiments.variants.rule_diff import sentences
from reports.batches import GameBatches
from reports.measures import SUM_TYPES, SUMS

SAME = "the same, bit for bit"
_ARGUMENTS = (
    ("games", "games of each cell"),
    ("block", "games of a block"),
    ("detailed", "measures of the report"),
    ("tables", "raw tables"),
    ("stop", "when to stop"),
    ("play", "how blocks are played"),
)
_NUMBERS = {
    "cell": pl.Int32,
    "players": pl.Int64,
    "measure": pl.String,
    "group": pl.String,
    "share": pl.Boolean,
    "one": pl.Float64,
    "other": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "different": pl.Boolean,
    "verdict": pl.String,
}
_WORTH = {"used", "won more", "score more"}
"""The measures of what-ifs that are compared."""
_NAMED = 6  # changes that are named, at most
_CELL = ("game", "players", "lineup", "code", "rotate", "seed", "how")


@dataclass(frozen=True)
class RunDifference:
    """The differences between two runs: arguments, rules in sentences, and results.

    ``numbers`` has the measures of both that differ: significant ones first, then by
    size in units of the tolerance. Columns: cell, players, measure, group (in words),
    share (whether it is one), one, other, difference (other minus one), low, high,
    different, verdict. ``pairing`` says which cells played the same deals: their
    differences are estimated from the same games on both sides. ``told``: what differs
    in sentences, cell by cell, as ``compare`` says it of the two runs.
    """

    about: list[tuple[str, str, str]]  # what, one, other
    rules: dict[str, list[str]]  # cell in words -> sentences on the other's rules
    results: str
    numbers: pl.DataFrame
    pairing: str = ""
    told: list[list[str]] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Whether nothing differs, including the results."""
        return not self.about and not self.rules and self.results == SAME


def diff_runs(one: Path, other: Path) -> RunDifference:
    """Return how the run in ``other`` differs from the one in ``one``."""
    here, there = (readable_run(path).state.manifest for path in (one, other))
    rows = [*_source(here, there)]
    rows += [
        (words, _text(here.get(key)), _text(there.get(key)))
        for key, words in _ARGUMENTS
        if here.get(key) != there.get(key)
    ]
    if len(here["cells"]) != len(there["cells"]):
        rows.append(("cells", str(len(here["cells"])), str(len(there["cells"]))))
    rules: dict[str, list[str]] = {}
    for label, before, after in _cells(here, there):
        rows += [
            (f"{key}, {label}", _text(before.get(key)), _text(after.get(key)))
            for key in _CELL
            if before.get(key) != after.get(key)
        ]
        values = _rules(before, after)
        if values:
            rules[label] = values
    rows += _changes(here, there)
    return RunDifference(rows, rules, *_results(one, other))


def _source(
    here: Mapping[str, Any], there: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Yield the versions of fairdeal that played them, if these affect results."""
    if any(here[key] != there[key] for key in SOURCE):
        yield "played by", str(Version.of(here)), str(Version.of(there))
        yield "source of fairdeal", here["source"], there["source"]


def _cells(
    here: Mapping[str, Any], there: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """Yield cells of the same number, with their name."""
    pairs = zip(here["cells"], there["cells"], strict=False)
    for number, (before, after) in enumerate(pairs):
        label = here["names"][number]["title"]
        yield f"cell {number} ({label}, {before['players']} players)", before, after


def _changes(
    here: Mapping[str, Any], there: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Yield what only one of two runs changes in its games, by cell."""
    pairs = zip(here["names"], there["names"], strict=False)
    for number, sides in enumerate(pairs):
        one, other = (side.get("changes", []) for side in sides)
        if one != other:
            only = (_without(one, other), _without(other, one))
            yield f"changed in cell {number}", *only


def _without(every: Sequence[str], others: Sequence[str]) -> str:
    """Return those that are not among the others, in words; few of many."""
    only = [each for each in every if each not in others]
    more = [f"{len(only) - _NAMED} more"] if len(only) > _NAMED else []
    return "; ".join([*only[:_NAMED], *more]) or "nothing else"


def _made(manifest: Mapping[str, Any]) -> Sequence[str]:
    """Return what is changed in the games of what-ifs, in words."""
    made: Sequence[str] = manifest["names"][0].get("changes", ())
    return made


def _rules(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    if before["rules"] == after["rules"] or before["game"] != after["game"]:
        return []
    rules = sim.games.load(before["game"]).rules
    return sentences(rules.of(before["rules"]), rules.of(after["rules"]))


def _results(here: Path, there: Path) -> tuple[str, pl.DataFrame, str, list[list[str]]]:
    """Say whether results agree; return the numbers that differ, pairing, sentences."""
    none = pl.DataFrame(schema=_NUMBERS)
    try:
        one, other = load(here), load(there)
    except UsageError as error:  # rules of another version; damaged files are errors
        return f"not compared: {error}", none, "", []
    if one.sums.equals(other.sums) and one.played == other.played:
        return SAME, none, "", []
    return _agree(one, other), *_numbers(one, other)


def _agree(one: Results, other: Results) -> str:
    """Say how far the results agree."""
    if one.played != other.played:
        games = f"{sum(one.played):,} and {sum(other.played):,}"
        return f"of different games: {games} count"
    by = sorted({*one.sums.columns, *other.sums.columns} - set(SUM_TYPES))
    if set(one.sums.columns) != set(other.sums.columns):
        return "of different measures"
    pairs = one.sums.join(other.sums, on=by, how="full", nulls_equal=True, suffix=" 2")
    equal = [pl.col(name).eq_missing(pl.col(f"{name} 2")) for name in SUMS]
    agree = pairs.filter(pl.all_horizontal(equal)).height
    return f"{pairs.height - agree:,} of {pairs.height:,} sums differ"


def _numbers(one: Results, other: Results) -> tuple[pl.DataFrame, str, list[list[str]]]:
    """Return the numbers that differ, if the runs' cells are comparable."""
    rows, told = _compared(one, other)
    if rows.is_empty():
        return pl.DataFrame(schema=_NUMBERS), "", []
    size = pl.col("difference").abs() / pl.col("tolerance")
    differing = rows.filter(pl.col("difference") != 0)
    differing = differing.sort("different", size, descending=True)
    numbers = differing.select(pl.col(name).cast(t) for name, t in _NUMBERS.items())
    return numbers, _pairing([*zip(one.cells, other.cells, strict=True)]), told


def _compared(one: Results, other: Results) -> tuple[pl.DataFrame, list[list[str]]]:
    """Return the differences between two runs, also in sentences.

    There are none if they have no counterpart.
    """
    pairs, runs = list(zip(one.cells, other.cells, strict=False)), (one, other)
    if (
        len(one.cells) == len(other.cells)
        and all(all(run.played) for run in runs)
        and not any(isinstance(cell, Pair) for pair in pairs for cell in pair)
        and all((a.game, a.players) == (b.game, b.players) for a, b in pairs)
    ):
        if all(run.manifest["play"] is None for run in runs):
            scored = run_widening(one, other) == 1
            scores = scores_of_runs(one, other) if scored else ()
            found = compare_runs(one, other, scores=scores)
            return found.rows, comparison_sentences(found, "the other run")
        if all(is_what_if(run.manifest) for run in runs):
            return _what_ifs(one, other), []
    return pl.DataFrame(), []


def _what_ifs(one: Results, other: Results) -> pl.DataFrame:
    """Return the differences in what changes are worth that both runs made."""
    here, there = (
        require_unpaired(run.cells, run.directory)[0] for run in (one, other)
    )
    batches = GameBatches(here.players) if same_games(here, there) else None
    games = other.played[0], one.played[0]
    both = {*_made(one.manifest)} & {*_made(other.manifest)}
    after, before = (
        run.sums.filter(pl.col("what").is_in(both)) for run in (other, one)
    )
    parts = []
    for of in (each for each in MEASURES if each.name in _WORTH):
        sides = after.filter(measure=of.name), before.filter(measure=of.name)
        parts.append(differences(*sides, of, games, batches=batches))
    rows = pl.concat(parts, how="diagonal")
    if rows.is_empty():
        return rows
    words = pl.col("group").str.strip_prefix("what ").str.strip_suffix(", position 0")
    share = pl.col("measure") != "score more"
    named = rows.with_columns(group=words, share=share, cell=0, players=here.players)
    return with_verdicts(named, ComparisonTolerance())


def _pairing(pairs: Sequence[tuple[Cell | Pair, Cell | Pair]]) -> str:
    """Say which cells of two runs played the same deals."""
    apart = [
        str(number)
        for number, (a, b) in enumerate(pairs)
        if isinstance(a, Cell) and isinstance(b, Cell) and not same_games(a, b)
    ]
    if not apart:
        return "same deals on both sides: the intervals are paired"
    which = "" if len(apart) == len(pairs) else f"cells {', '.join(apart)}: "
    return f"{which}other deals (another seed): the intervals are not paired"


def _text(value: Any) -> str:
    """Return a value of a manifest in words."""
    if isinstance(value, Mapping) and "half_width" in value:
        return f"{value['measure']} known to {value['half_width']:.3g}"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)

"""Print a check: each target with the number that decides it."""

from collections.abc import Sequence
from typing import Any

from experiments.analysis import compare_formatting
from experiments.analysis.sequential_targets import SequentialTargets
from experiments.analysis.target_tests import (
    PointVerdicts,
    TargetVerdict,
    assess,
    by_point,
    exit_code,
)
from experiments.commands import output
from experiments.execution import text_files
from experiments.studies.plans import Plan
from experiments.studies.run_study import StudyResult
from experiments.studies.targets import CELL_COLUMNS, Target

_NO_CELL_COLUMNS = {"cell", "point"}


def judge_and_show(targets: Sequence[Target], done: StudyResult, json: bool) -> int:
    """Judge finished games, save and print the verdicts, and return the exit code."""
    plan, results = done.plan, done.results
    verdicts = assess(targets, results, plan.frame())
    points = by_point(targets, results, plan.frame(), plan.keys) if plan.keys else []
    document = as_dict(verdicts, plan, points)
    if results.directory is not None:
        text_files.write_json(results.directory / "check.json", document)
    if json:
        output.as_json(document)
    else:
        looked = results.looked is not None
        as_tables(verdicts, plan, points, results.played, looked=looked)
    return exit_code(verdicts)


def as_dict(
    verdicts: Sequence[TargetVerdict], plan: Plan, points: Sequence[PointVerdicts] = ()
) -> dict[str, Any]:
    """Return a check as one JSON object."""
    return {
        "question": plan.question,
        "game": plan.game,
        "seed": plan.seed,
        "exit_code": exit_code(verdicts),
        "targets": [
            {
                "name": verdict.target.name,
                "about": verdict.target.about,
                "measure": verdict.target.measure,
                "wanted": verdict.target.wanted(verdict.share),
                "verdict": verdict.verdict,
                "needed": verdict.needed,
                "ignored": verdict.ignored,
                "games": verdict.games,
                "rows": verdict.rows.drop("se", strict=False).to_dicts(),
            }
            for verdict in verdicts
        ],
        "points": [
            {
                "point": dict(here.point),
                "verdict": here.word,
                "targets": {v.target.name: v.verdict for v in here.verdicts},
            }
            for here in points
        ],
    }


def expected_games(rule: SequentialTargets, plan: Plan) -> None:
    """Print how many games each target will take, before any is played."""
    forecasts: dict[str, list[str]] = {}
    for name, words, number in rule.expected_games(plan.cells[0]):
        forecasts.setdefault(name, []).append(
            f"{words} about {compare_formatting.format_games(number)} games"
        )
    for target in rule.targets:
        what = "; ".join(forecasts.get(target.name, ["known after the first games"]))
        output.print_line(f"decides  {target.name}: {what}; at most {plan.games:,}")


def as_tables(
    verdicts: Sequence[TargetVerdict],
    plan: Plan,
    points: Sequence[PointVerdicts],
    played: Sequence[int],
    *,
    looked: bool,
) -> None:
    """Print a check: one row per target, then why targets do not pass."""
    if plan.question:
        output.print_line(plan.question, "bold")
    output.table(
        "Targets",
        ["target", "verdict", "wanted", "decided by", "it is", "numbers"],
        [_row(verdict, plan) for verdict in verdicts],
        "Pass: all numbers clearly meet it (two one-sided tests at 5 %). Fail: one "
        "clearly does not (95 %, Holm over the numbers of the target). In brackets: "
        "95 % intervals; their unit is the game.",
    )
    if points:
        _points(points)
    for verdict in verdicts:
        for words in _why(verdict):
            output.print_line(f"{verdict.target.name}: {words}")
    if looked:
        output.print_line(
            "Cells stopped when they had been played enough: intervals are the wider "
            "ones that allow for looking."
        )
    games = " to ".join(f"{n:,}" for n in sorted({min(played), max(played)}))
    output.print_line(f"games    {games} of each of {len(plan.cells)} cells")


def _points(points: Sequence[PointVerdicts]) -> None:
    """Each point of a sweep by itself: which of them meet every target."""
    words = [{v.target.name: _short(v) for v in here.verdicts} for here in points]
    names = list(dict.fromkeys(name for one in words for name in one))
    output.table(
        "Each point by itself",
        [*points[0].point, *names, "all"],
        [
            [
                *here.point.values(),
                *(one.get(name) for name in names),
                here.word.upper() if here.word == "fail" else here.word,
            ]
            for here, one in zip(points, words, strict=True)
        ],
    )
    passed = [_named(here) for here in points if here.word == "pass"]
    open_ = [_named(here) for here in points if here.word == "undecided"]
    if passed:
        output.print_line(f"These points pass: {'; '.join(passed)}.", wrap=True)
    else:
        rest = f" Undecided: {'; '.join(open_)}." if open_ else ""
        output.print_line(f"No point clearly passes.{rest}", wrap=True)
    output.print_line()


def _named(here: PointVerdicts) -> str:
    return ", ".join(f"{key}={value}" for key, value in here.point.items())


def _short(verdict: TargetVerdict) -> str:
    """Format a verdict with the number that decides it."""
    worst = verdict.worst
    number = "" if worst is None else f"  {_number(worst, verdict)}"
    return f"{verdict.verdict}{number}"


def _row(verdict: TargetVerdict, plan: Plan) -> list[Any]:
    worst = verdict.worst
    return [
        verdict.target.name,
        verdict.verdict.upper() if verdict.verdict == "fail" else verdict.verdict,
        verdict.target.wanted(verdict.share),
        "" if worst is None else _which(worst, plan, verdict),
        "no data" if worst is None else _number(worst, verdict),
        verdict.rows.height,
    ]


def _which(row: dict[str, Any], plan: Plan, verdict: TargetVerdict) -> str:
    """The group, and the cell if there are several."""
    frame = plan.frame()
    several = [
        name
        for name in frame.columns
        if name in row and name not in _NO_CELL_COLUMNS and frame[name].n_unique() > 1
    ]
    where = [_place(name, row[name]) for name in several]
    return "; ".join([row["group"] or verdict.target.measure, *where])


def _place(name: str, value: Any) -> str:
    """Format a column of a cell: ``4 players``, a lineup, ``life=4``."""
    if name == "players":
        return f"{value} players"
    return str(value) if name in CELL_COLUMNS else f"{name}={value}"


def _number(row: dict[str, Any], verdict: TargetVerdict) -> str:
    if verdict.target.gap is not None and verdict.share:
        low, high = 100 * row["low"], 100 * row["high"]
        return f"{100 * row['estimate']:.2f} points ({low:.2f} to {high:.2f})"
    return output.format_interval(row, "share" if verdict.share else "mean")


def _why(verdict: TargetVerdict) -> list[str]:
    """What a designer should know about a target beyond its row."""
    reasons = []
    if verdict.target.about and verdict.verdict != "pass":
        reasons.append(f"the aim: {verdict.target.about}")
    for word in ("fail", "undecided"):
        many = verdict.rows.filter(verdict.rows["verdict"] == word).height
        if many and verdict.rows.height > 1:
            reasons.append(f"{word}: {many} of {verdict.rows.height} numbers")
    if verdict.needed:
        reasons.append(verdict.needed)
    if verdict.ignored:
        reasons.append(
            f"{verdict.ignored} groups with fewer than "
            f"{verdict.target.ignore_below:,} counts were ignored"
        )
    return reasons

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
from experiments.commands import show
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
        show.as_json(document)
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
                "name": one.target.name,
                "about": one.target.about,
                "measure": one.target.measure,
                "wanted": one.target.wanted(one.share),
                "verdict": one.verdict,
                "needed": one.needed,
                "ignored": one.ignored,
                "games": one.games,
                "rows": one.rows.drop("se", strict=False).to_dicts(),
            }
            for one in verdicts
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
        show.print_line(f"decides  {target.name}: {what}; at most {plan.games:,}")


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
        show.print_line(plan.question, "bold")
    show.table(
        "Targets",
        ["target", "verdict", "wanted", "decided by", "it is", "numbers"],
        [_row(one, plan) for one in verdicts],
        "Pass: all numbers clearly meet it (two one-sided tests at 5 %). Fail: one "
        "clearly does not (95 %, Holm over the numbers of the target). In brackets: "
        "95 % intervals; their unit is the game.",
    )
    if points:
        _points(points)
    for one in verdicts:
        for words in _why(one):
            show.print_line(f"{one.target.name}: {words}")
    if looked:
        show.print_line(
            "Cells stopped when they had been played enough: intervals are the wider "
            "ones that allow for looking."
        )
    games = " to ".join(f"{n:,}" for n in sorted({min(played), max(played)}))
    show.print_line(f"games    {games} of each of {len(plan.cells)} cells")


def _points(points: Sequence[PointVerdicts]) -> None:
    """Each point of a sweep by itself: which of them meet every target."""
    words = [{v.target.name: _short(v) for v in here.verdicts} for here in points]
    names = list(dict.fromkeys(name for one in words for name in one))
    show.table(
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
        show.print_line(f"These points pass: {'; '.join(passed)}.", wrap=True)
    else:
        rest = f" Undecided: {'; '.join(open_)}." if open_ else ""
        show.print_line(f"No point clearly passes.{rest}", wrap=True)
    show.print_line()


def _named(here: PointVerdicts) -> str:
    return ", ".join(f"{key}={value}" for key, value in here.point.items())


def _short(one: TargetVerdict) -> str:
    """Format a verdict with the number that decides it."""
    worst = one.worst
    return one.verdict if worst is None else f"{one.verdict}  {_number(worst, one)}"


def _row(one: TargetVerdict, plan: Plan) -> list[Any]:
    worst = one.worst
    return [
        one.target.name,
        one.verdict.upper() if one.verdict == "fail" else one.verdict,
        one.target.wanted(one.share),
        "" if worst is None else _which(worst, plan, one),
        "no data" if worst is None else _number(worst, one),
        one.rows.height,
    ]


def _which(row: dict[str, Any], plan: Plan, one: TargetVerdict) -> str:
    """The group, and the cell if there are several."""
    frame = plan.frame()
    several = [
        name
        for name in frame.columns
        if name in row and name not in _NO_CELL_COLUMNS and frame[name].n_unique() > 1
    ]
    where = [_place(name, row[name]) for name in several]
    return "; ".join([row["group"] or one.target.measure, *where])


def _place(name: str, value: Any) -> str:
    """Format a column of a cell: ``4 players``, a lineup, ``life=4``."""
    if name == "players":
        return f"{value} players"
    return str(value) if name in CELL_COLUMNS else f"{name}={value}"


def _number(row: dict[str, Any], one: TargetVerdict) -> str:
    if one.target.gap is not None and one.share:
        low, high = 100 * row["low"], 100 * row["high"]
        return f"{100 * row['estimate']:.2f} points ({low:.2f} to {high:.2f})"
    return show.format_interval(row, "share" if one.share else "mean")


def _why(one: TargetVerdict) -> list[str]:
    """What a designer should know about a target beyond its row."""
    reasons = []
    if one.target.about and one.verdict != "pass":
        reasons.append(f"the aim: {one.target.about}")
    for word in ("fail", "undecided"):
        many = one.rows.filter(one.rows["verdict"] == word).height
        if many and one.rows.height > 1:
            reasons.append(f"{word}: {many} of {one.rows.height} numbers")
    if one.needed:
        reasons.append(one.needed)
    if one.ignored:
        reasons.append(
            f"{one.ignored} groups with fewer than {one.target.ignore_below:,} counts "
            "were ignored"
        )
    return reasons

"""Showing a check: each target with what decides it, and what it rests on."""

from collections.abc import Sequence
from typing import Any

from experiments import show
from experiments.judging import Verdict, exit_code
from experiments.plans import Plan
from experiments.targets import PLACES

_KEPT = (
    "cell", *PLACES, "group", "estimate", "low", "high", "n", "least", "most",
    "verdict",
)  # fmt: skip


def as_dict(found: Sequence[Verdict], plan: Plan) -> dict[str, Any]:
    """A check as one JSON object."""
    return {
        "question": plan.question,
        "game": plan.game,
        "seed": plan.seed,
        "exit_code": exit_code(found),
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
                "rows": one.rows.select(
                    name for name in _KEPT if name in one.rows.columns
                ).to_dicts(),
            }
            for one in found
        ],
    }


def as_tables(found: Sequence[Verdict], plan: Plan) -> None:
    """A check in the terminal: a row a target, then why where it does not pass."""
    if plan.question:
        show.line(plan.question, "bold")
    show.table(
        "Targets",
        ["target", "verdict", "wanted", "decided by", "it is", "numbers"],
        [_row(one, plan) for one in found],
        "Pass: all numbers surely keep to it (two one-sided tests at 5 %). Fail: one "
        "surely does not (95 %, Holm over the numbers of the target). In brackets: "
        "95 % intervals; their unit is the game.",
    )
    for one in found:
        for words in _why(one):
            show.line(f"{one.target.name}: {words}")
    games = ", ".join(f"{n:,}" for n in dict.fromkeys(one.games for one in found))
    show.line(f"games    {games} of each of {len(plan.cells)} cells")


def _row(one: Verdict, plan: Plan) -> list[Any]:
    worst = one.worst
    return [
        one.target.name,
        one.verdict.upper() if one.verdict == "fail" else one.verdict,
        one.target.wanted(one.share),
        "" if worst is None else _which(worst, plan, one),
        "no data" if worst is None else _number(worst, one),
        one.rows.height,
    ]


def _which(row: dict[str, Any], plan: Plan, one: Verdict) -> str:
    """The group, and the cell where there are several."""
    frame = plan.frame()
    several = [n for n in PLACES if n in row and frame[n].n_unique() > 1]
    where = [f"{row[n]} players" if n == "players" else str(row[n]) for n in several]
    return "; ".join([row["group"] or one.target.measure, *where])


def _number(row: dict[str, Any], one: Verdict) -> str:
    if one.target.gap is not None and one.share:
        low, high = 100 * row["low"], 100 * row["high"]
        return f"{100 * row['estimate']:.2f} points ({low:.2f} to {high:.2f})"
    return show.with_interval(row, "share" if one.share else "mean")


def _why(one: Verdict) -> list[str]:
    """What a designer should know of a target besides its row."""
    found = []
    if one.target.about and one.verdict != "pass":
        found.append(f"wanted is: {one.target.about}")
    for word in ("fail", "undecided"):
        many = one.rows.filter(one.rows["verdict"] == word).height
        if many and one.rows.height > 1:
            verb = {"fail": "fail", "undecided": "are undecided"}[word]
            found.append(f"{many} of {one.rows.height} numbers {verb}")
    if one.needed:
        found.append(one.needed)
    if one.ignored:
        found.append(
            f"{one.ignored} groups with fewer than {one.target.ignore_below:,} counts "
            "were not looked at"
        )
    return found

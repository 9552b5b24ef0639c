"""Print the rule changes that meet targets, or the nearest one."""

from typing import Any

from experiments.analysis import compare_numbers
from experiments.analysis.batch_sums import Value
from experiments.analysis.effects import bounds
from experiments.analysis.find import Answer, Found
from experiments.analysis.score_lines import Line
from experiments.commands import show
from reports.lever_figures import amount

_SHOWN = 3  # changes shown in full


def as_dict(found: Found) -> dict[str, Any]:
    """Return the result as one JSON object."""
    return {
        "game": found.cell.game,
        "players": found.cell.players,
        "strategy": found.cell.strategies()[0].title,
        "targets": [str(goal) for goal in found.goals],
        "met": bool(found.met),
        "base": _plain(found, found.base),
        "tried": found.tried,
        "games": found.games,
        "seed": found.cell.seed,
        "needed": found.needed,
        "answers": [
            {
                "change": one.step.label,
                "settings": one.step.setting,
                "sentence": one.step.sentence,
                "met": one.met,
                "words": list(one.words),
                "values": _plain(found, one.values),
                "moves": one.effects.to_dicts(),
            }
            for one in found.answers
        ],
    }


def _plain(found: Found, values: Any) -> dict[str, float]:
    return {goal.line.id: values[goal.line.id].estimate for goal in found.goals}


def as_text(found: Found) -> None:
    """Print the changes in rulebook English."""
    wanted = ", ".join(str(goal) for goal in found.goals)
    show.line(f"Wanted: {wanted}. The base has {_values(found, found.base)}.")
    if set(found.base_words) == {"met"}:
        show.line("The base rules already meet that.")
    show.line()
    if not found.met:
        _none(found)
    for one in found.met[:_SHOWN]:
        _answer(found, one)
    if len(found.met) > _SHOWN:
        rest = ", ".join(one.step.label for one in found.met[_SHOWN:])
        show.line(f"These meet it, too: {rest}.", wrap=True)
    show.line(
        f"tried    {found.tried} changes; the last {len(found.answers)} on "
        f"{found.games:,} fresh deals each"
    )
    show.line(f"players  {show.alike(found.cell)}")


def _answer(found: Found, one: Answer) -> None:
    show.line(one.step.sentence, "bold", wrap=True)
    show.line(f"  {_values(found, one.values)}: clearly met.")
    _moves(found, one)
    show.line(f"  --set {' --set '.join(one.step.setting.split(' '))}")
    show.line()


def _none(found: Found) -> None:
    near = found.answers[0]
    missed = [
        f"{goal.line.title} by {_size(goal.line, max(goal.over(near.values), 0.0))}"
        if goal.over(near.values) > 0
        else f"{goal.line.title} (unclear)"
        for goal, word in zip(found.goals, near.words, strict=True)
        if word != "met"
    ]
    show.line("No change clearly meets it. The nearest is:")
    show.line(near.step.sentence, "bold", wrap=True)
    show.line(
        f"  {_values(found, near.values)}. Missed or unclear: {', '.join(missed)}."
    )
    if "missed" in near.words:
        show.line("  More games will not change that: it clearly misses.")
    elif found.needed <= compare_numbers.MANY:
        games = compare_numbers.games(found.needed)
        show.line(f"  About {games} games would settle it (-n).")
    _moves(found, near)
    show.line()


def _moves(found: Found, one: Answer) -> None:
    """Print what else a change does."""
    targets = {goal.line.id for goal in found.goals}
    words = []
    for row in one.moved.iter_rows(named=True):
        line = found.scores.line(row["line"])
        if line.id not in targets:
            side = line.more if row["difference"] > 0 else line.less
            words.append(f"{side} ({line.title} {amount(row, line.about)})")
    else_ = ", ".join(words) or "nothing by more than its tolerance"
    show.line(f"  It also moves: {else_}.", wrap=True)


def _values(found: Found, values: Any) -> str:
    return ", ".join(
        f"{goal.line.title} {_number(goal.line, values[goal.line.id])}"
        for goal in found.goals
    )


def _number(line: Line, value: Value) -> str:
    """Format a number with its interval."""
    ends = value.estimate, *bounds(value, 0.975)
    middle, low, high = (f"{line.about.scale * end:.1f}" for end in ends)
    unit = f" {line.about.measured}" if line.about.measured else ""
    return f"{middle}{unit} ({low} to {high})"


def _size(line: Any, value: float) -> str:
    return f"{line.about.scale * value:.1f} {line.about.measured}".strip()

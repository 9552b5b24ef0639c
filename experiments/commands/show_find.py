"""Print the rule changes that meet targets, or the nearest one."""

from typing import Any

from experiments.analysis import compare_formatting
from experiments.analysis.cure_words import side_effects
from experiments.analysis.line_values import LineValue
from experiments.analysis.rule_search import CandidateChange, RuleSearch
from experiments.analysis.scorecard_effects import bounds
from experiments.commands import output
from reports.scorecard.score_line import ScoreLine

_SHOWN = 3  # changes shown in full


def as_dict(search: RuleSearch) -> dict[str, Any]:
    """Return the result as one JSON object."""
    return {
        "game": search.cell.game,
        "players": search.cell.players,
        "strategy": search.cell.strategies()[0].title,
        "targets": [str(goal) for goal in search.goals],
        "met": bool(search.met),
        "base": _plain(search, search.base),
        "tried": search.tried,
        "games": search.games,
        "seed": search.cell.seed,
        "needed": search.needed,
        "answers": [
            {
                "change": answer.step.label,
                "settings": answer.step.setting,
                "sentence": answer.step.sentence,
                "met": answer.met,
                "words": list(answer.words),
                "values": _plain(search, answer.values),
                "adapted": answer.adapted
                and {
                    "players": answer.adapted.told,
                    "words": list(answer.adapted.words),
                    "values": _plain(search, answer.adapted.values),
                },
                "moves": answer.effects.to_dicts(),
            }
            for answer in search.answers
        ],
    }


def _plain(search: RuleSearch, values: Any) -> dict[str, float]:
    return {goal.line.id: values[goal.line.id].estimate for goal in search.goals}


def as_text(search: RuleSearch) -> None:
    """Print the changes in rulebook English."""
    wanted = ", ".join(str(goal) for goal in search.goals)
    output.print_line(f"Wanted: {wanted}. The base has {_values(search, search.base)}.")
    if set(search.base_words) == {"met"}:
        output.print_line("The base rules already meet that.")
    output.print_line()
    refuted = [answer for answer in search.answers if answer.refuted]
    if refuted and not search.met:
        output.print_line("What these players meet it with misses it once they adapt:")
    for answer in refuted:
        _answer(search, answer)
    if not search.met and not refuted:
        _nearest(search)
    for answer in search.met[:_SHOWN]:
        _answer(search, answer)
    if len(search.met) > _SHOWN:
        rest = ", ".join(answer.step.label for answer in search.met[_SHOWN:])
        output.print_line(f"These meet it, too: {rest}.", wrap=True)
    output.print_line(
        f"tried    {search.tried} changes; the last {len(search.answers)} on "
        f"{search.games:,} fresh deals each"
    )
    output.print_line(f"players  {output.common_strategy(search.cell)}")


def _answer(search: RuleSearch, answer: CandidateChange) -> None:
    output.print_line(answer.step.sentence, "bold", wrap=True)
    output.print_line(f"  {_values(search, answer.values)}: clearly met.")
    if answer.adapted is not None:
        said = _values(search, answer.adapted.values), answer.adapted.told
        word = "missed" if answer.refuted else "open"
        word = "clearly met" if {*answer.adapted.words} == {"met"} else word
        output.print_line(f"  Once players adapt: {said[0]}: {word}.")
        output.print_line(f"  ({said[1]})", wrap=True)
    _moves(search, answer)
    if not answer.refuted:
        output.print_line(f"  --set {' --set '.join(answer.step.setting.split(' '))}")
    output.print_line()


def _nearest(search: RuleSearch) -> None:
    near = search.answers[0]
    missed = [
        f"{goal.line.number} by {_size(goal.line, max(goal.excess(near.values), 0.0))}"
        if goal.excess(near.values) > 0
        else f"{goal.line.number} (unclear)"
        for goal, word in zip(search.goals, near.words, strict=True)
        if word != "met"
    ]
    output.print_line("No change clearly meets it. The nearest is:")
    output.print_line(near.step.sentence, "bold", wrap=True)
    output.print_line(
        f"  {_values(search, near.values)}. Missed or unclear: {', '.join(missed)}."
    )
    if "missed" in near.words:
        output.print_line("  More games will not change that: it clearly misses.")
    elif search.needed <= compare_formatting.MANY:
        games = compare_formatting.format_games(search.needed)
        output.print_line(f"  About {games} games would settle it (-n).")
    _moves(search, near)
    output.print_line()


def _moves(search: RuleSearch, answer: CandidateChange) -> None:
    """Print what else a change does."""
    words = [*side_effects(search, answer)]
    else_ = ", ".join(words) or "nothing by more than its tolerance"
    output.print_line(f"  It also moves: {else_}.", wrap=True)


def _values(search: RuleSearch, values: Any) -> str:
    return ", ".join(
        f"{goal.line.number} {_number(goal.line, values[goal.line.id])}"
        for goal in search.goals
    )


def _number(line: ScoreLine, value: LineValue) -> str:
    """Format a number with its interval."""
    ends = value.estimate, *bounds(value, 0.975)
    middle, low, high = (f"{line.scale * end:.1f}" for end in ends)
    unit = f" {line.measured}" if line.measured else ""
    return f"{middle}{unit} ({low} to {high})"


def _size(line: Any, value: float) -> str:
    return f"{line.scale * value:.1f} {line.measured}".strip()

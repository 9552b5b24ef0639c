"""Ask a question about a game in plain words, and get an answer with its games.

ask("the last player always loses", cell, log=read_play_log_of(game, path))
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

import sim.games
from experiments.analysis import levers as rule_levers
from experiments.analysis import simulated_beside
from experiments.analysis.own_table import own_table
from experiments.analysis.play_log import PlayLog, TableSession
from experiments.analysis.questions import line_answers, option_answers, share_answers
from experiments.analysis.questions.answer import (
    Answer,
    Part,
    Word,
    frame,
    players_words,
)
from experiments.analysis.questions.game_words import GameWords
from experiments.analysis.questions.option_answers import OptionTable
from experiments.analysis.questions.question_forms import ParsedQuestion, read_question
from experiments.analysis.strength_games import (
    USUAL,
    StrengthGames,
    in_order,
    play_levels,
)
from experiments.core.cells import Cell, UsageError
from reports.scorecard.lines import BY_ID
from sim.parameters import one_of

GAMES = 4_096
"""Games at each level of strength, by default."""
_REPLAYS = 4  # games of all options tried, for each at a level
_TOLD = 3  # rules' effects in sentences


def ask(
    text: str,
    cell: Cell,
    *,
    games: int = GAMES,
    levels: Sequence[str] = USUAL,
    log: PlayLog | None = None,
    counted: bool = False,
    **how: Any,
) -> Answer:
    """Answer a question by games of a cell's rules; its lineup does not matter.

    Args:
        text: the question; ``question_forms.FORMS`` has the forms.
        cell: rules, number of players and seed.
        games: at each level of strength.
        levels: the levels that play; the strongest has the word.
        log: sessions of a group.
        counted: whether the number of players of the cell was asked for; else it is
            that of most sessions, or of the question.
        how: goes to ``run``.

    Raises ``UsageError`` before anything is played.
    """
    question = read_question(text, GameWords(cell))
    players = _players(question, cell, log, counted)
    if players != cell.players:
        cell.rules.check(players)
        cell = replace(cell, players=players, lineup=("random",))
        cell.given_chance()
        question = read_question(text, GameWords(cell))  # positions are others
    own = [s for s in log.sessions if len(s.seats) == players] if log else []
    played: StrengthGames | None = None
    if question.form.id == "rule":
        part = _rule(question, cell, levels, games, how)
        specs: dict[str, str] = {}
    else:
        played = play_levels(cell, games, levels, lines=True, **how)
        part = _part(question, cell, played, own, how)
        specs = played.specs
    known = sim.games.load(cell.game)
    table = own_table(own, known) if own else None
    answer = Answer(
        text, question.form.id, question.understood, part, cell.game, players, games,
        specs, own=table, columns=log.understood if log else None, deals=cell.deals,
    )  # fmt: skip
    return _with_sessions(answer, question, played) if log else answer


def _players(
    question: ParsedQuestion, cell: Cell, log: PlayLog | None, counted: bool
) -> int:
    """Return the number of players that the question is about."""
    allowed = sim.games.load(cell.game).players
    if question.players is not None:
        if question.players not in allowed:
            raise UsageError(
                f"question: {question.players} players. Allowed: "
                f"{one_of(map(str, allowed))}."
            )
        return question.players
    if log and not counted:
        sizes = Counter(len(session.seats) for session in log.sessions)
        return sizes.most_common(1)[0][0]
    return cell.players


def _part(
    question: ParsedQuestion,
    cell: Cell,
    played: StrengthGames,
    own: Sequence[TableSession],
    how: dict[str, Any],
) -> Part:
    """Return what the simulation says."""
    if question.form.id == "position":
        return share_answers.one_group(question, played)
    if question.form.id == "option":
        table = OptionTable(cell, played, _REPLAYS * played.games, how)
        return option_answers.answer(question, table)
    if question.form.id == "length":
        return line_answers.length(question, played, _minutes(own, cell))
    return _BY_LINES[question.form.id](played)


_BY_LINES: Mapping[str, Callable[[StrengthGames], Part]] = {
    "positions": share_answers.all_positions,
    "comeback": line_answers.comeback,
    "runaway": line_answers.runaway,
    "players": line_answers.players,
}


def _minutes(own: Sequence[TableSession], cell: Cell) -> dict[str, Any] | None:
    """Return mean, low and high of the minutes of sessions, if they have any.

    Of one session low and high are None.
    """
    numbers = own_table(own, sim.games.load(cell.game)).numbers if own else None
    if numbers is None or numbers.filter(of="minutes").is_empty():
        return None
    return dict(numbers.filter(of="minutes").row(0, named=True))


def _rule(
    question: ParsedQuestion,
    cell: Cell,
    levels: Sequence[str],
    games: int,
    how: dict[str, Any],
) -> Part:
    """Answer whether a step of a rule moves a line of the scorecard."""
    rows: list[dict[str, Any]] = []
    sentences: list[str] = []
    said: Word = "cannot tell"
    for level in in_order(levels)[-2:]:
        found = rule_levers.levers(
            cell.game, level, rules=cell.rules, players=cell.players, seed=cell.seed,
            given=cell.given, only=[question.rule], games=games, **how,
        )  # fmt: skip
        moved = found.rows.filter(verdict="differs").sort("p_adjusted")
        open_rows = found.rows.filter(verdict="undecided")
        said = "yes" if moved.height else "cannot tell" if open_rows.height else "no"
        who = players_words(level)
        if moved.height:
            told = "; ".join(_moved(row) for row in moved.head(_TOLD).to_dicts())
            sentences.append(f"Among {who}: {told}.")
        else:
            left = f", {open_rows.height} are undecided" if open_rows.height else ""
            sentences.append(
                f"Among {who} no line of the scorecard is shown to move{left}."
            )
        rows += [
            {"level": level, "what": f"{row['label']}: {BY_ID[row['line']].number}"}
            | {"estimate": row["difference"], "low": row["low"], "high": row["high"]}
            | {"answer": row["verdict"]}
            for row in found.rows.to_dicts()
            if BY_ID[row["line"]].style != "number"
        ]
    sentences.append(
        "These players do not adapt to the rule; fairdeal levers --only "
        f"{question.rule} asks those who do."
    )
    return Part(said, tuple(sentences), frame(rows), "Change of a line", "points", 0.0)


def _moved(row: dict[str, Any]) -> str:
    """Say how a change moves a line."""
    line = BY_ID[row["line"]]
    scale, unit = line.scale, line.measured
    return (
        f"{row['label']} moves {line.number} from {scale * row['base']:.1f} to "
        f"{scale * row['value']:.1f} {unit}".rstrip()
    )


def _with_sessions(
    answer: Answer, question: ParsedQuestion, played: StrengthGames | None
) -> Answer:
    """Add what the sessions of a group say to the same question."""
    own, told = answer.own, [""]
    rows = pl.DataFrame()
    if own is None:
        told = [f"None of your sessions has {answer.players} players."]
    elif question.form.id == "length":
        told = [text for text in own.sentences if text.startswith("Minutes")]
        told = told or ["Your sessions name no minutes."]
    elif question.form.id not in ("position", "positions", "players"):
        told = ["Your sessions say nothing about that."]
    elif own.positions.is_empty() or played is None:
        told = ["Your sessions name no positions, so they say nothing about that."]
    else:
        rows = simulated_beside.beside(own.positions, {answer.players: played})
        part = rows.filter(position=question.group)
        if part.height:
            told = [simulated_beside.position_words(part)]
        elif question.group:
            told = ["Your sessions do not say who had which role."]
        else:
            told = [own.sentences[0], *simulated_beside.sentences(rows)]
    return replace(answer, sessions=tuple(told), beside=rows)

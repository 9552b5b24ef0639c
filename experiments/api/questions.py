"""Ask a question in plain words."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.coercion import (
    Given,
    RulesLike,
    coerce_cell,
    coerce_players,
    coerce_rule_set,
)
from experiments.execution.run import Progress

if TYPE_CHECKING:
    from experiments.analysis.questions.answer import Answer


def ask(
    rules: RulesLike,
    question: str,
    *,
    sessions: str | Path | None = None,
    columns: Sequence[str] = (),
    encoding: str = "",
    where: Sequence[str] = (),
    levels: Sequence[str] = ("beginner", "good", "strong"),
    players: int | None = None,
    games: int = 4_096,
    given: Given = (),
    seed: int | None = None,
    jobs: int = -1,
    progress: Progress | None = None,
) -> "Answer":
    """Answer a question in plain words: yes, no or cannot tell.

    It is matched with the nearest of a few forms, which the answer names: whether a
    position, or a role, wins more or less than its share; whether an option is a trap,
    dead or too strong; how long games are; whether who is behind comes back, or a
    leader runs away; whether a rule matters; whether a number of players works.

    Args:
        rules, seed, jobs, progress: as in ``play``.
        question: in English, e.g. "the last player always loses".
        sessions: your own, as for ``playtest``, with columns, encoding and where.
        levels: who plays: "beginner", "good", "strong", and "expert", who is slow.
            The strongest have the word.
        players: their number; by default that of the question, or of most sessions.
        games: by players of each strength.
        given: as in ``play``; players who learned did so on all deals.

    Raises ``UsageError`` with the questions that can be asked.

    >>> how = {"levels": ["good"], "games": 256, "seed": 1, "jobs": 1}
    >>> ask("drake", "is Pride too strong?", **how).answer
    'yes'
    """
    import sim.games
    from experiments.analysis.play_log import read_play_log_of
    from experiments.analysis.questions import ask as questions
    from experiments.core.cells import UsageError

    of = coerce_rule_set(rules)
    count = coerce_players(of.game, players)
    cell = coerce_cell(of, "random", count, True, seed, given)
    reading = {"columns": columns, "encoding": encoding, "where": where}
    log = None
    if sessions is not None and given:
        raise UsageError("given: your sessions are of all deals. Ask without either.")
    if sessions is not None:
        log = read_play_log_of(sim.games.load(of.game), Path(sessions), **reading)
    return questions.ask(
        question,
        cell,
        games=games,
        levels=levels,
        log=log,
        counted=players is not None,
        jobs=jobs,
        progress=progress,
    )

"""Who is ahead, whether that changes, and how close games end."""

import numpy as np

from reports import course
from reports.counts import Array, Counts, grid, numbers_to
from reports.formatting import number
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.kbernestich.labels import ROUND
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding

_ARRAYS, _ROUNDS = MeasuresOf(), MeasuresOf(by="round")
MEASURES = (
    _ARRAYS.mean("margin", "highest score less the second highest"),
    _ROUNDS.mean("score by round", "score of a seat at the end of the round"),
    _ROUNDS.mean("gained by round", "points that a seat wins in the round"),
    _ROUNDS.mean("winner's by round", "score of the seat that wins in the end"),
    _ROUNDS.share(
        "won by standing", "share of these seats that win the game", by="rank round"
    ),
)


def counts(played: KbernestichArrays) -> list[Counts]:
    """Count scores by round, of all seats and of the winner; and margins at the end."""
    rounds = numbers_to(played.rounds)
    seats = np.full((1, played.size), played.players)
    decided = (played.winner >= 0)[None].astype(np.uint8)
    winners = (played.score * played.victory).sum(axis=1)
    gained = (played.score - played.before).sum(axis=1)
    second, first = np.sort(played.scores, axis=0)[-2:].astype(np.int64)
    measured = [
        grid("margin", first - second, np.ones_like(first)),
        grid("score by round", played.score.sum(axis=1), seats, round=rounds),
        grid("gained by round", gained, seats, round=rounds),
        grid("winner's by round", winners, decided, round=rounds),
    ]
    if played.rounds > 1:
        won = _by_rank(played)
        by = {"rank": numbers_to(played.players), "round": rounds[:-1]}
        every = np.ones((1, 1, played.size))
        measured.append(grid("won by standing", won, every, **by))
    return measured


def _by_rank(played: KbernestichArrays) -> Array:
    """Return whether a rank after a round won the game, (ranks, rounds - 1, games)."""
    ranks = [played.standing[1:] == rank for rank in range(played.players)]
    return np.stack([(here & played.victory).any(axis=1) for here in ranks])


def standing(played: KbernestichArrays) -> course.Standings:
    """Return scores at the end of each round."""
    return course.Standings.of(played.about, played.score, played.winner, played.game)


def shown(data: ReportData) -> SectionParts:
    """Yield scores, ranks and margins."""
    yield course.scores(
        data,
        "Score at the end of each round",
        "Of all seats, and of the seat that wins in the end; and what a seat wins in "
        "the round.",
        {
            "all seats": "score by round",
            "winner": "winner's by round",
            "points of the round": "gained by round",
        },
        ROUND,
        "score",
    )
    yield course.ranks(
        data,
        "Who wins, by standing at the end of each round",
        "With equal scores the bottom of the stack is ahead.",
        "won by standing",
        ROUND,
        "1 leads",
    )
    for row in data.leading("margin", players=data.players).to_dicts():
        yield Finding(
            f"Margin, {data.players} players, {data.who}: at the end the leader is "
            f"{number(row)} points ahead of the second.",
            "",
        )


SECTION = course.section(
    standing,
    "Scores are counted after every round.",
    ReportSection(shown, MEASURES, counts=counts, records=("score", "sheet")),
)

"""The turning points of one game: the decisions that mattered most, and the chances.

    turns = game_turning_points(cell, 7)
    turns.points   # at most three, in the order of the game
    turns.chances  # the chance of each who decided, as they could know it

Every option of every decision is tried on deals that are possible for the decider, who
cannot see what is hidden, and the game is played on. How much a decision mattered is
the difference in win chance between what was chosen and the best of the other options.
A few deals find the candidates; fresh ones measure them, so that a lucky candidate is
not mistaken for a turning point. Their intervals are simultaneous (Bonferroni).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from experiments.core.cells import Cell, UsageError, play
from experiments.counterfactual.asked_decisions import Asked, AskedDecisions
from experiments.counterfactual.intervention import EveryOption, Intervention, When
from experiments.counterfactual.turning_points import options_on_deals
from reports.statistics.intervals import wilson
from sim import games
from sim.candidates import candidate_answers
from sim.listener import Choice
from sim.masks import Masks
from sim.rollouts import shares_of
from sim.transcript import answer_ids
from sim.view import Rows, View
from strategies.learned import Learned

MOST = 3
"""Turning points of a game."""
CANDIDATES = 8
"""Decisions that are measured on fresh deals."""
DEALS, LEARNED_DEALS = (64, 512), (16, 128)
"""Deals on which all decisions are tried, and fresh ones for the candidates: if
heuristics play on, and if policies do."""
_Z = NormalDist().inv_cdf(1 - 0.025 / CANDIDATES)


@dataclass(frozen=True)
class TurningPoint:
    """A decision that mattered, and what the best other option would have been worth.

    ``number``: which of the game's decisions it is, from 0. ``chosen`` and ``other`` as
    transcripts write them. ``chance`` and ``other_chance`` of the decider to win after
    them. ``error``: half the width of the interval of their difference.
    """

    number: int
    seat: int
    kind: str
    chosen: Any
    other: Any
    chance: float
    other_chance: float
    error: float

    @property
    def difference(self) -> float:
        """The chance after the choice, less that after the best other option."""
        return self.chance - self.other_chance

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval of the difference."""
        return self.difference - self.error, self.difference + self.error

    @property
    def certain(self) -> bool:
        """Whether the difference is certain to exist, among all candidates."""
        return abs(self.difference) > self.error


@dataclass(frozen=True)
class ChanceAt:
    """The chance to win of a seat after its decision of this number.

    ``low`` and ``high``: Wilson's interval (95 %), as all deals tried may end the same.
    """

    number: int
    seat: int
    chance: float
    low: float
    high: float


@dataclass(frozen=True)
class GameTurningPoints:
    """What hung on the decisions of a game, if all play on as ``player``.

    ``points``: those that mattered most, in the order of the game. ``chances``: after
    each decision with several options, ``decisions`` in all, as the decider could know
    them. ``won``: (seats) shares of the win.
    """

    game: int
    player: str
    decisions: int
    points: tuple[TurningPoint, ...]
    chances: tuple[ChanceAt, ...]
    won: tuple[float, ...]


class _NumberedDecisions(AskedDecisions):
    """Decisions of one game with several options, and which of all they are."""

    def __init__(self, cell: Cell, game: int) -> None:
        kinds = tuple(games.load(cell.game).kinds)
        every = Intervention(When(kinds), "all", EveryOption())
        super().__init__(every, cell, slice(0, 1), game)
        self.numbers: list[int] = []
        self._asked = 0

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the decision, and its number."""
        before = len(self.kept)
        super().choice(state, choice)
        if len(self.kept) > before:
            self.numbers.append(self._asked)
        self._asked += int(np.count_nonzero(choice.asked))


def game_turning_points(cell: Cell, number: int) -> GameTurningPoints:
    """Try every option of every decision of the game with this number.

    Games are played on by the lineup's last strategy. Raises ``UsageError`` if it
    searches: that would take hours.

    >>> short = games.load("kunitame").rules.of({"weeks": 1})
    >>> cell = Cell("kunitame", short, 3, ("greedy",), True, 1)
    >>> turns = game_turning_points(cell, 0)
    >>> len(turns.points) <= 3, len(turns.chances) == turns.decisions
    (True, True)
    """
    player = cell.strategies()[-1]
    if player.cost > 1:
        raise UsageError(
            f"turning points: games are played on by {player.title}, who searches; "
            "seat a player last who does not."
        )
    asked = _NumberedDecisions(cell, number)
    play(cell, np.array([number], dtype=np.uint64), [asked])
    won = tuple(shares_of(asked.fields, cell.players)[:, 0].tolist())
    if not asked.kept:
        return GameTurningPoints(number, player.title, 0, (), (), won)
    few, many = LEARNED_DEALS if isinstance(player, Learned) else DEALS
    rows = options_on_deals(cell, asked.kept, few, answers=_every)
    seen = {
        at: _seen(asked.kept[at], one)
        for (at,), one in rows.group_by("decision", maintain_order=True)
        if one.height > 1
    }
    order = sorted(seen, key=lambda at: -abs(seen[at].difference))
    chosen = {at: seen[at] for at in sorted(order[:CANDIDATES])}
    points = sorted(
        _measured(cell, asked, chosen, few, many),
        key=lambda point: -abs(point.difference),
    )
    certain = [point for point in points if point.certain][:MOST]
    chances = [
        ChanceAt(asked.numbers[at], one.seat, one.chance, *one.interval)
        for at, one in seen.items()
    ]
    return GameTurningPoints(
        number,
        player.title,
        len(seen),
        tuple(sorted(certain, key=lambda point: point.number)),
        tuple(chances),
        won,
    )


@dataclass(frozen=True)
class _Seen:
    """A decision on a few deals: the chosen answer, and the best of the others."""

    seat: int
    chosen: Any
    other: Any
    chance: float
    difference: float
    interval: tuple[float, float]


def _every(view: View, call: Asked) -> tuple[Rows, Masks]:
    """Every option, and what was chosen."""
    return candidate_answers(view, call.chosen)


def _seen(call: Asked, options: pl.DataFrame) -> _Seen:
    """Compare what was chosen with the best other option."""
    seat, answers = int(call.seat[0]), options["option"].to_numpy()
    own = options["shares"].to_numpy()[:, seat]  # (options, deals)
    took = answers == call.chosen[0]
    chance, others = own[took][0], own[~took]
    best = int(others.mean(axis=1).argmax())
    low, high = wilson(chance.sum(), len(chance))
    return _Seen(
        seat,
        call.chosen[0],
        answers[~took][best],
        float(chance.mean()),
        float((chance - others[best]).mean()),
        (float(low), float(high)),
    )


def _measured(
    cell: Cell,
    asked: _NumberedDecisions,
    seen: Mapping[int, _Seen],
    few: int,
    many: int,
) -> list[TurningPoint]:
    """Measure the candidates on fresh deals."""
    pair = {at: (one.chosen, one.other) for at, one in seen.items()}

    def two(view: View, call: Asked) -> tuple[Rows, Masks]:
        answers = [answer for at in call.decision.tolist() for answer in pair[at]]
        return np.repeat(np.arange(len(view)), 2), np.array(answers, dtype=np.uint64)

    if not pair:
        return []
    calls = [asked.kept[at] for at in pair]
    rows = options_on_deals(cell, calls, many, first=few, answers=two)
    points, kinds = [], games.load(cell.game).kinds
    for one in rows.partition_by("decision"):
        at = one["decision"][0]
        call, seat = asked.kept[at], int(asked.kept[at].seat[0])
        chosen, other = one["shares"].to_numpy()[:, seat]
        apart = chosen - other
        took, left = (
            answer_ids(call.state, kinds[call.kind], seat, 0, answer)
            for answer in pair[at]
        )
        points.append(
            TurningPoint(
                asked.numbers[at],
                seat,
                call.kind,
                took,
                left,
                float(chosen.mean()),
                float(other.mean()),
                float(_Z * apart.std(ddof=1) / np.sqrt(len(apart))),
            )
        )
    return points

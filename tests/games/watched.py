"""A player whose answers are shown to a judge, and what they are like."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from sim import masks
from sim.masks import Masks
from strategies.base import Strategy
from strategies.registry import make
from tests.games.plays import Changes, Plays

Measure = Callable[[Any, Masks], Any]
"""Of a view and the answers there: flags, or numbers, of some of its rows."""


class Watched:
    """Answers as another strategy does; ``judge`` sees the view and the answer."""

    def __init__(self, inner: Strategy, judge: Callable[[Any, Masks], Any]) -> None:
        self.inner, self.judge, self.title = inner, judge, inner.title

    def decide(self, view: Any) -> Masks:
        answer = self.inner.decide(view)
        self.judge(view, answer)
        return answer


def measured(
    plays: Plays,
    name: str,
    measures: Iterable[tuple[str, Measure]],
    rules: Changes,
    players: int,
    games: int,
) -> dict[Measure, Any]:
    """What a strategy's answers are like, among its likes; measures by kind."""
    found: dict[Measure, list[Any]] = {measure: [] for _, measure in measures}

    def look(view: Any, answer: Masks) -> None:
        for kind, measure in measures:
            if kind == view.kind.name:
                found[measure].append(np.asarray(measure(view, answer), dtype=float))

    player = Watched(make(plays.id, name), look)
    plays.game.play(plays.started(rules, players, games), plays.table([player]))
    return {measure: np.concatenate(one) for measure, one in found.items()}


def chose(*options: str, where: Callable[[Any], Any] | None = None) -> Measure:
    """Whether one of these was chosen, where it could be; and where this says so."""

    def measure(view: Any, answer: Masks) -> Any:
        wanted = np.uint64(sum(int(view.bits(option)) for option in options))
        could = (view.legal & wanted) != 0
        if where is not None:
            could &= where(view)
        return (answer[could] & wanted) != 0

    return measure


def is_best(view: Any, worth: Any, answer: Masks) -> Any:
    """Whether no option is worth more than the answer, where one is worth less.

    ``worth`` is (options, rows).
    """
    lone = masks.ONE << np.arange(len(worth), dtype=np.uint64)[:, None]
    able = (view.legal & lone) != 0
    most = np.where(able, worth, -np.inf).max(axis=0)
    some = most > np.where(able, worth, np.inf).min(axis=0)
    return (of_answer(worth, answer) > most - 1e-3)[some]


def of_answer(worth: Any, answer: Masks) -> Any:
    """(rows,) what the answers are worth, of (options, rows)."""
    return worth[masks.index(answer), np.arange(len(answer))]

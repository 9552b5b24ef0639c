"""What was chosen of what could be, by everybody at the table, in any game.

A choice is a decision that could have gone another way. Counted as they are made, a bit
of an option at a time, so that it costs little beside the play.
"""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell
from experiments.core.recording import Block, numbers_of
from experiments.core.tally import Tally
from reports.counts import Counts
from reports.measures import Measure
from sim import games, masks
from sim.games import Game
from sim.listener import EVERY, Choice, Listener
from sim.masks import Flags, Masks
from sim.view import Rows

TAKEN = Measure(
    "option taken",
    "times that the option was taken, of those that it and another could be",
    "share",
    by=("decision", "option"),
)
CHOICES = Measure(
    "decisions with a choice",
    "decisions with more than one option, of all decisions of a game",
    "share",
)
MEASURES = (TAKEN, CHOICES)
"""Counted in every run that takes the measures of a report."""
_EVERY = 4
"""Of quick strategies one game in so many is counted, which is enough."""
_DECLINES = ("pass", "none", "stop")
"""Options that leave a decision be, beside those that a kind names as such."""


def counted(cell: Cell, numbers: NDArray[np.uint64]) -> Flags:
    """(games,) those of which choices are counted; of searchers all."""
    cost = max(one.cost for one in cell.strategies())
    return numbers % np.uint64(_EVERY if cost == 1 else 1) == 0


class Choices(Listener):
    """Listens to the choices of games from number ``first`` on.

    ``counted`` (games,) flags those that are, by default all. Of a bag an option
    is taken where some token lies on it. Of a sample of cards only whether there is a
    choice is counted; of an option that leaves a decision be, not how often it is
    taken.
    """

    ignores_public_history = True

    def __init__(
        self, game: Game, first: int, count: int, counted: Flags | None = None
    ) -> None:
        self._kinds, self._first = game.kinds, np.uint64(first)
        self._counted = np.ones(count, dtype=np.bool_) if counted is None else counted
        self._which = masks.rows_where(self._counted)
        self._place = np.cumsum(self._counted) - 1  # of a game among those
        self._real, self._all = np.zeros((2, len(self._which)), dtype=np.uint32)
        self._tallies: dict[str, Tally] = {}  # what could be taken, then what was
        self._words: dict[str, list[str]] = {}

    @classmethod
    def of(cls, cell: Cell, block: Block) -> Self:
        """Of the games of a block."""
        some = counted(cell, numbers_of(block))
        return cls(games.load(cell.game), block.first, block.count, some)

    def hears(self, name: str) -> bool:
        """Every kind of decision is of interest, and no note."""
        return name in self._kinds

    def choice(self, state: Any, choice: Choice) -> None:
        """Count what could be taken, and what was."""
        self.choice_of(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """The same of these rows."""
        kind, most = choice.kind, choice.most
        game = (state.games[rows] - self._first).astype(np.int64)
        rows = masks.rows_where(choice.asked & self._counted.take(game))
        if not len(rows):
            return
        at, legal = self._place.take(game.take(rows)), choice.legal.take(rows)
        self._all[at] += 1
        if kind.form == "bag":
            real = legal != masks.NOTHING
        else:
            real = masks.count(legal) > (1 if most is None else most.take(rows))
        some = masks.rows_where(real)
        if not len(some):
            return
        at, legal = at.take(some), legal.take(some)
        self._real[at] += 1
        if kind.form == "sample":
            return
        words = [str(one) for one in state.vocabularies[kind.vocabulary]]
        answer = choice.answer.take(rows.take(some))
        if kind.form == "bag":
            wide = state.options_per_token
            words = words[:wide]
            legal, answer = (_on_any(tokens, wide) for tokens in (legal, answer))
        if kind.name not in self._tallies:
            self._words[kind.name] = words
            self._tallies[kind.name] = Tally(2 * len(self._which))
        both = np.concatenate([at, at + len(self._which)])
        self._tallies[kind.name].add(both, np.concatenate([legal, answer]))

    def counts(self, places: slice = slice(None)) -> Iterator[Counts]:
        """What was counted, measure by measure, of the games in these places."""
        keys: list[tuple[str, str]] = []
        y, x = [], []
        begin, end, _ = places.indices(len(self._counted))
        first, last = np.searchsorted(self._which, (begin, end)).tolist()
        for kind, words in self._words.items():
            known = self._kinds[kind]
            without = {known.without, known.stop, *_DECLINES, "?"}
            could_be, was = (
                self._tallies[kind].counts(slice(first + more, last + more))
                for more in (0, len(self._which))
            )
            for option in dict.fromkeys(words):
                if option in without:
                    continue
                here = [n for n, word in enumerate(words) if word == option]
                could = could_be[:, here].sum(axis=1)
                if could.any():
                    keys.append((kind, option))
                    x.append(could)
                    y.append(was[:, here].sum(axis=1))
        labels = {
            name: pl.Series(name, [key[at] for key in keys], dtype=pl.String)
            for at, name in enumerate(TAKEN.by)
        }
        real, every = self._real[None, first:last], self._all[None, first:last]
        nothing = np.zeros((0, last - first), dtype=np.uint16)
        taken, offered = (np.stack(part) if part else nothing for part in (y, x))
        game = None if last - first == end - begin else self._which[first:last] - begin
        yield Counts(TAKEN.name, labels, taken, offered, game=game)
        yield Counts(CHOICES.name, {}, real, every, game=game)


def _on_any(tokens: Masks, wide: int) -> Masks:
    """The options on which any token of a bag lies, or may: fields of ``wide`` bits."""
    found, field = tokens & masks.span(0, wide), masks.span(0, wide)
    for token in range(1, 64 // wide):
        found |= tokens >> np.uint64(token * wide) & field
    return found

"""How often each option is taken when it is available, by all players, in any game.

A choice is a decision with more than one option. Choices are counted as they are made,
on bits of masks (``BitCounter``), so that counting costs little beside the play.
"""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.bit_counter import BitCounter
from experiments.core.block_records import Block, game_numbers
from experiments.core.cells import Cell
from reports.counts import Counts
from reports.measures import Measure
from sim import games, masks
from sim.events import Decision
from sim.games import Game
from sim.listener import EVERY, Choice, Listener
from sim.masks import Flags, Masks
from sim.view import Rows

TAKEN = Measure(
    "option taken",
    "how often the option was taken, of the times that it and another could be",
    "share",
    by=("decision", "option"),
)
CHOICES = Measure(
    "decisions with a choice",
    "decisions with more than one option, of all decisions of a game",
    "share",
)
IN_TURN = Measure(
    "decisions in turn",
    "decisions of a game, of which those made at the same time count as one",
    "mean",
)
MEASURES = (TAKEN, CHOICES, IN_TURN)
"""Counted in every run that takes the measures of a report."""
_EVERY = 4
"""Quick strategies are counted in one of this many games, which is precise enough."""
_DECLINES = ("pass", "none", "stop")
"""Options that decline a decision, besides those that its kind names."""


def games_with_choices(cell: Cell, numbers: NDArray[np.uint64]) -> Flags:
    """Return (games,) those in which choices are counted; of search players all."""
    cost = max(strategy.cost for strategy in cell.strategies())
    return numbers % np.uint64(_EVERY if cost == 1 else 1) == 0


def declining_options(kind: Decision) -> set[str]:
    """Return the options that decline a decision, in any game's words.

    >>> from sim.games import load
    >>> "pass" in declining_options(load("drake").kinds["act"])
    True
    """
    return {kind.without, kind.stop, *_DECLINES} - {""}


class OptionCounts(Listener):
    """Listens to the choices of games from number ``first`` on.

    ``counted`` (games,) flags the games that count, by default all. In a bag, an option
    is taken if some token lies on it. Samples of cards, and options that are alike,
    count as choices, but not by option; those that decline a decision are not counted.
    """

    ignores_public_history = True

    def __init__(
        self, game: Game, first: int, count: int, counted: Flags | None = None
    ) -> None:
        self._kinds, self._first = game.kinds, np.uint64(first)
        self._counted = np.ones(count, dtype=np.bool_) if counted is None else counted
        self._which = masks.rows_where(self._counted)
        self._place = np.cumsum(self._counted) - 1  # of a game among those
        self._real, self._all, self._in_turn = np.zeros(
            (3, len(self._which)), dtype=np.uint32
        )
        self._tallies: dict[str, BitCounter] = {}  # what could be taken, then what was
        self._words: dict[str, list[str]] = {}

    @classmethod
    def of(cls, cell: Cell, block: Block) -> Self:
        """Return the listener for the games of a block."""
        flags = games_with_choices(cell, game_numbers(block))
        return cls(games.load(cell.game), block.first, block.count, flags)

    def hears(self, name: str) -> bool:
        """Hear every kind of decision, and no note."""
        return name in self._kinds

    def choice(self, state: Any, choice: Choice) -> None:
        """Count the options that all rows could take, and those that they took."""
        self.choice_of(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """Count the options that these rows could take, and those that they took."""
        kind, most = choice.kind, choice.most
        game = (state.games[rows] - self._first).astype(np.int64)
        rows = masks.rows_where(choice.asked & self._counted.take(game))
        if not len(rows):
            return
        at, legal = self._place.take(game.take(rows)), choice.legal.take(rows)
        self._all[at] += 1
        if choice.simultaneous is None:
            self._in_turn[at] += 1
        else:
            self._in_turn[at] += ~choice.simultaneous.take(rows)
        if kind.form == "bag":
            real = legal != masks.NOTHING
        else:
            real = masks.count(legal) > (1 if most is None else most.take(rows))
        with_choice = masks.rows_where(real)
        if not len(with_choice):
            return
        at, legal = at.take(with_choice), legal.take(with_choice)
        self._real[at] += 1
        if kind.form == "sample" or kind.alike:
            return
        words = [str(option) for option in state.vocabularies[kind.vocabulary]]
        answer = choice.answer.take(rows.take(with_choice))
        if kind.form == "bag":
            wide = state.options_per_token
            words = words[:wide]
            legal, answer = (_on_any(tokens, wide) for tokens in (legal, answer))
        if kind.name not in self._tallies:
            self._words[kind.name] = words
            self._tallies[kind.name] = BitCounter(2 * len(self._which))
        # Both at once: half as many calls of numpy
        both = np.concatenate([at, at + len(self._which)])
        self._tallies[kind.name].add(both, np.concatenate([legal, answer]))

    def counts(self, places: slice = slice(None)) -> Iterator[Counts]:
        """Yield the counts of each measure, of the games in these places."""
        keys: list[tuple[str, str]] = []
        y, x = [], []
        begin, end, _ = places.indices(len(self._counted))
        first, last = np.searchsorted(self._which, (begin, end)).tolist()
        for kind, words in self._words.items():
            without = {*declining_options(self._kinds[kind]), "?"}
            could_be, was = (
                self._tallies[kind].counts(slice(first + more, last + more))
                for more in (0, len(self._which))
            )
            for option in dict.fromkeys(words):
                if option in without:
                    continue
                bits = [n for n, word in enumerate(words) if word == option]
                could = could_be[:, bits].sum(axis=1)
                if could.any():
                    keys.append((kind, option))
                    x.append(could)
                    y.append(was[:, bits].sum(axis=1))
        labels = {
            name: pl.Series(name, [key[at] for key in keys], dtype=pl.String)
            for at, name in enumerate(TAKEN.by)
        }
        real, every, in_turn = (
            part[None, first:last] for part in (self._real, self._all, self._in_turn)
        )
        nothing = np.zeros((0, last - first), dtype=np.uint16)
        taken, offered = (np.stack(part) if part else nothing for part in (y, x))
        game = None if last - first == end - begin else self._which[first:last] - begin
        yield Counts(TAKEN.name, labels, taken, offered, game=game)
        yield Counts(CHOICES.name, {}, real, every, game=game)
        yield Counts(IN_TURN.name, {}, in_turn, np.ones_like(in_turn), game=game)


def _on_any(tokens: Masks, wide: int) -> Masks:
    """Return the options with a token of a bag, whose fields have ``wide`` bits."""
    field = masks.span(0, wide)
    options = tokens & field
    for token in range(1, 64 // wide):
        options |= tokens >> np.uint64(token * wide) & field
    return options

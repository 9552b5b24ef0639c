"""The interventions of a cell or a pair, and what plays them.

``Cell.interventions`` adds tables of other games to those of the cell; ``Pair.how``
says by what its two sides differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

import numpy as np

from experiments.core.block_records import Block
from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, Pair
from experiments.counterfactual.every_option import EveryOptionListener
from experiments.counterfactual.forbidden_options import ForbiddenListener
from experiments.counterfactual.intervention import (
    Action,
    Decline,
    EveryOption,
    Forbid,
    Intervention,
    SwapCards,
    When,
)
from experiments.counterfactual.paired_games import play_pairs
from strategies.decliner import Decliner

Kind = TypeVar("Kind", bound=Action)


@dataclass(frozen=True)
class Interventions:
    """What is changed in the games of a cell, or between the two sides of a pair."""

    every: tuple[Intervention[Any], ...]

    def of(self, kind: type[Kind]) -> list[Intervention[Kind]]:
        """Return those that do a kind of thing."""
        return [each for each in self.every if isinstance(each.do, kind)]

    @property
    def actions(self) -> tuple[str, ...]:
        """The kinds of things that are done, by which pairs share a table."""
        return tuple(type(each.do).__name__ for each in self.every)

    @property
    def alone(self) -> bool:
        """Whether games are played apart from those of other cells.

        They share a table only if no more than the first player's decisions are tried.
        """
        tried = self.of(EveryOption)
        return bool(self.of(Forbid)) or any(each.whose != "first" for each in tried)

    def listeners(
        self, cell: Cell, places: slice, first: int
    ) -> dict[str, EveryOptionListener | ForbiddenListener]:
        """Return the listeners that play other games beside those of a cell, by table.

        The cell's games start in these ``places`` of the table, and are numbered from
        ``first`` on.
        """
        found: dict[str, EveryOptionListener | ForbiddenListener] = {
            each.name: EveryOptionListener(each, cell, places, first)
            for each in self.of(EveryOption)
        }
        if forbidden := self.of(Forbid):
            count = places.stop - places.start
            numbers = np.arange(first, first + count, dtype=np.uint64)
            found[forbidden[0].name] = ForbiddenListener(forbidden, cell, numbers)
        return found

    @staticmethod
    def play(pairs: Sequence[Pair], blocks: Sequence[Block]) -> list[Outcome]:
        """Play a block of each pair at one table; return the outcome of each."""
        return play_pairs(pairs, blocks)

    def titles(self) -> Iterator[tuple[str, str]]:
        """Yield what is done, and at which decisions, in words."""
        for each in self.of(EveryOption):
            then = f" and {' or '.join(each.do.then)}" if each.do.then else ""
            yield "every option tried", f"{each.when.title}{then}{each.when.games}"
        for when, group in groupby(self.of(Forbid), lambda each: each.when):
            number = len({each.do.option for each in group})
            kinds = " and ".join(when.decisions)
            yield (
                "the same games without",
                f"each of {number} options of {kinds}{when.games}",
            )


def declining(
    cell: Cell,
    kind: str,
    moment: tuple[str, int],
    option: str = "",
    words: str = "",
    more: str = "",
) -> Pair:
    """Return the pair in which the lineup's first player declines a decision.

    words: the moment in words. The pair is named by the player who declines, and by
    ``more``.
    """
    first, *others = cell.strategies()
    decliner = Decliner(first, kind, moment, option, words)
    label = f"{decliner.title} ({more})" if more else decliner.title
    one = replace(cell, label=label)
    made = Intervention(When((kind,), moment), "first", Decline(option))
    other = replace(one, lineup=(decliner, *others))
    return Pair(one, other, Interventions((made,)))


def swapping(cell: Cell) -> Pair:
    """Return the pair of an experiment on deals: each game and its counterpart."""
    turned = replace(cell, trial=replace(cell.trial, turned=True))
    made = Intervention(When(), "all", SwapCards())
    return Pair(cell, turned, Interventions((made,)))

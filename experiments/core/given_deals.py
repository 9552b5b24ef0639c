"""Games whose deals fit conditions: ``--given 'first dealer: hand has 2 P'``.

The deal of a game is that of the first number that fits, of its own number and others
far from it. So deals are exactly those that the conditions leave (by rejection), and a
game is the same in any block. What is dealt is read when a game first asks somebody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.statistics.intervals import wilson
from sim import masks
from sim.games import Game, positions
from sim.masks import Flags, Masks
from sim.parameters import RuleError, Rules, no_such
from sim.table import Table
from sim.view import Rows, Seat
from strategies.field_ids import check_ids
from strategies.text_conditions import Condition, ConditionError, parse
from strategies.view_fields import holds

Numbers = NDArray[np.uint64]
STEP = 1 << 40
"""How far apart the numbers are that a game tries; more than a run has games."""
MOST_TRIES = 1 << 14
"""Deals that are tried for a game."""
_PILOT = 4_096
_FEWEST = 4  # deals of the pilot that fit; of fewer, a game tries too long
ANYBODY = "anybody"


class NoSuchDeal(RuleError):
    """No deal fits, or hardly any."""


@dataclass(frozen=True)
class GivenDeal:
    """A condition on what somebody holds when a game first asks.

    ``text`` is "POSITION: CONDITION", where the position may be ``anybody``. Of a team
    somebody has to fit. Raises ``RuleError``.
    """

    position: int | None
    condition: Condition

    @classmethod
    def of(cls, text: str, game: Game, players: int) -> "GivenDeal":
        """The condition in a text, for a game."""
        who, colon, what = text.partition(":")
        known = [*positions(game, players), ANYBODY]
        if not colon or not what.strip():
            raise RuleError(
                f"given: {text!r} is no condition on a deal. Write POSITION: "
                f"CONDITION, as in '{known[0]}: hand has 2 P'."
            )
        if who.strip() not in known:
            raise RuleError(f"given: {no_such('position', who.strip(), known)}")
        try:
            condition = parse(what.strip())
        except ConditionError as error:
            raise RuleError(f"given: {error}") from None
        shown = game.view.field_names()
        for name in condition.fields:
            if name not in shown:
                raise RuleError(f"given: {no_such('field', name, shown)}")
        number = known.index(who.strip())
        return cls(None if number == len(known) - 1 else number, condition)


def check(texts: Sequence[str], game: Game, rules: Rules, players: int) -> None:
    """Raise ``RuleError`` for a text that is no condition on the deals of a game."""
    for text in texts:
        condition = GivenDeal.of(text, game, players).condition
        try:
            check_ids(condition, game, rules, (players,))
        except ConditionError as error:
            raise RuleError(f"given: {condition.text!r}: {error}") from None


class _AllSeen(Exception):
    """All deals have been looked at."""


class _Look(Table):
    """A table at which deals are looked at once a game asks somebody."""

    def __init__(self, game: Game, given: Sequence[GivenDeal], state: Any) -> None:
        super().__init__([], None, game.view, game.kinds)
        self._given, self._players, self._team = given, state.players, game.team
        self._first = game.first(state).astype(np.int64)
        size = len(state.games)
        self.fits = np.ones(size, dtype=np.bool_)
        self._seen = np.zeros(size, dtype=np.bool_)

    def ask(
        self,
        state: Any,
        name: str,
        seat: Seat,
        legal: Masks,
        *,
        rows: Rows | None = None,
        **more: Any,
    ) -> Masks:
        """Look at the deals of games that are new; the lowest option is the answer."""
        at = np.arange(len(legal)) if rows is None else rows
        start = state.start_rows.take(at)
        new = np.flatnonzero(~self._seen[start])
        if len(new):
            self._look(state, name, at[new], start[new], legal[new])
            if self._seen.all():
                raise _AllSeen
        return masks.lowest(legal)

    def _look(
        self, state: Any, name: str, rows: Rows, start: Rows, legal: Masks
    ) -> None:
        self._seen[start] = True
        for given in self._given:
            every, found = range(self._players), np.zeros(len(rows), dtype=np.bool_)
            places = every if given.position is None else [given.position]
            for place, partner in product(places, range(self._team)):
                seat = (self._first[start] + place) % self._players
                seat += partner * self._players
                view = self._view(
                    state, self._kinds[name], seat.astype(np.uint8), rows, legal, None
                )
                found |= holds(view, given.condition)
            self.fits[start] &= found


def fitting(
    given: Sequence[GivenDeal],
    game: Game,
    rules: Any,
    players: int,
    seed: Any,
    numbers: Numbers,
) -> Flags:
    """(games,) whether the deals of these numbers fit; raises ``RuleError``."""
    state = game.start(rules, players, seed, numbers)
    table = _Look(game, given, state)
    try:
        game.play(state, table)
    except _AllSeen:
        pass
    except ConditionError as error:
        raise RuleError(f"given: {error}.") from None
    return table.fits & table._seen


def dealt(
    texts: Sequence[str],
    game: Game,
    rules: Any,
    players: int,
    seed: Any,
    numbers: Numbers,
) -> Numbers:
    """(games,) the numbers whose deals these games have.

    Raises ``NoSuchDeal`` for a game that finds none in ``MOST_TRIES``.
    """
    if not texts:
        return numbers
    given = [GivenDeal.of(text, game, players) for text in texts]
    found, left = numbers.copy(), np.arange(len(numbers))
    for _ in range(MOST_TRIES):
        fits = fitting(given, game, rules, players, seed, found[left])
        left = left[~fits]
        if not len(left):
            return found
        found[left] += np.uint64(STEP)
    raise NoSuchDeal(
        f"given: game {numbers[left[0]]} finds no deal that fits in {MOST_TRIES:,}."
    )


@dataclass(frozen=True)
class GivenChance:
    """How likely deals are that fit: ``fits`` of ``deals``."""

    fits: int
    deals: int

    @property
    def interval(self) -> tuple[float, float]:
        """The chance, as a 95 % interval."""
        low, high = wilson(self.fits, self.deals)
        return float(low), float(high)

    def __str__(self) -> str:
        low, high = (100 * end for end in self.interval)
        share = 100 * self.fits / self.deals
        return f"{share:.3g} % ({low:.3g} to {high:.3g}) of {self.deals:,} deals"


def chance_of(
    texts: Sequence[str], game: Game, rules: Any, players: int, seed: Any
) -> GivenChance:
    """How likely it is that a deal fits, by deals that no game has first.

    Raises ``NoSuchDeal`` where it is impossible, or too rare to play.
    """
    given = [GivenDeal.of(text, game, players) for text in texts]
    numbers = np.arange(_PILOT, dtype=np.uint64) + np.uint64(STEP - _PILOT)
    fits = fitting(given, game, rules, players, seed, numbers)
    chance = GivenChance(int(fits.sum()), len(fits))
    if chance.fits < _FEWEST:
        raise NoSuchDeal(
            f"given: {chance.fits} of {chance.deals:,} deals fit, which is too rare to "
            "play, or impossible. Ask for less."
        )
    return chance

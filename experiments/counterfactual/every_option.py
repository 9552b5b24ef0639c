"""Every option tried: how a game would have ended, had one decision been different.

At some decisions every option is tried: the game is copied, the answer is forced, and
the players play on with the same chance. So two ends differ only by the answer.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, PlayedGames
from experiments.counterfactual.action_counts import first_seat
from experiments.counterfactual.forced_actions import (
    ForcedActionTable,
    ForcedBranch,
    values_of_seat,
)
from experiments.counterfactual.intervention import EveryOption, Intervention
from sim import games, masks
from sim.candidates import candidate_answers
from sim.listener import Choice, Fields, Listener
from sim.masks import Flags, Masks
from sim.view import Rows
from strategies.registry import hand_reading, make

_BATCH = 32_768  # options played together at the most, which bounds memory


class _Choice(NamedTuple):
    """Decisions at which options are tried, (decisions,) each."""

    moment: NDArray[np.int64]  # index of the moment
    place: Rows  # of the game, when all started
    game: NDArray[np.uint64]
    seat: NDArray[np.uint8]
    chosen: Masks
    hand: NDArray[Any]


class _Ends(NamedTuple):
    """Options that were tried, and how the games ended, (options,) each."""

    of: Rows  # index of the decision
    script: Masks  # (2, options)
    winner: NDArray[np.int8]
    won: Flags
    others: Masks
    told: dict[str, NDArray[Any]]


class EveryOptionListener(Listener):
    """Listens to games, and plays them on from each decision with every option.

    Games must be in step; those that are over may leave. The cell's games start in
    these ``places`` of the table, and are numbered from ``first`` on. They are played
    on in large batches, each by its script. If the same players play on, the chosen
    option is not replayed, as its end is that of the game itself.
    """

    def __init__(
        self, tried: Intervention[EveryOption], cell: Cell, places: slice, first: int
    ) -> None:
        self._tried, self._when, self._do = tried, tried.when, tried.do
        self._cell = cell
        self._places, self._first = places, first
        self._game = games.load(cell.game)
        self._states: list[Any] = []  # the games as they stood at each moment
        self._kinds: list[str] = []  # of the decision at each moment
        self._choices: list[_Choice] = []
        self._options: list[tuple[Rows, Masks]] = []  # index of the decision, answer
        self._started: list[Rows] = []  # places at the table of the games in _states
        self._heard = dict.fromkeys(
            tried.when.decisions, 0
        )  # moments of each kind so far
        none = np.zeros(places.stop - places.start, dtype=np.uint64)
        # Own decisions of each kind so far, by game
        self._own_ones = {kind: none.copy() for kind in tried.when.decisions}
        self._end: Mapping[str, Any] = {}  # the result

    def hears(self, name: str) -> bool:
        """Hear the decisions to branch at, and the result."""
        return name in self._when.decisions or name == "result"

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep the result."""
        self._end = fields

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the games as they stand before the decision, and the answers."""
        kind, seat, legal, most, answer, asked = choice
        if not self._when.now(state.clock.labels()):
            return
        seat = np.broadcast_to(np.asarray(seat, dtype=np.uint8), legal.shape)
        own, number = self._own(state.start_rows)
        tried = (asked & (legal != masks.NOTHING)).take(own)
        if self._tried.whose == "first":
            tried &= seat.take(own) == first_seat(self._cell, number)
        tried &= self._drawn(number, kind.name, tried)
        at, number = own.compress(tried), number.compress(tried)
        if not len(at):
            return
        most = None if most is None else most.take(at)
        view = self._game.view(state, kind, seat.take(at), at, legal.take(at), most)
        chosen = answer.take(at)
        of, option = candidate_answers(view, chosen)
        if not self._do.then:
            several = np.bincount(of, minlength=len(at)) > 1
            keep, row = several.take(of), np.cumsum(several) - 1
            of, option = row.take(of[keep]), option[keep]
        else:
            several = np.ones(len(at), dtype=np.bool_)
        hand = np.zeros(len(at), dtype=np.int16)
        if self._do.hand:
            hand = hand_reading(self._game.id, self._do.hand)(view).astype(np.int16)
        if not several.any():
            return
        self._states.append(state.branch(at))
        self._started.append(state.start_rows.take(at))
        self._kinds.append(kind.name)
        before = sum(len(each.game) for each in self._choices)
        self._options.append((of + before, option))
        moment = np.full(len(at), len(self._states) - 1)
        decision = moment, self._started[-1], number, seat.take(at), chosen, hand
        self._choices.append(_Choice(*[np.asarray(part[several]) for part in decision]))

    def _own(self, started: Rows) -> tuple[Rows, NDArray[np.uint64]]:
        """Return the rows of the cell's games, and the numbers of these games."""
        begin, end = self._places.start, self._places.stop
        own = np.flatnonzero((started >= begin) & (started < end))
        return own, (started.take(own) + (self._first - begin)).astype(np.uint64)

    def _drawn(self, numbers: NDArray[np.uint64], kind: str, asked: Flags) -> Flags:
        """Return (games,) flags of those in which this decision is sampled."""
        when = self._when
        drawn: Flags = numbers % np.uint64(when.one_game_in) == 0
        if not when.one_in:
            return drawn
        if self._tried.whose == "first":
            at, turn = numbers - np.uint64(self._first), self._own_ones[kind]
            count = numbers // np.uint64(self._cell.players) + turn.take(at)
            turn[at] += asked
        else:
            count = numbers + np.uint64(self._heard[kind])
            self._heard[kind] += 1
        drawn &= count % np.uint64(when.one_in[when.decisions.index(kind)]) == 0
        return drawn

    def table(self, played: PlayedGames) -> pl.DataFrame:
        """Return a row for each option tried: game, kind, time, seat, option, winner.

        ``option`` and ``then`` are the answers as masks. First each answer to the first
        decision is tried, with the next one left to the decider (``then`` is empty).
        Other answers to that are tried only if the decider wins with all of these, or
        with none. ``decision`` numbers the decisions; ``chosen``: the option was the
        answer; ``won``: the decider wins, alone or not. Fields of the note keep their
        names; those of the result begin with ``end_``. ``next_taker`` is another seat
        that takes the option that was left before the first clock unit ends, else -1.
        There are no columns if nothing was tried.
        """
        if not self._choices:
            return pl.DataFrame()
        choice = _Choice(*map(np.concatenate, zip(*self._choices, strict=True)))
        of, option = map(np.concatenate, zip(*self._options, strict=True))
        script = np.stack([option, np.zeros_like(option)])
        first = self._ends(played, choice, of, script)
        ends = np.zeros((2, len(choice.seat)), dtype=np.bool_)
        ends[first.won.view(np.uint8), of] = True
        if not self._do.then:
            return self._as_table(choice, first)
        at, then = masks.explode(masks.where(~ends.all(axis=0).take(of), first.others))
        script = np.stack([option.take(at), then])
        second = self._ends(played, choice, of.take(at), script)
        return pl.concat([self._as_table(choice, each) for each in (first, second)])

    def _ends(
        self, played: PlayedGames, choice: _Choice, of: Rows, script: Masks
    ) -> _Ends:
        """Play the options to the end of their games, in batches."""
        plays_on = self._do.plays_on
        by = make(self._game.id, plays_on) if plays_on else None
        table = ForcedActionTable(self._game, played, self._tried, by)
        seat, chosen = choice.seat.take(of), choice.chosen.take(of)
        known = self._ends_are_known(played)  # then chosen options are not played again
        again = np.flatnonzero((script[0] != chosen) | (not known))
        parts: list[dict[str, NDArray[Any]]] = []
        standing = self._standing(choice, of[again], script[:, again])
        for end in table.play(standing, _BATCH):
            part = self._columns(end, table.seat) | {"others": table.others}
            part |= table.noted_fields | (
                {"next": table.next_taker} if self._do.left else {}
            )
            parts.append(part)
        rest = np.setdiff1d(np.arange(len(of)), again)
        if len(rest):
            place, deciders = choice.place.take(of.take(rest)), seat.take(rest)
            end = {name: field[..., place] for name, field in self._end.items()}
            part = self._columns(end, deciders)
            part["others"] = np.zeros_like(script[0, rest])
            part |= {
                key: values_of_seat(end[key], deciders) for key in self._do.keeps[1:]
            }
            nobody = {"next": np.full(len(rest), -1, dtype=np.int8)}
            parts.append(part | (nobody if self._do.left else {}))
        order = np.argsort(np.concatenate([again, rest]))
        columns = (
            {
                name: np.concatenate([part[name] for part in parts]).take(order)
                for name in parts[0]
            }
            if parts
            else _NO_ENDS
        )
        winner, won, others = (columns.pop(name) for name in _NO_ENDS)
        return _Ends(of, script, winner, won, others, columns)

    def _columns(
        self, end: Mapping[str, Any], seat: NDArray[np.uint8]
    ) -> dict[str, NDArray[Any]]:
        """Return the columns that a result gives for the deciders."""
        won = end["winner"] == seat
        if "winners" in end:
            bits = masks.ONE << seat.astype(np.uint64)
            won |= (end["winners"] & bits) != masks.NOTHING
        columns = {"winner": end["winner"], "won": won}
        if self._do.keeps:
            numbers = {k: v for k, v in end.items() if getattr(v, "ndim", 0) == 2}
            columns |= {f"end_{k}": values_of_seat(v, seat) for k, v in numbers.items()}
        return columns

    def _ends_are_known(self, played: PlayedGames) -> bool:
        """Return whether chosen options end as the games did, in all columns."""
        do, games = self._do, played.sitting.shape[1]
        same = do.keeps[:1] in ((), ("result",)) and not (do.plays_on or do.then)
        return same and all(np.shape(of)[-1:] == (games,) for of in self._end.values())

    def _standing(
        self, choice: _Choice, of: Rows, script: Masks
    ) -> Iterator[ForcedBranch]:
        """Yield the games in which options are tried, moment by moment."""
        moments = choice.moment.take(of)
        firsts = np.flatnonzero(np.diff(moments, prepend=-1))
        for first, last in pairwise([*firsts, len(of)]):
            for at in range(first, last, _BATCH):
                part = slice(at, min(at + _BATCH, last))
                decision, moment = of[part], moments[at]
                chosen = choice.chosen.take(decision)
                place = choice.place.take(decision)
                row = np.searchsorted(self._started[moment], place)
                yield ForcedBranch(
                    self._states[moment].branch(row),
                    self._kinds[moment],
                    place,
                    choice.seat.take(decision),
                    script[:, part],
                    masks.where(script[0, part] != chosen, chosen)
                    if self._do.left
                    else None,
                )

    def _as_table(self, choice: _Choice, ends: _Ends) -> pl.DataFrame:
        """Return the options that were tried as a table."""
        moment = choice.moment.take(ends.of)
        times = [state.clock.labels() for state in self._states]
        details = {"decision": ends.of} | ends.told if self._when.one_in else {}
        if self._when.one_in:
            details["chosen"] = choice.chosen.take(ends.of) == ends.script[0]
            details["hand"] = choice.hand.take(ends.of)
        return pl.DataFrame(
            {
                "game": choice.game.take(ends.of),
                "kind": pl.Series(self._kinds, dtype=pl.String).gather(moment),
                **{
                    unit: np.array([time.get(unit, 0) for time in times]).take(moment)
                    for unit in max(times, key=len)
                },
                "seat": choice.seat.take(ends.of),
                "option": ends.script[0],
                "then": ends.script[1],
                "winner": ends.winner,
                "won": ends.won,
                **details,
            }
        )


_NO_ENDS: dict[str, NDArray[Any]] = {
    "winner": np.zeros(0, dtype=np.int8),
    "won": np.zeros(0, dtype=np.bool_),
    "others": np.zeros(0, dtype=np.uint64),
}

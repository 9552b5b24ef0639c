"""Every option tried: how a game would have ended, had one decision been different.

At some decisions every option is tried: the game is copied, the answer is forced, and
the players play on with the same chance. So two ends differ only by the answer.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import PlayedGames, distinct
from experiments.counterfactual.asked_decisions import AskedDecisions
from experiments.counterfactual.forced_actions import (
    ForcedActionTable,
    ForcedBranch,
    first_unit,
    values_of_seat,
)
from sim import games, masks
from sim.candidates import candidate_answers
from sim.masks import Flags, Masks
from sim.table import Player
from sim.view import Rows
from strategies.registry import hand_reading, make

_BATCH = 32_768  # options played together at the most, which bounds memory
Columns = dict[str, NDArray[Any]]


class _Options(NamedTuple):
    """Options to try: the decision of each, and the answers to it and to the next."""

    of: Rows
    option: Masks
    then: Masks

    def take(self, rows: Any) -> "_Options":
        """Return these options only."""
        return _Options(*(part[rows] for part in self))


class EveryOptionListener(AskedDecisions):
    """Listens to games, and plays them on from each decision with every option.

    Games must be in step; those that are over may leave. They are played on in large
    batches. If the same players play on, the chosen option is not replayed, as its end
    is that of the game itself.
    """

    def table(self, played: PlayedGames) -> pl.DataFrame:
        """Return a row for each option tried: game, kind, time, seat, option, winner.

        ``option`` and ``then`` are the answers as masks. First each answer to the first
        decision is tried, with the next one left to the decider (``then`` is empty).
        Other answers to that are tried only if the decider wins with all of these, or
        with none. ``decision`` numbers the decisions; ``chosen``: the option was the
        answer; ``won``: the decider wins, alone or not. Fields of the note keep their
        names; those of the result begin with ``end_``. ``next`` is another seat that
        takes the option that was left before the first clock unit ends, else -1.
        There are no columns if nothing was tried.
        """
        if not self.kept:
            return pl.DataFrame()
        parts = [candidate_answers(each.view(), each.chosen) for each in self.kept]
        option = np.concatenate([answers for _, answers in parts])
        pairs = zip(self.kept, parts, strict=True)
        of = np.concatenate([each.decision.take(rows) for each, (rows, _) in pairs])
        tried = _Options(of, option, np.zeros_like(option))
        ends = self._ends(played, tried)
        table = self._as_table(tried, ends)
        results = np.zeros((2, self.several), dtype=np.bool_)
        results[table["won"].to_numpy().view(np.uint8), of] = True
        same = ~results.all(axis=0).take(of)
        at, then = masks.explode(masks.where(same, ends["others"]))
        if not len(at):
            return table
        more = tried.take(at)._replace(then=then)
        return pl.concat([table, self._as_table(more, self._ends(played, more))])

    def _of(self, tried: _Options, name: str) -> NDArray[Any]:
        """Return a column of the decisions, for each option."""
        values = np.concatenate([getattr(each, name) for each in self.kept])
        return values.take(tried.of)

    def _ends(self, played: PlayedGames, tried: _Options) -> Columns:
        """Return how the games end with each option, and what follows from it.

        Results have ``end_`` before their names, and are (seats, options), if seats
        have one each.
        """
        place, seat = self._of(tried, "place"), self._of(tried, "seat")
        other = tried.option != self._of(tried, "chosen")
        known, do = self._ends_are_known, self._do
        again = np.flatnonzero(other | (not known))
        lineup, sits = self._seated(played, place[again], seat[again])
        table = ForcedActionTable(games.load(self._cell.game), lineup, self._tried)
        standing = self._standing(tried.take(again), sits)
        parts = [
            _results(end) | table.follows for end in table.play_merged(standing, _BATCH)
        ]
        found = {
            name: np.concatenate([part[name] for part in parts], axis=-1)
            for name in parts[0]
        }
        if not known:
            return found
        results = _results(self.fields).items()
        ends = {name: values[..., place] for name, values in results}
        for name in do.keeps[1:]:
            ends[name] = values_of_seat(ends[f"end_{name}"], seat)
        ends["others"] = np.zeros_like(tried.option)
        if do.left:
            ends["next"] = np.full(len(place), -1, dtype=np.int8)
        for name, values in found.items():
            ends[name][..., again] = values
        return ends

    @property
    def _ends_are_known(self) -> bool:
        """Whether chosen options end as the games did, in all columns."""
        do = self._do
        return do.keeps[:1] in ((), ("result",)) and not (do.plays_on or do.then)

    def _seated(
        self, played: PlayedGames, place: Rows, seat: NDArray[np.uint8]
    ) -> tuple[list[Player], NDArray[Any] | None]:
        """Return who plays on, and (seats, options) the index of each player.

        Who replaces the decider plays all seats if everybody's decisions are tried.
        """
        lineup: list[Player] = [*played.lineup]
        sits = played.sitting.take(place, axis=1)
        if self._do.plays_on:
            by = make(self._cell.game, self._do.plays_on)
            lineup = distinct([*lineup, by]) if self._tried.whose == "first" else [by]
            number = next(n for n, player in enumerate(lineup) if player == by)
            sits[seat, np.arange(len(seat))] = number
        return lineup, sits if len(lineup) > 1 else None

    def _standing(
        self, tried: _Options, sits: NDArray[Any] | None
    ) -> Iterator[ForcedBranch]:
        """Yield the games in which options are tried, moment by moment."""
        for asked in self.kept:
            first, last = np.searchsorted(tried.of, asked.decision[[0, -1]] + [0, 1])
            for at in range(first, last, _BATCH):
                part = slice(at, min(at + _BATCH, last))
                of, option, then = tried.take(part)
                row = of - asked.decision[0]
                chosen = asked.chosen.take(row)
                yield ForcedBranch(
                    asked.state.branch(row),
                    asked.kind,
                    asked.seat.take(row),
                    option,
                    None if sits is None else sits[:, part],
                    then=then,
                    left=masks.where(option != chosen, chosen),
                    unit=np.full(len(row), first_unit(asked.state)),
                )

    def _as_table(self, tried: _Options, ends: Columns) -> pl.DataFrame:
        """Return the options that were tried as a table."""
        of, seat = tried.of, self._of(tried, "seat")
        sizes = [len(asked) for asked in self.kept]
        moment = np.repeat(np.arange(len(sizes)), sizes).take(of)
        times = [asked.state.clock.labels() for asked in self.kept]
        kinds = pl.Series([asked.kind for asked in self.kept], dtype=pl.String)
        units = {
            unit: np.array([time.get(unit, 0) for time in times]).take(moment)
            for unit in max(times, key=len)
        }
        details = self._details(tried, ends) if self._when.one_in else {}
        return pl.DataFrame(
            {
                "game": self._of(tried, "game"),
                "kind": kinds.gather(moment),
                **units,
                "seat": seat,
                "option": tried.option,
                "then": tried.then,
                "winner": ends["end_winner"],
                "won": _won(ends, seat),
                **details,
            }
        )

    def _details(self, tried: _Options, ends: Columns) -> Columns:
        """Return what else is kept of each option."""
        do, seat = self._do, self._of(tried, "seat")
        told = {"decision": tried.of}
        if do.keeps:
            told |= {
                name: values_of_seat(values, seat)
                for name, values in ends.items()
                if values.ndim == 2
            }
        names = [*do.keeps[1:], *(["next"] if do.left else [])]
        told |= {name: ends[name] for name in names}
        told["chosen"] = tried.option == self._of(tried, "chosen")
        hand = np.zeros(len(seat), dtype=np.int16)
        if do.hand:
            read = hand_reading(self._cell.game, do.hand)
            hands = [read(asked.view()) for asked in self.kept]
            hand = np.concatenate(hands).astype(np.int16).take(tried.of)
        return told | {"hand": hand}


def _results(end: Mapping[str, Any]) -> Columns:
    """Return who won, and what seats have at the end."""
    return {
        f"end_{name}": values
        for name, values in end.items()
        if name in ("winner", "winners") or np.ndim(values) == 2
    }


def _won(ends: Columns, seat: NDArray[np.uint8]) -> Flags:
    """Return (options,) whether the decider wins, alone or not."""
    won: Flags = ends["end_winner"] == seat
    if "end_winners" in ends:
        bits = masks.ONE << seat.astype(np.uint64)
        won |= (ends["end_winners"] & bits) != masks.NOTHING
    return won

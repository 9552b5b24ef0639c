"""The runner of what-ifs: every game with and without each intervention of a cell.

It makes one tidy table (``changed_games``) with a row for each intervention and game:

    what, game, seat, position, used, won, won_changed, score, score_changed

``what``: the intervention in words. ``position``: that of the seat, from 1, if it is
done to everybody; 0 if it is done to one player, who sits everywhere in turn. ``used``:
whether it came up. ``won``: the seat's share of the win, ``score``: its final score (or
null), as the game is; ``won_changed`` and ``score_changed`` with the intervention.
Something that is granted several times in a game has a row for each time, of which the
first is the one in which it came up. A card has a row if it was drawn of the seat's
hand (``swapped_cards``): ``won`` is without it, ``won_changed`` with it.

Deals and chance are the same on both sides (common random numbers; Law 2015, Simulation
Modeling and Analysis, section 11.2). What is found are ordinary measures of this table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

import sim.games
from experiments.core.block_records import Block, game_numbers
from experiments.core.blocks import Outcome, make_outcome
from experiments.core.cells import Cell, PlayedGames, play
from experiments.core.malloc_settings import keep_freed_memory
from experiments.counterfactual.action_counts import Numbers
from experiments.counterfactual.changed_players import (
    ChangedPlayers,
    End,
    changed_cell,
    of_games,
)
from experiments.counterfactual.grants_and_brakes import grant_rows
from experiments.counterfactual.intervention import (
    Forbid,
    Force,
    GrantMore,
    Intervention,
    OtherRules,
    OtherStrategy,
    SwapCards,
    Together,
)
from experiments.counterfactual.swapped_cards import SwappedCards, swapped_cards
from reports.counts import sums_of
from reports.measures import MeasuresOf
from reports.table_counts import count_rows
from sim.listener import Fields
from sim.rollouts import shares_of

_OF = MeasuresOf("what-ifs", by="what position")
_SCORED = MeasuresOf("what-ifs", "what position", where=pl.col("score").is_not_null())
MEASURES = (
    _OF.share_of_games("used", "games in which it comes up", where=pl.col("used")),
    _OF.mean("won", "share of the win as the game is", "won"),
    _OF.mean("won changed", "share of the win with what is changed", "won_changed"),
    _OF.mean("won more", "their difference", pl.col("won_changed") - pl.col("won")),
    _SCORED.mean("score", "final score as the game is", "score"),
    _SCORED.mean(
        "score more", "what is changed adds", pl.col("score_changed") - pl.col("score")
    ),
)
"""The measures of the table."""


@dataclass(frozen=True)
class _Ends:
    """How games end: shares of the win and scores, (seats, games)."""

    won: NDArray[np.float64]
    score: NDArray[np.float64]  # NaN where the game has none

    @classmethod
    def of(cls, cell: Cell, end: Fields) -> Self:
        """Return the ends that a result tells."""
        score, won = sim.games.load(cell.game).score, shares_of(end, cell.players)
        if score is None:
            return cls(won, np.full(won.shape, np.nan))
        return cls(won, np.asarray(end[score.field], dtype=np.float64))

    def with_games(self, games: NDArray[np.int64], other: "_Ends") -> Self:
        """Return the ends with those of some games replaced."""
        made = replace(self, won=self.won.copy(), score=self.score.copy())
        made.won[:, games], made.score[:, games] = other.won, other.score
        return made


def changed_games(cell: Cell, numbers: Numbers) -> tuple[pl.DataFrame, int]:
    """Return the tidy table of games with these numbers, and the decisions made."""
    every: tuple[Intervention[Any], ...] = cell.interventions.every
    players = [
        each for each in every if isinstance(each.do, Forbid | Force | OtherStrategy)
    ]
    listener = ChangedPlayers(players, cell, numbers)
    played = play(cell, numbers, [listener])
    base, decisions = _Ends.of(cell, listener.end), played.decisions
    changed = [base] * len(players)
    for part in listener.played_on():
        decisions += part.decisions
        for number in np.unique(part.intervention):
            at = np.flatnonzero(part.intervention == number)
            ends = _Ends.of(cell, of_games(part.end, at))
            changed[number] = changed[number].with_games(part.game[at], ends)
    rows = _Rows(cell, numbers, played, listener.player, base)
    tables = [
        rows.of(each, ends, used)
        for each, ends, used in zip(players, changed, listener.affected, strict=True)
    ]
    tables += [
        rows.granted(each, each.do.thing)
        for each in every
        if isinstance(each.do, GrantMore)
    ]
    for each in every:
        if isinstance(each.do, OtherRules | Together):
            end, parts = End(), _parts(each)
            decisions += play(_with(cell, parts), numbers, [end]).decisions
            used = np.zeros(len(numbers), dtype=np.bool_)
            for one in parts:  # other rules come up in all games
                used |= (
                    listener.affected[players.index(one)] if one in players else True
                )
            tables.append(rows.of(each, _Ends.of(cell, end.fields), used))
    swaps = [each for each in every if isinstance(each.do, SwapCards)]
    for trial in dict.fromkeys(each.do.trial for each in swaps):
        deals = swapped_cards(cell, trial, numbers)
        decisions += deals.decisions
        tables += [
            rows.swapped(each, each.do.card, deals)
            for each in swaps
            if each.do.trial == trial
        ]
    return pl.concat(tables), decisions


def _parts(each: Intervention[Any]) -> tuple[Intervention[Any], ...]:
    """Return what is done at once, or the one thing that is done."""
    return each.do.parts if isinstance(each.do, Together) else (each,)


def _with(cell: Cell, parts: Sequence[Intervention[Any]]) -> Cell:
    """Return the cell with its rules and players changed."""
    cell = replace(cell, interventions=None)
    for part in parts:
        if isinstance(part.do, OtherRules):
            cell = replace(cell, rules=cell.rules.changed(dict(part.do.changes)))
        else:
            cell = changed_cell(cell, part)
    return cell


@dataclass(frozen=True)
class _Rows:
    """Makes the rows of the table."""

    cell: Cell
    numbers: Numbers
    played: PlayedGames
    player: NDArray[np.int64]  # (games,) the seat of the lineup's first player
    base: _Ends

    def of(
        self, each: Intervention[Any], ends: _Ends, used: NDArray[np.bool_]
    ) -> pl.DataFrame:
        """Return the rows of an intervention: of its player, or of every seat."""
        game = np.arange(len(self.numbers))
        seat = self.player
        if each.whose == "all":
            seat = np.repeat(np.arange(self.cell.players), len(game))
            game = np.tile(game, self.cell.players)
        return self._frame(each, game, seat, used[game], ends.won, ends.score)

    def granted(self, each: Intervention[Any], thing: str) -> pl.DataFrame:
        """Return the rows of what is granted."""
        grant = sim.games.load(self.cell.game).grants[thing]
        first, count = int(self.numbers[0]), len(self.numbers)
        rows = grant_rows(self.cell, thing, grant, count, first)
        if rows.is_empty():
            none = np.zeros(0, dtype=np.int64)
            ends = self.base.won, self.base.score
            return self._frame(each, none, none, none.astype(np.bool_), *ends)
        game = rows["game"].to_numpy().astype(np.int64) - first
        seat, used = rows["seat"].to_numpy(), np.zeros(len(game), dtype=np.bool_)
        used[np.unique(game, return_index=True)[1]] = True
        won, score = self.base.won[seat, game], self.base.score[seat, game]
        more = rows["points"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        frame = self._frame(each, game, seat, used, self.base.won, self.base.score)
        return frame.with_columns(
            won_changed=pl.Series(won + rows["won"].to_numpy()),
            score_changed=pl.Series(score + more, nan_to_null=True),
            position=pl.lit(0, dtype=pl.Int64),
        )

    def swapped(
        self, each: Intervention[Any], card: str, deals: SwappedCards
    ) -> pl.DataFrame:
        """Return the rows of the hands in which a card was drawn."""
        game, seat, has = deals.of(card)
        mine = (seat == self.player[game]) | (each.whose == "all")
        game, seat, has = game[mine], seat[mine], has[mine]
        ends = [_Ends.of(self.cell, end) for end in deals.ends]
        used = np.ones(len(game), dtype=np.bool_)
        won, score = (
            [getattr(end, name)[seat, game] for end in ends]
            for name in ("won", "score")
        )
        frame = self._frame(each, game, seat, used, self.base.won, self.base.score)
        return frame.with_columns(
            pl.Series(name, np.where(has == there, *values), nan_to_null=True)
            for name, there, values in (
                ("won", False, won),
                ("won_changed", True, won),
                ("score", False, score),
                ("score_changed", True, score),
            )
        )

    def _frame(
        self,
        each: Intervention[Any],
        game: NDArray[np.int64],
        seat: NDArray[np.int64],
        used: NDArray[np.bool_],
        won: NDArray[np.float64],
        score: NDArray[np.float64],
    ) -> pl.DataFrame:
        """Return rows of these games and seats, with the ends that changed."""
        place = (seat - self.played.first.astype(np.int64)[game]) % self.cell.players
        at = seat, game
        return pl.DataFrame(
            {
                "what": pl.Series([each.title]).new_from_index(0, len(game)),
                "game": self.numbers[game],
                "seat": seat.astype(np.int64),
                "position": (place + 1) * (each.whose == "all"),
                "used": used,
                "won": self.base.won[at],
                "won_changed": won[at],
                "score": pl.Series(self.base.score[at], nan_to_null=True),
                "score_changed": pl.Series(score[at], nan_to_null=True),
            }
        )


def play_block(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block with and without each intervention; return sums of ``MEASURES``."""
    keep_freed_memory()
    table, decisions = changed_games(cell, game_numbers(block))
    counts = [count_rows(measure, table, block.first) for measure in MEASURES]
    return make_outcome(
        block, sums_of(counts, block.batches(cell.players)), decisions, {}
    )

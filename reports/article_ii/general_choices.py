"""Kingmaking: choices of the General, tried with every option, and what they decide.

At a turn of the General, the game is played on with each card that the player holds, on
each player in turn; all that follows, their own later turns too, is played by the same
strategies on the same chance. A player who wins with none of these options is a
kingmaker if different others become President alone. Only one choice differs: plans
over several turns are not tried, nor what a player could infer about other hands.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from reports.article_ii.game_arrays import ArticleIIArrays
from reports.bounded_claims import BoundedClaim
from reports.counts import Array, Counts, grid
from reports.figure_specs import bars
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf

EVERY = 13
"""One game in this many is tried, as each option of each choice is another game."""
KINDS = {0: "whether the player wins", 1: "which other wins", 2: "nothing"}
"""What a choice decides."""
OWN, KING = 0, 1  # of ``KINDS``
DECIDERS = {0: "the President", 1: "a rival", 2: "a kingmaker", 3: "nobody"}
"""The players whose choice may be the last that decides."""


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which choices are tried: none with parties, as partners win together."""
    wanted = {
        "decisions": ("play",),
        "then": ("target", "remove-from"),
        "moment": ("phase", 1),
        "one_game_in": EVERY,
        "players": (3, 4),
    }
    return () if rules["parties"] else (wanted,)


class GeneralChoices:
    """Turns of the General that were tried with every option, in the order of play."""

    def __init__(self, played: ArticleIIArrays) -> None:
        """Read the table of options, one row each."""
        table = played.raw["branching"]
        game = played.game_index(table)
        turn = table["turn"].to_numpy().astype(np.int64)
        _, first, self.of = np.unique(
            game * (turn.max() + 1) + turn, return_index=True, return_inverse=True
        )
        self._played = played
        self._won = table["won"].to_numpy()  # (options,)
        self.winner = table["winner"].to_numpy()  # (options,) or -1
        self.game, self.turn = game[first], turn[first]
        self.seat = table["seat"].to_numpy()[first]

    @cached_property
    def kinds(self) -> Array:
        """What each choice decides, (kinds, choices)."""
        alone = self.winner >= 0
        made = np.zeros((self._played.players, len(self.game)), dtype=np.bool_)
        made[self.winner[alone], self.of[alone]] = True
        ends = np.zeros((2, len(self.game)), dtype=np.bool_)
        ends[self._won.view(np.uint8), self.of] = True
        own = ends.all(axis=0)
        king = ~ends[1] & (made.sum(axis=0) > 1)
        return np.stack([own, king, ~own & ~king])

    @cached_property
    def round(self) -> Array:
        """The round, (choices,), from 1 to one more than cards dealt: then later."""
        cards = self._played.rules["hand"]
        return np.minimum((self.turn - 1) // self._played.players, cards) + 1

    def count(self, flags: Array) -> Array:
        """Return how many of these choices each game has, (games,)."""
        return np.bincount(self.game[flags], minlength=self._played.size)


_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.share("choices", "share of choices", by="decides round"),
    _ARRAYS.share("kingmaking turns", "choices of a kingmaker, of all choices"),
    _ARRAYS.share("decided by", "share of games that one player wins", by="decider"),
    _ARRAYS.share("a kingmaker somewhere", "games in which a kingmaker chooses"),
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count choices by what they decide, and games by whose choice decides last."""
    if played.raw.get("branching", pl.DataFrame()).is_empty():
        return []
    choices = GeneralChoices(played)
    rounds = range(1, played.rules["hand"] + 2)
    by_round = np.array(
        [
            [choices.count(kind & (choices.round == number)) for number in rounds]
            for kind in choices.kinds
        ]
    )
    by_kind = by_round.sum(axis=1)
    won = (by_kind.sum(axis=0) > 0) & (played.winner >= 0)
    parts = deciders(played, choices) & won
    return [
        grid("choices", by_round, by_round.sum(axis=0), decides=[*KINDS], round=rounds),
        grid("kingmaking turns", by_kind[KING], by_kind.sum(axis=0)),
        grid("decided by", parts, won[None], decider=[*DECIDERS]),
        grid("a kingmaker somewhere", (by_kind[KING] > 0) & won, won),
    ]


def deciders(played: ArticleIIArrays, choices: GeneralChoices) -> Array:
    """Return whose choice was the last to decide a game, (deciders, games)."""
    deciding = np.flatnonzero(choices.kinds[[OWN, KING]].any(axis=0))
    last = np.full(played.size, -1, dtype=np.int64)
    last[choices.game[deciding]] = deciding  # in playing order: the last one stays
    decided = last >= 0
    own = decided & (choices.seat[last] == played.winner)
    king = decided & choices.kinds[KING][last]
    return np.stack([own, decided & ~own & ~king, king, ~decided])


TABLES = (
    MeasureTable(
        "take-that-deciders",
        "Whose choice is the last that decides who wins",
        "Of games that one player wins. Each turn of the General is played again with "
        "each card in hand on each player, and the same strategies play the rest on "
        "the same chance. The table counts whose turn was the last at which that "
        "changed who wins. A kingmaker wins with no option, but decides which other "
        "becomes President. A rival would have won with some option. Nobody: there is "
        "no such turn. This is judged afterwards, with all hands open, one turn at a "
        f"time. Every {EVERY}th game is tried.",
        (
            "players",
            WordColumn(
                "who",
                "decided by",
                "whose choice was the last to decide",
                DECIDERS,
                "decider",
            ),
            Number("decided by", "games"),
        ),
        draw=bars("table", "share of games that one player wins, %", "who"),
    ),
    MeasureTable(
        "take-that-choices",
        "What a choice of the General decides, round by round",
        "A round is a turn of everybody; the last number stands for all later ones. A "
        "choice decides whether the player wins if they win with some options, not "
        "with others; else which other wins (kingmaking), if options make different "
        "others President.",
        (
            "players",
            "round",
            WordColumn("what", "decides", "what the options change", KINDS, "decides"),
            Number("choices", "share"),
        ),
        rows=lambda rows: rows.with_columns(
            where=pl.format("{} players, round {}", "players", "round")
        ),
        draw=bars("where", "share of choices, %", "what"),
    ),
)
KINGMAKER = BoundedClaim(
    "Kingmaking, {players} players, {who}: in {value} of the games that one player "
    "wins, the last choice of the General that decides who wins is a kingmaker's, who "
    "wins with no option: {verdict}. It is the President's own in {own}, a rival's in "
    "{rival}. In {ever} of these games there is a turn at which a player who could not "
    "win with it could have made another President; {turns} of all turns are like that",
    "decided by",
    most=0.1,
    where={"decider": 2},
    also={
        "own": ("decided by", {"decider": 0}),
        "rival": ("decided by", {"decider": 1}),
        "ever": "a kingmaker somewhere",
        "turns": "kingmaking turns",
    },
)

"""A policy that was learned, and how strong it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from experiments.learning.blocks import LearningTask
from experiments.learning.training_rounds import Strength, StrengthGain
from strategies import policy_store
from strategies.learned import Learned

Z = 1.959964
"""Half of a 95 % interval, in standard errors."""


@dataclass(frozen=True)
class LearnedPolicy:
    """A policy that was learned, and how strong it is.

    data: its file; file: where it is, None where no directory was named. rounds: what
    each round brought. strength: by number of players, its share of the win among
    teachers and its gain over one, on deals that taught nothing. skill: by kind of
    decision, what its network gains in points, on average over whether those of the
    other kinds play.
    """

    task: LearningTask
    data: bytes = field(repr=False)
    file: Path | None
    rounds: tuple[Mapping[str, Any], ...]
    strength: Mapping[int, Strength]
    skill: Mapping[str, StrengthGain]

    @property
    def teacher(self) -> str:
        """Who taught it, and has the other seats where its strength is measured."""
        return self.task.advisers[0]

    @property
    def strategy(self) -> Learned:
        """The policy as a strategy, for lineups."""
        stem = self.file.parent.name if self.file else Path(self.task.game).stem
        return Learned(policy_store.add_as(stem, self.data))

    @property
    def players(self) -> pl.DataFrame:
        """A row a number of players, in % of all wins: what it wins among teachers.

        With a 95 % interval, and what it gains over a teacher in its seat on the same
        deals. even: an equal part of all wins, of which there may be none in a game.
        """
        rows = [
            {
                "players": size,
                "share": one.share.points,
                **_interval(one.share),
                "even": 100 / size,
                "gain": one.gain.points,
                **{f"gain {k}": value for k, value in _interval(one.gain).items()},
            }
            for size, one in self.strength.items()
        ]
        return pl.DataFrame(rows)

    @property
    def decisions(self) -> pl.DataFrame:
        """A row a kind of decision: the points that it gains, a 95 % interval."""
        schema = {"decision": pl.String, "gain": float, "low": float, "high": float}
        rows = [
            {"decision": kind, "gain": one.points, **_interval(one)}
            for kind, one in self.skill.items()
        ]
        return pl.DataFrame(rows, schema=schema).sort("gain", descending=True)

    def as_dict(self) -> dict[str, Any]:
        """All of it but the weights, for JSON."""
        return {
            "game": self.task.game,
            "teacher": self.teacher,
            "file": None if self.file is None else str(self.file),
            "players": self.players.to_dicts(),
            "decisions": self.decisions.to_dicts(),
            "rounds": [*self.rounds],
        }


def _interval(one: StrengthGain) -> dict[str, float]:
    half = Z * one.error
    return {"low": one.points - half, "high": one.points + half}

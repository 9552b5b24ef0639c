"""The levers of a game: how one step of each rule changes the scorecard.

    levers("kunitame", games=4_096).ranked("positions")

Each change of one rule (``experiments.variants.rule_steps``) is played on the same
deals as the base rules and compared with them line by line. A change is idle if it
altered the outcome of no game. The same players play all rules; some changes are
played again by those who learned them (``experiments.learning.adapted_levers``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import sim.games
from experiments.analysis import scorecard_effects
from experiments.analysis.adaptation_verdicts import VERDICTS, joined_verdicts
from experiments.analysis.comparison_arms import usual_games
from experiments.analysis.scorecard_effects import Scores
from experiments.analysis.tolerance_check import problems
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import report_of
from experiments.execution.run import Progress
from experiments.studies.lineups import base_players
from experiments.variants.rule_steps import RefusedStep, RuleStep, RuleSteps, rule_steps
from reports import lever_figures
from reports.scorecard.score_line import ScoreLine
from sim.parameters import Rules, no_such
from strategies.base import Strategy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PART = 2
"""By default a rule set plays a report's number of games divided by this."""
LEAST = 1_024
"""The default is at least this many games; fewer would show nothing."""
SLOW = 512
"""Except of the slowest players, whose games would take an hour."""


@dataclass(frozen=True)
class AdaptedLevers:
    """Some changes, and the base, by players who had equally many lessons by each.

    ``players``: who plays the base and the change, by its number. ``rows``: the columns
    of ``Scores.effects``. ``alone``: the same by the base's players, in the same games,
    which had no part in choosing the changes.
    """

    players: Mapping[int, tuple[str, str]]
    rows: pl.DataFrame
    alone: pl.DataFrame


@dataclass(frozen=True)
class Levers:
    """The effect of each change of one rule.

    ``rows`` has one row per change and line: change, label, key, setting, sentence,
    sort, line, and the columns of ``Scores.effects``. ``adapted``: what those make of
    some changes who learned them; None if nobody did.
    """

    base: Cell
    steps: tuple[RuleStep, ...]
    refused: tuple[RefusedStep, ...]
    scores: Scores
    adapted: AdaptedLevers | None = None

    @cached_property
    def rows(self) -> pl.DataFrame:
        """One row per change and line, in the order of the rules."""
        about = pl.DataFrame(
            [
                (change, step.label, step.key, step.setting, step.sentence, step.sort)
                for change, step in enumerate(self.steps, start=1)
            ],
            {"change": pl.Int64} | dict.fromkeys(_ABOUT, pl.String),
            orient="row",
        )
        return about.join(self.scores.effects(), on="change", maintain_order="left")

    @cached_property
    def verdicts(self) -> pl.DataFrame:
        """The changes that were learned, line by line, with both answers.

        Columns: change, label, line, and those of ``joined_verdicts``.
        """
        if self.adapted is None:
            return pl.DataFrame(schema={"label": pl.String, "says": pl.String})
        sides = self.adapted.alone, self.adapted.rows
        both = (rows.rename({"change": "cell"}) for rows in sides)
        labels = self.rows.select("change", "label").unique()
        joined = joined_verdicts(*both).rename({"cell": "change"})
        return joined.join(labels, on="change", maintain_order="left")

    @cached_property
    def depending(self) -> frozenset[tuple[str, str]]:
        """The labels and lines whose effect depends on whether players adapt."""
        rows = self.verdicts.filter(says="depends").iter_rows(named=True)
        return frozenset((row["label"], row["line"]) for row in rows)

    def told(self, row: Mapping[str, Any]) -> str:
        """Return the verdict of a row in words, which allow for those who adapt."""
        depends = (row["label"], row["line"]) in self.depending
        return f"{row['verdict']}; {VERDICTS['depends']}" if depends else row["verdict"]

    @property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The lines of the scorecard that were measured."""
        return self.scores.lines

    @property
    def games(self) -> int:
        """Games that each rule set played with each lineup."""
        return self.scores.games

    @property
    def idle(self) -> list[str]:
        """The labels of the changes that altered the outcome of no game."""
        tested = pl.col("p").is_not_null().any()
        rows = self.rows.group_by("label", maintain_order=True).agg(tested=tested)
        return rows.filter(~pl.col("tested"))["label"].to_list()

    def ranked(self, line: str = "") -> pl.DataFrame:
        """Return the changes of a line: significant ones first, then by size."""
        name = self.line(line).id
        size = pl.col("difference").abs()
        return self.rows.filter(pl.col("line") == name, pl.col("p").is_not_null()).sort(
            "marked", size, descending=True, maintain_order=True
        )

    def line(self, name: str = "") -> ScoreLine:
        """Return the line of this id; raises ``UsageError``.

        By default the one that the base rules break, the most urgent of several, or
        else the first.
        """
        known = {line.id: line for line in self.lines}
        if name and name not in known:
            raise UsageError("line: " + no_such("line", name, known, "Lines here"))
        return known[name] if name else [*self.broken, *self.lines][0]

    @cached_property
    def broken(self) -> tuple[ScoreLine, ...]:
        """The lines that the base rules are shown to break, the most urgent first."""
        return tuple(problems(self.lines, self.scores.values[0]))

    def plot(self, line: str = "") -> "Figure":
        """Draw the rule weights of a line: each change with its interval, by size."""
        return lever_figures.weights(self.ranked(line), self.line(line))

    def __repr__(self) -> str:
        """Summarize the changes, and name the one that moves the line most."""
        line, top = self.line(), self.ranked().head(1)
        most = "".join(top["label"]) or "no change"
        return (
            f"{self.base.game}, {self.base.players} players: "
            f"{len(self.steps)} changes, {self.games:,} games each\n"
            f"{line.number}: moved most by {most}\n"
            f"lines: {', '.join(line.id for line in self.lines)}: "
            "see .rows, .ranked(line), .plot(line)"
        )

    def _repr_html_(self) -> str:
        return str(self.rows._repr_html_())


_ABOUT = ("label", "key", "setting", "sentence", "sort")


def levers(  # noqa: PLR0913 - all that the command line knows
    game: str,
    strategy: str | Strategy | None = None,
    *,
    rules: Rules | Mapping[str, Any] | None = None,
    players: int = 4,
    given: tuple[str, ...] = (),
    only: Sequence[str] = (),
    fine: bool = False,
    games: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> Levers:
    """Play every change of one rule on the same deals as the base.

    ``only`` limits the changes to these rules, ``fine`` adds those within rows of
    tables. ``given`` are conditions that all deals fit. ``strategy``: by default the
    ``base_players``. ``games`` of each rule set: by default half as many as a report
    plays of a lineup, fewer of learned players. ``how`` goes to ``run``. Raises
    ``UsageError`` or ``RuleError`` before anything is played; a change whose games fail
    is left out, with the reason.
    """
    if not isinstance(rules, Rules):
        rules = sim.games.load(game).rules.of(rules)
    who = strategy or base_players(game)
    base = Cell(game, rules, players, (who,), True, seed, given=given)
    changes = playable(base, rule_steps(rules, players, only, fine=fine))
    games = usual_games_of(base) if games is None else games
    scores = scorecard_effects.play(
        [base, *(replace(base, rules=step.rules) for step in changes.steps)],
        games,
        jobs=jobs,
        out=out,
        progress=progress,
        **how,
    )
    if 0 in scores.failed:
        raise UsageError(f"the base rules cannot be played: {scores.failed[0]}")
    failed = tuple(
        RefusedStep(changes.steps[change - 1].setting, f"a game failed: {why}")
        for change, why in scores.failed.items()
    )
    return Levers(base, changes.steps, (*changes.refused, *failed), scores)


def usual_games_of(base: Cell) -> int:
    """Return the games that each rule set plays by default."""
    usual = max(report_of(base.game).games // PART, LEAST)
    return usual_games([base], (usual, LEAST, SLOW))


def playable(base: Cell, steps: RuleSteps) -> RuleSteps:
    """Return the changes that the strategies can play; the others with a reason."""
    playable_steps, left_out = [], list(steps.refused)
    for step in steps.steps:
        try:
            replace(base, rules=step.rules).strategies()
        except (UsageError, ValueError) as error:
            left_out.append(RefusedStep(step.setting, str(error)))
        else:
            playable_steps.append(step)
    return RuleSteps(tuple(playable_steps), tuple(left_out))

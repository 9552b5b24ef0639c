"""The levers of a game: what one step of every rule does to the scorecard.

    levers("kunitame", games=4_096).ranked("positions")

Every change of one rule (``experiments.variants.steps``) is played on the same deals as
the base, and held against it line by line. A change in whose games nothing came out
differently is idle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from experiments.analysis import effects
from experiments.analysis.effects import Scores
from experiments.analysis.score_lines import Line
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import report_of
from experiments.execution.run import Progress
from experiments.variants.steps import LeftOut, Step, Steps, steps
from reports import lever_page
from sim import games as registry
from sim.parameters import Rules, no_such
from strategies.base import Strategy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PART = 2
"""By each rule set one game is played of so many of a report's, if nothing is said."""
LEAST = 1_024
"""Fewer say nothing."""


@dataclass(frozen=True)
class Levers:
    """What each change does.

    ``rows`` has a row a change and line: label, key, setting, sentence, sort, line, and
    the columns of ``Scores.effects``.
    """

    base: Cell
    steps: tuple[Step, ...]
    left_out: tuple[LeftOut, ...]
    scores: Scores

    @cached_property
    def rows(self) -> pl.DataFrame:
        """A row a change and line, in the order of the rules."""
        about = pl.DataFrame(
            [
                (at + 1, one.label, one.key, one.setting, one.sentence, one.sort)
                for at, one in enumerate(self.steps)
            ],
            {"change": pl.Int64} | dict.fromkeys(_ABOUT, pl.String),
            orient="row",
        )
        return about.join(self.scores.effects(), on="change", maintain_order="left")

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the scorecard that were taken."""
        return self.scores.lines

    @property
    def games(self) -> int:
        """Games by each rule set, at each table."""
        return self.scores.games

    @property
    def idle(self) -> list[str]:
        """The changes in whose games nothing came out differently, by label."""
        some = pl.col("p").is_not_null().any()
        rows = self.rows.group_by("label", maintain_order=True).agg(some=some)
        return rows.filter(~pl.col("some"))["label"].to_list()

    def ranked(self, line: str = "") -> pl.DataFrame:
        """The changes of a line: what is surely one first, then by size."""
        name = self.line(line).id
        size = pl.col("difference").abs()
        return self.rows.filter(pl.col("line") == name, pl.col("p").is_not_null()).sort(
            "marked", size, descending=True, maintain_order=True
        )

    def line(self, name: str = "") -> Line:
        """The line of this id, or the first; raises ``UsageError``."""
        known = {line.id: line for line in self.lines}
        if name and name not in known:
            raise UsageError("line: " + no_such("line", name, known, "Lines here"))
        return known[name] if name else self.lines[0]

    def plot(self, line: str = "") -> "Figure":
        """Draw the rule weights of a line: each change with its interval, by size."""
        return lever_page.weights(self.ranked(line), self.line(line).about)

    def __repr__(self) -> str:
        """What was changed, what moves the first line most, and what more there is."""
        line, top = self.lines[0], self.ranked().head(1)
        most = "".join(top["label"]) or "no change"
        return (
            f"{self.base.game}, {self.base.players} players: "
            f"{len(self.steps)} changes, {self.games:,} games by each\n"
            f"{line.title}: most by {most}\n"
            f"lines: {', '.join(line.id for line in self.lines)}: "
            "see .rows, .ranked(line), .plot(line)"
        )

    def _repr_html_(self) -> str:
        return str(self.rows._repr_html_())


_ABOUT = ("label", "key", "setting", "sentence", "sort")


def levers(  # noqa: PLR0913 - all that the command line knows
    game: str,
    strategy: str | Strategy = "allround",
    *,
    rules: Rules | Mapping[str, Any] | None = None,
    players: int = 4,
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

    ``only`` limits them to keys of rules, ``fine`` adds those within rows of tables.
    ``games`` by each rule set: half as many as a report plays of a lineup, if
    nothing is said.
    ``how`` goes to ``run``. Raises ``UsageError`` or ``RuleError`` before anything is
    played; a change that cannot be played to the end is left out with the reason.
    """
    if not isinstance(rules, Rules):
        rules = registry.load(game).rules.of(rules)
    base = Cell(game, rules, players, (strategy,), True, seed)
    found = playable(base, steps(rules, players, only, fine=fine))
    if games is None:
        games = max(report_of(game).games // PART, LEAST)
    scores = effects.play(
        [base, *(replace(base, rules=one.rules) for one in found.made)],
        games,
        jobs=jobs,
        out=out,
        progress=progress,
        **how,
    )
    if 0 in scores.failed:
        raise UsageError(f"the base rules cannot be played: {scores.failed[0]}")
    failed = tuple(
        LeftOut(found.made[at - 1].setting, f"a game failed: {why}")
        for at, why in scores.failed.items()
    )
    return Levers(base, found.made, (*found.left_out, *failed), scores)


def playable(base: Cell, found: Steps) -> Steps:
    """The changes whose rules these strategies can play; the others with the reason."""
    made, left_out = [], list(found.left_out)
    for one in found.made:
        try:
            replace(base, rules=one.rules).strategies()
        except (UsageError, ValueError) as error:
            left_out.append(LeftOut(one.setting, str(error)))
        else:
            made.append(one)
    return Steps(tuple(made), tuple(left_out))

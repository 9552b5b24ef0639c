"""Options that nobody at the table knows how to use, judged by a player trained to.

One player has lessons in half of which these options are taken whenever they can be. By
what it then does with them, and what it loses without them on the same deals, they get
the word that no other player here can give (``reports.scorecard.option_verdicts``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

import sim.games
from experiments.analysis.what_if import what_if
from experiments.core.cells import Cell
from experiments.counterfactual.named_interventions import interventions_named
from experiments.execution.run import run
from reports.formatting import join_words
from reports.option_follow_ups import TAKEN, unused_by
from reports.report_document import Exhibit, ReportDocument
from reports.scorecard import option_verdicts, page_one
from reports.scorecard.option_verdicts import LARGE, SMALL
from reports.scorecard.sentences import UNABLE
from strategies import registry
from strategies.changed_play import TakesOption

GAMES = 1_024
"""Deals on which each option is forbidden, or forced."""
FOLDER = "trained"
"""The folder of a report with the lessons, and the games that judge the options."""
_USE = 256  # games that tell whether the player uses an option
Train = Callable[[Cell, Sequence[str], Path], str]
"""Trains a player with options, such as plot:observation, forced; returns its spec."""
Key = tuple[str, str]


@dataclass(frozen=True)
class TrainedOption:
    """The verdict on an option by a player who was trained to use it.

    ``lost``, ``low``, ``high``: the win share lost without it; ``why`` in words.
    """

    decision: str
    option: str
    verdict: str
    lost: float
    low: float
    high: float
    why: str

    @property
    def words(self) -> str:
        """The verdict and why, as a clause without the option."""
        return f"{self.verdict}, as {self.why}"


def judged(
    made: ReportDocument, cell: Cell, train: Train | None, out: Path, jobs: int = 1
) -> ReportDocument:
    """Return a report with verdicts on options that no player of its own can use.

    ``cell``: the leading players; ``train``: None if nobody has lessons.
    """
    verdict = made.verdict
    if verdict is None or train is None or sim.games.load(cell.game).scalar:
        return made
    names = ";".join(verdict.table["unable"].unique(maintain_order=True)).split(";")
    keys = [
        (kind, option)
        for name in names
        for option, _, kind in [name.strip().partition(" at ")]
        if option
    ]
    if not keys:
        return made
    found = trained_options(cell, keys, train, out / FOLDER, jobs)
    told = tuple(
        replace(one, text=_sentence(found)) if one.text.startswith(UNABLE) else one
        for one in verdict.sentences
    )
    sections = tuple(
        replace(
            part, exhibits=tuple(map(partial(_with_verdicts, found), part.exhibits))
        )
        if part.id == page_one.TAKEN
        else part
        for part in made.sections
    )
    verdict = replace(verdict, sentences=told)
    return replace(made, verdict=verdict, sections=sections)


def trained_options(
    cell: Cell, keys: Sequence[Key], train: Train, out: Path, jobs: int = 1
) -> list[TrainedOption]:
    """Train one player with these options forced, and judge each option by it.

    keys: (decision, option). The player has one seat among those of the cell.
    """
    names = [f"{kind}:{option}" for kind, option in keys]
    spec = train(cell, names, out / "lessons")
    alone = replace(cell, lineup=(spec, *cell.lineup[1:]), rotate=True)
    forbidden = interventions_named(alone, forbid=names)[: len(names)]
    forced = interventions_named(alone, force=names)[: len(names)]
    without, always = (
        what_if(alone, every, GAMES, out=out / act, jobs=jobs).rows.to_dicts()
        for act, every in (("forbid", forbidden), ("force", forced))
    )
    player = registry.make(cell.game, spec)
    takes = [TakesOption(player, each.when.kinds, each.do.option) for each in forced]
    tables = [replace(cell, lineup=(who,)) for who in (player, *takes)]
    played = run(tables, _USE, detailed=True, out=out / "use", jobs=jobs)
    own, *theirs = (
        played.of_cells([at])[TAKEN].drop_nulls("estimate") for at in range(len(tables))
    )
    return [
        verdict_of(
            key,
            without[at],
            always[at],
            able=_uses(cell.game, key, theirs[at]),
            uses=_uses(cell.game, key, own),
        )
        for at, key in enumerate(keys)
    ]


def verdict_of(
    key: Key,
    without: dict[str, Any],
    always: dict[str, Any],
    *,
    able: bool,
    uses: bool,
) -> TrainedOption:
    """Return the verdict on an option by what its trained player does with it.

    without, always: rows of ``what_if`` in which that player may not, or must, take it
    (more, low, high). able: whether the player makes use of it when it must take it;
    uses: and by its own choice.

    >>> row = {"more": -0.16, "low": -0.2, "high": -0.12}
    >>> verdict_of(("plot", "observation"), row, row, able=True, uses=False).words
    'dead, as one trained to use it loses 16 points by taking it'
    """
    lost, low, high = (0.0 - without[name] for name in ("more", "high", "low"))
    points = f"{100 * abs(always['more']):.0f} points"
    word, who = option_verdicts.UNKNOWN, "one trained to use it"
    if not able:
        why = f"also {who} takes it and does nothing with it"
    elif not uses and always["high"] < 0:
        word, why = option_verdicts.DEAD, f"{who} loses {points} by taking it"
    elif not uses:
        gains, open_ = f"though taking it wins {points} more", "and taking it is open"
        why = f"{who} leaves it, {gains if always['low'] > 0 else open_}"
    elif low > 0:
        word = option_verdicts.BACKBONE if low >= LARGE else option_verdicts.FINE
        why = f"{who} loses {100 * lost:.0f} points without it"
    elif high < SMALL:
        word = option_verdicts.WEAK
        why = f"{who} loses less than a point without it"
    else:
        why = f"{who} does, and what that is worth is not settled"
    return TrainedOption(*key, word, lost, low, high, why)


def _uses(game: str, key: Key, taken: pl.DataFrame) -> bool:
    """Return whether a player makes use of an option: its follow-ups, or else itself.

    taken: how often the player takes each option.
    """
    decision, option = key
    after = sim.games.load(game).kinds[decision].follow_ups.get(option)
    later = (after.decision, after.options) if after else (decision, [option])
    return not unused_by(taken, {key: later})


def _sentence(found: Sequence[TrainedOption]) -> str:
    """Return the sentence of page one about options that only one player was taught."""
    text = f"{UNABLE} {_named(found)}. One had lessons: {_told(found)}."
    if all(one.verdict == option_verdicts.UNKNOWN for one in found):
        first = found[0]
        text += f" Longer lessons: learn --force {first.decision}:{first.option}."
    return text


def _named(options: Sequence[TrainedOption]) -> str:
    return join_words([f"“{one.option} at {one.decision}”" for one in options])


def _told(found: Sequence[TrainedOption]) -> str:
    """Return the verdicts as clauses; options of which the same is true share one."""
    alike: dict[str, list[TrainedOption]] = {}
    for one in found:
        alike.setdefault(one.words, []).append(one)
    return "; ".join(f"{_named(same)}: {words}" for words, same in alike.items())


def _with_verdicts(found: Sequence[TrainedOption], shown: Exhibit) -> Exhibit:
    """Return the table of options with these verdicts."""
    if shown.id != option_verdicts.ID:
        return shown
    names = ("decision", "option", "verdict", "lost", "low", "high")
    rows = [{name: getattr(one, name) for name in names} for one in found]
    table = shown.table.update(
        pl.DataFrame(rows), on=["decision", "option"], how="left"
    )
    note = f"{shown.note} By a player trained to use it: {_told(found)}."
    return replace(shown, table=table, note=note)

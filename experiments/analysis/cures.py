"""Cures for what page one says is wrong: rule changes that were tried, and a price.

For each broken or watched line of the scorecard that a rule change can be judged by
(``scorecard_effects.comparable_lines``), the fewest and smallest changes are looked for
that bring it within its tolerance (``rule_search``). The budget is a number of games,
so the answer is the same on any machine.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sim.games
from experiments.analysis import scorecard_effects
from experiments.analysis.comparison_arms import usual_games
from experiments.analysis.rule_race import ROUNDS
from experiments.analysis.rule_search import CandidateChange, RuleSearch, find
from experiments.analysis.scorecard_goals import Goal
from experiments.core.cells import Cell, UsageError
from experiments.execution.atomic_files import write_file
from experiments.studies.lineups import default_lineup
from experiments.variants.rule_steps import as_change
from experiments.variants.variant_files import variant_text
from experiments.variants.variants import settings_as_changes
from reports.lever_figures import amount
from reports.report_document import PageOne, ReportDocument
from reports.scorecard.score_line import ScoreLine
from reports.scorecard.scored_line import PROBLEMS
from sim.parameters import RuleError

GAMES = 64 * ROUNDS[0][0]
"""Fresh deals on which the last changes are tested, by default and at least."""
FOLDER = "cures"
"""The folder of a report with the variant files of cures, and what was tried."""
_HALF = 0.5  # of what a line is beyond its tolerance: a change that leaves more is none
LINES = 2
"""Lines for which a cure is looked for: those that page one names first."""


@dataclass(frozen=True)
class Cure:
    """What mends a line, in words, its price, and the variant file ("": none)."""

    line: str
    words: str
    price: str = ""
    variant: str = ""


def goals_of(verdict: PageOne, lines: Sequence[ScoreLine], game: str) -> list[Goal]:
    """Return the tolerances that are broken, as page one names them first."""
    comparable = {
        line.id for line in scorecard_effects.comparable_lines(game, "allround")
    }
    main = verdict.table["players"][0]  # a cure is tried with this number of players
    rows = {row["line"]: row for row in verdict.table.reverse().to_dicts()}
    known = {line.id: line for line in lines}
    found = []
    for sentence in verdict.sentences:
        row = rows.get(sentence.line, {"verdict": ""})
        if sentence.players not in (main, 0):
            continue
        if sentence.line in comparable and row["verdict"] in PROBLEMS:
            line = known[sentence.line]
            limits = line.tolerance
            beyond = row["value"] - (row["chance"] or 0.0 if line.chance else 0.0)
            at_most = math.isfinite(limits.most) and (
                beyond > limits.most or not math.isfinite(limits.least)
            )
            found.append(Goal(line, at_most, limits.most if at_most else limits.least))
    return found[:LINES]


def cured(
    made: ReportDocument,
    lines: Sequence[ScoreLine],
    cell: Cell,
    played: int,
    games: int | None,
    out: Path,
    jobs: int,
) -> ReportDocument:
    """Return a report whose page one tells the cures that were tried.

    cell: the leading players. games: fresh deals that test a change; None: ``GAMES``,
    or none if fewer were ``played`` of each lineup. out: the folder of the report.
    """
    verdict = made.verdict
    if games is None:
        games = GAMES if played >= GAMES else 0
    if not games or verdict is None:
        return made
    wanted = goals_of(verdict, lines, cell.game)
    found = [*cures(cell, wanted, max(games, GAMES), out / FOLDER, jobs=jobs)]
    return replace(made, verdict=with_cures(verdict, found))


def cures(
    cell: Cell, wanted: Sequence[Goal], games: int, out: Path, **how: Any
) -> Iterator[Cure]:
    """Yield what was found for each target; a variant file of each cure is written.

    cell: the leading players. If they are slow, the leading heuristic plays, and the
    words say so. ``how`` goes to ``run``.
    """
    who = cell.strategies()[0].title
    if not usual_games([cell], (1, 1, 0)) or cell.cost > 1:
        who = default_lineup(cell.game)
    for goal in wanted:
        line = goal.line
        folder = out / f"{line.id}-{line.scale * goal.bound:g}-{games}"
        try:
            search = find(
                cell.game,
                [str(goal)],
                strategy=who,
                rules=cell.rules,
                players=cell.players,
                games=games,
                seed=cell.seed,
                out=folder,
                **how,
            )
        except (UsageError, RuleError):
            continue  # no rule of this game can be varied
        if set(search.base_words) != {"met"}:
            yield _cure(search, goal, folder.with_suffix(".toml"))


def with_cures(verdict: PageOne, found: Sequence[Cure]) -> PageOne:
    """Return page one with what was tried, beside the sentence of its line."""
    by_line = {cure.line: cure for cure in found}
    told = []
    for sentence in verdict.sentences:
        if (cure := by_line.pop(sentence.line, None)) is not None:
            file = f"{FOLDER}/{Path(cure.variant).name}" if cure.variant else ""
            mended = replace(sentence, cure=cure.words, price=cure.price, variant=file)
            told.append(mended)
        else:
            told.append(sentence)
    return replace(verdict, sentences=tuple(told))


def _cure(search: RuleSearch, goal: Goal, variant: Path) -> Cure:
    """Return what a search found, in words; and write the variant file of a cure."""
    line, tried = goal.line, f"{search.tried} changes tried"
    who = search.cell.strategies()[0].title
    if "missed" not in search.base_words:
        few = f"No cure can be told: {search.games:,} games do not show by themselves"
        return Cure(line.id, f"{few} what is wrong (--cures N plays more).")
    best = (search.met or search.answers)[0]
    left = goal.excess(best.values) / max(goal.excess(search.base), 1e-9)
    if not search.met and left > _HALF:
        return Cure(line.id, f"No cure among {tried}, as {who} plays.")
    kind = "A cure" if search.met else "No cure, but nearest"
    step = best.step
    price = "; ".join(side_effects(search, best))
    words = (
        f"{kind} of {tried}: {step.sentence.rstrip('.')}: "
        f"{line.number} {numbers(line, search.base, best.values)}."
    )
    price = (
        f"{f'Also {price}. ' if price else ''}"
        f"In {search.games:,} games, {who} plays: "
        f"--set {' --set '.join(step.setting.split(' '))}"
    )
    game = sim.games.load(search.cell.game)
    if search.cell.rules != game.rules():  # a file would need the other changes, too
        return Cure(line.id, words, price)
    settings = [(key, as_change(value)) for key, value in step.changes.items()]
    name = f"cure of {line.id}"
    text = variant_text(game.id, name, settings_as_changes(settings))
    write_file(variant, text.encode())
    return Cure(line.id, words, price, str(variant))


def numbers(
    line: ScoreLine, before: Mapping[str, Any], after: Mapping[str, Any]
) -> str:
    """Return a line's number before and after a change."""
    ends = (line.scale * values[line.id].estimate for values in (before, after))
    one, other = (f"{end:.0f}" if abs(end) >= 1 else f"{end:.1f}" for end in ends)
    return f"{one} to {other} {line.measured}".strip()


def side_effects(search: RuleSearch, answer: CandidateChange) -> Iterator[str]:
    """Yield what else a change moves by more than a tolerance, in words."""
    targets = {goal.line.id for goal in search.goals}
    for row in answer.moved.iter_rows(named=True):
        line = search.scores.line(row["line"])
        if line.id not in targets:
            side = line.more if row["difference"] > 0 else line.less
            yield f"{side} ({line.number} {amount(row, line)})"

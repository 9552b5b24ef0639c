"""Cures for what page one says is wrong: rule changes that were tried, and a price.

For each broken or watched line of the scorecard that a rule change can be judged by
(``scorecard_effects.comparable_lines``), the fewest and smallest changes are looked for
that bring it within its tolerance (``rule_search``); what an experiment of the report
names as the cause (``Finding.why``) is changed first. What is proposed was played by
players who had lessons under the new rules, unless they are named or slow. The budget
is a number of games and of lessons, so the answer is the same on any machine.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import sim.games
from experiments.analysis import scorecard_effects
from experiments.analysis.comparison_arms import usual_games
from experiments.analysis.cure_words import (
    by_whom,
    numbers,
    side_effects,
    tried,
)
from experiments.analysis.line_values import LineValue
from experiments.analysis.rule_race import ROUNDS
from experiments.analysis.rule_search import (
    CandidateChange,
    NothingToTryError,
    RuleSearch,
    find,
)
from experiments.analysis.scorecard_goals import Goal
from experiments.core.cells import Cell
from experiments.execution.atomic_files import write_file
from experiments.studies.lineups import default_lineup
from experiments.variants.rule_steps import as_change
from experiments.variants.variant_files import variant_text
from experiments.variants.variants import settings_as_changes
from reports.formatting import join_words
from reports.report_document import Cause, PageOne, ReportDocument
from reports.scorecard.score_line import ScoreLine
from reports.scorecard.scored_line import PROBLEMS

GAMES = 64 * ROUNDS[0][0]
"""Fresh deals on which the last changes are tested, by default and at least."""
FOLDER = "cures"
"""The folder of a report with the variant files of cures, and what was tried."""
_ASKED = 2  # changes that players learn for a line, at most
_AT_ONCE = 2  # changes of single rules that are combined
_NO_CAUSES: Mapping[str, Cause] = {}
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


Adapt = Callable[..., RuleSearch]
"""Returns a search in which an answer has the numbers of players who learned it."""


@dataclass(frozen=True)
class CureRun:
    """How cures are looked for: by whom, where results are kept, and who adapts.

    ``cell``: the leading players; ``out``: the folder; ``adapt``: asks those who learn
    a change (None: nobody does).
    """

    cell: Cell
    out: Path
    jobs: int = 1
    adapt: Adapt | None = None


def cured(
    made: ReportDocument,
    lines: Sequence[ScoreLine],
    run: CureRun,
    played: int,
    games: int | None,
) -> ReportDocument:
    """Return a report whose page one tells the cures that were tried.

    games: fresh deals that test a change; None: ``GAMES``, or none if fewer were
    ``played`` of each lineup.
    """
    verdict = made.verdict
    if games is None:
        games = GAMES if played >= GAMES else 0
    if not games or verdict is None:
        return made
    causes = {found.why.line: found.why for found in made.findings if found.why}
    wanted = goals_of(verdict, lines, run.cell.game)
    found = [*cures(run, wanted, max(games, GAMES), causes)]
    return replace(made, verdict=with_cures(verdict, found))


def cures(
    run: CureRun,
    wanted: Sequence[Goal],
    games: int,
    causes: Mapping[str, Cause] = _NO_CAUSES,
) -> Iterator[Cure]:
    """Yield what was found for each target; a variant file of each cure is written.

    If the leading players are slow, the leading heuristic plays, nobody adapts, and the
    words say so. ``causes``: by line.
    """
    cell, who, adapt = run.cell, run.cell.lineup[0], run.adapt
    if not usual_games([cell], (1, 1, 0)) or cell.cost > 1:
        who, adapt = default_lineup(cell.game), None
    for goal in wanted:
        name = f"{goal.line.id}-{goal.line.scale * goal.bound:g}-{games}"
        cause = causes.get(goal.line.id, Cause(goal.line.id, ""))
        folder = run.out / (name + _mark(cause))
        try:
            search = find(
                cell.game,
                [str(goal)],
                strategy=who,
                first=cause.changes,
                at_once=_AT_ONCE,
                rules=cell.rules,
                players=cell.players,
                given=cell.given,
                games=games,
                seed=cell.seed,
                out=folder,
                jobs=run.jobs,
            )
        except NothingToTryError:
            text = "No cure can be told, as no other rule can be tried."
            yield Cure(goal.line.id, text)
            continue
        if set(search.base_words) != {"met"}:
            how = {"out": folder / "adapted", "jobs": run.jobs}
            yield _Asked(goal, cause, adapt, how).cure(search, run.out / f"{name}.toml")


def _mark(cause: Cause) -> str:
    """Return what tells searches apart that begin with different changes."""
    if not cause.changes:
        return ""
    return f"-{sha256(repr(cause.changes).encode()).hexdigest()[:8]}"


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


@dataclass(frozen=True)
class _Asked:
    """A target, its likely cause, and those who adapt, who play as ``how`` says."""

    goal: Goal
    cause: Cause
    adapt: Adapt | None
    how: Mapping[str, Any]

    def cure(self, search: RuleSearch, variant: Path) -> Cure:
        """Return what a search found, in words; and write the variant of a cure."""
        line = self.goal.line
        if "missed" not in search.base_words:
            few = (
                f"No cure was looked for, as in the {search.games:,} games that test "
                "changes the game is not surely beyond what is allowed"
            )
            return Cure(line.id, f"{few}: --cures {4 * search.games} plays more.")
        near, undone = None, []
        for answer in (search.met or search.answers)[:_ASKED]:
            if self._left(search, answer.values) <= _HALF:
                asked = self._adapted(search, answer)
                after = _numbers_of(asked)
                if search.met and not asked.refuted and self.goal.excess(after) <= 0:
                    return self._told(search, asked, variant, met=True)
                if self._left(search, after) > _HALF:
                    undone.append(answer.step.label)
                else:
                    near = near or asked
        if near is not None:
            return self._told(search, near, variant, met=False)
        text = f"No cure among {tried(search, f' {by_whom(search.cell)}')}"
        if undone:
            text += f"; players who adapt undo {join_words(undone)}"
        return Cure(line.id, f"{text}.")

    def _left(self, search: RuleSearch, values: Mapping[str, LineValue]) -> float:
        """Return what part of the excess a change leaves."""
        return self.goal.excess(values) / max(self.goal.excess(search.base), 1e-9)

    def _adapted(self, search: RuleSearch, answer: CandidateChange) -> CandidateChange:
        """Return an answer with the numbers of players who learned the change."""
        if self.adapt is None:
            return answer
        label = answer.step.label
        out = self.how["out"] / sha256(label.encode()).hexdigest()[:8]
        found = self.adapt(search, answer, **{**self.how, "out": out})
        return next(each for each in found.answers if each.step.label == label)

    def _told(
        self, search: RuleSearch, best: CandidateChange, variant: Path, *, met: bool
    ) -> Cure:
        """Return a change in words, with its price, and write its variant file."""
        line, step, cell = self.goal.line, best.step, search.cell
        keys = {frozenset(changes) for changes in self.cause.changes}
        cause = any(of <= step.changes.keys() for of in keys)
        kind = "A cure" if met else "No full cure; the nearest"
        acts = f"{' that' if met else ''} acts on the cause" if cause else ""
        does = numbers(line, cell, search.base[line.id], _numbers_of(best)[line.id])
        words = f"{kind}{acts} ({tried(search)}): {step.sentence.rstrip('.')}: {does}."
        also = "; ".join(side_effects(search, best))
        learned = "who learned it" if best.adapted else "who did not adapt to it"
        price = (
            f"{f'Also {also}. ' if also else ''}"
            f"Tried in {search.games:,} games {by_whom(cell)} {learned}: "
            f"--set {' --set '.join(step.setting.split(' '))}"
        )
        game = sim.games.load(cell.game)
        if cell.rules != game.rules():  # a file would need the other changes, too
            return Cure(line.id, words, price)
        settings = [(key, as_change(value)) for key, value in step.changes.items()]
        name = f"cure of {line.id}"
        text = variant_text(game.id, name, settings_as_changes(settings))
        write_file(variant, text.encode())
        return Cure(line.id, words, price, str(variant))


def _numbers_of(answer: CandidateChange) -> Mapping[str, LineValue]:
    """Return the numbers of a change: by those who learned it, if somebody did."""
    return answer.values if answer.adapted is None else answer.adapted.values

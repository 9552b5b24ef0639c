"""The explorer of a game: its pages, history, saved rules and commands."""

import gc
import shlex
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from experiments.analysis.trace import trace_games
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import report_of
from experiments.execution.failures import RunFailed
from experiments.execution.user_paths import short_path
from experiments.explore import saved_trials
from experiments.explore.controls import Controls, text_of
from experiments.explore.page_sessions import PageAnswer, PageQuestion, PageSession
from experiments.explore.page_state import MOST, WITHIN, PageState
from experiments.explore.page_workers import PageWorkers
from experiments.explore.scorecard_rows import difference_of
from experiments.studies.lineups import base_players, default_lineup
from experiments.variants import rule_diff
from experiments.variants.rule_steps import RuleStep
from experiments.variants.rules_by_players import expand_by_players
from experiments.variants.variant_files import Variant, variant_text
from experiments.variants.variants import (
    parse_setting,
    resolve_variant,
    settings_as_changes,
)
from reports.lever_figures import LINES_SHOWN
from reports.scorecard.lines import BY_ID
from sim.games import Game
from sim.parameters import RuleError, Rules, nearest, no_such, one_of
from strategies.registry import builtin

SEARCH = "search:samples=2"
"""The strategy of "strong play"."""
WATCHED = {"typical": "typical", "closest": "closest", "lopsided": "most lopsided"}
STATIC = Path(__file__).parent / "static"
_AMONG = 1_024  # games among which one worth watching is chosen
_TABS = 8  # pages at once; the least recently used one is dropped
_PAGES = Environment(loader=FileSystemLoader(STATIC), autoescape=True, trim_blocks=True)
_PAGES.globals |= {"most": MOST, "within": WITHIN, "watched": WATCHED}
Given = Mapping[str, Any]


@dataclass
class Explorer:
    """The explorer of a game: its base rules, pages and history.

    ``variant`` is the file of the base rules, if any; ``start`` the first state of a
    page; ``folder`` the place for results.
    """

    game: Game
    base: Rules
    variant: Variant | None
    start: PageState
    seed: int
    folder: Path
    workers: PageWorkers
    tried: dict[str, dict[str, Any]] = field(default_factory=dict)
    saved: dict[str, Path] = field(default_factory=dict)
    _new: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The history that is not on disk yet."""
    _tabs: OrderedDict[str, PageSession] = field(default_factory=OrderedDict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        """Make the controls; raises ``UsageError`` for a folder with other files."""
        saved_trials.check_folder(self.folder, self.game.id)
        self.controls = Controls(self.game, self.base)
        self.sections = report_of(self.game.id).sections

    @property
    def strategies(self) -> list[str]:
        """The strategies to choose from: the start's, the game's, and strong play."""
        usual = base_players(self.game.id)
        names = [*self.start.lineup, usual, *builtin(self.game.id), SEARCH]
        return list(dict.fromkeys(names))

    def ask(self, given: Given) -> dict[str, Any]:
        """Play the state of an address, with ``changes`` by the names of controls."""
        error, question = "", None
        state = PageState.of(given["address"], self.start)
        try:
            state = self.changed(state, given["changes"])
            question = self.question(state)
        except (RuleError, UsageError) as wrong:
            error = str(wrong)
        session = self.session(given["tab"])
        session.ask(question)
        html = _PAGES.get_template("board.html").render(
            explorer=self,
            state=state,
            error=error,
            live=self.live(question, session.answer) if question else "",
        )
        return {"address": state.to(), "html": html, **_latest(session)}

    def answer(self, given: Given) -> dict[str, Any]:
        """Return the answer so far, without HTML if the page has it already."""
        session = self.session(given["tab"])
        session.wait(given.get("news"))
        latest, question = _latest(session), session.question
        if question is None or latest["news"] == given.get("news"):
            return {"html": "", **latest}
        return {"html": self.live(question, session.answer), **latest}

    def leave(self, given: Given) -> dict[str, Any]:
        """Drop the question of a page that is closed."""
        self.session(given["tab"]).ask(None)
        return {}

    def watch(self, given: Given) -> dict[str, Any]:
        """Narrate a game under both rule sets, from where they differ."""
        question = self.question(PageState.of(given["address"], self.start))
        among = max(_AMONG // max(question.base.cost, 1) ** 4, 16)
        base, against = question.base, (*question.sides[1:], None)[0]
        tale = trace_games(
            base, range(1), kind=given["kind"], among=among, against=against
        )
        reason = tale.notable.reason if tale.notable else ""
        return {"text": "\n".join([reason, "", *map(str, tale.texts)])}

    def save(self, given: Given) -> dict[str, Any]:
        """Write the rules as a variant file into the folder for results."""
        question = self.question(PageState.of(given["address"], self.start))
        text = self.variant_text(question.state)
        with self._lock:
            if text not in self.saved:
                self.saved[text] = saved_trials.save_rules(
                    self.folder, self.game.id, text
                )
        return {"saved": str(short_path(self.saved[text]))}

    def close(self) -> None:
        """Drop all questions, end the processes, and save the history."""
        self.workers.close()
        for session in self._tabs.values():
            session.end()
        with self._lock:
            self._keep()
        gc.collect()  # releases the locks of the pool

    def session(self, tab: str) -> PageSession:
        """Return the session of a page."""
        with self._lock:
            session = self._tabs.pop(tab, None) or PageSession(self.workers, self.note)
            self._tabs[tab] = session
            while len(self._tabs) > _TABS or "" in list(self._tabs)[:-1]:
                self._tabs.popitem(last=False)[1].ask(None)  # the first one is ""
            return session

    def changed(self, state: PageState, changes: Mapping[str, str]) -> PageState:
        """Return a state with controls set; raises ``UsageError``."""
        try:
            if "bound" in changes:  # of the chosen line
                line = BY_ID[state.line]
                unit = "pp" if line.style != "number" or line.chance else ""
                goal = f"{line.id} {changes['side']} {changes['bound']}{unit}"
                return replace(state, goal=goal)
            if "row" in changes:  # it is added to a table
                place = f"{changes['table']}.{changes['row'].strip()}"
                new = self.controls.like(place, changes["like"])
                return replace(state, settings={**state.settings, **new}, goal="")
            for name, value in changes.items():
                state = state.changed(name, str(value))
        except (AttributeError, LookupError, ValueError) as error:
            raise UsageError(f"no such change: {error}") from None
        same, given = self.controls.same, state.settings.items()
        return replace(state, settings={k: v for k, v in given if not same(k, v)})

    def question(self, state: PageState) -> PageQuestion:
        """Return the question of a state; raises ``RuleError`` or ``UsageError``."""
        for name in state.lineup:
            if name not in self.strategies:
                near = nearest(name, self.strategies)
                raise UsageError(f"strategy: no strategy {name[:80]!r}{near}")
        if state.most not in MOST or state.within not in WITHIN:
            raise UsageError(f"games: {one_of(map(str, MOST))}.")
        known = [link.id for link in self.sections]
        if state.section not in ("", *known):
            raise UsageError(no_such("section", state.section[:80], known))
        rules = resolve_variant(self.game, self.variant, state.texts).rules
        table = state.players, state.lineup, True, self.seed
        cells = [Cell(self.game.id, each, *table) for each in (self.base, rules)]
        for cell in cells:
            cell.strategies()
        return PageQuestion(state, cells[0], rules)

    def live(self, question: PageQuestion, answer: PageAnswer) -> str:
        """Return the part of the page that changes as games come in, as HTML."""
        text = self.variant_text(question.state)
        return _PAGES.get_template("live.html").render(
            state=question.state,
            answer=answer,
            adaptable=question.adaptable,
            sentences=rule_diff.sentences(question.base.rules, question.rules),
            offers=list(_offers(question.state, answer)),
            variant=text,
            commands=self.commands(question, answer),
            saved=short_path(self.saved[text]) if text in self.saved else "",
            tried=list(self.tried.values())[::-1],
            pointed=BY_ID.get(question.state.line),
            sections=self.sections,
            section_games=question.section_games,
        )

    def variant_text(self, state: PageState) -> str:
        """Return the rules as the text of a variant file."""
        changes = settings_as_changes(
            expand_by_players(self.base, map(parse_setting, state.texts))
        )
        return variant_text(self.game.id, "tried", changes, self.variant)

    def commands(self, question: PageQuestion, answer: PageAnswer) -> list[str]:
        """Return commands that repeat what the page shows, with the saved file."""
        state, game, rules = question.state, self.game.id, []
        saved = self.saved.get(self.variant_text(state))
        file = str(short_path(saved or saved_trials.next_rules_file(self.folder)))
        changed = question.rules != self.base
        below = self.variant and str(self.variant.where)
        if used := file if changed else below:
            rules = ["--variant", used]
        table = ["--players", str(state.players), "--seed", str(self.seed)]
        seats = ["--lineup", ",".join(state.lineup)]
        panel = state.lineup == (default_lineup(game),)
        who = [*([] if panel else seats), *table]
        opened = ["--section", state.section] if state.section else []
        commands = [["report", game, *rules, *who, *opened]]
        if changed:
            count = ["-n", str(answer.games or state.most)]
            commands.append(["compare", below or game, file, *count, *seats, *table])
        if state.line:
            word, words = "only", ["levers", game, "--line", state.line]
            words += ["-n", str(question.lever_games)]
            if state.goal:
                word, words = "vary", ["find", state.goal, "--game", game]
            varied = [f"--{word}={key}" for key in question.only]
            lead = ["--strategy", state.lineup[0]]
            commands.append([*words, *varied, *lead, *rules, *table])
        return [shlex.join(["fairdeal", *command]) for command in commands]

    def note(self, question: PageQuestion, answer: PageAnswer) -> None:
        """Add a question with its scores to the history."""
        state, rules = question.alone.state, question.rules
        entry: dict[str, Any] = {
            "seed": self.seed,
            "base": str(self.variant.where) if self.variant else "",
            "address": state.to(most=MOST[1], within=0.0),
            "sentences": rule_diff.sentences(self.base, rules),
            "who": f"{state.players} {', '.join(state.lineup)}",
            "games": answer.games,
            "scores": {
                line["id"]: {name: of[name] for name in ("text", "interval", "verdict")}
                for line in answer.lines
                if (of := line["sides"][-1])
            },
        }
        with self._lock:
            self.tried[entry["address"]] = self._new[entry["address"]] = entry
            if answer.done:
                self._keep()

    def _keep(self) -> None:
        """Save new entries of the history."""
        if not self._new:
            return
        try:
            saved_trials.save_trials(self.folder, self.game.id, self._new.values())
            self._new.clear()
        except (RunFailed, UsageError) as error:  # the page goes on
            print(f"note: what was tried is not saved: {error}", file=sys.stderr)


def _latest(session: PageSession) -> dict[str, Any]:
    """Return the number of the latest answer, and whether more will follow."""
    more = session.question is not None and not session.answer.done
    return {"news": session.news, "again": more}


def _offers(state: PageState, answer: PageAnswer) -> Iterator[dict[str, str]]:
    """Yield changes that a click makes: rules that were found, or ranked levers."""
    search, levers = answer.found, answer.levers
    if search is not None:
        line = search.goals[0].line
        titles = {each.id: each.title for each in search.scores.lines}
        for proposal in search.answers:
            moved = [titles[id_] for id_ in proposal.moved["line"] if id_ != line.id]
            value = line.scale * proposal.values[line.id].estimate
            yield _set(proposal.step, state) | {
                "text": f"{value:.1f} {line.measured}",
                "word": proposal.words[0],
                "moved": ", ".join(moved),
            }
    elif levers is not None and not state.goal:
        line, steps = levers.line(state.line), {s.label: s for s in levers.steps}
        for row in levers.ranked(line.id).head(LINES_SHOWN).iter_rows(named=True):
            direction = line.direction(row["base"], row["value"])
            yield _set(steps[row["label"]], state) | {
                "text": difference_of(line, row),
                "word": direction if row["marked"] else "not sure",
            }


def _set(step: RuleStep, state: PageState) -> dict[str, str]:
    settings = {key: text_of(value) for key, value in step.changes.items()}
    return {"sentence": step.sentence, "address": state.adding(settings)}

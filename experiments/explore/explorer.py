"""A game that is explored: what is asked, what was tried, what is taken along."""

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

from experiments.analysis.told import told
from experiments.core.cells import Cell, UsageError
from experiments.execution.failures import RunFailed
from experiments.execution.paths import near
from experiments.explore import tried
from experiments.explore.controls import Controls, text_of
from experiments.explore.lines import difference_of
from experiments.explore.sessions import Answer, Question, Session
from experiments.explore.state import MOST, WITHIN, State
from experiments.explore.workers import Workers
from experiments.variants import rule_diff
from experiments.variants.by_players import written_out
from experiments.variants.steps import Step
from experiments.variants.variant_files import Variant, written
from experiments.variants.variants import parse, resolve_variant, together
from reports.lever_page import MOST as SHOWN
from reports.scorecard.lines import BY_ID
from sim.games import Game
from sim.parameters import RuleError, Rules, nearest, one_of
from strategies.registry import builtin

SEARCH = "search:samples=2"
"""What "strong play" is."""
WATCHED = {"typical": "typical", "closest": "closest", "lopsided": "most lopsided"}
STATIC = Path(__file__).parent / "static"
_AMONG = 1_024  # games in which one worth watching is looked for
_TABS = 8  # pages at once; the one that was quiet longest is dropped
_PAGES = Environment(loader=FileSystemLoader(STATIC), autoescape=True, trim_blocks=True)
_PAGES.globals |= {"most": MOST, "within": WITHIN, "watched": WATCHED}
Given = Mapping[str, Any]


@dataclass
class Explorer:
    """A game that is explored: its base rules, who can play, and what was tried.

    ``variant`` is the file that the base rests on, if any; ``start`` what a page begins
    with. ``folder`` is where results go.
    """

    game: Game
    base: Rules
    variant: Variant | None
    start: State
    seed: int
    folder: Path
    workers: Workers
    tried: dict[str, dict[str, Any]] = field(default_factory=dict)
    saved: dict[str, Path] = field(default_factory=dict)
    _new: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What was tried, and is not kept yet."""
    _tabs: OrderedDict[str, Session] = field(default_factory=OrderedDict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        """Make the controls once; raises ``UsageError`` for somebody's folder."""
        tried.check(self.folder, self.game.id)
        self.controls = Controls(self.game, self.base)

    @property
    def strategies(self) -> list[str]:
        """Who can play: those of the game, strong play, and who was brought along."""
        return list(dict.fromkeys([*self.start.lineup, *builtin(self.game.id), SEARCH]))

    def ask(self, given: Given) -> dict[str, Any]:
        """Play what an address says, with ``changes`` by the names of controls."""
        error, question = "", None
        state = State.of(given["address"], self.start)
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
        return {"address": state.to(), "html": html, **_again(session)}

    def answer(self, given: Given) -> dict[str, Any]:
        """What is known so far, once it is more than the page has."""
        session = self.session(given["tab"])
        session.wait(given.get("news"))
        again, question = _again(session), session.question
        html = self.live(question, session.answer) if question else ""
        return {"html": html, **again}

    def leave(self, given: Given) -> dict[str, Any]:
        """Drop what is played for a page that is closed."""
        self.session(given["tab"]).ask(None)
        return {}

    def watch(self, given: Given) -> dict[str, Any]:
        """Tell a game under both rule sets, from where they part."""
        question = self.question(State.of(given["address"], self.start))
        among = max(_AMONG // max(question.base.cost, 1) ** 4, 16)
        base, against = question.base, (*question.sides[1:], None)[0]
        tale = told(base, range(1), kind=given["kind"], among=among, against=against)
        reason = tale.found.reason if tale.found else ""
        return {"text": "\n".join([reason, "", *map(str, tale.texts)])}

    def save(self, given: Given) -> dict[str, Any]:
        """Write the rules as a variant file where results go."""
        question = self.question(State.of(given["address"], self.start))
        text = self.variant_text(question.state)
        with self._lock:
            if text not in self.saved:
                self.saved[text] = tried.save(self.folder, self.game.id, text)
        return {"saved": str(near(self.saved[text]))}

    def close(self) -> None:
        """Drop all that is played, end the processes, and keep what was tried."""
        self.workers.close()
        for one in self._tabs.values():
            one.end()
        with self._lock:
            self._keep()
        gc.collect()  # the pool gives back its locks

    def session(self, tab: str) -> Session:
        """The session of a page."""
        with self._lock:
            found = self._tabs.pop(tab, None) or Session(self.workers, self.note)
            self._tabs[tab] = found
            while len(self._tabs) > _TABS or "" in list(self._tabs)[:-1]:
                self._tabs.popitem(last=False)[1].ask(None)  # the first one is ""
            return found

    def changed(self, state: State, changes: Mapping[str, str]) -> State:
        """What controls make of a state; raises ``UsageError``."""
        try:
            if "bound" in changes:  # of the line that was pointed at
                line = BY_ID[state.line]
                unit = "pp" if line.style != "number" or line.chance else ""
                goal = f"{line.id} {changes['side']} {changes['bound']}{unit}"
                return replace(state, goal=goal)
            if "row" in changes:  # one that is added to a table
                place = f"{changes['table']}.{changes['row'].strip()}"
                new = self.controls.like(place, changes["like"])
                return replace(state, settings={**state.settings, **new}, goal="")
            for name, value in changes.items():
                state = state.changed(name, str(value))
        except (AttributeError, LookupError, ValueError) as error:
            raise UsageError(f"no such change: {error}") from None
        same, given = self.controls.same, state.settings.items()
        return replace(state, settings={k: v for k, v in given if not same(k, v)})

    def question(self, state: State) -> Question:
        """What is asked; raises ``RuleError`` or ``UsageError`` as commands do."""
        for name in state.lineup:
            if name not in self.strategies:
                near = nearest(name, self.strategies)
                raise UsageError(f"strategy: no strategy {name[:80]!r}{near}")
        if state.most not in MOST or state.within not in WITHIN:
            raise UsageError(f"games: {one_of(map(str, MOST))}.")
        rules = resolve_variant(self.game, self.variant, state.texts).rules
        table = state.players, state.lineup, True, self.seed
        cells = [Cell(self.game.id, one, *table) for one in (self.base, rules)]
        for cell in cells:
            cell.strategies()
        return Question(state, cells[0], rules)

    def live(self, question: Question, answer: Answer) -> str:
        """What changes while games come in, as HTML."""
        text = self.variant_text(question.state)
        return _PAGES.get_template("live.html").render(
            state=question.state,
            answer=answer,
            sentences=rule_diff.sentences(question.base.rules, question.rules),
            offers=list(_offers(question.state, answer)),
            variant=text,
            commands=self.commands(question, answer),
            saved=near(self.saved[text]) if text in self.saved else "",
            tried=list(self.tried.values())[::-1],
            pointed=BY_ID.get(question.state.line),
        )

    def variant_text(self, state: State) -> str:
        """The rules as a variant file."""
        changes = together(written_out(self.base, map(parse, state.texts)))
        return written(self.game.id, "tried", changes, self.variant)

    def commands(self, question: Question, answer: Answer) -> list[str]:
        """Commands that repeat what is seen, for the saved file."""
        state, game, rules = question.state, self.game.id, []
        saved = self.saved.get(self.variant_text(state))
        file = str(near(saved or tried.following(self.folder)))
        changed = question.rules != self.base
        below = self.variant and str(self.variant.where)
        if used := file if changed else below:
            rules = ["--variant", used]
        table = ["--players", str(state.players), "--seed", str(self.seed)]
        seats = ["--lineup", ",".join(state.lineup)]
        panel = len(state.lineup) == 1 and state.lineup[0] in builtin(game)
        made = [["report", game, *rules, *([] if panel else seats), *table]]
        if changed:
            many = ["-n", str(answer.games or state.most)]
            made.append(["compare", below or game, file, *many, *seats, *table])
        if state.line:
            word, what = "only", ["levers", game, "--line", state.line]
            what += ["-n", str(question.lever_games)]
            if state.goal:
                word, what = "vary", ["find", state.goal, "--game", game]
            some = [f"--{word}={key}" for key in question.only]
            lead = ["--strategy", state.lineup[0]]
            made.append([*what, *some, *lead, *rules, *table])
        return [shlex.join(["fairdeal", *one]) for one in made]

    def note(self, question: Question, answer: Answer) -> None:
        """Keep what was tried, with its scores."""
        state, rules = question.alone.state, question.rules
        entry: dict[str, Any] = {
            "seed": self.seed,
            "base": str(self.variant.where) if self.variant else "",
            "address": state.to(most=MOST[1], within=0.0),
            "sentences": rule_diff.sentences(self.base, rules),
            "who": f"{state.players} {', '.join(state.lineup)}",
            "games": answer.games,
            "scores": {
                one["id"]: {name: of[name] for name in ("text", "interval", "verdict")}
                for one in answer.lines
                if (of := one["sides"][-1])
            },
        }
        with self._lock:
            self.tried[entry["address"]] = self._new[entry["address"]] = entry
            if answer.done:
                self._keep()

    def _keep(self) -> None:
        """Keep what was tried since the last time."""
        if not self._new:
            return
        try:
            tried.keep(self.folder, self.game.id, self._new.values())
            self._new.clear()
        except (RunFailed, UsageError) as error:  # the page goes on
            print(f"note: what was tried is not kept: {error}", file=sys.stderr)


def _again(session: Session) -> dict[str, Any]:
    """Whether there will be more to tell than this news."""
    more = session.question is not None and not session.answer.done
    return {"news": session.news, "again": more}


def _offers(state: State, answer: Answer) -> Iterator[dict[str, str]]:
    """Changes that a click sets: what was found, or the levers as they are ranked."""
    found, levers = answer.found, answer.levers
    if found is not None:
        line = found.goals[0].line
        titles = {one.id: one.title for one in found.scores.lines}
        for one in found.answers:
            moved = [titles[name] for name in one.moved["line"] if name != line.id]
            value = line.about.scale * one.values[line.id].estimate
            yield _set(one.step, state) | {
                "text": f"{value:.1f} {line.about.measured}",
                "word": one.words[0],
                "moved": ", ".join(moved),
            }
    elif levers is not None and not state.goal:
        line, made = levers.line(state.line), {one.label: one for one in levers.steps}
        for row in levers.ranked(line.id).head(SHOWN).iter_rows(named=True):
            sure = line.direction(row["base"], row["value"])
            yield _set(made[row["label"]], state) | {
                "text": difference_of(line, row),
                "word": sure if row["marked"] else "not sure",
            }


def _set(step: Step, state: State) -> dict[str, str]:
    settings = {key: text_of(value) for key, value in step.changes.items()}
    return {"sentence": step.sentence, "address": state.adding(settings)}

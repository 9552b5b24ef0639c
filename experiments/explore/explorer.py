"""A game that is explored: what may be asked, what was tried, what is taken along."""

import shlex
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from experiments.analysis.told import told
from experiments.core.cells import Cell, UsageError
from experiments.execution import documents
from experiments.execution.disk import write_errors
from experiments.execution.failures import RunFailed
from experiments.explore import controls
from experiments.explore.sessions import MOST, Answer, Question, Session
from experiments.explore.workers import Workers
from experiments.variants import rule_diff, toml
from experiments.variants.by_players import written_out
from experiments.variants.variant_files import Variant
from experiments.variants.variants import parse, resolve_variant, together
from sim.games import Game
from sim.parameters import Rules, nearest, one_of
from strategies.registry import builtin
from strategies.specs import listed

SEARCH = "search:samples=2"
"""What "strong play" is."""
WATCHED = ("typical", "closest", "lopsided")
_AMONG = 1_024  # games in which one worth watching is looked for
_TABS = 8  # pages at once; the one that was quiet longest is dropped


@dataclass
class Explorer:
    """A game that is explored: its base rules, who can play, and what was tried.

    ``variant`` is the file that the base rests on, if any; ``start`` the settings and
    the strategy that a page begins with. ``folder`` is where results go.
    """

    game: Game
    base: Rules
    variant: Variant | None
    start: tuple[str, ...]
    strategy: str
    players: int
    seed: int
    folder: Path
    workers: Workers
    tried: list[dict[str, Any]] = field(default_factory=list)
    saved: dict[str, Path] = field(default_factory=dict)
    _tabs: OrderedDict[str, Session] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def strategies(self) -> list[str]:
        """Who can play: those of the game, strong play, and who was brought along."""
        return list(dict.fromkeys([self.strategy, *builtin(self.game.id), SEARCH]))

    def about(self) -> dict[str, Any]:
        """All that a page has to know before it asks."""
        return {
            "game": self.game.id,
            "title": self.game.title,
            "base": self.variant.name if self.variant else "base rules",
            "seed": self.seed,
            "players": list(self.game.players),
            "strategies": self.strategies,
            "most": MOST,
            "watched": WATCHED,
            "controls": controls.controls(self.game, self.base),
            "start": {
                "settings": [list(one) for one in controls.pairs(self.start)],
                "players": self.players,
                "strategy": self.strategy,
                "most": MOST[1],
            },
        }

    def question(self, given: Mapping[str, Any]) -> Question:
        """What a page asks; raises ``RuleError`` or ``UsageError`` as commands do."""
        texts = controls.settings(given.get("settings", []))
        players, strategy = given.get("players"), given.get("strategy")
        if players not in self.game.players:
            allowed = one_of(map(str, self.game.players))
            raise UsageError(f"players: {players!r} cannot play. Allowed: {allowed}.")
        if strategy not in self.strategies:
            near = nearest(str(strategy), self.strategies)
            raise UsageError(f"strategy: no strategy {str(strategy)[:80]!r}{near}")
        most = given.get("most")
        if most not in MOST:
            raise UsageError(f"games: {one_of(map(str, MOST))}.")
        rules = resolve_variant(self.game, self.variant, texts).rules
        seats = tuple(listed(str(strategy)))
        base = Cell(self.game.id, self.base, int(players), seats, True, self.seed)
        other = Cell(self.game.id, rules, int(players), seats, True, self.seed)
        for cell in (base, other):
            cell.strategies()
        return Question(base, rules, tuple(texts), int(most))

    def told(self, question: Question) -> dict[str, Any]:
        """The question in words, and how to ask it again."""
        return {
            "sentences": rule_diff.sentences(question.base.rules, question.rules),
            "variant": self.variant_text(question),
            "commands": self.commands(question),
            "saved": str(self.saved.get(self.variant_text(question), "")),
        }

    def variant_text(self, question: Question) -> str:
        """The rules as a variant file."""
        changes = together(written_out(self.base, map(parse, question.settings)))
        head = {"game": self.game.id, "name": "tried"}
        if self.variant is not None:
            head["base"] = str(Path(self.variant.where).resolve())
        lines = [f"{key} = {toml.value(text)}" for key, text in head.items()]
        rules = toml.tables({"rules": changes}) if changes else ["", "[rules]"]
        return "\n".join([*lines, *rules]) + "\n"

    def commands(self, question: Question) -> list[str]:
        """Commands that repeat what is seen, for the saved file."""
        file = self.saved.get(self.variant_text(question))
        file = file or self.folder / f"tried-{len(self.saved) + 1}.toml"
        base = self.variant.where if self.variant else self.game.id
        cell = question.base
        table = ["--players", str(cell.players), "--seed", str(cell.seed)]
        seats = str(cell.lineup[0])
        sides = [base, str(file)] if question.changed else []
        compared = ["compare", *sides, "-n", str(question.most), "--lineup", seats]
        levers = ["levers", self.game.id, "--strategy", seats]
        report = ["report", self.game.id]
        if question.changed:
            levers, report = (
                [*one, "--variant", str(file)] for one in (levers, report)
            )
        some = [compared, levers, report] if question.changed else [levers, report]
        return [shlex.join(["fairdeal", *one, *table]) for one in some]

    def save(self, question: Question) -> Path:
        """Write the rules as a variant file where results go."""
        text = self.variant_text(question)
        with self._lock:
            if text not in self.saved:
                name = f"tried-{len(self.saved) + 1}.toml"
                self.saved[text] = self._write(name, text)
            return self.saved[text]

    def session(self, tab: str) -> Session:
        """The session of a page."""
        with self._lock:
            found = self._tabs.pop(tab, None) or Session(self.workers, self.note)
            self._tabs[tab] = found
            while len(self._tabs) > _TABS:
                self._tabs.popitem(last=False)[1].close()
            return found

    def note(self, question: Question, answer: Answer) -> None:
        """Keep what was tried, with its scores."""
        if not answer.lines:
            return
        cell = question.base
        entry = {
            "settings": controls.pairs(question.settings),
            "sentences": rule_diff.sentences(cell.rules, question.rules),
            "players": cell.players,
            "strategy": str(cell.lineup[0]),
            "most": question.most,
            "games": answer.games,
            "scores": {
                row["id"]: row["here"] or row["base"] for row in answer.lines
            },
        }  # fmt: skip
        same = ("sentences", "players", "strategy")
        with self._lock:
            at = next(
                (
                    at
                    for at, one in enumerate(self.tried)
                    if all(one[key] == entry[key] for key in same)
                ),
                len(self.tried),
            )
            self.tried[at : at + 1] = [entry]
            if answer.done:
                self._keep()

    def _keep(self) -> None:
        """Write down what was tried; a page goes on where that fails."""
        text = documents.to_json({"game": self.game.id, "tried": self.tried})
        try:
            self._write("tried.json", text)
        except RunFailed as error:
            print(f"note: what was tried is not kept: {error}", file=sys.stderr)

    def _write(self, name: str, text: str) -> Path:
        """Write a file where results go; raises ``RunFailed``."""
        with write_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        documents.write(self.folder / name, text.removesuffix("\n"))
        return self.folder / name

    def close(self) -> None:
        """End what is played."""
        for session in self._tabs.values():
            session.close()
        self.workers.close()


def game_told(question: Question, kind: str) -> str:
    """A game of this kind, under both rule sets from where they part."""
    other = replace(question.base, rules=question.rules)
    against = other if question.changed else None
    among = min(_AMONG, _AMONG // max(one.cost for one in other.strategies()) ** 4)
    tale = told(
        question.base, range(1), kind=kind, among=max(among, 16), against=against
    )
    reason = tale.found.reason if tale.found else ""
    return "\n".join([reason, "", *map(str, tale.texts)])

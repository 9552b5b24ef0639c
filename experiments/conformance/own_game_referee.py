"""A referee for games in one file: plays them, and looks at the board at every stop.

What the engine derives cannot be wrong: views, copies, chance, results. What is left is
what an author writes, and each fault is named with the line that made it and with what
to write instead.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from experiments.conformance.author_lines import own_chance
from experiments.conformance.harness import Check, Setting
from experiments.conformance.outside_of_board import OutsideOfBoard
from experiments.conformance.refereed_game import Fault, Faults, RefereedGame
from sim.guard import Guard, OutOfTime
from sim.own_game.author_errors import author_error, author_files
from sim.own_game.declarations import CardGame, Event, members
from sim.own_game.state import OwnState

ABOUT = {
    "plays": "games are played to the end, and every question can be answered",
    "cards": "every card of the box lies in one pile whenever somebody is asked",
    "board": "nothing of a game is kept outside of its board",
    "hidden": "nothing shows a seat a card that it does not see",
    "chance": "all chance is the game's own",
    "score": "every seat has a number as its score",
}
"""The checks, and what is so where they find nothing."""
_SECONDS = 20.0  # for the games of one number of players


class Referee:
    """Plays the games of a setting at random, and collects ``faults``.

    Each kind of fault is named once.
    """

    def __init__(self, setting: Setting) -> None:
        start: Any = setting.game.start
        self.game: CardGame = start.game
        self.files = author_files(type(self.game))
        self.faults = Faults()
        self._setting = setting
        self._told: set[str] = set()
        self._asked: set[str] = set()
        self._passed: set[str] = set()
        self._differ = False

    def play(self, games: int) -> None:
        """Play games until one cannot be played on."""
        try:
            state: OwnState = self._setting.start(np.zeros(1, dtype=np.uint64))
        except Exception as error:
            self.faults.add("plays", "start", str(author_error(self.game, error)))
            return
        layout = state.layout
        outside = OutsideOfBoard(self.game, layout.box, self.files)
        try:
            with Guard(_SECONDS):
                for number in range(games):
                    one = RefereedGame(self.game, self.faults, layout, outside, number)
                    if not one.play():
                        break
                    self._told |= one.told
                    self._asked |= one.asked
                    self._passed |= one.passed
                    self._differ |= one.differ
        except OutOfTime as late:
            self._late(late)
        finally:
            outside.restore()

    def notes(self) -> Iterator[str]:
        """Yield what is declared and never happened."""
        for name in {*self.game.decisions} - self._asked:
            yield f"decision {name!r} is declared, and was never asked"
        for name in {*members(type(self.game), Event)} - self._told:
            yield f"event {name!r} is declared, and was never told"
        for name in self._passed:
            yield (
                f"cards of {name!r} go on to another player: who searches forgets that "
                "it has seen them, and guesses them anew, unless they go by g.pass_to"
            )
        if not self._differ:
            name = self.game.score if isinstance(self.game.score, str) else "score"
            yield f"no score ever differs: where is {name!r} counted?"

    def _late(self, late: OutOfTime) -> None:
        error = RuntimeError("a turn does not end").with_traceback(late.__traceback__)
        place, _, _ = str(author_error(self.game, error)).rpartition(": RuntimeError")
        self.faults.add(
            "plays",
            "late",
            f"a game is not over after {_SECONDS} s: does a loop in turn(g) end, and "
            "does it set g.over = True?",
            place,
        )


def refereed(settings: Sequence[Setting], games: int) -> list[Check]:
    """Check a game in one file with these numbers of players.

    Each check names all faults that were found, with their lines.
    """
    faults: dict[str, Fault] = {}
    notes: set[str] | None = None
    for setting in settings:
        referee = Referee(setting)
        referee.play(games)
        stuck = "plays late" in referee.faults.by_kind
        faults = {**referee.faults.by_kind, **faults}
        never = {*referee.notes()}
        notes = never if notes is None else notes & never
        if stuck:
            break
    for file in referee.files:
        for place in own_chance(file):
            faults[f"chance {place}"] = Fault(
                "chance",
                "this draws from a chance of its own, so a game cannot be repeated or "
                "searched. In a game write g.shuffled(cards) or g.die(6); in a "
                "strategy view.random().",
                place,
            )
    checks = []
    for name, about in ABOUT.items():
        found = [str(fault) for fault in faults.values() if fault.check == name]
        detail = "\n".join(found) or about
        if name == "plays" and not faults and notes:
            detail = "; ".join([about, *sorted(notes)])
        checks.append(Check(name, not found, detail))
    return checks

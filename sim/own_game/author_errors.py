"""Errors of an author's code: they name the file, the line, and what to write."""

import traceback
from typing import Any

from sim.errors import error_text
from sim.own_game.declarations import CardGame
from sim.parameters import nearest
from sim.scores import GameError


def author_error(game: CardGame, error: Exception) -> GameError:
    """What an author's code raised, with the last place in the author's own files."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_ours(frame.filename)]
    if not own:
        return GameError(f"{game.title}: {error_text(error)}.")
    last = own[-1]
    return GameError(
        f"{last.filename}, line {last.lineno}, in {last.name}: {error_text(error)}: "
        f"{last.line}"
    )


def _is_ours(file: str) -> bool:
    return file.startswith(_HERE)


_HERE = __file__.rpartition("author_errors")[0]


def refuse_names(board: Any) -> None:
    """Refuse what was set on a board and is not declared; raises ``GameError``."""
    plan = board._plan
    for name in vars(board):
        if name not in plan.names:
            raise GameError(
                f"{type(plan.game).__name__}: g.{name} is set and not declared"
                f"{nearest(name, plan.names)} Write, for example, "
                f"{name} = Number() or {name} = Fact()."
            )

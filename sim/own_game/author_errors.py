"""Errors of an author's code: they name the file, the line, and what to write."""

import ast
import inspect
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

from sim.errors import error_text, place_text
from sim.own_game.declarations import CardGame
from sim.parameters import RuleError, nearest
from sim.scores import GameError


def author_files(game: type[CardGame]) -> list[str]:
    """The files in which a game is written: its class, and those it is derived from."""
    classes = [cls for cls in game.__mro__ if cls.__module__ != CardGame.__module__]
    files = (inspect.getsourcefile(cls) for cls in classes if cls is not object)
    return [*dict.fromkeys(file for file in files if file)]


def author_error(game: CardGame, error: Exception) -> GameError:
    """What an author's code raised, with the last place in the author's own files."""
    frames = traceback.extract_tb(error.__traceback__)
    files = author_files(type(game))
    last = next((one for one in reversed(frames) if one.filename in files), None)
    known = isinstance(error, GameError | RuleError)
    said = str(error) if known else f"{error_text(error)}."
    if last is None:
        return GameError(said if known else f"{game.title}: {said}")
    return GameError(f"{place_text(last.filename, last.lineno or 0)}: {said}")


def load_error(file: Path, error: BaseException) -> str:
    """Why a file does not load, with its line that does it, if that is known."""
    known = isinstance(error, GameError | RuleError)
    said = str(error) if known else f"{error_text(error)}."
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == str(file)]
    place = f"{place_text(str(file), own[-1].lineno or 0)}: " if own else ""
    return f"{file} does not load: {place}{said}"


def refuse_twice(file: Path, game: type[CardGame]) -> None:
    """Refuse a name that a class declares twice; raises ``GameError``."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if not isinstance(node, ast.ClassDef) or node.name != game.__name__:
            continue
        known: dict[str, int] = {}
        for one in node.body:
            if not isinstance(one, ast.Assign) or not isinstance(one.value, ast.Call):
                continue
            for target in one.targets:
                name = target.id if isinstance(target, ast.Name) else ""
                if name and name in known:
                    raise GameError(
                        f"{place_text(str(file), one.lineno)}: {name!r} is declared in "
                        f"line {known[name]} already. Choose another name."
                    )
                known[name] = one.lineno


def place_of_frame(game: type[CardGame], frame: FrameType | None) -> str:
    """The innermost line of the author's that a frame was reached from; or ""."""
    files = author_files(game)
    while frame is not None and frame.f_code.co_filename not in files:
        frame = frame.f_back
    return "" if frame is None else place_text(frame.f_code.co_filename, frame.f_lineno)


def refuse_names(board: Any) -> None:
    """Refuse what was set on a board and is not declared; raises ``GameError``."""
    for name in undeclared(board):
        plan = board._plan
        raise GameError(
            f"{type(plan.game).__name__}: g.{name} is set and not declared"
            f"{nearest(name, plan.names)} Write, for example, "
            f"{name} = Number() or {name} = Fact()."
        )


def undeclared(board: Any) -> Iterable[str]:
    """The names that were set on a board and that its game does not declare."""
    return [name for name in vars(board) if name not in board._plan.names]

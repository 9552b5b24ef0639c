"""A game in one file as the declaration that all games have."""

import inspect
from pathlib import Path
from typing import Any

from sim.events import SEATS, Decision, EventType, Field, kinds, outcome, result
from sim.games import Game
from sim.guard import OutOfTime
from sim.own_files import LOADING, check_may_load, files_of, load_module
from sim.own_game.author_errors import load_error, refuse_twice
from sim.own_game.board import ENOUGH, TURN, Board
from sim.own_game.declarations import (
    CardGame,
    ChoiceOf,
    Event,
    check_declarations,
    members,
    sides,
)
from sim.own_game.play import play
from sim.own_game.rules import rules_model
from sim.own_game.seat_view import SeatView
from sim.own_game.state import OwnState, score_name, told_words
from sim.own_game.view import own_view
from sim.scores import GameError, Score

BLOCK = 4_096
"""Games of a block: their boards are in memory together."""
_FLOOR = (1.0, 0.5)


def game_of_file(file: Path) -> Game:
    """The game in a file; raises ``GameError``."""
    if not file.is_file():
        raise GameError(f"there is no file {file}.")
    check_may_load(file)
    try:
        module = load_module(file)
    except KeyboardInterrupt:
        raise
    except OutOfTime:
        raise GameError(
            f"{file} does not load: it takes more than {LOADING} s."
        ) from None
    except BaseException as error:
        raise GameError(load_error(file, error)) from error
    own = [
        one
        for one in vars(module).values()
        if isinstance(one, type)
        and issubclass(one, CardGame)
        and one.__module__ == module.__name__
    ]
    last = [one for one in own if not any(one in other.__mro__[1:] for other in own)]
    if len(last) != 1:
        names = ", ".join(one.__name__ for one in last) or "none"
        raise GameError(
            f"{file}: one game a file, a class with CardGame as its base; there: "
            f"{names}."
        )
    refuse_twice(file, last[0])
    return declare(last[0], str(file))


def declare(cls: type[CardGame], game_id: str) -> Game:
    """The declaration of a game; raises ``GameError`` where it declares nonsense."""
    try:
        check_declarations(cls, _RESERVED)
        game = cls()
        name = score_name(game)
        wins: Any = "fewest" if cls.fewest else "most"
        unit = cls.unit or name
        state = type("OwnState", (OwnState,), {"game": game, "game_id": game_id})
        return Game(
            id=game_id,
            title=cls.title,
            players=sides(cls),
            rules=rules_model(game, game_id),
            start=state,
            play=play,
            view=own_view(cls),
            kinds=kinds(*(_decision(key, one) for key, one in cls.decisions.items())),
            events=_events(game, name),
            redeal=OwnState.redeal,
            first=OwnState.first,
            first_position="first to play" if cls.starts else "",
            floor=_FLOOR,
            rewind_simultaneous=OwnState.rewind_simultaneous,
            score=Score(name, wins=wins, unit=unit),
            standing=Score(name, wins=wins, note=TURN, unit=unit),
            match=Score(name, wins=wins, unit=unit) if cls.match > 1 else None,
            most_games=BLOCK,
            scalar=True,
            team=cls.team,
            files=files_of(cls.__module__),
            summary=(inspect.getdoc(cls) or "").partition("\n\n")[0],
        )
    except GameError as error:
        raise GameError(f"{game_id}: {error}") from error.__cause__


_RESERVED = frozenset(
    {
        *(name for name in dir(Board) if name[0] != "_"),
        *(name for name in dir(SeatView) if name[0] != "_"),
        *("rules", "players", "seats", "turn", "over", "game"),
        *("result", "winner", "winners", "by", "turns", "seat"),
    }
) | {name for name in dir(CardGame) if name[0] != "_"}


def _decision(name: str, kind: str | ChoiceOf) -> Decision:
    choice = ChoiceOf(kind) if isinstance(kind, str) else kind
    stop = ENOUGH if choice.several else ""
    return Decision(name, choice.doc, name, clock=("turn",), stop=stop)


def _told(event: str, key: str, meaning: str | ChoiceOf) -> Field:
    if isinstance(meaning, ChoiceOf):
        return Field(meaning.doc, "code", told_words(event, key))
    return Field(meaning)


def _events(game: CardGame, score: str) -> dict[str, EventType]:
    """What a game tells: its own events, the score after each turn, and who won."""
    when = Field("turn, from 1")
    told = {
        name: outcome(
            event.doc,
            turn=when,
            seat=Field("whose it is", "seat"),
            **{key: _told(name, key, one) for key, one in event.numbers.items()},
        )
        for name, event in members(type(game), Event).items()
    }
    return told | {
        TURN: outcome(
            "the end of a turn",
            turn=when,
            **{score: Field(f"{score.replace('_', ' ')}, by seat")},
        ),
        "result": result(
            "who won",
            winner=Field("the winner, or nobody alone", "seat"),
            by=Field("how it was decided", "code", "by"),
            winners=Field("who won, alone or with others", "set", SEATS),
            **{score: Field(f"{score.replace('_', ' ')}, by seat")},
            turns=Field("turns played", shown=False, once=True),
        ),
    }

"""The registry of games: one line each, loaded on demand; and games from outside."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import places
from sim.events import Decision, EventType
from sim.masks import Counts, Flags
from sim.narration import Narrator
from sim.parameters import Rules, no_such, one_of
from sim.scores import RESULT, GameError, Score
from sim.view import Rows, View

REGISTRY = {
    "article_ii": "cards of praise and blame in two elections, Primary and General",
    "devil": "shedding cards by ones digits, in rounds to a total that ends the game",
    "drake": "a Dragon's Virtues fill their piles from decks that all share",
    "evilpact": "grimoires of five elements, spells, and a contract with a demon",
    "kbernestich": "trump, bids and cubes plotted on a sheet, over four rounds",
    "kunitame": "contracts with a devil, pledges and tricks, over four weeks",
    "socialism": "Users on a board without bounds, invited to rival networks",
}


class UnknownGame(ValueError):
    """There is no game of this id."""


@dataclass(frozen=True)
class Stage:
    """A part of a game (a week, a round) at whose end positions can be valued.

    ``name`` is what a stage is called. ``number(state)`` is the one being played, from
    0: one for all games, or (games,); None for the last, which ends with the game.
    Games whose ``state.stops`` is that number stop at its end. Then ``features(state)``
    (features, seats, games) describe how the seats stand, from which the chance to win
    is estimated, and ``over(state)`` (games,) flags games that have really ended; if it
    is None, none have. Stages with the same ``part(state)`` share one estimator; by
    default each stage has its own, or, with ``over``, all share one.
    """

    name: str
    number: Callable[[Any], Any]
    features: Callable[[Any], NDArray[np.float64]]
    over: Callable[[Any], Flags] | None = None
    part: Callable[[Any], int] | None = None

    def part_of(self, state: Any) -> int:
        """The part of the game, and so the estimator, at which these games stopped."""
        if self.part is not None:
            return self.part(state)
        return state.stops if self.over is None else 0


@dataclass(frozen=True)
class Alignment:
    """How games that stand at different moments are aligned, to be played on together.

    For games whose rows are in step. With ``state.stops`` set to ``stop_at(state)``
    games stop where they can be joined. ``join(states)`` returns those that are not
    over, as games of one moment, with their starting rows, counted through all states.
    """

    stop_at: Callable[[Any], int]
    join: Callable[[Sequence[Any]], tuple[Any, Rows]]


@dataclass(frozen=True)
class Grant:
    """One more of a thing for one seat, as an experiment on what it is worth.

    ``give(state, seat)`` gives it in place, to the seat (games,) of each row, and flags
    the rows in which it did. It is given when a ``unit`` of the clock begins (a round),
    or one in ``every`` of them, the first being number ``first``. ``scored``: what it
    does to the game's ``score`` is told beside what it does to winning.
    """

    unit: str
    give: Callable[[Any, Counts], Flags]
    every: int = 1
    scored: bool = False
    first: int = 1


@dataclass(frozen=True)
class Game:
    """The declaration of a game: all that the rest of fairdeal needs to know.

    ``start(rules, players, seed, games)`` makes the state of the games with these
    indices; in place of the seed their random numbers may be given
    (``sim.chance.Seed``). ``play(state, table)`` plays them to the end from where they
    stand; ``redeal(state, seat)`` is a copy in which everything that the seat cannot
    know is dealt anew. ``floor`` are the decisions per second to reach, as multiples of
    the peer in ``fairdeal bench``: with ``random``, and with the strongest strategy, on
    machines where a numpy pass is quick (less elsewhere: ``benchmark.machine``).
    ``peer`` is the nearest game of OpenSpiel, for four players. ``blocks`` times as
    many games as usual are played together in a long run: where games differ in length
    the last ones play alone, which costs the less the more games there are.
    ``match`` is the number of the result that is added up over the games of a match,
    where there are rules under which several games make one (``BatchState.match``).

    ``score`` is the number of the result by which seats are ranked, ``standing`` the
    one that tells on the way how they stand; each says whether most or fewest of it is
    ahead. All that is told of leads, comebacks and margins goes by them, and nothing is
    told where the game has none. Raises ``GameError`` where no note tells them.

    ``first(state)`` is (games,) the seat with the first position, read off a state at
    its start, and ``first_position`` what the rulebook calls it ("first dealer"): where
    that seat is drawn, seats are equal by construction and positions are not.
    In a game without positions, in which nobody begins, ``first_position`` is "", and
    ``first`` says seat 0.
    ``later_first(state)`` is who begins a later phase, where that is drawn anew.
    ``role(state)`` is (seats, games) the role that each seat is dealt, read off a state
    at its start, in games that deal roles.

    ``stage`` is where rollouts of search may stop. Where players decide simultaneously,
    which is asked one seat after another, ``rewind_simultaneous(state)`` goes back, in
    place, to before the first of these decisions, so that the others are asked anew.
    ``align`` is how games at several moments are played on together, if they can be.

    ``narrator`` tells a game to people.

    ``grants`` are the things of which one more may be given, by name.

    ``card_options`` says by which options of decisions the rows of a table of rules are
    used, where that is not the option of the row's id: patterns of ids with the fields
    of the row, such as ``bust-{bust_value}``, by table or, as table.id, by row.
    ``{place}`` is the row's place in a list; several are joined by ``|``.

    ``most_games`` are played together at most, where each takes memory of its own.
    ``players`` are numbers of teams where a ``team`` of several plays together.
    ``scalar``: games are played one by one, in plain Python, so all takes far longer.
    ``files`` are those of a game that is not built in, by path, with the hash of
    each, and ``summary`` is a line about it.

    ``trial`` makes an experiment on deals, which the state carries out (see
    ``BatchState.trial``); with ``turned`` it is that of the second game of a pair.
    """

    id: str
    title: str
    players: tuple[int, ...]
    rules: type[Rules]
    start: Callable[..., Any]
    play: Callable[..., None]
    view: type[View]
    kinds: Mapping[str, Decision]
    events: Mapping[str, EventType]
    redeal: Callable[..., Any]
    first: Callable[[Any], Counts]
    first_position: str
    floor: tuple[float, float]
    tables_only: frozenset[str] = field(default_factory=frozenset)
    stage: Stage | None = None
    rewind_simultaneous: Callable[[Any], None] | None = None
    trial: Callable[..., Any] | None = None
    grants: Mapping[str, Grant] = field(default_factory=dict)
    card_options: Mapping[str, str] = field(default_factory=dict)
    peer: str = "oh_hell(players=4,num_tricks_fixed=7)"
    blocks: int = 1
    score: Score | None = None
    standing: Score | None = None
    match: Score | None = None
    later_first: Callable[[Any], Counts] | None = None
    role: Callable[[Any], Counts] | None = None
    narrator: type[Narrator] = Narrator
    align: Alignment | None = None
    most_games: int = 1 << 40
    scalar: bool = False
    files: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""
    team: int = 1

    def __post_init__(self) -> None:
        """Refuse a number that no note tells."""
        for name, at_end in (("score", True), ("standing", False), ("match", True)):
            number: Score | None = getattr(self, name)
            if number is None:
                continue
            problem = number.problem(self.events)
            if (number.note == RESULT) is not at_end:
                end, way = f"the note {RESULT!r} tells it", "a note on the way tells it"
                problem = f"{end if at_end else way}, not {number.note!r}."
            if problem:
                raise GameError(f"{self.id}: {name}: {problem}")

    def refuses(self, count: Any) -> str:
        """Why so many players cannot play; empty if they can.

        >>> load("evilpact").refuses(3)
        'players: 3 cannot play evilpact. Allowed: 2.'
        """
        whole = isinstance(count, int) and not isinstance(count, bool)
        if whole and count in self.players:
            return ""
        teams = f" (teams of {self.team})" if self.team > 1 else ""
        allowed = one_of(map(str, self.players))
        return f"players: {count!r} cannot play {self.id}. Allowed: {allowed}{teams}."

    @property
    def source(self) -> str:
        """A hash of the files of a game that is not built in; "" for others."""
        text = repr(sorted(self.files.values()))
        return hashlib.sha256(text.encode()).hexdigest()[:16] if self.files else ""

    @property
    def about(self) -> str:
        """What the game is about, in a line."""
        return REGISTRY.get(self.id, self.summary)

    def options(self, kind: Decision) -> list[str]:
        """The ids of all options of a kind of decision, by the base rules."""
        players = 4 if 4 in self.players else self.players[0]
        state = self.start(self.rules(), players, 0, np.zeros(1, dtype=np.uint64))
        ids = dict.fromkeys(state.vocabularies[kind.vocabulary])
        return [one for one in ids if one != "?"]


def positions(game: Game, players: int) -> tuple[str, ...]:
    """The names of the positions at a table, in playing order; else those of seats.

    >>> positions(load("kunitame"), 4)
    ('first dealer', 'second', 'third', 'last')
    """
    if not game.first_position:
        return tuple(f"seat {seat + 1}" for seat in range(players))
    later = _LATER[: players - 2] if players > 1 else ()
    return (game.first_position, *later, "last")[:players]


_LATER = ("second", "third", "fourth", "fifth", "sixth", "seventh")


GROUP = "fairdeal.games"
"""The entry points by which packages bring games: a name, and a ``CardGame`` class."""
_FILE = ".py"


def is_game(word: str) -> bool:
    """Whether a word names a game: an id, a package's game, or the file of one."""
    return word in REGISTRY or word.endswith(_FILE) or word in _entries()


def load(game: str) -> Game:
    """The game of this id, or in this file; raises ``UnknownGame`` or ``GameError``."""
    if game in REGISTRY:
        loaded: Game = import_module(f"sim.{game}.game").GAME
        return loaded
    if game.endswith(_FILE):
        path = Path(game)
        return _of_file(path if path.is_absolute() else places.named(path).resolve())
    if game in _entries():
        return _of_entry(game)
    own = " Or name the file of your own game, as in my_game.py."
    raise UnknownGame(no_such("game", game, known(), "Games") + own)


def known() -> list[str]:
    """The ids of all games that are built in or that installed packages bring."""
    return [*REGISTRY, *_entries()]


def games_named(words: Iterable[str]) -> list[str]:
    """The words that name games."""
    return [word for word in words if is_game(word)]


@cache
def _entries() -> Mapping[str, EntryPoint]:
    """Games that installed packages bring, by name."""
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    return {name: entry for name, entry in found.items() if name not in REGISTRY}


@cache
def _of_file(file: Path) -> Game:
    game: Game = _own_game().game_of_file(file)
    return game


@cache
def _of_entry(name: str) -> Game:
    try:
        brought = _entries()[name].load()
    except Exception as error:
        raise GameError(
            f"game {name!r}: its package does not load: {type(error).__name__}: {error}"
        ) from error
    own = isinstance(brought, Game)
    game: Game = brought if own else _own_game().declare(brought, name)
    return game


def _own_game() -> Any:
    """What makes a game of an author's class; it needs this module."""
    return import_module("sim.own_game.game")

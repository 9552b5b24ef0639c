"""The games there are: one line each, loaded when asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from sim.events import Kind, Note
from sim.knobs import Rules, nearest, one_of
from sim.view import View

REGISTRY = {
    "article_ii": "cards of praise and blame in two elections, Primary and General",
    "devil": "shedding cards by ones digits, in rounds to a total that ends the game",
    "kbernestich": "trump, bids and cubes plotted on a sheet, over four rounds",
    "kunitame": "contracts with a devil, pledges and tricks, over four weeks",
}


class UnknownGame(ValueError):
    """There is no game of this id."""


@dataclass(frozen=True)
class Game:
    """A game as the rest of fairdeal knows it.

    ``start(rules, players, seed, games)`` makes the state of the games with these
    indices; ``play(state, table)`` plays them to the end from where they stand;
    ``redeal(state, seat)`` is a copy in which all that the seat cannot know is
    dealt anew. ``floor`` are the decisions a second to reach, as multiples of
    the peer in ``bench``: with ``random``, with the strongest strategy. ``peer`` is
    the game of OpenSpiel that comes nearest, for four players. ``blocks`` times as many
    games as usual are played together in a long run: where games differ in length the
    last ones play alone, which costs the less the more games there are.

    ``trial`` makes an experiment on deals, which the state carries out (see
    ``Seats.trial``); its second game of a pair is made with ``turned``.
    """

    id: str
    title: str
    players: tuple[int, ...]
    rules: type[Rules]
    start: Callable[..., Any]
    play: Callable[..., None]
    view: type[View]
    kinds: Mapping[str, Kind]
    notes: Mapping[str, Note]
    redeal: Callable[..., Any]
    floor: tuple[float, float]
    tables_only: frozenset[str] = field(default_factory=frozenset)
    trial: Callable[..., Any] | None = None
    peer: str = "oh_hell(players=4,num_tricks_fixed=7)"
    blocks: int = 1


def load(game: str) -> Game:
    """The game of this id; raises ``UnknownGame``."""
    if game not in REGISTRY:
        raise UnknownGame(
            f"no game {game!r}{nearest(game, REGISTRY)} Games: {one_of(REGISTRY)}."
        )
    loaded: Game = import_module(f"sim.{game}.game").GAME
    return loaded

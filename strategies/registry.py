"""The registry of strategies: built in, from an entry point, or from a file.

The spec of a strategy is ``name``, ``name:field=value:field=value``, or
``path/to/file.py:Class``, also with fields; or the file of a learned policy
(``strategies.policy_store``); or it is composed of others, see ``strategies.specs``.
Strategies for all games, and those composed of others, register themselves
(``strategies.__init__`` loads them); those of a game are the classes in its folder.
"""

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, TypeVar

from numpy.typing import NDArray

from sim.games import REGISTRY, load
from sim.own_files import OWN
from sim.parameters import nearest, one_of
from strategies import policy_store, specs
from strategies.base import Strategy, parameters, ranges
from strategies.files import UnknownStrategy, from_file, load_strategies
from strategies.hand_readings import HAND_READINGS
from strategies.random import Random
from strategies.validation import check, check_apart

FORMER_NAMES = {"balanced": "allround"}
"""What strategies were called that have another name now."""
__all__ = ["UnknownStrategy", "about", "builtin", "make", "seat_specs", "title"]

GROUP = "fairdeal.strategies"
Make = Callable[[str], Strategy]
"""Makes the strategies that another one is composed of, by their specs."""
_S = TypeVar("_S", bound=type[Strategy])


class Composer(Protocol):
    """A strategy composed of others, written ``name(ARGUMENTS)`` as ``usage`` shows."""

    usage: str

    def of(self, game: str, arguments: Sequence[str], make: Make) -> Strategy:
        """The strategy of these arguments; raises ``ValueError``."""


_GENERIC: dict[str, type[Strategy]] = {}  # for all games, by name
_COMPOSERS: dict[str, Composer] = {}  # by name
_OF_POLICIES: dict[str, type[Strategy]] = {}  # by what the names of files end in


def register(cls: _S) -> _S:
    """Make a strategy known to all games, by its name: a decorator."""
    _GENERIC[vars(cls)["name"]] = cls
    return cls


def register_policy(suffix: str) -> Callable[[_S], _S]:
    """Make a strategy the one that plays the policies of files: a decorator."""

    def registered(cls: _S) -> _S:
        _OF_POLICIES[suffix] = cls
        return cls

    return registered


def register_composer(name: str, composer: Composer) -> None:
    """Make a strategy that is composed of others known, as ``name(ARGUMENTS)``."""
    _COMPOSERS[name] = composer


def builtin(game: str, *, every: bool = False) -> dict[str, type[Strategy]]:
    """The built-in strategies of a game by name, ``random`` first.

    Those that reports include (``Strategy.in_panel``), or ``every`` one.
    """
    known = _builtin(game)
    return {name: cls for name, cls in known.items() if every or cls.in_panel}


@cache
def _builtin(game: str) -> Mapping[str, type[Strategy]]:
    """All strategies in the folder of a game, which is loaded by this, by name."""
    if game in REGISTRY:
        package = importlib.import_module(f"strategies.{game}")
        names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
        modules = [
            importlib.import_module(f"{package.__name__}.{name}") for name in names
        ]
    else:
        modules = [_own_module(game)]
    by_name: dict[str, type[Strategy]] = {"random": Random}
    for module in modules:
        for item in vars(module).values():
            if _is_strategy(item) and item.__module__ == module.__name__:
                check(game, item)
                by_name[item.name] = item
    return by_name


def _own_module(game: str) -> ModuleType:
    """The module with a game that is not built in, which has its strategies, too."""
    author: Any = load(game).start
    module = sys.modules[type(author.game).__module__]
    file = module.__file__ or ""
    return load_strategies(Path(file)) if module.__name__.startswith(OWN) else module


def folders(game: str) -> list[Path]:
    """Where the strategies of a game are, and the data that they come with."""
    if game not in REGISTRY:
        return []
    return [*map(Path, importlib.import_module(f"strategies.{game}").__path__)]


def about(game: str) -> list[dict[str, Any]]:
    """Name, belief, and parameters with defaults and ranges, of every strategy."""
    known = {**_builtin(game), **_GENERIC}
    for name in _entries(game):
        known.setdefault(name, _named(game, name))
    return [
        {
            "name": name,
            "belief": cls.belief(),
            "parameters": dict(parameters(cls)),
            "ranges": ranges(cls),
        }
        for name, cls in known.items()
    ]


def make(game: str, spec: str) -> Strategy:
    """The strategy of a spec; raises ``UnknownStrategy``."""
    try:
        spec = policy_store.with_names(spec)
        call = specs.call(spec)
        if call is not None:
            name, arguments = call
            within = partial(make, game)
            if not name:
                return within(arguments[0])
            return _composed(game, name, arguments, within)
        name, settings = _split(spec)
        if policy_store.NAME.fullmatch(name):
            cls = _OF_POLICIES[policy_store.suffix_of(policy_store.data_of(name))]
            settings = [("policy", name), *settings]
        else:
            cls = _of_file(game, name) if ".py:" in name else _named(game, name)
        return cls(**_values(cls, settings, spec)).ready(game)
    except (TypeError, ValueError) as error:
        if isinstance(error, UnknownStrategy):
            raise
        raise UnknownStrategy(f"strategy {spec!r}: {error}.") from error


def _composed(game: str, name: str, arguments: Sequence[str], make: Make) -> Strategy:
    """The strategy composed of others that is written so; raises ``ValueError``."""
    if name not in _COMPOSERS:
        usages = one_of(one.usage for one in _COMPOSERS.values())
        raise ValueError(
            f"nothing is called {name}(...){nearest(name, _COMPOSERS)} "
            f"Allowed: {usages}"
        )
    return _COMPOSERS[name].of(game, arguments, make)


def hand_reading(game: str, name: str) -> Callable[[Any], NDArray[Any]]:
    """What reads a number off the hands of a view, as a game's strategies register it.

    Raises ``KeyError`` where they register none of this name.
    """
    _builtin(game)  # loads the modules that register
    return HAND_READINGS[game, name]


def with_policy_names(spec: str) -> str:
    """A spec with names of learned policies in place of their files.

    Raises ``UnknownStrategy`` for a file that holds none.
    """
    try:
        return policy_store.with_names(spec)
    except ValueError as error:
        raise UnknownStrategy(f"strategy {spec!r}: {error}.") from error


def title(game: str, spec: str) -> str:
    """The name of a spec's strategy in tables."""
    return make(game, spec).title


def seat_specs(
    game: str, lineup: str, players: int, extra_strategies: Iterable[str] = ()
) -> tuple[str, ...]:
    """The specs of a comma-separated lineup, one for each seat.

    One name fills all seats. ``extra_strategies`` are file specs whose class name or
    strategy name may be used in the lineup, or files of policies, whose names may be
    used without the ending. Raises ``UnknownStrategy``.
    """
    seats = resolve_specs(game, lineup, extra_strategies)
    if len(seats) == 1:
        seats *= players
    if len(seats) != players:
        raise UnknownStrategy(
            f"lineup {lineup!r} names {len(seats)} strategies for {players} players. "
            f"Allowed: 1 (it fills all seats) or {players}."
        )
    return tuple(seats)


def resolve_specs(
    game: str, names: str, extra_strategies: Iterable[str] = ()
) -> list[str]:
    """The specs of a comma-separated list, names of ``extra_strategies`` expanded.

    Raises ``UnknownStrategy``.
    """
    extra = [with_policy_names(spec) for spec in extra_strategies]
    own = {key: spec for spec in extra for key in _names_of(spec)}
    names = with_policy_names(names)

    def expand(spec: str) -> str:
        name, settings = _split(spec)
        given = (f"{key}={expand_setting(key, value)}" for key, value in settings)
        return ":".join([own.get(name, name), *given])

    def expand_setting(key: str, value: str) -> str:
        if key not in specs.SETTINGS:
            return value
        return "+".join(
            specs.grouped(own[one]) if one in own else one
            for one in specs.split(value, "+")
        )

    expanded = [specs.map_strategies(one, expand) for one in specs.split_lineup(names)]
    for spec in expanded:
        make(game, spec)  # raises where there is no such strategy
    return expanded


def _names_of(spec: str) -> list[str]:
    """The names by which a lineup may call the strategy of a file, or a policy."""
    if policy_store.NAME.fullmatch(spec):
        return [spec.partition("@")[0]]
    cls = from_file(_split(spec)[0])
    return [cls.__name__, str(getattr(cls, "name", cls.__name__))]


def _is_strategy(item: Any) -> bool:
    """Whether a class is a strategy itself, not a base of several."""
    own = isinstance(item, type) and issubclass(item, Strategy)
    return own and ("name" in vars(item) or not item.__subclasses__())


def _of_file(game: str, spec: str) -> type[Strategy]:
    """The class of a user's file; raises ``UnknownStrategy``."""
    cls = from_file(spec)
    check(game, cls)
    try:
        check_apart(vars(cls)["name"], [*_builtin(game), *_GENERIC], game)
    except UnknownStrategy as error:
        raise UnknownStrategy(f"strategy {spec!r}: {error}") from None
    return cls


def _split(spec: str) -> tuple[str, list[tuple[str, str]]]:
    """Name (with the class, for a file) and settings of a spec."""
    parts = specs.split(spec, ":")
    size = 2 if parts[0].endswith(".py") and len(parts) > 1 else 1
    settings = []
    for part in parts[size:]:
        key, equals, value = part.partition("=")
        if not equals:
            raise UnknownStrategy(
                f"strategy {spec!r}: {part!r} is no setting. Write field=value, "
                "as in planner:margin=1."
            )
        settings.append((key, value))
    return ":".join(parts[:size]), settings


def _entries(game: str) -> dict[str, Any]:
    """Entry points of other distributions for this game, by strategy name."""
    prefix = f"{game}."
    return {
        entry.name.removeprefix(prefix): entry
        for entry in entry_points(group=GROUP)
        if entry.name.startswith(prefix)
    }


def _named(game: str, name: str) -> type[Strategy]:
    """The strategy of this name; raises ``UnknownStrategy``."""
    known = {**_builtin(game), **_GENERIC}
    if name in known:
        return known[name]
    entries = _entries(game)
    if name in entries:
        try:
            loaded: type[Strategy] = entries[name].load()
        except Exception as error:
            raise UnknownStrategy(
                f"strategy {name!r}: its package does not load: "
                f"{type(error).__name__}: {error}"
            ) from error
        return loaded
    names = [*known, *entries]
    if name.count("(") != name.count(")"):
        raise UnknownStrategy(f"strategy {name!r}: a bracket is not closed.")
    if name.endswith(".py"):
        raise UnknownStrategy(f"strategy {name!r}: name the class too, as {name}:Bold.")
    now = FORMER_NAMES.get(name, "")
    said = f"; it is called {now!r} now." if now in names else nearest(name, names)
    raise UnknownStrategy(
        f"no strategy {name!r}{said} Strategies of {game}: "
        f"{one_of(names)}; or a file, as in my.py:Bold, my.toml or my.npz."
    )


def _values(
    cls: type[Strategy], settings: list[tuple[str, str]], spec: str
) -> dict[str, Any]:
    """Settings as values, of the types that the defaults have."""
    defaults = dict(parameters(cls))
    values: dict[str, Any] = {}
    for key, text in settings:
        if key in values:
            raise UnknownStrategy(f"strategy {spec!r}: {key} is set twice.")
        if key not in defaults:
            raise UnknownStrategy(
                f"strategy {spec!r}: no parameter {key!r}{nearest(key, defaults)} "
                f"Parameters: {one_of(defaults) or 'none'}.{_hint(cls, key)}"
            )
        kind = str if defaults[key] is MISSING else type(defaults[key])
        try:
            values[key] = _TRUTH[text.lower()] if kind is bool else kind(text)
        except (TypeError, ValueError, KeyError):
            raise UnknownStrategy(
                f"strategy {spec!r}: {key} is a {_WORDS.get(kind, kind.__name__)}, "
                f"not {text!r}."
            ) from None
    return values


def _hint(cls: type[Strategy], key: str) -> str:
    """A hint where a class annotates a parameter but is no dataclass; else ""."""
    if key in getattr(cls, "__annotations__", {}):
        return f" ({cls.__name__} needs @dataclass(frozen=True) above it.)"
    return ""


_TRUTH = {"true": True, "false": False, "1": True, "0": False}
_WORDS = {int: "whole number", float: "number", str: "text", bool: "true or false"}

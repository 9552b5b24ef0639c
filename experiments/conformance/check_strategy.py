"""Check that a strategy does only what strategies may do."""

import pickle
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from experiments.conformance.harness import (
    Check,
    Log,
    Setting,
    difference,
    numbers,
    pieces,
    settings_of,
)
from experiments.conformance.peeking_check import PeekingCheck
from experiments.conformance.preference_counts import preference_checks
from experiments.execution.failures import BlockLost
from experiments.execution.manifests import absolute_spec
from experiments.execution.separate_process import call_in_worker
from experiments.execution.strategy_sources import has_user_strategy
from sim.answers import IllegalAnswer
from sim.errors import error_text
from sim.games import Game, load
from sim.masks import Masks
from sim.parameters import Rules
from sim.table import Player, StrategyFailed
from sim.view import View
from strategies.base import Strategy
from strategies.random import Random
from strategies.registry import make
from strategies.text_strategy import TextStrategy

_DATA = (int, float, str, bytes, tuple, list, dict, set, np.ndarray)
_FAILURES = (IllegalAnswer, StrategyFailed)


def check_strategy(
    game: Game | str,
    strategy: str | Strategy,
    *,
    rules: Rules | None = None,
    games: int = 200,
    seed: int = 1,
) -> list[Check]:
    """Check a strategy, or the spec of one, against the rules for strategies.

    It must answer legally, give the same answers in a game whatever is played before or
    beside it, change nothing, and not know what its seat cannot know. The last check
    says how fast it is. If it fails to play, other checks are left out.

    A strategy from a user's file plays in another process, which it may crash.
    """
    loaded = load(game) if isinstance(game, str) else game
    base = loaded.rules() if rules is None else rules
    own = make(loaded.id, strategy) if isinstance(strategy, str) else strategy
    if isinstance(strategy, str):
        strategy = absolute_spec(strategy)
    settings = settings_of(loaded, base, seed)
    for part, setting in product(own.components, settings):
        part.check_rules(loaded, base, setting.players)
    call = partial(_checks, settings, strategy, games)
    if not has_user_strategy([own]):
        return call()
    try:
        return call_in_worker(call)
    except BlockLost as lost:
        return [Check("legal", False, str(lost))]


def _checks(
    settings: list[Setting], strategy: str | Strategy, games: int
) -> list[Check]:
    game = settings[0].game.id

    def fresh() -> Strategy:
        return make(game, strategy) if isinstance(strategy, str) else strategy

    legal = _legal(settings, fresh, games)
    if not legal.ok:
        return [legal]
    checks = (_deterministic, _any_block, _no_memory, _hands_off, _blind)
    results = [legal]
    for check in checks:
        each = [_make_check(check, setting, fresh, games) for setting in settings]
        results.append(next((result for result in each if not result.ok), each[-1]))
    results.append(_speed(settings[len(settings) // 2], fresh))
    own = fresh()
    if isinstance(own, TextStrategy):
        results += preference_checks(settings, own, games)
    return results


Fresh = Callable[[], Strategy]


def _make_check(
    check: Callable[[Setting, Fresh, int], Check],
    setting: Setting,
    fresh: Fresh,
    games: int,
) -> Check:
    """Make a check; it fails if the games raise any error."""
    try:
        return check(setting, fresh, games)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        name = check.__name__.strip("_").replace("_", " ")
        return Check(name, False, error_text(error))


def _lineup(setting: Setting, own: Player) -> list[Player]:
    """Return the strategy in every other seat, between random players."""
    return [own if seat % 2 == 0 else Random() for seat in range(setting.players)]


def _logged(setting: Setting, own: Player, *parts: Any) -> Log:
    log = Log(setting.game)
    for part in parts:
        setting.play(part, _lineup(setting, own), log)
    return log


def _compare(setting: Setting, name: str, right: str, first: Log, other: Log) -> Check:
    where = difference(first.names, first.rows(), other.rows())
    players = f" with {setting.players} players"
    return Check(name, not where, f"not so in {where}{players}" if where else right)


def _legal(settings: list[Setting], fresh: Fresh, games: int) -> Check:
    """Check that at every table it answers with options, in the right form."""
    try:
        for setting in settings:
            own = fresh()
            setting.play(numbers(0, games), [own] * setting.players)
            setting.play(numbers(0, games), _lineup(setting, own))
    except _FAILURES as error:
        return Check("legal", False, str(error))
    except Exception as error:  # it changed the table under the rules
        return Check("legal", False, f"the game broke: {error_text(error)}")
    tables = ", ".join(str(setting.players) for setting in settings)
    return Check("legal", True, f"every answer in {games} games with {tables} players")


def _deterministic(setting: Setting, fresh: Fresh, games: int) -> Check:
    """Check that games played twice are the same."""
    every = numbers(0, games)
    first, again = (_logged(setting, fresh(), every) for _ in range(2))
    right = "the same games again give the same answers"
    return _compare(setting, "deterministic", right, first, again)


def _any_block(setting: Setting, fresh: Fresh, games: int) -> Check:
    """Check that a game is the same alone, and among others in any order."""
    whole = _logged(setting, fresh(), numbers(0, games))
    cut = _logged(setting, fresh(), *pieces(games))
    right = "a game is the same alone and in any block, in any order"
    return _compare(setting, "alone", right, whole, cut)


def _no_memory(setting: Setting, fresh: Fresh, games: int) -> Check:
    """Check that earlier games change neither the answers nor the strategy."""
    own = fresh()
    before = dict(_remembered(own))
    first = _logged(setting, own, numbers(0, games))
    setting.play(numbers(10_000, games), _lineup(setting, own))
    after = dict(_remembered(own))
    changed = [name for name in after if before.get(name) != after[name]]
    if changed:
        return Check("no memory", False, f"{changed[0]} changed while it played")
    again = _logged(setting, own, numbers(0, games))
    right = "earlier games change no answer, and nothing of the strategy"
    return _compare(setting, "no memory", right, first, again)


def _remembered(own: Strategy) -> Iterator[tuple[str, bytes]]:
    """Yield all places of memory of a strategy: itself, its classes, its module."""
    cls = type(own)
    yield from _values("attribute", vars(own))
    for base in cls.__mro__[: cls.__mro__.index(Strategy)]:
        yield from _values(f"{base.__name__}.", vars(base))
    module = vars(sys.modules.get(cls.__module__, object))
    plain = {k: v for k, v in module.items() if not isinstance(v, dict | set)}
    yield from _values("global", plain)  # a dict may be a cached table


def _values(where: str, values: Any) -> Iterator[tuple[str, bytes]]:
    for name, value in values.items():
        if isinstance(value, _DATA) and not name.startswith("__"):
            try:
                yield f"{where} {name}".replace(". ", "."), pickle.dumps(value)
            except Exception:  # noqa: S112 - it cannot be compared
                continue


class _Watched:
    """A player that compares the table before and after each decision."""

    def __init__(self, inner: Strategy) -> None:
        self._inner = inner
        self.touched = ""

    @property
    def title(self) -> str:
        return self._inner.title

    def decide(self, view: View) -> Masks:
        before, legal = view._state.copy(), view.legal.copy()
        answer = self._inner.decide(view)
        if not np.array_equal(legal, view.legal):
            self.touched = "view.legal"
        for name, value in vars(before).items():
            now = getattr(view._state, name)
            if isinstance(value, np.ndarray) and not np.array_equal(value, now):
                self.touched = f"the state's {name}"
        return answer


def _hands_off(setting: Setting, fresh: Fresh, games: int) -> Check:
    """Check that deciding changes nothing on the table."""
    own = _Watched(fresh())
    try:
        setting.play(numbers(0, min(games, 50)), _lineup(setting, own))
    except _FAILURES as error:
        own.touched = own.touched or str(error)
    if own.touched:
        return Check("hands off", False, f"it changed {own.touched} while deciding")
    return Check("hands off", True, "deciding changes nothing on the table")


def _blind(setting: Setting, fresh: Fresh, games: int) -> Check:
    """Check that it answers the same if only hidden things differ."""
    own = PeekingCheck(fresh(), setting.game)
    try:
        setting.play(numbers(0, min(games, 100)), _lineup(setting, own))
    except _FAILURES as error:
        return Check("blind", False, f"with other hidden cards: {error}")
    if own.saw:
        players = f"with {setting.players} players"
        return Check(
            "blind", False, f"other hidden cards, another answer: {own.saw} {players}"
        )
    return Check(
        "blind", True, f"{own.asked.total():,} questions with other hidden cards"
    )


class _Timed:
    """A player whose decisions are timed."""

    def __init__(self, inner: Strategy) -> None:
        self._inner = inner
        self.seconds, self.rows = 0.0, 0

    @property
    def title(self) -> str:
        return self._inner.title

    def decide(self, view: View) -> Masks:
        start = time.perf_counter()
        answer = self._inner.decide(view)
        self.seconds += time.perf_counter() - start
        self.rows += len(view)
        return answer


def _speed(setting: Setting, fresh: Fresh) -> Check:
    """Time a decision, in a block that is large enough to take a moment."""
    for size in (64, 512, 4_096):
        own = _Timed(fresh())
        setting.play(numbers(0, size), [own] * setting.players)
        if own.seconds > 0.05:
            break
    cost = own.seconds / max(own.rows, 1) * 1e9
    return Check("speed", True, f"{cost:,.0f} ns a decision ({size:,} games at once)")

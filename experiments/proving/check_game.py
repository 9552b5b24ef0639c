"""Whether a game keeps to what the rest of fairdeal relies on."""

from collections.abc import Callable
from typing import Any

import numpy as np

from experiments.proving.audit import Audit, Foul, Heard
from experiments.proving.checking import (
    Check,
    Log,
    Setting,
    difference,
    numbers,
    pieces,
    settings_of,
)
from experiments.proving.redealt import redealt
from sim.games import Game, load
from sim.knobs import Rules
from sim.masks import Masks
from sim.table import StrategyFailed, Table
from sim.view import View
from strategies.random import Random

_RESUMED = 12  # moments from which games are played on


def check_game(
    game: Game | str, *, rules: Rules | None = None, games: int = 100, seed: int = 1
) -> list[Check]:
    """Hold a game to what strategies, transcripts, tables and search rely on.

    Random strategies play with each number of players that the rules allow. Where a
    game cannot be played at all, the rest is left out.
    """
    known = load(game) if isinstance(game, str) else game
    base = known.rules() if rules is None else rules
    settings = settings_of(known, base, seed)
    found = [_each(settings, "declared", _declared, games)]
    if not found[0].ok:
        return found
    for name, check in _CHECKS.items():
        found.append(_each(settings, name, check, games))
    return found


def _each(
    settings: list[Setting], name: str, check: Callable[[Setting, int], str], games: int
) -> Check:
    """Look with each number of players, until something is found."""
    said = ""
    for setting in settings:
        try:
            said = check(setting, games)
        except Exception as error:  # whatever a game may do wrong
            cause = error.__cause__ if isinstance(error, StrategyFailed) else error
            what = str(cause) if isinstance(cause, Foul) else f"it raised {cause!r}"
            return Check(name, False, f"{what} (with {setting.players} players)")
    return Check(name, True, said)


def _declared(setting: Setting, games: int) -> str:
    """Whether all that is asked and noted is declared, and each game ends once."""
    log = Heard(setting.game)
    setting.play(numbers(0, games), [Random()] * setting.players, log, table=Audit)
    ends = log.counts("note result") if "result" in setting.game.notes else {}
    for number in range(games):
        if ends.get(number, 0) != 1:
            raise Foul(f"game {number} has {ends.get(number, 0)} results")
    rows = log.rows()
    last = np.append(rows[0, 1:] != rows[0, :-1], True)
    names = {log.names[int(n)] for n in rows[1, last]}
    if names != {"note result"}:
        raise Foul(f"a game ends with {sorted(names - {'note result'})[0]}")
    return "every question and note is declared; each game ends with one result"


def _logged(setting: Setting, *parts: Any) -> Log:
    log = Log(setting.game)
    for part in parts:
        setting.play(part, [Random()] * setting.players, log)
    return log


def _repeatable(setting: Setting, games: int) -> str:
    """Whether the same seed gives the same games, and another seed others."""
    every = numbers(0, games)
    first, again = _logged(setting, every), _logged(setting, every)
    where = difference(first.names, first.rows(), again.rows())
    if where:
        raise Foul(f"played twice, not the same: {where}")
    other = Setting(setting.game, setting.rules, setting.players, setting.seed + 1)
    if not difference(first.names, first.rows(), _logged(other, every).rows()):
        raise Foul("another seed gives the same games")
    return "the same seed gives the same games, another seed others"


def _alone(setting: Setting, games: int) -> str:
    """Whether a game is the same alone, and in any block, in any order."""
    whole = _logged(setting, numbers(0, games))
    cut = _logged(setting, *pieces(games))
    where = difference(whole.names, whole.rows(), cut.rows())
    if where:
        raise Foul(f"in another block, not the same: {where}")
    return "a game is the same alone and in any block, in any order"


class _Prober:
    """Plays at random, and lets ``look`` have a look first."""

    title = "random"

    def __init__(self, look: Callable[[View], None]) -> None:
        self._look = look
        self._random = Random()

    def decide(self, view: View) -> Masks:
        self._look(view)
        return self._random.decide(view)


def _probed(setting: Setting, games: int, look: Callable[[View], None]) -> Log:
    """Play while ``look`` sees every view."""
    log = Log(setting.game)
    setting.play(numbers(0, games), [_Prober(look)] * setting.players, log)
    return log


def _moments(setting: Setting, games: int) -> set[int]:
    """The numbers of some questions, from the first to the last."""
    seen: list[None] = []
    _probed(setting, games, lambda _: seen.append(None))
    return set(np.linspace(0, len(seen) - 1, _RESUMED).astype(int).tolist())


def _resumes(setting: Setting, games: int) -> str:
    """Whether a copy can be played on, to the same end, and disturbs nothing."""
    whole = _logged(setting, numbers(0, games))
    moments, resumed, asked = _moments(setting, games), [], 0

    def look(view: View) -> None:
        nonlocal asked
        if asked in moments:
            log, state = Log(setting.game), view._state.copy()
            setting.game.play(state, _table(setting, log))
            resumed.append((asked, log))
        asked += 1

    disturbed = _probed(setting, games, look)
    where = difference(whole.names, whole.rows(), disturbed.rows())
    if where:
        raise Foul(f"playing a copy changes the game itself: {where}")
    _same_ends(whole, resumed)
    return f"played on from copies at {len(resumed)} questions, to the same end"


def _table(setting: Setting, log: Log) -> Table:
    return Table([Random()], None, setting.game.view, setting.game.kinds, [log])


def _same_ends(whole: Log, resumed: list[tuple[int, Log]]) -> None:
    """Refuse games played on that end otherwise than the whole ones."""
    for asked, log in resumed:
        rest = whole.rows(whole.asked[asked])
        where = difference(whole.names, rest, log.rows())
        if where:
            raise Foul(f"played on from question {asked}, not the same: {where}")


def _hides(setting: Setting, games: int) -> str:
    """Whether redealing changes hidden things, and nothing that a view shows."""
    moved: set[str] = set()

    def look(view: View) -> None:
        other = redealt(setting.game, view, salt=5)
        for name in _shown(type(view)):
            if not _equal(_read(view, name), _read(other, name)):
                raise Foul(f"after redealing, a view shows another {name!r}")
        for name, value in vars(view._state).items():
            if isinstance(value, np.ndarray):
                there = getattr(other._state, name)
                if not np.array_equal(value, there):
                    moved.add(name)

    _probed(setting, games, look)
    if not moved:
        raise Foul("redealing changes nothing: nothing would be hidden")
    return f"redealing changes {', '.join(sorted(moved))}, and no view shows it"


def _shown(view: type[View]) -> list[str]:
    """The attributes that a strategy may read without asking for more."""
    hidden = {"box", "rules"}  # the same object, however often it is dealt
    return [
        name
        for name in dir(view)
        if name[0] != "_" and name not in hidden and not callable(getattr(view, name))
    ]


def _read(view: View, name: str) -> Any:
    """An attribute, or what reading it raises at this moment of the game."""
    try:
        return getattr(view, name)
    except Exception as error:  # it has no meaning now
        return repr(error)


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other)


def _conserves(setting: Setting, games: int) -> str:
    """Whether what a state calls ``conserved`` stays what it was at the start."""
    state = setting.start(numbers(0, games))
    hook = getattr(state, "conserved", None)
    if hook is None:
        return "the state has no conserved()"
    start = {name: value.copy() for name, value in hook().items()}

    def look(view: View) -> None:
        for name, value in view._state.conserved().items():
            if not np.array_equal(value, start[name]):
                raise Foul(f"{name} are not conserved")

    _probed(setting, games, look)
    return f"conserved: {', '.join(start)}"


_CHECKS: dict[str, Callable[[Setting, int], str]] = {
    "repeatable": _repeatable,
    "alone": _alone,
    "resumes": _resumes,
    "hides": _hides,
    "conserves": _conserves,
}

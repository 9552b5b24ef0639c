"""Check that a game does what the rest of fairdeal relies on."""

import inspect
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.conformance.audit import Audit, AuditLog
from experiments.conformance.harness import (
    Check,
    Log,
    RulesViolation,
    Setting,
    difference,
    numbers,
    pieces,
    settings_of,
)
from experiments.conformance.hidden_information import redeals
from experiments.conformance.own_game_referee import refereed
from experiments.conformance.secret_choices import secrets_stay
from experiments.conformance.state_copies import play_probed, resumes
from experiments.conformance.turns_referee import turns_check
from experiments.core.cells import seating
from sim.answers import IllegalAnswer
from sim.games import REGISTRY, Game, load
from sim.own_files import own_line
from sim.own_game.state import OwnState
from sim.parameters import Rules
from sim.recorder import Recorder
from sim.scores import RESULT, GameError, Score
from sim.table import StrategyFailed
from sim.view import View
from strategies.random import Random

_SURE = 3.0  # standard errors
_FIRST_GAMES = 6
_QUICK = ("hides", "secrets")
_FAR = [2**40 + 5, 3, 99, 4, 2**63 + 1]  # numbers of games that are far apart


def check_game(
    game: Game | str,
    *,
    rules: Rules | None = None,
    games: int = 100,
    seed: int = 1,
    quick: bool = False,
) -> list[Check]:
    """Check what strategies, transcripts, tables and search rely on.

    The game's strategies and random ones play with each number of players that the
    rules allow; of a game in one file, with the fewest, the middle and the most. Its
    author's lines are checked first (``own_game_referee``). If a game cannot be played
    at all, other checks are left out. ``quick`` makes only those that say whether it
    may be searched, with one number of players.
    """
    loaded = load(game) if isinstance(game, str) else game
    base = loaded.rules() if rules is None else rules
    settings = settings_of(loaded, base, seed)
    checks: list[Check] = []
    if isinstance(loaded.start, type) and issubclass(loaded.start, OwnState):
        places = (0, len(settings) // 2, -1)
        settings = [*{id(one): one for one in (settings[at] for at in places)}.values()]
        checks = refereed(settings, games)
        compared = turns_check(settings, games)
        checks += [compared] if compared is not None else []
        if not all(check.ok for check in checks):
            return checks
    if quick:
        settings = settings[len(settings) // 2 :][:1]
    checks.append(_each(settings, "declared", _declared, games))
    if checks[-1].ok:
        for name, check in _CHECKS.items():
            if name in _QUICK or not quick:
                made = _each(settings, name, check, games)
                if made.ok or made.detail not in {one.detail for one in checks}:
                    checks.append(made)  # one fault may stop several checks
    return checks


_checked: set[tuple[str, str]] = set()


def refuse_faulty(game: str) -> None:
    """Check a game from outside, once for each version of its files.

    Raises ``GameError`` with all faults: of a game that cannot be relied on nothing is
    searched or reported.
    """
    if game in REGISTRY:
        return
    loaded = load(game)
    key = loaded.id, loaded.source
    if key in _checked:
        return
    wrong = [
        line
        for check in check_game(loaded, games=_FIRST_GAMES, quick=True)
        if not check.ok
        for line in check.detail.splitlines()
    ]
    if wrong:
        raise GameError(
            f"{loaded.title} is not searched and not reported, as it has faults:\n- "
            + "\n- ".join(wrong)
            + f"\n`fairdeal check-game {game}` checks it again."
        )
    _checked.add(key)


def _each(
    settings: list[Setting], name: str, check: Callable[[Setting, int], str], games: int
) -> Check:
    """Make a check with each number of players, until one fails."""
    detail = ""
    for setting in settings:
        try:
            detail = check(setting, games)
        except Exception as error:  # whatever a game may do wrong
            cause = error.__cause__ if isinstance(error, StrategyFailed) else error
            foul = (
                str(cause)
                if isinstance(cause, RulesViolation | IllegalAnswer)
                else f"it raised {cause!r}"
            )
            said = isinstance(cause, IllegalAnswer)  # it names its place itself
            place = "" if said else _place(setting.game, name, cause)
            detail = f"{place}{foul} (with {setting.players} players)"
            return Check(name, False, detail)
    return Check(name, True, detail)


def _place(game: Game, check: str, error: BaseException | None) -> str:
    """Where to look: the line that raised an error, or what the game declares."""
    if error is not None and not isinstance(error, RulesViolation):
        if own := own_line(error):
            return f"{own}: "
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{last.filename}, line {last.lineno}: "
    code: Any = getattr(game, _MADE_BY.get(check, ""), None)
    try:
        file, (_, line) = inspect.getsourcefile(code), inspect.getsourcelines(code)
    except (OSError, TypeError):  # it is made by the engine, or by a call
        return ""
    return f"{file}, line {line}: "


_MADE_BY = {
    "declared": "play",
    "resumes": "start",
    "hides": "redeal",
    "secrets": "redeal",
    "conserves": "start",
}
"""What a game declares that a check is about."""


def _declared(setting: Setting, games: int) -> str:
    """Check that every question and note is declared, and each game ends once."""
    log = AuditLog(setting.game)
    setting.play(numbers(0, games), [Random()] * setting.players, log, table=Audit)
    log.check_ticks()
    ends = log.counts("event result") if "result" in setting.game.events else {}
    for number in range(games):
        if ends.get(number, 0) != 1:
            raise RulesViolation(f"game {number} has {ends.get(number, 0)} results")
    rows = log.rows()
    last = np.append(rows[0, 1:] != rows[0, :-1], True)
    names = {log.names[int(n)] for n in rows[1, last]}
    if names != {"event result"}:
        raise RulesViolation(f"a game ends with {sorted(names - {'event result'})[0]}")
    return "every question and note is declared; each game ends with one result"


def _logged(setting: Setting, *parts: Any) -> Log:
    log = Log(setting.game)
    for part in parts:
        setting.play(part, setting.lineup, log)
    return log


def _repeatable(setting: Setting, games: int) -> str:
    """Check that a seed always gives the same games, and another seed others."""
    every = numbers(0, games)
    first, again = _logged(setting, every), _logged(setting, every)
    where = difference(first.names, first.rows(), again.rows())
    if where:
        raise RulesViolation(f"played twice, not the same: {where}")
    other = Setting(setting.game, setting.rules, setting.players, setting.seed + 1)
    if not difference(first.names, first.rows(), _logged(other, every).rows()):
        raise RulesViolation("another seed gives the same games")
    return "the same seed gives the same games, another seed others"


def _any_block(setting: Setting, games: int) -> str:
    """Check that a game is the same alone, and in any block, in any order."""
    whole = _logged(setting, numbers(0, games))
    cut = _logged(setting, *pieces(games))
    where = difference(whole.names, whole.rows(), cut.rows())
    if where:
        raise RulesViolation(f"in another block, not the same: {where}")
    far = np.array(_FAR, dtype=np.uint64)
    together, alone = _logged(setting, far), _logged(setting, *np.split(far, len(far)))
    where = difference(together.names, together.rows(), alone.rows())
    if where:
        raise RulesViolation(f"beside games far away, not the same: {where}")
    return "a game is the same alone and in any block, in any order"


def _resumes(setting: Setting, games: int) -> str:
    """Check that a copy can be played on to the same end, and disturbs nothing."""
    kinds = resumes(setting, games)
    return f"played on from copies, to the same end, at {', '.join(sorted(kinds))}"


def _hides(setting: Setting, games: int) -> str:
    """Check that redealing changes hidden things, and nothing that a view shows."""
    moved = redeals(setting, games)
    return f"redealing changes {', '.join(sorted(moved))}, and no view shows it"


def conserves(setting: Setting, games: int) -> str:
    """Check that the quantities of ``conserved()`` never change."""
    state = setting.start(numbers(0, games))
    hook = getattr(state, "conserved", None)
    if hook is None:
        raise RulesViolation(
            "the state has no conserved(): which quantities never change?"
        )
    start = {name: value.copy() for name, value in hook().items()}

    def look(view: View) -> None:
        for name, value in view._state.conserved().items():
            before = start[name].take(view._state.start_rows, axis=-1)
            if not np.array_equal(value, before):
                raise RulesViolation(f"{name} are not conserved, at {view.kind.name!r}")

    play_probed(setting, games, look, [Random()] * setting.players)
    return f"conserved: {', '.join(start)}"


def ranks(setting: Setting, games: int) -> str:
    """Check that the seats that are ahead by the declared numbers win.

    Other things may decide, too, but the last seat may not win significantly more often
    than the first.
    """
    ranked = []
    for name in ("score", "standing"):
        number: Score | None = getattr(setting.game, name)
        if number is None:
            continue
        recorder = Recorder([number.note, RESULT])
        setting.play(numbers(0, games), setting.lineup, recorder)
        notes, results = recorder.table(number.note), recorder.table(RESULT)
        last = np.zeros((setting.players, games), dtype=np.int64)
        last[notes["seat"], notes["game"].astype(np.intp)] = notes[number.field]
        winner = np.full(games, -1)
        winner[results["game"].astype(np.intp)] = results["winner"]
        values = number.sign * last[:, winner >= 0]
        own = values[winner[winner >= 0], np.arange(values.shape[1])]
        best, worst = own == values.max(axis=0), own == values.min(axis=0)
        first, least = map(np.count_nonzero, (best & ~worst, worst & ~best))
        if least - first > _SURE * np.sqrt(first + least):
            raise RulesViolation(
                f"{name}: {number.wins} {number.field!r} should be ahead, but of "
                f"{values.shape[1]} games won, the seat that is first at the end wins "
                f"{first}, and the last {least}"
            )
        ranked.append(f"{number.wins} {number.field!r} wins ({name})")
        if name == "score":
            ranked += _beaten_by_random(setting, games, winner)
    return "; ".join(ranked) or "no number is declared that ranks seats"


def _beaten_by_random(
    setting: Setting, games: int, winner: NDArray[np.int64]
) -> Iterator[str]:
    """Yield that the game's own strategies surely lose to random ones, if they do.

    winner: (games,) the seat that won, -1 where none did alone.
    """
    different, sitting = seating(setting.lineup, True, numbers(0, games))
    own = np.array([not isinstance(one, Random) for one in different])[sitting]
    if not own.any():
        return
    won = np.flatnonzero(winner >= 0)
    wins, share = own[winner[won], won].sum(), own.mean()
    sure = _SURE * np.sqrt(share * (1 - share) * len(won))
    if wins < share * len(won) - sure:
        number: Any = setting.game.score
        yield (
            f"but random players win {len(won) - wins} of {len(won)} games against the "
            f"game's own strategies: shall the {number.wins} {number.field!r} win "
            "(`fewest`)?"
        )


_CHECKS: dict[str, Callable[[Setting, int], str]] = {
    "repeatable": _repeatable,
    "alone": _any_block,
    "resumes": _resumes,
    "hides": _hides,
    "secrets": secrets_stay,
    "conserves": conserves,
    "ranks": ranks,
}

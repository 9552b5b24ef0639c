"""Strength as people know it: ``beginner``, ``good``, ``strong`` and ``expert``.

Who plays at a level is found by playing, for the rules in force, and not declared: a
heuristic that leads under the base rules may be beaten under a variant. The games have
a seed of their own, so the same rules and number of players give the same levels in
every process. They are played when a level decides for the first time.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from sim.games import load
from sim.masks import Masks
from sim.parameters import Rules
from sim.rollouts import RolloutTable, Shares
from sim.view import View
from strategies import registry
from strategies.base import Strategy
from strategies.learned import Learned, shipped
from strategies.random import Random
from strategies.restricted_play import NoisyStrategy
from strategies.search import Search

LEVELS = ("beginner", "good", "strong", "expert")
"""The names of the levels, the weakest first."""
_SEED = 47_011
_GAMES = 2_048  # of each strategy
_SLOW_GAMES = 512  # of those that are played one by one
_LOOKS = (128, 256, 512, 1_024)  # games of a learned policy, dear, that may be enough
_SURE = 3.0  # standard errors: at each look about one false alarm in 700
_MATTERS = 0.02  # of the win: a gain that is shown to be less needs no more games
_Z = 1.959964  # of a 95 % interval
_ROUNDS = 4  # of heuristics that beat the one before
_NOISE = (0.05, 0.1, 0.2, 0.4, 0.8)
"""How often a beginner may err: the one is taken that wins nearest to half as much."""
_LEAD = "allround"  # who is tried as the leading heuristic first


class Margin(NamedTuple):
    """What a strategy wins alone at a table of another, beyond an even part.

    share: of the win; even: an equal part of all wins; error: a standard error of their
    difference.
    """

    share: float
    even: float
    error: float

    @classmethod
    def of(cls, own: Shares, even: Shares, usual: Shares | None = None) -> "Margin":
        """From the shares in each game.

        usual: what the table's own strategy wins in that seat on the same deals, which
        is an even part on average. What that explains of ``own`` is taken out (a
        control variate), so that strategies which play nearly alike are told apart.
        """
        if usual is not None and (spread := (usual - even).var()) > 0:
            luck = usual - even
            own = own - luck * np.cov(own - even, luck, ddof=0)[0, 1] / spread
        error = (own - even).std(ddof=1) / np.sqrt(len(own))
        return cls(float(own.mean()), float(even.mean()), float(error))

    @property
    def more(self) -> float:
        """The share beyond an even one."""
        return self.share - self.even

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval of the share."""
        half = _Z * self.error
        return max(self.share - half, 0.0), min(self.share + half, 1.0)

    @property
    def sure(self) -> bool:
        """Whether it is shown to win more."""
        return self.more > _SURE * self.error

    @property
    def enough(self) -> bool:
        """Whether it is shown to win more or less, or nearly the same."""
        more, doubt = abs(self.more), _SURE * self.error
        return more > doubt or more + doubt < _MATTERS


class StrongerPlayer(NamedTuple):
    """Who plays of two strategies, and whether it is shown to be the stronger one."""

    plays: str
    other: str
    shown: bool

    @property
    def words(self) -> str:
        """How strong the one who plays is, to be said after a name."""
        known = "who wins more" if self.shown else "not shown to be stronger"
        return f"{known} than {self.other}"


def choose(one: str, other: str, more: float, error: float) -> StrongerPlayer:
    """Return who plays of two strategies: who is found to win more, shown or not.

    That is the best guess, and it is said where it is one. more, error: what the first
    wins more than the other, and a standard error. Who wins as much as the other does
    not take its place.

    >>> choose("learned", "allround", 1.0, 0.5)
    StrongerPlayer(plays='learned', other='allround', shown=False)
    >>> choose("learned", "allround", -2.0, 0.5)
    StrongerPlayer(plays='allround', other='learned', shown=True)
    """
    plays, rests = (one, other) if more > 0 else (other, one)
    return StrongerPlayer(plays, rests, abs(more) > _SURE * error)


@dataclass(frozen=True)
class Level(Strategy):
    """The base of the levels."""

    in_panel: ClassVar[bool] = False

    def decide(self, view: View) -> Masks:
        """(rows,) the answer of whoever plays at this level by these rules."""
        state = view._state
        return self.plays(state.game_id, state.rules, state.players).decide(view)

    def plays(self, game: str, rules: Rules, players: int) -> Strategy:
        """Who plays at this level; the first call plays games to find out."""
        return strategy_at(self.title, game, rules, players)


@registry.register
@dataclass(frozen=True)
class Beginner(Level):
    """Plays as a good player who often decides at random, and wins half as much."""

    name = "beginner"


@registry.register
@dataclass(frozen=True)
class Good(Level):
    """Plays as the heuristic that no other one beats under the rules in force."""

    name = "good"


@registry.register
@dataclass(frozen=True)
class Strong(Level):
    """Plays as it learned to, or as a good player where these win more."""

    name = "strong"


@registry.register
@dataclass(frozen=True)
class Expert(Level):
    """Searches, and plays on as a strong player: slow."""

    name = "expert"

    @property
    def cost(self) -> int:
        """How many games each answer is tried in."""
        return Search().cost


@cache
def strategy_at(level: str, game: str, rules: Rules, players: int) -> Strategy:
    """Return who plays at a level (``LEVELS``) by these rules; cached.

    >>> from sim.games import load
    >>> strategy_at("good", "kunitame", load("kunitame").rules.of(), 4).title
    'allround'
    """
    return registry.make(game, spec_at(level, game, rules, players))


@cache
def spec_at(level: str, game: str, rules: Rules, players: int) -> str:
    """Return the spec of who plays at a level (``LEVELS``) by these rules; cached.

    Raises ``ValueError`` for another level.
    """
    table = AloneAmong(game, rules, players)
    match level:
        case "beginner":
            return table.erring(spec_at("good", game, rules, players))
        case "good":
            return table.leading()
        case "strong":
            return strong_choice(game, rules, players).plays
        case "expert":
            strong = spec_at("strong", game, rules, players)
            return f"{Search.name}:inner={strong}"
    raise ValueError(f"level is one of {', '.join(LEVELS)}, not {level!r}")


def plays_as(
    names: Iterable[str], game: str, rules: Rules, players: int
) -> dict[str, str]:
    """Return the specs of those among some strategies who are levels, by level."""
    known = {*names}
    return {
        level: spec_at(level, game, rules, players)
        for level in LEVELS
        if level in known
    }


@cache
def strong_choice(game: str, rules: Rules, players: int) -> StrongerPlayer:
    """Return who is strong: the policy of the game, or its good players; cached.

    The policy is measured alone among players of the level ``good``.
    """
    good = spec_at("good", game, rules, players)
    if shipped(game) is None:
        return StrongerPlayer(good, "", shown=True)
    found = AloneAmong(game, rules, players).compared(Learned.name, good)
    return choose(Learned.name, good, found.more, found.error)


@cache
def beats_good(policy: str, game: str, rules: Rules, players: int) -> bool:
    """Return whether a policy of the game wins more among its good players; cached.

    policy: ``learned`` or ``taught``. It has to be shown to win more than an even part
    by these rules, alone among players of the level ``good``.
    """
    good = spec_at("good", game, rules, players)
    return AloneAmong(game, rules, players).beats(policy, good)


@dataclass(frozen=True)
class AloneAmong:
    """Tables at which one strategy sits alone among another, by some rules.

    seed: of the games; that of the levels by default.
    """

    game: str
    rules: Rules
    players: int
    seed: int = _SEED

    def leading(self) -> str:
        """Return the heuristic that no other one beats alone at a table of it.

        Challengers are chosen on some games, and have to win on others.
        """
        left = [name for name in registry.builtin(self.game) if name != Random.name]
        if not left:
            return Random.name
        lead = _LEAD if _LEAD in left else left[0]
        for number in range(_ROUNDS):
            left.remove(lead)
            if not left:
                break
            first, fresh = (
                range(part * _GAMES, (part + 1) * _GAMES)
                for part in (2 * number, 2 * number + 1)
            )
            more = {name: self.margin(name, lead, first).more for name in left}
            best = max(more, key=lambda name: more[name])
            back = self.margin(lead, best, fresh)  # each may beat a table of the other
            if back.sure or not self.margin(best, lead, fresh).sure:
                break
            lead = best
        return lead

    def erring(self, good: str) -> str:
        """Return the good player who errs as often as halves what they win."""
        if good == Random.name:
            return good

        games = _SLOW_GAMES if load(self.game).scalar else _GAMES

        def off(chance: float) -> float:
            won = self.margin(_noisy(good, chance), good, range(games))
            return abs(won.share - won.even / 2)

        return _noisy(good, min(_NOISE, key=off))

    def beats(self, policy: str, good: str) -> bool:
        """Return whether a policy of the game is shown to win more among ``good``."""
        known = shipped(self.game, policy) is not None
        return known and self.compared(policy, good).sure

    def compared(self, policy: str, good: str) -> Margin:
        """Return what a policy wins among ``good``, from as many games as tell it."""
        won: Shares = np.zeros((3, 0))
        for first, end in pairwise((0, *_LOOKS, _GAMES)):
            games = range(first, end)
            usual, _ = self.won(good, good, games)
            here = [*self.won(policy, good, games), usual]
            won = np.append(won, here, axis=1)
            if Margin.of(*won).enough:
                break
        return Margin.of(*won)

    def margin(self, one: str, table: str, games: range) -> Margin:
        """Return what a strategy wins alone at a table of another."""
        return Margin.of(*self.won(one, table, games))

    def won(self, one: str, table: str, games: range) -> Shares:
        """(2, games) what it wins in each game, in a rotating seat, and an even part.

        games: their numbers, by which all strategies meet the same deals.
        """
        made = [registry.make(self.game, spec) for spec in (one, table)]
        index = np.array(games, dtype=np.uint64)
        seat = np.arange(len(index)) % self.players
        sitting = (np.arange(self.players)[:, None] != seat).astype(np.uint8)
        game = load(self.game)
        state = game.start(self.rules, self.players, self.seed, index)
        shares = RolloutTable(game, made, sitting).play(state)
        return np.stack([shares[seat, np.arange(len(index))], shares.mean(axis=0)])


def _noisy(spec: str, chance: float) -> str:
    return f"{NoisyStrategy.name}({spec}, {chance})"

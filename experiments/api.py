"""What ``import fairdeal`` offers: a game, its rules, and what can be asked of them.

The command line asks the same of the same functions. All cores play, lineups are
rotated, and a seed is drawn and told, where nothing else is said.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from experiments.core.cells import Cell, UsageError
from experiments.execution.results import Results
from experiments.execution.run import Progress, Stop, run
from sim import games as registry
from sim.parameters import Rules
from strategies import registry as strategies
from strategies.base import Strategy

if TYPE_CHECKING:
    from experiments.analysis.compare import Comparison
    from experiments.analysis.luck import LuckShares
    from experiments.analysis.power import SampleSizes
    from experiments.analysis.tournament import Tournament

Lineup = str | Strategy | Sequence[str | Strategy]
"""Who plays: a text as on the command line ("allround,greedy,random,random"; one name
fills all seats), a strategy, or a strategy or name for each seat."""
GAMES = 100_000
"""Games of one lineup unless said otherwise."""


@dataclass(frozen=True)
class RuleSet:
    """The rules in force of a game: a table that shows itself.

    >>> RuleSet.of("kunitame", {"life": 4}).differences
    {'life': (3, 4)}
    """

    game: str
    values: Rules

    @classmethod
    def of(
        cls, game: str, changes: Mapping[str, Any] | str | Path | None = None
    ) -> "RuleSet":
        """The base rules with changes, or a variant file; raises ``RuleError``."""
        known = registry.load(game)
        if changes is None or isinstance(changes, Mapping):
            return cls(game, known.rules.of(changes))
        from experiments.variants.variants import resolve_rules

        return cls(game, resolve_rules(known, Path(changes), ()).rules)

    def changed(
        self, changes: Mapping[str, Any] | None = None, /, **more: Any
    ) -> "RuleSet":
        """These rules with these changes, by key: ``{"squares.blue.gem": 3}``."""
        return RuleSet(self.game, self.values.changed({**(changes or {}), **more}))

    @property
    def differences(self) -> dict[str, tuple[Any, Any]]:
        """Where they differ from the base rules: key -> (base, here)."""
        return self.values.differences()

    @cached_property
    def table(self) -> pl.DataFrame:
        """A row a rule value: key, value, default, unit, allowed, meaning, source.

        ``assumed`` says why, where the value is not from the rulebook.
        """
        rows = [
            {
                "key": one.key,
                "value": _text(one.value),
                "default": _text(one.default),
                "unit": one.unit,
                "allowed": one.allowed,
                "meaning": one.doc,
                "source": one.source,
                "assumed": one.assumed,
            }
            for one in self.values.parameters()
        ]
        return pl.DataFrame(rows)

    def __repr__(self) -> str:
        """A line a rule value; what differs from the base is marked."""
        width = max(map(len, self.table["key"]))
        lines = [
            f"{self.game}: {len(self.differences)} of its rules differ from the base"
        ]
        for row in self.table.iter_rows(named=True):
            mark = "*" if row["value"] != row["default"] else " "
            lines.append(
                f"{mark} {row['key']:{width}}  {row['value']}  ({row['meaning']})"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return str(self.table._repr_html_())


class Game:
    """A game by its id, with its rules.

    >>> Game("kunitame").players
    (3, 4, 5)
    """

    def __init__(self, id: str) -> None:  # noqa: A002 - it is the game's id
        """Raise ``UnknownGame`` with the nearest name."""
        self._known = registry.load(id)

    @property
    def id(self) -> str:
        """The id that commands and files use."""
        return self._known.id

    @property
    def title(self) -> str:
        """The name of the game."""
        return self._known.title

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that it allows."""
        return self._known.players

    @property
    def strategies(self) -> list[str]:
        """The built-in strategies."""
        return list(strategies.builtin(self.id))

    def rules(
        self, changes: Mapping[str, Any] | str | Path | None = None, /, **more: Any
    ) -> RuleSet:
        """Every rule value, with these changes; a path is a variant file.

        >>> Game("kunitame").rules(life=4).values.life
        4

        Raises ``RuleError``, which names the place, what is allowed, the nearest key.
        """
        return RuleSet.of(self.id, changes).changed(more)

    def play(self, rules: RuleSet | None = None, **how: Any) -> Results:
        """Play one lineup; see ``play``."""
        return play(self.id if rules is None else rules, **how)

    def report(self, rules: RuleSet | None = None, **how: Any) -> "Report":
        """Play a panel of lineups and write a balance report; see ``report``."""
        return report(self.id if rules is None else rules, **how)

    def __repr__(self) -> str:
        """What it is, and who plays it."""
        counts = ", ".join(map(str, self.players))
        return (
            f"{self.title} ({self.id}), {counts} players\n"
            f"{registry.REGISTRY.get(self.id, '')}\n"
            f"strategies: {', '.join(self.strategies)}"
        )


@dataclass(frozen=True)
class Report:
    """A balance report that was written: where its page is, and what it found."""

    page: Path
    findings: tuple[str, ...]

    def show(self) -> None:
        """Open the page in a browser."""
        import webbrowser

        webbrowser.open(self.page.resolve().as_uri())

    def __repr__(self) -> str:
        """The findings, and where the page is."""
        return "\n".join([*(f"- {text}" for text in self.findings), f"{self.page}"])


@dataclass(frozen=True)
class Trace:
    """One game, event by event: ``events`` as transcripts have them, and told."""

    events: list[dict[str, Any]]
    told: str

    def __repr__(self) -> str:
        """The game as it is told to a person."""
        return self.told


def games() -> pl.DataFrame:
    """The games there are: game, title, players, about.

    >>> "kunitame" in games()["game"]
    True
    """
    known = [(registry.load(id_), about) for id_, about in registry.REGISTRY.items()]
    return pl.DataFrame(
        [
            {"game": one.id, "title": one.title, "players": one.players, "about": about}
            for one, about in known
        ]
    )


def play(
    rules: RuleSet | Game | str,
    *,
    lineup: Lineup = "random",
    players: int | None = None,
    games: int = GAMES,
    rotate: bool = True,
    seed: int | None = None,
    jobs: int = -1,
    detailed: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **how: Any,
) -> Results:
    """Play one lineup many times, and sum up who won and what came of it.

    Args:
        rules: a rule set, a game, or its id (its base rules).
        lineup: who plays, as ``Lineup`` says.
        players: how many sit at the table; 4, or the first number that can play.
        games: how many games in all.
        rotate: move the lineup on by a seat from game to game.
        seed: of all chance, 0 to 2**64 - 1; drawn where not given.
        jobs: processes; -1 for all cores. Results are the same for any number.
        detailed: take every measure of the game's report too, not only its end.
        progress: called with games done and games in all.
        stop: ends it before ``games``, when the first games say enough.
        how: ``out`` (a directory for the results), ``tables`` (raw tables to keep in
            it), ``backend`` and ``scheduler`` (a cluster).

    Raises ``UnknownGame``, ``UnknownStrategy``, ``RuleError`` or ``UsageError`` before
    anything is played, and ``StrategyFailed`` when a strategy fails.

    >>> play("kunitame", lineup="greedy", games=500, seed=1, jobs=1).played
    (500,)
    """
    cell = _cell(rules, lineup, players, rotate, seed)
    if "out" in how and how["out"] is not None:
        how["out"] = Path(how["out"])
    return run(
        [cell], games, jobs=jobs, detailed=detailed, progress=progress, stop=stop, **how
    )


def compare(
    one: RuleSet | Lineup,
    other: RuleSet | Lineup,
    *,
    rules: RuleSet | Game | str | None = None,
    lineup: Lineup | None = None,
    players: int | None = None,
    games: int = 16_384,
    seed: int | None = None,
    rotate: bool = True,
    jobs: int = -1,
    detailed: bool = True,
    **how: Any,
) -> "Comparison":
    """Compare two rule sets, or two lineups, on the same games.

    Args:
        one, other: rule sets; or lineups, which both play by ``rules``.
        rules: the rules of lineups, a game or its id.
        lineup: who plays by the rule sets; the strategy that leads reports by default.
        players, seed, rotate, jobs: as of ``play``.
        games: on each side.
        detailed: compare every measure of the game's report, not only its end.
        how: ``tolerance`` (what does not matter), ``out``, ``backend``, ``progress``.

    Raises what ``play`` raises, and ``UsageError`` where the sides do not fit.

    >>> game = Game("kunitame")
    >>> found = compare(
    ...     game.rules(), game.rules(life=4), games=200, seed=1, jobs=1, detailed=False
    ... )
    >>> found.games
    (200,)
    """
    from experiments.analysis.compare import compare as compared

    drawn = _seed(seed)
    cells = [
        _side(side, rules, lineup, players, rotate, drawn) for side in (one, other)
    ]
    return compared([cells[0]], [cells[1]], games, detailed=detailed, jobs=jobs, **how)


def power(
    one: RuleSet | Lineup,
    other: RuleSet | Lineup | None = None,
    *,
    difference: float = 0.01,
    measure: str = "won by position",
    power: float = 0.80,
    rules: RuleSet | Game | str | None = None,
    lineup: Lineup | None = None,
    players: int | None = None,
    pilot: int = 8_192,
    seed: int | None = None,
    jobs: int = -1,
    progress: Progress | None = None,
) -> "SampleSizes":
    """Tell how many games show a difference of this size, from a short pilot.

    Args:
        one, other, rules, lineup, players, seed, jobs: as of ``compare``; without
            ``other`` the pilot has one side.
        difference: in the unit of the measure; 0.01 is one point of a share.
        measure: which number, as ``fairdeal measures GAME`` names it.
        power: how often the difference is to be shown.
        pilot: games of the pilot.

    ``games`` of the result is the number that the most demanding group needs.

    >>> found = power("random", rules="kunitame", pilot=500, seed=1, jobs=1)
    >>> found.games > 1_000
    True
    """
    from experiments.analysis.power import sample_sizes

    drawn = _seed(seed)
    left = _side(one, rules, lineup, players, True, drawn)
    right = other and _side(other, rules, lineup, players, True, drawn)
    return sample_sizes(
        left,
        difference,
        measure=measure,
        other=right or None,
        chance=power,
        pilot=pilot,
        jobs=jobs,
        progress=progress,
    )


def tournament(
    rules: RuleSet | Game | str,
    strategies: Sequence[str] = (),
    *,
    players: int | None = None,
    games: int = 2_000,
    seed: int | None = None,
    jobs: int = -1,
    **how: Any,
) -> "Tournament":
    """Play every lineup of these strategies: who is strong, who beats whom.

    Args:
        rules, players, seed, jobs: as of ``play``.
        strategies: names or specs; all of the game's where none is named.
        games: of each lineup.
        how: ``pairs`` (tables of two strategies only), ``out``, ``progress``.

    >>> found = tournament("kunitame", ["greedy", "timid"], games=64, seed=1, jobs=1)
    >>> found.ratings.height
    2
    """
    from experiments.analysis.tournament import tournament as contest

    of = _rules(rules)
    return contest(
        of.game,
        strategies,
        players=_players(of.game, players),
        games=games,
        rules=of.values,
        seed=_seed(seed),
        jobs=jobs,
        **how,
    )


def luck(
    rules: RuleSet | Game | str,
    lineup: Lineup,
    *,
    players: int | None = None,
    deals: int = 4_096,
    seed: int | None = None,
    jobs: int = -1,
    **how: Any,
) -> "LuckShares":
    """Tell luck from skill: the same deals with the lineup moved round all seats.

    Args:
        rules, players, seed, jobs: as of ``play``.
        lineup: at least two different strategies.
        deals: each is played once for every seat.
        how: ``out``, ``progress``.

    >>> found = luck(
    ...     "kunitame", "greedy,random,random,random", deals=64, seed=1, jobs=1
    ... )
    >>> "won" in found.values
    True
    """
    from experiments.analysis.luck import luck_shares

    cell = _cell(rules, lineup, players, False, seed)
    return luck_shares(cell, deals, jobs=jobs, **how)


def report(
    rules: RuleSet | Game | str,
    *,
    out: str | Path | None = None,
    games: int | None = None,
    search_games: int | None = None,
    players: int | Sequence[int] | None = None,
    lineup: str | None = None,
    strategies: Sequence[str] = (),
    seed: int | None = None,
    jobs: int = -1,
    progress: Progress | None = None,
) -> Report:
    """Play a panel of lineups, and write a balance report to read in a browser.

    Args:
        rules, seed, jobs, progress: as of ``play``.
        out: a new directory; one under ``results/`` where not given.
        games: of each lineup and number of players; the game says how many otherwise.
        search_games: of each table at which somebody searches, which are slow; the game
            says how many otherwise; 0: nobody does.
        players: one number or several; all that the game allows by default.
        lineup: this lineup only, in place of the panel.
        strategies: specs of one's own, which join the panel.
    """
    from experiments.analysis.balance_report import report as reported
    from experiments.execution.files import directory

    of = _rules(rules)
    made = reported(
        of.game,
        games=games,
        search_games=search_games,
        players=(players,) if isinstance(players, int) else players,
        seed=_seed(seed),
        rules=of.values,
        lineup=lineup,
        strategies=strategies,
        jobs=jobs,
        out=directory(None if out is None else Path(out), of.game, "report"),
        progress=progress,
    )
    return Report(made.page, tuple(made.findings))


def trace(
    rules: RuleSet | Game | str,
    *,
    number: int = 0,
    seed: int | None = None,
    lineup: Lineup = "random",
    players: int | None = None,
    rotate: bool = True,
) -> Trace:
    """Tell one game, event by event.

    Args:
        number: which game of the run, from 0.
        rules, seed, lineup, players, rotate: as of ``play``; the same game as there.

    >>> trace("kunitame", number=7, seed=1).events[0]["type"]
    'setup'
    """
    from experiments.core import traces

    if not 0 <= number < 1 << 63:
        raise UsageError(f"number: 0 or more, not {number}.")
    cell = _cell(rules, lineup, players, rotate, seed)
    events = [dict(event) for event in traces.events(cell, [number])]
    text = "\n".join(str(line) for line in traces.texts(cell, [number]))
    return Trace(events, text)


def check(
    strategy: type[Strategy] | Strategy | str,
    rules: RuleSet | Game | str,
    *,
    games: int = 200,
    seed: int = 1,
) -> pl.DataFrame:
    """Hold a strategy to what every strategy must be: legal, repeatable, blind.

    Args:
        strategy: a class, a strategy, or a spec such as "my.py:Bold".
        rules: a rule set, a game, or its id.
        games: to play for each check.
        seed: of these games.

    A row a check: check, ok, found.
    """
    from experiments.conformance.check import check_strategy

    of = _rules(rules)
    one = strategy() if isinstance(strategy, type) else strategy
    found = check_strategy(of.game, one, rules=of.values, games=games, seed=seed)
    return pl.DataFrame(
        [{"check": one.name, "ok": one.ok, "found": one.detail} for one in found]
    )


def _rules(rules: RuleSet | Game | str) -> RuleSet:
    """The rule set that is meant; raises ``UnknownGame``."""
    if isinstance(rules, RuleSet):
        return rules
    return RuleSet.of(rules.id if isinstance(rules, Game) else rules)


def _seed(seed: int | None) -> int:
    """The seed, or one that is drawn; raises ``UsageError``."""
    if seed is None:
        return secrets.randbits(32)
    if not 0 <= seed < 1 << 64:
        raise UsageError(f"seed: 0 to {(1 << 64) - 1}, not {seed}.")
    return seed


def _players(game: str, players: int | None) -> int:
    """As many as are asked for; else 4, or the first number that can play."""
    allowed = registry.load(game).players
    if players is None:
        return 4 if 4 in allowed else allowed[0]
    return players


def _cell(
    rules: RuleSet | Game | str,
    lineup: Lineup,
    players: int | None,
    rotate: bool,
    seed: int | None,
) -> Cell:
    """What is to be played; as many players as the lineup seats, where not said."""
    of = _rules(rules)
    seats = 1
    if isinstance(lineup, str):
        seats += lineup.count(",")
    elif not isinstance(lineup, Strategy):
        seats = len(lineup)
    if players is None and seats in registry.load(of.game).players:
        players = seats
    count = _players(of.game, players)
    return Cell(
        of.game, of.values, count, _seated(of.game, lineup, count), rotate, _seed(seed)
    )


def _seated(game: str, lineup: Lineup, players: int) -> tuple[str | Strategy, ...]:
    """A strategy or spec for each seat; one fills all."""
    if isinstance(lineup, str):
        return strategies.seated(game, lineup, players)
    named = (lineup,) if isinstance(lineup, Strategy) else tuple(lineup)
    return named * players if len(named) == 1 else named


def _side(
    side: RuleSet | Lineup,
    rules: RuleSet | Game | str | None,
    lineup: Lineup | None,
    players: int | None,
    rotate: bool,
    seed: int,
) -> Cell:
    """A side of a comparison: rules with the common lineup, or the other way round."""
    if isinstance(side, RuleSet):
        return _cell(side, lineup or leading(side.game), players, rotate, seed)
    if rules is None:
        raise UsageError("rules: lineups are compared by rules; say which.")
    return _cell(rules, side, players, rotate, seed)


def leading(game: str) -> str:
    """The strategy that leads reports, or ``random`` where the game has none."""
    from experiments.analysis.panel import LEAD

    return LEAD if LEAD in strategies.builtin(game) else "random"


def _text(value: Any) -> str:
    """A rule value in words; of a table the ids of its rows."""
    if isinstance(value, list):
        rows = (str(row["id"]) if isinstance(row, dict) else str(row) for row in value)
        return ", ".join(rows)
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)

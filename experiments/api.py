"""What ``import fairdeal`` offers: a game, its rules, and what can be asked of them.

The command line asks the same of the same functions. All cores play, lineups are
rotated, and a seed is drawn and told, where nothing else is said.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from experiments.core.cells import unpaired
from experiments.execution.results import Results
from experiments.execution.run import Progress, Stop, run
from experiments.given import (
    GAMES,
    Lineup,
    cell_of,
    players_of,
    rule_set,
    seed_of,
    side_of,
)
from experiments.rule_set import RuleSet
from sim import games as registry
from strategies import registry as strategies
from strategies.base import Strategy
from strategies.specs import listed

if TYPE_CHECKING:
    from experiments.analysis.compare import Comparison, Tolerance
    from experiments.analysis.exploit import Exploit
    from experiments.analysis.find import Found
    from experiments.analysis.knockout import Knockout
    from experiments.analysis.levers import Levers
    from experiments.analysis.luck import LuckShares
    from experiments.analysis.playtest import Playtest
    from experiments.analysis.power import SampleSizes
    from experiments.analysis.replication import Replication
    from experiments.analysis.skill import Ladder
    from experiments.analysis.tournament import Tournament
    from experiments.analysis.tune import Tuned
    from reports.page import Finding, Verdict


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
    found: "tuple[Finding, ...]"
    verdict: "Verdict"
    replication: "Replication | None" = None

    @property
    def findings(self) -> tuple[str, ...]:
        """What it found, in words."""
        return tuple(finding.text for finding in self.found)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What to do, worst first: page one in at most five sentences."""
        return tuple(sentence.text for sentence in self.verdict.sentences)

    @property
    def scorecard(self) -> pl.DataFrame:
        """A row a line: its number, interval, tolerance and verdict."""
        return self.verdict.table

    def show(self) -> None:
        """Open the page in a browser."""
        import webbrowser

        webbrowser.open(self.page.resolve().as_uri())

    def __repr__(self) -> str:
        """What to do, and where the page is."""
        return "\n".join([*(f"- {text}" for text in self.sentences), f"{self.page}"])


@dataclass(frozen=True)
class Trace:
    """Games: ``events`` as transcripts have them, and told to people.

    ``reason`` says why this game, where one was looked for.
    """

    events: list[dict[str, Any]]
    told: str
    reason: str = ""

    def __repr__(self) -> str:
        """The games as they are told to a person."""
        return "\n\n".join(filter(None, (self.reason, self.told)))


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
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    tables: Sequence[str] = (),
    detailed: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
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
        backend: "loky" plays on this machine, "dask" on a cluster.
        scheduler: the cluster's address, as "tcp://host:8786".
        out: a directory for the results; none are kept where not given.
        tables: raw tables to keep there, by name.
        detailed: take every measure of the game's report too, not only its end.
        progress: called with games done and games in all.
        stop: ends it before ``games``, when the first games say enough.

    Raises ``UnknownGame``, ``UnknownStrategy``, ``RuleError`` or ``UsageError`` before
    anything is played, and ``StrategyFailed`` when a strategy fails.

    >>> play("kunitame", lineup="greedy", games=500, seed=1, jobs=1).played
    (500,)
    """
    cell = cell_of(rules, lineup, players, rotate, seed)
    return run(
        [cell],
        games,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        tables=tables,
        detailed=detailed,
        progress=progress,
        stop=stop,
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
    tolerance: "Tolerance | None" = None,
    detailed: bool = True,
    independent: bool = False,
    decide: str = "",
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Comparison":
    """Compare two rule sets, or two lineups, on the same games.

    Args:
        one, other: rule sets; or lineups, which both play by ``rules``.
        rules: the rules of lineups, a game or its id.
        lineup: who plays by the rule sets; the strategy that leads reports by default.
        players, seed, rotate, jobs, backend, scheduler, out, progress: as of ``play``.
        games: on each side.
        tolerance: what does not matter; 0.01 of a share, 5 % of other numbers.
        detailed: compare every measure of the game's report, not only its end.
        independent: give the other side games (a seed) of its own.
        decide: stop once this share is within the tolerance or outside it, as
            "won by position"; ``games`` are then the most.

    Raises what ``play`` raises, and ``UsageError`` where the sides do not fit.

    >>> game = Game("kunitame")
    >>> found = compare(
    ...     game.rules(), game.rules(life=4), games=200, seed=1, jobs=1, detailed=False
    ... )
    >>> found.games
    (200,)
    """
    from experiments.analysis.compare import Tolerance
    from experiments.analysis.compare import compare as compared
    from experiments.analysis.settled import settled
    from experiments.analysis.sides import another

    allowed = tolerance or Tolerance()
    drawn = seed_of(seed)
    cells = [
        side_of(side, rules, lineup, players, rotate, drawn) for side in (one, other)
    ]
    if independent:
        cells[1] = replace(cells[1], seed=another(drawn))
    return compared(
        [cells[0]],
        [cells[1]],
        games,
        tolerance=allowed,
        settled=settled(cells[0], decide, allowed.share) if decide else None,
        detailed=detailed,
        scored=True,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        progress=progress,
    )


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

    drawn = seed_of(seed)
    left = side_of(one, rules, lineup, players, True, drawn)
    right = other and side_of(other, rules, lineup, players, True, drawn)
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
    pairs: bool | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Tournament":
    """Play every lineup of these strategies: who is strong, who beats whom.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        strategies: names or specs; all of the game's where none is named.
        games: of each lineup.
        pairs: tables of two strategies only, or (False) every lineup; by default
            every one, up to 500.

    >>> found = tournament("kunitame", ["greedy", "timid"], games=64, seed=1, jobs=1)
    >>> found.ratings.height
    2
    """
    from experiments.analysis.tournament import tournament as contest

    of = rule_set(rules)
    return contest(
        of.game,
        strategies,
        players=players_of(of.game, players),
        games=games,
        rules=of.values,
        seed=seed_of(seed),
        pairs=pairs,
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        progress=progress,
    )


def knockout(
    rules: RuleSet | Game | str,
    strategy: str | Strategy | None = None,
    *,
    players: int | None = None,
    games: int = 16_384,
    precision: float | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Knockout":
    """Say what each decision and option is worth: wins lost by who may not use it.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        strategy: who plays in all seats, and in one of them is kept from one thing
            after the other; the strategy that leads reports by default.
        games: deals; each is played again without each option that was taken in it.
        precision: half the width of the widest interval, as 0.005; ``games`` are then
            a pilot.

    >>> found = knockout("kunitame", "greedy", games=64, seed=1, jobs=1)
    >>> "lost" in found.rows.columns
    True
    """
    from experiments.analysis.knockout import knockout as knocked_out
    from experiments.analysis.sides import leading

    of = rule_set(rules)
    return knocked_out(
        of.game,
        strategy or leading(of.game),
        players=players_of(of.game, players),
        games=games,
        precision=precision,
        rules=of.values,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        progress=progress,
    )


def exploit(
    rules: RuleSet | Game | str,
    against: str | None = None,
    *,
    players: int | None = None,
    games: int = 16_384,
    budget: int = 200_000,
    samples: int = 16,
    tolerance: float = 0.02,
    strategies: Sequence[str] = (),
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Exploit":
    """Look for the best response to a lineup, and say how much more it wins.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        against: the lineup, whose first strategy is replaced; one name fills all seats.
        games: fresh deals for the edge that is told; fewer with search.
        budget: about how many games select the candidates.
        samples: of ``search``; 0 leaves it out.
        tolerance: the edge that does not matter, as a share of wins.
        strategies: specs of one's own that are candidates too.

    >>> short = Game("kunitame").rules(weeks=1)
    >>> found = exploit(
    ...     short, "random", games=64, budget=1, samples=0, seed=1, jobs=1
    ... )
    >>> found.verdict
    'found'
    """
    from experiments.analysis.exploit import exploit as exploited
    from experiments.analysis.sides import leading

    of = rule_set(rules)
    lineup = against or leading(of.game)
    seats = len(listed(lineup))
    return exploited(
        of.game,
        lineup,
        players=seats
        if players is None and seats > 1
        else players_of(of.game, players),
        games=games,
        budget=budget,
        samples=samples,
        tolerance=tolerance,
        rules=of.values,
        strategies=strategies,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        progress=progress,
    )


def levers(
    rules: RuleSet | Game | str,
    strategy: str | Strategy | None = None,
    *,
    players: int | None = None,
    only: Sequence[str] = (),
    fine: bool = False,
    games: int | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Levers":
    """Say what one step of every rule does to the scorecard, on the same deals.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        strategy: who plays in all seats; the strategy that leads reports by default.
        only: keys of rules, as "life" or "squares.blue", to which it is limited.
        fine: also choices, lists and ranges in rows of tables.
        games: by each rule set; half as many as a report plays of a lineup by default.

    >>> found = levers("kunitame", only=["life"], games=64, seed=1, jobs=1)
    >>> found.ranked("length")["label"].to_list()
    ['life 3 -> 2', 'life 3 -> 4']
    """
    from experiments.analysis.levers import levers as found
    from experiments.analysis.sides import leading

    of = rule_set(rules)
    return found(
        of.game,
        strategy or leading(of.game),
        rules=of.values,
        players=players_of(of.game, players),
        only=only,
        fine=fine,
        games=games,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        progress=progress,
    )


def find(
    rules: RuleSet | Game | str,
    targets: Sequence[str],
    *,
    vary: Sequence[str] = (),
    strategy: str | Strategy | None = None,
    players: int | None = None,
    games: int = 16_384,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Found":
    """Find the fewest and smallest rule changes that surely meet targets.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as of ``play``.
        targets: lines of the scorecard with their bounds, as "positions <= 2pp".
        vary: rules with their values, as "life=1..8", or alone: one step of each;
            one step of every rule if none.
        strategy: who plays in all seats; the strategy that leads reports by default.
        games: fresh deals on which the last changes are held to the targets.

    >>> found = find(
    ...     "kunitame", ["length <= 14"], vary=["weeks=3"], games=1_024, seed=1, jobs=1
    ... )
    >>> found.met[0].step.label
    'weeks 4 -> 3'
    """
    from experiments.analysis.find import find as search
    from experiments.analysis.sides import leading

    of = rule_set(rules)
    return search(
        of.game,
        targets,
        vary=vary,
        strategy=strategy or leading(of.game),
        rules=of.values,
        players=players_of(of.game, players),
        games=games,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        progress=progress,
    )


def explore(
    game: Game | str,
    strategy: str | None = None,
    *,
    players: int | None = None,
    seed: int | None = None,
    variant: str | Path | None = None,
    settings: Sequence[str] = (),
    port: int = 8_765,
    browser: bool = False,
    jobs: int = -1,
    out: str | Path | None = None,
) -> None:
    """Serve a page on which rules are moved, on this machine, until Ctrl-C.

    Needs starlette and uvicorn: ``pip install 'fairdeal[explore]'``.

    Args:
        game, players, seed, jobs: as of ``play``.
        strategy: who plays in all seats at first; by default who leads reports.
        variant: a file with the rules that the base rests on.
        settings: what is changed at first, as ``["life=4"]``.
        port: where the page is; a free one where this is taken.
        browser: whether to open the page.
        out: where what was tried is kept; a new directory by default.
    """
    from experiments.analysis.sides import leading
    from experiments.execution.files import directory
    from experiments.explore.server import explore as serve

    name = game if isinstance(game, str) else game.id
    serve(
        name,
        strategy or leading(name),
        variant=None if variant is None else Path(variant),
        settings=settings,
        players=players_of(name, players),
        seed=seed_of(seed),
        port=port,
        browser=browser,
        jobs=jobs,
        out=directory(_path(out), name, "explore"),
    )


def luck(
    rules: RuleSet | Game | str,
    lineup: Lineup,
    *,
    players: int | None = None,
    deals: int = 4_096,
    seed: int | None = None,
    jobs: int = -1,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "LuckShares":
    """Tell luck from skill: the same deals with the lineup moved round all seats.

    Args:
        rules, players, seed, jobs, out, progress: as of ``play``.
        lineup: at least two different strategies.
        deals: each is played twice for every seat.

    >>> found = luck(
    ...     "kunitame", "greedy,random,random,random", deals=64, seed=1, jobs=1
    ... )
    >>> "won" in found.values
    True
    """
    from experiments.analysis.luck import luck_shares

    cell = cell_of(rules, lineup, players, False, seed)
    return luck_shares(cell, deals, jobs=jobs, out=_path(out), progress=progress)


def skill(
    rules: RuleSet | Game | str,
    strategies: Sequence[str] = (),
    *,
    players: int | None = None,
    against: str = "",
    search: str = "",
    budgets: Sequence[int] = (1, 2, 4, 8, 16, 32, 64, 128, 256),
    games: int = 2_048,
    precision: float | None = None,
    tolerance: float = 0.02,
    minutes: float | None = 5,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Ladder":
    """Climb from chance over heuristics to search: how deep is the game, how lucky.

    Args:
        rules, players, seed, jobs, backend, scheduler, progress: as of ``play``.
        strategies: the heuristics below search; all of the game's where none is named.
        against: who sits around each rung, the leading strategy where nobody is named;
            "before": the rung before it.
        search: a spec of the search, as "search:inner=greedy".
        budgets: samples a decision of the rungs of search.
        games: of each rung; of search this over the fourth root of its samples.
        precision: half the width of a win share's interval, in place of ``games``.
        tolerance: a gain that does not matter, as a share of wins.
        minutes: no rung is begun that would end later; None: as long as it takes.
        out: a directory for the games, from which the same call goes on.

    >>> short = Game("kunitame").rules(weeks=1)
    >>> found = skill(
    ...     short, ["random", "greedy"], budgets=[1], games=64, seed=1, jobs=1
    ... )
    >>> found.table["rung"].to_list()
    ['random', 'greedy', 'search:samples=1']
    """
    from experiments.analysis.skill import skill as climb

    of = rule_set(rules)
    return climb(
        of.game,
        strategies,
        rules=of.values,
        players=players_of(of.game, players),
        against=against,
        search=search,
        budgets=budgets,
        games=games,
        precision=precision,
        tolerance=tolerance,
        minutes=minutes,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        watch=lambda _: nullcontext(progress or (lambda _, __: None)),
    )


def tune(
    rules: RuleSet | Game | str,
    strategy: str,
    *,
    parameter: Sequence[str] = (),
    against: Sequence[str] = (),
    players: int | None = None,
    trials: int = 96,
    games: int = 8_192,
    fresh: int = 65_536,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Tuned":
    """Tune a strategy against a field; fresh games say whether it is surely better.

    Needs optuna: ``pip install 'fairdeal[tune]'``.

    Args:
        rules, players, seed, jobs, backend, scheduler, progress: as of ``play``.
        strategy: a spec, which says where it begins.
        parameter: what is tuned, as "gems" or "gems=1..4"; all that have a range.
        against: tables that it sits at (a lineup of the other seats each), whose mean
            counts; "panel" is a table of each strategy. The leading one by default.
        trials, games: how many parameters are tried, in how many games each.
        fresh: games that say what was gained.
        out: a directory for the games, from which the same call goes on.

    >>> found = tune("kunitame", "allround:gems=0")  # doctest: +SKIP
    >>> found.better  # doctest: +SKIP
    True
    """
    from experiments.analysis.tune import tune as tuned

    of = rule_set(rules)
    return tuned(
        of.game,
        strategy,
        rules=of.values,
        players=players_of(of.game, players),
        wanted=parameter,
        against=against,
        trials=trials,
        games=games,
        fresh=fresh,
        seed=seed_of(seed),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=_path(out),
        watch=lambda _: nullcontext(progress or (lambda _, __: None)),
    )


def report(
    rules: RuleSet | Game | str,
    *,
    out: str | Path | None = None,
    games: int | None = None,
    search_games: int | None = None,
    players: int | Sequence[int] | None = None,
    lineup: str | None = None,
    strategies: Sequence[str] = (),
    targets: str | Path | None = None,
    quick: bool = False,
    full: bool = False,
    replicate: bool = False,
    png: bool = False,
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
        targets: a file with tolerances for the scorecard.
        quick: page one only, of one number of players and fewer games.
        full: nothing is folded away on the page, and all of it is printed.
        replicate: play it again on fresh games, and say which claims held.
        png: draw figures as PNG too, beside SVG.
    """
    from experiments.analysis import balance_report, replication
    from experiments.execution.files import directory

    of, first = rule_set(rules), seed_of(seed)
    folder = directory(_path(out), of.game, "report")
    made = partial(
        balance_report.report,
        of.game,
        games=games,
        search_games=search_games,
        players=(players,) if isinstance(players, int) else players,
        rules=of.values,
        lineup=lineup,
        strategies=strategies,
        png=png,
        targets=_path(targets),
        quick=quick,
        full=full,
        jobs=jobs,
        progress=progress,
    )
    done = made(seed=first, out=folder)
    again = None
    if replicate:
        other = replication.fresh(first)
        found = made(seed=other, out=folder / "replication").found
        again = replication.replicated(done.found, found, other)
    return Report(done.page, done.found, done.verdict, again)


def trace(
    rules: RuleSet | Game | str | Results,
    *,
    number: int = 0,
    games: int = 1,
    find: str | None = None,
    among: int = 1_024,
    against: RuleSet | str | None = None,
    verbose: bool = False,
    log: bool = False,
    seed: int | None = None,
    lineup: Lineup = "random",
    players: int | None = None,
    rotate: bool = True,
) -> Trace:
    """Tell games as stories, look for one worth watching, or tell one under two rules.

    Args:
        rules: as of ``play``; or results, whose first lineup is told.
        number: which game of the run, from 0.
        games: so many, from this one on.
        find: "closest", "lopsided", "comeback", "typical", "longest" or "upset".
        among: so many games are looked through.
        against: another rule set, or a side as ``fairdeal compare`` takes them.
        verbose: every choice, with its options and the hand.
        log: every event on a line, instead of a story.
        seed, lineup, players, rotate: as of ``play``; the same game as there.

    >>> trace("kunitame", number=7, seed=1).events[0]["type"]
    'setup'
    >>> "margin of 0" in trace("kunitame", find="closest", among=32, seed=1).reason
    True
    """
    from experiments.analysis.told import told
    from experiments.core import traces

    if isinstance(rules, Results):
        cell = unpaired(rules.cells, "trace")[0]
    else:
        cell = cell_of(rules, lineup, players, rotate, seed)
    tale = told(
        cell,
        traces.numbers(number, games),
        kind=find,
        among=among,
        against=replace(cell, rules=against.values)
        if isinstance(against, RuleSet)
        else against,
        verbose=verbose,
        log=log,
    )
    events = [dict(event) for event in traces.events(cell, tale.numbers)]
    text = "\n".join(str(line) for line in tale.texts)
    return Trace(events, text, tale.found.reason if tale.found else "")


def playtest(
    file: str | Path,
    rules: RuleSet | Game | str,
    *,
    strategies: Sequence[str] = (),
    games: int = 16_384,
    seed: int | None = None,
) -> "Playtest":
    """Say what table sessions tell, beside games that are simulated.

    Args:
        file: a CSV file with a row a player and session: session, player, and as far as
            known score, position (1 is the first) and winner (yes or no).
        rules: by which they were played: a rule set, a game, or its id.
        strategies: that players may have; all of the game's where none is named.
        games: that are simulated for each number of players.
        seed: of the simulation.

    >>> playtest("sessions.csv", "kunitame", seed=1).mix  # doctest: +SKIP
    """
    from experiments.analysis.playtest import playtest as asked

    of = rule_set(rules)
    return asked(
        Path(file),
        of.game,
        of.values,
        specs=strategies,
        games=games,
        seed=seed_of(seed),
    )


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

    of = rule_set(rules)
    one = strategy() if isinstance(strategy, type) else strategy
    found = check_strategy(of.game, one, rules=of.values, games=games, seed=seed)
    return pl.DataFrame(
        [{"check": one.name, "ok": one.ok, "found": one.detail} for one in found]
    )


def _path(out: str | Path | None) -> Path | None:
    return None if out is None else Path(out)

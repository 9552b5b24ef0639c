"""Compare playtest sessions with simulated games.

First what the sessions say by themselves, beside players of each strength. Then which
mix of strategies the sessions look like, which differences are more than luck,
whether they contradict the simulation, and how many sessions would be enough. The
simulated games seat every combination of strategies, in random order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import sim.games
import strategies.registry
from experiments.analysis import (
    playtest_checks,
    playtest_sample_size,
    simulated_beside,
)
from experiments.analysis.own_table import OwnTable, own_table
from experiments.analysis.play_log import PlayLog, TableSession
from experiments.analysis.play_log_columns import Columns
from experiments.analysis.playtest_checks import LEVEL, p_value
from experiments.analysis.playtest_games import Array, Likeness, SessionTable, simulate
from experiments.analysis.playtest_sample_size import prior_width
from experiments.analysis.strength_games import play_levels
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import Progress
from reports.statistics import (
    multiple_comparisons,
    permutation_test,
    synthetic_likelihood,
)
from reports.statistics.permutation_test import Explained
from reports.statistics.synthetic_likelihood import CompanyModel
from sim.parameters import Rules

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = 16_384
"""Simulated games for each number of players, by default."""
LEVEL_PART = 8
"""Games at each level of strength are so many times fewer."""
_LITTLE = 0.50  # sessions say little if intervals are narrowed by less than this part
_NO_MIX = "No mix of these strategies fits, so their shares mean little."


@dataclass(frozen=True)
class Playtest:
    """What sessions show.

    ``mix``: strategy, estimate, low, high (95 %). ``luck``: whose differences, share of
    the spread, share by chance, p. ``checks``: statistics of the sessions, what the
    simulation expects, p; ``p`` is of all together. ``sentences`` put it in words.
    ``understood``: how the columns of the file were read; None if there was no file.
    ``own``: what the sessions say by themselves; ``beside``: their wins by position and
    those of simulated players of each strength (``simulated_beside.beside``).
    """

    sessions: int
    players: dict[int, int]
    mix: pl.DataFrame
    luck: pl.DataFrame
    checks: pl.DataFrame
    p: float
    more: pl.DataFrame
    sentences: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())
    understood: Columns | None = None
    own: OwnTable | None = None
    beside: pl.DataFrame = field(default_factory=pl.DataFrame)

    @property
    def first(self) -> list[str]:
        """What the sessions say by themselves and beside each strength, in words."""
        own = self.own.sentences if self.own else []
        return [*own, *simulated_beside.sentences(self.beside)]

    def plot(self) -> "Figure":
        """Draw the wins by position, of the sessions and of each strength."""
        if self.own is None or self.own.positions.is_empty():
            raise UsageError("nothing to draw: the sessions have no positions.")
        return simulated_beside.plot(self.own.positions, self.beside)

    @property
    def contradicts(self) -> bool:
        """Whether the sessions contradict the simulation."""
        return self.p < LEVEL

    def __repr__(self) -> str:
        """Return all sentences, as a list."""
        read = [self.understood.sentence] if self.understood else []
        sentences = (f"- {text}" for text in (*self.first, *self.sentences))
        return "\n".join([*read, *sentences, *self.notes])

    def plain(self) -> dict[str, Any]:
        """Return everything as plain values, for a file."""
        tables = ("mix", "luck", "checks", "more")
        return {
            "understood": self.understood and self.understood.plain(),
            "sessions": self.sessions,
            "players": self.players,
            "p": self.p,
            "contradicts": self.contradicts,
            "own": self.own and self.own.plain(),
            "beside": self.beside.to_dicts(),
            "sentences": [*self.first, *self.sentences],
            "notes": list(self.notes),
            **{name: getattr(self, name).to_dicts() for name in tables},
        }


def playtest(
    log: PlayLog,
    game: str,
    rules: Rules,
    *,
    games: int = GAMES,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    **how: Any,
) -> Playtest:
    """Evaluate the sessions of a file; ``how`` goes to ``playtest_of_sessions``.

    Players of each strength play ``games / LEVEL_PART`` games.
    """
    common: dict[str, Any] = {"games": games, "seed": seed, "progress": progress}
    result = playtest_of_sessions(log.sessions, game, rules, **common, **how)
    own = own_table(log.sessions, sim.games.load(game))
    played = {}
    for players in own.positions["players"].unique().sort():
        _begin(progress, f"players of each strength, {players} of them")
        cell = Cell(game, rules, players, ("random",), True, seed)
        played[players] = play_levels(
            cell, games // LEVEL_PART, jobs=jobs, progress=progress
        )
    beside = simulated_beside.beside(own.positions, played)
    return replace(result, understood=log.understood, own=own, beside=beside)


def playtest_of_sessions(
    sessions: Sequence[TableSession],
    game: str,
    rules: Rules,
    *,
    specs: Sequence[str] = (),
    games: int = GAMES,
    seed: int = 0,
    progress: Progress | None = None,
) -> Playtest:
    """Evaluate sessions that have been read; raises ``UsageError``.

    ``specs``: strategies that players may have; by default all of the game.
    """
    known = sim.games.load(game)
    named = specs or strategies.registry.builtin(game)
    lineup = [strategies.registry.make(game, spec) for spec in named]
    if games < 1_000:
        raise UsageError(f"games: at least 1000, not {games}.")
    by_count: dict[int, list[TableSession]] = {}
    for session in sessions:
        by_count.setdefault(len(session.seats), []).append(session)
    scored, notes = known.score is not None, []
    if not scored and any(session.scored for session in sessions):
        notes.append(f"Scores are ignored: {known.title} ends without scores.")
    tables, pools, likes, observed = [], [], [], []
    for players, group in sorted(by_count.items()):
        rules.check(players)
        table = SessionTable.of(group, scored)
        _begin(progress, f"simulating games of {players} players")
        pool = simulate(game, rules, players, lineup, games, seed, progress)
        likeness = Likeness(pool, table.scores is not None, table.placed)
        vectors = likeness.vectors(pool.scores, pool.won)
        companies = CompanyModel.of(pool.company, pool.counts, vectors)
        mean = likeness.vectors(table.scores, table.won).mean(axis=0)
        tables.append(table)
        pools.append(pool)
        likes.append(companies)
        observed.append((companies, mean, len(group)))
    drawn = synthetic_likelihood.posterior(observed, seed)
    mix = _mix([strategy.title for strategy in lineup], drawn)
    luck = _luck(tables, seed, progress)
    fewest = known.score is not None and known.score.fewest
    checked, p = playtest_checks.checks(tables, pools, drawn, fewest, seed)
    more, words = playtest_sample_size.sessions_needed(tables, pools, likes, drawn)
    fits = p >= LEVEL
    sentences = (
        *(_mix_words(mix, len(sessions)) if fits else [_NO_MIX]),
        *_luck_words(luck),
        *playtest_checks.check_words(checked, p, len(sessions)),
        *words,
    )
    counts = {players: len(group) for players, group in sorted(by_count.items())}
    return Playtest(
        len(sessions), counts, mix, luck, checked, p, more, sentences, tuple(notes)
    )


def _mix(titles: Sequence[str], drawn: Array) -> pl.DataFrame:
    """Return each strategy's share of the players."""
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    frame = pl.DataFrame(
        {"strategy": titles, "estimate": drawn.mean(axis=0), "low": low, "high": high}
    )
    return frame.sort("estimate", descending=True)


def _narrowed(mix: pl.DataFrame) -> float:
    """Return how much narrower intervals are than without sessions, 0 to 1."""
    if mix.height < 2:
        return 1.0
    widths = (mix["high"] - mix["low"]).to_numpy()
    return float(max(0.0, 1 - widths.mean() / prior_width(mix.height)))


def _mix_words(mix: pl.DataFrame, sessions: int) -> list[str]:
    """Say which mix the sessions look like, and how certain that is."""
    if mix.height < 2:
        return ["Only one strategy was named, so there is no mix to estimate."]
    even = 1 / mix.height
    first = mix.row(0, named=True)
    top = (
        f"{first['strategy']} with {100 * first['estimate']:.0f} % of the players "
        f"(95 % interval {100 * first['low']:.0f} to {100 * first['high']:.0f})"
    )
    common = mix.filter(pl.col("low") > even)["strategy"].to_list()
    text = f"No strategy stands out; the most common is {top}."
    if common:
        text = f"More than in an even mix play like {', '.join(common)}: {top}."
    rare = mix.filter(pl.col("high") < even)["strategy"].to_list()
    if rare:
        text += f" Fewer than in an even mix play like {', '.join(rare)}."
    narrowed = _narrowed(mix)
    amount = "little" if narrowed < _LITTLE else "something"
    start = f"{sessions:,} sessions say" if sessions > 1 else "One session says"
    return [
        f"{start} {amount} about how people play: the intervals are "
        f"{100 * narrowed:.0f} % narrower than without sessions. {text}"
    ]


def _begin(progress: Progress | None, words: str) -> None:
    """Announce the next step, if the progress has steps."""
    step = getattr(progress, "step", None)
    if step is not None:
        step(words)


def _luck(
    tables: Sequence[SessionTable], seed: int, progress: Progress | None = None
) -> pl.DataFrame:
    """Test whether players, or positions, differ by more than chance."""
    codes: dict[str, int] = {}
    for table in tables:
        for name in chain.from_iterable(table.names):
            codes.setdefault(name, len(codes))
    rows = []
    for what in ("scores", "wins"):
        values: list[Array] = []
        persons: list[NDArray[np.intp]] = []
        placed: list[tuple[Array, NDArray[np.intp]]] = []
        for table in tables:
            numbers = table.scores if what == "scores" else table.won.astype(np.float64)
            if numbers is None:
                continue
            for row, names in zip(numbers, table.names, strict=True):
                values.append(row)
                persons.append(np.array([codes[name] for name in names]))
                placed += [(row, np.arange(table.players))] * table.placed
        sets: list[tuple[str, list[Array], list[NDArray[np.intp]]]] = []
        if values and len(codes) < sum(map(len, values)):
            sets.append(("players", values, persons))
        if placed:
            rows_placed, positions = zip(*placed, strict=True)
            sets.append(("positions", [*rows_placed], [*positions]))
        tests: list[tuple[str, Explained | None]] = []
        for whose, tested, groups in sets:
            _begin(progress, f"shuffling {what} of {whose}")
            how: dict[str, Any] = {"seed": seed, "progress": progress}
            tests.append((whose, permutation_test.between(tested, groups, **how)))
        rows += [
            {
                "between": whose,
                "of": what,
                "share": explained.share,
                "chance": explained.chance,
                "low": explained.low,
                "high": explained.high,
                "p": explained.p,
            }
            for whose, explained in tests
            if explained is not None
        ]
    columns = ("share", "chance", "low", "high", "p")
    kinds = dict.fromkeys(columns, pl.Float64)
    schema = {"between": pl.String, "of": pl.String} | kinds
    frame = pl.DataFrame(rows, schema=schema)
    adjusted = (
        multiple_comparisons.adjust(frame["p"].to_numpy()) if rows else np.zeros(0)
    )
    return frame.with_columns(pl.Series("adjusted", adjusted, dtype=pl.Float64))


def _percent(share: float) -> str:
    """Return a share in percent; with many sessions shares are small."""
    return f"{100 * share:.0f}" if share >= 0.01 else f"{100 * share:.1g}"


def _luck_words(luck: pl.DataFrame) -> list[str]:
    """Say what is luck, in one sentence for players and one for positions."""
    sentences = []
    for whose in ("players", "positions"):
        rows = luck.filter(pl.col("between") == whose)
        if not rows.height:
            reason = "each sat only once" if whose == "players" else "none are recorded"
            sentences.append(f"Nothing can be said about {whose}: {reason}.")
            continue
        row = rows.sort("adjusted", "p").row(0, named=True)
        chance = (
            f"chance alone explains {_percent(row['chance'])} % "
            f"({_percent(row['low'])} to {_percent(row['high'])})"
        )
        share = f"{_percent(row['share'])} % of the spread of {row['of']}"
        if row["adjusted"] < LEVEL:
            sentences.append(
                f"Not only luck: the {whose} differ, which explains {share}, and "
                f"{chance}; p {p_value(row['adjusted'])}."
            )
        else:
            sentences.append(
                f"Differences between the {whose} may be luck: they explain {share}, "
                f"and {chance}; p {p_value(row['adjusted'])}."
            )
    return sentences

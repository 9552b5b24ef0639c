"""The twin of a playtest: what table sessions say, beside games that are simulated.

Which mix of strategies the sessions look like, what in them is more than luck, whether
they contradict the simulation, and how many more would tell. Simulated are games of
every company of strategies that can sit at a table, in every order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from experiments.analysis import playtest_checks, playtest_more
from experiments.analysis import sessions as files
from experiments.analysis.playtest_checks import LEVEL, p_value
from experiments.analysis.playtest_games import (
    Array,
    Likeness,
    SessionTable,
    simulate,
)
from experiments.analysis.playtest_more import prior_width
from experiments.analysis.sessions import Session
from experiments.core.cells import UsageError
from reports.statistics import families, permutations, synthetic
from reports.statistics.permutations import Explained
from reports.statistics.synthetic import Companies
from sim import games as registry
from sim.parameters import Rules
from strategies import registry as strategies

GAMES = 16_384
"""Simulated games unless said otherwise, for each number of players."""
_LITTLE = 0.50  # narrower intervals than without any session
_NO_MIX = "No mix of these strategies fits; the shares of them say little."


@dataclass(frozen=True)
class Playtest:
    """What sessions say.

    ``mix``: strategy, estimate, low, high (95 %). ``luck``: whose differences, share of
    the spread, by chance, p. ``checks``: what of the sessions was compared with the
    simulation, what it expects, p; ``p`` is of all together. ``sentences`` say it all.
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

    @property
    def contradicts(self) -> bool:
        """Whether the sessions contradict the simulation."""
        return self.p < LEVEL

    def __repr__(self) -> str:
        """What they say, in words."""
        return "\n".join([*(f"- {text}" for text in self.sentences), *self.notes])

    def plain(self) -> dict[str, Any]:
        """All of it, for a file."""
        tables = ("mix", "luck", "checks", "more")
        return {
            "sessions": self.sessions,
            "players": self.players,
            "p": self.p,
            "contradicts": self.contradicts,
            "sentences": list(self.sentences),
            "notes": list(self.notes),
            **{name: getattr(self, name).to_dicts() for name in tables},
        }


def playtest(
    path: Path,
    game: str,
    rules: Rules,
    *,
    specs: Sequence[str] = (),
    games: int = GAMES,
    seed: int = 0,
) -> Playtest:
    """Answer what the sessions of a file say; raises ``UsageError``.

    ``specs``: strategies that players may have; all of the game's where none is named.
    """
    known = registry.load(game)
    found = files.read(path, known.players, known.narrator.least)
    return of_sessions(found, game, rules, specs=specs, games=games, seed=seed)


def of_sessions(
    found: Sequence[Session],
    game: str,
    rules: Rules,
    *,
    specs: Sequence[str] = (),
    games: int = GAMES,
    seed: int = 0,
) -> Playtest:
    """Answer what sessions say that have been read; raises ``UsageError``."""
    known = registry.load(game)
    lineup = [strategies.make(game, s) for s in specs or strategies.builtin(game)]
    if games < 1_000:
        raise UsageError(f"games: at least 1000, not {games}.")
    by_count: dict[int, list[Session]] = {}
    for one in found:
        by_count.setdefault(len(one.seats), []).append(one)
    scored, notes = bool(known.narrator.score), []
    if not scored and any(one.scored for one in found):
        notes.append(f"Scores are left out: {known.title} has none at its end.")
    tables, pools, likes, seen = [], [], [], []
    for players, some in sorted(by_count.items()):
        rules.check(players)
        table = SessionTable.of(some, scored)
        pool = simulate(game, rules, players, lineup, games, seed)
        like = Likeness(pool, table.scores is not None, table.placed)
        companies = Companies.of(
            pool.company, pool.counts, like.vectors(pool.scores, pool.won)
        )
        mean = like.vectors(table.scores, table.won).mean(axis=0)
        tables.append(table)
        pools.append(pool)
        likes.append(companies)
        seen.append((companies, mean, len(some)))
    drawn = synthetic.posterior(seen, seed)
    mix = _mix([one.title for one in lineup], drawn)
    luck = _luck(tables, seed)
    checked, p = playtest_checks.checks(
        tables, pools, drawn, known.narrator.least, seed
    )
    more, words = playtest_more.more(tables, pools, likes, drawn, mix, seed)
    fits = p >= LEVEL
    sentences = (
        *(_mix_words(mix, len(found)) if fits else [_NO_MIX]),
        *_luck_words(luck),
        *playtest_checks.words(checked, p, len(found)),
        *words,
    )
    counts = {n: len(some) for n, some in sorted(by_count.items())}
    return Playtest(
        len(found), counts, mix, luck, checked, p, more, sentences, tuple(notes)
    )


def _mix(titles: Sequence[str], drawn: Array) -> pl.DataFrame:
    """Each strategy's share of the players."""
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    frame = pl.DataFrame(
        {"strategy": titles, "estimate": drawn.mean(axis=0), "low": low, "high": high}
    )
    return frame.sort("estimate", descending=True)


def _narrowed(mix: pl.DataFrame) -> float:
    """How much narrower the intervals are than without any session, 0 to 1."""
    if mix.height < 2:
        return 1.0
    widths = (mix["high"] - mix["low"]).to_numpy()
    return float(max(0.0, 1 - widths.mean() / prior_width(mix.height)))


def _mix_words(mix: pl.DataFrame, sessions: int) -> list[str]:
    """What mix they look like, and how sure that is."""
    if mix.height < 2:
        return ["One strategy was named, so there is no mix to tell."]
    even = 1 / mix.height
    first = mix.row(0, named=True)
    top = (
        f"{first['strategy']} {100 * first['estimate']:.0f} % of the players "
        f"(95 % interval {100 * first['low']:.0f} to {100 * first['high']:.0f})"
    )
    stands_out = mix.filter(pl.col("low") > even)["strategy"].to_list()
    said = f"No strategy stands out; most has {top}."
    if stands_out:
        said = f"They look like more {', '.join(stands_out)} than an even mix: {top}."
    few = mix.filter(pl.col("high") < even)["strategy"].to_list()
    if few:
        said += f" Fewer than in an even mix play like {', '.join(few)}."
    narrowed = _narrowed(mix)
    how = "says little" if narrowed < _LITTLE else "says something"
    start = f"{sessions} sessions" if sessions > 1 else "One session"
    how = how if sessions == 1 else how.replace("says", "say")
    return [
        f"{start} {how} about who plays how: the intervals are "
        f"{100 * narrowed:.0f} % narrower than without any. {said}"
    ]


def _luck(tables: Sequence[SessionTable], seed: int) -> pl.DataFrame:
    """Whether players, or positions, differ by more than chance."""
    codes: dict[str, int] = {}
    for table in tables:
        for name in (n for row in table.names for n in row):
            codes.setdefault(name, len(codes))
    rows = []
    for what in ("scores", "wins"):
        values, who, where = [], [], []
        for t in tables:
            numbers = t.scores if what == "scores" else t.won.astype(np.float64)
            if numbers is None:
                continue
            for at, row in enumerate(numbers):
                values.append(row)
                who.append(np.array([codes[name] for name in t.names[at]]))
                where.append(np.arange(t.players) if t.placed else None)
        placed = [(v, w) for v, w in zip(values, where, strict=True) if w is not None]
        tests: list[tuple[str, Explained | None]] = []
        if values and len(codes) < sum(map(len, values)):
            tests.append(("players", permutations.between(values, who, seed=seed)))
        if placed:
            groups = [w for _, w in placed]
            found = permutations.between([v for v, _ in placed], groups, seed=seed)
            tests.append(("positions", found))
        rows += [
            {
                "between": whose,
                "of": what,
                "share": f.share,
                "chance": f.chance,
                "low": f.low,
                "high": f.high,
                "p": f.p,
            }
            for whose, f in tests
            if f is not None
        ]
    names = ("share", "chance", "low", "high", "p")
    schema = {"between": pl.String, "of": pl.String} | dict.fromkeys(names, pl.Float64)
    frame = pl.DataFrame(rows, schema=schema)
    adjusted = families.adjust(frame["p"].to_numpy()) if rows else np.zeros(0)
    return frame.with_columns(pl.Series("adjusted", adjusted, dtype=pl.Float64))


def _luck_words(luck: pl.DataFrame) -> list[str]:
    """What is luck, in a sentence for players and one for positions."""
    said = []
    for whose in ("players", "positions"):
        rows = luck.filter(pl.col("between") == whose)
        if not rows.height:
            reason = "each sat only once" if whose == "players" else "none are written"
            said.append(f"Nothing can be said about {whose}: {reason}.")
            continue
        row = rows.sort("adjusted", "p").row(0, named=True)
        chance = (
            f"chance alone gives {100 * row['chance']:.0f} % "
            f"({100 * row['low']:.0f} to {100 * row['high']:.0f})"
        )
        share = f"{100 * row['share']:.0f} % of the spread of {row['of']}"
        if row["adjusted"] < LEVEL:
            said.append(
                f"Not only luck: the {whose} differ, which explains {share}, and "
                f"{chance}; p {p_value(row['adjusted'])}."
            )
        else:
            said.append(
                f"Differences between the {whose} may be luck: they explain {share}, "
                f"and {chance}; p {p_value(row['adjusted'])}."
            )
    return said

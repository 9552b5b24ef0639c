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
from numpy.typing import NDArray
from scipy import stats

from experiments.analysis import sessions as files
from experiments.analysis.playtest_games import (
    Array,
    Likeness,
    Pool,
    SessionTable,
    simulate,
)
from experiments.analysis.sessions import Session
from experiments.core.cells import UsageError
from reports.statistics import families, permutations, power, synthetic
from reports.statistics.permutations import Explained
from reports.statistics.synthetic import Companies
from sim import games as registry
from sim.parameters import Rules
from strategies import registry as strategies

GAMES = 16_384
"""Simulated games unless said otherwise, for each number of players."""
LEVEL = 0.05
"""Sessions that the simulation itself made are called contradictory this often."""
_REPLICAS = 1_000  # sets of sessions, as the simulation would have them
_POWER = 0.80
_FEW = 30  # sessions, with which little is seen
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
    found = files.read(path, known.players, known.story.least)
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
    scored, notes = bool(known.story.score), []
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
    checks, p = _checks(tables, pools, drawn, known.story.least, seed)
    more, words = _more(tables, pools, likes, drawn, mix, seed)
    fits = p >= LEVEL
    sentences = (
        *(_mix_words(mix, len(found)) if fits else [_NO_MIX]),
        *_luck_words(luck),
        *_check_words(checks, p, len(found)),
        *words,
    )
    counts = {n: len(some) for n, some in sorted(by_count.items())}
    return Playtest(
        len(found), counts, mix, luck, checks, p, more, sentences, tuple(notes)
    )


def _mix(titles: Sequence[str], drawn: Array) -> pl.DataFrame:
    """Each strategy's share of the players."""
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    frame = pl.DataFrame(
        {"strategy": titles, "estimate": drawn.mean(axis=0), "low": low, "high": high}
    )
    return frame.sort("estimate", descending=True)


def _prior_width(sorts: int) -> float:
    """How wide an interval is without any session."""
    return float(np.ptp(stats.beta(1, sorts - 1).ppf((0.025, 0.975))))


def _narrowed(mix: pl.DataFrame) -> float:
    """How much narrower the intervals are than without any session, 0 to 1."""
    if mix.height < 2:
        return 1.0
    widths = (mix["high"] - mix["low"]).to_numpy()
    return float(max(0.0, 1 - widths.mean() / _prior_width(mix.height)))


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
            {"between": whose, "of": what, "share": f.share, "chance": f.chance,
             "low": f.low, "high": f.high, "p": f.p}
            for whose, f in tests
            if f is not None
        ]  # fmt: skip
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
                f"{chance}; p {_p(row['adjusted'])}."
            )
        else:
            said.append(
                f"Differences between the {whose} may be luck: they explain {share}, "
                f"and {chance}; p {_p(row['adjusted'])}."
            )
    return said


def _p(value: float) -> str:
    return f"below {0.001}" if value < 0.001 else f"{value:.2g}"


_CHECKS = {
    "mean score": "the mean score",
    "spread of scores": "the spread of scores",
    "margin": "the margin between the best two",
    "wins by position": "the wins by position",
    "no single winner": "the sessions without a single winner",
}


def _statistics(
    table: SessionTable,
    scores: Array | None,
    won: NDArray[np.bool_],
    even: Array,
    least: bool,
) -> dict[str, Array]:
    """What is compared, of sets (sets, sessions, players) of sessions."""
    found: dict[str, Array] = {}
    if table.scores is not None and scores is not None:
        found["mean score"] = scores.mean(axis=(1, 2))
        found["spread of scores"] = scores.std(axis=(1, 2))
        best = np.sort(scores, axis=2)
        best = best if least else best[:, :, ::-1]
        found["margin"] = np.abs(best[:, :, 0] - best[:, :, 1]).mean(axis=1)
    if table.placed:
        expected = np.maximum(even * won.shape[1], 1e-9)
        found["wins by position"] = ((won.sum(axis=1) - expected) ** 2 / expected).sum(
            axis=1
        )
    found["no single winner"] = (~won.any(axis=2)).mean(axis=1)
    return found


def _checks(
    tables: Sequence[SessionTable],
    pools: Sequence[Pool],
    drawn: Array,
    least: bool,
    seed: int,
) -> tuple[pl.DataFrame, float]:
    """Compare the sessions with such as the simulation would have, by what fits them.

    A posterior predictive check (Gelman, Meng and Stern 1996, Stat. Sin. 6:733); the
    least p of several is judged by how often such sets have one as small.
    """
    rng = np.random.default_rng([seed, 1])
    mixes = drawn[rng.integers(len(drawn), size=_REPLICAS)]
    rows, ranks = [], []
    for table, pool in zip(tables, pools, strict=True):
        index = replicas(pool, mixes, len(table.won), rng)
        scores = None if pool.scores is None else pool.scores[index]
        won = pool.won[index]
        even = won.mean(axis=(0, 1))
        mine = None if table.scores is None else table.scores[None]
        here = _statistics(table, mine, table.won[None], even, least)
        there = _statistics(table, scores, won, even, least)
        for name, values in there.items():
            every = np.concatenate([here[name], values])
            if every.min() == every.max():
                continue
            ends = _two_sided(every, upper=name == "wins by position")
            low, middle, high = np.quantile(values, (0.025, 0.5, 0.975))
            rows.append(
                {"players": table.players, "what": name, "found": float(every[0]),
                 "expected": float(middle), "low": float(low), "high": float(high),
                 "p": float(ends[0])}
            )  # fmt: skip
            ranks.append(ends)
    numbers = dict.fromkeys(("found", "expected", "low", "high", "p"), pl.Float64)
    schema = {"players": pl.Int64, "what": pl.String} | numbers
    frame = pl.DataFrame(rows, schema=schema)
    if not ranks:
        return frame, 1.0
    smallest = np.min(ranks, axis=0)
    return frame, float((smallest <= smallest[0]).mean())


def replicas(
    pool: Pool, mixes: Array, sessions: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """(mixes, sessions) simulated games, each of a company that the mix would seat."""
    companies = Companies(pool.counts, np.zeros((len(pool.counts), 1)), np.zeros((1,)))
    chances = companies.chances(mixes).cumsum(axis=1)
    chances /= chances[:, -1:]
    drawn = rng.random((len(mixes), sessions))
    company = (drawn[:, :, None] > chances[:, None, :]).sum(axis=2)
    order = np.argsort(pool.company, kind="stable")
    many = np.bincount(pool.company, minlength=len(pool.counts))
    starts = np.concatenate([[0], many.cumsum()[:-1]])
    return np.asarray(
        order[starts[company] + rng.integers(many[company])], dtype=np.intp
    )


def _two_sided(values: Array, upper: bool) -> Array:
    """The p-value of each among all of them, itself included."""
    ordered = np.sort(values)
    above = (len(values) - np.searchsorted(ordered, values, "left")) / len(values)
    if upper:
        return np.asarray(above, dtype=np.float64)
    below = np.searchsorted(ordered, values, "right") / len(values)
    return np.asarray(np.minimum(1.0, 2 * np.minimum(above, below)), dtype=np.float64)


def _check_words(checks: pl.DataFrame, p: float, sessions: int) -> list[str]:
    """Whether they contradict the simulation."""
    if p >= LEVEL:
        odd = f"of sets that it makes itself {100 * p:.0f} of 100 look as odd"
        said = f"The sessions do not contradict the simulation (p {_p(p)}: {odd})."
        few = " So few sessions would show only a great difference."
        return [said + few * (sessions < _FEW)]
    row = checks.sort("p").row(0, named=True)
    found = f"{_CHECKS[row['what']]}: {row['found']:.3g} in the sessions"
    if row["what"] == "wins by position":
        found = f"the wins by position: {row['found']:.3g} from even as simulated"
    expected = f"{row['low']:.3g} to {row['high']:.3g} by any mix that fits"
    return [
        f"The sessions contradict the simulation (p {_p(p)}), most of all in {found}, "
        f"{expected}. People play otherwise than these strategies, or by other rules."
    ]


def _more(
    tables: Sequence[SessionTable],
    pools: Sequence[Pool],
    likes: Sequence[Companies],
    drawn: Array,
    mix: pl.DataFrame,
    seed: int,
) -> tuple[pl.DataFrame, list[str]]:
    """How many sessions would tell what these leave open."""
    big = max(range(len(tables)), key=lambda n: len(tables[n].won))
    table, pool, companies = tables[big], pools[big], likes[big]
    here, players = len(table.won), table.players
    even = 1 / players
    clear = np.sqrt(even * (1 - even))
    rows = [
        ("positions, as the simulation has them", _to_see(pool, companies, drawn)),
        (
            "a player who wins 10 points of 100 more than an even share",
            _round(int(power.games_to_detect(0.1, clear))),
        ),
    ]
    if mix.height > 1:
        half = "the mix, with intervals half as wide as without any session"
        rows.append((half, _to_tell(companies, drawn, here, seed)))
    frame = pl.DataFrame(
        [{"to tell": what, "sessions": None if n < 0 else n} for what, n in rows],
        schema={"to tell": pl.String, "sessions": pl.Int64},
    )
    told = "; ".join(
        f"{what}: {f'about {n:,}' if n >= 0 else f'more than {_FAR:,}'}"
        for what, n in rows
    )
    start = f"Sessions of {players} players that would tell (you have {here})"
    return frame, [f"{start}: {told}."]


_FAR = 100_000


def _to_see(pool: Pool, companies: Companies, drawn: Array) -> int:
    """Sessions with which a chi-square test of the wins shows the positions, at 80 %.

    The luck of the simulated games is taken off what they show.
    """
    players = pool.won.shape[1]
    many = np.bincount(pool.company, minlength=len(pool.counts))
    weight = (companies.chances(drawn).mean(axis=0) / many)[pool.company]
    wins = (weight[:, None] * pool.won).sum(axis=0)
    shares = wins / wins.sum()
    luck = (players - 1) * float((weight**2).sum() / weight.sum() ** 2)
    effect = float(((shares - 1 / players) ** 2 * players).sum()) - luck
    bound = stats.chi2(players - 1).ppf(0.95)
    for n in np.geomspace(10, _FAR, 200).astype(int):
        if stats.ncx2(players - 1, max(effect * n, 1e-12)).sf(bound) >= _POWER:
            return _round(int(n))
    return -1


def _to_tell(companies: Companies, drawn: Array, sessions: int, seed: int) -> int:
    """Sessions like these that make the intervals of the mix half as wide."""
    middle = drawn.mean(axis=0, keepdims=True)
    seen = (companies.chances(middle) @ companies.mean)[0]
    wide = _prior_width(drawn.shape[1]) / 2
    n = max(sessions, 10)
    while n < _FAR:
        some = synthetic.posterior([(companies, seen, n)], seed, steps=200)
        low, high = np.quantile(some, (0.025, 0.975), axis=0)
        if (high - low).mean() <= wide:
            return _round(n)
        n = n * 3 // 2
    return -1


def _round(n: int) -> int:
    """A number of which two digits matter."""
    digits = max(0, len(str(n)) - 2)
    return int(round(n, -digits))

"""What intervals, differences and plans promise, held to games that were played.

A long run of each side is cut into a thousand small studies, each of which is judged
by itself. How often they are right is a share, and has an interval of its own: of 99 %,
for several are looked at. The truth is that of the long run, which is known 30 times
as well as that of any study.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl
import pytest
from scipy import stats

from experiments.analysis.measure_differences import FAMILIES
from experiments.analysis.power import sample_sizes
from experiments.core.block_records import Block, record_block, report_context
from experiments.core.cells import Cell, with_roles
from experiments.core.measures import measures_of, report_of
from reports.batches import GameBatches
from reports.counts import grid
from reports.statistics import multiple_comparisons, paired_estimates
from reports.statistics.estimates import estimates
from sim.games import load

pytestmark = pytest.mark.soak  # intervals cover what they promise, in simulations

STUDIES, SIZE = 1_000, 250
GAMES = STUDIES * SIZE
CHUNK = 50_000  # games
RULES = {"kunitame": {}, "kbernestich": {"rounds": 1}}  # short games are as good
CHANGES = {"kunitame": {"life": 4}, "kbernestich": {"rounds": 1, "cubes": 3}}
NUMBER = {"kunitame": "points", "kbernestich": "scores"}


def cell(game, lineup="random", seed=1, rules=None):
    seats = tuple(lineup.split(","))
    seats *= 4 if len(seats) == 1 else 1
    rules = load(game).rules.of(RULES[game] if rules is None else rules)
    return Cell(game, rules, 4, seats, True, seed, lineup)


@lru_cache(maxsize=4)
def ends(side, games=GAMES):
    """How games ended: name of a number -> (games, seats), and who sat where."""
    parts = [
        record_block(side, Block(0, first, CHUNK), ("result",), [])[1]["result"]
        for first in range(0, games, CHUNK)
    ]
    rows = pl.concat(parts).sort("game", "seat")
    won = pl.col("winner").cast(pl.Int64) == pl.col("seat").cast(pl.Int64)
    numbers = load(side.game).events["result"].fields.keys() - {"winner", "by"}
    table = rows.select(won.alias("won"), *sorted(numbers))
    return {
        name: table[name].to_numpy().astype(float).reshape(-1, 4)
        for name in table.columns
    }


def sums(y):
    """Sums of studies (studies, games) of a number that each game has once."""
    return grid("m", y, np.ones(1), study=range(len(y))).sums(GameBatches(4))


def compared(y, v, kind, *, apart=False):
    """Differences y less v of studies (studies, games)."""
    batches = None if apart else GameBatches(4)
    return paired_estimates.differences(
        sums(y), sums(v), ("study",), y.shape[1], kind, batches=batches
    )


def kind_of(name):
    return "share" if name == "won" else "mean"


def inside(rows, truth):
    return int(((rows["low"] <= truth) & (rows["high"] >= truth)).sum())


def promised(hits, promise, of=STUDIES, at_least=False):
    """Whether a share of studies has the promised share in its own interval."""
    found = stats.binomtest(int(hits), int(of)).proportion_ci(0.99)
    return found.high >= promise and (at_least or found.low <= promise)


@pytest.mark.parametrize("game", RULES)
def test_the_same_variant_is_called_different_in_5_percent(game):
    """A/A: the same twice, each with a seed and so with games of its own."""
    here, there = ends(cell(game)), ends(cell(game, seed=2))
    p = []
    for name in here:
        sides = (side[name].reshape(STUDIES, SIZE, 4) for side in (here, there))
        y, v = sides
        for seat in range(4):
            rows = compared(y[..., seat], v[..., seat], kind_of(name), apart=True)
            p.append(rows["p"].to_numpy())
            called = (p[-1] <= 0.05).sum()
            assert inside(rows, 0) == STUDIES - called
            if seat == 0:
                assert promised(called, 0.05), (name, called)
    method = FAMILIES["end"][1]
    alarms = sum(
        multiple_comparisons.different(one, method).any() for one in np.transpose(p)
    )
    assert promised(alarms, 0.05, at_least=True) or alarms < 50
    assert alarms < stats.binom.ppf(0.995, STUDIES, 0.05)
    assert (np.array(p) <= 0.05).any(0).mean() > 0.2  # not held as a family


@pytest.mark.parametrize("game", RULES)
def test_intervals_of_win_shares_and_means_cover(game):
    for name, values in ends(cell(game)).items():
        y = values[:, 0].reshape(STUDIES, SIZE)
        rows = estimates(sums(y), kind_of(name), SIZE)
        assert promised(inside(rows, y.mean()), 0.95), name


@pytest.mark.parametrize("game", RULES)
def test_intervals_of_paired_differences_cover(game):
    """Base rules against a change on the same games: each number of a seat.

    The games that ``paired_estimates`` adds on the safe side make them a little
    wider.
    """
    here, there = ends(cell(game)), ends(cell(game, rules=CHANGES[game]))
    for name in here:
        sides = (side[name][:, 0].reshape(STUDIES, SIZE) for side in (here, there))
        y, v = sides
        assert (y != v).mean() > 0.05
        rows = compared(v, y, kind_of(name))
        covered = inside(rows, (v - y).mean())
        assert promised(covered, 0.95, at_least=True), (name, covered)
        assert covered < 0.98 * STUDIES


RATIOS = {
    "kunitame": {
        "made by strategy": {"strategy": "random"},
        "punished by week": {"week": 4},
        "staked": {"strategy": "random", "week": 2},
    },
    "kbernestich": {
        "bid made": {"bid": "2"},
        "over": {},
        "to by strategy": {"strategy": "random"},
    },
}


@pytest.mark.parametrize("game", RATIOS)
def test_intervals_of_ratios_of_the_report_cover(game):
    """Contracts or bids of a game go together, and not every game has as many."""
    size, one = 50, cell(game)
    report = report_of(game)
    names, parts = measures_of(game), {name: [] for name in RATIOS[game]}
    for first in range(0, STUDIES * size, 10_000):
        who, raw = record_block(one, Block(0, first, 10_000), report.all_notes, [])
        for counts in report.counts_of(raw, report_context(one, who), first):
            if counts.measure in parts:
                rows = of_games(counts, RATIOS[game][counts.measure], first)
                parts[counts.measure].append(rows)
    assert parts.keys() == RATIOS[game].keys()
    assert any(pl.concat(tables)["x"].n_unique() > 1 for tables in parts.values())
    for name, tables in parts.items():
        rows = pl.concat(tables)
        found = estimates(of_studies(rows, size), names[name].kind, size)
        truth = rows["y"].sum() / rows["x"].sum()
        wider = names[name].share  # never narrower than of independent rows
        covered = inside(found, truth)
        assert promised(covered, 0.95, found.height, wider), (name, covered)


def of_games(counts, group, first):
    """A row a game and group of a measure, of these groups, or of all."""
    labels = pl.DataFrame({"number": range(len(counts.groups)), **counts.labels})
    numbers = labels.filter(**group)["number"] if group else labels["number"]
    groups, game, y, x = counts.cells()
    here = np.isin(groups, numbers)
    return pl.DataFrame({"game": game[here] + first, "y": y[here], "x": x[here]})


def of_studies(rows, size):
    """Sums of each study, of numbers by game."""
    rows = rows.with_columns(pl.col("y", "x").cast(pl.Float64))
    y, x = pl.col("y"), pl.col("x")
    return rows.group_by(study=pl.col("game") // size).agg(
        y.sum(),
        x.sum(),
        yy=(y * y).sum(),
        xx=(x * x).sum(),
        xy=(x * y).sum(),
        games=(x != 0).sum(),
        yyy=(y * y * y).sum(),
    )


LINEUPS = {
    "kunitame": (
        "planner,allround,allround,allround",
        "greedy,allround,allround,allround",
    ),
    "kbernestich": ("bidder,random,random,random", "ducker,random,random,random"),
}


LONG = {"kunitame": 200_000, "kbernestich": 100_000}


def first_place(side, games):
    """How games ended for the first place of the lineup, wherever it sat."""
    seat = -np.arange(games) % 4
    found = ends(side, games)
    return {name: values[np.arange(games), seat] for name, values in found.items()}


@pytest.mark.parametrize("game", LINEUPS)
def test_power_of_a_plan_holds(game):
    """The games that ``power`` asks for show a difference in 80 % of studies.

    On the same games, and on games of their own: those of the next study.
    """
    one, other = (cell(game, lineup, rules={}) for lineup in LINEUPS[game])
    games = LONG[game]
    here, there = (first_place(side, games) for side in (one, other))
    roles = with_roles(one, other)[0].roles
    [group] = (f"strategy {name}" for name in roles if ">" in name)
    pilot = [replace(side, seed=2) for side in (one, other)]
    for name in ("won", NUMBER[game]):
        truth = abs((there[name] - here[name]).mean())
        plan = sample_sizes(
            pilot[0], truth, measure=f"{name} by strategy", other=pilot[1]
        )
        for column in ("paired", "apart"):
            size = int(plan.rows.filter(group=group)[column].item())
            studies = games // size
            y, v = (
                side[name][: studies * size].reshape(studies, size)
                for side in (here, there)
            )
            apart = column == "apart"
            rows = compared(
                np.roll(y, 1, 0) if apart else y, v, kind_of(name), apart=apart
            )
            shown = (rows["p"] <= 0.05).sum()
            assert studies > 300
            assert promised(shown, 0.80, studies), (name, column, size, shown)

"""The measures of the course of a game, as played and by chance.

Each is a number of a game, so that its difference from the null model of the same game
(``chance``) has an interval. If k seats lead together, or are last together, each
counts 1/k. All measures but lead changes are of games that somebody wins.
"""

from dataclasses import dataclass

import numpy as np

from reports.counts import Array, Counts, grid
from reports.course.null_model import shuffle_rounds
from reports.course.standings import Standings
from reports.measures import Measure, Statistic

BY_CHANCE, BEYOND = "by chance", "beyond chance"
LEADS = "leader at half wins"
CHANGES = "lead changes"


@dataclass(frozen=True)
class CourseMeasure:
    """A number of the course of a game: its name, meaning and kind."""

    name: str
    doc: str
    kind: Statistic


COURSE_MEASURES = (
    CourseMeasure(
        LEADS,
        "games won by the leader at half-time; equals share it",
        "share",
    ),
    CourseMeasure(
        "led before the last round",
        "games won by the leader before the last round; equals share it",
        "share",
    ),
    CourseMeasure(
        "comeback",
        "games won by the player who is last at half-time; equals share it",
        "share",
    ),
    CourseMeasure(
        "runaway",
        "games whose winner leads alone from the first third to the end",
        "share",
    ),
    CourseMeasure(
        CHANGES,
        "how often the sole leader changes in a game",
        "mean",
    ),
    CourseMeasure(
        "drama",
        "how far behind the winner is during the game: 0 never, 1 always last",
        "mean",
    ),
    CourseMeasure(
        "decisiveness",
        "part of the game played when the winner takes the sole lead for good",
        "mean",
    ),
)
MEASURES = tuple(
    Measure(
        f"{what.name} {ending}".rstrip(),
        f"{what.doc}{words}",
        "mean" if ending == BEYOND else what.kind,
        unit=unit if what.name != CHANGES else "",
    )
    for what in COURSE_MEASURES
    for ending, words, unit in (
        ("", "", ""),
        (BY_CHANCE, "; if rounds were independent", ""),
        (BEYOND, ": difference from independent rounds", "pp"),
    )
)
GAMES_BY_CHANGES = Measure(
    "games by lead changes",
    "games in which the sole leader changes this often",
    "share of games",
    by=("lead_changes",),
)


def counts(standing: Standings) -> list[Counts]:
    """Count all measures of these games, as played and by chance."""
    played, chance = numbers(standing), numbers(shuffle_rounds(standing))
    won = (standing.winner >= 0).astype(np.int64)
    all_counts = []
    for name, values in played.items():
        games = np.ones_like(won) if name == CHANGES else won
        each = {"": values, BY_CHANCE: chance[name], BEYOND: values - chance[name]}
        for ending, y in each.items():
            all_counts.append(grid(f"{name} {ending}".rstrip(), y * games, games))
    times = range(int(played[CHANGES].max(initial=0)) + 1)
    flags = np.stack([played[CHANGES] == n for n in times]).astype(np.int64)
    return [*all_counts, grid(GAMES_BY_CHANGES.name, flags, flags, lead_changes=times)]


def numbers(standing: Standings) -> dict[str, Array]:
    """Return each of ``COURSE_MEASURES``, (games,), by name.

    Fractions are rounded to multiples of 2**-12, whose sums are exact in any order.
    """
    values, winner = standing.values, np.maximum(standing.winner, 0)
    lasted = standing.rounds_played * standing.moments
    seats, games = values.shape[1:]
    here, others = np.arange(games), max(seats - 1, 1)
    own = values[:, winner, here]  # (moments, games)
    behind = np.zeros(games, dtype=np.int64)
    settled = np.zeros(games, dtype=np.int64)
    for moment, now in enumerate(values, start=1):
        winners, going = own[moment - 1], moment <= lasted
        best = now.max(axis=0)
        led = (winners == best) & (_over_seats(now == best) == 1)
        np.copyto(settled, moment, where=going & ~led)
        behind += _over_seats(now > winners) * (moment < lasted)
    settled = np.minimum(settled + 1, lasted)
    before = np.maximum((standing.rounds_played - 1) * standing.moments, 1)
    half, third = (np.maximum(lasted // part, 1) for part in (2, 3))
    values_of = {
        LEADS: _shared(values, own, half, best=True),
        "led before the last round": _shared(values, own, before, best=True),
        "comeback": _shared(values, own, half, best=False),
        "runaway": (settled <= third).astype(np.int64),
        CHANGES: lead_changes(values),  # none after the end
        "drama": behind / np.maximum(lasted - 1, 1) / others,
        "decisiveness": settled / lasted,
    }
    return {name: np.rint(4096 * value) / 4096 for name, value in values_of.items()}


def lead_changes(values: Array) -> Array:
    """Return (games,) how often the sole leader changes, from (moments, seats, games).

    The last sole leader stays the leader while several are ahead together.
    """
    leader = np.zeros(values.shape[-1], dtype=np.uint8)  # from 1; 0: nobody yet
    changes = np.zeros(values.shape[-1], dtype=np.int64)
    numbers = np.arange(1, values.shape[1] + 1, dtype=np.uint8)[:, None]
    for now in values:
        first = now == now.max(axis=0)
        alone = _over_seats(first) == 1
        leads = _over_seats(first * numbers)  # the seat, if it is first alone
        changes += alone & (leads != leader) & (leader != 0)
        np.copyto(leader, leads, where=alone)
    return changes


def _over_seats(values: Array) -> Array:
    """Add up flags or small numbers (seats, games) over seats; bytes are faster."""
    return np.add.reduce(values.view(np.uint8), axis=0, dtype=np.uint8)


def _shared(values: Array, own: Array, moment: Array, *, best: bool) -> Array:
    """Return (games,) 1/k if the winner is among k best, or last, after the moment."""
    now = np.take_along_axis(values, (moment - 1)[None, None], axis=0)[0]
    winners = np.take_along_axis(own, (moment - 1)[None], axis=0)[0]
    end = now.max(axis=0) if best else now.min(axis=0)
    shared: Array = (winners == end) / (now == end).sum(axis=0)
    return shared

"""The lines of a scorecard as data: the question, the measure and the tolerance.

Each line has a number with an interval, which ``reports.scorecard.score`` compares with
the line's tolerance. A designer can set tolerances in a file:

    [targets.positions]
    most = 0.03      # the best position wins at most 3 points more than the worst
    margin = 0.03    # up to 3 points beyond that: watch; more is broken

Lines with ``chance`` are compared with their value if being ahead meant nothing: their
tolerance is a difference from that value.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any

from reports.claims import TOLERANCE
from reports.scorecard.score_line import LineTolerance, ScoreLine

ROLES = 0.05
"""A role may win up to 5 points more or less of the games than an even share."""
SECONDS = 6.0
"""Seconds that a decision takes at the table by default."""

LINES = (
    ScoreLine(
        "positions",
        "Best position ahead by",
        "Does it matter where you sit?",
        "win share of the best position less that of the worst, chance deducted",
        "points",
        LineTolerance(most=0.03, margin=0.03),
        "it matters where you sit",
        section=("seats", "dealer", "start", "positions"),
        high="{best} wins {best_of} of 100 games and {worst} only {worst_of}, where "
        "{even} would be even",
        weight=2.0,
        claims=TOLERANCE,
        number="gap of positions",
        sort="fairness",
        more="less fair",
        less="fairer",
    ),
    ScoreLine(
        "later",
        "Best later starter ahead by",
        "Does it matter who begins a later phase?",
        "win share of the best position in a later phase less that of the worst, "
        "chance deducted; in games that draw anew who begins it",
        "points",
        LineTolerance(most=0.03, margin=0.03),
        "it matters who begins a later phase",
        section=("seats", "start", "positions"),
        high="In a later phase {best} wins {best_of} of 100 games and {worst} only "
        "{worst_of}, where {even} would be even",
        weight=2.0,
        claims=TOLERANCE,
        number="gap of later turns",
        sort="fairness",
        more="later turns are less fair",
        less="later turns are fairer",
    ),
    ScoreLine(
        "roles",
        "Best role ahead by",
        "Does it matter which role you are dealt?",
        "share of all games that the best role wins less that of the worst, chance "
        "deducted; in games that deal roles",
        "points",
        LineTolerance(most=0.10, margin=0.10),
        "it matters which role you are dealt",
        section=("virtues", "roles"),
        high="{best} wins {best_of} of 100 games and {worst} only {worst_of}, where "
        "{even} would be even",
        weight=2.0,
        claims=ROLES,
        number="gap of roles",
        sort="fairness",
        more="roles are less fair",
        less="roles are fairer",
    ),
    ScoreLine(
        "skill",
        "The best strategy beats beginners by",
        "Does the better player win?",
        "part of an even share that one beginner misses at a table of the leading "
        "strategy",
        "share",
        LineTolerance(least=0.25, margin=0.15),
        "the better player wins",
        section=("strategies",),
        low="Playing well hardly pays, as one beginner among good players wins "
        "{beginner_of} of 100 games, where {even} would be even",
        number="skill pays",
        sort="skill",
        more="skill pays more",
        less="skill pays less",
        least=0.05,
        mixed=True,
    ),
    ScoreLine(
        "luck",
        "How much of winning is luck",
        "How much of a win is luck?",
        "share of the variance of winning that is due to the deal and to other chance",
        "share",
        LineTolerance(most=0.9, margin=0.05),
        "luck decides nearly everything",
        section=("luck-and-skill",),
        high="Who wins is nearly all luck, at least {at_least} percent of it among "
        "{who}",
    ),
    ScoreLine(
        "early",
        "Winner leads for good after",
        "Are games decided too early?",
        "part of the game played when the winner takes the sole lead for good",
        "share",
        LineTolerance(least=-0.15, margin=0.10),
        "games are decided too early",
        chance=True,
        section=("course", "tension", "standing"),
        low="Games are decided too early, as the winner leads for good after {percent} "
        "percent of the game, where chance would take {chance_percent}",
        number="lead taken for good",
        sort="tension",
        more="decided later",
        less="decided earlier",
    ),
    ScoreLine(
        "runaway",
        "Early leader runs away",
        "Does the player ahead stay ahead?",
        "games whose winner leads alone from the first third to the end",
        "share",
        LineTolerance(most=0.10, margin=0.15),
        "an early leader runs away",
        chance=True,
        section=("course", "tension", "standing"),
        high="The early leader runs away, as {value_of} of 100 games are won by the "
        "leader from the first third on, where chance would give {chance_of}",
        number="runaway leader",
        sort="tension",
        more="the early leader wins more often",
        less="the early leader wins less often",
    ),
    ScoreLine(
        "half",
        "Leader at half-time wins",
        "Does the leader at half-time win?",
        "games won by the leader at half-time",
        "share",
        LineTolerance(most=0.15, margin=0.10),
        "the leader at half-time wins too often",
        chance=True,
        section=("course", "tension", "standing"),
        high="The leader at half-time wins {value_of} of 100 games, where chance would "
        "give {chance_of}",
    ),
    ScoreLine(
        "comeback",
        "Last at half-time wins",
        "Can the player who is behind still win?",
        "games won by the player who is last at half-time",
        "share",
        LineTolerance(least=-0.05, margin=0.05),
        "the player who is behind can still win",
        chance=True,
        section=("course", "tension", "standing"),
        low="The player who is last at half-time hardly comes back and wins {value_of} "
        "of 100 games, where chance would give {chance_of}",
        number="comebacks",
        sort="tension",
        more="more comebacks",
        less="fewer comebacks",
    ),
    ScoreLine(
        "changes",
        "Lead changes",
        "Does the lead change hands?",
        "changes of the sole leader in a game; allowed is a part of those by chance",
        "number",
        LineTolerance(least=-0.5, margin=0.25),
        "the lead changes hands often enough",
        unit="a game",
        chance=True,
        section=("course", "tension", "standing"),
        low="The lead seldom changes hands, {value} times a game, where chance would "
        "change it {chance} times",
        number="lead changes",
        sort="tension",
        more="the lead changes hands more",
        less="the lead changes hands less",
        least=0.05,
    ),
    ScoreLine(
        "ties",
        "Ends without a clear winner",
        "How often does play not decide the winner?",
        "games that nobody wins alone, or that a rule decides instead of play",
        "share",
        LineTolerance(most=0.05, margin=0.10),
        "play decides enough of the games",
        section=("endings", "ends", "course", "length"),
        high="Play leaves {value_of} of 100 games undecided, {how}",
        number="undecided by play",
        sort="fairness",
        more="more often undecided by play",
        less="less often undecided by play",
    ),
    ScoreLine(
        "dead",
        "Rarest option is taken",
        "Is there something that nobody ever does?",
        "how often the option taken least is taken, by the way to play that takes it "
        "most",
        "share",
        LineTolerance(least=0.02, margin=0.015),
        "some option is effectively dead",
        section=("taken",),
        low="{options} {is_are} effectively dead, as {they} hardly ever take {it_them}",
        never="{options} {is_are} never on offer",
        weight=0.5,
        number="rarest option",
        more="the rarest option is taken more",
        less="the rarest option is taken less",
    ),
    ScoreLine(
        "dominant",
        "Commonest option is taken",
        "Is there something that everyone always does?",
        "how often the option taken most is taken when it can be, by the strong player "
        "who takes it least",
        "share",
        LineTolerance(most=0.95, margin=0.03),
        "some option is not a real choice",
        section=("taken",),
        high="{options} {is_are} not a real choice, as {they} take {it_them} whenever "
        "they can",
        weight=0.5,
        number="commonest option",
        more="the commonest option is taken more",
        less="the commonest option is taken less",
    ),
    ScoreLine(
        "trap",
        "Worst option costs",
        "Is there something that you would be better off without?",
        "the most that a player of the leading strategy gains, in win share, if an "
        "option is forbidden",
        "points",
        LineTolerance(most=0.01, margin=0.02),
        "some option is a trap",
        section=("taken",),
        high="{options} {is_are} a trap for {they}, as a player who may not use "
        "{it_them} wins more",
    ),
    ScoreLine(
        "mechanic",
        "Least decision is worth",
        "Is there a kind of decision that makes no difference?",
        "the win share that a player loses who declines, or makes at random, the kind "
        "of decision that is worth least",
        "points",
        LineTolerance(least=0.01, margin=0.005),
        "some kind of decision makes no difference",
        section=("taken",),
        low="{options} {is_are} worth next to nothing to {they}, as one who declines, "
        "or decides at random, wins about as often or more",
        weight=0.5,
    ),
    ScoreLine(
        "outshines",
        "Best option is ahead by",
        "Is one option worth far more than all others of its kind?",
        "the win share that a player loses without the best option of a decision, less "
        "that lost without the second best; of decisions with three options or more",
        "points",
        LineTolerance(most=0.15, margin=0.05),
        "some option is worth far more than the others of its kind",
        section=("taken",),
        high="{options} {is_are} worth far more than all others of the kind, as a "
        "player without {it_them} loses {value} points of win share more",
        weight=0.5,
    ),
    ScoreLine(
        "plan",
        "A simple plan gains",
        "Does one simple strategy beat all others?",
        "win share above even of the best other heuristic, alone at a table of the "
        "leading one",
        "points",
        LineTolerance(most=0.03, margin=0.04),
        "a simple plan beats careful play",
        section=("strategies",),
        high="The simple plan {plan} beats careful play, as one player of it among "
        "{lead} wins {plan_of} of 100 games, where {even} would be even",
    ),
    ScoreLine(
        "length",
        "Length",
        "How long is a game?",
        "minutes that the decisions of all players take",
        "number",
        LineTolerance(most=90, margin=30),
        "games are too long",
        unit="minutes",
        section=("length",),
        high="A game is long: about {value} minutes, if a decision takes {seconds} "
        "seconds",
        number="length",
        sort="length",
        more="longer",
        less="shorter",
        least=0.0,
        relative=0.05,
    ),
    ScoreLine(
        "choices",
        "Decisions with a real choice",
        "How often is there a choice?",
        "decisions with more than one option, of all decisions",
        "share",
        LineTolerance(least=0.5, margin=0.2),
        "there is enough to decide",
        section=("length",),
        low="There is often nothing to decide, as only {value_of} of 100 decisions "
        "have more than one option",
        number="real choices",
        more="more decisions are real choices",
        less="fewer decisions are real choices",
    ),
    ScoreLine(
        "options",
        "Options to choose from",
        "How much is there to weigh up?",
        "options of a decision, on average",
        "number",
        LineTolerance(least=2, most=20, margin=1),
        "there is enough to weigh, and not too much",
        unit="options",
        section=("length",),
        low="There is little to choose from, {value} options a decision",
        high="There is much to weigh up, {value} options a decision",
        number="options a decision",
        more="more options a decision",
        less="fewer options a decision",
        least=0.0,
        relative=0.05,
    ),
)
"""The lines of every game, in the order of the scorecard."""
BY_ID = {line.id: line for line in LINES}


def with_targets(targets: Mapping[str, Mapping[str, Any]]) -> tuple[ScoreLine, ...]:
    """Return the lines with a designer's own tolerances.

    ``targets`` has a table for each line, by id, with ``least``, ``most`` and
    ``margin``; what it leaves out keeps its default. Raises ValueError with the key at
    fault, what is allowed, and the nearest known name.
    """
    names = [line.id for line in LINES]
    keys = [field.name for field in fields(LineTolerance)]
    for name, values in targets.items():
        if name not in names:
            raise ValueError(_unknown("targets", "line", name, names))
        if not isinstance(values, Mapping):
            raise ValueError(f"targets.{name}: a table with {', '.join(keys)}.")
        for key, value in values.items():
            if key not in keys:
                raise ValueError(_unknown(f"targets.{name}", "key", key, keys))
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError(f"targets.{name}.{key}: a number, not {value!r}.")
    return tuple(
        replace(line, tolerance=_changed(line, targets.get(line.id, {})))
        for line in LINES
    )


def _changed(line: ScoreLine, values: Mapping[str, Any]) -> LineTolerance:
    try:
        return replace(line.tolerance, **values)
    except ValueError as error:
        raise ValueError(f"targets.{line.id}: {error}") from None


def _unknown(place: str, what: str, name: str, names: list[str]) -> str:
    [near] = get_close_matches(name, names, 1, 0.0)
    allowed = ", ".join(names)
    return f"{place}: no {what} {name!r}; nearest is {near!r}. Allowed: {allowed}."

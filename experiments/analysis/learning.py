"""Learning from search what each answer is worth, and weights that tell it.

A teacher plays in all seats. At each of its decisions every answer is tried on deals
that could be, the same for all of them, and played on by the teacher, as ``search``
does; but none is dropped, so that what is found errs by chance only. The weights are a
linear regression of that at first, and then those by which a softmax over the answers
wins most: a choice alone would tell nothing of how much it was better.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import UsageError
from experiments.execution import disk, output
from experiments.execution.manifests import source
from sim.candidates import candidate_answers
from sim.games import Game, load
from sim.masks import Masks
from sim.parameters import Rules
from sim.rollouts import Determinizations, RolloutTable
from sim.view import Rows, View
from strategies.base import Strategy
from strategies.linear_policy import LinearPolicy, Reading, scores, weights_as_toml
from strategies.registry import make
from strategies.win_probability import win_probability

_AT_ONCE = 32_768  # games played on together
_COMMAND = "python -m experiments.analysis.learning"
_BATCH = 1_024  # games
_CHUNK = 1_024  # decisions
_LEAST = 1e-8  # of a variance: of products that never differ
_WHOLE = 100  # of a score of one
_TEMPERATURE = 0.01  # of a win: what makes a score of one at first
_STEPS, _LEAST_SPREAD = 60, 1e-3
PENALTY = 1e-7
"""For the squares of weights, of a win: the fewer the lessons, the more of it."""
Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class Lessons:
    """Options with what they are worth: those of a decision follow one another.

    options: (features, options); situation: (situations, decisions); of: (options,) the
    decision; worth: (options,) the share of the win, less that of the teacher's answer.
    """

    options: Numbers
    situation: Numbers
    of: Rows
    worth: Numbers


class _Pupil:
    """Plays as a teacher does, and notes what each answer would have been worth."""

    def __init__(
        self,
        game: Game,
        teacher: Strategy,
        readings: Mapping[str, Reading],
        samples: int,
    ) -> None:
        self.title = "pupil"
        self._game, self._teacher = game, teacher
        self._readings, self._samples = readings, samples
        self.notes: dict[str, list[Lessons]] = {kind: [] for kind in readings}

    def decide(self, view: View) -> Masks:
        """What the teacher answers."""
        plain: Masks = self._teacher.decide(view)
        kind = view.kind.name
        if kind not in self._readings:
            return plain
        of, answer = candidate_answers(view, plain)
        several = np.flatnonzero(np.bincount(of, minlength=len(view)) > 1)
        if not len(several):
            return plain
        some, told = view.take(several), plain.take(several)
        of, answer = candidate_answers(some, told)
        worth = self._worth(some, of, answer)
        worth -= worth[answer == told.take(of)].take(of)
        options, situation = self._readings[kind].of(some, of, answer, told)
        self.notes[kind].append(
            Lessons(_small(options), _small(situation), of, _small(worth))
        )
        return plain

    def _worth(self, view: View, of: Rows, answer: Masks) -> NDArray[np.float64]:
        """(answers,) the share of the win that each has."""
        state, teacher = view._state, self._teacher
        worth = win_probability(self._game.id, state.rules, state.players, teacher)
        imagined = Determinizations(view, [teacher], [teacher], worth)
        total = np.zeros(len(of))
        tried = np.cumsum(np.bincount(of, minlength=len(view)) * self._samples)
        first = np.searchsorted(of, np.arange(len(view) + 1))
        for rows in np.split(np.arange(len(view)), _cuts(tried)):
            # One deal of each row and sample; all answers of the row on it
            deal = rows.repeat(self._samples)
            sample = np.tile(np.arange(self._samples, dtype=np.uint64), len(rows))
            size = (first[1:] - first[:-1]).take(deal)
            game = np.arange(len(deal)).repeat(size)
            which = np.arange(len(game)) - (np.cumsum(size) - size).take(game)
            which += first.take(deal).take(game)
            won = imagined.values(deal, sample, game, answer.take(which))
            total += np.bincount(which, won, minlength=len(of))
        return total / self._samples


def _small(values: NDArray[Any]) -> Numbers:
    return values.astype(np.float32)


def _cuts(tried: Rows) -> Rows:
    """Where rows are parted, so that not too many games are played together."""
    return np.flatnonzero(np.diff(tried // _AT_ONCE)) + 1


def lessons(
    game: Game,
    rules: Rules,
    players: int,
    readings: Mapping[str, Reading],
    *,
    teacher: Strategy,
    games: int,
    samples: int,
    seed: int,
) -> dict[str, Lessons]:
    """What answers are worth, by kind of decision, in so many games of the teacher."""
    pupil = _Pupil(game, teacher, readings, samples)
    for first in range(0, games, _BATCH):
        index = np.arange(first, min(first + _BATCH, games), dtype=np.uint64)
        RolloutTable(game, [pupil]).play(game.start(rules, players, seed, index))
    return {kind: joined(found) for kind, found in pupil.notes.items() if found}


def joined(parts: Sequence[Lessons]) -> Lessons:
    """One of several, whose decisions are counted on."""
    before = np.cumsum([0, *(one.situation.shape[1] for one in parts)])
    return Lessons(
        np.concatenate([one.options for one in parts], axis=1),
        np.concatenate([one.situation for one in parts], axis=1),
        np.concatenate(
            [one.of + at for one, at in zip(parts, before[:-1], strict=True)]
        ),
        np.concatenate([one.worth for one in parts]),
    )


def fitted(found: Lessons, ridge: float = 0.01) -> NDArray[np.float64]:
    """(features, situations) weights that tell best what options are worth.

    Least squares of each option's worth, less the mean of its decision, on the products
    of its features and those of the situation, less theirs. ``ridge`` times its own
    variance is added to each product's, which keeps those apart that go together.
    """
    size = len(found.options) * len(found.situation)
    squares, products = np.zeros((size, size)), np.zeros(size)
    first = np.searchsorted(found.of, np.arange(found.situation.shape[1] + 1))
    for begin in range(0, len(first) - 1, _CHUNK):
        ends = first[begin : begin + _CHUNK + 1]
        some = slice(ends[0], ends[-1])
        of = found.of[some] - begin
        situation = found.situation[:, begin : begin + _CHUNK].take(of, axis=1)
        both = (found.options[:, None, some] * situation).reshape(size, -1)
        apart = [_less_mean(one, of, ends) for one in (both, found.worth[None, some])]
        squares += apart[0] @ apart[0].T
        products += apart[0] @ apart[1][0]
    squares[np.diag_indices(size)] *= 1 + ridge
    squares[np.diag_indices(size)] += _LEAST * first[-1]
    weights = np.linalg.solve(squares, products).astype(np.float64)
    return weights.reshape(len(found.options), -1)


def sharpened(
    found: Lessons, weights: NDArray[np.float64], penalty: float = PENALTY
) -> NDArray[np.float64]:
    """(features, situations) whole numbers by which a softmax of the scores wins most.

    The mean worth of what it chooses, exact for each decision, grows by steps of L-BFGS
    from weights that tell what options are worth. A penalty for large weights, in
    units of the features' spread, keeps it from learning chance by heart. Rounded, so
    that the last bits, which another processor may sum otherwise, hardly matter.
    """
    from scipy.optimize import minimize  # slow to import

    options, situation = found.options.astype(float), found.situation.astype(float)
    decisions, of = situation.shape[1], found.of
    first = np.searchsorted(of, np.arange(decisions))
    spread = np.sqrt((options**2).mean(axis=1))[:, None]
    spread = spread * np.sqrt((situation**2).mean(axis=1)) + _LEAST_SPREAD

    def losses(scaled: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        score = scores(scaled.reshape(spread.shape) / spread, options, situation, of)
        score -= np.maximum.reduceat(score, first).take(of)
        chance = np.exp(score)
        chance /= np.add.reduceat(chance, first).take(of)
        won = np.add.reduceat(chance * found.worth, first)
        chance *= found.worth - won.take(of)
        slope = np.add.reduceat(options * chance, first, axis=1) @ situation.T / spread
        loss = penalty * (scaled**2).sum() - won.mean()
        return loss, 2 * penalty * scaled - slope.reshape(-1) / decisions

    begin = (weights * spread / _TEMPERATURE).reshape(-1)
    best = minimize(
        losses, begin, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}
    )
    whole: NDArray[np.float64] = best.x.reshape(spread.shape) / spread * _WHOLE
    return np.rint(whole)


def _less_mean(values: Numbers, of: Rows, ends: Rows) -> NDArray[np.float64]:
    """(numbers, options) less the mean of each decision's options."""
    exact = values.astype(np.float64)
    means = np.add.reduceat(exact, ends[:-1] - ends[0], 1) / np.diff(ends)
    exact -= means.take(of, axis=1)
    return exact


def learn(
    game: str,
    strategy: str = "learned",
    players: Sequence[int] = (4,),
    *,
    games: int = 1_000,
    samples: int = 8,
    seed: int = 1,
    penalty: float = PENALTY,
) -> str:
    """A file of weights for a strategy, fitted to games of its teacher.

    So many games of each number of players, by the rules as they are printed. Raises
    ``UsageError`` of a strategy that has no weights.
    """
    pupil, known = _pupil(game, strategy), load(game)
    found: dict[str, list[Lessons]] = {}
    for count in players:
        told = lessons(
            known,
            known.rules.of({}),
            count,
            pupil.readings,
            teacher=pupil.teacher,
            games=games,
            samples=samples,
            seed=seed,
        )
        for kind, some in told.items():
            found.setdefault(kind, []).append(some)
    weights = {}
    for kind, parts in found.items():
        every = joined(parts)
        weights[kind] = sharpened(every, fitted(every), penalty)
    numbers = ",".join(map(str, players))
    about = {
        "command": f"{_COMMAND} {game} {strategy} --players {numbers} "
        f"--games {games} --samples {samples} --seed {seed}"
        + (f" --penalty {penalty}" if penalty != PENALTY else ""),
        "source": source(),
    }
    return weights_as_toml(about, pupil.readings, weights)


def _pupil(game: str, strategy: str) -> LinearPolicy:
    found = make(game, strategy)
    if not isinstance(found, LinearPolicy):
        raise UsageError(f"strategy {strategy!r} has no weights that could be fitted.")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit a strategy anew, and write its weights."""
    told = argparse.ArgumentParser(prog=_COMMAND, description=main.__doc__)
    told.add_argument("game")
    told.add_argument("strategy", nargs="?", default="learned")
    told.add_argument("--players", default="4", help="a number of them, or several")
    told.add_argument("--games", type=int, default=1_000, help="for each of these")
    told.add_argument("--samples", type=int, default=8, help="deals of each answer")
    told.add_argument("--seed", type=int, default=1)
    told.add_argument(
        "--penalty", type=float, default=PENALTY, help="for large weights"
    )
    told.add_argument("--out", type=Path, help="the file (default: the strategy's own)")
    given = vars(told.parse_args(arguments))
    players = [int(one) for one in given.pop("players").split(",")]
    if (out := given.pop("out")) is None:
        ours = _pupil(given["game"], given["strategy"]).data
        disk.write(ours, learn(players=players, **given).encode())
        return
    output.check_new(out, "--out")
    output.new_file(out, learn(players=players, **given).removesuffix("\n"), "--out")


if __name__ == "__main__":
    main()

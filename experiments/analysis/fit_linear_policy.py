"""Learn from search what each answer is worth, and fit weights that predict it.

A teacher plays in all seats. At each of its decisions, every answer is tried on the
same possible deals and played on by the teacher, as ``search`` does; but no answer is
dropped, so that the values are unbiased. The weights start as a linear regression of
these values, and are then improved to those by which a softmax over the answers wins
most: choices alone would not show how much better an answer is.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import UsageError
from experiments.execution import atomic_files, output_paths
from experiments.execution.manifests import source_hash
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

_ROLLOUTS = 32_768  # games played on together, which bounds memory
_COMMAND = "python -m experiments.analysis.fit_linear_policy"
_BATCH = 1_024  # games of the teacher at once
_CHUNK = 1_024  # decisions in a product of matrices
_LEAST_VARIANCE = 1e-8  # added for products that never differ
_WHOLE = 100  # the whole number that stands for a score of one
_TEMPERATURE = 0.01  # of a win: what gives a score of one at first
_STEPS, _LEAST_SPREAD = 60, 1e-3
PENALTY = 1e-7
"""For the squares of weights, in wins; with fewer lessons, take a larger one."""
Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class Lessons:
    """Options and their values; those of a decision are adjacent.

    options: (features, options); situation: (situations, decisions); of: (options,) the
    decision; worth: (options,) the share of the win minus that of the teacher's answer.
    """

    options: Numbers
    situation: Numbers
    decision: Rows
    worth: Numbers


class _Pupil:
    """Plays as its teacher, and notes what each answer would have been worth."""

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
        """Return the teacher's answer."""
        plain: Masks = self._teacher.decide(view)
        kind = view.kind.name
        if kind not in self._readings:
            return plain
        of, answer = candidate_answers(view, plain)
        several = np.flatnonzero(np.bincount(of, minlength=len(view)) > 1)
        if not len(several):
            return plain
        undecided, chosen = view.take(several), plain.take(several)
        of, answer = candidate_answers(undecided, chosen)
        worth = self._worth(undecided, of, answer)
        worth -= worth[answer == chosen.take(of)].take(of)
        options, situation = self._readings[kind].of(undecided, of, answer, chosen)
        self.notes[kind].append(
            Lessons(_small(options), _small(situation), of, _small(worth))
        )
        return plain

    def _worth(self, view: View, of: Rows, answer: Masks) -> NDArray[np.float64]:
        """Return (answers,): the share of the win of each."""
        state, teacher = view._state, self._teacher
        worth = win_probability(self._game.id, state.rules, state.players, teacher)
        imagined = Determinizations(view, [teacher], [teacher], worth)
        total = np.zeros(len(of))
        tried = np.cumsum(np.bincount(of, minlength=len(view)) * self._samples)
        first = np.searchsorted(of, np.arange(len(view) + 1))
        for rows in np.split(np.arange(len(view)), _cuts(tried)):
            # One deal for each row and sample, for all answers of the row
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
    """Return where to split rows, so that not too many games are played together."""
    return np.flatnonzero(np.diff(tried // _ROLLOUTS)) + 1


def collect_lessons(
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
    """Return what answers are worth in games of the teacher, by kind of decision."""
    pupil = _Pupil(game, teacher, readings, samples)
    for first in range(0, games, _BATCH):
        index = np.arange(first, min(first + _BATCH, games), dtype=np.uint64)
        RolloutTable(game, [pupil]).play(game.start(rules, players, seed, index))
    return {
        kind: concatenate_lessons(parts) for kind, parts in pupil.notes.items() if parts
    }


def concatenate_lessons(parts: Sequence[Lessons]) -> Lessons:
    """Join several into one, whose decisions are renumbered."""
    before = np.cumsum([0, *(part.situation.shape[1] for part in parts)])
    return Lessons(
        np.concatenate([part.options for part in parts], axis=1),
        np.concatenate([part.situation for part in parts], axis=1),
        np.concatenate(
            [
                part.decision + start
                for part, start in zip(parts, before[:-1], strict=True)
            ]
        ),
        np.concatenate([part.worth for part in parts]),
    )


def fit_ridge(lessons: Lessons, ridge: float = 0.01) -> NDArray[np.float64]:
    """Return (features, situations): weights that best predict what options are worth.

    Least squares of each option's worth on the products of its features and those of
    the situation, all centred by the mean over the options of a decision. ``ridge``
    times its variance is added to each product's, which separates correlated ones.
    """
    size = len(lessons.options) * len(lessons.situation)
    squares, products = np.zeros((size, size)), np.zeros(size)
    first = np.searchsorted(lessons.decision, np.arange(lessons.situation.shape[1] + 1))
    for begin in range(0, len(first) - 1, _CHUNK):
        ends = first[begin : begin + _CHUNK + 1]
        chunk = slice(ends[0], ends[-1])
        of = lessons.decision[chunk] - begin
        situation = lessons.situation[:, begin : begin + _CHUNK].take(of, axis=1)
        both = (lessons.options[:, None, chunk] * situation).reshape(size, -1)
        worth = lessons.worth[None, chunk]
        centred = [_less_mean(values, of, ends) for values in (both, worth)]
        squares += centred[0] @ centred[0].T
        products += centred[0] @ centred[1][0]
    squares[np.diag_indices(size)] *= 1 + ridge
    squares[np.diag_indices(size)] += _LEAST_VARIANCE * first[-1]
    weights = np.linalg.solve(squares, products).astype(np.float64)
    return weights.reshape(len(lessons.options), -1)


def fit_softmax(
    lessons: Lessons, weights: NDArray[np.float64], penalty: float = PENALTY
) -> NDArray[np.float64]:
    """Return (features, situations): integers by which a softmax of scores wins most.

    L-BFGS maximizes the expected worth of the choice, exact for each decision, starting
    from weights that predict what options are worth. A penalty for large weights, in
    units of the features' spread, prevents overfitting. Weights are rounded so that the
    last bits, which another processor may sum differently, hardly matter.
    """
    from scipy.optimize import minimize  # slow to import

    options, situation = lessons.options.astype(float), lessons.situation.astype(float)
    decisions, of = situation.shape[1], lessons.decision
    first = np.searchsorted(of, np.arange(decisions))
    spread = np.sqrt((options**2).mean(axis=1))[:, None]
    spread = spread * np.sqrt((situation**2).mean(axis=1)) + _LEAST_SPREAD

    def losses(scaled: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        score = scores(scaled.reshape(spread.shape) / spread, options, situation, of)
        score -= np.maximum.reduceat(score, first).take(of)
        chance = np.exp(score)
        chance /= np.add.reduceat(chance, first).take(of)
        won = np.add.reduceat(chance * lessons.worth, first)
        chance *= lessons.worth - won.take(of)
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
    """Return (numbers, options) centred by the mean over each decision's options."""
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
    """Return a file of weights for a strategy, fitted to games of its teacher.

    ``games`` are played with each number of players, by the printed rules. Raises
    ``UsageError`` for a strategy without weights.
    """
    pupil, known = _pupil(game, strategy), load(game)
    lessons_by_kind: dict[str, list[Lessons]] = {}
    for count in players:
        lessons_of_count = collect_lessons(
            known,
            known.rules.of({}),
            count,
            pupil.readings,
            teacher=pupil.teacher,
            games=games,
            samples=samples,
            seed=seed,
        )
        for kind, part in lessons_of_count.items():
            lessons_by_kind.setdefault(kind, []).append(part)
    weights = {}
    for kind, parts in lessons_by_kind.items():
        all_lessons = concatenate_lessons(parts)
        weights[kind] = fit_softmax(all_lessons, fit_ridge(all_lessons), penalty)
    numbers = ",".join(map(str, players))
    about = {
        "command": f"{_COMMAND} {game} {strategy} --players {numbers} "
        f"--games {games} --samples {samples} --seed {seed}"
        + (f" --penalty {penalty}" if penalty != PENALTY else ""),
        "source": source_hash(),
    }
    return weights_as_toml(about, pupil.readings, weights)


def _pupil(game: str, strategy: str) -> LinearPolicy:
    pupil = make(game, strategy)
    if not isinstance(pupil, LinearPolicy):
        raise UsageError(f"strategy {strategy!r} has no weights that could be fitted.")
    return pupil


def main(arguments: Sequence[str] | None = None) -> None:
    """Refit a strategy, and write its weights."""
    parser = argparse.ArgumentParser(prog=_COMMAND, description=main.__doc__)
    parser.add_argument("game")
    parser.add_argument("strategy", nargs="?", default="learned")
    parser.add_argument("--players", default="4", help="numbers of players, as 3,4")
    parser.add_argument("--games", type=int, default=1_000, help="for each number")
    parser.add_argument("--samples", type=int, default=8, help="deals for each answer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--penalty", type=float, default=PENALTY, help="for large weights"
    )
    parser.add_argument("--out", type=Path, help="file (default: the strategy's own)")
    given = vars(parser.parse_args(arguments))
    players = [int(number) for number in given.pop("players").split(",")]
    if (out := given.pop("out")) is None:
        weights_file = _pupil(given["game"], given["strategy"]).data
        atomic_files.write_file(weights_file, learn(players=players, **given).encode())
        return
    output_paths.check_new(out, "--out")
    output_paths.new_file(
        out, learn(players=players, **given).removesuffix("\n"), "--out"
    )


if __name__ == "__main__":
    main()

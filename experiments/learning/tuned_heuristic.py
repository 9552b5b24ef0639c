"""The leading heuristic with the declared parameters that fit the rules in force.

A heuristic was written for the base rules; under others, another value of one of its
parameters may win much more. Parameters are moved one at a time, as long as one player
who moved wins more among those who did not: an approximate equilibrium by iterated best
response. Many moves are tried on few games, and the best is measured again on others,
so that no chance counts as a gain.
"""

from collections.abc import Iterator

from experiments.analysis.search_space import knobs, spec_of
from experiments.core.cells import UsageError
from experiments.learning.training_rounds import Training
from strategies import registry

_STEP = 0.25  # of a parameter's scale, which goes from 0 to 1
_TURNS = 5  # moves, at most
_LEAST = 2.0  # points that a move has to gain
_TRIED_GAMES, _FRESH_GAMES = 512, 4_096
_TRIED, _FRESH = 2_000, 2_500  # the numbers of their first blocks
_BLOCKS = 32  # between those of two turns


def tuned(training: Training, spec: str) -> str:
    """The spec of the heuristic, such that one who moves a parameter gains little.

    training: the rules and numbers of players for which it is tuned.
    """
    for turn in range(_TURNS):
        tried = [*_moved(training.task.game, spec)]
        if not tried:
            break
        sizes, first = training.task.players, turn * _BLOCKS
        games = _TRIED_GAMES * len(sizes)
        sides = {one: one for one in tried}
        won = training.shares(sides, [spec], games, _TRIED + first, sizes)
        best = max(tried, key=lambda one: won[one].mean())
        gain = training.gain(best, spec, [spec], _FRESH_GAMES, _FRESH + first)
        if not (gain.clear and gain.points > _LEAST):
            break
        spec = best
    return spec


def _moved(game: str, spec: str) -> Iterator[str]:
    """The specs with one parameter moved a step either way along its scale."""
    made = registry.make(game, spec)
    try:
        free = knobs(made)
    except UsageError:  # it has no parameters
        return
    for knob in free:
        value = getattr(made, knob.name)
        place = knob.place(value)
        for to in (place - _STEP, place + _STEP):
            moved = knob.value(min(max(to, 0.0), 1.0))
            if moved != value:
                yield spec_of(spec, {knob.name: moved})

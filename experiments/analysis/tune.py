"""Tune a strategy: find better parameters against a field, and measure the gain.

Optuna proposes parameters in batches and learns how often each won on the same deals
(ask and tell, tree-structured Parzen estimator: Bergstra, Bardenet, Bengio & Kegl 2011,
NeurIPS 24). The best of many noisy values looks better than it is (winner's curse), so
the best few meet again on other deals, and the winner is compared with the untuned
strategy on fresh deals that had no part in choosing it. Only that difference is the
gain of tuning.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.analysis import multi_run
from experiments.analysis.compare import compare
from experiments.analysis.multi_run import StageProgress, silent
from experiments.analysis.search_space import Knob, Values, knobs, spec_of
from experiments.analysis.tuning_result import (
    FreshComparison,
    TuningResult,
    TuningTrial,
)
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import run
from experiments.studies.lineups import default_lineup
from sim.parameters import Rules
from strategies import registry

if TYPE_CHECKING:
    import optuna

TRIALS, GAMES, FRESH = 96, 8_192, 65_536
"""Default numbers of trials, of games of each, and of games on fresh deals."""
PANEL = "panel"
BATCH = 8  # trials per batch; not the number of processes, so that results are equal
FINALISTS = 6
_FINALIST_GAMES = 4  # times the games of a trial
_SEED_STEP = 1_000  # between the seeds of the fields of a stage


def tune(  # noqa: PLR0913 - all that the command line knows
    game: str,
    strategy: str,
    *,
    rules: Rules,
    players: int,
    wanted: Sequence[str] = (),
    against: Sequence[str] = (),
    trials: int = TRIALS,
    games: int = GAMES,
    fresh: int = FRESH,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    watch: StageProgress = silent,
    **how: Any,
) -> TuningResult:
    """Tune the parameters of a strategy, starting from those of its spec.

    ``wanted``: which parameters, as ``gems`` or ``gems=1..4``; by default all that have
    a range. ``against``: fields, each one strategy for all other seats or one for each;
    the mean over several fields counts, and ``PANEL`` stands for a field of each
    strategy of the game. By default the leading heuristic. ``games`` of a trial against
    each field, ``fresh`` of the final comparison. ``how`` goes to ``run``.

    Raises ``UsageError`` or ``UnknownStrategy`` before it plays, and if optuna is not
    installed.
    """
    made = registry.make(game, strategy)
    bench = _Bench(
        game,
        rules,
        players,
        strategy,
        knobs(made, wanted),
        _fields(game, against),
        seed,
        {"jobs": jobs, **how},
        watch,
    )
    if trials < 2 or games < 2 or fresh < 2:
        raise UsageError("trials, games, fresh: at least 2 each.")
    bench.cells([strategy], seed)
    study = _study(seed)
    start = {knob.name: getattr(made, knob.name) for knob in bench.knobs}
    asked = {
        "what": "tune",
        "game": game,
        "players": players,
        "strategy": made.title,
        "parameters": [repr(knob) for knob in bench.knobs],
        "against": list(bench.fields),
        "trials": trials,
        "games": games,
        "seed": seed,
        "optuna": _version(),
    }
    with multi_run.stage_folder(out, asked) as folder:
        played = _run_trials(bench, study, start, trials, games, folder)
        best = _winner(bench, played, _FINALIST_GAMES * games, folder)
        compared: tuple[FreshComparison, ...] = ()
        if best.spec != played[0].spec:
            compared = bench.compare_fresh(best.spec, fresh, folder / "fresh")
    return TuningResult(
        game,
        rules,
        players,
        strategy,
        bench.knobs,
        bench.fields,
        tuple(played),
        best,
        compared,
        seed,
    )


@dataclass(frozen=True)
class _Bench:
    """Plays strategies with given parameters against the fields."""

    game: str
    rules: Rules
    players: int
    strategy: str
    knobs: tuple[Knob, ...]
    fields: tuple[str, ...]
    seed: int
    how: Mapping[str, Any]
    watch: StageProgress

    def spec(self, values: Values) -> str:
        """Return the spec of the strategy with these parameters."""
        return spec_of(self.strategy, values)

    def cells(self, specs: Iterable[str], seed: int) -> list[Cell]:
        """Return a cell for each spec and field; each field has its own deals."""
        return [
            self._cell(spec, field, (seed + number * _SEED_STEP) % (1 << 64))
            for spec in specs
            for number, field in enumerate(self.fields)
        ]

    def _cell(self, spec: str, field: str, seed: int) -> Cell:
        others = registry.seat_specs(self.game, field, self.players - 1)
        return Cell(
            self.game, self.rules, self.players, (spec, *others), True, seed, spec
        )

    def shares(
        self, specs: Sequence[str], games: int, seed: int, folder: Path
    ) -> list[float]:
        """Return the win share of each spec on the same deals, averaged over fields."""
        cells = self.cells(specs, seed)
        with self.watch(folder.name) as progress:
            results = run(cells, games, out=folder, progress=progress, **self.how)
        titles = [cell.strategies()[0].title for cell in cells]
        sums = results.sums.filter(measure="won by strategy")
        won = {
            (row["cell"], row["strategy"]): row["y"] / row["x"]
            for row in sums.iter_rows(named=True)
        }
        shares = [won[number, title] for number, title in enumerate(titles)]
        size = len(self.fields)
        starts = range(0, len(shares), size)
        return [math.fsum(shares[start : start + size]) / size for start in starts]

    def compare_fresh(
        self, spec: str, games: int, folder: Path
    ) -> tuple[FreshComparison, ...]:
        """Compare the spec with the untuned strategy on fresh deals."""
        seed = self.seed + 2
        base, changed = (self.cells([side], seed) for side in (self.strategy, spec))
        with self.watch(folder.name) as progress:
            comparison = compare(
                base,
                changed,
                games,
                detailed=False,
                out=folder,
                progress=progress,
                **self.how,
            )
        titles = (registry.title(self.game, side) for side in (self.strategy, spec))
        rows = comparison.rows.filter(
            measure="won by strategy", group=f"strategy {' -> '.join(titles)}"
        ).sort("cell")
        return tuple(
            FreshComparison(
                field,
                untuned=row["one"],
                tuned=row["other"],
                gain=row["difference"],
                low=row["low"],
                high=row["high"],
                se=row["se"],
                games=games,
            )
            for field, row in zip(self.fields, rows.iter_rows(named=True), strict=True)
        )


def _run_trials(
    bench: _Bench,
    study: "optuna.Study",
    start: Values,
    trials: int,
    games: int,
    folder: Path,
) -> list[TuningTrial]:
    """Return all trials, the untuned strategy first; repeats are not played again."""
    from optuna.distributions import BaseDistribution, FloatDistribution

    knobs = bench.knobs
    study.enqueue_trial({knob.name: knob.place(start[knob.name]) for knob in knobs})
    space: dict[str, BaseDistribution] = {
        knob.name: FloatDistribution(0.0, 1.0) for knob in knobs
    }
    known: dict[str, float] = {}
    played: list[TuningTrial] = []
    while len(played) < trials:
        size = min(BATCH, trials - len(played))
        asked = [study.ask(space) for _ in range(size)]
        values = [
            {knob.name: knob.value(trial.params[knob.name]) for knob in knobs}
            for trial in asked
        ]
        if not played:
            values[0] = start
        specs = [bench.spec(tried) for tried in values]
        new = [spec for spec in dict.fromkeys(specs) if spec not in known]
        if new:
            name = f"trials-{len(played):04d}"
            shares = bench.shares(new, games, bench.seed, folder / name)
            known |= dict(zip(new, shares, strict=True))
        for trial, spec, value in zip(asked, specs, values, strict=True):
            study.tell(trial, known[spec])
            played.append(TuningTrial(spec, value, known[spec]))
    return played


def _winner(
    bench: _Bench, trials: list[TuningTrial], games: int, folder: Path
) -> TuningTrial:
    """Return the winner among the best few on other deals, or the untuned strategy."""
    untuned, by_spec = trials[0], {trial.spec: trial for trial in trials}
    order = sorted(by_spec.values(), key=lambda trial: -trial.share)
    best = [trial for trial in order if trial.spec != untuned.spec][:FINALISTS]
    finalists = [untuned, *best]
    specs = [trial.spec for trial in finalists]
    shares = bench.shares(specs, games, bench.seed + 1, folder / "finals")
    pairs = zip(finalists, shares, strict=True)
    return max(pairs, key=lambda pair: pair[1])[0]


def _study(seed: int) -> "optuna.Study":
    """Return an optuna study; raises ``UsageError`` if optuna is not installed."""
    try:
        import optuna
    except ImportError:
        raise UsageError(
            "tune needs optuna, which is not installed: pip install 'fairdeal[tune]' "
            "(or: pip install optuna)."
        ) from None
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about optuna's experimental options
        sampler = optuna.samplers.TPESampler(
            seed=seed % (1 << 32), multivariate=True, constant_liar=True
        )
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        return optuna.create_study(direction="maximize", sampler=sampler)
    finally:
        optuna.logging.set_verbosity(before)


def _version() -> str:
    from importlib.metadata import version

    return version("optuna")


def _fields(game: str, against: Sequence[str]) -> tuple[str, ...]:
    """Return the fields: the strategies of the other seats, table by table."""
    fields: list[str] = []
    for spec in against or (default_lineup(game),):
        fields += registry.builtin(game) if spec == PANEL else [spec]
    return tuple(dict.fromkeys(fields))

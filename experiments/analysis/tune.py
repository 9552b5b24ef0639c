"""Tuning a strategy: better parameters against a field, and by how much, honestly.

Parameters are asked for in batches and told how often they won, all on the same deals
(optuna's ask and tell, tree-structured Parzen estimator: Bergstra, Bardenet, Bengio &
Kegl 2011, NeurIPS 24). The best of many noisy values looks better than it is (winner's
curse), so it proves nothing: the best few meet once more on other deals, and the one
that is left plays the untuned strategy on deals that had no part in choosing it. Only
that is what tuning gained.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.analysis import stages
from experiments.analysis.compare import compare
from experiments.analysis.search_space import Knob, Values, knobs, spec_of
from experiments.analysis.sides import leading
from experiments.analysis.stages import Watch, silent
from experiments.analysis.tuned import Fresh, Trial, Tuned
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import run
from sim.parameters import Rules
from strategies import registry

if TYPE_CHECKING:
    import optuna

TRIALS, GAMES, FRESH = 96, 8_192, 65_536
"""Trials, games of each, and games on fresh deals, unless said otherwise."""
PANEL = "panel"
BATCH = 8  # trials that are asked for together, whatever the number of processes
FINALISTS = 6
_MORE = 4  # times the games of a trial that a finalist plays
_SEEDS = 1_000  # apart: of the fields of a stage


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
    watch: Watch = silent,
    **how: Any,
) -> Tuned:
    """Tune the parameters of a strategy (a spec, which says where it begins).

    ``wanted``: which parameters, as ``gems`` or ``gems=1..4``; all that have a range by
    default. ``against``: who has the other seats, one strategy or one for each of them;
    of several such tables the mean counts, and ``PANEL`` is a table of each strategy of
    the game. By default the leading heuristic. ``games`` of a trial at each table,
    ``fresh`` of the last comparison. ``how`` goes to ``run``.

    Raises ``UsageError`` or ``UnknownStrategy`` before it plays; also where optuna is
    not installed.
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
    start = {one.name: getattr(made, one.name) for one in bench.knobs}
    asked = {
        "what": "tune",
        "game": game,
        "players": players,
        "strategy": made.title,
        "parameters": [repr(one) for one in bench.knobs],
        "against": list(bench.fields),
        "trials": trials,
        "games": games,
        "seed": seed,
        "optuna": _version(),
    }
    with stages.place(out, asked) as folder:
        found = _tried(bench, study, start, trials, games, folder)
        best = _chosen(bench, found, _MORE * games, folder)
        compared: tuple[Fresh, ...] = ()
        if best.spec != found[0].spec:
            compared = bench.compared(best.spec, fresh, folder / "fresh")
    return Tuned(
        game,
        rules,
        players,
        strategy,
        bench.knobs,
        bench.fields,
        tuple(found),
        best,
        compared,
        seed,
    )


@dataclass(frozen=True)
class _Bench:
    """Where parameters are tried."""

    game: str
    rules: Rules
    players: int
    strategy: str
    knobs: tuple[Knob, ...]
    fields: tuple[str, ...]
    seed: int
    how: Mapping[str, Any]
    watch: Watch

    def spec(self, values: Values) -> str:
        """The strategy with these parameters."""
        return spec_of(self.strategy, values)

    def cells(self, specs: Iterable[str], seed: int) -> list[Cell]:
        """A cell for each spec and field; a field has deals of its own."""
        return [
            self._cell(spec, field, (seed + number * _SEEDS) % (1 << 64))
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
        """The win share of each spec, the mean over all fields, on the same deals."""
        cells = self.cells(specs, seed)
        with self.watch(folder.name) as progress:
            found = run(cells, games, out=folder, progress=progress, **self.how)
        titles = [cell.strategies()[0].title for cell in cells]
        sums = found.sums.filter(measure="won by strategy")
        won = {
            (row["cell"], row["strategy"]): row["y"] / row["x"]
            for row in sums.iter_rows(named=True)
        }
        each = [won[number, title] for number, title in enumerate(titles)]
        size = len(self.fields)
        return [
            math.fsum(each[at : at + size]) / size for at in range(0, len(each), size)
        ]

    def compared(self, spec: str, games: int, folder: Path) -> tuple[Fresh, ...]:
        """The spec against the untuned strategy, on deals that chose nothing."""
        seed = self.seed + 2
        one, other = (self.cells([side], seed) for side in (self.strategy, spec))
        with self.watch(folder.name) as progress:
            found = compare(
                one,
                other,
                games,
                detailed=False,
                out=folder,
                progress=progress,
                **self.how,
            )
        titles = (registry.title(self.game, one) for one in (self.strategy, spec))
        rows = found.rows.filter(
            measure="won by strategy", group=f"strategy {' -> '.join(titles)}"
        ).sort("cell")
        return tuple(
            Fresh(
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


def _tried(
    bench: _Bench,
    study: "optuna.Study",
    start: Values,
    trials: int,
    games: int,
    folder: Path,
) -> list[Trial]:
    """All trials, the untuned strategy first; what was tried before is not again."""
    from optuna.distributions import BaseDistribution, FloatDistribution

    study.enqueue_trial({one.name: one.place(start[one.name]) for one in bench.knobs})
    space: dict[str, BaseDistribution] = {
        one.name: FloatDistribution(0.0, 1.0) for one in bench.knobs
    }
    known: dict[str, float] = {}
    found: list[Trial] = []
    while len(found) < trials:
        many = min(BATCH, trials - len(found))
        asked = [study.ask(space) for _ in range(many)]
        values = [
            {one.name: one.value(trial.params[one.name]) for one in bench.knobs}
            for trial in asked
        ]
        if not found:
            values[0] = start
        specs = [bench.spec(one) for one in values]
        new = [spec for spec in dict.fromkeys(specs) if spec not in known]
        if new:
            name = f"trials-{len(found):04d}"
            shares = bench.shares(new, games, bench.seed, folder / name)
            known |= dict(zip(new, shares, strict=True))
        for trial, spec, value in zip(asked, specs, values, strict=True):
            study.tell(trial, known[spec])
            found.append(Trial(spec, value, known[spec]))
    return found


def _chosen(bench: _Bench, found: list[Trial], games: int, folder: Path) -> Trial:
    """The best of the best few on other deals; the untuned one if none beats it."""
    order = sorted({one.spec: one for one in found}.values(), key=lambda t: -t.share)
    finalists = [one for one in order if one.spec != found[0].spec][:FINALISTS]
    finalists = [found[0], *finalists]
    specs = [one.spec for one in finalists]
    shares = bench.shares(specs, games, bench.seed + 1, folder / "finals")
    pairs = zip(finalists, shares, strict=True)
    return max(pairs, key=lambda pair: pair[1])[0]


def _study(seed: int) -> "optuna.Study":
    """What asks for parameters; raises ``UsageError`` where it is not installed."""
    try:
        import optuna
    except ImportError:
        raise UsageError(
            "tune needs optuna, which is not installed: pip install 'fairdeal[tune]' "
            "(or: pip install optuna)."
        ) from None
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is new in optuna
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
    """Who has the other seats, table by table."""
    found: list[str] = []
    for one in against or (leading(game),):
        found += registry.builtin(game) if one == PANEL else [one]
    return tuple(dict.fromkeys(found))

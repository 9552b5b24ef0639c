"""What one change of a game is worth, on the same deals: what-ifs and knock-out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.coercion import (
    Given,
    Lineup,
    RulesLike,
    absolute_path,
    coerce_cell,
    coerce_lessons,
    coerce_rule_set,
    run_arguments,
)
from experiments.core.cells import UsageError
from experiments.execution.run import Progress
from strategies.base import Strategy

if TYPE_CHECKING:
    from experiments.analysis.knockout import Knockout
    from experiments.analysis.what_if import WhatIf
    from experiments.studies.study import Study


def knockout(
    rules: RulesLike,
    strategy: str | Strategy | None = None,
    *,
    players: int | None = None,
    games: int = 16_384,
    precision: float | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "Knockout":
    """Measure what each option is worth by forbidding it.

    One option after another is forbidden to one player; each is worth the wins that
    this player loses.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as in ``play``.
        strategy: plays every seat; by default the leading heuristic.
        games: deals; each is played again without each option that was taken in it.
        precision: half the width of the widest interval, e.g. 0.005; ``games`` is then
            the size of a pilot.

    >>> found = knockout("kunitame", "greedy", games=64, seed=1, jobs=1)
    >>> found  # doctest: +ELLIPSIS
    kunitame, 4 players, greedy: 64 deals
    costliest: ... loses ... points of wins [...]
    ... rows: see .rows, .unused, .plot()
    """
    import experiments.analysis.knockout
    from experiments.studies.lineups import default_lineup

    of = coerce_rule_set(rules)
    return experiments.analysis.knockout.knockout(
        of.game,
        strategy or default_lineup(of.game),
        games=games,
        precision=precision,
        progress=progress,
        **run_arguments(of, players, seed, jobs, backend, scheduler, out),
    )


def what_if(
    rules: "RulesLike | Path | Study",
    lineup: Lineup | None = None,
    *,
    when: str = "",
    whose: str = "first",
    forbid: str | Sequence[str] = (),
    force: str | Sequence[str] = (),
    decline: bool = False,
    grant: str | Sequence[str] = (),
    swap_cards: str | Sequence[str] = (),
    other_rules: Mapping[str, Any] | None = None,
    other_strategy: str = "",
    players: int | None = None,
    games: int | None = None,
    given: Given = (),
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> "WhatIf":
    """Change something in games that are otherwise the same, and see what it is worth.

    Args:
        rules, players, seed, jobs, backend, scheduler, out, progress: as in ``play``;
            or a study, or its file, whose tables [what_if.NAME] say what is changed;
            with ``adapt``, by players who learned its rules.
        lineup: who plays; by default the leading heuristic, in every seat.
        when: decisions and a moment, e.g. "claim", "claim+bonus in week 2", "week 2";
            by default every decision that fits.
        whose: "first" changes one player, the first of the lineup, who sits in each
            seat in turn; "all" changes everybody.
        forbid: an option that may not be taken, e.g. "only-white" or
            "claim:only-white"; "claim:each" forbids each option in turn.
        force: an option that is taken whenever it can be, written likewise.
        decline: decline the decisions whenever possible.
        grant: one more of a thing for one player, e.g. "Life gems", as time goes by.
        swap_cards: a card to have in hand rather than not, or "each"; in games with
            experiments on deals (Article II, Socialism).
        other_rules: changed rules, e.g. {"life": 4}.
        other_strategy: a strategy that makes these decisions instead.
        games: deals, each played with and without the change; by default 16,384.
        given: as in ``play``.

    Each change has a row of its own; forbid, force, grant and swap_cards take several
    names. Options, strategies and rules that are changed are also changed all at once,
    in the last row. Raises ``UsageError`` with the nearest name.

    >>> found = what_if("kunitame", force="contract:2", games=64, seed=1, jobs=1)
    >>> found  # doctest: +ELLIPSIS
    kunitame, 4 players, ...: 64 deals
    always 2 at contract: ... points of wins [...], ...
    see .rows, .table(games), .plot()
    """
    import experiments.analysis.what_if
    from experiments.counterfactual.named_interventions import interventions_named
    from experiments.learning.adapted_study import adapted_plan
    from experiments.studies.lineups import default_lineup
    from experiments.studies.overrides import apply_overrides
    from experiments.studies.study import GAMES, Study, load
    from experiments.studies.what_if_tables import what_ifs_of

    changes: dict[str, Any] = {
        "forbid": forbid,
        "force": force,
        "decline": decline,
        "grant": grant,
        "swap_cards": swap_cards,
        "other_rules": other_rules,
        "other_strategy": other_strategy,
    }
    if isinstance(rules, Path) or (isinstance(rules, str) and rules.endswith(".toml")):
        count = "" if players is None else str(players)
        rules, _ = apply_overrides(
            load(Path(rules)), players=count, games=games, seed=seed
        )
    if isinstance(rules, Study):
        if when or any(changes.values()):
            raise UsageError("the study says what is changed, in [what_if.NAME].")
        if given:
            raise UsageError("given: the study says which deals are played.")
        planned, every, most = what_ifs_of(rules)
        lessons = coerce_lessons(planned.adapt, jobs, out, progress)
        [cell] = adapted_plan(planned, lessons).cells
    else:
        of = coerce_rule_set(rules)
        lineup = default_lineup(of.game) if lineup is None else lineup
        cell = coerce_cell(of, lineup, players, True, seed, given)
        every = interventions_named(cell, when, whose, **changes)
        most = GAMES if games is None else games
    where = {"jobs": jobs, "backend": backend, "scheduler": scheduler}
    return experiments.analysis.what_if.what_if(
        cell, every, most, **where, out=absolute_path(out), progress=progress
    )

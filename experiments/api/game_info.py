"""What a game has: rules, strategies, measures, schemas, and its speed."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import experiments.core.measures
from experiments.coercion import (
    RulesLike,
    absolute_path,
    coerce_players,
    coerce_rule_set,
)
from experiments.core.cells import UsageError
from experiments.rule_set import RuleSet
from experiments.variants.variant_files import BASE
from sim.games import load
from strategies import registry
from strategies.base import method_of
from strategies.strength_levels import LEVELS, AloneAmong, spec_at

_GAMES = 2_048  # in which it is measured how strong a level is

if TYPE_CHECKING:
    from experiments.benchmark.bench import Bench


def rules(rules: RulesLike) -> RuleSet:
    """Return the rules of a game: values, limits and sources.

    Raises ``UnknownGame`` with the nearest name.

    >>> rules("kunitame").table.filter(key="life")["allowed"].item()
    'whole number 1 to 12'
    """
    return coerce_rule_set(rules)


def strategies(
    rules: RulesLike,
    *,
    decisions: bool = False,
    strengths: bool = False,
    players: int | None = None,
) -> pl.DataFrame:
    """Return the strategies of a game and their parameters.

    Columns: strategy, belief, parameters (with default and range). With ``decisions``,
    the decisions of the game instead: name, method, about, form, stop and without (the
    option of that meaning, or null), options. With ``strengths``, who plays as
    ``beginner``, ``good``, ``strong`` and ``expert``, found by playing by these rules
    with so many players: strength, plays (a spec), share (what one of it wins among
    good players, in 2,048 games), low and high (95 %), even (an equal part of all
    wins). None of ``expert``, who searches: it would take minutes.

    >>> strategies("kunitame").filter(strategy="planner")["parameters"].item().to_list()
    ['margin=0.0 (-20 to 20)', 'gems=2 (0 to 12)']
    >>> strategies("kunitame", decisions=True)["name"].to_list()
    ['contract', 'cancel', 'play', 'claim', 'bonus', 'return']
    """
    chosen = coerce_rule_set(rules)
    known = load(chosen.game)
    if strengths:
        return _strengths(chosen, coerce_players(known.id, players))
    if decisions:
        return pl.DataFrame(
            [
                {
                    "name": kind.name,
                    "method": method_of(kind.name),
                    "about": kind.doc,
                    "form": kind.form,
                    "stop": kind.stop or None,
                    "without": kind.without or None,
                    "options": known.options(kind),
                }
                for kind in known.kinds.values()
            ]
        )
    return pl.DataFrame(
        [
            {
                "strategy": strategy["name"],
                "belief": strategy["belief"],
                "parameters": [
                    f"{key}={value}{_range(strategy['ranges'].get(key))}"
                    for key, value in strategy["parameters"].items()
                ],
            }
            for strategy in registry.about(known.id)
        ],
        schema_overrides={"parameters": pl.List(pl.String)},
    )


def _strengths(rules: RuleSet, players: int, seed: int = 1) -> pl.DataFrame:
    """Return who plays at each level, and what one wins among good players."""
    game, values = rules.game, rules.values
    good = spec_at("good", game, values, players)
    among = AloneAmong(game, values, players, seed)
    rows = []
    for level in LEVELS:
        plays = spec_at(level, game, values, players)
        row: dict[str, Any] = {"strength": level, "plays": plays}
        if registry.make(game, plays).cost == 1:
            won = among.margin(plays, good, range(_GAMES))
            low, high = won.interval
            row |= {"share": won.share, "low": low, "high": high, "even": won.even}
        rows.append(row)
    return pl.DataFrame(rows)


def _range(ends: tuple[float, float] | None) -> str:
    """Format the range of a parameter."""
    return "" if ends is None else f" ({ends[0]:g} to {ends[1]:g})"


def measures(game: str, containing: str = "") -> pl.DataFrame:
    """Return what is measured in a game: measure, meaning, kind, unit, by, of.

    ``by`` lists the groups. ``of`` says where it is measured: "end" (every run),
    "report" (runs with ``detailed``) or "what-if" (the game's report only). Raises
    ``UsageError`` if no name contains the text.

    >>> measures("kunitame", "won by position").row(0)
    ('won by position', 'games that are won', 'share', '', ['position'], 'end')
    """
    listed = experiments.core.measures.find_measures(load(game).id, containing)
    return pl.DataFrame(
        [
            {
                "measure": measure.name,
                "meaning": measure.doc,
                "kind": measure.kind,
                "unit": measure.unit,
                "by": list(measure.by),
                "of": of,
            }
            for measure, of in listed
        ],
        schema_overrides={"by": pl.List(pl.String)},
    )


def schema(
    game: str, *, study: bool = False, file: str | Path | None = None
) -> dict[str, Any]:
    """Return a JSON Schema of variant files, or with ``study`` of study files.

    With ``file``, also write it there.

    >>> schema("kunitame")["properties"]["game"]["enum"]
    ['kunitame']
    """
    import experiments.variants.schema
    from experiments.studies.study_schema import study_schema

    document = (study_schema if study else experiments.variants.schema.schema)(
        load(game)
    )
    if (path := absolute_path(file)) is not None:
        experiments.variants.schema.save(document, path)
    return document


def cards(
    game: str,
    *,
    variant: str | Path | None = None,
    settings: Sequence[str] = (),
    columns: Sequence[str] = (),
    encoding: str = "",
    file: str | Path | None = None,
) -> str:
    """Return a game's cards, squares and other tables as a sheet (CSV).

    The sheet is a variant wherever a variant file is named.

    Args:
        game: id of the game.
        variant: whose tables; by default those of the base rules. If it is a sheet, its
            columns that are no fields are kept.
        settings: rules to change, e.g. "squares.blue.gem=3".
        columns: headings of that sheet that mean a field, as "gem=Edelsteine".
        encoding: of that sheet, if it is not UTF-8 or UTF-16.
        file: also write it there; it must not exist.

    Raises ``UsageError`` or ``RuleError``, and then writes nothing.

    >>> cards("kunitame").splitlines()[1]
    'kunitame,squares,card-1-5,P1,trick,"[1, 5]",,,,1,false,,,'
    """
    from experiments.variants.card_sheet import card_sheet

    return card_sheet(
        load(game),
        BASE if variant is None else str(variant),
        settings,
        columns=columns,
        encoding=encoding,
        file=absolute_path(file),
    )


def bench(
    game: str,
    *,
    seconds: float = 0.5,
    repeats: int = 5,
    progress: Callable[[str], None] = lambda _: None,
) -> "Bench":
    """Measure how fast a game simulates.

    The result has games per second and nanoseconds per decision, beside OpenSpiel if
    installed.

    Args:
        game: id of the game.
        seconds: roughly how long a repeat takes.
        repeats: how many to take the median of.
        progress: called with what is measured next.

    >>> bench("kunitame", repeats=0)
    Traceback (most recent call last):
    ...
    experiments.core.cells.UsageError: seconds: more than 0; repeats: at least 1.
    """
    import experiments.benchmark.bench

    if seconds <= 0 or repeats < 1:
        raise UsageError("seconds: more than 0; repeats: at least 1.")
    return experiments.benchmark.bench.bench(
        load(game).id, seconds, repeats, say=progress
    )

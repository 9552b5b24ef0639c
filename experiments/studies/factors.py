"""The factors that a design may vary, and how a point of it changes a lineup.

``rules.KEY`` is a rule value or a field of a row, "strategy.NAME.PARAMETER" a
parameter of a strategy, ``players`` the number of players.
"""

from collections.abc import Mapping
from pathlib import Path

from experiments.core.cells import UsageError
from experiments.studies import lineups
from experiments.studies.experimental_designs import Points
from experiments.studies.study import Study
from experiments.variants.rules_by_players import settable
from sim.games import Game
from sim.parameters import nearest, one_of
from strategies import policy_store
from strategies.registry import make
from strategies.specs import map_strategies, split_lineup

RULES = "rules."
STRATEGY = "strategy."
PLAYERS = "players"


def check_keys(game: Game, study: Study, points: Points) -> None:
    """Raise ``UsageError`` for keys of a design that name nothing."""
    if PLAYERS in points.keys and study.players:
        raise UsageError("players is given twice, at the top and under [design].")
    rules = [RULES + key for key in settable(game.rules())]
    for key in points.keys:
        start = ".".join(key.split(".")[:2])
        known = key == PLAYERS or key.startswith(STRATEGY)
        if known or start in rules:
            continue
        raise UsageError(
            f"[design] no key {key!r}{nearest(key, [*rules, PLAYERS])} Allowed: "
            f"{PLAYERS}, {RULES}KEY (such as {rules[0]}), {STRATEGY}NAME.PARAMETER."
        )
    for key in points.keys:
        if key.startswith(STRATEGY):
            _check_parameter(game, study, key)


def _check_parameter(game: Game, study: Study, key: str) -> None:
    """Raise ``UsageError`` for a parameter of a strategy that nobody plays."""
    name, _, parameter = key.removeprefix(STRATEGY).partition(".")
    if not parameter:
        raise UsageError(f"[design] {key}: write {STRATEGY}NAME.PARAMETER.")
    if study.panel is not False:
        return
    own = tuple(resolve_spec_path(spec, study.folder) for spec in study.strategies)
    seated: list[str] = []
    for text in study.lineups.values():
        parts = resolve_lineup_paths(text, study.folder)
        specs = lineups.lineups_of_text(
            game.id, text, ",".join(parts), (len(parts),), own
        )[len(parts)].seats
        seated += [strategy_name(game.id, spec) for spec in specs]
    if name not in seated:
        raise UsageError(
            f"[design] {key}: no lineup seats {name!r}{nearest(name, seated)} "
            f"Seated: {one_of(dict.fromkeys(seated))}."
        )


def with_parameters(
    game: str, spec: str, name: str, point: Mapping[str, object]
) -> str:
    """Return the spec of a strategy of this name with the parameters of the point."""
    parameters = [
        f":{key.removeprefix(STRATEGY + name + '.')}={value}"
        for key, value in point.items()
        if key.startswith(f"{STRATEGY}{name}.")
    ]
    if parameters:
        make(game, spec + "".join(parameters))  # raises an error for bad values
    return spec + "".join(parameters)


def strategy_name(game: str, spec: str) -> str:
    """Return the name of a spec's strategy, without parameters."""
    kind = type(make(game, spec))
    return str(getattr(kind, "name", kind.__name__))


def resolve_spec_path(spec: str, folder: Path) -> str:
    """Return a spec whose files are relative to the study's folder."""

    def absolute(part: str) -> str:
        file, mark, rest = part.partition(".py:")
        if not mark or Path(file).is_absolute():
            return part
        return f"{(folder / file).resolve()}{mark}{rest}"

    return policy_store.absolute_files(map_strategies(spec, absolute), folder)


def resolve_lineup_paths(lineup: str, folder: Path) -> list[str]:
    """Return the specs of a lineup, with files relative to a folder."""
    return [resolve_spec_path(spec, folder) for spec in split_lineup(lineup)]

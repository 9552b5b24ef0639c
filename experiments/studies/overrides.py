"""Options of the command line override a study's file, with a note for each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.core.blocks import MOST_GAMES
from experiments.core.cells import UsageError
from experiments.studies.plans import Plan, plan
from experiments.studies.study import Study, load, parse
from experiments.studies.study_short_forms import numbers, precision
from experiments.variants.variant_files import BASE
from sim import places
from strategies import policy_store
from strategies.specs import map_strategies, split_lineup


def apply_overrides(  # noqa: PLR0913 - the options of a run, all but one by name
    study: Study,
    *,
    players: str = "",
    games: int | None = None,
    wanted: str = "",
    measures: Sequence[str] = (),
    seed: int | None = None,
    lineup: str = "",
    extra_strategies: Sequence[str] = (),
    rotate: bool | None = None,
    given: Sequence[str] = (),
    settings: Sequence[str] = (),
    variant: Path | None = None,
    tables: str = "",
) -> tuple[Study, list[str]]:
    """Return the study with these options in place of its own values, and notes.

    Paths are relative to the working directory, as on any command line. Raises
    ``UsageError``.
    """
    if games is not None and not 1 <= games <= MOST_GAMES:
        raise UsageError(f"games: at least 1, at most {MOST_GAMES:,}, not {games}.")
    options = {
        "players": numbers(players) if players else None,
        "games": games,
        "precision": precision(wanted) if wanted else None,
        "measures": tuple(measures) or None,
        "seed": seed,
        "lineups": _lineup(lineup) if lineup else None,
        "panel": False if lineup else None,
        "strategies": (*study.strategies, *map(_absolute, extra_strategies))
        if extra_strategies
        else None,
        "rotate": rotate,
        "given": tuple(given) or None,
        "variants": None if variant is None else {variant.stem: _variant(variant)},
        "tables": _parts(tables) if tables else None,
        "settings": tuple(settings) or None,
    }
    said = {name: value for name, value in options.items() if value is not None}
    values = {name: getattr(study, name) for name in Study.model_fields}
    return _checked({**values, **said}), list(_notes(study, said))


def plan_of_file(path: Path, **said: Any) -> Plan:
    """Return the plan of a study file; ``said`` is passed to ``apply_overrides``."""
    loaded, notes = apply_overrides(load(path), **said)
    made = plan(loaded)
    return replace(made, notes=(*notes, *made.notes))


def _checked(values: Mapping[str, Any]) -> Study:
    """Return a study of these values, checked like those of a file."""
    plain = {key: value for key, value in values.items() if key != "design"}
    plain = {key: value for key, value in plain.items() if value is not None}
    internal = {key: plain.pop(key) for key in ("folder", "where", "settings")}
    if values["precision"] is not None:
        plain["precision"] = values["precision"].text
    lists = {key: list(v) for key, v in plain.items() if isinstance(v, tuple)}
    study = parse({**plain, **lists}, internal["folder"], internal["where"])
    rest = {"settings": internal["settings"], "design": values["design"]}
    return study.model_copy(update=rest)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(split_lineup(text))


def _lineup(text: str) -> dict[str, str]:
    label = " ".join(text.split())
    return {label: ",".join(_absolute(part) for part in _parts(text))}


def _variant(path: Path) -> dict[str, Any]:
    word = str(path)
    if word == BASE:
        return {}
    file = places.named(path)
    return {"base": str(file.resolve()) if file.is_file() else word}


def _absolute(spec: str) -> str:
    """Return a spec whose file is relative to where the command was given."""

    def absolute(part: str) -> str:
        file, mark, rest = part.partition(".py:")
        return f"{places.named(file).resolve()}{mark}{rest}" if mark else part

    return policy_store.absolute_files(map_strategies(spec, absolute))


_OPTIONS = {
    "lineups": "lineup",
    "measures": "measure",
    "settings": "set",
    "variants": "variant",
}


_WITHOUT_NOTE = {"panel", "strategies"}  # they follow from the lineup, or are added


def _notes(study: Study, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each value of the file that is overridden."""
    for name, value in given.items():
        old = getattr(study, name)
        noted = name in study.model_fields_set and name not in _WITHOUT_NOTE
        if noted and old != value:
            yield (
                f"--{_OPTIONS.get(name, name)} {_text(value)} overrides "
                f"{name} = {_text(old)} of {study.where}"
            )


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(map(str, value))
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(getattr(value, "text", value))

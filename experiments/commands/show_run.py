"""Showing a run: its tables with intervals, its rules, where it lies."""

from collections.abc import Iterator
from typing import Any, Literal

from experiments.commands import show
from experiments.commands.asked import Asked, assumed
from experiments.commands.show_rules import differences, remarks
from experiments.results import Results
from experiments.studying.plans import measures_of

_BY: tuple[Literal["strategy", "seat"], ...] = ("strategy", "seat")


def tables(results: Results) -> dict[str, list[dict[str, Any]]]:
    """By strategy, by seat, and how games end: rows with estimates and intervals."""
    found: dict[str, list[dict[str, Any]]] = {}
    for by in _BY:
        found[by] = list(_merged(results, by))
    ends = results.estimates("decided", "per_game").to_dicts()
    found["decided"] = [
        {"lineup": r["lineup"], "players": r["players"], "by": r["by"]}
        | {"games": int(r["y"]), "share": _estimate(r)}
        for r in ends
    ]
    return found


def _merged(
    results: Results, by: Literal["strategy", "seat"]
) -> Iterator[dict[str, Any]]:
    """A row a strategy (or seat) of each cell, with all that is measured of it."""
    rows: dict[tuple[int, Any], dict[str, Any]] = {}
    ends = measures_of(results.cells[0], detailed=False)
    for measure in [f"won by {by}", *results.measures]:
        name, _, group = measure.partition(" by ")
        if group != by or measure not in ends:
            continue
        kind: Literal["rate", "mean"] = "rate" if name == "won" else "mean"
        for found in results.estimates(measure, kind).to_dicts():
            key = (found["cell"], found[by])
            here = {k: found[k] for k in ("lineup", "players", by)}
            row = rows.setdefault(key, {**here, "n": int(found["n"])})
            row[name] = _estimate(found)
    yield from rows.values()


def _estimate(found: dict[str, Any]) -> dict[str, Any]:
    return {key: found[key] for key in ("estimate", "low", "high")}


def as_dict(asked: Asked, results: Results, rotate: bool) -> dict[str, Any]:
    """A run as one JSON object."""
    about = results.manifest
    return {
        "fairdeal": about["fairdeal"],
        "game": asked.game.id,
        "variant": asked.variant,
        "seed": asked.seed,
        "games": results.games,
        "played": list(results.played),
        "players": [cell.players for cell in results.cells],
        "lineups": [cell["lineup"] for cell in about["cells"]],
        "rotate": rotate,
        "rules": asked.rules.plain(),
        "differences": asked.rules.differences(),
        "assumed": assumed(asked.rules),
        "provenance": dict(asked.provenance),
        "notes": [*asked.notes, *remarks(asked.game, asked.rules)],
        "tables": tables(results),
        "failures": {str(cell): why for cell, why in results.failures.items()},
        "decisions": about["decisions"],
        "seconds": about["seconds"],
        "jobs": about["jobs"],
        "out": None if results.directory is None else str(results.directory),
    }


def as_tables(asked: Asked, results: Results, rotate: bool) -> None:
    """A run in the terminal: the tables first, what they rest on below."""
    found = tables(results)
    titles = {
        "strategy": "Strategies",
        "seat": "Seats",
        "decided": "How games end",
    }
    several = len(results.cells) > 1
    for name, title in titles.items():
        _table(title, found[name], several)
    looked = "" if results.looked is None else " that hold however often one looks"
    show.line(f"In brackets: 95 % intervals{looked}; their unit is the game.", "dim")
    for words in _about(asked, results, rotate):
        show.line(words)


def _table(title: str, rows: list[dict[str, Any]], several: bool) -> None:
    """One table; lineup and players only where there are several of them."""
    lineups = len({row["lineup"] for row in rows}) > 1
    dropped = {"lineup"} if not lineups else set()
    if not several:
        dropped |= {"players", "lineup"}
    columns = [key for key in rows[0] if key not in dropped]
    columns.sort(key=lambda key: key in ("n", "games"))
    cells = [[_cell(key, row.get(key)) for key in columns] for row in rows]
    show.table(title, columns, cells)


def _cell(key: str, value: Any) -> Any:
    if isinstance(value, dict):
        kind = "share" if key in ("won", "share") else "mean"
        return show.with_interval(value, kind)
    return value


def _about(asked: Asked, results: Results, rotate: bool) -> Iterator[str]:
    """What the numbers rest on, and where they lie."""
    cell, about = results.cells[0], results.manifest
    mixed = len(set(about["cells"][0]["lineup"])) > 1
    moved = ", moved on by a seat each game" if rotate else ""
    yield f"lineup   {cell.title()}{moved}"
    if mixed and not rotate:
        yield (
            "note     seats are fixed, so a strategy's share is also its seat's; "
            "--rotate seats each everywhere"
        )
    yield f"seed     {asked.seed}" + (" (drawn)" if asked.drawn else "")
    yield from differences(asked.rules) or ["rules    the base rules, nothing differs"]
    yield from (f"assumed  {key}: {why}" for key, why in assumed(asked.rules).items())
    yield from (f"note     {words}" for words in asked.notes)
    yield from remarks(asked.game, asked.rules)
    for number, why in results.failures.items():
        yield f"failed   {results.cells[number].players} players: {why}"
    yield f"speed    {_speed(results)}"
    if results.directory is not None:
        yield f"results  {results.directory}"


def _speed(results: Results) -> str:
    """Games and decisions a second, of what was played in this start."""
    seconds, decisions = results.manifest["seconds"], results.manifest["decisions"]
    total = sum(results.played)
    if not decisions:
        return f"{total:,} games, all from finished blocks"
    return (
        f"{total:,} games; this start took {seconds:.1f} s, "
        f"{decisions / seconds / 1e6:.1f} million decisions a second"
    )

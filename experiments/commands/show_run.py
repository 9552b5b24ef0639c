"""Print a run: its tables with intervals, its rules, and where it is saved."""

from collections.abc import Container, Iterator
from dataclasses import asdict
from typing import Any, Literal

from experiments.commands import output
from experiments.commands.arguments import Request, assumptions_in_force
from experiments.commands.show_rules import differences
from experiments.core.cells import Pair
from experiments.core.end_summary import WON
from experiments.core.measures import measures_of
from experiments.execution.results import Results
from experiments.execution.user_paths import short_path
from experiments.variants.variant_info import remarks
from reports.statistics.extremes import Gap
from sim.games import load, positions


def tables(results: Results) -> dict[str, list[dict[str, Any]]]:
    """Return estimates by strategy, by position, of endings and of the gap.

    A game without positions has no rows by position, and no gap.
    """
    seated = bool(load(results.cells[0].game).first_position)
    rows: dict[str, list[dict[str, Any]]] = {
        "strategy": [*_merged(results, "strategy")],
        "position": [*_merged(results, "position")] if seated else [],
    }
    ends = results.estimates("decided").to_dicts()
    rows["decided"] = [
        {"lineup": r["lineup"], "players": r["players"], "by": r["by"]}
        | {"games": int(r["y"]), "share": _estimate(r)}
        for r in ends
    ]
    rows["gap"] = [
        {"lineup": row["lineup"], "players": row["players"]}
        | results.gap(row["cell"])._asdict()
        for row in results.estimates("won by position").filter(position=1).to_dicts()
        if seated and row["players"] > 1
    ]
    return rows


def control_variates(results: Results) -> list[dict[str, Any]]:
    """Return win shares by position without the luck of the role dealt."""
    return [
        {key: row[key] for key in ("lineup", "players", "position")}
        | {"won": _estimate(row), "factor": row["factor"]}
        for row in results.control_variates().to_dicts()
    ]


def _merged(
    results: Results, by: Literal["strategy", "position"]
) -> Iterator[dict[str, Any]]:
    """Yield a row with all measures for each strategy (or position) of each cell."""
    rows: dict[tuple[int, Any], dict[str, Any]] = {}
    ends = measures_of(results.cells[0].game, detailed=False)
    for measure in [f"won by {by}", *results.names]:
        name, _, group = measure.partition(" by ")
        if group != by or measure not in ends:
            continue
        for estimate in results.estimates(measure).to_dicts():
            key = (estimate["cell"], estimate[by])
            here = {k: estimate[k] for k in ("lineup", "players", by)}
            row = rows.setdefault(key, {**here, "n": int(estimate["n"])})
            row[name] = _estimate(estimate)
    yield from rows.values()


def _estimate(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("estimate", "low", "high")}


def as_dict(request: Request, results: Results, rotate: bool) -> dict[str, Any]:
    """Return a run as one JSON object."""
    about = results.manifest
    return {
        "fairdeal": about["fairdeal"],
        "game": request.game.id,
        "variant": request.variant,
        "seed": request.seed,
        "games": results.games,
        "played": list(results.played),
        "players": [cell.players for cell in results.cells],
        "lineups": [cell["lineup"] for cell in about["cells"]],
        "rotate": rotate,
        **_given(results),
        "rules": request.rules.plain(),
        "differences": request.rules.differences(),
        "assumed": assumptions_in_force(request.rules),
        "provenance": dict(request.provenance),
        "notes": [*request.notes, *remarks(request.game, request.rules)],
        "tables": tables(results),
        "failures": {str(cell): why for cell, why in results.failures.items()},
        "decisions": about["decisions"],
        "seconds": about["seconds"],
        "jobs": about["jobs"],
        "out": None
        if results.directory is None
        else str(short_path(results.directory)),
    }


def _given(results: Results) -> dict[str, Any]:
    cell = results.cells[0]
    if isinstance(cell, Pair) or (chance := cell.given_chance()) is None:
        return {}
    return {"given": list(cell.given), "given_chance": asdict(chance)}


def as_tables(
    request: Request,
    results: Results,
    rotate: bool,
    result: dict[str, list[dict[str, Any]]],
) -> None:
    """Print a run: its ``tables`` first, then how they were made."""
    titles = {
        "strategy": "Strategies",
        "position": "Positions",
        "control_variates": "Positions, without the luck of the role dealt",
        "decided": "How games end",
    }
    by_position = {
        name: [
            row
            | {"position": positions(request.game, row["players"])[row["position"] - 1]}
            for row in result.get(name, ())
        ]
        for name in ("position", "control_variates")
    }
    for row in by_position["control_variates"]:
        row["as good as"] = f"{row.pop('factor'):.2f} times the games"
    result = result | by_position
    several, shares = len(results.cells) > 1, _shares(results)
    for name, title in titles.items():
        if result[name]:
            _table(title, result[name], several, shares)
    for row in result["gap"]:
        gap = Gap(row["estimate"], row["low"], row["high"])
        text = f"{_cell_name(row, result['gap'])}{gap.words('the best position')}."
        output.print_line(text[:1].upper() + text[1:])
    for name in [name for name in shares if name != WON]:
        output.print_line(f"{name}: {shares[name]}; {WON}: alone.", "dim")
    looked = "" if results.looked is None else " that hold however often you look"
    output.print_line(
        f"In brackets: 95 % intervals{looked}; their unit is the game.", "dim"
    )
    for words in _about(request, results, rotate):
        output.print_line(words)


def _cell_name(row: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """Whose gap it is, if there are several."""
    of = {key: row[key] for key in ("players", "lineup") if _several(rows, key)}
    named = ", ".join(f"{v} players" if k == "players" else v for k, v in of.items())
    return f"{named}: " if of else ""


def _several(rows: list[dict[str, Any]], key: str) -> bool:
    return len({row[key] for row in rows}) > 1


def _shares(results: Results) -> dict[str, str]:
    """Return the columns of the tables that are shares of games, and what of."""
    ends = measures_of(results.cells[0].game, detailed=False).values()
    return {
        what.name.partition(" by ")[0]: what.doc
        for what in ends
        if what.kind == "share" and what.by == ("strategy",)
    }


def _table(
    title: str, rows: list[dict[str, Any]], several: bool, shares: Container[str]
) -> None:
    """Print a table; lineup and players only if there are several of them."""
    lineups = len({row["lineup"] for row in rows}) > 1
    dropped = {"lineup"} if not lineups else set()
    if not several:
        dropped |= {"players", "lineup"}
    columns = [key for key in rows[0] if key not in dropped]
    columns.sort(key=lambda key: key in ("n", "games"))
    cells = [
        [_cell(row.get(key), key in shares or key == "share") for key in columns]
        for row in rows
    ]
    output.table(title, columns, cells)


def _cell(value: Any, share: bool) -> Any:
    if isinstance(value, dict):
        return output.format_interval(value, "share" if share else "mean")
    return value


def _about(request: Request, results: Results, rotate: bool) -> Iterator[str]:
    """Yield how the numbers were made, and where they are saved."""
    cell, about = results.cells[0], results.manifest
    mixed = len(set(about["cells"][0]["lineup"])) > 1
    moved = ", moved on by a seat each game" if rotate and mixed else ""
    yield f"lineup   {cell.title()}{moved}"
    if mixed and not rotate:
        yield (
            "note     seats are fixed, so a strategy's share is also its seat's; "
            "without --no-rotate each plays every seat"
        )
    if results.given:
        yield f"given    {results.given}"
    yield request.seed_line
    yield from differences(request.rules) or [
        "rules    the base rules; nothing differs"
    ]
    yield from (
        f"assumed  {key}: {why}"
        for key, why in assumptions_in_force(request.rules).items()
    )
    yield from (f"note     {words}" for words in request.notes)
    yield from remarks(request.game, request.rules)
    for number, why in results.failures.items():
        yield f"failed   {results.cells[number].players} players: {why}"
    yield f"speed    {_speed(results)}"
    if results.directory is not None:
        yield f"results  {short_path(results.directory)}"


def _speed(results: Results) -> str:
    """Games and decisions per second, of all sessions of the run together."""
    seconds, decisions = results.manifest["seconds"], results.manifest["decisions"]
    each = decisions / seconds
    many = f"{each / 1e6:.1f} million" if each >= 1e5 else f"{each:,.0f}"
    games = sum(results.played)
    return f"{games:,} games in {seconds:.1f} s, {many} decisions a second"

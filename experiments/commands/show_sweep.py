"""Print results of a study: a measure by what was varied, and what matters."""

from typing import Any

from experiments.commands import output
from experiments.studies import sweep_results
from experiments.studies.run_study import StudyResult
from sim.games import Game, load, positions

ROWS = 60
"""Rows of a table that are printed; the files have all of them."""
_WHO = ("variant", "lineup", "players")
_NOISY = 0.1


def counted_measures(done: StudyResult) -> list[str]:
    """The measures of the study for which anything was counted."""
    return [name for name in done.plan.measures if name in done.results.names]


def sweep_table(done: StudyResult, measure: str) -> None:
    """Print a measure by what was varied, without columns of one value."""
    table, kind = sweep_results.sweep_table(done, measure), done.measure(measure)
    groups = sweep_results.groups_of(done, table)
    keys = [key for key in done.plan.keys if key not in groups]
    shown = [n for n in (*_WHO, *keys) if n in table and table[n].n_unique() > 1]
    shown += [name for name in groups if name not in _WHO]
    game = load(done.plan.game)
    rows = [
        [
            *(_word(game, row, name) for name in shown),
            output.format_interval(row, "share" if kind.share else "mean"),
            int(row["n"] or 0),
        ]
        for row in table.head(ROWS).to_dicts()
    ]
    note = ""
    if table.height > ROWS:
        where = done.results.directory
        place = "" if where is None else f"; all are in {where}"
        note = f"{ROWS} of {table.height:,} rows{place}"
    titles = [name.removeprefix("rules.") for name in shown]
    output.table(measure, [*titles, "estimate", "n"], rows, note)


def _word(game: Game, row: dict[str, Any], name: str) -> Any:
    """The value of a column; a position in the rulebook's words."""
    if name != "position" or not row.get("players"):
        return row[name]
    return positions(game, row["players"])[row[name] - 1]


def sensitivity_table(done: StudyResult, measure: str) -> None:
    """Print which rules matter, and how certain that is."""
    table = sweep_results.sensitivity(done, measure)
    if table.is_empty():
        return
    known = table.drop_nulls("alone")
    if known.is_empty():
        why = "it does not vary, or points failed"
        if (
            done.plan.kind != "saltelli"
            and len(done.plan.points.rows) < sweep_results.FEWEST
        ):
            why = f"fewer than {sweep_results.FEWEST} points"
        output.print_line(f"No sensitivities of {measure}: {why}.")
        return
    fixed = {"key", "noise", "points"}
    groups = [
        name
        for name in table.columns
        if name not in fixed
        and not name.startswith(("alone", "total"))
        and (name not in _WHO or table[name].n_unique() > 1)
    ]
    totals = table["total"].null_count() < table.height
    rows = [
        [
            *(row[name] for name in groups),
            row["key"],
            _index(row, "alone"),
            *([_index(row, "total")] if totals else []),
            "no data" if row["noise"] is None else f"{100 * row['noise']:.0f} %",
        ]
        for row in table.head(ROWS).to_dicts()
    ]
    columns = [*groups, "key", "alone", *(["with others"] if totals else []), "noise"]
    noise = known["noise"].max()
    few = isinstance(noise, float) and noise > _NOISY
    output.table(
        f"What {measure} depends on: shares of its variance over the design",
        columns,
        rows,
        "In brackets: 95 % intervals over draws of the points. noise: share of the "
        "variance that may be luck of the games"
        + ("; play more games to trust these." if few else "."),
    )


def _index(row: dict[str, Any], name: str) -> str:
    estimate = {
        "estimate": row[name],
        "low": row[f"{name}_low"],
        "high": row[f"{name}_high"],
    }
    return output.format_interval(estimate, "share")

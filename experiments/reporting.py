"""The report of a game: the panel is played, and what was found is written.

A game's report may say how many games a cell has (``GAMES``), and that only the leading
strategy is played with every number of players, the others with some (``COUNTS``): both
keep it quick.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from experiments.panel import Panel, Place
from experiments.run import Progress, run
from experiments.variations import differences
from sim import games as registry
from sim.knobs import Rules

GAMES = 16_384
"""Games of each cell unless said otherwise, or by the game's report."""
_MORE = ("trials", "beside", "otherwise")  # functions that a report may lack


@dataclass(frozen=True)
class ReportDone:
    """Where the report is, and its findings in words."""

    page: Path
    findings: list[str]


def report(  # noqa: PLR0913 - all that the command line knows
    game: str,
    *,
    games: int | None = None,
    players: Sequence[int] | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    lineup: str | None = None,
    strategies: Sequence[str] = (),
    jobs: int = 1,
    out: Path,
    progress: Progress | None = None,
) -> ReportDone:
    """Play the panel (or one lineup, rotated) and write its report to ``out``.

    ``games`` of each cell are by default those of the game's report, or ``GAMES``.
    ``strategies`` are specs of one's own, which join the panel.
    """
    known = registry.load(game)
    rules = known.rules.of() if rules is None else rules
    counts = tuple(players or known.players)
    study = import_module(f"reports.{game}.measures")
    games = getattr(study, "GAMES", GAMES) if games is None else games
    panel = Panel(
        game,
        rules,
        counts,
        _of_all(counts, getattr(study, "COUNTS", counts)),
        seed,
        tuple(strategies),
        study.decline(rules.plain()),
        *(getattr(study, name, _nothing)(rules.plain()) for name in _MORE),
    )
    places = list(panel.places() if lineup is None else panel.given(lineup))
    found = run(
        [place.cell for place in places],
        games,
        jobs=jobs,
        detailed=True,
        out=out,
        progress=progress,
    )
    writer = import_module(f"reports.{game}.report")
    about = _about(panel, places, games, lineup)
    made = writer.build(found.sums, _cells(places), about)
    page = import_module("reports.writing").write(made, out)
    return ReportDone(page, [finding.text for finding in made.findings])


def _nothing(_: Mapping[str, Any]) -> tuple[()]:
    """What a game asks for that asks for nothing."""
    return ()


def _of_all(counts: Sequence[int], some: Sequence[int]) -> tuple[int, ...]:
    """The numbers of players that are among ``some``; all, where none is."""
    return tuple(n for n in counts if n in some) or tuple(counts)


def _cells(places: Sequence[Place]) -> pl.DataFrame:
    """The cells as a report reads them."""
    rows = [
        {
            "cell": number,
            "lineup": place.cell.title(),
            "kind": place.kind,
            "players": place.cell.players,
            "strategy_declining": place.declining,
            "moment": place.moment,
            "changes": place.changes,
        }
        for number, place in enumerate(places)
    ]
    return pl.DataFrame(rows)


def _about(
    panel: Panel, places: Sequence[Place], games: int, lineup: str | None
) -> dict[str, Any]:
    """What the front of the report tells."""
    known, rules = registry.load(panel.game), panel.rules
    knobs = rules.knobs()
    lead = lineup if lineup is not None else next(iter(panel.specs()))
    return {
        "games": games,
        "lead": lead,
        "rules": rules.plain(),
        "seed": panel.seed,
        "version": version("fairdeal"),
        "simulated": _simulated(panel, places, games, lead),
        "differences": tuple(
            (change.key, change.words)
            for change in differences.changes(known.rules(), rules)
        ),
        "assumed": tuple(
            (knob.key, _text(knob.value), knob.assumed)
            for knob in knobs
            if knob.assumed
        ),
        "all_rules": tuple((knob.key, _text(knob.value)) for knob in knobs),
    }


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(
            str(row["id"]) if isinstance(row, dict) else str(row) for row in value
        )
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)


def _simulated(
    panel: Panel, places: Sequence[Place], games: int, lead: str
) -> tuple[tuple[str, str], ...]:
    kinds = {
        "self": "every seat the same",
        "against": "one against the others",
        "mixed": "mixed tables",
        "given": "lineup asked for",
        "paired": "same deals twice, a decision declined once",
        "tried": "same deals twice, a card of each hand lacking once",
        "beside": "other rules beside them",
    }
    rows = [
        ("game", registry.load(panel.game).title),
        ("leading lineup", f"{lead}: findings are about it where not said otherwise"),
        ("players", ", ".join(map(str, panel.counts))),
    ]
    for kind, words in kinds.items():
        names = dict.fromkeys(p.cell.title() for p in places if p.kind == kind)
        if names:
            rows.append((words, "; ".join(names)))
    tried = (p.cell.otherwise for p in places if p.cell.otherwise is not None)
    rows += [
        ("every option tried", words) for words in dict.fromkeys(o.title for o in tried)
    ]
    rows += [
        ("games", f"{games:,} of each of {len(places)} lineups and numbers of players"),
        ("seed", str(panel.seed)),
        ("fairdeal", version("fairdeal")),
    ]
    return (*rows, *_shortages(panel))


def _shortages(panel: Panel) -> Iterator[tuple[str, str]]:
    """What the box lacks, of games that can tell."""
    if hasattr(panel.rules, "shortages"):
        for players in panel.counts:
            for text in panel.rules.shortages(players):
                yield f"box, {players} players", text

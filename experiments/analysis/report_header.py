"""The front of a report: the game, its rules, and what was simulated.

Before any number, readers see who played whom how often, what was tried, how the rules
differ from the printed ones, and which values are assumed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import sim.games
from experiments.analysis.panel import NOISE, Panel
from experiments.analysis.panel_cells import PanelCell, Searching, detailed_of
from experiments.core.cells import Cell
from experiments.execution.version import VERSION
from experiments.variants import rule_diff
from reports.finding_robustness import STRONG
from reports.formatting import join_words
from sim.parameters import BY_PLAYERS, Rules, as_text
from strategies import registry
from strategies.search import Search

_NAMED = 24  # lineups; further ones are only counted
_KINDS = {
    "self": "every seat the same",
    "against": "one against the others",
    "mixed": "mixed tables",
    "given": "lineup asked for",
    "paired": "same deals twice, once with a decision declined",
    "tried": "same deals twice, once without a card of each hand",
    "beside": "other rules for comparison",
    "beginner": "beginners",
    "noisy": f"each decision random with probability {NOISE}",
    "one": "one among the leading lineup",
    "one strong": "one strong player among the leading lineup",
    "strong": "every seat strong",
    "one taught": "one player taught by heuristics among the leading lineup",
    "taught": "every seat taught by heuristics",
    "search": "every seat searches",
}
"""Kinds of cells in words, in the order in which they are listed."""


def report_header(
    panel: Panel,
    panel_cells: Sequence[PanelCell],
    games: int,
    lineup: str | None,
    searching: Sequence[Searching],
    less: Mapping[int, int],
    ends: Mapping[int, int],
) -> dict[str, Any]:
    """Return the facts about a report, by name, as ``reports.build_report`` reads them.

    ``games`` were played of each of the ``panel_cells``, except the numbered ones in
    ``less``; ``ends`` has the games of which only the end is counted, by cell;
    ``searching`` are the cells with search players.
    """
    known, rules = sim.games.load(panel.game), panel.rules
    parameters = rules.parameters()
    lead = lineup if lineup is not None else next(iter(panel.specs()))
    return {
        "title": known.title,
        "begins": known.first_position,
        "games": games,
        "fewer": less,
        "ends": ends,
        "lead": lead,
        "given": " and ".join(panel.given),
        "deals": _deals(panel),
        "lead_told": _lead_told(panel, lead) if lineup is None else "",
        "lead_called": STRONG if lineup is None and panel.lead_is_strong else "",
        "levels": _levels(panel) if lineup is None else {},
        "rules": rules.plain(),
        "printed": known.rules().plain(),
        "seed": panel.seed,
        "plays_on": panel.continuation,
        "follow_ups": {
            (kind.name, option): (later.decision, later.options)
            for kind in known.kinds.values()
            for option, later in kind.follow_ups.items()
        },
        "searched": dict(_search_facts(searching)),
        "windfalls": [kind.name for kind in known.kinds.values() if kind.windfall],
        "full": panel.full,
        "version": VERSION,
        "simulated": (
            *_simulated(panel, panel_cells, lead, searching),
            *_numbers(panel, panel_cells, games, less, ends),
            *_shortages(panel),
        ),
        "differences": tuple(
            (change.key, change.sentence)
            for change in rule_diff.changes(known.rules(), rules)
        ),
        "added": _added_rows(known.rules(), rules),
        "assumed": tuple(
            (parameter.key, as_text(parameter.value), parameter.assumed)
            for parameter in parameters
            if parameter.assumed
        ),
        "all_rules": tuple(
            (parameter.key, as_text(parameter.value)) for parameter in parameters
        ),
    }


def _levels(panel: Panel) -> dict[str, str]:
    """Return the lineups of each strength of play, by its name."""
    levels = {
        level: registry.title(panel.game, spec) for level, spec in panel.levels.items()
    }
    if levels and panel.lead_is_strong:
        levels["strong"] = next(iter(panel.specs()))
    return levels


def _deals(panel: Panel) -> str:
    """Say which deals all games have, if not every one."""
    if not panel.given:
        return ""
    deals = panel.any_cell(detailed_of(panel.counts)).deals
    return (
        f"All that follows is about deals like this only: {deals}. Players do not know "
        "of it, and those who learned did so on all deals."
    )


def _lead_told(panel: Panel, lead: str) -> str:
    """Say whom findings are about, if they are strong players."""
    if not (panel.lead.told or panel.lead_is_strong):
        return ""
    return f"All that follows is about strong players ({panel.lead.told or lead})."


def _search_facts(
    searching: Sequence[Searching],
) -> Iterator[tuple[str, tuple[tuple[str, ...] | None, tuple[str, ...]]]]:
    """Yield for each searching lineup its decisions (None: all) and rollout players."""
    for cells, _ in searching:
        for panel_cell in cells:
            if panel_cell.kind == "search" and isinstance(panel_cell.cell, Cell):
                player = panel_cell.cell.strategies()[0]
                if isinstance(player, Search):
                    kinds = tuple(player.kinds.split("+")) if player.kinds else None
                    plans = player.plans.split("+") if player.plans else []
                    yield panel_cell.cell.title(), (kinds, (player.inner, *plans))


def _added_rows(base: Rules, here: Rules) -> tuple[tuple[str, str], ...]:
    """Return the rows that only these rules have, not the base: id and sentence."""
    return tuple(
        (change.after["id"], change.sentence)
        for change in rule_diff.changes(base, here)
        if change.before is None and isinstance(change.after, Mapping)
        if not change.key.startswith(f"{BY_PLAYERS}.")
    )


def _simulated(
    panel: Panel,
    panel_cells: Sequence[PanelCell],
    lead: str,
    searching: Sequence[Searching],
) -> Iterator[tuple[str, str]]:
    """Yield what was played: the lineups, numbers of players, and what was tried."""
    yield "game", sim.games.load(panel.game).title
    yield "leading lineup", f"{lead}: findings are about it unless they say otherwise"
    yield "players", ", ".join(map(str, panel.counts))
    for each in map(panel.any_cell, panel.counts if panel.given else ()):
        yield f"deals of {each.players} players", each.deals
    every = (*panel_cells, *chain.from_iterable(cells for cells, _ in searching))
    for kind, words in {**_KINDS, "one": f"one among {lead}"}.items():
        titles = (each.cell.title() for each in every if each.kind == kind)
        if names := [*dict.fromkeys(titles)]:
            yield words, _name_list(names)
    alone = [each.cell for each in every if isinstance(each.cell, Cell)]
    changed = (cell.interventions for cell in alone if cell.interventions is not None)
    yield from dict.fromkeys(chain(*(each.titles() for each in changed)))


def _numbers(
    panel: Panel,
    panel_cells: Sequence[PanelCell],
    games: int,
    less: Mapping[int, int],
    ends: Mapping[int, int],
) -> Iterator[tuple[str, str]]:
    """Yield the numbers of games, the seed and the version."""
    yield "games", _games(panel_cells, games, less)
    if ends:
        yield "who wins, in the leading lineup", _endings(panel_cells, ends)
    yield "seed", str(panel.seed)
    yield "fairdeal", VERSION


def _games(
    panel_cells: Sequence[PanelCell], games: int, less: Mapping[int, int]
) -> str:
    """Say how many games were played of how many cells."""
    every = [less.get(number, games) for number in range(len(panel_cells))]
    counts = sorted(set(every), reverse=True)
    words = [f"{few:,} of each of {every.count(few)}" for few in counts]
    return f"{', '.join(words)} lineups and numbers of players"


def _endings(panel_cells: Sequence[PanelCell], ends: Mapping[int, int]) -> str:
    """Say how many games of which numbers of players show who wins."""
    players: dict[int, list[str]] = {}
    for cell, games in ends.items():
        players.setdefault(games, []).append(str(panel_cells[cell].cell.players))
    words = [
        f"{games:,} games {'each ' * (len(counts) > 1)}of {join_words(counts)} players"
        for games, counts in players.items()
    ]
    return f"{', '.join(words)}: as many as the verdicts need"


def _name_list(names: Sequence[str]) -> str:
    """List names; of many the first, and how many more there are."""
    more = len(names) - _NAMED
    text = "; ".join(names[:_NAMED])
    return f"{text}; and {more} more" if more > 0 else text


def _shortages(panel: Panel) -> Iterator[tuple[str, str]]:
    """Yield what the box lacks, if the game's rules can tell."""
    if hasattr(panel.rules, "shortages"):
        for players in panel.counts:
            for text in panel.rules.shortages(players):
                yield f"box, {players} players", text

"""The front of a report: which game by which rules, and what was simulated of it.

Readers see before any number who played whom how often, what was tried, how the rules
differ from those that are printed, and which values are assumed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from experiments.analysis.panel import NOISE, Panel
from experiments.analysis.panel_cells import PanelCell, Searching
from experiments.core.branching import asked
from experiments.core.cells import Cell
from experiments.execution.version import VERSION
from experiments.variants import rule_diff
from reports.formatting import listed
from sim import games as registry
from sim.parameters import BY_PLAYERS, Rules, as_text
from strategies.search import Search

_NAMED = 24  # lineups, before the rest is counted
_KINDS = {
    "self": "every seat the same",
    "against": "one against the others",
    "mixed": "mixed tables",
    "given": "lineup asked for",
    "paired": "same deals twice, a decision declined once",
    "tried": "same deals twice, a card of each hand lacking once",
    "beside": "other rules beside them",
    "noisy": f"each decision random with probability {NOISE}",
    "one": "one among the leading lineup",
    "search": "every seat searches",
}
"""Kinds of cells in words, in the order in which they are listed."""


def front(
    panel: Panel,
    panel_cells: Sequence[PanelCell],
    games: int,
    lineup: str | None,
    searching: Sequence[Searching],
    less: Mapping[int, int],
    ends: Mapping[int, int],
) -> dict[str, Any]:
    """What a report says of itself, by name, as ``reports.building`` reads it.

    ``games`` were played of each of the ``panel_cells``, but for those, by number, of
    which there are ``less``; in ``ends`` are those of which only the end is counted in
    so many; ``searching`` are the tables at which somebody searches.
    """
    known, rules = registry.load(panel.game), panel.rules
    parameters = rules.parameters()
    lead = lineup if lineup is not None else next(iter(panel.specs()))
    return {
        "title": known.title,
        "begins": known.first_position,
        "games": games,
        "fewer": less,
        "ends": ends,
        "lead": lead,
        "rules": rules.plain(),
        "printed": known.rules().plain(),
        "seed": panel.seed,
        "plays_on": panel.plays_on,
        "follow_ups": {
            (kind.name, option): (later.decision, later.options)
            for kind in known.kinds.values()
            for option, later in kind.follow_ups.items()
        },
        "searched": dict(_searched(searching)),
        "windfalls": [kind.name for kind in known.kinds.values() if kind.windfall],
        "full": panel.full,
        "version": VERSION,
        "simulated": (
            *_simulated(panel, panel_cells, lead, searching),
            *_numbers(panel, panel_cells, games, searching, less, ends),
            *_shortages(panel),
        ),
        "differences": tuple(
            (change.key, change.sentence)
            for change in rule_diff.changes(known.rules(), rules)
        ),
        "added": _added(known.rules(), rules),
        "assumed": tuple(
            (parameter.key, as_text(parameter.value), parameter.assumed)
            for parameter in parameters
            if parameter.assumed
        ),
        "all_rules": tuple(
            (parameter.key, as_text(parameter.value)) for parameter in parameters
        ),
    }


def _searched(
    searching: Sequence[Searching],
) -> Iterator[tuple[str, tuple[tuple[str, ...] | None, tuple[str, ...]]]]:
    """Of tables that search: which decisions (None: all), and who plays on for them."""
    for some, _ in searching:
        for one in some:
            if one.kind == "search" and isinstance(one.cell, Cell):
                who = one.cell.strategies()[0]
                if isinstance(who, Search):
                    kinds = tuple(who.kinds.split("+")) if who.kinds else None
                    plans = who.plans.split("+") if who.plans else []
                    yield one.cell.title(), (kinds, (who.inner, *plans))


def _added(base: Rules, here: Rules) -> tuple[tuple[str, str], ...]:
    """The rows that these rules have and the base has not: id and sentence."""
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
    """What was played: by whom, of how many players, and with what tried."""
    yield "game", registry.load(panel.game).title
    yield "leading lineup", f"{lead}: findings are about it where not said otherwise"
    yield "players", ", ".join(map(str, panel.counts))
    every = (*panel_cells, *(one for some, _ in searching for one in some))
    for kind, words in {**_KINDS, "one": f"one among {lead}"}.items():
        names = dict.fromkeys(one.cell.title() for one in every if one.kind == kind)
        if names:
            yield words, _few([*names])
    alone = [one.cell for one in every if isinstance(one.cell, Cell)]
    tried = (one.title for cell in alone for one in asked(cell.branching))
    for title in dict.fromkeys(tried):
        yield "every option tried", title
    for cell in alone:
        if cell.knocked is not None:
            yield "the same games without", cell.knocked.title


def _numbers(
    panel: Panel,
    panel_cells: Sequence[PanelCell],
    games: int,
    searching: Sequence[Searching],
    less: Mapping[int, int],
    ends: Mapping[int, int],
) -> Iterator[tuple[str, str]]:
    """How many games there were, from which seed, by which version."""
    yield "games", _games(panel_cells, games, less)
    if ends:
        yield "who wins, of the leading lineup", _endings(panel_cells, ends)
    for some, number in searching:
        what = f"games with searchers, {some[0].cell.players} players"
        yield what, f"{number:,} of each of {len(some)} lineups"
    yield "seed", str(panel.seed)
    yield "fairdeal", VERSION


def _games(
    panel_cells: Sequence[PanelCell], games: int, less: Mapping[int, int]
) -> str:
    """How many games of which cells."""
    every = [less.get(number, games) for number in range(len(panel_cells))]
    counts = sorted(set(every), reverse=True)
    words = [f"{few:,} of each of {every.count(few)}" for few in counts]
    return f"{', '.join(words)} lineups and numbers of players"


def _endings(panel_cells: Sequence[PanelCell], ends: Mapping[int, int]) -> str:
    """How many games of which numbers of players tell who wins."""
    players: dict[int, list[str]] = {}
    for at, games in ends.items():
        players.setdefault(games, []).append(str(panel_cells[at].cell.players))
    words = [
        f"{games:,} games {'each ' * (len(some) > 1)}of {listed(some)} players"
        for games, some in players.items()
    ]
    return f"{', '.join(words)}: as many as the verdicts take"


def _few(names: Sequence[str]) -> str:
    """Names in a row; of many the first, and how many more there are."""
    more = len(names) - _NAMED
    text = "; ".join(names[:_NAMED])
    return f"{text}; and {more} more" if more > 0 else text


def _shortages(panel: Panel) -> Iterator[tuple[str, str]]:
    """What the box lacks, of games that can tell."""
    if hasattr(panel.rules, "shortages"):
        for players in panel.counts:
            for text in panel.rules.shortages(players):
                yield f"box, {players} players", text

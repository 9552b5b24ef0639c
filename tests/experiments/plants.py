"""Faults planted in the rules of real games, and a good option that must be left alone.

Each is a declaration: the rules, and what page one has to say of which option or kind
of decision. ``named`` plays what a report plays for its lines about options, with the
strong players of these rules, and returns the sentences of page one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from experiments.analysis.leader import is_strong
from experiments.analysis.option_worth import option_worth
from experiments.core.cells import Cell
from experiments.core.measures import measures_of, report_of
from experiments.counterfactual.forbidden_options import FEW
from experiments.execution.run import run
from experiments.learning.adaptation import LessonPlan
from experiments.learning.adapted_leader import AdaptedLeader
from reports.finding_robustness import STRONG
from reports.report_data import CELL, ReportData
from reports.scorecard.score import ScorecardRun, option_table, scores
from reports.scorecard.sentences import sentences
from sim.games import load
from sim.parameters import Rules

ABOUT_OPTIONS = ("dead", "dominant", "trap", "mechanic", "outshines")
GAMES = 2_048
_LESS = 8  # times fewer games for what needs no precision: that nobody takes it


@dataclass(frozen=True)
class Plant:
    """A fault: the rules that have it, and the words for it in a sentence.

    says: one of these has to be in a sentence about options, as page one writes it. Of
    the kind "good", which needs a follow-up or is a rule of the base game, nothing is
    wrong: none of them may be there as dead.
    """

    game: str
    settings: Mapping[str, Any]
    says: tuple[str, ...]
    kind: str
    who: str = ""  # by default the strong player of these rules
    lessons: float = 0.0  # seconds in which that player adapts to them

    @property
    def players(self) -> int:
        """The number of players."""
        return 2 if self.game == "evilpact" else 4

    @property
    def rules(self) -> Rules:
        """The rules with the fault."""
        known = load(self.game)
        rules: Rules = known.rules.of(dict(self.settings))
        return rules


def scored(plant: Plant, seed: int = 21) -> ScorecardRun:
    """Play what the lines about options need, and return it as a report has it."""
    rules, players = plant.rules, plant.players
    find = AdaptedLeader(LessonPlan(plant.lessons), seed)
    who = plant.who or find(plant.game, rules, (players,)).spec
    cell = Cell(plant.game, rules, players, (who,) * players, True, seed)
    report, known = report_of(plant.game), load(plant.game)
    games = 512 if plant.game in SLOW else GAMES
    results = run([cell], games, detailed=True)
    worth = option_worth(
        replace(cell, lineup=(report.option_player or who,) * players, seed=seed + 1),
        report.option_replays // (_LESS if plant.kind == "dead" else 1),
        FEW,
    )
    row = {"cell": 0, "lineup": cell.title(), "kind": "self", "players": players}
    row |= {"strategy_declining": "", "moment": 0, "changes": ""}
    data = ReportData(
        results.sums,
        pl.DataFrame([row]).cast(CELL),
        results.played[0],
        rules.plain(),
        cell.title(),
        {**measures_of(plant.game), **report.measures},
        report.columns,
        follow_ups={
            (kind.name, option): (later.decision, later.options)
            for kind in known.kinds.values()
            for option, later in kind.follow_ups.items()
        },
        lead_called=STRONG if is_strong(plant.game, who) else "",
    )
    windfalls = [kind.name for kind in known.kinds.values() if kind.windfall]
    return ScorecardRun(
        data,
        undecided=tuple(report.undecided),
        worth=worth,
        windfalls=windfalls,
        option_player=report.option_player,
    )


SLOW = ("socialism", "article_ii", "kbernestich")
"""Games whose plants are played less often."""


def told(plant: Plant) -> tuple[list[str], pl.DataFrame]:
    """Return the sentences of page one about options, and the table of options."""
    made = scored(plant)
    every = sentences(scores(made))
    texts = [each.text for each in every if each.line in ABOUT_OPTIONS]
    return texts, option_table(made)


def named(plant: Plant, texts: list[str]) -> bool:
    """Return whether a sentence has the words of a plant."""
    return any(word in text for text in texts for word in plant.says)


def dead_or_trap(plant: Plant, rows: pl.DataFrame) -> list[tuple[str, str]]:
    """Return the options of a plant that the table calls dead or a trap."""
    words = pl.format("{} at {}", "option", "decision")
    own = pl.any_horizontal([words.str.starts_with(word) for word in plant.says])
    bad = rows.filter(own, pl.col("verdict").is_in(["dead", "trap"]))
    return bad.select("option", "decision").rows()


_EVERY_USER = tuple(user.id for user in load("socialism").rules().users)


def _users(**fields: Any) -> dict[str, Any]:
    """Return settings that change all Users of Socialism alike."""
    return {
        f"users.{one}.{key}": to for one in _EVERY_USER for key, to in fields.items()
    }


_CARD = "cards.tack-center"
_DEAD_SQUARES = ("card-11", "round-7", "blue", "white")

PLANTS = (
    # Contracts of Kunitame: worth nothing, dominated by all others, paid too well
    Plant(
        "kunitame",
        {"contract_returns": [0] * 5, "devil_ranks": 0},
        ("“contract”", "at contract"),
        "mechanic",
    ),
    Plant(
        "kunitame",
        {"contract_returns": [0, 3, 3, 3, 3]},
        ("“1 at con",),
        "weak",
        lessons=60,
    ),
    Plant("kunitame", {"contract_points": [9, 0, 0, 0, 0]}, ("“1 at con",), "overpaid"),
    Plant(
        "kunitame",
        {"contract_points": [0, 9, 0, 0, 0]},
        ("“2 at con",),
        "overpaid",
        lessons=60,
    ),
    Plant(
        "kunitame",
        {"contract_points": [0, 0, 9, 0, 0]},
        ("“3 at con",),
        "overpaid",
        lessons=60,
    ),
    # Its pledges: no trick meets them, or worth three times any other
    *(
        Plant("kunitame", {f"squares.{one}.num": [14, 14]}, (f"{one} at cl",), "dead")
        for one in _DEAD_SQUARES
    ),
    Plant("kunitame", {"squares.round-7.gem": 3}, ("round-7 at cl",), "always"),
    # Drake: the only action is forced; a deck that holds a single card
    Plant("drake", {"special.sangria-all.remove": True}, ("“act”",), "mechanic"),
    # Devil: a card more for nothing; a rank that nobody wants to keep
    Plant("devil", {"voluntary_draw": True}, ("draw at play",), "weak"),
    Plant("devil", {"points": [1] * 9 + [99]}, ("“10 at play",), "always"),
    # Evilpact: spells and cards that do nothing, are never castable, or do too much
    Plant(
        "evilpact", {"power_insight_sideways": 1}, ("“sideways", "eihort"), "mechanic"
    ),
    Plant("evilpact", {"power_insight_sideways": 0}, ("sideways", "eihort"), "trap"),
    Plant(
        "evilpact", {"power_insight_sideways": 9}, ("sideways", "eihort"), "overpaid"
    ),
    Plant("evilpact", {"thresholds": [29, 30]}, ("at cast", "“cast”"), "dead"),
    Plant("evilpact", {"power_turbidity": 0}, ("flip", "/", "nyarl"), "weak"),
    Plant(
        "evilpact",
        {"power_insight_upright": 6},
        ("-i3 at", "-i5 at", "any Insight"),
        "overpaid",
    ),
    # Kbernestich: bids, letters
    Plant("kbernestich", {"hunch_points": 0}, ("hunch-", "any bid"), "dead"),
    Plant("kbernestich", {"hunch_points": 50}, ("hunch-", "any bid"), "overpaid"),
    Plant(
        "kbernestich", {"by_players.4.marie_to": [0, 2, 2, 1, 1, 1]}, ("to-0",), "dead"
    ),
    Plant(
        "kbernestich",
        {"by_players.4.marie_to": [9, 2, 2, 1, 1, 1]},
        ("to-9",),
        "overpaid",
    ),
    Plant("kbernestich", {"marie_from": [0, 1, 2, 9]}, ("from-",), "overpaid"),
    # Socialism: ways to invite that nobody has, or that are always accepted
    Plant("socialism", {"users.jimmy.remove": True}, ("block at inv",), "dead"),
    Plant("socialism", _users(friends=0), ("personal at inv",), "dead"),
    Plant("socialism", _users(personal="always"), ("personal at",), "overpaid"),
    # Article II: cards that say nothing, or everything
    Plant(
        "article_ii",
        {f"{_CARD}.electability": 0, f"{_CARD}.affiliation": 0},
        ("tack-center at play",),
        "weak",
    ),
    Plant(
        "article_ii",
        {f"{_CARD}.electability": 40},
        ("tack-center at play",),
        "overpaid",
    ),
    # Nothing is wrong with these
    Plant("drake", {}, ("maiden at", "knight at", "treasure at"), "good"),
    Plant("kbernestich", {}, ("observation at", "incubation at"), "good"),
    Plant("kunitame", {}, ("1 at contract", "2 at contract"), "good"),
)

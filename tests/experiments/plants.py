"""Faults planted in the rules of real games, and a good option that must be left alone.

Each is a declaration: the rules, and what page one has to say of which option or kind
of decision. ``named`` plays what a report plays for its lines about options, with the
strong players of these rules, and returns the sentences of page one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

import sim.games
from experiments.analysis.leader import is_strong, strong_leader
from experiments.analysis.option_worth import option_worth
from experiments.core.cells import Cell
from experiments.core.measures import measures_of, report_of
from experiments.counterfactual.forbidden_options import FEW
from experiments.execution.run import run
from reports.finding_robustness import STRONG
from reports.report_data import CELL, ReportData
from reports.scorecard.score import ScorecardRun, option_table, scores
from reports.scorecard.sentences import sentences
from sim.parameters import Rules

ABOUT_OPTIONS = ("dead", "dominant", "trap", "mechanic", "outshines")
GAMES = 2_048


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

    @property
    def players(self) -> int:
        """The number of players."""
        return 2 if self.game == "evilpact" else 4

    @property
    def rules(self) -> Rules:
        """The rules with the fault."""
        known = sim.games.load(self.game)
        rules: Rules = known.rules.of(dict(self.settings))
        return rules


def scored(plant: Plant, seed: int = 21) -> ScorecardRun:
    """Play what the lines about options need, and return it as a report has it."""
    rules, players = plant.rules, plant.players
    who = plant.who or strong_leader(plant.game, rules, (players,)).spec
    cell = Cell(plant.game, rules, players, (who,) * players, True, seed)
    report, known = report_of(plant.game), sim.games.load(plant.game)
    games = 512 if plant.game in SLOW else GAMES
    results = run([cell], games, detailed=True)
    worth = option_worth(
        Cell(plant.game, rules, players, (who,) * players, True, seed + 1),
        report.option_replays,
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
        data, undecided=report.undecided, worth=worth, windfalls=windfalls
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


PLANTS = (
    Plant("kunitame", {"contract_returns": [0] * 5}, ("“contract”",), "mechanic"),
    Plant("kunitame", {"contract_returns": [0, 3, 3, 3, 3]}, ("“1 at con",), "weak"),
    Plant("kunitame", {"contract_points": [9, 0, 0, 0, 0]}, ("“1 at con",), "overpaid"),
    Plant("kunitame", {"contract_points": [0, 9, 0, 0, 0]}, ("“2 at con",), "overpaid"),
    Plant("kunitame", {"squares.card-11.num": [14, 14]}, ("card-11 at cl",), "dead"),
    Plant("kunitame", {"squares.round-7.num": [14, 14]}, ("round-7 at cl",), "dead"),
    Plant("kunitame", {"squares.card-12.num": [14, 14]}, ("card-12 at cl",), "dead"),
    Plant("kunitame", {"squares.card-1-5.num": [14, 14]}, ("card-1-5 at cl",), "dead"),
    Plant("kunitame", {"squares.only-11-13.num": [14, 14]}, ("only-11-13",), "dead"),
    Plant("kunitame", {"contract_points": [0, 0, 9, 0, 0]}, ("“3 at con",), "overpaid"),
    Plant("drake", {"must_act": False}, ("“act”",), "mechanic"),
    Plant("drake", {"fire_needs_maiden": True}, ("“act”", "fire at"), "mechanic"),
    Plant("devil", {"voluntary_draw": True}, ("draw at play",), "weak"),
    Plant("devil", {"points": [40] * 10}, ("declare”",), "mechanic"),
    Plant("evilpact", {"power_insight_sideways": 1}, ("“sideways”",), "mechanic"),
    Plant("evilpact", {"power_insight_sideways": 0}, ("sideways",), "trap"),
    Plant("evilpact", {"power_insight_sideways": 9}, ("sideways", "flip"), "overpaid"),
    Plant("evilpact", {"thresholds": [9, 30]}, ("at cast", "“cast”"), "dead"),
    Plant("kbernestich", {"hunch_points": 0}, ("hunch-",), "dead"),
    Plant("kbernestich", {"zabine": [2, 3, 26, 28]}, ("bust",), "weak"),
    Plant(
        "socialism",
        {"actions.smtp-block-list.copies": 4},
        ("smtp-block-list",),
        "dead",
        "allround",
    ),
    Plant(
        "article_ii",
        {"cards.tack-center.electability": -9, "cards.tack-center.affiliation": -9},
        ("tack-center at play",),
        "dead",
        "allround",
    ),
    Plant("drake", {}, ("maiden at", "knight at", "treasure at"), "good"),
    Plant("kbernestich", {}, ("observation at", "incubation at"), "good"),
)

"""Which tables of cards and readings of the rules are played beside those in force.

The published numbers are lost, so what holds for one table of cards says little. Deck
sizes count plain cards; they start at the goal, below which no pile could ever be full.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

WIDEST = 60  # cards of a deck
_LEVELS = ("low", "listed", "ends", "high")
_OF_REGION = {"chastity": _LEVELS, "strength": _LEVELS, "value": ("listed", "high")}
OF_REGION = tuple(_OF_REGION)
REGION = ("maidens", "knights", *OF_REGION)
"""What differs between the tables of cards in the region."""
OTHERS = ("racer", "saboteur", "random")
EVERY, DETAILED = (2, 3, 4), (4,)
READINGS = "readings"
"""The sweep of readings of the rules."""
_MORE = range(6)  # Maidens and Knights beyond the goal
_MIDDLE = 3  # beyond the goal: here all Virtues win games with the assumed numbers


@dataclass(frozen=True)
class RuleSweep:
    """Rules that are played beside those in force, as a part of a ``sweep``."""

    sweep: str
    values: Mapping[str, Any]  # what differs, by column of a table
    changes: Mapping[str, Any]
    players: tuple[int, ...] = DETAILED
    strategies: tuple[str, ...] = ()
    key: str = field(init=False)  # as cells name it

    def __post_init__(self) -> None:
        """Set ``key``, by which cells name these changes."""
        words = ", ".join(f"{key}={value}" for key, value in self.changes.items())
        object.__setattr__(self, "key", words)


def rule_sweeps(rules: Mapping[str, Any]) -> list[RuleSweep]:
    """Return what is played beside these rules: only readings if decks are fixed."""
    readings = list(_readings(rules))
    lists = ("maiden_chastity", "knight", "treasure_value")
    special = sum(card["copies"] for card in rules["special"])
    if not all(rules[name] for name in lists) or rules["goal"] + 8 + special > WIDEST:
        return readings
    return [*_sizes(rules), *_region(rules), *readings]


def other_tables(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the tables of cards as plain data for the panel, without repetitions."""
    return _plain(run for run in rule_sweeps(rules) if run.sweep != READINGS)


def other_readings(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the readings of the rules as plain data for the panel."""
    return _plain(_readings(rules))


def _plain(runs: Iterable[RuleSweep]) -> tuple[dict[str, Any], ...]:
    distinct = {(run.key, run.strategies): run for run in reversed([*runs])}
    return tuple(
        {
            "changes": run.changes,
            "players": run.players,
            "strategies": run.strategies,
        }
        for run in reversed(distinct.values())
    )


def _sizes(rules: Mapping[str, Any]) -> Iterator[RuleSweep]:
    """Vary Maidens and Knights, with other strategies too if equal; and Treasures."""
    goal, middle = rules["goal"], rules["goal"] + _MIDDLE
    for maidens, knights in product(_MORE, _MORE):
        cards = {"maidens": goal + maidens, "knights": goal + knights}
        same = maidens == knights
        yield RuleSweep("sizes", cards, cards, EVERY if same else DETAILED)
        if same:
            yield RuleSweep("by whom", cards, cards, DETAILED, OTHERS)
    for more in (1, 2, 4, 6, 8):
        cards = {"maidens": middle, "knights": middle, "treasures": goal + more}
        yield RuleSweep("treasures", cards, cards)


def _region(rules: Mapping[str, Any]) -> Iterator[RuleSweep]:
    """Vary Knights and the shapes of three numbers, at a middle number of Maidens."""
    middle = rules["goal"] + _MIDDLE
    for more, *shapes in product(range(2), *_OF_REGION.values()):
        cards = {"maidens": middle, "knights": middle + more}
        values = cards | dict(zip(OF_REGION, shapes, strict=True))
        stats = {
            f"stats.{stat}.shape": shape
            for stat, shape in zip(OF_REGION, shapes, strict=True)
            if shape != "listed"
        }
        yield RuleSweep("region", values, cards | stats)


def _readings(rules: Mapping[str, Any]) -> Iterator[RuleSweep]:
    """Change one reading at a time of what the rule texts leave open."""
    for values, changes in _others(rules):
        yield RuleSweep(READINGS, values, changes, EVERY)
        yield RuleSweep(READINGS, values, changes, DETAILED, OTHERS)


def _others(
    rules: Mapping[str, Any],
) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """Yield each other reading in words, and the rules that it changes."""
    for key, readings in _OTHER_READINGS.items():
        for value, words in readings.items():
            if rules[key] != value:
                yield {"reading": words}, {key: value}
    if rules["ruleset"] == "update_II":
        changes = {"ruleset": "update_I", "absent_second_win": "ignored"}
        words = "update I; further wins of an absent Virtue are ignored (V2)"
        yield {"reading": words}, changes


_OTHER_READINGS: dict[str, dict[Any, str]] = {
    "ruleset": {
        "update_I": "update I, not II (V1)",
        "update_II": "update II, not I (V1)",
    },
    "treasure_needs_knight": {
        True: "a Treasure needs a Knight in the Lair (V3)",
        False: "a Treasure needs no Knight (V3)",
    },
    "fire_needs_maiden": {
        True: "fire needs a Maiden in the Gullet (V4)",
        False: "fire needs no Maiden (V4)",
    },
    "must_act": {
        True: "an action may not be passed (V5)",
        False: "an action may be passed (V5)",
    },
    "exhaust_when": {
        "empty": "a deck is exhausted with its last card (V6)",
        "draw_from_empty": "a deck is exhausted when chosen empty (V6)",
    },
    "sangria_returns": {
        True: "Sangria All is shuffled back itself (V8)",
        False: "Sangria All is not shuffled back itself (V8)",
    },
}

"""Is your card game fair? Play it a hundred thousand times and find out.

>>> import fairdeal as fd
>>> game = fd.Game("kunitame")
>>> four = game.rules(life=4)
>>> run = game.play(four, lineup="allround", games=2_000, seed=1, jobs=1)
>>> run.played
(2000,)

Names are loaded when they are first used, so that importing is fast.
``fairdeal --help`` offers the same on the command line.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from experiments.api import (
        Game,
        Report,
        Trace,
        ask,
        bench,
        cards,
        check,
        check_game,
        compare,
        exploit,
        explore,
        find,
        games,
        knockout,
        learn,
        levers,
        luck,
        measures,
        new_game,
        play,
        playtest,
        power,
        report,
        rules,
        runs,
        schema,
        skill,
        strategies,
        study,
        tournament,
        trace,
        tune,
        variant,
        what_if,
    )
    from experiments.rule_set import RuleSet
    from sim.own_game.cards import Card, cards_of
    from sim.own_game.declarations import (
        CardGame,
        ChoiceOf,
        Event,
        Fact,
        Number,
        Pile,
        rule,
    )
    from strategies.base import Strategy
    from strategies.scalar import Scalar

__all__ = [
    "Card",
    "CardGame",
    "ChoiceOf",
    "Event",
    "Fact",
    "Game",
    "Number",
    "Pile",
    "Report",
    "RuleSet",
    "Scalar",
    "Strategy",
    "Trace",
    "ask",
    "bench",
    "cards",
    "cards_of",
    "check",
    "check_game",
    "compare",
    "exploit",
    "explore",
    "find",
    "games",
    "knockout",
    "learn",
    "levers",
    "luck",
    "measures",
    "new_game",
    "play",
    "playtest",
    "power",
    "report",
    "rule",
    "rules",
    "runs",
    "schema",
    "skill",
    "strategies",
    "study",
    "tournament",
    "trace",
    "tune",
    "variant",
    "what_if",
]

_OWN = "sim.own_game.declarations"
_HOMES = {
    **dict.fromkeys(
        ("CardGame", "ChoiceOf", "Event", "Fact", "Number", "Pile", "rule"), _OWN
    ),
    **dict.fromkeys(("Card", "cards_of"), "sim.own_game.cards"),
    "RuleSet": "experiments.rule_set",
    "Scalar": "strategies.scalar",
    "Strategy": "strategies.base",
}
_HOME = "experiments.api"


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used (PEP 562)."""
    if name == "__version__":
        from experiments.execution.version import VERSION

        return VERSION
    if name not in __all__:
        raise AttributeError(f"module 'fairdeal' has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, _HOME)), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)

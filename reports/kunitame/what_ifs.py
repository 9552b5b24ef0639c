"""Decisions that are tried with every option, and options that are forbidden."""

from collections.abc import Mapping
from typing import Any

from reports.game_report import WhatIfs
from reports.kunitame import claim_counterfactuals


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which contracts are tried: on average one a game, with 4 players.

    A search player's own decisions are all tried. Except in full reports the game is
    then played on without search, which would take longer than all else.
    """
    if not rules["contract_limit"] or not rules["contract_squares"]:
        return ()
    return (
        {
            "decisions": ("contract",),
            "one_in": (4 * rules["weeks"],),
            "keeps": ("contracts", "tricks", "lives"),
            "hand": "promise",
            "players": (4,),
            "strategies": ("planner", "gambler"),
            "search": {"one_in": (1,)},
            "full": {"plays_on": ""},
        },
    )


def counterfactuals(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which decisions are tried: contracts, and the gems that are claimed."""
    return (*branching(rules), *claim_counterfactuals.branching(rules))


CONTRACTS = WhatIfs(
    counterfactuals=counterfactuals, forbidden=claim_counterfactuals.forbidden
)

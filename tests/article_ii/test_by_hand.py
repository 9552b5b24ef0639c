"""Games of Article II worked out with pen and paper."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.article_ii.rarities import rare
from tests.article_ii.referee import check
from tests.article_ii.scripts import Transcribed
from tests.games.event_lines import Events

NEWS = "newspaper-endorsement"


def plain(**rules: Any) -> Events:
    """Two players, marks alone."""
    deck = "newspaper-endorsement newspaper-endorsement policy-proposal negative-ad"
    told = Transcribed("tack-center toe-the-line | gaffe true-blue", deck, **rules)
    told.play(0, "tack-center", 0).play(1, "gaffe", 0)
    told.play(0, "toe-the-line", 1).play(1, "true-blue", 1)
    told.primary([1, -3], [-6, 10], [0, 1])
    told.general(
        1, "newspaper-endorsement policy-proposal | newspaper-endorsement negative-ad"
    )
    told.play(1, "newspaper-endorsement", 1).play(0, "newspaper-endorsement", 0)
    told.play(1, "negative-ad", 0).play(0, "policy-proposal", 1)
    told.totals([1, 0], [-6, 13], [7, -13])
    return told.result("total", [0], [0, 1])


def everything() -> Events:
    """Three players: every kind of event but a tie, one reshuffle of each kind."""
    told = Transcribed(
        "great-debater gaffe voter-adhd"
        "| insider-candidate tack-center unaffiliated-activity"
        "| teflon-wonder true-blue toe-the-line",
        "negative-ad newspaper-endorsement",
        start=2,
    )
    told.play(2, "teflon-wonder", 2)
    told.play(0, "great-debater", 0)
    told.play(1, "tack-center", 0).react(0, "gaffe", 1).draw(0, "negative-ad")
    told.teflon(2, "none").play(2, "true-blue", 0).react(0, "none", 2)
    told.play(0, "voter-adhd").remove(0, 1, "gaffe")
    told.play(1, "insider-candidate", 1).second(1, "unaffiliated-activity")
    told.draw(1, "newspaper-endorsement").reshuffle(2).draw(1, "gaffe")
    told.draw(1, "voter-adhd")
    told.teflon(2, "teflon-wonder").play(2, "toe-the-line", 1)
    told.play(0, "negative-ad", 1)
    told.play(1, "newspaper-endorsement", 2).second(1, "gaffe", 0)
    told.reshuffle(2).draw(1, "teflon-wonder")
    told.play(1, "voter-adhd").remove(1, 1, "insider-candidate")
    told.play(1, "teflon-wonder", 1)
    told.primary([1, -6, 3], [-1, 5, 0], [0, 2])
    told.phase = "general"
    told.start(1).reshuffle(2)
    told.deal("voter-adhd | unaffiliated-activity | insider-candidate")
    told.teflon(1, "negative-ad").play(1, "unaffiliated-activity")
    told.reshuffle(1).draw(1, "negative-ad")
    told.play(2, "insider-candidate", 2)
    told.play(0, "voter-adhd").remove(0, 0, "gaffe")
    told.teflon(1, "none").play(1, "negative-ad", 0)
    told.totals([1, -3, 1], [2, 5, 0], [-1, None, 1])
    return told.result("total", [2], [0, 2])


NEWS = "newspaper-endorsement"


def tied() -> Transcribed:
    """Four players, three of them tied in the Primary; a Spoiler wins at the end."""
    told = Transcribed(
        f"{NEWS} | {NEWS} | {NEWS} | highlander",
        "toe-the-line party-endorsement true-blue hairpiece",
    )
    for seat in range(3):
        told.play(seat, NEWS, seat)
    return told.play(3, "highlander", 3)


def highlander() -> Transcribed:
    """The General of `tied`: the Highlander competes, and wins nothing."""
    told = tied().tie([0, 1, 2], [0, 2]).primary([3, 3, 3, 0], [0] * 4, [0, 2])
    told.general(0, "toe-the-line | party-endorsement | true-blue | hairpiece")
    told.play(0, "toe-the-line", 0).play(1, "party-endorsement", 2)
    told.play(2, "true-blue", 3).play(3, "hairpiece", 0)
    return told.totals([0, 3, 3, 0], [5, 0, 5, 5], [-5, None, -2, -5])


def spoiled() -> Events:
    return highlander().result("spoiler", [1], [0, 2])


def guarded() -> Events:
    """The guard ends the game in the General, in the middle of a phase."""
    told = Transcribed("gaffe | gaffe", "gaffe gaffe", guard=3)
    told.play(0, "gaffe", 0).play(1, "gaffe", 0).primary([-6, 0], [-6, 0], [0, 1])
    told.general(1, "gaffe | gaffe").play(1, "gaffe", 1)
    return told.result("guard", [], [0, 1])


def halves() -> Events:
    """Halves are told as they are, both share the victory."""
    told = Transcribed(f"insider-candidate {NEWS} | {NEWS} tack-center", halve="exact")
    told.play(0, "insider-candidate", 0).second(0, NEWS, 0)
    told.play(1, NEWS, 1).play(1, "tack-center", 0)
    told.primary([3.5, 3], [-3, 0], [0, 1]).phase = "general"
    told.start(1).deal("|").totals([3.5, 3], [-3, 0], [6.5, 3])
    return told.result("total", [0], [0, 1])


GAMES = (plain, everything, spoiled, guarded, halves)


@pytest.mark.parametrize("game", GAMES)
def test_games_by_hand(game: Callable[[], Events]) -> None:
    check(game())


def test_rare_things_are_those_that_happened() -> None:
    """Of the games by hand, where each is known to happen."""
    assert set(rare(everything())) == {
        "President by total",
        "Teflon declines",
        "Teflon removes a mark",
        "Teflon removes itself",
        "Voter ADHD removes a Style",
        "a Great Debater without a card to react with",
        "a deck reshuffled before a deal",
        "a deck reshuffled within a turn",
        "a reaction",
        "a reaction declined",
        "a seat passed over",
        "a second card",
        "a second card of one made an Insider by the first",
    }
    assert set(rare(spoiled())) == {
        "President by spoiler",
        "a Highlander competes",
        "a Highlander left over where nobody is positive",
        "a tie for two places",
    }

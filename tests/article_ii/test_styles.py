"""What the Styles of Article II do, worked out with pen and paper."""

from typing import Any

import pytest

from tests.article_ii.referee import MARKS
from tests.article_ii.scripts import Transcribed, wants

NEWS = "newspaper-endorsement"
LOWERS = {card: affiliation for card, (_, affiliation, *_) in MARKS.items()}


def outsider(card: str, targets: list[int], **rules: Any) -> Transcribed:
    told = Transcribed(f"outsider-candidate {card} | gaffe gaffe", **rules)
    told.play(0, "outsider-candidate", 0).play(1, "gaffe", 0)
    return told.play(0, card, 0, targets)


@pytest.mark.parametrize(("card", "free"), [(c, a >= 0) for c, a in LOWERS.items()])
def test_outsider_lowers_nobody_else(card: str, *, free: bool) -> None:
    wants(outsider(card, [0, 1] if free else [0]), "choice 'play'", 1)


def test_outsider_may_play_styles_and_be_lowered() -> None:
    wants(outsider("hairpiece", [0, 1]), "choice 'play'", 1)
    told = Transcribed("outsider-candidate gaffe | gaffe voter-adhd")
    told.play(0, "outsider-candidate", 1).play(1, "gaffe", 1, [1])
    wants(told.play(0, "gaffe", 1), "choice 'play'", 1)
    wants(told.play(1, "voter-adhd").remove(1, 1, "gaffe"), "outcome 'primary'")


def debated(card: str, hand: str = "gaffe gaffe", **rules: Any) -> Transcribed:
    """Seat 0 plays a card on the Great Debater of seat 1."""
    told = Transcribed(f"great-debater {card} | {hand}", "true-blue", **rules)
    told.play(0, "great-debater", 1).play(1, hand.split(maxsplit=1)[0], 0)
    return told.play(0, card, 1)


def test_great_debater() -> None:
    wants(debated("gaffe"), "choice 'react'", 1)
    wants(debated("gaffe").react(1, "none", 0), "choice 'play'", 1)
    wants(debated("gaffe").react(1, "gaffe", 0), "chance 'draw'", 1)
    told = debated("gaffe").react(1, "gaffe", 0).draw(1, "true-blue")
    wants(told, "choice 'play'", 1)


def test_great_debater_without_a_card_to_lay() -> None:
    wants(debated("gaffe", "gaffe voter-adhd"), "choice 'play'", 1)
    told = Transcribed("great-debater gaffe | gaffe").play(0, "great-debater", 1)
    wants(told.play(1, "gaffe", 1).play(0, "gaffe", 1), "outcome 'primary'")


def test_great_debater_has_to_be_one_before_and_after() -> None:
    told = Transcribed("great-debater gaffe | gaffe gaffe").play(0, "great-debater", 1)
    wants(told, "choice 'play'", 1)  # not with the card that makes him one
    wants(debated("hairpiece"), "choice 'play'", 1)  # nor with one that ends it
    wants(debated("great-debater"), "choice 'react'", 1)  # one replaces the other


def test_great_debater_is_for_cards_of_others() -> None:
    told = Transcribed("great-debater gaffe true-blue | gaffe gaffe gaffe")
    told.play(0, "great-debater", 0).play(1, "gaffe", 1)
    wants(told.play(0, "gaffe", 0), "choice 'play'", 1)


def test_a_reaction_sets_off_none() -> None:
    """A deck of two Great Debaters; the second has the card to react with."""
    told = Transcribed("great-debater gaffe gaffe | great-debater gaffe gaffe")
    told.play(0, "great-debater", 0).play(1, "great-debater", 1)
    told.play(0, "gaffe", 1).react(1, "gaffe", 0)
    wants(told, "choice 'play'", 1)  # no card left to draw


def test_one_shots_are_played_on_nobody() -> None:
    told = Transcribed("great-debater voter-adhd gaffe | gaffe gaffe gaffe")
    told.play(0, "great-debater", 1).play(1, "gaffe", 1)
    told.play(0, "voter-adhd").remove(0, 1, "gaffe")
    wants(told, "choice 'play'", 1)


def insider(
    hand: str = "gaffe gaffe", deck: str = "true-blue", **rules: Any
) -> Transcribed:
    told = Transcribed(f"insider-candidate {hand} | gaffe gaffe gaffe", deck, **rules)
    return told.play(0, "insider-candidate", 0)


def test_insider() -> None:
    """The card that makes him one counts as the first of two."""
    wants(insider(), "choice 'second'", 0)
    wants(insider().second(0, "none"), "choice 'play'", 1)
    wants(insider().second(0, "gaffe", 0), "chance 'draw'", 0)
    wants(insider().second(0, "gaffe", 0).draw(0, "true-blue"), "choice 'play'", 1)
    wants(
        insider("voter-adhd gaffe").second(0, "voter-adhd"), "choice 'remove-from'", 0
    )


def test_insider_who_is_none_any_more_still_draws() -> None:
    told = insider("voter-adhd gaffe").second(0, "voter-adhd")
    wants(told.remove(0, 0, "insider-candidate"), "chance 'draw'", 0)


def test_insider_with_one_card() -> None:
    told = Transcribed("insider-candidate | gaffe").play(0, "insider-candidate", 0)
    wants(told, "choice 'play'", 1)


def test_insider_who_stops_being_one_with_the_first_card() -> None:
    told = insider("hairpiece gaffe").second(0, "none").play(1, "gaffe", 0)
    wants(told.play(0, "hairpiece", 0), "choice 'play'", 1)


def test_insider_by_reaction() -> None:
    """The reaction comes before the second card is asked for."""
    told = Transcribed("great-debater gaffe gaffe | insider-candidate gaffe gaffe")
    told.play(0, "great-debater", 1).play(1, "gaffe", 1).play(0, "gaffe", 1)
    wants(told.react(1, "insider-candidate", 0), "choice 'second'", 0)


def test_insider_draws_always() -> None:
    rules = {"insider_draw": "always"}
    wants(insider(**rules).second(0, "none"), "chance 'draw'", 0)
    wants(insider(**rules).second(0, "gaffe", 0), "chance 'draw'", 0)
    told = Transcribed("insider-candidate | gaffe", "gaffe", **rules)
    wants(told.play(0, "insider-candidate", 0), "chance 'draw'", 0)
    wants(told.draw(0, "gaffe").play(1, "gaffe", 0), "choice 'play'", 0)


def test_second_cards_are_reacted_to() -> None:
    told = Transcribed("great-debater gaffe gaffe | insider-candidate gaffe gaffe")
    told.play(0, "great-debater", 0).play(1, "insider-candidate", 1)
    wants(told.second(1, "gaffe", 0), "choice 'react'", 0)


def teflon(hand: str = "gaffe gaffe", **rules: Any) -> Transcribed:
    told = Transcribed(f"teflon-wonder {hand} | gaffe gaffe gaffe", **rules)
    return told.play(0, "teflon-wonder", 0).play(1, "gaffe", 0)


def test_teflon() -> None:
    wants(teflon(), "choice 'teflon'", 0)
    wants(teflon().teflon(0, "none"), "choice 'play'", 0)
    wants(teflon().teflon(0, "gaffe"), "choice 'play'", 0)
    told = teflon().teflon(0, "teflon-wonder").play(0, "gaffe", 1).play(1, "gaffe", 1)
    wants(told, "choice 'play'", 0)  # the Wonder is gone
    told = teflon(teflon_style=True).teflon(0, "none", ["gaffe", "teflon-wonder"])
    wants(told, "choice 'play'", 0)


def test_teflon_may_not_remove_itself() -> None:
    rules = {"teflon_style": False}
    told = teflon(**rules).teflon(0, "none", ["gaffe"]).play(0, "gaffe", 1)
    wants(told, "choice 'play'", 1)
    bare = Transcribed("teflon-wonder gaffe | gaffe gaffe", **rules)
    bare.play(0, "teflon-wonder", 0).play(1, "gaffe", 1)
    wants(bare, "choice 'play'", 0)  # nothing else lies on him


def test_guard() -> None:
    """Second cards and reactions count; a turn that has begun is played to its end."""
    told = insider(guard=2)
    told.second(0, "gaffe", 0).draw(0, "true-blue")
    wants(told, "result 'article_ii' {'winner': None, 'by': 'guard', 'winners': \\[\\]")
    assert told.result("guard", [], [])
    told = debated("gaffe", guard=4)
    told.react(1, "gaffe", 0).draw(1, "true-blue")
    wants(told, "result")
    wants(insider(guard=1).second(0, "none"), "result")
    full = Transcribed("gaffe | gaffe", guard=2).play(0, "gaffe", 0).play(1, "gaffe", 0)
    wants(full, "outcome 'primary'")  # no turn would begin

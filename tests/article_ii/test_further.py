"""Article II: readings that no transcript format has, worked out by hand."""

import copy

from tests.article_ii.scripts import Transcribed, wants

NEWS = "newspaper-endorsement"


def test_chance_decides_all_ties_of_the_primary() -> None:
    """Totals 2, 2, 0: the more electable is a Candidate for sure, or is not."""
    hands = "tack-center strange-pronouncement | strange-pronouncement hairpiece"
    told = Transcribed(f"{hands} | hairpiece {NEWS}", primary_tie="random")
    told.play(0, "tack-center", 0).play(1, "strange-pronouncement", 1)
    told.play(2, NEWS, 2).play(0, "strange-pronouncement", 0)
    told.play(1, "hairpiece", 1).play(2, "hairpiece", 2)
    wants(told, "outcome 'primary'")  # 3, 2, 3: two above the third
    told = Transcribed(f"{NEWS} | policy-proposal | hairpiece", primary_tie="random")
    told.play(0, NEWS, 1).play(1, "policy-proposal", 2).play(2, "hairpiece", 0)
    wants(told, "outcome 'primary'")  # 0, 3, 3
    told = Transcribed(
        f"{NEWS} | policy-proposal | policy-proposal", primary_tie="random"
    )
    told.play(0, NEWS, 0).play(1, "policy-proposal", 1).play(2, "policy-proposal", 2)
    wants(told, r"chance 'tie' {'phase': 'primary', 'seats': \[0, 1, 2\]}")
    told.rules["primary_tie"] = "electability_then_random"
    wants(told, r"chance 'tie' {'phase': 'primary', 'seats': \[1, 2\]}")


def test_unaffiliated_activity_of_another() -> None:
    rules = {"unaffiliated_draws": "target"}
    told = Transcribed("unaffiliated-activity | gaffe", "gaffe gaffe", **rules)
    wants(told.play(0, "unaffiliated-activity"), "choice 'target'", 0)
    wants(told.ask("target", 0, 1, legal=[0, 1]), "chance 'draw'", 1)
    wants(told.draw(1, "gaffe").draw(1, "gaffe"), "choice 'play'", 1)


def necromancers(hand: str) -> Transcribed:
    """Three players, all of whom compete in the General."""
    deck = "hairpiece hairpiece hairpiece"
    told = Transcribed(
        f"{hand} | true-blue | highlander", deck, necromancer_target="chosen"
    )
    told.play(0, hand, 0).play(1, "true-blue", 1).play(2, "highlander", 2)
    told.tie([0, 2], [0]).primary([0, 0, 0], [0, 5, 0], [0, 1])
    told.general(0, "hairpiece | hairpiece | hairpiece")
    told.play(0, "hairpiece", 1).play(1, "hairpiece", 1)
    return told.play(2, "hairpiece", 1)


def test_necromancer_chooses() -> None:
    told = necromancers("necromancer")
    wants(told, "choice 'necromancer' {'phase': 'general', 'seat': 0}")
    for chosen, total in ((1, -5), (2, 0)):
        game = copy.deepcopy(told).ask("necromancer", 0, chosen, legal=[1, 2])
        game.totals([0, 0, 0], [0, 5, 0], [total, -5, 0])
        game.result("none", [], [0, 1])
    wants(necromancers("hairpiece"), "outcome 'general'")


def test_greater_evil_of_candidates() -> None:
    """Nobody is hit in the Primary, in the General the other Candidate alone."""
    news = {"greater_evil": "candidates"}
    told = Transcribed(
        f"greater-evil {NEWS} | true-blue {NEWS} | gaffe tack-center", **news
    )
    told.play(0, "greater-evil", 0).play(1, "true-blue", 1).play(2, "gaffe", 2)
    told.play(0, NEWS, 0).play(1, NEWS, 1).play(2, "tack-center", 2)
    told.primary([3, 3, 1], [0, 5, -6], [0, 1]).phase = "general"
    told.start(0).deal("| |")
    told.totals([3, 3, 1], [0, 0, -6], [3, 3, None])
    told.result("shared", [0, 1], [0, 1])


def test_styles_of_ones_own() -> None:
    """Effects put together anew; a Style without a row does nothing."""
    rows = [
        {"id": "hairpiece", "effects": ["reacts", "scrupulous", "sheds"]},
        {"id": "dreamer", "effects": ["doubled", "slings", "independent"]},
    ]
    hands = "hairpiece true-blue gaffe | dreamer policy-proposal mudslinger"
    cards = {"dreamer": {"kind": "style", "copies": 1}}
    told = (
        Transcribed(hands, styles=rows, more=cards)
        .play(0, "hairpiece", 0)
        .play(1, "dreamer", 1)
    )
    told.teflon(0, "none").play(0, "true-blue", 0)
    told.play(1, "policy-proposal", 0)
    wants(told, "choice 'teflon'", 0)  # a Gaffe is nothing to react with
    told.teflon(0, "none").play(0, "gaffe", 0, [0])
    told.play(1, "mudslinger", 0)
    wants(told.primary([-3, 0], [5, 0], [0, 1]), "chance 'start'")

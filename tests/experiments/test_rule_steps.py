"""Single-rule changes of a game: which there are, which are left out, in what words."""

import pytest

from experiments.core.cells import UsageError
from experiments.variants.rule_diff import changes
from experiments.variants.rule_steps import rule_steps, steps_of_vary, width
from experiments.variants.variants import resolve_rules
from sim.games import REGISTRY, load


def made(game, players=4, only=(), rules=None, **how):
    """The changes of a game by label."""
    known = load(game)
    found = rule_steps(rules or known.rules(), players, only, **how)
    return {one.label: one for one in found.steps}


@pytest.mark.parametrize("game", REGISTRY)
def test_each_changes_one_rule_and_can_be_set(game):
    known = load(game)
    players, base = known.players[-1], known.rules()
    found = rule_steps(base, players)
    assert len(found.steps) > 20
    assert len({one.label for one in found.steps}) == len(found.steps)
    for one in found.steps:
        assert one.rules.plain_with(players) != base.plain_with(players)
        assert one.sentence
        assert len({c.key.partition(".")[0] for c in changes(base, one.rules)}) <= 2
    for one in found.steps[:: max(len(found.steps) // 15, 1)]:
        assert resolve_rules(known, None, [one.setting]).rules == one.rules


def test_numbers_go_a_step_within_their_range():
    found = made("kunitame")
    assert found["life 3 -> 2"].rules.life == 2
    assert found["life 3 -> 4"].sentence == (
        "Life gems of a player at the start: 4 gems instead of 3 (life)."
    )
    least = load("kunitame").rules.of({"life": 1})
    assert [*made("kunitame", only=["life"], rules=least)] == ["life 1 -> 2"]
    assert [width(n) for n in (0, 7, 20, 50, 180, 440)] == [1, 1, 1, 5, 10, 20]


def test_choices_lists_rows_and_parts():
    kunitame, devil = made("kunitame"), made("devil")
    assert kunitame["refill_weekly no -> yes"].rules.refill_weekly
    second = kunitame["Contract square no. 2: Life gems back 1 -> 0"]
    assert second.rules.contract_returns == (1, 0, 1, 1, 1)
    gone = kunitame["without square blue"]
    assert "blue" not in [square.id for square in gone.rules.squares]
    assert kunitame["square blue: gem 1 -> 3"].sort == "choice"
    assert devil["base_deck.special1 1 -> 0"].sentence == (
        "Copies of each card of the kabufuda deck: special1 0 instead of 1 (base_deck)."
    )
    assert devil["target 180 -> 190"].rules.target == 190  # its base says nothing
    assert not any(label.startswith("guard") for label in devil)


def test_what_is_not_set_varies_from_what_is_in_force():
    drake = made("drake")
    assert drake["maidens 8 -> 9"].sentence.endswith(
        ": 9 cards instead of 8 (maidens)."
    )
    assert drake["treasures 11 -> 10"].rules.treasures == 10
    longer = load("drake").rules.of({"maiden_chastity": [1, 2, 3, 4, 5]})
    assert "maidens 5 -> 6" in made("drake", rules=longer)
    [ten] = steps_of_vary(load("drake").rules(), "knights=8,10", 4).steps
    assert ten.label == "knights 8 -> 10"


def test_cards_and_rows_have_their_printed_names():
    drake = made("drake")
    wealth = drake["Knight no. 4: Wealth 1 -> 2"]
    assert wealth.rules.knight[3] == (4, 2)
    assert wealth.sentence == "Knight no. 4: Wealth 2 instead of 1 (knight)."
    assert "Treasure no. 10: Value 2 -> 3" in drake
    sangria = drake["special Sangria All: value 3 -> 2"]
    assert sangria.sentence == "Special Sangria All: value 2 instead of 3 (special)."
    assert "Normal card of rank 1: copies 3 -> 2" in made("devil")


def test_a_table_by_players_is_that_of_these_players():
    three, four = made("kbernestich", 3), made("kbernestich", 4)
    assert "with 4 players: hannah 2 -> 3" in four
    assert not any(label.startswith("with 4 players") for label in three)


def test_rows_of_a_variant_have_steps_and_fine_ones_their_ranges():
    own = {"squares.mine": {"pledge": "P1", "when": "trick", "num": [7, 8], "gem": 1}}
    rules = load("kunitame").rules.of(own)
    assert [*made("kunitame", only=["squares.mine"], rules=rules)] == [
        "without square mine",
        "square mine: gem 1 -> 3",
    ]
    fine = made("kunitame", only=["squares.mine"], rules=rules, fine=True)
    assert fine["square mine: num (place 2) 8 -> 9"].rules.squares[-1].num == (7, 9)


def test_what_cannot_be_is_left_out_with_the_reason():
    found = rule_steps(load("kunitame").rules(), 4, ["hand", "rounds"])
    assert [one.label for one in found.steps] == ["hand 7 -> 8", "rounds 7 -> 6"]
    assert {one.setting: one.why for one in found.refused} == {
        "hand=6": "rounds: at most the hand of 6 cards, not 7.",
        "rounds=8": "rounds: at most the hand of 7 cards, not 8.",
    }
    [other, *_] = rule_steps(load("devil").rules(), 4, ["ext_deck"]).refused
    assert other.why.endswith("not in force in this game.")


def test_a_key_without_a_step_is_refused():
    with pytest.raises(UsageError, match=r"lives: no step .* did you mean 'life'"):
        rule_steps(load("kunitame").rules(), 4, ["lives"])

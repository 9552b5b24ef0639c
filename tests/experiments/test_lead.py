"""Who leads a report: whom ``--lead`` names, or a strong player who is looked for."""

from types import SimpleNamespace

import pytest

import fairdeal as fd
from experiments.analysis import balance_report, leader, panel
from experiments.analysis.player_trust import report_gains
from experiments.analysis.report_header import _lead_told
from experiments.core.cells import Cell, UsageError
from experiments.learning import adapted_leader
from experiments.learning.adaptation import AdaptedPlayer, LessonPlan
from sim.games import load
from strategies.strength_levels import choose

WRONG = {
    "a slip": (("--lead", "raccer"), "did you mean 'racer'?"),
    "several": (("--lead", "racer,random"), "one strategy, not the 2"),
    "of a lineup": (("--lead", "racer", "--lineup", "random"), "Name one."),
}


@pytest.mark.parametrize("case", WRONG)
def test_mistakes_are_told_before_anything_is_played(fairdeal, here, case):
    words, said = WRONG[case]
    told = fairdeal("report", "drake", "--seed", "1", *words, "--out", "o")
    assert told.exit_code == 2
    assert said in " ".join(told.stderr.split())
    assert not (here / "o").exists()


def test_the_door_refuses_a_leader_of_one_lineup():
    with pytest.raises(UsageError, match="Name one"):
        fd.report("drake", lineup="random", lead="racer")


@pytest.fixture
def asked(monkeypatch):
    """What is asked of those who learn, and who leads if nobody does."""
    lessons = []

    def learned(game, rules, *, seed, **how):
        lessons.append((game, rules.plain()["goal"], seed, how["players"]))
        return AdaptedPlayer("racer", "racer by lessons", 1)

    monkeypatch.setattr(adapted_leader, "adapted", learned)
    monkeypatch.setattr(adapted_leader, "learned_anew", lambda *_: ())
    monkeypatch.setattr(adapted_leader, "strong_leader", lambda *_: "nobody learned")
    return lessons


def test_who_leads_learns_rules_that_differ_for_all_numbers_of_players(asked):
    known = load("drake")
    find = adapted_leader.AdaptedLeader(LessonPlan(1), 5)
    found = find("drake", known.rules.of({"goal": 8}), (3, 2))
    assert found == leader.Leader("racer", "racer by lessons", "learned")
    assert asked == [("drake", 8, 5, [2, 3])]
    assert find("drake", known.rules(), (3, 2)) == "nobody learned"
    none = adapted_leader.AdaptedLeader(LessonPlan(0), 5)
    assert none("drake", known.rules.of({"goal": 8}), (2,)) == "nobody learned"
    assert len(asked) == 1


TOLD = {
    "learned": (leader.Leader("learned"), "(learned)"),
    "tuned": (leader.Leader("racer", "racer by lessons"), "(racer by lessons)"),
    "named": (leader.Leader("racer"), ""),
}


@pytest.mark.parametrize("case", TOLD)
def test_page_one_says_who_leads_if_they_are_strong(case):
    lead, said = TOLD[case]
    rules = load("drake").rules()
    made = panel.Panel("drake", rules, (2,), (2,), 1, (), (), lead=lead)
    told = _lead_told(made, lead.spec)
    assert told == (said and f"All that follows is about strong players {said}.")


CHOSEN = {
    "shown to be stronger": (("learned", 3), leader.Leader("learned")),
    "perhaps stronger": (
        ("learned", 1),
        leader.Leader("learned", "learned, not shown to be stronger than racer"),
    ),
    "perhaps weaker": (
        ("racer", 1),
        leader.Leader("racer", "racer, not shown to be stronger than learned"),
    ),
    "shown to be weaker": (
        ("racer", 4),
        leader.Leader("racer", "racer, who wins more than learned"),
    ),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_who_is_found_to_win_more_leads_and_doubt_is_said(monkeypatch, case):
    (plays, errors), expected = CHOSEN[case]
    more = errors + 0.1 if plays == "learned" else -errors
    chosen = choose("learned", "racer", more, 1.0)
    monkeypatch.setattr(leader, "strong_choice", lambda *_: chosen)
    assert leader.strong_leader("drake", load("drake").rules(), (2,)) == expected


def test_where_others_lead_with_another_number_of_players_that_is_said(monkeypatch):
    """Devil's report plays several strategies with 2, 4 and 8 players only."""
    by = {
        2: choose("learned", "racer", -4.0, 1.0),
        4: choose("learned", "racer", 4.0, 1.0),
        8: choose("learned", "racer", 5.0, 1.0),
    }
    monkeypatch.setattr(leader, "strong_choice", lambda *asked: by[asked[2]])
    monkeypatch.setattr(leader.registry, "title", lambda _, spec: spec)
    rules = load("devil").rules()
    told = leader.strong_leader("devil", rules, (2, 3, 4, 8)).told
    assert told == (
        "learned; with 2 players racer, who wins more than learned; "
        "not measured with 3 players"
    )
    assert leader.strong_leader("devil", rules, (4, 8)) == leader.Leader("learned")
    by[4] = choose("learned", "racer", 1.0, 1.0)
    told = leader.strong_leader("devil", rules, (2, 4)).told
    assert (
        told
        == "learned, not shown to be stronger than racer; measured with 4 players only"
    )


def test_the_same_players_lead_a_report_that_is_played_again(asked, here, monkeypatch):
    """On other games: who had other lessons would make other claims."""
    led = []

    def report(game, *, rules, lead, seed, **_):
        led.append((lead(game, rules, (2,)), seed))
        return SimpleNamespace(page=here, found=(), verdict=None, left=())

    monkeypatch.setattr(balance_report, "report", report)
    rules = fd.Game("drake").rules(goal=8)
    fd.report(rules, replicate=True, seed=5, out="o", jobs=1)
    (first, seed), (again, other) = led
    assert seed != other
    assert first == again
    assert [lesson[2] for lesson in asked] == [5, 5]


def test_by_the_base_rules_those_play_who_led_before_they_adapted(here):
    """Others may have unlearned these rules, which would say nothing against them."""
    rules = load("drake").rules.of({"goal": 8})
    seats = ("saboteur", "racer")
    single = Cell("drake", rules, 2, seats, True, 1)
    lead = Cell("drake", rules, 2, ("racer",), True, 1)
    how = [(single, 512)], lead, None
    changed = report_gains(*how, here / "a", ("racer", "random"))["trust"]
    same = report_gains(*how, here / "b")["trust"]
    assert changed["strategy"].to_list() == same["strategy"].to_list() == ["saboteur"]
    assert changed["base"].item() > same["base"].item() + 0.1

"""Rule changes that meet targets: what is known is found; none where there is none."""

import pytest

from experiments.analysis import rule_race, rule_search
from experiments.analysis.rule_race import Near, with_doubt
from experiments.analysis.rule_search import find
from experiments.commands import show_find
from experiments.core.cells import UsageError
from experiments.variants.rule_steps import steps_of_vary
from sim.games import load
from tests.reports.planted import DiceRules, dice  # noqa: F401 - a fixture

AHEAD = DiceRules(head_start=4)


def found(targets, *vary, **how):
    """What is found for dice, whose second player begins with four coins more."""
    asked = {"strategy": "bold", "players": 2, "games": 4_096, "seed": 1, **how}
    return find("dice", targets, vary=vary, rules=AHEAD, **asked)


def test_the_value_that_meets_a_target_is_found(dice):  # noqa: F811
    # of 400 pairs of dice one coin more wins 39 games more than it loses, two 76
    here = found(["positions <= 15pp"], "rules.head_start=0..6")
    assert [one.step.label for one in here.met] == [
        "head_start 4 -> 1",
        "head_start 4 -> 0",
    ]
    assert here.met[0].step.sentence == "Head start: 1 coin instead of 4 (head_start)."
    assert here.base_words == ("missed",)
    assert set(here.met[0].moved["line"]) == {"positions"}


def test_two_changes_are_tried_where_one_is_not_enough(dice):  # noqa: F811
    wanted = ["positions <= 15pp", "ties <= 4%"]  # of a die of 40 a tie is 2.5 %
    here = found(wanted, "head_start=0,1", "die=40")
    assert here.met[0].step.setting == "head_start=1 die=40"
    assert len(here.met[0].step.changes) == 2


def test_what_is_likely_is_tried_before_all_else(dice):  # noqa: F811
    wanted = ["positions <= 15pp"]
    likely = {"head_start": 1, "die": 40}  # two rules at once
    here = found(wanted, "head_start=0..3", first=[likely], games=1_024)
    assert [one.step.changes for one in here.met] == [likely]
    assert (here.tried, here.refused) == (1, 0)
    in_force, too_little = {"head_start": 4}, {"head_start": 3}
    here = found(wanted, "head_start=0", first=[in_force, too_little], games=1_024)
    assert here.met[0].step.label == "head_start 4 -> 0"
    assert (here.tried, here.refused) == (2, 1)


def test_none_is_said_where_there_is_none(dice, capsys):  # noqa: F811
    here = found(["positions <= 15pp"], "head_start=3..6")
    assert not here.met
    assert here.answers[0].step.label == "head_start 4 -> 3"
    show_find.as_text(here)
    told = capsys.readouterr().out
    assert "No change clearly meets it. The nearest is:" in told
    assert "it clearly misses" in told


def test_what_is_open_says_how_many_games(dice, capsys):  # noqa: F811
    here = found(["positions <= 10pp"], "head_start=1", games=1_024)
    assert not here.met
    assert here.answers[0].words == ("open",)
    show_find.as_text(here)
    assert "games would settle it" in capsys.readouterr().out


def test_without_a_target_what_is_broken_is_mended(dice, monkeypatch):  # noqa: F811
    here = found([], "head_start=0..6")
    assert [str(goal) for goal in here.goals] == ["positions <= 3pp"]
    assert here.answers[0].step.label == "head_start 4 -> 0"
    monkeypatch.setattr(rule_search, "problems", lambda *_: [])
    with pytest.raises(UsageError, match="break no line"):
        found([], "head_start=0..6")


def test_what_happens_under_none_of_the_rules_has_no_nearest(dice, monkeypatch):  # noqa: F811
    monkeypatch.setattr(rule_race.Race, "_near", lambda *_: iter(()))
    with pytest.raises(UsageError, match="under none of the rules"):
        found(["positions <= 15pp"], "head_start=0..6", games=1_024)


def test_longer_steps_are_tried_where_one_is_not_enough(dice):  # noqa: F811
    here = found(["positions <= 15pp"], "head_start")
    assert [answer.step.label for answer in here.met] == ["head_start 4 -> 0"]
    assert "head_start 4 -> 2" in {answer.step.label for answer in here.answers}


class Stopped:
    """A progress that stops in the round of this number, as Ctrl-C does."""

    def __init__(self, number):
        self.number, self.told, self.in_it = number, [], False

    def __call__(self, done, total):
        if self.in_it:
            raise KeyboardInterrupt

    def step(self, words):
        self.in_it = words.startswith(f"round {self.number} ")

    def tell(self, words):
        self.told.append(words)

    def found(self, *_):
        raise AssertionError("wins of the base are told")


def test_a_search_that_is_stopped_says_the_best_so_far_and_goes_on(
    dice,  # noqa: F811
    tmp_path,
):
    asked = (["positions <= 15pp"], "head_start=0..6")
    stopped = Stopped(2)
    with pytest.raises(KeyboardInterrupt) as error:
        found(*asked, out=tmp_path / "kept", progress=stopped)
    [best] = error.value.__notes__
    assert stopped.told == [best]
    assert "head_start 4 -> " in best
    assert (tmp_path / "kept" / "round-1" / "sums.parquet").is_file()
    again = found(*asked, out=tmp_path / "kept")
    assert [a.step.label for a in again.met] == [
        a.step.label for a in found(*asked).met
    ]


def test_mistakes_are_named(dice):  # noqa: F811
    with pytest.raises(UsageError, match=r"no line 'position'; did you mean"):
        found(["position <= 2pp"], "head_start=1")
    with pytest.raises(UsageError, match="is a share; write 2pp"):
        found(["positions <= 2"], "head_start=1")
    with pytest.raises(UsageError, match="did you mean 'head_start'"):
        found(["positions <= 2pp"], "head_stort")


def test_values_are_read_and_sized():
    rules = load("kunitame").rules()
    made = steps_of_vary(rules, "rules.life=1..5", 4).steps
    assert [(one.setting, one.size) for one in made] == [
        ("life=1", 2),
        ("life=2", 1),
        ("life=4", 1),
        ("life=5", 2),
    ]
    [black] = steps_of_vary(rules, "squares.black.gem=1,3", 4).steps
    assert black.label == "square black: gem 1 -> 3"
    [weekly] = steps_of_vary(rules, "refill_weekly=true,false", 4).steps
    assert weekly.setting == "refill_weekly=true"
    sums = steps_of_vary(load("devil").rules(), "sums_ok=[5,9],[4,8],[6,9]", 4).steps
    assert [one.label for one in sums] == [
        "sums_ok 5 to 9 -> 4 to 8",
        "sums_ok 5 to 9 -> 6 to 9",
    ]
    out = steps_of_vary(rules, "hand=6..8", 4)
    assert [one.why for one in out.refused] == [
        "rounds: at most the hand of 6 cards, not 7."
    ]


def test_a_round_keeps_what_may_be_as_near():
    step = steps_of_vary(load("kunitame").rules(), "life=4", 4).steps[0]
    near = [
        Near(step, over, least) for over, least in ((0, 0), (3, 2), (4, 2.5), (5, 4))
    ]
    assert [one.over for one in with_doubt(near, 2)] == [0, 3, 4]
    assert [one.over for one in with_doubt(near, 1)] == [0]
    assert with_doubt(near[:1], 2) == near[:1]

"""Control variates: as right as plain win shares, and as sure as more games."""

import json

import numpy as np
import pytest

import fairdeal as fd
from experiments.core.cells import UsageError
from reports.statistics.double_samples import stratified_share

SHARE = np.array([0.05, 0.10, 0.25, 0.60])  # of wins, by role


def simulated(studies: int, games: int, more: int) -> tuple[np.ndarray, ...]:
    """Estimates, whether intervals cover the truth, and factors, (studies,) each."""
    rng, rows = np.random.default_rng(1), []
    for _ in range(studies):
        role = rng.integers(4, size=games)
        won = rng.random(games) < SHARE[role]
        dealt = np.bincount(role, minlength=4) + rng.multinomial(more, [0.25] * 4)
        share = stratified_share(won, role, dealt)
        covers = share.low <= SHARE.mean() <= share.high
        rows.append((share.estimate, covers, share.factor))
    return tuple(np.array(rows).T)


@pytest.mark.parametrize(("games", "deals"), [(400, 16), (2_000, 16), (2_000, 2)])
def test_intervals_cover_and_the_factor_is_true(games, deals):
    estimate, covers, factor = simulated(2_000, games, (deals - 1) * games)
    error = estimate.std() / np.sqrt(len(estimate))
    assert abs(estimate.mean() - SHARE.mean()) < 4 * error
    assert 0.935 < covers.mean() < 0.97
    plain = SHARE.mean() * (1 - SHARE.mean()) / games
    assert factor.mean() == pytest.approx(plain / estimate.var(), rel=0.12)
    assert factor.mean() > 1.1


def test_few_games_of_a_role_are_not_stratified():
    role = np.repeat([0, 1], [100, 29])
    share = stratified_share(role == 1, role, [1_000, 1_000])
    assert share.estimate == pytest.approx(29 / 129)
    assert share.factor == 1


def test_a_role_that_nobody_can_have_does_not_count():
    role = np.tile([0, 2], 100)
    assert stratified_share(role == 2, role, [10, 0, 30, 0]).estimate == 0.75


def played(folder, **how):
    how = {"lineup": "allround", "games": 2_048, "seed": 3, "jobs": 1, **how}
    return fd.play(out=folder, control_variates=True, **how)


def test_they_agree_with_many_more_games(tmp_path):
    rows = played(tmp_path / "a", rules="drake").control_variates()
    many = fd.play("drake", lineup="allround", games=32_768, seed=4, jobs=1)
    many = many.estimates("won by position").sort("position")
    errors = ((rows["high"] - rows["low"]) / 3.92) ** 2 + many["se"] ** 2
    assert ((rows["estimate"] - many["estimate"]) ** 2 < 3.5**2 * errors).all()
    assert rows["factor"].min() > 1.5
    assert rows["position"].to_list() == [1, 2, 3, 4]


def test_where_the_role_decides_who_begins_they_tell_nothing_of_it(tmp_path):
    rules = fd.Game("drake").rules(ruleset="update_I")
    run = played(tmp_path / "a", rules=rules)
    first = run.control_variates().row(0, named=True)
    plain = run.estimates("won by position").filter(position=1)["estimate"].item()
    assert first["estimate"] == pytest.approx(plain)
    assert first["factor"] == pytest.approx(1, rel=1e-3)


def test_other_games_are_refused(tmp_path):
    with pytest.raises(
        UsageError, match=r"kunitame deals no roles.*that deal roles: drake"
    ):
        played(tmp_path / "a", rules="kunitame")


def test_the_command_shows_how_many_games_they_are_worth(fairdeal):
    words = ("run", "drake", "--lineup", "allround", "-n", "512", "--seed", "1")
    words += ("-j", "1", "--control-variates")
    text = fairdeal(*words).stdout
    assert "without the luck of the role dealt" in text
    assert "times the games" in text
    rows = json.loads(fairdeal(*words, "--json").stdout)["tables"]["control_variates"]
    assert [row["position"] for row in rows] == [1, 2, 3, 4]
    assert set(rows[0]["won"]) == {"estimate", "low", "high"}


@pytest.mark.parametrize("more", [("drake", "--precision", "1pp"), ("study.toml",)])
def test_they_need_a_number_of_games(fairdeal, more):
    done = fairdeal("run", *more, "--control-variates")
    assert done.exit_code == 2
    assert "neither for a study nor with --precision" in " ".join(done.stderr.split())

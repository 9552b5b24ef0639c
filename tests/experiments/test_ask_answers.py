"""Six questions of designers, each answered in one command, in the right sense.

The sense is that of runs of their own, by other ways (``fairdeal run``, ``what-if``).
"""

import re

import numpy as np
import pytest

import fairdeal as fd

pytestmark = pytest.mark.slow

HOW = {"seed": 3, "jobs": 1, "levels": ["good"]}


def shares(run, measure="won by position"):
    return dict(run[measure].select(run[measure].columns[0], "estimate").iter_rows())


def test_which_contract_is_a_trap():
    """Who may not choose Nyarlathotep wins 47.4, the other 44.6, in 40,000 games."""
    found = fd.ask("evilpact", "which contract is a trap?", games=4_096, **HOW)
    assert found.answer == "yes"
    traps = found.rows.filter(answer="yes")
    assert traps["what"].to_list() == ["nyarlathotep"]
    assert -0.05 < traps["estimate"][0] < -0.005  # lost without it
    assert "who never takes nyarlathotep wins" in found.sentences[0]


def test_strong_players_are_not_trapped_and_that_is_said_first():
    how = HOW | {"levels": ["good", "strong"]}
    found = fd.ask("evilpact", "which contract is a trap?", games=4_096, **how)
    assert found.answer != "yes"
    assert found.sentences[0].startswith("Among strong players none is shown")
    assert found.sentences[1].startswith("Among good players: who never takes nyarl")


def test_does_it_matter_who_starts():
    found = fd.ask("evilpact", "does it matter who starts?", games=2_048, **HOW)
    own = shares(fd.play("evilpact", lineup="allround", games=8_192, seed=9, jobs=1))
    assert found.answer == "yes"
    assert own["last"] > own["starting player"] + 0.1
    assert "the last player wins" in found.sentences[0].split(" and ")[0]


def test_our_last_player_always_loses(tmp_path):
    """The group's last won 1 of 12; good players' last wins more than its share."""
    won = [0, 1, 2, 0, 0, 1, 2, 2, 1, 0, 0, 3]
    rows = [
        f"{n},{'ABCD'[seat]},{seat + 1},{'yes' if seat == place else 'no'}\n"
        for n, place in enumerate(won)
        for seat in range(4)
    ]
    path = tmp_path / "plays.csv"
    path.write_text("session,player,position,winner\n" + "".join(rows))
    asked = "our last player always loses"
    found = fd.ask("kbernestich", asked, sessions=path, games=4_096, **HOW)
    assert found.answer == "no"
    [row] = found.rows.filter(what="last").to_dicts()
    assert row["low"] > 0.25
    [told] = found.sessions
    assert told.startswith("Your last player won 1 of 12. In the simulation it is 2")
    assert "that few happens to 1 group in" in told
    assert "so it fits" in told


def test_and_with_two_players():
    """Drake with two: the first wins 37, the last 26, and Pride nearly everything."""
    found = fd.ask("drake", "and with two players?", games=2_048, **HOW)
    assert (found.answer, found.players) == ("no", 2)
    assert "where you sit matters" in found.sentences[0]
    assert "the role that you are dealt matters" in found.sentences[0]
    ends = dict(found.rows.select("what", "estimate").iter_rows())
    assert ends["first to play"] - ends["last"] == pytest.approx(0.11, abs=0.04)


def test_which_bid_is_a_trap():
    """None; who may not bid 0 loses, as a what-if on other deals says."""
    found = fd.ask("kbernestich", "which bid is a trap?", games=2_048, **HOW)
    assert found.answer != "yes"
    [zero] = found.rows.filter(what="hunch-0").to_dicts()
    assert zero["low"] > 0  # lost without it
    other = fd.what_if(
        "kbernestich", "allround", forbid="plot:hunch-0", games=2_048, seed=8, jobs=1
    )
    assert other.rows["more"][0] == pytest.approx(-zero["estimate"], abs=0.03)


def test_what_cannot_be_told_names_the_games_that_would_tell():
    how = HOW | {"levels": ["beginner", "good"]}
    few = fd.ask("devil", "which card is a trap?", games=256, **how)
    assert few.answer == "cannot tell"
    [words] = [text for text in few.sentences if " -n " in text]
    assert 256 < int(re.search(r"-n (\d+)", words)[1]) < 1_000_000


def test_which_card_is_never_used_and_why():
    asked = "which card is never used, and why?"
    found = fd.ask("socialism", asked, games=512, **HOW)
    run = fd.play(
        "socialism", lineup="allround", games=512, seed=8, jobs=1, detailed=True
    )
    taken = run["option taken"].filter(decision="play").drop_nulls("estimate")
    own = dict(taken.select("option", "estimate").iter_rows())
    mine = dict(found.rows.select("what", "estimate").iter_rows())
    both = sorted(own.keys() & mine.keys())
    assert len(both) > 20
    a, b = np.array([own[k] for k in both]), np.array([mine[k] for k in both])
    assert np.corrcoef(a, b)[0, 1] > 0.9
    rarest = min(mine, key=lambda name: mine[name])
    assert rarest in found.sentences[0]
    assert (found.answer == "yes") == (found.rows["answer"] == "yes").any()

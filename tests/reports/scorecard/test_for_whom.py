"""Whom a line of the scorecard holds for: one engine, what differs first, no bot votes.

Games are made up: how often each position wins where all play like somebody.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from experiments.core.measures import report_of
from reports.measures import SUMS, Measure
from reports.report_data import CELL, ReportData
from reports.report_document import Finding
from reports.robustness_text import annotate_finding
from reports.scorecard.cell_lines import CellMeasures, claim
from reports.scorecard.lines import LINES
from reports.scorecard.page_one import how_games_end, verdict
from reports.scorecard.score import ScorecardRun, scores
from reports.scorecard.sentences import sentences
from sim.games import REGISTRY, load

GAMES = 4_096
LEAD = "clever"
MEASURES = {
    "won by position": Measure("won by position", "", "share", by=("position",)),
    "won by strategy": Measure("won by strategy", "", "share", by=("strategy",)),
    "decided": Measure("decided", "", "share of games", by=("by",)),
}


def played(wins, games=GAMES, kind="self", players=4):
    """What was found of tables at which all play alike; ``wins`` of 100 by position."""
    rows, cells = [], []
    for cell, (name, shares) in enumerate(wins.items()):
        for at, share in enumerate(shares, start=1):
            y = round(share * games / 100)
            rows.append(
                {"cell": cell, "measure": "won by position", "position": at}
                | dict.fromkeys(("y", "yy", "xy", "yyy"), y)
                | dict.fromkeys(("x", "xx", "games"), games)
            )
        cells.append(
            {"cell": cell, "lineup": name, "kind": kind, "players": players}
            | {"strategy_declining": "", "moment": 0, "changes": ""}
        )
    sums = pl.DataFrame(rows).cast(dict.fromkeys(SUMS, pl.Float64))
    sums = sums.with_columns(strategy=pl.lit(None, pl.String), by=pl.lit("", pl.String))
    cells_ = pl.DataFrame(cells).cast(CELL)
    words = dict(MEASURES)
    return ReportData(sums, cells_, games, {}, LEAD, words, begins="start player")


def page_one(wins, search=None, games=512, strong=None, taught=None, called=""):
    """The line of positions, and its sentence; those who learned have 2,048 games.

    called: what those are called who lead, if they are no heuristic.
    """
    seats = len(next(iter(wins.values())))
    sorts = ("strong", strong, 2_048), ("taught", taught, 2_048)
    found = tuple(
        played(shares, many, kind, seats)
        for kind, shares, many in (*sorts, ("search", search, games))
        if shares
    )
    lead = replace(played(wins, players=seats), lead_called=called)
    run = ScorecardRun(lead, found)
    [score] = [one for one in scores(run) if one.line.id == "positions"]
    sentence = sentences([score])[0]
    tried = run.robustness.test_claim
    return score, sentence, tried


PLANTED = {LEAD: (17, 16, 19, 48), "bold": (9, 9, 13, 69), "shy": (14, 12, 14, 60)}


def test_what_all_show_is_told_as_such():
    score, told, _ = page_one(PLANTED)
    assert (len(score.agree), len(score.differ), len(score.unsettled)) == (2, 0, 0)
    assert "in all 3 ways to play, not tried with stronger players" in told.text
    assert "only" not in told.text.partition("would be even")[2]
    assert told.sure == "sure"
    score, told, _ = page_one(PLANTED, {"search": (14, 14, 12, 60)})
    assert told.text.endswith(", whoever plays.")
    assert told.sure == "sure"


def test_another_worst_position_is_no_refutation():
    """The last wins most of all ways; which of the others wins least hangs on chance.

    This is not "only where all play like the leading strategy".
    """
    wins = PLANTED | {"slow": (16, 18, 17, 49)}
    score, told, _ = page_one(wins)
    assert score.differ == ()
    assert "in all 4 ways to play" in told.text


def test_what_differs_is_told_first_with_its_numbers():
    wins = PLANTED | {"fighter": (27, 26, 26, 21)}
    score, told, _ = page_one(wins)
    assert score.differ == ("fighter",)
    whom = told.text.partition("would be even, ")[2]
    assert whom.startswith(
        "but if all play like fighter it is the other way round, the last player "
        "wins 21 of 100 and the second player 26; shown in 3 and refuted in 1 of 4 "
        "ways to play"
    )
    assert told.sure == "likely"


def test_open_searchers_hide_no_refutation():
    few = {LEAD: (22, 24, 30, 24), "a": (25, 25, 25, 25), "b": (25, 25, 24, 26)}
    score, told, _ = page_one(few, {"search": (23, 25, 28, 24)}, games=128)
    assert score.stronger == "unsettled"
    assert set(score.differ) == {"a", "b"}
    assert (
        "but not if all play like b, where the third player wins 24 of 100" in told.text
    )
    assert "shown in 1 and refuted in 2 of 4 ways to play" in told.text
    assert "not settled for players who search" in told.text
    assert told.sure == "open"


def test_with_searchers_no_less_is_said_than_without():
    wins = {LEAD: (22, 24, 30, 24), "a": (25, 25, 25, 25), "b": (25, 25, 24, 26)}
    _, quick, _ = page_one(wins)
    _, full, _ = page_one(wins, {"search": (23, 25, 28, 24)}, games=128)
    said = quick.text.partition("; shown in")[0]
    assert "but not if all play like b, where" in said
    assert full.text.startswith(said)
    assert "refuted in 2 of" in quick.text
    assert "refuted in 2 of" in full.text


def test_searchers_that_differ_come_before_others():
    wins = {LEAD: (17, 16, 19, 48), "a": (25, 25, 25, 25)}
    score, told, _ = page_one(wins, {"search": (25, 26, 26, 23)}, games=4_096)
    assert score.differ[0] == "search"
    assert score.stronger == "differ"
    assert (
        "but only among weaker players, as with players who search it is the other way "
        "round, the last player wins 23 of 100 and the second player 26" in told.text
    )
    assert told.text.endswith("ways to play.")
    assert told.sure == "open"


def test_a_way_in_which_nothing_is_decided_has_no_vote():
    wins = PLANTED | {"letters": (0, 0, 0, 100), "random": (0, 0, 0, 100)}
    score, told, _ = page_one(wins)
    assert len(score.agree) == 2
    assert "in all 3 ways to play" in told.text
    assert score.excluded == (
        "letters (one position wins 100 % of the games, whatever is dealt)",
        "random (decides by chance)",
    )
    ties = PLANTED | {"ties": (2, 2, 2, 2)}
    score, _, _ = page_one(ties)
    assert score.excluded == ("ties (play decides 8.0 % of the games)",)


def test_where_the_rules_favour_one_position_that_is_no_bot_vote():
    wins = {LEAD: (2, 2, 3, 93), "bold": (0, 0, 1, 99), "shy": (5, 5, 6, 84)}
    score, told, _ = page_one(wins)
    assert score.excluded == ()
    assert "in all 3 ways to play" in told.text


def test_a_single_lineup_has_nobody_else_to_ask():
    score, told, _ = page_one({LEAD: (17, 16, 19, 48)})
    assert not score.asked
    assert "ways to play" not in told.text
    assert "strong players" not in told.text


@pytest.mark.parametrize(
    "wins",
    [
        PLANTED | {"fighter": (27, 26, 26, 21), "letters": (0, 0, 0, 100)},
        {LEAD: (22, 24, 30, 24), "a": (25, 25, 25, 25), "b": (23, 24, 28, 25)},
        {LEAD: (25, 25, 25, 25), "a": (25, 25, 25, 25), "b": (17, 16, 19, 48)},
    ],
)
def test_page_one_counts_what_the_findings_count(wins):
    score, _, tried = page_one(wins, {"search": (24, 25, 27, 24)})
    data = played(wins)
    said = claim(score.line, CellMeasures(data, 0, 4))
    rows = tried(said).rows
    counted = dict(rows.group_by("holds").len().rows())
    assert counted.get("agrees", 0) == 1 + len(score.agree)
    assert counted.get("differs", 0) == len(score.differ)
    assert counted.get("not settled", 0) == len(score.unsettled)
    assert counted.get("excluded", 0) == len(score.excluded)


def test_a_gap_that_lies_in_several_small_deviations_is_held_to_its_side_of_even():
    """No position is surely 2 points from even; the best is 4 above the worst."""
    near = (24.1, 25.9, 26.9, 23.1)
    wins = {LEAD: near, "a": near, "b": (27, 25, 23, 25)}
    found = played(wins, 65_536)
    run = ScorecardRun(found)
    [score] = [one for one in scores(run) if one.line.id == "positions"]
    assert score.verdict == "watch"
    assert score.agree == ("a",)
    assert score.differ == ("b",)


def test_a_fair_line_says_where_it_is_not():
    even = (25, 25, 25, 25)
    wins = {LEAD: even, "a": even, "b": (17, 16, 19, 48)}
    page = verdict(ScorecardRun(played(wins, 65_536)), ())
    [line] = [one for one in page.lines if one.id == "positions"]
    assert line.word == "fair"
    assert line.note == "not so if all play like b: it is 32.0 points"


def test_no_difference_shown_is_told_as_such():
    page = verdict(ScorecardRun(played({LEAD: (25.5, 25, 24.5, 25)}, 256)), ())
    [line] = [one for one in page.lines if one.id == "positions"]
    assert line.value.startswith("up to ")
    assert "0.0 points" not in line.value


def test_strong_players_who_agree_are_named_and_those_who_leave_it_open():
    wins = {LEAD: (17, 16, 19, 48), "a": (25, 25, 25, 25)}
    score, told, _ = page_one(
        wins, {"search": (22, 22, 22, 34)}, 64, {"learned": (16, 15, 19, 50)}
    )
    assert score.skilled == (
        ("strong players", "agree"),
        ("players who search", "unsettled"),
    )
    assert score.stronger == "unsettled"
    assert "shown in 2, strong players among them, and refuted in 1 of 4" in told.text
    assert "not settled for players who search" in told.text


def test_one_sort_of_skilled_players_is_enough_to_refute():
    wins = {LEAD: (17, 16, 19, 48), "a": (25, 25, 25, 25)}
    score, told, _ = page_one(
        wins, {"search": (17, 16, 19, 48)}, 4_096, {"learned": (25, 26, 26, 23)}
    )
    assert score.stronger == "differ"
    assert "only among weaker players, as with strong players it is" in told.text
    assert told.text.endswith("ways to play.")


def test_where_strong_players_and_all_others_agree_it_holds_whoever_plays():
    score, told, _ = page_one(PLANTED, strong={"learned": (14, 14, 12, 60)})
    assert score.stronger == "agree"
    assert told.text.endswith(", whoever plays.")


# --- Several strong ways to play


PACT = {LEAD: (44, 56), "a": (45, 55), "b": (42, 58)}
"""The last of two players wins more, as in Evilpact."""


def test_what_strong_ways_to_play_put_apart_is_told_as_a_range():
    """Evilpact's gap: one who learned, one who was taught and search: 15, 10 and 29."""
    score, told, tried = page_one(
        PACT,
        {"search": (35.5, 64.5)},
        512,
        {"learned": (42.5, 57.5)},
        {"taught": (45, 55)},
    )
    assert "whoever plays, by 10.0 to 28.9 points in 3 strong ways" in told.text
    assert score.strong.pooled.low < 0.10 < score.strong.pooled.high
    spread = score.strong.pooled
    assert spread.high - spread.low > 0.29 - 0.10  # more than games alone would have
    data = played(PACT, players=2)
    found = tried(claim(score.line, CellMeasures(data, 0, 2)))
    assert [row["holds"] for row in found.judges] == ["agrees"] * 3
    [pooled] = found.pooled_rows()
    assert pooled["holds"] == "agrees"
    assert pooled["more"] == pytest.approx(-spread.estimate / 2, abs=0.005)


def test_a_finding_tells_the_range_and_the_pooled_interval():
    _, _, tried = page_one(
        PACT,
        {"search": (36, 64)},
        512,
        {"learned": (42.5, 57.5)},
        {"taught": (45, 55)},
    )
    data = played(PACT, players=2)
    line = next(line for line in LINES if line.id == "positions")
    found = tried(claim(line, CellMeasures(data, 0, 2)))
    text = annotate_finding(
        Finding("The last wins more.", "sure", "seats", tested="made up"), found
    ).text
    assert "Strong ways to play (learned, taught and search) put" in text
    assert "between \N{MINUS SIGN}14.1 and \N{MINUS SIGN}5.0 points from even" in text


def test_who_leaves_it_open_is_in_no_range():
    """64 games of searchers tell nothing, and a single other way has no range."""
    score, told, _ = page_one(
        PACT, {"search": (38, 62)}, 40, {"learned": (43, 57)}, {"taught": (45, 55)}
    )
    words = dict(score.skilled)
    assert words["players who search"] == "unsettled"
    assert score.strong[:3] == (
        2,
        pytest.approx(0.1, abs=1e-3),
        pytest.approx(0.14, abs=1e-3),
    )
    assert score.strong.pooled.ways == 3
    assert told.sure != "sure"


def test_the_range_is_of_the_same_two_positions():
    """A way that refutes has a number of the other sign, not a gap of its own."""
    score, told, _ = page_one(
        PACT, strong={"learned": (56, 44)}, taught={"taught": (44, 56)}
    )
    assert score.stronger == "differ"
    assert (score.strong.least, score.strong.most) == pytest.approx(
        (-0.12, 0.12), abs=1e-3
    )
    assert "by \N{MINUS SIGN}12.0 to 12.0 points in 2 strong ways" in told.text


STRONG = "strong players"


def test_what_is_fair_only_among_those_who_lead_is_told():
    """The first dealer loses nothing among those who learned, but if all are taught."""
    wins, taught = {LEAD: (25, 25, 25, 25)}, {"taught": (18, 25, 25, 32)}
    score, told, _ = page_one(wins, taught=taught, called=STRONG)
    assert score.verdict == "fair"
    assert told.text == "Nothing to do so far."
    text = sentences([score])[1].text
    assert "where you sit depends on who plays: for players taught" in text
    assert text.endswith("the best is 14.0 points ahead.")


def test_where_strong_players_lead_weaker_ones_have_no_vote():
    wins = {LEAD: (17, 16, 19, 48), "a": (25, 25, 25, 25), "b": (25, 25, 25, 25)}
    score, told, tried = page_one(wins, {"search": (14, 14, 12, 60)}, called=STRONG)
    assert score.votes == (2, 0, 0)
    ends = pytest.approx((0.32, 0.46), abs=2e-3)  # the last less the second player
    assert (score.strong.least, score.strong.most) == ends
    ways = ", in both strong ways to play, by 32.0 to 45.9 points."
    assert ways in told.text
    assert told.sure == "sure"
    found = tried(claim(score.line, CellMeasures(played(wins), 0, 4)))
    text = annotate_finding(Finding("The last wins.", "sure", tested="shares"), found)
    assert text.sure == "sure"
    assert text.text.startswith("The last wins. This holds for both strong ways to")
    assert "Of 2 weaker ways to play none show it; refuted by a (" in text.text


def test_strong_players_who_differ_from_those_who_lead_are_no_weaker_ones():
    wins = {LEAD: (17, 16, 19, 48), "a": (17, 16, 19, 48), "b": (17, 16, 19, 48)}
    score, told, _ = page_one(wins, {"search": (25, 26, 26, 23)}, 4_096, called=STRONG)
    assert score.votes == (1, 1, 0)
    assert not score.only_weaker
    assert "but not for players who search: it is the other way round" in told.text
    assert "weaker" not in told.text
    assert told.sure == "open"


def test_one_sort_of_strong_players_is_never_sure():
    score, told, tried = page_one(PLANTED, called=STRONG)
    assert told.sure == "likely"
    assert ", tried with one sort of strong players" in told.text
    found = tried(claim(score.line, CellMeasures(played(PLANTED), 0, 4)))
    text = annotate_finding(Finding("The last wins.", "sure", tested="shares"), found)
    assert text.sure == "likely"
    assert "holds for clever, the only strong way to play here." in text.text
    open_ = replace(found, asserted=replace(found.asserted, sign=None))
    text = annotate_finding(Finding("Who wins?", "sure", tested="shares"), open_)
    assert text.text == (
        "Who wins? It is not settled for clever, the only strong way to play here."
    )


def test_what_strong_players_leave_open_is_not_settled_for_them():
    score, told, _ = page_one(PLANTED, {"search": (22, 22, 22, 34)}, 64, called=STRONG)
    assert score.votes == (1, 0, 1)
    assert ", not settled for players who search" in told.text
    assert told.sure == "open"


def test_how_most_games_end_says_who_wins_and_not_why_some_have_no_winner():
    ended = pl.DataFrame({"by": ["bed", "end"], "estimate": [0.6, 0.4]})
    data = SimpleNamespace(leading=lambda *_, **__: ended, players=4)
    run, bed = SimpleNamespace(data=data), {"bed": "the Bed is full"}
    reasons = how_games_end(run, bed, {})
    assert "60 of 100" in reasons["roles"]
    assert "ties" not in reasons
    assert how_games_end(run, {}, {"time": "time is up"}) == {}
    data.leading = lambda name, **_: ended if name == "decided" else turns
    turns = pl.DataFrame({"estimate": [17.2]})
    long = how_games_end(run, bed, {}, ("turns", "cards"))
    assert long["length"].endswith("the Bed is full. A game has 17 cards on average.")
    data.leading = lambda *_, **__: ended
    left = how_games_end(run, {}, {"end": "time is up"})
    assert left == {"ties": "40 of 100 games end as time is up."}


@pytest.mark.parametrize("game", list(REGISTRY))
def test_how_games_end_is_told_in_words_of_its_ends(game):
    """Of every game: those that nobody wins alone are named, in words."""
    loaded, report = load(game), report_of(game)
    words = loaded.events["result"].fields["by"].vocabulary
    state = loaded.start(
        loaded.rules.of(), loaded.players[0], 1, np.arange(1, dtype=np.uint64)
    )
    ways = {str(way) for way in state.vocabularies[words]}
    assert report.undecided
    assert {*report.undecided, *report.ends} <= ways

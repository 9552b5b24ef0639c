"""Options that are dead or no choice: only of players who know how to use them."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from reports.measures import SUMS, Measure
from reports.report_data import CELL, ReportData
from reports.scorecard import option_lines, page_one, score
from reports.scorecard.cell_lines import CellMeasures
from reports.scorecard.line_pictures import value_text
from reports.scorecard.lines import BY_ID
from reports.scorecard.option_lines import (
    OptionPlayer,
    dead,
    dominant,
    trap,
    unable,
    uses,
)
from reports.scorecard.score import ScorecardRun
from reports.scorecard.scored_line import ScoredLine, judged, verdict_of
from reports.scorecard.sentences import sentences
from sim.events import Decision, FollowUp, kinds
from sim.games import REGISTRY, load

GAMES = 1_000
FOLLOW_UPS = {("plot", "peek"): ("play", ("look",))}
MEASURES = {
    "option taken": Measure("option taken", "", "share", by=("decision", "option")),
    "decisions with a choice": Measure("decisions with a choice", "", "share"),
}


def player(name, taken, skilled="", searched=None, base=""):
    """A player who takes (y, x, games) of each option."""
    rows = [
        {"cell": 0, "measure": "option taken", "decision": decision, "option": option}
        | {"y": y, "yy": y, "xy": y, "yyy": y, "x": x, "xx": x, "games": games}
        for (decision, option), (y, x, games) in taken.items()
    ]
    sums = dict.fromkeys(SUMS, GAMES)
    rows.append({"cell": 0, "measure": "decisions with a choice"} | sums)
    cells = {"cell": 0, "lineup": name, "kind": "self", "players": 4}
    cells |= {"strategy_declining": "", "moment": 0, "changes": ""}
    data = ReportData(
        pl.DataFrame(rows).cast(dict.fromkeys(SUMS, pl.Float64)),
        pl.DataFrame(cells).cast(CELL),
        GAMES,
        {},
        name,
        MEASURES,
        follow_ups=FOLLOW_UPS,
    )
    return OptionPlayer(name, CellMeasures(data, 0, 4), skilled, searched, base or name)


ALIKE = {("plot", "bust"): (500, GAMES, GAMES), ("plot", "bid"): (500, GAMES, GAMES)}
PEEK, LOOK = ("plot", "peek"), ("play", "look")


def verdict(found, line):
    return verdict_of(found, BY_ID[line].tolerance)


def test_what_nobody_knows_how_to_use_has_no_verdict():
    """He takes it hardly ever, but never makes use of it when he has it."""
    rows = {**ALIKE, PEEK: (2, GAMES, GAMES), LOOK: (0, 300, 300)}
    taken = uses([player("one", rows), player("other", rows)])
    assert unable(taken) == ("peek at plot",)
    found = dead(taken)
    assert "peek" not in found.words["labels"]
    score = ScoredLine(BY_ID["dead"], 4, "fair", found, unable=unable(taken))
    texts = [one.text for one in sentences([score])]
    assert "No player here knows how to use “peek at plot”" in texts[1]
    assert "learn --force plot:peek" in texts[1]


def test_what_is_used_and_never_taken_is_dead():
    rows = {**ALIKE, PEEK: (0, 3 * GAMES, GAMES), LOOK: (100, 300, 300)}
    taken = uses([player("one", rows), player("other", rows)])
    assert unable(taken) == ()
    assert dead(taken).sign == "peek at plot"
    assert verdict(dead(taken), "dead") in ("broken", "watch or broken")


def test_what_was_never_offered_could_be_taken_at_no_time(monkeypatch):
    """Its games stand for no times in the table."""
    one = player("one", ALIKE)
    data = one.where.data
    monkeypatch.setattr(score, "able_players", lambda _: [one])
    none = {"decision": "plot", "option": "none", "why": "never offered", "games": 500}
    none |= {"kept": "", "verdict": "", "always_verdict": "", "used": 0.0}
    none |= {"words": "square"}
    worth = pl.DataFrame([none]).with_columns(
        pl.lit(None, pl.Float64).alias(name)
        for name in ("taken", "lost", "se", "low", "high")
    )
    section = page_one.taken(ScorecardRun(data, worth=worth))
    table = section.exhibits[-1].table
    assert dict(table.select("option", "n").rows()) == {
        "none": 0,
        "bust": GAMES,
        "bid": GAMES,
    }


def test_who_knows_how_to_use_it_is_asked():
    """A planted good option that needs a follow-up, of which one player is able."""
    able = {**ALIKE, PEEK: (400, GAMES, GAMES), LOOK: (200, 300, 300)}
    lost = {**ALIKE, PEEK: (0, GAMES, GAMES)}
    taken = uses([player("able", able, "strong players"), player("lost", lost)])
    assert unable(taken) == ()
    assert dead(taken).value == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("asked", "times", "share"), [(100, 0, 0.05), (100, 8, 0.05), (1_000, 150, 0.15)]
)
def test_the_leading_player_tells_unless_another_surely_takes_it_more(
    asked, times, share
):
    """A few games in which others never took it do not leave open what many show."""
    mine = {**ALIKE, ("plot", "rare"): (50, GAMES, GAMES)}
    other = {**ALIKE, ("plot", "rare"): (times, asked, asked)}
    searcher = player("search", other, "players who search")
    taken = uses([searcher, replace(player("lead", mine, "strong"), leads=True)])
    found = dead(taken)
    assert found.sign == "rare at plot"
    assert found.value == pytest.approx(share)
    assert verdict(found, "dead") == "fair"


def named(score):
    """What follows the number of the line, and what the sentence begins with."""
    text = sentences([score])[0].text
    return value_text(score), text.partition("“")[2]


@pytest.mark.parametrize("line", ["dead", "dominant", "trap", "mechanic", "outshines"])
@pytest.mark.parametrize("seed", range(4))
def test_a_line_is_named_after_the_option_that_its_sentence_names(line, seed):
    """Whatever is extreme in few games: one option is tried 110 times, others often."""
    chance = np.random.default_rng(seed)
    times = chance.choice([110, 400, 40_000], 8)
    limits = BY_ID[line].tolerance.fair_range
    options = [f"o{at}" for at in range(8)]
    if line in ("dead", "dominant"):
        near = chance.uniform(0, 0.02, 8)
        share = near if line == "dead" else 1 - near
        counts = [(int(a * b), b, GAMES) for a, b in zip(share, times, strict=True)]
        table = dict(zip((("plot", one) for one in options), counts, strict=True))
        taken = uses([player("one", table), player("other", table)])
        made = {"dead": lambda: dead(taken, limits)}
        made["dominant"] = lambda: dominant(taken, (), limits)
        found = made[line]()
    else:
        sizes = chance.uniform(0, 0.4, 8)
        signs = {"trap": -1.0, "mechanic": -1.0, "outshines": 1.0}
        worth = pl.DataFrame({"lost": signs[line] * sizes, "se": 1 / np.sqrt(times)})
        kind = line == "mechanic"
        worth = worth.with_columns(
            decision=pl.Series(options if kind else ["plot"] * 8),
            option=pl.Series([""] * 8 if kind else options),
            used=pl.lit(1.0),
        )
        found = getattr(option_lines, line)(worth, (), limits)
    score = judged(BY_ID[line], 4, found)
    if score.beyond:
        line_name, first = named(score)
        assert score.beyond[0] in line_name
        assert first.startswith(score.beyond[0])
        assert found.value in found.values
    else:
        assert found.sign == found.words["labels"].split("\n")[0]


def test_an_option_that_few_games_show_gives_no_name_to_a_broken_line():
    """Never taken of 110 times may be taken often; 300 of 40,000 is rare for sure."""
    rows = {("plot", "never"): (0, 110, GAMES), ("plot", "rare"): (300, 40_000, GAMES)}
    taken = uses([player("one", ALIKE | rows), player("other", ALIKE | rows)])
    found = dead(taken, BY_ID["dead"].tolerance.fair_range)
    score = judged(BY_ID["dead"], 4, found)
    assert score.beyond == ("rare at plot",)
    assert value_text(score) == "0.8 ± 0.2 % (rare at plot)"
    assert dead(taken).sign == "never at plot"


def test_nothing_is_no_choice_that_is_open_in_few_games():
    """Taken whenever it is there, in a tenth of the games."""
    rows = {**ALIKE, ("bonus", "white"): (114, 114, 114)}
    taken = uses([player("one", rows), player("other", rows)])
    assert verdict(dominant(taken), "dominant") == "fair"
    often = {**ALIKE, ("bonus", "white"): (400, 400, 400)}
    taken = uses([player("one", often), player("other", often)])
    assert dominant(taken).sign == "white at bonus"
    assert verdict(dominant(taken), "dominant") == "broken"


def test_nothing_is_no_choice_where_more_is_better_by_the_rules():
    """A gem of three points for nothing, or one of one."""
    rows = {**ALIKE, ("bonus", "white"): (GAMES, GAMES, GAMES)}
    taken = uses([player("one", rows), player("other", rows)])
    assert dominant(taken).sign == "white at bonus"
    assert verdict(dominant(taken, ["bonus"]), "dominant") == "fair"
    kinds = load("kunitame").kinds.values()
    assert [kind.name for kind in kinds if kind.windfall] == ["bonus"]


def test_what_one_heuristic_does_settles_nothing():
    rows = {**ALIKE, ("plot", "never"): (0, GAMES, GAMES)}
    found = dead(uses([player("alone", rows)]))
    assert found.known_of == "alone"
    assert found.note.endswith("known for alone only")
    assert verdict(found, "dead") == "one way to play only"
    score = judged(BY_ID["dead"], 4, found)
    assert "never at plot" in value_text(score)
    texts = [one.text for one in sentences([score])]
    assert (
        "Only one good strategy plays here, alone; one alone cannot show whether some "
        "option is effectively dead." in texts
    )
    assert not any("more games" in text for text in texts)


def test_what_a_searcher_does_not_search_is_his_base_alone():
    rows = {**ALIKE, ("bid", "none"): (0, GAMES, GAMES)}
    searcher = player("search", rows, "players who search", ("plot",), "plain")
    found = dead(uses([searcher]))
    assert "none at bid" not in found.words["labels"]
    whole = dead(uses([player("search", rows, "players who search")]))
    assert whole.sign == "none at bid"
    assert whole.words["they"] == "players who search"


def test_who_hardly_ever_could_use_it_is_not_known_to():
    """Of six who had it, one chose to make use of it."""
    seldom = {**ALIKE, PEEK: (6, GAMES, GAMES), LOOK: (1, 6, 6)}
    assert option_lines.unable(uses([player("one", seldom)])) == ("peek at plot",)
    liked = {**ALIKE, PEEK: (300, GAMES, GAMES), LOOK: (1, 6, 6)}
    assert option_lines.unable(uses([player("one", liked)])) == ()


def test_a_trap_is_no_option_of_which_nobody_makes_use():
    worth = pl.DataFrame(
        {"decision": ["plot"] * 2, "option": ["peek", "bust"], "lost": [-0.05, 0.01]}
        | {"se": [0.01, 0.005]}
    )
    assert trap(worth).sign == "peek at plot"
    assert trap(worth, [PEEK]).sign == "bust at plot"


def test_a_follow_up_is_a_decision_of_the_game():
    plot = Decision("plot", "", "square", follow_ups={"peek": FollowUp("paly")})
    with pytest.raises(ValueError, match="plot: the follow-up of 'peek': no decision"):
        kinds(plot, Decision("play", "", "card"))


def test_none_at_all():
    assert dead(uses([])) is dominant(uses([])) is None
    assert option_lines.unable(uses([])) == ()


@pytest.mark.parametrize("game", REGISTRY)
def test_follow_ups_are_options_that_there_are(game):
    known = load(game)
    players = known.players[0]
    state = known.start(known.rules(), players, 1, np.arange(2, dtype=np.uint64))
    for kind in known.kinds.values():
        for option, later in kind.follow_ups.items():
            assert option in state.vocabularies[kind.vocabulary]
            words = state.vocabularies[known.kinds[later.decision].vocabulary]
            assert set(later.options) <= set(words)


def test_a_searcher_values_an_option_by_who_plays_on():
    """He looks now and then, by chance; who plays on never does, so it seems blank."""
    looks = {**ALIKE, PEEK: (0, 3 * GAMES, GAMES), LOOK: (30, 300, 300)}
    never = {**ALIKE, PEEK: (0, 3 * GAMES, GAMES), LOOK: (0, 300, 300)}
    plain = player("plain", never).where
    searcher = player("search", looks, "players who search")
    taken = uses([replace(searcher, play_on=(plain,))])
    assert unable(taken) == ("peek at plot",)
    able = player("able", looks).where
    taken = uses([replace(searcher, play_on=(plain, able))])
    assert unable(taken) == ()

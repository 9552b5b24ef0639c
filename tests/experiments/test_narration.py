"""Games told to people: complete, true to the transcript, and found among many."""

from dataclasses import replace

import pytest

from experiments.analysis import notable_games, trace_diff
from experiments.analysis.report_notable_games import notable_games_section
from experiments.analysis.trace import trace_games
from experiments.core import narration
from experiments.core.cells import Cell, UsageError
from experiments.counterfactual.intervention import every_option
from experiments.counterfactual.interventions import Interventions
from sim.games import REGISTRY, load
from sim.narration import NAMES, Narrator
from sim.narration_words import leader
from sim.transcript import Transcript

GAMES = 12


def cell_of(game, players=None, lineup="random", **rules):
    known = load(game)
    players = players or max(n for n in known.players if n <= 4)
    return Cell(game, known.rules.of(rules), players, (lineup,), True, seed=3)


def split(events):
    """The events of each game."""
    games = {}
    for event in events:
        games.setdefault(event["game"], []).append(event)
    return games


@pytest.fixture(scope="module", params=sorted(REGISTRY))
def played(request):
    """A game, and for some plays of it events, the telling, and its lines."""
    known = load(request.param)
    found = []
    for players in {known.players[0], known.players[-1]}:
        cell = cell_of(request.param, players)
        games = split(narration.events(cell, range(GAMES))).values()
        for events in games:
            story = known.narrator(known)
            found.append((events, story, list(story.lines(events))))
    return known, found


def test_every_kind_is_declared(played):
    known, _ = played
    story = known.narrator
    names = {*known.kinds, *known.events} - known.tables_only - {"result"}
    lacking = {
        name
        for name in names
        if name not in story.says and not hasattr(story, f"on_{name.replace('-', '_')}")
    }
    assert lacking == set()
    ways = load_ways(known)
    assert ways <= set(story.ends), "ways in which games end"


def load_ways(known):
    """The words for how a game is decided."""
    state = known.start(known.rules(), known.players[0], 0, _none())
    return set(state.vocabularies["by"])


def _none():
    import numpy as np

    return np.zeros(1, dtype=np.uint64)


def test_the_last_lines_name_the_winner(played):
    _, found = played
    for events, story, lines in found:
        winner = events[-1]["winner"]
        who = "Nobody" if winner is None else NAMES[winner]
        assert lines[-1].text.startswith(f"{who} wins")
        assert story.winner == winner


def test_every_choice_of_a_card_is_in_its_line(played):
    """Every player who chose something is named between two headings."""
    known, found = played
    for events, _, lines in found:
        text = " ".join(line.text for line in lines)
        for seat in {event["seat"] for event in events if event["type"] == "choice"}:
            assert NAMES[seat] in text
        assert len(lines) < len(events)
        assert all(line.text or line.heading or line.score for line in lines), known.id


def test_cards_are_those_of_the_transcript():
    known = load("kunitame")
    for events in split(narration.events(cell_of("kunitame"), range(4))).values():
        lines = list(known.narrator(known).lines(events))
        tricks = [line for line in lines if line.beat.startswith("trick ")]
        cards = [e["chosen"] for e in events if e["name"] == "play"]
        told_cards = [
            word.rstrip(",").replace("Priest", "P")
            for line in tricks
            for word in line.text.partition(":")[0].split()[1::2]
        ]
        assert told_cards == cards


FINAL = {
    "kunitame": lambda e: [
        p if e["lives"][s] else None for s, p in enumerate(e["points"])
    ],
    "kbernestich": lambda e: e["scores"],
    "devil": lambda e: e["scores"],
    "evilpact": lambda e: e["elements"],
    "socialism": lambda e: e["supply"],
}


def test_how_seats_stand_at_last_is_the_result(played):
    known, found = played
    if known.id not in FINAL:
        pytest.skip("the result has no such numbers")
    for events, story, _ in found:
        assert story.history[-1][0] == FINAL[known.id](events[-1])


def test_following_and_telling_agree(played):
    known, found = played
    for events, story, _ in found:
        other = known.narrator(known)
        for event in events:
            other.follow(event)
        assert [v for v, _ in other.history] == [v for v, _ in story.history]


@pytest.mark.parametrize("game", REGISTRY)
def test_a_course_is_read_from_what_a_story_says_that_it_reads(game, monkeypatch):
    cell = cell_of(game, load(game).players[0])
    some = notable_games.game_courses(cell, range(8))
    monkeypatch.setattr(notable_games._Standings, "shows", Transcript.shows)
    assert some == notable_games.game_courses(cell, range(8))
    assert any(one.margin is not None for one in some)


def test_a_game_that_declares_nothing_is_told():
    known = replace(load("kunitame"), narrator=Narrator)
    [events] = split(narration.events(cell_of("kunitame"), [0])).values()
    lines = list(known.narrator(known).lines(events))
    text = "\n".join(f"{line.beat}: {line.text}" for line in lines)
    assert "round 1 play: Ada" in text or ", Ada" in text
    assert "winner" in text
    assert next(line.chapter for line in lines if line.heading) == "week 1"


def test_leads_and_ties():
    assert leader([1, 3, None], least=False) == 1
    assert leader([3, 3, 1], least=False) is None
    assert leader([3, 3, 1], least=True) == 2
    assert leader([None, None], least=True) is None


def scores(games, cell):
    """The margin of each game with a winner, from the events themselves."""
    margins = {}
    for number, events in split(narration.events(cell, range(games))).items():
        result = events[-1]
        if result["winner"] is not None:
            own = result["scores"][result["winner"]]
            rest = [s for n, s in enumerate(result["scores"]) if n != result["winner"]]
            margins[number] = own - max(rest)
    return margins


def test_closest_and_lopsided_are_what_they_say():
    cell = cell_of("kbernestich")
    margins = scores(40, cell)
    closest = notable_games.find_game(cell, "closest", range(40))
    assert margins[closest.number] == min(margins.values())
    lopsided = notable_games.find_game(cell, "lopsided", range(40))
    assert margins[lopsided.number] == max(margins.values())
    assert f"margin of {max(margins.values())} (points)" in lopsided.reason


def test_a_comeback_is_the_furthest_behind():
    cell = cell_of("devil", 3)
    found = notable_games.find_game(cell, "comeback", range(40))
    worst = {}
    for number, events in split(narration.events(cell, range(40))).items():
        winner = events[-1]["winner"]
        if winner is not None:
            rounds = [e["scores"] for e in events if e["name"] == "round"]
            behind = [
                s[winner] - min(v for n, v in enumerate(s) if n != winner)
                for s in rounds
            ]
            worst[number] = max(0, *behind)
    assert worst[found.number] == max(worst.values())
    assert f"{max(worst.values())} behind" in found.reason


def test_the_longest_has_the_most_choices():
    cell = cell_of("devil", 3)
    lengths = {
        number: sum(event["type"] == "choice" for event in events)
        for number, events in split(narration.events(cell, range(40))).items()
    }
    found = notable_games.find_game(cell, "longest", range(40))
    assert lengths[found.number] == max(lengths.values())
    assert str(max(lengths.values())) in found.reason


def test_an_upset_is_won_by_who_wins_least():
    cell = replace(
        cell_of("kunitame"), lineup=("allround", "random", "random", "random")
    )
    read = notable_games.game_courses(cell, range(60))
    found = notable_games.find_game(cell, "upset", range(60), read)
    share = {
        name: sum(one.who == name for one in read) / seats
        for name, seats in (("allround", 1), ("random", 3))
    }
    assert read[found.number].who == min(share, key=share.get)


def test_what_cannot_be_found():
    cell = cell_of("kunitame")
    with pytest.raises(UsageError, match="did you mean 'upset'"):
        notable_games.find_game(cell, "upst", range(2))
    with pytest.raises(UsageError, match="at least 1 game"):
        notable_games.find_game(cell, "upset", range(0))


def test_two_rule_sets_part_at_a_choice_or_a_draw():
    one = cell_of("kunitame", lineup="allround")
    other = cell_of("kunitame", lineup="allround", life=2)
    pair = [list(narration.events(cell, [5])) for cell in (one, other)]
    at = trace_diff.first_difference(*pair)
    before = [
        [
            (e["name"], e.get("chosen"), e.get("card"))
            for e in side[1:n]
            if e["type"] != "outcome"
        ]
        for side, n in zip(pair, at, strict=True)
    ]
    assert before[0] == before[1]
    assert pair[0][at[0]] != pair[1][at[1]]
    text = "\n".join(
        str(t)
        for t in trace_diff.side_by_side_texts(one, other, 5, ("life 3", "life 2"))
    )
    assert "They differ from week" in text
    assert "│" in text


def test_the_same_side_is_refused():
    cell = cell_of("kunitame")
    with pytest.raises(UsageError, match="both sides are the same"):
        trace_games(cell, range(1), against="life=3")
    assert trace_diff.first_difference(*[list(narration.events(cell, [1]))] * 2) is None


def test_the_command(fairdeal):
    words = ("trace", "kunitame", "--seed", "1", "--lineup", "greedy")
    found = fairdeal(*words, "--find", "closest", "--among", "20").stdout
    assert found.startswith("closest: game ")
    number = found.split()[2]
    again = fairdeal(*words, "--number", number).stdout
    assert again.splitlines()[0] == f"Kunitame, game {number} of seed 1"
    assert found.endswith(again)
    beside = fairdeal(*words, "--number", "7", "--beside", "life=2").stdout
    assert "life 3 against life 2" in beside
    gone = fairdeal(*words, "--number", "7", "--beside", "squares.black.remove=true")
    assert "with squares.black against without squares.black" in gone.stdout
    poor = fairdeal(*words, "--number", "7", "--beside", "squares.black.gem=3")
    assert "squares.black gem 1 against squares.black gem 3" in poor.stdout
    others = fairdeal(*words, "--number", "7", "--beside", "timid").stdout
    assert "against timid" in others
    options = fairdeal(*words, "--verbose").stdout
    assert "hand" in options
    assert "legal" not in options


def test_a_report_links_to_games_and_tells_one():
    cell = cell_of("devil", 3)
    every = Interventions((every_option(("declare",)),))
    tried = replace(cell, interventions=every)
    others = cell_of("devil", 3, "dumper")
    section = notable_games_section([tried, others], 24)
    assert section is not None
    games, typical, *_ = section.exhibits
    assert games.table["kind"].to_list() == [
        "typical",
        *(k for k in notable_games.KINDS if k != "typical"),
    ]
    number = games.table["number"][0]
    assert games.table["command"][0] == (
        f"fairdeal trace . --lineup random --players 3 --number {number}"
    )
    text = " ".join(typical.table["text"])
    [*_, result] = narration.events(cell, [number])
    assert f"{NAMES[result['winner']]} wins" in text
    searching = replace(cell, lineup=("search:samples=16",) * 3)
    assert notable_games_section([searching], 24) is None


@pytest.mark.slow
def test_games_of_a_kept_run_are_those_that_it_counted(tmp_path, fairdeal):
    words = ("--lineup", "timid", "--seed", "5", "-n", "40", "-j", "1")
    fairdeal("run", "kunitame", *words, "--out", str(tmp_path / "r"))
    kept = fairdeal("trace", str(tmp_path / "r"), "--number", "7").stdout
    again = ("trace", "kunitame", "--lineup", "timid", "--seed", "5", "--number", "7")
    assert kept == fairdeal(*again).stdout
    refused = fairdeal("trace", str(tmp_path / "r"), "--seed", "1")
    assert "its seed, rules, strategies and deals are fixed" in refused.stderr
    none = fairdeal("trace", str(tmp_path / "r"), "--lineup", "greedy")
    assert "It has timid" in none.stderr

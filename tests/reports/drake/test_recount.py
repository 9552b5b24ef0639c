"""The report's numbers against transcripts, counted with code of their own."""

from collections import Counter, defaultdict
from itertools import permutations

import pytest

from experiments.counterfactual.intervention import every_option
from experiments.counterfactual.interventions import Interventions
from reports.drake.actions import branching
from reports.drake.report import REPORT
from tests.games.event_lines import of
from tests.reports.drake.recount import VIRTUES, cell, dealt
from tests.reports.recorded import counted, recorded

DECKS = {"maiden": "Maidens", "knight": "Knights", "treasure": "Treasures"}
CELLS = (
    (2, {}),
    (3, {"ruleset": "update_I"}),
    (4, {"special.sangria-all.copies": 4}),
    (4, {"must_act": False, "exhaust_when": "draw_from_empty", "maidens": 4}),
)


@pytest.fixture(scope="module", params=CELLS, ids=str)
def games(request):
    players, changes = request.param
    of = recorded(cell(players, changes=changes), 150, REPORT.all_notes)
    return players, counted(REPORT, of), of.told


def result(events):
    assert events[-1]["type"] == "result"
    return events[-1]


def test_virtues_by_role(games):
    _, found, told = games
    wins, roles = (defaultdict(Counter) for _ in range(2))
    for events in told:
        virtues = dealt(events)
        winner = result(events)["virtue"]
        for virtue in VIRTUES:
            title, won = virtue.title(), virtue == winner
            wins[title,][won] += 1
            roles[title, "played" if virtue in virtues else "absent"][won] += 1
    for name, right in (("won by role", wins), ("virtue wins by role", roles)):
        assert found[name] == {
            key: (many[True], many.total()) for key, many in right.items()
        }
    nobody = sum(result(events)["winner"] is None for events in told)
    somebody = found["won at the table by strategy"]["random",]
    assert somebody[0] == len(told) - nobody


def test_ends_and_decks(games):
    _, found, told = games
    turns = Counter(result(events)["turns"] for events in told)
    assert {key[0]: y for key, (y, _) in found["games by cards"].items()} == turns
    for events in told:
        assert result(events)["turns"] == len(of(events, "play"))
    for at, (deck, title) in enumerate(DECKS.items()):
        last = [result(events) for events in told]
        out = sum(
            result(events)["by"] == "deck" and of(events, "play")[-1]["chosen"] == deck
            for events in told
        )
        left = sum(one["decks"][at] for one in last)
        pile = sum(one["piles"][at] for one in last)
        assert found["runs out"][title,] == (out, len(told))
        assert found["left in deck"][title,] == (left, len(told))
        assert found["in pile"][title,] == (pile, len(told))


def test_what_options_are_worth():
    """Whose option it is, what it is called, and when: pair by pair."""
    (want,) = branching({})
    tried = every_option(want["decisions"], one_game_in=want["one_game_in"])
    of = cell(
        3,
        changes={"special.sangria-all.copies": 3},
        interventions=Interventions((tried,)),
    )
    of = recorded(of, 120, REPORT.all_notes)
    decisions = defaultdict(list)
    for row in of.raw["branching"].rows(named=True):
        bit = row["option"].bit_length() - 1
        word = of.about["vocabularies"][row["kind"]][bit]
        key = row["game"], row["turn"], row["kind"], row["seat"]
        decisions[key].append((DECKS.get(word, word), int(row["won"])))
    worth, pairs = Counter(), Counter()
    for (game, _, kind, seat), options in decisions.items():
        virtue = dealt(of.told[game])[seat].title()
        for (option, won), (other, lost) in permutations(options, 2):
            if option != other:
                worth[kind, virtue, option] += won - lost
                pairs[kind, virtue, option] += 1
    found = counted(REPORT, of)
    right = {key: (worth[key], pairs[key]) for key in pairs}
    for name, part in (
        ("worth of a deck", "play"),
        ("worth of an action", "act"),
    ):
        wanted = {(v, o): both for (kind, v, o), both in right.items() if kind == part}
        assert found[name] == wanted
        assert wanted

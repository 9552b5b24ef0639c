"""Sums of every section, added up again from transcripts in plain Python."""

from collections import Counter

import pytest

from reports.article_ii import (
    cards,
    endings,
    paths_to_office,
    take_that,
)
from tests.reports.article_ii.recount import by_name, cell, transcripts

GAMES = 150


@pytest.fixture(scope="module", params=[2, 3, 4])
def seen(request):
    return transcripts(cell(request.param, seed=7), GAMES)


def _find(events, name, phase=None):
    return [
        event
        for event in events
        if event["name"] == name and (phase is None or event["phase"] == phase)
    ]


def _one(events, name, phase=None):
    (event,) = _find(events, name, phase)
    return event


def _same(found, wanted):
    """The same (y, x); groups that occur in no game are left out of sums."""
    wanted = {key: pair for key, pair in wanted.items() if pair[1]}
    assert {key: tuple(map(float, pair)) for key, pair in wanted.items()} == found


def test_paths(seen):
    played, games = seen
    rank_won, rank_seats = Counter(), Counter()
    stood_won, stood_seats = Counter(), Counter()
    for events in games.values():
        told_, end = _one(events, "primary"), events[-1]
        keys = list(zip(told_["totals"], told_["electability"], strict=True))
        for seat, key in enumerate(keys):
            rank = sum(other > key for other in keys) + 1
            rank_seats[rank] += 1
            rank_won[rank] += end["winner"] == seat
        game = end["game"]
        general = {s: played.general[0, s, game] for s in told_["candidates"]}
        for seat in range(played.players):
            if seat not in general:
                at = 3
            elif len(set(general.values())) == 1:
                at = 1
            else:
                at = 0 if general[seat] == max(general.values()) else 2
            stood_seats[at] += 1
            stood_won[at] += end["winner"] == seat
    found = by_name(paths_to_office.counts(played))
    _same(
        found["won by rank"], {(r,): (rank_won[r], rank_seats[r]) for r in rank_seats}
    )
    _same(
        found["won by standing"],
        {(s,): (stood_won[s], stood_seats[s]) for s in stood_seats},
    )


def test_general_total_when_the_general_begins():
    """Without Styles it is Electability less Affiliation, as the Primary tells them."""
    played, games = transcripts(cell(4, changes={"deck": "original"}, seed=2), 60)
    for game, events in games.items():
        primary, general = _one(events, "primary"), _one(events, "general")
        parts = zip(primary["electability"], primary["affiliation"], strict=True)
        assert played.general[0, :, game].tolist() == [e - a for e, a in parts]
        assert played.primary[0, :, game].tolist() == primary["totals"]
        for seat in general["contenders"]:
            assert played.general[1, seat, game] == general["totals"][seat]


def test_ends(seen):
    played, games = seen
    how = Counter()
    for events in games.values():
        end = events[-1]
        how["Spoilers"] += end["by"] in ("spoiler", "spoiler-shared")
        how["nobody"] += end["by"] in ("none", "guard")
    found = by_name(endings.counts(played))
    _same(found["ended"], {(by,): (how[by], GAMES) for by in ("Spoilers", "nobody")})


def test_dealt(seen):
    """The difference within each deal, as a mean over the seats that hold the card."""
    played, games = seen
    more, many = Counter(), Counter()
    for events in games.values():
        winner = events[-1]["winner"]
        for number, phase in enumerate(("primary", "general"), start=1):
            hands = _one(events, "deal", phase)["hands"]
            for card in {name for hand in hands for name in hand}:
                has = [card in hand for hand in hands]
                won = [seat == winner for seat in range(played.players)]
                rest = [w for w, h in zip(won, has, strict=True) if not h]
                if rest:
                    mine = sum(w for w, h in zip(won, has, strict=True) if h)
                    even = sum(has) * sum(rest) / len(rest)
                    more[number, card] += mine - even
                    many[number, card] += sum(has)
    found = by_name(cards.counts(played))["dealt"]
    assert set(found) == set(many)
    for key, (y, x) in found.items():
        assert x == cards._PARTS * many[key]
        assert y == pytest.approx(cards._PARTS * more[key])


def test_hits_by_hand():
    """Without Styles a hit is a card that lowers another's total of the phase."""
    played, games = transcripts(cell(3, changes={"deck": "original"}, seed=5), GAMES)
    aimed, could = Counter(), Counter()
    for events in games.values():
        table = [[0, 0] for _ in range(3)]
        candidates, actor = None, None
        for event in events:
            if event["name"] == "primary":
                candidates = event["candidates"]
            if event["type"] == "choice" and event["name"] == "play":
                actor = event["seat"]
            if event["name"] not in ("placed", "removed"):
                continue
            phase = 1 if event["phase"] == "primary" else 2
            before = _leads(table, phase, candidates)
            was = _total(table[event["seat"]], phase)
            table[event["seat"]] = [event["electability"], event["affiliation"]]
            hit = _total(table[event["seat"]], phase) < was and event["seat"] != actor
            if hit and event["name"] == "placed" and before not in (None, actor):
                could[phase] += 1
                aimed[phase] += event["seat"] == before
    found = by_name(take_that.counts(played))
    _same(found["leader hit"], {(p,): (aimed[p], could[p]) for p in (1, 2)})


def _total(numbers, phase):
    electability, affiliation = numbers
    return electability + affiliation if phase == 1 else electability - affiliation


def _leads(table, phase, candidates):
    """Who alone would win the phase now, or None."""
    totals = [_total(numbers, phase) for numbers in table]
    if phase == 1:
        best = [s for s, total in enumerate(totals) if total == max(totals)]
        return best[0] if len(best) == 1 else None
    high = max(totals[seat] for seat in candidates)
    if high > 0:
        best = [seat for seat in candidates if totals[seat] == high]
    else:
        best = [seat for seat in range(3) if seat not in candidates]
    top = max(table[seat][0] for seat in best)
    best = [seat for seat in best if table[seat][0] == top]
    return best[0] if len(best) == 1 else None

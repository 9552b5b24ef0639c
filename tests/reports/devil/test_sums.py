"""Sums of the sections, added up again in plain Python from the transcripts."""

from collections import Counter, defaultdict
from itertools import islice

import pytest

from reports.course.measures import counts
from reports.devil import (
    cards,
    course,
    dealer,
    draws,
    early_end_section,
    endings,
    length,
    multipliers,
)
from reports.table_counts import count_rows
from tests.reports import course_by_hand
from tests.reports.devil.transcript import (
    cell,
    cost_of,
    ending_of,
    points_of,
    transcripts,
)

CASES = [(4, {}, 120), (3, {"deck": "440", "target": 120}, 60), (8, {}, 60)]


@pytest.fixture(scope="module", params=CASES, ids=str)
def seen(request):
    players, changes, count = request.param
    return transcripts(cell(players, changes=changes, seed=7), count)


def found(parts, measure, *by):
    """A measure's (y, x) by group."""
    for part in parts:
        if part.measure == measure:
            rows = part.sums().select(*by, "y", "x").rows()
            return {row[:-2]: row[-2:] for row in rows}
    raise AssertionError(f"no measure {measure}")


def rounds_of(games):
    return [round_ for game in games for round_ in game.rounds]


def test_length(seen):
    played, games = seen
    parts = length.counts(played)
    rounds = [len(game.rounds) for game in games]
    steps = found(parts, length.ROUNDS, "beyond")
    longer = [sum(one > n for one in rounds) for n in range(max(rounds))]
    assert steps == {(n,): (many, many) for n, many in enumerate(longer)}
    turns = played.rounds.once("turns").tolist()
    left = iter(turns)
    games_of = [list(islice(left, many)) for many in rounds]
    for (beyond,), (y, x) in found(parts, length.ROUND, "beyond").items():
        assert y == sum(one > beyond for one in turns)
        assert x == sum(len(one) for one in games_of if max(one) > beyond)


def test_endings(seen):
    played, games = seen
    parts = endings.counts(played)
    own, rest = Counter(), Counter()
    often = Counter(ending_of(round_) for round_ in rounds_of(games))
    for round_ in rounds_of(games):
        by, mine = ending_of(round_), round_.added[round_.winner]
        own[by] += mine
        rest[by] += sum(round_.added) - mine
    others, total = played.players - 1, len(rounds_of(games))
    for by, number in often.items():
        assert found(parts, "rounds by ending", "by")[by,] == (number, total)
        assert found(parts, "ender by ending", "by")[by,] == (own[by], number)
        assert found(parts, "others by ending", "by")[by,] == (
            rest[by],
            number * others,
        )
        ahead = rest[by] - others * own[by]
        assert found(parts, "ahead by ending", "by")[by,] == (ahead, number * others)


def times_of(round_, hand, seat, rules):
    """What the end of a round multiplies the cost of a hand by."""
    cost = cost_of(hand, rules)
    return round_.added[seat] // cost if cost else 0


def test_cards(seen):
    """Caught: the points that would not be added if the one card were not in hand."""
    played, games = seen
    rules, parts = played.rules, cards.counts(played)
    left, caught, own, total = Counter(), Counter(), Counter(), 0
    for round_ in rounds_of(games):
        total += sum(round_.added)
        for seat, hand in enumerate(round_.hands):
            times = times_of(round_, hand, seat, rules)
            for at, card in enumerate(hand):
                without = hand[:at] + hand[at + 1 :]
                left[card] += 1
                caught[card] += times * (cost_of(hand, rules) - cost_of(without, rules))
                doubled = cost_of(hand, rules) // max(points_of(hand, rules), 1)
                own[card] += times * doubled * points_of([card], rules)
    for card, number in left.items():
        assert found(parts, "card left", "card")[card,][0] == number
        assert found(parts, "card caught", "card")[card,] == (caught[card], number)
        assert found(parts, "card of points", "card")[card,] == (own[card], total)
    assert sum(own.values()) == total


def test_what_being_dealt_a_card_does(seen):
    played, games = seen
    top, below = defaultdict(float), defaultdict(float)
    for round_ in rounds_of(games):
        mean = sum(round_.added) / played.players
        for card in played.kinds:
            copies = [hand.count(card) for hand in round_.dealt]
            middle = sum(copies) / played.players
            for seat, number in enumerate(copies):
                top[card] += (round_.added[seat] - mean) * (number - middle)
                below[card] += (number - middle) ** 2
    slopes = found(cards.counts(played), "card dealt", "card")
    for (card,), (y, x) in slopes.items():
        assert y / x == pytest.approx(top[card] / below[card])


def test_doublings(seen):
    played, games = seen
    rules, parts = played.rules, multipliers.counts(played)
    face = hand_ = end = total = 0
    for round_ in rounds_of(games):
        for hand, added in zip(round_.hands, round_.added, strict=True):
            face += points_of(hand, rules)
            hand_ += cost_of(hand, rules) - points_of(hand, rules)
            end += added - cost_of(hand, rules)
            total += added
    shares = found(parts, "points from", "by")
    assert shares == {
        ("face",): (face, total),
        ("hand",): (hand_, total),
        ("end",): (end, total),
    }
    doubled = found(parts, "points from doublings")
    assert doubled == {(): (hand_ + end, total)}


def test_draws(seen):
    played, games = seen
    parts, rounds = draws.counts(played), rounds_of(games)
    for name in ("penalties", "skips", "reshuffles"):
        total = sum(getattr(round_, name) for round_ in rounds)
        assert found(parts, f"{name} a round")[()] == (total, len(rounds))
    turns = played.turns_of_game.sum()
    drawn = sum(round_.draws for round_ in rounds)
    assert found(parts, "draws a turn")[()] == (drawn, turns)


def test_dealer(seen):
    played, games = seen
    seats, parts = played.players, list(dealer.counts(played))
    extra = Counter()
    for game in games:
        for number, round_ in enumerate(game.rounds):
            for seat, added in enumerate(round_.added):
                place = (seat - round_.dealer - 1) % seats + 1
                if number == 0:
                    extra[place] += seats * added - sum(round_.added)
    for place in range(1, seats + 1):
        key, all_ = (place,), len(games)
        assert found(parts, "extra by position, first", "position")[key] == (
            extra[place],
            all_ * seats,
        )


def test_course(seen):
    played, games = seen
    told, margins, won = [], 0, 0
    for game in games:
        winner, scores = game.result["winner"], [r.scores for r in game.rounds]
        less = [[-points for points in now] for now in scores]
        told.append(course_by_hand.told(less, winner))
        if winner is not None:
            first, second = sorted(game.result["scores"])[:2]
            margins, won = margins + second - first, won + 1
    parts = [*counts(course.standing(played)), *course.counts(played)]
    names = {one.measure: found(parts, one.measure) for one in parts if not one.labels}
    assert names["margin"] == {(): (margins, won)}
    course_by_hand.same(names, told)


def test_moments_to_declare(seen):
    played, games = seen
    rows = []
    others = played.players - 1
    for number, game in enumerate(games):
        for round_ in game.rounds:
            for moment in round_.declares:
                own = moment.cost[moment.who]
                rest = sum(moment.cost) - own
                end_rest = rest * (2 if moment.card == "1S" else 1)
                on_own = round_.added[moment.who]
                on_rest = sum(round_.added) - on_own
                better = (end_rest - others * 2 * own) - (on_rest - others * on_own)
                rows.append((number, int(moment.ends), better))
    table = early_end_section.tidy(played)["declares"]
    assert table.select("game", "ends", "better").rows() == rows
    ended = table.filter(ends=1)
    assert ended.height
    assert ended["better"].to_list() == [0] * ended.height  # the round did end so
    for measure in early_end_section.MEASURES:
        assert count_rows(measure, table).sums().height

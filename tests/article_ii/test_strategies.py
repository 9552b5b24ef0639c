"""Each strategy of Article II does what its text says; margins in standard errors."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.layout import Layout
from sim.listener import Listener
from sim.table import Table
from strategies.article_ii.allround import Allround
from strategies.registry import builtin, make
from tests.article_ii import plays
from tests.article_ii.plays import GAME, NAMES, PLAYERS, numbers, ruled

ERRORS = 5  # standard errors that a difference has to exceed
OTHERS = [name for name in NAMES if name != "allround"]


@dataclass
class Book(Listener):
    """Keeps what is noted under these names, with the rows that it is about."""

    names: frozenset[str]
    kept: dict[str, list[tuple[Any, Mapping[str, Any]]]] = field(default_factory=dict)

    def hears(self, name: str) -> bool:
        return name in self.names

    def event(
        self, state: Any, name: str, where: Any, fields: Mapping[str, Any]
    ) -> None:
        size = len(state.games)
        here = np.ones(size, dtype=bool) if where is None else where.copy()
        told = {key: np.array(value) for key, value in fields.items()}
        self.kept.setdefault(name, []).append((here, told))


@dataclass(frozen=True)
class Run:
    """Games in which the lineup rotates through the seats."""

    book: Book
    lineup: tuple[str, ...]
    place: NDArray[np.int64]  # (seats, games) who of the lineup sits there

    def seats(self, name: str) -> NDArray[np.bool_]:
        """(seats, games) where a strategy sits."""
        return np.isin(self.place, [n for n, s in enumerate(self.lineup) if s == name])

    def of(self, name: str, each: NDArray[Any]) -> NDArray[Any]:
        """(games,) the mean over the seats of a strategy of a (seats, games) field."""
        seats = self.seats(name)
        mean: NDArray[Any] = (each * seats).sum(axis=0) / seats.sum(axis=0)
        return mean

    def won(self, by: str = "") -> NDArray[np.bool_]:
        """(seats, games) who is President alone, in this way."""
        _, told = self.book.kept["result"][0]
        seats = np.arange(len(self.place))[:, None]
        ways = ("total", "electability", "shared", "spoiler", "spoiler-shared")
        right = told["by"] == ways.index(by) if by else True
        won: NDArray[np.bool_] = (told["winner"] == seats) & right
        return won

    def nominated(self) -> NDArray[np.bool_]:
        """(seats, games) who is a Candidate."""
        _, told = self.book.kept["result"][0]
        seats = np.arange(len(self.place), dtype=np.uint64)[:, None]
        return (told["candidates"] & (masks.ONE << seats)) != 0

    def last(self, note: str, key: str) -> NDArray[Any]:
        """(seats, games) a field of an election."""
        return self.book.kept[note][0][1][key].astype(float)

    def changes(self, what: Any) -> NDArray[np.float64]:
        """(seats, games) the sum of something over the cards that a seat moved."""
        total = np.zeros(self.place.shape)
        for here, told in self.book.kept["change"]:
            rows = np.flatnonzero(here)
            part = {k: v[..., rows] if v.ndim else v for k, v in told.items()}
            np.add.at(total, (part["seat"].astype(int), rows), what(part))
        return total


@lru_cache(maxsize=64)
def played(
    lineup: tuple[str, ...], count: int = 400, notes: tuple[str, ...] = ()
) -> Run:
    players = len(lineup)
    state = GAME.start(ruled(), players, 7, np.arange(count, dtype=np.uint64))
    place = (np.arange(players)[:, None] + np.arange(count)) % players
    names = list(dict.fromkeys(lineup))
    sitting = np.array([names.index(name) for name in lineup], np.uint8)[place]
    strategies = [builtin("article_ii")[name]() for name in names]
    book = Book(frozenset({"result", *notes}))
    one = None if len(names) == 1 else sitting
    GAME.play(state, Table(strategies, one, GAME.view, GAME.kinds, [book]))
    return Run(book, lineup, place)


def above(more: NDArray[Any], less: NDArray[Any]) -> bool:
    """Whether a difference, game by game, exceeds zero by several standard errors."""
    gap = more.astype(float) - less.astype(float)
    error = gap.std() / np.sqrt(len(gap))
    return bool(gap.mean() > ERRORS * error)


# Who is the strongest


@lru_cache
def tournament(players: int, count: int = 800) -> dict[tuple[str, str], Any]:
    """Each pair of one and the rest: by game, what the one won, and one of the rest.

    All pairs are rows of the same block, so that a strategy is asked once for all.
    """
    pairs = [(one, rest) for one in NAMES for rest in NAMES if one != rest]
    pairs = [pair for pair in pairs if "allround" in pair]
    place = (np.arange(players)[:, None] + np.arange(count)) % players
    ones = [np.where(place == 0, NAMES.index(o), NAMES.index(r)) for o, r in pairs]
    sitting = np.concatenate(ones, axis=1).astype(np.uint8)
    games = np.arange(count * len(pairs), dtype=np.uint64)
    state = GAME.start(ruled(), players, 7, games)
    strategies = [builtin("article_ii")[name]() for name in NAMES]
    book = Book(frozenset({"result"}))
    GAME.play(state, Table(strategies, sitting, GAME.view, GAME.kinds, [book]))
    winner = book.kept["result"][0][1]["winner"]
    won = (np.arange(players)[:, None] == winner).astype(float)
    found = {}
    for number, pair in enumerate(pairs):
        part = won[:, number * count : (number + 1) * count]
        one = (part * (place == 0)).sum(axis=0)
        found[pair] = one, (part.sum(axis=0) - one) / (players - 1)
    return found


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("other", OTHERS)
def test_allround_beats_a_table_of_each_other_one(other: str, players: int) -> None:
    allround, others = tournament(players)["allround", other]
    assert above(allround, others)


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("other", OTHERS)
def test_no_other_one_beats_a_table_of_allround(other: str, players: int) -> None:
    one, allround = tournament(players)[other, "allround"]
    assert above(allround, one)


# What each one says of itself


def gained(part: Mapping[str, Any]) -> NDArray[Any]:
    """What a card added to the total of who played it, lying on himself."""
    return np.where(part["seat"] == part["on"], part["gain"], 0)


def harm_to_the_leader(part: Mapping[str, Any]) -> NDArray[Any]:
    """What a card took from the total of who led, if that was another."""
    leads = (part["on"] == part["leader"]) & (part["seat"] != part["on"])
    return np.where(leads, -part["gain"], 0)


NOTES = ("change", "primary", "general")
STRATEGIES = ("builder", "attacker", "centrist", "partisan")
RIVALS = ("spoiler", "builder", "partisan", "random")


def below(lineup: tuple[str, ...], name: str, each: NDArray[Any]) -> list[str]:
    """The others of a lineup of which a strategy has clearly more of something."""
    run, rest = played(lineup, 400, NOTES), [other for other in lineup if other != name]
    return [other for other in rest if above(run.of(name, each), run.of(other, each))]


@pytest.mark.soak
def test_builder_raises_itself() -> None:
    own = played(STRATEGIES, 400, NOTES).changes(gained)
    assert below(STRATEGIES, "builder", own) == ["attacker", "centrist"]
    own = played(RIVALS, 400, NOTES).changes(gained)
    assert {"spoiler", "random"} <= set(below(RIVALS, "builder", own))


@pytest.mark.slow
def test_attacker_lowers_the_leader() -> None:
    harm = played(STRATEGIES, 400, NOTES).changes(harm_to_the_leader)
    assert below(STRATEGIES, "attacker", harm) == ["builder", "centrist", "partisan"]


def test_centrist_plays_for_the_general() -> None:
    """Less Affiliation in the Primary than anybody, and more of what counts later."""
    run = played(STRATEGIES, 400, NOTES)
    base = run.last("primary", "affiliation")
    later = run.last("primary", "electability") - base
    for each in (-base, later):
        found = below(STRATEGIES, "centrist", each)
        assert found == ["builder", "attacker", "partisan"]


def test_partisan_plays_for_the_primary() -> None:
    for lineup, other in ((STRATEGIES, "centrist"), (RIVALS, "random")):
        run = played(lineup, 400, NOTES)
        for each in (run.nominated().astype(float), run.last("primary", "totals")):
            assert other in below(lineup, "partisan", each)


def test_spoiler_loses_the_primary_and_wins_without_the_others() -> None:
    run = played(RIVALS, 400, NOTES)
    left, won = 1.0 - run.nominated(), run.won("spoiler").astype(float)
    assert below(RIVALS, "spoiler", left)[:2] == ["builder", "partisan"]
    assert below(RIVALS, "spoiler", won) == ["builder", "partisan", "random"]


# Partners

ALONE = "allround:loyal=false"
LOYAL = ("allround", ALONE, "allround", ALONE)
DEALS = 800
MATCH = 4  # games


@lru_cache(maxsize=1)
def partners() -> Run:
    """Two partners against two who play each for himself: each deal in both seatings.

    The second seating follows the first, in the same order of deals.
    """
    place = np.arange(4)[:, None] + np.repeat((0, 1), DEALS)
    sitting = (place % 2).astype(np.uint8)
    games = np.tile(numbers(DEALS), 2)
    state = GAME.start(ruled({"parties": True}), 4, 7, games)
    strategies = [make("article_ii", name) for name in LOYAL[:2]]
    book = Book(frozenset({"result", "change"}))
    GAME.play(state, Table(strategies, sitting, GAME.view, GAME.kinds, [book]))
    return Run(book, LOYAL, place % 4)


def both_ways(each: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """By deal, the mean of both seatings: of partners, and of the others."""
    run = partners()
    loyal, alone = (run.of(name, each).reshape(2, DEALS) for name in LOYAL[:2])
    return loyal.mean(axis=0), alone.mean(axis=0)


def to_partner(part: Mapping[str, Any]) -> NDArray[Any]:
    """What a card added to the total of the partner of who played it."""
    return np.where((part["seat"] + 2) % 4 == part["on"], part["gain"], 0)


def to_the_better(part: Mapping[str, Any], sign: int = 1) -> NDArray[Any]:
    """The same in the General, if the partner stood better (or, with -1, worse)."""
    better = sign * (part["own_rank"].astype(int) - part["rank"]) > 0
    return np.where(better & (part["phase"] == 1), to_partner(part), 0)


@pytest.mark.slow
def test_partners_win_games_and_matches() -> None:
    run = partners()
    points = run.last("result", "points")
    gained, left = (run.of(name, points) for name in LOYAL[:2])
    lead = (gained - left).reshape(2, DEALS // MATCH, MATCH).sum(axis=2)
    matches = ((np.sign(lead) + 1) / 2).mean(axis=0)  # ties are half a match
    assert matches.mean() > 0.95
    assert above(*both_ways(points))
    assert above(*both_ways(run.won()))


def test_partners_become_candidates() -> None:
    assert above(*both_ways(partners().nominated()))


def test_partners_spare_each_other() -> None:
    """By marks hardly anything is taken from a partner; Styles have other sides."""
    marks = Layout(ruled(), 4).marks

    def taken(part: Mapping[str, Any]) -> NDArray[Any]:
        laid = ((part["card"] & marks) != 0) & (part["change"] == 0)
        return np.where(laid, np.maximum(-to_partner(part), 0), 0)

    harm, harm_alone = both_ways(partners().changes(taken))
    assert above(harm_alone / 20, harm)


def test_partners_back_who_stands_better() -> None:
    run = partners()
    better, _ = both_ways(run.changes(to_the_better))
    worse, _ = both_ways(run.changes(lambda part: to_the_better(part, -1)))
    assert above(better, worse)
    assert above(better, np.zeros(DEALS))


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
def test_without_parties_there_are_no_partners(players: int) -> None:
    """Then nothing changes; and who is not loyal plays with parties as without."""

    def games(name: str, rules: Any = None) -> list[Any]:
        lineup = [name, "random", *[name] * (players - 2)]
        return [
            events[1:]
            for events in plays.transcripts(rules, players, 40, lineup=lineup)
        ]

    assert games("allround") == games(ALONE)
    if players == 4:
        parties = {"parties": True}
        assert games(ALONE, parties) == games(ALONE)
        assert games("allround", parties) != games(ALONE)


@dataclass(frozen=True)
class Forgetful(Allround):
    """The same, but for what it knows still from the question before."""

    name = "forgetful"


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_of_a_question_changes_nothing(seed: int) -> None:
    rules = ruled(plays.any_rules(random.Random(seed)) if seed else {})
    ends = []
    for one in (Allround(), Forgetful()):
        games = np.arange(60, dtype=np.uint64)
        state = GAME.start(rules, 2 + seed % 3, seed, games)
        GAME.play(state, Table([one], None, GAME.view, GAME.kinds))
        ends.append(np.concatenate([*state.lying, *state.hands, state.discard]))
    assert (ends[0] == ends[1]).all()

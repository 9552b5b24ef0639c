"""Where the best play can be worked out, search plays nearly as well."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from experiments.conformance.hidden_information import readable_attributes
from sim import masks
from sim.masks import Masks
from sim.rollouts import Determinizations, RolloutTable, Shares
from sim.view import View
from strategies.base import Strategy
from strategies.registry import make
from strategies.search import Search
from tests.games.plays import Plays

KINDS = ("play", "act")  # decisions about cards; of all others policies have a say
SLOW = pytest.mark.slow
DEALS = 2_000  # that could be, of each question: so few cards that all are among them
SMALL: dict[str, Mapping[str, Any]] = {
    # three tricks with all cards dealt: what one has not the others have
    "kunitame": {
        "weeks": 1,
        "hand": 3,
        "rounds": 3,
        "ranks": 3,
        "devil_ranks": 0,
        "priests_per_player": 0,
        "contract_limit": 0,
    },
    # three cards a deck, of which one lies in its pile; two more fill it
    "drake": {
        "goal": 3,
        "maiden_chastity": [1, 2, 3],
        "treasure_value": [1, 2, 3],
        "knight": [[1, 2], [2, 1], [3, 3]],
        "special": {"sangria-all": {"remove": True}},
    },
}


@dataclass
class Best:
    """Plays the cards that win most over all deals that look the same to its seat.

    By backward induction: each card is played in each deal, and what comes after that
    this player answers itself; deals that look alike have one answer, the best on
    average. All games are deals of one question to one seat. The ``others`` know
    nothing of it, and decide for all what is not about cards.
    """

    plays: Plays
    others: Strategy
    title: str = "best"

    def decide(self, view: View) -> Masks:
        """(rows,) the best cards."""
        if view.kind.name not in KINDS:
            return self.others.decide(view)
        best = view.legal.copy()
        rows = np.flatnonzero(masks.count(best) > 1)
        if len(rows):
            best[rows] = self._best(view.take(rows))
        return best

    def _best(self, view: View) -> Masks:
        of, card = masks.explode(view.legal)
        won = self.wins(view._state.branch(_rows(view).take(of)), view, card, self)
        _, alike = np.unique(
            _looks(view).take(of) * 64 + masks.index(card), return_inverse=True
        )
        mean = np.bincount(alike, won) / np.bincount(alike)
        order = np.lexsort((mean.take(alike), of))
        last = np.searchsorted(of, np.arange(len(view)), side="right") - 1
        return card.take(order.take(last))

    def wins(self, games: Any, view: View, card: Masks, own: Any) -> Shares:
        """(games,) what the seat wins by a card, where it then plays as ``own``."""
        seat = int(np.max(view.seat))
        sitting = np.zeros((games.players, len(card)), dtype=np.uint8)
        sitting[seat] = 1
        desk = RolloutTable(self.plays.game, [self.others, own], sitting)
        won: Shares = desk.play_from(
            games, view.kind.name, np.full(len(card), seat), card
        )
        return won[seat]


def _rows(view: View) -> NDArray[np.int64]:
    """The games that a part of a view is of."""
    assert view._rows is not None
    return view._rows


def _looks(view: View) -> NDArray[np.int64]:
    """(rows,) a number for all that the view shows."""
    columns = [
        part.reshape(-1, len(view)).astype(np.float64)
        for name in readable_attributes(type(view))
        for part in _arrays(getattr(view, name, None))
        if part.shape[-1:] == (len(view),)
    ]
    _, number = np.unique(np.concatenate(columns), axis=1, return_inverse=True)
    return number.reshape(-1)


def _arrays(value: Any) -> Iterator[NDArray[Any]]:
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, np.ndarray):
            yield part


@dataclass
class Asked:
    """Plays on; ``won`` is what each first card wins: the best's, search's, its own."""

    plays: Plays
    own: Strategy
    search: Search
    title: str = "asked"
    won: list[list[float]] = field(default_factory=list)
    seen: set[tuple[int, int]] = field(default_factory=set)

    def decide(self, view: View) -> Masks:
        """(rows,) what it would do without looking."""
        answer = self.own.decide(view)
        if view.kind.name in KINDS:
            for row in np.flatnonzero(masks.count(view.legal) > 1).tolist():
                one = view.take(np.array([row]))
                who = int(view._state.games[_rows(one)[0]]), int(np.max(one.seat))
                if who not in self.seen:
                    self.seen.add(who)
                    self.won.append(self._worth(one))
        return answer

    def _worth(self, view: View) -> list[float]:
        best, number = Best(self.plays, self.own), np.arange(DEALS)
        seat = np.full(DEALS, np.max(view.seat))
        deals = Determinizations(view, [self.own], [self.own])._deal(
            np.zeros_like(number), number.astype(np.uint64) + np.uint64(1 << 20), seat
        )

        def worth(card: Masks, own: Any) -> float:
            games = deals.branch(number)
            return float(best.wins(games, view, np.repeat(card, DEALS), own).mean())

        cards = masks.explode(view.legal)[1]
        return [
            max(worth(card, best) for card in cards),
            *(worth(own.decide(view), own) for own in (self.search, self.own)),
        ]


def worths(game: str, players: int, games: int, search: Search) -> NDArray[np.float64]:
    """(3, questions) what the best play, search and its inner policy win from each."""
    plays = Plays(game)
    asked = Asked(plays, make(game, search.inner), search)
    state = plays.started(SMALL[game], players, games, seed=5)
    plays.game.play(state, plays.table([asked]))
    return np.array(asked.won).T


@pytest.mark.parametrize(
    ("game", "players", "games", "search"),
    [
        ("kunitame", 3, 5, Search(32, 0.0, kinds="play")),
        pytest.param(
            "kunitame", 3, 3, Search(64, 0.0, "random", kinds="play"), marks=SLOW
        ),
        pytest.param("drake", 2, 6, Search(16, 0.0, "random"), marks=SLOW),
        ("drake", 2, 6, Search(16, 0.0, plans="racer")),
    ],
    ids=["tricks", "tricks-random", "pile-random", "pile-plans"],
)
def test_search_wins_what_can_be_won(
    game: str, players: int, games: int, search: Search
) -> None:
    """On average over questions of which some matter much."""
    best, found, own = worths(game, players, games, search)
    assert (found <= best).all(), "better than the best"
    assert (best - own).mean() > 0.03, "it mattered"
    assert (best - found).mean() < min(0.02, 0.2 * (best - own).mean())


def test_what_only_a_plan_can_win_is_lost_without_one() -> None:
    """Two cards in a row that ``allround`` would not play: one is not seen to win."""
    best, found, _ = worths("drake", 2, 3, Search(16, 0.0))
    assert (best - found).mean() > 0.1

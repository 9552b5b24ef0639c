"""A turn of many games at once, on arrays; what it asks is asked at the table.

A vectorised turn runs straight and is never copied. Whoever needs one of its games as
it stands, to copy it or to see it, gets the moment of the same game in plain Python:
the board as the turn began, and the answers since then. Both turns play the same game,
which ``check-game`` tests, so that game goes on from there.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Masks
from sim.own_game.author_errors import author_error
from sim.own_game.board import MOST, TURN, drawn, shuffled
from sim.own_game.board_arrays import BoardArrays
from sim.own_game.moments import MOST_TURNS, Moment, scores_of
from sim.own_game.piles import NOBODY, Numbers, Piles
from sim.parameters import no_such
from sim.scores import GameError
from sim.table import Table

_OF_AUTHOR = ArithmeticError, AttributeError, LookupError, TypeError, ValueError
"""What an author's mistake raises; what a strategy raises goes through."""


class GameEnds(NamedTuple):
    """How games ended: (sides, games) scores, those of each tie, (games,) turns."""

    score: NDArray[Any]
    ties: list[NDArray[Any]]
    turns: Numbers


class BatchTurns(BoardArrays):
    """The boards of many games, and the ways to ask, to draw and to tell in them.

    The author's ``turns`` gets it as ``t``. ``games`` are still going on, ``rows``
    stand for places among them, and ``over`` (games,) is set by the author. ``places``
    (games,) are theirs in the state, ``offered`` (options, n) what was asked last.
    """

    def __init__(self, state: Any, table: Table) -> None:
        layout = state.layout
        if layout.plan.copies:
            raise GameError(
                f"{layout.plan.game.title}: turns(t) plays no box with copies of "
                "cards; give each copy a column in which it differs."
            )
        super().__init__(layout.plan, layout.box, [*state.moments])
        self.rules, self.players = layout.plan.rules, layout.plan.players
        self.seats = range(self.players)
        self.turn = 0
        self.games = len(self._turns)
        self.over = np.zeros(self.games, dtype=np.bool_)
        self._state, self._table = state, table
        self.places = np.arange(self.games)  # in the state
        self._codes = layout.codes
        self._forced = 0
        self.offered = np.zeros((0, 0), dtype=np.int64)
        self._ends: list[tuple[Numbers, GameEnds]] = []
        self._ended: list[tuple[Numbers, BoardArrays]] = []
        self._begin()

    # --- Asking

    def ask(
        self, kind: str, seat: Any, options: Any, rows: Numbers | None = None
    ) -> Numbers:
        """Have a seat (n,) choose one of these options (options, n): (n,) which.

        An option is the number of a card, or of a word that the game lists; -1: none.
        Who has one option only is not asked.
        """
        at = np.arange(self.games) if rows is None else np.asarray(rows)
        seat = np.broadcast_to(np.asarray(seat, dtype=np.int64), len(at))
        offered = _in_order(np.asarray(options), len(at))
        count = (offered >= 0).sum(axis=0)
        if kind not in self._codes:
            raise GameError(no_such("kind of decision", kind, self._codes, "decisions"))
        if not count.all():
            raise GameError(
                f"{kind!r} is asked without any option. Is t.over set where games end?"
            )
        codes = self._codes[kind]
        self._forced += int(np.count_nonzero(count == 1))
        asked = np.flatnonzero(count > 1)
        chosen = offered[0].copy()
        if len(asked):
            offered, number = offered[:, asked], at[asked]
            places, self.offered = self.places[number], offered
            legal = _legal(kind, offered, count[asked], codes)
            self._state.clock.turn[places] = self.turn + 1
            answer = self._table.ask(
                self._state,
                kind,
                (seat[asked] % self._plan.sides).astype(np.uint8),
                legal,
                rows=places,
            )
            bits = masks.index(answer)
            place = bits if codes is None else (codes[offered] == bits).argmax(axis=0)
            chosen[asked] = np.take_along_axis(offered, place[None], axis=0)[0]
            self._state.clock.count[places] += np.uint64(1)
            self._steps.append((number, bits))
            self._made.clear()
        return chosen

    def secretly(self, kind: str, options: Any) -> Numbers:
        """Have all seats choose before any choice is seen: (seats, games) what.

        ``options`` (seats, options, games), or the piles of the seats.
        """
        cards = options.cards if isinstance(options, Piles) else options
        return np.stack([self.ask(kind, seat, cards[seat]) for seat in self.seats])

    # --- Chance

    def shuffled(self, cards: Numbers, rows: Numbers | None = None) -> Numbers:
        """These cards (places, n) in a random order, as a new array."""
        at = np.arange(self.games) if rows is None else rows
        keys, counts = self._chance["_deal"], self._chance["_deals"]
        mixed = np.full_like(cards, NOBODY)
        for column, game in enumerate(at.tolist()):
            some = [card for card in cards[:, column].tolist() if card >= 0]
            new = shuffled(some, int(keys[game]), int(counts[game]))
            mixed[: len(new), column] = new
        counts[at] += np.uint64(1)
        return mixed

    def die(self, sides: int, rows: Numbers | None = None) -> Numbers:
        """(n,) numbers from 1 to ``sides``, all equally likely."""
        at = np.arange(self.games) if rows is None else rows
        keys, counts = (self._chance[name][at].tolist() for name in ("_dice", "_rolls"))
        self._chance["_rolls"][at] += np.uint64(1)
        rolls = [
            drawn(key, count, sides) for key, count in zip(keys, counts, strict=True)
        ]
        return np.array(rolls, dtype=np.int64)

    # --- Telling

    def tell(
        self, event: str, seat: Any, rows: Numbers | None = None, **numbers: Any
    ) -> None:
        """Tell what happened to a seat (n,), with numbers (n,)."""
        names = self._plan.events.get(event)
        if names is None or {*names} != numbers.keys():
            known = ", ".join(names or self._plan.events)
            raise GameError(f"{event!r} is told with what is not declared: {known}.")
        at = np.arange(self.games) if rows is None else np.asarray(rows)
        np.add.at(self._told, at, 1)
        if not self._table.hears(event):
            return
        told = {name: np.broadcast_to(numbers[name], len(at)) for name in names}
        for name, value in told.items():
            codes = self._state.layout.word_codes.get((event, name))
            told[name] = value if codes is None else codes[value]
        seats = np.broadcast_to(np.asarray(seat), len(at)) % self._plan.sides
        self._table.emit(
            self._state,
            event,
            rows=self.places[at],
            turn=np.full(len(at), self.turn + 1),
            seat=seats.astype(np.int8),
            **told,
        )

    # --- Turns

    def play(self) -> GameEnds:
        """Play all games to the end."""
        game: Any = self._plan.game
        while self.games:
            try:
                game.turns(self)
            except _OF_AUTHOR as error:
                raise author_error(game, error) from error
            self._end()
        self._table.count_forced(
            self._state, np.zeros(1, np.int64), np.array([self._forced])
        )
        return self._joined()

    def _begin(self) -> None:
        """Remember how the games stand as a turn begins."""
        self._before = self.take_games(np.arange(self.games))
        self._steps: list[tuple[Numbers, Numbers]] = []
        self._told = np.zeros(self.games, dtype=np.int64)  # notes, in this turn
        self._made: dict[int, Moment] = {}

    def _end(self) -> None:
        """Count a turn, tell the score, and let games go that are over."""
        self.turn += 1
        self._turns += 1
        if self._table.hears(TURN):
            self._table.emit(
                self._state,
                TURN,
                rows=self.places,
                turn=np.full(self.games, self.turn),
                **{self._state.score_name: self.scores()},
            )
        if self.turn > MOST_TURNS:
            raise GameError(f"games are not over after {MOST_TURNS:,} turns.")
        over = np.asarray(self.over)
        if over.any():
            self._let_go(np.flatnonzero(over))
            left = np.flatnonzero(~over)
            fewer = self.take_games(left)
            vars(self).update(vars(fewer))
            self.places, self.games = self.places[left], len(left)
            self.over = np.zeros(self.games, dtype=np.bool_)
        self._begin()

    def _let_go(self, rows: Numbers) -> None:
        """Keep how these games ended."""
        places = self.places[rows]
        ties = [
            self._of_sides(getattr(self, tie.removeprefix("-")))[:, rows]
            for tie in self._plan.game.ties
        ]
        ends = GameEnds(self.scores()[:, rows], ties, self._turns[rows])
        self._ends.append((places, ends))
        still = BoardArrays.take_games(self, rows)
        self._ended.append((places, still))

    def scores(self) -> NDArray[Any]:
        """(sides, games) the score of each side."""
        score = self._plan.game.score
        if isinstance(score, str):
            return self._of_sides(getattr(self, score))
        return np.array([scores_of(self.board(game)) for game in range(self.games)]).T

    def _of_sides(self, numbers: NDArray[Any]) -> NDArray[Any]:
        sides = self._plan.sides
        by_side = numbers.reshape(-1, sides, numbers.shape[-1])
        total: NDArray[Any] = by_side.sum(axis=0)
        return total

    def _joined(self) -> GameEnds:
        order = np.argsort(np.concatenate([places for places, _ in self._ends]))
        ends = [one for _, one in self._ends]
        ties = zip(*(one.ties for one in ends), strict=True)
        return GameEnds(
            np.concatenate([one.score for one in ends], axis=1)[:, order],
            [np.concatenate(tie, axis=1)[:, order] for tie in ties],
            np.concatenate([one.turns for one in ends])[order],
        )

    # --- One game as it stands

    def moment(self, place: int) -> Moment:
        """The game at this place of the state as it stands, in plain Python."""
        if place not in self._made:
            self._made[place] = self._moment(place)
        return self._made[place]

    def _moment(self, place: int) -> Moment:
        for places, boards in self._ended:
            (found,) = np.nonzero(places == place)
            if len(found):
                return Moment.first(boards.board(int(found[0]), over=True), False)
        game = int(np.flatnonzero(self.places == place)[0])
        moment = Moment.first(self._before.board(game), True)
        notes = [*(moment.board._notes or ())]
        options = self._state.layout.options
        for rows, bits in self._steps:
            (found,) = np.nonzero(rows == game)
            if len(found):
                offered = moment.options
                codes = options[moment.kind].codes(offered)
                option = offered[[*codes].index(int(bits[found[0]]))]
                moment = moment.answered(option, True)
                notes += moment.board._notes or ()
        moment.board._notes = notes[int(self._told[game]) :]  # not yet told
        return moment


class LazyMoments:
    """Where each game of a state stands, while a vectorised turn plays them."""

    def __init__(self, turns: BatchTurns, size: int) -> None:
        self.turns, self._size = turns, size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, row: int) -> Moment:
        return self.turns.moment(int(row))

    def __iter__(self) -> Iterator[Moment]:
        return map(self.turns.moment, range(self._size))

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        """All of them."""
        return self.made(np.arange(self._size))

    def made(self, rows: Numbers) -> NDArray[Any]:
        """(games,) the moments of these rows; those of others are None."""
        moments = np.empty(self._size, dtype=object)
        for row in {*rows.tolist()}:
            moments[row] = self.turns.moment(row)
        return moments


def _in_order(options: Numbers, games: int) -> Numbers:
    """(options, games) with what is none at the end."""
    if options.ndim == 1:
        options = np.repeat(options[:, None], games, axis=1)
    none = options < 0
    if (none[:-1] & ~none[1:]).any():
        order = np.argsort(none, axis=0, kind="stable")
        options = np.take_along_axis(options, order, axis=0)
    return options


def _legal(kind: str, offered: Numbers, count: Numbers, codes: Any) -> Masks:
    """(n,) the bits of the options."""
    if codes is None:
        if count.max() > MOST:
            raise GameError(
                f"{kind!r} is asked with {count.max()} options. Allowed: {MOST}. "
                "Ask in two steps, such as the suit and then the card."
            )
        return np.asarray(masks.ANYTHING >> (MOST - count).astype(np.uint64))
    bits = np.where(offered >= 0, masks.ONE << codes[offered].astype(np.uint64), 0)
    legal: Masks = np.bitwise_or.reduce(bits.astype(np.uint64), axis=0)
    return legal

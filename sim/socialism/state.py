"""The state of a batch of games of Socialism: arrays, one row per game.

Fields are ``(games,)``, ``(seats, games)`` or ``(users, games)``. All games take their
turns at the same time, but end at different ones: games that are over stay until they
are many, then they are dropped. How each game ended is kept in ``finals``.

The board is kept as sets of Friends; where each User lies is kept, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.batch_state import BatchState
from sim.chance import Purpose, Seed
from sim.masks import Counts, Flags, Masks
from sim.socialism.layout import Layout
from sim.socialism.place_names import names_in
from sim.socialism.rules import Socialism

DOWN = 16  # bits of a cell's column, below those of its row
MIDDLE = np.uint32((1 << DOWN | 1) << 14)  # the cell of the first User
AWAY = np.uint32(0)  # the cell of Users who are not on the board
ON, WON, BROKEN = np.uint8(0), np.uint8(1), np.uint8(2)  # whether and how a game ended
Cells = NDArray[np.uint32]  # in board order: rows from the top, then columns
Numbers = NDArray[np.int64]
Rows = Numbers | None  # None: all rows


Phase = IntEnum(
    "Phase",
    "DEAL TURN VIRAL PLAY SHERMAN BESIDE CELL COPY MEMBER LOST USER FRIEND MANAGE "
    "FRONT NETWORK EFFECT INVITE INVITER INVITED VICTIM COLOUR SEND END OVER",
    start=0,
)
"""The phases: what comes next."""

_MOMENTS = (  # three adjacent moments share 64 random bits
    "PLAY BESIDE CELL INVITE INVITER INVITED MEMBER LOST USER FRIEND MANAGE FRONT "
    "NETWORK COPY VICTIM COLOUR SHERMAN VIRAL"
)
TICKS = 8 * 64 * 18  # numbers of moments in a turn
_MOMENT = {Phase[name]: number for number, name in enumerate(_MOMENTS.split())}


@dataclass
class Clock:
    """What comes next in all rows.

    ``turn`` counts from 1; ``count`` is how often this phase was there without a break
    (of Sherman Acts, from 1: the seat so many places to the left), ``round`` how often
    the player was asked for an invitation. Games that were joined (``alignment``)
    lag behind: ``lag`` (games,) is by how many turns.
    """

    turn: int = 0
    phase: Phase = Phase.DEAL
    count: int = 0
    round: int = 0
    lag: Numbers | int = 0

    @property
    def tick(self) -> int:
        """A number unique to this moment, as the counter of random numbers."""
        moment = _MOMENT.get(self.phase, 0)
        return self.turn * TICKS + (self.round * 64 + self.count) * 18 + moment

    def labels(self) -> dict[str, Any]:
        """The turn, counted from 1."""
        return {"turn": self.turn - self.lag}

    def turn_of(self, rows: Numbers) -> Any:
        """The turn of these rows: one number, or (rows,) where some lag."""
        lag = self.lag
        return self.turn - (lag if isinstance(lag, int) else lag.take(rows))

    def next(self, phase: Phase, count: int = 0) -> None:
        """Go on to another phase."""
        self.phase, self.count = phase, count


class Finals:
    """How all games ended, in the order in which they started."""

    def __init__(self, games: Masks, players: int) -> None:
        self.games, size = games, len(games)
        self.winner: NDArray[np.int8] = np.full(size, -1, dtype=np.int8)
        self.by: Counts = np.zeros(size, dtype=np.uint8)
        self.supply: Counts = np.zeros((players, size), dtype=np.uint8)  # by seat
        self.turns: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)


class State(BatchState):
    """A batch of games of Socialism."""

    game_id = "socialism"
    parts = ("clock", "finals")
    flat_places: ClassVar[Mapping[str, str]] = {"place": "seat"}

    def __init__(
        self, rules: Socialism, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.layout = Layout(rules, players)
        super().__init__(rules, players, seed, games)
        self.clock = Clock()
        self.finals = Finals(games, players)
        first = self.chance.below(players, Purpose.START, 0)
        self.seat: Counts = first.astype(np.uint8)
        self.ends: Counts = np.zeros(len(games), dtype=np.uint8)  # ON, WON or BROKEN
        self._lay_cards(players, len(games))
        self._lay_board(players, len(games))
        self._lay_turn(len(games))

    def _lay_cards(self, players: int, size: int) -> None:
        """Fields of cards, and of what everybody knows about hidden ones."""
        self.hands: Masks = np.zeros((players, size), dtype=np.uint64)
        self.pile: Masks = np.full(size, self.layout.everything)  # to draw from
        self.discards: Masks = np.zeros(size, dtype=np.uint64)
        self.known: Masks = np.zeros((players, size), dtype=np.uint64)  # in that hand
        self.held: Masks = np.zeros(size, dtype=np.uint64)  # in hands, not in the pile

    def _lay_board(self, players: int, size: int) -> None:
        """Fields of Users, tokens, and Actions in play."""
        users, virals = self.layout.size, len(self.layout.virals)
        small = np.uint32 if users <= 32 else np.uint64
        self.board: Masks = np.zeros(size, dtype=np.uint64)
        self.friends: NDArray[Any] = np.zeros((users, size), dtype=small)
        self.lies: Cells = np.full((users, size), AWAY)
        self.tokens: Masks = np.zeros((players, size), dtype=np.uint64)  # Members
        self.front: Masks = np.zeros((players, size), dtype=np.uint64)
        self.post: Counts = np.zeros((virals, size), dtype=np.uint8)  # of Viral Posts:
        self.since: NDArray[np.uint16] = np.zeros((virals, size), np.uint16)  # and turn

    def _lay_turn(self, size: int) -> None:
        """Fields of this turn alone."""
        self.place: Numbers = self.at(self.seat)  # of the active seat's hand
        self.moved: Masks = np.zeros(size, dtype=np.uint64)  # Viral Posts
        self.card: Masks = np.zeros(size, dtype=np.uint64)  # until it lies somewhere
        self.does: Counts = np.zeros(size, dtype=np.uint8)  # what it does
        self.spot: Cells = np.full(size, MIDDLE)  # to play beside
        self.reacts: Flags = np.zeros(size, dtype=np.bool_)  # somebody to a card
        self.user: Counts = np.zeros(size, dtype=np.uint8)  # chosen for A/S/L?
        self.placed: Masks = np.zeros(size, dtype=np.uint64)  # Users, this turn
        self.mode: Counts = np.zeros(size, dtype=np.uint8)  # of inviting, from 1
        self.tried: Counts = np.zeros(size, dtype=np.uint8)  # bits of modes
        self.able: Masks = np.zeros(size, dtype=np.uint64)  # Members who could
        self.inviter: Counts = np.zeros(size, dtype=np.uint8)
        self.open: Masks = np.zeros(size, dtype=np.uint64)  # who may be invited,
        self.room: Counts = np.zeros(size, dtype=np.uint8)  # and how many, by name
        self.invited: Masks = np.zeros(size, dtype=np.uint64)
        self.named: Counts = np.zeros(size, dtype=np.uint8)  # how many they are,
        self.order: Counts = np.zeros((self.layout.size, size), dtype=np.uint8)

    def own(self, field: NDArray[Any], rows: Rows = None) -> NDArray[Any]:
        """(rows,) the active seat's value of a (seats, games) field."""
        position = self.place if rows is None else self.place.take(rows)
        return field.reshape(-1).take(position)

    def take(self, field: NDArray[Any], rows: Rows) -> NDArray[Any]:
        """(rows,) the values of a (games,) field in these rows."""
        return field if rows is None else field.take(rows)

    def supply(self, rows: Numbers | None = None) -> Counts:
        """(seats, games) or (seats, rows) tokens that are not on the board."""
        tokens = self.tokens if rows is None else self.tokens.take(rows, axis=1)
        return np.uint8(self.rules.tokens) - masks.count(tokens)

    def going(self, rows: Numbers) -> Numbers:
        """Those of these rows whose game is not over."""
        return rows.compress(self.ends.take(rows) == ON)

    def doing(self, *codes: np.uint8) -> Numbers:
        """The rows in which the card played does one of these things."""
        found = self.does == codes[0]
        for code in codes[1:]:
            found |= self.does == code
        return masks.rows_where(found)

    def tell(self, table: Any, name: str, rows: Numbers, **fields: Any) -> None:
        """Announce an event in these rows, with the time."""
        table.emit(self, name, rows=rows, turn=self.clock.turn_of(rows), **fields)

    def tell_sequence(
        self, table: Any, name: str, rows: Numbers, order: Numbers, **fields: Any
    ) -> None:
        """Announce a sequence of events, with the time; see ``Table.emit_sequence``."""
        turn = self.clock.turn_of(rows)
        table.emit_sequence(self, name, rows, order, turn=turn, **fields)

    def finish(self, rows: Numbers, seat: Any, how: np.uint8) -> None:
        """End these games; nothing else happens in them."""
        self.ends[rows] = how
        self.does[rows] = 0
        self.mode[rows] = 0
        place = self.start_rows.take(rows)
        self.finals.winner[place] = seat
        self.finals.by[place] = how - WON
        self.finals.supply[:, place] = self.supply(rows)
        self.finals.turns[place] = self.clock.turn_of(rows)

    # --- Names ---

    @staticmethod
    def placed_at(cells: Any) -> tuple[Any, Any]:
        """Column and row of cells, relative to that of the first User."""
        one = (1 << DOWN) - 1
        across, down = cells & np.uint32(one), cells >> np.uint32(DOWN)
        return across.astype(np.int64) - (1 << 14), down.astype(np.int64) - (1 << 14)

    def vocabulary_ids(self, words: str, row: int) -> Sequence[Any]:
        """The id of every bit of a vocabulary; things on the table by their place."""
        return names_in(self, words, row)

    # --- Conservation ---

    def conserved(self, rows: Rows | None = None) -> dict[str, Counts]:
        """(rows,) cards and tokens where they cannot be; 0 unless there is a bug."""

        def taken(field: Masks) -> Masks:
            return field if rows is None else field.take(rows, axis=-1)

        layout, board = self.layout, taken(self.board)
        wrong, seen, lying = (np.zeros_like(board) for _ in range(3))
        front = masks.join(list(taken(self.front)))
        for bit, card in enumerate(layout.front_card):
            here = masks.where((front & masks.bit(bit)) != 0, card)
            wrong |= lying & here
            lying |= here
        cards = map(taken, (*self.hands, self.pile, self.discards, self.card))
        for part in (*cards, lying, board & layout.cells):
            wrong |= seen & part
            seen = seen | part
        wrong |= seen ^ layout.everything
        alone, stray = np.zeros_like(board), np.zeros_like(board)
        for tokens in taken(self.tokens):
            stray |= tokens & ~board
            stray |= alone & tokens & layout.exclusive
            alone = alone | tokens
        return {
            "cards in two places or in none": masks.count(wrong),
            "tokens beside the board": masks.count(stray),
        }

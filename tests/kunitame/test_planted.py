"""Every planted bug is caught: an engine that breaks a rule does not pass the referee.

A bug is planted in games that are set up: in a step of the flow, in the tables of the
box, in what the state does, or in what is told. The same games without it pass.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import masks, tricks
from sim.kunitame import liquidation
from sim.kunitame import play as flow
from sim.kunitame.state import Phase, State
from sim.masks import Masks
from sim.transcript import Event, Transcript
from tests.games.referee import Foul
from tests.kunitame.plays import GAME, started, table, told
from tests.kunitame.referee import OPTIONS, check

Patch = pytest.MonkeyPatch
Places = NDArray[np.int64]
Bug = Callable[[Patch, State], None]
Step = Callable[[State, Any], None]
Spoilt = Callable[[Step, State, Any], None]

BUGS: dict[str, Bug] = {}
NOTHING = np.uint64(0)


def bug(plant: Bug) -> Bug:
    """Register a bug under the words of its docstring."""
    BUGS[str(plant.__doc__).rstrip(".")] = plant
    return plant


def around(patch: Patch, phase: Phase, step: Spoilt) -> None:
    """Let ``step(right, state, table)`` stand in for a step of the flow."""
    right = flow.STEPS[phase]
    patch.setitem(flow.STEPS, phase, lambda state, table: step(right, state, table))


def liar(patch: Patch, name: str, lie: Callable[[dict[str, Any]], None]) -> None:
    """Let the transcript tell events of this name otherwise."""
    write = Transcript._write

    def written(self: Any, state: Any, row: int, *what: str, **fields: Any) -> None:
        if what[-1] == name:
            lie(fields)
        write(self, state, row, *what, **fields)

    patch.setattr(Transcript, "_write", written)


# --- Cards --------------------------------------------------------------------------


@bug
def _(patch: Patch, state: State) -> None:
    """A card is dealt twice."""
    first, _, *rest = state.box.strength
    state.box.strength = (first, first, *rest)


@bug
def _(patch: Patch, state: State) -> None:
    """A card stays in the hand that played it."""

    def step(right: Step, state: State, table: Any) -> None:
        fan = state.fan.copy()
        right(state, table)
        if state.clock.round == 2:
            state.fan = fan

    around(patch, Phase.PLAY, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Nobody has to follow suit."""
    patch.setattr(tricks, "follow", lambda hand, *rest: hand.copy())


@bug
def _(patch: Patch, state: State) -> None:
    """Devils must follow."""
    state.box.free = state.box.priests


@bug
def _(patch: Patch, state: State) -> None:
    """Priests must follow."""
    state.box.free = state.box.devils


@bug
def _(patch: Patch, state: State) -> None:
    """A Devil sets the lead suit."""
    state.box.suit_of[masks.members(state.box.devils)] = state.box.devils


@bug
def _(patch: Patch, state: State) -> None:
    """Everybody follows the suit led in the first trick of the week."""

    led: list[Masks] = []

    def keep(right: Step, state: State, table: Any) -> None:
        led[:] = [state.lead.copy()] if state.clock.round == 0 else led
        right(state, table)

    def step(right: Step, state: State, table: Any) -> None:
        if state.clock.round and state.clock.turn:
            lead, some = state.lead, state.lead != 0
            state.lead = masks.blend(some, led[0], lead)
            right(state, table)
            state.lead = masks.blend(some, lead, state.lead)
        else:
            right(state, table)

    around(patch, Phase.TRICK, keep)
    around(patch, Phase.PLAY, step)


@bug
def _(patch: Patch, state: State) -> None:
    """The Devil deck is drawn from the dealer's left."""

    def step(right: Step, state: State, table: Any) -> None:
        first = state.first_dealer
        state.first_dealer = state.seat_after(first, 1)
        right(state, table)
        state.first_dealer = first

    around(patch, Phase.DEVILS, step)


@bug
def _(patch: Patch, state: State) -> None:
    """A Devil drawn is not kept."""

    def step(right: Step, state: State, table: Any) -> None:
        right(state, table)
        state.fan[0] ^= masks.lowest(state.fan[0] & state.box.devils)

    around(patch, Phase.DEVILS, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Who is short of Devils cancels nothing."""

    def step(right: Step, state: State, table: Any) -> None:
        right(state, table)
        if state.clock.phase is Phase.CANCEL:
            state.clock.phase = Phase.PLAY

    around(patch, Phase.DEVILS, step)


@bug
def _(patch: Patch, state: State) -> None:
    """A cancelled contract stays on the card."""

    def step(right: Step, state: State, table: Any) -> None:
        stakes = state.stakes.copy()
        right(state, table)
        state.stakes = stakes

    around(patch, Phase.CANCEL, step)


# --- Tricks -------------------------------------------------------------------------


@bug
def _(patch: Patch, state: State) -> None:
    """The first card wins the trick."""
    patch.setattr(tricks, "strongest", lambda cards, contenders: cards[0] & contenders)


@bug
def _(patch: Patch, state: State) -> None:
    """Priests do not beat Devils."""
    first, devils = tricks.first, state.box.devils

    def weak(cards: Sequence[Masks], wanted: Masks) -> Masks:
        black = tricks.strongest(cards, devils)
        return masks.blend(black != 0, black, first(cards, wanted))

    patch.setattr(tricks, "first", weak)


@bug
def _(patch: Patch, state: State) -> None:
    """The last Priest wins instead of the first."""
    first = tricks.first
    patch.setattr(tricks, "first", lambda cards, wanted: first(cards[::-1], wanted))


@bug
def _(patch: Patch, state: State) -> None:
    """Off-suit cards win by their rank."""
    strongest, ability = tricks.strongest, state.box.ability

    def any_suit(cards: Masks, contenders: Masks) -> Masks:
        return strongest(cards, contenders | ability)

    patch.setattr(tricks, "strongest", any_suit)


@bug
def _(patch: Patch, state: State) -> None:
    """The dealer leads every trick."""

    def step(right: Step, state: State, table: Any) -> None:
        right(state, table)
        if state.clock.round >= state.rules.rounds - 1:
            return
        away = (state.dealer + state.players - state.leader) % state.players
        state.lead_next(away.astype(np.uint8))

    around(patch, Phase.RETURN, step)


@bug
def _(patch: Patch, state: State) -> None:
    """The deal never passes."""
    patch.setattr(State, "dealer", property(lambda self: self.first_dealer))


# --- Squares and gems ---------------------------------------------------------------


@bug
def _(patch: Patch, state: State) -> None:
    """A gem that is won stays on its square too."""
    gain = State.gain

    def kept(self: State, at: Places, square: Masks) -> None:
        ones, threes = self.gems_1.copy(), self.gems_3.copy()
        gain(self, at, square)
        self.gems_1, self.gems_3 = ones, threes

    patch.setattr(State, "gain", kept)


@bug
def _(patch: Patch, state: State) -> None:
    """A gem goes to the seat on the left."""
    gain = State.gain

    def left(self: State, at: Places, square: Masks) -> None:
        gain(self, (at + len(self.games)) % self.purse.size, square)

    patch.setattr(State, "gain", left)


@bug
def _(patch: Patch, state: State) -> None:
    """A returned gem lands on another vacant square."""
    give_back = State.give_back

    def elsewhere(self: State, at: Places, square: Masks) -> None:
        vacant = self.box.all_squares & ~self.gems & ~square
        other = masks.where(square != 0, masks.highest(vacant))
        give_back(self, at, other)

    patch.setattr(State, "give_back", elsewhere)


@bug
def _(patch: Patch, state: State) -> None:
    """A returned gem is lost to the board."""
    give_back = State.give_back

    def lost(self: State, at: Places, square: Masks) -> None:
        ones, threes = self.gems_1.copy(), self.gems_3.copy()
        give_back(self, at, square)
        self.gems_1, self.gems_3 = ones, threes

    patch.setattr(State, "give_back", lost)


@bug
def _(patch: Patch, state: State) -> None:
    """The lowest gem is returned."""
    give_back = State.give_back

    def lowest(self: State, at: Places, square: Masks) -> None:
        purse = self.purse.reshape(-1)
        held = purse.take(at)
        both = (held >= 256) & (held % 256 > 0) & (square != 0)
        hidden = np.where(both, held - held % 256, 0).astype(np.uint16)
        purse[at] = held - hidden
        give_back(self, at, square)
        purse[at] += hidden

    patch.setattr(State, "give_back", lowest)


@bug
def _(patch: Patch, state: State) -> None:
    """No square comes first for a returned gem."""
    state.box.return_first = NOTHING


@bug
def _(patch: Patch, state: State) -> None:
    """A Devil's number does not count."""
    plain = masks.union(n for n, s in enumerate(state.box.squares) if s.num is None)
    state.box.met_by_card[masks.members(state.box.devils)] &= plain


@bug
def _(patch: Patch, state: State) -> None:
    """A Priest is an even card."""
    even = masks.union(
        n for n, square in enumerate(state.box.squares) if square.parity == "even"
    )
    state.box.met_by_card[masks.members(state.box.priests)] |= even


@bug
def _(patch: Patch, state: State) -> None:
    """The squares of a round are those of the next."""
    met = state.box.met_in_round
    state.box.met_in_round = [*met[1:], met[0]]


@bug
def _(patch: Patch, state: State) -> None:
    """A trick wins gems of liquidation."""
    state.box.by_trick |= state.box.by_all


@bug
def _(patch: Patch, state: State) -> None:
    """Who could win a gem by a trick returns one too."""

    def step(right: Step, state: State, table: Any) -> None:
        right(state, table)
        state.due[:] = True

    around(patch, Phase.CLAIM, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Nothing is ever returned."""

    def step(right: Step, state: State, table: Any) -> None:
        right(state, table)
        state.due[:] = False

    around(patch, Phase.CLAIM, step)


# --- Liquidation and the end --------------------------------------------------------


@bug
def _(patch: Patch, state: State) -> None:
    """Broken contracts cost nothing."""

    def step(right: Step, state: State, table: Any) -> None:
        state.staked[:] = 0
        state.stakes[:] = 0
        right(state, table)

    around(patch, Phase.CONTRACTS, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Contract squares are read from the other end."""

    def step(right: Step, state: State, table: Any) -> None:
        stakes, width = state.stakes, state.width
        first = masks.union(range(0, 64 - width, width))
        turned = np.zeros_like(stakes)
        for square in range(width):
            gems = stakes >> np.uint64(square) & first
            turned |= gems << np.uint64(width - 1 - square)
        state.stakes = turned
        right(state, table)
        state.stakes = stakes

    around(patch, Phase.CONTRACTS, step)


@bug
def _(patch: Patch, state: State) -> None:
    """The last Life gem may be staked in any week."""
    early = property(lambda self: self.clock.phase < Phase.WEEK)
    patch.setattr(State, "last_week", early)
    right = flow.STEPS[Phase.WEEK]

    def step(state: State, table: Any) -> None:
        right(state, table)
        if state.clock.week == state.rules.weeks:
            state.clock.phase = Phase.END

    patch.setitem(flow.STEPS, Phase.WEEK, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Eliminated players take part in liquidation."""
    qualify = liquidation.qualify

    def step(state: State) -> None:
        life = state.life
        state.life = np.maximum(life, np.uint8(1))
        qualify(state)
        state.life = life

    patch.setattr(liquidation, "qualify", step)


@bug
def _(patch: Patch, state: State) -> None:
    """Only the last trick counts at liquidation."""

    def step(right: Step, state: State, table: Any) -> None:
        state.streak[:] = state.box.all_squares
        right(state, table)

    around(patch, Phase.TRICK, step)


@bug
def _(patch: Patch, state: State) -> None:
    """The tricks of last week count at liquidation."""

    def step(right: Step, state: State, table: Any) -> None:
        streak = state.streak.copy()
        right(state, table)
        if state.clock.week > 0:
            state.streak = streak

    around(patch, Phase.DEAL, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Liquidation starts at the dealer's left."""
    for phase in (Phase.BONUS, Phase.BONUS_RETURN):

        def step(right: Step, state: State, table: Any) -> None:
            first = state.first_dealer
            state.first_dealer = state.seat_after(first, 1)
            right(state, table)
            state.first_dealer = first

        around(patch, phase, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Most and fewest tricks are exchanged."""
    state.box.by_rank = state.box.by_rank[::-1]


@bug
def _(patch: Patch, state: State) -> None:
    """The eliminated may win."""

    def step(right: Step, state: State, table: Any) -> None:
        lives = state.life.copy()
        state.life[:] = np.maximum(lives, np.uint8(1))
        note = table.note

        def told(state: State, name: str, where: Any = None, **fields: Any) -> None:
            if "lives" in fields:
                fields["lives"] = lives
            note(state, name, where, **fields)

        patch.setattr(table, "note", told)
        right(state, table)

    around(patch, Phase.END, step)


@bug
def _(patch: Patch, state: State) -> None:
    """Life gems do not break ties."""

    def step(right: Step, state: State, table: Any) -> None:
        lives = state.life.copy()
        state.life[:] = lives > 0
        note = table.note

        def told(state: State, name: str, where: Any = None, **fields: Any) -> None:
            if "lives" in fields:
                fields["lives"] = lives
            note(state, name, where, **fields)

        patch.setattr(table, "note", told)
        right(state, table)

    around(patch, Phase.END, step)


@bug
def _(patch: Patch, state: State) -> None:
    """The lowest card drawn wins a tie."""

    def lie(fields: dict[str, Any]) -> None:
        fields["cards"] = {seat: 14 - card for seat, card in fields["cards"].items()}

    liar(patch, "tie", lie)


# --- What is told -------------------------------------------------------------------


@bug
def _(patch: Patch, state: State) -> None:
    """An option is missing from the list."""

    def lie(fields: dict[str, Any]) -> None:
        others = [card for card in fields["legal"] if card != fields["chosen"]]
        fields["legal"] = [fields["chosen"], *others[1:]]

    liar(patch, "play", lie)


@bug
def _(patch: Patch, state: State) -> None:
    """A Priest is listed once for each copy."""

    def lie(fields: dict[str, Any]) -> None:
        fields["legal"] = fields["legal"] + ["P"] * ("P" in fields["legal"])

    liar(patch, "play", lie)


@bug
def _(patch: Patch, state: State) -> None:
    """Points are one too many."""

    def lie(fields: dict[str, Any]) -> None:
        fields["points"][0] += 1

    liar(patch, "week", lie)


@bug
def _(patch: Patch, state: State) -> None:
    """Ties are told as won by points."""

    def lie(fields: dict[str, Any]) -> None:
        if "by" in fields:
            fields["by"] = fields["by"].replace("lives", "points")

    liar(patch, "kunitame", lie)


RULES = {
    "weeks": 2,
    "rounds": 6,
    "life": 3,
    "removed_pledge": "none",
    "devil_ranks": 5,
    "priests_per_player": 2,
}
GAMES = 60


def played(state: State) -> list[list[Event]]:
    """Play games that are set up, and tell them."""
    writer = Transcript(GAME)
    writer.open(state, [["random"] * state.players] * len(state.games))
    GAME.play(state, table((), writer))
    return [list(e) for _, e in groupby(writer.events(), lambda e: e["game"])]


def fouls(games: Sequence[Sequence[Event]]) -> int:
    """In how many games the referee calls a foul."""
    found = 0
    for events in games:
        try:
            check(events)
        except Foul:
            found += 1
    return found


def test_without_a_bug_all_games_pass() -> None:
    assert fouls(played(started(RULES, 4, GAMES))) == 0


@pytest.mark.parametrize("name", BUGS)
def test_bug_is_caught(name: str, monkeypatch: Patch) -> None:
    found = 0
    for first in range(0, 20 * GAMES, GAMES):  # what is rare may take more games
        state = started(RULES, 4, GAMES, first=first)
        with monkeypatch.context() as patch:
            BUGS[name](patch, state)
            found = fouls(played(state))
        if found:
            break
    assert found


LIES: list[tuple[str, Any, Any]] = [
    *((key, a, b) for key, v in OPTIONS.items() for a in v for b in v if a != b),
    ("weeks", 2, 3),
    ("weeks", 3, 2),
    ("hand", 7, 8),
    ("hand", 8, 7),
    ("rounds", 5, 6),
    ("rounds", 6, 5),
    ("life", 3, 2),
    ("life", 2, 3),
    ("ranks", 13, 12),
    ("devil_ranks", 5, 4),
    ("devil_ranks", 5, 6),
    ("priests_per_player", 3, 2),
    ("contract_limit", 1, 2),
    ("contract_limit", 2, 1),
    ("contract_returns", [1, 1, 1, 1, 1], [1, 2, 1, 1, 1]),
    ("contract_points", [0, 0, 0, 0, 0], [0, 1, 0, 0, 0]),
    ("contract_squares", [1, 2, 3, 4, 5], [0, 1, 2, 3, 4]),
    *(("removed_pledge", "none", f"P{n}") for n in range(1, 8)),
    *(("removed_pledge", f"P{n}", "none") for n in range(1, 8)),
]


@pytest.mark.parametrize(("key", "right", "wrong"), LIES)
def test_playing_by_another_rule_is_caught(key: str, right: Any, wrong: Any) -> None:
    """The games are played by one value of a knob, and another is told."""
    rules: Mapping[str, Any] = {**RULES, key: right}
    if key == "all_eliminated":
        rules = {**rules, "weeks": 1, "life": 1}
    found = 0
    for first in range(0, 20 * GAMES, GAMES):
        games = told(rules, 4, GAMES, first=first)
        assert fouls(games) == 0
        for events in games:
            events[0]["rules"] = {**events[0]["rules"], key: wrong}
        found = fouls(games)
        if found:
            break
    assert found

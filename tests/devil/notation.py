"""Games of Devil in short, one line an event, and played by the engine from that.

``dealer 2`` | ``deal 2: 4 9 | 1S 2 | 10 5`` | ``flip 8`` | ``1 0 draw 6`` (turn, seat)
| ``2 1 play 1S 8 > 8`` (the options, the one chosen) | ``2 1 declare > end`` |
``2 2 penalty 3`` | ``2 2 skip`` | ``5 reshuffle 7`` (turn, cards) | ``round 2 out: 15
8 0 = 15 8 0`` (winner, how, added, scores) | ``tie 0 1 > 1`` | ``result 2 points: 2 =
35 23 18``. Hands and options are in the order of the alphabet, whatever was written.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sim import masks
from sim.chance import Chance, Counter, Purpose, Rows
from sim.masks import Masks
from tests.devil.plays import PLAYS
from tests.games.event_lines import Events
from tests.games.plays import Changes
from tests.games.scripted import Scripted, played, starting


def written(script: str) -> list[str]:
    """The lines of a script, hands and options in order."""
    return [_ordered(line.strip()) for line in script.splitlines() if line.strip()]


def _ordered(line: str) -> str:
    if line.startswith("deal "):
        head, _, cards = line.partition(":")
        hands = [" ".join(sorted(hand.split())) for hand in cards.split("|")]
        return f"{head}: {' | '.join(hands)}"
    if " play " in line:
        words = line.split()
        return " ".join([*words[:3], *sorted(words[3:-2]), *words[-2:]])
    return line


def shortened(events: Events) -> list[str]:
    """What was told, but for the setup, as lines of a script."""
    return [_ordered(_line(event)) for event in events[1:]]


def _line(event: dict[str, Any]) -> str:
    name = "result" if event["type"] == "result" else event["name"]
    turn = " ".join(str(event[key]) for key in ("turn", "seat") if key in event)
    if name == "deal":
        hands = " | ".join(" ".join(hand) for hand in event["hands"])
        return f"deal {event['dealer']}: {hands}"
    if name == "round":
        scores = f"{_row(event['added'])} = {_row(event['scores'])}"
        return f"round {event['winner']} {event['by']}: {scores}"
    if name == "result":
        who = "nobody" if event["winner"] is None else event["winner"]
        end = f"{_row(event['winners'])} = {_row(event['scores'])}"
        return " ".join(f"result {who} {event['by']}: {end}".split())
    if name == "tie":
        return f"tie {_row(event['seats'])} > {_row(event['chosen'])}"
    if name == "play":
        return f"{turn} play {_row(event['legal'])} > {event['chosen']}"
    rest = {"declare": f"> {event.get('chosen')}", "reshuffle": event.get("cards")}
    more = rest.get(name, event.get("card", ""))
    return (
        f"{name} {event.get('seat', more)}"
        if name in _ONCE
        else (f"{turn} {name} {more}".strip())
    )


_ONCE = ("dealer", "flip")


def _row(values: Sequence[Any]) -> str:
    return " ".join(map(str, values))


def scripted(players: int, script: str, rules: Changes) -> Events:
    """The game that the script says, as the engine tells it."""
    lines = written(script)
    dealer = int(lines[0].removeprefix("dealer "))
    state = starting(PLAYS, rules, players, lambda state: state.dealer[0] == dealer)
    said = [line.split()[-1] for line in lines if " play " in line or "declare" in line]
    return played(PLAYS, state, Scripted(said), _Dealt(state, lines))


class _Dealt(Chance):
    """Chance that deals, flips, draws and tosses as the lines of a script say."""

    def __init__(self, state: Any, lines: Sequence[str]) -> None:
        super().__init__(state.seed, state.games)
        self._state = state
        self._deals = iter([line for line in lines if line.startswith("deal ")])
        self._drawn = iter(list(_drawn(lines)))
        self._tie = next((line for line in lines if line.startswith("tie ")), "")

    def deal_rows(
        self,
        cards: Sequence[int],
        purpose: Purpose,
        counter: Masks,
        rows: Rows,
        piles: tuple[int, ...],
    ) -> Masks:
        """The hands of the next deal, and the card flipped."""
        dealt = next(self._deals).partition(":")[2].split("|")
        piled = [*(hand.split() for hand in dealt), [next(self._drawn)]]
        left, ids = list(cards), self._state.layout.ids
        sets = []
        for pile in piled:
            numbers = []
            for card in pile:
                number = next(n for n in left if ids[n] == card)
                left.remove(number)
                numbers.append(number)
            sets.append([masks.union(numbers)])
        return np.array(sets, dtype=np.uint64)

    def bits(
        self, purpose: Purpose, counter: Counter, rows: Rows | None = None
    ) -> Masks:
        """What takes the next card of the script out of the pile."""
        if purpose is not Purpose.DRAW:
            return super().bits(purpose, counter, rows)
        if rows is not None and not len(rows):
            return np.zeros(0, dtype=np.uint64)
        state, again = self._state, int(np.max(counter)) >= 1 << 40
        pile = state.pile[0] or state.under()[0]
        among = masks.members(pile | state.top[0] if again else pile)
        if not among:
            return np.zeros(1, dtype=np.uint64)
        card = next(self._drawn)
        place = next(k for k, n in enumerate(among) if state.layout.ids[n] == card)
        return _rank(place, len(among)) << np.uint64(64 - masks.CHANCE_BITS)

    def short_bits(
        self,
        purpose: Purpose,
        counter: Counter,
        draw: int = 0,
        rows: Rows | None = None,
    ) -> Masks:
        """What takes the seat of the script out of those that tie."""
        if purpose is not Purpose.TIE:
            return super().short_bits(purpose, counter, draw, rows)
        seats = self._tie.removeprefix("tie ").partition(" > ")
        tied = seats[0].split()
        return _rank(tied.index(seats[2]), len(tied))


def _drawn(lines: Sequence[str]) -> Iterator[str]:
    """The cards of all flips and draws, in order."""
    for line in lines:
        words = line.split()
        if words[0] == "flip" or words[2:3] in (["draw"], ["penalty"]):
            yield words[-1]


def _rank(place: int, size: int) -> Masks:
    """Bits with which ``masks.pick`` takes the member at this place."""
    return np.array([-(-(place << masks.CHANCE_BITS) // size)], dtype=np.uint64)

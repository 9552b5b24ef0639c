"""Format a game for people: one line an event, with hands beside the choices.

It knows no game: it reads the declarations of kinds and notes, and shows the decider's
hand if a state has ``hands`` of cards.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from sim.events import SEATS
from sim.games import Game
from sim.listener import Choice
from sim.transcript import Event, Transcript

_SEAT_COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red")
_STYLES = {"setup": "bold", "chance": "blue", "outcome": "green", "result": "bold"}
_CARD_COLOURS = {"B": "blue", "R": "red", "Y": "yellow", "G": "green"}
_HAND = "_hand"


class TranscriptWithHands(Transcript):
    """A transcript that keeps the decider's hand with each choice."""

    def choice(self, state: Any, choice: Choice) -> None:
        """Write the choice, and the hand of the decider."""
        before = {game: len(events) for game, events in self._events.items()}
        super().choice(state, choice)
        hands, ids = getattr(state, "hands", None), state.vocabularies.get("card")
        if hands is None or ids is None:
            return
        for row in choice.asked.nonzero()[0].tolist():
            game = int(state.games[row])
            for event in self._events[game][before.get(game, 0) :]:
                held = int(hands[event["seat"], row])
                event[_HAND] = [name for n, name in enumerate(ids) if held >> n & 1]


class EventFormatter:
    """Formats the events of games, one game after another, as lines."""

    def __init__(self, game: Game, differences: Sequence[str] = ()) -> None:
        self._game = game
        self._differences = differences
        self._clock = tuple(
            dict.fromkeys(unit for kind in game.kinds.values() for unit in kind.clock)
        )
        self._cards = {n for n, kind in game.kinds.items() if kind.vocabulary == "card"}
        self._lineup: Sequence[str] = ()

    def line(self, event: Event) -> Text:
        """Return an event as a line."""
        if event["type"] == "setup":
            return self._setup(event)
        line = Text()
        when = ", ".join(f"{u} {event[u]}" for u in self._clock if u in event)
        line.append(f"{when:<18} ", "dim")
        name = "result" if event["type"] == "result" else event["name"]
        line.append(f"{name:<10} ", _STYLES.get(event["type"], ""))
        tell = self._choice if event["type"] == "choice" else self._event
        tell(line, event)
        return line

    def _setup(self, event: Event) -> Text:
        self._lineup = event["lineup"]
        line = Text(f"{self._game.title}, game {event['game']}", "bold")
        line.append(f" of seed {event['seed']}: ")
        for seat in range(event["players"]):
            line.append("" if seat == 0 else ", ").append_text(self._player_text(seat))
        rules = "; ".join(self._differences) or "the base rules"
        return line.append(f" ({rules})", "dim")

    def _choice(self, line: Text, event: Event) -> None:
        line.append_text(self._player_text(event["seat"])).append(": ")
        values = (
            self._seats
            if self._game.kinds[event["name"]].vocabulary == SEATS
            else _listed
        )
        line.append_text(values(event["chosen"], strong=True))
        if "legal" in event:
            line.append("  of ", "dim").append_text(values(event["legal"]))
        bound = self._game.kinds[event["name"]].bound
        if bound and bound in event:
            line.append(f"  {_label(bound)} {event[bound]}", "dim")
        if _HAND in event and (event["name"] in self._cards or bound):
            line.append("  hand ", "dim").append_text(_listed(event[_HAND]))

    def _event(self, line: Text, event: Event) -> None:
        note = event["name"] if event["type"] != "result" else "result"
        first = True
        for key, field in self._game.events[note].fields.items():
            if key not in event or key in self._clock:
                continue
            value = event[key]
            line.append("" if first else "  ").append(f"{_label(key)} ", "dim")
            first = False
            if field.form == "seat":
                line.append_text(self._player_text(value))
            elif field.form in ("set", "drawn", "list") and _by_seat(value):
                self._sets(line, value)
            elif field.form == "set" and field.vocabulary == SEATS:
                line.append_text(self._seats(value, strong=True))
            elif isinstance(value, list):
                line.append(" / ".join(map(str, value)), "bold")
            else:
                line.append_text(_listed(value, strong=True))

    def _sets(self, line: Text, value: Any) -> None:
        """Append what each seat has."""
        pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
        for at, (seat, things) in enumerate(pairs):
            line.append(" | " if at else "").append_text(self._player_text(int(seat)))
            line.append(" ").append_text(_listed(things))

    def _seats(self, value: Any, strong: bool = False) -> Text:
        """Return seats, counted from 1, and other options."""
        options = value if isinstance(value, list) else [value]
        labels = [item + 1 if isinstance(item, int) else item for item in options]
        return _listed(labels, strong)

    def _player_text(self, seat: int | None) -> Text:
        if seat is None:
            return Text("nobody")
        colour = _SEAT_COLOURS[seat % len(_SEAT_COLOURS)]
        return Text(f"{seat + 1} {self._lineup[seat]}", colour)


def _by_seat(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], list)
    )


def _label(key: str) -> str:
    return key.replace("_", " ")


def _listed(value: Any, strong: bool = False) -> Text:
    """Return ids in a row, cards in the colour of their letter."""
    if isinstance(value, Mapping):
        values = ", ".join(f"{number} on {name}" for name, number in value.items())
        value = [values] if values else []
    if not isinstance(value, list):
        value = [value]
    text = Text("nothing" if not value else "")
    for at, item in enumerate(map(str, value)):
        colour = _CARD_COLOURS.get(item[:1], "") if item[1:].isdecimal() else ""
        text.append(" " if at else "")
        text.append(item, f"{'bold ' if strong else ''}{colour}".strip() or None)
    return text

"""Telling a game to a person: one line an event, hands beside the choices.

Knows no game: it reads the declarations of kinds and notes, and shows the hand
of who decides wherever a state has ``hands`` of cards.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from sim.events import SEATS
from sim.games import Game
from sim.listener import Choice
from sim.transcript import Event, Transcript

_SEATS = ("cyan", "magenta", "green", "yellow", "blue", "red")
_STYLES = {"setup": "bold", "chance": "blue", "outcome": "green", "result": "bold"}
_CARDS = {"B": "blue", "R": "red", "Y": "yellow", "G": "green"}
_HAND = "_hand"


class TranscriptWithHands(Transcript):
    """A transcript that keeps, beside each choice, the hand it is made from."""

    def choice(self, state: Any, choice: Choice) -> None:
        """Write the choice, and who decides with which cards."""
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
    """Turns the events of one game after another into lines."""

    def __init__(self, game: Game, differences: Sequence[str] = ()) -> None:
        self._game = game
        self._differences = differences
        self._clock = tuple(
            dict.fromkeys(unit for kind in game.kinds.values() for unit in kind.clock)
        )
        self._cards = {n for n, kind in game.kinds.items() if kind.vocabulary == "card"}
        self._lineup: Sequence[str] = ()

    def line(self, event: Event) -> Text:
        """The line that tells an event."""
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
            line.append("" if seat == 0 else ", ").append_text(self._who(seat))
        rules = "; ".join(self._differences) or "the base rules"
        return line.append(f" ({rules})", "dim")

    def _choice(self, line: Text, event: Event) -> None:
        line.append_text(self._who(event["seat"])).append(": ")
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
                line.append_text(self._who(value))
            elif field.form in ("set", "drawn", "list") and _by_seat(value):
                self._sets(line, value)
            elif field.form == "set" and field.vocabulary == SEATS:
                line.append_text(self._seats(value, strong=True))
            elif isinstance(value, list):
                line.append(" / ".join(map(str, value)), "bold")
            else:
                line.append_text(_listed(value, strong=True))

    def _sets(self, line: Text, value: Any) -> None:
        """What each seat has, on one line."""
        pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
        for at, (seat, things) in enumerate(pairs):
            line.append(" | " if at else "").append_text(self._who(int(seat)))
            line.append(" ").append_text(_listed(things))

    def _seats(self, value: Any, strong: bool = False) -> Text:
        """Seats among other options, as people count them."""
        options = value if isinstance(value, list) else [value]
        each = [one + 1 if isinstance(one, int) else one for one in options]
        return _listed(each, strong)

    def _who(self, seat: int | None) -> Text:
        if seat is None:
            return Text("nobody")
        return Text(f"{seat + 1} {self._lineup[seat]}", _SEATS[seat % len(_SEATS)])


def _by_seat(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], list)
    )


def _label(key: str) -> str:
    return key.replace("_", " ")


def _listed(value: Any, strong: bool = False) -> Text:
    """Ids in a row, cards in the colour that their letter stands for."""
    if isinstance(value, Mapping):
        values = ", ".join(f"{number} on {name}" for name, number in value.items())
        value = [values] if values else []
    if not isinstance(value, list):
        value = [value]
    text = Text("nothing" if not value else "")
    for at, item in enumerate(map(str, value)):
        colour = _CARDS.get(item[:1], "") if item[1:].isdecimal() else ""
        text.append(" " if at else "")
        text.append(item, f"{'bold ' if strong else ''}{colour}".strip() or None)
    return text

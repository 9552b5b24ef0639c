"""A game told to people: what the tellings of all games have in common.

A game's own telling is a ``Narrator`` in ``sim/GAME/narration.py``. For each kind of
decision or note it has a sentence in ``says``, or a method ``on_KIND`` that puts a
line together:

    class KunitameNarrator(Narrator):
        says = {"devil": "{seat} draws {card} from the Devil deck.", "dealer": ""}
        keeps, reads = ("week",), ("points",)

        def on_play(self, event):
            self.beat(f"trick {event['round']}")
            self.also(f"{self.name(event['seat'])} {event['chosen']}")

        def standing(self, event):
            return event["points"]

An empty sentence tells nothing. What is not declared is told by the words of its
declaration, so a game without a telling has one too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from sim.events import SEATS, Field
from sim.narration_words import join_words, leader, number, plain
from sim.scores import GameError, Score

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
"""What players are called, by seat."""

TURNS = "turns"
"""The chapter of a game that has turns only."""
_END = "the end"
Event = Mapping[str, Any]
Scores = list[float | None]
"""What each seat has; None where it is out of the running."""


@dataclass
class NarrationLine:
    """A line of a telling.

    ``chapter`` is the part of the game (week 2), ``beat`` the moment of it (trick 3),
    ``score`` how seats stand after it, where that has changed. A ``heading`` opens a
    chapter. ``details`` are lines beneath it, for who wants to know all. ``at`` is the
    number of the event that opened it.
    """

    chapter: str
    beat: str
    text: str
    score: str = ""
    heading: bool = False
    details: list[str] = field(default_factory=list)
    at: int = 0


class Narrator:
    """Tells the events of one game, one after the other, in lines.

    ``keeps`` names the notes after which ``standing`` says how seats stand, and
    ``reads`` the fields that ``standing`` and ``final`` read. What they tell is the
    number that ``stands_by`` names: the game's ``standing``, which also says who is
    ahead, or its ``score``. Where a telling keeps nothing, the note of the game's
    ``standing`` tells it. ``ends`` says how games are decided, by the word of the
    result. Raises ``GameError`` where a telling keeps what the game does not declare.
    """

    says: ClassVar[Mapping[str, str]] = {}
    keeps: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    stands_by: ClassVar[Literal["standing", "score"]] = "standing"
    ends: ClassVar[Mapping[str, str]] = {}

    def __init__(self, game: Any) -> None:
        """Tell games of this ``sim.games.Game``."""
        self.game = game
        self.number: Score | None = getattr(game, self.stands_by)
        if self.number is None and self.keeps:
            raise GameError(
                f"{game.id}: its telling says how seats stand, and the game does not "
                f"declare by which number, and who is ahead ({self.stands_by})."
            )
        if self.number is not None and not self.keeps:
            self.keeps, self.reads = (self.number.note,), ("seat", self.number.field)
        self.players = 0
        self.lineup: Sequence[str] = ()
        self.rules: Mapping[str, Any] = {}
        self.first = 0
        self.winner: int | None = None
        self.history: list[tuple[Scores, str]] = []
        self._lines: list[NarrationLine] = []
        self._chapter = self._beat = ""
        self._open, self._of = False, -1  # and whose the last item is
        self._told: Scores = []
        self._each: dict[int, float] = {}  # of seats that are told one by one
        self._details: list[str] = []  # for the next line
        self._at = 0
        kinds = game.kinds.values()
        self._clock = tuple(dict.fromkeys(u for kind in kinds for u in kind.clock))

    @property
    def least(self) -> bool:
        """Whether who has least is ahead."""
        return self.number is not None and self.number.fewest

    @property
    def unit(self) -> str:
        """What the number is called by which seats stand."""
        return "points" if self.number is None else self.number.words

    def standing(self, event: Event) -> Sequence[float | None] | None:
        """How seats stand after a note of ``keeps``; None where it does not say."""
        number = self.number
        told = None if number is None else event.get(number.field)
        if told is None or isinstance(told, list):
            return told
        self._each[event["seat"]] = told
        if len(self._each) < self.players:
            return None
        every, self._each = self._each, {}
        return [every[seat] for seat in range(self.players)]

    def final(self, event: Event) -> Sequence[float | None] | None:
        """How seats stand at the end, where the notes do not say."""
        return None

    def follow(self, event: Event) -> None:
        """Take note of how the seats stand, and of who wins, without a word."""
        if event["type"] == "setup":
            self.players, self.lineup = event["players"], event["lineup"]
            self.rules, self.first = event["rules"], event.get("_first", 0)
            self.begin()
        elif event["type"] == "result":
            self.winner = event["winner"]
            self._keep(self.final(event), event)
        elif event["name"] in self.keeps:
            self._keep(self.standing(event), event)

    def _keep(self, values: Sequence[float | None] | None, event: Event) -> None:
        """Remember how the seats stand, and when that was."""
        if values is not None:
            times = (f"{unit} {event[unit]}" for unit in self._clock if unit in event)
            self.history.append((list(values), self._where() or ", ".join(times)))

    def begin(self) -> None:
        """Begin, when the rules and the number of players are known."""

    def lines(self, events: Sequence[Event]) -> Iterator[NarrationLine]:
        """The whole game in lines."""
        for event in events:
            yield from self.tell(event)
        yield from self.rest()

    def tell(self, event: Event, detail: str = "") -> Iterator[NarrationLine]:
        """The lines that are finished when this has happened."""
        kind, name = event["type"], event["name"].replace("-", "_")
        self._at = event["n"]
        kept = kind not in ("setup", "result") and event["name"] in self.keeps
        values = self.standing(event) if kept else None
        if not kept:
            self.follow(event)
        if kind == "setup":
            return
        if kind == "result":
            self._end(event)
        elif hasattr(self, f"on_{name}"):
            getattr(self, f"on_{name}")(event)
        elif event["name"] in self.says:
            words = self.says[event["name"]]
            if words:
                self.say(words.format_map(self.words(event)))
        else:
            self._generic(event)
        self._keep(values, event)
        if detail:
            (self._lines[-1].details if self._open else self._details).append(detail)
        while len(self._lines) > 1:
            yield self._finished(self._lines.pop(0))

    def rest(self) -> Iterator[NarrationLine]:
        """The line that is still open."""
        for line in self._lines:
            yield self._finished(line)
        self._lines = []

    def chapter(self, title: str, text: str = "") -> None:
        """Open a part of the game."""
        if title != self._chapter:
            self._close()
            self._chapter, self._beat = title, ""
            stands = self._stands() if self.history and title != _END else ""
            heading = "; ".join(filter(None, (text, stands)))
            self._lines.append(
                NarrationLine(title, "", heading, heading=True, at=self._at)
            )

    def beat(self, beat: str) -> None:
        """Open the line of a moment, unless it is open."""
        if beat != self._beat:
            self._close()
            self._beat = beat

    def say(self, sentence: str) -> None:
        """Add a sentence to the line of this moment."""
        line = self._line()
        line.text = f"{line.text.rstrip('.')}. {sentence}" if line.text else sentence

    def also(self, item: str) -> None:
        """Add an item to the list in the line of this moment."""
        line = self._line()
        line.text = f"{line.text}, {item}" if line.text else item

    def also_of(self, seat: int, item: str) -> None:
        """Add an item of a player; several of one player have the name once."""
        if self._open and self._of == seat:
            self.then(f" and {item}")
        else:
            self.also(f"{self.name(seat)} {item}")
        self._of = seat

    def then(self, words: str) -> None:
        """Add words to the sentence in the line of this moment."""
        line = self._line()
        line.text = f"{line.text}{words}" if line.text else words.lstrip(" ,:;")

    def name(self, seat: int | None) -> str:
        """What the player in a seat is called."""
        return "nobody" if seat is None else NAMES[seat]

    def names(self, seats: Sequence[int]) -> str:
        """Several of them in a row."""
        return join_words([NAMES[seat] for seat in seats])

    def by_name(self, values: Sequence[Any]) -> str:
        """What each seat has, in a row."""
        pairs = zip(NAMES, values, strict=False)
        return ", ".join(f"{name} {number(v)}" for name, v in pairs if v is not None)

    def cast(self, places: Sequence[str]) -> list[tuple[str, str]]:
        """Who plays: name, and strategy with the position, of these at the table."""
        return [
            (
                NAMES[seat],
                f"{self.lineup[seat]}, {places[(seat - self.first) % self.players]}",
            )
            for seat in range(self.players)
        ]

    def words(self, event: Event) -> dict[str, str]:
        """Each field of an event in words: seats by name, sets in a row."""
        name = event["name"]
        kind = self.game.kinds.get(name) if event["type"] == "choice" else None
        fields = {} if kind else self.game.events[self._note(event)].fields
        return {
            key: self._word(fields.get(key), value, kind, key)
            for key, value in event.items()
        }

    def _word(self, declared: Field | None, value: Any, kind: Any, key: str) -> str:
        form, of = (declared.form, declared.vocabulary) if declared else ("", "")
        if kind and key in ("chosen", "legal"):
            of = kind.vocabulary
        if key == "seat" or form == "seat":
            return self.name(value)
        if of == SEATS:
            among = value if isinstance(value, list) else [value]
            return join_words(
                [self.name(v) if isinstance(v, int) else v for v in among]
            )
        if isinstance(value, Mapping):
            return ", ".join(f"{n} on {what}" for what, n in value.items()) or "nothing"
        if declared and isinstance(value, list) and len(value) == self.players:
            return self._by_seat(declared, value)
        return plain(value)

    def _by_seat(self, declared: Field, values: list[Any]) -> str:
        """A field that may have a value for each seat."""
        if declared.form == "list" and declared.once:
            return plain(values)
        if declared.form in ("set", "drawn", "list"):
            return "; ".join(f"{self.name(s)} {plain(v)}" for s, v in enumerate(values))
        if declared.form in ("number", "code") and not declared.once:
            return self.by_name(values)
        return plain(values)

    def _generic(self, event: Event) -> None:
        """Tell an event by its declaration alone."""
        times = [unit for unit in self._clock if unit in event]
        if times:
            self.chapter(f"{times[0]} {event[times[0]]}")
        words, name = self.words(event), event["name"].replace("_", " ")
        if event["type"] == "choice":
            self.beat(" ".join([*(f"{u} {event[u]}" for u in times[1:]), name]))
            self.also(f"{words['seat']} {words['chosen']}")
            return
        self.beat(name)
        fields = self.game.events[self._note(event)].fields
        keys = [k for k in fields if k in event and k not in self._clock]
        self.say("; ".join(f"{k.replace('_', ' ')} {words[k]}" for k in keys))
        self._close()

    def _note(self, event: Event) -> str:
        name: str = "result" if event["type"] == "result" else event["name"]
        return name

    def _end(self, event: Event) -> None:
        """Who won, how, and since when the lead did not change any more."""
        self.chapter(_END)
        who, by = self.name(event["winner"]), event["by"]
        how = self.ends.get(by, f"by {by}")
        if event["winner"] is None:
            self.say(f"Nobody wins: {how}.")
        else:
            self.say(f"{who} wins {how}.")
        self.result(event)
        since = self._since()
        if since:
            self.say(since)

    def result(self, event: Event) -> None:
        """Say more of the result, where the game has more to say."""
        if self.history:
            self.say(f"{self.unit.capitalize()}: {self.by_name(self.history[-1][0])}.")

    def _since(self) -> str:
        """Since when the winner has been ahead for good."""
        leads = [leader(values, self.least) for values, _ in self.history]
        if self.winner is None or not leads:
            return ""
        who = self.name(self.winner)
        if leads[-1] != self.winner:
            return ""
        others = [n for n, lead in enumerate(leads) if lead != self.winner]
        if not others:
            return f"{who} led from the first {self.unit} on."
        return f"{who} took the lead for good in {self.history[others[-1] + 1][1]}."

    def _stands(self) -> str:
        """Who is ahead of whom."""
        values = self.history[-1][0]
        ahead = leader(values, self.least)
        if ahead is None:
            return ""
        rest = [v for seat, v in enumerate(values) if seat != ahead and v is not None]
        if not rest:
            return ""
        nearest = min(rest) if self.least else max(rest)
        by = abs((values[ahead] or 0) - nearest)
        return f"{self.name(ahead)} leads by {number(by)}"

    def _where(self) -> str:
        chapter = "" if self._chapter == TURNS else self._chapter
        return ", ".join(filter(None, (chapter, self._beat)))

    def _line(self) -> NarrationLine:
        if not self._open:
            line = NarrationLine(
                self._chapter, self._beat, "", details=self._details, at=self._at
            )
            self._lines.append(line)
            self._open, self._of, self._details = True, -1, []
        return self._lines[-1]

    def _close(self) -> None:
        """End the line of this moment: how seats stand after it, if that changed."""
        if not self.history or self.history[-1][0] == self._told:
            self._open = False
            return
        if self._lines and not self._lines[-1].heading:
            self._open = True  # what has just been told led to it
        values = self.history[-1][0]
        before, after = (leader(v, self.least) for v in (self._told, values))
        if before != after and after is not None:
            taken = "" if before is None else f" from {self.name(before)}"
            self.say(f"{self.name(after)} takes the lead{taken}.")
        self._told = values
        self._line().score = self.by_name(values)
        self._open = False

    def _finished(self, line: NarrationLine) -> NarrationLine:
        line.text = line.text.strip()
        if line.text and not line.heading and line.text[-1] not in ".!?":
            line.text += "."
        return line

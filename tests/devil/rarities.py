"""What happens rarely in Devil, and must be seen by the tests all the same."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from sim.transcript import Event

SPECIAL = ("1S", "4S")

RARE = {
    "a reshuffle before a draw",
    "a reshuffle before a penalty",
    "two reshuffles in a round",
    "fewer penalties than due",
    "a turn that writes nothing",
    "a card drawn has to be played",
    "a Special drawn has to be played",
    "an Onifuda drawn has to be played",
    "a Special ends the round",
    "the ender has a Special left",
    "the round goes on after a Special",
    "a turn again after a skip",
    "out with a 10",
    "out with 1S",
    "out with 4S",
    "out with a blank",
    "Onifuda ends the round",
    "Onifuda as the last card",
    "a hand with two Specials",
    "a blank held while a Special is on top",
    "a Special held while a blank is on top",
    "an Onifuda flipped",
    "two Onifuda flipped",
    "a round ended by the first card",
    "a skip by the first card",
    "a penalty by the first card",
    "drawn though able to play",
    "nothing to draw though allowed",
    "a shared victory",
    "a tie decided by rounds",
    "a tie decided by a toss",
    "broken off",
    "the first round decides",
    "the winner never won a round",
}
"""What the games of the tests must show, each at least once."""


def rare(events: Sequence[Event]) -> Iterator[str]:
    """Which of the rare things happened in one game."""
    told = [event for event in events if "round" in event]
    for _, round_ in groupby(told, key=lambda event: event["round"]):
        moments = [*_moments([*round_])]
        for look in _LOOKS:
            yield from look(moments)
    if events[0]["rules"]["voluntary_draw"]:
        yield from _offers(events)
    yield from _result(events)


@dataclass(frozen=True)
class Moment:
    """An event of a round, with what lies on the table; a card drawn is in hand."""

    event: Event
    before: Event
    after: Event
    top: str
    hands: list[list[str]]

    @property
    def name(self) -> str:
        return str(self.event["name"])

    @property
    def own(self) -> list[str]:
        """The hand of whose event it is."""
        return self.hands[self.event["seat"]]


def _moments(events: Sequence[Event]) -> Iterator[Moment]:
    """The events of a round, in order."""
    hands, top = [list(hand) for hand in events[0]["hands"]], ""
    around = zip([{}, *events], events, [*events[1:], {}], strict=False)
    for before, event, after in around:
        name, now = event["name"], [list(hand) for hand in hands]
        if name in ("draw", "penalty"):
            hands[event["seat"]].append(event["card"])
            now[event["seat"]].append(event["card"])
        yield Moment(event, before, after, top, now)
        if name == "flip":
            top = event["card"]
        elif name == "play" and event["chosen"] != "draw":
            top = event["chosen"]
            hands[event["seat"]].remove(top)


def _first_cards(moments: Sequence[Moment]) -> Iterator[str]:
    """The flips and what follows at once."""
    flips = [m.event["card"] for m in moments if m.name == "flip"]
    if "oni" in flips:
        yield "an Onifuda flipped"
    if flips.count("oni") > 1:
        yield "two Onifuda flipped"
    for moment in moments:
        if moment.name == "round" and moment.before["name"] == "flip":
            yield "a round ended by the first card"
        if moment.event.get("turn") == 0 and moment.name in ("skip", "penalty"):
            yield f"a {moment.name} by the first card"


def _draws(moments: Sequence[Moment]) -> Iterator[str]:
    """Cards drawn."""
    if sum(moment.name == "reshuffle" for moment in moments) > 1:
        yield "two reshuffles in a round"
    for moment in moments:
        event, after = moment.event, moment.after
        if moment.name in ("draw", "penalty") and moment.before["name"] == "reshuffle":
            yield f"a reshuffle before a {moment.name}"
        played = after.get("name") == "play" and after["turn"] == event.get("turn")
        if moment.name == "draw" and played:
            kinds = {"oni": "an Onifuda", **dict.fromkeys(SPECIAL, "a Special")}
            yield f"{kinds.get(event['card'], 'a card')} drawn has to be played"


def _turns(moments: Sequence[Moment]) -> Iterator[str]:
    """Turns taken, lost and without an event."""
    latest = 0
    for moment in moments:
        event, after = moment.event, moment.after
        if event.get("turn", 0) > latest + 1:
            yield "a turn that writes nothing"
        latest = event.get("turn", latest)
        next_ = after.get("seat", event.get("seat"))
        if moment.name == "skip" and len(moment.hands) == 2 and next_ != event["seat"]:
            yield "a turn again after a skip"
        if moment.name == "declare" and event["chosen"] == "continue":
            yield "the round goes on after a Special"
            turn = [m.name for m in moments if m.event.get("turn") == event["turn"]]
            if turn.count("penalty") < 1 + (moment.top == "4S"):
                yield "fewer penalties than due"


def _held(moments: Sequence[Moment]) -> Iterator[str]:
    """Cards in hand that may not be played, though others of the kind could."""
    for moment in moments:
        if moment.name in ("play", "draw"):
            if "blank" in moment.own and moment.top in SPECIAL:
                yield "a blank held while a Special is on top"
            if moment.top == "blank" and set(moment.own) & set(SPECIAL):
                yield "a Special held while a blank is on top"


def _endings(moments: Sequence[Moment]) -> Iterator[str]:
    """How the round ended."""
    event, top, hands = moments[-1].event, moments[-1].top, moments[-1].hands
    if event["name"] != "round":
        return
    left = hands[event["winner"]]
    if event["by"] == "out" and top in ("10", "blank", *SPECIAL):
        yield f"out with {top}" if top in SPECIAL else f"out with a {top}"
    if event["by"] == "end":
        yield "a Special ends the round"
        if set(left) & set(SPECIAL):
            yield "the ender has a Special left"
    if event["by"] == "oni":
        yield "Onifuda ends the round" if left else "Onifuda as the last card"
    if any(sum(card in SPECIAL for card in hand) > 1 for hand in hands):
        yield "a hand with two Specials"


_LOOKS: list[Callable[[Sequence[Moment]], Iterator[str]]] = [
    _first_cards,
    _draws,
    _turns,
    _held,
    _endings,
]


def _offers(events: Sequence[Event]) -> Iterator[str]:
    """Turns in which one could play, and might draw."""
    for before, event in pairwise(events):
        drawn = before["name"] == "draw" and before["turn"] == event.get("turn")
        if event["name"] == "play" and not drawn:
            if event["chosen"] == "draw":
                yield "drawn though able to play"
            if "draw" not in event["legal"]:
                yield "nothing to draw though allowed"


def _result(events: Sequence[Event]) -> Iterator[str]:
    """How the game ended."""
    result = events[-1]
    named = {
        "shared": "a shared victory",
        "rounds": "a tie decided by rounds",
        "random": "a tie decided by a toss",
        "guard": "broken off",
    }
    if result["by"] in named:
        yield named[result["by"]]
    rounds = [event["winner"] for event in events if event["name"] == "round"]
    if len(rounds) == 1 and result["by"] != "guard":
        yield "the first round decides"
    if set(result["winners"]) - set(rounds):
        yield "the winner never won a round"

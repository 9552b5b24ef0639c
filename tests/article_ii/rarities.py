"""What happens rarely in Article II, and must be seen by the tests all the same."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from sim.transcript import Event
from tests.article_ii.referee import STYLES

RARE = {
    "a reaction",
    "a reaction declined",
    "a reaction with a Style",
    "a reaction after which nothing can be drawn",
    "a reaction to a second card",
    "a reaction that makes an Insider, who is then asked",
    "a Great Debater replaced by the card played on him",
    "a Great Debater without a card to react with",
    "a second card",
    "a second card declined",
    "a second card of one made an Insider by the first",
    "a draw of one who is no Insider any more",
    "Teflon removes a mark",
    "Teflon removes itself",
    "Teflon declines",
    "a Style replaced",
    "an Outsider bound to himself",
    "an Outsider lowered by another",
    "Voter ADHD where nothing lies",
    "Voter ADHD removes a Style",
    "a deck reshuffled before a deal",
    "a deck reshuffled within a turn",
    "a deal that leaves seats short",
    "a seat passed over",
    "a tie for one place",
    "a tie for two places",
    "a guard in the Primary",
    "a guard in the General",
    "a Highlander competes",
    "a Highlander becomes President",
    "a Highlander left over where nobody is positive",
    "a Necromancer among three",
    "a Necromancer who wins",
    "a Mudslinger who lowers",
    "a Mudslinger who raises",
    "a Third-Party Candidate beside a Mudslinger",
    "a Partisan under a Greater Evil",
    "an Insider with an odd sum below zero",
    "President by total",
    "President by electability",
    "President by shared",
    "President by spoiler",
    "President by spoiler-shared",
    "President by none",
    "President by a total not above zero",
}
"""What the games of the tests must show, each at least once."""


def rare(events: Sequence[Event]) -> Iterator[str]:
    """Which of the rare things happened in one game; nothing with other Styles."""
    rows = events[0]["rules"].get("styles", [])
    if any(tuple(row["effects"]) != STYLES.get(row["id"]) for row in rows):
        return
    told = Styles(events)
    for n, event in enumerate(events):
        told.see(event)
        for look in _LOOKS:
            yield from look(events, n, told)


CAUSES = ("play", "second", "react")
"""The choices by which cards leave hands."""


def moment(event: Event) -> tuple[object, object]:
    """Phase and turn."""
    return event.get("phase"), event.get("turn")


class Styles:
    """The Styles on the table, and who plays, as a transcript tells them so far."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.cards: Mapping[str, Mapping[str, object]] = events[0]["rules"]["cards"]
        self.players: int = events[0]["players"]
        self.carry: bool = events[0]["rules"].get("carry_over", True)
        self.clear()
        self.actor = -1
        self.turn: list[Event] = []

    def clear(self) -> None:
        """Nothing lies on anybody."""
        self.now: list[str | None] = [None] * self.players
        self.before = list(self.now)
        self.raw = [0] * self.players

    def see(self, event: Event) -> None:
        """Move on to this event; `before` is how things were when a card was chosen."""
        name = event["name"]
        if name == "start" and not self.carry:
            self.clear()
        if "turn" in event:
            same = [old for old in self.turn if moment(old) == moment(event)]
            self.turn = [*same, event]
        if name in CAUSES:
            self.before = list(self.now)
            self.actor = event["seat"]
        if name in ("placed", "removed"):
            self.raw[event["seat"]] = event["electability"]
            if self.is_style(event["card"]):
                self.now[event["seat"]] = event["card"] if name == "placed" else None

    def cause(self) -> Event:
        """The choice of the card that was played last."""
        return [event for event in self.turn if event["name"] in CAUSES][-1]

    def is_style(self, card: str) -> bool:
        return card in self.cards and self.cards[card]["kind"] == "style"


def _reactions(events: Sequence[Event], n: int, told: Styles) -> Iterator[str]:
    event = events[n]
    if event["name"] == "react":
        yield "a reaction declined" if event["chosen"] == "none" else "a reaction"
        if told.is_style(event["chosen"]):
            yield "a reaction with a Style"
        if any(e["name"] == "second" for e in told.turn):
            yield "a reaction to a second card"
    elif event["name"] == "placed":
        names = [e["name"] for e in events[n + 1 :] if moment(e) == moment(event)]
        yield from _reacted(event, names, told)


def _reacted(event: Event, names: Sequence[str], told: Styles) -> Iterator[str]:
    """What a card does that comes to lie; the names of what follows in the turn."""
    if told.cause()["name"] == "react":
        if "draw" not in names[:1]:
            yield "a reaction after which nothing can be drawn"
        if event["card"] == "insider-candidate" and "second" in names[:2]:
            yield "a reaction that makes an Insider, who is then asked"
    elif told.actor != event["seat"] and told.before[event["seat"]] == "great-debater":
        if told.now[event["seat"]] != "great-debater":
            yield "a Great Debater replaced by the card played on him"
        elif names[:1] != ["react"]:
            yield "a Great Debater without a card to react with"


def _insiders(events: Sequence[Event], n: int, told: Styles) -> Iterator[str]:
    event = events[n]
    if event["name"] == "second":
        yield "a second card declined" if event["chosen"] == "none" else "a second card"
        first = next(e for e in told.turn if e["name"] == "play")
        if first["chosen"] == "insider-candidate":
            yield "a second card of one made an Insider by the first"
    if event["name"] == "draw" and told.cause()["name"] == "second":
        own = event["seat"] == told.actor
        kind = told.cards.get(told.cause()["chosen"], {}).get("kind")
        if own and kind != "draw" and told.now[told.actor] != "insider-candidate":
            yield "a draw of one who is no Insider any more"


def _cards(events: Sequence[Event], n: int, told: Styles) -> Iterator[str]:
    event = events[n]
    before = events[n - 1]["name"]
    if event["name"] == "teflon":
        kinds = {"none": "declines", "teflon-wonder": "removes itself"}
        yield f"Teflon {kinds.get(event['chosen'], 'removes a mark')}"
    if event["name"] == "removed" and before in ("target", "react"):
        yield "a Style replaced"
    if before == "remove" and told.is_style(event["card"]):
        yield "Voter ADHD removes a Style"
    if event["name"] == "target" and len(event["legal"]) == 1:
        yield "an Outsider bound to himself"
    if event["name"] == "placed" and told.now[event["seat"]] == "outsider-candidate":
        lowers = int(str(told.cards[event["card"]].get("affiliation", 0))) < 0
        if lowers and told.actor != event["seat"]:
            yield "an Outsider lowered by another"
    if event["name"] in ("play", "second") and event["chosen"] != "none":
        remove = told.cards[event["chosen"]]["kind"] == "remove"
        if remove and events[n + 1]["name"] != "remove-from":
            yield "Voter ADHD where nothing lies"


def _decks(events: Sequence[Event], n: int, told: Styles) -> Iterator[str]:
    event = events[n]
    if event["name"] == "reshuffle":
        dealt = events[n + 1]["name"] == "deal"
        yield f"a deck reshuffled {'before a deal' if dealt else 'within a turn'}"
    if event["name"] == "deal" and len({*map(len, event["hands"])}) > 1:
        yield "a deal that leaves seats short"
    if event["name"] == "play":
        earlier = [e for e in events[:n] if e["name"] == "play"][-1:]
        same = earlier and earlier[0]["phase"] == event["phase"]
        if same and (earlier[0]["seat"] + 1) % told.players != event["seat"]:
            yield "a seat passed over"


def _ends(events: Sequence[Event], n: int, told: Styles) -> Iterator[str]:
    event = events[n]
    if event["name"] == "tie":
        yield f"a tie for {('one place', 'two places')[len(event['chosen']) - 1]}"
    if event["name"] in ("primary", "general"):
        yield from _sums(event, told)
    if event["type"] == "result":
        if event["by"] == "guard":
            yield f"a guard in the {'General' if event['candidates'] else 'Primary'}"
        else:
            yield f"President by {event['by']}"
            yield from _contest(events[n - 1], event, told)


def _sums(event: Event, told: Styles) -> Iterator[str]:
    """What Styles do to the sums at the end of a phase."""
    for seat, style in enumerate(told.now):
        if style == "mudslinger" and event["affiliation"][seat]:
            lowers = event["affiliation"][seat] > 0
            yield f"a Mudslinger who {'lowers' if lowers else 'raises'}"
            if "third-party-candidate" in told.now:
                yield "a Third-Party Candidate beside a Mudslinger"
        if style == "screaming-partisan" and "greater-evil" in told.now:
            yield "a Partisan under a Greater Evil"
        if style == "insider-candidate" and told.raw[seat] < 0 and told.raw[seat] % 2:
            yield "an Insider with an odd sum below zero"


def _contest(general: Event, result: Event, told: Styles) -> Iterator[str]:
    """Who competes in the General, and how he fares."""
    spoilers = set(range(told.players)) - set(result["candidates"])
    highlanders = {s for s in spoilers if told.now[s] == "highlander"}
    if highlanders:
        yield "a Highlander competes"
        if highlanders & set(result["winners"]) and result["by"] == "total":
            yield "a Highlander becomes President"
        if result["by"] in ("spoiler", "spoiler-shared", "none"):
            yield "a Highlander left over where nobody is positive"
    for seat in general["contenders"]:
        if told.now[seat] == "necromancer":
            if len(general["contenders"]) > 2:
                yield "a Necromancer among three"
            if result["winner"] == seat:
                yield "a Necromancer who wins"
    best = max(total for total in general["totals"] if total is not None)
    if result["by"] in ("total", "electability", "shared") and best <= 0:
        yield "President by a total not above zero"


_LOOKS: list[Callable[[Sequence[Event], int, Styles], Iterator[str]]] = [
    _reactions,
    _insiders,
    _cards,
    _decks,
    _ends,
]

"""What happens rarely in Socialism, and must be seen by the tests all the same."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from sim.transcript import Event
from tests.games.event_lines import of
from tests.socialism.referee import ACTIONS, STAYS

VIAS = ("auto", "spam", "personal", "stellar-status", "viral-post", "omg-cat-pic")
VIAS += ("ipo", "industrial-espionage")

RARE = {
    *(f"won by {via}" for via in VIAS),
    *(f"flattery:{name} stays" for name in STAYS),
    *(f"{name} dropped" for name in STAYS),
    *(f"Sloan to the hand by {how}" for how in ("block", "a-s-l", "lost-password")),
    "won in another's turn",
    "broken off",
    "a reshuffle",
    "nothing to draw",
    "nothing to play",
    "no card played",
    "the first User again",
    "a User without an empty cell around",
    "Sloan discarded",
    "two Users of a card leave",
    "a token leaves Becca",
    "a Sherman Act against a User",
    "a Sherman Act against an Action",
    "a second Sherman Act",
    "a Viral Post has nowhere to go",
    "a Viral Post goes with its User",
    "a Viral Post on a User of another network",
    "two Viral Posts in a turn",
    "a Flattery of nothing",
    "a Flattery stays without its original",
    "an Action without a Member",
    "an SMTP Block List before oneself",
    "Industrial Espionage is blocked",
    "nobody rolls for an IPO",
    "asked twice by an OMG CAT PIC",
    "accepted on a 1",
    "a 5 is not enough",
    "accepted on a 3",
    "accepted without a die",
    "more than three invited",
    "three invited",
    "stopped",
    "invited at a distance",
    "both of a card in a network",
    "two invitations in a turn",
    "an Action to discard before two seats",
}
"""What the games of the tests must show, each at least once."""


def rare(events: Sequence[Event]) -> Iterator[str]:
    """Which of the rare things happened in one game."""
    events = json.loads(json.dumps(events))  # places are lists, as they are written
    told = [event for event in events if "turn" in event]
    for _, turn in groupby(told, key=lambda event: event["turn"]):
        found = [*turn]
        yield from _cards(found)
        yield from _actions(found)
        yield from _posts(found)
        yield from _invitations(found)
        yield from _dice(found)
        yield from _tokens(found)
    yield from _course(told)
    yield from _result(events)


def _played(turn: Sequence[Event]) -> str:
    """The card played and not cancelled, if any."""
    cards = [event["chosen"] for event in of(turn, "play")]
    stopped = [e for e in of(turn, "sherman") if e["chosen"] == "cancel"]
    return "" if stopped or not cards else str(cards[0])


def _cards(turn: Sequence[Event]) -> Iterator[str]:
    """Drawing, playing, cancelling."""
    if of(turn, "reshuffle"):
        yield "a reshuffle"
    if not of(turn, "draw"):
        yield "nothing to draw"
    if not of(turn, "play"):
        yield "nothing to play"
    if _played(turn) == "none":
        yield "no card played"
    asked = of(turn, "sherman")
    if len(asked) > 1:
        yield "a second Sherman Act"
    for event in asked:
        if event["chosen"] == "cancel":
            users = event["card"] not in ACTIONS
            yield f"a Sherman Act against {'a User' if users else 'an Action'}"


def _actions(turn: Sequence[Event]) -> Iterator[str]:
    """What became of the card played."""
    card, names = _played(turn), [event["name"] for event in turn]
    stays = [event["card"] for event in of(turn, "stays")]
    yield from (f"{name} stays" for name in stays if name.startswith("flattery:"))
    lacks = {
        "flattery": ("copy", "a Flattery of nothing"),
        "stellar-status": ("member", "an Action without a Member"),
        "industrial-espionage": ("network", "Industrial Espionage is blocked"),
    }
    if card in lacks and lacks[card][0] not in names:
        yield lacks[card][1]
    if "ipo" in stays and "roll" not in names[: names.index("stays")]:
        yield "nobody rolls for an IPO"
    asked = [str(e["target"]) for e in of(turn, "roll") if "omg" in e["via"]]
    if len(asked) > len(set(asked)):
        yield "asked twice by an OMG CAT PIC"
    if any(event["chosen"] == event["seat"] for event in of(turn, "front")):
        yield "an SMTP Block List before oneself"
    for event in of(turn, "manage"):
        options = [name for _, name in event["legal"]]
        if len(options) > len(set(options)):
            yield "an Action to discard before two seats"


def _posts(turn: Sequence[Event]) -> Iterator[str]:
    """Viral Posts that move, and Actions that leave play."""
    if len(of(turn, "viral")) > 1:
        yield "two Viral Posts in a turn"
    managed = bool(of(turn, "manage"))
    for before, event in pairwise([{"name": ""}, *turn]):
        if event["name"] != "dropped":
            continue
        if managed and event["card"] in STAYS:
            yield f"{event['card']} dropped"
        if before["name"] == "gone":
            yield "a Viral Post goes with its User"
        elif not managed and before["name"] in ("", "joins"):
            yield "a Viral Post has nowhere to go"


def _invitations(turn: Sequence[Event]) -> Iterator[str]:
    """Who was invited."""
    if len(of(turn, "invite")) > 1:
        yield "two invitations in a turn"
    named = [event["chosen"] for event in of(turn, "invited")]
    if "stop" in named:
        yield "stopped"
    elif len(named) > 2:
        yield "three invited" if len(named) == 3 else "more than three invited"
    rolled = {str(event["target"]) for event in of(turn, "roll")}
    for event in of(turn, "joins"):
        if event["via"] in ("spam", "personal") and str(event["user"]) not in rolled:
            yield "accepted without a die"


def _dice(turn: Sequence[Event]) -> Iterator[str]:
    """What came of the dice."""
    for event, after in pairwise([*turn, {"name": ""}]):
        if event["name"] != "roll":
            continue
        joined = after["name"] == "joins"
        if joined and event["die"] in (1, 3):
            yield f"accepted on a {event['die']}"
        if event["via"] == "personal":
            if event["die"] == 5 and not joined:
                yield "a 5 is not enough"
            off = zip(event["inviter"][:2], event["target"][:2], strict=True)
            if max(abs(one - other) for one, other in off) > 1:
                yield "invited at a distance"


def _tokens(turn: Sequence[Event]) -> Iterator[str]:
    """Tokens and Users that leave."""
    card = _played(turn)
    names = [event["name"] for event in turn]
    if "joins leaves" in " ".join(names):
        yield "a token leaves Becca"
    for event in of(turn, "gone"):
        blocked = card not in ("a-s-l", "lost-password") or "victim" in names
        if event["to"] == "hand":
            yield f"Sloan to the hand by {'block' if blocked else card}"
        elif event["card"] == "sloan":
            yield "Sloan discarded"
    sides = {event["user"][2] for event in of(turn, "leaves") if event["user"][2:]}
    if card == "lost-password" and len(sides) == 2:
        yield "two Users of a card leave"


def _course(told: Sequence[Event]) -> Iterator[str]:
    """What shows over many turns."""
    tokens: dict[str, set[int]] = {}
    for event in told:
        if event["name"] == "joins":
            tokens.setdefault(str(event["user"]), set()).add(event["seat"])
            other = str([*event["user"][:2], "B" if "A" in event["user"] else "A"])
            if event["user"][2:] and event["seat"] in tokens.get(other, ()):
                yield "both of a card in a network"
        elif event["name"] == "leaves":
            tokens[str(event["user"])].discard(event["seat"])
        elif event["name"] == "viral" and tokens.get(str(event["chosen"])):
            yield "a Viral Post on a User of another network"
    if sum(event["legal"] == [[0, 0]] for event in of(told, "cell")) > 1:
        yield "the first User again"
    yield from _crowded(told)
    yield from _front(told)


def _front(told: Sequence[Event]) -> Iterator[str]:
    """A Flattery in play for longer than what it copies."""
    front: list[tuple[int, str]] = []
    for event in told:
        if event["name"] == "stays":
            front.append((event["seat"], event["card"]))
        elif event["name"] == "dropped":
            front.remove((event["seat"], event["card"]))
        kinds = [card for _, card in front]
        for card in kinds:
            if card.startswith("flattery:") and card.split(":")[1] not in kinds:
                yield "a Flattery stays without its original"


def _crowded(told: Sequence[Event]) -> Iterator[str]:
    """Where a User may not be played beside each User on the board."""
    board = 0
    for event in told:
        if event["name"] == "beside" and len(event["legal"]) < board:
            yield "a User without an empty cell around"
        board += (event["name"] == "cell") - (event["name"] == "gone")


def _result(events: Sequence[Event]) -> Iterator[str]:
    """How the game ended."""
    result = events[-1]
    if result["by"] == "guard":
        yield "broken off"
        return
    last = of(events, "joins")[-1]
    yield f"won by {last['via']}"
    drawn = of(events, "draw")
    if not drawn or drawn[-1]["turn"] < last["turn"]:
        seats = events[0]["players"]
        active = (events[1]["seat"] + last["turn"] - 1) % seats
        if active != last["seat"]:
            yield "won in another's turn"

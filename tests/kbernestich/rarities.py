"""What happens rarely in Kbernestich, and must be seen by the tests all the same."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from sim.transcript import Event
from tests.kbernestich.referee import hunch_made

RARE = {
    "a review",
    "a review that keeps a card",
    "a card face down",
    "a card face down as the lead",
    "a card face down while the suit is held",
    "the leader observes",
    "the last player observes",
    "observed twice in a round",
    "a bust",
    "exactly the bust value",
    "Grace pays",
    "Grace pays nothing",
    "a misery bonus",
    "Pessimism saves a bid",
    "Optimism saves a bid",
    "a tie decided by the stack",
    "a shared victory",
    "a tie for lowest",
    "no cube left to plot with",
    "a turn that places nothing",
    "a square of letters used twice",
    "the same bid by two players",
    "a claim",
    "a claim declined",
    "a claimed colour is set",
    "a claimed colour is never set",
    "fewer cubes than before",
}
"""What the games of the tests must show, each at least once."""


def rare(events: Sequence[Event]) -> Iterator[str]:
    """Which of the rare things happened in one game."""
    for look in _LOOKS:
        yield from look(events)


def _plays(events: Sequence[Event]) -> Iterator[str]:
    """Actions in tricks."""
    table: list[str] = []
    order: list[int] = []
    observed: list[int] = []
    for event in events:
        if event["name"] == "deal":
            observed = []
        elif event["name"] == "trick":
            table, order = [], []
        elif event["name"] == "play":
            seat, chosen = event["seat"], event["chosen"]
            if chosen == "observe":
                if not order:
                    yield "the leader observes"
                if len(set(order) | {seat}) == events[0]["players"]:
                    yield "the last player observes"
                if seat in observed:
                    yield "observed twice in a round"
                observed.append(seat)
            else:
                yield from _face_down(event, table)
                table.append(chosen)
            order.append(seat)


def _face_down(event: Event, table: Sequence[str]) -> Iterator[str]:
    if not event["chosen"].startswith("down-"):
        return
    yield "a card face down"
    lead = next((card[0] for card in table if not card.startswith("down-")), None)
    if lead is None:
        yield "a card face down as the lead"
    elif any(card[0] == lead for card in event["legal"]):
        yield "a card face down while the suit is held"


def _plots(events: Sequence[Event]) -> Iterator[str]:
    """What is done with cubes, apart from claims."""
    placed: list[tuple[int, str]] = []
    for before, event in zip([{}, *events], events, strict=False):
        if event["name"] == "deal":
            placed = []
        elif event["name"] == "plot":
            if event["chosen"] != "pass":
                yield from _again(events[0], event, placed)
                placed.append((event["seat"], event["chosen"]))
            elif (before["name"], before.get("seat")) != ("plot", event["seat"]):
                yield "a turn that places nothing"
        elif event["name"] == "review":
            yield "a review"
            if set(event["taken"]) - set(event["chosen"]):
                yield "a review that keeps a card"


def _again(
    setup: Event, event: Event, placed: Sequence[tuple[int, str]]
) -> Iterator[str]:
    """A cube on a square like those that have cubes."""
    chosen = event["chosen"]
    same = [seat for seat, square in placed if square == chosen]
    if chosen.startswith("hunch-") and set(same) - {event["seat"]}:
        yield "the same bid by two players"
    if chosen.startswith("to-"):
        squares = setup["rules"]["marie_to"].count(int(chosen[3:]))
        if len(same) >= squares:
            yield "a square of letters used twice"


def _cubes(events: Sequence[Event]) -> Iterator[str]:
    """Cubes in hand."""
    players, rules = events[0]["players"], events[0]["rules"]
    cubes, asked, claimed = [rules["cubes"]] * players, set[int](), set[str]()
    for event in events:
        if event["name"] in ("claim", "plot"):
            moved = event["chosen"][5:6] in claimed
            cubes[event["seat"]] -= event["chosen"] != "pass" and not moved
            if event["name"] == "claim":
                claimed.add(event["chosen"])
            else:
                asked.add(event["seat"])
        elif event["name"] == "trick":
            plots = event["trick"] <= rules["plot_before_tricks"]
            if plots and any(not cubes[s] for s in set(range(players)) - asked):
                yield "no cube left to plot with"
            asked = set()
        elif event["name"] == "cubes":
            cubes, claimed = list(event["cubes"]), set()
            if min(cubes) < rules["cubes"]:
                yield "fewer cubes than before"


def _claims(events: Sequence[Event]) -> Iterator[str]:
    """Claims, and what becomes of them."""
    claimed: set[str] = set()
    for event in events:
        chosen = event.get("chosen")
        if event["name"] == "claim":
            yield "a claim declined" if chosen == "pass" else "a claim"
            claimed |= {chosen} - {"pass"}
        elif event["name"] == "plot" and chosen[5:6] in claimed:
            claimed.remove(chosen[5:6])
            yield "a claimed colour is set"
        elif event["name"] == "score" and claimed:
            yield "a claimed colour is never set"
            claimed = set()


def _scores(events: Sequence[Event]) -> Iterator[str]:
    """The ends of rounds."""
    squares, tricks = defaultdict[int, set[str]](set), Counter[int]()
    bust = default = events[0]["rules"]["bust_default"]
    for event in events:
        if event["name"] == "deal":
            bust = default
            squares.clear()
            tricks.clear()
        elif event["name"] == "plot":
            squares[event["seat"]].add(event["chosen"])
            if event["chosen"].startswith("bust-"):
                bust = int(event["chosen"][5:])
        elif event["name"] == "trick":
            tricks[event["winner"]] += 1
        elif event["name"] == "score":
            seat = event["seat"]
            yield from _letter(event, bust, grace="grace" in squares[seat])
            yield from _bid(event, squares[seat], tricks[seat])


def _ties(events: Sequence[Event]) -> Iterator[str]:
    """Equal scores, at the end of a round or of the game."""
    scores: dict[int, int] = {}
    for event in events:
        if event["name"] == "score":
            scores[event["seat"]] = event["score"]
        elif event["name"] == "cubes":
            if list(scores.values()).count(min(scores.values())) > 1:
                yield "a tie for lowest"
        elif event["type"] == "result" and event["winner"] is None:
            yield "a shared victory"
        elif event["type"] == "result" and event["by"] == "stack":
            yield "a tie decided by the stack"


def _letter(event: Event, bust: int, *, grace: bool) -> Iterator[str]:
    if grace:
        yield "Grace pays" if event["from"] else "Grace pays nothing"
    elif event["base"] > bust:
        yield "a bust"
    elif event["base"] == bust:
        yield "exactly the bust value"


def _bid(event: Event, squares: set[str], tricks: int) -> Iterator[str]:
    bid = next((square[6:] for square in squares if square[:6] == "hunch-"), None)
    if event["misery"]:
        yield "a misery bonus"
    if bid is None or hunch_made(bid, tricks, None):
        return
    for action in ("pessimism", "optimism"):
        if action in squares and hunch_made(bid, tricks, action):
            yield f"{action.capitalize()} saves a bid"


_LOOKS: list[Callable[[Sequence[Event]], Iterator[str]]] = [
    _plays,
    _plots,
    _cubes,
    _claims,
    _scores,
    _ties,
]

"""What happens rarely in Kunitame, and must be seen by the tests all the same."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from sim.transcript import Event
from tests.kunitame.referee import OPTIONS, rank_squares

RARE = {
    "a contract cancelled",
    "the Devil deck empty to the last card",
    "no square vacant",
    "somebody eliminated",
    "all eliminated, nobody wins",
    "all eliminated, points decide",
    "a tie by points, decided by lives",
    "a tie decided by draw",
    "a draw of three",
    "a trick of Devils and Priests only",
    "a trick of Priests only",
    "a Priest beats a Devil",
    "a Devil beats the lead suit",
    "a Devil or Priest played off suit though suit was held",
    "three points won by a trick",
    "three points returned",
    "a choice of two black squares",
    "black first takes one of two",
    "a No Tricks square holds a gem",
    "a No Tricks square is claimed",
    "a claim declined",
    "a bonus declined",
    "a zero-trick player returns",
    "a zero-trick player has a bonus",
    "a zero-trick player is left alone",
    "nothing to win, and nothing due while the board has gems",
    "a contract of no tricks kept",
    "more Life gems than before",
    "points paid for a contract",
    "ranks that differ between players and distinct counts",
    "a rank square won",
    "a square wins with its conditions together",
}
"""What the games of the tests must show, each at least once."""


def rare(events: Sequence[Event]) -> Iterator[str]:  # noqa: C901, PLR0912, PLR0915
    """Which of the rare things happened in one game."""
    rules, players = events[0]["rules"], events[0]["players"]
    squares = {square["id"]: square for square in rules["squares"]}
    points, devils, tricks = [0] * players, 0, [0] * players
    lives = [rules["life"]] * players
    cards: list[str] = []
    for before, event, after in zip(
        [{}, *events], events, [*events[1:], {}], strict=False
    ):
        name, seat = event["name"], event.get("seat")
        if name == "deal":
            devils, tricks = 0, [0] * players
        elif name == "devil":
            devils += 1
            if devils == rules["devil_ranks"] and after["name"] != "cancel":
                yield "the Devil deck empty to the last card"
        elif name == "cancel":
            yield "a contract cancelled"
        elif name == "play":
            cards = [*cards, event["chosen"]]
            lead = next((c[0] for c in cards if c[0] not in "DP"), None)
            suit = any(card[0] == lead for card in event["legal"])
            if suit and event["chosen"][0] in "DP" and len(cards) > 1:
                yield "a Devil or Priest played off suit though suit was held"
        elif name == "trick":
            kinds = {card[0] for card in cards}
            if kinds <= {"D", "P"}:
                yield "a trick of Devils and Priests only"
            if kinds == {"P"}:
                yield "a trick of Priests only"
            if event["card"] == "P" and "D" in kinds:
                yield "a Priest beats a Devil"
            if event["card"][0] == "D" and kinds - {"D", "P"}:
                yield "a Devil beats the lead suit"
            cards = []
            tricks[event["winner"]] += 1
            quiet = after["name"] not in ("claim", "return")
            if quiet and points[event["winner"]]:
                if rules["return_trigger"] == "player":
                    yield "no square vacant"
                else:
                    yield "nothing to win, and nothing due while the board has gems"
        elif name == "claim":
            if event["chosen"] == "pass":
                yield "a claim declined"
        elif name == "bonus":
            if event["chosen"] == "pass":
                yield "a bonus declined"
            if not tricks[seat]:
                yield "a zero-trick player has a bonus"
        elif name == "return":
            legal = event["legal"]
            blacks = [s for s in legal if squares.get(s, {}).get("return_first")]
            if len(blacks) > 1 and len(blacks) == len(legal):
                yield "a choice of two black squares"
            if before["name"] not in ("trick", "claim") and not tricks[seat]:
                yield "a zero-trick player returns"
        elif name == "gem":
            points[seat] += event["value"]
            square = squares.get(event["square"])
            if square is None:
                win = "is claimed" if event["value"] > 0 else "holds a gem"
                yield f"a No Tricks square {win}"
                continue
            if event["value"] == 3 and square["when"] == "trick":
                yield "three points won by a trick"
            if event["value"] == -3:
                yield "three points returned"
            if event["value"] > 0 and square["when"] == "rank":
                yield "a rank square won"
            tests = {"num", "round", "suit", "parity"} & set(square)
            if event["value"] > 0 and len(tests) > 1:
                yield "a square wins with its conditions together"
        elif name == "contracts":
            if any(b > a for a, b in zip(lives, event["lives"], strict=True)):
                yield "more Life gems than before"
            lives = event["lives"]
            if 0 in lives:
                yield "somebody eliminated"
            for place in range(players):
                ways = [rank_squares(tricks, place, way) for way in OPTIONS["p7_rank"]]
                if ways[0] != ways[1] and rules["removed_pledge"] != "P7":
                    yield "ranks that differ between players and distinct counts"
        elif name == "week":
            if any(p > q for p, q in zip(event["points"], points, strict=True)):
                yield "points paid for a contract"
            points = list(event["points"])
        elif name == "kunitame" and "by" in event:
            if event["by"] == "none":
                yield "all eliminated, nobody wins"
            if not any(event["lives"]) and event["winner"] is not None:
                yield "all eliminated, points decide"
            if event["by"] == "lives":
                yield "a tie by points, decided by lives"
        elif name == "tie":
            yield "a tie decided by draw"
            if len(event["cards"]) > 2:
                yield "a draw of three"
    yield from _rare_by_week(events)


def _rare_by_week(events: Sequence[Event]) -> Iterator[str]:  # noqa: C901
    """What is seen by looking at a whole week."""
    rules = events[0]["rules"]
    firsts = [s["id"] for s in rules["squares"] if s["return_first"]]
    stakes: dict[int, Mapping[str, int]] = {}
    points = Counter[int]()
    vacant: set[str] = set()
    exempt: set[int] = set()
    for event in events:
        if event["name"] == "contract":
            stakes[event["seat"]] = event["chosen"]
        elif event["name"] == "deal" and rules["refill_weekly"]:
            vacant.clear()
        elif event["name"] == "contracts":
            for seat, count in enumerate(event["tricks"]):
                if count == 0 and "0" in stakes[seat]:
                    yield "a contract of no tricks kept"
            exempt = {s for s, n in enumerate(event["tricks"]) if n == 0 and points[s]}
        elif event["name"] in ("bonus", "return"):
            if event["name"] == "return" and rules["return_choice"] == "black-first":
                free = [square for square in firsts if square in vacant]
                if len(free) > 1 and event["legal"] == free[:1]:
                    yield "black first takes one of two"
            exempt.discard(event["seat"])
        elif event["name"] == "gem":
            points[event["seat"]] += event["value"]
            (vacant.add if event["value"] > 0 else vacant.discard)(event["square"])
        elif event["name"] == "week":
            alive = [seat for seat in exempt if event["lives"][seat]]
            if alive and rules["zero_trick_liquidation"] == "exempt":
                yield "a zero-trick player is left alone"

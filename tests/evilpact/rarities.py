"""What happens rarely in Evilpact, and must be seen by the tests all the same."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise, takewhile

from sim.transcript import Event
from tests.games.event_lines import of

SPELLS = ("cthugha", "cthulhu", "nyarlathotep", "eihort")  # of one's own turn

HOW = ("under contract", "without a target", "countered")
HOW += ("at the lower level", "at the upper level")
RARE = {
    *(f"{spell} {how}" for spell in SPELLS for how in HOW),
    "a cast before acquiring",
    "a cast after acquiring",
    "a counter at the lower level",
    "a counter at the upper level",
    "a counter under contract",
    "a counter declined",
    "a contract countered",
    "a contract cast with too little power",
    "the only card of a library excluded",
    "a second exclusion declined",
    "two cards excluded",
    "a sideways card excluded",
    "Cthulhu finds a single card at the upper level",
    "no flip at all",
    "flips stop early",
    "all flips that the level allows",
    "cards of both libraries flipped",
    "nothing left to flip",
    "one of several Insight 5 turned",
    "several Insight 5 turned",
    "an Insight card that triggers",
    "an Insight card that does not trigger",
    "an Insight 5 that triggers",
    "no hand left for a contract",
    "no contract, and fulfilled",
    "Hastur under contract",
    "a contract cast before, and not fulfilled",
    "a contract cast before, and not checked",
    "nobody has fulfilled it",
    "equal power fulfils it",
    "won by contract, with fewer elements",
    "won by contract",
    "won by elements",
    "won by hand",
    "a draw",
}
"""What the games of the tests must show, each at least once."""


def rare(events: Sequence[Event]) -> Iterator[str]:
    """Which of the rare things happened in one game."""
    turns = [event for event in events if "turn" in event]
    for _, turn in groupby(turns, key=lambda event: (event["round"], event["turn"])):
        moments = [*turn]
        for event in of(moments, "cast"):
            if event["chosen"] != "pass":
                yield f"a cast {event['when']} acquiring"
        yield from _taken(moments)
        for at, event in enumerate(moments):
            if event["name"] == "spell" and event["spell"] != "hastur":
                after = [*takewhile(_of_spell, moments[at + 1 :])]
                yield from _spell(events[0]["rules"], event, after)
    yield from _result(events)


def _of_spell(event: Event) -> bool:
    """Whether an event still belongs to a spell that was cast before."""
    return event["name"] not in ("acquire", "cast")


def _taken(moments: Sequence[Event]) -> Iterator[str]:
    """Cards acquired."""
    for event, after in pairwise([*moments, {"name": ""}]):
        if event["name"] != "acquire":
            continue
        card = event["chosen"]
        triggers = after["name"] == "sideways" and after["cards"] == [card]
        if "-i" in card:
            does = "triggers" if triggers else "does not trigger"
            yield f"an Insight card that {does}"
        if card.endswith("-i5") and triggers:
            yield "an Insight 5 that triggers"


def _spell(rules: Event, event: Event, after: Sequence[Event]) -> Iterator[str]:
    """A spell of one's own turn."""
    spell, upper = event["spell"], event["level"] == rules["thresholds"][1]
    by_contract = event["from"] == "contract"
    level = "upper" if upper else "lower"
    yield f"{spell} under contract" if by_contract else f"{spell} at the {level} level"
    if by_contract and event["power"] < rules["thresholds"][0]:
        yield "a contract cast with too little power"
    hastur = [one for one in after if one.get("spell") == "hastur"]
    if after and after[0]["name"] == "counter" and not hastur:
        yield "a counter declined"
        after = after[1:]
    if not hastur:
        if not after:
            yield f"{spell} without a target"
        yield from _EFFECTS[spell](event, after, upper)
        return
    yield f"{spell} countered"
    if by_contract:
        yield "a contract countered"
    answers = "upper" if hastur[0]["level"] == rules["thresholds"][1] else "lower"
    kept = hastur[0]["from"] == "contract"
    yield f"a counter {'under contract' if kept else f'at the {answers} level'}"


def _exclude(event: Event, after: Sequence[Event], upper: bool) -> Iterator[str]:
    chosen = [one["chosen"] for one in after]
    if chosen[1:] == ["pass"]:
        yield "a second exclusion declined"
    elif len(chosen) == 2:
        yield "two cards excluded"
    elif upper and chosen:
        yield "the only card of a library excluded"
    if any(card.endswith("+") for card in chosen):
        yield "a sideways card excluded"


def _lose(event: Event, after: Sequence[Event], upper: bool) -> Iterator[str]:
    if upper and after and len(after[0]["spells"]) == 1:
        yield "Cthulhu finds a single card at the upper level"


def _flip(event: Event, after: Sequence[Event], upper: bool) -> Iterator[str]:
    chosen = [one["chosen"] for one in after]
    cards = [card for card in chosen if card != "pass"]
    if chosen[-1:] == ["pass"]:
        yield "flips stop early" if cards else "no flip at all"
    elif len(cards) == (4 if upper else 2):
        yield "all flips that the level allows"
    elif cards:
        yield "nothing left to flip"
    if len({card[0] for card in cards}) == 2:
        yield "cards of both libraries flipped"


def _turn(event: Event, after: Sequence[Event], upper: bool) -> Iterator[str]:
    for key, what in (("legal", "one of several"), ("cards", "several")):
        if after and len(after[0].get(key, ())) > 1:
            yield f"{what} Insight 5 turned"


_EFFECTS: dict[str, Callable[[Event, Sequence[Event], bool], Iterator[str]]] = dict(
    zip(SPELLS, (_exclude, _lose, _flip, _turn), strict=True)
)


def _result(events: Sequence[Event]) -> Iterator[str]:
    """How the game ended, and what became of the contracts."""
    rules, result = events[0]["rules"], events[-1]
    by, kept = result["by"], result["fulfilled"]
    yield "a draw" if by == "draw" else f"won by {by}"
    own, other = result["winner"] or 0, 1 - (result["winner"] or 0)
    if by == "contract" and result["elements"][own] < result["elements"][other]:
        yield "won by contract, with fewer elements"
    if not any(kept):
        yield "nobody has fulfilled it"
    made = {event["seat"]: event["chosen"] for event in of(events, "contract")}
    used = {e["seat"] for e in events if e.get("from") == "contract"}
    last = of(events, "round")[-1]["power"]
    for seat in (0, 1):
        if seat not in made:
            if rules["contract_after_round"] <= rules["rounds"]:
                yield "no hand left for a contract"
            if kept[seat]:
                yield "no contract, and fulfilled"
            continue
        if made[seat] == "hastur":
            yield "Hastur under contract"
        at = rules["elements"].index(rules["spell_element"][made[seat]])
        margin = last[seat][at] - last[1 - seat][at]
        if margin == 0:
            yield "equal power fulfils it"
        if margin < 0 and seat in used:
            held = "checked" if kept[seat] else "fulfilled"
            yield f"a contract cast before, and not {held}"

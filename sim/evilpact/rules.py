"""The parameters of Evilpact, each with its range, default and source.

Sources: "text" is the English manual, with the paragraph; "Q" are the designer's
answers; E1 to E11 are the readings of what both leave open.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, Self

from sim.evilpact.tables import LEVELS, CounterList, SpellElement, printed_value
from sim.packed_bytes import MOST
from sim.parameters import Rules, no_such, one_of, parameter

_ICONS = "one icon a card: so the most power of an element is 7 to 10, as in Tips"


MOST_ELEMENTS = 8  # their powers share 64 bits, a byte each
MOST_CARDS = 63  # a set of cards, and the option to pass, fit in 64 bits
MOST_INSIGHT = 12  # the last possible round
MOST_ICONS = 9
_MARKS = ("/", ":", "+", "-i")  # signs that names of cards are made with


def _icons(key: str, card: str, where: str, **more: Any) -> Any:
    """Declare the power of a card, which is assumed."""
    usual: Any = {"unit": "icons", "assumed": _ICONS, "ge": 0, "le": MOST_ICONS}
    source, doc = f"text, {where}", f"power of {card}"
    return parameter(printed_value(key), doc, source=source, **{**usual, **more})


class Evilpact(Rules):
    """The rules of Evilpact."""

    rounds: int = parameter(
        8, "rounds in a game", unit="rounds", source="text, 5", ge=1, le=12
    )
    contract_after_round: int = parameter(
        4,
        "the round after which contracts are made; with a higher number than there "
        "are rounds, none are",
        unit="round",
        source="text, 5",
        ge=1,
        le=12,
    )
    market: int = parameter(
        5,
        "cards in the Explore Area each round: four are taken in turn, one more in "
        "turn 4, and what is left leaves the game",
        unit="cards",
        source="text, 5-1",
        ge=4,
        le=8,
    )
    elements: tuple[str, ...] = parameter(
        printed_value("elements"),
        "the elements",
        source="text, Spell Cards",
        assumed="the fifth colour is called yellow; the text names the other four",
    )
    normal_per_element: int = parameter(
        printed_value("normal_per_element"),
        "normal cards of each element",
        unit="cards",
        source="text, 3",
        ge=0,
        le=20,
    )
    insight_per_element: tuple[int, ...] = parameter(
        printed_value("insight_per_element"),
        "the X of the Insight (X) cards of each element, one card each",
        items=("Insight card no. {} of each element", "X"),
        source="text, 3",
    )
    turbidity: tuple[tuple[str, ...], ...] = parameter(
        printed_value("turbidity"),
        "the two elements of each Turbidity card",
        items=("Turbidity card no. {}", "elements"),
        source="text, 5-4 (a picture)",
        assumed="a ring: each element on two cards",
    )
    power_normal: int = _icons("power_normal", "a normal card", "3 (a picture)")
    power_insight_upright: int = _icons(
        "power_insight_upright", "an Insight card", "5-4 (a picture)"
    )
    power_insight_sideways: int = _icons(
        "power_insight_sideways",
        "an Insight card lying sideways",
        "Eihort",
        assumed="Insight turns a card sideways, as Eihort does",
        le=2 * MOST_ICONS,
    )
    insight_bonus: int | None = parameter(
        None,
        "how much more power an Insight card has sideways; if given, it is used "
        "in place of power_insight_sideways",
        unit="icons",
        source="text, 5-4",
        ge=0,
        le=9,
    )
    power_turbidity: int | tuple[int, ...] = _icons(
        "power_turbidity",
        "a Turbidity card: one number for all of them, or one for each",
        "3 (a picture)",
        ge=None,
        le=None,
    )
    insight_basis: Literal["turn", "pick_order", "round"] = parameter(
        "turn",
        "the number that Insight (X) compares with X: the turn of the round, "
        "the cards taken in the round, or the round",
        source="text, 5-4",
        assumed="'the number of Turn this card was acquired in that Round'",
    )
    thresholds: tuple[int, ...] = parameter(
        printed_value("thresholds"),
        "power that a spell needs, for its lower and for its upper level",
        unit="power",
        items=("Level {} of spells", "power needed"),
        source="text, Spell Cards",
    )
    spell_element: SpellElement = parameter(
        printed_value("spell_element"),
        "the element of each spell",
        source="text, 5-3",
        assumed="from the myths; Hastur's is the colour that it does not counter",
    )
    counter_list: CounterList = parameter(
        printed_value("counter_list"),
        "the elements of the spells that Hastur counters, at "
        "the lower and at the upper level",
        source="text, Hastur",
    )
    contract_shifts_start: bool = parameter(
        False,
        "the phase of the contracts counts as a round: so the starting player "
        "changes once more",
        source="text, 5-1; E1",
    )
    no_contract: Literal["fail", "ignore"] = parameter(
        "fail",
        "a contract that was never made, for want of cards in hand, counts as "
        "not fulfilled, or as fulfilled",
        source="E2",
    )
    used_contract_checked: bool = parameter(
        True, "a contract that was cast has to be fulfilled too", source="E3"
    )
    contract_hastur: bool = parameter(
        True, "Hastur may be cast under contract", source="E4"
    )
    counter_contract: bool = parameter(
        True, "Hastur may counter a spell that is cast under contract", source="E4"
    )
    sealed_known_to_owner: bool = parameter(
        True,
        "a strategy is shown which of its own spells is sealed; it can tell "
        "anyway, for it is the one that it does not hold",
        source="E8",
    )

    @property
    def sideways(self) -> int:
        """The power of an Insight card lying sideways."""
        if self.insight_bonus is None:
            return self.power_insight_sideways
        return self.power_insight_upright + self.insight_bonus

    @property
    def turbidity_icons(self) -> tuple[int, ...]:
        """The power of each Turbidity card."""
        icons = self.power_turbidity
        return (icons,) * len(self.turbidity) if isinstance(icons, int) else icons

    @property
    def countered(self) -> tuple[tuple[str, ...], ...]:
        """The elements of the spells that Hastur counters, by level."""
        return tuple(getattr(self.counter_list, level) for level in LEVELS)

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """These rules with these changes; raises ``RuleError``.

        The lists of Hastur may be keyed by any two numbers, the lower level first.
        """
        lists = changes.get("counter_list")
        numbered = isinstance(lists, dict) and all(str(k).isdecimal() for k in lists)
        if lists and numbered and len(lists) == len(LEVELS):
            in_order = [lists[key] for key in sorted(lists, key=int)]
            named = dict(zip(LEVELS, in_order, strict=True))
            changes = {**changes, "counter_list": named}
        return super().changed(changes)

    def plain_with(self, players: int) -> dict[str, Any]:
        """Every rule value in force, as JSON knows it."""
        return self.plain() | {"power_insight_sideways": self.sideways}

    def problems(self) -> Iterator[str]:
        """Contradictions between values, in words."""
        for problems in (_elements, _named, _numbers, _sizes):
            yield from problems(self)


def _elements(rules: Evilpact) -> Iterator[str]:
    names = rules.elements
    if not 1 <= len(set(names)) == len(names) <= MOST_ELEMENTS:
        yield f"elements: 1 to {MOST_ELEMENTS} different names, not {one_of(names)}."
    for name in names:
        if not name or name == "pass" or any(mark in name for mark in _MARKS):
            yield (
                f"elements: a name has letters, none of {' '.join(_MARKS)}, and is not "
                f"'pass': so not {name!r}."
            )


def _named(rules: Evilpact) -> Iterator[str]:
    """The elements that other tables name."""
    for number, pair in enumerate(rules.turbidity, 1):
        if len(pair) != 2 or len(set(pair)) < 2:
            yield (
                f"turbidity: card {number} needs two different elements, not "
                f"{one_of(pair) or 'none'}."
            )
        yield from _unknown(f"turbidity, card {number}", pair, rules.elements)
    for spell, element in rules.spell_element:
        yield from _unknown(f"spell_element.{spell}", [element], rules.elements)
    for level, names in zip(LEVELS, rules.countered, strict=True):
        yield from _unknown(f"counter_list.{level}", names, rules.elements)
        if len(set(names)) < len(names):
            yield f"counter_list.{level}: each element once."


def _unknown(place: str, names: Iterable[str], known: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if name not in known:
            yield f"{place}: {no_such('element', name, known, 'Elements')}"


def _numbers(rules: Evilpact) -> Iterator[str]:
    if any(not 1 <= x <= MOST_INSIGHT for x in rules.insight_per_element):
        yield f"insight_per_element: numbers from 1 to {MOST_INSIGHT}."
    low, *high = rules.thresholds or (-1,)
    if len(high) != 1 or not 0 <= low < high[0] <= MOST:
        yield (
            "thresholds: two numbers, the lower one first, 0 to "
            f"{MOST}; not {one_of(map(str, rules.thresholds)) or 'none'}."
        )
    icons, cards = rules.turbidity_icons, rules.turbidity
    if any(not 0 <= n <= MOST_ICONS for n in icons) or len(icons) != len(cards):
        yield (
            f"power_turbidity: a number from 0 to {MOST_ICONS}, or a list with one for "
            f"each of the {len(cards)} Turbidity cards."
        )
        return
    of_pair: dict[frozenset[str], int] = {}
    for pair, power in zip(cards, icons, strict=True):
        if of_pair.setdefault(frozenset(pair), power) != power:
            yield (
                "power_turbidity: the same for cards of the same elements, for they "
                f"are alike; not both {of_pair[frozenset(pair)]} and {power} for "
                f"{'/'.join(pair)}."
            )


def _sizes(rules: Evilpact) -> Iterator[str]:
    """Problems of more cards or power than can be counted."""
    each = rules.normal_per_element + len(rules.insight_per_element)
    size = each * len(rules.elements) + len(rules.turbidity)
    needed = rules.market * rules.rounds
    cards = "normal_per_element, insight_per_element, turbidity"
    if size < needed:
        yield (
            f"{cards}: {size} cards; {rules.rounds} rounds with {rules.market} cards "
            f"each need {needed}."
        )
    if size > MOST_CARDS:
        yield f"{cards}: {size} cards; at most {MOST_CARDS} can be."
    insight = max(rules.power_insight_upright, rules.sideways)
    own = rules.normal_per_element * rules.power_normal
    own += len(rules.insight_per_element) * insight
    for name in rules.elements:
        icons = zip(rules.turbidity, rules.turbidity_icons, strict=True)
        power = own + sum(n for pair, n in icons if name in pair)
        if power > MOST:
            yield (
                "power_normal, power_insight_sideways, power_turbidity: "
                f"{power} power of {name} could come together; at most {MOST}."
            )

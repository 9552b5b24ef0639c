"""The grimoires and spells, as tables that a designer edits in ``cards.toml``."""

from typing import Any

from pydantic import create_model

from sim.parameters import Group, tables_of

SPELLS = ("cthugha", "cthulhu", "hastur", "nyarlathotep", "eihort")
LEVELS = ("3", "5")  # names of the lower and the upper level of a spell


class SpellElement(Group):
    """The element of each spell."""

    column = "element"

    cthugha: str
    cthulhu: str
    hastur: str
    nyarlathotep: str
    eihort: str


class _Lists(Group):
    """Lists of elements."""

    column = "elements"


_LISTS: dict[str, Any] = dict.fromkeys(LEVELS, (tuple[str, ...], ...))
CounterList = create_model(  # its fields are numbers
    "CounterList",
    __base__=_Lists,
    __doc__="The elements of the spells that Hastur counters at each level.",
    **_LISTS,
)


def printed_value(key: str) -> Any:
    """A value as ``cards.toml`` has it; lists as tuples, tables as parts."""
    value = tables_of("evilpact")[key]
    if key == "spell_element":
        return SpellElement(**value)
    if key == "counter_list":
        return CounterList(**{level: tuple(names) for level, names in value.items()})
    if key == "turbidity":
        return tuple(map(tuple, value))
    return tuple(value) if isinstance(value, list) else value

"""The names of positions at the table, from what the rulebook calls the first one."""

_LATER = ("second", "third", "fourth", "fifth", "sixth", "seventh")
UNNAMED = "position 1"
"""The first position of games that have no name for it: all are then numbered."""


def position_label(first: str, position: int, players: int) -> str:
    """Return the name of a position, from 1, as it stands in a table.

    >>> [position_label("first dealer", at, 3) for at in (1, 2, 3)]
    ['first dealer', 'second', 'last']
    """
    if first == UNNAMED:
        return f"position {position}"
    if position == 1:
        return first
    return "last" if position == players else _LATER[position - 2]


def position_name(first: str, position: int, players: int) -> str:
    """Return the name of a position, from 1, as a player is called in a sentence.

    >>> [position_name("first dealer", at, 3) for at in (1, 2, 3)]
    ['the first dealer', 'the second player', 'the last player']
    >>> position_name("who begins", 1, 3)
    'who begins'
    """
    label = position_label(first, position, players)
    if first == UNNAMED or label.startswith("who "):
        return label
    return f"the {label}" if position == 1 else f"the {label} player"

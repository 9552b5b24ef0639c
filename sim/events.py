"""Declarations: the kinds of decisions and events that a game has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from sim.parameters import no_such

NO_ONE = 255
"""Fills a place of a list that holds nothing."""
SEATS = "seat"
"""The vocabulary of seats; transcripts write them as numbers."""


@dataclass(frozen=True)
class Field:
    """What a note tells: a number, or what ``vocabulary`` calls it.

    ``form``: ``seat`` (-1 nobody), ``code`` (a number of the vocabulary), ``bit``
    (a lone bit), ``set`` (a mask), ``drawn`` (by seat, 0 who drew none), ``list``
    (numbers of the vocabulary, or numbers alone, by seat and place, (seats, places,
    games), NO_ONE where there is none; told, in no table). With ``shown`` off it is in
    the table, not in the transcript. ``null`` is the number that stands for none. A
    result's numbers are by seat, but those that are said ``once`` of a game; so is a
    list, which then is (1, places, games).
    """

    doc: str
    form: Literal["number", "seat", "code", "bit", "set", "drawn", "list"] = "number"
    vocabulary: str = ""
    shown: bool = True
    null: int | None = None
    once: bool = False


@dataclass(frozen=True)
class FollowUp:
    """What makes use of an option that by itself does nothing: a later decision.

    ``options`` of the decision ``decision`` do; where none is named, all of them but
    those that leave it be.
    """

    decision: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decision:
    """A kind of decision.

    ``form`` says what an answer is: ``one`` bit of ``legal``; a ``sample`` of exactly
    ``most`` bits; or a ``bag``: up to ``most`` tokens, each on one of
    ``options_per_token`` options, one field of ``legal`` a token. A decision of form
    ``one`` may be one of several in a row, up to ``most``, which the option ``stop``
    ends; or it has an option that does ``without`` what the others are for. In a
    transcript ``clock`` names what is told of the time, ``shows`` what is told of the
    state; ``bound`` stands for ``legal`` where there are too many options to list, and
    ``tally`` tells tokens as option -> number. ``follow_ups`` are those of options that
    only allow something later: of a strategy that never does that, how often it takes
    the option says nothing about the option. A ``windfall`` offers things for nothing,
    of which more is better by the rules: to take the best of them whenever it is there
    is no lack of choice. ``families`` are what players call options together: the word,
    and how the ids of these options begin ("" for all; ``*`` stands for anything).
    ``never`` are words of the vocabulary that are no options of this decision. Options
    that are ``alike``, such as directions on a board without sides, are not judged.
    """

    name: str
    doc: str
    vocabulary: str  # the vocabulary of its options
    clock: tuple[str, ...] = ()
    form: Literal["one", "sample", "bag"] = "one"
    bound: str = ""
    tally: bool = False
    stop: str = ""
    without: str = ""
    shows: Mapping[str, Field] = field(default_factory=dict)
    follow_ups: Mapping[str, FollowUp] = field(default_factory=dict)
    windfall: bool = False
    families: Mapping[str, str] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    alike: bool = False

    def family(self, word: str, ids: Iterable[str]) -> tuple[str, ...]:
        """Those of these options that players call by this word.

        >>> kind = Decision("bid", "", "bid", families={"high": "*-h"})
        >>> kind.family("high", ["a-h4", "a-l1"])
        ('a-h4',)
        """
        return tuple(one for one in ids if fnmatchcase(one, f"{self.families[word]}*"))


@dataclass(frozen=True)
class EventType:
    """A kind of event: a line of the transcript, and a row of a table."""

    type: Literal["chance", "outcome", "result"]
    doc: str
    fields: Mapping[str, Field]


def chance(doc: str, /, **fields: Field) -> EventType:
    """Declare an event that chance decides, such as a deal or a die."""
    return EventType("chance", doc, fields)


def outcome(doc: str, /, **fields: Field) -> EventType:
    """Declare an event that follows from choices, or ends a part of the game."""
    return EventType("outcome", doc, fields)


def result(doc: str, /, **fields: Field) -> EventType:
    """Declare the event that ends the game."""
    return EventType("result", doc, fields)


def kinds(*decisions: Decision) -> dict[str, Decision]:
    """The kinds of decision of a game, by name.

    Raises ValueError for a follow-up that is no decision of the game.
    """
    found = {kind.name: kind for kind in decisions}
    for kind in decisions:
        for option, later in kind.follow_ups.items():
            if later.decision not in found:
                place = f"{kind.name}: the follow-up of {option!r}"
                raise ValueError(
                    f"{place}: {no_such('decision', later.decision, found)}"
                )
    return found

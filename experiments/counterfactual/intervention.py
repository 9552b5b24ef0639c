"""Interventions: what is changed in games that are otherwise the same.

    Intervention(When(("claim",)), "first", Forbid("only-white"))

reads: whenever the first player of the lineup claims a gem, they may not choose square
only-white. The games are played with and without it, on the same deals and with the
same chance (common random numbers), so that they differ only by what it does.

An intervention is a declaration. What plays it depends on what is done:

- every option is tried: the game is copied at the decision (``asked_decisions``) and
  played on, as it is (``every_option``) or on possible deals (``turning_points``);
- an option is forbidden or forced, another strategy decides: the game is copied where
  that changes an answer, and played on by the changed players (``changed_players``);
- the rules are others, cards of the deal are swapped, several things are done at once:
  the game is played again (``changed_games``);
- a decision is declined once, or cards are swapped for a report: both games are
  recorded, and the report compares them (``paired_games``);
- something is granted: the game is copied when a unit of time begins
  (``grants_and_brakes``).

``interventions`` plays those of a cell; ``what_if`` is for everybody's own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, Literal, TypeVar

from strategies.base import Strategy

_LISTED = 3  # decisions that are named in words; more are nearly all
Whose = Literal["first", "all"]
"""Whose decisions: those of the lineup's first player, or everybody's."""


@dataclass(frozen=True)
class When:
    """The decisions at which something is done.

    decisions: their kinds. moment: a moment of the clock, such as ("phase", 1); None:
    any. one_game_in: only games whose number is divisible by it; it should share no
    divisor with the number of players, so that a rotated lineup is met in every seat.
    one_in: for each kind, only one in this many decisions; which ones changes from game
    to game. sample: instead, so many moments of all games are drawn, and so many
    decisions of each (``turning_points``). moment_name: what the moment is called; by
    default unit and number.
    """

    decisions: tuple[str, ...] = ()
    moment: tuple[str, int] | None = None
    one_game_in: int = 1
    one_in: tuple[int, ...] = ()
    sample: tuple[int, int] = (0, 0)
    moment_name: str = ""

    @property
    def kinds(self) -> str:
        """The kinds of decisions, joined as restricted strategies write them."""
        return "+".join(self.decisions)

    def now(self, time: Mapping[str, Any]) -> Any:
        """Return whether it is the moment, by the labels of the clock.

        In games that are out of step that is (games,) flags.
        """
        return self.moment is None or time[self.moment[0]] == self.moment[1]

    @property
    def title(self) -> str:
        """The decisions in words."""
        names = self.decisions
        if self.one_in:
            pairs = zip(names, self.one_in, strict=True)
            names = tuple(f"1 in {n} of {name}" if n > 1 else name for name, n in pairs)
        return " or ".join(names)

    @property
    def games(self) -> str:
        """Which games, in words; "" for all."""
        return "" if self.one_game_in == 1 else f", in 1 of {self.one_game_in} games"


@dataclass(frozen=True)
class EveryOption:
    """Try every option of a decision, and play each game on to its end.

    then: kinds of the decision that may come next (a card, then on whom); an option is
    then an answer to both. Without it, decisions with a single option are skipped.
    plays_on: the strategy that replaces the decider afterwards; if everybody's
    decisions are tried, it plays all seats. keeps: an event and its fields by seat;
    those of the decider are kept, from the first such event after the decision, or 0 if
    none follows. hand: a reading of the hand (``strategies.hand_readings``) that is
    kept too. left: also keep who next takes the chosen option where another is tried.
    deals: try options on so many deals that are possible for the decider, instead of
    the deal as it is (``turning_points``).
    """

    then: tuple[str, ...] = ()
    plays_on: str = ""
    keeps: tuple[str, ...] = ()
    hand: str = ""
    left: bool = False
    deals: int = 0


@dataclass(frozen=True)
class Forbid:
    """Forbid an option: whoever would take it chooses again among the others.

    option: what it is called in tables. ids: the options that count as one; by default
    the one of that id; "": the decision as a whole, which is declined, or made at
    random. Players learn of the ban only when they would take the option, so plans for
    it may fail (search plans without it from then on). A player with no other option
    takes it all the same; of pledges, whose rules allow it, they take nothing.
    """

    option: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Force:
    """Force an option: whoever can take it does; of several cards it is one."""

    option: str


@dataclass(frozen=True)
class OtherStrategy:
    """Let another strategy decide."""

    strategy: Strategy


@dataclass(frozen=True)
class OtherRules:
    """Play by other rules, whose values are given as pairs of key and value."""

    changes: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class GrantMore:
    """Give one more of a thing when a unit of time begins (``sim.games.Grant``)."""

    thing: str


@dataclass(frozen=True)
class Decline:
    """Decline the decision once, or one ``option`` of it (``strategies.decliner``)."""

    option: str = ""


@dataclass(frozen=True)
class SwapCards:
    """Discard a card of each hand, or keep it: the other one of ``Game.trial``.

    card: only hands in which this one is drawn, with and without it; "": any. trial:
    the experiment on the deal, if it is not that of the cell; deal: what it is called,
    if the game has several.
    """

    card: str = ""
    trial: Any = None
    deal: str = ""


@dataclass(frozen=True)
class Together:
    """Do several things at once: change players, rules, or both."""

    parts: tuple["Intervention[Any]", ...]


Action = (
    EveryOption
    | Force
    | Forbid
    | Decline
    | GrantMore
    | OtherRules
    | OtherStrategy
    | SwapCards
    | Together
)
Do = TypeVar("Do", bound=Action)


@dataclass(frozen=True)
class Intervention(Generic[Do]):
    """One thing that is changed: when, whose decision it is, and what is done.

    name: that of the table of its games.
    """

    when: When
    whose: Whose
    do: Do
    name: str = ""

    @property
    def title(self) -> str:
        """What is done, in words."""
        return f"{_words(self.do)}{_place(self.when, self.do)}"


def _words(do: Action) -> str:
    """Return what is done, in words."""
    words = "every option tried"
    match do:
        case Force(option):
            words = f"always {option}"
        case Forbid(option):
            words = f"without {option}" if option else "declined"
        case OtherStrategy(strategy):
            words = strategy.title
        case OtherRules(changes):
            words = ", ".join(_values(dict(changes)))
        case GrantMore(thing):
            words = f"one more: {thing}"
        case SwapCards(card, _, deal):
            words = f"with {card or 'a card'}{f': {deal}' if deal else ''}"
        case Decline(option):
            words = f"{option} declined" if option else "declined once"
        case Together(parts):
            words = " and ".join(part.title for part in parts)
    return words


def _values(changes: Mapping[str, Any], head: str = "") -> Iterator[str]:
    """Yield changed values as people write them: ``squares.blue.gem=3``."""
    for key, value in changes.items():
        if isinstance(value, Mapping):
            yield from _values(value, f"{head}{key}.")
        else:
            yield f"{head}{key}={value}"


def _place(when: When, do: Action) -> str:
    """Return where it is done, in words."""
    if isinstance(do, OtherRules | GrantMore | SwapCards | Together):
        return ""
    named = when.moment_name or " ".join(map(str, when.moment or ()))
    moment = f" in {named}" if named else ""
    few = 0 < len(when.decisions) <= _LISTED
    return f"{f' at {when.title}' if few else ''}{moment}"


def every_option(
    decisions: tuple[str, ...],
    *,
    whose: Whose = "all",
    name: str = "branching",
    **more: Any,
) -> Intervention[EveryOption]:
    """Return the intervention that tries every option, as a game's report writes it.

    more: fields of ``When`` and of ``EveryOption``. Raises TypeError for any other.

    >>> every_option(("plot",), one_in=(8,), hand="expected").when.title
    '1 in 8 of plot'
    """
    when, do = _split(more, When)
    return Intervention(When(decisions, **when), whose, EveryOption(**do), name)


def forbidden(
    decisions: tuple[str, ...], pools: Mapping[str, Any], one_game_in: int
) -> tuple[Intervention[Forbid], ...]:
    """Return the interventions that forbid each option to one player, and to all.

    pools: the options by name, each with the ids that count as one.
    """
    when = When(decisions, one_game_in=one_game_in)
    return tuple(
        Intervention(when, whose, Forbid(name, tuple(ids)), "forbidden")
        for whose in ("first", "all")
        for name, ids in pools.items()
    )


def _split(
    values: Mapping[str, Any], kind: type[When]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values that are fields of this dataclass, and the others."""
    own = {field.name for field in fields(kind)}
    one = {name: value for name, value in values.items() if name in own}
    return one, {name: value for name, value in values.items() if name not in own}

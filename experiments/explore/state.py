"""What is on a page: it stands in the address, so that the back button undoes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from experiments.core.cells import UsageError

MOST = (8_192, 32_768, 131_072)
"""Games at most, as a page offers them."""
WITHIN = (0.0, 0.02, 0.01, 0.005)
"""How well shares may have to be known, and no better; 0: until all is settled."""
_FIELDS = 500  # of an address


@dataclass(frozen=True)
class State:
    """Who plays by which rules, how long, and what is looked for.

    ``lineup``: one strategy for all seats, or one for each. ``settings``: keys of rules
    with values, as ``--set`` takes them. ``keep``: rules that are to be left alone when
    the ``line`` that was pointed at is to be moved. ``goal``: what is wanted of it.
    """

    players: int
    lineup: tuple[str, ...]
    most: int = MOST[1]
    within: float = WITHIN[0]
    settings: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    line: str = ""
    goal: str = ""

    @classmethod
    def of(cls, address: str, start: "State") -> "State":
        """What an address says; of an empty one the start. Raises ``UsageError``."""
        try:
            pairs = parse_qsl(address.removeprefix("?"), True, max_num_fields=_FIELDS)
            found = dict(pairs)
            settings = [
                text.partition("=")[::2] for name, text in pairs if name == "set"
            ]
            made = cls(
                int(found.get("players", start.players)),
                tuple(text for name, text in pairs if name == "seat") or start.lineup,
                int(found.get("most", start.most)),
                float(found.get("within", start.within)),
                dict(settings),
                tuple(text for name, text in pairs if name == "keep"),
                found.get("line", ""),
                found.get("goal", ""),
            )
        except ValueError as error:
            raise UsageError(f"the address is none of this page: {error}") from None
        return made if pairs else start

    def to(self, **what: Any) -> str:
        """The address of this page, or of one where this is changed."""
        one = replace(self, **what)
        some = [(name, getattr(one, name)) for name in ("within", "line", "goal")]
        pairs = [
            ("players", one.players),
            *(("seat", name) for name in one.lineup),
            ("most", one.most),
            *((name, value) for name, value in some if value),
            *(("keep", key) for key in one.keep),
            *(("set", text) for text in one.texts),
        ]
        return f"?{urlencode(pairs)}"

    def adding(self, settings: Mapping[str, str]) -> str:
        """The address with these rules changed, too."""
        return self.to(settings={**self.settings, **settings}, goal="")

    def without(self, place: str) -> str:
        """The address where nothing is said of a rule or row."""
        left = {k: v for k, v in self.settings.items() if not within(k, place)}
        return self.to(settings=left, goal="")

    @property
    def texts(self) -> list[str]:
        """The settings as ``--set`` takes them."""
        return [f"{key}={text}" for key, text in self.settings.items()]

    @property
    def seats(self) -> list[str]:
        """The strategy of each seat."""
        return [*self.lineup, *[self.lineup[0]] * self.players][: self.players]

    def changed(self, name: str, value: str) -> "State":
        """What one control of the page makes of it; raises ``UsageError``."""
        kind, _, key = name.partition(":")
        if kind in {"players", "most", "within"}:
            number: Any = float(value) if kind == "within" else int(value)
            one: State = replace(self, **{kind: number})
            return one._seated(one.seats)
        if kind == "seat":  # who plays like the first one goes with it
            seats, at = self.seats, int(key)
            follow = {0} | {n for n, one in enumerate(seats) if one == seats[0]}
            moved = follow if at == 0 else {at}
            return self._seated(value if n in moved else s for n, s in enumerate(seats))
        if kind == "keep":
            left = tuple(one for one in self.keep if one != key)
            return replace(self, keep=(*left, key) if value == "true" else left)
        if kind == "set":
            return replace(self, settings={**self.settings, key: value}, goal="")
        raise UsageError(f"there is no control {name[:40]!r}.")

    def _seated(self, seats: Iterable[str]) -> "State":
        lineup = tuple(seats)
        return replace(self, lineup=lineup if len(set(lineup)) > 1 else lineup[:1])


def within(key: str, place: str) -> bool:
    """Whether a key of rules is this rule or row, or lies in it."""
    return f"{key}.".startswith(f"{place}.")

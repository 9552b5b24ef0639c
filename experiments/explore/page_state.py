"""The state of a page, which is its address, so that the back button undoes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from experiments.core.cells import UsageError

MOST = (8_192, 32_768, 131_072)
"""The limits of games that a page offers."""
WITHIN = (0.0, 0.02, 0.01, 0.005)
"""The half-widths of shares that suffice; 0: play until all is settled."""
_MAX_FIELDS = 500  # of an address


@dataclass(frozen=True)
class PageState:
    """Who plays by which rules, for how many games, and which line should move.

    ``lineup``: one strategy for all seats, or one for each. ``settings``: keys of rules
    with values, as ``--set`` takes them. ``line``: the line of the scorecard to move,
    ``goal``: its target, ``keep``: rules that may not change for it. ``section``: the
    section of the report that is open. ``adapt``: whether players are to learn both
    rule sets.
    """

    players: int
    lineup: tuple[str, ...]
    most: int = MOST[1]
    within: float = WITHIN[0]
    settings: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    line: str = ""
    goal: str = ""
    section: str = ""
    adapt: bool = False

    @classmethod
    def of(cls, address: str, start: "PageState") -> "PageState":
        """Parse an address; an empty one is ``start``. Raises ``UsageError``."""
        try:
            query = address.removeprefix("?")
            pairs = parse_qsl(query, True, max_num_fields=_MAX_FIELDS)
            values = dict(pairs)
            settings = [
                text.partition("=")[::2] for name, text in pairs if name == "set"
            ]
            state = cls(
                int(values.get("players", start.players)),
                tuple(text for name, text in pairs if name == "seat") or start.lineup,
                int(values.get("most", start.most)),
                float(values.get("within", start.within)),
                dict(settings),
                tuple(text for name, text in pairs if name == "keep"),
                values.get("line", ""),
                values.get("goal", ""),
                values.get("section", ""),
                values.get("adapt") == str(True),
            )
        except ValueError as error:
            raise UsageError(f"this is no address of this page: {error}") from None
        return state if pairs else start

    def to(self, **what: Any) -> str:
        """Return the address of this page, with the given fields changed."""
        state = replace(self, **what)
        names = ("within", "line", "goal", "section", "adapt")
        optional = [(name, getattr(state, name)) for name in names]
        pairs = [
            ("players", state.players),
            *(("seat", name) for name in state.lineup),
            ("most", state.most),
            *((name, value) for name, value in optional if value),
            *(("keep", key) for key in state.keep),
            *(("set", text) for text in state.texts),
        ]
        return f"?{urlencode(pairs)}"

    def adding(self, settings: Mapping[str, str]) -> str:
        """Return the address with these rules changed, too."""
        return self.to(settings={**self.settings, **settings}, goal="")

    def without(self, place: str) -> str:
        """Return the address without settings of a rule or row."""
        left = {k: v for k, v in self.settings.items() if not lies_within(k, place)}
        return self.to(settings=left, goal="")

    @property
    def texts(self) -> list[str]:
        """The settings as ``--set`` takes them."""
        return [f"{key}={text}" for key, text in self.settings.items()]

    @property
    def seats(self) -> list[str]:
        """The strategy of each seat."""
        return [*self.lineup, *[self.lineup[0]] * self.players][: self.players]

    def changed(self, name: str, value: str) -> "PageState":
        """Return the state with one control of the page set; raises ``UsageError``."""
        kind, _, key = name.partition(":")
        if kind in {"players", "most", "within"}:
            number: Any = float(value) if kind == "within" else int(value)
            state: PageState = replace(self, **{kind: number})
            return state._seated(state.seats)
        if kind == "seat":  # seats with the first one's strategy follow it
            seats, at = self.seats, int(key)
            follow = {0} | {n for n, spec in enumerate(seats) if spec == seats[0]}
            moved = follow if at == 0 else {at}
            return self._seated(value if n in moved else s for n, s in enumerate(seats))
        if kind == "keep":
            left = tuple(kept for kept in self.keep if kept != key)
            return replace(self, keep=(*left, key) if value == "true" else left)
        if kind == "set":
            return replace(self, settings={**self.settings, key: value}, goal="")
        raise UsageError(f"there is no control {name[:40]!r}.")

    def _seated(self, seats: Iterable[str]) -> "PageState":
        lineup = tuple(seats)
        return replace(self, lineup=lineup if len(set(lineup)) > 1 else lineup[:1])


def lies_within(key: str, place: str) -> bool:
    """Return whether a key of rules is this rule or row, or lies in it."""
    return f"{key}.".startswith(f"{place}.")

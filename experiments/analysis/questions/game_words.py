"""The names that a question about a game may have: positions, roles, options, rules.

Nothing here knows the games: positions are those that the game declares, options the
ids of its decisions and of their families, roles the groups of the measure of roles.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import sim.games
from experiments.core.cells import Cell
from experiments.core.measures import measures_of
from experiments.execution.run import run
from experiments.variants.rules_by_players import settable
from reports.scorecard.line_statistics import ROLE_WINS

_ROLE_GAMES = 64  # show every role
_FIRST = frozenset(
    ("first", "starter", "starting", "start", "beginner", "begins", "opener")
)
_SIMILAR = 0.84


@dataclass(frozen=True)
class Option:
    """An option of a decision."""

    decision: str
    option: str


@dataclass(frozen=True)
class GameWords:
    """The names of a game, by the rules and number of players of a cell."""

    cell: Cell

    @cached_property
    def _game(self) -> sim.games.Game:
        return sim.games.load(self.cell.game)

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """The positions at the table, the first first."""
        return sim.games.positions(self._game, self.cell.players)

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The roles that the game deals; empty if it deals none."""
        if ROLE_WINS not in measures_of(self.cell.game, True):
            return ()
        rows = run([self.cell], _ROLE_GAMES, detailed=True)[ROLE_WINS]
        return tuple(str(role) for role in rows[rows.columns[0]])

    def position(self, text: str) -> str:
        """Return the position that a text names; "" if it names none."""
        tokens = _tokens(text)
        for name in self.positions:
            words = _tokens(name) - _SMALL  # none of "who begins"
            if words and words <= tokens:
                return name
        if tokens & _FIRST:
            return self.positions[0]
        return ""

    def role(self, text: str) -> str:
        """Return the role that a text names; "" if it names none."""
        tokens = _tokens(text)
        return next((role for role in self.roles if role.lower() in tokens), "")

    def rule(self, text: str) -> str:
        """Return the key of the rule that a text names; "" if it names none.

        A key of one word needs the word "rule" in the text, as it may be a card, too.
        """
        keys = settable(self.cell.rules)
        named = set(re.findall(r"[\w.-]+", text))
        sure = [key for key in keys if key in named and re.search("[_.]", key)]
        if sure:
            return sure[0]
        if not named & {"rule", "rules"}:
            return ""
        if exact := [key for key in keys if key in named]:
            return exact[0]
        heads = {key.replace("_", " "): key for key in keys}
        inside = [key for words, key in heads.items() if words in text]
        return max(inside, key=len, default="")

    @cached_property
    def _vocabularies(self) -> Mapping[str, Sequence[str]]:
        """The options of each kind of decision, by these rules."""
        return {
            name: self._game.options(kind) for name, kind in self._game.kinds.items()
        }

    def options(self, text: str) -> tuple[tuple[Option, ...], str]:
        """Return the options that a text names, and what they are called together.

        Either single options, or all of a kind of decision, or of a family of it.
        """
        tokens = _tokens(text)
        kinds = [
            (kind, every)
            for kind, every in self._kinds()
            if kind in tokens or f"{kind}s" in tokens
        ]
        for kind, every in kinds:  # "bid 3"
            for one in every:
                number = one.option.rpartition("-")[2]
                if re.search(rf"\b{kind} {re.escape(number)}(?!\w)", text):
                    return (one,), one.option
        every = tuple(
            Option(decision, option)
            for decision, options in self._vocabularies.items()
            for option in options
            if _named(option, tokens)
        )
        names = {kind for kind, _ in kinds}
        if every and not ("which" in tokens and every[0].option in names):
            first = every[0].option
            return tuple(one for one in every if one.option == first), first
        return (kinds[0][1], kinds[0][0]) if kinds else ((), "")

    def _kinds(self) -> Iterator[tuple[str, tuple[Option, ...]]]:
        """Yield what options are called together, and the options."""
        kinds = self._game.kinds
        for name, kind in kinds.items():
            for family in kind.families:
                own = kind.family(family, self._vocabularies[name])
                yield family, tuple(Option(name, option) for option in own)
        for name in kinds:
            yield name, self._all(name)
        ordered = sorted(kinds, key=lambda name: name != "play")  # play first
        for name in ordered:
            if kinds[name].vocabulary not in kinds:
                yield kinds[name].vocabulary, self._all(name)

    def _all(self, decision: str) -> tuple[Option, ...]:
        """Return the options of a decision, but those that leave it be."""
        kind = self._game.kinds[decision]
        rest = (kind.stop, kind.without, "pass", "none")
        every = self._vocabularies[decision]
        return tuple(Option(decision, one) for one in every if one not in rest)


_COMMON = frozenset(("pass", "none", "end", "continue", "spam", "block", "personal"))
_SMALL = frozenset(("to", "player", "play", "who", "the", "begins"))


def _tokens(text: str) -> set[str]:
    words = re.findall(r"[\w+]+(?:'(?!s\b)\w+)?", text.lower())
    return set(words)


def _named(option: str, tokens: set[str]) -> bool:
    """Return whether a text names an option: all words of its id, or nearly."""
    if len(option) > 2 and option.lower() in tokens - _COMMON:
        return True
    parts = re.findall(r"[a-z+]+|[0-9]+\+?", option.lower())
    if not any(len(part) > 3 for part in parts) or option.lower() in _COMMON:
        return False
    return all(
        part in tokens
        or (len(part) > 5 and difflib.get_close_matches(part, tokens, 1, _SIMILAR))
        for part in parts
    )

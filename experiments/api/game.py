"""Games by their ids: rules, numbers of players, and a list of all games."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import sim.games
from experiments.api.evaluate import report
from experiments.api.simulate import play
from experiments.execution.results import Results
from experiments.rule_set import RuleSet
from strategies import registry

if TYPE_CHECKING:
    from experiments.api.evaluate import Report


class Game:
    """A game, by its id.

    >>> Game("kunitame").players
    (3, 4, 5)
    """

    def __init__(self, id: str) -> None:  # noqa: A002 - it is the game's id
        """Load the game; raises ``UnknownGame`` with the nearest name."""
        self._known = sim.games.load(id)

    @property
    def id(self) -> str:
        """The id that commands and files use."""
        return self._known.id

    @property
    def title(self) -> str:
        """The name of the game."""
        return self._known.title

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players allowed."""
        return self._known.players

    @property
    def strategies(self) -> list[str]:
        """The built-in strategies."""
        return list(registry.builtin(self.id))

    def rules(
        self, changes: Mapping[str, Any] | str | Path | None = None, /, **more: Any
    ) -> RuleSet:
        """Return the rules with these changes; a path is a variant file.

        >>> Game("kunitame").rules(life=4).values.life
        4

        Raises ``RuleError``, which names the place, the limits and the nearest key.
        """
        return RuleSet.of(self.id, changes).changed(more)

    def play(self, rules: RuleSet | None = None, **how: Any) -> Results:
        """Play one lineup; see ``play``."""
        return play(self.id if rules is None else rules, **how)

    def report(self, rules: RuleSet | None = None, **how: Any) -> "Report":
        """Play a panel of lineups and write a balance report; see ``report``."""
        return report(self.id if rules is None else rules, **how)

    def __repr__(self) -> str:
        """Describe the game: title, players, strategies."""
        counts = ", ".join(map(str, self.players))
        return (
            f"{self.title} ({self.id}), {counts} players\n"
            f"{sim.games.REGISTRY.get(self.id, '')}\n"
            f"strategies: {', '.join(self.strategies)}"
        )


def games() -> pl.DataFrame:
    """List the games: game, title, players, about.

    >>> "kunitame" in games()["game"]
    True
    """
    known = [(sim.games.load(id_), about) for id_, about in sim.games.REGISTRY.items()]
    rows = [(game.id, game.title, game.players, about) for game, about in known]
    return pl.DataFrame(rows, ("game", "title", "players", "about"), orient="row")

"""Games by their ids: rules, numbers of players, and a list of all games."""

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import sim.games
from experiments.api.evaluate import report
from experiments.api.simulate import play
from experiments.coercion import Lineup, absolute_path, coerce_cell
from experiments.core.cells import Cell, UsageError
from experiments.execution.results import Results
from experiments.rule_set import RuleSet
from sim.scores import GameError
from strategies import registry

if TYPE_CHECKING:
    from experiments.analysis.unread_rules import UnreadRules
    from experiments.api.evaluate import Report
    from reports.player_trust import PlayerTrust


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

    def unread_rules(
        self,
        rules: RuleSet | None = None,
        lineup: Lineup | None = None,
        players: int | None = None,
    ) -> "UnreadRules":
        """Find which rule values no player of a lineup reads.

        By default of the leading heuristic, in all seats. Read is what
        changes an answer in the same position, if the value were a step up or down.

        >>> "must_act" in Game("drake").unread_rules().unread
        True
        """
        from experiments.analysis.unread_rules import unread_rules

        return unread_rules(self._cell(rules, lineup, players, 0))

    def player_trust(
        self,
        rules: RuleSet | None = None,
        strategy: str | None = None,
        *,
        players: int | None = None,
        games: int = 4_096,
        samples: int = 4,
        learn: float = 60,
        seed: int | None = None,
        jobs: int = -1,
        out: str | Path | None = None,
    ) -> "PlayerTrust":
        """Measure what others gain in one seat at a table where all play alike.

        Args:
            rules: also played by the base rules, if they differ.
            strategy: who has the table; the leading heuristic by default.
            games: fresh games of each of the others; search plays fewer.
            samples: samples per decision of search; 0 leaves it out.
            learn: for how many seconds one learns against this table alone; 0 leaves
                them out.
            players, seed, jobs, out: as in ``play``.

        >>> found = Game("drake").player_trust(
        ...     strategy="random", games=256, samples=0, learn=0, seed=1, jobs=1
        ... )
        >>> found.sentence[:27]
        'These players can be beaten'
        """
        from experiments.analysis.player_trust import player_trust
        from experiments.learning.best_response import BestResponse

        if not 0 <= learn < inf or games < 1 or samples < 0:
            raise UsageError(
                "games: at least 1; samples and learn (seconds): at least 0."
            )
        return player_trust(
            self._cell(rules, strategy, players, seed),
            games=games,
            samples=samples,
            learner=BestResponse(learn, jobs) if learn else None,
            out=absolute_path(out),
            jobs=jobs,
        )

    def _cell(
        self,
        rules: RuleSet | None,
        lineup: Lineup | None,
        players: int | None,
        seed: int | None,
    ) -> Cell:
        from experiments.studies.lineups import default_lineup

        seats = lineup or default_lineup(self.id)
        return coerce_cell(self if rules is None else rules, seats, players, True, seed)

    def __repr__(self) -> str:
        """Describe the game: title, players, strategies."""
        counts = ", ".join(map(str, self.players))
        return (
            f"{self.title} ({self.id}), {counts} players\n"
            f"{self._known.about}\n"
            f"strategies: {', '.join(self.strategies)}"
        )


def games() -> pl.DataFrame:
    """List the games, built in or from packages: game, title, players, about.

    A game whose package does not load has no players, and ``about`` says why.

    >>> "kunitame" in games()["game"]
    True
    """
    rows: list[tuple[str, str, tuple[int, ...], str]] = []
    for name in sim.games.known():
        try:
            game = sim.games.load(name)
            rows.append((name, game.title, game.players, game.about))
        except GameError as error:
            rows.append((name, name, (), str(error)))
    return pl.DataFrame(rows, ("game", "title", "players", "about"), orient="row")

"""What the options of a command ask for, checked before anything is played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from experiments.coercion import coerce_players, coerce_seed
from experiments.core.cells import Cell, UsageError
from experiments.rule_set import RuleSet
from experiments.studies.study_short_forms import numbers
from experiments.variants.variants import resolve_rules
from sim import games, places
from sim.games import Game, is_game
from sim.parameters import Rules
from strategies.registry import make, resolve_specs, seat_specs
from strategies.specs import split_lineup


@dataclass(frozen=True)
class Request:
    """A game, its rules, the seed, and the notes to show with the results."""

    game: Game
    rules: Rules
    seed: int
    drawn: bool  # True if the seed was drawn, not given
    variant: str
    notes: tuple[str, ...]
    # Which file or option set each key
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def rule_set(self) -> RuleSet:
        """The game with these rules."""
        return RuleSet(self.game.id, self.rules)

    @property
    def seed_line(self) -> str:
        """The line that shows the seed, and whether it was drawn."""
        return f"seed     {self.seed}" + (" (drawn)" if self.drawn else "")


class Execution(TypedDict):
    """Where games are played, as arguments of the functions of ``experiments.api``."""

    jobs: int
    backend: str
    scheduler: str | None


def resolve(
    game: str,
    variant: Path | None = None,
    settings: Sequence[str] | None = None,
    seed: int | None = None,
) -> Request:
    """Settle the rules and the seed; raises an error that names the mistake."""
    known = games.load(game)
    resolved = resolve_rules(known, variant, settings or ())
    return Request(
        known,
        resolved.rules,
        coerce_seed(seed),
        seed is None,
        resolved.name,
        resolved.notes,
        resolved.provenance,
    )


def numbers_of_players(game: Game, text: str) -> tuple[int, ...]:
    """The numbers in ``3,4`` or ``3-5``; by default 4, or the first that can play."""
    if not text:
        return (coerce_players(game.id, None),)
    counts = numbers(text)
    for number in counts:
        if refused := game.refuses(number):
            raise UsageError(refused)
    return counts


def one_number_of_players(game: Game, text: str, seated: int = 1) -> int:
    """The one number of players; by default as many as the lineup seats."""
    given = text or (str(seated) if seated > 1 else "")
    players, *more = numbers_of_players(game, given)
    if more:
        raise UsageError("--players: one number of players at a time.")
    return players


def lineup_of(game: Game, lineup: str, extra_strategies: Sequence[str] | None) -> str:
    """The lineup; by default your own strategy, or else ``random``."""
    for spec in extra_strategies or ():
        make(game.id, spec)
    return lineup or ",".join(extra_strategies or ()) or "random"


def cells(
    request: Request,
    players: Sequence[int],
    lineup: str,
    extra_strategies: Sequence[str] | None,
    rotate: bool,
    given: Sequence[str] = (),
) -> list[Cell]:
    """Return a cell for each number of players; refuse deals that hardly ever fit."""
    game, text = request.game, lineup_of(request.game, lineup, extra_strategies)
    made = [
        Cell(
            game.id,
            request.rules,
            number,
            seat_specs(game.id, text, number, extra_strategies or ()),
            rotate,
            request.seed,
            given=(*given,),
        )
        for number in players
    ]
    for cell in made:
        cell.given_chance()
    return made


def players_of_report(
    request: Request, players: str, lineup: str, extra_strategies: Sequence[str] | None
) -> tuple[int, ...]:
    """Return the numbers of players; refuse what a report cannot seat or play.

    By default, they are all that the game allows, or as many as the lineup seats.
    """
    text = lineup_of(request.game, lineup, extra_strategies) if lineup else ""
    seats = len(split_lineup(text))
    if not players and seats > 1:
        players = str(seats)
    counts = (
        numbers_of_players(request.game, players) if players else request.game.players
    )
    for number in counts:
        request.rules.check(number)
        if text:
            seat_specs(request.game.id, text, number, extra_strategies or ())
    for spec in extra_strategies or ():
        make(request.game.id, spec)
    return counts


def leader_of_report(
    request: Request, lead: str, lineup: str, extra_strategies: Sequence[str] | None
) -> str | None:
    """Return the spec of the strategy that leads a report; None: it finds one.

    Raises ``UsageError``.
    """
    if not lead:
        return None
    if lineup:
        raise UsageError("--lead: a report of one --lineup is about that. Name one.")
    specs = resolve_specs(request.game.id, lead, extra_strategies or ())
    if len(specs) > 1:
        raise UsageError(f"--lead: one strategy, not the {len(specs)} of {lead!r}.")
    make(request.game.id, specs[0])
    return specs[0]


def jobs_of(jobs: int) -> int:
    """The number of processes; raises ``UsageError``."""
    if jobs == 0 or jobs < -1:
        raise UsageError(f"--jobs: 1 or more, or -1 for all cores, not {jobs}.")
    return jobs


def execution(jobs: int, backend: str, scheduler: str | None) -> Execution:
    """Return where games are played; raises ``UsageError``."""
    return {"jobs": jobs_of(jobs), "backend": backend, "scheduler": scheduler}


def is_study(word: str) -> bool:
    """Whether the argument of ``run`` is a study file, not the id of a game."""
    return word.endswith(".toml") or (not is_game(word) and is_file(places.named(word)))


def is_file(path: Path) -> bool:
    """Whether a file exists; False for what cannot be a file name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def assumptions_in_force(rules: Rules) -> dict[str, str]:
    """The rule values that rest on an assumption, with the assumption."""
    return {
        rule.key: rule.assumed
        for rule in rules.parameters()
        if rule.assumed and _is_default(rule.value, rule.default)
    }


def _is_default(value: Any, default: Any) -> bool:
    """Whether a value, or any field of a table's rows, is still the default."""
    rows = value if isinstance(value, list) else []
    before = {row["id"]: row for row in default} if _is_table(rows) else {}
    return value == default or any(
        name != "id" and before.get(row["id"], {}).get(name) == field
        for row in (rows if before else ())
        for name, field in row.items()
    )


def _is_table(rows: Sequence[Any]) -> bool:
    return bool(rows) and all(isinstance(row, dict) for row in rows)

"""What a user asked for on the command line, checked before anything is played."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from experiments.cells import Cell, UsageError
from experiments.variations.variants import settle
from sim import games as registry
from sim.games import Game
from sim.knobs import Rules, nearest, one_of
from strategies.registry import make, seated


@dataclass(frozen=True)
class Asked:
    """A game, its rules in force, the seed, and what should be said of them."""

    game: Game
    rules: Rules
    seed: int
    drawn: bool  # whether the seed was drawn, not given
    variant: str
    notes: tuple[str, ...]
    provenance: Mapping[str, str] = field(default_factory=dict)  # who set what


def ask(
    game: str,
    variant: Path | None = None,
    settings: Sequence[str] | None = None,
    seed: int | None = None,
) -> Asked:
    """Settle the rules and the seed; raises what names the user's mistake."""
    known = registry.load(game)
    if seed is not None:
        check_seed(seed)
    settled = settle(known, variant, settings or ())
    return Asked(
        known,
        settled.rules,
        secrets.randbits(32) if seed is None else seed,
        seed is None,
        settled.name,
        settled.notes,
        settled.provenance,
    )


def check_seed(seed: int) -> None:
    """Refuse what is no seed; raises ``UsageError``."""
    if not 0 <= seed < 1 << 64:
        raise UsageError(f"--seed: 0 to {(1 << 64) - 1}, not {seed}.")


def game_of(game: str) -> str:
    """The game named, or the only one there is."""
    if game:
        return game
    if len(registry.REGISTRY) > 1:
        raise UsageError(f"game: name one of {', '.join(registry.REGISTRY)}.")
    return next(iter(registry.REGISTRY))


def numbers_of_players(game: Game, text: str) -> tuple[int, ...]:
    """The numbers in ``3,4,5``; nothing given means 4, or the first that can play."""
    if not text:
        return (4 if 4 in game.players else game.players[0],)
    allowed = ", ".join(map(str, game.players))
    found = []
    for part in text.split(","):
        if not part.strip().isdecimal() or int(part) not in game.players:
            raise UsageError(
                f"players: {part.strip() or text} cannot play {game.id}. "
                f"Allowed: {allowed}."
            )
        found.append(int(part))
    return tuple(dict.fromkeys(found))


def lineup_of(game: Game, lineup: str, own: Sequence[str] | None) -> str:
    """The lineup as given; one's own strategy, or ``random``, where none is."""
    for spec in own or ():
        make(game.id, spec)
    return lineup or ",".join(own or ()) or "random"


def cells(
    asked: Asked,
    players: Sequence[int],
    lineup: str,
    own: Sequence[str] | None,
    rotate: bool,
) -> list[Cell]:
    """A cell for each number of players."""
    game, text = asked.game, lineup_of(asked.game, lineup, own)
    return [
        Cell(
            game.id,
            asked.rules,
            number,
            seated(game.id, text, number, own or ()),
            rotate,
            asked.seed,
        )
        for number in players
    ]


def tables_of(
    asked: Asked, players: str, lineup: str, own: Sequence[str] | None
) -> tuple[int, ...]:
    """Refuse what a report could not seat or play; return the numbers of players.

    Not given, they are all that the game allows, or as many as the lineup seats.
    """
    text = lineup_of(asked.game, lineup, own) if lineup else ""
    seats = text.count(",") + 1
    if not players and seats > 1:
        players = str(seats)
    found = numbers_of_players(asked.game, players) if players else asked.game.players
    for number in found:
        asked.rules.check(number)
        if text:
            seated(asked.game.id, text, number, own or ())
    for spec in own or ():
        make(asked.game.id, spec)
    return found


def raw_tables(game: Game, text: str) -> tuple[str, ...]:
    """The names in ``trick,gem``; ``all`` for every table of the game."""
    known = tuple(dict.fromkeys([*game.notes, *game.kinds]))
    if text.strip() == "all":
        return known
    found = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in found:
        if name not in known:
            raise UsageError(
                f"tables: no table {name!r}{nearest(name, known)} "
                f"Tables of {game.id}: {one_of(known)}."
            )
    return found


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(text + "\n", "utf-8")
    part.replace(path)


def jobs_of(jobs: int) -> int:
    """The number of processes; raises ``UsageError``."""
    if jobs == 0 or jobs < -1:
        raise UsageError(f"--jobs: 1 or more, or -1 for all cores, not {jobs}.")
    return jobs


def is_study(word: str) -> bool:
    """Whether what is to be run is a study file, not the id of a game."""
    return word.endswith(".toml") or Path(word).is_file()


def directory(out: Path | None, game: str, command: str) -> Path:
    """Where results go: as asked, or a new directory of this moment."""
    if out is not None:
        return out
    stem = Path("results") / f"{game}-{command}-{datetime.now():%Y%m%d-%H%M%S}"
    place, number = stem, 1
    while place.exists():
        number += 1
        place = stem.with_name(f"{stem.name}-{number}")
    return place


def assumed(rules: Rules) -> dict[str, str]:
    """The values in force that rest on an assumption, and on which."""
    knobs = rules.knobs()
    return {k.key: k.assumed for k in knobs if k.assumed and _kept(k.value, k.default)}


def _kept(value: Any, default: Any) -> bool:
    """Whether it is the default, or a table in which some field of a row still is."""
    rows = value if isinstance(value, list) else []
    before = {row["id"]: row for row in default} if _is_table(rows) else {}
    return value == default or any(
        name != "id" and before.get(row["id"], {}).get(name) == field
        for row in (rows if before else ())
        for name, field in row.items()
    )


def _is_table(rows: Sequence[Any]) -> bool:
    return bool(rows) and all(isinstance(row, dict) for row in rows)

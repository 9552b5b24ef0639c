"""Check variant files: whether each is valid, what it changes, and by which file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sim.games
from experiments.core.cells import UsageError
from experiments.variants.rule_diff import Change, changes
from experiments.variants.variant_files import (
    BASE,
    game_of,
    load_variant,
    locate_variant,
)
from experiments.variants.variants import ResolvedRules, idle_values, resolve_variant
from sim import places
from sim.games import Game, UnknownGame
from sim.parameters import RuleError, Rules


@dataclass(frozen=True)
class VariantInfo:
    """A variant with its game and resolved rules."""

    game: Game
    path: Path
    resolved: ResolvedRules
    idle: tuple[str, ...]  # values that change nothing

    def changes(self) -> list[Change]:
        """Return its differences from the base rules of its game."""
        return changes(self.game.rules(), self.resolved.rules)

    def sources(self, change: Change) -> list[str]:
        """Return the files and settings that made a change."""
        keys = [f"{change.key}.{name}" for name in change.fields] or [change.key]
        return list(dict.fromkeys(filter(None, map(self.resolved.source, keys))))

    def notes(self) -> list[str]:
        """Return notes for the designer."""
        same = "its base has the same"
        return [
            *(
                f"note     {self.path}: {key} changes nothing, {same}"
                for key in self.idle
            ),
            *(f"note     {words}" for words in self.resolved.notes),
            *remarks(self.game, self.resolved.rules),
        ]


def open_variant(word: str, settings: Sequence[str] = ()) -> VariantInfo:
    """Return the variant of a file or name; errors name the mistake."""
    path = locate_variant(word, places.named(""))
    if path is None:
        raise UsageError(
            f"variant: {BASE!r} means the base rules of a game; "
            "`fairdeal rules GAME` prints them."
        )
    game = _game(path)
    variant = load_variant(game, path)
    resolved = resolve_variant(game, variant, settings)
    try:
        playable(game, resolved.rules)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return VariantInfo(game, path, resolved, tuple(idle_values(game, variant)))


def _game(path: Path) -> Game:
    try:
        return sim.games.load(game_of(path))
    except UnknownGame as error:
        raise UsageError(f"{path}: {error}") from None


def validate_variants(words: Sequence[str]) -> list[dict[str, Any]]:
    """Return whether each variant is valid; if not, what is wrong with it."""
    return [_verdict(word) for word in words]


def _verdict(word: str) -> dict[str, Any]:
    try:
        variant = open_variant(word)
    except (RuleError, UsageError) as error:
        return {"variant": word, "valid": False, "error": str(error)}
    players, _ = playable(variant.game, variant.resolved.rules)
    return {
        "variant": word,
        "valid": True,
        "game": variant.game.id,
        "name": variant.resolved.name,
        "chain": list(variant.resolved.chain),
        "players": players,
        "differences": len(variant.changes()),
        "notes": variant.notes(),
    }


@dataclass(frozen=True)
class VariantDifference:
    """The changes from one variant to another, which ``title`` names."""

    title: str
    changes: tuple[Change, ...]

    def __repr__(self) -> str:
        """Return the title and a line for each change."""
        lines = [f"- {change.sentence}" for change in self.changes]
        return "\n".join([self.title, *(lines or ["Nothing differs."])])


def variant_difference(one: str, other: str | None) -> VariantDifference:
    """Return the changes from one variant to another; with one, from the base."""
    first, second = (BASE, one) if other is None else (one, other)
    sides = [None if word == BASE else open_variant(word) for word in (first, second)]
    games = list(dict.fromkeys(side.game.id for side in sides if side))
    if not games:
        raise UsageError("variant diff: name a variant besides base.")
    if len(games) > 1:
        raise UsageError(
            f"variant diff: {first} is of {games[0]}, {second} is of {games[1]}."
        )
    before, after = (_rules(side, games[0]) for side in sides)
    title = f"From {_title(sides[0])} to {_title(sides[1])}:"
    return VariantDifference(title, tuple(changes(before, after)))


def _rules(side: VariantInfo | None, game: str) -> Rules:
    return sim.games.load(game).rules() if side is None else side.resolved.rules


def _title(side: VariantInfo | None) -> str:
    if side is None:
        return "the base rules"
    return f"{side.resolved.name} ({side.path})"


def playable(game: Game, rules: Rules) -> tuple[list[int], list[str]]:
    """Return which numbers of players can play, and why others cannot."""
    can, cannot = [], []
    for players in game.players:
        try:
            rules.check(players)
        except RuleError as error:
            cannot.append(f"note     not with {players} players: {error}")
        else:
            can.append(players)
    if not can:
        raise UsageError(cannot[0].removeprefix("note     "))
    return can, cannot


def remarks(game: Game, rules: Rules) -> list[str]:
    """Return notes on these rules: who cannot play, and what runs short."""
    can, notes = playable(game, rules)
    return notes + [
        f"note     with {players} players {shortage}"
        for players in can
        for shortage in rules.shortages(players)
    ]

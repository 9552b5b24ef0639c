"""Read variant files: their contents, and the variants that they are based on."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.variants import toml
from experiments.variants.rule_sheets import is_sheet, sheet_game, sheet_variant
from experiments.variants.rules_by_players import settable
from sim.games import Game
from sim.parameters import nearest, no_such, one_of

BASE = "base"
"""The word for the base rules of a game, in place of a variant."""

KEYS = {
    "game": "Id of the game whose rules these are.",
    "name": "Name in results and reports; by default that of the file.",
    "about": "Purpose of the variant, in words.",
    "base": "The variant that this one changes: a file, or the name of one in the "
    "same folder. Without it, the base rules of the game.",
    "rules": "The rules that differ, and nothing else.",
}
"""The keys of a variant file, and their meanings."""


@dataclass(frozen=True)
class Variant:
    """One link of a chain: ``rules`` are changes to its ``base``."""

    where: str  # the file, or the place in a study
    name: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    base: "Variant | None" = None

    def layers(self) -> list["Variant"]:
        """Return the chain from the lowest variant up to this one."""
        return [*(self.base.layers() if self.base else []), self]

    def place(self, top: "Variant | None") -> str:
        """Return where this is, for a message about the variant at the top."""
        if top is None or top.where == self.where:
            return self.where
        return f"{self.where} (a base of {top.where})"


def load_variant(game: Game, path: Path) -> Variant:
    """Read a variant file of this game and its bases; raises ``UsageError``."""
    return _load(game, path, ())


def inline_variant(
    game: Game, values: Mapping[str, Any], name: str, where: str, folder: Path
) -> Variant:
    """Return a variant from a table of a study, which may leave out ``game``.

    ``where`` names the place in messages; a ``base`` is relative to the folder.
    """
    whole = {"game": game.id, "name": name, **values}
    return _read(game, whole, where, name, folder, ())


def variant_text(
    game: str, name: str, changes: Mapping[str, Any], below: Variant | None = None
) -> str:
    """Return the text of a variant file: changes to the base rules, or to ``below``."""
    head = {"game": game, "name": name}
    if below is not None:
        head["base"] = str(Path(below.where).resolve())
    lines = [f"{key} = {toml.value(text)}" for key, text in head.items()]
    rules = toml.tables({"rules": changes}) if changes else ["", "[rules]"]
    return "\n".join([*lines, *rules]) + "\n"


def game_of(path: Path) -> str:
    """Return the id of the game of a variant file; raises ``UsageError``."""
    if is_sheet(path):
        return _game_named(sheet_game(path), path.parent)
    game = toml.read(path, "variant").get("game")
    if not isinstance(game, str):
        raise UsageError(f'{path}: the key "game" is missing; write game = "ID".')
    return _game_named(game, path.parent)


def _game_named(word: Any, folder: Path) -> str:
    """Return the id of a game, whose file may lie beside the variant's."""
    beside = folder / str(word)
    own = beside.suffix == ".py" and beside.is_file()
    return str(beside.resolve()) if own else str(word)


def locate_variant(word: str, folder: Path) -> Path | None:
    """Return the file of a variant, seen from a folder; None for the base rules.

    A word is a file, or the name of a variant: that of its file without ``.toml``, or
    the ``name`` in it. Raises ``UsageError``.
    """
    if word == BASE:
        return None
    path = Path(os.path.normpath(folder / word))
    if path.suffix == ".toml" or is_sheet(path) or path.is_file():
        return path
    beside = path.with_name(f"{path.name}.toml")
    if beside.is_file():
        return beside
    named = [(name, file) for file in _files(path.parent) for name in _names(file)]
    matching = list(dict.fromkeys(file for name, file in named if name == path.name))
    if len(matching) > 1:
        files = " and ".join(map(str, matching))
        raise UsageError(f"variant: {word!r} is the name of {files}; give the file.")
    if matching:
        return matching[0]
    known = [BASE, *dict.fromkeys(name for name, _ in named)]
    raise UsageError(
        f"variant: there is no file {path}, and no variant of that name beside it"
        f"{nearest(path.name, known)} There are: {one_of(known)}."
    )


def _load(game: Game, path: Path, above: tuple[Path, ...]) -> Variant:
    """Read a file; ``above`` are the files based on it, from the top of the chain."""
    if path.resolve() in [file.resolve() for file in above]:
        chain = " -> ".join(map(str, (*above, path)))
        raise UsageError(f"{above[0]}: its base leads back to itself: {chain}.")
    if not path.exists():
        _refuse(path, above)
    sheet = is_sheet(path)
    values = sheet_variant(game, path) if sheet else toml.read(path, "variant")
    return _read(game, values, str(path), path.stem, path.parent, (*above, path))


def _read(
    game: Game,
    values: Mapping[str, Any],
    where: str,
    name: str,
    folder: Path,
    above: tuple[Path, ...],
) -> Variant:
    _check_keys(game, values, where)
    if "game" not in values:
        raise UsageError(
            f'{where}: the key "game" is missing; write game = "{game.id}".'
        )
    if _game_named(values["game"], folder) != game.id:
        raise UsageError(f"{where}: game is {values['game']!r}, not {game.id!r}.")
    rules = values.get("rules", {})
    if not isinstance(rules, dict):
        raise UsageError(
            f"{where}: rules must be a table; write [rules] above its keys."
        )
    words = {key: values.get(key, "") for key in ("name", "about", "base")}
    for key, text in words.items():
        if not isinstance(text, str):
            raise UsageError(f"{where}: {key} must be a text, not {text!r}.")
    base = _base(game, words["base"], where, folder, above)
    return Variant(where, words["name"] or name, rules, words["about"], base)


def _check_keys(game: Game, values: Mapping[str, Any], where: str) -> None:
    for key in values:
        if key not in KEYS:
            rule = key in settable(game.rules())
            hint = f" Put {key!r} under [rules]." if rule else ""
            raise UsageError(f"{where}: {no_such('key', key, KEYS)}{hint}")


def _base(
    game: Game, word: str, where: str, folder: Path, above: tuple[Path, ...]
) -> Variant | None:
    if not word:
        return None
    try:
        path = locate_variant(word, folder)
    except UsageError as error:
        raise UsageError(f"{where}: base: {error}") from None
    return None if path is None else _load(game, path, above)


def _refuse(path: Path, above: tuple[Path, ...]) -> None:
    """Raise ``UsageError`` for a missing file, with the nearest name."""
    hint = nearest(path.name, [file.name for file in _files(path.parent)])
    by = f" (the base of {above[-1]})" if above else ""
    raise UsageError(f"variant: there is no file {path}{by}{hint}")


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


def _names(path: Path) -> Iterator[str]:
    """Yield the names of a variant: that of its file, and the ``name`` in it."""
    yield path.stem
    try:
        name = toml.read(path, "variant").get("name")
    except UsageError:
        return
    if isinstance(name, str) and name:
        yield name

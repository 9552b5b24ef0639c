"""Variant files as they are read: what stands in one, and what it is based on."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.variants import toml
from experiments.variants.by_players import settable
from sim.games import Game
from sim.parameters import nearest, no_such, one_of

BASE = "base"
"""The word for the base rules of a game, where a variant could be named."""

KEYS = {
    "game": "Id of the game whose rules these are.",
    "name": "What results and reports call the variant; the file's name if not given.",
    "about": "What the variant is for, in words.",
    "base": "The variant that this one changes: a file, or the name of one in the "
    "same folder. Without it, the base rules of the game.",
    "rules": "The rules that differ, and nothing else.",
}
"""The keys of a variant file, and what each is for."""


@dataclass(frozen=True)
class Variant:
    """One link of a chain: ``rules`` are changes to what it is based on."""

    where: str  # the file, or the place in a study
    name: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    base: "Variant | None" = None

    def layers(self) -> list["Variant"]:
        """The chain from the lowest variant up to this one."""
        return [*(self.base.layers() if self.base else []), self]

    def place(self, top: "Variant | None") -> str:
        """Where this is, for a message about the variant on top of the chain."""
        if top is None or top.where == self.where:
            return self.where
        return f"{self.where} (a base of {top.where})"


def load(game: Game, path: Path) -> Variant:
    """Read a variant file of this game and all it rests on; raises ``UsageError``."""
    return _load(game, path, ())


def inline(
    game: Game, values: Mapping[str, Any], name: str, where: str, folder: Path
) -> Variant:
    """A variant that stands as a table in a study; ``game`` may be left out there.

    ``where`` names the place in messages; a ``base`` is looked for in the folder.
    """
    whole = {"game": game.id, "name": name, **values}
    return _read(game, whole, where, name, folder, ())


def written(
    game: str, name: str, changes: Mapping[str, Any], below: Variant | None = None
) -> str:
    """The text of a variant file: changes of the base rules, or of the one below."""
    head = {"game": game, "name": name}
    if below is not None:
        head["base"] = str(Path(below.where).resolve())
    lines = [f"{key} = {toml.value(text)}" for key, text in head.items()]
    rules = toml.tables({"rules": changes}) if changes else ["", "[rules]"]
    return "\n".join([*lines, *rules]) + "\n"


def game_of(path: Path) -> str:
    """The id of the game that a variant file is for; raises ``UsageError``."""
    game = toml.read(path, "variant").get("game")
    if not isinstance(game, str):
        raise UsageError(f'{path}: the key "game" is missing; write game = "ID".')
    return game


def locate(word: str, folder: Path) -> Path | None:
    """The file that a word means, seen from a folder; none for the base rules.

    A word is a file, or else the name of a variant: that of its file without
    ``.toml``, or the ``name`` that it gives itself. Raises ``UsageError``.
    """
    if word == BASE:
        return None
    path = Path(os.path.normpath(folder / word))
    if path.suffix == ".toml" or path.is_file():
        return path
    beside = path.with_name(f"{path.name}.toml")
    if beside.is_file():
        return beside
    named = [(name, file) for file in _files(path.parent) for name in _names(file)]
    found = list(dict.fromkeys(file for name, file in named if name == path.name))
    if len(found) > 1:
        files = " and ".join(map(str, found))
        raise UsageError(f"variant: {word!r} is the name of {files}; give the file.")
    if found:
        return found[0]
    known = [BASE, *dict.fromkeys(name for name, _ in named)]
    raise UsageError(
        f"variant: there is no file {path}, and no variant of that name beside it"
        f"{nearest(path.name, known)} There are: {one_of(known)}."
    )


def _load(game: Game, path: Path, above: tuple[Path, ...]) -> Variant:
    """Read a file; ``above`` are those that rest on it, the top of the chain first."""
    if path.resolve() in [file.resolve() for file in above]:
        chain = " -> ".join(map(str, (*above, path)))
        raise UsageError(f"{above[0]}: its base leads back to itself: {chain}.")
    if not path.exists():
        _refuse(path, above)
    values = toml.read(path, "variant")
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
    if values["game"] != game.id:
        raise UsageError(f"{where}: game is {values['game']!r}, not {game.id!r}.")
    rules = values.get("rules", {})
    if not isinstance(rules, dict):
        raise UsageError(f"{where}: rules is a table; write [rules] above its keys.")
    words = {key: values.get(key, "") for key in ("name", "about", "base")}
    for key, text in words.items():
        if not isinstance(text, str):
            raise UsageError(f"{where}: {key} is a text, not {text!r}.")
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
        path = locate(word, folder)
    except UsageError as error:
        raise UsageError(f"{where}: base: {error}") from None
    return None if path is None else _load(game, path, above)


def _refuse(path: Path, above: tuple[Path, ...]) -> None:
    """Raise that there is no such file, with the nearest that there is."""
    there = nearest(path.name, [file.name for file in _files(path.parent)])
    by = f" (the base of {above[-1]})" if above else ""
    raise UsageError(f"variant: there is no file {path}{by}{there}")


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


def _names(path: Path) -> Iterator[str]:
    """What a file may be called: by its own name, and by the one it gives itself."""
    yield path.stem
    try:
        name = toml.read(path, "variant").get("name")
    except UsageError:
        return
    if isinstance(name, str) and name:
        yield name

"""Studies: a question, and what is simulated to answer it, in one TOML file.

    question = "Does a fourth life gem make contracts worth it?"
    game = "kunitame"
    players = [3, 4]
    lineups = ["allround", "timid"]
    games = 20_000
    seed = 1

    [variants]
    base = {}
    four-lives = { rules = { life = 4 } }

``experimental_designs`` describes the table [design], ``targets`` the table [targets],
``what_if_tables`` the tables [what_if.NAME].
Paths are relative to the file. Every mistake is a ``UsageError`` that names the file,
the place, what is allowed, and the nearest valid name.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self, get_args

from pydantic import Field, ValidationError, model_validator

import sim.games
from experiments.core.blocks import MOST_GAMES
from experiments.core.cells import UsageError
from experiments.studies.study_short_forms import (
    Precision,
    StudyTable,
    expand_short_forms,
)
from experiments.variants import toml
from experiments.variants.rules_by_players import settable
from sim.parameters import nearest, no_such, one_of

GAMES = 16_384
"""The default number of games of each cell."""
MOST = 1_000_000
"""The default limit of games of each cell, if a precision is wanted."""
OURS = ("where", "folder", "settings")
"""Fields that a file may not set."""


class Design(StudyTable):
    """What a study varies, and how; ``experimental_designs`` expands it."""

    kind: Literal["grid", "zip", "list", "lhs", "sobol", "saltelli"] = "grid"
    vary: dict[str, Any] = Field(default_factory=dict)
    points: tuple[dict[str, Any], ...] = ()
    samples: int | None = Field(None, ge=2, le=1 << 20)
    invalid: Literal["refuse", "skip"] = "refuse"


class Study(StudyTable):
    """The contents of a study file; lists are tuples, short forms are expanded."""

    game: str = Field(description="Id of the game.")
    question: str = Field("", max_length=1_000, description="What you want to know.")
    variants: dict[str, dict[str, Any]] = Field(
        {"base": {}}, description="Rules: files, or a table of name and rules."
    )
    lineups: dict[str, str] = Field(  # label -> "a,b,c,d"
        default_factory=dict,
        description="Who plays: one strategy for all seats, or one for each.",
    )
    panel: bool | tuple[str, ...] = Field(
        False,
        description="Each strategy alone, the leading one against each, a mixed table.",
    )
    strategies: tuple[str, ...] = Field(
        (), description='Your own strategies, such as "my.py:Bold".'
    )
    rotate: bool = Field(True, description="Move the lineup on by a seat each game.")
    players: tuple[int, ...] = Field((), description="Numbers of players.")
    given: tuple[str, ...] = Field(
        (),
        description='Conditions that all deals fit, as "last: hand has 2 P"; also of a '
        "variant alone.",
    )
    games: int = Field(
        0,
        ge=0,
        le=MOST_GAMES,
        description="Games of each cell; with precision, the most.",
    )
    precision: Precision | None = Field(
        None, description='Stop once the first measure is this precise, as "0.2pp".'
    )
    adapt: float = Field(
        0.0,
        ge=0,
        allow_inf_nan=False,
        description="Seconds for which players learn each variant; 0: nobody does.",
    )
    measures: tuple[str, ...] = Field((), description="Measures to print and write.")
    seed: int | None = Field(
        None, ge=0, lt=1 << 64, description="Random seed; by default it is drawn."
    )
    detailed: bool = Field(
        True, description="Take all measures of the game's report, not only the end's."
    )
    tables: tuple[str, ...] = Field((), description='Raw tables to keep, or "all".')
    design: Design | None = Field(None, description="What to vary, and how.")
    targets: dict[str, Any] = Field(
        default_factory=dict, description="Bounds that measures should keep."
    )
    what_if: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="What fairdeal what-if changes, by name."
    )
    where: str = "study"  # the name of the file in messages
    folder: Path = Path()  # paths are relative to it
    settings: tuple[str, ...] = ()  # ``--set`` of the command line

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, values: dict[str, Any]) -> dict[str, Any]:
        return expand_short_forms(values)

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        """Refuse a study without lineups or variants."""
        if not self.lineups and self.panel is False and not self.adapt:
            raise ValueError(
                'lineups: name at least one, such as lineups = ["allround"], '
                "or write panel = true."
            )
        if not self.variants:
            raise ValueError('variants: name at least one: variants = ["base"].')
        if self.measures and not all(self.measures):
            raise ValueError("measures: a name is empty.")
        return self

    def given_of(self, variant: str) -> tuple[str, ...]:
        """The conditions that all deals of a variant fit: the study's, and its own."""
        return (*self.given, *self.variants[variant].get("given", ()))

    @property
    def most(self) -> int:
        """The games of each cell; the most, if a precision is wanted."""
        return self.games or (GAMES if self.precision is None else MOST)


def load(path: Path) -> Study:
    """Read a study file; raises ``UsageError``."""
    values = toml.read(path, "study")
    if {"rules", "base"} & set(values) and not {"lineups", "panel"} & set(values):
        raise UsageError(
            f"{path}: this is a variant file, not a study. Play it with "
            f"fairdeal run {values.get('game', 'GAME')} --variant {path}."
        )
    try:
        return parse(values, path.parent, str(path))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def parse(
    values: Mapping[str, Any], folder: Path = Path(), where: str = "study"
) -> Study:
    """Return the study in the tables of a file; raises ``UsageError``."""
    known = [name for name in Study.model_fields if name not in OURS]
    for key in values:
        if key not in known:
            raise UsageError(_unknown("", key, known) + _belongs(key, values))
    if "game" not in values:
        games = one_of(sim.games.REGISTRY)
        raise UsageError(f'the key "game" is missing. Games: {games}.')
    if isinstance(values["game"], str):
        sim.games.load(values["game"])
    try:
        return Study.model_validate({**values, "folder": folder, "where": where})
    except ValidationError as error:
        raise UsageError(_explain(error)) from None


def _unknown(place: str, key: str, known: Any) -> str:
    where = f"[{place}] " if place else ""
    return where + no_such("key", key, known)


def _belongs(key: str, values: Mapping[str, Any]) -> str:
    """Return a hint at where a key belongs that is misplaced at the top."""
    if key in Design.model_fields:
        return f" Put {key!r} under [design]."
    game = values.get("game")
    if sim.games.is_game(str(game)) and key in settable(
        sim.games.load(str(game)).rules()
    ):
        return f" Put {key!r} under the rules of a variant, or under [design.vary]."
    return ""


def _explain(error: ValidationError) -> str:
    """Return the first mistake in words: place, value, what is allowed."""
    first = error.errors()[0]
    message = str(first["msg"]).removeprefix("Value error, ")
    names = [str(part) for part in first["loc"]]
    if not names:
        return message
    place = ".".join(names)
    if first["type"] == "extra_forbidden":
        return _unknown(".".join(names[:-1]), names[-1], Design.model_fields)
    allowed = ""
    if names == ["design", "kind"]:
        kinds = [str(kind) for kind in get_args(Design.model_fields["kind"].annotation)]
        allowed = nearest(str(first["input"]), kinds).removeprefix(";").rstrip(".")
    return f"{place}: {message[0].lower()}{message[1:]}, not {first['input']!r}." + (
        f" D{allowed[2:]}" if allowed else ""
    )

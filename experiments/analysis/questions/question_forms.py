"""The forms of questions, and which of them a question in free text is.

    read_question("the last player always loses", words).form.id    # "position"

A question is matched by the names it has (of positions, roles, options, rules) and by
keywords; what it was taken to ask is told with the answer.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from experiments.analysis.questions.game_words import GameWords, Option
from experiments.analysis.simulated_beside import in_words
from experiments.core.cells import UsageError
from sim.parameters import one_of

Claim = Literal["less", "more", "differ", "trap", "dead", "strong", ""]


@dataclass(frozen=True)
class QuestionForm:
    """A form of questions.

    ``asks`` is the question that is answered, with places for its parts, and
    ``example`` one in free text. ``heads`` are keywords, or how they begin.
    """

    id: str
    asks: str
    example: str
    heads: tuple[str, ...]


FORMS = (
    QuestionForm(
        "positions",
        "does the position at the table matter",
        "does it matter who starts?",
        ("who", "start", "begin", "sit", "seat", "position", "order", "fair"),
    ),
    QuestionForm(
        "position",
        "does {group} win {claim} than an even share",
        "the last player always loses",
        ("los", "win", "won", "strong", "weak", "advantage", "unfair"),
    ),
    QuestionForm(
        "option",
        "is {what} {claim}",
        "which contract is a trap?",
        ("trap", "dead", "never", "use", "strong", "weak", "worth", "why", "which"),
    ),
    QuestionForm(
        "length",
        "are games {limit}",
        "is it too long?",
        ("long", "length", "minute", "duration", "takes"),
    ),
    QuestionForm(
        "comeback",
        "can who is behind still win",
        "can the last still come back?",
        ("comeback", "come", "back", "behind", "catch", "still"),
    ),
    QuestionForm(
        "runaway",
        "does an early leader run away",
        "does the leader run away?",
        ("leader", "runaway", "run", "away", "ahead", "snowball"),
    ),
    QuestionForm(
        "rule",
        "does the rule {rule} make a difference",
        "does the rule weeks matter?",
        ("rule", "matter", "differ", "need"),
    ),
    QuestionForm(
        "players",
        "does the game hold up",
        "and with two players?",
        (),
    ),
)
"""The forms, and an example of each."""
BY_ID = {form.id: form for form in FORMS}
_CLAIMS: Mapping[Claim, str] = {
    "less": "less",
    "more": "more",
    "differ": "more or less",
    "trap": "a trap",
    "dead": "dead",
    "strong": "too strong",
}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        (
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ),
        2,
    )
}
_ONE_NUMBER = f"({'|'.join(_NUMBERS)}|[0-9]{{1,3}})"
_COUNT = re.compile(
    rf"\b(?:with|for|at|of)?\s*{_ONE_NUMBER}\s+(?:players?|people|persons?|of us)\b"
    rf"|\bwith\s+{_ONE_NUMBER}$"
)
_LIMIT = re.compile(r"\b([0-9]{1,3})\s*(?:minutes|min)\b")
_OPTION_CLAIMS: Mapping[Claim, tuple[str, ...]] = {
    "trap": ("trap", "harm", "hurt", "mistake", "bad", "weak"),
    "dead": ("dead", "never", "useless", "unused", "nobody", "hardly", "seldom"),
    "strong": ("strong", "dominant", "overpowered", "always", "best", "must"),
}
_LESS = ("los", "weak", "unfair", "worse", "disadvantage", "never", "bad")
_MORE = ("win", "won", "strong", "better", "advantage", "best", "good")


@dataclass(frozen=True)
class ParsedQuestion:
    """A question as it was understood.

    ``claim``: what is asserted, or asked. ``group``: the position, or the role.
    ``options`` are those named, or all of the ``kind`` named. ``rule``: its key.
    ``players`` and ``minutes`` are None if the question has none.
    """

    text: str
    form: QuestionForm
    claim: Claim = ""
    group: str = ""
    role: bool = False
    options: tuple[Option, ...] = ()
    kind: str = ""
    rule: str = ""
    players: int | None = None
    minutes: float | None = None

    @property
    def understood(self) -> str:
        """What is asked, in words."""
        one = len({option.option for option in self.options}) == 1
        article = "an" if self.kind[:1] in "aeiou" else "a"
        limit = f"longer than {self.minutes:g} minutes" if self.minutes else "too long"
        asks = self.form.asks.format(
            group=self.group if self.role else in_words(self.group),
            claim=_CLAIMS.get(self.claim, ""),
            what=self.options[0].option if one else f"{article} {self.kind}",
            limit=limit,
            rule=self.rule,
        )
        return f"{asks}{f' with {self.players} players' if self.players else ''}?"


@dataclass(frozen=True)
class _Reading:
    """A form that a text may have, and its parts; the highest score is taken."""

    score: float
    parts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Text:
    """A text that is read: without its number of players, in small letters."""

    plain: str
    words: GameWords
    players: int | None
    minutes: float | None

    def count(self, heads: Sequence[str]) -> int:
        """Return how many of these its words begin with."""
        return sum(bool(re.search(rf"\b{head}", self.plain)) for head in heads)

    def score(self, form: str) -> int:
        """Return how many keywords of a form it has."""
        return self.count(BY_ID[form].heads)

    @property
    def side(self) -> Claim:
        """Whether it speaks of less or of more."""
        return (
            "less" if self.count(_LESS) else "more" if self.count(_MORE) else "differ"
        )


def read_question(text: str, words: GameWords) -> ParsedQuestion:
    """Return the question that a text asks; raises ``UsageError`` if it has no form."""
    plain = " ".join(re.findall(r"[\w.'+-]+", text.lower().replace("\u2019", "'")))
    match = _COUNT.search(plain)
    players = None
    if match:
        number = match.group(1) or match.group(2)
        players = _NUMBERS.get(number) or int(number)
        plain = f"{plain[: match.start()]} {plain[match.end() :]}".strip()
    limit = _LIMIT.search(plain)
    minutes = float(limit.group(1)) if limit else None
    read = _Text(plain, words, players, minutes)
    found = {id_: reading for id_, make in _READERS.items() if (reading := make(read))}
    if not found:
        examples = one_of(repr(form.example) for form in FORMS)
        raise UsageError(
            f"question: {text!r} is like none that can be answered. Such are: "
            f"{examples}."
        )
    best = max(found, key=lambda id_: found[id_].score)
    return ParsedQuestion(
        text, BY_ID[best], players=players, minutes=minutes, **found[best].parts
    )


def _positions(text: _Text) -> _Reading | None:
    asks = text.count(("matter", "who", "fair", "differ", "depend"))
    score = text.score("positions")
    if not asks or not score or text.words.role(text.plain):
        return None
    return _Reading(score + text.count(("matter", "fair")))


def _position(text: _Text) -> _Reading | None:
    group = text.words.role(text.plain)
    score = 6.0 if group else 1.5
    group = group or text.words.position(text.plain)
    if not group or (score < 6 and text.side == "differ"):
        return None
    parts = {"group": group, "claim": text.side, "role": score == 6}
    return _Reading(score + text.score("position"), parts)


def _option(text: _Text) -> _Reading | None:
    options, kind = text.words.options(text.plain)
    if not options:
        return None
    counts = {claim: text.count(heads) for claim, heads in _OPTION_CLAIMS.items()}
    claim = max(counts, key=lambda one: counts[one])
    parts = {"options": options, "kind": kind, "claim": claim}
    return _Reading(1.5 + text.score("option") + (kind == options[0].option), parts)


def _rule(text: _Text) -> _Reading | None:
    rule = text.words.rule(text.plain)
    return _Reading(5.0 + text.score("rule"), {"rule": rule}) if rule else None


def _keywords(form: str, least: int) -> Callable[[_Text], _Reading | None]:
    def read(text: _Text) -> _Reading | None:
        score = text.score(form)
        return _Reading(1.2 + score) if score >= least or form in text.plain else None

    return read


def _players(text: _Text) -> _Reading | None:
    return None if text.players is None else _Reading(0.5)


_READERS: Mapping[str, Callable[[_Text], _Reading | None]] = {
    "positions": _positions,
    "position": _position,
    "option": _option,
    "length": _keywords("length", 1),
    "comeback": _keywords("comeback", 2),
    "runaway": _keywords("runaway", 2),
    "rule": _rule,
    "players": _players,
}


def examples() -> Iterator[tuple[str, str]]:
    """Yield the id of each form, and a question of it."""
    for form in FORMS:
        yield form.id, form.example

"""An answer: yes, no or cannot tell, in sentences, with numbers at each strength."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from experiments.analysis.own_table import OwnTable
from experiments.analysis.play_log_columns import Columns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Word = Literal["yes", "no", "cannot tell"]
SCHEMA = {
    "level": pl.String, "what": pl.String, "estimate": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "answer": pl.String,
}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """What the games say: without the question and the sessions.

    ``rows``: level, what (a position, an option, ...), estimate, low, high (95 %) and
    answer, the strongest level last. ``unit`` is "%" for shares, else that of the
    numbers; ``even`` is what they are compared with.
    """

    answer: Word
    sentences: tuple[str, ...]
    rows: pl.DataFrame
    title: str
    unit: str = "%"
    even: float | None = None


@dataclass(frozen=True)
class Answer:
    """The answer to a question; ``str`` has it in words.

    ``question`` is the text, ``form`` the id of the form that it was taken for,
    ``understood`` what it was taken to ask. ``part`` is what the simulation says;
    ``sessions`` are sentences on the sessions of a group, whose tables are ``own``.
    """

    question: str
    form: str
    understood: str
    part: Part
    game: str
    players: int
    games: int
    specs: dict[str, str]
    sessions: tuple[str, ...] = ()
    own: OwnTable | None = None
    columns: Columns | None = None
    beside: pl.DataFrame = field(default_factory=pl.DataFrame)
    deals: str = ""  # what all deals have in common, if anything

    @property
    def answer(self) -> Word:
        """Yes, no or cannot tell, of the strongest players that played."""
        return self.part.answer

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything in words, the answer first."""
        return (*self.part.sentences, *self.sessions)

    @property
    def rows(self) -> pl.DataFrame:
        """The numbers at each strength."""
        return self.part.rows

    def plot(self) -> "Figure":
        """Draw the numbers at each strength, with intervals; the sessions beside."""
        from reports import figures  # slow to import

        rows = self.rows.drop_nulls("estimate").select(
            "level", "what", "estimate", "low", "high"
        )
        if not self.beside.is_empty():
            names = {"position": "what", "share": "estimate"}
            own = self.beside.rename(names).unique("what", maintain_order=True)
            own = own.filter(pl.col("what").is_in(rows["what"].to_list()))
            rows = pl.concat(
                [
                    own.select(pl.lit("your table").alias("level"), *rows.columns[1:]),
                    rows,
                ]
            )
        shares = self.part.unit in ("%", "points")
        return figures.dots(
            rows,
            "what",
            "estimate",
            "low",
            "high",
            title=self.part.title,
            xlabel=f"{self.part.title}, {'%' if shares else self.part.unit}",
            by="level",
            reference=self.part.even,
        )

    def plain(self) -> dict[str, Any]:
        """Return everything as plain values, for a file."""
        return {
            "question": self.question,
            "form": self.form,
            "understood": self.understood,
            "answer": self.answer,
            "sentences": list(self.sentences),
            "game": self.game,
            "players": self.players,
            "games": self.games,
            **({"given": self.deals} if self.deals else {}),
            "strengths": self.specs,
            "unit": self.part.unit,
            "even": self.part.even,
            "rows": self.rows.to_dicts(),
            "own": self.own and self.own.plain(),
            "columns": self.columns and self.columns.plain(),
            "beside": self.beside.to_dicts(),
        }

    def __repr__(self) -> str:
        """Say what was asked, and the answer."""
        head = f"Asked: {self.understood}\n{self.answer.capitalize()}."
        read = [self.columns.sentence] if self.columns else []
        read += [f"Given {self.deals}."] if self.deals else []
        return "\n".join([*read, head, *(f"- {text}" for text in self.sentences)])


def frame(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Return the rows of a part."""
    return pl.DataFrame(rows, SCHEMA)


def other_levels(rows: pl.DataFrame, said: Word) -> str:
    """Say at which weaker levels the answer is another; "" if at none.

    ``rows`` of one thing, the strongest level last.
    """
    different = {
        level: answer
        for level, answer in rows.select("level", "answer").rows()[:-1]
        if answer != said
    }
    words = [
        f"among {players_words(level)} {answer}" for level, answer in different.items()
    ]
    return f"At other strengths: {', '.join(words)}." if words else ""


def players_words(level: str) -> str:
    """Return players of a level in a sentence.

    >>> players_words("beginner"), players_words("strong")
    ('beginners', 'strong players')
    """
    return "beginners" if level == "beginner" else f"{level} players"

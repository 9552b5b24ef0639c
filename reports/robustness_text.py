"""How a finding's own sentence says whether it holds in all ways to play."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from reports.claims import Claim
from reports.formatting import all_of, join_words, percent, points, signed_points
from reports.report_document import Finding
from reports.statistics.equivalence import rounded_up
from reports.statistics.random_effects import PooledEstimate
from reports.statistics.robustness import (
    AGREES,
    DIFFERS,
    OPEN,
    Asserted,
    earned_label,
    weaker_label,
)

ROBUSTNESS_ID = "robust"
"""The section about all of these tests."""
TO_SETTLE = "more_games", "more_seconds"
"""Columns of what would settle a claim that is open: games, and seconds of a core."""
EXCLUDED = "excluded"
"""The word for a way to play that does not count."""


@dataclass(frozen=True)
class ClaimTest:
    """A claim tested in all ways to play, with a row for each."""

    claim: Claim
    asserted: Asserted
    rows: pl.DataFrame
    p: float  # of the test that the ways to play do not differ
    pooled: PooledEstimate | None = None  # over skilled players

    def styles_that(self, *holds: str) -> list[dict[str, Any]]:
        """Return the rows with these words: skilled players, then the clearest."""
        rows = self.rows.filter(pl.col("holds").is_in(holds))
        side = pl.lit(self.asserted.sign or 0) * pl.col("more")
        clear = -pl.col("more").abs() if self.asserted.sign == 0 else side
        keys = [pl.col("skilled") == "", *([clear] if DIFFERS in holds else [])]
        return rows.sort(keys, maintain_order=True).to_dicts()

    @property
    def by_strong(self) -> bool:
        """Whether strong players lead: then weaker ones do not judge."""
        return not self.rows.filter("leads", pl.col("skilled") != "").is_empty()

    def votes(self, *holds: str) -> list[dict[str, Any]]:
        """Return the rows with these words of those who judge, as ``styles_that``."""
        rows = self.styles_that(*holds)
        return [row for row in rows if row["skilled"] or not self.by_strong]

    @property
    def count(self) -> int:
        """Number of ways to play that judge."""
        return len(self.votes(AGREES, DIFFERS, OPEN))

    @property
    def ways(self) -> str:
        """What those who judge are called."""
        return "strong ways to play" if self.by_strong else "ways to play"

    @property
    def only(self) -> str:
        """Who alone judges, if strong players lead and no others were asked; or ""."""
        if not self.by_strong or self.count != 1:
            return ""
        [row] = self.votes(AGREES, DIFFERS, OPEN)
        return f"{row['way']}, the only strong way to play here"

    @property
    def judges(self) -> list[dict[str, Any]]:
        """The rows of skilled players who settle it, and tell the same number of it."""
        rows = self.rows.filter(
            pl.col("skilled") != "",
            pl.col("holds").is_in([AGREES, DIFFERS]),
            pl.col("who") == pl.col("claimed"),
        )
        return rows.drop_nulls("more").to_dicts()

    def pooled_rows(self) -> Iterator[dict[str, Any]]:
        """Yield the row of all skilled players together, if there are several."""
        if self.pooled is None:
            return
        rows = self.rows.filter(pl.col("skilled") != "", pl.col("holds") != EXCLUDED)
        holds = {*rows["holds"]}
        word = next((word for word in (DIFFERS, OPEN) if word in holds), AGREES)
        yield rows.row(0, named=True) | {
            "way": "strong ways to play, pooled",
            "who": rows["claimed"][0],
            "more": self.pooled.estimate,
            "more_low": self.pooled.low,
            "more_high": self.pooled.high,
            "verdict": "",
            "holds": word,
            "settled": word != OPEN,
            "n": rows["n"].sum(),
            **dict.fromkeys(TO_SETTLE),
            "skilled": "",
            "leads": False,
        }


def annotate_finding(finding: Finding, tried: ClaimTest) -> Finding:
    """Return a finding whose sentence says whether it holds in all ways to play.

    If it does not, the sentence begins with whom it does not hold for, with the numbers
    of skilled players and of the clearest other way. All ways decide its label; where
    strong players lead, all strong ones do, and a sentence tells of the others.
    """
    reasons = tried.rows.filter("leads", pl.col("why") != "")["why"].to_list()
    if reasons:
        text = f"{finding.text} If all play like that, {reasons[0]}."
        return replace(finding, text=text, sure="open")
    if tried.asserted.sign is None:
        text = f"{finding.text} {_none(tried)}"
        return replace(finding, text=text, sure="open")
    agree, differ, unsettled = (tried.votes(word) for word in (AGREES, DIFFERS, OPEN))
    claimed, alike = _claim_words(tried), join_words([row["way"] for row in agree])
    count = f"{len(agree)} of {tried.count} {tried.ways}"
    shown = earned_label(
        len(agree),
        len(differ),
        len(unsettled),
        refuted=any(row["skilled"] for row in differ),
    )
    if tried.only:
        shown = weaker_label(shown, "likely")
    finding = replace(finding, sure=weaker_label(finding.sure, shown))
    if not differ:
        holds = tried.only or f"{all_of(tried.count)} {tried.ways}"
        if unsettled:
            holds = f"{count} ({alike}); not settled for {_names(unsettled)}"
        text = f"{finding.text} {claimed or 'This'} holds for {holds}."
        return replace(finding, text=f"{text}{_range(tried)}{_weaker(tried)}")
    left = f", {len(unsettled)} not settled" if unsettled else ""
    others = [row for row in differ if not row["skilled"]]
    names = [_named(row) for row in differ if row["skilled"]]
    names += [f"{row['way']} ({_number(row)})" for row in others[:1]]
    names += [row["way"] for row in others[1:]]
    told = [f"not true of {join_words(names)}"] + [
        f"{_HOLDS[row['holds']]} {_named(row)}"
        for row in (*unsettled, *agree)
        if row["skilled"] and not row["leads"]
    ]
    if claimed:
        parts = [*(f"is {words}" for words in told), f"holds for {count}{left}"]
        text = f"{claimed} {join_words(parts)}. {finding.text}"
        return replace(finding, text=f"{text}{_range(tried)}{_weaker(tried)}")
    first = "".join(f"{words[0].upper()}{words[1:]}. " for words in told)
    only = f"Shown only if all play like {alike} ({count}{left})"
    text = f"{first}{only}: {finding.text}"
    return replace(finding, text=f"{text}{_range(tried)}{_weaker(tried)}")


_HOLDS = {AGREES: "true of", OPEN: "not settled for"}


def _range(tried: ClaimTest) -> str:
    """Say between what numbers strong ways to play are that settle it; "" if one is."""
    rows = tried.judges
    if len(rows) < 2 or tried.pooled is None:
        return ""
    names = join_words([row["way"] for row in rows])
    numbers = sorted(row["more"] for row in rows)
    ends = " and ".join(signed_points(numbers[at]) for at in (0, -1))
    text = (
        f" Strong ways to play ({names}) put {rows[0]['who']} between {ends} points "
        f"from {rows[0]['reference']}"
    )
    if tried.pooled.telling:
        text += f"; pooled over all such ways, {points(tried.pooled._asdict())}"
    return f"{text}."


def _weaker(tried: ClaimTest) -> str:
    """Say how many weaker ways to play show it, and which refute it, if none judges."""
    if not tried.by_strong:
        return ""
    agree, differ, unsettled = (
        [row for row in tried.styles_that(word) if not row["skilled"]]
        for word in (AGREES, DIFFERS, OPEN)
    )
    ways = len(agree) + len(differ) + len(unsettled)
    if not ways:
        return ""
    if len(agree) == ways > 1:
        return f" {all_of(ways).capitalize()} weaker ways to play show it, too."
    shows = "shows" if len(agree) == 1 else "show"
    text = f" Of {ways} weaker ways to play {len(agree) or 'none'} {shows} it"
    if not differ:
        return f"{text}, and none refutes it."
    row, *others = differ
    names = [f"{row['way']} ({_number(row)})", *(other["way"] for other in others)]
    return f"{text}; refuted by {join_words(names)}."


def _none(tried: ClaimTest) -> str:
    """Say which ways settle a claim that the leading strategy leaves open."""
    if tried.only:
        return f"It is not settled for {tried.only}."
    rows = tried.rows.filter(pl.col("settled") & (pl.col("holds") != EXCLUDED))
    if tried.by_strong:
        rows = rows.filter(pl.col("skilled") != "")
    if rows.is_empty():
        return f"It is settled for none of the {tried.count} {tried.ways}."
    names = _names(rows.to_dicts())
    return f"It is settled for {rows.height} of {tried.count} {tried.ways} ({names})."


def _claim_words(tried: ClaimTest) -> str:
    """Return the claim in words; "" if it is all that the finding says."""
    if tried.claim.by:
        return ""
    size = f"{100 * tried.claim.tolerance:.3g} points"
    even = tried.claim.reference or percent(tried.claim.even or 0)
    where = {1: f"over {size} above", -1: f"over {size} below", 0: f"within {size} of"}
    return f"That {tried.claim.subject} are {where[tried.asserted.sign or 0]} {even}"


def _names(rows: Sequence[dict[str, Any]]) -> str:
    """List ways to play, with the numbers of skilled players."""
    return join_words([*map(_named, rows)])


def _named(row: dict[str, Any]) -> str:
    if not row["skilled"]:
        return str(row["way"])
    return f"{row['skilled']} ({row['way']}: {_number(row)}{_settled_by(row)})"


def _settled_by(row: Mapping[str, Any]) -> str:
    """Say what would settle a claim for a way to play that leaves it open; or ""."""
    if row["more_games"] is None:
        return ""
    return f"; {settled_by(row['more_games'], row['more_seconds'])}"


def settled_by(games: float, seconds: float) -> str:
    """Say how many games more would settle a claim, and how long they take.

    >>> settled_by(2_912, 100)
    'about 3,000 games more, 2 minutes of a core, would settle it'
    >>> settled_by(2e6, 1)[:45]
    'if it stays as it is, more than 100,000 games'
    """
    if games > ABSURD:
        return (
            f"if it stays as it is, more than {ABSURD:,} games would be needed: so "
            "near the line that it does not matter on which side it is"
        )
    time = f", {_minutes(seconds)} of a core," if seconds else ""
    return f"about {rounded_up(games):,} games more{time} would settle it"


def _minutes(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    return f"{minutes:,} minutes" if minutes > 1 else "a minute"


ABSURD = 100_000
"""Games that nobody plays to settle a finding."""


def to_settle(tried: ClaimTest) -> str:
    """Say what would settle a claim for each strong way that leaves it open; or ""."""
    parts = [
        f"for {row['skilled']} {settled_by(row['more_games'], row['more_seconds'])}"
        for row in tried.votes(OPEN)
        if row["more_games"] is not None and not tried.votes(DIFFERS)
    ]
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _command(every: Sequence[ClaimTest], seconds: float) -> str:
    """Return the command that would settle what is open, as a sentence; or ""."""
    longest: dict[tuple[str, int], float] = {}
    for tried in every:
        for row in [] if tried.votes(DIFFERS) else tried.votes(OPEN):
            if row["more_games"] is not None and row["more_games"] <= ABSURD:
                table = row["way"], tried.claim.players
                longest[table] = max(row["more_seconds"], longest.get(table, 0.0))
    if not longest:
        return ""
    more = sum(longest.values())
    budget = 60 * math.ceil((more + seconds) / 60)
    return (
        " Where strong players leave one open and more games would settle it, that "
        f"takes about {_minutes(more)} more of a core: fairdeal report DIR --settle "
        f"{budget}."
    )


def _number(row: dict[str, Any]) -> str:
    """Return the number of a way to play, in words."""
    if row["more"] is None:
        return "too few games"
    who_wins = "" if row["who"] == row["finding"] else f"{row['who']} "
    return f"{who_wins}{points(row, 'more')} points from {row['reference']}"


def robustness_summary(every: Sequence[ClaimTest], seconds: float = 0.0) -> Finding:
    """Return a finding that counts how many leading findings hold for all players.

    seconds: those for which strong players played on so far.
    """
    settled = [tried for tried in every if tried.asserted.sign is not None]
    in_all = sum(len(tried.votes(AGREES)) == tried.count for tried in settled)
    in_some = sum(bool(tried.votes(DIFFERS)) for tried in settled)
    ways = next((tried.ways for tried in every), "ways to play")
    text = (
        f"Number of leading findings: {len(every)}. They hold for all {ways}: "
        f"{in_all}; only for some: {in_some}; not settled for all: "
        f"{len(settled) - in_all - in_some}; not settled even for the leading "
        f"strategy: {len(every) - len(settled)}.{_command(every, seconds)}"
    )
    return Finding(text, "" if every else "open", ROBUSTNESS_ID)

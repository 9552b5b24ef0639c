"""Seats and start: whether it matters who begins, in either phase.

Who begins is drawn anew for each phase, so seats as such cannot differ; positions
after him can: the last ones play the last cards.
"""

import numpy as np
import polars as pl

from reports.article_ii.formatting import phase_words
from reports.article_ii.played import PHASES, PlayedGames
from reports.counts import Counts, grid
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Section
from reports.positions import finding, in_words, seat_in_words, shares, versus_even
from reports.report_data import ReportData

_WHERE = Column("where", "where", "position after who begins the phase, or seat")
_NOTE = "Games that nobody wins alone count for no position."
_PLACES = in_words("who begins")


MEASURES = (
    Measure("won by place", "games won of all games", "share", by=("phase", "place")),
    Measure(
        "nominated by place",
        "games in which he becomes a Candidate",
        "share",
        by=("place",),
    ),
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums by place: wins in both phases, Candidates."""
    places = range(played.players)
    at = np.stack([played.place == place for place in places], axis=1)
    at &= played.over[:, None, None]  # (phases, places, seats, games)
    won = np.any(at & played.victory, axis=2)
    nominated = (at[0] & played.candidates).any(axis=1)
    one = played.over[:, None]
    return [
        grid("won by place", won, one, phase=PHASES, place=places),
        grid("nominated by place", nominated, one[0], place=places),
    ]


def section(data: ReportData) -> Section:
    """Win share by position and by seat."""
    places = versus_even(data, "won by place", ("phase", "place"), _PLACES)
    candidates = versus_even(data, "nominated by place", ("place",), _PLACES)
    candidates = candidates.filter(pl.col("players") > 2)
    seats = versus_even(data, "won by seat", ("seat",), seat_in_words)
    return Section(
        "seats",
        "Seats and start",
        f"With {data.who}. Each phase is begun by a player drawn at random; the last "
        "position plays the last card of the phase, if all hands are alike.",
        (
            shares(
                "seats-primary",
                "Win share by position in the Primary",
                _NOTE,
                places.filter(phase=1),
                _WHERE,
            ),
            shares(
                "seats-general",
                "Win share by position in the General",
                _NOTE,
                places.filter(phase=2),
                _WHERE,
            ),
            shares(
                "seats-candidates",
                "Share that become Candidates, by position in the Primary",
                "Of two players both are Candidates.",
                candidates,
                _WHERE,
                ("Candidates", "games in which he becomes one"),
            ),
            shares(
                "seats-seat",
                "Win share by seat (a check: who begins is drawn)",
                _NOTE,
                seats,
                _WHERE,
            ),
        ),
        tuple(
            finding(data, part, _subject(part))
            for players in data.counts
            for part in places.filter(players=players).partition_by("phase")
        ),
    )


def _subject(part: pl.DataFrame) -> str:
    """What may matter, in words."""
    phase = phase_words(part)["election"][0]
    return f"With {part['players'][0]} players, who begins the {phase}"


SECTION = ReportSection(section, MEASURES, counts=counts)

"""Declared claims: the right side of a bound, its sentence, and its claim."""

import math
from dataclasses import replace

import polars as pl
import pytest

from reports.bounded_claims import BoundedClaim, RowsClaim
from reports.game_report import GameReport, ReportSection
from reports.measure_tables import MeasureTable, Number, VerdictColumn, here, stacked
from reports.measures import SUMS, MeasuresOf
from reports.report_data import CELL, ReportData
from reports.report_document import Column

_BY = MeasuresOf("t", by="card")
MEASURES = (
    _BY.share("kept", "cards kept"),
    _BY.mean("gain", "points gained", unit="points"),
    MeasuresOf("t").share("ended", "games that end early"),
)
GAMES = 10_000
WORDS = {"within": "rare", "outside": "over {most}", "undecided": "unclear"}


def data(ended=500, gains=(0, 2, -3)):
    """Two tables of 3 and 4 players, with ``ended`` of 10,000 games ended early."""
    cells = pl.DataFrame(
        [[n, "ace", "self", players, "", 0, ""] for n, players in enumerate((3, 4))],
        schema=CELL,
        orient="row",
    )
    rows = []
    for cell in (0, 1):
        rows.append(("ended", cell, None, ended, ended))
        rows += [("kept", cell, card, 2_000, 2_000) for card in "abc"]
        rows += [
            ("gain", cell, card, gain * GAMES, (gain**2 + 1) * GAMES)
            for card, gain in zip("abc", gains, strict=True)
        ]
    sums = pl.DataFrame(
        [
            {"measure": m, "cell": c, "card": card}
            | dict(
                zip(SUMS, map(float, (y, GAMES, yy, GAMES, y, GAMES, y)), strict=True)
            )
            for m, c, card, y, yy in rows
        ]
    )
    measures = {measure.name: measure for measure in MEASURES}
    columns = {"card": Column("card", "card", "the card")}
    return ReportData(sums, cells, GAMES, {}, "ace", measures, columns)


EARLY = BoundedClaim(
    "With {players} players {value} end early, {kept} kept (even {even}): {verdict}",
    "ended",
    WORDS,
    least=0.0,
    most=lambda players: 0.2 / players,
    also={"kept": ("kept", {"card": "b"})},
    subject="games that end early",
)


def test_a_claim_is_tested_for_each_number_of_players():
    three, four = EARLY(data(ended=580))
    assert three.text.startswith("With 3 players 5.8 ± 0.5 %")
    assert "20.0 ± 0.8 % kept" in three.text
    assert three.text.endswith("(even 33.3 %): rare.")
    assert four.text.endswith(": over 5 %.")
    assert (three.sure, four.sure) == ("sure", "sure")
    assert "0 % to 6.67 %" in three.tested
    assert three.claim.tolerance == pytest.approx(three.claim.even) == 0.1 / 3


def test_an_undecided_claim_says_how_many_games_it_needs():
    [finding] = BoundedClaim(
        "{value}: {verdict}", "ended", WORDS, most=0.05, once=True
    )(data())
    assert finding.sure == "open"
    assert ": unclear; " in finding.text
    assert finding.claim is None


def test_where_nothing_was_counted_nothing_is_claimed():
    assert [*BoundedClaim("{value}", "kept", WORDS, where={"card": "z"})(data())] == []
    assert [*BoundedClaim("{value}", "ended", WORDS, fewest=5)(data())] == []


def test_a_claim_with_one_bound_allows_any_number_on_the_other_side():
    claim = BoundedClaim("{value}: {verdict}", "gain", WORDS, where={"card": "b"})
    for bound, tested in (({"least": 1.5}, "at least 1.5"), ({"most": 2.5}, "at most")):
        [finding] = replace(claim, once=True, **bound)(data())
        assert finding.text.endswith(": rare.")
        assert tested in finding.tested


def test_a_claim_that_lacks_something_says_what():
    for bad in ({"verdicts": {"within": "", "outside": ""}}, {"most": math.inf}):
        with pytest.raises(ValueError, match=r"no words for \['undecided|two bounds"):
            replace(EARLY, **bad)
    with pytest.raises(ValueError, match=r"kept is by \['card'\]"):
        [*BoundedClaim("{value}", "kept", WORDS)(data())]


GAINS = MeasureTable(
    "gains",
    "Gains of {who}",
    "",
    (
        "card",
        Number("gain", "gain"),
        VerdictColumn(0.5, "half a point", {"above": "boon", "below": "burden"}),
    ),
    only=here,
    sort=("card",),
)


def test_rows_that_differ_are_named_and_counted():
    phrases = {"above": "gain", "below": "lose"}
    claim = RowsClaim("Cards, {players} players", GAINS, "card", phrases)
    [finding] = claim(data())
    assert finding.text.startswith("Cards, 4 players: gain: b (2")
    assert "; lose: c (\N{MINUS SIGN}3" in finding.text
    assert finding.sure == "sure"
    assert "half a point, 95 %; Holm over 3 rows" in finding.tested
    [several] = RowsClaim("", GAINS, "card", phrases, many=1)(data(gains=(3, 2, 3)))
    assert several.text.endswith("and 2 more.")
    [none] = claim(data(gains=(0, 0, 0)))
    assert (none.sure, none.text) == (
        "sure",
        "Cards, 4 players: none differs by more than half a point.",
    )
    [unsure] = claim(data(gains=(0.5, 0.5, 3)))
    assert unsure.sure == "likely"
    assert unsure.text.endswith("2 of 3 undecided.")


def test_a_table_judges_its_rows_and_says_how():
    exhibit = GAINS.of(data())
    assert exhibit.title == "Gains of ace in every seat"
    assert exhibit.table["verdict"].to_list() == ["within", "boon", "burden"]
    assert exhibit.columns[2].doc.startswith("boon: shown to be more than half a point")


def test_measures_are_stacked_with_values_of_groups():
    rows = stacked({"early": "ended", "b": ("kept", {"card": "b"})})(data())
    assert rows["players"].to_list() == [3, 3, 4, 4]
    assert rows["what"].to_list() == ["early", "b"] * 2
    assert rows["estimate"].to_list() == [0.05, 0.2] * 2


def test_a_section_shows_what_it_declares():
    section = ReportSection(
        measures=MEASURES,
        tidy=lambda read: {},
        tables=(GAINS,),
        claims=(EARLY,),
        id="a",
        title="A",
        question="What is A?",
    )
    assert GameReport((section,), groups=(Column("card", "card", "the card"),))
    made = section.of(data())
    assert made.intro == "With ace in every seat."
    assert [exhibit.id for exhibit in made.exhibits] == ["gains"]
    assert [finding.section for finding in made.findings] == ["a", "a"]

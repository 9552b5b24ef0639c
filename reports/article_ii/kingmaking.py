"""Kingmaking: players who cannot win, and decide who does (``general_choices``)."""

import polars as pl

from reports.article_ii.general_choices import DECIDERS, EVERY, FACTS, KINDS
from reports.figure_specs import bars, dots
from reports.formatting import percent, share
from reports.game_report import SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, WordColumn
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.statistics.equivalence import sureness
from reports.verdicts import how_tested, verdict_of

KINGMAKING = 0.1
"""Up to a tenth of the games decided by a kingmaker are accepted."""


def tables(data: ReportData) -> SectionParts:
    """Yield whose choice decides, when, and what kingmakers can do; if tried."""
    if data.leading("kingmaking turns").is_empty():
        return
    last = "whose choice was the last to decide"
    of_games = "share of games that one player wins"
    yield MeasureTable(
        "take-that-deciders",
        "Whose choice is the last that decides who wins",
        "Of games that one player wins. Each turn of the General is played again with "
        "each card in hand on each player, and all that follows, that player's later "
        "turns too, is played by the same strategies on the same chance; they also "
        "choose what a card removes, and all answers. The table counts whose turn was "
        "the last at which that changed who wins. A kingmaker wins with no option, but "
        "decides which other becomes President. A rival would have won with some "
        "option. Nobody: there is no such turn. This is judged afterwards, with all "
        f"hands open, one turn at a time. Every {EVERY}th game is tried.",
        (
            "players",
            WordColumn("who", "decided by", last, DECIDERS.__getitem__, "decider"),
            Number("decided by", "games"),
        ),
        rows=PLAYERS_IN_WORDS,
        draw=bars("table", f"{of_games}, %", "who"),
    )
    hand = data.rules["hand"]
    rounds = f"round of the General; {hand} cards are dealt"
    where = pl.format("{} players, round {}", "players", "time")
    differ = "what the options of the choice change"
    yield MeasureTable(
        "take-that-choices",
        "What a choice of the General decides, round by round",
        "All turns of these games; a round is a turn of everybody. A choice decides "
        "whether the player wins if they win with some options, not with others; else "
        "which other wins (kingmaking), if options make different others President.",
        (
            "players",
            WordColumn("time", "round", rounds, lambda at: _time(at, hand), "round"),
            WordColumn("what", "decides", differ, KINDS.__getitem__, "decides"),
            Number("choices", "share"),
        ),
        rows=lambda rows: rows.with_columns(where=where),
        draw=bars("where", "share of choices, %", "what"),
    )
    yield MeasureTable(
        "take-that-kingmakers",
        "Who kingmakers are, and what they can do",
        "Of the turns at which a kingmaker chooses, in games that one player wins.",
        (
            "players",
            WordColumn("what", "what", "what is counted", FACTS.__getitem__, "fact"),
            Number("kingmakers", "share", "share of turns, options or Presidents"),
        ),
        rows=PLAYERS_IN_WORDS,
        draw=dots("what", "share, %", by="table"),
    )


def _time(at: int, hand: int) -> str:
    return str(at) if at <= hand else f"{at} on"


def findings(data: ReportData, players: int) -> SectionParts:
    """Say how often a kingmaker decides."""
    rows = data.leading("decided by", players=players)
    if rows.is_empty():
        return
    by = {DECIDERS[row["decider"]]: row for row in rows.to_dicts()}
    king = by["a kingmaker"]
    verdict = verdict_of(king, -1.0, KINGMAKING)
    ever, turns = (
        data.leading(name, players=players).row(0, named=True)
        for name in ("a kingmaker somewhere", "kingmaking turns")
    )
    text = (
        f"Kingmaking, {players} players, {data.who}: in {share(king)} of the games "
        "that one player wins, the last choice of the General that decides who wins is "
        f"a kingmaker's, who wins with no option: {_VERDICTS[verdict]}. It is the "
        f"President's own in {share(by['the President'])}, a rival's in "
        f"{share(by['a rival'])}. In {share(ever)} of these games there is a turn at "
        "which a player who could not win with it could have made another President; "
        f"{share(turns)} of all turns of the General are like that. Each card is tried "
        "on each player, one turn at a time; the same strategies play the rest."
    )
    tested = how_tested(percent(KINGMAKING), "shares", 1, king["n"])
    yield Finding(text, sureness(verdict), tested=tested)


_VERDICTS = {
    "within": f"no more than {100 * KINGMAKING:.0f} %",
    "outside": f"more than {100 * KINGMAKING:.0f} %",
    "undecided": f"whether more than {100 * KINGMAKING:.0f} % is undecided",
}

"""Kingmaking: players who cannot win, and decide who does; what was tried in words."""

import polars as pl

from reports.article_ii.choices import DECIDERS, EVERY, FACTS, KINDS
from reports.article_ii.formatting import tables_of, texts
from reports.drawing import bars, dots
from reports.formatting import PLAYERS, N, estimated, exhibit, share
from reports.page import Column, Exhibit, Finding
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, sure

KINGMAKING = 0.1
"""Up to a tenth of the games decided by a kingmaker are let pass."""


def exhibits(data: ReportData) -> tuple[Exhibit, ...]:
    """Whose choice decides, when, and what kingmakers can do; nothing if not tried."""
    if data.leading("kingmaking turns").is_empty():
        return ()
    return _decided(data), _choices(data), _kingmakers(data)


def _decided(data: ReportData) -> Exhibit:
    rows = data.leading("decided by")
    return exhibit(
        "take-that-deciders",
        "Whose choice is the last that decides who wins",
        "Of games that one player wins. Each turn of the General is played again with "
        "each card in hand on each player, and all that follows, his own later turns "
        "too, is played by the same strategies with the same chance; what a card "
        "removes and all answers are theirs as well. Told is whose turn was the last "
        "at which that changed who wins. A kingmaker wins with none of his options, "
        "but different others become President. A rival would have won with some. "
        "Nobody: there is no such turn. So it is judged afterwards, with all hands "
        f"open, one turn at a time. Every {EVERY}th game is tried.",
        tables_of(rows).with_columns(
            who=texts([DECIDERS[at] for at in rows["decider"]])
        ),
        (
            PLAYERS,
            Column("who", "decided by", "whose choice was the last to decide"),
            estimated("games", "share of games that one player wins", "share"),
            N,
        ),
        bars("table", "share of games that one player wins, %", "who"),
    )


def _choices(data: ReportData) -> Exhibit:
    rows = data.leading("choices")
    hand = data.rules["hand"]
    rounds = [str(at) if at <= hand else f"{at} on" for at in rows["round"]]
    rows = rows.with_columns(
        time=texts(rounds), what=texts([KINDS[at] for at in rows["decides"]])
    ).with_columns(where=pl.format("{} players, round {}", "players", "time"))
    return exhibit(
        "take-that-choices",
        "What a choice of the General decides, round by round",
        "All turns of these games; a round is a turn of everybody. A choice decides "
        "whether he wins if he does with some options and not with others; else which "
        "other wins (kingmaking), if different others become President by his options.",
        rows,
        (
            PLAYERS,
            Column("time", "round", f"round of the General; {hand} cards are dealt"),
            Column("what", "decides", "what his options differ in"),
            estimated("share", "share of choices", "share"),
            N,
        ),
        bars("where", "share of choices, %", "what"),
    )


def _kingmakers(data: ReportData) -> Exhibit:
    rows = data.leading("kingmakers")
    return exhibit(
        "take-that-kingmakers",
        "Who kingmakers are, and what they can do",
        "Of the turns at which a kingmaker chooses, in games that one player wins.",
        tables_of(rows).with_columns(what=texts([FACTS[at] for at in rows["fact"]])),
        (
            PLAYERS,
            Column("what", "what", "what is counted"),
            estimated("share", "share of turns, options or Presidents", "share"),
            N,
        ),
        dots("what", "share, %", by="table"),
    )


def findings(data: ReportData, players: int) -> tuple[Finding, ...]:
    """How often a kingmaker decides, in words."""
    rows = data.leading("decided by", players=players)
    if rows.is_empty():
        return ()
    by = {DECIDERS[row["decider"]]: row for row in rows.rows(named=True)}
    king = by["a kingmaker"]
    verdict = judge([king["estimate"]], [king["se"]], -1.0, KINGMAKING, share=True)[0]
    ever, turns = (
        data.leading(name, players=players).row(0, named=True)
        for name in ("a kingmaker somewhere", "kingmaking turns")
    )
    text = (
        f"Kingmaking, {players} players, {data.who}: in {share(king)} of the games "
        "that one player wins, the last choice of the General that decides who wins is "
        f"a kingmaker's, who wins with none of his options: {_SAID[verdict]}. It is "
        f"the President's own in {share(by['the President'])}, a rival's in "
        f"{share(by['a rival'])}. In {share(ever)} of these games there is a turn at "
        "which a player who could not win by it could have made another President; "
        f"of all turns of the General {share(turns)} are such. Tried is each card on "
        "each player, one turn at a time; the rest is played on by the same strategies."
    )
    return (Finding(text, sure(verdict), "take-that"),)


_SAID = {
    "within": f"no more than {100 * KINGMAKING:.0f} %",
    "outside": f"more than {100 * KINGMAKING:.0f} %",
    "undecided": f"whether more than {100 * KINGMAKING:.0f} % is undecided",
}

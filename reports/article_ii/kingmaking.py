"""Kingmaking: players who cannot win, and decide who does; what was tried in words."""

import polars as pl

from reports.article_ii.choices import DECIDERS, EVERY, FACTS, KINDS, KING
from reports.article_ii.words import tables_of, texts
from reports.drawing import bars, dots
from reports.found import Found
from reports.page import Column, Exhibit, Finding
from reports.verdicts import judge, sure
from reports.words import PLAYERS, N, estimated, exhibit, share

KINGMAKING = 0.1
"""Up to a tenth of the games decided by a kingmaker are let pass."""


def exhibits(found: Found) -> tuple[Exhibit, ...]:
    """Whose choice decides, when, and what kingmakers can do."""
    return _decided(found), _choices(found), _kingmakers(found)


def _decided(found: Found) -> Exhibit:
    rows = found.leading("decided by", "rate", ("decider",))
    return exhibit(
        "take-that-deciders",
        "Whose choice is the last that decides who becomes President",
        "Of games that one player wins: the last turn of the General at which another "
        "option would have decided otherwise, and whose turn it was. Each option of a "
        "turn (a card, and on whom) is played on by the same strategies with the same "
        "chance. A kingmaker wins with none of his options, but different others do. "
        "A rival would have won with some option. Nobody: no single option of any turn "
        f"changes who wins. Every {EVERY}th game is tried.",
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


def _choices(found: Found) -> Exhibit:
    rows = found.leading("choices", "rate", ("stage", "decides"))
    hand = found.rules["hand"]
    stages = [str(at) if at <= hand else "later" for at in rows["stage"]]
    rows = rows.with_columns(
        card=texts(stages), what=texts([KINDS[at] for at in rows["decides"]])
    ).with_columns(where=pl.format("{} players, card {}", "players", "card"))
    return exhibit(
        "take-that-choices",
        "What a choice of the General decides, card by card",
        "All turns of these games, by the how manieth card of each player it is "
        f"(later: who draws cards may play more than {hand}). A choice decides whether "
        "he wins if he does with some options and not with others; else which other "
        "wins (kingmaking), if different others become President by his options.",
        rows,
        (
            PLAYERS,
            Column("card", "card", "first, second, ... card of the General"),
            Column("what", "decides", "what his options differ in"),
            estimated("share", "share of choices", "share"),
            N,
        ),
        bars("where", "share of choices, %", "what"),
    )


def _kingmakers(found: Found) -> Exhibit:
    rows = found.leading("kingmakers", "rate", ("fact",))
    return exhibit(
        "take-that-kingmakers",
        "Who kingmakers are, and what they can do",
        "Of the choices that are kingmaking, in games that one player wins: how many "
        "of the options make another President than there was, how often three or "
        "more players can be made President, and how often who chooses is a Spoiler.",
        tables_of(rows).with_columns(what=texts([FACTS[at] for at in rows["fact"]])),
        (
            PLAYERS,
            Column("what", "what", "of kingmaking choices"),
            estimated("share", "share of options, or of choices", "share"),
            N,
        ),
        dots("what", "share, %", by="table"),
    )


def findings(found: Found, players: int) -> tuple[Finding, ...]:
    """How often a kingmaker decides, in words."""
    rows = found.leading("decided by", "rate", ("decider",), players=players)
    if rows.is_empty():
        return ()
    by = {DECIDERS[row["decider"]]: row for row in rows.rows(named=True)}
    king = by["a kingmaker"]
    verdict = judge([king["estimate"]], [king["se"]], -1.0, KINGMAKING)[0]
    (ever,) = found.leading("a kingmaker somewhere", "rate", players=players).rows(
        named=True
    )
    kinds = found.leading("choices in all", "rate", ("decides",), players=players)
    text = (
        f"Kingmaking, {players} players, {found.who}: in {share(king)} of the games "
        f"that one player wins, the last choice that decides who is a kingmaker's, "
        f"who wins with none of his options: {_SAID[verdict]}. It is the President's "
        f"own in {share(by['the President'])}, a rival's in {share(by['a rival'])}. In "
        f"{share(ever)} somebody who could not win by what he played at that moment "
        "could have made another President by it; of all choices of the General "
        f"{share(kinds.row(KING, named=True))} are such. One choice (a card, and on "
        "whom) is changed at a time, and the rest played on by the same strategies."
    )
    return (Finding(text, sure(verdict), "take-that"),)


_SAID = {
    "within": f"no more than {100 * KINGMAKING:.0f} %",
    "outside": f"more than {100 * KINGMAKING:.0f} %",
    "undecided": f"whether more than {100 * KINGMAKING:.0f} % is undecided",
}

"""Values that a cube sets, of colours and the bust value: by whom, and who profits."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.figure_specs import dots, lines
from reports.game_report import ReportSection
from reports.kbernestich.game_arrays import SUITS, KbernestichArrays
from reports.kbernestich.labels import rank_words
from reports.measure_tables import MeasureTable, Number, here, with_words
from reports.measures import MeasuresOf
from reports.report_document import Column

_GAINS = {"setter": "mine", "leader": "leader", "last": "last"}
_BY_RANK = MeasuresOf("colours", by="standing", unit="points")
_BUSTS = MeasuresOf("busts", by="bust")
_SET = MeasuresOf("busts", by="bust", where=pl.col("set"))
_OTHERS = (pl.col("over") - pl.col("mine"), pl.col("seats") - pl.col("me"))
_VALUE = pl.col("value")
MEASURES = (
    _BY_RANK.mean("colour value by rank", "mean value set", "value"),
    *(
        _BY_RANK.mean(f"{who} gains", f"points to the {who}", pl.col(cards) * _VALUE)
        for who, cards in _GAINS.items()
    ),
    _BY_RANK.mean(
        "all gain", "mean points to a seat", pl.col("cards") * _VALUE, "players"
    ),
    _BUSTS.share("over", "share of the seats without Grace that bust", "over", "seats"),
    _BUSTS.mean("over lost", "points that a seat loses by it", "lost", "seats"),
    _BUSTS.per_game("bust rounds", "rounds with this value per game"),
    _SET.share("setter over", "share of the setters that bust", "mine", "me"),
    _SET.share("others over", "share of the other seats", *_OTHERS),
)


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per colour that was set by a cube, and a row per round.

    standing: the setter's rank before the round, from 1. mine, leader, last, cards:
    cards of it won in the round by the setter, by the leader and the last before the
    round, and by all. seats: those without Grace, of which ``over`` exceed the bust
    value and lose points (lost). set: whether a cube set it; me: whether the setter is
    without Grace; mine: whether the setter busts.
    """
    colours = [_of_suit(played, at) for at in range(played.suits)]
    return {"colours": pl.concat(colours), "busts": _busts(played)}


def _of_suit(played: KbernestichArrays, at: int) -> pl.DataFrame:
    squares = [n for n in played.squares if n.startswith(f"from-{SUITS[at]}-")]
    setting = (played.placed & played.bits(squares)) != 0
    cards = np.bitwise_count(played.won & played.suit_masks[at])

    def of(values: Array, seats: Array) -> Array:
        seat = seats.argmax(axis=1)[:, None]
        mine: Array = np.take_along_axis(values, seat, axis=1)[:, 0]
        return mine.astype(np.int16)

    columns = {
        "value": played.values[:, at],
        "standing": of(played.standing, setting) + 1,
        "mine": of(cards, setting),
        "leader": of(cards, played.standing == 0),
        "last": of(cards, played.standing == played.players - 1),
        "cards": cards.sum(axis=1, dtype=np.int16),
        "players": np.int16(played.players),
    }
    rows = np.flatnonzero(setting.any(axis=1))
    return played.frame(played.bust.shape, columns, rows)


def _busts(played: KbernestichArrays) -> pl.DataFrame:
    bare = (played.placed & played.area("grace")) == 0
    over = (played.base > played.bust[:, None]) & bare
    setting = (played.placed & played.area("zabine")) != 0
    of_seats = {
        "seats": bare,
        "over": over,
        "lost": played.base * over,
        "me": setting & bare,
        "mine": setting & over,
    }
    sums = {name: part.sum(axis=1, dtype=np.int16) for name, part in of_seats.items()}
    rounds = {"bust": played.bust, "set": setting.any(axis=1), **sums}
    return played.frame(played.bust.shape, rounds)


SECTION = ReportSection(
    id="values",
    title="Values of colours, and busts",
    question="Who sets what colours are worth and when players bust, and who profits?",
    intro="With {who}, {players} players. A cube in Letter from Marie says what each "
    "card of a colour is worth, to everybody; one in Zabine's Aftermath sets the bust "
    "value, above which cards bring nothing.",
    measures=MEASURES,
    tidy=tables,
    records=("deal", "score", "sheet"),
    tables=(
        MeasureTable(
            "values-rank",
            "Who profits from a colour, by the setter's rank",
            "Points from one colour, before any bust; ranks before the round.",
            (
                Column("setter", "set by", "rank before the round"),
                Number("setter gains", "setter"),
                Number("leader gains", "leader", name="leader"),
                Number("last gains", "last", name="last"),
                Number("all gain", "mean", name="all"),
                Number("colour value by rank", "value", name="value"),
            ),
            only=here,
            rows=with_words("setter", rank_words, "standing", "players"),
            draw=lines("standing", "points to the setter"),
        ),
        MeasureTable(
            "values-bust",
            "How often a base exceeds the bust value",
            "Seats without Hannah's Grace. Setter and others: where a cube set it.",
            (
                "bust",
                Number("over", "over"),
                Number("over lost", "lost", name="lost"),
                Number("setter over", "setter", name="setter"),
                Number("others over", "others", name="others"),
                Number("bust rounds", "rounds", name="rounds"),
            ),
            only=here,
            draw=dots("bust", "seats that bust, %"),
        ),
    ),
)

"""The parameters of Kunitame, each with its range, default and source.

Sources: "text" is the rule text "Variant Rules vol 1" by 138games, with the
paragraph; K1 to K8 are readings of what the text leaves open.
"""

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import model_validator

from sim.kunitame.squares import DEVIL, PRIEST, RANK_SQUARES, Square, default_squares
from sim.parameters import RuleError, Rules, no_such, one_of, parameter

MOST = 255  # Life gems, or points, of a player


class Kunitame(Rules):
    """The rules of Kunitame."""

    weeks: int = parameter(
        4, "election weeks in a game", unit="weeks", source="text, outline", ge=1, le=12
    )
    hand: int = parameter(
        7,
        "Strength cards dealt to a player each week",
        unit="cards",
        source="text, 1A",
        ge=1,
        le=20,
    )
    rounds: int = parameter(
        7, "tricks in a week", unit="tricks", source="text, 4", ge=1, le=20
    )
    life: int = parameter(
        3,
        "Life gems of a player at the start",
        unit="gems",
        source="text, setup 4",
        ge=1,
        le=12,
    )
    gems_each_colour: int = parameter(
        15,
        "gems of each colour in the box",
        unit="gems",
        source="text, components",
        ge=1,
        le=99,
    )
    suits: tuple[str, ...] = parameter(
        ("blue", "red", "yellow"),
        "suits of the Ability cards",
        source="text, pledge list",
    )
    ranks: int = parameter(
        13,
        "Ability cards in a suit: 1 to this",
        unit="cards",
        source="text, components",
        ge=1,
        le=60,
    )
    devil_ranks: int = parameter(
        13,
        "Devil cards: 1 to this",
        unit="cards",
        source="text, components",
        ge=0,
        le=60,
    )
    priests_per_player: int = parameter(
        1,
        "Priest cards in the Strength deck for each player",
        unit="cards",
        source="text, setup 7",
        ge=0,
        le=5,
    )
    contract_squares: tuple[int, ...] = parameter(
        (1, 2, 3, 4, 5),
        "the squares of a contract card: exactly so many tricks",
        unit="tricks",
        items=("Contract square no. {}", "tricks"),
        source="text, contract cards",
    )
    contract_returns: tuple[int, ...] = parameter(
        (1, 1, 1, 1, 1),
        "Life gems that come back for each gem on a kept contract, by contract square",
        unit="gems",
        items=("Contract square no. {}", "Life gems back"),
        source="text, contract cards",
    )
    contract_points: tuple[int, ...] = parameter(
        (0, 0, 0, 0, 0),
        "1-point gems paid for each gem on a kept contract, by contract square",
        unit="gems",
        items=("Contract square no. {}", "1-point gems"),
        source="text (none are paid)",
    )
    contract_limit: int = parameter(
        12,
        "most Life gems that a player may stake in one week",
        unit="gems",
        source="text (no limit but the Life gems)",
        ge=0,
        le=64,
    )
    squares: tuple[Square, ...] = parameter(
        default_squares(), "the squares of the pledge cards", source="text, pledge list"
    )
    removed_pledge: str = parameter(
        "P7",
        "the pledge card that goes back to the box, or none",
        source="K1",
        assumed="the card printed '4+' is taken to be P7, rank of trick count",
    )
    no_tricks_squares: Literal["inert", "return_target", "claimable_at_liquidation"] = (
        parameter("inert", "what the No Tricks squares are for", source="K2")
    )
    zero_trick_liquidation: Literal["return", "exempt", "vacuous_true"] = parameter(
        "return", "liquidation of a player without a trick", source="K3"
    )
    return_trigger: Literal["player", "board_empty"] = parameter(
        "player",
        "a gem goes back where the player, or nobody, could win one",
        source="K4",
    )
    liquidation_take: Literal["may", "must"] = parameter(
        "may", "a gem that can be won at liquidation may be declined", source="K5"
    )
    trick_take: Literal["must", "may"] = parameter(
        "must", "a gem that a trick wins has to be taken", source="K6"
    )
    refill_weekly: bool = parameter(
        False, "vacant squares get their gem again each week", source="K7"
    )
    p7_rank: Literal["distinct", "players"] = parameter(
        "distinct",
        "ranks are counted over distinct trick counts, or over players",
        source="K8",
    )
    return_choice: Literal["player", "black-first"] = parameter(
        "player", "who chooses between the two black squares", source="K11"
    )
    all_eliminated: Literal["nobody", "points"] = parameter(
        "nobody", "who wins where everyone is eliminated", source="text, Game Over"
    )

    @property
    def in_play(self) -> tuple[Square, ...]:
        """The squares of the pledge cards that are not removed."""
        return tuple(s for s in self.squares if s.pledge != self.removed_pledge)

    @property
    def pledges(self) -> tuple[str, ...]:
        """The pledge cards in play, in the order of the table."""
        return tuple(dict.fromkeys(square.pledge for square in self.in_play))

    @property
    def no_tricks(self) -> tuple[str, ...]:
        """The ids of the No Tricks squares, where they matter."""
        if self.no_tricks_squares == "inert":
            return ()
        return tuple(f"no-tricks-{pledge}" for pledge in self.pledges)

    @model_validator(mode="after")
    def _together(self) -> Self:
        """Refuse values that contradict each other."""
        for problem in problems(self):
            raise ValueError(problem)
        return self

    def check(self, players: int) -> None:
        """Refuse a number of players that is not allowed; raises ``RuleError``."""
        for problem in problems_at(self, players):
            raise RuleError(problem)

    def shortages(self, players: int) -> list[str]:
        """The gems that this game needs beyond those in the box, in words."""
        values = [square.gem for square in self.in_play]
        needs = {
            "Life gems": self.life * players,
            "1-point gems": values.count(1),
            "3-point gems": values.count(3),
        }
        in_box = self.gems_each_colour
        return [
            f"{need} {gem} are needed, the box holds {in_box}"
            for gem, need in needs.items()
            if need > in_box
        ]


def problems(rules: Kunitame) -> Iterator[str]:
    """Contradictions between values, for any number of players."""
    yield from _suits(rules)
    yield from _squares(rules)
    yield from _contracts(rules)
    yield from _sizes(rules)
    if rules.rounds > rules.hand:
        yield f"rounds: at most the hand of {rules.hand} cards, not {rules.rounds}."


def problems_at(rules: Kunitame, players: int) -> Iterator[str]:
    """Why this number of players cannot play, in words."""
    strength = len(rules.suits) * rules.ranks + rules.priests_per_player * players
    if rules.hand * players > strength:
        yield (
            f"hand: {players} players with {rules.hand} cards need "
            f"{rules.hand * players}, but the Strength deck has {strength}: at most "
            f"{strength // players} each."
        )
    if strength + rules.devil_ranks > 64:
        yield (
            f"suits, ranks, devil_ranks, priests_per_player: {strength} Strength "
            f"and {rules.devil_ranks} Devil cards are more than 64 in all."
        )
    if rules.ranks < players:
        yield (
            f"ranks: a tie is drawn from one suit, so {players} players need at "
            f"least {players} ranks, not {rules.ranks}."
        )


def _suits(rules: Kunitame) -> Iterator[str]:
    letters = [suit[:1].upper() for suit in rules.suits]
    if not rules.suits or "" in letters:
        yield "suits: at least one, each with a name."
    if {DEVIL, PRIEST} & set(rules.suits):
        yield f"suits: {DEVIL} is the Devils' suit and {PRIEST} the Priests'."
    if len(set(letters)) < len(letters) or {"D", "P"} & set(letters):
        yield (
            "suits: first letters name the cards, so they must differ, and "
            f"D (Devil) and P (Priest) are taken; not {one_of(rules.suits)}."
        )


def _squares(rules: Kunitame) -> Iterator[str]:
    ids = [square.id for square in rules.squares]
    for square in rules.squares:
        if ids.count(square.id) > 1:
            yield f"squares.{square.id}: this id is used twice."
        yield from _square(rules, square)
    names = (*sorted({square.pledge for square in rules.squares}), "none")
    if rules.removed_pledge not in names:
        yield f"removed_pledge: {no_such('pledge', rules.removed_pledge, names)}"
    if len(rules.in_play) + len(rules.no_tricks) > 62:
        yield "squares: at most 62 squares, No Tricks squares included."


def _square(rules: Kunitame, square: Square) -> Iterator[str]:
    place, suits = f"squares.{square.id}", (*rules.suits, DEVIL, PRIEST)
    if square.id == "pass" or square.id.startswith("no-tricks-"):
        yield f"{place}: this id has a meaning of its own, name it otherwise."
    if square.suit is not None and square.suit not in suits:
        yield f"{place}.suit: {no_such('suit', square.suit, suits)}"
    if square.when == "rank" and square.id not in RANK_SQUARES:
        yield f"{place}: a rank square is one of {one_of(RANK_SQUARES)}."
    for key, limits in (("num", square.num), ("round", square.round)):
        if limits and limits[0] > limits[1]:
            yield f"{place}.{key}: from {limits[0]} to {limits[1]} is empty."


def _contracts(rules: Kunitame) -> Iterator[str]:
    squares = rules.contract_squares
    if not squares:
        yield "contract_squares: at least one; contract_limit = 0 plays without."
    if len(set(squares)) < len(squares) or any(not 0 <= n <= 20 for n in squares):
        yield "contract_squares: different numbers of tricks, 0 to 20."
    if not len(squares) == len(rules.contract_returns) == len(rules.contract_points):
        yield (
            "contract_returns and contract_points: one number for each of the "
            f"{len(squares)} contract_squares is needed."
        )
    if any(not 0 <= value <= 3 for value in rules.contract_returns):
        yield "contract_returns: 0 to 3 each."
    if any(not 0 <= value <= 9 for value in rules.contract_points):
        yield "contract_points: 0 to 9 each."
    if len(squares) * rules.contract_limit > 64:
        yield (
            f"contract_limit: at most {64 // len(squares)} with {len(squares)} "
            "contract squares (squares times gems fit in 64)."
        )


def _sizes(rules: Kunitame) -> Iterator[str]:
    """Life gems and points beyond what a byte can count, in words."""
    growth = max((1, *rules.contract_returns))
    most_life = rules.life * growth**rules.weeks
    if most_life > MOST:
        yield (
            f"contract_returns: {rules.life} Life gems that may grow {growth} times "
            f"in each of {rules.weeks} weeks could pass {MOST}, the most there can be."
        )
    board = sum(square.gem for square in rules.in_play)
    won = min(
        board * (rules.weeks if rules.refill_weekly else 1),
        3 * rules.weeks * (rules.rounds + 1),
    )
    stake = min(rules.contract_limit, most_life)
    paid = rules.weeks * stake * max((0, *rules.contract_points))
    if won + paid > MOST:
        yield (
            f"contract_points, weeks: a player could reach {won + paid} points; "
            f"{MOST} is the most there can be."
        )

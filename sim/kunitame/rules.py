"""The knobs of Kunitame, each with its range, default and source.

Sources: "text" is the rule text "Variant Rules vol 1" by 138games, with the
paragraph; K1 to K8 are the readings of what the text leaves open.
"""

import tomllib
from importlib.resources import files
from typing import Any, Literal, Self

from pydantic import model_validator

from sim.knobs import Row, RuleError, Rules, knob, nearest, one_of

RANK_SQUARES = ("fewest", "second-fewest", "second-most", "most")
DEVIL, PRIEST = "black", "white"  # the suits of the Devil and Priest cards


class Square(Row):
    """A square of a Government Pledge card."""

    pledge: str
    when: Literal["trick", "all", "rank"]
    num: tuple[int, int] | None = None
    round: tuple[int, int] | None = None
    suit: str | None = None
    parity: Literal["even", "odd"] | None = None
    gem: Literal[1, 3] = 1
    return_first: bool = False


def _squares() -> tuple[Square, ...]:
    text = files("sim.kunitame").joinpath("cards.toml").read_text("utf-8")
    return tuple(Square(**_pairs(row)) for row in tomllib.loads(text)["squares"])


def _pairs(row: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}


class Kunitame(Rules):
    """The rules of Kunitame."""

    weeks: int = knob(
        4, "election weeks in a game", unit="weeks", source="text, outline", ge=1, le=12
    )
    hand: int = knob(
        7, "Strength cards dealt to a player each week", unit="cards",
        source="text, 1A", ge=1, le=20,
    )  # fmt: skip
    rounds: int = knob(
        7, "tricks in a week", unit="tricks", source="text, 4", ge=1, le=20
    )
    life: int = knob(
        3, "Life gems of a player at the start", unit="gems",
        source="text, setup 4", ge=1, le=12,
    )  # fmt: skip
    gems_each_colour: int = knob(
        15, "gems of each colour in the box", unit="gems", source="text, components",
        ge=1, le=99,
    )  # fmt: skip
    suits: tuple[str, ...] = knob(
        ("blue", "red", "yellow"), "suits of the Ability cards",
        source="text, pledge list",
    )  # fmt: skip
    ranks: int = knob(
        13, "Ability cards in a suit: 1 to this", unit="cards",
        source="text, components", ge=1, le=60,
    )  # fmt: skip
    devil_ranks: int = knob(
        13, "Devil cards: 1 to this", unit="cards", source="text, components",
        ge=0, le=60,
    )  # fmt: skip
    priests_per_player: int = knob(
        1, "Priest cards in the Strength deck for each player", unit="cards",
        source="text, setup 7", ge=0, le=5,
    )  # fmt: skip
    contract_squares: tuple[int, ...] = knob(
        (1, 2, 3, 4, 5), "the squares of a contract card: exactly so many tricks",
        unit="tricks", source="text, contract cards",
    )  # fmt: skip
    contract_returns: tuple[int, ...] = knob(
        (1, 1, 1, 1, 1), "Life gems that come back for each gem on a kept contract, "
        "by contract square", unit="gems", source="text, contract cards",
    )  # fmt: skip
    contract_points: tuple[int, ...] = knob(
        (0, 0, 0, 0, 0), "1-point gems paid for each gem on a kept contract, "
        "by contract square", unit="gems", source="text (none are paid)",
    )  # fmt: skip
    contract_limit: int = knob(
        12, "most Life gems that a player may stake in one week", unit="gems",
        source="text (no limit but the Life gems)", ge=0, le=64,
    )  # fmt: skip
    squares: tuple[Square, ...] = knob(
        _squares(), "the squares of the pledge cards", source="text, pledge list"
    )
    removed_pledge: str = knob(
        "P7", "the pledge card that goes back to the box, or none", source="K1",
        assumed="the card printed '4+' is taken to be P7, rank of trick count",
    )  # fmt: skip
    no_tricks_squares: Literal["inert", "return_target", "claimable_at_liquidation"] = (
        knob("inert", "what the No Tricks squares are for", source="K2")
    )
    zero_trick_liquidation: Literal["return", "exempt", "vacuous_true"] = knob(
        "return", "liquidation of a player without a trick", source="K3"
    )
    return_trigger: Literal["player", "board_empty"] = knob(
        "player", "a gem goes back where the player, or nobody, could win one",
        source="K4",
    )  # fmt: skip
    liquidation_take: Literal["may", "must"] = knob(
        "may", "a gem that can be won at liquidation may be declined", source="K5"
    )
    trick_take: Literal["must", "may"] = knob(
        "must", "a gem that a trick wins has to be taken", source="K6"
    )
    refill_weekly: bool = knob(
        False, "vacant squares get their gem again each week", source="K7"
    )
    p7_rank: Literal["distinct", "players"] = knob(
        "distinct", "ranks are counted over distinct trick counts, or over players",
        source="K8",
    )  # fmt: skip
    return_choice: Literal["player", "black-first"] = knob(
        "player", "who chooses between the two black squares", source="K11"
    )
    all_eliminated: Literal["nobody", "points"] = knob(
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
        for problem in self._problems():
            if problem:
                raise ValueError(problem)
        return self

    def _problems(self) -> list[str]:
        """What does not fit together, whatever the number of players."""
        contracts = len(self.contract_squares)
        return [
            self._suit_problem(),
            self._square_problem(),
            _if(
                len(self.contract_returns) != contracts
                or len(self.contract_points) != contracts,
                "contract_returns and contract_points: one number for each of the "
                f"{contracts} contract_squares is needed.",
            ),
            _if(
                not contracts,
                "contract_squares: at least one; contract_limit = 0 plays without.",
            ),
            _if(
                len(set(self.contract_squares)) != contracts
                or any(not 0 <= square <= 20 for square in self.contract_squares),
                "contract_squares: different numbers of tricks, 0 to 20.",
            ),
            _if(
                any(not 0 <= value <= 3 for value in self.contract_returns)
                or any(not 0 <= value <= 9 for value in self.contract_points),
                "contract_returns: 0 to 3 each; contract_points: 0 to 9 each.",
            ),
            _if(
                contracts * self.contract_limit > 64,
                f"contract_limit: at most {64 // max(contracts, 1)} with "
                f"{contracts} contract squares (squares times gems fit in 64).",
            ),
            self._size_problem(),
            _if(
                self.rounds > self.hand,
                f"rounds: at most the hand of {self.hand} cards, not {self.rounds}.",
            ),
        ]

    def _size_problem(self) -> str:
        """Life gems and points are counted up to 255 a player."""
        growth = max((1, *self.contract_returns))
        if self.life * growth**self.weeks > 255:
            return (
                f"contract_returns: {self.life} Life gems that may grow {growth} times "
                f"in each of {self.weeks} weeks could pass 255, the most there can be."
            )
        board = sum(square.gem for square in self.in_play)
        won = min(
            board * (self.weeks if self.refill_weekly else 1),
            3 * self.weeks * (self.rounds + 1),
        )
        stake = min(self.contract_limit, self.life * growth**self.weeks)
        paid = self.weeks * stake * max((0, *self.contract_points))
        if won + paid > 255:
            return (
                f"contract_points, weeks: a player could reach {won + paid} points; "
                "255 is the most there can be."
            )
        return ""

    def _suit_problem(self) -> str:
        letters = [suit[:1].upper() for suit in self.suits]
        if not self.suits or "" in letters:
            return "suits: at least one, each with a name."
        if {DEVIL, PRIEST} & set(self.suits):
            return f"suits: {DEVIL} is the Devils' suit and {PRIEST} the Priests'."
        if len(set(letters)) < len(letters) or {"D", "P"} & set(letters):
            return (
                "suits: first letters name the cards, so they must differ, and "
                f"D (Devil) and P (Priest) are taken; not {one_of(self.suits)}."
            )
        return ""

    def _square_problem(self) -> str:
        ids = [square.id for square in self.squares]
        known = (*self.suits, DEVIL, PRIEST)
        for square in self.squares:
            place = f"squares.{square.id}"
            if ids.count(square.id) > 1:
                return f"{place}: this id is used twice."
            if square.id == "pass" or square.id.startswith("no-tricks-"):
                return f"{place}: this id has a meaning of its own, name it otherwise."
            if square.suit is not None and square.suit not in known:
                near = nearest(square.suit, known)
                return (
                    f"{place}.suit: no suit {square.suit!r}{near} "
                    f"Allowed: {one_of(known)}."
                )
            if square.when == "rank" and square.id not in RANK_SQUARES:
                return f"{place}: a rank square is one of {one_of(RANK_SQUARES)}."
            for key in ("num", "round"):
                limits = getattr(square, key)
                if limits and limits[0] > limits[1]:
                    return f"{place}.{key}: from {limits[0]} to {limits[1]} is empty."
        pledges = {square.pledge for square in self.squares}
        if self.removed_pledge not in {*pledges, "none"}:
            names = (*sorted(pledges), "none")
            return (
                f"removed_pledge: no pledge {self.removed_pledge!r}"
                f"{nearest(self.removed_pledge, names)} Allowed: {one_of(names)}."
            )
        if len(self.in_play) + len(self.no_tricks) > 62:
            return "squares: at most 62 squares, No Tricks squares included."
        return ""

    def check(self, players: int) -> None:
        """Refuse what cannot be played with this many; raises ``RuleError``."""
        strength = len(self.suits) * self.ranks + self.priests_per_player * players
        if self.hand * players > strength:
            raise RuleError(
                f"hand: {players} players with {self.hand} cards need "
                f"{self.hand * players}, but the Strength deck has {strength}: at most "
                f"{strength // players} each."
            )
        if strength + self.devil_ranks > 64:
            raise RuleError(
                f"suits, ranks, devil_ranks, priests_per_player: {strength} Strength "
                f"and {self.devil_ranks} Devil cards are more than 64 in all."
            )
        if self.ranks < players:
            raise RuleError(
                f"ranks: a tie is drawn from one suit, so {players} players need at "
                f"least {players} ranks, not {self.ranks}."
            )

    def shortages(self, players: int) -> list[str]:
        """Gems that this game needs beyond those in the box, in words."""
        values = [square.gem for square in self.in_play]
        needs = {
            "Life gems": self.life * players,
            "1-point gems": values.count(1),
            "3-point gems": values.count(3),
        }
        box = self.gems_each_colour
        return [
            f"{need} {gem} are needed, the box holds {box}"
            for gem, need in needs.items()
            if need > box
        ]


def _if(flag: bool, text: str) -> str:
    return text if flag else ""

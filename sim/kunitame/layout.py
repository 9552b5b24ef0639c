"""The layout of Kunitame: its cards and squares as bits.

Cards, low bits to high: the suits in order, 1 to ``ranks`` each; the Devils;
the Priests. So among the cards that can win a trick a higher bit wins. Squares:
those of the pledge cards in play in table order, then the No Tricks squares,
where they matter; bit 63 is ``pass``.
"""

from collections.abc import Sequence

import numpy as np

from sim import masks
from sim.kunitame.rules import Kunitame
from sim.kunitame.squares import DEVIL, PRIEST, RANK_SQUARES, Square
from sim.masks import Counts, Mask, Masks

PASS = masks.bit(63)


class Layout:
    """The cards and squares of one rule set and number of players."""

    def __init__(self, rules: Kunitame, players: int) -> None:
        rules.check(players)
        self.rules = rules
        self.players = players
        self._lay_cards(rules, players)
        self._lay_squares(rules)
        self._lay_contracts(rules)
        self.vocabularies: dict[str, Sequence[str]] = {
            "card": self.card_ids,
            "square": self.square_ids,
            "by": ("points", "lives", "draw", "none"),
            "contract": [
                str(square)
                for _ in range(self.most_gems)
                for square in rules.contract_squares
            ],
        }

    def _lay_cards(self, rules: Kunitame, players: int) -> None:
        ranks, devils = rules.ranks, rules.devil_ranks
        ability = ranks * len(rules.suits)
        priests = rules.priests_per_player * players
        self.suits = [masks.span(at * ranks, ranks) for at in range(len(rules.suits))]
        self.ability = masks.span(0, ability)
        self.devils = masks.span(ability, devils)
        self.priests = masks.span(ability + devils, priests)
        self.first_devil = ability
        self.free = self.devils | self.priests
        self.everything = self.ability | self.free
        self.card_ids = (
            [f"{s[0].upper()}{n}" for s in rules.suits for n in range(1, ranks + 1)]
            + [f"D{n}" for n in range(1, devils + 1)]
            + ["P"] * priests
        )
        names = [s for s in rules.suits for _ in range(ranks)]
        self.card_suits = names + [DEVIL] * devils + [PRIEST] * priests
        numbers = list(range(1, ranks + 1)) * len(rules.suits)
        self.card_numbers = numbers + list(range(1, devils + 1)) + [0] * priests
        self.devil_deck = tuple(masks.members(self.devils))
        self.strength = tuple(masks.members(self.ability | self.priests))
        self.suit_of: Masks = np.zeros(64, dtype=np.uint64)  # by card number
        for suit in self.suits:
            self.suit_of[masks.members(suit)] = suit

    def _lay_squares(self, rules: Kunitame) -> None:
        squares = rules.in_play
        self.squares = squares
        self.square_ids = [square.id for square in squares] + list(rules.no_tricks)
        named = len(self.square_ids)
        self.square_ids += ["?"] * (63 - named) + ["pass"]
        self.all_squares = masks.span(0, named)
        self.no_tricks = masks.span(len(squares), len(rules.no_tricks))
        self.by_trick = _those(squares, when="trick")
        self.by_all = _those(squares, when="all")
        self.at_liquidation = self.by_all | _those(squares, when="rank")
        self.by_rank = [
            masks.union(n for n, square in enumerate(squares) if square.id == name)
            for name in RANK_SQUARES
        ]
        self.starting = [_those(squares, gem=1), _those(squares, gem=3)]
        self.return_first = _those(squares, return_first=True)
        self.met_by_card: Masks = np.zeros(64, dtype=np.uint64)
        for card, (suit, number) in enumerate(
            zip(self.card_suits, self.card_numbers, strict=True)
        ):
            self.met_by_card[card] = masks.union(
                n
                for n, square in enumerate(squares)
                if _card_meets(square, suit, number)
            )
        self.met_in_round = [
            masks.union(n for n, square in enumerate(squares) if _in_round(square, r))
            for r in range(1, rules.rounds + 1)
        ]
        if rules.no_tricks_squares == "claimable_at_liquidation":
            self.for_no_trick = self.no_tricks
        else:
            self.for_no_trick = masks.NOTHING

    def _lay_contracts(self, rules: Kunitame) -> None:
        """Contract gems: gem g on square number s is bit g * squares + s."""
        width = len(rules.contract_squares)
        self.options_per_token = width
        gain = max([*rules.contract_returns, 1])
        reach = rules.life if gain == 1 else 64
        self.most_gems = min(rules.contract_limit, reach, 64 // width if width else 0)
        self.fields: Masks = np.array(  # (gems + 1,) the options for that many gems
            [(1 << width * gems) - 1 for gems in range(self.most_gems + 1)],
            dtype=np.uint64,
        )
        # By the number of tricks won: the contract gems that are kept, and their
        # points.
        tricks = max(rules.rounds, *rules.contract_squares) + 1
        self.kept_by: Masks = np.zeros(tricks, dtype=np.uint64)
        self.returns_by: Counts = np.zeros(tricks, dtype=np.uint8)
        self.points_by: Counts = np.zeros(tricks, dtype=np.uint8)
        self.columns: list[Mask] = [  # by contract square: all its bits
            masks.union(gem * width + at for gem in range(self.most_gems))
            for at in range(width)
        ]
        for at, exactly in enumerate(rules.contract_squares):
            self.kept_by[exactly] = self.columns[at]
            self.returns_by[exactly] = rules.contract_returns[at]
            self.points_by[exactly] = rules.contract_points[at]

    def named(self, vocabulary: str, mask: int | Mask) -> list[str]:
        """The ids of the members of a set, each once."""
        ids = self.vocabularies[vocabulary]
        return list(dict.fromkeys(ids[n] for n in masks.members(mask)))


def _those(squares: Sequence[Square], **wanted: object) -> Mask:
    return masks.union(
        n
        for n, square in enumerate(squares)
        if all(getattr(square, key) == value for key, value in wanted.items())
    )


def _card_meets(square: Square, suit: str, number: int) -> bool:
    """Whether a winning card meets a square's condition, the round aside.

    A Priest's 0 is neither even nor odd (rule text, FAQ remark on even).
    """
    if square.when == "rank":
        return False
    if square.suit is not None and square.suit != suit:
        return False
    if square.num is not None and not square.num[0] <= number <= square.num[1]:
        return False
    odd = {"odd": 1, "even": 0}.get(square.parity or "")
    return odd is None or (number > 0 and number % 2 == odd)


def _in_round(square: Square, number: int) -> bool:
    return square.round is None or square.round[0] <= number <= square.round[1]

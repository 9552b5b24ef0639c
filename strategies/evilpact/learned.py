"""Cards, spells and contracts by weights that were fitted to what search finds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sim import masks
from sim.evilpact.layout import CONTRACT, HASTUR_CARD, NO_SPELL, PASS, UPPER
from sim.evilpact.tables import SPELLS
from sim.evilpact.view import EvilpactView
from sim.masks import Masks
from sim.view import Rows
from strategies.best import Best
from strategies.evilpact import features
from strategies.evilpact.allround import Allround
from strategies.evilpact.collector import Collector
from strategies.evilpact.heuristic import Heuristic
from strategies.learned import Linear, Numbers, Reading, general

ALLROUND, COLLECTOR = Allround(), Collector()
_WIN = 10.0  # what a chance of one counts as: most options differ by a tenth at most
_PER_SPELL = tuple(f"of {spell}" for spell in SPELLS)

CARDS = (
    "worth", "worth to collector",
    "Insight", "Insight for Eihort", "triggered", "Turbidity", *_PER_SPELL,
)  # fmt: skip


def _cards(view: EvilpactView, of: Rows, card: Masks, _: Masks) -> Numbers:
    """(features, answers) what a card is, and whose spells its elements are."""
    layout = view.layout
    insight = layout.triggered[-1]
    sets = insight, layout.eihort_turns, view.triggered, layout.turbidity
    pair = np.array(layout.elements_of).take(masks.index(card), axis=0)
    return np.stack(
        [
            *_worths(lambda who: who.cards(view), of, card),
            *((card & cards) != masks.NOTHING for cards in sets),
            *((pair == one).mean(axis=1) for one in layout.element_of[:NO_SPELL]),
        ]
    )


def _worths(
    judged: Callable[[Heuristic], Best], of: Rows, answer: Masks
) -> list[Numbers]:
    """(answers,) what each is worth to ``allround``, and to ``collector``."""
    found = (judged(who).worth_of(of, answer) for who in (ALLROUND, COLLECTOR))
    return [np.maximum(_WIN * worth, -_WIN) for worth in found]


CASTS = (
    "worth", "worth to collector", "upper level", "power", "spells of the other",
    *_PER_SPELL,
)  # fmt: skip


def _casts(view: EvilpactView, of: Rows, option: Masks, _: Masks) -> Numbers:
    """(features, answers) which spell is cast, and at which level; 0 if none is."""
    contract, casts = option == CONTRACT, option != PASS
    spell = np.where(contract, view.contract.take(of), option)
    number = np.where(casts, masks.index(spell), NO_SPELL)
    power = view.power[view.layout.element_of.take(number).astype(int), 0, of] * casts
    upper = contract | (power >= view.rules.thresholds[UPPER])
    return np.stack(
        [
            *_worths(lambda who: who.spells(view), of, option),
            upper & casts, power / 5, view.sizes[1].take(of) * casts / 4,
            *(number == one for one in range(NO_SPELL)),
        ]
    )  # fmt: skip


def _contracts(view: EvilpactView, of: Rows, spell: Masks, _: Masks) -> Numbers:
    """(features, answers) how likely the element of a spell is lost."""
    element = view.layout.element_of.take(masks.index(spell)).astype(int)
    return _WIN * ALLROUND.judge(view).behind[element, of][None]


COUNTERS = "harm", "upper level", *_PER_SPELL


def _counters(view: EvilpactView, of: Rows, option: Masks, _: Masks) -> Numbers:
    """(features, answers) what is countered, and what it would do; 0 if nothing is."""
    spells = (view.spell == one for one in range(NO_SPELL))
    countered = np.stack([_WIN * ALLROUND.harm(view), view.upper, *spells])
    return countered.take(of, axis=1) * (option != PASS)


SITUATIONS = (
    "starts", "led", "chance", "own contract", "contract of the other",
    "contracts made", "Hastur", "Hastur of the other",
)  # fmt: skip


def _situation(view: EvilpactView) -> Numbers:
    """(situations, rows) who starts the round, and how elements and contracts stand."""
    outlook, led = ALLROUND.judge(view), np.sign(features.margins(view)).sum(axis=0)
    held, gone = view.hand & HASTUR_CARD, view.gone[1] & HASTUR_CARD
    return np.stack(
        [
            view.starts, led / 3, outlook.now, outlook.own, outlook.other,
            np.full(len(view), view.contracts_made),
            held != masks.NOTHING, gone == masks.NOTHING,
        ]
    )  # fmt: skip


def _reading(
    ids: Sequence[str], names: Sequence[str], options: Callable[..., Any]
) -> Reading:
    own = Reading(tuple(names), SITUATIONS, options, _situation)
    return general(ids, ("round", "turn", "when")) + own


@dataclass(frozen=True)
class Learned(Linear):
    """Learned from search which cards, spells and contracts win.

    Of each it weighs what it is, and its worth to `allround` and `collector`, by the
    time, who starts the round, and how elements and contracts stand. All else is as
    `allround`; the weights tell what search found against it.
    """

    name = "learned"
    readings: ClassVar = {
        "acquire": _reading((), CARDS, _cards),
        "cast": _reading(("pass", "contract"), CASTS, _casts),
        "contract": _reading(SPELLS, ["lost"], _contracts),
        "counter": _reading(("pass", "contract"), COUNTERS, _counters),
    }
    data: ClassVar = Path(__file__).with_suffix(".toml")
    teacher: ClassVar = ALLROUND

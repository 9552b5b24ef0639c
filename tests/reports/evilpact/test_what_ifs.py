"""Paired games: the same deals, but one seat keeps a spell, or Hastur, once."""

import numpy as np
import pytest

from experiments.core.cells import Cell, play
from experiments.counterfactual.interventions import declining
from experiments.counterfactual.paired_games import pair_context
from reports.evilpact.report import REPORT
from reports.evilpact.spell_counterfactuals import PAIRS
from sim import games
from sim.transcript import Event
from strategies.random import Random
from tests.reports.recorded import recorded

GAME, GAMES = games.load("evilpact"), 120
RULES = {"thresholds": [1, 2], "contract_after_round": 2}


def casts(event: Event, seat: int, kind: str, option: str) -> bool:
    """Whether the seat casts this, or answers with Hastur."""
    if event["name"] != kind or event["seat"] != seat or event["chosen"] == "pass":
        return False
    return kind == "counter" or event["chosen"] == option


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "option"),
    [("cast", "cthugha"), ("cast", "contract"), ("counter", "")],
)
def test_differences_are_those_of_the_transcripts(kind: str, option: str) -> None:
    one = Cell("evilpact", GAME.rules.of(RULES), 2, (Random(),) * 2, True, 5)
    pair = declining(one, kind, ("when", 1), option)
    (raw, _, one_told), (without, _, other_told) = (
        recorded(cell, GAMES, REPORT.all_notes) for cell in (pair.one, pair.other)
    )
    known = pair_context(pair, play(one, np.arange(1, dtype=np.uint64)))
    table = PAIRS.of(raw, without, known)["kept"]
    rows = []
    for game, (here, there) in enumerate(zip(one_told, other_told, strict=True)):
        seat = game % 2  # where the first of the lineup sits, rotated
        what = seat, kind, option
        moments = [n for n, event in enumerate(here) if casts(event, *what)]
        asked = 2 if kind == "counter" else 0  # when the spell itself was chosen
        moments = [n for n in moments if here[n - asked].get("when") == "after"]
        if not moments:
            assert here[1:] == there[1:]
            continue
        at = moments[0]
        assert here[1:at] == there[1:at]
        assert there[at] == {**here[at], "chosen": "pass"}
        used = any(casts(event, *what) for event in there[at + 1 :])
        ends = here[-1], there[-1]
        cast, kept = (end["winner"] == seat for end in ends)
        rows.append((game, here[at]["round"], cast - kept, used))
    names = ("game", "round", "won_more", "later")
    found = [(*row[:-1], row[-1] == 1) for row in table.select(names).rows()]
    assert found == rows
    assert len(rows) > 10

"""Whether findings hold for other ways to play: what is said, how often wrongly."""

import numpy as np
import pytest

from reports.statistics.robustness import (
    AGREES,
    DIFFERS,
    OPEN,
    Asserted,
    agreement,
    assertion,
    earned_label,
    heterogeneity,
    weaker_label,
)

POINTS = 0.02
WITHIN = (-POINTS, POINTS)
PLACES, STUDIES = 4, 2_000
GAMES = np.array([1_024, *[16_384] * 7])  # of searchers, and of seven heuristics


@pytest.mark.parametrize(
    ("more", "se", "sign", "at"),
    [
        ([-0.03, 0.06, -0.03, 0.0], 0.003, 1, 1),
        ([0.01, 0.0, -0.05, 0.04], 0.003, -1, 2),
        ([0.005, -0.005, 0.0, 0.0], 0.003, 0, 0),
        ([0.015, -0.018, 0.0, 0.003], 0.003, None, 1),
        ([0.06], 0.1, None, 0),
    ],
)
def test_what_is_said(more, se, sign, at):
    assert assertion(more, [se] * len(more), POINTS) == Asserted(sign, at)


def test_agreement_with_what_lies_beyond():
    said = Asserted(1, 1)
    more = [[-0.06, 0.06], [0.0, 0.0], [-0.03, 0.03], [0.06, -0.06]]
    se = [[0.003, 0.003], [0.003, 0.003], [0.02, 0.02], [0.003, 0.003]]
    found = agreement(said, more, se, WITHIN)
    assert found == [AGREES, DIFFERS, OPEN, DIFFERS]


def test_agreement_with_what_lies_within():
    more = [[0.0, 0.0], [0.0, 0.05], [0.0, 0.0], [np.nan, np.nan]]
    se = [[0.003, 0.003], [0.003, 0.003], [0.02, 0.02], [np.nan, np.nan]]
    found = agreement(Asserted(0, 0), more, se, WITHIN)
    assert found == [AGREES, DIFFERS, OPEN, OPEN]


def test_agreement_with_what_lies_beyond_one_bound():
    """As of a line of the scorecard: at most 0.15, of the leading one it is more."""
    values, se = [[0.2], [0.1], [0.14], [-0.5]], [[0.01], [0.01], [0.02], [0.01]]
    high = (-np.inf, 0.15)
    found = agreement(Asserted(1, 0), values, se, high)
    assert found == [AGREES, DIFFERS, OPEN, DIFFERS]
    found = agreement(Asserted(0, 0), values, se, high)
    assert found == [DIFFERS, AGREES, OPEN, AGREES]
    low = agreement(Asserted(-1, 0), np.negative(values), se, (-0.15, np.inf))
    assert low == agreement(Asserted(1, 0), values, se, high)


def test_a_share_of_nothing_is_known():
    """No game is tied: its estimate has no spread, and is yet surely below 5 %."""
    half = 0.002
    found = agreement(Asserted(0, 0), [[0.0]], [[half]], (-np.inf, 0.05), share=True)
    assert found == [AGREES]


@pytest.mark.parametrize(
    ("ways", "refuted", "label"),
    [
        ((8, 0, 0), False, "sure"),
        ((1, 0, 0), False, "sure"),
        ((6, 1, 0), False, "likely"),
        ((5, 0, 3), False, "likely"),
        ((6, 1, 0), True, "open"),
        ((1, 3, 4), False, "open"),
        ((1, 0, 7), False, "open"),
        ((4, 4, 0), False, "open"),
    ],
)
def test_a_label_is_earned_by_all_ways(ways, refuted, label):
    assert earned_label(*ways, refuted=refuted) == label


def test_the_less_sure_of_two_labels():
    assert weaker_label("sure", "likely") == weaker_label("likely", "sure") == "likely"
    assert weaker_label("open", "sure") == "open"
    assert weaker_label("", "sure") == ""


def test_a_wide_interval_is_evidence_of_nothing():
    for said in (Asserted(1, 0), Asserted(-1, 0), Asserted(0, 0)):
        assert (
            agreement(said, [[0.04], [-0.04], [0.0]], [[0.05]] * 3, WITHIN)
            == [OPEN] * 3
        )


def played(rng, shares):
    """(studies, ways, places) shares less even, and their errors, of all ways alike."""
    counts = np.stack(
        [rng.multinomial(games, shares, STUDIES) for games in GAMES], axis=1
    )
    share = counts / GAMES[:, None]
    more = share - share.mean(axis=2, keepdims=True)
    return more, np.sqrt(share * (1 - share) / GAMES[:, None])


def test_where_all_ways_are_alike_a_difference_is_rarely_called():
    """At most 5 % of studies, also where the share lies on the very edge."""
    rng = np.random.default_rng(5)
    for edge in (0.0, 0.02, 0.025, 0.05):
        shares = np.array([0.25 - edge, 0.25, 0.25 + edge, 0.25])
        more, se = played(rng, shares)
        wrong = 0
        for one, error in zip(more, se, strict=True):
            said = assertion(one[1], error[1], POINTS)
            words = agreement(said, one, error, WITHIN)
            truth = {0.0: 0, 0.05: said.sign}.get(edge, said.sign)
            wrong += said.sign == truth and DIFFERS in words
        assert wrong / STUDIES <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / STUDIES), edge


def test_what_is_not_so_for_one_way_is_rarely_told_of_all():
    """A way at the edge of the tolerance agrees by chance in 2.5 % of studies."""
    rng = np.random.default_rng(6)
    games = 16_384
    share = rng.binomial(games, 0.25 + POINTS, STUDIES) / games
    more = (share - 0.25)[:, None]
    se = np.sqrt(share * (1 - share) / games)[:, None]
    agrees = [
        agreement(Asserted(1, 0), one, error, WITHIN) == [AGREES]
        for one, error in zip(more, se, strict=True)
    ]
    assert np.mean(agrees) <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / STUDIES)


def test_position_by_way():
    rng = np.random.default_rng(7)
    more, se = played(rng, np.full(PLACES, 0.25))
    p = np.array([heterogeneity(*one) for one in zip(more, se, strict=True)])
    assert (p < 0.05).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / STUDIES)
    more[:, 3, 2] += 0.03
    p = np.array([heterogeneity(*one) for one in zip(more, se, strict=True)])
    assert (p < 0.05).mean() > 0.95

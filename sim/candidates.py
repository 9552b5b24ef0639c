"""Candidate answers: what search tries at a decision.

Of a choice between options that is every option. Of bags and samples, whose answers are
too many to try, it is a selection.
"""

import numpy as np

from sim import masks
from sim.masks import Masks
from sim.view import Rows, View


def candidate_answers(view: View, plain: Masks) -> tuple[Rows, Masks]:
    """The candidate answers of each row: (answers,) rows, in order, and answers.

    For a choice between options, every option. For a bag, no token and every number of
    tokens on a single option; for a sample, every exchange of one member. For these two
    the ``plain`` answer (rows,) is added as well.
    """
    if view.kind.form == "one":
        return masks.explode(view.legal)
    if view.kind.form == "bag":
        of, answer = _of_bag(view)
    else:
        of, answer = _of_sample(view, plain)
    other = answer != plain.take(of)
    of = np.concatenate([np.arange(len(view)), of[other]])
    order = np.argsort(of, kind="stable")
    return of.take(order), np.concatenate([plain, answer[other]]).take(order)


def _of_bag(view: View) -> tuple[Rows, Masks]:
    """No token, and each number of tokens on a single option."""
    width = view.options_per_token
    rows, bags = [np.arange(len(view))], [np.zeros_like(view.legal)]
    for option in range(width):
        answer = np.zeros_like(view.legal)
        for token in range(int(view.most.max(initial=0))):
            answer = answer | masks.bit(option + token * width)
            able = np.flatnonzero(view.most > token)
            able = able[(answer[able] & ~view.legal[able]) == masks.NOTHING]
            rows.append(able)
            bags.append(answer.take(able))
    return np.concatenate(rows), np.concatenate(bags)


def _of_sample(view: View, plain: Masks) -> tuple[Rows, Masks]:
    """Every exchange of one member of the plain answer for another option."""
    row, gone = masks.explode(plain)
    pair, come = masks.explode((view.legal & ~plain).take(row))
    row = row.take(pair)
    return row, plain.take(row) ^ gone.take(pair) ^ come

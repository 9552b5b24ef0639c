"""Which answers to a decision are tried: of several options each; else some of many."""

import numpy as np

from sim import masks
from sim.masks import Masks
from sim.view import Rows, View


def candidate_answers(view: View, plain: Masks) -> tuple[Rows, Masks]:
    """Each answer to be tried of each row, in the order of the rows.

    Of several options, each. Of a bag none, and each number of tokens on one option
    alone; of a sample each exchange of one member: of these also the ``plain`` answer.
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
    """No token, and each number of tokens on one option alone."""
    width = view.options_per_token
    rows, found = [np.arange(len(view))], [np.zeros_like(view.legal)]
    for option in range(width):
        answer = np.zeros_like(view.legal)
        for token in range(int(view.most.max(initial=0))):
            answer = answer | masks.bit(option + token * width)
            some = np.flatnonzero(view.most > token)
            some = some[(answer[some] & ~view.legal[some]) == masks.NOTHING]
            rows.append(some)
            found.append(answer.take(some))
    return np.concatenate(rows), np.concatenate(found)


def _of_sample(view: View, plain: Masks) -> tuple[Rows, Masks]:
    """Each exchange of a member of the plain answer for another option."""
    row, gone = masks.explode(plain)
    pair, come = masks.explode((view.legal & ~plain).take(row))
    row = row.take(pair)
    return row, plain.take(row) ^ gone.take(pair) ^ come

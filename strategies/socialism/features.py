"""Reading a table of Socialism: who may be won, through whom, and whom it would hurt.

All is made of what a view shows. What a choice is worth is told in tokens.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Counts, Masks
from sim.socialism.layout import Layout
from sim.socialism.view import SocialismView

Numbers = NDArray[np.float32]
_NEVER = np.float32(-1e6)


def best(view: SocialismView, worth: Numbers) -> Masks:
    """(rows,) the option of most worth (options, rows); a toss between equals."""
    lone = masks.ONE << np.arange(len(worth), dtype=np.uint64)[:, None]
    able = (view.legal & lone) != 0
    worth = np.where(able, worth, _NEVER)
    top = able & (worth >= worth.max(axis=0) - np.float32(1e-4))
    chosen: Masks = np.bitwise_or.reduce(np.where(top, lone, masks.NOTHING), axis=0)
    return view.toss(masks.blend(chosen != 0, chosen, view.legal))


def holds(users: Masks, size: int) -> NDArray[np.bool_]:
    """(size, rows) who is in each set."""
    lone = masks.ONE << np.arange(size, dtype=np.uint64)[:, None]
    flags: NDArray[np.bool_] = (users & lone) != 0
    return flags


def wanted(view: SocialismView) -> Masks:
    """(rows,) Users on the board who are not yet this seat's Members."""
    return view.board & ~view.mine


def around(view: SocialismView, users: Masks) -> Numbers:
    """(users, rows) how many Friends each User has among these."""
    return masks.count(view.friends & users).astype(np.float32)


def ahead(view: SocialismView) -> Numbers:
    """(users, rows) how many Friends outside the network each has, and these again."""
    free = around(view, wanted(view))
    worth, outside = free.copy(), holds(wanted(view), view.layout.size)
    for user in range(view.layout.size):
        on = holds(view.friends[user], view.layout.size) & outside
        worth[user] += np.float32(0.3) * (free * on).sum(axis=0)
    return worth


@lru_cache(maxsize=64)
def chances(layout: Layout) -> Numbers:
    """(4, inviters and spam, Users) the chance that a User accepts."""
    faces = masks.count(layout.faces.astype(np.uint64)).astype(np.float32) / np.float32(
        6
    )
    return faces.reshape(4, layout.size + 1, layout.size)


@lru_cache(maxsize=64)
def _groups(layout: Layout) -> list[int]:
    """Users, one of each of those who accept alike, whoever invites."""
    table = chances(layout)
    alike = {table[:, :-1, user].tobytes(): user for user in range(layout.size)}
    return [*alike.values()]


@lru_cache(maxsize=64)
def _alike(layout: Layout) -> dict[int, np.uint64]:
    """For each of these Users, all who accept like him."""
    table = chances(layout)
    same = {
        one: [
            user
            for user in range(layout.size)
            if table[:, :-1, user].tobytes() == table[:, :-1, one].tobytes()
        ]
        for one in _groups(layout)
    }
    return {one: masks.union(users) for one, users in same.items()}


def personal(view: SocialismView) -> Numbers:
    """(users, rows) tokens to expect if this Member invites personally.

    Of Friends alone; Members who cannot invite, and other Users, bring nothing.
    """
    layout, table = view.layout, chances(view.layout)
    gain = np.zeros((layout.size, len(view)), dtype=np.float32)
    free, lies = wanted(view), view.lies[0]
    for user in masks.members(layout.inviters):
        rows = masks.holding(view.mine, masks.bit(user))
        if not len(rows):
            continue
        near, left = view.friends[user, rows] & free.take(rows), _limit(layout, user)
        room = np.full(len(rows), left, dtype=np.uint8)
        for one in sorted(_groups(layout), key=lambda one: -table[0, user, one]):
            chance = table[:, user, one].take(lies.take(rows))
            taken = np.minimum(room, masks.count(near & _alike(layout)[one]))
            gain[user, rows] += taken * chance
            room -= taken * (chance > 0).view(np.uint8)
    return gain


def _limit(layout: Layout, user: int) -> int:
    return int(layout.limit[user])


def accepting(view: SocialismView, inviter: Counts | int | None) -> Numbers:
    """(users, rows) the chance that each accepts a Member's invitation, or spam."""
    table, lies = chances(view.layout), view.lies[0]
    if inviter is None:
        return table[lies, -1].T
    return table[lies, inviter].T


def spam(view: SocialismView) -> Numbers:
    """(users, rows) the chance that each accepts spam; of Members 0."""
    return accepting(view, None) * holds(wanted(view), view.layout.size)


def adjacent(view: SocialismView) -> Numbers:
    """(users, rows) how many new Members a Stellar Status on each Member brings."""
    gain = around(view, wanted(view) & view.layout.joins_stellar)
    return gain * holds(view.mine, view.layout.size)


def cat_pic(view: SocialismView) -> Numbers:
    """(users, rows) about how many new Members an OMG CAT PIC of each Member brings.

    What the Friends who are Members bring by half, each User at most once.
    """
    sends = view.mine & view.layout.inviters
    reached = np.zeros((view.layout.size, len(view)), dtype=np.float32)
    asked = around(view, wanted(view))
    for user in masks.members(view.layout.inviters):
        rows = masks.holding(sends, masks.bit(user))
        if len(rows):
            on = holds(view.friends[user].take(rows), view.layout.size)
            reached[:, rows] += on * asked[user].take(rows) * np.float32(0.4)
    most = masks.count(wanted(view)) * np.float32(0.7)
    return np.minimum(reached, most) * holds(view.mine, view.layout.size)


def threat(view: SocialismView) -> Numbers:
    """(seats, rows) what a token taken from each seat is worth: more of a leader's.

    One's own is worth a whole one, and counts against it.
    """
    left = view.to_place.astype(np.float32)
    worth = np.exp2((left.min(axis=0) - left) / np.float32(3))
    worth[0] = -1
    worth[1:] /= np.float32((view.players - 1) ** 0.5)
    return worth


def leader(view: SocialismView) -> Counts:
    """(rows,) who of the others has fewest tokens left, in places to the left."""
    ahead: Counts = (1 + view.to_place[1:].argmin(axis=0)).astype(np.uint8)
    return ahead


def hurt(view: SocialismView) -> Numbers:
    """(users, rows) what it is worth if all tokens leave a User."""
    worth = np.zeros((view.layout.size, len(view)), dtype=np.float32)
    for tokens, of in zip(view.members, threat(view), strict=True):
        worth += holds(tokens, view.layout.size) * of
    return worth


def shared(view: SocialismView) -> Numbers:
    """(users, rows) what the best A/S/L? on each User is about worth.

    By each seat's token on the User, what a Friend with one loses.
    """
    worth = np.zeros((view.layout.size, len(view)), dtype=np.float32)
    for tokens, of in zip(view.members, threat(view), strict=True):
        worth += (
            holds(tokens, view.layout.size) * np.minimum(around(view, tokens), 1) * of
        )
    return worth


def lost_by(view: SocialismView) -> Numbers:
    """(users, rows) what A/S/L? on the User chosen is worth, by who loses tokens."""
    worth = np.zeros((view.layout.size, len(view)), dtype=np.float32)
    on = masks.ONE << view.user.astype(np.uint64)
    for tokens, of in zip(view.members, threat(view), strict=True):
        both = of * ((tokens & on) != 0)
        worth += holds(tokens, view.layout.size) * both
    return worth


def cells(view: SocialismView, worth: Numbers) -> Numbers:
    """(9, rows) the worth (users, rows) of all who lie around each of nine cells."""
    found = np.zeros((9, len(view)), dtype=np.float32)
    x, y = view.across - view.spot[0], view.down - view.spot[1]
    for cell in range(9):
        near = (np.abs(x - (cell % 3 - 1)) <= 1) & (np.abs(y - (cell // 3 - 1)) <= 1)
        found[cell] = (worth * near).sum(axis=0)
    return found

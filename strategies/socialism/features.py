"""Features of a table of Socialism: who may be won, through whom, and whom that hurts.

All are computed from what a view shows. Values are in tokens. Fields are
(users, rows) or, by places to the left of who asks, (seats, rows).
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.flags import flags_of, pairs_of, sets_of
from sim.masks import Counts, Flags, Mask, Masks
from sim.socialism.layout import NAMES, STAYS, Layout
from sim.socialism.view import SocialismView
from strategies.best_options import by_seat

Numbers = NDArray[np.float32]
_REMOVED = {"viral-post": 2.0, "new-feature": 1.0, "ipo": -0.5, "smtp-block-list": -0.5}
_BY_NAME = np.array(
    [[_REMOVED[STAYS[number % len(STAYS)]]] for number in range(len(NAMES))],
    dtype=np.float32,
)
_STEPS = np.arange(-1, 2, dtype=np.int16)[:, None, None]
_COPIED = {"viral-post": 3.0, "new-feature": 1.0, "smtp-block-list": 0.3, "ipo": -0.5}


_Found = TypeVar("_Found")


def _once(
    feature: Callable[[SocialismView], _Found],
) -> Callable[[SocialismView], _Found]:
    """Compute a feature once per view, and cache it there; read-only."""
    name = f"_{feature.__name__}"

    @wraps(feature)
    def found(view: SocialismView) -> _Found:
        kept = vars(view)
        if name not in kept:
            kept[name] = feature(view)
        value: _Found = kept[name]
        return value

    return found


def none(view: SocialismView) -> Numbers:
    """(users, rows) nothing."""
    return np.zeros((view.layout.size, len(view)), dtype=np.float32)


def on(view: SocialismView, users: Masks | Mask) -> Flags:
    """(users, rows) flags of the Users in each set."""
    return flags_of(users, view.layout.size)


@_once
def users_to_win(view: SocialismView) -> Masks:
    """(rows,) Users on the board who are not yet this seat's Members."""
    return view.board & ~view.mine


def friends_among(view: SocialismView, users: Masks | Mask) -> Counts:
    """(users, rows) how many Friends each User has among these."""
    return masks.count(view.links & users.astype(view.links.dtype))


def around(view: SocialismView, users: Masks | Mask) -> Numbers:
    """(users, rows) ``friends_among`` as floats, to be weighed."""
    return friends_among(view, users).astype(np.float32)


def of_friends(view: SocialismView, counts: Counts) -> Numbers:
    """(users, rows) the sum of what is counted of the Friends of each User.

    Why bit by bit of ``counts`` (users, rows): counting Friends in a set is quick.
    """
    bits = np.uint8(1) << np.arange(
        int(counts.max(initial=0)).bit_length(), dtype=np.uint8
    )
    flags = (counts[:, None] & bits[:, None]) != 0
    having = sets_of(flags.reshape(len(counts), -1)).reshape(len(bits), len(view))
    friends = masks.count(view.links[:, None] & having.astype(view.links.dtype))
    return (friends * bits[:, None].astype(np.float32)).sum(axis=1)


def ahead(view: SocialismView) -> Numbers:
    """(users, rows) Friends to win of each User, and 0.3 of those of these Friends."""
    free = friends_among(view, users_to_win(view))
    again = of_friends(view, free * on(view, users_to_win(view)))
    return free.astype(np.float32) + np.float32(0.3) * again


@lru_cache(maxsize=64)
def chances(layout: Layout) -> Numbers:
    """(4, inviters and spam, Users) the chance that a User accepts."""
    faces = masks.count(layout.faces.astype(np.uint64)).astype(np.float32)
    return (faces / np.float32(6)).reshape(4, layout.size + 1, layout.size)


@lru_cache(maxsize=64)
def accepting(layout: Layout) -> Numbers:
    """(Users, 4 * inviters and spam) ``chances`` by User."""
    return chances(layout).reshape(-1, layout.size).T.copy()


@lru_cache(maxsize=64)
def _alike(layout: Layout) -> tuple[Masks, Numbers]:
    """Groups of Users who accept alike, whoever invites.

    (groups, inviters * 4) those who accept at all, most often first, each group with
    those before it, by who invites and what lies before that seat; and the chance that
    each of a group accepts.
    """
    table, members = chances(layout)[:, :-1], dict[bytes, list[int]]()
    for user in range(layout.size):
        members.setdefault(table[:, :, user].tobytes(), []).append(user)
    users = np.array([masks.union(group) for group in members.values()])
    by_group = table[:, :, [group[0] for group in members.values()]].T
    order = np.argsort(-by_group[:, :, 0], axis=0, kind="stable")
    by_lies = np.take_along_axis(by_group, order[:, :, None], 0)
    able = by_lies.any(axis=(1, 2))
    groups = masks.where(by_lies > 0, users.take(order)[:, :, None])[able]
    groups = np.bitwise_or.accumulate(groups, axis=0).reshape(len(groups), -1)
    return groups, by_lies[able].reshape(len(groups), -1)


def personal(view: SocialismView, of: Masks | None = None) -> Numbers:
    """(users, rows) tokens to expect if this Member invites personally.

    Of Friends alone; Members who cannot invite, and other Users, bring nothing. Of some
    Members only, if these are given.
    """
    layout, links, gain = view.layout, view.links, none(view)
    groups, table = _alike(layout)
    members = view.mine if of is None else of
    inviter, row = pairs_of(on(view, members & layout.inviters))
    at = inviter * len(view) + row
    free = links.reshape(-1).take(at) & users_to_win(view).astype(links.dtype).take(row)
    which = inviter * 4 + view.lies_here.take(row)
    friends = masks.count(groups.astype(links.dtype).take(which, axis=1) & free)
    taken = np.minimum(friends, layout.limit.take(inviter))
    taken[1:] -= taken[:-1]  # of each group alone
    gain.reshape(-1)[at] = (taken * table.take(which, axis=1)).sum(axis=0)
    return gain


def spam(view: SocialismView) -> Numbers:
    """(users, rows) the chance that each accepts spam; of Members 0."""
    accepts = chances(view.layout)[:, -1].T.take(view.lies_here, axis=1)
    return accepts * on(view, users_to_win(view))


@lru_cache(maxsize=64)
def _spammed(layout: Layout) -> tuple[Masks, Numbers]:
    """Users in groups of those who accept spam alike, (groups, 1).

    And the chance that they do, (groups, 4), by what lies before who sends it.
    """
    groups, which = np.unique(chances(layout)[:, -1].T, axis=0, return_inverse=True)
    users = [masks.union(np.flatnonzero(which == n)) for n in range(len(groups))]
    return np.array(users)[:, None], groups


def spam_most(view: SocialismView) -> Numbers:
    """(rows,) the most of these chances."""
    users, chance = _spammed(view.layout)
    here = (users_to_win(view) & users) != masks.NOTHING
    return (chance.take(view.lies_here, axis=1) * here).max(axis=0)


def adjacent(view: SocialismView) -> Numbers:
    """(users, rows) how many new Members a Stellar Status on each Member brings."""
    return around(view, users_to_win(view) & view.layout.joins_stellar) * on(
        view, view.mine
    )


def cat_pic(view: SocialismView) -> Numbers:
    """(users, rows) about how many new Members an OMG CAT PIC of each Member brings.

    What the Friends who are Members bring by 0.4, each User at most by 0.7.
    """
    asked = friends_among(view, users_to_win(view))
    asked *= on(view, view.mine & view.layout.inviters)
    most = masks.count(users_to_win(view)) * np.float32(0.7)
    reached = of_friends(view, asked) * np.float32(0.4)
    return np.minimum(reached, most) * on(view, view.mine)


def espionage_gains(view: SocialismView) -> Numbers:
    """(seats, rows) tokens that Industrial Espionage brings from each network."""
    chance = spam(view)
    if view.rules.smtp_blocks_espionage:
        chance = chance * ~view.is_blocked[0]
    return (chance * _tokens(view)).sum(axis=1)


@_once
def threat(view: SocialismView) -> Numbers:
    """(seats, rows) what a token taken from each seat is worth: more of a leader's.

    One's own is worth a whole one, and counts against it.
    """
    left = view.to_place
    worth = _of_late(view.players).take(left - left.min(axis=0))
    worth[0] = -1
    return worth


@lru_cache(maxsize=64)
def _of_late(players: int) -> Numbers:
    """(256,) what a token of another is worth, by how many more than the leader's."""
    worth = np.exp2(-np.arange(256, dtype=np.float32) / np.float32(3))
    return worth / np.float32((players - 1) ** 0.5)


def ahead_of(view: SocialismView, late: int) -> Flags:
    """(rows,) where another has fewer tokens left, and no more than so many."""
    least = view.to_place[1:].min(axis=0)
    flags: Flags = (least < view.to_place[0]) & (least <= late)
    return flags


@_once
def _tokens(view: SocialismView) -> Flags:
    """(seats, users, rows) who is a Member of each network."""
    return flags_of(view.members, view.layout.size)


def _weighed(view: SocialismView, flags: Flags) -> Numbers:
    """(users, rows) what tokens of (seats, users, rows) are worth in all."""
    return (flags * threat(view)[:, None]).sum(axis=0)


def log_out_value(view: SocialismView) -> Numbers:
    """(users, rows) what it is worth if all tokens leave a User."""
    return _weighed(view, _tokens(view))


def asl_value(view: SocialismView) -> Numbers:
    """(users, rows) what the best A/S/L? on each User is about worth.

    By each seat's token on the User, what a Friend with one loses.
    """
    networks = view.members.astype(view.links.dtype)[:, None]
    return _weighed(view, ((view.links & networks) != 0) & _tokens(view))


def asl_value_on(view: SocialismView) -> Numbers:
    """(users, rows) what A/S/L? on the User chosen is worth, by who loses tokens."""
    user = masks.ONE << view.user.astype(np.uint64)
    return _weighed(view, ((view.members & user) != 0)[:, None] & _tokens(view))


def removal_value(view: SocialismView) -> Numbers:
    """(seats * names, rows) what it is worth to remove each Action in play.

    By places to the left of who asks. Where nothing lies it is worth nothing.
    """
    return _removal_value(view, view.front, threat(view))


def removal_value_by_seat(view: SocialismView) -> Numbers:
    """(seats * names, rows) ``removal_value`` by seat number, as options are."""
    return _removal_value(view, by_seat(view, view.front), by_seat(view, threat(view)))


def _removal_value(view: SocialismView, front: Masks, of: Numbers) -> Numbers:
    lies = (front[:, None] & view.layout.named[:, None]) != 0
    found = np.where(lies, of[:, None] * _BY_NAME, np.float32(-1))
    return found.reshape(view.players * len(NAMES), len(view))


def copy_value(view: SocialismView) -> Numbers:
    """(copies, rows) what Flattery is worth as each Action in play, else -1."""
    front, kinds = masks.join(list(view.front)), np.array(view.layout.kinds)
    worth = np.array([[_COPIED[name]] for name in STAYS], dtype=np.float32)
    return np.where((front & kinds[:, None]) != 0, worth, np.float32(-1))


def cells(view: SocialismView, worth: Numbers) -> Numbers:
    """(9, rows) the worth (users, rows) of all who lie around each of nine cells."""
    x, y = (
        np.abs(one.astype(np.int16) - _STEPS) <= 1
        for one in (view.across - view.spot[0], view.down - view.spot[1])
    )
    near = x & y[:, None]
    return (worth * near).sum(axis=2).reshape(9, len(view))

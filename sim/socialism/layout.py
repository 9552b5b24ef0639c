"""The layout of Socialism: its cards and Users as bits.

Users come first, in the order of their table, then Actions; identical copies lie side
by side. A card with trait ``two`` has two bits, of which the first is the card's: A and
B, two Users on one card. Bit 63 is the option to do nothing.

An Action in play is a bit of its own kind: a card that stays has one, a Flattery one
for each card that it may be a copy of.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Counts, Mask, Masks
from sim.socialism.cards import ACTIONS, User
from sim.socialism.rules import Socialism

NONE = masks.bit(63)
NO_LIMIT = 255
STAYS = ("viral-post", "ipo", "new-feature", "smtp-block-list")
FLATTERY = "flattery"
NAMES = (*STAYS, *(f"{FLATTERY}:{one}" for one in STAYS))  # of Actions in play
VIRAL, IPO, FEATURE, BLOCK = range(len(STAYS))
VIA = (
    "auto",
    "spam",
    "personal",
    "block",
    "stellar-status",
    "viral-post",
    "omg-cat-pic",
    "ipo",
    "industrial-espionage",
)
MODES = ("auto", "spam", "personal", "block", "none")
BY = ("tokens", "guard")
USER = len(ACTIONS) + 1  # what a card does: 0 nothing, then the Actions, or a User
DOES = {name: np.uint8(code + 1) for code, name in enumerate(ACTIONS)}
_ALL_SIX = 0b111111
_CODES = {name: code for code, name in enumerate(VIA)}


class Layout:
    """The cards of one rule set and number of players."""

    def __init__(self, rules: Socialism, players: int) -> None:
        rules.check(players)
        self.rules = rules
        self.players = players
        self._lay_users()
        self._lay_actions()
        self._lay_front()
        self._lay_faces()
        self.vocabularies = self._words()

    def _lay_users(self) -> None:
        """Tables of the Users, and of who has which trait."""
        cards = [user for user in self.rules.users for _ in range(user.copies)]
        self.users: list[User] = []
        self.both: Masks = np.zeros(64, dtype=np.uint64)  # all Users of a User's card
        self.card: NDArray[np.int64] = np.zeros(64, dtype=np.int64)  # whose number
        for user in cards:
            first = len(self.users)
            size = 2 if user.trait == "two" else 1
            self.users += [user] * size
            self.both[first : first + size] = masks.span(first, size)
            self.card[first : first + size] = first
        self.size = len(self.users)
        everybody = range(self.size)
        self.everybody = masks.span(0, self.size)
        self.cells = masks.union(self.card[: self.size].tolist())
        self.second = self.everybody & ~self.cells  # the B of two
        self.exclusive, self.blockers, self.far, self.logout = (
            masks.union(n for n in everybody if self.users[n].trait == trait)
            for trait in ("exclusive", "block", "far", "logout")
        )
        self.inviters = masks.union(n for n in everybody if self.users[n].friends != 0)
        self.each = masks.union(n for n in everybody if self.users[n].friends == "each")
        limits = [u.friends if u.friends in range(25) else NO_LIMIT for u in self.users]
        self.limit: Counts = np.array([*limits, 1], dtype=np.uint8)  # the last: nobody

    def _lay_actions(self) -> None:
        """Tables of the cards, and of what each does."""
        copies = {row.id: row.copies for row in self.rules.actions}
        kinds = [name for name in ACTIONS for _ in range(copies.get(name, 0))]
        self.does: Counts = np.zeros(64, dtype=np.uint8)
        self.does[: self.size] = USER
        self.ids = [user.id for user in self.users]
        for number, name in enumerate(kinds, start=self.size):
            self.does[number] = DOES[name]
            self.ids.append(name)
        ids = self.ids
        actions = masks.span(self.size, len(kinds))
        self.everything = self.cells | actions
        self.deck = masks.members(self.everything)
        acts = self.does == DOES["sherman-act"]
        self.sherman = masks.union(np.flatnonzero(acts).tolist())
        self.first, self.last = masks.run_ends(ids)

    def _lay_front(self) -> None:
        """Tables of Actions in play: bits, names, cards and places of Viral Posts."""
        numbers = [n for n in self.deck if self.ids[n] in (*STAYS, FLATTERY)]
        front: list[tuple[int, int, int]] = []  # card, name, what it counts as
        self.front = np.zeros((64, len(STAYS)), dtype=np.int64)  # bit by card, and that
        for number in numbers:
            name = self.ids[number]
            flatters = name == FLATTERY
            for kind in range(len(STAYS)) if flatters else (STAYS.index(name),):
                self.front[number, kind] = len(front)
                front.append((number, kind + flatters * len(STAYS), kind))
        self.named: Masks = np.array(
            [_places(name == one for _, one, _ in front) for name in _NAMED]
        )
        self.kinds = [_places(kind == one for *_, one in front) for kind in _KINDS]
        self.front_card = masks.ONE << np.array(
            [number for number, *_ in front], dtype=np.uint64
        )
        self.front_name: Counts = np.array([name for _, name, _ in front], np.uint8)
        self.virals = masks.members(self.kinds[VIRAL])
        self.posts = masks.ONE << np.array(self.virals, dtype=np.uint64)[:, None]

    def _lay_faces(self) -> None:
        """Tables of the faces on which Users accept, by what lies before the inviter.

        ``faces`` is a flat (4, inviters and nobody, Users): bit 0 of the first is an
        IPO, bit 1 a New feature. Without an inviter it is spam.
        """
        nobody = self.size
        table = np.zeros((4, self.size + 1, self.size), dtype=np.uint8)
        for lies in range(4):
            for inviter in range(self.size + 1):
                sends = () if inviter == nobody else self.users[inviter].sends or ()
                for target, user in enumerate(self.users):
                    own = user.spam if inviter == nobody else user.personal
                    usual = (6,) if inviter == nobody or lies & 1 else (4, 5, 6)
                    table[lies, inviter, target] = _faces(
                        own, sends or usual, bool(lies & 2), self.rules
                    )
        self.faces: Counts = table.reshape(-1)
        self.nobody = nobody
        self.personal = _accepting(table[:, 0])  # whoever invites
        self.spam = _accepting(table[:, nobody])
        refused = "never" if self.rules.joins_respect_never else ""
        users = list(enumerate(self.users))
        self.joins_stellar = masks.union(n for n, u in users if u.personal != refused)
        self.joins_ipo = masks.union(n for n, u in users if u.spam != refused)

    def _words(self) -> dict[str, Sequence[str]]:
        """The vocabularies; the state names Users by where they lie."""
        seats = [str(seat) for seat in range(self.players)]
        return {
            "card": masks.padded_ids(self.ids, "none"),
            "user": masks.padded_ids(self.ids[: self.size], "stop"),
            "lies": self.ids[: self.size],
            "cell": [f"{n % 3 - 1},{n // 3 - 1}" for n in range(9)],
            "front": [f"{seat},{name}" for seat in seats for name in NAMES],
            "name": NAMES,
            "copy": STAYS,
            "sherman": ["cancel", "pass"],
            "invite": MODES,
            "seat": seats,
            "via": VIA,
            "to": ["discard", "hand"],
            "by": BY,
        }

    def each_once(self, cards: Masks) -> Masks:
        """(rows,) the cards with one only of each id."""
        return masks.first_of_each(cards, self.first, self.last)


_NAMED, _KINDS = range(len(NAMES)), range(len(STAYS))


def _places(flags: Iterable[bool]) -> Mask:
    """The set of the places of flags that are set."""
    return masks.union(number for number, flag in enumerate(flags) if flag)


def _accepting(faces: NDArray[np.uint8]) -> Masks:
    """(4,) who accepts on any face, of (4, Users)."""
    return np.array([int(_places(row != 0)) for row in faces], dtype=np.uint64)


def _faces(
    own: str | tuple[int, ...] | None,
    usual: tuple[int, ...],
    feature: bool,
    rules: Socialism,
) -> int:
    """The faces, one bit each, on which a User accepts, by its text or as usual."""
    if own == "always":
        return _ALL_SIX
    if own == "never" and not (feature and rules.newfeature_beats_never):
        return 0
    faces = {1} if feature else set()
    if own != "never":
        faces |= {*(usual if own is None else own)}
    return sum(1 << face - 1 for face in faces)


def via(name: str) -> int:
    """The number of a way by which Members join."""
    return _CODES[name]

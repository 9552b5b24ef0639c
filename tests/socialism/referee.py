"""A referee for Socialism: replay a transcript from the rules alone, call every foul.

Slow and plain on purpose, to be read beside the rulebook. "Rules 5.4" is a section of
the worked-out rules (`socialism.md`), S1 to S19 its ambiguities (5.6), "text" the
published rule text. A User is where he lies: (x, y), or (x, y, "A") and (x, y, "B") for
two on one card. The draw pile is a heap of which any card may come next. Nothing here
knows how the simulator works.

What the rules leave open is read so:

* `invite_mode = "each_once"` (S2): `invite` is asked again after each way that was
  taken, without it; a Member who blocks does so instead of one who invites, so of
  `personal` and `block` there is one. It ends with `none`, or when nothing is left.
* `joins_respect_never` (S6): who never accepts personal invitations does not join by
  Stellar Status; who never accepts spam is not rolled for by the IPO.
* `split_blocks_spam` (S9): on a board in one piece nothing changes; else spam, and
  Industrial Espionage, reach the pieces in which the sender has a Member.
* With `must_play` off (S3) who has no card to play is not asked.
* A Flattery that copies a Viral Post of a player without Members has no effect.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from tests.games.referee import Event, Referee

User = tuple[Any, ...]
Cell = tuple[int, int]


def _user(friends: int | str, copies: int = 1, **texts: object) -> dict[str, Any]:
    return {"copies": copies, "friends": friends, **texts}


_CHOOSY = {"sends": [3, 4, 5, 6], "personal": [5, 6], "spam": "never"}
USERS: dict[str, dict[str, Any]] = {
    "sheila": _user(3),
    "billy": _user(1),
    "agnse": _user("each", sends=[5, 6]),
    "avengator": _user(0, personal="never"),
    "debbie": _user(2, personal="always"),
    "phillip": _user(2, **_CHOOSY),
    "fa3ryally": _user(2, personal="always", spam="always"),
    "hater": _user(2, personal="never"),
    "becca": _user(2, trait="exclusive"),
    "jimmy": _user(2, trait="block"),
    "alan-gerald": _user(2, trait="two"),
    "john-smith": _user(2, copies=4),
    "rachel": _user(0),
    "alan-dale": _user(2, trait="far"),
    "mary": _user("all"),
    "sloan": _user(2, trait="logout"),
    "lola": _user(2, personal="never", spam="always"),
}
"""The Users and their texts (text "Users", rules 5.1)."""

ACTIONS = {
    "stellar-status": 4,
    "viral-post": 1,
    "lost-password": 2,
    "omg-cat-pic": 2,
    "a-s-l": 2,
    "ipo": 1,
    "new-feature": 2,
    "change-of-management": 1,
    "smtp-block-list": 2,
    "flattery": 1,
    "sherman-act": 1,
    "industrial-espionage": 1,
}
"""The Actions, and how many copies there are (text "Actions", rules 5.1)."""

VALUES: dict[str, Any] = {"tokens": 15, "hand": 3, "guard": 2000}

OPTIONS: dict[str, tuple[object, ...]] = {
    "invite_mode": ("one", "each_once"),
    "must_play": (True, False),
    "viral": ("owner", "every_turn"),
    "viral_move": ("adjacent", "any"),
    "joins_respect_never": (False, True),
    "newfeature_beats_never": (False, True),
    "split_blocks_spam": (False, True),
    "sherman_users": (True, False),
    "smtp_blocks_espionage": (True, False),
}
"""Rule options (rules 5.6) with the values they can take, the default first."""

STAYS = ("viral-post", "ipo", "new-feature", "smtp-block-list")
PLAYERS = range(2, 6)


class Over(Exception):
    """Somebody has placed the last token: nothing else happens (rules 5.7)."""


class Action:
    """An Action in play: before whom, its name, and where a Viral Post's token lies."""

    def __init__(self, seat: int, card: str, name: str, at: User = ()) -> None:
        self.seat, self.card, self.name, self.at = seat, card, name, at

    @property
    def kind(self) -> str:
        """What it counts as: a Flattery is what it copies."""
        return self.name.removeprefix("flattery:")


class _Game(Referee):
    """One game as the transcript tells it so far, one method per paragraph."""

    game_id = "socialism"
    numbers_of_players = PLAYERS
    readings, values = OPTIONS, VALUES
    tables: ClassVar = {"deck": "printed", "users": USERS, "actions": ACTIONS}

    def __init__(self, events: Sequence[Event]) -> None:
        super().__init__(json.loads(json.dumps(events)))  # places are lists

    def replay(self) -> None:
        """Follow the course of a game (rules 5.2)."""
        self.set_up()
        by, winner = "guard", None
        self.turn = 0
        try:
            while self.turn < self.rules["guard"]:
                self.turn += 1
                self.take_turn()
                self.seat = self.left_of(self.seat)
        except Over as over:
            by, winner = "tokens", over.args[0]
        supply = [self.supply(seat) for seat in range(self.players)]
        told = {"winner": winner, "by": by, "supply": supply, "turns": self.turn}
        self.take("result", "socialism", told)
        self.finish()

    def left_of(self, seat: int, steps: int = 1) -> int:
        return (seat + steps) % self.players

    def take_turn(self) -> None:
        """Viral Posts, draw, play, invite (text "To play")."""
        self.where = {"turn": self.turn}
        self.place = f"turn {self.turn}: "
        self.new_users: list[User] = []
        self.viral_posts()
        self.draw()
        self.play()
        self.invite()

    # Setup (rules 5.2).

    def set_up(self) -> None:
        self.read_rules()
        self.seat = self.take_seat("start")
        hands = self.take("chance", "deal", {}, "hands")["hands"]
        copies = {name: user["copies"] for name, user in self.users.items()}
        deck = Counter({**copies, **self.rules["actions"]})
        self.deal_out(hands, deck, self.rules["hand"])
        self.pile = deck - sum(map(Counter, self.hands), Counter[str]())
        self.discards = Counter[str]()
        self.board: dict[Cell, str] = {}
        self.tokens: dict[User, set[int]] = {}
        self.front: list[Action] = []

    def read_rules(self) -> None:
        """Read the rule values in force; what is absent has its default."""
        self.take_rules()
        self.users: dict[str, Mapping[str, Any]] = self.rules["users"]
        if self.rules["deck"] == "printed":
            self.same("setup.rules.users", self.users, USERS)
            self.same("setup.rules.actions", self.rules["actions"], ACTIONS)
        if extra := sorted(set(self.rules["actions"]) - set(ACTIONS)):
            self.foul(f"setup.rules.actions: {extra} are no Actions")

    # The table.

    def trait(self, user: User) -> str | None:
        return self.users[self.board[user[:2]]].get("trait")

    def text(self, user: User, key: str) -> Any:
        return self.users[self.board[user[:2]]].get(key)

    def on(self, cell: Cell) -> list[User]:
        """The Users on a cell: one, or two on one card."""
        if self.trait(cell) == "two":
            return [(*cell, "A"), (*cell, "B")]
        return [cell]

    def everybody(self) -> list[User]:
        return self.in_order(user for cell in self.board for user in self.on(cell))

    def in_order(self, users: Iterable[User]) -> list[User]:
        """Board order: y ascending, then x, then A before B."""
        return sorted(users, key=lambda user: (user[1], user[0], user[2:]))

    def around(self, cell: User) -> list[Cell]:
        """The eight cells around."""
        x, y = cell[:2]
        steps = [(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1) if (i, j) != (0, 0)]
        return [(x + i, y + j) for i, j in steps]

    def friends(self, user: User) -> list[User]:
        """Users on the cells around, in board order (text "Playing Cards")."""
        near = [cell for cell in self.around(user) if cell in self.board]
        return self.in_order(one for cell in near for one in self.on(cell))

    def members(self, seat: int) -> list[User]:
        return self.in_order(u for u in self.everybody() if seat in self.on_card(u))

    def on_card(self, user: User) -> set[int]:
        """The seats whose tokens lie on a user."""
        return self.tokens.get(user, set())

    def supply(self, seat: int) -> int:
        placed = sum(seat in seats for seats in self.tokens.values())
        return int(self.rules["tokens"]) - placed

    def lies(self, kind: str, seat: int) -> bool:
        """Whether an Action of this kind lies before a seat."""
        return any(one.kind == kind and one.seat == seat for one in self.front)

    # Choices of Users and cells, which are written as lists.

    def pick(self, name: str, seat: int, options: Iterable[Any]) -> Any:
        """Demand a choice; nothing is written where there is no option."""
        plain = [list(one) if isinstance(one, tuple) else one for one in options]
        if not plain:
            return None
        chosen = self.choose_any(name, seat, plain)
        return tuple(chosen) if isinstance(chosen, list) else chosen

    # 1. Viral Posts (rules 5.4).

    def viral_posts(self) -> None:
        every = self.rules["viral"] == "every_turn"
        for post in [one for one in self.front if one.kind == "viral-post"]:
            if every or post.seat == self.seat:
                self.move(post)

    def move(self, post: Action) -> None:
        far = self.rules["viral_move"] == "any"
        near = self.everybody() if far else self.friends(post.at)
        goals = [one for one in near if post.seat not in self.on_card(one)]
        goal = self.pick("viral", post.seat, goals)
        if goal is None:
            self.drop(post)
            return
        post.at = goal
        self.join(post.seat, goal, "viral-post")

    def drop(self, action: Action) -> None:
        """An Action leaves play."""
        told = {**self.where, "seat": action.seat, "card": action.name}
        self.take("outcome", "dropped", told)
        self.front.remove(action)
        self.discards[action.card] += 1

    # 2. Draw (text "Drawing Cards", S15).

    def draw(self) -> None:
        if not self.pile.total() and not self.discards.total():
            return
        if not self.pile.total():
            told = {**self.where, "cards": self.discards.total()}
            self.take("chance", "reshuffle", told)
            self.pile, self.discards = self.discards, Counter()
        told = {**self.where, "seat": self.seat}
        card = self.take("chance", "draw", told, "card")["card"]
        if not isinstance(card, str) or self.pile[card] < 1:
            self.foul(f"draw.card: there is no {card!r} in the draw pile")
        self.pile[card] -= 1
        self.hands[self.seat].append(card)

    # 3. Play (text "Playing Cards").

    def play(self) -> None:
        cards = {card for card in self.hands[self.seat] if card != "sherman-act"}
        if not cards:
            return
        extra = set() if self.rules["must_play"] else {"none"}
        card = self.choose("play", self.seat, cards | extra)
        if card == "none":
            return
        self.hands[self.seat].remove(card)
        if self.cancelled(card):
            self.discards[card] += 1
        elif card in self.users:
            self.place_user(card)
        elif not self.act(card, card):
            self.discards[card] += 1

    def cancelled(self, card: str) -> bool:
        """Sherman Act: a reaction of any other seat (rules 5.4, 5.5)."""
        if card in self.users and not self.rules["sherman_users"]:
            return False
        for steps in range(1, self.players):
            seat = self.left_of(self.seat, steps)
            if "sherman-act" in self.hands[seat]:
                where = {**self.where, "card": card}
                chosen = self.choose("sherman", seat, ["cancel", "pass"], where)
                if chosen == "cancel":
                    self.hands[seat].remove("sherman-act")
                    self.discards["sherman-act"] += 1
                    return True
        return False

    def place_user(self, card: str) -> None:
        free: list[Cell] = [(0, 0)]
        if self.board:
            room = [cell for cell in self.board if self.free(cell)]
            free = self.free(self.pick("beside", self.seat, room))
        cell = self.pick("cell", self.seat, free)
        self.board[cell] = card
        self.new_users = self.on(cell)

    def free(self, cell: Cell) -> list[Cell]:
        return [one for one in self.around(cell) if one not in self.board]

    # Actions (rules 5.4).

    def act(self, name: str, card: str) -> bool:
        """Do what an Action says; tell whether its card stays."""
        acts: dict[str, Callable[[], object]] = {
            "stellar-status": self.stellar_status,
            "lost-password": self.lost_password,
            "omg-cat-pic": self.omg_cat_pic,
            "a-s-l": self.a_s_l,
            "change-of-management": self.change_of_management,
            "industrial-espionage": self.industrial_espionage,
        }
        if name in acts:
            acts[name]()
            return False
        if name == "flattery":
            names = [kind for kind in STAYS if kind in {a.kind for a in self.front}]
            copied = self.pick("copy", self.seat, names)
            return copied is not None and self.act(copied, "flattery")
        return self.stay(name, card)

    def stay(self, name: str, card: str) -> bool:
        """An Action that stays (text: "Leave this card in front of you")."""
        seat, at = self.seat, ()
        if name == "viral-post":
            at = self.pick("member", self.seat, self.members(self.seat))
            if at is None:
                return False
        if name == "ipo":
            self.ipo()
        if name == "smtp-block-list":
            seat = self.pick("front", self.seat, range(self.players))
        shown = name if card == name else f"{card}:{name}"
        told = {**self.where, "seat": seat, "card": shown}
        self.take("outcome", "stays", told)
        self.front.append(Action(seat, card, shown, at))
        return True

    def stellar_status(self) -> None:
        member = self.pick("member", self.seat, self.members(self.seat))
        for user in self.friends(member) if member else []:
            refuses = self.text(user, "personal") == "never"
            if refuses and self.rules["joins_respect_never"]:
                continue
            if self.seat not in self.on_card(user):
                self.join(self.seat, user, "stellar-status")

    def ipo(self) -> None:
        for user in self.everybody():
            refuses = self.text(user, "spam") == "never"
            if refuses and self.rules["joins_respect_never"]:
                continue
            new = self.seat not in self.on_card(user)
            if new and self.roll("ipo", None, user) == 6:
                self.join(self.seat, user, "ipo")

    def omg_cat_pic(self) -> None:
        member = self.pick("member", self.seat, self.members(self.seat))
        if member is None:
            return
        mine = [one for one in self.friends(member) if self.seat in self.on_card(one)]
        for inviter in mine:
            if self.text(inviter, "friends") != 0:
                for target in self.friends(inviter):
                    self.ask("omg-cat-pic", inviter, target)

    def industrial_espionage(self) -> None:
        blocked = self.lies("smtp-block-list", self.seat)
        if blocked and self.rules["smtp_blocks_espionage"]:
            return
        others = [seat for seat in range(self.players) if seat != self.seat]
        network = self.pick("network", self.seat, others)
        reached = self.reached()
        for target in self.members(network):
            if target in reached:
                self.ask("industrial-espionage", None, target)

    def lost_password(self) -> None:
        cell = self.pick("lost", self.seat, list(self.board))
        if cell is None:
            return
        took = False
        for user in self.on(cell):
            for seat in sorted(self.on_card(user)):
                self.leave(seat, user)
                took = True
        self.remove(cell, took=took)

    def remove(self, cell: Cell, *, took: bool) -> None:
        """A User leaves the board; Sloan for the hand of who took her last token."""
        card, users = self.board[cell], self.on(cell)
        to = "hand" if took and self.trait(cell) == "logout" else "discard"
        told = {"seat": self.seat, "cell": list(cell), "card": card, "to": to}
        self.take("outcome", "gone", {**self.where, **told})
        if to == "hand":
            self.hands[self.seat].append(card)
        else:
            self.discards[card] += 1
        del self.board[cell]
        for post in [one for one in self.front if one.at in users]:
            self.drop(post)

    def log_out(self, user: User) -> None:
        """Sloan, of whom a token was taken: was it the last one?"""
        if self.trait(user) == "logout" and not self.on_card(user):
            self.remove((user[0], user[1]), took=True)

    def a_s_l(self) -> None:
        users = [user for user in self.everybody() if self.friends(user)]
        user = self.pick("user", self.seat, users)
        if user is None:
            return
        friend = self.pick("friend", self.seat, self.friends(user))
        lost = sorted(self.on_card(friend) & self.on_card(user))
        for seat in lost:
            self.leave(seat, friend)
        if lost:
            self.log_out(friend)

    def change_of_management(self) -> None:
        options = {(one.seat, one.name) for one in self.front}
        chosen = self.pick("manage", self.seat, sorted(options))
        alike = [one for one in self.front if (one.seat, one.name) == chosen]
        if alike:
            self.drop(alike[0])  # the oldest

    # 4. Invitations (text "Invite members", rules 5.2, 5.3).

    def invite(self) -> None:
        tried: set[str] = set()
        ways: dict[str, tuple[Callable[[], list[User]], Callable[[], None]]] = {
            "auto": (self.new_members, self.automatic),
            "spam": (self.spammed, self.spam),
            "personal": (self.inviters, self.personal),
            "block": (self.blockers, self.block),
        }
        while True:
            able = [
                way for way, (users, _) in ways.items() if users() and way not in tried
            ]
            way = self.pick("invite", self.seat, [*able, "none"] if able else [])
            if way in (None, "none"):
                return
            ways[way][1]()
            if self.rules["invite_mode"] == "one":
                return
            tried |= {"personal", "block"} if way in ("personal", "block") else {way}

    def new_members(self) -> list[User]:
        return [u for u in self.new_users if self.seat not in self.on_card(u)]

    def automatic(self) -> None:
        chosen = self.pick("invited", self.seat, self.new_members())
        self.join(self.seat, chosen, "auto")

    def spammed(self) -> list[User]:
        """Whom the active seat may spam."""
        if self.lies("smtp-block-list", self.seat):
            return []
        return [one for one in self.reached() if self.asks(None, one)]

    def reached(self) -> list[User]:
        """Whom spam reaches on a board in parts (S9)."""
        everybody = self.everybody()
        if not self.rules["split_blocks_spam"] or not everybody:
            return everybody
        if len(self.part_of(everybody[:1])) == len(self.board):
            return everybody
        part = self.part_of(self.members(self.seat))
        return [one for one in everybody if one[:2] in part]

    def part_of(self, users: Iterable[User]) -> set[User]:
        """The cells of Users, of those beside them, and so on."""
        found, new = set[User](), [user[:2] for user in users]
        while new:
            cell = new.pop()
            found.add(cell)
            near = [one for one in self.around(cell) if one in self.board]
            new += [one for one in near if one not in found]
        return found

    def spam(self) -> None:
        self.ask("spam", None, self.pick("invited", self.seat, self.spammed()))

    def inviters(self) -> list[User]:
        return [one for one in self.members(self.seat) if self.targets(one)]

    def targets(self, inviter: User) -> list[User]:
        """Whom a Member may invite personally, in board order."""
        if self.text(inviter, "friends") == 0:
            return []
        near = set(self.friends(inviter))
        if self.trait(inviter) == "far":
            near |= {two for one in near for two in self.friends(one)}
            near -= {inviter}
        return [one for one in self.in_order(near) if self.asks(inviter, one)]

    def personal(self) -> None:
        inviter = self.pick("inviter", self.seat, self.inviters())
        number, left = self.text(inviter, "friends"), self.targets(inviter)
        named: list[User] = []
        if number == "each":
            named, left = left, []
        most = len(left) if number == "all" else number
        while left and len(named) < most:
            stop: list[Any] = ["stop"] if named else []
            chosen = self.pick("invited", self.seat, [*left, *stop])
            if chosen == "stop":
                break
            named.append(chosen)
            left.remove(chosen)
        for target in named:
            self.ask("personal", inviter, target)

    def blockers(self) -> list[User]:
        mine = self.members(self.seat)
        return [u for u in mine if self.trait(u) == "block" and self.victims(u)]

    def victims(self, jimmy: User) -> list[User]:
        near = self.friends(jimmy)
        return [one for one in near if self.on_card(one) - self.on_card(jimmy)]

    def block(self) -> None:
        jimmy = self.pick("inviter", self.seat, self.blockers())
        friend = self.pick("victim", self.seat, self.victims(jimmy))
        colours = sorted(self.on_card(friend) - self.on_card(jimmy))
        colour = self.pick("colour", self.seat, colours)
        if self.roll("block", jimmy, friend) >= 4:
            self.leave(colour, friend)
            self.log_out(friend)

    # Who accepts (rules 5.3).

    def faces(self, inviter: User | None, target: User) -> set[int]:
        """The faces of the die on which a target accepts."""
        own = self.text(target, "spam" if inviter is None else "personal")
        if own == "always":
            return {1, 2, 3, 4, 5, 6}
        feature = {1} if self.lies("new-feature", self.seat) else set()
        if own == "never":
            return feature if self.rules["newfeature_beats_never"] else set()
        if own is not None:
            return {*own, *feature}
        if inviter is None:
            return {6, *feature}
        usual = [6] if self.lies("ipo", self.seat) else [4, 5, 6]
        return {*(self.text(inviter, "sends") or usual), *feature}

    def asks(self, inviter: User | None, target: User) -> bool:
        """Whether the target can be asked at all."""
        new = self.seat not in self.on_card(target)
        return new and bool(self.faces(inviter, target))

    def ask(self, via: str, inviter: User | None, target: User) -> None:
        if not self.asks(inviter, target):
            return
        faces = self.faces(inviter, target)
        if len(faces) == 6 or self.roll(via, inviter, target) in faces:
            self.join(self.seat, target, via)

    def roll(self, via: str, inviter: User | None, target: User) -> int:
        by = None if inviter is None else list(inviter)
        told = {"seat": self.seat, "via": via, "inviter": by, "target": list(target)}
        die = self.take("chance", "roll", {**self.where, **told}, "die")["die"]
        if type(die) is not int or die not in range(1, 7):
            self.foul(f"roll.die {die!r} is no face of a die")
        return die

    # Tokens.

    def join(self, seat: int, user: User, via: str) -> None:
        """A token is placed; Becca keeps no other; the last one wins."""
        self.tokens.setdefault(user, set()).add(seat)
        told = {"user": list(user), "via": via, "supply": self.supply(seat)}
        self.take("outcome", "joins", {**self.where, "seat": seat, **told})
        if self.trait(user) == "exclusive":
            for other in sorted(self.on_card(user) - {seat}):
                self.leave(other, user)
        if not self.supply(seat):
            raise Over(seat)

    def leave(self, seat: int, user: User) -> None:
        self.tokens[user].remove(seat)
        told = {"seat": seat, "user": list(user), "supply": self.supply(seat)}
        self.take("outcome", "leaves", {**self.where, **told})


check, check_stream = _Game.check, _Game.check_stream
in_force = _Game.in_force

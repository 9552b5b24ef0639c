"""The server of a page: this machine only, and only who was given the address.

It binds to 127.0.0.1. A request has to know the token that stands in the address, to
come to this host by name (no foreign name that resolves here: DNS rebinding), and not
to come from another page. Answers allow a browser nothing but the page's own files. No
code travels: strategies are chosen by name, from those that the command line knows.
"""

import json
import secrets
import socket
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.core.cells import Cell, UsageError
from experiments.execution import documents
from experiments.execution.disk import write_errors
from experiments.execution.failures import RunFailed
from experiments.explore import controls
from experiments.explore.sessions import MOST, Answer, Question, Session
from experiments.explore.workers import Workers
from experiments.variants import rule_diff, toml
from experiments.variants.by_players import written_out
from experiments.variants.variant_files import Variant, load, locate
from experiments.variants.variants import parse, resolve_variant, together
from sim import games as registry
from sim.games import Game
from sim.parameters import RuleError, Rules, nearest, one_of
from strategies.registry import builtin
from strategies.specs import listed

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"
PORT = 8_765
LONGEST = 65_536
"""Bytes of a request's body."""
SEARCH = "search:samples=2"
"""What "strong play" is."""
STATIC = Path(__file__).parent / "static"
_FILES = {"": "explore.html", "explore.js": "explore.js", "explore.css": "explore.css"}
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_OWN = {"same-origin", "none"}
_TABS = 8  # pages at once; the one that was quiet longest is dropped
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


def explore(  # noqa: PLR0913 - all that the command line knows
    game: str,
    strategy: str,
    *,
    variant: Path | None = None,
    settings: Sequence[str] = (),
    players: int = 4,
    seed: int = 0,
    port: int = PORT,
    browser: bool = False,
    jobs: int = -1,
    out: Path,
) -> None:
    """Serve a page on which rules are moved, until Ctrl-C.

    ``variant`` is the file that the base rests on, ``settings`` are what is changed at
    first. Raises ``UsageError`` or ``RuleError`` before anything is served.
    """
    needed()
    known = registry.load(game)
    file = None if variant is None else locate(str(variant), Path())
    below = None if file is None else load(known, file)
    base = resolve_variant(known, below).rules
    explorer = Explorer(
        known,
        base,
        below,
        tuple(settings),
        strategy,
        players,
        seed,
        out,
        Workers(jobs),
    )
    first = explorer.question(explorer.about()["start"])
    explorer.workers.warm(first.base)
    serve(explorer, port, browser=browser)


def needed() -> None:
    """Refuse where the extra is not installed; raises ``UsageError``."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise UsageError(
            "explore needs starlette and uvicorn, which are not installed: "
            "pip install 'fairdeal[explore]' (or: pip install starlette uvicorn)."
        ) from None


@dataclass
class Explorer:
    """A game that is explored: its base rules, who can play, and what was tried.

    ``variant`` is the file that the base rests on, if any; ``start`` the settings and
    the strategy that a page begins with. ``folder`` is where results go.
    """

    game: Game
    base: Rules
    variant: Variant | None
    start: tuple[str, ...]
    strategy: str
    players: int
    seed: int
    folder: Path
    workers: Workers
    tried: list[dict[str, Any]] = field(default_factory=list)
    saved: dict[str, Path] = field(default_factory=dict)
    _tabs: OrderedDict[str, Session] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def strategies(self) -> list[str]:
        """Who can play: those of the game, strong play, and who was brought along."""
        return list(dict.fromkeys([self.strategy, *builtin(self.game.id), SEARCH]))

    def about(self) -> dict[str, Any]:
        """All that a page has to know before it asks."""
        return {
            "game": self.game.id,
            "title": self.game.title,
            "base": self.variant.name if self.variant else "base rules",
            "seed": self.seed,
            "players": list(self.game.players),
            "strategies": self.strategies,
            "most": MOST,
            "controls": controls.controls(self.game, self.base),
            "start": {
                "settings": [list(one) for one in controls.pairs(self.start)],
                "players": self.players,
                "strategy": self.strategy,
                "most": MOST[1],
            },
        }

    def question(self, given: Mapping[str, Any]) -> Question:
        """What a page asks; raises ``RuleError`` or ``UsageError`` as commands do."""
        texts = controls.settings(given.get("settings", []))
        players, strategy = given.get("players"), given.get("strategy")
        if players not in self.game.players:
            allowed = one_of(map(str, self.game.players))
            raise UsageError(f"players: {players!r} cannot play. Allowed: {allowed}.")
        if strategy not in self.strategies:
            near = nearest(str(strategy), self.strategies)
            raise UsageError(f"strategy: no strategy {str(strategy)[:80]!r}{near}")
        most = given.get("most")
        if most not in MOST:
            raise UsageError(f"games: {one_of(map(str, MOST))}.")
        rules = resolve_variant(self.game, self.variant, texts).rules
        seats = tuple(listed(str(strategy)))
        base = Cell(self.game.id, self.base, int(players), seats, True, self.seed)
        other = Cell(self.game.id, rules, int(players), seats, True, self.seed)
        for cell in (base, other):
            cell.strategies()
        return Question(base, rules, tuple(texts), int(most))

    def told(self, question: Question) -> dict[str, Any]:
        """The question in words, and how to ask it again."""
        return {
            "sentences": rule_diff.sentences(question.base.rules, question.rules),
            "variant": self.variant_text(question),
            "commands": self.commands(question),
            "saved": str(self.saved.get(self.variant_text(question), "")),
        }

    def variant_text(self, question: Question) -> str:
        """The rules as a variant file."""
        changes = together(written_out(self.base, map(parse, question.settings)))
        head = {"game": self.game.id, "name": "tried"}
        if self.variant is not None:
            head["base"] = str(Path(self.variant.where).resolve())
        lines = [f"{key} = {toml.value(text)}" for key, text in head.items()]
        rules = toml.tables({"rules": changes}) if changes else ["", "[rules]"]
        return "\n".join([*lines, *rules]) + "\n"

    def commands(self, question: Question) -> list[str]:
        """Commands that repeat what is seen, for the saved file."""
        import shlex

        file = self.saved.get(self.variant_text(question))
        file = file or self.folder / f"tried-{len(self.saved) + 1}.toml"
        base = self.variant.where if self.variant else self.game.id
        cell = question.base
        table = ["--players", str(cell.players), "--seed", str(cell.seed)]
        seats = str(cell.lineup[0])
        sides = [base, str(file)] if question.changed else []
        compared = ["compare", *sides, "-n", str(question.most), "--lineup", seats]
        levers = ["levers", self.game.id, "--strategy", seats]
        report = ["report", self.game.id]
        if question.changed:
            levers, report = (
                [*one, "--variant", str(file)] for one in (levers, report)
            )
        some = [compared, levers, report] if question.changed else [levers, report]
        return [shlex.join(["fairdeal", *one, *table]) for one in some]

    def save(self, question: Question) -> Path:
        """Write the rules as a variant file where results go."""
        text = self.variant_text(question)
        with self._lock:
            if text not in self.saved:
                name = f"tried-{len(self.saved) + 1}.toml"
                self.saved[text] = self._write(name, text)
            return self.saved[text]

    def session(self, tab: str) -> Session:
        """The session of a page."""
        with self._lock:
            found = self._tabs.pop(tab, None) or Session(self.workers, self.note)
            self._tabs[tab] = found
            while len(self._tabs) > _TABS:
                self._tabs.popitem(last=False)[1].close()
            return found

    def note(self, question: Question, answer: Answer) -> None:
        """Keep what was tried, with its scores."""
        if not answer.lines:
            return
        cell = question.base
        entry = {
            "settings": controls.pairs(question.settings),
            "sentences": rule_diff.sentences(cell.rules, question.rules),
            "players": cell.players,
            "strategy": str(cell.lineup[0]),
            "most": question.most,
            "games": answer.games,
            "scores": {
                row["id"]: row["here"] or row["base"] for row in answer.lines
            },
        }  # fmt: skip
        same = ("sentences", "players", "strategy")
        with self._lock:
            at = next(
                (
                    at
                    for at, one in enumerate(self.tried)
                    if all(one[key] == entry[key] for key in same)
                ),
                len(self.tried),
            )
            self.tried[at : at + 1] = [entry]
            if answer.done:
                self._keep()

    def _keep(self) -> None:
        """Write down what was tried; a page goes on where that fails."""
        text = documents.to_json({"game": self.game.id, "tried": self.tried})
        try:
            self._write("tried.json", text)
        except RunFailed as error:
            print(f"note: what was tried is not kept: {error}", file=sys.stderr)

    def _write(self, name: str, text: str) -> Path:
        """Write a file where results go; raises ``RunFailed``."""
        with write_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        documents.write(self.folder / name, text.removesuffix("\n"))
        return self.folder / name

    def close(self) -> None:
        """End what is played."""
        for session in self._tabs.values():
            session.close()
        self.workers.close()


def application(explorer: Explorer, token: str, port: int) -> "ASGIApp":
    """The page and what it asks for, behind the guard."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    def page(request: "Request") -> "Response":
        name = _FILES.get(request.path_params.get("name", ""))
        if name is None:
            return Response("there is no such page", 404)
        path = STATIC / name
        return Response(path.read_bytes(), media_type=_TYPES[path.suffix])

    def about(request: "Request") -> "Response":
        return JSONResponse(explorer.about())

    async def ask(request: "Request") -> "Response":
        given = await _body(request)
        session = explorer.session(_tab(given))
        session.drop()
        question = explorer.question(given)
        number = session.ask(question, _line(given))
        return JSONResponse({"number": number, **explorer.told(question)})

    async def point(request: "Request") -> "Response":
        given = await _body(request)
        explorer.session(_tab(given)).point(_line(given))
        return JSONResponse({})

    async def save(request: "Request") -> "Response":
        question = explorer.question(await _body(request))
        path = explorer.save(question)
        return JSONResponse({"saved": str(path), **explorer.told(question)})

    async def answer(request: "Request") -> "Response":
        given = await _body(request)
        found = asdict(explorer.session(_tab(given)).answer())
        return Response(documents.to_json(found), media_type="application/json")

    def tried(request: "Request") -> "Response":
        found = {"tried": explorer.tried}
        return Response(documents.to_json(found), media_type="application/json")

    def refuse(request: "Request", error: Exception) -> "Response":
        return JSONResponse({"error": str(error)}, 422)

    routes = [
        Route("/", page),
        Route("/about", about),
        Route("/ask", ask, methods=["POST"]),
        Route("/answer", answer, methods=["POST"]),
        Route("/point", point, methods=["POST"]),
        Route("/tried", tried, methods=["POST"]),
        Route("/save", save, methods=["POST"]),
        Route("/{name}", page),
    ]
    refused = dict.fromkeys((RuleError, UsageError, RunFailed), refuse)
    app = Starlette(routes=routes, exception_handlers=refused)
    return Guard(app, token, port)


async def _body(request: "Request") -> dict[str, Any]:
    """The object of a request; raises ``UsageError``, or what says it is too long."""
    from starlette.exceptions import HTTPException

    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > LONGEST:
            raise HTTPException(413)
    try:
        given = json.loads(whole)
    except (ValueError, RecursionError):
        raise UsageError("the request is no JSON.") from None
    if not isinstance(given, dict):
        raise UsageError("the request is no JSON object.")
    return given


def _tab(given: Mapping[str, Any]) -> str:
    return str(given.get("tab", ""))[:40]


def _line(given: Mapping[str, Any]) -> str:
    return str(given.get("line", ""))[:40]


class Guard:
    """Refuses who does not know the token, and other hosts and pages."""

    def __init__(self, app: "ASGIApp", token: str, port: int) -> None:
        self._app, self._prefix = app, f"/{token}"
        self._hosts = {f"{name}:{port}" for name in (HOST, "localhost")}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request, or refuse it."""
        from starlette.responses import PlainTextResponse

        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def guarded(message: "Message") -> None:
            if message["type"] == "http.response.start":
                more = [(k.encode(), v.encode()) for k, v in _HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *more]
            await send(message)

        refused = self._refused(scope)
        if refused is not None:
            code, why = refused
            await PlainTextResponse(why, code)(scope, receive, guarded)
            return
        inner = dict(scope, path=scope["path"].removeprefix(self._prefix))
        await self._app(inner, receive, guarded)

    def _refused(self, scope: "Scope") -> tuple[int, str] | None:
        """The code and the reason, where a request is refused."""
        headers = {
            k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]
        }
        host = headers.get("host", "")
        if host not in self._hosts:
            return 421, "this host is not served here"
        known = scope["path"][: len(self._prefix) + 1].encode()
        if not secrets.compare_digest(known, f"{self._prefix}/".encode()):
            return 404, "there is nothing here; use the whole address that was printed"
        foreign = headers.get("origin", f"http://{host}") != f"http://{host}"
        if foreign or headers.get("sec-fetch-site", "none") not in _OWN:
            return 403, "another page may not ask"
        return _refused_body(headers) if scope["method"] == "POST" else None


def _refused_body(headers: Mapping[str, str]) -> tuple[int, str] | None:
    """The same by what a request says of its body."""
    if headers.get("content-type", "") != "application/json":
        return 415, "only JSON"
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 9 or int(length) > LONGEST:
        return 413, "the request is too long"
    return None


def serve(explorer: Explorer, port: int, *, browser: bool = False) -> None:
    """Serve until Ctrl-C; tells the address. Takes a free port if this one is not."""
    import uvicorn

    token = secrets.token_urlsafe(24)
    with _bound(port) as listening:
        port = listening.getsockname()[1]
        address = f"http://{HOST}:{port}/{token}/"
        app = application(explorer, token, port)
        settings = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            lifespan="off",
        )
        print(f"Exploring {explorer.game.title}: {address}", flush=True)
        print("Ctrl-C ends it.", flush=True)
        if browser:
            import webbrowser

            webbrowser.open(address)
        try:
            uvicorn.Server(settings).run(sockets=[listening])
        except KeyboardInterrupt:  # the way to end it
            pass
        finally:
            explorer.close()


def _bound(port: int) -> socket.socket:
    """A socket of this machine at this port, or at a free one."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError:
        listening.bind((HOST, 0))
    return listening

"""The server of a page: this machine only, and only who was given the address.

It binds to 127.0.0.1. A request has to know the token that stands in the address, to
come to this host by name (no foreign name that resolves here: DNS rebinding), and not
to come from another page. Answers allow a browser nothing but the page's own files. No
code travels: strategies are chosen by name, from those that the command line knows.
"""

import json
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.core.cells import UsageError
from experiments.execution import documents
from experiments.execution.failures import RunFailed
from experiments.explore.explorer import WATCHED, Explorer, game_told
from experiments.explore.sessions import Session
from experiments.explore.workers import Workers
from experiments.variants.variant_files import load, locate
from experiments.variants.variants import resolve_variant
from sim import games as registry
from sim.parameters import RuleError, one_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"
PORT = 8_765
LONGEST = 65_536
"""Bytes of a request's body."""
STATIC = Path(__file__).parent / "static"
_FILES = {"": "explore.html", "explore.js": "explore.js", "explore.css": "explore.css"}
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_OWN = {"same-origin", "none"}
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


def application(explorer: Explorer, token: str, port: int) -> "ASGIApp":
    """The page and what it asks for, behind the guard."""
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route

    asked = Asked(explorer)

    def page(request: "Request") -> "Response":
        path = STATIC / _FILES.get(request.path_params.get("name", ""), "nothing")
        if not path.is_file():
            return Response("there is no such page", 404)
        return Response(path.read_bytes(), media_type=_TYPES[path.suffix])

    async def answer(request: "Request") -> "Response":
        found = await asked(request.url.path, await _body(request))
        return Response(documents.to_json(found), media_type="application/json")

    def refuse(request: "Request", error: Exception) -> "Response":
        text = documents.to_json({"error": str(error)})
        return Response(text, 422, media_type="application/json")

    names = ("about", "ask", "answer", "point", "watch", "tried", "save")
    routes = [Route("/", page), Route("/{name}", page, methods=["GET"])]
    routes = [Route(f"/{one}", answer, methods=["POST"]) for one in names] + routes
    refused = dict.fromkeys((RuleError, UsageError, RunFailed), refuse)
    return Guard(Starlette(routes=routes, exception_handlers=refused), token, port)


class Asked:
    """What a page may ask, by the last part of the address."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer

    async def __call__(self, place: str, given: dict[str, Any]) -> Any:
        """Answer a request; what takes long does so beside the server."""
        from starlette.concurrency import run_in_threadpool

        answer = getattr(self, place.rpartition("/")[2])
        return await run_in_threadpool(answer, given)

    def about(self, given: dict[str, Any]) -> Any:
        """The game and its rules."""
        return self._explorer.about()

    def ask(self, given: dict[str, Any]) -> Any:
        """Play these rules, in place of what is played."""
        session = self._session(given)
        session.drop()
        question = self._explorer.question(given)
        number = session.ask(question, _text(given, "line"))
        return {"number": number, **self._explorer.told(question)}

    def answer(self, given: dict[str, Any]) -> Any:
        """What is known so far."""
        return asdict(self._session(given).answer())

    def point(self, given: dict[str, Any]) -> Any:
        """Want the levers of a line, or rules that meet a goal."""
        self._session(given).point(_text(given, "line"), _text(given, "goal"))
        return {}

    def watch(self, given: dict[str, Any]) -> Any:
        """Tell a game under both rule sets."""
        kind = _text(given, "kind")
        if kind not in WATCHED:
            raise UsageError(f"watch: {one_of(WATCHED)}.")
        return {"text": game_told(self._explorer.question(given), kind)}

    def tried(self, given: dict[str, Any]) -> Any:
        """What was tried, with its scores."""
        return {"tried": self._explorer.tried}

    def save(self, given: dict[str, Any]) -> Any:
        """Keep the rules as a variant file."""
        question = self._explorer.question(given)
        self._explorer.save(question)
        return self._explorer.told(question)

    def _session(self, given: dict[str, Any]) -> Session:
        return self._explorer.session(_text(given, "tab"))


def _text(given: Mapping[str, Any], key: str) -> str:
    return str(given.get(key, ""))[:80]


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

"""The server of a page: this machine only, and only who was given the address.

It binds to 127.0.0.1. A request has to know the token that stands in the address, to
come to this host by name (no foreign name that resolves here: DNS rebinding), and not
to come from another page. Answers allow a browser nothing but the page's own files. No
code travels: strategies are chosen by name, from those that the command line knows.
"""

import json
import logging
import secrets
import socket
import webbrowser
from contextlib import suppress
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution.failures import RunFailed
from experiments.explore.explorer import STATIC, Explorer
from sim.parameters import RuleError

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.base import BaseHTTPMiddleware
    from starlette.requests import Request
    from starlette.responses import FileResponse, JSONResponse, Response
    from starlette.routing import Route
except ImportError:
    raise UsageError(
        "explore needs starlette and uvicorn, which are not installed: "
        "pip install 'fairdeal[explore]' (or: pip install starlette uvicorn)."
    ) from None

HOST, PORT = "127.0.0.1", 8_765
LONGEST = 65_536
"""Bytes of a request's body."""
_ASKED = ("ask", "answer", "leave", "watch", "save")
_ASKED_FOR: dict[str, Any] = {"tab": "", "address": "", "kind": "", "changes": {}}
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


def application(explorer: Explorer, token: str, port: int) -> Starlette:
    """The page and what it asks for, behind the guard."""

    def file(request: Request) -> Response:
        return FileResponse(STATIC / (_place(request) or "explore.html"))

    async def answer(request: Request) -> Response:
        asked, given = getattr(explorer, _place(request)), await _body(request)
        return JSONResponse(await run_in_threadpool(asked, given))

    def refuse(request: Request, error: Exception) -> Response:
        return JSONResponse({"error": str(error)}, 422)

    async def guard(request: Request, following: Any) -> Response:
        refused = _refused(request, token, port)
        found = JSONResponse(*refused) if refused else await following(request)
        found.headers.update(_HEADERS)
        return found

    files = ("", "explore.js", "explore.css")
    routes = [Route(f"/{token}/{name}", file) for name in files]
    routes += [Route(f"/{token}/{name}", answer, methods=["POST"]) for name in _ASKED]
    return Starlette(
        routes=routes,
        exception_handlers=dict.fromkeys((RuleError, UsageError, RunFailed), refuse),
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)],
    )


def _place(request: Request) -> str:
    return request.url.path.rpartition("/")[2]


def _refused(request: Request, token: str, port: int) -> tuple[str, int] | None:
    """The reason and the code, where a request is refused."""
    host, said = request.headers.get("host", ""), request.headers
    if host not in {f"{name}:{port}" for name in (HOST, "localhost")}:
        return "this host is not served here", 421
    path, wanted = request.url.path.encode(), f"/{token}/".encode()
    if not secrets.compare_digest(path[: len(wanted)], wanted):
        return "there is nothing here; use the whole address that was printed", 404
    foreign = said.get("origin", f"http://{host}") != f"http://{host}"
    if foreign or said.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        return "another page may not ask", 403
    if request.method == "POST" and said.get("content-type") != "application/json":
        return "only JSON", 415
    return None


async def _body(request: Request) -> dict[str, Any]:
    """The object of a request; raises ``UsageError``, or what says it is too long."""
    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > LONGEST:
            raise HTTPException(413)
    with suppress(TypeError, ValueError, RecursionError):
        given = {**_ASKED_FOR, **json.loads(whole)}
        json.dumps(given, ensure_ascii=False).encode()  # or it cannot be answered
        if all(isinstance(given[name], type(one)) for name, one in _ASKED_FOR.items()):
            return given
    raise UsageError("the request is no JSON object of this page.")


def bound(port: int) -> socket.socket:
    """A socket that listens at a port of this machine, or at a free one."""
    try:
        return socket.create_server((HOST, port))
    except OSError:  # taken
        return socket.create_server((HOST, 0))


class _Server(uvicorn.Server):
    """Ends at once, whatever is asked."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.force_exit = True
        logging.getLogger("uvicorn.error").disabled = True  # of requests that are cut
        super().handle_exit(sig, frame)


def serve(explorer: Explorer, port: int, *, browser: bool = False) -> None:
    """Serve until Ctrl-C; tells the address. Takes a free port if this one is not.

    Raises ``UsageError`` or ``RuleError`` before anything is served.
    """
    explorer.session("").ask(explorer.question(explorer.start))  # nobody waits for it
    token = secrets.token_urlsafe(24)
    with bound(port) as listening:
        port = listening.getsockname()[1]
        address = f"http://{HOST}:{port}/{token}/"
        settings = uvicorn.Config(
            application(explorer, token, port),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
        )
        print(f"Exploring {explorer.game.title}: {address}", flush=True)
        print("Ctrl-C ends it.", flush=True)
        if browser:
            webbrowser.open(address)
        try:
            with suppress(KeyboardInterrupt):  # the way to end it
                _Server(settings).run(sockets=[listening])
        finally:
            explorer.close()

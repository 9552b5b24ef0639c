"""The server of a page, for this machine and those who have the address.

It binds to 127.0.0.1. A request must have the token in the address, must name this host
(no foreign name that resolves to it: DNS rebinding), and must not come from another
page. Answers allow a browser only the page's own files. No code is sent: strategies are
chosen by name, from those that the command line knows.
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

HOST = "127.0.0.1"
LONGEST = 65_536
"""The most bytes of a request's body."""
_METHODS = ("ask", "answer", "leave", "watch", "save")
_DEFAULTS: dict[str, Any] = {"tab": "", "address": "", "kind": "", "changes": {}}
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; "
    # Figures have style attributes; their texts are escaped.
    "style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


def application(explorer: Explorer, token: str, port: int) -> Starlette:
    """Return the application: the page and its requests, behind the guard."""

    def file(request: Request) -> Response:
        return FileResponse(STATIC / (_place(request) or "explore.html"))

    async def answer(request: Request) -> Response:
        method, given = getattr(explorer, _place(request)), await _body(request)
        return JSONResponse(await run_in_threadpool(method, given))

    def refuse(request: Request, error: Exception) -> Response:
        return JSONResponse({"error": str(error)}, 422)

    async def guard(request: Request, following: Any) -> Response:
        refused = _refused(request, token, port)
        response = JSONResponse(*refused) if refused else await following(request)
        response.headers.update(_HEADERS)
        return response

    files = ("", "explore.js", "explore.css")
    routes = [Route(f"/{token}/{name}", file) for name in files]
    routes += [Route(f"/{token}/{name}", answer, methods=["POST"]) for name in _METHODS]
    return Starlette(
        routes=routes,
        exception_handlers=dict.fromkeys((RuleError, UsageError, RunFailed), refuse),
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)],
    )


def _place(request: Request) -> str:
    return request.url.path.rpartition("/")[2]


def _refused(request: Request, token: str, port: int) -> tuple[str, int] | None:
    """Return reason and status code if a request is refused, otherwise None."""
    host, headers = request.headers.get("host", ""), request.headers
    if host not in {f"{name}:{port}" for name in (HOST, "localhost")}:
        return "this host is not served here", 421
    path, wanted = request.url.path.encode(), f"/{token}/".encode()
    if not secrets.compare_digest(path[: len(wanted)], wanted):
        return "there is nothing here; use the whole address that was printed", 404
    foreign = headers.get("origin", f"http://{host}") != f"http://{host}"
    if foreign or headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        return "another page may not ask", 403
    if request.method == "POST" and headers.get("content-type") != "application/json":
        return "only JSON", 415
    return None


async def _body(request: Request) -> dict[str, Any]:
    """Return the object of a request; raises ``UsageError`` or ``HTTPException``."""
    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > LONGEST:
            raise HTTPException(413)
    with suppress(TypeError, ValueError, RecursionError):
        given = {**_DEFAULTS, **json.loads(whole)}
        # Otherwise no answer is possible
        json.dumps(given, ensure_ascii=False).encode()
        if all(isinstance(given[name], type(each)) for name, each in _DEFAULTS.items()):
            return given
    raise UsageError("the request is not a JSON object of this page.")


def bind_socket(port: int) -> socket.socket:
    """Return a socket that listens at this port, or at a free one if it is taken."""
    try:
        return socket.create_server((HOST, port))
    except OSError:  # taken
        return socket.create_server((HOST, 0))


class _Server(uvicorn.Server):
    """Ends at once, even during requests."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.force_exit = True
        logging.getLogger("uvicorn.error").disabled = True  # about cut requests
        super().handle_exit(sig, frame)


def serve(explorer: Explorer, port: int, *, browser: bool = False) -> None:
    """Print the address and serve until Ctrl-C; use a free port if this one is taken.

    Raises ``UsageError`` or ``RuleError`` before anything is served.
    """
    explorer.session("").ask(explorer.question(explorer.start))  # before it is opened
    token = secrets.token_urlsafe(24)
    with bind_socket(port) as listening:
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
            with suppress(KeyboardInterrupt):  # the intended way to end
                _Server(settings).run(sockets=[listening])
        finally:
            explorer.close()

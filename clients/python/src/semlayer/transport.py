"""HTTP, as far as the service speaks it: JSON out, JSON or a stream in.

Connections are kept and used again, by one thread at a time. A request that gets ``busy`` is sent again after the time that it names.
"""

from __future__ import annotations

import http.client
import json
import re
import ssl
import threading
import time
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import urlsplit

from .errors import ExecuteError, SemlayerError, from_wire

ARROW = "application/vnd.apache.arrow.stream"

#: The longest wait for a free slot, in seconds.
MAX_RETRY_WAIT = 10.0

#: The end of a base address that names a model of a server of several.
MODEL_PATH = re.compile(r"/m/[A-Za-z0-9_-]+$")

#: Paths of the server itself, which no model has.
SERVER_PATHS = ("/health", "/ready", "/v1/models")

#: Connections that are kept for the next request.
KEPT = 8


class Transport:
    """Sends requests to one base address."""

    def __init__(self, base_url: str, token: Optional[str], timeout: float, max_retries: int, context: Optional[ssl.SSLContext]) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{base_url!r} is not an http or https address")
        if parts.query or parts.fragment or parts.username:
            raise ValueError("a base address has neither a query nor a user")
        self._scheme = parts.scheme
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._root = MODEL_PATH.sub("", self._prefix)
        self._timeout = timeout
        self._max_retries = max_retries
        self._context = context
        self._headers = {"Accept": "application/json", "User-Agent": "semlayer-python"}
        if token is not None:
            if not token or any(c in token for c in "\r\n"):
                raise ValueError("a token is a text of one line and not empty")
            self._headers["Authorization"] = "Bearer " + token
        self._kept: List[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def close(self) -> None:
        """Closes the connections that are kept."""
        with self._lock:
            kept, self._kept = self._kept, []
        for c in kept:
            c.close()

    def json(self, method: str, path: str, body: Any = None) -> str:
        """The text of a successful answer."""
        response, connection = self.open(method, path, body)
        try:
            data = response.read()
        except (http.client.HTTPException, OSError) as e:
            connection.close()
            raise broken(e) from e
        self.release(response, connection)
        return data.decode("utf-8")

    def open(self, method: str, path: str, body: Any = None, accept: Optional[str] = None) -> Tuple[http.client.HTTPResponse, http.client.HTTPConnection]:
        """A successful answer whose body is still to be read."""
        attempts = 0
        while True:
            response, connection = self._send(method, path, body, accept)
            if 200 <= response.status < 300:
                return response, connection
            error, wait = self._refusal(response, connection)
            attempts += 1
            if wait is None or wait > MAX_RETRY_WAIT or attempts > self._max_retries:
                raise error
            time.sleep(wait)

    def release(self, response: http.client.HTTPResponse, connection: http.client.HTTPConnection) -> None:
        """Gives a connection back whose answer has been read to its end."""
        with self._lock:
            if not response.will_close and len(self._kept) < KEPT:
                self._kept.append(connection)
                return
        connection.close()

    def _send(self, method: str, path: str, body: Any, accept: Optional[str]) -> Tuple[http.client.HTTPResponse, http.client.HTTPConnection]:
        headers = dict(self._headers)
        payload: Optional[bytes] = None
        if body is not None:
            payload = json.dumps(body, ensure_ascii=False, allow_nan=False, default=_plain).encode("utf-8")
            headers["Content-Type"] = "application/json"
        if accept:
            headers["Accept"] = accept
        while True:
            connection, used = self._take()
            try:
                connection.request(method, (self._root if path in SERVER_PATHS else self._prefix) + path, payload, headers)
                return connection.getresponse(), connection
            except (http.client.HTTPException, OSError) as e:
                connection.close()
                # A kept connection may have been closed by the other side meanwhile;
                # nothing was answered on it, and every call only reads.
                if used and isinstance(e, (http.client.RemoteDisconnected, ConnectionError, http.client.CannotSendRequest)):
                    continue
                raise broken(e) from e

    def _take(self) -> Tuple[http.client.HTTPConnection, bool]:
        with self._lock:
            if self._kept:
                return self._kept.pop(), True
        if self._scheme == "https":
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._context), False
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout), False

    def _refusal(self, response: http.client.HTTPResponse, connection: http.client.HTTPConnection) -> Tuple[SemlayerError, Optional[float]]:
        status = response.status
        after = response.getheader("Retry-After")
        try:
            data = response.read()
        except (http.client.HTTPException, OSError) as e:
            connection.close()
            raise broken(e) from e
        self.release(response, connection)
        try:
            body: Dict[str, Any] = json.loads(data)["error"]
            error = from_wire(body, status)
        except (ValueError, KeyError, TypeError, AttributeError):
            error = SemlayerError("internal", f"status {status} with a body that the service does not send", status=status)
        wait = float(after) if status == 429 and after is not None and after.isdigit() else None
        return error, wait


def broken(e: Exception) -> ExecuteError:
    """What a connection that failed means to the caller."""
    if isinstance(e, TimeoutError):
        return ExecuteError("timeout", "the service did not answer in time")
    return ExecuteError("connection", f"the service cannot be reached or broke off: {e or type(e).__name__}")


def _plain(value: Any) -> Any:
    """Dates and decimals as the wire spells them."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not a value of a query")

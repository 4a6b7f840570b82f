"""An Arrow stream that detects its end.

A server that fails in mid-stream ends the body without the end-of-stream marker,
and Arrow's readers take that for the end of the data. This reader follows the
stream message by message, as the format describes (Apache Arrow, "IPC Streaming
Format"), and raises where the marker is missing.
"""

from __future__ import annotations

import http.client
import io
import struct
from typing import Any

from .errors import ExecuteError
from .transport import Transport, broken

_CONTINUATION = 0xFFFFFFFF


class ArrowStream(io.RawIOBase):
    """The bytes of a result as an Arrow IPC stream; readable, and to be closed.

    ``complete`` is true after the end-of-stream marker has been read.
    """

    def __init__(self, transport: Transport, response: http.client.HTTPResponse, connection: http.client.HTTPConnection) -> None:
        super().__init__()
        self._transport = transport
        self._response = response
        self._connection = connection
        self._pending = b""  # of the message that is being read
        self._body = 0  # bytes of its body still to come
        self.complete = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        if not self._pending and not self._body and not self.complete:
            self._next_message()
        if self._pending:
            n = min(len(view), len(self._pending))
            view[:n] = self._pending[:n]
            self._pending = self._pending[n:]
            return n
        if self._body:
            data = self._some(min(len(view), self._body))
            view[: len(data)] = data
            self._body -= len(data)
            return len(data)
        return 0

    def close(self) -> None:
        if not self.closed:
            if self.complete and not self._pending and self._response.read(1) == b"":
                self._transport.release(self._response, self._connection)
            else:
                self._connection.close()
        super().close()

    def _next_message(self) -> None:
        prefix = self._exactly(8)
        mark, length = struct.unpack("<II", prefix)
        if mark != _CONTINUATION:
            raise ExecuteError("driver", "the stream is not an Arrow stream: a message has no continuation mark")
        self._pending = prefix
        if length == 0:
            self.complete = True
            return
        metadata = self._exactly(length)
        self._pending += metadata
        self._body = _body_length(metadata)

    def _exactly(self, n: int) -> bytes:
        data = b""
        while len(data) < n:
            data += self._some(n - len(data))
        return data

    def _some(self, n: int) -> bytes:
        try:
            data = self._response.read(n)
        except (http.client.HTTPException, OSError) as e:
            raise broken(e) from e
        if not data:
            raise ExecuteError("driver", "the stream broke off before its end: what was read is not the whole result", hint="ask again")
        return data


def _body_length(message: bytes) -> int:
    """The fourth field of the flatbuffer table Message: bodyLength, an int64."""
    table = struct.unpack_from("<I", message, 0)[0]
    vtable = table - struct.unpack_from("<i", message, table)[0]
    size = struct.unpack_from("<H", message, vtable)[0]
    slot = 4 + 2 * 3
    if size < slot + 2:
        return 0
    offset = struct.unpack_from("<H", message, vtable + slot)[0]
    return int(struct.unpack_from("<q", message, table + offset)[0]) if offset else 0

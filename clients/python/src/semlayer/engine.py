"""The service as a child of this process.

An Engine starts the ``semlayer`` program on a separate loopback port, with a
token that only these two have, and ends the program when the Engine is closed.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
import warnings
import weakref
from typing import IO, Any, Dict, List, Optional

from .client import Client
from .errors import ExecuteError, ModelError

__all__ = ["Engine", "ModelWarning"]

#: Variable that names the program where it is not on the PATH.
BINARY = "SEMLAYER_BINARY"

_ADDRESS = re.compile(r"address=(http://[^\s\"]+)|\"address\":\"(http://[^\"]+)\"")


class ModelWarning(UserWarning):
    """A finding about the model that does not keep it from being used."""


class Engine(Client):
    """A model that is loaded here: the methods of Client without a server to run.

    One of ``model_path`` and ``model_text`` is required, unless ``data`` is given: a folder of
    Parquet, CSV and JSON files, whose model is then made from them. ``db`` is a DuckDB file
    for queries without a connection, ``connections`` the file of connection
    profiles, ``binary`` the program where neither PATH nor $SEMLAYER_BINARY has
    it. ``basic=True`` ignores vendor extensions.

    Construction fails fast: a text that cannot be read, is not a model, is invalid,
    or has objects that do not compile raises ModelError. With ``strict=False`` the
    last is left to the queries that use such an object. Warnings of the model
    become Python warnings of category ModelWarning.
    """

    def __init__(
        self,
        model_path: Optional[str] = None,
        *,
        model_text: Optional[str] = None,
        connections: Optional[str] = None,
        db: Optional[str] = None,
        data: Optional[str] = None,
        binary: Optional[str] = None,
        basic: bool = False,
        strict: bool = True,
        timeout: float = 90.0,
        start_timeout: float = 30.0,
        decimals: bool = False,
        dates: bool = True,
    ) -> None:
        if model_path is not None and model_text is not None:
            raise ValueError("model_path and model_text exclude each other")
        if model_path is None and model_text is None and data is None:
            raise ValueError("one of model_path, model_text and data is needed")
        program = _program(binary)
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        if model_text is not None:
            self._folder = tempfile.TemporaryDirectory(prefix="semlayer-")
            model_path = os.path.join(self._folder.name, "model.yaml")
            with open(model_path, "w", encoding="utf-8") as f:
                f.write(model_text)
        try:
            if model_path is not None:
                _judge(program, model_path, basic, strict)
            token = secrets.token_urlsafe(32)
            self._process = _Process(program, _arguments(model_path, connections, db, data, basic), token)
            base = self._process.wait_until_ready(start_timeout)
        except BaseException:
            self._remove()
            raise
        super().__init__(base, token, timeout=timeout, decimals=decimals, dates=dates)

    def close(self) -> None:
        """Ends the program. Calling it again does nothing."""
        super().close()
        self._process.end()
        self._remove()

    def _remove(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _program(binary: Optional[str]) -> str:
    asked = binary or os.environ.get(BINARY) or "semlayer"
    found = shutil.which(asked)
    if found is None:
        raise FileNotFoundError(
            f"the program {asked!r} is not there. Install it with `go install github.com/semlayer/semlayer/cmd/semlayer@latest`, "
            f"put it on the PATH, name it in ${BINARY}, or pass binary=…"
        )
    return found


def _arguments(model: Optional[str], connections: Optional[str], db: Optional[str], data: Optional[str], basic: bool) -> List[str]:
    arguments = ["serve", "--bind", "127.0.0.1:0"]
    if model is not None:
        arguments += ["--model", model]
    if data is not None:
        arguments += ["--data", data]
    if connections is not None:
        arguments += ["--connections", connections]
    if db is not None:
        arguments += ["--db", db]
    if basic:
        arguments.append("--sem-basic")
    return arguments


def _judge(program: str, model: str, basic: bool, strict: bool) -> None:
    """Validates the model and raises what keeps it from being used."""
    try:
        with open(model, "rb"):
            pass
    except OSError as e:
        raise ModelError("io", f"the model cannot be read: {e}") from e
    arguments = [program, "validate", "--model", model, "--format", "json"] + (["--sem-basic"] if basic else [])
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    try:
        found: Dict[str, List[Dict[str, Any]]] = json.loads(done.stdout)
    except ValueError:
        raise ModelError("parse", done.stderr.strip() or f"validation ended with {done.returncode}") from None
    errors = [i for i in found.get("issues", []) if i.get("severity") == "error"]
    unreadable = next((i for i in errors if i["code"] in ("io", "ontology", "parse")), None)
    if unreadable:
        raise ModelError(unreadable["code"], unreadable["message"])
    if errors:
        raise ModelError("invalid_model", "; ".join(f"{i['location']}: {i['message']}" for i in errors[:3]), issues=found["issues"])
    broken = found.get("compile_errors") or []
    if broken and strict:
        first = broken[0]
        raise ModelError(
            "compile_error",
            f"{first['location']}: {first['message']}",
            compile_errors=broken,
            candidates=first.get("candidates"),
            hint=first.get("hint"),
            location=first.get("location"),
        )
    rest = [i for i in found.get("issues", []) if i.get("severity") != "error"]
    for w in rest + (found.get("warnings") or []):
        warnings.warn(f"{w['code']} at {w['location']}: {w['message']}", ModelWarning, stacklevel=4)


class _Ear:
    """The output of the service, read by a separate thread so that the service never
    waits for a reader. It holds no reference to the process: an engine that is
    forgotten is collected and ends."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.lines: List[str] = []
        self.base: Optional[str] = None

    def listen(self, stream: IO[str]) -> None:
        for line in stream:
            found = _ADDRESS.search(line) if self.base is None else None
            with self.changed:
                self.lines.append(line)
                del self.lines[:-50]
                if found:
                    self.base = found.group(1) or found.group(2)
                self.changed.notify_all()
        stream.close()
        with self.changed:
            self.changed.notify_all()


class _Process:
    """A running service. It ends with close, with the last reference, and at exit."""

    def __init__(self, program: str, arguments: List[str], token: str) -> None:
        environment = {**os.environ, "SVC_SERVER_TOKEN": token}
        # The settings of a server in the caller's environment do not apply here.
        for name in [n for n in environment if n.startswith("SVC_") and n not in ("SVC_SERVER_TOKEN", "SVC_CONNECTIONS")]:
            del environment[name]
        self._ear = _Ear()
        self._child = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        self._end = weakref.finalize(self, _end, self._child)
        threading.Thread(target=self._ear.listen, args=(self._child.stderr,), daemon=True).start()

    def wait_until_ready(self, seconds: float) -> str:
        """The address, once the service listens on it."""
        ear = self._ear
        deadline = time.monotonic() + seconds
        with ear.changed:
            while ear.base is None and self._child.poll() is None and time.monotonic() < deadline:
                ear.changed.wait(0.2)
            base, said = ear.base, "".join(ear.lines[-5:]).strip()
        if base is None:
            self.end()
            raise ExecuteError("config", f"the service did not start: {said or 'it printed nothing'}")
        return base

    def end(self) -> None:
        self._end()


def _end(child: "subprocess.Popen[str]") -> None:
    if child.poll() is not None:
        return
    child.terminate()
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()



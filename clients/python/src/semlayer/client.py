"""The service over HTTP."""

from __future__ import annotations

import json
import ssl
from typing import Any, Dict, List, Optional, Union, cast
from urllib.parse import quote

from . import types
from .arrow import ArrowStream
from .result import Result
from .transport import ARROW, Transport

__all__ = ["Client"]


class Client:
    """Calls a running service. Safe for use by several threads.

    ``timeout`` is in seconds, for connecting and for each wait on the answer; the
    service has its own budget for executions, 60 seconds unless configured. An
    answer of 429 is waited for and asked again ``max_retries`` times.
    ``decimals=True`` gives numbers with a point as Decimal.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8081",
        token: Optional[str] = None,
        *,
        timeout: float = 90.0,
        max_retries: int = 3,
        decimals: bool = False,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._decimals = decimals
        self._transport = Transport(base_url, token, timeout, max_retries, ssl_context)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are kept for the next call."""
        self._transport.close()

    def model(self) -> types.Model:
        """The model that is served: its name, versions and counts."""
        return cast(types.Model, self._get("/v1/model"))

    def capabilities(self) -> types.Capabilities:
        """Versions, extension keys, dialects and connection types."""
        return cast(types.Capabilities, self._get("/v1/capabilities"))

    def datasets(self) -> List[types.Dataset]:
        """The datasets of the model."""
        return cast(List[types.Dataset], self._get("/v1/datasets"))

    def metrics(self) -> List[types.Metric]:
        """The metrics of the model."""
        return cast(List[types.Metric], self._get("/v1/metrics"))

    def dimensions(self, metric: Optional[str] = None) -> List[types.Dimension]:
        """All fields, or with a metric those that it can be grouped by."""
        suffix = "" if metric is None else "?metric=" + quote(metric, safe="")
        return cast(List[types.Dimension], self._get("/v1/dimensions" + suffix))

    def relationships(self) -> List[types.Relationship]:
        """How the datasets of the model are joined."""
        return cast(List[types.Relationship], self._get("/v1/relationships"))

    def findings(self) -> types.Findings:
        """What did not compile, and the warnings of the model."""
        return cast(types.Findings, self._get("/v1/findings"))

    def connections(self) -> List[types.Connection]:
        """The connection profiles, without addresses and secrets."""
        return cast(List[types.Connection], self._get("/v1/connections"))

    def lineage(self, metric: Optional[str] = None) -> types.Lineage:
        """What is made of what, from tables to metrics; of one metric or of all."""
        suffix = "" if metric is None else "?metric=" + quote(metric, safe="")
        return cast(types.Lineage, self._get("/v1/lineage" + suffix))

    def validate(self, model: str) -> types.Validation:
        """The findings about the text of a model. A model with errors is no
        exception: ``valid`` is False."""
        return cast(types.Validation, self._post("/v1/validate", {"model": model}))

    def compile(self, query: types.MetricQuery) -> types.Compiled:
        """The SQL of a metric query."""
        return cast(types.Compiled, self._post("/v1/query/compile", query))

    def explain(self, query: types.MetricQuery) -> str:
        """The logical plan of a metric query, one node a line."""
        return cast(str, self._post("/v1/query/explain", query)["plan"])

    def execute(self, query: types.MetricQuery, *, arrow: bool = False) -> Any:
        """The rows of a metric query: a Result, or with ``arrow`` a pyarrow.Table
        that is known to be whole."""
        return self._run("/v1/query/execute", query, arrow)

    def execute_stream(self, query: types.MetricQuery) -> ArrowStream:
        """The rows of a metric query as the bytes of an Arrow IPC stream."""
        return self._stream("/v1/query/execute", query)

    def attribute(self, query: types.AttributeQuery) -> types.Attribution:
        """Why a metric changed between two windows."""
        return cast(types.Attribution, self._post("/v1/query/attribute", query))

    def select_compile(self, query: types.DetailQuery) -> types.Compiled:
        """The SQL of a detail query."""
        return cast(types.Compiled, self._post("/v1/select/compile", query))

    def select_explain(self, query: types.DetailQuery) -> str:
        """The logical plan of a detail query."""
        return cast(str, self._post("/v1/select/explain", query)["plan"])

    def select(self, query: types.DetailQuery, *, arrow: bool = False) -> Any:
        """The rows of a detail query: a Result, or a pyarrow.Table."""
        return self._run("/v1/select/execute", query, arrow)

    def select_stream(self, query: types.DetailQuery) -> ArrowStream:
        """The rows of a detail query as the bytes of an Arrow IPC stream."""
        return self._stream("/v1/select/execute", query)

    def _get(self, path: str) -> Any:
        return json.loads(self._transport.json("GET", path))

    def _post(self, path: str, body: Union[Dict[str, Any], Any]) -> Any:
        return json.loads(self._transport.json("POST", path, body))

    def _run(self, path: str, query: Any, arrow: bool) -> Any:
        if not arrow:
            return Result(self._transport.json("POST", path, query), self._decimals)
        try:
            from pyarrow import ipc
        except ImportError as e:
            raise ImportError("arrow=True needs pyarrow: pip install 'semlayer[arrow]'") from e
        with self._stream(path, query) as stream:
            table = ipc.open_stream(stream).read_all()
            stream.read()  # the marker, where the reader stopped before it
            return table

    def _stream(self, path: str, query: Any) -> ArrowStream:
        response, connection = self._transport.open("POST", path, query, accept=ARROW)
        return ArrowStream(self._transport, response, connection)

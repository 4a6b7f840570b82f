"""The service over HTTP."""

from __future__ import annotations

import json
import ssl
from functools import partial
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, Union, cast, overload
from urllib.parse import quote, urlencode

from . import types
from .arrow import ArrowStream
from .dates import Reader, readers, readers_of_types
from .queries import detail_query, metric_query, one_query, sql_statement, takes
from .result import Result
from .transport import ARROW, Transport

if TYPE_CHECKING:
    import pyarrow  # pyright: ignore[reportMissingImports]
    from typing_extensions import Unpack

__all__ = ["Client"]


class Client:
    """Calls a running service. Safe for use by several threads.

    ``timeout`` is in seconds, for connecting and for each wait for the response; the
    service has its own budget for executions, 60 seconds unless configured. An
    answer of 429 is waited for and asked again ``max_retries`` times.
    ``decimals=True`` gives numbers with a point as Decimal; ``dates=False`` leaves dates
    and timestamps the texts that the service sends.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8081",
        token: Optional[str] = None,
        *,
        timeout: float = 90.0,
        max_retries: int = 3,
        decimals: bool = False,
        dates: bool = True,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._decimals = decimals
        self._dates = dates
        self._known_dimensions: Optional[List[types.Dimension]] = None
        self._known_metrics: Optional[List[types.Metric]] = None
        self._transport = Transport(base_url, token, timeout, max_retries, ssl_context)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are kept for the next call."""
        self._transport.close()

    def models(self) -> List[types.ModelEntry]:
        """The models of the server, also where the base address is that of one."""
        return cast(List[types.ModelEntry], self._get("/v1/models"))

    def model(self) -> types.Model:
        """The model that is served: its name, versions and counts."""
        return cast(types.Model, self._get("/v1/model"))

    def capabilities(self) -> types.Capabilities:
        """Versions, extension keys, dialects and connection types."""
        return cast(types.Capabilities, self._get("/v1/capabilities"))

    def datasets(self) -> List[types.Dataset]:
        """The datasets of the model."""
        return cast(List[types.Dataset], self._get("/v1/datasets"))

    def metrics(self, *, view: Optional[str] = None) -> List[types.Metric]:
        """The metrics of the model, or of a view with the labels and folders that it gives."""
        return cast(List[types.Metric], self._get("/v1/metrics" + _suffix({"view": view})))

    def dimensions(self, metric: Optional[str] = None, *, view: Optional[str] = None) -> List[types.Dimension]:
        """All fields, or with a metric those that it can be grouped by; with ``view`` those of the view."""
        return cast(List[types.Dimension], self._get("/v1/dimensions" + _suffix({"metric": metric, "view": view})))

    def relationships(self) -> List[types.Relationship]:
        """How the datasets of the model are joined."""
        return cast(List[types.Relationship], self._get("/v1/relationships"))

    def views(self) -> List[types.View]:
        """The named parts of the model."""
        return cast(List[types.View], self._get("/v1/views"))

    def findings(self) -> types.Findings:
        """What did not compile, and the warnings of the model."""
        return cast(types.Findings, self._get("/v1/findings"))

    def identity(self) -> types.Identity:
        """The identity of the token: its roles, its attributes, and whether it sees SQL."""
        return cast(types.Identity, self._get("/v1/identity"))

    def saved(self) -> List[types.SavedQuery]:
        """The saved queries of the model."""
        return cast(List[types.SavedQuery], self._get("/v1/saved"))

    def connections(self, check: bool = False) -> List[types.Connection]:
        """The connection profiles, without addresses and secrets. With check, the server asks their warehouses."""
        suffix = "?check=true" if check else ""
        return cast(List[types.Connection], self._get("/v1/connections" + suffix))

    def rollups(self) -> List[types.Rollup]:
        """The rollups of the model, with what was last read of their tables."""
        return cast(List[types.Rollup], self._get("/v1/rollups"))

    def catalog(self) -> types.Catalog:
        """The lists of the model in one response."""
        return cast(types.Catalog, self._get("/v1/catalog"))

    def lineage(self, metric: Optional[str] = None) -> types.Lineage:
        """What is made of what, from tables to metrics; of one metric or of all."""
        return cast(types.Lineage, self._get("/v1/lineage" + _suffix({"metric": metric})))

    def find(
        self,
        question: str,
        *,
        kinds: Sequence[types.ObjectKind] = (),
        metrics: Sequence[str] = (),
        view: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> types.Found:
        """The objects of the model that a question in plain words names, the best first; with
        ``metrics`` only what one query with all of them accepts."""
        parameters = {"q": question, "kinds": ",".join(kinds), "metrics": ",".join(metrics), "view": view, "limit": limit, "offset": offset}
        return cast(types.Found, self._get("/v1/find" + _suffix(parameters)))

    def values(
        self,
        field: str,
        *,
        like: Optional[str] = None,
        where_sql: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        connection: Optional[str] = None,
        dialect: Optional[str] = None,
        view: Optional[str] = None,
        fresh: bool = False,
    ) -> types.Values:
        """The stored values of a field, the most frequent first; with ``like`` those that contain
        a text, ignoring case, and the nearest where none does."""
        parameters = {
            "field": field,
            "like": like,
            "where_sql": where_sql,
            "limit": limit,
            "offset": offset,
            "connection": connection,
            "dialect": dialect,
            "view": view,
            "fresh": "true" if fresh else None,
        }
        return cast(types.Values, self._get("/v1/values" + _suffix(parameters)))

    @takes(types.CompatibleKeys)
    def compatible(self, query: Optional[types.CompatibleQuery] = None, **keys: Any) -> types.Compatible:
        """The metrics and dimensions that a metric query accepts as one more item; it may lack
        metrics. ``limit`` and ``offset`` are those of a page of each list."""
        return cast(types.Compatible, self._post("/v1/query/compatible", one_query(query, metric_query(keys))))

    def validate(self, model: str) -> types.Validation:
        """The findings about the text of a model. A model with errors does not raise an
        exception: ``valid`` is False."""
        return cast(types.Validation, self._post("/v1/validate", {"model": model}))

    def compile(self, query: types.MetricQuery) -> types.Compiled:
        """The SQL of a metric query."""
        return cast(types.Compiled, self._post("/v1/query/compile", query))

    def explain(self, query: types.MetricQuery) -> str:
        """The logical plan of a metric query, one node a line."""
        return cast(str, self._post("/v1/query/explain", query)["plan"])

    @overload
    def execute(self, query: Optional[types.MetricQuery] = None, *, arrow: Literal[False] = False, **keys: "Unpack[types.MetricKeys]") -> Result: ...

    @overload
    def execute(self, query: Optional[types.MetricQuery] = None, *, arrow: Literal[True], **keys: "Unpack[types.MetricKeys]") -> "pyarrow.Table": ...

    @takes(types.MetricKeys)
    def execute(self, query: Optional[types.MetricQuery] = None, *, arrow: bool = False, **keys: Any) -> Any:
        """The rows of a metric query: a Result, or with ``arrow`` a pyarrow.Table that is
        known to be whole. The query is a dictionary, or its keys as arguments, where
        ``"metric_time:month"`` is a group-by with a grain, ``"metric_time:hour_of_day"`` one with a part, and ``"-revenue"`` a descending order."""
        return self._run("/v1/query/execute", one_query(query, metric_query(keys)), arrow)

    def execute_stream(self, query: types.MetricQuery) -> ArrowStream:
        """The rows of a metric query as the bytes of an Arrow IPC stream."""
        return self._stream("/v1/query/execute", query)

    def attribute(self, query: types.AttributeQuery) -> types.Attribution:
        """An explanation of the change of a metric between two windows."""
        return cast(types.Attribution, self._post("/v1/query/attribute", query))

    def select_compile(self, query: types.DetailQuery) -> types.Compiled:
        """The SQL of a detail query."""
        return cast(types.Compiled, self._post("/v1/select/compile", query))

    def select_explain(self, query: types.DetailQuery) -> str:
        """The logical plan of a detail query."""
        return cast(str, self._post("/v1/select/explain", query)["plan"])

    @overload
    def select(self, query: Optional[types.DetailQuery] = None, *, arrow: Literal[False] = False, **keys: "Unpack[types.DetailKeys]") -> Result: ...

    @overload
    def select(self, query: Optional[types.DetailQuery] = None, *, arrow: Literal[True], **keys: "Unpack[types.DetailKeys]") -> "pyarrow.Table": ...

    @takes(types.DetailKeys)
    def select(self, query: Optional[types.DetailQuery] = None, *, arrow: bool = False, **keys: Any) -> Any:
        """The rows of a detail query: a Result, or a pyarrow.Table. The query is a
        dictionary, or its keys as arguments; ``from_`` is its key ``from``."""
        return self._run("/v1/select/execute", one_query(query, detail_query(keys)), arrow)

    def select_stream(self, query: types.DetailQuery) -> ArrowStream:
        """The rows of a detail query as the bytes of an Arrow IPC stream."""
        return self._stream("/v1/select/execute", query)

    def compile_sql(self, sql: str, params: Sequence[Any] = (), **keys: Any) -> types.CompiledSQL:
        """The SQL of the warehouse for a statement over the model. ``params`` are the values
        of $1, $2 and so on; the other keys are ``context_filter``, ``time_zone``, ``dialect``,
        ``connection``, ``pretty``, ``rollups`` and ``max_age``."""
        return cast(types.CompiledSQL, self._post("/v1/sql/compile", sql_statement(sql, params, keys)))

    @overload
    def execute_sql(self, sql: str, params: Sequence[Any] = (), *, arrow: Literal[False] = False, **keys: Any) -> Result: ...

    @overload
    def execute_sql(self, sql: str, params: Sequence[Any] = (), *, arrow: Literal[True], **keys: Any) -> "pyarrow.Table": ...

    def execute_sql(self, sql: str, params: Sequence[Any] = (), *, arrow: bool = False, **keys: Any) -> Any:
        """The rows of a statement over the model: a Result, or a pyarrow.Table. The keys are
        those of ``compile_sql``."""
        return self._run("/v1/sql/execute", sql_statement(sql, params, keys), arrow)

    def stream_sql(self, sql: str, params: Sequence[Any] = (), **keys: Any) -> ArrowStream:
        """The rows of a statement over the model as the bytes of an Arrow IPC stream."""
        return self._stream("/v1/sql/execute", sql_statement(sql, params, keys))

    def _get(self, path: str) -> Any:
        return json.loads(self._transport.json("GET", path))

    def _post(self, path: str, body: Union[Dict[str, Any], Any]) -> Any:
        return json.loads(self._transport.json("POST", path, body))

    def _readers(self, query: Mapping[str, Any], result: Result) -> Mapping[str, Reader]:
        """How the columns of a result are read. The names and types of the model are
        asked for once; those of a statement are asked for each time."""
        if "sql" in query:
            return readers_of_types(cast(types.CompiledSQL, self._post("/v1/sql/compile", query))["columns"])
        return readers(query, result.columns, self._all_dimensions, self._all_metrics)

    def _all_dimensions(self) -> List[types.Dimension]:
        if self._known_dimensions is None:
            self._known_dimensions = self.dimensions()
        return self._known_dimensions

    def _all_metrics(self) -> List[types.Metric]:
        if self._known_metrics is None:
            self._known_metrics = self.metrics()
        return self._known_metrics

    def _run(self, path: str, query: Any, arrow: bool) -> Any:
        if not arrow:
            types_of = partial(self._readers, query) if self._dates else None
            return Result(self._transport.json("POST", path, query), self._decimals, types_of)
        try:
            from pyarrow import ipc  # pyright: ignore[reportMissingImports]
        except ImportError as e:
            raise ImportError("arrow=True needs pyarrow: pip install 'semlayer[arrow]'") from e
        with self._stream(path, query) as stream:
            table = ipc.open_stream(stream).read_all()
            stream.read()  # the marker, where the reader stopped before it
            return table

    def _stream(self, path: str, query: Any) -> ArrowStream:
        response, connection = self._transport.open("POST", path, query, accept=ARROW)
        return ArrowStream(self._transport, response, connection)


def _suffix(parameters: Dict[str, Any]) -> str:
    """The parameters of an address that are given."""
    given = {key: value for key, value in parameters.items() if value not in (None, "")}
    return "?" + urlencode(given, quote_via=quote) if given else ""

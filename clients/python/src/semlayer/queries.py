"""Queries from keyword arguments."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, TypeVar, Union, cast

from . import types
from .dates import PARTS

__all__ = ["detail_query", "metric_query", "one_query", "sql_statement", "takes"]

Method = TypeVar("Method", bound=Callable[..., Any])


def takes(keys: type) -> Callable[[Method], Method]:
    """Makes the keys of a TypedDict the keyword arguments of a method: it refuses others,
    and its signature lists them."""

    def decorate(method: Method) -> Method:
        own = [p for p in inspect.signature(method).parameters.values() if p.kind is not p.VAR_KEYWORD]
        known = [inspect.Parameter(k, inspect.Parameter.KEYWORD_ONLY, default=None) for k in keys.__annotations__]
        signature = inspect.Signature(own + known)

        @functools.wraps(method)
        def checked(*args: Any, **arguments: Any) -> Any:
            signature.bind(*args, **arguments)
            return method(*args, **arguments)

        setattr(checked, "__signature__", signature)
        return cast(Method, checked)

    return decorate


def one_query(query: Optional[Mapping[str, Any]], keys: Dict[str, Any]) -> Mapping[str, Any]:
    """The query of a call: a dictionary or keyword arguments, not both."""
    if query is None:
        return keys
    if keys:
        raise TypeError("a query is a dictionary or keyword arguments, not both: " + ", ".join(keys))
    return query


def metric_query(keys: Dict[str, Any]) -> Dict[str, Any]:
    """A metric query of the arguments that are given."""
    query = _given(keys)
    if isinstance(query.get("metrics"), str):
        query["metrics"] = [query["metrics"]]
    if "group_by" in query:
        query["group_by"] = [_group_by(g) for g in _list("group_by", query["group_by"])]
    return query


def detail_query(keys: Dict[str, Any]) -> Dict[str, Any]:
    """A detail query of the arguments that are given."""
    return _given(keys)


_SQL_KEYS = ("context_filter", "time_zone", "dialect", "connection", "pretty", "rollups", "max_age")


def sql_statement(sql: str, params: Sequence[Any], keys: Mapping[str, Any]) -> Dict[str, Any]:
    """The body of a statement in SQL."""
    for key in keys:
        if key not in _SQL_KEYS:
            raise TypeError(f"a statement has no key {key!r}: there are " + ", ".join(_SQL_KEYS))
    body: Dict[str, Any] = {"sql": sql, **{k: v for k, v in keys.items() if v is not None}}
    if params:
        body["params"] = list(params)
    return body


# The keys that are words of the language, by the names of their arguments.
_KEYWORDS = {"from_": "from", "with_": "with"}


def _given(keys: Dict[str, Any]) -> Dict[str, Any]:
    query = {_KEYWORDS.get(k, k): v for k, v in keys.items() if v is not None}
    if "order_by" in query:
        query["order_by"] = [_order_by(o) for o in _list("order_by", query["order_by"])]
    return query


def _list(name: str, value: Any) -> Any:
    if isinstance(value, (str, dict)):
        raise TypeError(f"{name} is a list, not {value!r}")
    return value


def _group_by(item: Union[str, types.GroupBy]) -> types.GroupBy:
    if not isinstance(item, str):
        return item
    field, colon, unit = item.rpartition(":")
    if not colon or '"' in unit:
        return {"field": item}
    return {"field": field, "part": unit} if unit in PARTS else {"field": field, "grain": unit}


def _order_by(item: Union[str, types.OrderBy]) -> types.OrderBy:
    if not isinstance(item, str):
        return item
    return {"key": item[1:], "desc": True} if item.startswith("-") else {"key": item}

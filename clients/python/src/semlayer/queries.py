"""Queries from keyword arguments."""

from __future__ import annotations

from typing import Any, Dict, Union

from . import types

__all__ = ["detail_query", "metric_query"]


def metric_query(**keys: Any) -> Dict[str, Any]:
    """A metric query of the arguments that are given."""
    query = _given(keys)
    if isinstance(query.get("metrics"), str):
        query["metrics"] = [query["metrics"]]
    if "group_by" in query:
        query["group_by"] = [_group_by(g) for g in _list("group_by", query["group_by"])]
    return query


def detail_query(**keys: Any) -> Dict[str, Any]:
    """A detail query of the arguments that are given."""
    query = _given(keys)
    if "from_" in query:
        query = {"from": query.pop("from_"), **query}
    return query


def _given(keys: Dict[str, Any]) -> Dict[str, Any]:
    query = {k: v for k, v in keys.items() if v is not None}
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
    field, colon, grain = item.rpartition(":")
    return {"field": field, "grain": grain} if colon and '"' not in grain else {"field": item}


def _order_by(item: Union[str, types.OrderBy]) -> types.OrderBy:
    if not isinstance(item, str):
        return item
    return {"key": item[1:], "desc": True} if item.startswith("-") else {"key": item}

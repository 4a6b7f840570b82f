"""Uses of the client for a type checker. This file is checked and not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

from semlayer import Client, Result

if TYPE_CHECKING:
    from typing_extensions import assert_type

    def usage(client: Client) -> None:
        result = client.execute(metrics=["revenue"], group_by=["metric_time:month", {"field": "customers.region"}], order_by=["-revenue"])
        assert_type(result, Result)
        assert_type(result[0], Dict[str, Any])
        assert_type(result["revenue"], List[Any])
        assert_type(result.columns, List[str])
        assert_type(len(result), int)
        assert_type(client.execute({"metrics": ["revenue"], "limit": 3}).rows, List[Dict[str, Any]])
        assert_type(client.select(from_="orders", fields=["order_id"]), Result)
        client.execute(metric=["revenue"])  # pyright: ignore[reportCallIssue]
        client.execute({"metrics": "revenue", "limt": 3})  # pyright: ignore[reportArgumentType]
        client.execute(metrics=["revenue"], limit="3")  # pyright: ignore[reportArgumentType]
        result.to_panda()  # pyright: ignore[reportAttributeAccessIssue]

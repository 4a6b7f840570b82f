"""semlayer: ask a semantic layer for metrics by name.

    from semlayer import Client

    client = Client("http://127.0.0.1:8081")
    for row in client.execute({"metrics": ["revenue"], "group_by": [{"field": "metric_time", "grain": "month"}]}):
        print(row)

``Client`` speaks to a running service. ``Engine`` has the same methods and starts
the service itself. Both need the standard library only; results come as Arrow
tables where pyarrow is installed.

Errors are ``ModelError``, ``QueryError`` and ``ExecuteError``, all of the base
``SemlayerError``, each with the ``code`` of the contract.
"""

from .arrow import ArrowStream
from .client import Client
from .engine import Engine, ModelWarning
from .errors import ExecuteError, ModelError, QueryError, SemlayerError
from .result import Result

__all__ = ["ArrowStream", "Client", "Engine", "ExecuteError", "ModelError", "ModelWarning", "QueryError", "Result", "SemlayerError"]
__version__ = "0.1.0"

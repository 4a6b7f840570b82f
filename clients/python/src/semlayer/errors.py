"""The errors of the service and of the client.

Every error has ``code``, the stable word of the contract: compare it, and never
the message, which may change between versions.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

__all__ = ["ExecuteError", "ModelError", "QueryError", "SemlayerError", "from_wire"]

#: Codes of the execution of SQL, and of the service's own state.
EXECUTE_CODES = frozenset({"config", "connection", "auth", "sql_rejected", "driver", "timeout", "busy", "forbidden", "unauthorized", "cost_limit_exceeded"})

#: Codes about the caller, and not about the query or the warehouse.
CALLER_CODES = frozenset({"rate_limited"})

#: Codes that only the lowering of a model has: the query named an object that did not compile.
COMPILE_CODES = frozenset(
    {
        "unparseable_expression",
        "no_sql_dialect",
        "unknown_field",
        "unknown_column",
        "ambiguous_column",
        "not_an_aggregate",
        "nested_aggregate",
        "bare_column_in_metric",
        "cross_dataset_aggregate",
        "count_star_needs_dataset",
        "unsupported_aggregate",
        "multi_column_count_distinct",
        "window_in_metric",
        "subquery_in_metric",
        "measure_name_collision",
        "metric_reference_cycle",
        "derive_expression_mismatch",
        "invalid_vendor_extension",
        "unsupported_vendor_ext_version",
        "vendor_ext_key_required",
    }
)


class SemlayerError(Exception):
    """Base of all errors of this package.

    ``status`` is the HTTP status, or None where no answer came.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        metrics: Optional[List[str]] = None,
        candidates: Optional[List[str]] = None,
        hint: Optional[str] = None,
        location: Optional[str] = None,
        status: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.metrics = list(metrics or [])
        self.candidates = list(candidates or [])
        self.hint = hint
        self.location = location
        self.status = status

    def __str__(self) -> str:
        text = f"{self.code}: {self.message}"
        if self.hint:
            text += f"\n  hint: {self.hint}"
        if self.candidates:
            text += "\n  candidates: " + ", ".join(self.candidates)
        return text

    def to_dict(self) -> Dict[str, Any]:
        """The error as the service sends it, without empty keys."""
        out: Dict[str, Any] = {"code": self.code, "message": self.message}
        for name in ("metrics", "candidates", "hint", "location"):
            value = getattr(self, name)
            if value:
                out[name] = value
        return out

    @property
    def suggested_retry(self) -> Optional[Dict[str, Any]]:
        """The fragment of the query that would work, None where words say it."""
        if not self.hint or not self.hint.lstrip().startswith("{"):
            return None
        try:
            fragment = json.loads(self.hint)
        except ValueError:
            return None
        return fragment if isinstance(fragment, dict) else None

    @property
    def has_retry(self) -> bool:
        """Whether there is a suggested fragment, which ``apply`` merges."""
        return self.suggested_retry is not None

    def apply(self, query: Dict[str, Any]) -> Dict[str, Any]:
        """A copy of the query with the suggested fragment in it: whole keys are
        replaced, None removes one. ValueError where there is no fragment."""
        fragment = self.suggested_retry
        if fragment is None:
            raise ValueError(f"{self.code} suggests no fragment of a query")
        merged = {**query, **fragment}
        return {k: v for k, v in merged.items() if not (k in fragment and v is None)}


class ModelError(SemlayerError):
    """The model cannot be used.

    Codes: ``io`` (not readable), ``parse`` (no model), ``ontology`` (an ontology
    document), ``invalid_model`` (with ``issues``), ``compile_error`` (with
    ``compile_errors``; candidates and hint are those of the first).
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        issues: Optional[List[Dict[str, Any]]] = None,
        compile_errors: Optional[List[Dict[str, Any]]] = None,
        **more: Any,
    ) -> None:
        super().__init__(code, message, **more)
        self.issues = list(issues or [])
        self.compile_errors = list(compile_errors or [])

    def to_dict(self) -> Dict[str, Any]:
        out = super().to_dict()
        if self.issues:
            out["issues"] = self.issues
        if self.compile_errors:
            out["compile_errors"] = self.compile_errors
        return out


class QueryError(SemlayerError):
    """The query was refused, with a code of the planner.

    ``hint`` is the planner's suggested retry. Where that is a fragment of a query,
    ``suggested_retry`` is the fragment, and ``apply`` merges it. For a statement in SQL,
    ``sqlstate`` is PostgreSQL's SQLSTATE, ``ossie`` the code of the Ossie draft for the
    error where it has one, and ``position`` the place in characters from 1.
    """

    sqlstate: Optional[str] = None
    ossie: Optional[str] = None
    position: Optional[int] = None


class ExecuteError(SemlayerError):
    """The query could not be run: a code of the execution or of the service."""


def from_wire(body: Dict[str, Any], status: Optional[int]) -> SemlayerError:
    """The error that a response's ``error`` object stands for."""
    code = str(body.get("code", "internal"))
    message = str(body.get("message", ""))
    common: Dict[str, Any] = {
        "metrics": body.get("metrics"),
        "candidates": body.get("candidates"),
        "location": body.get("location"),
        "status": status,
    }
    if code in EXECUTE_CODES:
        return ExecuteError(code, message, hint=body.get("suggested_retry") or body.get("hint"), **common)
    if code in CALLER_CODES:
        return SemlayerError(code, message, hint=body.get("hint"), **common)
    of_statement = body.get("sqlstate") is not None  # which has some codes of models as well
    if (code in COMPILE_CODES and not of_statement) or body.get("location"):
        return ModelError("compile_error", message, hint=body.get("hint"), compile_errors=[dict(body)], **common)
    refused = QueryError(code, message, hint=body.get("suggested_retry") or body.get("hint"), **common)
    refused.sqlstate, refused.ossie, refused.position = body.get("sqlstate"), body.get("ossie"), body.get("position")
    return refused

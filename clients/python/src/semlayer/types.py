"""The shapes of the wire, for editors and type checkers.

They are plain dictionaries at run time. A class of required keys stands under one
of optional keys, as Python 3.9 spells it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union

Scalar = Union[str, int, float, bool, None]
Window = Dict[str, str]


class GroupBy(TypedDict, total=False):
    field: str
    grain: str
    name: str


class TimeRange(TypedDict, total=False):
    start: str
    end: str
    dimension: str


class OrderBy(TypedDict, total=False):
    key: str
    desc: bool


#: A group-by or an order as keyword arguments take it: "metric_time:month", "-revenue".
GroupByItem = Union[str, GroupBy]
OrderByItem = Union[str, OrderBy]


class MetricQuery(TypedDict, total=False):
    metrics: Sequence[str]
    group_by: Sequence[GroupBy]
    where_sql: str
    context_filter: str
    time_range: TimeRange
    time_ranges: Dict[str, TimeRange]
    order_by: Sequence[OrderBy]
    limit: int
    offset: int
    params: Dict[str, Any]
    dialect: str
    pretty: bool
    connection: str
    saved: str


# "from" is a word of the language, so this one has the other spelling.
DetailQuery = TypedDict(
    "DetailQuery",
    {
        "from": str,
        "fields": Sequence[str],
        "where_sql": str,
        "time_range": TimeRange,
        "order_by": Sequence[OrderBy],
        "limit": int,
        "offset": int,
        "params": Dict[str, Any],
        "dialect": str,
        "pretty": bool,
        "connection": str,
        "saved": str,
    },
    total=False,
)


class MetricKeys(TypedDict, total=False):
    """The keyword arguments of a metric query."""

    metrics: Union[str, Sequence[str], None]
    group_by: Optional[Sequence[GroupByItem]]
    where_sql: Optional[str]
    context_filter: Optional[str]
    time_range: Optional[TimeRange]
    time_ranges: Optional[Dict[str, TimeRange]]
    order_by: Optional[Sequence[OrderByItem]]
    limit: Optional[int]
    offset: Optional[int]
    params: Optional[Dict[str, Any]]
    connection: Optional[str]
    saved: Optional[str]


class DetailKeys(TypedDict, total=False):
    """The keyword arguments of a detail query. ``from_`` is its key ``from``."""

    from_: Optional[str]
    fields: Optional[Sequence[str]]
    where_sql: Optional[str]
    time_range: Optional[TimeRange]
    order_by: Optional[Sequence[OrderByItem]]
    limit: Optional[int]
    offset: Optional[int]
    params: Optional[Dict[str, Any]]
    connection: Optional[str]
    saved: Optional[str]


class AttributeQuery(TypedDict, total=False):
    metric: str
    dimensions: Sequence[str]
    baseline: Window
    current: Window
    where_sql: str
    context_filter: str
    time_dimension: str
    params: Dict[str, Any]
    max_values_per_dimension: int
    top_n_dimensions: int
    top_n_values: int
    dialect: str
    connection: str
    saved: str


class _Model(TypedDict):
    name: str
    path: str
    mode: str
    spec_version: str
    extension_version: str
    datasets: int
    fields: int
    metrics: int
    relationships: int
    warnings: int


class Model(_Model, total=False):
    description: str
    revision: str
    loaded_at: str


class _ModelEntry(TypedDict):
    name: str
    path: str
    revision: str
    datasets: int
    metrics: int
    default: bool


class ModelEntry(_ModelEntry, total=False):
    description: str


class _Limit(TypedDict):
    name: str
    value: int
    unit: str
    applies_to: str


class Limit(_Limit, total=False):
    code: str
    setting: str


class Capabilities(TypedDict):
    engine_version: str
    spec_version: str
    extension: Dict[str, Any]
    dialects: List[Dict[str, Any]]
    connection_types: List[str]
    features: List[str]
    limits: List[Limit]


class _Dataset(TypedDict):
    name: str
    source: str
    primary_key: List[str]
    fields: int
    time_dimensions: List[str]


class Dataset(_Dataset, total=False):
    unique_keys: List[List[str]]
    primary_time_dimension: str
    description: str
    ai_context: Any


class _Metric(TypedDict):
    name: str
    kind: str
    datasets: List[str]
    measures: List[str]
    attribution: str


class Metric(_Metric, total=False):
    time_dimension: str
    description: str
    ai_context: Any
    datatype: str
    unit: str
    format: str
    subject_path: Any
    window_family: str
    window_function: str
    requires_time_axis: bool
    derive_family: str
    derive_base: str
    derive_expr: str
    derive_members: List[Dict[str, Any]]
    leaf_measures: List[str]
    conformed_dimensions: List[str]
    params: Dict[str, Any]
    param_schema: Dict[str, Dict[str, Any]]


class _Dimension(TypedDict):
    name: str
    is_time: bool
    is_dimension: bool
    source: str


class Dimension(_Dimension, total=False):
    time_granularity: str
    grains: List[str]
    datatype: str
    description: str
    ai_context: Any


class _Relationship(TypedDict):
    name: str
    to: str
    from_columns: List[str]
    to_columns: List[str]
    cardinality: str
    join_type: str


# "from" is a word of the language.
_RelationshipFrom = TypedDict("_RelationshipFrom", {"from": str})


class Relationship(_Relationship, _RelationshipFrom, total=False):
    error: str
    ai_context: Any


class Findings(TypedDict):
    compile_errors: List[Dict[str, Any]]
    warnings: List[Dict[str, Any]]


class _SavedQuery(TypedDict):
    name: str
    kind: Literal["query", "select", "attribute"]


class SavedQuery(_SavedQuery, total=False):
    description: str
    questions: List[str]
    params: Dict[str, Any]
    metrics: List[str]
    verified: Dict[str, str]


class Connection(TypedDict):
    name: str
    dialect: str
    available: bool


class Validation(TypedDict):
    valid: bool
    issues: List[Dict[str, Any]]
    compile_errors: List[Dict[str, Any]]
    warnings: List[Dict[str, Any]]


class _Compiled(TypedDict):
    dialect: str
    sql: str


class Compiled(_Compiled, total=False):
    outputs: List[Dict[str, Any]]
    saved: str


class _Attribution(TypedDict):
    metric: str
    strategy: str
    total_change: Dict[str, Optional[float]]
    dimension_ranking: List[Dict[str, Any]]
    selected_dimensions: List[str]
    top_dimension_values: List[Dict[str, Any]]
    per_dimension: Dict[str, Dict[str, Any]]
    comparison_metadata: Dict[str, Any]
    warnings: List[Dict[str, Any]]


class Attribution(_Attribution, total=False):
    unsupported_reason: Dict[str, Any]
    factor_totals: Dict[str, float]
    factors: List[Dict[str, Any]]
    affine_constant: float
    member_breakdown: List[Dict[str, Any]]
    filter_breakdown: Dict[str, Any]
    window_mapping: Dict[str, Any]
    saved: str


class Lineage(TypedDict):
    nodes: List[Dict[str, Any]]
    edges: List[Dict[str, Any]]

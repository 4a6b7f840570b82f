"""The shapes of the wire, for editors and type checkers.

They are plain dictionaries at run time. A class of required keys is the base of one of optional
keys, as Python 3.9 spells it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union

Scalar = Union[str, int, float, bool, None]
Window = Dict[str, str]


class GroupBy(TypedDict, total=False):
    field: str
    grain: str
    part: str
    name: str
    expression: str


class _InlineMetric(TypedDict):
    name: str
    expression: str


class InlineMetric(_InlineMetric, total=False):
    """A metric of one query."""

    dataset: str
    time_dimension: str


#: An item of metrics: a name, or a metric of the query.
MetricItem = Union[str, InlineMetric]


class _LocalLOD(TypedDict):
    grain: Sequence[str]


class LocalLOD(_LocalLOD, total=False):
    where: str
    via: Sequence[str]


class _LocalField(TypedDict):
    dataset: str
    name: str
    expression: str


class LocalField(_LocalField, total=False):
    """A field that a query adds to a dataset."""

    lod: LocalLOD


class _SequenceStep(TypedDict):
    name: str
    dataset: str


class SequenceStep(_SequenceStep, total=False):
    """A step of a sequence."""

    where: str
    at: str
    entity: Sequence[str]
    same: Sequence[str]


class SequenceWithin(TypedDict):
    count: int
    granularity: str


class _EventSequence(TypedDict):
    name: str
    entity: Sequence[str]
    steps: Sequence[SequenceStep]


class EventSequence(_EventSequence, total=False):
    """A dataset of a query: one row for each start, with what followed it."""

    same: Sequence[str]
    within: SequenceWithin
    order: Literal["given", "any"]
    start: Literal["each", "first"]


class _Share(TypedDict):
    metric: str


class Share(_Share, total=False):
    of: Sequence[str]


class PeriodOffset(TypedDict):
    count: int
    unit: str


class Compare(TypedDict, total=False):
    """``offset`` or ``range``."""

    offset: PeriodOffset
    range: Window
    metrics: Sequence[str]
    name: str
    align: Literal["weekday"]


class _Top(TypedDict):
    dimension: str
    n: int


class TopRank(TypedDict, total=False):
    where_sql: Optional[str]
    time_range: Optional[TimeRange]


class Top(_Top, total=False):
    by: str
    desc: bool
    within: Sequence[str]
    other: Union[bool, str]
    rank: TopRank


class Fill(TypedDict, total=False):
    value: Union[int, float]


class _RelativeRange(TypedDict):
    n: int
    unit: Literal["minute", "hour", "day", "week", "month", "quarter", "year"]


class RelativeRange(_RelativeRange, total=False):
    complete: bool


class TimeRange(TypedDict, total=False):
    """``start`` and ``end``, or ``last``."""

    start: str
    end: str
    dimension: str
    last: RelativeRange


RollupChoice = Literal[True, False, "only"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class OrderBy(TypedDict, total=False):
    key: str
    desc: bool


#: A group-by or an order as keyword arguments take it: "metric_time:month", "-revenue".
GroupByItem = Union[str, GroupBy]
OrderByItem = Union[str, OrderBy]


# "from" and "with" are words of the language, so these have the other spelling.
_MetricWords = TypedDict("_MetricWords", {"from": str, "with": Sequence[LocalField]}, total=False)


class MetricQuery(_MetricWords, total=False):
    metrics: Sequence[MetricItem]
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
    distinct: bool
    totals: Sequence[Sequence[str]]
    shares: Sequence[Share]
    compare: Union[Compare, Sequence[Compare]]
    top: Top
    fill: Fill
    fan_out: Literal["refuse", "once_per_group"]
    as_of: str
    time_zone: str
    week_start: Weekday
    hints: bool
    count: bool
    rollups: RollupChoice
    max_age: int
    view: str
    defaults: bool
    sequences: Sequence[EventSequence]


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
        "with": Sequence[LocalField],
        "as_of": str,
        "time_zone": str,
        "week_start": Weekday,
        "hints": bool,
        "count": bool,
        "max_age": int,
        "view": str,
        "defaults": bool,
        "sequences": Sequence[EventSequence],
    },
    total=False,
)


class MetricKeys(TypedDict, total=False):
    """The keyword arguments of a metric query. ``from_`` and ``with_`` are its keys ``from``
    and ``with``."""

    metrics: Union[str, Sequence[MetricItem], None]
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
    with_: Optional[Sequence[LocalField]]
    distinct: Optional[bool]
    from_: Optional[str]
    totals: Optional[Sequence[Sequence[str]]]
    shares: Optional[Sequence[Share]]
    compare: Union[Compare, Sequence[Compare], None]
    top: Optional[Top]
    fill: Optional[Fill]
    fan_out: Optional[Literal["refuse", "once_per_group"]]
    as_of: Optional[str]
    time_zone: Optional[str]
    week_start: Optional[Weekday]
    hints: Optional[bool]
    count: Optional[bool]
    rollups: Optional[RollupChoice]
    max_age: Optional[int]
    view: Optional[str]
    defaults: Optional[bool]
    sequences: Optional[Sequence[EventSequence]]


class DetailKeys(TypedDict, total=False):
    """The keyword arguments of a detail query. ``from_`` and ``with_`` are its keys ``from``
    and ``with``."""

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
    with_: Optional[Sequence[LocalField]]
    as_of: Optional[str]
    time_zone: Optional[str]
    week_start: Optional[Weekday]
    hints: Optional[bool]
    count: Optional[bool]
    max_age: Optional[int]
    view: Optional[str]
    defaults: Optional[bool]
    sequences: Optional[Sequence[EventSequence]]


_AttributeWords = TypedDict("_AttributeWords", {"with": Sequence[LocalField]}, total=False)


class AttributeQuery(_AttributeWords, total=False):
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
    time_zone: str
    rollups: RollupChoice
    max_age: int
    view: str
    defaults: bool


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
    view: str
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
    functions: List[Dict[str, Any]]


class _Dataset(TypedDict):
    name: str
    source: str
    primary_key: List[str]
    fields: int
    time_dimensions: List[str]


class Dataset(_Dataset, total=False):
    unique_keys: List[List[str]]
    primary_time_dimension: str
    label: str
    description: str
    ai_context: Any


class _Metric(TypedDict):
    name: str
    kind: str
    datasets: List[str]
    measures: List[str]
    additivity: str
    attribution: str


class Metric(_Metric, total=False):
    time_dimension: str
    definition: str
    description: str
    ai_context: Any
    datatype: str
    unit: str
    format: str
    subject_path: Any
    label: str
    folder: str
    headline: bool
    better: Literal["up", "down"]
    sql_aggregates: List[Literal["sum", "count", "avg", "min", "max"]]
    grains: List[str]
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
    parts: List[str]
    datatype: str
    label: str
    folder: str
    order: List[str]
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


class _ValidityTo(TypedDict, total=False):
    to: str


class Validity(_ValidityTo, _RelationshipFrom):
    at: str


class Relationship(_Relationship, _RelationshipFrom, total=False):
    valid: Validity
    error: str
    ai_context: Any


class ViewTimeRange(TypedDict, total=False):
    dimension: str
    start: str
    end: str
    last: Dict[str, Any]


class _ViewFolder(TypedDict):
    name: str
    items: List[str]


class _ViewUse(TypedDict):
    name: str


class ViewUse(_ViewUse, total=False):
    """The view that a query is in, with what of it acts by default."""

    filters: List[str]
    time_range: ViewTimeRange


class ViewFolder(_ViewFolder, total=False):
    folders: List["ViewFolder"]


class ViewHierarchy(TypedDict):
    name: str
    levels: List[str]


class _View(TypedDict):
    name: str
    metrics: int
    dimensions: int


class View(_View, total=False):
    label: str
    description: str
    ai_context: Any
    joins: List[str]
    where: str
    filters: List[str]
    time_range: ViewTimeRange
    labels: Dict[str, str]
    folders: List[ViewFolder]
    hierarchies: List[ViewHierarchy]


class Findings(TypedDict):
    compile_errors: List[Dict[str, Any]]
    warnings: List[Dict[str, Any]]


class _Identity(TypedDict):
    roles: List[str]
    attributes: Dict[str, Any]
    sql: bool


class Identity(_Identity, total=False):
    name: str
    issuer: str
    limits: Dict[str, Any]


class _SavedQuery(TypedDict):
    name: str
    kind: Literal["query", "select", "attribute"]


class SavedQuery(_SavedQuery, total=False):
    description: str
    questions: List[str]
    params: Dict[str, Any]
    metrics: List[str]
    dimensions: List[str]
    verified: Dict[str, str]
    home: bool
    chart: str


ObjectKind = Literal["metric", "dimension", "saved", "value", "dataset", "view"]


class GroupByUse(TypedDict, total=False):
    field: str
    grain: str


QueryUse = TypedDict(
    "QueryUse",
    {"metrics": List[str], "group_by": List[GroupByUse], "saved": str, "from": str, "view": str, "where_sql": str},
    total=False,
)


class _FoundHit(TypedDict):
    kind: ObjectKind
    name: str
    score: float
    why: str
    use: QueryUse


class FoundHit(_FoundHit, total=False):
    value: str
    description: str


class _Found(TypedDict):
    query: str
    hits: List[FoundHit]
    total: int


class Found(_Found, total=False):
    next_offset: int
    match: Literal["near"]


class FieldValue(TypedDict):
    value: Scalar
    count: int


class _Values(TypedDict):
    field: str
    values: List[FieldValue]
    complete: bool
    row_count: int
    cached: bool
    dialect: str
    sql: str


class Values(_Values, total=False):
    min: Scalar
    max: Scalar
    min_date: str
    max_date: str
    match: Literal["near"]


class CompatibleQuery(MetricQuery, total=False):
    """A metric query, which may lack metrics."""

    search: str


class CompatibleKeys(MetricKeys, total=False):
    """The keyword arguments of a request for compatible items."""

    search: Optional[str]


class _CompatibleDimension(TypedDict):
    name: str


class CompatibleDimension(_CompatibleDimension, total=False):
    grains: List[str]
    parts: List[str]


class CompatibleCounts(TypedDict):
    metrics: int
    dimensions: int


class _Compatible(TypedDict):
    metrics: List[str]
    dimensions: List[CompatibleDimension]
    counts: CompatibleCounts


class Compatible(_Compatible, total=False):
    next_offset: int


class _Connection(TypedDict):
    name: str
    dialect: str
    available: bool


class Connection(_Connection, total=False):
    default: bool
    reachable: bool
    latency_ms: int
    version: str
    error: str


class Validation(TypedDict):
    valid: bool
    issues: List[Dict[str, Any]]
    compile_errors: List[Dict[str, Any]]
    warnings: List[Dict[str, Any]]


class _Output(TypedDict):
    column: str
    metric: str


class Output(_Output, total=False):
    """The contents of a column of a result. ``approximate`` is True where the engine estimates it."""

    params: Dict[str, Any]
    time_range: str
    kind: Literal["share", "previous", "change", "change_ratio"]
    approximate: bool


class _QueryWarning(TypedDict):
    code: str
    message: str


class QueryWarning(_QueryWarning, total=False):
    """A remark about a query with a result; ``columns`` names the columns that it concerns."""

    columns: List[str]
    field: str
    value: str
    near: List[str]
    min: str
    max: str
    suggested_retry: str


class _Compiled(TypedDict):
    dialect: str
    sql: str


class Compiled(_Compiled, total=False):
    outputs: List[Output]
    count_sql: str
    resolved_time_range: Dict[str, Any]
    resolved_compare: List[Dict[str, Any]]
    warnings: List[QueryWarning]
    saved: str
    rollups: List[Dict[str, Any]]
    view: ViewUse


class SQLColumn(TypedDict):
    """A column of a statement's result; the type is PostgreSQL's name of it."""

    name: str
    type: str


class _CompiledSQL(TypedDict):
    dialect: str
    sql: str
    kind: str
    columns: List[SQLColumn]


class CompiledSQL(_CompiledSQL, total=False):
    query: Dict[str, Any]
    warnings: List[Dict[str, Any]]


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
    rollups: List[Dict[str, Any]]
    view: ViewUse


class _RollupUse(TypedDict):
    home: str
    metrics: List[str]
    rollup: Optional[str]


class RollupUse(_RollupUse, total=False):
    """What one branch of a query reads: the table of a rollup, or base tables."""

    tag: str
    store: str
    as_of: str
    why_not: List[Dict[str, str]]


class _Rollup(TypedDict):
    name: str
    of: str
    source: str
    store: str
    group_by: List[Dict[str, str]]
    measures: List[Dict[str, str]]
    states: List[Dict[str, Any]]


class Rollup(_Rollup, total=False):
    """A table that holds an aggregation of the model."""

    where: str
    rows: int
    max_age: int
    description: str


class _Catalog(TypedDict):
    model: Model
    datasets: List[Dataset]
    metrics: List[Metric]
    dimensions: List[Dimension]
    views: List[View]
    saved: List[SavedQuery]
    findings: Findings
    connections: List[Connection]


class Catalog(_Catalog, total=False):
    """What a page needs of a model before its first query."""

    connection: str


class Lineage(TypedDict):
    nodes: List[Dict[str, Any]]
    edges: List[Dict[str, Any]]

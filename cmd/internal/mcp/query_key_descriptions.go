package mcp

// expandedQueryKeys are the keys whose objects the schemas describe key by key.
var expandedQueryKeys = []string{"MetricQuery.group_by", "MetricQuery.order_by", "MetricQuery.time_range"}

// The keys in the schemas of the tools that take a query as run_query or select does: those that most queries have.
// The schemas are open, and the whole list in each of them would take a third of the budget.
var (
	metricQueryKeysInShortSchema = []string{"metrics", "group_by", "where_sql"}
	detailQueryKeysInShortSchema = []string{"from", "fields", "where_sql"}
	attributionKeysInShortSchema = []string{"metric", "dimensions", "baseline", "current", "where_sql", "saved"}
)

// unlistedQueryKeys are the keys of queries that change nothing that a reader of rows sees.
var unlistedQueryKeys = []string{"dialect", "pretty"}

// unlistedNestedQueryKeys are keys of expanded objects that a description names or that few queries have.
var unlistedNestedQueryKeys = []string{"GroupBy.name", "GroupBy.expression", "TimeRange.last", "TimeRange.dimension"}

// queryKeyDescriptions describes the keys of queries that their names and types do not, each with the name of its Go type.
// What two tools have in common is described once, in run_query.
var queryKeyDescriptions = map[string]string{
	"MetricQuery.metrics":        "names, or {name, expression}",
	"MetricQuery.where_sql":      "condition on fields or selected metrics; text in 'single quotes'",
	"MetricQuery.context_filter": "on rows, before aggregation",
	"MetricQuery.time_range":     "end excluded; or {last: {n, unit}}",
	"MetricQuery.time_ranges":    "{tag: time_range}",
	"MetricQuery.saved":          "name; other keys replace its keys",
	"MetricQuery.with":           "{dataset, name, expression}",
	"MetricQuery.distinct":       "groups, no metrics",
	"MetricQuery.totals":         "[[]]: grand total",
	"MetricQuery.shares":         "{metric, of}",
	"MetricQuery.compare":        "{offset: {count, unit}}",
	"MetricQuery.top":            "{dimension, n, by, other}",
	"MetricQuery.fill":           "{}: empty periods",
	"MetricQuery.fan_out":        "refuse or once_per_group",

	"DetailQuery.from":   "dataset of the rows",
	"DetailQuery.fields": "dataset.field, or field:month",

	"AttributeQuery.baseline": "{start, end}",

	"GroupBy.field": "dataset.field or metric_time",
}

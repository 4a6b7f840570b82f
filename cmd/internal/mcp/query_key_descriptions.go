package mcp

// The keys in the schemas of the tools that take a query as run_query or select does: those that most queries have.
// The schemas are open, and the whole list in each of them would take a third of the budget.
var (
	metricQueryKeysInShortSchema = []string{"metrics", "group_by", "where_sql"}
	detailQueryKeysInShortSchema = []string{"from", "fields", "where_sql"}
	attributionKeysInShortSchema = []string{"metric", "dimensions", "baseline", "current", "where_sql", "saved"}
)

// unlistedNestedQueryKeys are keys of expanded objects that a description names or that few queries have.
var unlistedNestedQueryKeys = []string{"group_by.name", "group_by.expression", "time_range.last", "time_range.dimension"}

// nestedQueryKeyHints describes keys of expanded objects.
var nestedQueryKeyHints = map[string]string{"group_by.field": "dataset.field or metric_time"}

package mcp

// keyDescriptions maps the keys of the queries to their descriptions.
var keyDescriptions = map[string]string{
	"metrics":        "Names of metrics, from list_metrics. Each becomes a column of the result.",
	"group_by":       "What to group by, in the order of the result's columns. Without it the result is one row.",
	"where_sql":      "A SQL condition. On fields, as in orders.status = 'paid', it filters the rows that are read; on a selected metric, as in revenue > 1000, the rows of the result.",
	"context_filter": "A SQL condition on fields that always applies before aggregation: it defines the population of the metrics.",
	"time_range":     "The time range of the query.",
	"time_ranges":    "Several times side by side, by name: metric revenue in the range q1 becomes the column revenue__q1.",
	"order_by":       "How to sort. The first key counts most.",
	"limit":          "The maximum number of rows.",
	"offset":         "The number of sorted rows to skip before the first.",
	"params":         "Values of the parameters that the metrics declare (describe_metric), by name. A list of values makes a column for each.",
	"dialect":        "The SQL dialect to write, from get_capabilities. Without it the connection's, else duckdb.",
	"pretty":         "Lay the SQL out over several lines.",
	"saved":          "A saved query of the model. The other keys replace its keys, and null removes one; params binds its parameters.",
	"connection":     "The connection profile to run on. Without it the embedded database.",

	"from":   "The dataset whose rows are wanted, from list_datasets: one row of the result for each of its rows.",
	"fields": "Columns of the result: field, dataset.field or relationship.field, with a grain after a colon where it is a time, as in order_date:month.",

	"metric":                   "The metric whose change is to be explained.",
	"dimensions":               "The dimensions to decompose the change over, as dataset.field, each for itself.",
	"baseline":                 "The window to compare with.",
	"current":                  "The window that is asked about.",
	"time_dimension":           "The time field of the windows, as dataset.field. Without it the metric's own.",
	"max_values_per_dimension": "The most segments that are kept of a dimension: 500 by default, at most 1000.",
	"top_n_dimensions":         "How many of the dimensions to select: 3 by default.",
	"top_n_values":             "How many segments to list across the selected dimensions: 10 by default.",

	"GroupBy.field":       "dataset.field from list_dimensions, or metric_time for the time of each metric.",
	"GroupBy.name":        "The name of the column, in place of the field's. A bare name in where_sql that equals it means the column.",
	"GroupBy.grain":       "The period to which a time is rounded down. The column is then called field__grain.",
	"OrderBy.key":         "A selected metric or a column of the result.",
	"OrderBy.desc":        "Whether the largest comes first.",
	"TimeRange.start":     "The first day, as in 2024-01-01, or a time.",
	"TimeRange.end":       "The first day after the end: the range does not contain it.",
	"TimeRange.dimension": "The time field, as dataset.field; needed where several could be meant.",
}

package query

import "github.com/semlayer/semlayer/modelspec/limits"

// attributeQueryRows are the keys of the body of an attribution.
var attributeQueryRows = []keyRow[AttributeQuery]{
	newRow("metric", nameShape, func(q *AttributeQuery) *string { return &q.Metric }, KeyNotes{
		Doc: "The metric whose change is explained. Needed unless saved is given.", Rank: 1,
		Flag: "metric", FlagDoc: "the metric",
	}),
	newRow("dimensions", namesShape(limits.QueryGroupBys), func(q *AttributeQuery) *[]string { return &q.Dimensions }, KeyNotes{
		Doc: "The dimensions that may explain the change, each separately. Needed unless saved is given.", Rank: 2,
	}),
	newRow("baseline", windowShape, func(q *AttributeQuery) **TimeRange { return &q.Baseline }, KeyNotes{
		Doc: "The earlier window. Needed unless saved is given.", Hint: "{start, end}", Rank: 3,
	}),
	newRow("current", windowShape, func(q *AttributeQuery) **TimeRange { return &q.Current }, KeyNotes{
		Doc: "The later window. Needed unless saved is given.", Rank: 4,
	}),
	newRow("where_sql", textShape, func(q *AttributeQuery) *string { return &q.WhereSQL }, KeyNotes{
		Doc: "A SQL condition on fields, for both windows.", Rank: 6,
		Flag: whereFlag, FlagDoc: "condition on rows",
	}),
	newRow("context_filter", textShape, func(q *AttributeQuery) *string { return &q.ContextFilter }, KeyNotes{
		Doc: "A SQL condition that is applied before aggregation, in both windows.", Rank: 7,
		Flag: "context-filter", FlagDoc: "condition that defines the population",
	}),
	newRow("time_dimension", nameShape, func(q *AttributeQuery) *string { return &q.TimeDimension }, KeyNotes{
		Doc: "The time field of the windows, dataset.field; by default the time axis of the metric.", Rank: 8,
		Flag: "time-dimension", FlagDoc: "field of the windows (default: the metric's time axis)",
	}),
	newRow(paramsKey, paramsShape, func(q *AttributeQuery) *[]ParamBinding { return &q.Params }, KeyNotes{
		Doc: "Values of the parameters that the metric declares, by name; each takes one value here.", Rank: 10,
	}),
	newRow("max_values_per_dimension", segmentsShape, func(q *AttributeQuery) **int64 { return &q.MaxValuesPerDimension }, KeyNotes{
		Doc:  "The maximum number of segments of a dimension. Default: 500.",
		Flag: "max-values", FlagDoc: "maximum number of values of a dimension, at most 1000 (default 500)",
	}),
	newRow("top_n_dimensions", countShape, func(q *AttributeQuery) **int64 { return &q.TopNDimensions }, KeyNotes{
		Doc: "The number of selected dimensions. Default: 3.", Rank: 12,
		Flag: "top-dimensions", FlagDoc: "number of dimensions in the summary (default 3)",
	}),
	newRow("top_n_values", countShape, func(q *AttributeQuery) **int64 { return &q.TopNValues }, KeyNotes{
		Doc: "The number of segments in the list over all selected dimensions. Default: 10.", Rank: 13,
		Flag: "top-values", FlagDoc: "number of values in the summary (default 10)",
	}),
	newRow("dialect", nameShape, func(q *AttributeQuery) *string { return &q.Dialect }, KeyNotes{
		Doc:  "The SQL dialect; see MetricQuery.",
		Flag: dialectFlag, FlagDoc: dialectFlagDoc,
	}),
	newRow("connection", nameShape, func(q *AttributeQuery) *string { return &q.Connection }, KeyNotes{
		Doc: connectionDoc, Rank: 14,
	}),
	newRow(savedKey, nameShape, func(q *AttributeQuery) *string { return &q.Saved }, KeyNotes{
		Doc: savedDoc, Rank: 15,
		Flag: savedKey, FlagDoc: savedFlagDoc,
	}),
	newRow("with", withShape, func(q *AttributeQuery) *[]LocalField { return &q.With }, KeyNotes{
		Doc: withDoc, Rank: 5,
	}),
	newRow("time_zone", timeZoneShape, func(q *AttributeQuery) *string { return &q.TimeZone }, KeyNotes{
		Doc: timeZoneDoc, Rank: 9,
		Flag: "time-zone", FlagDoc: timeZoneFlagDoc,
	}),
	newRow("rollups", rollupsShape, func(q *AttributeQuery) **Rollups { return &q.Rollups }, KeyNotes{
		Doc: rollupsDoc, Flag: rollupsFlag,
	}),
	newRow("max_age", countShape, func(q *AttributeQuery) **int64 { return &q.MaxAge }, KeyNotes{
		Doc:  maxAgeDoc,
		Flag: "max-age", FlagDoc: maxAgeFlagDoc,
	}),
	newRow(viewKey, nameShape, func(q *AttributeQuery) *string { return &q.View }, KeyNotes{
		Doc: viewDoc, Rank: 16,
		Flag: viewKey, FlagDoc: viewFlagDoc,
	}),
	newRow("defaults", choiceShape, func(q *AttributeQuery) **bool { return &q.Defaults }, KeyNotes{
		Doc: defaultsDoc, Flag: defaultsFlag, FlagDoc: defaultsFlagDoc,
	}),
}

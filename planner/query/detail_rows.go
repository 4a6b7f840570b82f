package query

import "github.com/semlayer/semlayer/modelspec/limits"

// detailQueryRows are the keys of the body of a detail query.
var detailQueryRows = []keyRow[DetailQuery]{
	newRow("from", nameShape, func(q *DetailQuery) *string { return &q.From }, KeyNotes{
		Doc: "The root dataset: the result has one row for each of its rows. Needed unless saved is given.", Hint: "dataset of the rows", Rank: 1,
		Flag: "from", FlagDoc: "the dataset whose rows are listed",
	}),
	newRow("fields", namesShape(limits.DetailQueryFields), func(q *DetailQuery) *[]string { return &q.Fields }, KeyNotes{
		Doc: "Columns of the result: field, dataset.field or rel.rel.field, a time with an optional :grain. Needed unless saved is given.", Hint: "dataset.field, or field:month", Rank: 2,
	}),
	newRow("where_sql", textShape, func(q *DetailQuery) *string { return &q.WhereSQL }, KeyNotes{
		Doc: "A SQL condition on fields of the dataset, and of datasets to which it leads.", Rank: 4,
		Flag: whereFlag, FlagDoc: "condition on rows",
	}),
	newRow("time_range", timeRangeShape, func(q *DetailQuery) **TimeRange { return &q.TimeRange }, KeyNotes{
		Doc: timeRangeDoc, Rank: 5,
	}),
	newRow(orderByKey, orderShape, func(q *DetailQuery) *[]OrderBy { return &q.OrderBy }, KeyNotes{
		Doc: "The order of the rows; keys are columns of the result.", Rank: 9,
	}),
	newRow("limit", countShape, func(q *DetailQuery) **int64 { return &q.Limit }, KeyNotes{
		Doc: "The maximum number of rows; more than 10000 count as 10000. Default: 100.", Rank: 10,
		Flag: "limit", FlagDoc: "maximum number of rows (default 100, at most 10000)",
	}),
	newRow("offset", offsetShape, func(q *DetailQuery) *int64 { return &q.Offset }, KeyNotes{
		Doc: offsetDoc, Rank: 11,
		Flag: "offset", FlagDoc: offsetFlagDoc,
	}),
	newRow(paramsKey, paramsShape, func(q *DetailQuery) *[]ParamBinding { return &q.Params }, KeyNotes{
		Doc: "Values of the parameters that the fields declare, by name.", Rank: 12,
	}),
	newRow("dialect", nameShape, func(q *DetailQuery) *string { return &q.Dialect }, KeyNotes{
		Doc:  "The SQL dialect to compile for; see MetricQuery.",
		Flag: dialectFlag, FlagDoc: dialectFlagDoc,
	}),
	newRow("pretty", booleanShape, func(q *DetailQuery) *bool { return &q.Pretty }, KeyNotes{
		Doc:  prettyDoc,
		Flag: prettyFlag, FlagDoc: prettyFlagDoc,
	}),
	newRow("connection", nameShape, func(q *DetailQuery) *string { return &q.Connection }, KeyNotes{
		Doc: connectionDoc, Rank: 13,
	}),
	newRow(savedKey, nameShape, func(q *DetailQuery) *string { return &q.Saved }, KeyNotes{
		Doc: savedDoc, Rank: 15,
		Flag: savedKey, FlagDoc: savedFlagDoc,
	}),
	newRow("with", withShape, func(q *DetailQuery) *[]LocalField { return &q.With }, KeyNotes{
		Doc: withDoc, Rank: 3,
	}),
	newRow("sequences", sequencesShape, func(q *DetailQuery) *[]Sequence { return &q.Sequences }, KeyNotes{
		Doc: sequencesDoc,
	}),
	newRow("as_of", filledNameShape, func(q *DetailQuery) *string { return &q.AsOf }, KeyNotes{
		Doc:  asOfDoc,
		Flag: "as-of", FlagDoc: asOfFlagDoc,
	}),
	newRow("time_zone", timeZoneShape, func(q *DetailQuery) *string { return &q.TimeZone }, KeyNotes{
		Doc: timeZoneDoc, Rank: 7,
		Flag: "time-zone", FlagDoc: timeZoneFlagDoc,
	}),
	newRow("week_start", weekdayShape, func(q *DetailQuery) *string { return &q.WeekStart }, KeyNotes{
		Doc:  weekStartDoc,
		Flag: "week-start", FlagDoc: weekStartFlagDoc,
	}),
	newRow("count", booleanShape, func(q *DetailQuery) *bool { return &q.Count }, KeyNotes{
		Doc: countDoc, Flag: countFlag, FlagDoc: countFlagDoc,
	}),
	newRow("hints", choiceShape, func(q *DetailQuery) **bool { return &q.Hints }, KeyNotes{
		Doc: hintsDoc,
	}),
	newRow("max_age", countShape, func(q *DetailQuery) **int64 { return &q.MaxAge }, KeyNotes{
		Doc:  maxAgeDoc,
		Flag: "max-age", FlagDoc: maxAgeFlagDoc,
	}),
	newRow(viewKey, nameShape, func(q *DetailQuery) *string { return &q.View }, KeyNotes{
		Doc: viewDoc, Rank: 6,
		Flag: viewKey, FlagDoc: viewFlagDoc,
	}),
	newRow("defaults", choiceShape, func(q *DetailQuery) **bool { return &q.Defaults }, KeyNotes{
		Doc: defaultsDoc, Flag: defaultsFlag, FlagDoc: defaultsFlagDoc,
	}),
}

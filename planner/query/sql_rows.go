package query

import "slices"

// sqlStatementRows are the keys of the body of a statement in SQL.
var sqlStatementRows = []keyRow[SQLStatement]{
	newRow("sql", statementShape, func(q *SQLStatement) *string { return &q.SQL }, KeyNotes{
		Doc: "One SELECT over the relations of the model: its datasets, and the relation of all of them, which has the name of the model.", Rank: 1,
	}),
	newRow(paramsKey, scalarsShape, func(q *SQLStatement) *[]ParamValue { return &q.Params }, KeyNotes{
		Doc: "The values of $1, $2 and so on.", Hint: "$1, $2…", Rank: 2,
	}),
	newRow("context_filter", textShape, func(q *SQLStatement) *string { return &q.ContextFilter }, KeyNotes{
		Doc: "A SQL condition on the input rows of every query of the statement.", Rank: 4,
	}),
	newRow("time_zone", timeZoneShape, func(q *SQLStatement) *string { return &q.TimeZone }, KeyNotes{
		Doc:  "The time zone of the session, as PostgreSQL's setting TimeZone: an IANA name, a number of hours east of UTC, or an offset of POSIX, such as <+05:30>-05:30. By default that of the model, else UTC.",
		Rank: 5,
		Flag: "time-zone", FlagDoc: "time zone of the session, as Europe/Berlin or -3.5 (default that of the model, else UTC)",
	}),
	newRow("dialect", nameShape, func(q *SQLStatement) *string { return &q.Dialect }, KeyNotes{
		Doc:  "The SQL dialect to compile for; see MetricQuery.",
		Flag: dialectFlag, FlagDoc: "SQL dialect of the warehouse (default duckdb)",
	}),
	newRow("connection", nameShape, func(q *SQLStatement) *string { return &q.Connection }, KeyNotes{
		Doc: connectionDoc, Rank: 3,
	}),
	newRow("pretty", booleanShape, func(q *SQLStatement) *bool { return &q.Pretty }, KeyNotes{
		Doc: prettyDoc,
	}),
	newRow("rollups", rollupsShape, func(q *SQLStatement) **Rollups { return &q.Rollups }, KeyNotes{
		Doc: "Whether rollups of the model may be read in place of base tables; see MetricQuery.", Flag: rollupsFlag,
	}),
	newRow("max_age", countShape, func(q *SQLStatement) **int64 { return &q.MaxAge }, KeyNotes{
		Doc:  "The age in seconds that no datum of the result may exceed; see MetricQuery.",
		Flag: "max-age", FlagDoc: maxAgeFlagDoc,
	}),
}

// limitedSQLStatementRows have the key limit too, a bound on the rows.
var limitedSQLStatementRows = append(slices.Clip(sqlStatementRows), newRow("limit", countShape, func(q *SQLStatement) **int64 { return &q.MaxRows }, KeyNotes{
	Doc: "The maximum number of rows.", Rank: 6,
}))

package query

// The descriptions of keys that bodies share.
const (
	asOfDoc       = "The time from which last counts back: a date or a date with a time on the clock of the time zone; by default now."
	connectionDoc = "A connection profile to execute on; see MetricQuery."
	maxAgeDoc     = "The age in seconds that no datum of the result may exceed: it excludes older rollups and older cached results. 0 reads base tables with a new execution."
	hintsDoc      = "true adds warnings to an empty result: the values of the data that are similar to those of the filter, and the times of the data. It changes neither rows nor SQL. By default false."
	countDoc      = "true adds total_rows: the number of rows without limit and offset, those of totals apart; compile then adds count_sql. It costs one more statement where there is a limit or an offset. By default false."
	offsetDoc     = "The number of sorted rows to skip before the first. Default: 0."
	rollupsDoc    = "Whether rollups of the model may be read in place of base tables: true, the default; false for base tables; \"only\" rejects a query that needs a base table."
	viewDoc       = "A view of the model, one of those that /v1/views lists: the names of the query are those of the view, and the conditions of the view act."
	sequencesDoc  = "Datasets of this query, each made of the rows of others: one row for each start, with what followed it, as the key sequence of a dataset."
	defaultsDoc   = "false leaves out the filters and the time range that the view has by default. By default true."
	prettyDoc     = "Lay the SQL out over several lines."
	savedDoc      = "A saved query of the model, one of those that /v1/saved lists. The other keys of the request replace its keys, and null removes one; params binds its parameters, and parameters of the model."
	timeRangeDoc  = "The time range of the query."
	timeZoneDoc   = "The IANA name of the time zone in which instants are grouped and ranges are read; by default that of the model, else UTC."
	weekStartDoc  = "The first day of a week; by default that of the model, else monday."
	withDoc       = "Fields that the query adds to datasets."
)

// defaultsFlag is the flag of the key defaults.
const defaultsFlag = "no-defaults"

// rollupsFlag is the first flag of the key rollups.
const rollupsFlag = "no-rollups"

// The descriptions of flags that commands share.
const (
	asOfFlagDoc      = "the date or time that --last counts from (default now)"
	countFlag        = "count"
	countFlagDoc     = "count all rows, beside those that --limit and --offset choose"
	dialectFlag      = "dialect"
	dialectFlagDoc   = "SQL dialect (default duckdb)"
	offsetFlagDoc    = "number of sorted rows to skip"
	prettyFlag       = "pretty"
	prettyFlagDoc    = "SQL over several lines"
	savedFlagDoc     = "a saved query of the model; other flags replace its parts"
	whereFlag        = "where"
	defaultsFlagDoc  = "leave out the filters and the time range that the view has by default"
	maxAgeFlagDoc    = "the age in seconds that no datum of the result may exceed; 0 reads base tables"
	timeZoneFlagDoc  = "IANA time zone of days and ranges, as Europe/Berlin (default that of the model, else UTC)"
	viewKey          = "view" // also the flag
	viewFlagDoc      = "the view of the model that the query is in"
	weekStartFlagDoc = "first day of a week (default that of the model, else monday)"
)

// metricQueryRows are the keys of the body of a metric query.
var metricQueryRows = []keyRow[MetricQuery]{
	metricsRow(KeyNotes{Doc: "Names of metrics, or metrics of this query; each becomes a column of the result. Needed unless saved or distinct is given.", Hint: "names, or {name, expression, at}", Rank: 1}),
	newRow(groupByKey, groupsShape, func(q *MetricQuery) *[]GroupBy { return &q.GroupBy }, KeyNotes{
		Doc: "The groups, in the order of the result's columns.", Rank: 2, Expanded: true,
	}),
	newRow("where_sql", textShape, func(q *MetricQuery) *string { return &q.WhereSQL }, KeyNotes{
		Doc: "A SQL condition. One that names a selected metric filters the rows of the result; one on fields filters the rows that are read.", Hint: "condition on fields or selected metrics; text in 'single quotes'", Rank: 6,
		Flag: whereFlag, FlagDoc: "condition on input rows, or on selected metrics",
	}),
	newRow("context_filter", textShape, func(q *MetricQuery) *string { return &q.ContextFilter }, KeyNotes{
		Doc: "A SQL condition that is applied before aggregation: it defines the population of the metrics.", Hint: "on rows, before aggregation", Rank: 7,
		Flag: "context-filter", FlagDoc: "condition that defines the population",
	}),
	newRow("time_range", timeRangeShape, func(q *MetricQuery) **TimeRange { return &q.TimeRange }, KeyNotes{
		Doc: timeRangeDoc, Hint: "end excluded; or {last: {n, unit}}", Rank: 8, Expanded: true,
	}),
	newRow("time_ranges", taggedRangesShape, func(q *MetricQuery) *[]TaggedRange { return &q.TimeRanges }, KeyNotes{
		Doc: "Several ranges side by side, by name: metric revenue in the range q1 becomes the column revenue__q1.", Hint: "{tag: time_range}", Rank: 9, WithoutDistinct: true,
	}),
	newRow(orderByKey, orderShape, func(q *MetricQuery) *[]OrderBy { return &q.OrderBy }, KeyNotes{
		Doc: "The order of the rows; the first key counts most.", Rank: 13, Expanded: true,
	}),
	newRow("limit", countShape, func(q *MetricQuery) **int64 { return &q.Limit }, KeyNotes{
		Doc: "The maximum number of rows; by default all.", Rank: 14,
		Flag: "limit", FlagDoc: "maximum number of rows",
	}),
	newRow("offset", offsetShape, func(q *MetricQuery) *int64 { return &q.Offset }, KeyNotes{
		Doc: offsetDoc, Rank: 15,
		Flag: "offset", FlagDoc: offsetFlagDoc,
	}),
	newRow(paramsKey, paramsShape, func(q *MetricQuery) *[]ParamBinding { return &q.Params }, KeyNotes{
		Doc: "Values of the parameters that the metrics declare, by name.", Rank: 22,
	}),
	newRow("dialect", nameShape, func(q *MetricQuery) *string { return &q.Dialect }, KeyNotes{
		Doc:  "The SQL dialect to compile for, one of those that /v1/capabilities lists; by default that of the connection, else duckdb.",
		Flag: dialectFlag, FlagDoc: dialectFlagDoc,
	}),
	newRow("pretty", booleanShape, func(q *MetricQuery) *bool { return &q.Pretty }, KeyNotes{
		Doc:  prettyDoc,
		Flag: prettyFlag, FlagDoc: prettyFlagDoc,
	}),
	newRow("connection", nameShape, func(q *MetricQuery) *string { return &q.Connection }, KeyNotes{
		Doc: "A connection profile to execute on, one of those that /v1/connections lists; by default the embedded database.", Rank: 23,
	}),
	newRow(savedKey, nameShape, func(q *MetricQuery) *string { return &q.Saved }, KeyNotes{
		Doc: savedDoc, Hint: "name; other keys replace its keys", Rank: 25,
		Flag: savedKey, FlagDoc: savedFlagDoc,
	}),
	newRow("with", withShape, func(q *MetricQuery) *[]LocalField { return &q.With }, KeyNotes{
		Doc: withDoc, Hint: "{dataset, name, expression}", Rank: 3,
	}),
	newRow("sequences", sequencesShape, func(q *MetricQuery) *[]Sequence { return &q.Sequences }, KeyNotes{
		Doc: sequencesDoc,
	}),
	newRow("distinct", booleanShape, func(q *MetricQuery) *bool { return &q.Distinct }, KeyNotes{
		Doc: "List the groups of group_by, without metrics. Default: false.", Hint: "groups, no metrics", Rank: 4,
		Flag: "distinct", FlagDoc: "list the groups, without metrics",
	}),
	newRow("from", filledNameShape, func(q *MetricQuery) *string { return &q.From }, KeyNotes{
		Doc: "With distinct: the dataset whose rows have the groups.", Rank: 5,
		Flag: "from", FlagDoc: "with --distinct: the dataset whose rows have the groups",
	}),
	newRow("totals", totalsShape, func(q *MetricQuery) *[][]string { return &q.Totals }, KeyNotes{
		Doc: "Sets of columns of group_by: a row is added for each of their groups; [] is the grand total. The column level distinguishes these rows.", Hint: "[[]]: grand total", Rank: 16, WithoutDistinct: true,
	}),
	newRow("shares", sharesShape, func(q *MetricQuery) *[]ShareRequest { return &q.Shares }, KeyNotes{
		Doc: "Values as fractions of a total, each in a column after the metrics.", Hint: "{metric, of}", Rank: 17, WithoutDistinct: true,
	}),
	newRow("compare", compareShape, func(q *MetricQuery) *Comparisons { return &q.Compare }, KeyNotes{
		Doc: "The values of an earlier range beside those of time_range, or of up to 4 in a list, with names.", Hint: "{offset: {count, unit}}", Rank: 18, WithoutDistinct: true,
	}),
	newRow("top", topShape, func(q *MetricQuery) **Top { return &q.Top }, KeyNotes{
		Doc: "Keep the largest values of a grouped column and merge the others.", Hint: "{dimension, n, by, other}", Rank: 19, WithoutDistinct: true,
	}),
	newRow("fill", fillShape, func(q *MetricQuery) **Fill { return &q.Fill }, KeyNotes{
		Doc: "Add rows for the periods of time_range without data.", Hint: "{}: empty periods", Rank: 20, WithoutDistinct: true,
	}),
	newRow("fan_out", fanOutShape, func(q *MetricQuery) *string { return &q.FanOut }, KeyNotes{
		Doc: "once_per_group counts each row of a metric's dataset once in each group, if a join would repeat it. With refuse, the default, such a metric is the error fan_out_risk.", Hint: "refuse or once_per_group", WithoutDistinct: true,
		Flag: "fan-out", FlagDoc: "once_per_group: count each row of a metric once in each group where a join repeats it; refuse, the default: an error",
	}),
	newRow("as_of", filledNameShape, func(q *MetricQuery) *string { return &q.AsOf }, KeyNotes{
		Doc:  asOfDoc,
		Flag: "as-of", FlagDoc: asOfFlagDoc,
	}),
	newRow("time_zone", timeZoneShape, func(q *MetricQuery) *string { return &q.TimeZone }, KeyNotes{
		Doc: timeZoneDoc, Rank: 11,
		Flag: "time-zone", FlagDoc: timeZoneFlagDoc,
	}),
	newRow("week_start", weekdayShape, func(q *MetricQuery) *string { return &q.WeekStart }, KeyNotes{
		Doc:  weekStartDoc,
		Flag: "week-start", FlagDoc: weekStartFlagDoc,
	}),
	newRow("count", booleanShape, func(q *MetricQuery) *bool { return &q.Count }, KeyNotes{
		Doc: countDoc, Flag: countFlag, FlagDoc: countFlagDoc,
	}),
	newRow("hints", choiceShape, func(q *MetricQuery) **bool { return &q.Hints }, KeyNotes{
		Doc: hintsDoc,
	}),
	newRow("rollups", rollupsShape, func(q *MetricQuery) **Rollups { return &q.Rollups }, KeyNotes{
		Doc: rollupsDoc, Flag: rollupsFlag,
	}),
	newRow("max_age", countShape, func(q *MetricQuery) **int64 { return &q.MaxAge }, KeyNotes{
		Doc:  maxAgeDoc,
		Flag: "max-age", FlagDoc: maxAgeFlagDoc,
	}),
	newRow(viewKey, nameShape, func(q *MetricQuery) *string { return &q.View }, KeyNotes{
		Doc: viewDoc, Rank: 10,
		Flag: viewKey, FlagDoc: viewFlagDoc,
	}),
	newRow("defaults", choiceShape, func(q *MetricQuery) **bool { return &q.Defaults }, KeyNotes{
		Doc: defaultsDoc, Flag: defaultsFlag, FlagDoc: defaultsFlagDoc,
	}),
}

// metricsRow returns the row of metrics, whose inline metrics stand in a separate field.
func metricsRow(notes KeyNotes) keyRow[MetricQuery] {
	return keyRow[MetricQuery]{
		keyReader[MetricQuery]{bodyKey{"metrics", bodyKeyValueTextOrObjectArray, keysOfReaders(inlineMetricKeyReaders)}, readMetrics},
		func(q *MetricQuery) any { return &q.Metrics }, notes, KeyBounds{MinItems: 1},
	}
}

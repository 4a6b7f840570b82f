package main

// benchmarksPage returns the page of measured speed.
func benchmarksPage() resultsPage {
	return resultsPage{
		name: "benchmarks", title: "Benchmarks",
		intro: `How fast the service compiles, loads, executes and streams, as ratios and medians. Each benchmark lists
its measurements, its targets and the command that repeats it; ` + "`make bench`" + ` runs them all. The
programs of a comparison run in turn in one process, because ratios transfer between machines and times do
not. Models and data are generated from a fixed seed. For a missed target the page shows the distance.`,
		sections: []pageSection{
			{"Compiling", []promise{queryCompileTimePromise(), compileTimeByModelSizePromise(), ratioMetricsCompileTimePromise(), everyQueryKeyUsedCompileTimePromise(), competitorCompilePromise(), competitorRollupsPromise(), compileThroughputHTTPPromise(), statementCompileTimePromise(), sqlRequestVersusQueryRequestPromise(), largeVersusSmallModelThroughputPromise()}},
			{"Finding names", []promise{findResponseTimePromise(), compatibleItemsTimePromise()}},
			{"Questions of a generated model", []promise{generatedModelAnswersPromise()}},
			{"Loading", []promise{modelLoadTimePromise(), modelGenerationTimePromise(), compileLatencyDuringReloadPromise(), competitorLoadPromise(), modelDiffTimePromise()}},
			{"Executing", []promise{generatedSQLSpeedPromise(), queryBodyKeyExecutionCostPromise(), constructSQLSpeedPromise(), detailQuerySpeedPromise(), attributionSpeedPromise(), smallQueryOverheadPromise(), dashboardSpeedPromise(), overheadOnTwentyMillisecondQueryPromise(), executionsPerSecondHTTPPromise(), dataCheckTimePromise(), parquetQuerySpeedPromise(), dataFilesStartupTimePromise(), postgresPortStatementOverheadPromise()}},
			{"The explorer", []promise{explorerTimesPromise()}},
			{"Streaming", []promise{streamThroughputPromise(), arrowFromPostgresSpeedPromise(), arrowHTTPThroughputPromise(), postgresPortStreamThroughputPromise()}},
		},
	}
}

func queryCompileTimePromise() promise {
	return promise{
		name: "compile", sentence: "A query compiles in microseconds",
		method: `The whole way from the JSON text of a query to SQL text. Q1 is one metric by one joined
dimension; Q3 is three metrics (sum, count, ratio) by two joined dimensions and month,
with a date range, a filter, an order and a limit. The figure is the median of three.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkCompile$", flags: []string{"-count=3"},
			shortFlags: []string{"-count=1", "-benchtime=50x"},
		},
		rows: `^BenchmarkCompile/(Q\d)/datasets=(\d+)$`, rowHeader: "query, datasets in the model",
		figures: []figureDefinition{
			{name: "time", key: "ns/op", unit: "µs", scale: 1e-3, of: aggregationMedian, aims: []figureTarget{{is: targetAtMost, bound: 50, row: "Q1"}, {is: targetAtMost, bound: 150, row: "Q3"}}},
			{name: "allocations", key: "allocs/op", of: aggregationMedian},
			{name: "allocated", key: "B/op", unit: "kB", scale: 1e-3, of: aggregationMedian},
		},
	}
}

func compileTimeByModelSizePromise() promise {
	return promise{
		name: "flat", sentence: "Compiling does not slow down with the size of the model",
		method: `The same two queries over a model of 3 datasets and one of 1000, in turn; the ratio is that
of the medians.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkCompile_FlatInModelSize$", flags: []string{"-benchtime=200x"},
			shortFlags: []string{"-benchtime=20x"},
		},
		rows: `^BenchmarkCompile_FlatInModelSize/(Q\d)$`, rowHeader: "query",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(1.2), 3)},
			{name: "3 datasets", key: "small-µs", unit: "µs"},
			{name: "1000 datasets", key: "large-µs", unit: "µs"},
		},
	}
}

func ratioMetricsCompileTimePromise() promise {
	return promise{
		name: "ratios", sentence: "A query of eighty ratio metrics compiles within 2 ms",
		method: "Every metric divides one aggregate by another; all are grouped by one joined dimension.",
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkCompile_Ratios$", flags: []string{"-count=3"},
			shortFlags: []string{"-count=1", "-benchtime=10x"},
		},
		rows: `^BenchmarkCompile_Ratios/metrics=(\d+)$`, rowHeader: "metrics",
		figures: []figureDefinition{
			{name: "time", key: "ns/op", unit: "ms", scale: 1e-6, of: aggregationMedian, aims: atMostTarget(2)},
			{name: "allocated", key: "B/op", unit: "kB", scale: 1e-3, of: aggregationMedian},
		},
	}
}

func compileThroughputHTTPPromise() promise {
	return promise{
		name: "compile-http", sentence: "A server compiles 10,000 queries a second on two cores",
		method: `The server as ` + "`semlayer serve`" + ` runs it, with a token, metrics and a line of JSON log per
request, and 32 connections that send queries from the same cores; and a minimal handler of
fiber that sends the same body back, in turn. A new query is
planned each time; for a repeated one the compiled statement is kept. The
best of five turns counts. The 99th percentile is measured separately, at a
steady rate of 10,000 a second: from the time at which each request was due if the connection
was still busy, from the time of sending if the client's timer was late. At full load it
would measure the number of clients. The table also has an echo that keeps the
processor busy for as long as compiling does: the share of the machine itself in
the latency. Processor time is that of a request, client and server together; it depends less on
the other load of the machine.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkHTTP_Compile$", flags: []string{"-benchtime=5x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkHTTP_Compile/(Q\d)/(anew|again)$`, rowHeader: "query, new or repeated",
		figures: []figureDefinition{
			{name: "rate", key: "req/s", unit: "/s", aims: withShortFormBound(atLeastTarget(10_000), 100)},
			{name: "p99 at 10,000 a second", key: "p99-ms", unit: "ms", aims: withShortFormBound(atMostTarget(5), 60_000)},
			{name: "p99 of an echo with the same work", key: "busy-echo-p99-ms", unit: "ms"},
			{name: "p99 of the echo", key: "echo-p99-ms", unit: "ms"},
			{name: "rate of the echo", key: "echo-req/s", unit: "/s"},
			{name: "share of the echo's rate", key: "of-echo"},
			{name: "processor time", key: "cpu-µs/req", unit: "µs"},
			{name: "processor time of the echo", key: "echo-cpu-µs/req", unit: "µs"},
		},
	}
}

func largeVersusSmallModelThroughputPromise() promise {
	return promise{
		name: "large-model", sentence: "A server of a model of 1000 datasets compiles as many queries as one of 3",
		method: `Two servers in one process, queried in turn over HTTP by 16 connections each. The ratio is
the best rate over 1000 datasets to the best over 3. Every request is planned from scratch.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkHTTP_LargeModelUnderLoad$", flags: []string{"-benchtime=5x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkHTTP_LargeModelUnderLoad/(Q\d)$`, rowHeader: "query",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atLeastTarget(0.83), 0.3)},
			{name: "3 datasets", key: "small-req/s", unit: "/s"},
			{name: "1000 datasets", key: "large-req/s", unit: "/s"},
			{name: "p99 of 1000", key: "large-p99-ms", unit: "ms"},
		},
	}
}

func modelLoadTimePromise() promise {
	return promise{
		name: "load", sentence: "A model of 1000 datasets loads within 150 ms",
		method: `1000 datasets of 10 fields, 999 relationships and 2000 metrics: parse, validate, compile.
The figure is the least of five runs.`,
		run: measurementCommand{
			dir: "modelspec", pkg: "./compile", bench: "^BenchmarkLoad$", flags: []string{"-benchtime=5x", "-count=5"},
			shortFlags: []string{"-benchtime=1x", "-count=1"},
		},
		rows: `^BenchmarkLoad/(yaml|json)$`, rowHeader: "format",
		figures: []figureDefinition{
			{name: "time", key: "ns/op", unit: "ms", scale: 1e-6, of: aggregationSmallest, aims: withShortFormBound(atMostTarget(150), 1500)},
			{name: "allocated", key: "B/op", unit: "MB", scale: 1e-6, of: aggregationSmallest},
			{name: "kept", key: "kept-MB", unit: "MB", of: aggregationSmallest},
		},
		interpretation: "An anchor anywhere in a YAML text sends it to the general parser, which is slower.",
	}
}

func modelDiffTimePromise() promise {
	return promise{
		name: "diff", sentence: "Comparing two models of 1000 datasets takes at most 2.5 times their loading",
		method: `Two models of 1000 datasets of 10 fields, 999 relationships and 2000 metrics: equal ones, one
in which every field of one name and half of the metrics changed, and one that lost a relationship at
the root of its tree. The ratio is of DiffModels, which loads both, to loading both.`,
		run: measurementCommand{
			dir: "integration/modeldiff", pkg: ".", bench: "^BenchmarkDiff_LargeModels$", flags: []string{"-benchtime=5x", "-run=^$"},
			shortFlags: []string{"-benchtime=1x", "-run=^$"},
		},
		rows: `^BenchmarkDiff_LargeModels/(\w+)$`, rowHeader: "second model",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(2.5), 6)},
			{name: "diff", key: "diff-ms", unit: "ms"},
			{name: "loading both", key: "load-ms", unit: "ms"},
		},
	}
}

func modelGenerationTimePromise() promise {
	return promise{
		name: "init", sentence: "A model of 100 tables is generated in little more time than reading the catalog",
		method: `100 tables of eight columns without rows in an embedded DuckDB: ` + "`semlayer init --from`" + ` without the
files that it writes and, in turn, the four statements that read the catalog; the ratio is that of the medians.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkInit$", flags: []string{"-benchtime=40x"},
			shortFlags: []string{"-benchtime=3x"},
		},
		rows: `^(BenchmarkInit)$`, rowHeader: "benchmark",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(3), 60)},
			{name: "generated model", key: "init-ms", unit: "ms"},
			{name: "catalog", key: "catalog-ms", unit: "ms"},
		},
		interpretation: "The rest is the statements that look for the keys that foreign keys have, and the text of 900 objects.",
	}
}

func generatedSQLSpeedPromise() promise {
	return promise{
		name: "shapes", sentence: "Generated SQL is as fast as hand-written SQL",
		method: `Ten million orders, a million returns and a million customers in DuckDB in memory. Each
generated query and the one that a careful analyst would write run in turn, at least five
times; both give the same rows, which is checked first.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkShapes$", flags: []string{"-benchtime=1x", "-timeout=30m"},
			shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000"},
		},
		rows: `^BenchmarkShapes/(.+)$`, rowHeader: "question",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(1.1), 3)},
			{name: "generated", key: "generated-ms", unit: "ms"},
			{name: "hand-written", key: "hand-ms", unit: "ms"},
		},
	}
}

func detailQuerySpeedPromise() promise {
	return promise{
		name: "detail", sentence: "Rows in the order of their key are read as fast as with hand-written SQL",
		method: `Two million orders on PostgreSQL and MariaDB, a hundred of them by their primary key, with the
SQL of the engine and with SQL written by hand, on one connection in turn. The figures are
medians of 500 turns; both give the same rows, which is checked first.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkDetail$", flags: []string{"-benchtime=1x", "-timeout=30m"},
			env: requireServersEnv, shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000"},
		},
		rows: `^BenchmarkDetail/(.+)$`, rowHeader: "server/page",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(1.1), 3)},
			{name: "generated", key: "generated-ms", unit: "ms"},
			{name: "hand-written", key: "hand-ms", unit: "ms"},
		},
	}
}

func dashboardSpeedPromise() promise {
	return promise{
		name: "dashboard", sentence: "A dashboard of ten queries reads rollups and kept results in place of the base tables",
		method: `A hundred million sales of two years in a DuckDB file, with two dimensions in their table and two that are joined. Two
rollups are built by semlayer rollup refresh. Ten queries, one after another, are asked once over the base tables, then five times
with rollups and of the result cache, in turn; all give the same rows, which is checked first. The last figure is 64 equal
requests at once, whose result is not kept yet, against one. Figures are medians of three turns.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkDashboard$", flags: []string{"-benchtime=3x", "-timeout=30m"},
			env: map[string]string{"SEMLAYER_BENCH_ROWS": "100000000"}, shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000"},
		},
		rows: "^BenchmarkDashboard$", rowHeader: "dashboard",
		figures: []figureDefinition{
			{name: "with rollups", key: "rollups-ms", unit: "ms", aims: withShortFormBound(atMostTarget(50), 1000)},
			{name: "from the cache", key: "cached-ms", unit: "ms", aims: withShortFormBound(atMostTarget(5), 100)},
			{name: "base tables", key: "base-ms", unit: "ms"},
			{name: "base tables ÷ rollups", key: "base/rollups"},
			{name: "64 equal ÷ one", key: "equal/one", aims: withShortFormBound(atMostTarget(1.1), 10)},
		},
	}
}

func explorerTimesPromise() promise {
	return promise{
		name: "explorer", sentence: "The explorer shows a figure within 0.4 s, a chart within 0.5 s, and a step within 0.1 s",
		method: `Chromium opens the page over the model of the demo, from the navigation to the picture: its first figure on Home, and a
chart of a metric by month; then Home of a model of 200 datasets. Over 10,000 rows it sorts the table, scrolls to its middle and
changes to the chart, each from the step to the picture that shows it. Cancel, and leaving the page, are measured until the statement
has ended in the database. Figures are the best of five attempts.`,
		run: measurementCommand{
			dir: "integration", pkg: "./browser", test: "^(TestBudgets_OfThePage|TestBudgets_OfTenThousandRows|TestCancel_LeavingThePageEndsItsQuery|TestCancel_TheButtonEndsTheQuery)$",
			env: map[string]string{"SEMLAYER_TEST_LONG": "1", "SEMLAYER_REQUIRE_BROWSER": "1"}, shortEnv: map[string]string{"SEMLAYER_TEST_LONG": "", "SEMLAYER_REQUIRE_BROWSER": ""},
		},
		rows: "^Test(Budgets|Cancel)_", rowHeader: "explorer",
		figures: []figureDefinition{
			{name: "first figure", key: "first-figure-ms", unit: "ms", aims: withShortFormBound(atMostTarget(400), 20_000)},
			{name: "first chart", key: "first-chart-ms", unit: "ms", aims: withShortFormBound(atMostTarget(500), 20_000)},
			{name: "Home of 200 datasets", key: "home-of-200-datasets-ms", unit: "ms", aims: withShortFormBound(atMostTarget(1000), 20_000)},
			{name: "sort", key: "sort-ms", unit: "ms", aims: withShortFormBound(atMostTarget(100), 5000)},
			{name: "scroll", key: "scroll-ms", unit: "ms", aims: withShortFormBound(atMostTarget(100), 5000)},
			{name: "chart of the rows", key: "chart-ms", unit: "ms", aims: withShortFormBound(atMostTarget(100), 5000)},
			{name: "cancel", key: "cancel-ms", unit: "ms", aims: withShortFormBound(atMostTarget(300), 10_000)},
			{name: "leaving", key: "leave-ms", unit: "ms", aims: withShortFormBound(atMostTarget(300), 10_000)},
		},
	}
}

func attributionSpeedPromise() promise {
	return promise{
		name: "attribution", sentence: "An attribution takes little more than the queries that it needs",
		method: `Ten million rows, five dimensions, compared with the hand-written queries that it needs, one after
the other, in turn.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkAttribution$", flags: []string{"-benchtime=3x", "-timeout=30m"},
			env: map[string]string{"SEMLAYER_BENCH_LARGE": "1"}, shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkAttribution/(.+)$`, rowHeader: "metric",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(1.3), 5)},
			{name: "attribute", key: "attribute-ms", unit: "ms"},
			{name: "hand-written", key: "hand-ms", unit: "ms"},
		},
	}
}

func statementCompileTimePromise() promise {
	return promise{
		name: "statement-compile", sentence: "A statement in SQL compiles in at most 60 µs, or 150 µs, more than its query",
		method: `The text of a [statement](sql.md) to the SQL of the warehouse, and the body of the query Q1 or Q3 that has the same
rows, in turn; the added time is the difference of the medians.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkStatement$", flags: []string{"-benchtime=2000x"}, shortFlags: []string{"-benchtime=100x"},
		},
		rows: `^BenchmarkStatement/(.+)$`, rowHeader: "query",
		figures: []figureDefinition{
			{name: "added", key: "added-µs", unit: "µs", aims: []figureTarget{{is: targetAtMost, bound: 60, row: "Q1"}, {is: targetAtMost, bound: 150, row: "Q3"}}},
			{name: "query", key: "query-µs", unit: "µs"},
			{name: "ratio", key: "ratio"},
		},
	}
}

func sqlRequestVersusQueryRequestPromise() promise {
	return promise{
		name: "statement-http", sentence: "A request in SQL, compared with the request of its query",
		method: `A statement at /v1/sql/compile and the query Q1 or Q3 that has the same rows at /v1/query/compile, a new plan each time,
from one connection and in turn; the ratio is that of the medians.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkStatement_HTTP$", flags: []string{"-benchtime=2000x"}, shortFlags: []string{"-benchtime=100x"},
		},
		rows: `^BenchmarkStatement_HTTP/(.+)$`, rowHeader: "query",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(2), 10)},
			{name: "statement", key: "statement-µs", unit: "µs"},
			{name: "query", key: "query-µs", unit: "µs"},
		},
	}
}

func smallQueryOverheadPromise() promise {
	return promise{
		name: "overhead", sentence: "A small query takes 0.3 ms more than with the driver alone",
		method: `A query of five rows, over HTTP with all steps of a request, and the same
SQL given to the driver alone, in turn; the added time is the difference of the medians.
A new query is planned each time; for a repeated one the compiled statement is kept. A minimal
handler of fiber that calls the driver alone shows the share of HTTP.
The driver of PostgreSQL makes the server parse each time, as this service must; by
default it leaves plans on the server, which is faster and can return outdated results
(docs/decisions/0024).`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkOverhead$", flags: []string{"-benchtime=500x"},
			shortFlags: []string{"-benchtime=20x"},
		},
		rows: `^BenchmarkOverhead/(.+)/(anew|again)$`, rowHeader: "engine, new or repeated",
		figures: []figureDefinition{
			{name: "added", key: "overhead-µs", unit: "ms", scale: 1e-3, aims: withShortFormBound(atMostTarget(0.3), 30)},
			{name: "by a minimal handler", key: "http-µs", unit: "ms", scale: 1e-3},
			{name: "driver alone", key: "driver-µs", unit: "ms", scale: 1e-3},
			{name: "ratio", key: "ratio"},
			{name: "saved by plans on the server", key: "kept-µs", unit: "ms", scale: 1e-3},
		},
	}
}

func overheadOnTwentyMillisecondQueryPromise() promise {
	return promise{
		name: "twenty-ms", sentence: "A query of 20 ms takes less than a tenth more than with the driver alone",
		method: `A query over enough rows of a DuckDB file that the driver alone needs about 20 ms for it,
and the same over HTTP, in turn.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkOverhead_TwentyMilliseconds$", flags: []string{"-benchtime=200x"},
			shortFlags: []string{"-benchtime=10x"},
		},
		rows: `^BenchmarkOverhead_TwentyMilliseconds$`,
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(1.1), 3)},
			{name: "driver alone", key: "driver-µs", unit: "ms", scale: 1e-3},
			{name: "added", key: "overhead-µs", unit: "ms", scale: 1e-3},
		},
	}
}

func executionsPerSecondHTTPPromise() promise {
	return promise{
		name: "execute-http", sentence: "Throughput of executions under load, compared with the driver alone",
		method: `Small queries from as many connections at once as there are executions (16), over HTTP and,
in turn, by as many connections of the driver alone in the same process without a server.
The best turn of each counts. The figures show the share of HTTP, planning and JSON of
two cores that DuckDB uses as well.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkHTTP_ExecuteUnderLoad$", flags: []string{"-benchtime=5x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkHTTP_ExecuteUnderLoad$`,
		figures: []figureDefinition{
			{name: "share of the driver's rate", key: "of-driver"},
			{name: "rate over HTTP", key: "req/s", unit: "/s"},
			{name: "rate of the driver alone", key: "driver-req/s", unit: "/s"},
			{name: "p99 over HTTP", key: "p99-ms", unit: "ms"},
			{name: "p99 of the driver alone", key: "driver-p99-ms", unit: "ms"},
		},
	}
}

func streamThroughputPromise() promise {
	return promise{
		name: "streaming", sentence: "A stream keeps up with the library that it reads from",
		method: `Two million rows of a key, a double and a string in a DuckDB file, read in turn by a minimal loop
over the bindings, which fetches chunks and drops them, and by the formats of this project, on
one core each. The minimal loop touches no value; JSON prints three of them a row.`,
		run: measurementCommand{
			dir: "executor", pkg: "./duckdb", bench: "^BenchmarkStreaming$", flags: []string{"-benchtime=10x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkStreaming$`,
		figures: []figureDefinition{
			{name: "time of an Arrow stream compared with the minimal loop", key: "arrow/bare"},
			{name: "time of JSON compared with the minimal loop", key: "json/bare"},
			{name: "time of record batches compared with the minimal loop", key: "batches/bare"},
			{name: "minimal loop", key: "bare-Mrows/s", unit: "million rows a second"},
			{name: "record batches in Go memory", key: "batches-Mrows/s", unit: "million rows a second"},
			{name: "Arrow IPC stream", key: "arrow-Mrows/s", unit: "million rows a second", aims: withShortFormBound(atLeastTarget(4), 0.1)},
			{name: "JSON", key: "json-Mrows/s", unit: "million rows a second", aims: withShortFormBound(atLeastTarget(2), 0.1)},
		},
		interpretation: `The library's own Arrow export, which needs the build tag duckdb_arrow, is faster than the
copy of vectors in every build (` + "`go test -tags duckdb_arrow -run '^$' -bench Export ./duckdb`" + `
in ` + "`executor`" + ` compares them). Its batches have 2048 rows in the library's memory, and joining them
into batches of 65536, which the stream needs, would cost the copy that it saves.`,
	}
}

func arrowFromPostgresSpeedPromise() promise {
	return promise{
		name: "arrow-postgres", sentence: "Arrow from PostgreSQL is nearly as fast as its COPY",
		method: `A table of three columns and one of twenty columns of mixed types, read in turn with
` + "`COPY (query) TO STDOUT (FORMAT binary)`" + ` by a minimal loop that drops the data, and by the formats
of this project. The minimal loop decodes nothing.`,
		run: measurementCommand{
			dir: "executor", pkg: "./postgres", bench: "^BenchmarkArrow$", flags: []string{"-benchtime=10x"},
			env: requireServersEnv, shortFlags: []string{"-benchtime=1x"}, shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "20000"},
		},
		rows: `^BenchmarkArrow/(.+)$`, rowHeader: "rows",
		figures: []figureDefinition{
			{name: "share of COPY's rate, Arrow IPC stream", key: "arrow/copy", aims: withShortFormBound(atLeastTarget(0.9), 0.05)},
			{name: "share of COPY's rate, record batches", key: "batches/copy"},
			{name: "COPY", key: "copy-Mrows/s", unit: "million rows a second"},
			{name: "Arrow IPC stream", key: "arrow-Mrows/s", unit: "million rows a second"},
		},
	}
}

func arrowHTTPThroughputPromise() promise {
	return promise{
		name: "arrow-http", sentence: "Arrow over HTTP is millions of rows a second",
		method: "Batches of three 64-bit columns to a client on the same cores, and to nowhere.",
		run: measurementCommand{
			dir: "restapi", pkg: ".", bench: "^BenchmarkHTTP_Arrow$", flags: []string{"-benchtime=20x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkHTTP_Arrow/(.+)$`, rowHeader: "to",
		figures: []figureDefinition{{name: "rows", key: "rows/s", unit: "million a second", scale: 1e-6, aims: withShortFormBound(atLeastTarget(4), 0.1)}},
	}
}

func constructSQLSpeedPromise() promise {
	return promise{
		name: "constructs", sentence: "The SQL of every construct is nearly as fast as hand-written SQL",
		method: `Aggregates with conditions, statistics, recomputed windows, snapshots, rows valid for a time, rows counted once for each group and
periods of calendars: each has a question and hand-written SQL with the same rows, which is checked first. Ten
million rows in DuckDB, two million on PostgreSQL and MariaDB, in turn; the ratio is that of the medians, beside the quartiles of
the ratios of the turns.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkConstructs$", flags: []string{"-benchtime=5x", "-timeout=90m"},
			env:      map[string]string{"SEMLAYER_REQUIRE_SERVERS": "postgres,mariadb"},
			shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000", "SEMLAYER_BENCH_SERVER_ROWS": "50000"},
		},
		rows: `^BenchmarkConstructs/(.+)$`, rowHeader: "engine/construct",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(1.15), 20)},
			{name: "lower quartile", key: "lower-ratio"},
			{name: "upper quartile", key: "upper-ratio"},
			{name: "generated", key: "generated-ms", unit: "ms"},
			{name: "hand-written", key: "hand-ms", unit: "ms"},
		},
	}
}

func dataCheckTimePromise() promise {
	return promise{
		name: "data-checks", sentence: "A check of a model against its data takes as long as its statements",
		method: `A million orders with two keys, an encoded day and two relationships in DuckDB. The whole check,
from the text of the model to the findings, and its statements by themselves, in turn.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkDataChecks$", flags: []string{"-benchtime=20x"},
			shortFlags: []string{"-benchtime=3x"},
		},
		rows: `^BenchmarkDataChecks$`,
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(1.2), 3)},
			{name: "check", key: "check-ms", unit: "ms"},
			{name: "statements alone", key: "statements-ms", unit: "ms"},
			{name: "statements", key: "statements"},
		},
	}
}

func findResponseTimePromise() promise {
	return promise{
		name: "find", sentence: "find answers within 5 ms on a model of 1000 datasets, and its index is built in half the time of loading",
		method: `An index of 1,000 datasets, 21,000 fields and 3,000 metrics, all described. The time to build it, and that to load
the model, are the best of five in turn. Seven questions are repeated: several names, a misspelt word,
words that thousands of objects have, and one that nothing matches.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkFind$", flags: []string{"-benchtime=300x"},
			shortFlags: []string{"-benchtime=5x"},
		},
		rows: `^BenchmarkFind$`,
		figures: []figureDefinition{
			{name: "building, as a share of loading", key: "of-load", aims: withShortFormBound(atMostTarget(0.5), 2)},
			{name: "memory", key: "heap-MiB", unit: "MiB", aims: atMostTarget(80)},
			{name: "median", key: "p50-ms", unit: "ms", aims: withShortFormBound(atMostTarget(5), 50)},
			{name: "p99", key: "p99-ms", unit: "ms", aims: withShortFormBound(atMostTarget(10), 1000)},
		},
	}
}

func compatibleItemsTimePromise() promise {
	return promise{
		name: "compatible", sentence: "compatible answers on a model of 1000 datasets in the time of 60 compiles",
		method: `The metrics and dimensions that fit a query of one metric, a query without any, and a query of one dimension.
A compile is that of one metric. Both are medians.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkCompatible$", flags: []string{"-benchtime=100x"},
			shortFlags: []string{"-benchtime=3x"},
		},
		rows: `^BenchmarkCompatible/(\w+)$`, rowHeader: "query",
		figures: []figureDefinition{
			{name: "time", key: "ms", unit: "ms", aims: withShortFormBound(atMostTarget(20), 1000)},
			{name: "compiles", key: "compiles", aims: withShortFormBound(atMostTarget(60), 5000)},
			{name: "metrics", key: "metrics"},
			{name: "dimensions", key: "dimensions"},
		},
	}
}

func generatedModelAnswersPromise() promise {
	return promise{
		name: "agents-generated", sentence: "What the model of semlayer init --from answers of the questions in plain words",
		method: `The 120 questions of the guarantee agents-coverage, asked of the model that semlayer init --from writes of the same
tables. A fixed list translates the names of metrics and relationships; a metric that the generated model lacks stays,
and its query is rejected. The rows are compared with those of hand-written SQL. The figures have no target: they show
how much a model that a person writes adds.`,
		run:  measurementCommand{dir: "integration", pkg: agentPackage, test: "^TestCoverage_GeneratedModels$"},
		rows: `^TestCoverage_GeneratedModels/(\w+)$`, rowHeader: "model",
		figures: []figureDefinition{
			{name: "questions", key: "questions"},
			{name: "share with equal rows", key: "equal"},
			{name: "refused", key: "refused"},
			{name: "other rows", key: "different"},
		},
	}
}

func compileLatencyDuringReloadPromise() promise {
	return promise{
		name: "reload-beside-traffic", sentence: "Loading a model of 1000 datasets beside traffic raises the p99 of compile to at most three times",
		method: `A process of ` + "`semlayer serve --watch`" + ` with a model of 1000 datasets compiles 200 new queries a second over
eight connections from the same cores; in turn, it does so alone, and while a new text of that size replaces the file as
soon as the text before it is served. The ratio is that of the 99th percentiles; of each side the best of
seven turns counts.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkServe_CompileBesideReload$", flags: []string{"-benchtime=7x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkServe_CompileBesideReload$`,
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(3), 100)},
			{name: "p99 beside loading", key: "beside-p99-ms", unit: "ms"},
			{name: "p99 alone", key: "p99-ms", unit: "ms"},
			{name: "from the new file until it is served", key: "until-served-ms", unit: "ms"},
			{name: "loads", key: "loads", aims: withShortFormBound(atLeastTarget(7), 1)},
		},
		interpretation: "The loads and the clients share two cores with the server. A watched file is read after 200 ms without a change, so that four loads a second are the most that a file can cause. The garbage collector waits while a model loads.",
	}
}

func queryBodyKeyExecutionCostPromise() promise {
	return promise{
		name: "keys", sentence: "Totals, shares, kept values, comparisons, time zones and recomputed windows cost a small multiple of the plain query",
		method: `Ten million orders, a million customers and ten million payments in DuckDB in memory. A query with one
key and the same query without it run in turn, at least five times; the ratio is that of the medians. ` + "`top`" + ` and a
comparison read the table twice, or twice as much of it. A recomputed window is compared with the same distinct count of
each month; of 12 months it counts each customer of a month in up to 12 windows.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkKeys$", flags: []string{"-benchtime=1x", "-timeout=30m"},
			shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000"},
		},
		rows: `^BenchmarkKeys/(.+)$`, rowHeader: "key",
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound([]figureTarget{
				{is: targetAtMost, bound: 1.5, row: "grand total"},
				{is: targetAtMost, bound: 1.6, row: "share of the"},
				{is: targetAtMost, bound: 2.5, row: "top with"},
				{is: targetAtMost, bound: 1.8, row: "comparison"},
				{is: targetAtMost, bound: 2.5, row: "time zone"},
				{is: targetAtMost, bound: 14, row: "12 months"},
				{is: targetAtMost, bound: 3, row: "so far"},
			}, 20)},
			{name: "with the key", key: "with-ms", unit: "ms"},
			{name: "without", key: "without-ms", unit: "ms"},
		},
	}
}

func everyQueryKeyUsedCompileTimePromise() promise {
	return promise{
		name: "compile-keys", sentence: "A query with every key compiles in at most 4 times the time of the plain one",
		method: `The plain query has three metrics by two joined dimensions and month, with two conditions, a range, an order and a
limit. The other writes one of the metrics, one of the groups and one of the conditions in the query itself, and
adds totals, a share, a comparison, kept values, a time zone, a first weekday and an offset. The two compile in
turn, each for about as long; the ratio is that of the medians.`,
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkCompile_Keys$", flags: []string{"-benchtime=200x"},
			shortFlags: []string{"-benchtime=20x"},
		},
		rows: `^BenchmarkCompile_Keys$`,
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(4), 100)},
			{name: "every key", key: "every-key-µs", unit: "µs"},
			{name: "plain", key: "plain-µs", unit: "µs"},
		},
	}
}

func parquetQuerySpeedPromise() promise {
	return promise{
		name: "data-query", sentence: "A query over a Parquet file takes at most 1.1 times one over a DuckDB file",
		method: `Two million rows, grouped by two fields, from a Parquet file as a table of --data and from a
DuckDB file of the same rows, in turn.`,
		run: measurementCommand{
			dir: "executor", pkg: "./duckdb", bench: "^BenchmarkDataQuery$", flags: []string{"-benchtime=50x"},
			shortFlags: []string{"-benchtime=3x"},
		},
		rows: `^BenchmarkDataQuery$`,
		figures: []figureDefinition{
			{name: "ratio", key: "ratio", aims: withShortFormBound(atMostTarget(1.1), 5)},
			{name: "Parquet", key: "parquet-ms", unit: "ms"},
			{name: "DuckDB file", key: "duckdb-ms", unit: "ms"},
		},
	}
}

func dataFilesStartupTimePromise() promise {
	return promise{
		name: "data-open", sentence: "A server of ten Parquet files is ready within 1.5 s",
		method: "The program starts without a model on a folder of ten Parquet files with 200,000 rows each. The time is that from the\nstart of the process until " + "`GET /ready`" + " answers 200, the generated model included.",
		run: measurementCommand{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkServe_DataReady$", flags: []string{"-benchtime=10x"},
			shortFlags: []string{"-benchtime=2x"},
		},
		rows: `^BenchmarkServe_DataReady$`,
		figures: []figureDefinition{
			{name: "ready", key: "ready-ms", unit: "ms", aims: withShortFormBound(atMostTarget(1500), 6000)},
			{name: "longest", key: "longest-ms", unit: "ms"},
		},
	}
}

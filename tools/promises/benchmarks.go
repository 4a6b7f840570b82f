package main

// benchmarks is the page of what is fast.
func benchmarks() page {
	return page{
		name: "benchmarks", title: "Benchmarks",
		intro: `Ratios and medians. What is compared runs in turn in one process, because machines
differ and ratios travel. Models and data are generated from a fixed seed. Where an aim is
missed, the page says by how much.`,
		sections: []section{
			{"Compiling", []promise{compileText(), flat(), manyRatios(), peersCompile(), compileHTTP(), largeModel()}},
			{"Loading", []promise{loading(), peersLoad()}},
			{"Executing", []promise{shapes(), detailPages(), attribution(), overhead(), twentyMillis(), executeHTTP()}},
			{"Streaming", []promise{streaming(), arrowPostgres(), arrowHTTP()}},
		},
	}
}

func compileText() promise {
	return promise{
		name: "compile", says: "A query compiles in microseconds",
		how: `The whole way from the JSON text of a query to SQL text. Q1 is one metric by one joined
dimension; Q3 is three metrics (sum, count, ratio) by two joined dimensions and month,
with a date range, a filter, an order and a limit. The figure is the median of three.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkCompile$", flags: []string{"-count=3"},
			shortFlags: []string{"-count=1", "-benchtime=50x"},
		},
		rows: `^BenchmarkCompile/(Q\d)/datasets=(\d+)$`, head: "query, datasets in the model",
		figures: []figure{
			{name: "time", key: "ns/op", unit: "µs", scale: 1e-3, of: middle, aims: []aim{{is: atMost, bound: 50, row: "Q1"}, {is: atMost, bound: 150, row: "Q3"}}},
			{name: "allocations", key: "allocs/op", of: middle},
			{name: "allocated", key: "B/op", unit: "kB", scale: 1e-3, of: middle},
		},
	}
}

func flat() promise {
	return promise{
		name: "flat", says: "Compiling does not slow down with the size of the model",
		how: `The same two queries over a model of 3 datasets and one of 1000, in turn; the ratio is that
of the medians.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkFlat$", flags: []string{"-benchtime=200x"},
			shortFlags: []string{"-benchtime=20x"},
		},
		rows: `^BenchmarkFlat/(Q\d)$`, head: "query",
		figures: []figure{
			{name: "ratio", key: "ratio", aims: orShort(upTo(1.2), 3)},
			{name: "3 datasets", key: "small-µs", unit: "µs"},
			{name: "1000 datasets", key: "large-µs", unit: "µs"},
		},
	}
}

func manyRatios() promise {
	return promise{
		name: "ratios", says: "A query of eighty ratio metrics compiles within 2 ms",
		how: "Every metric divides one aggregate by another; all are grouped by one joined dimension.",
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkCompileRatios$", flags: []string{"-count=3"},
			shortFlags: []string{"-count=1", "-benchtime=10x"},
		},
		rows: `^BenchmarkCompileRatios/metrics=(\d+)$`, head: "metrics",
		figures: []figure{
			{name: "time", key: "ns/op", unit: "ms", scale: 1e-6, of: middle, aims: upTo(2)},
			{name: "allocated", key: "B/op", unit: "kB", scale: 1e-3, of: middle},
		},
	}
}

func compileHTTP() promise {
	return promise{
		name: "compile-http", says: "A server compiles 10,000 queries a second on two cores",
		how: `The server as ` + "`semlayer serve`" + ` runs it, with a token, metrics and a line of JSON log a
request, and 32 connections that ask beside it on the same cores; and a bare handler of
fiber that sends the same body back, in turn, with nothing else. Asked anew, a query is
planned each time; asked again, its statement is kept from the time before. Of each the
best of five turns counts. What 99 of 100 requests take at most is measured apart, at a
steady rate of 10,000 a second: from the moment at which each was due where the connection
was still busy, from when it was sent where the client's clock overslept. At full load it
would tell how many clients there are. Beside it stands the same of an echo that keeps the
processor busy for as long as compiling does: what the machine itself makes of that much
work. Processor time is that of a request, client and server together; it depends less on
what else the machine does.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkCompileOverHTTP$", flags: []string{"-benchtime=5x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkCompileOverHTTP/(Q\d)/(anew|again)$`, head: "query, asked",
		figures: []figure{
			{name: "rate", key: "req/s", unit: "/s", aims: orShort(from(10_000), 100)},
			{name: "p99 at 10,000 a second", key: "p99-ms", unit: "ms", aims: orShort(upTo(5), 60_000)},
			{name: "p99 of an echo as busy", key: "busy-echo-p99-ms", unit: "ms"},
			{name: "p99 of the echo", key: "echo-p99-ms", unit: "ms"},
			{name: "rate of the echo", key: "echo-req/s", unit: "/s"},
			{name: "part of the echo's", key: "of-echo"},
			{name: "processor time", key: "cpu-µs/req", unit: "µs"},
			{name: "processor time of the echo", key: "echo-cpu-µs/req", unit: "µs"},
		},
	}
}

func largeModel() promise {
	return promise{
		name: "large-model", says: "A server of a model of 1000 datasets compiles as many queries as one of 3",
		how: `Two servers in one process, asked in turn over HTTP by 16 connections each. The ratio is
the best rate over 1000 datasets to the best over 3. Every request is planned anew.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkLargeModelUnderLoad$", flags: []string{"-benchtime=5x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkLargeModelUnderLoad/(Q\d)$`, head: "query",
		figures: []figure{
			{name: "ratio", key: "ratio", aims: orShort(from(0.83), 0.3)},
			{name: "3 datasets", key: "small-req/s", unit: "/s"},
			{name: "1000 datasets", key: "large-req/s", unit: "/s"},
			{name: "p99 of 1000", key: "large-p99-ms", unit: "ms"},
		},
	}
}

func loading() promise {
	return promise{
		name: "load", says: "A model of 1000 datasets loads within 150 ms",
		how: `1000 datasets of 10 fields, 999 relationships and 2000 metrics: parse, validate, compile.
The figure is the least of five runs.`,
		run: command{
			dir: "modelspec", pkg: "./compile", bench: "^BenchmarkLoad$", flags: []string{"-benchtime=5x", "-count=5"},
			shortFlags: []string{"-benchtime=1x", "-count=1"},
		},
		rows: `^BenchmarkLoad/(yaml|json)$`, head: "format",
		figures: []figure{
			{name: "time", key: "ns/op", unit: "ms", scale: 1e-6, of: least, aims: orShort(upTo(150), 1500)},
			{name: "allocated", key: "B/op", unit: "MB", scale: 1e-6, of: least},
			{name: "kept", key: "kept-MB", unit: "MB", of: least},
		},
		after: "An anchor anywhere in a YAML text sends it to the general parser, which is slower.",
	}
}

func shapes() promise {
	return promise{
		name: "shapes", says: "Generated SQL is as fast as SQL that is written by hand",
		how: `Ten million orders, a million returns and a million customers in DuckDB in memory. Each
generated query and the one that a careful analyst would write run in turn, at least five
times; both give the same rows, which is checked first.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkShapes$", flags: []string{"-benchtime=1x", "-timeout=30m"},
			shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000"},
		},
		rows: `^BenchmarkShapes/(.+)$`, head: "question",
		figures: []figure{
			{name: "ratio", key: "ratio", aims: orShort(upTo(1.1), 3)},
			{name: "generated", key: "generated-ms", unit: "ms"},
			{name: "by hand", key: "hand-ms", unit: "ms"},
		},
	}
}

func detailPages() promise {
	return promise{
		name: "detail", says: "Rows in the order of their key are read as fast as by hand",
		how: `Two million orders on PostgreSQL and MariaDB, a hundred of them by their primary key, with the
SQL of the engine and with SQL written by hand, on one connection in turn. The figures are
medians of 500 turns; both give the same rows, which is checked first.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkDetail$", flags: []string{"-benchtime=1x", "-timeout=30m"},
			env: needServers, shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000"},
		},
		rows: `^BenchmarkDetail/(.+)$`, head: "server/page",
		figures: []figure{
			{name: "ratio", key: "ratio", aims: orShort(upTo(1.1), 3)},
			{name: "generated", key: "generated-ms", unit: "ms"},
			{name: "by hand", key: "hand-ms", unit: "ms"},
		},
	}
}

func attribution() promise {
	return promise{
		name: "attribution", says: "An attribution takes little more than the queries that it needs",
		how: `Ten million rows, five dimensions, beside the hand-written queries that it needs, one after
the other, in turn.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkAttribution$", flags: []string{"-benchtime=3x", "-timeout=30m"},
			env: map[string]string{"SEMLAYER_BENCH_LARGE": "1"}, shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "200000"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkAttribution/(.+)$`, head: "metric",
		figures: []figure{
			{name: "ratio", key: "ratio", aims: orShort(upTo(1.3), 5)},
			{name: "attribute", key: "attribute-ms", unit: "ms"},
			{name: "by hand", key: "hand-ms", unit: "ms"},
		},
	}
}

func overhead() promise {
	return promise{
		name: "overhead", says: "A small query takes 0.3 ms more than with the bare driver",
		how: `A query of five rows, over HTTP with everything that a request goes through, and the same
SQL given to the bare driver, in turn; what is added is the difference of the medians.
Asked anew, the query is planned each time; asked again, its statement is kept. A bare
handler of fiber that calls the bare driver shows what the way there and back adds by
itself. The driver of PostgreSQL has the server parse each time, as this service has to; by
itself it leaves plans on the server, which is faster and can tell what is true no longer
(docs/decisions/0024).`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkOverhead$", flags: []string{"-benchtime=500x"},
			shortFlags: []string{"-benchtime=20x"},
		},
		rows: `^BenchmarkOverhead/(.+)/(anew|again)$`, head: "engine, asked",
		figures: []figure{
			{name: "added", key: "overhead-µs", unit: "ms", scale: 1e-3, aims: orShort(upTo(0.3), 30)},
			{name: "by a bare handler", key: "http-µs", unit: "ms", scale: 1e-3},
			{name: "bare driver", key: "driver-µs", unit: "ms", scale: 1e-3},
			{name: "ratio", key: "ratio"},
			{name: "saved by plans on the server", key: "kept-µs", unit: "ms", scale: 1e-3},
		},
	}
}

func twentyMillis() promise {
	return promise{
		name: "twenty-ms", says: "A query of 20 ms takes less than a tenth more than with the bare driver",
		how: `A query over so many rows of a DuckDB file that the bare driver needs about 20 ms for it,
and the same over HTTP, in turn.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkTwentyMilliseconds$", flags: []string{"-benchtime=200x"},
			shortFlags: []string{"-benchtime=10x"},
		},
		rows: `^BenchmarkTwentyMilliseconds$`,
		figures: []figure{
			{name: "ratio", key: "ratio", aims: orShort(upTo(1.1), 3)},
			{name: "bare driver", key: "driver-µs", unit: "ms", scale: 1e-3},
			{name: "added", key: "overhead-µs", unit: "ms", scale: 1e-3},
		},
	}
}

func executeHTTP() promise {
	return promise{
		name: "execute-http", says: "What a server executes under load, beside the bare driver",
		how: `Small queries from as many connections at once as there are executions (16), over HTTP and,
in turn, by as many connections of the bare driver in the same process without a server.
Of each the best turn counts. The figures tell what HTTP, planning and JSON take from
two cores on which DuckDB wants to run as well.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkExecuteUnderLoad$", flags: []string{"-benchtime=5x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkExecuteUnderLoad$`,
		figures: []figure{
			{name: "part of the driver's rate", key: "of-driver"},
			{name: "rate over HTTP", key: "req/s", unit: "/s"},
			{name: "rate of the bare driver", key: "driver-req/s", unit: "/s"},
			{name: "p99 over HTTP", key: "p99-ms", unit: "ms"},
			{name: "p99 of the bare driver", key: "driver-p99-ms", unit: "ms"},
		},
	}
}

func streaming() promise {
	return promise{
		name: "streaming", says: "A stream keeps up with the library that it reads from",
		how: `Two million rows of a key, a double and a text in a DuckDB file, read in turn by a bare loop
over the bindings, which fetches chunks and drops them, and by the ways of this project, on
one core each. The bare loop touches no value; JSON spells three of them a row.`,
		run: command{
			dir: "executor", pkg: "./duckdb", bench: "^BenchmarkStreaming$", flags: []string{"-benchtime=10x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkStreaming$`,
		figures: []figure{
			{name: "time of an Arrow stream beside the bare loop", key: "arrow/bare"},
			{name: "time of JSON beside the bare loop", key: "json/bare"},
			{name: "time of record batches beside the bare loop", key: "batches/bare"},
			{name: "bare loop", key: "bare-Mrows/s", unit: "million rows a second"},
			{name: "record batches in Go memory", key: "batches-Mrows/s", unit: "million rows a second"},
			{name: "Arrow IPC stream", key: "arrow-Mrows/s", unit: "million rows a second", aims: orShort(from(4), 0.1)},
			{name: "JSON", key: "json-Mrows/s", unit: "million rows a second", aims: orShort(from(2), 0.1)},
		},
		after: `The library's own Arrow export, which needs the build tag duckdb_arrow, is faster than the
copy of vectors that every build has (` + "`go test -tags duckdb_arrow -run '^$' -bench Export ./duckdb`" + `
in ` + "`executor`" + ` compares them). Its batches have 2048 rows in the library's memory, and joining them
into batches of 65536, which the stream wants, would be the copy that it saves.`,
	}
}

func arrowPostgres() promise {
	return promise{
		name: "arrow-postgres", says: "Arrow from PostgreSQL is nearly as fast as its COPY",
		how: `A table of three columns and one of twenty columns of mixed types, read in turn with
` + "`COPY (query) TO STDOUT (FORMAT binary)`" + ` by a bare loop that drops what comes, and by the ways
of this project. The bare loop decodes nothing.`,
		run: command{
			dir: "executor", pkg: "./postgres", bench: "^BenchmarkArrow$", flags: []string{"-benchtime=10x"},
			env: needServers, shortFlags: []string{"-benchtime=1x"}, shortEnv: map[string]string{"SEMLAYER_BENCH_ROWS": "20000"},
		},
		rows: `^BenchmarkArrow/(.+)$`, head: "rows",
		figures: []figure{
			{name: "part of COPY's rate, Arrow IPC stream", key: "arrow/copy", aims: orShort(from(0.9), 0.05)},
			{name: "part of COPY's rate, record batches", key: "batches/copy"},
			{name: "COPY", key: "copy-Mrows/s", unit: "million rows a second"},
			{name: "Arrow IPC stream", key: "arrow-Mrows/s", unit: "million rows a second"},
		},
	}
}

func arrowHTTP() promise {
	return promise{
		name: "arrow-http", says: "Arrow over HTTP is millions of rows a second",
		how: "Batches of three 64-bit columns to a client on the same cores, and to nowhere.",
		run: command{
			dir: "restapi", pkg: ".", bench: "^BenchmarkArrowOverHTTP$", flags: []string{"-benchtime=20x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkArrowOverHTTP/(.+)$`, head: "to",
		figures: []figure{{name: "rows", key: "rows/s", unit: "million a second", scale: 1e-6, aims: orShort(from(4), 0.1)}},
	}
}

package main

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

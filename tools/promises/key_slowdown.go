package main

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

package main

func dataQueryPromise() promise {
	return promise{
		name: "data-query", sentence: "A query over a Parquet file takes at most 1.1 times one over a DuckDB file",
		method: `Two million rows, grouped by two fields, from a Parquet file as a table of --data and from a
DuckDB file of the same rows, in turn.`,
		run: command{
			dir: "executor", pkg: "./duckdb", bench: "^BenchmarkDataQuery$", flags: []string{"-benchtime=50x"},
			shortFlags: []string{"-benchtime=3x"},
		},
		rows: `^BenchmarkDataQuery$`,
		figures: []figure{
			{name: "ratio", key: "ratio", aims: withShortForm(atMostAim(1.1), 5)},
			{name: "Parquet", key: "parquet-ms", unit: "ms"},
			{name: "DuckDB file", key: "duckdb-ms", unit: "ms"},
		},
	}
}

func dataOpenPromise() promise {
	return promise{
		name: "data-open", sentence: "Ten Parquet files are tables within 1.5 s",
		method: `A folder of ten Parquet files with 200,000 rows each, from the walk of the folder to a database
that takes queries.`,
		run: command{
			dir: "executor", pkg: "./duckdb", bench: "^BenchmarkDataOpen$", flags: []string{"-benchtime=20x"},
			shortFlags: []string{"-benchtime=3x"},
		},
		rows:    `^BenchmarkDataOpen$`,
		figures: []figure{{name: "open", key: "open-ms", unit: "ms", aims: withShortForm(atMostAim(1500), 4500)}},
	}
}

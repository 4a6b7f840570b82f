package main

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

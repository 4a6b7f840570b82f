package main

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

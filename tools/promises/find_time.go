package main

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

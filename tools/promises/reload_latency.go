package main

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

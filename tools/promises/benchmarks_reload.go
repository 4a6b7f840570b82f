package main

func reloadBesideTrafficPromise() promise {
	return promise{
		name: "reload-beside-traffic", sentence: "Loading a model of 1000 datasets beside traffic raises the p99 of compile to at most three times",
		method: `A server of a model of 1000 datasets compiles 200 new queries a second over eight connections from the
same cores; in turn, it does so alone, and while texts of that size are loaded one after another without a pause
and each replaces the model. The ratio is that of the 99th percentiles; of each side the best of seven turns
counts.`,
		run: command{
			dir: "integration/benchmarks", pkg: ".", bench: "^BenchmarkHTTP_CompileBesideReload$", flags: []string{"-benchtime=7x"},
			shortFlags: []string{"-benchtime=1x"},
		},
		rows: `^BenchmarkHTTP_CompileBesideReload$`,
		figures: []figure{
			{name: "ratio", key: "ratio", aims: withShortForm(atMostAim(3), 100)},
			{name: "p99 beside loading", key: "beside-p99-ms", unit: "ms"},
			{name: "p99 alone", key: "p99-ms", unit: "ms"},
			{name: "one load", key: "load-ms", unit: "ms"},
			{name: "loads", key: "loads", aims: withShortForm(atLeastAim(7), 1)},
		},
		interpretation: "The loads and the clients share two cores with the server. A load waits for the one before it, but not for a change of the file: a server that watches a file loads far less often.",
	}
}

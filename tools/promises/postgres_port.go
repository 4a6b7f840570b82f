package main

// The promises of the PostgreSQL port.

func postgresPortCataloguePromise() promise {
	return promise{
		name: "port-catalogue", sentence: "The catalogue of the PostgreSQL port has the rows of PostgreSQL 15",
		method: `Statements that client programs send, recorded, and statements of tools, on the port and on a PostgreSQL 15 with the same
relations: names, types and cells.`,
		run:  measurementCommand{dir: "pgwire", pkg: "./catalogue", test: "^TestCatalogue_AnswersRecordedStatementsAsPostgreSQL$", env: requireServersEnv},
		rows: `^TestCatalogue_AnswersRecordedStatementsAsPostgreSQL$`,
		figures: []figureDefinition{
			{name: "statements", key: "statements", aims: atLeastTarget(250)},
			{name: "with the same rows", key: "equal"},
		},
	}
}

func postgresPortClientsPromise() promise {
	return promise{
		name: "port-clients", sentence: "Client programs of PostgreSQL use the port",
		method: `The binary serves a model; each program connects with a token, lists relations, describes one, queries, reads an error, cancels
a statement and queries again. Lists, descriptions and rows are compared with facts that are written by hand.`,
		run: measurementCommand{
			dir: "integration", pkg: "./pgclients", test: "^TestClients_ListDescribeQueryAndCancel$", flags: []string{"-timeout=30m"},
			env: map[string]string{"SEMLAYER_POSTGRES_CLIENTS": "all"}, shortEnv: map[string]string{"SEMLAYER_POSTGRES_CLIENTS": ""},
		},
		rows:    `^TestClients_ListDescribeQueryAndCancel$`,
		figures: []figureDefinition{{name: "programs", key: "clients", aims: withShortFormBound(atLeastTarget(15), 2)}},
	}
}

func postgresPortEqualValuesPromise() promise {
	return promise{
		name: "port-values", sentence: "A value is the same over the PostgreSQL port as over HTTP",
		method: `Values of every type, with NULL and extremes, over HTTP, over the port as text, and over the port in binary as another library
reads it.`,
		run:     measurementCommand{dir: "integration", pkg: "./pgvalues", test: "^TestValues_AreThoseOfHTTPInTextAndBinary$"},
		rows:    `^TestValues_AreThoseOfHTTPInTextAndBinary$`,
		figures: []figureDefinition{{name: "values", key: "values", aims: atLeastTarget(60)}},
	}
}

func postgresPortIdleSessionMemoryPromise() promise {
	return promise{
		name: "port-sessions", sentence: "Idle sessions of the PostgreSQL port are small",
		method: `Sessions that have read rows and do nothing, with their clients in the same process: heap and stacks.`,
		run:    measurementCommand{dir: "pgwire", pkg: ".", test: "^(TestServer_IdleSessionsAreSmall|TestServer_HoldsAThousandIdleSessions)$"},
		rows:   `^TestServer_(IdleSessionsAreSmall|HoldsAThousandIdleSessions)$`, rowHeader: "test",
		figures: []figureDefinition{
			{name: "sessions", key: "sessions"},
			{name: "memory", key: "bytes", unit: "MB", scale: 1e-6, aims: []figureTarget{{is: targetAtMost, bound: 50, row: "IdleSessionsAreSmall"}}},
		},
	}
}

func postgresPortStatementOverheadPromise() promise {
	return promise{
		name: "port-statement", sentence: "A small statement over the PostgreSQL port takes at most 0.3 ms more than with the driver alone",
		method: `A statement of one row over the port, and the SQL that it becomes by the driver of DuckDB, in turn; the added time is the
difference of the medians.`,
		run:  measurementCommand{dir: "pgwire", pkg: ".", bench: "^BenchmarkSmallStatement$", flags: []string{"-benchtime=2000x"}, shortFlags: []string{"-benchtime=100x"}},
		rows: `^BenchmarkSmallStatement$`,
		figures: []figureDefinition{
			{name: "added", key: "more-µs", unit: "µs", aims: withShortFormBound(atMostTarget(300), 3000)},
			{name: "port", key: "port-µs", unit: "µs"},
			{name: "driver", key: "driver-µs", unit: "µs"},
		},
	}
}

func postgresPortStreamThroughputPromise() promise {
	return promise{
		name: "port-stream", sentence: "The PostgreSQL port streams a million narrow rows a second",
		method: `A million rows of two integers from DuckDB to a Go client, which reads their bytes.`,
		run:    measurementCommand{dir: "pgwire", pkg: ".", bench: "^BenchmarkStream$", flags: []string{"-benchtime=5x"}, shortFlags: []string{"-benchtime=1x"}},
		rows:   `^BenchmarkStream/(\w+)$`, rowHeader: "format",
		figures: []figureDefinition{
			{name: "rows per second", key: "rows/s", aims: withShortFormBound(atLeastTarget(1e6), 1e5)},
		},
	}
}

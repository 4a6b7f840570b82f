package main

// longTestsEnv makes tests judge clocks, which only a quiet machine can keep.
var (
	longTestsEnv         = map[string]string{"SEMLAYER_TEST_LONG": "1"}
	shortServiceTestsEnv = map[string]string{"SEMLAYER_TEST_LONG": ""}
)

func injectionPromise() promise {
	return promise{
		name: "injection", sentence: "A hostile string is data, or it is rejected",
		method: `Quotes, comments, placeholders, control characters, strings of a megabyte and the dangerous
functions of each engine, in place of every string that a caller may give, over HTTP. The test
reads the statements that reach the engine: at most one, one SELECT, identical to that of
the response. Afterwards the catalog, the settings, the rows and the files must be
unchanged. Every string is combined with every input.`,
		run: measurementCommand{
			dir: "integration", pkg: "./injection", test: "^TestInjection_HostileTextIsDataOrRejected$", flags: []string{"-timeout=60m"},
			env: withEnvVariables(requireServersEnv, "SEMLAYER_TEST_LONG", "1"), shortEnv: shortServiceTestsEnv,
		},
		rows: `^TestInjection_HostileTextIsDataOrRejected/(\w+)$`, rowHeader: "engine",
		figures: []figureDefinition{
			{name: "strings", key: "texts", aims: atLeastTarget(100)},
			{name: "inputs", key: "inputs", aims: atLeastTarget(20)},
			{name: "requests", key: "requests", aims: withShortFormBound(atLeastTarget(2000), 200)},
			{name: "statements", key: "statements"},
			{name: "errors", key: "refusals"},
		},
	}
}

func hostileClientsPromise() promise {
	return promise{
		name: "hostile", sentence: "A hostile client does not end the server, and takes no more of it than the limits allow",
		method: `The binary, with 512 open files, 256 MiB for Go (` + "`GOMEMLIMIT`" + `) and 200 MiB for DuckDB, meets one
attack after the other, each in a separate process: more connections than files, patterns that backtrack, strings
that grow, functions of the model that ignore interrupts, requests of foreign web pages, odd framing, expensive
files and bodies, models of a megabyte, a string that YAML aliases repeat, thousands of columns, large results
of tools, more executions than slots. Every response is checked. The process must survive and
process an ordinary query; resident memory is measured every 10 ms. Afterwards slots, open files
and memory must be back within 15 s, and the CPU idle. The one exception is
a native function that the model's author wrote: it computes until it is over.`,
		run:  measurementCommand{dir: "integration", pkg: "./hostile", test: "^TestServer_SurvivesHostileClientsAndModels$", flags: []string{"-timeout=30m"}},
		rows: `^TestServer_SurvivesHostileClientsAndModels$`,
		figures: []figureDefinition{
			{name: "attacks", key: "attacks", aims: atLeastTarget(10)},
			{name: "ended the process", key: "ended", aims: exactTarget(0)},
			{name: "beyond a limit of memory or time", key: "beyond-bounds", aims: exactTarget(0)},
			{name: "kept a slot", key: "slots-kept", aims: exactTarget(0)},
		},
	}
}

func worstQueryCompileTimePromise() promise {
	return promise{
		name: "worst-queries", sentence: "The worst query within the limits compiles or is rejected within a second",
		method: `Queries at every limit over large models: thousands of metrics, ranges, conditions and windows,
chains of metrics that double. The figure is processor time.`,
		run:  measurementCommand{dir: "engine", pkg: ".", test: "^TestCompile_WorstQueriesAreCompiledOrRefusedInTime$"},
		rows: `^TestCompile_WorstQueriesAreCompiledOrRefusedInTime$`,
		figures: []figureDefinition{
			{name: "slowest", key: "slowest-ms", unit: "ms", aims: withShortFormBound(atMostTarget(1000), 5000)},
		},
	}
}

func fuzzingPromise() promise {
	return promise{
		name: "fuzzing", sentence: "No parser fails on hostile input",
		method: `Every fuzz target for half a minute (` + "`FUZZTIME`" + `), from the committed seeds: the parsers of expressions,
models, extension payloads, queries and profiles, literals, the decoders of the drivers, and
the framing of Arrow in the client.`,
		run: measurementCommand{
			script: []string{"tools/scripts/fuzz.sh"}, env: map[string]string{"FUZZTIME": "30s"},
			shortEnv: map[string]string{"FUZZTIME": "2s"},
		},
		rows: `^fuzz$`,
		figures: []figureDefinition{
			{name: "targets that failed", key: "failed", aims: exactTarget(0)},
			{name: "targets", key: "targets", aims: atLeastTarget(20)},
			{name: "inputs", key: "inputs", of: aggregationSum},
		},
	}
}

func secretLeaksPromise() promise {
	return promise{
		name: "canaries", sentence: "A secret appears nowhere",
		method: `Tokens and passwords of profiles are words that occur nowhere else. The test sends every kind of
request, with right and wrong tokens, to warehouses that do not respond and with
profiles whose errors a careless message would quote. Everything that left the server,
responses, logs at every level and traces, is searched for the words.`,
		run:  measurementCommand{dir: "restapi", pkg: ".", test: "^TestSecrets_AppearNowhere$"},
		rows: `^TestSecrets_AppearNowhere$`,
		figures: []figureDefinition{
			{name: "found", key: "found", of: aggregationSum, aims: exactTarget(0)},
			{name: "searched", key: "bytes", unit: "kB", scale: 1e-3, of: aggregationSum, aims: atLeastTarget(100)},
		},
	}
}

func slowClientsPromise() promise {
	return promise{
		name: "slow-clients", sentence: "A slow client is disconnected and does not block others",
		method: `Clients stop in the head of a request, in a small body, in a long one and in a chunked one, and get
408 when their time is over. While 200 such connections are open, another client is
served.`,
		run:  measurementCommand{dir: "restapi", pkg: ".", test: "^(TestSlowClients_AreCutOff|TestSlowClients_ManyDoNotBlockOthers)$"},
		rows: `^(?:TestSlowClients_AreCutOff/(in_.*)|TestSlowClients_(Many)DoNotBlockOthers)$`, rowHeader: "where a client stops",
		figures: []figureDefinition{
			{name: "status", key: "status", aims: exactTarget(408)},
			{name: "response after its time", key: "late-ms", unit: "ms", aims: atMostTarget(2000)},
			{name: "slow clients", key: "slow", aims: atLeastTarget(200)},
			{name: "response to another client after", key: "answered-ms", unit: "ms", aims: atMostTarget(1000)},
		},
	}
}

func executionLimitRejectionPromise() promise {
	return promise{
		name: "saturation", sentence: "Requests over the execution limit are rejected immediately",
		method: `64 clients query a server that executes 16 queries at a time. 16 get their results; the others get
429, the code busy and Retry-After.`,
		run:  measurementCommand{dir: "restapi", pkg: ".", test: "^TestSaturation_ExcessRejectedAtOnce$", env: longTestsEnv, shortEnv: shortServiceTestsEnv},
		rows: `^TestSaturation_ExcessRejectedAtOnce$`,
		figures: []figureDefinition{
			{name: "rejected", key: "refused", aims: exactTarget(48)},
			{name: "with a result", key: "answered", aims: exactTarget(16)},
			{name: "slowest rejection", key: "slowest-ms", unit: "ms", aims: withShortFormBound(atMostTarget(50), 5000)},
		},
	}
}

func gracefulShutdownPromise() promise {
	return promise{
		name: "drain", sentence: "A server that shuts down loses no request",
		method: "200 requests are under way, every fourth of them a stream. All of them end normally, while the server accepts no new connection.",
		run:    measurementCommand{dir: "restapi", pkg: ".", test: "^TestDrain_LosesNoRequest$"},
		rows:   `^TestDrain_LosesNoRequest$`,
		figures: []figureDefinition{
			{name: "lost", key: "lost", aims: exactTarget(0)},
			{name: "requests", key: "requests", aims: exactTarget(200)},
		},
	}
}

// shortFaultRunsEnv is the short form of the faults.
var shortFaultRunsEnv = map[string]string{"SEMLAYER_FAULT_RUNS": "2"}

func brokenResponsesPromise() promise {
	return promise{
		name: "faults", sentence: "A broken response is never reported as success",
		method: `Between the server and its warehouse a proxy cuts before the first byte, cuts in
mid-stream, stalls and drips; and the database restarts. A run is right if the client
gets the right code with its status while there is a status to send, no complete body after
that, if the slot is free again, and if the next query succeeds. Half of the
runs are of JSON, half of Arrow.`,
		run: measurementCommand{
			dir: "integration", pkg: "./faults", test: "^TestFaults_NeverReportSuccess$", flags: []string{"-timeout=120m"},
			env: withEnvVariables(requireServersEnv, "SEMLAYER_FAULT_RUNS", "100"), shortEnv: shortFaultRunsEnv,
		},
		rows: `^TestFaults_NeverReportSuccess/(\w+)/([^/]+)/`, rowHeader: "engine, fault",
		figures: []figureDefinition{
			{name: "runs that were right", key: "right", of: aggregationSum, aims: withShortFormBound(atLeastTarget(200), 4)},
			{name: "wrong", key: "wrong", of: aggregationSum, aims: exactTarget(0)},
		},
	}
}

func driverFaultsPromise() promise {
	return promise{
		name: "driver-faults", sentence: "A driver survives every fault of the network",
		method: `The same below the server, for the drivers of PostgreSQL and MariaDB by themselves, which may also
be cut while they are idle: an error of the right code and never a normal end, the rows before it are the first
rows, no connection is held, and the next query works.`,
		run: measurementCommand{
			dir: "executor", pkg: "./postgres ./mysql", test: "^TestFaults_NeverReportSuccess$", flags: []string{"-timeout=120m"},
			env: withEnvVariables(requireServersEnv, "SEMLAYER_FAULT_RUNS", "100"), shortEnv: shortFaultRunsEnv,
		},
		rows: `^TestFaults_NeverReportSuccess/([^/]+)$`, rowHeader: "fault, of both drivers",
		figures: []figureDefinition{
			{name: "runs that were right", key: "right", of: aggregationSum, aims: withShortFormBound(atLeastTarget(200), 4)},
			{name: "wrong", key: "wrong", of: aggregationSum, aims: exactTarget(0)},
		},
	}
}

func timeoutsPromise() promise {
	return promise{
		name: "timeouts", sentence: "A timeout is reported within a second and ends the work",
		method: `A query that would compute for long reaches its time limit. The client gets 504 and the code timeout;
the statement has ended on the server, as a second connection sees, and the slot is free.`,
		run: measurementCommand{
			dir: "integration", pkg: "./faults", test: "^(TestTimeout_EndsWorkOfServer|TestTimeout_InterruptsDuckDB)$",
			env: withEnvVariables(requireServersEnv, "SEMLAYER_FAULT_RUNS", "100"), shortEnv: shortFaultRunsEnv,
		},
		rows: `^TestTimeout_(?:EndsWorkOfServer/(\w+)/(\w+)|Interrupts(DuckDB))$`, rowHeader: "engine, format",
		figures: []figureDefinition{{name: "response after its time limit", key: "late-ms", unit: "ms", aims: atMostTarget(1000)}},
	}
}

func goroutineLeaksPromise() promise {
	return promise{
		name: "leaks", sentence: "Many requests leave no goroutines and no open files",
		method: `Requests of every kind, a third of them cancelled by their clients, to a server from its start to
its end: then there are as many goroutines and open files as before.`,
		run:  measurementCommand{dir: "restapi", pkg: ".", test: "^TestLeaks_NoneAfterManyRequests$", env: longTestsEnv, shortEnv: shortServiceTestsEnv},
		rows: `^TestLeaks_NoneAfterManyRequests$`,
		figures: []figureDefinition{
			{name: "goroutines left", key: "goroutines-left", aims: exactTarget(0)},
			{name: "files left", key: "files-left", aims: exactTarget(0)},
			{name: "requests", key: "requests", aims: withShortFormBound(atLeastTarget(10_000), 600)},
		},
	}
}

func streamMemoryGrowthPromise() promise {
	return promise{
		name: "growth", sentence: "A server does not grow with the length of a stream",
		method: `The whole way, from the warehouse through a server in a separate process to a client that
decodes, with the memory of the server as the kernel reports it. DuckDB keeps file contents in
memory up to its limit: so the file is either larger than the limit, of 48 MB, or was read
before. PostgreSQL spends its time grouping.`,
		run: measurementCommand{
			dir: "integration", pkg: "./streaming", test: "^TestStreaming_ServerDoesNotGrow$", flags: []string{"-timeout=30m"},
			env: withEnvVariables(requireServersEnv, "SEMLAYER_TEST_LONG", "1"), shortEnv: shortServiceTestsEnv,
		},
		rows: `^TestStreaming_ServerDoesNotGrow/(DuckDB/.+|PostgreSQL)$`, rowHeader: "from",
		figures: []figureDefinition{
			{name: "grew by", key: "grown-MiB", unit: "MiB", aims: atMostTarget(64)},
			{name: "rows", key: "rows"},
			{name: "rate", key: "Mrows/s", unit: "million rows a second"},
		},
	}
}

func soakPromise() promise {
	return promise{
		name: "soak", sentence: "A 30-minute load does not grow memory, goroutines or open files",
		method: `Up to 200 requests a second of every kind: compile, execute, select, attribute, Arrow, errors of
every stage, executions that time out, clients that disconnect. Every response is checked.
A hundred and twenty times the load pauses until no request is under way, and the test measures the heap
after two collections, resident memory of the whole process, goroutines and open files; after a quarter to warm
up, the median of the last third is compared with that of the first. Resident memory rises and falls
with the reserves of allocators.`,
		run: measurementCommand{
			dir: "integration", pkg: "./soak", test: "^TestSoak_ServerDoesNotGrow$", flags: []string{"-timeout=120m"},
			env: map[string]string{"SEMLAYER_TEST_SOAK": "30m"}, shortEnv: map[string]string{"SEMLAYER_TEST_SOAK": "5s"},
		},
		rows: `^TestSoak_ServerDoesNotGrow$`,
		figures: []figureDefinition{
			{name: "wrong results", key: "wrong", aims: exactTarget(0)},
			{name: "requests", key: "requests", aims: withShortFormBound(atLeastTarget(180_000), 500)},
			{name: "heap grew by", key: "heap-MiB-grown", unit: "MiB", aims: atMostTarget(1)},
			{name: "resident memory grew by", key: "resident-MiB-grown", unit: "MiB", aims: withShortFormBound(atMostTarget(48), 256)},
			{name: "goroutines grew by", key: "goroutines-grown", aims: atMostTarget(16)},
			{name: "open files grew by", key: "files-grown", aims: atMostTarget(8)},
			{name: "heap", key: "heap-MiB", unit: "MiB"},
			{name: "resident memory", key: "resident-MiB", unit: "MiB"},
			{name: "length", key: "length", of: aggregationVerbatim},
		},
	}
}
